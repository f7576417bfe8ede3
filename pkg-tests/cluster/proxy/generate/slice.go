package generate

import (
	"encoding/json"
	"fmt"
)

const (
	serviceLabel  = "kubernetes.io/service-name"
	headlessLabel = "service.kubernetes.io/headless"
	proxyLabel    = "service.kubernetes.io/service-proxy-name"
)

func (m *maker) setSlice() {
	old := m.anyOf(m.slices)
	if old == nil || m.chance(3) {
		slice := m.slice()
		meta := slice["metadata"].(object)
		known := m.slices[sliceKey(slice)] != nil
		if meta["name"] != nil {
			m.slices[sliceKey(slice)] = slice
		}
		m.set(slice, known)
		return
	}
	slice := copied(old)
	m.change(slice)
	m.slices[sliceKey(slice)] = slice
	m.set(slice, true)
}

func sliceKey(slice object) string {
	meta := slice["metadata"].(object)
	return fmt.Sprint(meta["namespace"], "/", meta["name"])
}

// copied is a deep copy, as JSON would read it.
func copied(of object) object { return copiedValue(of).(object) }

func copiedValue(of any) any {
	switch of := of.(type) {
	case nil, string, bool, float64:
		return of
	case int:
		return float64(of)
	case object:
		copies := make(object, len(of))
		for field, value := range of {
			copies[field] = copiedValue(value)
		}
		return copies
	case []any:
		if of == nil {
			return nil
		}
		copies := make([]any, len(of))
		for i, value := range of {
			copies[i] = copiedValue(value)
		}
		return copies
	}
	text, err := json.Marshal(of)
	if err != nil {
		panic(err) // plain values
	}
	var read any
	if err := json.Unmarshal(text, &read); err != nil {
		panic(err)
	}
	return read
}

