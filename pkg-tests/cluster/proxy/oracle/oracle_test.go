package oracle_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"slicewise/cluster/proxy/generate"
	"slicewise/cluster/proxy/oracle"
)

// answers runs a sequence, and passes each answer to a check.
func answers(t *testing.T, s *generate.Sequence, see func(*oracle.Oracle, *oracle.Answer)) {
	t.Helper()
	if err := oracle.SetGate(s.Settings.Gate()); err != nil {
		t.Fatal(err)
	}
	o, err := oracle.New(s.Settings)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range s.Lines {
		answer, err := o.Line(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if answer != nil {
			see(o, answer)
		}
	}
}

// The oracle's answers are deterministic.
func TestSameAnswersAgain(t *testing.T) {
	for index := range 600 {
		s := generate.New(11, index)
		var first []*oracle.Answer
		answers(t, s, func(_ *oracle.Oracle, a *oracle.Answer) { first = append(first, a) })
		for range 3 {
			left := first
			answers(t, s, func(_ *oracle.Oracle, a *oracle.Answer) {
				// Which of two Services gets a frontend that both claim is random: see CanBe.
				a.StaleConntrack, left[0].StaleConntrack = nil, nil
				if !reflect.DeepEqual(a, left[0]) {
					t.Fatalf("sequence %d: %v\nand %v", index, left[0], a)
				}
				left = left[1:]
			})
		}
	}
}

// An answer that the reference cannot give is rejected.
func TestCanBe(t *testing.T) {
	s := sequence(`{"type":"ADDED","object":{"kind":"Service","metadata":{"namespace":"shop","name":"s"},"spec":{"clusterIP":"10.96.0.1","externalIPs":["192.0.2.1"],"ports":[{"port":53,"protocol":"UDP"}]}}}`,
		`{"type":"ADDED","object":{"kind":"Service","metadata":{"namespace":"shop","name":"r"},"spec":{"clusterIP":"10.96.0.2","externalIPs":["192.0.2.1"],"ports":[{"port":53,"protocol":"UDP"}]}}}`,
		slice("e", "s", `{"addresses":["10.0.0.1"]}`), slice("f", "r", `{"addresses":["10.0.0.2"]}`), `{"sync":true}`)
	entries := []oracle.Entry{entry("10.96.0.1", "10.0.0.2"), entry("192.0.2.1", "10.0.0.2"), entry("192.0.2.1", "10.0.0.3")}
	answers(t, s, func(o *oracle.Oracle, _ *oracle.Answer) {
		for _, can := range [][]int{{0, 2}, {0, 1, 2}} {
			if !o.CanBe(entries, can) {
				t.Errorf("%v can be", can)
			}
		}
		for _, cannot := range [][]int{{}, {0}, {2}, {1, 2}, {2, 0}} {
			if o.CanBe(entries, cannot) {
				t.Errorf("%v cannot be", cannot)
			}
		}
	})
}

// The entries in staleUdp are those that the reference's cleanup finds: flows to
// the cluster IP of a Service, each to an endpoint of the last sync.
func TestStaleUDPIsWhatCleanupFinds(t *testing.T) {
	seen := 0
	for index := range 1500 {
		s := generate.New(12, index)
		before := map[string][]oracle.Endpoint{}
		answers(t, s, func(o *oracle.Oracle, a *oracle.Answer) {
			for port, endpoints := range before {
				frontend := o.Frontend(port)
				if frontend == "" || !strings.HasSuffix(port, "/UDP") {
					continue
				}
				for _, endpoint := range endpoints {
					gone := oracle.DeletedEndpoint{Endpoint: endpoint.Endpoint, ServicePort: port}
					stale, known := o.IsStale(frontend, endpoint.Endpoint)
					if !known || !endpoint.Serving {
						continue
					}
					seen++
					if stale != slices.Contains(a.StaleUDP.DeletedEndpoints, gone) {
						t.Fatalf("sequence %d: %v is stale: %t", index, gone, stale)
					}
				}
			}
			before = a.Endpoints
		})
	}
	if seen < 1000 {
		t.Errorf("only %d endpoints were looked at", seen)
	}
}

// If slices contradict each other, one of them wins: by name, the last one in
// which the endpoint is not terminating, or else the first.
func TestDuplicates(t *testing.T) {
	ready, dying := `{"addresses":["10.0.0.1"],"hints":{"forZones":[{"name":"%"}]}}`, `{"addresses":["10.0.0.1"],"conditions":{"terminating":true},"hints":{"forZones":[{"name":"%"}]}}`
	in := func(zone, endpoint string) string { return strings.ReplaceAll(endpoint, "%", zone) }
	for expected, lines := range map[string][]string{
		"b": {slice("e", "s", in("a", ready)), slice("f", "s", in("b", ready))},
		"c": {slice("f", "s", in("c", ready)), slice("e", "s", in("b", ready))},
		"d": {slice("e", "s", in("d", ready)), slice("f", "s", in("a", dying))},
		"e": {slice("f", "s", in("x", dying)), slice("e", "s", in("e", dying))},
		"f": {slice("e", "s", in("x", ready)+","+in("f", ready)+","+in("y", dying))},
		"g": {slice("e", "s", in("x", dying)+","+in("g", ready))},
	} {
		answers(t, sequence(append(lines, `{"sync":true}`)...), func(_ *oracle.Oracle, a *oracle.Answer) {
			found := a.Endpoints["shop/s/UDP"]
			if len(found) != 1 || !slices.Equal(found[0].ZoneHints, []string{expected}) {
				t.Errorf("%s: %v", expected, found)
			}
		})
	}
}

func sequence(lines ...string) *generate.Sequence {
	s := &generate.Sequence{Settings: oracle.Settings{Node: "n"}}
	for _, line := range lines {
		s.Lines = append(s.Lines, json.RawMessage(line))
	}
	return s
}

func slice(name, service, endpoints string) string {
	return `{"type":"ADDED","object":{"kind":"EndpointSlice","addressType":"IPv4","metadata":{"namespace":"shop","name":"` + name +
		`","labels":{"kubernetes.io/service-name":"` + service + `"}},"ports":[{"name":"","port":53,"protocol":"UDP"}],"endpoints":[` + endpoints + `]}}`
}

func entry(dst, endpoint string) oracle.Entry {
	return oracle.Entry{
		Protocol: "UDP",
		Origin:   oracle.Tuple{Src: "172.16.0.1", Dst: dst, SrcPort: 4000, DstPort: 53},
		Reply:    oracle.Tuple{Src: endpoint, Dst: "172.16.0.1", SrcPort: 53, DstPort: 4000},
	}
}
