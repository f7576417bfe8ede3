package generate

import "fmt"

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

func (m *maker) frontend() (string, int) {
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
		return fmt.Sprintf("fd00::%x", 1+m.random.IntN(12)), number
	}
	return fmt.Sprintf("10.0.0.%d", 1+m.random.IntN(12)), number
}
