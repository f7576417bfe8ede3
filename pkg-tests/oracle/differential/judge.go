// Package differential drives the comparison of slicewise with the reference:
// it generates cases, runs both sides, and shrinks differences.
package differential

import (
	"encoding/json"
	"fmt"

	"slicewise/oracle"
	"slicewise/oracle/compare"
	"slicewise/oracle/planner"
)

// Judge asks the planner for each step in turn, passes the state of one plan to
// the next, and stops at the first step that the reference cannot produce.
// The reference runs at most this many times for each step.
func Judge(p planner.Planner, steps []json.RawMessage, runs int) (compare.Verdict, error) {
	var verdict compare.Verdict
	var state json.RawMessage
	for i, step := range steps {
		request, err := withState(step, state)
		if err != nil {
			return verdict, err
		}
		answers, err := p.Plan([][]byte{request})
		if err != nil {
			return verdict, err
		}
		verdict, err = compareOne(request, answers[0], context{verdict.After, len(steps) > 1, runs})
		if err != nil {
			return verdict, err
		}
		if !verdict.OK {
			if len(steps) > 1 {
				verdict.Detail = fmt.Sprintf("step %d: %s", i, verdict.Detail)
			}
			return verdict, nil
		}
		state = stateOf(answers[0])
	}
	return verdict, nil
}

// context is what a comparison needs besides request and answer.
type context struct {
	before    []oracle.Topology
	inHistory bool
	runs      int
}

func compareOne(request, answer []byte, c context) (compare.Verdict, error) {
	parsed, err := oracle.Decode(request)
	if err != nil {
		return compare.Verdict{}, fmt.Errorf("request: %w", err)
	}
	return compare.Match(compare.Subject{
		Request:   request,
		Answer:    answer,
		Prepared:  oracle.Prepare(parsed),
		Before:    c.before,
		InHistory: c.inHistory,
		Runs:      c.runs,
	}), nil
}

// withState puts the planner's own state into a request, on one line.
func withState(step, state json.RawMessage) ([]byte, error) {
	var request map[string]json.RawMessage
	if err := json.Unmarshal(step, &request); err != nil {
		return nil, err
	}
	delete(request, "state")
	if len(state) > 0 {
		request["state"] = state
	}
	return json.Marshal(request)
}

func stateOf(answer []byte) json.RawMessage {
	var made struct {
		State json.RawMessage `json:"state"`
	}
	// An answer that matched is valid JSON.
	_ = json.Unmarshal(answer, &made)
	return made.State
}
