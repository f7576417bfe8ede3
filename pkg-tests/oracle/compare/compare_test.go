package compare_test

import (
	"encoding/json"
	"os"
	"testing"

	"slicewise/oracle"
	"slicewise/oracle/compare"
	"slicewise/oracle/generate"
	"slicewise/oracle/planner"
)

type object = map[string]any

// mutation breaks a plan; it is false if the plan has nothing to break.
type mutation struct {
	name  string
	spoil func(made object) bool
}

func list(o object, field string) []object {
	items, _ := o[field].([]any)
	objects := make([]object, len(items))
	for i, item := range items {
		objects[i], _ = item.(object)
	}
	return objects
}

func part(o object, field string) object {
	inner, _ := o[field].(object)
	return inner
}

// first finds the first create or update that has endpoints.
func first(made object) object {
	for _, field := range []string{"update", "create"} {
		for _, slice := range list(made, field) {
			if len(list(slice, "endpoints")) > 0 {
				return slice
			}
		}
	}
	return nil
}

// inEndpoint breaks the first written endpoint.
func inEndpoint(spoil func(object) bool) func(object) bool {
	return func(made object) bool {
		slice := first(made)
		return slice != nil && spoil(list(slice, "endpoints")[0])
	}
}

// inSlice breaks the first written slice.
func inSlice(spoil func(object) bool) func(object) bool {
	return func(made object) bool {
		slice := first(made)
		return slice != nil && spoil(slice)
	}
}

// shorten drops the first element of a list.
func shorten(field string) func(object) bool {
	return func(o object) bool {
		items, _ := o[field].([]any)
		if len(items) == 0 {
			return false
		}
		o[field] = items[1:]
		return true
	}
}

// set changes one field, which must exist.
func set(field string, value any) func(object) bool {
	return func(o object) bool {
		if _, ok := o[field]; !ok {
			return false
		}
		o[field] = value
		return true
	}
}

func within(field string, spoil func(object) bool) func(object) bool {
	return func(o object) bool { inner := part(o, field); return inner != nil && spoil(inner) }
}

func inFirst(field string, spoil func(object) bool) func(object) bool {
	return func(o object) bool { items := list(o, field); return len(items) > 0 && spoil(items[0]) }
}

func drop(field string) func(object) bool {
	return func(o object) bool {
		_, ok := o[field]
		delete(o, field)
		return ok
	}
}

// forget moves an update to the unchanged slices.
func forget(made object) bool {
	updates := list(made, "update")
	if len(updates) == 0 {
		return false
	}
	unchanged, _ := made["unchanged"].([]any)
	made["unchanged"] = append([]any{part(updates[0], "metadata")["name"]}, unchanged...)
	return shorten("update")(made)
}

// swap exchanges all endpoints of two updated slices of one type. Among new
// endpoints that is allowed.
func swap(made object) bool {
	if part(made, "stats")["added"] != 0.0 {
		return false
	}
	updates := list(made, "update")
	for i, a := range updates {
		for _, b := range updates[i+1:] {
			if a["addressType"] == b["addressType"] && len(list(a, "endpoints")) > 0 && len(list(b, "endpoints")) > 0 {
				a["endpoints"], b["endpoints"] = b["endpoints"], a["endpoints"]
				return true
			}
		}
	}
	return false
}

// move takes an endpoint from one create to another one.
func move(made object) bool {
	creates := list(made, "create")
	for i, a := range creates {
		for _, b := range creates[i+1:] {
			from, _ := a["endpoints"].([]any)
			to, _ := b["endpoints"].([]any)
			if a["addressType"] == b["addressType"] && len(from) > len(to)+1 {
				a["endpoints"], b["endpoints"] = from[1:], append(to, from[0])
				return true
			}
		}
	}
	return false
}

// hinted is a written endpoint with its own zone and its hinted zone.
type hinted struct {
	endpoint object
	own, to  string
}

