package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"slicewise/oracle"
	"slicewise/oracle/plan"
)

// Runs is how often the reference runs before a plan counts as one that
// it cannot make. Nearly all plans match within the first few runs; among a
// hundred thousand there are some that take a hundred.
const Runs = 2000

// historyRuns is how often it runs at least within a history, where the
// state of its topology cache afterwards is random: missing a state
// here would be a false alarm at a later step.
const historyRuns = 40

// Verdict is the result of one comparison.
type Verdict struct {
	// OK means that the reference can produce the plan.
	OK bool
	// Kind is the first part that differs, "" when OK.
	Kind string
	// Detail describes the difference for people.
	Detail string
	// Runs is how often the reference ran.
	Runs int
	// After are the states of the topology cache that fit the plan.
	After []oracle.Topology
}

// Subject is a request with our answer to it.
type Subject struct {
	Request  []byte
	Answer   []byte
	Prepared *oracle.Prepared
	// Before are the states the reference's topology cache may be in.
	Before []oracle.Topology
	// InHistory requests every state that may follow.
	InHistory bool
	// Runs is the maximum number of runs; 0 means Runs.
	Runs int
}

// Match decides whether the reference can give our answer. It runs the
// reference repeatedly until each part of the plan has been seen.
func Match(s Subject) Verdict {
	made, err := plan.Parse(s.Answer)
	if err != nil {
		return Verdict{Kind: "error", Detail: "answered " + err.Error()}
	}
	if found := Check(s.Request, s.Answer, s.Prepared, made); len(found) > 0 {
		return Verdict{Kind: "check", Detail: strings.Join(found, "\n")}
	}
	ours, err := Normalise(s.Prepared, made)
	if err != nil {
		return Verdict{Kind: "check", Detail: err.Error()}
	}
	if s.Runs == 0 {
		s.Runs = Runs
	}
	if len(s.Before) == 0 {
		s.Before = []oracle.Topology{{}}
	}
	m := &matcher{subject: s, made: made, ours: ours, parts: ours.Parts(), seen: map[string]bool{}}
	if verdict := m.remains(); verdict != nil {
		return *verdict
	}
	return m.run()
}

type matcher struct {
	subject Subject
	made    *plan.Plan
	ours    *Normal
	parts   map[string]string
	seen    map[string]bool
	after   []oracle.Topology
	nearest *Normal
	hits    int
}

func sameKeys(a, b map[string]string) bool {
	return slices.Equal(slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b)))
}

func (m *matcher) run() Verdict {
	orders := m.orders()
	for i := range m.subject.Runs {
		before := m.subject.Before[i%len(m.subject.Before)]
		order := orders[i/len(m.subject.Before)%len(orders)]
		outcome, err := m.subject.Prepared.Run(before, order)
		if err != nil {
			return Verdict{Kind: "reference", Detail: err.Error(), Runs: i + 1}
		}
		theirs, err := Normalise(m.subject.Prepared, outcome.Plan(m.subject.Prepared))
		if err != nil {
			return Verdict{Kind: "reference", Detail: err.Error(), Runs: i + 1}
		}
		m.note(theirs, outcome.Topology)
		if i+1 == min(shareRuns, m.subject.Runs) {
			if err := m.share(); err != nil {
				return Verdict{Kind: "reference", Detail: err.Error(), Runs: i + 1}
			}
		}
		if len(m.seen) == len(m.parts) && i+1 >= m.least() {
			return Verdict{OK: true, Runs: i + 1, After: m.after}
		}
	}
	return m.failure()
}

// least is the number of runs needed even if the first one fits.
func (m *matcher) least() int {
	if !m.subject.InHistory || !m.ours.mayVary(m.subject.Prepared) {
		return len(m.subject.Before)
	}
	return historyRuns * len(m.subject.Before)
}

// mayVary reports whether the topology state after a run can be random: with two
// address types that want hints, the one reconciled last decides. The plan of a
// Service that is being deleted need not show both, because it creates nothing.
func (n *Normal) mayVary(p *oracle.Prepared) bool {
	return wantsAuto(p) && (len(n.Types) > 1 || p.Service.DeletionTimestamp != nil)
}

// note compares one run with ours, part by part.
func (m *matcher) note(theirs *Normal, after oracle.Topology) {
	parts := theirs.Parts()
	hits := 0
	for name, text := range parts {
		if ours, ok := m.parts[name]; ok && ours == text {
			m.seen[name] = true
			hits++
		}
	}
	if !sameKeys(parts, m.parts) { // a group too many or too few
		hits = 0
	}
	if m.nearest == nil || hits > m.hits {
		m.nearest, m.hits = theirs, hits
	}
	if parts["events"] == m.parts["events"] {
		m.remember(after)
	}
}

// remember collects the states that differ in what later syncs can see.
func (m *matcher) remember(after oracle.Topology) {
	if !slices.ContainsFunc(m.after, func(t oracle.Topology) bool { return t.Populated == after.Populated }) {
		m.after = append(m.after, after)
	}
}

func (m *matcher) failure() Verdict {
	var missing []string
	for name := range m.parts {
		if !m.seen[name] {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	detail := fmt.Sprintf("not seen in %d runs of the reference: %s\n%s",
		m.subject.Runs, strings.Join(missing, ", "), Diff(m.nearest, m.ours))
	kind := "groups"
	if len(missing) > 0 {
		kind = missing[0]
	}
	return Verdict{Kind: kind, Detail: detail, Runs: m.subject.Runs}
}
