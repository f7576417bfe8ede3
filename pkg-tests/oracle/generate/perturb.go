package generate

import "fmt"

// perturb makes the settled slices irregular, like edits by others, failures and
// older controllers.
func (g generator) perturb(s *Scene) {
	if g.chance(30) {
		return
	}
	for range 1 + g.Intn(4) {
		if len(s.Slices) == 0 {
			s.Slices = append(s.Slices, g.strayPlaceholder(s))
			continue
		}
		slice := pick(g, s.Slices...)
		switch g.Intn(5) {
		case 0:
			g.spoilOwnership(slice)
		case 1:
			g.spoilMetadata(slice)
		case 2:
			g.spoilShape(s, slice)
		case 3:
			g.spoilEndpoints(s, slice)
		case 4:
			g.spoilHints(s, slice)
		}
	}
}

func (g generator) spoilOwnership(slice Object) {
	m := meta(slice)
	labels := child(m, "labels")
	owners := listOf(m, "ownerReferences")
	switch g.Intn(10) {
	case 0:
		delete(m, "ownerReferences")
	case 1:
		m["ownerReferences"] = append([]Object{{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "uid": "uid-d"}}, owners...)
	case 2, 3:
		for _, owner := range owners {
			owner["uid"] = "uid-of-an-older-service"
		}
	case 4:
		for _, owner := range owners {
			owner[pick(g, "kind", "apiVersion")] = "Other"
		}
	case 5:
		for _, owner := range owners {
			owner["name"] = "renamed"
			delete(owner, "controller")
		}
	case 6:
		labels["endpointslice.kubernetes.io/managed-by"] = "someone.example.com"
	case 7:
		labels["kubernetes.io/service-name"] = "another"
	case 8:
		m["deletionTimestamp"] = "2026-02-03T00:00:00Z"
		m["finalizers"] = []string{"example.com/hold"}
	case 9:
		m["namespace"] = "elsewhere"
	}
}

func (g generator) spoilMetadata(slice Object) {
	m := meta(slice)
	labels := child(m, "labels")
	switch g.Intn(9) {
	case 0:
		labels["added"] = "by-hand"
	case 1:
		labels["service.kubernetes.io/headless"] = pick(g, "", "yes")
	case 2:
		delete(labels, "service.kubernetes.io/headless")
	case 3:
		delete(labels, pick(g, "app", "team"))
	case 4:
		child(m, "annotations")["example.com/note"] = "by hand <&>"
	case 5:
		m["finalizers"] = []string{"example.com/keep"}
	case 6:
		m["managedFields"] = []Object{{"manager": "kubectl", "operation": "Update", "apiVersion": "v1"}}
	case 7:
		slice["futureField"] = Object{"deep": []any{1, "two", nil, 3.5}}
	case 8:
		delete(m, "annotations")
		delete(m, "generateName")
	}
}

func (g generator) spoilShape(s *Scene, slice Object) {
	switch g.Intn(11) {
	case 0:
		slice["endpoints"] = []Object{}
	case 1:
		slice["endpoints"] = nil
	case 2:
		slice["ports"] = nil
	case 3:
		slice["ports"] = []Object{}
	case 4:
		delete(slice, "ports")
	case 5:
		g.Shuffle(len(listOf(slice, "ports")), func(i, j int) {
			ports := listOf(slice, "ports")
			ports[i], ports[j] = ports[j], ports[i]
		})
	case 6:
		g.spoilPorts(slice)
	case 7:
		twin := clone(slice)
		g.name(s, twin)
		s.Slices = append(s.Slices, twin)
	case 8:
		stray := clone(slice)
		g.name(s, stray)
		stray["addressType"] = "FQDN"
		stray["endpoints"] = []Object{{"addresses": []string{"web.example.com"}, "conditions": Object{}}}
		s.Slices = append(s.Slices, stray)
	case 9:
		empty := clone(slice)
		g.name(s, empty)
		empty["endpoints"] = []Object{}
		s.Slices = append(s.Slices, empty)
	case 10:
		s.Slices = append(s.Slices, g.strayPlaceholder(s))
	}
}

func (g generator) spoilPorts(slice Object) {
	ports := listOf(slice, "ports")
	if len(ports) == 0 {
		slice["ports"] = []Object{{"port": 4444}}
		return
	}
	port := pick(g, ports...)
	switch g.Intn(5) {
	case 0:
		port["port"] = 1234
	case 1:
		delete(port, "port")
	case 2:
		port["name"] = "renamed"
	case 3:
		port["protocol"] = "UDP"
	case 4:
		port["appProtocol"] = ""
	}
}

// strayPlaceholder is an empty slice like those that the controller makes, or nearly.
func (g generator) strayPlaceholder(s *Scene) Object {
	name, _ := meta(s.Service)["name"].(string)
	manager, ok := s.Options["managedBy"].(string)
	if !ok {
		manager = "endpointslice-controller.k8s.io"
	}
	labels := Object{"kubernetes.io/service-name": name, "endpointslice.kubernetes.io/managed-by": manager}
	if g.chance(30) {
		labels["service.kubernetes.io/headless"] = ""
	}
	slice := Object{
		"metadata": Object{
			"namespace": namespace, "labels": labels,
			"ownerReferences": []Object{{
				"apiVersion": "v1", "kind": "Service", "name": name, "uid": pick(g, "uid-of-service", "uid-of-service", "uid-old"),
				"controller": true, "blockOwnerDeletion": true,
			}},
		},
		"addressType": pick(g, "IPv4", "IPv4", "IPv6"),
		"endpoints":   []Object{},
		"ports":       []Object{},
	}
	g.name(s, slice)
	return slice
}

