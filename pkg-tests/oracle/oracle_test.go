package oracle_test

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	"k8s.io/endpointslice/metrics"

	dto "github.com/prometheus/client_model/go"

	"slicewise/oracle"
	"slicewise/oracle/generate"
)

const service = `"service":{"metadata":{"name":"web","namespace":"shop","uid":"u1"},
	"spec":{"selector":{"app":"web"},"clusterIP":"10.0.0.1","ipFamilies":["IPv4"],"ports":[{"port":80,"protocol":"TCP","targetPort":8080}]}}`

const pod = `{"metadata":{"name":"p1","namespace":"shop","labels":{"app":"web"}},"spec":{"nodeName":"n1"},
	"status":{"phase":"Running","podIP":"10.1.0.1","podIPs":[{"ip":"10.1.0.1"}],"conditions":[{"type":"Ready","status":"True"}]}}`

const node = `{"metadata":{"name":"n1","labels":{"topology.kubernetes.io/zone":"a"}}}`

func run(t *testing.T, text string) *oracle.Outcome {
	t.Helper()
	request, err := oracle.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := oracle.Run(request)
	if err != nil {
		t.Fatal(err)
	}
	return outcome
}

func TestOnePodMakesOneSlice(t *testing.T) {
	o := run(t, `{`+service+`,"pods":[`+pod+`],"nodes":[`+node+`],"triggerTime":"2026-01-02T03:04:05.5+01:00"}`)
	if len(o.Create) != 1 || len(o.Create[0].Endpoints) != 1 {
		t.Fatalf("got %+v", o)
	}
	slice := o.Create[0]
	if slice.GenerateName != "web-" || *slice.Endpoints[0].Zone != "a" {
		t.Errorf("got %+v", slice)
	}
	if at := slice.Annotations["endpoints.kubernetes.io/last-change-trigger-time"]; at != "2026-01-02T02:04:05.5Z" {
		t.Errorf("trigger time %q", at)
	}
	if o.Stats.Added != 1 || o.Stats.Endpoints != 1 || o.Stats.Slices != 1 || o.Stats.DesiredSlices != 1 {
		t.Errorf("stats %+v", o.Stats)
	}
}

func TestUnknownNodeIsReported(t *testing.T) {
	o := run(t, `{`+service+`,"pods":[`+pod+`]}`)
	if len(o.Errors) != 1 || o.Errors[0].Pod != "p1" || o.Errors[0].Code != "NodeNotFound" {
		t.Errorf("got %+v", o.Errors)
	}
}

func TestServicesLeftAlone(t *testing.T) {
	for _, spec := range []string{`{}`, `{"type":"ExternalName","selector":{"app":"web"}}`} {
		o := run(t, `{"service":{"metadata":{"name":"web","namespace":"shop"},"spec":`+spec+`},"pods":[`+pod+`]}`)
		if len(o.Writes) != 0 {
			t.Errorf("%s: %+v", spec, o.Writes)
		}
	}
}

func TestSlicesOfOthersAreLeftAlone(t *testing.T) {
	slice := func(name, extra, labels string) string {
		return `{"metadata":{"name":"` + name + `",` + extra + `"labels":{` + labels + `}},"addressType":"IPv4",
			"endpoints":[{"addresses":["10.1.0.9"]}]}`
	}
	const ours = `"kubernetes.io/service-name":"web","endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io"`
	o := run(t, `{`+service+`,"slices":[`+strings.Join([]string{
		slice("unlabelled", `"namespace":"shop",`, ``),
		slice("elsewhere", `"namespace":"other",`, ours),
		slice("going", `"namespace":"shop","deletionTimestamp":"2026-01-01T00:00:00Z",`, ours),
		slice("without-owner", `"namespace":"shop",`, ours),
	}, ",")+`]}`)
	if !slices.Equal(o.Delete, []string{"without-owner"}) || len(o.Create) != 1 || len(o.Unchanged) != 0 {
		t.Errorf("got %+v", o)
	}
}

func TestBadRequests(t *testing.T) {
	for _, text := range []string{
		`{`, `{}`, `{` + service + `,"pod":[]}`, `{` + service + `,"options":{"max":1}}`,
		`{` + service + `,"options":{"maxEndpointsPerSlice":0}}`, `{` + service + `,"options":{"maxEndpointsPerSlice":1001}}`,
		`{` + service + `,"triggerTime":"yesterday"}`, `{` + service + `,"endpoints":[{}]}`, `{` + service + `,"pods":{}}`,
	} {
		if _, err := oracle.Parse([]byte(text)); err == nil {
			t.Errorf("accepted %s", text)
		}
	}
}

