package main

import (
	"strings"

	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"slicewise/conformance"
)

// client is the name of the client's pod.
const client = "client"

// objects are those of a vector, and the pods that its endpoints and its client
// are.
func objects(vector *conformance.Vector, service *core.Service, slices []*discovery.EndpointSlice) []runtime.Object {
	all := []runtime.Object{
		&core.Namespace{ObjectMeta: metav1.ObjectMeta{Name: service.Namespace}},
		service.DeepCopy(),
		pod(service.Namespace, client, vector.Client.Node, addressOf(vector).String(), nil),
	}
	for _, node := range vector.Nodes {
		all = append(all, &core.Node{ObjectMeta: metav1.ObjectMeta{Name: node.Name, Labels: node.Labels}})
	}
	known := map[string]bool{}
	for _, slice := range slices {
		slice = slice.DeepCopy()
		for at := range slice.Endpoints {
			endpoint := &slice.Endpoints[at]
			if endpoint.NodeName == nil || len(endpoint.Addresses) == 0 || endpoint.TargetRef != nil {
				continue
			}
			address := endpoint.Addresses[0]
			name := podName(address, *endpoint.NodeName)
			endpoint.TargetRef = &core.ObjectReference{Kind: "Pod", Namespace: slice.Namespace, Name: name}
			if !known[name] {
				known[name] = true
				all = append(all, pod(slice.Namespace, name, *endpoint.NodeName, address, service.Spec.Selector))
			}
		}
		all = append(all, slice)
	}
	return all
}

// podName is the name of the pod with an address on a node: another node has
// another pod with an address that is used again.
func podName(address, node string) string {
	return "pod-" + strings.NewReplacer(".", "-", ":", "-").Replace(address) + "-on-" + node
}

func pod(namespace, name, node, address string, labels map[string]string) *core.Pod {
	return &core.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: labels},
		Spec:       core.PodSpec{NodeName: node},
		Status: core.PodStatus{
			Phase:      core.PodRunning,
			PodIP:      address,
			PodIPs:     []core.PodIP{{IP: address}},
			Conditions: []core.PodCondition{{Type: core.PodReady, Status: core.ConditionTrue}},
		},
	}
}
