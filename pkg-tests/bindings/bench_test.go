package bindings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"slicewise/bindings/go"
	"slicewise/oracle/reference"
)

// request is a Service with so many ready pods, without slices.
func request(pods int) []byte {
	type object = map[string]any
	many := make([]object, pods)
	for i := range many {
		address := fmt.Sprintf("10.%d.%d.%d", i>>16&255, i>>8&255, i&255)
		many[i] = object{
			"metadata": object{"namespace": "shop", "name": fmt.Sprint("cart-", i), "uid": fmt.Sprint("u", i), "labels": object{"app": "cart"}},
			"spec":     object{"nodeName": fmt.Sprint("node-", i%3)},
			"status": object{
				"phase": "Running", "podIP": address, "podIPs": []object{{"ip": address}},
				"conditions": []object{{"type": "Ready", "status": "True"}},
			},
		}
	}
	nodes := make([]object, 3)
	for i := range nodes {
		nodes[i] = object{"metadata": object{"name": fmt.Sprint("node-", i), "labels": object{"topology.kubernetes.io/zone": fmt.Sprint("zone-", i)}}}
	}
	made, err := json.Marshal(object{
		"service": object{
			"metadata": object{"namespace": "shop", "name": "cart", "uid": "5ea1"},
			"spec": object{
				"selector": object{"app": "cart"}, "clusterIP": "10.96.0.7", "ipFamilies": []string{"IPv4"},
				"ports": []object{{"name": "http", "port": 80, "targetPort": 8080, "protocol": "TCP"}},
			},
		},
		"pods": many, "nodes": nodes,
	})
	if err != nil {
		panic(err) // maps, strings and numbers only
	}
	return made
}

// JSON in, the slices to write as JSON out, in one process.
func BenchmarkPlan(b *testing.B) {
	module, err := slicewise.New(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer module.Close(b.Context())
	for _, pods := range []int{10, 100, 1000} {
		input := request(pods)
		b.Run(fmt.Sprintf("pods=%d/planner=slicewise.wasm", pods), func(b *testing.B) {
			for b.Loop() {
				answer, err := module.Call(b.Context(), "plan", input)
				if err != nil || !bytes.Contains(answer, []byte(`"create":[{`)) {
					b.Fatalf("error %v, answer %s", err, answer)
				}
			}
		})
		b.Run(fmt.Sprintf("pods=%d/planner=reference", pods), func(b *testing.B) {
			var writes reference.Writes
			for b.Loop() {
				if _, err := reference.Plan(input, &writes); err != nil || len(writes.Create) == 0 {
					b.Fatalf("error %v, writes %v", err, &writes)
				}
			}
		})
	}
}
