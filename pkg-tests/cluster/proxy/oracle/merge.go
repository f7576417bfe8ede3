package oracle

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/proxy"
)

// settle makes the endpoints of a changed Service deterministic. The
// reference iterates over the Service's slices in the order of a Go map, which
// matters in one case: for the properties of an endpoint in several slices.
// Within a slice it iterates in order. So the reference merges once more, given
// one slice for each port with the endpoints of all slices, by slice name.
func (o *Oracle) settle(name types.NamespacedName) error {
	applied := o.applied(name)
	if len(applied) < 2 {
		return nil
	}
	ordered := proxy.EndpointsMap{}
	tracker := newTracker(o.family, o.node, time.Time{})
	for _, joined := range joinByPort(name, applied) {
		tracker.EndpointSliceUpdate(joined, false)
	}
	ordered.Update(tracker)
	count := 0
	for port, endpoints := range o.endpoints {
		if port.NamespacedName != name {
			continue
		}
		count++
		// Only the properties of an endpoint may differ.
		if !slices.EqualFunc(endpoints, ordered[port], func(a, b proxy.Endpoint) bool { return a.String() == b.String() }) {
			return fmt.Errorf("%s: %v became %v", key(port), endpoints, ordered[port])
		}
		o.endpoints[port] = ordered[port]
	}
	if count != len(ordered) {
		return fmt.Errorf("%s: %d ports became %d", name, count, len(ordered))
	}
	return nil
}

// applied are the slices of a Service that the reference has merged, by name.
func (o *Oracle) applied(name types.NamespacedName) []*discovery.EndpointSlice {
	cached := reflect.ValueOf(o.endpointsChanges).Elem().FieldByName("endpointSliceCache").Elem()
	tracker := cached.FieldByName("trackerByServiceMap").MapIndex(reflect.ValueOf(name))
	if !tracker.IsValid() {
		return nil
	}
	var found []*discovery.EndpointSlice
	for each := tracker.Elem().FieldByName("applied").MapRange(); each.Next(); {
		slice := each.Value().Elem().FieldByName("endpointSlice")
		found = append(found, (*discovery.EndpointSlice)(slice.UnsafePointer()))
	}
	slices.SortFunc(found, func(a, b *discovery.EndpointSlice) int { return strings.Compare(a.Name, b.Name) })
	return found
}

// portKey identifies equal ports of two slices.
type portKey struct {
	named    bool
	name     string
	protocol v1.Protocol
	number   int32
}

// joinByPort makes a slice for each port, with the endpoints of all slices that
// have it, in order. An endpoint's number is part of its name, so that no
// two of the new slices share an endpoint.
func joinByPort(name types.NamespacedName, all []*discovery.EndpointSlice) []*discovery.EndpointSlice {
	var joined []*discovery.EndpointSlice
	byPort := map[portKey]*discovery.EndpointSlice{}
	for _, slice := range all {
		for _, port := range slice.Ports {
			if port.Port == nil {
				continue
			}
			key := portKey{named: port.Name != nil, protocol: *port.Protocol, number: *port.Port}
			if key.named {
				key.name = *port.Name
			}
			into := byPort[key]
			if into == nil {
				into = &discovery.EndpointSlice{
					ObjectMeta: metav1.ObjectMeta{
						Namespace: name.Namespace,
						Name:      fmt.Sprint(len(joined)),
						Labels:    map[string]string{discovery.LabelServiceName: name.Name},
					},
					AddressType: slice.AddressType,
					Ports:       []discovery.EndpointPort{port},
				}
				byPort[key] = into
				joined = append(joined, into)
			}
			into.Endpoints = append(into.Endpoints, slice.Endpoints...)
		}
	}
	return joined
}
