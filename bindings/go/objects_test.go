package slicewise_test

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"slicewise/bindings/go"
)

func service() *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "cart", UID: "5ea1"},
		Spec: corev1.ServiceSpec{
			Selector:   map[string]string{"app": "cart"},
			ClusterIP:  "10.96.0.7",
			ClusterIPs: []string{"10.96.0.7"},
			IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol},
			Ports: []corev1.ServicePort{
				{Name: "http", Port: 80, TargetPort: intstr.FromInt32(8080), Protocol: corev1.ProtocolTCP},
			},
		},
	}
}

func pod(name, address string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: "u-1", Labels: map[string]string{"app": "cart"}},
		Spec:       corev1.PodSpec{NodeName: "node-a"},
		Status: corev1.PodStatus{
			Phase:      corev1.PodRunning,
			PodIP:      address,
			PodIPs:     []corev1.PodIP{{IP: address}},
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
		},
	}
}

func node() *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{
		Name: "node-a", Labels: map[string]string{corev1.LabelTopologyZone: "a"},
	}}
}

// slice is one that somebody writes by hand.
func slice(address string) *discoveryv1.EndpointSlice {
	return &discoveryv1.EndpointSlice{
		TypeMeta: metav1.TypeMeta{APIVersion: "discovery.k8s.io/v1", Kind: "EndpointSlice"},
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: "by-hand", Labels: map[string]string{discoveryv1.LabelServiceName: "cart"},
		},
		AddressType: discoveryv1.AddressTypeIPv4,
		Endpoints:   []discoveryv1.Endpoint{{Addresses: []string{address}}},
	}
}

func snapshot() *slicewise.Snapshot {
	return &slicewise.Snapshot{
		Services: []*corev1.Service{service()},
		Pods:     []*corev1.Pod{pod("cart-1", "10.0.0.1")},
		Nodes:    []*corev1.Node{node()},
	}
}
