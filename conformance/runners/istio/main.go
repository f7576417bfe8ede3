// Command istio answers vectors with Istio's control plane: objects go into a
// fake client, and the answer is what Envoy does with the clusters and load
// assignments that are built for a sidecar on the client's node.
package main

import (
	"fmt"
	"net/netip"

	"istio.io/istio/pkg/log"
	"istio.io/istio/pkg/test"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"

	"slicewise/conformance"
)

func main() {
	for _, scope := range log.Scopes() {
		scope.SetOutputLevel(log.NoneLevel)
	}
	conformance.Main(conformance.Introduction{
		Reader:  "Istio, a sidecar",
		Version: conformance.Version("istio.io/istio"),
		How: "`pilot`: the registry of a cluster, and the clusters and load assignments that a sidecar on the client's node gets. " +
			"Endpoints that have a node get a pod there, since Istio takes the node and the zone of an endpoint from its pod. " +
			"Envoy is not run: by its documentation of priority levels it uses the healthy endpoints of the first priority, " +
			"and those of the next if too few before them are healthy",
	}, answer)
}

func answer(vector *conformance.Vector) (conformance.Answer, error) {
	if vector.Traffic == "external" {
		return conformance.Answer{NotAsked: "traffic from outside does not pass through a sidecar, but through a gateway, which is a pod on a node of its own"}, nil
	}
	if vector.Port.Protocol != string(core.ProtocolTCP) {
		return conformance.Answer{NotAsked: "only TCP is redirected to a sidecar; kube-proxy or what takes its place serves other protocols"}, nil
	}
	service, err := conformance.Decode[core.Service](vector.Service)
	if err != nil {
		return conformance.Answer{}, err
	}
	slices, err := conformance.DecodeAll[discovery.EndpointSlice](vector.Slices)
	if err != nil {
		return conformance.Answer{}, err
	}
	const reason = "an address of several slices is what any one of them says"
	return conformance.Repeatedly(vector, reason, func() (conformance.Answer, error) { return once(vector, service, slices) })
}

func once(vector *conformance.Vector, service *core.Service, slices []*discovery.EndpointSlice) (given conformance.Answer, err error) {
	failed := test.Wrap(func(t test.Failer) {
		given, err = ask(t, vector, service, slices)
	})
	if failed != nil {
		return conformance.Answer{}, fmt.Errorf("istio: %w", failed)
	}
	return given, err
}

// addressOf is the address of the client, in its family.
func addressOf(vector *conformance.Vector) netip.Addr {
	if vector.AddressType == "IPv6" {
		return netip.MustParseAddr("fd00:ffff::1")
	}
	return netip.MustParseAddr("10.255.0.1")
}
