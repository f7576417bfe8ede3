package controller

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
)

// Script is what happens to a cluster, in the lines of `slicewise simulate`,
// and what the reference's controller did about it.
type Script struct {
	Config   Config   `json:"config"`
	Lines    []Line   `json:"lines"`
	Expected Expected `json:"expected"`
}

// Config is the first line. Times in milliseconds are written as durations.
type Config struct {
	BatchPeriod string `json:"endpointUpdatesBatchPeriod"`
	WatchLag    string `json:"watchLag"`
}

// Line is one thing that happens.
type Line struct {
	At     int64   `json:"at"`
	Event  *Event  `json:"event,omitempty"`
	Refuse *Refuse `json:"refuse,omitempty"`
}

// Event is a change of an object; what it is, is told by its kind.
type Event struct {
	Type   string         `json:"type"`
	Object map[string]any `json:"object"`
}

// Refuse makes the API server refuse so many writes.
type Refuse struct {
	Error string `json:"error"`
	Times int    `json:"times"`
}

// Expected is what the reference did.
type Expected struct {
	// Syncs are `time service result`, by time, then service.
	Syncs []string `json:"syncs"`
	// Messages are those of the events it published, each once, sorted.
	Messages []string `json:"messages"`
	// Slices are `service generation address…`, sorted.
	Slices []string `json:"slices"`
}

// Seed and Count are those of the file that slicewise is tested with.
const (
	Seed  = 1
	Count = 60
)

type maker struct {
	random   *rand.Rand
	script   Script
	residues []int
	at       int64
	version  int
	there    map[string]bool
	// services is one name, or two. The two are synced in any order when one
	// pod concerns them both, so that writes are refused for one only.
	services []string
}

func generate(random *rand.Rand) Script {
	m := maker{random: random, there: map[string]bool{}, residues: random.Perm(250)}
	m.services = []string{"s1", "s2"}[:1+random.IntN(2)]
	m.script.Config = Config{
		BatchPeriod: []string{"0s", "500ms", "2s"}[random.IntN(3)],
		WatchLag:    []string{"0s", "0s", "301ms", "2703ms"}[random.IntN(4)],
	}
	m.pass()
	m.node("n1")
	m.pass()
	m.service("s1")
	for range 6 + random.IntN(16) {
		m.pass()
		m.step()
	}
	m.at += 40_000_000
	m.script.Lines = append(m.script.Lines, Line{At: m.at})
	return m.script
}

// pass lets time pass. No two lines are at the same point of half a second:
// so what follows from one never falls together with what follows from another.
func (m *maker) pass() {
	gap := int64(m.random.IntN(6)) * 500
	if m.random.IntN(6) == 0 {
		gap += int64(m.random.IntN(60)) * 1000
	}
	m.at = m.at/500*500 + 500 + gap + int64(2*m.residues[0])
	m.residues = m.residues[1:]
}

func (m *maker) step() {
	pod := fmt.Sprintf("p%d", 1+m.random.IntN(4))
	switch m.random.IntN(16) {
	case 0:
		m.node([]string{"n1", "n2"}[m.random.IntN(2)])
	case 1, 2:
		m.service(m.services[m.random.IntN(len(m.services))])
	case 3:
		m.remove("Service", m.services[m.random.IntN(len(m.services))])
	case 4, 5:
		m.remove("Pod", pod)
	case 6:
		if len(m.services) == 1 {
			m.refuse()
		}
	case 7:
		m.foreignSlice()
	case 8:
		m.remove("EndpointSlice", "foreign")
	default:
		m.pod(pod)
	}
}

