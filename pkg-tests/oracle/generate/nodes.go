package generate

import "fmt"

func (g generator) nodes(s *Scene) []Object {
	var nodes []Object
	sound := s.taste.auto && g.chance(80)
	cpu := g.cpu(sound)
	for i, zone := range s.taste.zones {
		for j := range 1 + g.Intn(2) {
			if !sound || g.chance(40) {
				cpu = g.cpu(sound)
			}
			nodes = append(nodes, g.node(fmt.Sprintf("node-%d-%d", i, j), zone, cpu, sound))
		}
	}
	if g.chance(25) {
		nodes = append(nodes, g.controlPlane(s))
	}
	if g.chance(10) {
		nodes = append(nodes, g.lostNode())
	}
	if g.chance(10) && !s.taste.auto {
		nodes = nodes[:g.Intn(len(nodes)+1)]
	}
	return nodes
}

// cpu is an amount in one of its many spellings.
func (g generator) cpu(sound bool) any {
	if sound && g.chance(70) {
		return pick[any](g, "4", "4", "2", "8", "4000m", "2000m")
	}
	return pick[any](g, "4", "4000m", "2.5", "3.333", ".5", "5.", "+4", "1e1", "1E1", "25e-1", "100m", "1k", "1Ki",
		"2500000u", "4000000000n", "0.0001", "1n", "12345678901234567890n", "3.14159265358979", "1M", "1Mi", "0.1Gi",
		"123456789.123456789", 4, 2.5, 16, "64", "0.3333333333333333333", "1e-3", "1500e-3", "04")
}

func (g generator) node(name, zone string, cpu any, sound bool) Object {
	labels := Object{"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": zone}
	node := Object{
		"apiVersion": "v1",
		"kind":       "Node",
		"metadata":   Object{"name": name, "labels": labels},
		"status": Object{
			"allocatable": Object{"cpu": cpu, "memory": "16Gi", "pods": "110"},
			"conditions":  []Object{{"type": "MemoryPressure", "status": "False"}, {"type": "Ready", "status": "True"}},
		},
	}
	if sound && !g.chance(2) {
		return node
	}
	g.spoilNode(node, labels)
	return node
}

func (g generator) spoilNode(node, labels Object) {
	status := child(node, "status")
	switch g.Intn(24) {
	case 0:
		delete(labels, "topology.kubernetes.io/zone")
	case 1:
		labels["topology.kubernetes.io/zone"] = ""
	case 2:
		delete(child(status, "allocatable"), "cpu")
	case 3:
		child(status, "allocatable")["cpu"] = pick(g, "0", "0m", "0.0", "-0")
	case 4:
		status["conditions"] = []Object{{"type": "Ready", "status": pick(g, "False", "Unknown")}}
	case 5:
		delete(status, "conditions")
	case 6:
		status["conditions"] = []Object{{"type": "Ready", "status": "False"}, {"type": "Ready", "status": "True"}}
	case 7:
		delete(node, "status")
	case 8:
		delete(meta(node), "labels")
	case 9:
		labels["node-role.kubernetes.io/"+pick(g, "master", "control-plane")] = pick(g, "", "true")
	}
}

func (g generator) controlPlane(s *Scene) Object {
	node := g.node("control-plane", pick(g, s.taste.zones...), "2", true)
	labels := child(meta(node), "labels")
	labels["node-role.kubernetes.io/"+pick(g, "master", "control-plane")] = ""
	if g.chance(40) {
		delete(labels, "topology.kubernetes.io/zone")
	}
	return node
}

// lostNode has no zone, but is not ready either, so that topology mode Auto
// stays on until one of its pods becomes an endpoint.
func (g generator) lostNode() Object {
	return Object{
		"metadata": Object{"name": "lost"},
		"status":   Object{"conditions": []Object{{"type": "Ready", "status": "Unknown"}}},
	}
}

// nodeName is where a pod runs: mostly a node that exists.
func (g generator) nodeName(s *Scene) string {
	odd := 1
	if s.taste.tidy {
		odd = 0
	}
	if len(s.Nodes) == 0 || g.chance(odd) {
		return "ghost"
	}
	for range 4 { // these rarely have pods
		name, _ := meta(pick(g, s.Nodes...))["name"].(string)
		if name != "control-plane" && (name != "lost" || g.chance(10)) {
			return name
		}
	}
	return "control-plane"
}
