package reference

import (
	"context"
	"fmt"
	"strconv"

	discovery "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clientset "k8s.io/client-go/kubernetes"
	discoveryclient "k8s.io/client-go/kubernetes/typed/discovery/v1"
)

// Writes are the reference's writes, in the form of a plan.
type Writes struct {
	Create []*discovery.EndpointSlice `json:"create"`
	Update []*discovery.EndpointSlice `json:"update"`
	Delete []string                   `json:"delete"`
}

// String counts them.
func (w *Writes) String() string {
	return fmt.Sprintf("%d+%d+%d", len(w.Create), len(w.Update), len(w.Delete))
}

// client only stores writes: no copies, no locks. It implements the one
// resource that the reconciler writes; any other panics.
type client struct {
	clientset.Interface
	writes *Writes
}

// DiscoveryV1 implements kubernetes.Interface.
func (c client) DiscoveryV1() discoveryclient.DiscoveryV1Interface { return group{writes: c.writes} }

type group struct {
	discoveryclient.DiscoveryV1Interface
	writes *Writes
}

// EndpointSlices implements DiscoveryV1Interface.
func (g group) EndpointSlices(string) discoveryclient.EndpointSliceInterface {
	return resource{writes: g.writes}
}

type resource struct {
	discoveryclient.EndpointSliceInterface
	writes *Writes
}

// Create stores the slice, and gives it the identity that the tracker needs.
func (r resource) Create(_ context.Context, slice *discovery.EndpointSlice, _ metav1.CreateOptions) (*discovery.EndpointSlice, error) {
	r.writes.Create = append(r.writes.Create, slice)
	slice.UID = types.UID(strconv.Itoa(len(r.writes.Create)))
	return slice, nil
}

// Update stores the slice.
func (r resource) Update(_ context.Context, slice *discovery.EndpointSlice, _ metav1.UpdateOptions) (*discovery.EndpointSlice, error) {
	r.writes.Update = append(r.writes.Update, slice)
	return slice, nil
}

// Delete stores the name.
func (r resource) Delete(_ context.Context, name string, _ metav1.DeleteOptions) error {
	r.writes.Delete = append(r.writes.Delete, name)
	return nil
}
