package generate

import "fmt"

func (g generator) pod(s *Scene) Object {
	name := s.id("pod-")
	pod := Object{
		"apiVersion": "v1",
		"kind":       "Pod",
		"metadata": Object{
			"name":      name,
			"namespace": namespace,
			"uid":       "uid-of-" + name,
			"labels":    Object{"app": "web", "tier": "front"},
		},
		"spec": Object{
			"nodeName":   g.nodeName(s),
			"containers": g.containers(s),
		},
		"status": Object{
			"phase":      "Running",
			"conditions": []Object{{"type": "Initialized", "status": "True"}, {"type": "Ready", "status": "True"}},
		},
	}
	if g.chance(8) {
		child(pod, "spec")["initContainers"] = g.initContainers()
	}
	g.address(s, pod)
	g.hostname(s, pod)
	if g.chance(70) {
		child(meta(pod), "labels")["canary"] = ""
	}
	if g.chance(12) {
		g.unready(pod)
	}
	if g.chance(6) {
		meta(pod)["deletionTimestamp"] = "2026-02-02T00:00:00Z"
	}
	if !s.taste.tidy && g.chance(35) {
		g.spoilPod(s, pod)
	}
	return pod
}

func (g generator) unready(pod Object) {
	status := child(pod, "status")
	switch g.Intn(5) {
	case 0:
		delete(status, "conditions")
	case 1:
		status["conditions"] = []Object{{"type": "Ready", "status": "Unknown"}}
	case 2:
		status["conditions"] = []Object{{"type": "Ready", "status": "False"}, {"type": "Ready", "status": "True"}}
	default:
		status["conditions"] = []Object{{"type": "Ready", "status": "False"}}
	}
}

func (g generator) spoilPod(s *Scene, pod Object) {
	status, spec := child(pod, "status"), child(pod, "spec")
	switch g.Intn(14) {
	case 0:
		status["phase"] = pick(g, "Failed", "Succeeded")
	case 1:
		status["phase"] = pick(g, "Pending", "Unknown", "")
	case 2:
		delete(status, "phase")
	case 3:
		delete(status, "podIP")
		delete(status, "podIPs")
	case 4:
		delete(status, "podIPs")
	case 5:
		delete(status, "podIP")
	case 6:
		delete(spec, "nodeName")
	case 7:
		spec["nodeName"] = pick(g, "ghost", "")
	case 8:
		meta(pod)["namespace"] = "elsewhere"
	case 9:
		meta(pod)["labels"] = pick(g, Object{"app": "db"}, Object{"app": "web"}, Object{})
	case 10:
		delete(meta(pod), "labels")
	case 11:
		status["podIPs"] = []Object{}
	case 12:
		delete(meta(pod), "uid")
	case 13:
		g.extraAddresses(s, status)
	}
}

// address gives the pod its IPs, mostly one of each family, sometimes in odd
// spellings.
func (g generator) address(s *Scene, pod Object) {
	s.ips++
	host := s.ips
	if !s.taste.tidy && g.chance(2) && s.ips > 1 {
		host = s.ips - 1 // two pods on the host's network
	}
	v4, v6 := g.ipv4(host, s.taste.tidy), g.ipv6(host, s.taste.tidy)
	var ips []Object
	switch roll := g.Intn(100); {
	case roll < 50:
		ips = []Object{{"ip": v4}, {"ip": v6}}
	case roll < 80:
		ips = []Object{{"ip": v4}}
	case roll < 90:
		ips = []Object{{"ip": v6}, {"ip": v4}}
	default:
		ips = []Object{{"ip": v6}}
	}
	status := child(pod, "status")
	status["podIP"] = ips[0]["ip"]
	status["podIPs"] = ips
}

func (g generator) extraAddresses(s *Scene, status Object) {
	s.ips++
	ips, _ := status["podIPs"].([]Object)
	extra := []Object{{"ip": g.ipv4(s.ips, false)}, {"ip": g.ipv6(s.ips, false)}}
	status["podIPs"] = append(extra[:1+g.Intn(2)], ips...)
}

func (g generator) ipv4(host int, tidy bool) string {
	a, b := host/250, host%250+1
	if tidy || !g.chance(6) {
		return fmt.Sprintf("10.1.%d.%d", a, b)
	}
	return pick(g,
		fmt.Sprintf("010.001.%03d.%03d", a, b),
		fmt.Sprintf("10.1.%d.%03d", a, b),
		fmt.Sprintf("::ffff:10.1.%d.%d", a, b),
		fmt.Sprintf("::FFFF:10.1.%d.%d", a, b),
		fmt.Sprintf("::ffff:0a01:%02x%02x", a, b))
}

func (g generator) ipv6(host int, tidy bool) string {
	if tidy || !g.chance(10) {
		return fmt.Sprintf("fd00::%x", host)
	}
	return pick(g,
		fmt.Sprintf("FD00::%X", host),
		fmt.Sprintf("fd00:0:0:0:0:0:0:%x", host),
		fmt.Sprintf("fd00:0000::%04x", host),
		fmt.Sprintf("2001:db8:0:1:1:1:1:%x", host),
		fmt.Sprintf("2001:db8:0:0:1:0:0:%x", host),
		fmt.Sprintf("fd00::10.2.%d.%d", host/250, host%250+1),
		fmt.Sprintf("::1.2.%d.%d", host/250, host%250+1),
		fmt.Sprintf("64:ff9b::10.3.%d.%d", host/250, host%250+1))
}

func (g generator) hostname(s *Scene, pod Object) {
	if !g.chance(10) {
		return
	}
	spec := child(pod, "spec")
	spec["hostname"] = pick(g, "db-0", "db-1", "")
	if !g.chance(15) {
		spec["subdomain"] = pick(g, meta(s.Service)["name"], meta(s.Service)["name"], "other")
	}
}

// containers declares the named ports. Pods of another variant have a different
// number for a name, or lack the name.
func (g generator) containers(s *Scene) []Object {
	variant := g.Intn(s.taste.variants)
	http := Object{"name": "http", "containerPort": 8080 + variant, "protocol": "TCP"}
	ports := []Object{http, {"name": "metrics", "containerPort": 9090, "protocol": pick(g, "TCP", "UDP")}}
	if variant == 2 {
		ports = ports[1:]
	}
	if s.taste.tidy {
		ports[len(ports)-1]["protocol"] = "TCP"
	}
	if g.chance(2) && !s.taste.tidy {
		delete(ports[0], "protocol")
	}
	return []Object{{"name": "sidecar"}, {"name": "main", "ports": ports}, {"name": "late", "ports": []Object{
		{"name": "http", "containerPort": 7777, "protocol": "UDP"},
	}}}
}

// initContainers are sidecars if they always restart; only then do their ports count.
func (g generator) initContainers() []Object {
	sidecar := Object{"name": "proxy", "ports": []Object{
		{"name": pick(g, "http", "missing"), "containerPort": 15000, "protocol": "TCP"},
	}}
	if policy := pick(g, "Always", "Always", "Never", ""); policy != "" {
		sidecar["restartPolicy"] = policy
	}
	return []Object{{"name": "setup"}, sidecar}
}
