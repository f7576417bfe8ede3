package migration

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

const (
	managedBy = "endpointslicemirroring-controller.k8s.io"
	leader    = "control-plane.alpha.kubernetes.io/leader"
)

type mirrorRequest struct {
	Endpoints *corev1.Endpoints          `json:"endpoints"`
	Service   *corev1.Service            `json:"service"`
	Slices    []*discovery.EndpointSlice `json:"slices"`
	Namespace string                     `json:"namespace"`
	Name      string                     `json:"name"`
	Options   struct {
		MaxEndpointsPerSubset int32 `json:"maxEndpointsPerSubset"`
	} `json:"options"`
}

// json is the request as text. Go omits an empty selector, which is not the same
// as none.
func (r *mirrorRequest) json() []byte {
	text := marshal(r)
	if r.Service == nil || r.Service.Spec.Selector == nil || len(r.Service.Spec.Selector) > 0 {
		return text
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		panic(err)
	}
	fields["service"].(map[string]any)["spec"].(map[string]any)["selector"] = map[string]any{}
	return marshal(fields)
}

// mirrorWorld is one Service whose Endpoints change, and whose slices are
// tampered with.
type mirrorWorld struct {
	*rand.Rand
	request mirrorRequest
	named   int
}

func newMirrorWorld(random *rand.Rand) *mirrorWorld {
	w := &mirrorWorld{Rand: random}
	w.request.Namespace, w.request.Name = "shop", pick(random, "db", "a.b")
	w.request.Options.MaxEndpointsPerSubset = pick[int32](random, 1000, 1000, 1000, 1, 2, 3, 5)
	w.request.Endpoints = w.endpoints()
	w.request.Service = w.service(nil)
	if chance(random, 30) {
		w.tamper()
	}
	return w
}

func (w *mirrorWorld) service(selector map[string]string) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.request.Namespace, Name: w.request.Name, UID: "s1"},
		Spec:       corev1.ServiceSpec{Selector: selector, Type: pick(w.Rand, corev1.ServiceTypeClusterIP, corev1.ServiceTypeExternalName)},
	}
}

func (w *mirrorWorld) endpoints() *corev1.Endpoints {
	endpoints := &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{
		Namespace: w.request.Namespace, Name: w.request.Name, UID: types.UID(pick(w.Rand, "e1", "e1", "e2")),
		Labels: w.labels(), Annotations: w.annotations(),
	}}
	for range w.IntN(4) {
		endpoints.Subsets = append(endpoints.Subsets, w.subset())
	}
	return endpoints
}

func (w *mirrorWorld) labels() map[string]string {
	labels := map[string]string{}
	// In a fixed order, so that a case is the same in every run.
	for _, label := range []struct {
		key     string
		percent int
		values  []string
	}{
		{"app", 40, []string{"a", "b"}},
		{"team", 30, []string{"", "x"}},
		{corev1.IsHeadlessService, 15, []string{""}},
		{discovery.LabelServiceName, 3, []string{"other", "db"}},
		{discovery.LabelManagedBy, 3, []string{"me"}},
		{discovery.LabelSkipMirror, 6, []string{"true", "false"}},
	} {
		if chance(w.Rand, label.percent) {
			labels[label.key] = pick(w.Rand, label.values...)
		}
	}
	return labels
}

func (w *mirrorWorld) annotations() map[string]string {
	annotations := map[string]string{}
	for _, annotation := range []struct {
		key     string
		percent int
	}{
		{"note", 30}, {"other", 20}, {corev1.EndpointsLastChangeTriggerTime, 25}, {corev1.LastAppliedConfigAnnotation, 20}, {leader, 3},
	} {
		if chance(w.Rand, annotation.percent) {
			annotations[annotation.key] = pick(w.Rand, "1", "2")
		}
	}
	return annotations
}

func (w *mirrorWorld) subset() corev1.EndpointSubset {
	subset := corev1.EndpointSubset{}
	for range w.IntN(5) {
		subset.Addresses = append(subset.Addresses, w.address())
	}
	for range w.IntN(3) {
		subset.NotReadyAddresses = append(subset.NotReadyAddresses, w.address())
	}
	for range w.IntN(3) {
		subset.Ports = append(subset.Ports, w.port())
	}
	return subset
}

