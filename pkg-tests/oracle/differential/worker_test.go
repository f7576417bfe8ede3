package differential

import (
	"bytes"
	"testing"

	"slicewise/oracle/planner"
)

// report counts.
type report struct {
	passed int
	found  []*Finding
}

func (r *report) Passed(cases, _, _ int) { r.passed += cases }
func (r *report) Found(f *Finding)       { r.found = append(r.found, f) }

// faulty is the reference with a wrong zone in every node's name.
type faulty struct{ planner.Self }

func (f faulty) Plan(requests [][]byte) ([][]byte, error) {
	answers, err := f.Self.Plan(requests)
	for i, answer := range answers {
		answers[i] = bytes.ReplaceAll(answer, []byte(`"forNodes":[{"name":"node-0-0"}]`), []byte(`"forNodes":[{"name":"node-9"}]`))
	}
	return answers, err
}

func TestTheReferencePasses(t *testing.T) {
	r := &report{}
	w := &Worker{Planner: planner.Self{}, Seed: 5, Report: r, Most: 1}
	if err := w.Singles(Range{To: 100, Step: 1}); err != nil {
		t.Fatal(err)
	}
	if err := w.Histories(Range{To: 30, Step: 1}); err != nil {
		t.Fatal(err)
	}
	if r.passed != 130 || len(r.found) > 0 {
		t.Errorf("%d passed, %d found", r.passed, len(r.found))
	}
}

func TestAFaultIsFoundAndShrunk(t *testing.T) {
	r := &report{}
	w := &Worker{Planner: faulty{}, Seed: 5, Report: r, Most: 1, Runs: 200}
	if err := w.Singles(Range{To: 300, Step: 1}); err != nil {
		t.Fatal(err)
	}
	if len(r.found) == 0 {
		t.Fatal("not found")
	}
	found := r.found[0]
	if found.Case.Expected == nil || found.Verdict.OK {
		t.Errorf("incomplete: %+v", found.Verdict)
	}
	if size := len(found.Case.Request); size > 1500 {
		t.Errorf("not small, %d bytes: %s", size, found.Case.Request)
	}
}

func TestAFaultInAHistoryIsFound(t *testing.T) {
	r := &report{}
	w := &Worker{Planner: faulty{}, Seed: 6, Report: r, Most: 1, Whole: true, Runs: 20}
	if err := w.Histories(Range{To: 100, Step: 1}); err != nil {
		t.Fatal(err)
	}
	if len(r.found) == 0 {
		t.Fatal("not found")
	}
}
