// Package compare decides whether the reference could have made a plan. It
// ranges over Go maps, so which of several equal choices it takes is random;
// Normal drops exactly those identities and keeps the rest. The form is
// documented in pkg-tests/differential/README.md, because the golden cases
// contain it and other languages compare it too.
package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"slicewise/oracle"
	"slicewise/oracle/plan"
)

// Normal is the Service's slices after a plan, and its other effects.
type Normal struct {
	Types   map[string]*TypePart `json:"types"`
	Events  []plan.Event         `json:"events"`
	Errors  []string             `json:"errors"`
	Requeue bool                 `json:"requeue"`
	Stats   plan.Stats           `json:"stats"`
}

// TypePart is the part of one address type; the reference reconciles each
// separately.
type TypePart struct {
	Create  int      `json:"create"`
	Update  int      `json:"update"`
	Delete  int      `json:"delete"`
	Foreign []string `json:"foreign"`
	Emptied []string `json:"emptied"`
	Groups  []*Group `json:"groups"`
	Hints   *Hints   `json:"hints,omitempty"`
}

// Group is the slices with the same set of ports.
type Group struct {
	Ports     string              `json:"ports"`
	Slices    []Slice             `json:"slices"`
	Endpoints []json.RawMessage   `json:"endpoints"`
	Stay      map[string][]string `json:"stay,omitempty"`
}

// Slice is one slice without its name and endpoints.
type Slice struct {
	Op           string                  `json:"op"`
	Size         int                     `json:"size"`
	Kept         int                     `json:"kept"`
	GenerateName string                  `json:"generateName,omitempty"`
	Labels       map[string]string       `json:"labels"`
	Owners       []metav1.OwnerReference `json:"owners"`
	TriggerTime  string                  `json:"triggerTime,omitempty"`
}

// Hints counts the zone hints of ready endpoints where topology mode "Auto"
// chose them: which endpoint serves another zone is random, how many is not.
type Hints struct {
	Own      map[string]int `json:"own"`
	Given    map[string]int `json:"given"`
	Received map[string]int `json:"received"`
}

// Normalise brings a plan for the request into normal form.
func Normalise(p *oracle.Prepared, made *plan.Plan) (*Normal, error) {
	n := &normaliser{
		prepared: p,
		auto:     wantsAuto(p),
		normal: &Normal{
			Types:   map[string]*TypePart{},
			Events:  slices.Clone(made.Events),
			Requeue: made.Requeue,
			Stats:   made.Stats,
			Errors:  []string{},
		},
		homes: homes(p),
	}
	n.lossy = loses(p, made)
	if err := n.read(made); err != nil {
		return nil, err
	}
	n.finish(made)
	return n.normal, nil
}

type normaliser struct {
	prepared *oracle.Prepared
	auto     bool
	lossy    bool
	normal   *Normal
	homes    map[home]int
}

// loses reports that creates were left out because the Service is being deleted:
// which of the new endpoints were in them is random.
func loses(p *oracle.Prepared, made *plan.Plan) bool {
	return p.Service.DeletionTimestamp != nil && made.Stats.Added > 0
}

func (n *normaliser) read(made *plan.Plan) error {
	for _, slice := range made.Create {
		n.part(slice.AddressType).Create++
		n.add("create", slice, nil)
	}
	for _, slice := range made.Update {
		original := n.prepared.Slice(slice.Name)
		if original == nil {
			return fmt.Errorf("update of %q, which is no slice of the Service", slice.Name)
		}
		part := n.part(slice.AddressType)
		part.Update++
		kept := n.add("update", slice, original)
		if kept == 0 && len(original.Endpoints) > 0 {
			part.Emptied = append(part.Emptied, slice.Name)
		}
	}
	for _, ref := range made.Delete {
		original := n.prepared.Slice(ref.Name)
		if original == nil {
			return fmt.Errorf("delete of %q, which is no slice of the Service", ref.Name)
		}
		n.remove(original)
	}
	for _, name := range made.Unchanged {
		original := n.prepared.Slice(name)
		if original == nil {
			return fmt.Errorf("unchanged %q is no slice of the Service", name)
		}
		n.add("unchanged", original, original)
	}
	return nil
}

// remove counts a deleted slice. Which of the emptied slices is deleted and
// which one is reused for a new slice is random; slices of another owner are
// never reused.
func (n *normaliser) remove(original *discovery.EndpointSlice) {
	part := n.part(original.AddressType)
	part.Delete++
	switch {
	case !ownedBy(original, n.prepared.Service):
		part.Foreign = append(part.Foreign, original.Name)
	case len(original.Endpoints) > 0:
		part.Emptied = append(part.Emptied, original.Name)
	}
}

// add records one slice that exists after the plan, and returns how many of its
// endpoints were in it before.
func (n *normaliser) add(op string, slice, original *discovery.EndpointSlice) int {
	group := n.group(slice)
	kept := n.keep(group, slice, original)
	for i := range slice.Endpoints {
		if kept[i] || !n.lossy {
			group.Endpoints = append(group.Endpoints, n.endpoint(slice, slice.Endpoints[i]))
		}
	}
	record := Slice{
		Op:          op,
		Size:        len(slice.Endpoints),
		Kept:        len(kept),
		Labels:      slice.Labels,
		Owners:      slice.OwnerReferences,
		TriggerTime: slice.Annotations[corev1.EndpointsLastChangeTriggerTime],
	}
	if op == "create" {
		record.GenerateName = slice.GenerateName
	}
	group.Slices = append(group.Slices, record)
	return len(kept)
}