func (w *mirrorWorld) address() corev1.EndpointAddress {
	ip := fmt.Sprintf("10.0.0.%d", 1+w.IntN(6))
	if chance(w.Rand, 35) {
		ip = fmt.Sprintf("fd00::%d", 1+w.IntN(5))
	}
	if chance(w.Rand, 6) {
		ip = pick(w.Rand, "010.0.0.1", "::ffff:10.0.0.3", "FD00::1", "fd00:0::2", "bogus", "", "10.0.0.256", "1.2.3")
	}
	address := corev1.EndpointAddress{IP: ip}
	if chance(w.Rand, 15) {
		address.Hostname = pick(w.Rand, "h", "i")
	}
	if chance(w.Rand, 25) {
		address.NodeName = ptr.To(pick(w.Rand, "n1", "n2", ""))
	}
	if chance(w.Rand, 25) {
		address.TargetRef = &corev1.ObjectReference{
			Kind: pick(w.Rand, "Pod", "Node"), Namespace: pick(w.Rand, "shop", ""), Name: pick(w.Rand, "p", "q"),
			UID: types.UID(pick(w.Rand, "", "u1", "u2")), ResourceVersion: pick(w.Rand, "", "7"), FieldPath: pick(w.Rand, "", "", "spec"),
		}
	}
	return address
}

func (w *mirrorWorld) port() corev1.EndpointPort {
	port := corev1.EndpointPort{
		Name: pick(w.Rand, "", "http", "https"), Port: pick[int32](w.Rand, 80, 80, 443), Protocol: pick(w.Rand, corev1.ProtocolTCP, corev1.ProtocolTCP, corev1.ProtocolUDP),
	}
	if chance(w.Rand, 3) {
		port.Port = 0
	}
	if chance(w.Rand, 12) {
		port.AppProtocol = ptr.To(pick(w.Rand, "h2c", ""))
	}
	return port
}

// change makes the changes between two syncs.
func (w *mirrorWorld) change() {
	r := &w.request
	switch w.IntN(12) {
	case 0:
		r.Endpoints = nil
	case 1:
		r.Service = nil
	case 2:
		r.Service = w.service(pick(w.Rand, nil, map[string]string{}, map[string]string{"app": "a"}))
	case 3:
		if r.Endpoints != nil && chance(w.Rand, 50) {
			r.Endpoints.DeletionTimestamp = &metav1.Time{Time: time.Unix(1_800_000_000, 0)}
			r.Endpoints.Finalizers = []string{"example.com/keep"}
		}
	case 4:
		if r.Endpoints != nil {
			r.Endpoints.Labels, r.Endpoints.Annotations = w.labels(), w.annotations()
		}
	case 5, 6:
		if r.Endpoints != nil {
			r.Endpoints.Subsets = append(r.Endpoints.Subsets, w.subset())
		}
	case 7:
		if r.Endpoints != nil && len(r.Endpoints.Subsets) > 0 {
			place := w.IntN(len(r.Endpoints.Subsets))
			r.Endpoints.Subsets[place].Ports = []corev1.EndpointPort{w.port(), w.port()}
		}
	case 8:
		// No change: the plan must be empty, except for what the reference always writes.
	default:
		w.request.Endpoints = w.endpoints()
	}
	if r.Service == nil && chance(w.Rand, 70) || chance(w.Rand, 10) {
		r.Service = w.service(nil)
	}
	if r.Endpoints == nil && chance(w.Rand, 70) {
		r.Endpoints = w.endpoints()
	}
	for chance(w.Rand, 40) {
		w.tamper()
	}
}