// TestInputsStay proves that runs cannot affect one another: the reference
// sorts ports and addresses of its inputs in place.
func TestInputsStay(t *testing.T) {
	for i := range 100 {
		line := generate.Single(11, i).JSON()
		request, err := oracle.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		p := oracle.Prepare(request)
		before := string(generate.Encode(p))
		if _, err := p.Run(oracle.Topology{}, oracle.ByName); err != nil {
			t.Fatal(err)
		}
		if after := string(generate.Encode(p)); after != before {
			t.Fatalf("case %d changed:\n%s\n%s", i, before, after)
		}
	}
}

// TestWorldRemembersHints: the event that hints were enabled occurs once, and
// the event that they were removed needs the memory.
func TestWorldRemembersHints(t *testing.T) {
	auto := strings.Replace(service, `"uid":"u1"`, `"uid":"u1","annotations":{"service.kubernetes.io/topology-mode":"Auto"}`, 1)
	state := `"pods":[` + pod + `,` + strings.NewReplacer("p1", "p2", "n1", "n2", "10.1.0.1", "10.1.0.2").Replace(pod) + `],
		"nodes":[` + ready(node) + `,` + ready(strings.NewReplacer("n1", "n2", `"a"`, `"b"`).Replace(node)) + `]`
	world := oracle.NewWorld()
	wanted := []string{"Topology Aware Hints has been enabled, addressType: IPv4", "", "Topology Aware Hints has been disabled, addressType: IPv4"}
	for i, text := range []string{auto, auto, service} {
		request, err := oracle.Parse([]byte(`{` + text + `,` + state + `}`))
		if err != nil {
			t.Fatal(err)
		}
		o, err := world.Step(request)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, event := range o.Events {
			got += event.Message
		}
		if got != wanted[i] {
			t.Errorf("step %d: event %q, wanted %q", i, got, wanted[i])
		}
		if populated := i < 2; o.Topology.Populated != populated {
			t.Errorf("step %d: populated %v", i, o.Topology.Populated)
		}
	}
}

func ready(node string) string {
	return strings.TrimSuffix(node, "}") + `,"status":{"allocatable":{"cpu":"4"},"conditions":[{"type":"Ready","status":"True"}]}}`
}

// TestTopologyRoundTrip: a state read from a cache can be restored into a new one.
func TestTopologyRoundTrip(t *testing.T) {
	zones := map[string]int{"a": 1, "b": 2}
	for _, populated := range []bool{true, false} {
		before := oracle.Topology{Populated: populated, EndpointsByZone: map[discovery.AddressType]map[string]int{"IPv4": zones, "IPv6": zones}}
		request, err := oracle.Parse([]byte(`{"service":{"metadata":{"name":"web","namespace":"shop"},"spec":{"selector":{},
			"ipFamilies":["IPv7"],"clusterIP":"None"}},"slices":[]}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(generate.Encode(oracle.Revive(oracle.Prepare(request), before))); got != string(generate.Encode(before)) {
			t.Errorf("got %s, wanted %s", got, generate.Encode(before))
		}
	}
}

// TestStatsAreTheGauges: with one address type, the reference's own gauges equal
// what Stats recomputes.
func TestStatsAreTheGauges(t *testing.T) {
	compared := 0
	for i := range 300 {
		request, err := oracle.Parse(generate.Single(13, i).JSON())
		if err != nil {
			t.Fatal(err)
		}
		p := oracle.Prepare(request)
		foreign := slices.ContainsFunc(p.Slices, func(s *discovery.EndpointSlice) bool { return s.AddressType != "IPv4" })
		if p.Skip || foreign || !slices.Equal(request.Service.Spec.IPFamilies, []corev1.IPFamily{corev1.IPv4Protocol}) {
			continue
		}
		o, err := p.Run(oracle.Topology{}, oracle.AsGiven)
		if err != nil {
			t.Fatal(err)
		}
		compared++
		got := []int{o.Stats.Endpoints, o.Stats.Slices, o.Stats.DesiredSlices}
		want := []int{
			gauge(t, metrics.EndpointsDesired.WithLabelValues()),
			gauge(t, metrics.NumEndpointSlices.WithLabelValues()),
			gauge(t, metrics.DesiredEndpointSlices.WithLabelValues()),
		}
		if !slices.Equal(got, want) {
			t.Errorf("case %d: stats %v, gauges %v", i, got, want)
		}
	}
	if compared < 50 {
		t.Errorf("only %d cases compared", compared)
	}
}

func gauge(t *testing.T, g any) int {
	t.Helper()
	var metric dto.Metric
	if err := g.(interface{ Write(*dto.Metric) error }).Write(&metric); err != nil {
		t.Fatal(err)
	}
	return int(metric.GetGauge().GetValue())
}