func hints(slices []object) []hinted {
	var all []hinted
	for _, slice := range slices {
		for _, endpoint := range list(slice, "endpoints") {
			if zones := list(part(endpoint, "hints"), "forZones"); len(zones) == 1 {
				own, _ := endpoint["zone"].(string)
				to, _ := zones[0]["name"].(string)
				all = append(all, hinted{endpoint, own, to})
			}
		}
	}
	return all
}

func (h hinted) gives() bool { return h.to != h.own }

func (h hinted) hint(zone string) {
	h.endpoint["hints"] = object{"forZones": []any{object{"name": zone}}}
}

// giving breaks a plan at the first pair of an endpoint that serves another
// zone and any other suitable endpoint.
func giving(spoil func(gives, other hinted) bool) func(object) bool {
	return func(made object) bool {
		all := hints(append(list(made, "update"), list(made, "create")...))
		for _, gives := range all {
			for _, other := range all {
				if gives.gives() && spoil(gives, other) {
					return true
				}
			}
		}
		return false
	}
}

// receiverGives takes an endpoint of a zone that receives instead.
func receiverGives(gives, other hinted) bool {
	if other.gives() || other.own != gives.to {
		return false
	}
	gives.hint(gives.own)
	other.hint(gives.own)
	return true
}

// giverReceives sends an endpoint to another zone that gives.
func giverReceives(gives, other hinted) bool {
	if !other.gives() || other.own == gives.own {
		return false
	}
	gives.hint(other.own)
	return true
}

// later makes the last endpoint of a zone give instead of the first one. Among
// new endpoints that is allowed.
func later(made object) bool {
	if part(made, "stats")["added"] != 0.0 {
		return false
	}
	for _, slice := range list(made, "update") {
		all := hints([]object{slice})
		for i, gives := range all {
			for _, other := range all[i:] {
				if gives.gives() && !other.gives() && other.own == gives.own {
					gives.hint(gives.own)
					other.hint(gives.to)
					return true
				}
			}
		}
	}
	return false
}

