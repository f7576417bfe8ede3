package migration

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	discovery "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/controller/endpointslicemirroring"
)

type mirrorPlan struct {
	Create    []*discovery.EndpointSlice `json:"create"`
	Update    []*discovery.EndpointSlice `json:"update"`
	Delete    []sliceRef                 `json:"delete"`
	Unchanged []string                   `json:"unchanged"`
	Events    []event                    `json:"events"`
	Reasons   map[string][]string        `json:"reasons"`
	Skipped   *string                    `json:"skipped"`
}

type sliceRef struct {
	Name            string `json:"name"`
	UID             string `json:"uid"`
	ResourceVersion string `json:"resourceVersion"`
}

// Sequences of changes, each mirrored by both.
func TestMirror(t *testing.T) {
	ours := start(t, "mirror")
	reached := map[string]int{}
	each(t, 1, func(number int, random *rand.Rand) {
		world := newMirrorWorld(random)
		for step := range 2 + random.IntN(4) {
			if step > 0 {
				world.change()
			}
			request := world.request.json()
			var plan mirrorPlan
			answer := ours.ask(request, &plan)
			reference := mirrorReference(t, &world.request, world.listed(&plan))
			problem := ""
			if reference == nil {
				reached["stuck"]++
				problem = world.compareWithoutRecycling(t, &plan)
			} else {
				problem = compareMirror(&world.request, &plan, reference)
			}
			if problem == "" && world.isDeleted() {
				if undeleted := mirrorReference(t, world.undeleted(), world.listed(&plan)); undeleted != nil {
					problem = compareRecycled(&world.request, &plan, undeleted)
				}
			}
			if problem != "" {
				t.Errorf("seed %d, case %d, step %d: %s\nrequest: %s\nslicewise: %sreference: %s", *seed, number, step, problem, request, answer, marshal(reference))
				return
			}
			count(reached, &plan)
			world.apply(&plan)
		}
	})
	if *only >= 0 || *cases < 1000 {
		return
	}
	for _, what := range []string{
		"create", "update", "delete", "unchanged", "InvalidIPAddress", "TooManyAddressesToMirror", "Recycled", "NotOwned", "AnnotationsChanged", "LabelsChanged",
		"EndpointsAdded", "EndpointsChanged", "EndpointsNotFound", "SkipMirrorLabel", "LeaderElection", "ServiceNotFound", "ServiceHasSelector", "stuck",
	} {
		if reached[what] < 20 {
			t.Errorf("%s: %d times only", what, reached[what])
		}
	}
}

func count(reached map[string]int, plan *mirrorPlan) {
	for what, times := range map[string]int{"create": len(plan.Create), "update": len(plan.Update), "delete": len(plan.Delete), "unchanged": len(plan.Unchanged)} {
		reached[what] += times
	}
	for _, event := range plan.Events {
		reached[event.Reason]++
	}
	for _, reasons := range plan.Reasons {
		for _, reason := range reasons {
			reached[reason]++
		}
	}
	if plan.Skipped != nil {
		reached[*plan.Skipped]++
	}
}

// listed is the order in which the reference sees the slices: those that ours
// keeps come first, so that the order of a map does not matter.
func (w *mirrorWorld) listed(plan *mirrorPlan) []*discovery.EndpointSlice {
	kept, others := w.split(plan)
	return slices.Concat(kept, others)
}

// split separates the slices that ours keeps from all others.
func (w *mirrorWorld) split(plan *mirrorPlan) ([]*discovery.EndpointSlice, []*discovery.EndpointSlice) {
	kept := func(slice *discovery.EndpointSlice) bool {
		if slices.Contains(plan.Unchanged, slice.Name) {
			return true
		}
		return slices.ContainsFunc(plan.Update, func(update *discovery.EndpointSlice) bool {
			return update.Name == slice.Name && group(update) == group(slice)
		})
	}
	var first, later []*discovery.EndpointSlice
	for _, slice := range w.request.Slices {
		if kept(slice) {
			first = append(first, slice)
		} else {
			later = append(later, slice)
		}
	}
	return first, later
}

