package generate

import "fmt"

// field changes a single field of a slice and keeps its version, so that only
// the field shows whether the slice has changed. Some changes are irrelevant.
func (m *maker) field(slice object) {
	meta := slice["metadata"].(object)
	endpoints, _ := slice["endpoints"].([]any)
	ports, _ := slice["ports"].([]any)
	switch {
	case len(endpoints) > 0 && m.chance(2):
		m.endpointField(pick(m, endpoints...).(object))
	case len(ports) > 0 && m.chance(6):
		toggle(pick(m, ports...).(object), "appProtocol", pick(m, "http", "https"))
	case m.chance(6):
		toggle(slice, pick(m, "unknown", "status"), object{"any": m.random.IntN(3)})
	case len(endpoints) == 0 && m.chance(2):
		toggle(slice, "endpoints", []any{})
	default:
		m.metaField(meta)
	}
}

// toggle removes a value if present, and otherwise sets it.
func toggle(of object, field string, value any) {
	if _, there := of[field]; there {
		delete(of, field)
	} else {
		of[field] = value
	}
}

func (m *maker) metaField(meta object) {
	value := m.random.IntN(3)
	switch m.random.IntN(12) {
	case 0:
		inner(meta, "labels")["tier"] = fmt.Sprint(value)
	case 1:
		inner(meta, "annotations")["note"] = fmt.Sprint(value)
	case 2:
		toggle(meta, "generation", value)
	case 3:
		toggle(meta, "creationTimestamp", "2026-01-01T00:00:00Z")
	case 4:
		toggle(meta, "deletionTimestamp", "2026-01-02T00:00:00Z")
	case 5:
		toggle(meta, "finalizers", pick(m, []any{}, []any{"example.com/keep"}))
	case 6:
		toggle(meta, "ownerReferences", pick(m, []any{}, []any{object{"apiVersion": "v1", "kind": "Service", "name": "s1", "uid": "u", "controller": m.chance(2)}}))
	case 7:
		toggle(meta, "managedFields", []any{object{"manager": "kube-controller-manager", "operation": "Update", "apiVersion": "v1"}})
	case 8:
		toggle(meta, "generateName", "s1-")
	case 9:
		toggle(meta, "uid", fmt.Sprint("uid-", value))
	case 10:
		toggle(meta, "deletionGracePeriodSeconds", value)
	default:
		toggle(meta, "unknown", "field")
	}
}

func inner(of object, field string) object {
	found, ok := of[field].(object)
	if !ok {
		found = object{}
		of[field] = found
	}
	return found
}

func (m *maker) endpointField(endpoint object) {
	switch m.random.IntN(9) {
	case 0:
		toggle(endpoint, "hostname", pick(m, "", "h"))
	case 1:
		toggle(endpoint, "zone", pick(m, zones...))
	case 2:
		toggle(endpoint, "deprecatedTopology", object{"kubernetes.io/hostname": pick(m, nodes...)})
	case 3:
		toggle(endpoint, "hints", pick(m, object{}, object{"forZones": []any{}}, object{"forNodes": []any{object{"name": nodes[0]}}}))
	case 4:
		toggle(endpoint, "conditions", object{})
	case 5:
		toggle(inner(endpoint, "conditions"), pick(m, "ready", "serving"), pick(m, any(nil), true))
	case 6:
		toggle(inner(endpoint, "targetRef"), pick(m, "uid", "name", "fieldPath", "resourceVersion", "apiVersion"), "x")
	case 7:
		toggle(endpoint, "nodeName", pick(m, "", nodes[0]))
	default:
		toggle(endpoint, "unknown", true)
	}
}
