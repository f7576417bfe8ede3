// Package generate makes random requests, the same ones for the same seed and
// index. Most are small, since packing and hints matter at small numbers;
// settings that disable each other are drawn so that every path is covered often.
//
// Reading order: generate.go (the scene), service.go, pods.go, nodes.go,
// slices.go and perturb.go (existing slices), history.go (steps).
package generate

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
)

// Object is a Kubernetes object, or any other, as JSON: cases contain
// spellings that typed objects would lose.
type Object = map[string]any

// Scene is the state a request describes.
type Scene struct {
	Service     Object
	Pods        []Object
	Nodes       []Object
	Slices      []Object
	TriggerTime string
	Options     Object
	State       json.RawMessage

	taste taste
	ips   int
	names int
}

// taste is what a case focuses on.
type taste struct {
	auto     bool // topology mode Auto with nodes and pods that allow it
	traffic  bool // trafficDistribution
	tidy     bool // few odd pods
	zones    []string
	stamped  bool // slices carry a trigger time
	variants int  // how many kinds of pods by their named ports
}

// Request is the scene as a PlanRequest.
func (s *Scene) Request() Object {
	request := Object{"service": s.Service}
	setList(request, "pods", s.Pods)
	setList(request, "nodes", s.Nodes)
	setList(request, "slices", s.Slices)
	if s.TriggerTime != "" {
		request["triggerTime"] = s.TriggerTime
	}
	if len(s.Options) > 0 {
		request["options"] = s.Options
	}
	if len(s.State) > 0 {
		request["state"] = s.State
	}
	return request
}

// JSON is the request as one line.
func (s *Scene) JSON() []byte { return Encode(s.Request()) }

func setList(request Object, name string, list []Object) {
	if list != nil {
		request[name] = list
	}
}

// Single makes the request of the given seed and index.
func Single(seed int64, index int) *Scene {
	g := newGenerator(seed, index)
	scene := g.scene()
	g.settle(scene)
	g.perturb(scene)
	g.nulls(scene)
	g.shuffle(scene)
	return scene
}

type generator struct{ *rand.Rand }

func newGenerator(seed int64, index int) generator {
	mixed := uint64(seed)*0x9E3779B97F4A7C15 + uint64(index)*0xBF58476D1CE4E5B9
	mixed ^= mixed >> 29
	return generator{rand.New(rand.NewSource(int64(mixed)))}
}

func (g generator) scene() *Scene {
	s := &Scene{taste: g.taste()}
	s.Options = g.options(s)
	s.Service = g.service(s)
	s.Nodes = g.nodes(s)
	size := g.size()
	if s.taste.auto && g.chance(60) {
		size += len(s.taste.zones) * (1 + g.Intn(3)) // enough for hints
	}
	for range size {
		s.Pods = append(s.Pods, g.pod(s))
	}
	s.TriggerTime = g.triggerTime()
	return s
}

func (g generator) taste() taste {
	zones := []string{"zone-a", "zone-b", "zone-c", "zone-d", "zone-e", "zone-f"}
	t := taste{
		auto:     g.chance(40),
		tidy:     g.chance(50),
		zones:    zones[:pick(g, 1, 2, 2, 2, 3, 3, 3, 4, 5, 5, 6)],
		variants: pick(g, 1, 1, 1, 2, 3),
		stamped:  g.chance(30),
	}
	t.traffic = !t.auto && g.chance(45)
	return t
}

// size is the number of pods.
func (g generator) size() int {
	switch roll := g.Intn(1000); {
	case roll < 60:
		return 0
	case roll < 500:
		return 1 + g.Intn(8)
	case roll < 950:
		return 5 + g.Intn(26)
	case roll < 992:
		return 30 + g.Intn(60)
	default:
		return 200 + g.Intn(300)
	}
}

func (g generator) options(s *Scene) Object {
	options := Object{}
	if !g.chance(15) {
		options["maxEndpointsPerSlice"] = pick(g, 1, 2, 2, 3, 3, 4, 5, 5, 8, 10, 100, 1000)
	}
	if g.chance(10) || (g.chance(10) && !s.taste.auto) {
		options["topologyHints"] = g.chance(25)
	}
	if g.chance(25) {
		options["preferSameTrafficDistribution"] = g.chance(50)
	}
	if g.chance(10) {
		options["managedBy"] = pick(g, "endpointslice-controller.k8s.io", "other.example.com")
	}
	return options
}

func (g generator) triggerTime() string {
	if g.chance(50) {
		return ""
	}
	return pick(g, "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.5Z", "2026-05-06T07:08:09.123456789Z",
		"2026-05-06T09:08:09.120000000+02:00", "2025-12-31T23:59:59.999-05:30", "0001-01-01T00:00:00Z",
		"2026-01-02T03:04:05.000Z")
}

// shuffle puts the lists into a meaningless order.
func (g generator) shuffle(s *Scene) {
	for _, list := range [][]Object{s.Pods, s.Nodes, s.Slices} {
		g.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
}

// chance is true with this probability in percent.
func (g generator) chance(percent int) bool { return g.Intn(100) < percent }

func pick[T any](g generator, values ...T) T { return values[g.Intn(len(values))] }

// id is a name part that was not used before in the scene.
func (s *Scene) id(prefix string) string {
	s.names++
	return fmt.Sprintf("%s%d", prefix, s.names)
}

// meta finds the metadata of an object.
func meta(o Object) Object { return child(o, "metadata") }

// child finds or makes an object within an object.
func child(o Object, name string) Object {
	inner, ok := o[name].(Object)
	if !ok {
		inner = Object{}
		o[name] = inner
	}
	return inner
}

// clone is a deep copy.
func clone(o Object) Object {
	copied := make(Object, len(o))
	for key, value := range o {
		copied[key] = cloneValue(value)
	}
	return copied
}

func cloneValue(value any) any {
	switch value := value.(type) {
	case Object:
		return clone(value)
	case []Object:
		return cloneAll(value)
	case []any:
		copied := make([]any, len(value))
		for i, item := range value {
			copied[i] = cloneValue(item)
		}
		return copied
	case []string:
		return slices.Clone(value)
	default:
		return value
	}
}
