package oracle

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/proxy"

	_ "unsafe" // for go:linkname
)

// The mode is private in the reference. (routes.s permits functions without a body.)
//
//go:linkname topologyModeFromHints k8s.io/kubernetes/pkg/proxy.topologyModeFromHints
func topologyModeFromHints(port proxy.ServicePort, endpoints []proxy.Endpoint, node, zone string) string

func (o *Oracle) routes() map[string]Route {
	all := map[string]Route{}
	for name, port := range o.ports {
		endpoints := o.endpoints[name]
		cluster, local, reachable, hasAny := proxy.CategorizeEndpoints(endpoints, port, o.node, o.topologyLabels)
		all[key(name)] = Route{
			Cluster: texts(cluster),
			Local:   texts(local),
			// The reference takes these from a Go map if it merges two lists.
			// All its other lists are sorted, since the endpoints are.
			Reachable: sorted(texts(reachable)),
			HasAny:    hasAny,
			Topology:  o.topology(port, endpoints),
		}
	}
	return all
}

// topology is the mode, if the reference has computed it.
func (o *Oracle) topology(port proxy.ServicePort, endpoints []proxy.Endpoint) string {
	if len(endpoints) > 0 && port.UsesClusterEndpoints() {
		if mode := topologyModeFromHints(port, endpoints, o.node, o.topologyLabels[v1.LabelTopologyZone]); mode != "" {
			return mode
		}
	}
	return "None"
}

func texts(endpoints []proxy.Endpoint) []string {
	all := make([]string, 0, len(endpoints))
	for _, endpoint := range endpoints {
		all = append(all, endpoint.String())
	}
	return all
}
