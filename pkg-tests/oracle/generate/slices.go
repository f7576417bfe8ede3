package generate

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"slicewise/oracle"
)

// settle gives the scene the slices that an earlier sync may have left: the
// reference determines the endpoints of an earlier state, and the generator packs
// them, since the reference's own packing is random.
func (g generator) settle(s *Scene) {
	if g.chance(15) {
		return
	}
	earlier := g.earlier(s)
	for _, whole := range settled(earlier) {
		s.Slices = append(s.Slices, g.chunks(s, whole)...)
	}
	if s.taste.auto {
		g.autoHints(s)
	}
}

// earlier is the scene before some changes that the plan must react to.
func (g generator) earlier(s *Scene) *Scene {
	past := &Scene{Service: clone(s.Service), Options: clone(s.Options), Nodes: cloneAll(s.Nodes), taste: s.taste}
	change := pick(g, 0, 0, 5, 10, 25, 50, 100) // percent of pods
	for _, pod := range s.Pods {
		if g.chance(change) && g.chance(60) {
			continue // started since
		}
		pod = clone(pod)
		if g.chance(change) {
			g.alterPod(s, pod)
		}
		past.Pods = append(past.Pods, pod)
	}
	for range len(s.Pods) * change / 200 {
		past.Pods = append(past.Pods, g.pod(s)) // gone since
	}
	delete(meta(past.Service), "annotations")
	past.Options["topologyHints"] = false
	past.Options["maxEndpointsPerSlice"] = 1000
	g.alterService(s, past)
	return past
}

func (g generator) alterPod(s *Scene, pod Object) {
	switch g.Intn(4) {
	case 0:
		g.unready(pod)
	case 1:
		child(pod, "spec")["nodeName"] = g.nodeName(s)
	case 2:
		meta(pod)["uid"] = "uid-of-another"
	case 3:
		g.address(s, pod)
	}
}

func (g generator) alterService(s, past *Scene) {
	if g.chance(15) {
		meta(past.Service)["labels"] = g.serviceLabels()
	}
	spec := child(past.Service, "spec")
	if g.chance(8) {
		spec["ports"] = g.servicePorts(s)
	}
	if g.chance(8) {
		g.families(spec)
	}
	if g.chance(8) {
		spec["trafficDistribution"] = g.trafficDistribution()
	}
	if g.chance(4) {
		spec["publishNotReadyAddresses"] = g.chance(50)
	}
	delete(meta(past.Service), "deletionTimestamp")
}

// settled asks the reference for all endpoints of a scene without slices, in
// an order that does not depend on its maps.
func settled(s *Scene) []Object {
	request, err := oracle.Decode((&Scene{Service: s.Service, Options: s.Options}).JSON())
	if err != nil {
		panic(fmt.Sprintf("generated request: %v", err))
	}
	request.Pods, request.Nodes = typed[corev1.Pod](s.Pods), typed[corev1.Node](s.Nodes)
	outcome, err := oracle.Run(request)
	if err != nil {
		panic(fmt.Sprintf("generated request: %v", err))
	}
	var whole []Object
	for _, slice := range outcome.Create {
		var object Object
		if err := json.Unmarshal(Encode(slice), &object); err != nil {
			panic(err)
		}
		object["endpoints"] = inOrder(listOf(object, "endpoints"))
		object["ports"] = inOrder(listOf(object, "ports"))
		whole = append(whole, object)
	}
	return inOrder(whole)
}

// typed reads objects as their JSON would be, without writing it.
func typed[T any](list []Object) []*T {
	all := make([]*T, len(list))
	for i, object := range list {
		all[i] = new(T)
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, all[i]); err != nil {
			panic(fmt.Sprintf("generated request: %v", err))
		}
	}
	return all
}

// chunks splits one big slice into several existing ones.
func (g generator) chunks(s *Scene, whole Object) []Object {
	endpoints := listOf(whole, "endpoints")
	whole["endpoints"] = nil
	limit := 100
	if chosen, ok := s.Options["maxEndpointsPerSlice"].(int); ok {
		limit = chosen
	}
	style := g.Intn(5)
	var chunks []Object
	for first := true; first || len(endpoints) > 0; first = false {
		size := limit
		switch {
		case style == 1:
			size = 1 + g.Intn(limit)
		case style == 2:
			size = 1 + g.Intn(min(limit, 5))
		case style == 3:
			size = (limit + 1) / 2
		case style == 4 && g.chance(50):
			size = limit + 1 + g.Intn(3)
		}
		size = min(size, len(endpoints))
		chunk := clone(whole)
		chunk["endpoints"] = cloneAll(endpoints[:size])
		endpoints = endpoints[size:]
		g.name(s, chunk)
		chunks = append(chunks, chunk)
	}
	return chunks
}

// name sets what the API server would.
func (g generator) name(s *Scene, slice Object) {
	m := meta(slice)
	suffix := make([]byte, 5)
	for i := range suffix {
		suffix[i] = "bcdfghjklmnpqrstvwxz2456789"[g.Intn(27)]
	}
	base, _ := meta(s.Service)["name"].(string)
	m["name"] = s.id(fmt.Sprintf("%.40s-%s", base, suffix))
	m["uid"] = fmt.Sprintf("uid-of-slice-%d", s.names)
	m["resourceVersion"] = fmt.Sprint(1000 + s.names)
	m["generation"] = 1 + g.Intn(4)
	m["creationTimestamp"] = "2026-01-01T00:00:01Z"
	slice["apiVersion"], slice["kind"] = "discovery.k8s.io/v1", "EndpointSlice"
	if g.chance(10) {
		delete(slice, "apiVersion")
		delete(slice, "kind")
	}
	if s.taste.stamped != g.chance(3) {
		child(m, "annotations")["endpoints.kubernetes.io/last-change-trigger-time"] = "2026-01-01T00:00:00Z"
	}
}

// autoHints gives endpoints zone hints as topology mode Auto leaves them.
func (g generator) autoHints(s *Scene) {
	own := pick(g, 0, 70, 90, 100, 100, 100)
	for _, slice := range s.Slices {
		for _, endpoint := range listOf(slice, "endpoints") {
			zone, _ := endpoint["zone"].(string)
			if ready, _ := child(endpoint, "conditions")["ready"].(bool); !ready || zone == "" || own == 0 {
				continue
			}
			if !g.chance(own) {
				zone = pick(g, s.taste.zones...)
			}
			endpoint["hints"] = zoneHint(zone)
		}
	}
}

func zoneHint(zones ...string) Object {
	var list []Object
	for _, zone := range zones {
		list = append(list, Object{"name": zone})
	}
	return Object{"forZones": list}
}

// listOf reads a list of objects, in whichever form the case has it.
func listOf(o Object, field string) []Object {
	switch list := o[field].(type) {
	case []Object:
		return list
	case []any:
		objects := make([]Object, 0, len(list))
		for _, item := range list {
			if object, ok := item.(Object); ok {
				objects = append(objects, object)
			}
		}
		o[field] = objects
		return objects
	}
	return nil
}

func cloneAll(list []Object) []Object {
	if list == nil {
		return nil
	}
	copies := make([]Object, len(list))
	for i, object := range list {
		copies[i] = clone(object)
	}
	return copies
}

func inOrder(list []Object) []Object {
	oracle.SortBy(list, func(object Object) string { return string(Encode(object)) })
	return list
}
