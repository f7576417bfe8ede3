package differential

import (
	"encoding/json"
	"fmt"

	"slicewise/oracle/compare"
	"slicewise/oracle/corpus"
	"slicewise/oracle/generate"
	"slicewise/oracle/planner"
	"slicewise/oracle/shrink"
)

// chunk is how many cases are sent before their answers are read.
const chunk = 64

// shrinkRuns is how often the reference runs for one smaller candidate,
// first, and again if that was misleading.
var shrinkRuns = []int{6, 40}

// Range is the cases of one worker: those of From, From+Step, … below To.
type Range struct{ From, To, Step int }

// Finding is a differing case, as small as possible.
type Finding struct {
	Name    string          `json:"name"`
	Case    *corpus.Case    `json:"case"`
	Verdict compare.Verdict `json:"verdict"`
}

// Report receives the results.
type Report interface {
	// Passed counts cases that agree, and how often the reference ran for them.
	Passed(cases, runs, most int)
	// Found is one case that differs.
	Found(*Finding)
}

// Worker compares cases with one planner.
type Worker struct {
	Planner planner.Planner
	Seed    int64
	Report  Report
	// Most is the number of findings after which to stop.
	Most int
	// Whole skips shrinking.
	Whole bool
	// Runs is the maximum number of runs of the reference for a step; 0 means
	// compare.Runs.
	Runs  int
	found int
}

// Singles compares single shots.
func (w *Worker) Singles(r Range) error {
	for from := r.From; from < r.To && w.found < w.Most; from += r.Step * chunk {
		var indexes []int
		var requests [][]byte
		for i := from; i < r.To && len(indexes) < chunk; i += r.Step {
			indexes = append(indexes, i)
			requests = append(requests, generate.Single(w.Seed, i).JSON())
		}
		answers, err := w.Planner.Plan(requests)
		if err != nil {
			return fmt.Errorf("cases %d to %d: %w", indexes[0], indexes[len(indexes)-1], err)
		}
		if err := w.judge(indexes, requests, answers); err != nil {
			return err
		}
	}
	return nil
}

func (w *Worker) judge(indexes []int, requests, answers [][]byte) error {
	tally := tally{}
	for i, index := range indexes {
		verdict, err := w.compare(requests[i], answers[i], context{})
		if err != nil {
			return fmt.Errorf("case %d: %w", index, err)
		}
		if verdict.OK {
			tally.add(verdict)
			continue
		}
		c := &corpus.Case{Request: requests[i]}
		if err := w.find(fmt.Sprintf("seed-%d-case-%d", w.Seed, index), c, verdict); err != nil {
			return err
		}
	}
	w.Report.Passed(tally.cases, tally.runs, tally.most)
	return nil
}

// Histories compares sequences, many of them step by step in parallel.
func (w *Worker) Histories(r Range) error {
	for from := r.From; from < r.To && w.found < w.Most; from += r.Step * chunk {
		var running []*run
		for i := from; i < r.To && len(running) < chunk; i += r.Step {
			running = append(running, &run{index: i, history: generate.NewHistory(w.Seed, i)})
		}
		for len(running) > 0 {
			left, err := w.step(running)
			if err != nil {
				return err
			}
			running = left
		}
	}
	return nil
}

// run is one history in progress.
type run struct {
	index   int
	history *generate.History
	steps   []json.RawMessage
	verdict compare.Verdict
	runs    int
}

// step advances every running history by one sync and returns those that continue.
func (w *Worker) step(running []*run) ([]*run, error) {
	requests := make([][]byte, len(running))
	for i, one := range running {
		requests[i] = one.history.Scene.JSON()
		one.steps = append(one.steps, requests[i])
	}
	answers, err := w.Planner.Plan(requests)
	if err != nil {
		return nil, fmt.Errorf("histories from %d: %w", running[0].index, err)
	}
	tally := tally{}
	var left []*run
	for i, one := range running {
		goesOn, err := w.follow(one, requests[i], answers[i], &tally)
		if err != nil {
			return nil, fmt.Errorf("history %d: %w", one.index, err)
		}
		if goesOn {
			left = append(left, one)
		}
	}
	w.Report.Passed(tally.cases, tally.runs, tally.most)
	return left, nil
}

func (w *Worker) follow(one *run, request, answer []byte, tally *tally) (bool, error) {
	verdict, err := w.compare(request, answer, context{before: one.verdict.After, inHistory: true})
	if err != nil {
		return false, err
	}
	one.verdict = verdict
	one.runs += verdict.Runs
	if !verdict.OK {
		return false, w.find(fmt.Sprintf("seed-%d-history-%d", w.Seed, one.index), &corpus.Case{History: one.steps}, verdict)
	}
	goesOn, err := one.history.Advance(answer)
	if err == nil && !goesOn {
		verdict.Runs = one.runs
		tally.add(verdict)
	}
	return goesOn, err
}

func (w *Worker) compare(request, answer []byte, c context) (compare.Verdict, error) {
	c.runs = w.runs()
	return compareOne(request, answer, c)
}

// find shrinks a case, and records the reference's outcome.
func (w *Worker) find(name string, c *corpus.Case, verdict compare.Verdict) error {
	w.found++
	small, verdict, err := w.shrink(c, verdict)
	if err != nil {
		return err
	}
	small.Description = "Found by the differential test: " + name + " (" + verdict.Kind + ")"
	expected, err := corpus.Expect(small, w.runs())
	if err != nil {
		return err
	}
	small.Expected = expected
	w.Report.Found(&Finding{Name: name, Case: small, Verdict: verdict})
	return nil
}

// shrink runs the reference less often per candidate, and more often only if the
// result does not hold with the full number of runs.
func (w *Worker) shrink(c *corpus.Case, verdict compare.Verdict) (*corpus.Case, compare.Verdict, error) {
	if w.Whole {
		return c, verdict, nil
	}
	for _, runs := range shrinkRuns {
		small := shrink.Case(c, func(candidate *corpus.Case) bool {
			again, err := Judge(w.Planner, candidate.Steps(), runs)
			return err == nil && !again.OK && again.Kind == verdict.Kind
		})
		again, err := Judge(w.Planner, small.Steps(), w.runs())
		if err != nil {
			return nil, verdict, err
		}
		if !again.OK {
			return small, again, nil
		}
	}
	return c, verdict, nil
}

func (w *Worker) runs() int {
	if w.Runs == 0 {
		return compare.Runs
	}
	return w.Runs
}

type tally struct{ cases, runs, most int }

func (t *tally) add(verdict compare.Verdict) {
	t.cases++
	t.runs += verdict.Runs
	t.most = max(t.most, verdict.Runs)
}