// apply applies the plan to the slices.
func (w *mirrorWorld) apply(plan *mirrorPlan) {
	var after []*discovery.EndpointSlice
	for _, slice := range w.request.Slices {
		is := func(other *discovery.EndpointSlice) bool {
			return other.Name == slice.Name && other.Namespace == slice.Namespace
		}
		if place := slices.IndexFunc(plan.Update, is); place >= 0 {
			after = append(after, plan.Update[place])
			continue
		}
		if slices.ContainsFunc(plan.Delete, func(ref sliceRef) bool { return ref.UID == string(slice.UID) }) {
			continue
		}
		after = append(after, slice)
	}
	for _, slice := range plan.Create {
		w.name(slice)
		after = append(after, slice)
	}
	w.request.Slices = after
}

// compareMirror reports how the two differ, ignoring what the order of Go maps
// decides in the reference: the order of endpoints and ports (the latter by
// hash), which slice is recycled for which, and which endpoints a group keeps
// that two subsets have together filled beyond the limit.
func compareMirror(request *mirrorRequest, plan *mirrorPlan, reference *mirrorOutcome) string {
	if have, want := marshal(plan.Events), marshal(reference.Events); !bytes.Equal(have, want) && len(plan.Events)+len(reference.Events) > 0 {
		return fmt.Sprintf("events\n%s\n%s", have, want)
	}
	if have, want := skips(plan), reason(request); have != want {
		return fmt.Sprintf("skipped %q, not %q", have, want)
	}
	for _, update := range plan.Update {
		original := original(request, update.Name)
		if update.UID != original.UID || update.ResourceVersion != original.ResourceVersion || !slices.Equal(update.Finalizers, original.Finalizers) {
			return update.Name + " is not updated as what it was"
		}
	}
	for _, ref := range plan.Delete {
		if original := original(request, ref.Name); ref.UID != string(original.UID) || ref.ResourceVersion != original.ResourceVersion {
			return ref.Name + " is not deleted as what it was"
		}
	}
	var deleted []string
	for _, ref := range plan.Delete {
		deleted = append(deleted, ref.Name)
	}
	describe := describe
	if request.Endpoints != nil && request.Endpoints.DeletionTimestamp != nil {
		// Only recycled slices are written, and a map's order decides which ones.
		describe = func(request *mirrorRequest, create, update []*discovery.EndpointSlice, deleted []string) string {
			return describeNew(request, create, update, deleted, func(slice *discovery.EndpointSlice) string { return string(slice.AddressType) })
		}
	}
	have := describe(request, plan.Create, plan.Update, deleted)
	want := describe(request, reference.Create, reference.Update, reference.Delete)
	if have != want {
		return fmt.Sprintf("slices\n%s\n---\n%s", have, want)
	}
	return ""
}

// compareWithoutRecycling reports how the two differ if the reference only sees
// the slices that ours keeps, so that it has none to recycle; and whether ours
// recycles fewer than it could.
func (w *mirrorWorld) compareWithoutRecycling(t *testing.T, plan *mirrorPlan) string {
	kept, _ := w.split(plan)
	reference := mirrorReference(t, &w.request, kept)
	written := func(create, update []*discovery.EndpointSlice) string {
		var lines []string
		for _, slice := range slices.Concat(create, update) {
			lines = append(lines, content(&w.request, slice))
		}
		slices.Sort(lines)
		return strings.Join(lines, "\n")
	}
	if have, want := written(plan.Create, plan.Update), written(reference.Create, reference.Update); have != want || len(reference.Delete) > 0 {
		return fmt.Sprintf("without recycling\n%s\n---\n%s", have, want)
	}
	families := map[discovery.AddressType]bool{}
	for _, ref := range plan.Delete {
		families[original(&w.request, ref.Name).AddressType] = true
	}
	for _, slice := range plan.Create {
		if families[slice.AddressType] {
			return fmt.Sprintf("%s slices are both created and deleted", slice.AddressType)
		}
	}
	return ""
}

func (w *mirrorWorld) isDeleted() bool {
	return w.request.Endpoints != nil && w.request.Endpoints.DeletionTimestamp != nil
}

func (w *mirrorWorld) undeleted() *mirrorRequest {
	request := w.request
	request.Endpoints = request.Endpoints.DeepCopy()
	request.Endpoints.DeletionTimestamp = nil
	return &request
}

