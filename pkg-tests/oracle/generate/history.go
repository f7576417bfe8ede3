package generate

import "slices"

// History is a Service that changes over several syncs. Each plan is applied
// before the next change, so that later steps start from what was planned.
type History struct {
	Scene *Scene
	g     generator
	left  int
}

// NewHistory starts the history of the given seed and index.
func NewHistory(seed int64, index int) *History {
	h := &History{g: newGenerator(seed^0x5EED, index)}
	h.Scene = h.g.scene()
	if h.g.chance(50) {
		h.g.settle(h.Scene)
	}
	h.left = 2 + h.g.Intn(6)
	return h
}

// Advance applies the plan for the current step and makes the next one. It is
// false at the end of the history.
func (h *History) Advance(answer []byte) (bool, error) {
	if h.left == 0 {
		return false, nil
	}
	h.left--
	if err := h.Scene.Apply(answer); err != nil {
		return false, err
	}
	for range h.g.Intn(3) {
		h.g.change(h.Scene)
	}
	if h.g.chance(20) {
		h.g.perturb(h.Scene)
	}
	h.Scene.TriggerTime = h.g.triggerTime()
	h.g.shuffle(h.Scene)
	return true, nil
}

// change is something that happens in a cluster.
func (g generator) change(s *Scene) {
	changes := []func(*Scene){
		g.scale, g.scale, g.scale, g.rollout, g.rollout, g.flip, g.flip, g.drain,
		g.nodeChange, g.nodeChange, g.annotate, g.annotate, g.distribute, g.relabel, g.relimit, g.reshape,
	}
	pick(g, changes...)(s)
}

func (g generator) scale(s *Scene) {
	if g.chance(50) {
		for range 1 + g.Intn(6) {
			s.Pods = append(s.Pods, g.pod(s))
		}
		return
	}
	s.Pods = g.without(s.Pods, 1+g.Intn(60))
}

func (g generator) rollout(s *Scene) {
	before := len(s.Pods)
	s.Pods = g.without(s.Pods, 10+g.Intn(50))
	for range before - len(s.Pods) {
		s.Pods = append(s.Pods, g.pod(s))
	}
}

func (g generator) flip(s *Scene) {
	for i, pod := range s.Pods {
		if !g.chance(20) {
			continue
		}
		pod = clone(pod)
		switch g.Intn(4) {
		case 0:
			g.unready(pod)
		case 1:
			meta(pod)["deletionTimestamp"] = "2026-02-04T00:00:00Z"
		default:
			child(pod, "status")["conditions"] = []Object{{"type": "Ready", "status": "True"}}
		}
		s.Pods[i] = pod
	}
}

// drain removes a node, with or without its pods.
func (g generator) drain(s *Scene) {
	if len(s.Nodes) == 0 {
		return
	}
	lost := pick(g, s.Nodes...)
	name := meta(lost)["name"]
	s.Nodes = slices.DeleteFunc(slices.Clone(s.Nodes), func(n Object) bool { return meta(n)["name"] == name })
	if g.chance(60) {
		s.Pods = slices.DeleteFunc(slices.Clone(s.Pods), func(p Object) bool { return child(p, "spec")["nodeName"] == name })
	}
}

func (g generator) nodeChange(s *Scene) {
	if g.chance(40) {
		s.Nodes = g.nodes(s)
		return
	}
	for i, node := range s.Nodes {
		if g.chance(25) {
			node = clone(node)
			g.spoilNode(node, child(meta(node), "labels"))
			s.Nodes[i] = node
		}
	}
}

func (g generator) annotate(s *Scene) {
	s.taste.auto = g.chance(60)
	delete(meta(s.Service), "annotations")
	if annotations := g.serviceAnnotations(s); len(annotations) > 0 {
		meta(s.Service)["annotations"] = annotations
	}
}

func (g generator) distribute(s *Scene) {
	spec := child(s.Service, "spec")
	delete(spec, "trafficDistribution")
	if g.chance(75) {
		spec["trafficDistribution"] = g.trafficDistribution()
	}
}

func (g generator) relabel(s *Scene) {
	meta(s.Service)["labels"] = g.serviceLabels()
}

func (g generator) relimit(s *Scene) {
	s.Options["maxEndpointsPerSlice"] = pick(g, 1, 2, 3, 4, 5, 8, 100)
}

// reshape changes ports, families, or what is published.
func (g generator) reshape(s *Scene) {
	spec := child(s.Service, "spec")
	switch g.Intn(4) {
	case 0:
		spec["ports"] = g.servicePorts(s)
	case 1:
		delete(spec, "ipFamilies")
		g.families(spec)
	case 2:
		spec["publishNotReadyAddresses"] = g.chance(50)
	case 3:
		meta(s.Service)["uid"] = s.id("uid-of-service-")
	}
}

func (g generator) without(list []Object, percent int) []Object {
	return slices.DeleteFunc(slices.Clone(list), func(Object) bool { return g.chance(percent) })
}
