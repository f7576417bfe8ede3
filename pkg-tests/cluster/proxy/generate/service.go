package generate

import (
	"fmt"
	"maps"
	"slices"
)

func keys(all map[string]object) []string { return slices.Sorted(maps.Keys(all)) }

// ports that Services and slices share.
type port struct {
	name     string
	protocol string
	number   int
}

func (m *maker) port() port {
	if m.mood.plain {
		if m.mood.udp {
			return port{"dns", "UDP", 53}
		}
		return port{"http", "TCP", 80}
	}
	if m.mood.udp && !m.chance(4) {
		return pick(m, port{"dns", "UDP", 53}, port{"dns", "UDP", 53}, port{"log", "UDP", 514}, port{"", "UDP", 53})
	}
	common := []port{{"http", "TCP", 80}, {"http", "TCP", 8080}, {"dns", "UDP", 53}, {"dns", "TCP", 53}, {"", "TCP", 80}, {"sig", "SCTP", 2905}}
	if m.mood.odd {
		common = append(common, port{"http", "QUIC", 443}, port{"http", "TCP", 70000}, port{"HTTP", "TCP", 80}, port{"http/TCP", "UDP", 80})
	}
	return pick(m, common...)
}

func (m *maker) setService() {
	namespace, name := m.serviceName()
	key := namespace + "/" + name
	known := m.services[key] != nil
	service := object{"apiVersion": "v1", "kind": "Service", "metadata": m.meta(namespace, name)}
	service["spec"] = m.spec(namespace, name)
	if m.ten(m.mood.reached) {
		service["status"] = object{"loadBalancer": object{"ingress": m.ingress()}}
	}
	if m.chance(8) {
		service["metadata"].(object)["labels"] = object{proxyLabel: pick(m, "other", "")}
	}
	m.services[key] = service
	m.set(service, known)
}

func (m *maker) meta(namespace, name string) object {
	m.version++
	return object{"namespace": namespace, "name": name, "resourceVersion": fmt.Sprint(m.version)}
}

// addresses are determined by a Service's name, so that it keeps them.
func clusterIP(namespace, name string, six bool) string {
	number := int(name[1] - '0')
	if namespace == "bank" {
		number += 10
	}
	if six {
		return fmt.Sprintf("fd00:96::%d", number)
	}
	return fmt.Sprintf("10.96.0.%d", number)
}

func (m *maker) spec(namespace, name string) object {
	four, six := clusterIP(namespace, name, false), clusterIP(namespace, name, true)
	spec := object{"type": pick(m, "ClusterIP", "ClusterIP", "NodePort", "LoadBalancer")}
	switch m.random.IntN(12) {
	case 0:
		spec["clusterIP"], spec["clusterIPs"], spec["ipFamilies"] = "None", []any{"None"}, []any{"IPv4"}
	case 1:
		spec["type"], spec["externalName"] = "ExternalName", "example.com"
		if m.chance(2) {
			spec["clusterIP"] = four
		}
	case 2: // of times before dual-stack
		spec["clusterIP"] = pick(m, four, six)
	case 3, 4:
		spec["clusterIP"], spec["clusterIPs"], spec["ipFamilies"] = four, []any{four}, []any{"IPv4"}
	case 5, 6:
		spec["clusterIP"], spec["clusterIPs"], spec["ipFamilies"] = six, []any{six}, []any{"IPv6"}
	case 7:
		spec["clusterIP"], spec["clusterIPs"], spec["ipFamilies"] = six, []any{six, four}, []any{"IPv6", "IPv4"}
	default:
		spec["clusterIP"], spec["clusterIPs"], spec["ipFamilies"] = four, []any{four, six}, []any{"IPv4", "IPv6"}
	}
	if m.mood.odd && m.chance(10) {
		m.oddAddress(spec)
	}
	m.traffic(spec)
	spec["ports"] = m.servicePorts(name)
	return spec
}

func (m *maker) oddAddress(spec object) {
	switch m.random.IntN(4) {
	case 0:
		spec["clusterIP"] = ""
	case 1:
		spec["clusterIPs"] = []any{}
	case 2:
		spec["clusterIPs"] = []any{"not-an-address"}
	default:
		delete(spec, "clusterIP")
	}
}

func (m *maker) traffic(spec object) {
	if m.chance(2) {
		spec["externalTrafficPolicy"] = pick(m, "Cluster", "Local", "Local")
		if m.chance(2) {
			spec["healthCheckNodePort"] = 30000 + m.random.IntN(3)
		}
	}
	if m.chance(2) {
		spec["internalTrafficPolicy"] = pick(m, "Cluster", "Local", "Local")
	}
	if m.ten(m.mood.reached) && m.chance(2) {
		spec["externalIPs"] = m.some(2, "192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:DB8:0::2", "", "192.0.2.010", "no-ip")
	}
	if m.chance(5) {
		spec["loadBalancerSourceRanges"] = m.some(2, "10.0.0.0/8", " 0.0.0.0/0", "fd00::/8", "not-a-range")
	}
	if m.chance(8) {
		spec["sessionAffinity"] = "ClientIP"
		spec["sessionAffinityConfig"] = object{"clientIP": object{"timeoutSeconds": 10800}}
	}
	if m.chance(8) {
		spec["trafficDistribution"] = "PreferSameZone"
	}
}

func (m *maker) some(most int, of ...string) []any {
	var chosen []any
	for range 1 + m.random.IntN(most) {
		chosen = append(chosen, pick(m, of...))
	}
	return chosen
}

func (m *maker) ingress() []any {
	var all []any
	for range 1 + m.random.IntN(2) {
		ingress := object{}
		switch m.random.IntN(4) {
		case 0:
			ingress["hostname"] = "lb.example.com"
		case 1:
			ingress["ip"], ingress["ipMode"] = "203.0.113.2", pick(m, "Proxy", "VIP")
		default:
			ingress["ip"] = pick(m, "203.0.113.1", "2001:db8:1::1", "203.0.113.001")
		}
		all = append(all, ingress)
	}
	return all
}

func (m *maker) servicePorts(name string) []any {
	all := []any{}
	for range m.random.IntN(4) {
		of := m.port()
		port := object{"port": of.number, "protocol": of.protocol}
		if of.name != "" || m.chance(2) {
			port["name"] = of.name
		}
		if m.ten(m.mood.reached) {
			port["nodePort"] = 31000 + of.number%100 + 1000*int(name[1]-'0')
			if m.chance(8) {
				port["nodePort"] = 31000
			}
		}
		if m.chance(4) {
			port["targetPort"] = of.number + 1
		}
		all = append(all, port)
	}
	return all
}

func (m *maker) removeService() {
	service := m.anyOf(m.services)
	if service == nil || m.chance(10) {
		m.emit("DELETED", object{"kind": "Service", "metadata": object{"namespace": "shop", "name": "nobody"}})
		return
	}
	meta := service["metadata"].(object)
	delete(m.services, meta["namespace"].(string)+"/"+meta["name"].(string))
	m.emit("DELETED", service)
}
