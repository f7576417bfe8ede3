package migration

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

// serviceWorld is the Service of several API servers, which start and stop, and
// whose objects are tampered with.
type serviceWorld struct {
	*rand.Rand
	request serviceRequest
	servers []string
	stored  int
}

func newServiceWorld(random *rand.Rand) *serviceWorld {
	w := &serviceWorld{Rand: random}
	w.servers = pick(random,
		[]string{"192.168.0.1", "192.168.0.2", "192.168.0.10", "192.168.0.11"},
		[]string{"fd01::1", "fd01::2", "fd01::3"},
		[]string{"192.168.0.1", "fd01::1", "fd01::2"},
	)
	w.request = serviceRequest{
		Reconciler: pick(random, "lease", "lease", "lease", "master-count", "master-count", "master-count", "none"), ServiceName: pick(random, "kubernetes", "kubernetes", "other"),
		LeaseSeconds: pick(random, 15, 30), APIServerCount: 1 + random.IntN(4),
		Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Leases: []lease{}, Slices: []*discovery.EndpointSlice{},
	}
	w.request.Ports = w.ports()
	for chance(random, 40) {
		w.tamper()
	}
	return w
}

func (w *serviceWorld) ports() []corev1.EndpointPort {
	ports := []corev1.EndpointPort{{Name: "https", Port: 6443, Protocol: corev1.ProtocolTCP}}
	for chance(w.Rand, 25) {
		port := corev1.EndpointPort{Name: pick(w.Rand, "extra", "https", ""), Port: pick[int32](w.Rand, 1, 443, 6443, 8443), Protocol: pick(w.Rand, corev1.ProtocolTCP, corev1.ProtocolUDP)}
		if chance(w.Rand, 20) {
			port.AppProtocol = ptr.To(pick(w.Rand, "h2c", "https"))
		}
		ports = append(ports, port)
	}
	return ports
}

// next is a call of one of the servers.
func (w *serviceWorld) next() {
	r := &w.request
	r.Now = r.Now.Add(time.Duration(w.IntN(12)) * time.Second)
	r.Address = pick(w.Rand, w.servers...)
	r.Operation, r.Stopped, r.ReconcilePorts = "reconcile", chance(w.Rand, 5), chance(w.Rand, 30)
	if chance(w.Rand, 20) {
		r.Operation, r.Stopped = "remove", chance(w.Rand, 70)
	}
	if chance(w.Rand, 10) {
		r.Ports = w.ports()
	}
	for chance(w.Rand, 30) {
		w.tamper()
	}
}

func (w *serviceWorld) tamper() {
	r := &w.request
	switch w.IntN(14) {
	case 0:
		r.Endpoints = nil
	case 1:
		r.Slices = []*discovery.EndpointSlice{}
	case 2, 3:
		r.Endpoints = w.endpoints()
	case 4:
		r.Slices = []*discovery.EndpointSlice{w.slice()}
	case 5:
		if r.Endpoints != nil {
			r.Endpoints.Labels = pick(w.Rand, nil, map[string]string{discovery.LabelSkipMirror: "false"}, map[string]string{discovery.LabelSkipMirror: "true", "a": "b"})
		}
	case 6:
		if r.Endpoints != nil {
			r.Endpoints.Subsets = append(r.Endpoints.Subsets, w.subset())
		}
	case 7:
		if r.Endpoints != nil {
			for place := range r.Endpoints.Subsets {
				slices.Reverse(r.Endpoints.Subsets[place].Addresses)
				slices.Reverse(r.Endpoints.Subsets[place].Ports)
			}
		}
	case 8:
		for _, slice := range r.Slices {
			if len(slice.Endpoints) > 0 {
				slice.Endpoints[0].Zone = ptr.To("a")
			}
		}
	case 9:
		for _, slice := range r.Slices {
			slice.Labels = pick(w.Rand, nil, map[string]string{discovery.LabelServiceName: r.ServiceName, discovery.LabelManagedBy: "me"})
		}
	case 10:
		for _, slice := range r.Slices {
			slice.Annotations = map[string]string{"note": "kept until the next update"}
			slice.Finalizers = []string{"example.com/keep"}
		}
	case 11:
		for _, slice := range r.Slices {
			slice.AddressType = pick(w.Rand, discovery.AddressTypeIPv4, discovery.AddressTypeIPv6, discovery.AddressTypeFQDN)
		}
	case 12:
		r.Slices = append(r.Slices, &discovery.EndpointSlice{
			ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprintf("foreign-%d", len(r.Slices))}, AddressType: discovery.AddressTypeIPv4,
		})
	case 13:
		// A server dies.
		if len(r.Leases) > 0 {
			r.Leases[w.IntN(len(r.Leases))].Expires = r.Now.Add(-time.Second)
		}
	}
}

