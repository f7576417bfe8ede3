package oracle

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"

	"slicewise/oracle/plan"
)

// Outcome is what the reference did in one run.
type Outcome struct {
	Service   plan.Key                   `json:"service"`
	Create    []*discovery.EndpointSlice `json:"create"`
	Update    []*discovery.EndpointSlice `json:"update"`
	Delete    []string                   `json:"delete"`
	Unchanged []string                   `json:"unchanged"`
	Events    []plan.Event               `json:"events"`
	Errors    []plan.Problem             `json:"errors"`
	Writes    []Write                    `json:"writes"`
	Stats     plan.Stats                 `json:"stats"`
	Topology  Topology                   `json:"topology"`
}

func (p *Prepared) outcome(rec *recorder, problems []plan.Problem) *Outcome {
	o := &Outcome{Service: p.Key(), Events: rec.events, Errors: problems, Writes: rec.writes}
	touched := map[string]bool{}
	for _, write := range rec.writes {
		switch write.Verb {
		case "create":
			o.Create = append(o.Create, write.Slice)
		case "update":
			o.Update = append(o.Update, write.Slice)
			touched[write.Name] = true
		case "delete":
			o.Delete = append(o.Delete, write.Name)
			touched[write.Name] = true
		}
	}
	for _, slice := range p.Slices {
		if !touched[slice.Name] {
			o.Unchanged = append(o.Unchanged, slice.Name)
		}
	}
	return o
}

// Plan is the outcome in the form and order of a slicewise plan, with what
// slicewise keeps of an existing slice and the reference does not: the reference
// writes a recycled slice without uid, resourceVersion, finalizers and the
// annotations of others.
func (o *Outcome) Plan(p *Prepared) *plan.Plan {
	result := &plan.Plan{
		Service:   o.Service,
		Create:    deepCopies(o.Create),
		Update:    deepCopies(o.Update),
		Unchanged: slices.Clone(o.Unchanged),
		Events:    slices.Clone(o.Events),
		Errors:    slices.Clone(o.Errors),
		Requeue:   len(o.Errors) > 0,
		Stats:     o.Stats,
	}
	for _, slice := range slices.Concat(result.Create, result.Update) {
		slice.Kind, slice.APIVersion = "EndpointSlice", "discovery.k8s.io/v1"
	}
	for _, slice := range result.Update {
		if original := p.Slice(slice.Name); original != nil {
			keepMetadata(slice, original)
		}
	}
	for _, name := range o.Delete {
		original := p.Slice(name)
		result.Delete = append(result.Delete, plan.Ref{Name: name, UID: string(original.UID), ResourceVersion: original.ResourceVersion})
	}
	slices.SortStableFunc(result.Create, func(a, b *discovery.EndpointSlice) int {
		return strings.Compare(string(a.AddressType), string(b.AddressType))
	})
	slices.SortFunc(result.Update, func(a, b *discovery.EndpointSlice) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(result.Delete, func(a, b plan.Ref) int { return strings.Compare(a.Name, b.Name) })
	slices.Sort(result.Unchanged)
	return result
}

// keepMetadata gives a written slice all of the original's metadata except
// labels, owners and the trigger time.
func keepMetadata(slice, original *discovery.EndpointSlice) {
	kept := original.ObjectMeta.DeepCopy()
	kept.Labels, kept.OwnerReferences = slice.Labels, slice.OwnerReferences
	annotations := maps.Clone(kept.Annotations)
	delete(annotations, corev1.EndpointsLastChangeTriggerTime)
	if at, ok := slice.Annotations[corev1.EndpointsLastChangeTriggerTime]; ok {
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations[corev1.EndpointsLastChangeTriggerTime] = at
	}
	kept.Annotations = annotations
	slice.ObjectMeta = *kept
}

// After is the Service's slices once the outcome is applied, creates nameless.
func (o *Outcome) After(p *Prepared) []*discovery.EndpointSlice {
	var after []*discovery.EndpointSlice
	for _, name := range o.Unchanged {
		after = append(after, p.Slice(name))
	}
	return slices.Concat(after, o.Update, o.Create)
}
