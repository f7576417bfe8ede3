package controller

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	discovery "k8s.io/api/discovery/v1"
)

// maker generates a script while the reference runs it, so that changes of
// slices apply to slices that exist.
type maker struct {
	random   *rand.Rand
	script   Script
	residues []int
	at       int64
	version  int
	there    map[string]bool
	// removed counts, so that a recreated Service has another uid.
	removed map[string]int
	server  *server
	// services is one or two names. Two are synced in any order when a pod
	// concerns both, so writes are refused for one only.
	services []string
	// families that Services may have. Two of them are written in any order.
	families []string
	// zones are those of nodes; without any there are no zone hints.
	zones []string
	// auto is whether Services may ask for hints by CPU share.
	auto    bool
	resyncs bool
	// happening receives the lines of this moment.
	happening func(Line)
	// last holds the current Services.
	last map[string]map[string]any
}

// Generate makes the script with that number, and records what the reference does.
func Generate(t *testing.T, seed uint64, number int) Script {
	random := rand.New(rand.NewPCG(seed, uint64(number)))
	m := &maker{random: random, there: map[string]bool{}, removed: map[string]int{}, residues: random.Perm(249), last: map[string]map[string]any{}}
	m.choose()
	m.script.play(t, m.resyncs, m.live)
	return m.script
}

func (m *maker) choose() {
	m.services = []string{"s1", "s2"}[:1+m.random.IntN(2)]
	m.families = []string{"IPv4"}
	m.script.Config = Config{
		BatchPeriod:  []string{"0s", "500ms", "2s"}[m.random.IntN(3)],
		WatchLag:     []string{"0s", "0s", "301ms", "2703ms"}[m.random.IntN(4)],
		MaxEndpoints: usualMax,
	}
	if m.random.IntN(4) == 0 {
		m.families = append(m.families, "IPv6")
	}
	if m.random.IntN(2) == 0 {
		m.zones = []string{"a", "b"}
		m.auto = len(m.families) == 1
	}
	if !m.auto && m.random.IntN(4) == 0 {
		m.script.Config.MaxEndpoints = int32(1 + m.random.IntN(3))
	}
	m.resyncs = m.random.IntN(4) == 0
}

// isPlain is whether nothing about slices is random, not even which is written
// first.
func (m *maker) isPlain() bool {
	return len(m.services) == 1 && len(m.families) == 1 && m.script.Config.MaxEndpoints == usualMax
}

func (m *maker) live(w *world) {
	m.server = w.server
	m.round(w, func() { m.node("n1") })
	if m.auto {
		m.round(w, func() {
			m.node("n2")
			for _, name := range []string{"p1", "p2", "p3", "p4", "p5"} {
				m.pod(name)
			}
		})
	}
	m.round(w, func() { m.service("s1") })
	steps := 8 + m.random.IntN(22)
	resync := -1
	if m.resyncs {
		resync = m.random.IntN(steps)
	}
	for step := range steps {
		if step == resync {
			m.at = ResyncAt
			w.wait(m.at)
			m.emit(w, Line{Resync: true})
		}
		m.round(w, func() {
			// Sometimes several things happen at one moment.
			for range 1 + max(0, m.random.IntN(8)-5) {
				m.step()
			}
		})
	}
	// All slices of each Service are written once more, and so are seen.
	m.at += 10_000_000
	m.round(w, func() {
		for _, name := range m.services {
			if object := m.last[name]; object != nil && m.there["Service"+name] {
				metadata := map[string]any{"labels": map[string]any{"seen": "all"}}
				if annotations, ok := object["metadata"].(map[string]any)["annotations"]; ok {
					metadata["annotations"] = annotations
				}
				m.set("Service", name, map[string]any{"metadata": metadata, "spec": object["spec"]})
			}
		}
	})
	m.at += 8_000_000
	w.wait(m.at)
	m.emit(w, Line{})
}

