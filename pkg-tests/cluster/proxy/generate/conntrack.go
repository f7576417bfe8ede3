package generate

import (
	"fmt"
	"net"
)

// entries are flows to what the Services have, and to nothing.
func (m *maker) entries() []any {
	all := []any{}
	for range m.random.IntN(6) {
		client := fmt.Sprintf("172.16.0.%d", 1+m.random.IntN(3))
		if m.settings.AddressType == "IPv6" {
			client = fmt.Sprintf("fd00:172::%d", 1+m.random.IntN(3))
		}
		dst, dstPort := m.frontend()
		src, srcPort := m.backend()
		clientPort := 40000 + m.random.IntN(3)
		all = append(all, object{
			"protocol": pick(m, "UDP", "UDP", "UDP", "UDP", "TCP", "SCTP"),
			"origin":   object{"src": client, "dst": dst, "srcPort": clientPort, "dstPort": dstPort},
			"reply":    object{"src": src, "dst": client, "srcPort": srcPort, "dstPort": clientPort},
		})
	}
	return all
}

// frontend is an address and a port of a Service, most of the time.
func (m *maker) frontend() (string, int) {
	service := m.anyOf(m.services)
	if service == nil || m.chance(3) {
		return m.anyFrontend()
	}
	ports, _ := service["spec"].(object)["ports"].([]any)
	addresses := m.addressesOf(service)
	if len(ports) == 0 || len(addresses) == 0 {
		return m.anyFrontend()
	}
	port := pick(m, ports...).(object)
	if number, ok := port["nodePort"].(int); ok && m.chance(2) {
		return pick(m, "10.0.0.1", "172.16.0.9", "fd00::1"), number
	}
	return pick(m, addresses...), port["port"].(int) & 0xffff // some Services have more
}

// addressesOf are the valid addresses of a Service.
func (m *maker) addressesOf(service object) []string {
	spec := service["spec"].(object)
	all, _ := spec["clusterIPs"].([]any)
	external, _ := spec["externalIPs"].([]any)
	all = append(append([]any{spec["clusterIP"]}, all...), append(external, external...)...)
	if status, ok := service["status"].(object); ok {
		for _, ingress := range status["loadBalancer"].(object)["ingress"].([]any) {
			all = append(all, ingress.(object)["ip"], ingress.(object)["ip"])
		}
	}
	var found []string
	for _, each := range all {
		if text, ok := each.(string); ok && net.ParseIP(text) != nil {
			found = append(found, text)
		}
	}
	return found
}

func (m *maker) anyFrontend() (string, int) {
	six := m.settings.AddressType == "IPv6"
	number := pick(m, 53, 53, 53, 514, 80)
	if m.chance(3) {
		number = 31000 + number%100 + 1000*(1+m.random.IntN(m.mood.services))
	}
	addresses := []string{"192.0.2.1", "192.0.2.2", "203.0.113.1", "203.0.113.2", "10.0.0.1"}
	if six {
		addresses = []string{"2001:db8::1", "2001:db8::2", "2001:db8:1::1", "fd00::1"}
	}
	for range 4 {
		namespace, name := m.serviceName()
		addresses = append(addresses, clusterIP(namespace, name, six))
	}
	if m.chance(20) {
		return clusterIP("shop", "s1", !six), number
	}
	return pick(m, addresses...), number
}

func (m *maker) backend() (string, int) {
	number := pick(m, 53, 53, 53, 514, 80)
	if m.settings.AddressType == "IPv6" {
		return fmt.Sprintf("fd00::%x", 1+m.random.IntN(m.mood.addresses)), number
	}
	return fmt.Sprintf("10.0.0.%d", 1+m.random.IntN(m.mood.addresses)), number
}
