package oracle

import (
	"math/rand"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"slicewise/oracle/plan"
)

// Prepared is a request after the controller's own filtering: what syncService
// passes to the reconciler. Runs never change it, since the reconciler works on
// copies of the slices, whose addresses and ports it sorts in place, and of the
// nodes, whose CPU it adds up in place; it only reads the other objects.
type Prepared struct {
	Service     *corev1.Service
	Pods        []*corev1.Pod
	Nodes       []*corev1.Node
	Slices      []*discovery.EndpointSlice
	TriggerTime metav1.Time
	Options     Options
	// Skip says that the controller does not touch this Service at all.
	Skip bool
}

// Prepare filters as syncService of the reference controller does.
func Prepare(req *Request) *Prepared {
	p := &Prepared{
		Service:     req.Service,
		Nodes:       req.Nodes,
		TriggerTime: metav1.Time{Time: req.TriggerTime},
		Options:     req.Options,
	}
	spec := &req.Service.Spec
	if spec.Type == corev1.ServiceTypeExternalName || spec.Selector == nil {
		p.Skip = true
		return p
	}
	p.Pods = selectPods(req.Pods, req.Service)
	p.Slices = selectSlices(req.Slices, req.Service, req.Options.ManagedBy)
	return p
}

// Key names the Service.
func (p *Prepared) Key() plan.Key {
	return plan.Key{Namespace: p.Service.Namespace, Name: p.Service.Name}
}

// Slice finds one of the Service's slices by name.
func (p *Prepared) Slice(name string) *discovery.EndpointSlice {
	for _, slice := range p.Slices {
		if slice.Name == name {
			return slice
		}
	}
	return nil
}

func selectPods(pods []*corev1.Pod, service *corev1.Service) []*corev1.Pod {
	selector := labels.Set(service.Spec.Selector).AsSelectorPreValidated()
	var selected []*corev1.Pod
	for _, pod := range pods {
		if pod.Namespace == service.Namespace && selector.Matches(labels.Set(pod.Labels)) {
			selected = append(selected, pod)
		}
	}
	return selected
}

// selectSlices also drops apiVersion and kind, which informers do not keep and
// which would make the comparison with the placeholder slice fail.
func selectSlices(all []*discovery.EndpointSlice, service *corev1.Service, managedBy string) []*discovery.EndpointSlice {
	selector := labels.Set{
		discovery.LabelServiceName: service.Name,
		discovery.LabelManagedBy:   managedBy,
	}.AsSelectorPreValidated()
	var selected []*discovery.EndpointSlice
	for _, slice := range all {
		if slice.Namespace != service.Namespace || !selector.Matches(labels.Set(slice.Labels)) || slice.DeletionTimestamp != nil {
			continue
		}
		slice.TypeMeta = metav1.TypeMeta{}
		selected = append(selected, slice)
	}
	return selected
}

// Inputs is what a run reads; it may change the lists, the nodes and the slices.
type Inputs struct {
	Pods   []*corev1.Pod
	Nodes  []*corev1.Node
	Slices []*discovery.EndpointSlice
}

// Order is the order in which a run gets its inputs. An informer's lister has
// none, so the reference can see any order. It matters beyond the
// inputs themselves: iterating over a small Go map starts anywhere, but continues
// in the order of insertion.
type Order func(*Inputs)

// AsGiven keeps the order of the request.
func AsGiven(*Inputs) {}

// ByName is the order of slices that a deterministic implementation would take.
func ByName(in *Inputs) {
	slices.SortStableFunc(in.Slices, func(a, b *discovery.EndpointSlice) int {
		return strings.Compare(a.Name, b.Name)
	})
}

// Shuffled draws the order from rng.
func Shuffled(rng *rand.Rand) Order {
	return func(in *Inputs) {
		shuffle(rng, in.Pods)
		shuffle(rng, in.Nodes)
		shuffle(rng, in.Slices)
	}
}

func shuffle[T any](rng *rand.Rand, list []T) {
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

// inputs are in the given order; nodes and slices are fresh copies.
func (p *Prepared) inputs(order Order) *Inputs {
	given := Inputs{Pods: p.Pods, Nodes: p.Nodes, Slices: p.Slices}
	in := given.clone()
	order(in)
	return in
}

func (in *Inputs) clone() *Inputs {
	return &Inputs{Pods: slices.Clone(in.Pods), Nodes: deepCopies(in.Nodes), Slices: deepCopies(in.Slices)}
}