// tamper changes the slices behind the controller's back.
func (w *mirrorWorld) tamper() {
	r := &w.request
	if len(r.Slices) == 0 || chance(w.Rand, 15) {
		r.Slices = append(r.Slices, w.slice())
		return
	}
	place := w.IntN(len(r.Slices))
	slice := r.Slices[place]
	switch w.IntN(15) {
	case 0:
		r.Slices = slices.Delete(r.Slices, place, place+1)
	case 1, 2:
		double := slice.DeepCopy()
		w.name(double)
		r.Slices = append(r.Slices, double)
	case 3:
		if len(slice.Endpoints) > 0 {
			slice.Endpoints = append(slice.Endpoints, *slice.Endpoints[0].DeepCopy())
		}
	case 4:
		if len(slice.Endpoints) > 0 {
			slice.Endpoints = slice.Endpoints[1:]
		}
	case 5:
		for place := range slice.Endpoints {
			endpoint := &slice.Endpoints[place]
			switch w.IntN(7) {
			case 0:
				endpoint.Zone = ptr.To("a")
			case 1:
				endpoint.Conditions.Serving = ptr.To(true)
			case 2:
				endpoint.Conditions.Ready = nil
			case 3:
				endpoint.Hints = &discovery.EndpointHints{ForZones: []discovery.ForZone{{Name: "a"}}}
			case 4:
				endpoint.Hostname = ptr.To("")
			case 5:
				endpoint.Addresses = append(endpoint.Addresses, "10.0.0.9")
			case 6:
				endpoint.TargetRef = &corev1.ObjectReference{Kind: "Pod", Name: "p", Namespace: "shop", ResourceVersion: "9"}
			}
		}
	case 6:
		slice.Labels = maps.Clone(slice.Labels)
		slice.Labels[pick(w.Rand, "app", "team", discovery.LabelManagedBy, discovery.LabelServiceName)] = pick(w.Rand, "a", "zz", managedBy, "db")
	case 7:
		delete(slice.Labels, pick(w.Rand, "app", discovery.LabelManagedBy, discovery.LabelServiceName))
	case 8:
		slice.Annotations = map[string]string{pick(w.Rand, "note", corev1.EndpointsLastChangeTriggerTime): "1"}
	case 9:
		slice.OwnerReferences = []metav1.OwnerReference{{Kind: pick(w.Rand, "Endpoints", "Service"), APIVersion: "v1", Name: pick(w.Rand, "db", "x"), UID: "e0"}}
	case 10:
		slice.OwnerReferences = nil
	case 11:
		slice.AddressType = pick(w.Rand, discovery.AddressTypeFQDN, discovery.AddressTypeIPv4, discovery.AddressTypeIPv6)
	case 12:
		if len(slice.Ports) > 0 {
			slice.Ports[0].Name = pick(w.Rand, nil, ptr.To("other"))
		} else {
			slice.Ports = []discovery.EndpointPort{{Port: ptr.To[int32](9)}}
		}
	case 13:
		slices.Reverse(slice.Ports)
		slices.Reverse(slice.Endpoints)
	case 14:
		slice.DeletionTimestamp = &metav1.Time{Time: time.Unix(1_800_000_000, 0)}
		slice.Finalizers = []string{"example.com/keep"}
	}
}

// slice is one made by someone else.
func (w *mirrorWorld) slice() *discovery.EndpointSlice {
	slice := &discovery.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: pick(w.Rand, "shop", "shop", "shop", "bank"),
			Labels: map[string]string{
				discovery.LabelServiceName: pick(w.Rand, w.request.Name, w.request.Name, "other"),
				discovery.LabelManagedBy:   pick(w.Rand, managedBy, managedBy, "somebody"),
			},
		},
		AddressType: pick(w.Rand, discovery.AddressTypeIPv4, discovery.AddressTypeIPv6),
		Ports:       []discovery.EndpointPort{{Name: ptr.To("http"), Port: pick(w.Rand, ptr.To[int32](80), ptr.To[int32](81)), Protocol: ptr.To(corev1.ProtocolTCP)}},
	}
	for range w.IntN(3) {
		slice.Endpoints = append(slice.Endpoints, discovery.Endpoint{Addresses: []string{fmt.Sprintf("10.0.0.%d", 1+w.IntN(6))}, Conditions: discovery.EndpointConditions{Ready: ptr.To(true)}})
	}
	w.name(slice)
	return slice
}

// name gives a slice a name of its own, as an API server does.
func (w *mirrorWorld) name(slice *discovery.EndpointSlice) {
	w.named++
	slice.Name = fmt.Sprintf("%s-%02d", w.request.Name, (w.named*37)%100)
	slice.UID, slice.ResourceVersion = types.UID(fmt.Sprintf("uid-%d", w.named)), fmt.Sprint(w.named)
}
