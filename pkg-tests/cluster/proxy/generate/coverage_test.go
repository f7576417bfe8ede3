package generate_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"slicewise/cluster/proxy/generate"
	"slicewise/cluster/proxy/oracle"
)

// The sequences reach everything the reference can do, not once but often.
func TestReach(t *testing.T) {
	reached := map[string]int{}
	for index := range 2000 {
		s := generate.New(3, index)
		if err := oracle.SetGate(s.Settings.Gate()); err != nil {
			t.Fatal(err)
		}
		o, err := oracle.New(s.Settings)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{"IPv6": s.Settings.AddressType == "IPv6", "gate off": !s.Settings.Gate()}
		for _, line := range s.Lines {
			for what, label := range map[string]string{"slice left out": "service.kubernetes.io/headless", "Service left out": "service-proxy-name"} {
				seen[what] = seen[what] || bytes.Contains(line, []byte(label))
			}
			answer, err := o.Line(line)
			if err != nil {
				t.Fatal(err)
			}
			if answer != nil {
				look(answer, line, seen)
			}
		}
		for what, is := range seen {
			if is {
				reached[what]++
			}
		}
	}
	for _, what := range wanted {
		if reached[what] < 20 {
			t.Errorf("%s: in %d sequences only", what, reached[what])
		}
	}
	t.Log(reached)
	if unknown := slices.DeleteFunc(slices.Sorted(maps.Keys(reached)), func(what string) bool { return slices.Contains(wanted, what) }); len(unknown) > 0 {
		t.Errorf("not in the list: %v", unknown)
	}
}

var wanted = []string{
	"IPv6", "gate off", "nothing updated", "two updated", "trigger times", "two trigger times", "no address", "no port name", "SCTP",
	"unknown protocol", "two hints", "port without endpoints", "none", "PreferSameZone", "PreferSameNode", "zone is an empty text",
	"terminating fallback", "local only", "local dropped", "neither", "reachable joined", "any but none here", "only the map",
	"entries", "stale at a cluster IP", "stale at another IP", "stale at a node port", "not stale", "endpoint deleted",
	"endpoint gained", "slice left out", "Service left out", "health check", "health check without endpoints", "serving, not ready",
}

func look(a *oracle.Answer, line []byte, seen map[string]bool) {
	mark := func(what string, is bool) {
		if is {
			seen[what] = true
		}
	}
	mark("nothing updated", len(a.UpdatedServices) == 0)
	mark("two updated", len(a.UpdatedServices) > 1)
	for _, times := range a.TriggerTimes {
		mark("trigger times", true)
		mark("two trigger times", len(times) > 1)
	}
	for port, endpoints := range a.Endpoints {
		mark("no port name", strings.Count(port, ":") == 0)
		mark("SCTP", strings.HasSuffix(port, "/SCTP"))
		mark("unknown protocol", strings.HasSuffix(port, "/QUIC"))
		for _, e := range endpoints {
			mark("no address", strings.HasPrefix(e.Endpoint, "<nil>"))
			mark("two hints", len(e.ZoneHints) > 1)
			mark("zone is an empty text", slices.Contains(e.ZoneHints, ""))
			mark("serving, not ready", e.Serving && !e.Ready)
		}
	}
	mark("only the map", a.Routes == nil)
	if a.Routes != nil {
		for port, route := range *a.Routes {
			lookAtRoute(route, a.Endpoints[port], mark)
		}
	}
	lookAtStale(a, line, mark)
	for service := range a.HealthCheckNodePorts {
		mark("health check", true)
		mark("health check without endpoints", a.LocalReadyEndpoints[service] == 0)
	}
}

func lookAtRoute(route oracle.Route, endpoints []oracle.Endpoint, mark func(string, bool)) {
	mark("port without endpoints", len(endpoints) == 0)
	mark(map[string]string{"None": "none"}[route.Topology]+strings.TrimPrefix(route.Topology, "None"), true)
	mark("neither", len(endpoints) > 0 && len(route.Cluster) == 0 && len(route.Local) == 0)
	mark("local only", len(route.Cluster) == 0 && len(route.Local) > 0)
	mark("reachable joined", len(route.Reachable) > len(route.Cluster) && len(route.Reachable) > len(route.Local))
	mark("any but none here", route.HasAny && len(route.Reachable) == 0)
	mark("local dropped", route.HasAny && len(route.Local) == 0 && len(route.Reachable) == 0)
	for _, e := range endpoints {
		mark("terminating fallback", !e.Ready && slices.Contains(route.Cluster, e.Endpoint))
	}
}

func lookAtStale(a *oracle.Answer, line []byte, mark func(string, bool)) {
	mark("endpoint deleted", len(a.StaleUDP.DeletedEndpoints) > 0)
	mark("endpoint gained", len(a.StaleUDP.GainedEndpoints) > 0)
	if !bytes.Contains(line, []byte("conntrack")) {
		return
	}
	var asked struct {
		Sync struct{ Conntrack []oracle.Entry }
	}
	if json.Unmarshal(line, &asked) != nil {
		return
	}
	for i, entry := range asked.Sync.Conntrack {
		mark("entries", true)
		stale := slices.Contains(*a.StaleConntrack, i)
		mark("not stale", !stale && entry.Protocol == "UDP")
		own := strings.Contains(entry.Origin.Dst, "96")
		mark("stale at a node port", stale && entry.Origin.DstPort > 30000)
		mark("stale at a cluster IP", stale && own && entry.Origin.DstPort < 30000)
		mark("stale at another IP", stale && !own && entry.Origin.DstPort < 30000)
	}
}
