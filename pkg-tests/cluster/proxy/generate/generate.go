// Package generate draws random sequences of the consumer stream.
package generate

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"slicewise/cluster/proxy/oracle"
)

// Sequence is the lifetime of one proxy.
type Sequence struct {
	Settings oracle.Settings   `json:"settings"`
	Lines    []json.RawMessage `json:"lines"`
}

// Gate is the feature gate that a sequence requires.
func Gate(seed uint64, index int) bool { return settings(source(seed, index)).Gate() }

func source(seed uint64, index int) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(index))) }

// New returns the same sequence for the same numbers.
func New(seed uint64, index int) *Sequence {
	random := source(seed, index)
	m := &maker{
		random:   random,
		settings: settings(random),
		services: map[string]object{},
		slices:   map[string]object{},
	}
	m.mood = mood(random)
	steps := 4 + random.IntN(20)
	switch random.IntN(60) {
	case 0, 1, 2:
		steps = 100
	case 3:
		m.mood.large()
	}
	m.begin()
	for range steps {
		m.step()
		if m.chance(3) {
			m.sync()
		}
	}
	m.sync()
	return &Sequence{Settings: m.settings, Lines: m.lines}
}

func settings(random *rand.Rand) oracle.Settings {
	s := oracle.Settings{Node: nodes[0], AddressType: "IPv4"}
	if random.IntN(4) > 0 {
		s.NodeLabels = map[string]string{zoneLabel: zones[random.IntN(len(zones))]}
	}
	if random.IntN(3) == 0 {
		s.AddressType = "IPv6"
	}
	if random.IntN(3) == 0 {
		s.Started = "2026-01-02T03:04:05.5Z"
	}
	if random.IntN(4) == 0 {
		off := false
		s.SameTraffic = &off
	}
	return s.Adapt()
}

// object is a Kubernetes object as plain JSON.
type object = map[string]any

type maker struct {
	random   *rand.Rand
	settings oracle.Settings
	lines    []json.RawMessage
	mood     moods
	// services and slices are those the stream has reported, by namespace/name.
	services, slices map[string]object
	version          int
}

// moods apply to a whole sequence, so that sometimes all endpoints of a Service
// have hints, which would hardly happen by chance.
type moods struct {
	zoneHints, nodeHints int // in ten endpoints
	unready, terminating int // in ten endpoints
	udp                  bool
	plain                bool // one port for all
	odd                  bool // odd ports, addresses and labels
	reached              int  // from outside, of ten Services
	services             int
	slices               int
	addresses            int // that pods have
	endpoints            int // of a new slice, less one
}

func mood(random *rand.Rand) moods {
	often := func(of ...int) int { return of[random.IntN(len(of))] }
	return moods{
		zoneHints:   often(0, 5, 10, 10),
		nodeHints:   often(0, 0, 5, 10),
		unready:     often(0, 2, 5, 10),
		terminating: often(0, 1, 5, 10),
		udp:         random.IntN(2) == 0,
		plain:       random.IntN(3) == 0,
		odd:         random.IntN(3) == 0,
		reached:     often(1, 3, 8),
		services:    often(1, 1, 2, 3),
		slices:      often(1, 2, 3, 4, 12),
		addresses:   12,
		endpoints:   5,
	}
}

// large makes a Service larger than those that are built in steps.
func (m *moods) large() {
	m.slices, m.addresses, m.endpoints, m.plain, m.services = 10, 250, 60, true, 1
}

// chance is true once in this many times.
func (m *maker) chance(of int) bool { return m.random.IntN(of) == 0 }

// ten is true this many times in ten.
func (m *maker) ten(times int) bool { return m.random.IntN(10) < times }

func pick[T any](m *maker, of ...T) T { return of[m.random.IntN(len(of))] }

func (m *maker) begin() {
	for range m.mood.services {
		if !m.chance(5) {
			m.setService()
		}
	}
	for range m.mood.slices {
		m.setSlice()
	}
	if !m.chance(4) {
		m.sync()
	}
}

func (m *maker) step() {
	switch m.random.IntN(26) {
	case 0, 1, 2:
		m.setService()
	case 3:
		m.removeService()
	case 4:
		m.node()
	case 5, 6, 7:
		m.removeSlice()
	case 8:
		m.resend()
	case 9, 10:
		m.relabel()
	case 11, 12:
		m.mark()
	default:
		m.setSlice()
	}
}

func (m *maker) line(value any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // plain values
	}
	m.lines = append(m.lines, text)
}

func (m *maker) emit(event string, of object) {
	m.line(object{"type": event, "object": of})
}

// set reports an object. Which of the two event types is used makes no difference here.
func (m *maker) set(of object, known bool) {
	event := "ADDED"
	if known != m.chance(20) {
		event = "MODIFIED"
	}
	m.emit(event, of)
}

func (m *maker) sync() {
	switch m.random.IntN(6) {
	case 0:
		m.line(object{"sync": "endpoints"})
	case 1, 2:
		m.line(object{"sync": object{"conntrack": m.entries()}})
	default:
		m.line(object{"sync": true})
	}
}

const zoneLabel = "topology.kubernetes.io/zone"

var (
	zones = []string{"a", "b", "c"}
	nodes = []string{"node-1", "node-2", "node-3"}
)

func (m *maker) node() {
	name := nodes[0]
	if m.chance(4) {
		name = nodes[1]
	}
	labels := object{"kubernetes.io/hostname": name}
	if !m.chance(4) {
		labels[zoneLabel] = pick(m, zones...)
		if m.mood.odd && m.chance(6) {
			labels[zoneLabel] = ""
		}
	}
	node := object{"apiVersion": "v1", "kind": "Node", "metadata": object{"name": name, "labels": labels}}
	m.emit(pick(m, "ADDED", "MODIFIED", "MODIFIED", "DELETED"), node)
}

// name is a namespace and a name.
func (m *maker) serviceName() (string, string) {
	namespace := "shop"
	if m.mood.services > 1 && m.chance(6) {
		namespace = "bank"
	}
	return namespace, fmt.Sprintf("s%d", 1+m.random.IntN(m.mood.services))
}

// anyOf is one that the stream has reported; nil if there is none.
func (m *maker) anyOf(all map[string]object) object {
	if len(all) == 0 {
		return nil
	}
	return all[pick(m, keys(all)...)]
}