// compareRecycled reports which slice the plan recycles into one that the
// reference would not want if the Endpoints were not being deleted.
func compareRecycled(request *mirrorRequest, plan *mirrorPlan, reference *mirrorOutcome) string {
	var wanted []string
	for _, slice := range slices.Concat(reference.Create, reference.Update) {
		wanted = append(wanted, content(request, slice))
	}
	for _, slice := range plan.Update {
		if have := content(request, slice); !slices.Contains(wanted, have) {
			return fmt.Sprintf("not wanted\n%s\n%s", have, strings.Join(wanted, "\n"))
		}
	}
	return ""
}

func skips(plan *mirrorPlan) string {
	if plan.Skipped == nil {
		return ""
	}
	return *plan.Skipped
}

// reason is why nothing should be mirrored, in words that the reference only
// logs.
func reason(request *mirrorRequest) string {
	endpoints := request.Endpoints
	switch {
	case endpoints == nil:
		return "EndpointsNotFound"
	case endpoints.Labels[discovery.LabelSkipMirror] == "true":
		return "SkipMirrorLabel"
	case endpoints.Annotations[leader] != "":
		return "LeaderElection"
	case request.Service == nil:
		return "ServiceNotFound"
	case request.Service.Spec.Selector != nil:
		return "ServiceHasSelector"
	}
	return ""
}

func original(request *mirrorRequest, name string) *discovery.EndpointSlice {
	for _, slice := range request.Slices {
		if slice.Name == name && slice.Namespace == request.Namespace {
			return slice
		}
	}
	return &discovery.EndpointSlice{ObjectMeta: metav1.ObjectMeta{UID: "none"}}
}

// group is the family and the ports of a slice.
func group(slice *discovery.EndpointSlice) string {
	return string(slice.AddressType) + " " + ports(slice)
}

func ports(slice *discovery.EndpointSlice) string {
	var ports []string
	for _, port := range slice.Ports {
		ports = append(ports, string(marshal(port)))
	}
	slices.Sort(ports)
	return strings.Join(ports, ",")
}

// describe ignores which slices are recycled, and for which new ones.
func describe(request *mirrorRequest, create, update []*discovery.EndpointSlice, deleted []string) string {
	return describeNew(request, create, update, deleted, func(slice *discovery.EndpointSlice) string { return content(request, slice) })
}

// describeNew describes new slices as the caller asks.
func describeNew(request *mirrorRequest, create, update []*discovery.EndpointSlice, deleted []string, describe func(*discovery.EndpointSlice) string) string {
	var lines []string
	gone := slices.Clone(deleted)
	recycled := map[discovery.AddressType]int{}
	for _, slice := range create {
		if slice.Name != "" {
			lines = append(lines, "create "+slice.Name)
		}
		lines = append(lines, "new "+describe(slice))
		recycled[slice.AddressType] += 0
		lines = append(lines, "prefix "+slice.GenerateName)
	}
	for _, slice := range update {
		if group(slice) != group(original(request, slice.Name)) {
			gone = append(gone, slice.Name)
			lines = append(lines, "new "+describe(slice))
			recycled[slice.AddressType]++
			continue
		}
		lines = append(lines, "update "+slice.Name+" "+content(request, slice))
	}
	slices.Sort(lines)
	slices.Sort(gone)
	return fmt.Sprintf("%s\nrecycled %v, or gone %s", strings.Join(lines, "\n"), recycled, strings.Join(gone, " "))
}

func content(request *mirrorRequest, slice *discovery.EndpointSlice) string {
	var endpoints []string
	for _, endpoint := range slice.Endpoints {
		endpoints = append(endpoints, string(marshal(endpoint)))
	}
	slices.Sort(endpoints)
	mayOverflow := ports(slice) == "" || strings.Contains(ports(slice), "appProtocol")
	if mayOverflow && len(endpoints) == int(request.Options.MaxEndpointsPerSubset) {
		endpoints = []string{fmt.Sprint(len(endpoints))}
	}
	return fmt.Sprintf("%s %s labels %s annotations %s owners %s endpoints %s",
		slice.Namespace, group(slice), marshal(slice.Labels), orEmpty(slice.Annotations), marshal(slice.OwnerReferences), strings.Join(endpoints, ","))
}

func orEmpty(pairs map[string]string) []byte {
	if len(pairs) == 0 {
		return []byte("{}")
	}
	return marshal(pairs)
}

func TestNameOfTheController(t *testing.T) {
	if endpointslicemirroring.ControllerName != managedBy {
		t.Error(endpointslicemirroring.ControllerName)
	}
}
