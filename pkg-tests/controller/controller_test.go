package controller

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// Seed and Count are those of the file that slicewise is tested with.
const (
	Seed  = 1
	Count = 100
)

const file = "../differential/controller.json"

var update = flag.Bool("update", false, "write the file")

// The file that slicewise is tested with matches the current behaviour of the
// reference's controller. `go test . -update` writes it.
func TestFileIsTheReferences(t *testing.T) {
	// The reference rate-limits errors with a clock that all scripts share.
	utilruntime.ErrorHandlers = nil
	if Version != defaultVersion {
		checkOwnFile(t)
		return
	}
	var scripts []Script
	for number := range Count {
		scripts = append(scripts, Generate(t, Seed, number))
	}
	want, err := Marshal(scripts)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		t.Fatalf("%s is stale: go test . -update\n%s", file, firstDifference(have, want))
	}
	checkReach(t, scripts)
}

// checkOwnFile runs the scripts of the file through another version, whose file
// has what it does otherwise, by number.
func checkOwnFile(t *testing.T) {
	own := filepath.Join(filepath.Dir(file), Version, filepath.Base(file))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var scripts []Script
	if err := json.Unmarshal(text, &scripts); err != nil {
		t.Fatal(err)
	}
	found := map[int]Expected{}
	for number, script := range scripts {
		usual := script.Expected
		script.Run(t)
		if !reflect.DeepEqual(usual, script.Expected) {
			found[number] = script.Expected
		}
	}
	want, err := json.MarshalIndent(found, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		if err := os.WriteFile(own, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		t.Fatalf("%s is stale: go test . -update\n%s", own, firstDifference(have, want))
	}
}

func firstDifference(have, want []byte) string {
	was, is := bytes.Split(have, []byte("\n")), bytes.Split(want, []byte("\n"))
	for number := range min(len(was), len(is)) {
		if !bytes.Equal(was[number], is[number]) {
			return fmt.Sprintf("script %d was\n%s\nand is\n%s", number-1, was[number], is[number])
		}
	}
	return "there are more or fewer of them"
}

// A deviation (docs/deviations.md): the reference no longer syncs the Service,
// because it waits for a slice that it has written to come back as its own,
// although someone has given it to another manager.
func TestSlicesThatLeaveAreWaitedFor(t *testing.T) {
	utilruntime.ErrorHandlers = nil
	metadata := func(labels map[string]any) map[string]any {
		return map[string]any{"namespace": "shop", "name": "s1-bbbbc", "uid": "made-1", "generation": 2, "labels": labels}
	}
	service, manager := "kubernetes.io/service-name", "endpointslice.kubernetes.io/managed-by"
	ours := "endpointslice-controller.k8s.io"
	doomed := metadata(map[string]any{service: "s1", manager: ours})
	doomed["deletionTimestamp"] = "2026-01-02T03:04:05Z"
	doomed["finalizers"] = []any{"example.com/keep"}
	for name, left := range map[string]map[string]any{
		"moved":       metadata(map[string]any{service: "s2", manager: ours}),
		"handed over": metadata(map[string]any{service: "s1", manager: "somebody"}),
		"doomed":      doomed,
	} {
		spec := map[string]any{"selector": map[string]any{"app": "a"}, "ipFamilies": []any{"IPv4"}, "clusterIP": "10.96.0.1"}
		script := Script{Config: Config{BatchPeriod: "0s", WatchLag: "0s", MaxEndpoints: usualMax}, Lines: []Line{
			{At: 1000, Event: &Event{Type: "ADDED", Object: map[string]any{
				"kind": "Service", "apiVersion": "v1", "metadata": map[string]any{"namespace": "shop", "name": "s1", "uid": "uid-s1"}, "spec": spec,
			}}},
			{At: 2000, Event: &Event{Type: "MODIFIED", Object: map[string]any{
				"kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1", "metadata": left, "addressType": "IPv4", "endpoints": []any{},
			}}},
			{At: 100_000_000},
		}}
		script.Run(t)
		var results []string
		for _, sync := range script.Expected.Syncs {
			if strings.Contains(sync, "s1") {
				results = append(results, strings.Fields(sync)[2])
			}
		}
		if last := results[len(results)-1]; last != "dropped" || results[1] != "stale" {
			t.Errorf("%s: %v", name, results)
		}
	}
}

// A deviation (docs/deviations.md): the reference keeps the hints of a deleted
// Service, and syncs it when nodes change; and before it has seen a node, its
// messages refer to a single zone.
func TestHintsOfWhatIsGoneAreKept(t *testing.T) {
	utilruntime.ErrorHandlers = nil
	m := &maker{there: map[string]bool{}, removed: map[string]int{}}
	script := Script{Config: Config{BatchPeriod: "0s", WatchLag: "0s", MaxEndpoints: usualMax}}
	m.happening = func(line Line) {
		line.At = int64(len(script.Lines)+1) * 5000
		script.Lines = append(script.Lines, line)
	}
	service := func() {
		m.set("Service", "s1", map[string]any{
			"metadata": map[string]any{"annotations": map[string]any{"service.kubernetes.io/topology-mode": "Auto"}},
			"spec":     map[string]any{"selector": map[string]any{"app": "a"}, "ipFamilies": []any{"IPv4"}, "clusterIP": "10.96.0.1"},
		})
	}
	node := func(name, zone, ready string) {
		m.set("Node", name, map[string]any{
			"metadata": map[string]any{"labels": map[string]any{"topology.kubernetes.io/zone": zone}},
			"status": map[string]any{
				"allocatable": map[string]any{"cpu": "1"}, "conditions": []any{map[string]any{"type": "Ready", "status": ready}},
			},
		})
	}
	service()
	node("n1", "a", "True")
	node("n2", "b", "True")
	for number := range 4 {
		m.set("Pod", fmt.Sprint("p", number), map[string]any{
			"metadata": map[string]any{"labels": map[string]any{"app": "a"}},
			"spec":     map[string]any{"nodeName": fmt.Sprint("n", 1+number%2)},
			"status": map[string]any{
				"podIPs":     []any{map[string]any{"ip": fmt.Sprint("10.0.0.", number)}},
				"conditions": []any{map[string]any{"type": "Ready", "status": "True"}},
			},
		})
	}
	m.remove("Service", "s1")
	// The stored figures are those of nodes that are no longer ready.
	node("n3", "c", "True")
	gone := script.Lines[len(script.Lines)-1].At
	m.happening(Line{})
	script.Run(t)
	if last := script.Expected.Syncs[len(script.Expected.Syncs)-1]; last != fmt.Sprintf("%d shop/s1 success", gone) {
		t.Errorf("the last sync is %s", last)
	}
	if first := "TopologyAwareHintsDisabled: Nodes only ready in one zone, addressType: IPv4"; !slices.Contains(script.Expected.Messages, first) {
		t.Errorf("%q", script.Expected.Messages)
	}
}

// faulty changes the reference's own answers, so that a fault must be found.
func faulty(t *testing.T, spoil func(*Answer)) Simulator {
	return func(s *Script) (*Answer, error) {
		again := Script{Config: s.Config, Lines: s.Lines}
		again.Run(t)
		answer := &Answer{Syncs: again.Expected.Syncs, Messages: again.Expected.Messages, Slices: again.own}
		spoil(answer)
		return answer, nil
	}
}

func TestFaultsAreFoundAndShrunk(t *testing.T) {
	utilruntime.ErrorHandlers = nil
	script := Generate(t, 3, 1)
	for kind, spoil := range map[string]func(*Answer){
		"": func(*Answer) {},
		"syncs": func(a *Answer) {
			if len(a.Syncs) > 2 {
				a.Syncs = a.Syncs[:2]
			}
		},
		"messages": func(a *Answer) { a.Messages = append(a.Messages, "more") },
		"slices": func(a *Answer) {
			for service := range a.Slices {
				a.Slices[service] = nil
			}
		},
	} {
		other := faulty(t, spoil)
		found, err := script.Judge(t, other)
		if err != nil {
			t.Fatal(err)
		}
		if kind == "" {
			if found != nil {
				t.Errorf("the reference is found guilty: %v", found)
			}
			continue
		}
		if found == nil || found.Kind != kind {
			t.Fatalf("%s: %v", kind, found)
		}
		if small := script.Shrink(t, other, kind); len(small.Lines) > 5 {
			t.Errorf("%s: %d lines are left", kind, len(small.Lines))
		}
	}
}

// checkReach fails if the scripts do not cover what they are for.
func checkReach(t *testing.T, scripts []Script) {
	counts := map[string]int{}
	for _, script := range scripts {
		for _, sync := range script.Expected.Syncs {
			counts[strings.Fields(sync)[2]]++
		}
		for _, message := range script.Expected.Messages {
			counts[strings.Split(message, ":")[0]]++
		}
		if script.Config.MaxEndpoints < usualMax {
			counts["small slices"]++
		}
		before := int64(-1)
		for _, line := range script.Lines {
			counts[whatHappens(line)]++
			if line.At == before {
				counts["at one moment"]++
			}
			before = line.At
		}
		all := strings.Join(script.Expected.Slices, " ")
		for _, mark := range []string{"IPv6", "a>b", "b>a", "n1>n1"} {
			counts[mark] += strings.Count(all, mark)
		}
	}
	counts["another zone"] = counts["a>b"] + counts["b>a"]
	for _, kind := range []string{
		"success", "stale", "error", "dropped", "small slices", "at one moment", "IPv6", "another zone", "n1>n1", "resync", "refuse",
		"FailedToUpdateEndpointSlices", "TopologyAwareHintsEnabled", "TopologyAwareHintsDisabled",
		"ADDED foreign", "MODIFIED foreign", "DELETED foreign", "MODIFIED own", "DELETED own", "DELETED Node", "DELETED Service", "DELETED Pod",
	} {
		if counts[kind] < 3 {
			t.Errorf("%s: %d times only", kind, counts[kind])
		}
	}
}

func whatHappens(line Line) string {
	switch {
	case line.Resync:
		return "resync"
	case line.Refuse != nil:
		return "refuse"
	case line.Event == nil:
		return ""
	}
	kind := line.Event.Object["kind"].(string)
	if kind == "EndpointSlice" {
		kind = "own"
		if line.Event.Object["metadata"].(map[string]any)["name"] == foreign {
			kind = foreign
		}
	}
	return line.Event.Type + " " + kind
}
