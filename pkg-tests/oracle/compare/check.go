package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"

	"slicewise/oracle"
	"slicewise/oracle/plan"
)

// Check finds errors in a plan by itself, without running the
// reference: order, completeness, and whether a written slice keeps what is not
// the controller's. request and answer are the JSON of both.
func Check(request, answer []byte, p *oracle.Prepared, made *plan.Plan) []string {
	c := &checker{prepared: p, made: made}
	c.envelope()
	c.names()
	c.order()
	c.creates(answer)
	c.updates(request, answer)
	c.turns()
	return c.found
}

type checker struct {
	prepared *oracle.Prepared
	made     *plan.Plan
	found    []string
}

func (c *checker) say(format string, args ...any) {
	c.found = append(c.found, fmt.Sprintf(format, args...))
}

func (c *checker) envelope() {
	if c.made.Service != c.prepared.Key() {
		c.say("service is %s, not %s", c.made.Service, c.prepared.Key())
	}
	if c.made.Requeue != (len(c.made.Errors) > 0) {
		c.say("requeue is %v with %d errors", c.made.Requeue, len(c.made.Errors))
	}
	for _, slice := range slices.Concat(c.made.Create, c.made.Update) {
		if slice.APIVersion != "discovery.k8s.io/v1" || slice.Kind != "EndpointSlice" {
			c.say("slice %q has apiVersion %q and kind %q", slice.Name, slice.APIVersion, slice.Kind)
		}
		if slice.Namespace != c.prepared.Service.Namespace {
			c.say("slice %q is in namespace %q", slice.Name, slice.Namespace)
		}
	}
}

// names checks that every slice of the Service is in exactly one list.
func (c *checker) names() {
	times := map[string]int{}
	for _, slice := range c.made.Update {
		times[slice.Name]++
	}
	for _, ref := range c.made.Delete {
		times[ref.Name]++
	}
	for _, name := range c.made.Unchanged {
		times[name]++
	}
	for _, slice := range c.prepared.Slices {
		if times[slice.Name] != 1 {
			c.say("slice %q is %d times in update, delete and unchanged", slice.Name, times[slice.Name])
		}
		delete(times, slice.Name)
	}
	for name := range times {
		c.say("slice %q is not the Service's", name)
	}
	for _, ref := range c.made.Delete {
		if original := c.prepared.Slice(ref.Name); original != nil &&
			(ref.UID != string(original.UID) || ref.ResourceVersion != original.ResourceVersion) {
			c.say("delete of %q has uid %q, resourceVersion %q", ref.Name, ref.UID, ref.ResourceVersion)
		}
	}
}

func (c *checker) order() {
	if !slices.IsSortedFunc(c.made.Create, func(a, b *discovery.EndpointSlice) int {
		return bytes.Compare([]byte(a.AddressType), []byte(b.AddressType))
	}) {
		c.say("creates are not in order of address type")
	}
	var updates, deletes []string
	for _, slice := range c.made.Update {
		updates = append(updates, slice.Name)
	}
	for _, ref := range c.made.Delete {
		deletes = append(deletes, ref.Name)
	}
	if !slices.IsSorted(updates) || !slices.IsSorted(deletes) || !slices.IsSorted(c.made.Unchanged) {
		c.say("updates, deletes or unchanged are not in order of name")
	}
}

func (c *checker) creates(answer []byte) {
	for _, slice := range c.made.Create {
		if slice.Name != "" || slice.UID != "" || slice.ResourceVersion != "" {
			c.say("a create has name %q, uid %q, resourceVersion %q", slice.Name, slice.UID, slice.ResourceVersion)
		}
		if len(slice.Endpoints) > int(c.prepared.Options.MaxEndpointsPerSlice) {
			c.say("a create has %d endpoints", len(slice.Endpoints))
		}
	}
	if len(c.made.Create) == 0 {
		return
	}
	var raw struct {
		Create []json.RawMessage `json:"create"`
	}
	if err := json.Unmarshal(answer, &raw); err != nil {
		c.say("answer: %v", err)
		return
	}
	for _, text := range raw.Create {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&discovery.EndpointSlice{}); err != nil {
			c.say("a create is no EndpointSlice: %v", err)
		}
	}
}

// rawSlice is a slice as JSON, so that unknown fields are seen, without its
// endpoints.
type rawSlice map[string]any

// rawSlices reads the slices whose fields are given.
func rawSlices(all []map[string]json.RawMessage) []rawSlice {
	read := make([]rawSlice, len(all))
	for i, fields := range all {
		read[i] = rawSlice{}
		for field, text := range fields {
			var value any
			if field != "endpoints" {
				_ = json.Unmarshal(text, &value) // it has been read before
			}
			read[i][field] = value
		}
	}
	return read
}

func (c *checker) updates(request, answer []byte) {
	if len(c.made.Update) == 0 {
		return
	}
	var before struct {
		Slices []map[string]json.RawMessage `json:"slices"`
	}
	var after struct {
		Update []map[string]json.RawMessage `json:"update"`
	}
	if json.Unmarshal(request, &before) != nil || json.Unmarshal(answer, &after) != nil {
		c.say("request or answer is no JSON")
		return
	}
	originals := rawSlices(before.Slices)
	for _, update := range rawSlices(after.Update) {
		for _, original := range originals {
			if update.name() == original.name() && update.meta()["namespace"] == original.meta()["namespace"] {
				c.kept(update, original)
			}
		}
	}
}

func (r rawSlice) meta() map[string]any {
	meta, _ := r["metadata"].(map[string]any)
	return meta
}

func (r rawSlice) name() any { return r.meta()["name"] }

// own are the fields that the controller writes.
var own = map[string]bool{
	"apiVersion": true, "kind": true, "metadata": true, "addressType": true, "endpoints": true, "ports": true,
	"labels": true, "annotations": true, "ownerReferences": true, "generateName": true,
}

// kept checks what must survive an update: every field that is not the
// controller's, and the annotations of others.
func (c *checker) kept(update, original rawSlice) {
	c.keptFields(original.name(), update, original)
	c.keptFields(original.name(), update.meta(), original.meta())
	if update["addressType"] != original["addressType"] {
		c.say("update of %q changes the address type", original.name())
	}
	if got, want := foreignAnnotations(update), foreignAnnotations(original); !maps.Equal(got, want) {
		c.say("update of %q has annotations %v, not %v", original.name(), got, want)
	}
}

func (c *checker) keptFields(name any, update, original map[string]any) {
	for field, value := range original {
		if !own[field] && value != nil && !reflect.DeepEqual(update[field], value) {
			c.say("update of %q has %s %v, not %v", name, field, update[field], value)
		}
	}
	for field := range update {
		if _, ok := original[field]; !ok && !own[field] {
			c.say("update of %q has a new field %s", name, field)
		}
	}
}

func foreignAnnotations(slice rawSlice) map[string]any {
	annotations, _ := slice.meta()["annotations"].(map[string]any)
	annotations = maps.Clone(annotations)
	delete(annotations, corev1.EndpointsLastChangeTriggerTime)
	return annotations
}