// round lets time pass, and things happen. No two rounds are at the same offset
// within half a second, so that their consequences never coincide.
func (m *maker) round(w *world, happen func()) {
	gap := int64(m.random.IntN(6)) * 500
	if m.random.IntN(6) == 0 {
		gap += int64(m.random.IntN(60)) * 1000
	}
	m.at = m.at/500*500 + 500 + gap + int64(2*m.residues[0])
	m.residues = m.residues[1:]
	w.wait(m.at)
	m.happening = func(line Line) { m.emit(w, line) }
	happen()
}

func (m *maker) emit(w *world, line Line) {
	line.At = m.at
	m.script.Lines = append(m.script.Lines, line)
	w.happen(line)
}

func (m *maker) step() {
	pod := fmt.Sprintf("p%d", 1+m.random.IntN(8))
	switch m.random.IntN(20) {
	case 0, 1:
		m.node([]string{"n1", "n2", "n3", "n4"}[m.random.IntN(2+len(m.zones))])
	case 2:
		if m.random.IntN(3) == 0 && m.mayChangeNodes() {
			m.remove("Node", []string{"n2", "n3", "n4"}[m.random.IntN(3)])
		}
	case 3, 4:
		m.service(m.services[m.random.IntN(len(m.services))])
	case 5:
		if m.random.IntN(2) == 0 {
			m.remove("Service", m.services[m.random.IntN(len(m.services))])
		}
	case 6, 7:
		if !m.auto || m.random.IntN(2) == 0 {
			m.remove("Pod", pod)
		}
	case 8:
		// With two families or several slices, which write is refused is random.
		if m.isPlain() {
			m.refuse()
		}
	case 9, 10:
		m.foreignSlice()
	case 11, 12:
		m.ownSlice()
	default:
		m.pod(pod)
	}
}

func (m *maker) set(kind, name string, object map[string]any) {
	m.version++
	metadata := object["metadata"].(map[string]any)
	metadata["name"] = name
	metadata["uid"] = "uid-" + name
	if kind == "Service" {
		metadata["uid"] = fmt.Sprint("uid-", name, "-", m.removed[name])
	}
	metadata["resourceVersion"] = fmt.Sprint(m.version)
	if kind != "Node" {
		metadata["namespace"] = "shop"
	}
	object["kind"] = kind
	object["apiVersion"] = "v1"
	event := "ADDED"
	if m.there[kind+name] {
		event = "MODIFIED"
	}
	m.there[kind+name] = true
	m.happening(Line{Event: &Event{Type: event, Object: object}})
}

func (m *maker) remove(kind, name string) {
	if !m.there[kind+name] {
		return
	}
	delete(m.there, kind+name)
	m.removed[name]++
	metadata := map[string]any{"name": name}
	if kind != "Node" {
		metadata["namespace"] = "shop"
	}
	m.happening(Line{Event: &Event{Type: "DELETED", Object: map[string]any{"kind": kind, "metadata": metadata}}})
}

func (m *maker) refuse() {
	error := []string{"Conflict", "AlreadyExists", "ServerError", "NamespaceTerminating"}[m.random.IntN(4)]
	times := 1 + m.random.IntN(3)
	if m.random.IntN(5) == 0 {
		times = 20
	}
	m.happening(Line{Refuse: &Refuse{Error: error, Times: times}})
}

// node is mostly in one zone. Its CPU changes only together with its zone: the
// reference ignores nodes of which only the CPU has changed.
func (m *maker) node(name string) {
	if !m.mayChangeNodes() {
		return
	}
	metadata, status := map[string]any{}, map[string]any{}
	if len(m.zones) > 0 {
		zone := m.zones[int(name[1])%2]
		if m.random.IntN(5) == 0 {
			zone = m.zones[m.random.IntN(2)]
		}
		if m.random.IntN(20) != 0 {
			metadata["labels"] = map[string]any{"topology.kubernetes.io/zone": zone}
		}
		cpu := map[string]string{"n1a": "4", "n1b": "4", "n2a": "2", "n2b": "8", "n3a": "8", "n3b": "1500m", "n4a": "1", "n4b": "4"}
		status["allocatable"] = map[string]any{"cpu": cpu[name+zone]}
		if _, ok := metadata["labels"]; !ok {
			status["allocatable"] = map[string]any{"cpu": "2"}
		}
	}
	ready := "True"
	if m.random.IntN(5) == 0 {
		ready = "False"
	}
	status["conditions"] = []any{map[string]any{"type": "Ready", "status": ready}}
	m.set("Node", name, map[string]any{"metadata": metadata, "status": status})
}

