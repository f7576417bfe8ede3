package generate_test

import (
	"fmt"
	"regexp"
	"testing"

	"slicewise/oracle"
	"slicewise/oracle/compare"
	"slicewise/oracle/generate"
)

// coverageCases is the number of cases that must cover every path.
const coverageCases = 1200

// met counts what the reference does with generated cases.
type met map[string]int

var numbers = regexp.MustCompile(`\([^)]*\)`)

func (m met) note(t *testing.T, line []byte) {
	t.Helper()
	request, err := oracle.Parse(line)
	if err != nil {
		t.Fatalf("generated request: %v\n%s", err, line)
	}
	p := oracle.Prepare(request)
	outcome, err := p.Run(oracle.Topology{}, oracle.AsGiven)
	if err != nil {
		t.Fatalf("%v\n%s", err, line)
	}
	for _, event := range outcome.Events {
		m[numbers.ReplaceAllString(event.Message, "()")]++
	}
	for _, write := range outcome.Writes {
		m[write.Verb]++
	}
	if p.Skip {
		m["skipped"]++
	}
	if len(outcome.Errors) > 0 {
		m["node unknown"]++
	}
	if len(outcome.Writes) == 0 && len(p.Slices) > 0 {
		m["nothing to do"]++
	}
	normal, err := compare.Normalise(p, outcome.Plan(p))
	if err != nil {
		t.Fatal(err)
	}
	m.noteNormal(normal)
	for _, slice := range outcome.Update {
		switch {
		case slice.UID == "":
			m["recycled"]++
		case len(slice.Endpoints) > len(p.Slice(slice.Name).Endpoints):
			m["filled"]++
		}
	}
}

func (m met) noteNormal(normal *compare.Normal) {
	for addressType, part := range normal.Types {
		m["type "+addressType]++
		m["foreign"] += len(part.Foreign)
		if len(part.Groups) > 1 {
			m["several port groups"]++
		}
		if part.Hints != nil {
			m["auto hints"]++
			m["hints for another zone"] += len(part.Hints.Given)
		}
		for _, group := range part.Groups {
			for _, endpoint := range group.Endpoints {
				for _, text := range []string{"forNodes", "forZones", "hostname", "deprecatedTopology"} {
					if regexp.MustCompile(text).Match(endpoint) {
						m["endpoint "+text]++
					}
				}
			}
			for _, slice := range group.Slices {
				m[fmt.Sprintf("op %s, empty %v", slice.Op, slice.Size == 0)]++
			}
		}
	}
}

// paths are what a run of coverageCases must cover, and how often at least.
var paths = map[string]int{
	"create": 500, "update": 500, "delete": 300, "recycled": 100, "filled": 100, "skipped": 20, "foreign": 50,
	"node unknown": 50, "nothing to do": 50, "several port groups": 100, "hints for another zone": 50,
	"type IPv4": 500, "type IPv6": 200, "type FQDN": 5,
	"op create, empty true": 10, "op update, empty true": 10, "op unchanged, empty true": 10,
	"endpoint hostname": 50, "endpoint forNodes": 50, "endpoint forZones": 50, "endpoint deprecatedTopology": 2,
	"Topology Aware Hints has been enabled, addressType: IPv4":                                                              50,
	"Topology Aware Hints has been enabled, addressType: IPv6":                                                              10,
	"Insufficient number of endpoints (), addressType: IPv4":                                                                20,
	"One or more endpoints do not have a zone specified, addressType: IPv4":                                                 10,
	noNodes + ", addressType: IPv4":                                                                                         50,
	"Unable to allocate minimum required endpoints to each zone without exceeding overload threshold (), addressType: IPv4": 30,
}

const noNodes = "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes"

func TestEveryPathIsMet(t *testing.T) {
	m := met{}
	for i := range coverageCases {
		m.note(t, generate.Single(1, i).JSON())
	}
	for path, least := range paths {
		if m[path] < least {
			t.Errorf("%q was met %d times, wanted %d", path, m[path], least)
		}
	}
	for path, count := range m {
		t.Logf("%6d %s", count, path)
	}
}

func TestSameSeedSameCase(t *testing.T) {
	seen := map[string]bool{}
	for i := range 200 {
		first := string(generate.Single(7, i).JSON())
		if again := string(generate.Single(7, i).JSON()); again != first {
			t.Fatalf("case %d is not the same twice:\n%s\n%s", i, first, again)
		}
		if other := string(generate.Single(8, i).JSON()); other == first {
			t.Errorf("case %d is the same with another seed", i)
		}
		if seen[first] {
			t.Errorf("case %d is an earlier one", i)
		}
		seen[first] = true
	}
}