func (g generator) spoilEndpoints(s *Scene, slice Object) {
	endpoints := listOf(slice, "endpoints")
	if len(endpoints) == 0 {
		return
	}
	endpoint := pick(g, endpoints...)
	conditions := child(endpoint, "conditions")
	target := child(endpoint, "targetRef")
	switch g.Intn(15) {
	case 0:
		delete(conditions, pick(g, "ready", "serving", "terminating"))
	case 1:
		conditions[pick(g, "ready", "serving", "terminating")] = g.chance(50)
	case 2:
		delete(endpoint, pick(g, "zone", "nodeName", "targetRef", "hostname", "conditions"))
	case 3:
		endpoint["zone"] = pick(g, "zone-z", "")
	case 4:
		endpoint["nodeName"] = "moved"
	case 5:
		endpoint["hostname"] = pick(g, "db-0", "odd")
	case 6:
		target[pick(g, "uid", "name", "namespace", "kind")] = "changed"
	case 7:
		target["resourceVersion"] = "77"
	case 8:
		target[pick(g, "fieldPath", "apiVersion")] = "v1"
	case 9:
		endpoint["deprecatedTopology"] = Object{"example.com/rack": "r1"}
	case 10:
		slice["endpoints"] = append(endpoints, clone(endpoint))
	case 11:
		other := pick(g, s.Slices...)
		if other["addressType"] == slice["addressType"] {
			other["endpoints"] = append(listOf(other, "endpoints"), clone(endpoint))
		}
	case 12:
		g.strayEndpoint(s, slice, endpoints)
	case 13:
		slice["endpoints"] = endpoints[1:]
	case 14:
		endpoint["futureField"] = "kept"
	}
}

func (g generator) strayEndpoint(s *Scene, slice Object, endpoints []Object) {
	s.ips++
	address := fmt.Sprintf("10.9.0.%d", s.ips%250+1)
	if slice["addressType"] == "IPv6" {
		address = fmt.Sprintf("fd09::%x", s.ips)
	}
	slice["endpoints"] = append([]Object{{"addresses": []string{address}, "conditions": Object{"ready": true}}}, endpoints...)
}

func (g generator) spoilHints(s *Scene, slice Object) {
	endpoints := listOf(slice, "endpoints")
	if len(endpoints) == 0 {
		return
	}
	if g.chance(20) {
		for _, endpoint := range endpoints {
			delete(endpoint, "hints")
		}
		return
	}
	endpoint := pick(g, endpoints...)
	switch g.Intn(8) {
	case 0:
		delete(endpoint, "hints")
	case 1:
		endpoint["hints"] = Object{}
	case 2:
		endpoint["hints"] = zoneHint()
	case 3:
		endpoint["hints"] = zoneHint("zone-gone")
	case 4:
		endpoint["hints"] = zoneHint(pick(g, s.taste.zones...))
	case 5:
		endpoint["hints"] = zoneHint(pick(g, s.taste.zones...), pick(g, s.taste.zones...))
	case 6:
		child(endpoint, "hints")["forNodes"] = []Object{{"name": g.nodeName(s)}}
	case 7:
		for _, one := range endpoints {
			one["hints"] = zoneHint(pick(g, s.taste.zones...))
		}
	}
}

// optional are fields that may be null, which is the same as missing.
var optional = map[string][]string{
	"":           {"deletionTimestamp", "futureField"},
	"metadata":   {"labels", "annotations", "ownerReferences", "deletionTimestamp", "finalizers", "generation"},
	"spec":       {"initContainers", "hostname", "subdomain", "ipFamilies", "ports", "trafficDistribution", "type", "nodeName"},
	"status":     {"conditions", "podIPs", "podIP", "allocatable", "phase"},
	"conditions": {"ready", "serving", "terminating"},
}

// nulls writes some of the missing fields as null, as Go programs do.
func (g generator) nulls(s *Scene) {
	if !g.chance(12) {
		return
	}
	objects := append(append(append([]Object{s.Service}, s.Pods...), s.Nodes...), s.Slices...)
	for range 1 + g.Intn(6) {
		object := pick(g, objects...)
		for _, endpoint := range listOf(object, "endpoints") {
			g.null(endpoint, pick(g, "hints", "zone", "nodeName", "targetRef", "hostname", "deprecatedTopology"))
			g.null(child(endpoint, "conditions"), pick(g, optional["conditions"]...))
		}
		part := pick(g, "", "metadata", "spec", "status")
		if inner, ok := object[part].(Object); ok {
			g.null(inner, pick(g, optional[part]...))
		} else if part == "" {
			g.null(object, pick(g, optional[part]...))
		}
	}
}

func (g generator) null(object Object, field string) {
	if _, ok := object[field]; !ok {
		object[field] = nil
	}
}