// mayChangeNodes is false while a Service with hints is deleted: the reference
// keeps its figures, and may sync it when nodes change.
func (m *maker) mayChangeNodes() bool {
	for name := range m.last {
		if m.auto && !m.there["Service"+name] {
			return false
		}
	}
	return true
}

func (m *maker) service(name string) {
	spec := map[string]any{
		"selector": map[string]any{"app": "a"}, "ipFamilies": m.someFamilies(), "clusterIP": "10.96.0.1",
		"ports": []any{map[string]any{"name": "http", "protocol": "TCP", "port": 80, "targetPort": 80}},
	}
	// The reference assumes that a recreated Service still has hints.
	isAnew := m.auto && m.last[name] != nil && !m.there["Service"+name]
	choice := m.random.IntN(12)
	if isAnew {
		choice = 12
	}
	switch choice {
	case 0:
		delete(spec, "selector")
	case 1:
		spec["type"] = "ExternalName"
	case 2:
		spec["publishNotReadyAddresses"] = true
	case 3:
		spec["selector"] = map[string]any{"app": "b"}
	}
	metadata := map[string]any{}
	if m.random.IntN(3) == 0 {
		metadata["labels"] = map[string]any{"team": fmt.Sprint(m.random.IntN(3))}
	}
	if isAnew || m.auto && m.random.IntN(3) != 0 {
		metadata["annotations"] = map[string]any{"service.kubernetes.io/topology-mode": "Auto"}
	}
	if m.random.IntN(3) == 0 {
		spec["trafficDistribution"] = []string{"PreferClose", "PreferSameZone", "PreferSameNode"}[m.random.IntN(3)]
	}
	object := map[string]any{"metadata": metadata, "spec": spec}
	m.last[name] = object
	m.set("Service", name, object)
}

func (m *maker) someFamilies() []any {
	if len(m.families) == 1 {
		return []any{"IPv4"}
	}
	return [][]any{{"IPv4", "IPv6"}, {"IPv4", "IPv6"}, {"IPv6", "IPv4"}, {"IPv6"}, {"IPv4"}}[m.random.IntN(5)]
}

func (m *maker) pod(name string) {
	ready := "True"
	if m.random.IntN(3+3*len(m.zones)) == 0 {
		ready = "False"
	}
	// Rarely on a missing node, because such a Service is retried over and over.
	nodes := []string{"n1", "n1", "n1", "n1", "n2"}
	for _, node := range []string{"n2", "n3", "n4"} {
		if m.there["Node"+node] {
			nodes = append(nodes, node, node, node)
		}
	}
	app := []string{"a", "a", "a", "b"}[m.random.IntN(4)]
	number := name[1:]
	addresses := []any{map[string]any{"ip": "10.0.0." + number}}
	if len(m.families) == 2 && m.random.IntN(6) != 0 {
		addresses = append(addresses, map[string]any{"ip": "fd00::" + number})
	}
	status := map[string]any{
		"podIPs": addresses, "podIP": "10.0.0." + number,
		"conditions": []any{map[string]any{"type": "Ready", "status": ready}},
	}
	if m.random.IntN(12) == 0 {
		status["phase"] = "Failed"
	}
	m.set("Pod", name, map[string]any{
		"metadata": map[string]any{"labels": map[string]any{"app": app}},
		"spec":     map[string]any{"nodeName": nodes[m.random.IntN(len(nodes))]},
		"status":   status,
	})
}

const foreign = "foreign"