func (m *maker) set(kind, name string, object map[string]any) {
	m.version++
	metadata := object["metadata"].(map[string]any)
	metadata["name"] = name
	metadata["uid"] = "uid-" + name
	metadata["resourceVersion"] = fmt.Sprint(m.version)
	if kind != "Node" {
		metadata["namespace"] = "shop"
	}
	object["kind"] = kind
	object["apiVersion"] = "v1"
	if kind == "EndpointSlice" {
		object["apiVersion"] = "discovery.k8s.io/v1"
		// The server counts the versions of slices itself.
		delete(metadata, "resourceVersion")
	}
	event := "ADDED"
	if m.there[kind+name] {
		event = "MODIFIED"
	}
	m.there[kind+name] = true
	m.emit(event, object)
}

func (m *maker) remove(kind, name string) {
	if !m.there[kind+name] {
		return
	}
	delete(m.there, kind+name)
	metadata := map[string]any{"name": name, "namespace": "shop"}
	m.emit("DELETED", map[string]any{"kind": kind, "metadata": metadata})
}

func (m *maker) emit(event string, object map[string]any) {
	m.script.Lines = append(m.script.Lines, Line{At: m.at, Event: &Event{Type: event, Object: object}})
}

func (m *maker) refuse() {
	error := []string{"Conflict", "AlreadyExists", "ServerError", "NamespaceTerminating"}[m.random.IntN(4)]
	times := 1 + m.random.IntN(3)
	if m.random.IntN(5) == 0 {
		times = 20
	}
	m.script.Lines = append(m.script.Lines, Line{At: m.at, Refuse: &Refuse{Error: error, Times: times}})
}

func (m *maker) node(name string) {
	m.set("Node", name, map[string]any{"metadata": map[string]any{}})
}

func (m *maker) service(name string) {
	spec := map[string]any{
		"selector": map[string]any{"app": "a"}, "ipFamilies": []any{"IPv4"}, "clusterIP": "10.96.0.1",
		"ports": []any{map[string]any{"name": "http", "protocol": "TCP", "port": 80, "targetPort": 80}},
	}
	switch m.random.IntN(10) {
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
	m.set("Service", name, map[string]any{"metadata": metadata, "spec": spec})
}

func (m *maker) pod(name string) {
	ready := "True"
	if m.random.IntN(3) == 0 {
		ready = "False"
	}
	// Few are on a node that is not there, for such a Service is tried again and again.
	node := []string{"n1", "n1", "n1", "n1", "n2"}[m.random.IntN(5)]
	app := []string{"a", "a", "a", "b"}[m.random.IntN(4)]
	m.set("Pod", name, map[string]any{
		"metadata": map[string]any{"labels": map[string]any{"app": app}},
		"spec":     map[string]any{"nodeName": node},
		"status": map[string]any{
			"podIPs":     []any{map[string]any{"ip": "10.0.0." + name[1:]}},
			"podIP":      "10.0.0." + name[1:],
			"conditions": []any{map[string]any{"type": "Ready", "status": ready}},
		},
	})
}

// foreignSlice is somebody else's, who gives it our label or not.
func (m *maker) foreignSlice() {
	manager := "endpointslice-controller.k8s.io"
	if m.there["EndpointSliceforeign"] {
		return
	}
	if m.random.IntN(4) == 0 {
		manager = "somebody"
	}
	labels := map[string]any{"kubernetes.io/service-name": "s1", "endpointslice.kubernetes.io/managed-by": manager}
	m.set("EndpointSlice", "foreign", map[string]any{
		"metadata": map[string]any{"labels": labels, "generation": 1}, "addressType": "IPv4",
		"endpoints": []any{map[string]any{"addresses": []any{"10.0.0.9"}}},
	})
}

// Marshal writes scripts, one on each line.
func Marshal(scripts []Script) ([]byte, error) {
	text := []byte("[\n")
	for number, script := range scripts {
		line, err := json.Marshal(script)
		if err != nil {
			return nil, err
		}
		text = append(text, line...)
		if number < len(scripts)-1 {
			text = append(text, ',')
		}
		text = append(text, '\n')
	}
	return append(text, "]\n"...), nil
}