func (m *maker) slice() object {
	namespace, service := m.serviceName()
	meta := m.meta(namespace, fmt.Sprintf("e%d", 1+m.random.IntN(m.mood.slices)))
	meta["labels"] = object{serviceLabel: service}
	addressType := m.settings.AddressType
	if m.chance(12) {
		addressType = pick(m, "IPv4", "IPv6", "FQDN")
	}
	slice := object{"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "metadata": meta, "addressType": addressType}
	slice["ports"] = m.slicePorts()
	var endpoints []any
	for range m.random.IntN(m.mood.endpoints) {
		endpoints = append(endpoints, m.endpoint(addressType))
	}
	if endpoints != nil || m.chance(2) {
		slice["endpoints"] = endpoints
	}
	m.trigger(meta)
	if m.mood.odd && m.chance(4) {
		m.oddSlice(slice)
	}
	return slice
}

func (m *maker) oddSlice(slice object) {
	meta := slice["metadata"].(object)
	switch m.random.IntN(4) {
	case 0:
		delete(meta, "labels")
	case 1:
		meta["labels"] = object{serviceLabel: ""}
	case 2:
		slice["ports"] = nil
	default:
		delete(slice, "endpoints")
	}
}

func (m *maker) slicePorts() []any {
	all := []any{}
	for range pick(m, 0, 1, 1, 1, 2, 2, 3) {
		of := m.port()
		port := object{"name": of.name, "protocol": of.protocol, "port": of.number}
		if m.mood.odd && m.chance(4) {
			switch m.random.IntN(5) {
			case 0:
				delete(port, "name")
			case 1:
				delete(port, "port")
			case 2:
				port["port"] = 0
			case 3:
				delete(port, "protocol")
			default:
				port["appProtocol"] = "kubernetes.io/h2c"
			}
		}
		all = append(all, port)
	}
	return all
}

func (m *maker) address(addressType string) string {
	if m.mood.odd && m.chance(8) {
		return pick(m, "10.0.0.010", "::ffff:10.0.0.1", "no-address", "", "10.0.0.256", "fe80::1%eth0", "FD00::1", "fd00:0:0::0001", "1.2.3", "2001:db8::192.0.2.1")
	}
	number := 1 + m.random.IntN(m.mood.addresses)
	switch addressType {
	case "IPv6":
		return fmt.Sprintf("fd00::%x", number)
	case "FQDN":
		return fmt.Sprintf("pod-%d.example.com", number)
	}
	return fmt.Sprintf("10.0.0.%d", number)
}

func (m *maker) endpoint(addressType string) object {
	endpoint := object{"addresses": []any{m.address(addressType)}}
	if m.mood.odd && m.chance(8) {
		endpoint["addresses"] = pick(m, []any{}, []any{m.address(addressType), m.address(addressType)})
	}
	conditions := object{}
	m.condition(conditions, "ready", m.ten(10-m.mood.unready))
	m.condition(conditions, "serving", m.ten(10-m.mood.unready/2))
	m.condition(conditions, "terminating", m.ten(m.mood.terminating))
	if len(conditions) > 0 || m.chance(2) {
		endpoint["conditions"] = conditions
	}
	if !m.chance(6) {
		endpoint["nodeName"] = pick(m, nodes...)
	}
	if m.chance(2) {
		endpoint["zone"] = pick(m, zones...)
	}
	if m.chance(6) {
		endpoint["targetRef"] = object{"kind": "Pod", "name": "p", "namespace": "shop"}
	}
	if hints := m.hints(); hints != nil {
		endpoint["hints"] = hints
	}
	return endpoint
}

func (m *maker) condition(conditions object, name string, value bool) {
	if m.chance(5) {
		if m.chance(4) {
			conditions[name] = nil
		}
		return
	}
	conditions[name] = value
}

func (m *maker) hints() object {
	hints := object{}
	if m.ten(m.mood.zoneHints) {
		hints["forZones"] = m.named(zones)
	}
	if m.ten(m.mood.nodeHints) {
		hints["forNodes"] = m.named(nodes)
	}
	if len(hints) > 0 || m.chance(20) {
		return hints
	}
	return nil
}

func (m *maker) named(of []string) []any {
	var all []any
	for range pick(m, 1, 1, 1, 2, 3) {
		all = append(all, object{"name": pick(m, of...)})
	}
	if m.mood.odd && m.chance(10) {
		return []any{object{"name": ""}}
	}
	if m.mood.odd && m.chance(10) {
		return []any{}
	}
	return all
}

const triggerTime = "endpoints.kubernetes.io/last-change-trigger-time"

func (m *maker) trigger(meta object) {
	if !m.chance(2) {
		return
	}
	at := fmt.Sprintf("2026-01-02T03:04:%02d%sZ", m.random.IntN(12), pick(m, "", ".5", ".500000001", ".123456789"))
	if m.chance(5) {
		at = pick(m, "2026-01-02T04:04:09+01:00", "2026-01-02T3:04:09Z", "2026-01-02T03:04:09,25Z", "yesterday", "", "2026-01-02T03:04:09",
			"0001-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-02t03:04:09z", "2026-01-02T03:04:60Z", "2026-01-02T24:00:00Z",
			"2026-01-02T03:04:09.1234567891Z", "2026-01-02T03:04:09-00:00", "9999-12-31T23:59:59.999999999Z", "2026-01-02T03:04:09+24:00",
			"2026-01-02T03:04:09.Z", "1969-12-31T23:59:59Z", "2026-01-02T03:04:09+1:00", "2024-02-29T00:00:00Z")
	}
	meta["annotations"] = object{triggerTime: at}
}

// change makes one small change to a slice.
func (m *maker) change(slice object) {
	if m.chance(4) {
		m.field(slice)
		return
	}
	meta := slice["metadata"].(object)
	m.version++
	meta["resourceVersion"] = fmt.Sprint(m.version)
	if m.chance(2) {
		delete(meta, "annotations")
		m.trigger(meta)
	}
	endpoints, _ := slice["endpoints"].([]any)
	addressType := slice["addressType"].(string)
	switch m.random.IntN(10) {
	case 0:
		slice["ports"] = m.slicePorts()
	case 1, 2:
		slice["endpoints"] = append(endpoints, m.endpoint(addressType))
	case 3:
		if len(endpoints) > 0 {
			slice["endpoints"] = endpoints[1:]
		}
	case 4:
		slice["endpoints"] = []any{}
	case 5:
		// Only the metadata.
	default:
		if len(endpoints) > 0 {
			at := m.random.IntN(len(endpoints))
			endpoint := m.endpoint(addressType)
			if !m.chance(4) {
				endpoint["addresses"] = endpoints[at].(object)["addresses"]
			}
			endpoints[at] = endpoint
		}
	}
}

func (m *maker) removeSlice() {
	slice := m.anyOf(m.slices)
	if slice == nil {
		return
	}
	if m.chance(8) { // not known
		stranger := copied(slice)
		stranger["metadata"].(object)["name"] = "nobody"
		m.emit("DELETED", stranger)
		return
	}
	gone := copied(slice)
	if m.chance(8) { // as it never was
		m.change(gone)
	}
	delete(m.slices, sliceKey(slice))
	m.emit("DELETED", gone)
	if m.chance(4) { // and at once again
		m.slices[sliceKey(slice)] = slice
		m.set(slice, false)
	}
}

// resend reports known objects again, as informers do.
func (m *maker) resend() {
	if slice := m.anyOf(m.slices); slice != nil {
		m.set(slice, true)
	}
	if service := m.anyOf(m.services); service != nil && m.chance(3) {
		m.set(service, true)
	}
}

// mark labels a slice's Service as headless, or removes that label.
func (m *maker) mark() {
	slice := m.anyOf(m.slices)
	if slice == nil {
		return
	}
	changed := copied(slice)
	m.version++
	meta := changed["metadata"].(object)
	meta["resourceVersion"] = fmt.Sprint(m.version)
	toggle(inner(meta, "labels"), headlessLabel, pick(m, "", "", "true"))
	m.slices[sliceKey(changed)] = changed
	m.set(changed, true)
}

// relabel moves a slice to another Service.
func (m *maker) relabel() {
	slice := m.anyOf(m.slices)
	if slice == nil {
		return
	}
	_, service := m.serviceName()
	changed := copied(slice)
	meta := changed["metadata"].(object)
	meta["labels"] = object{serviceLabel: service}
	m.version++
	meta["resourceVersion"] = fmt.Sprint(m.version)
	m.slices[sliceKey(changed)] = changed
	m.set(changed, true)
}
