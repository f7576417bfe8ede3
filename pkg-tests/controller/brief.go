package controller

import (
	"fmt"
	"sort"
	"strings"

	discovery "k8s.io/api/discovery/v1"
)

func (s *server) all() []*discovery.EndpointSlice {
	s.lock.Lock()
	defer s.lock.Unlock()
	var all []*discovery.EndpointSlice
	for _, slice := range s.slices {
		all = append(all, slice.DeepCopy())
	}
	return all
}

// brief are slices in the form of Expected.
func brief(all []*discovery.EndpointSlice, most int32) []string {
	found := []string{}
	together := map[string][]string{}
	for _, slice := range all {
		name := fmt.Sprintf("%s %s", slice.Labels[discovery.LabelServiceName], slice.AddressType)
		endpoints := briefEndpoints(slice.Endpoints)
		if most == usualMax {
			found = append(found, strings.Join(append([]string{name, fmt.Sprint(slice.Generation)}, endpoints...), " "))
			continue
		}
		if len(slice.Endpoints) > int(most) {
			endpoints = append(endpoints, "overfull")
		}
		together[name] = append(together[name], endpoints...)
	}
	for name, endpoints := range together {
		sort.Strings(endpoints)
		found = append(found, strings.Join(append([]string{name}, endpoints...), " "))
	}
	sort.Strings(found)
	return found
}

// briefEndpoints are `address=ready@zone`, sorted, then hints as `zone>zone`
// and `node>node`, sorted: which endpoint of a zone serves another one is
// random.
func briefEndpoints(endpoints []discovery.Endpoint) []string {
	var brief, hints []string
	for _, endpoint := range endpoints {
		ready := endpoint.Conditions.Ready == nil || *endpoint.Conditions.Ready
		zone, node := "", ""
		if endpoint.Zone != nil {
			zone = *endpoint.Zone
		}
		if endpoint.NodeName != nil {
			node = *endpoint.NodeName
		}
		brief = append(brief, fmt.Sprintf("%s=%t@%s", endpoint.Addresses[0], ready, zone))
		if endpoint.Hints == nil {
			continue
		}
		for _, hint := range endpoint.Hints.ForZones {
			hints = append(hints, zone+">"+hint.Name)
		}
		for _, hint := range endpoint.Hints.ForNodes {
			hints = append(hints, node+">"+hint.Name)
		}
	}
	sort.Strings(brief)
	sort.Strings(hints)
	return append(brief, hints...)
}