// foreignSlice belongs to someone else, who may add our label, move it to
// another Service or manager, change or delete it.
func (m *maker) foreignSlice() {
	if !m.server.isQuiet() {
		return
	}
	slice := m.server.find(foreign)
	manager := "endpointslice-controller.k8s.io"
	if m.random.IntN(4) == 0 {
		manager = "somebody"
	}
	service := []string{"s1", "s1", "s2"}[m.random.IntN(3)]
	if slice == nil {
		m.writeSlice("ADDED", map[string]any{
			"metadata":    map[string]any{"name": foreign, "uid": "uid-foreign", "generation": 1, "labels": sliceLabels(service, manager)},
			"addressType": "IPv4",
			"endpoints":   []any{map[string]any{"addresses": []any{"10.0.0.9"}}},
		})
		return
	}
	object := contentOf(slice)
	switch m.random.IntN(4) {
	case 0:
		m.remove("EndpointSlice", foreign)
	case 1:
		object["endpoints"] = []any{map[string]any{"addresses": []any{fmt.Sprintf("10.0.1.%d", m.random.IntN(3))}}}
		m.writeSlice("MODIFIED", object)
	default:
		// The reference would wait forever for a slice of its own.
		if len(slice.OwnerReferences) == 0 {
			object["metadata"].(map[string]any)["labels"] = sliceLabels(service, manager)
			m.writeSlice("MODIFIED", object)
		}
	}
}

func sliceLabels(service, manager string) map[string]any {
	return map[string]any{"kubernetes.io/service-name": service, "endpointslice.kubernetes.io/managed-by": manager}
}

// ownSlice is one that the controller has made, and that someone edits or
// deletes. Its name is known only if nothing is random.
func (m *maker) ownSlice() {
	if !m.isPlain() || !m.server.isQuiet() {
		return
	}
	names := m.server.names()
	names = slices.DeleteFunc(names, func(name string) bool { return name == foreign })
	if len(names) == 0 {
		return
	}
	name := names[m.random.IntN(len(names))]
	slice := m.server.find(name)
	object := contentOf(slice)
	endpoints, _ := object["endpoints"].([]any)
	for _, each := range endpoints {
		if m.auto {
			// Which endpoint serves another zone is random.
			delete(each.(map[string]any), "hints")
		}
	}
	labels := object["metadata"].(map[string]any)["labels"].(map[string]any)
	switch m.random.IntN(7) {
	case 0, 1:
		m.there["EndpointSlice"+name] = true
		m.remove("EndpointSlice", name)
		return
	case 2:
		object["endpoints"] = []any{}
	case 3:
		object["endpoints"] = append(endpoints, map[string]any{"addresses": []any{"10.0.9.9"}})
	case 4:
		object["ports"] = []any{map[string]any{"name": "other", "port": 1, "protocol": "UDP"}}
	case 5:
		labels["somebody"] = "was-here"
	default:
		for _, each := range endpoints {
			each.(map[string]any)["conditions"] = map[string]any{"ready": false}
			delete(each.(map[string]any), "hints")
		}
	}
	m.writeSlice("MODIFIED", object)
}

func (m *maker) writeSlice(event string, object map[string]any) {
	object["kind"] = "EndpointSlice"
	object["apiVersion"] = "discovery.k8s.io/v1"
	metadata := object["metadata"].(map[string]any)
	metadata["namespace"] = "shop"
	m.there["EndpointSlice"+metadata["name"].(string)] = true
	m.happening(Line{Event: &Event{Type: event, Object: object}})
}

// contentOf is a slice without the fields that the server sets, in a
// deterministic order.
func contentOf(slice *discovery.EndpointSlice) map[string]any {
	slices.SortFunc(slice.Endpoints, func(a, b discovery.Endpoint) int { return strings.Compare(a.Addresses[0], b.Addresses[0]) })
	text, err := json.Marshal(slice)
	if err != nil {
		panic(err)
	}
	object := map[string]any{}
	if err := json.Unmarshal(text, &object); err != nil {
		panic(err)
	}
	metadata := object["metadata"].(map[string]any)
	for _, field := range []string{"uid", "generation", "resourceVersion", "creationTimestamp"} {
		delete(metadata, field)
	}
	if metadata["labels"] == nil {
		metadata["labels"] = map[string]any{}
	}
	return object
}

func (s *server) names() []string {
	s.lock.Lock()
	defer s.lock.Unlock()
	names := []string{}
	for name := range s.slices {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func (s *server) find(name string) *discovery.EndpointSlice {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.slices[name].DeepCopy()
}
