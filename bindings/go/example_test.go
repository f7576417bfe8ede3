package slicewise_test

import (
	"context"
	"fmt"
	"log"

	corev1 "k8s.io/api/core/v1"

	"slicewise/bindings/go"
)

func ExampleModule_Plan() {
	ctx := context.Background()
	module, err := slicewise.New(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer module.Close(ctx)

	plan, err := module.Plan(ctx, &slicewise.PlanRequest{
		Service: service(),
		Pods:    []*corev1.Pod{pod("cart-1", "10.0.0.1"), pod("cart-2", "10.0.0.2")},
		Nodes:   []*corev1.Node{node()},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, slice := range plan.Create {
		fmt.Println("create", slice.GenerateName, len(slice.Endpoints))
	}
	// Output: create cart- 2
}