var mutations = []mutation{
	{"endpoint dropped", inSlice(shorten("endpoints"))},
	{"endpoint twice", inSlice(func(s object) bool {
		items, _ := s["endpoints"].([]any)
		s["endpoints"] = append(items, items[0])
		return true
	})},
	{"address changed", inEndpoint(set("addresses", []any{"192.0.2.99"}))},
	{"ready flipped", inEndpoint(within("conditions", func(c object) bool { c["ready"] = c["ready"] != true; return true }))},
	{"serving lost", inEndpoint(within("conditions", drop("serving")))},
	{"zone changed", inEndpoint(set("zone", "zone-x"))},
	{"node lost", inEndpoint(drop("nodeName"))},
	{"target changed", inEndpoint(within("targetRef", set("uid", "other")))},
	{"hostname invented", inEndpoint(func(e object) bool { e["hostname"] = "invented"; return true })},
	{"zone hint wrong", inEndpoint(within("hints", set("forZones", []any{object{"name": "zone-x"}})))},
	{"node hint wrong", inEndpoint(within("hints", set("forNodes", []any{object{"name": "node-x"}})))},
	{"hints lost", inEndpoint(drop("hints"))},
	{"a later endpoint gives", later},
	{"a receiving zone gives", giving(receiverGives)},
	{"a giving zone receives", giving(giverReceives)},
	{"hints invented", inEndpoint(func(e object) bool {
		if e["hints"] != nil {
			return false
		}
		e["hints"] = object{"forZones": []any{object{"name": "zone-a"}}}
		return true
	})},
	{"port changed", inSlice(inFirst("ports", set("port", 1)))},
	{"port dropped", inSlice(shorten("ports"))},
	{"protocol lost", inSlice(inFirst("ports", drop("protocol")))},
	{"label added", inSlice(within("metadata", within("labels", func(l object) bool { l["extra"] = ""; return true })))},
	{"label lost", inSlice(within("metadata", within("labels", drop("kubernetes.io/service-name"))))},
	{"owner lost", inSlice(within("metadata", drop("ownerReferences")))},
	{"owner changed", inSlice(within("metadata", inFirst("ownerReferences", set("uid", "other"))))},
	{"trigger time changed", inSlice(within("metadata", within("annotations",
		set("endpoints.kubernetes.io/last-change-trigger-time", "2020-01-01T00:00:00Z"))))},
	{"name prefix changed", inFirst("create", within("metadata", set("generateName", "other-")))},
	{"name in create", inFirst("create", within("metadata", func(m object) bool { m["name"] = "named"; return true }))},
	{"unknown field in create", inFirst("create", func(s object) bool { s["extra"] = 1; return true })},
	{"kind missing", inSlice(drop("kind"))},
	{"uid lost", inFirst("update", within("metadata", drop("uid")))},
	{"version lost", inFirst("update", within("metadata", drop("resourceVersion")))},
	{"finalizers lost", inFirst("update", within("metadata", drop("finalizers")))},
	{"unknown field lost", inFirst("update", func(s object) bool {
		if s["futureField"] == nil {
			return false
		}
		delete(s, "futureField")
		return true
	})},
	{"address type changed", inFirst("update", set("addressType", "FQDN"))},
	{"create dropped", shorten("create")},
	{"update dropped", shorten("update")},
	{"update forgotten", forget},
	{"delete dropped", shorten("delete")},
	{"delete of another uid", inFirst("delete", set("uid", "other"))},
	{"unchanged dropped", shorten("unchanged")},
	{"endpoints swapped", swap},
	{"endpoint in another new slice", move},
	{"event dropped", shorten("events")},
	{"event invented", func(p object) bool {
		items, _ := p["events"].([]any)
		p["events"] = append(items, object{"type": "Normal", "reason": "Invented", "message": "nothing"})
		return true
	}},
	{"event text changed", inFirst("events", set("message", "hm"))},
	{"event type changed", inFirst("events", set("type", "Odd"))},
	{"error dropped", func(p object) bool { p["requeue"] = false; return shorten("errors")(p) }},
	{"error for another pod", inFirst("errors", set("pod", "other"))},
	{"requeue flipped", func(p object) bool { p["requeue"] = p["requeue"] != true; return true }},
	{"added miscounted", within("stats", set("added", 12345))},
	{"service renamed", within("service", set("name", "other"))},
}

// sample is how many plans each mutation must break, unless its subject is rare.
const sample = 4

// sampled is how many cases are searched for subjects.
const sampled = 400

// pair is a request and the reference's answer.
type pair struct{ request, answer []byte }

func pairs(t *testing.T) []pair {
	t.Helper()
	var all []pair
	for i := range sampled {
		request := generate.Single(3, i).JSON()
		answers, err := planner.Self{}.Plan([][]byte{request})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, pair{request, answers[0]})
	}
	return all
}

func (p pair) match(t *testing.T, runs int) compare.Verdict {
	t.Helper()
	parsed, err := oracle.Parse(p.request)
	if err != nil {
		t.Fatal(err)
	}
	return compare.Match(compare.Subject{
		Request: p.request, Answer: p.answer, Prepared: oracle.Prepare(parsed), Runs: runs,
	})
}

func TestTheReferenceMatchesItself(t *testing.T) {
	for i, p := range pairs(t) {
		if verdict := p.match(t, compare.Runs); !verdict.OK {
			t.Errorf("case %d: %s: %s\n%s", i, verdict.Kind, verdict.Detail, p.request)
		}
	}
}

func TestEveryMutationIsCaught(t *testing.T) {
	all := pairs(t)
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			met := 0
			for _, p := range all {
				var made object
				if err := json.Unmarshal(p.answer, &made); err != nil {
					t.Fatal(err)
				}
				if !m.spoil(made) {
					continue
				}
				p.answer = generate.Encode(made)
				if verdict := p.match(t, 20); verdict.OK {
					t.Fatalf("not caught:\n%s\n%s", p.request, p.answer)
				}
				if met++; met == sample {
					break
				}
			}
			if met == 0 {
				t.Error("no plan to spoil")
			}
		})
	}
}

