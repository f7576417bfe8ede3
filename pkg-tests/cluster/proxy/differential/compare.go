// Package differential compares slicewise with the reference on consumer
// streams, and shrinks streams on which they differ.
package differential

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"slicewise/cluster/proxy/generate"
	"slicewise/cluster/proxy/oracle"
)

// Proxier answers a whole stream, one line for each sync.
type Proxier interface {
	Answers(*generate.Sequence) ([][]byte, error)
}

// Difference is the first one in a sequence.
type Difference struct {
	// Kind is the field that differs, or another kind of failure.
	Kind string
	// Line is the line of the stream, from 1.
	Line int
	// Detail shows both sides.
	Detail string
}

// Judge returns nil if both sides agree. The feature gate must be set as the
// sequence requires.
func Judge(p Proxier, s *generate.Sequence) (*Difference, error) {
	answers, err := p.Answers(s)
	if err != nil {
		return nil, err
	}
	reference, err := oracle.New(s.Settings)
	if err != nil {
		return nil, err
	}
	for number, line := range s.Lines {
		want, err := reference.Line(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number+1, err)
		}
		if want == nil {
			continue
		}
		if len(answers) == 0 {
			return &Difference{"no answer", number + 1, ""}, nil
		}
		difference, err := compare(reference, line, want, answers[0])
		if err != nil {
			return nil, err
		}
		if difference != nil {
			difference.Line = number + 1
			return difference, nil
		}
		answers = answers[1:]
	}
	if len(answers) > 0 {
		return &Difference{"more answers than syncs", len(s.Lines), string(answers[0])}, nil
	}
	return nil, nil
}

// optional are fields that an answer may lack.
var optional = []string{"healthCheckNodePorts", "localReadyEndpoints"}

func compare(reference *oracle.Oracle, line []byte, want *oracle.Answer, answer []byte) (*Difference, error) {
	text, err := json.Marshal(want)
	if err != nil {
		return nil, err
	}
	if bytes.Equal(text, answer) {
		return nil, nil
	}
	var wanted, have map[string]any
	if err := json.Unmarshal(text, &wanted); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(answer, &have); err != nil {
		return &Difference{Kind: "no JSON", Detail: string(answer)}, nil
	}
	if have["error"] != nil {
		return &Difference{Kind: "error", Detail: string(answer)}, nil
	}
	if (wanted["routes"] == nil) != (have["routes"] == nil) {
		return &Difference{Kind: "routes", Detail: "given without being asked for, or the other way round"}, nil
	}
	utc(have)
	for _, field := range slices.Sorted(fields(wanted)) {
		if _, given := have[field]; !given && slices.Contains(optional, field) {
			continue
		}
		if reflect.DeepEqual(wanted[field], have[field]) {
			continue
		}
		if field == "staleConntrack" && possible(reference, line, answer) {
			continue
		}
		return &Difference{Kind: field, Detail: detail(wanted[field], have[field])}, nil
	}
	return nil, nil
}

func fields(of map[string]any) func(func(string) bool) {
	return func(yield func(string) bool) {
		for field := range of {
			if !yield(field) {
				return
			}
		}
	}
}

// utc normalises trigger times, which may be in any zone, as the oracle does.
func utc(answer map[string]any) {
	all, _ := answer["triggerTimes"].(map[string]any)
	for _, times := range all {
		list, _ := times.([]any)
		for i, each := range list {
			text, _ := each.(string)
			if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
				list[i] = at.UTC().Format(time.RFC3339Nano)
			}
		}
	}
}

// possible reports whether the reference could give this answer, too.
func possible(reference *oracle.Oracle, line, answer []byte) bool {
	var asked struct {
		Sync struct {
			Conntrack []oracle.Entry `json:"conntrack"`
		} `json:"sync"`
	}
	var answered struct {
		StaleConntrack []int `json:"staleConntrack"`
	}
	if json.Unmarshal(line, &asked) != nil || json.Unmarshal(answer, &answered) != nil || answered.StaleConntrack == nil {
		return false
	}
	return reference.CanBe(asked.Sync.Conntrack, answered.StaleConntrack)
}

// detail shows the innermost differing value.
func detail(want, have any) string {
	place := ""
	for {
		a, both := want.(map[string]any)
		b, also := have.(map[string]any)
		if !both || !also {
			break
		}
		inner := ""
		for _, field := range slices.Sorted(fields(a)) {
			if _, there := b[field]; there && !reflect.DeepEqual(a[field], b[field]) {
				inner = field
				break
			}
		}
		if inner == "" {
			break
		}
		place, want, have = place+" "+inner, a[inner], b[inner]
	}
	return fmt.Sprintf("%s\n- %s\n+ %s", place, compact(want), compact(have))
}

func compact(value any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err.Error()
	}
	return string(bytes.TrimSpace(text.Bytes()))
}