func (w *serviceWorld) endpoints() *corev1.Endpoints {
	endpoints := &corev1.Endpoints{ObjectMeta: w.metadata()}
	if chance(w.Rand, 60) {
		endpoints.Labels = map[string]string{discovery.LabelSkipMirror: "true"}
	}
	endpoints.Annotations = map[string]string{"note": "kept"}
	for range pick(w.Rand, 0, 1, 1, 1, 2, 3) {
		endpoints.Subsets = append(endpoints.Subsets, w.subset())
	}
	return endpoints
}

func (w *serviceWorld) metadata() metav1.ObjectMeta {
	w.stored++
	return metav1.ObjectMeta{
		Namespace: "default", Name: w.request.ServiceName, UID: types.UID(fmt.Sprintf("uid-%d", w.stored)), ResourceVersion: fmt.Sprint(w.stored),
	}
}

func (w *serviceWorld) subset() corev1.EndpointSubset {
	subset := corev1.EndpointSubset{Ports: w.request.Ports}
	if chance(w.Rand, 40) {
		subset.Ports = pick(w.Rand, nil, w.ports(), []corev1.EndpointPort{{Name: "none", Protocol: corev1.ProtocolTCP}})
	}
	subset = *subset.DeepCopy()
	address := func() corev1.EndpointAddress {
		address := corev1.EndpointAddress{IP: pick(w.Rand, append(slices.Clone(w.servers), "10.9.9.9", "fd09::9", "bogus", "192.168.0.99", "::ffff:10.1.1.1")...)}
		if chance(w.Rand, 20) {
			address.NodeName, address.Hostname = ptr.To("n1"), "h"
		}
		if chance(w.Rand, 20) {
			address.TargetRef = &corev1.ObjectReference{Kind: "Pod", Name: "p", UID: types.UID(pick(w.Rand, "", "u")), ResourceVersion: "7"}
		}
		return address
	}
	for range w.IntN(5) {
		subset.Addresses = append(subset.Addresses, address())
	}
	if chance(w.Rand, 20) {
		subset.NotReadyAddresses = append(subset.NotReadyAddresses, address())
	}
	return subset
}

func (w *serviceWorld) slice() *discovery.EndpointSlice {
	slice := &discovery.EndpointSlice{
		ObjectMeta:  w.metadata(),
		AddressType: pick(w.Rand, discovery.AddressTypeIPv4, discovery.AddressTypeIPv6),
		Ports:       []discovery.EndpointPort{{Name: ptr.To("https"), Port: ptr.To[int32](6443), Protocol: ptr.To(corev1.ProtocolTCP)}},
		Endpoints:   []discovery.Endpoint{{Addresses: []string{w.servers[0]}, Conditions: discovery.EndpointConditions{Ready: ptr.To(true)}}},
	}
	slice.Labels = map[string]string{discovery.LabelServiceName: w.request.ServiceName}
	slice.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Service", Name: "kubernetes", UID: "s"}}
	return slice
}

// apply applies the plan to the objects.
func (w *serviceWorld) apply(plan *servicePlan) {
	r := &w.request
	for _, write := range plan.Writes {
		switch {
		case write.Kind == "Endpoints":
			r.Endpoints = write.endpoints
			w.keep(&r.Endpoints.ObjectMeta)
		case write.Operation == "delete":
			r.Slices = slices.DeleteFunc(r.Slices, func(slice *discovery.EndpointSlice) bool { return slice.Name == write.Name })
		case write.Operation == "create":
			w.keep(&write.slice.ObjectMeta)
			r.Slices = append(r.Slices, write.slice)
		default:
			for place, slice := range r.Slices {
				if slice.Name == write.Name {
					r.Slices[place] = write.slice
				}
			}
		}
	}
	if r.Reconciler == "lease" {
		r.Leases = append([]lease{}, plan.Leases...)
	}
}

func (w *serviceWorld) keep(metadata *metav1.ObjectMeta) {
	stored := w.metadata()
	if metadata.UID == "" {
		metadata.UID = stored.UID
	}
	metadata.ResourceVersion = stored.ResourceVersion
}