// TestSharesTooRareToBeMet sends all surplus endpoints to one zone, where the
// reference draws a zone for each endpoint: the zone that needs so many may get
// them, although hardly any run would show it.
func TestSharesTooRareToBeMet(t *testing.T) {
	request := generate.Single(20261121, 39103).JSON()
	for zone, possible := range map[string]bool{"zone-b": true, "zone-d": false} {
		answers, err := planner.Self{}.Plan([][]byte{request})
		if err != nil {
			t.Fatal(err)
		}
		var made object
		if err := json.Unmarshal(answers[0], &made); err != nil {
			t.Fatal(err)
		}
		for _, h := range hints(list(made, "update")) {
			if h.gives() {
				h.hint(zone)
			}
		}
		verdict := pair{request, generate.Encode(made)}.match(t, 20)
		if verdict.OK != possible {
			t.Errorf("%s: %+v", zone, verdict)
		}
	}
}

// TestLostEndpointsHideNoFault breaks hints of Services that are being deleted.
func TestLostEndpointsHideNoFault(t *testing.T) {
	met := 0
	for _, p := range pairs(t) {
		p = p.deleted(t)
		var made object
		if err := json.Unmarshal(p.answer, &made); err != nil {
			t.Fatal(err)
		}
		if part(made, "stats")["added"] == 0.0 || !giving(receiverGives)(made) && !giving(giverReceives)(made) {
			continue
		}
		met++
		if verdict := p.match(t, compare.Runs); !verdict.OK {
			t.Errorf("false alarm: %s: %s", verdict.Kind, verdict.Detail)
		}
		p.answer = generate.Encode(made)
		if verdict := p.match(t, 20); verdict.OK {
			t.Fatalf("not caught:\n%s\n%s", p.request, p.answer)
		}
	}
	if met < sample {
		t.Errorf("only %d plans to spoil", met)
	}
}

// TestDeletedServicesShowNotAllTheirTypes wants hints for two address types. The
// plan shows neither, because a Service that is being deleted creates nothing, and
// still the one that comes last decides what the topology cache remembers.
func TestDeletedServicesShowNotAllTheirTypes(t *testing.T) {
	request, err := os.ReadFile("testdata/deleted-of-two-types.json")
	if err != nil {
		t.Fatal(err)
	}
	answers, err := planner.Self{}.Plan([][]byte{request})
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := oracle.Parse(request)
	if err != nil {
		t.Fatal(err)
	}
	verdict := compare.Match(compare.Subject{
		Request: request, Answer: answers[0], Prepared: oracle.Prepare(parsed), InHistory: true,
	})
	if !verdict.OK || len(verdict.After) != 2 {
		t.Errorf("%d states of the topology cache, want 2: %+v", len(verdict.After), verdict)
	}
}

// deleted is the same case while the Service is being deleted.
func (p pair) deleted(t *testing.T) pair {
	t.Helper()
	var request object
	if err := json.Unmarshal(p.request, &request); err != nil {
		t.Fatal(err)
	}
	part(part(request, "service"), "metadata")["deletionTimestamp"] = "2026-01-01T00:00:00Z"
	p.request = generate.Encode(request)
	answers, err := planner.Self{}.Plan([][]byte{p.request})
	if err != nil {
		t.Fatal(err)
	}
	p.answer = answers[0]
	return p
}

func TestTypedErrorIsADivergence(t *testing.T) {
	p := pairs(t)[0]
	p.answer = []byte(`{"error":{"code":"InvalidValue","message":"no","path":"/service"}}`)
	if verdict := p.match(t, 1); verdict.OK || verdict.Kind != "error" {
		t.Errorf("got %+v", verdict)
	}
}
