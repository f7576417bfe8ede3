package slicewise_test

import (
	"context"
	"fmt"
	"log"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"slicewise/bindings/go"
)

// slices is the part of client-go's EndpointSliceInterface that a writer needs.
type slices interface {
	Create(context.Context, *discoveryv1.EndpointSlice, metav1.CreateOptions) (*discoveryv1.EndpointSlice, error)
	Update(context.Context, *discoveryv1.EndpointSlice, metav1.UpdateOptions) (*discoveryv1.EndpointSlice, error)
	Delete(context.Context, string, metav1.DeleteOptions) error
}

// write carries a plan out: create, update, delete, the order of the reference.
func write(ctx context.Context, plan *slicewise.Plan, client slices) error {
	for _, slice := range plan.Create {
		if _, err := client.Create(ctx, slice, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	for _, slice := range plan.Update {
		if _, err := client.Update(ctx, slice, metav1.UpdateOptions{}); err != nil {
			return err
		}
	}
	for _, slice := range plan.Delete {
		uid, version := types.UID(slice.UID), slice.ResourceVersion
		seen := &metav1.Preconditions{UID: &uid, ResourceVersion: &version}
		if err := client.Delete(ctx, slice.Name, metav1.DeleteOptions{Preconditions: seen}); err != nil {
			return err
		}
	}
	return nil
}

// A writer of slices for machines outside of the cluster, behind a Service
// without a selector.
func ExampleModule_Plan_writer() {
	ctx := context.Background()
	module, err := slicewise.New(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer module.Close(ctx)

	database := service()
	database.Name, database.Spec.Selector = "db", nil
	client := &memory{}
	for _, machines := range [][]string{{"192.0.2.1", "192.0.2.2"}, {"192.0.2.2"}, {"192.0.2.2"}} {
		request := &slicewise.PlanRequest{
			Service:   database,
			Slices:    client.stored,
			Endpoints: []slicewise.StaticEndpoint{},
			Options:   &slicewise.Options{ManagedBy: "machines.example.com"},
		}
		for _, address := range machines {
			request.Endpoints = append(request.Endpoints, slicewise.StaticEndpoint{Addresses: []string{address}, Zone: "a"})
		}
		plan, err := module.Plan(ctx, request)
		if err != nil {
			log.Fatal(err)
		}
		if err := write(ctx, plan, client); err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(plan.Create), len(plan.Update), len(plan.Unchanged), client.addresses())
	}
	// Output:
	// 1 0 0 [192.0.2.1 192.0.2.2]
	// 0 1 0 [192.0.2.2]
	// 0 0 1 [192.0.2.2]
}

// memory stands for an API server.
type memory struct{ stored []*discoveryv1.EndpointSlice }

func (m *memory) Create(_ context.Context, slice *discoveryv1.EndpointSlice, _ metav1.CreateOptions) (*discoveryv1.EndpointSlice, error) {
	slice.Name = fmt.Sprintf("%s%d", slice.GenerateName, len(m.stored))
	slice.UID, slice.ResourceVersion = types.UID(slice.Name), "1"
	m.stored = append(m.stored, slice)
	return slice, nil
}

func (m *memory) Update(_ context.Context, slice *discoveryv1.EndpointSlice, _ metav1.UpdateOptions) (*discoveryv1.EndpointSlice, error) {
	for i, stored := range m.stored {
		if stored.Name == slice.Name {
			m.stored[i] = slice
		}
	}
	return slice, nil
}

func (m *memory) Delete(context.Context, string, metav1.DeleteOptions) error {
	m.stored = nil
	return nil
}

func (m *memory) addresses() (addresses []string) {
	for _, slice := range m.stored {
		for _, endpoint := range slice.Endpoints {
			addresses = append(addresses, endpoint.Addresses...)
		}
	}
	return addresses
}
