package generate

import (
	"fmt"
	"strings"
)

const namespace = "shop"

func (g generator) service(s *Scene) Object {
	name := g.serviceName()
	service := Object{
		"apiVersion": "v1",
		"kind":       "Service",
		"metadata": Object{
			"name":              name,
			"namespace":         namespace,
			"uid":               "uid-of-service",
			"creationTimestamp": "2026-01-01T00:00:00Z",
			"resourceVersion":   "900",
		},
	}
	if g.chance(50) {
		meta(service)["labels"] = g.serviceLabels()
	}
	if annotations := g.serviceAnnotations(s); len(annotations) > 0 {
		meta(service)["annotations"] = annotations
	}
	if g.chance(4) {
		meta(service)["deletionTimestamp"] = "2026-02-01T00:00:00Z"
		meta(service)["finalizers"] = []string{"example.com/hold"}
	}
	service["spec"] = g.serviceSpec(s)
	return service
}

// serviceName is sometimes at the limit of what fits generateName.
func (g generator) serviceName() string {
	if !g.chance(6) {
		return pick(g, "web", "web", "web", "api-v2", "a")
	}
	return pick(g,
		strings.Repeat("w", 63),
		strings.Repeat("w", 251),
		strings.Repeat("w", 252),
		strings.Repeat("w", 253),
		"web.shop",
		"w2",
		strings.Repeat("a.", 126)+"b")
}

func (g generator) serviceLabels() Object {
	labels := Object{}
	for range g.Intn(3) {
		labels[pick(g, "app", "team", "example.com/tier")] = pick(g, "web", "blue", "", "x1")
	}
	if g.chance(10) {
		labels["kubernetes.io/service-name"] = "impostor"
	}
	if g.chance(10) {
		labels["endpointslice.kubernetes.io/managed-by"] = "impostor"
	}
	if g.chance(15) {
		labels["service.kubernetes.io/headless"] = pick(g, "", "yes")
	}
	return labels
}

func (g generator) serviceAnnotations(s *Scene) Object {
	const mode, deprecated = "service.kubernetes.io/topology-mode", "service.kubernetes.io/topology-aware-hints"
	annotations := Object{}
	if s.taste.auto {
		annotations[pick(g, mode, mode, mode, deprecated)] = pick(g, "Auto", "Auto", "Auto", "auto")
	}
	if g.chance(8) {
		annotations[pick(g, mode, deprecated)] = pick(g, "Auto", "auto", "AUTO", "Disabled", "", "Prefer")
	}
	if g.chance(15) {
		annotations["example.com/note"] = "kept"
	}
	return annotations
}

func (g generator) serviceSpec(s *Scene) Object {
	spec := Object{}
	if selector := g.selector(); selector != nil {
		spec["selector"] = selector
	}
	g.families(spec)
	if ports := g.servicePorts(s); ports != nil {
		spec["ports"] = ports
	}
	if g.chance(12) {
		spec["publishNotReadyAddresses"] = g.chance(85)
	}
	if s.taste.traffic || g.chance(5) {
		spec["trafficDistribution"] = g.trafficDistribution()
	}
	if g.chance(2) {
		spec["type"] = "ExternalName"
		spec["externalName"] = "elsewhere.example.com"
	} else if g.chance(50) {
		spec["type"] = pick(g, "ClusterIP", "ClusterIP", "NodePort", "LoadBalancer")
	}
	return spec
}

func (g generator) trafficDistribution() string {
	return pick(g, "PreferClose", "PreferClose", "PreferSameZone", "PreferSameZone",
		"PreferSameNode", "PreferSameNode", "PreferSameNode", "Invalid", "", "preferclose")
}

func (g generator) selector() Object {
	switch roll := g.Intn(100); {
	case roll < 2:
		return nil
	case roll < 5:
		return Object{}
	case roll < 8:
		return Object{"app": "web", "canary": ""}
	case roll < 17:
		return Object{"app": "web", "tier": "front"}
	default:
		return Object{"app": "web"}
	}
}

// families draws address families and cluster IPs, consistent or not.
func (g generator) families(spec Object) {
	if families := g.ipFamilies(); families != nil {
		spec["ipFamilies"] = families
	}
	first := "10.96.0.10"
	if families, ok := spec["ipFamilies"].([]string); ok && families[0] == "IPv6" {
		first = "fd00:96::10"
	}
	switch roll := g.Intn(100); {
	case roll < 25:
		spec["clusterIP"] = "None"
	case roll < 32: // headless too, as the reference sees it
	case roll < 38:
		spec["clusterIP"] = pick(g, "10.96.0.10", "fd00:96::10", "FD00:96:0::10")
	default:
		spec["clusterIP"] = first
	}
}

func (g generator) ipFamilies() []string {
	switch roll := g.Intn(100); {
	case roll < 50:
		return []string{"IPv4"}
	case roll < 60:
		return []string{"IPv6"}
	case roll < 72:
		return []string{"IPv4", "IPv6"}
	case roll < 80:
		return []string{"IPv6", "IPv4"}
	case roll < 82:
		return []string{"IPv4", "IPv4"}
	case roll < 83:
		return []string{"IPv7"}
	default:
		return nil
	}
}

func (g generator) servicePorts(s *Scene) []Object {
	count := pick(g, 0, 1, 1, 1, 1, 1, 2, 2, 3)
	var ports []Object
	for i := range count {
		ports = append(ports, g.servicePort(s, i, count))
	}
	return ports
}

func (g generator) servicePort(s *Scene, i, count int) Object {
	port := Object{"port": 80 + i, "protocol": pick(g, "TCP", "TCP", "TCP", "UDP", "SCTP")}
	if count > 1 || g.chance(50) {
		port["name"] = pick(g, "http", "metrics", "dns") + fmt.Sprint(i)
	}
	if g.chance(3) {
		delete(port, "name")
	}
	if g.chance(2) {
		delete(port, "protocol")
	}
	switch roll := g.Intn(100); {
	case roll < 45 || (s.taste.variants > 1 && roll < 75):
		port["targetPort"] = pick(g, "http", "http", "http", "metrics", "missing")
		if g.chance(85) {
			port["protocol"] = "TCP"
		}
	case roll < 97:
		port["targetPort"] = 8080 + g.Intn(3)
	}
	if g.chance(15) {
		port["appProtocol"] = pick(g, "kubernetes.io/h2c", "http", "")
	}
	if g.chance(10) {
		port["nodePort"] = 30080 + i
	}
	return port
}