// keep finds the endpoints that stayed in their slice. An endpoint that was in
// only one slice must stay there as long as it is wanted.
func (n *normaliser) keep(group *Group, slice, original *discovery.EndpointSlice) map[int]bool {
	if !mayKeep(original, group.Ports, n.prepared) {
		return nil
	}
	before := map[string]bool{}
	for i := range original.Endpoints {
		before[identity(&original.Endpoints[i])] = true
	}
	kept := map[int]bool{}
	var stay []string
	for i := range slice.Endpoints {
		id := identity(&slice.Endpoints[i])
		if !before[id] {
			continue
		}
		kept[i] = true
		if n.homes[home{string(slice.AddressType), group.Ports, id}] == 1 {
			stay = append(stay, id)
		}
	}
	if len(stay) > 0 {
		slices.Sort(stay)
		group.Stay[slice.Name] = stay
	}
	return kept
}

// endpoint is the whole endpoint as text, without the hints that "Auto" chose.
func (n *normaliser) endpoint(slice *discovery.EndpointSlice, endpoint discovery.Endpoint) json.RawMessage {
	endpoint.Addresses = slices.Sorted(slices.Values(endpoint.Addresses))
	if n.auto && ready(&endpoint) && hintText(&endpoint) != "" {
		if !n.lossy {
			n.part(slice.AddressType).count(&endpoint)
		}
		hints := *endpoint.Hints
		hints.ForZones = nil
		endpoint.Hints = &hints
	}
	return canonical(endpoint)
}

func (t *TypePart) count(endpoint *discovery.Endpoint) {
	if t.Hints == nil {
		t.Hints = &Hints{Own: map[string]int{}, Given: map[string]int{}, Received: map[string]int{}}
	}
	own, hinted := zone(endpoint), hintText(endpoint)
	if hinted == own {
		t.Hints.Own[own]++
		return
	}
	t.Hints.Given[own]++
	t.Hints.Received[hinted]++
}

func (n *normaliser) part(addressType discovery.AddressType) *TypePart {
	part := n.normal.Types[string(addressType)]
	if part == nil {
		part = &TypePart{Foreign: []string{}, Emptied: []string{}, Groups: []*Group{}}
		n.normal.Types[string(addressType)] = part
	}
	return part
}

func (n *normaliser) group(slice *discovery.EndpointSlice) *Group {
	part, ports := n.part(slice.AddressType), PortsText(slice.Ports)
	for _, group := range part.Groups {
		if group.Ports == ports {
			return group
		}
	}
	group := &Group{Ports: ports, Slices: []Slice{}, Endpoints: []json.RawMessage{}, Stay: map[string][]string{}}
	part.Groups = append(part.Groups, group)
	return group
}

// finish sorts what has no order.
func (n *normaliser) finish(made *plan.Plan) {
	oracle.SortBy(n.normal.Events, func(e plan.Event) string { return e.Message + "\x00" + e.Reason + "\x00" + e.Type })
	for _, problem := range made.Errors {
		n.normal.Errors = append(n.normal.Errors, problem.Code+" "+problem.Pod)
	}
	slices.Sort(n.normal.Errors)
	n.normal.Errors = slices.Compact(n.normal.Errors)
	for _, part := range n.normal.Types {
		slices.Sort(part.Foreign)
		slices.Sort(part.Emptied)
		oracle.SortBy(part.Groups, func(g *Group) string { return g.Ports })
		for _, group := range part.Groups {
			oracle.SortBy(group.Slices, func(s Slice) string { return string(canonical(s)) })
			oracle.SortBy(group.Endpoints, func(e json.RawMessage) string { return string(e) })
		}
	}
	if n.normal.Events == nil {
		n.normal.Events = []plan.Event{}
	}
}

// Parts splits the form into what the reference decides independently, so that
// independent random choices need not coincide in one run. Groups of ports are
// packed separately; what they share, the number of writes and the hints, is a
// part of its own, and so are the zones that received hints and the list of
// groups: while the Service is being deleted, some may be lost.
func (n *Normal) Parts() map[string]string {
	parts := map[string]string{
		"events": string(canonical(n.Events)),
		"errors": string(canonical([]any{n.Errors, n.Requeue})),
		"stats":  string(canonical(n.Stats)),
		"types":  fmt.Sprint(slices.Sorted(maps.Keys(n.Types))),
	}
	for addressType, part := range n.Types {
		common := *part
		common.Groups = nil
		if part.Hints != nil {
			parts[received(addressType)] = string(canonical(part.Hints.Received))
			common.Hints = &Hints{Own: part.Hints.Own, Given: part.Hints.Given}
		}
		parts[addressType] = string(canonical(common))
		var groups []string
		for _, group := range part.Groups {
			parts[addressType+" "+group.Ports] = string(canonical(group))
			groups = append(groups, group.Ports)
		}
		parts[addressType+" groups"] = string(canonical(groups))
	}
	return parts
}

// received names the part with the zones that received hints.
func received(addressType string) string { return addressType + " received" }

// Text is the form on one line.
func (n *Normal) Text() string { return string(canonical(n)) }
