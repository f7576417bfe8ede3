// Command conformance answers the vectors of conformance/ with kube-proxy's own
// code.
package main

import (
	"bytes"
	"encoding/json"

	v1 "k8s.io/api/core/v1"

	"slicewise/cluster/proxy/oracle"
	"slicewise/conformance"
)

func main() {
	conformance.Main(conformance.Introduction{
		Reader:  "kube-proxy",
		Version: conformance.Version("k8s.io/kubernetes"),
		How:     "`pkg/proxy`: the trackers of Services and slices, and `CategorizeEndpoints`, behind kube-proxy's own watch selectors",
	}, answer)
}

func answer(vector *conformance.Vector) (conformance.Answer, error) {
	service, err := conformance.Decode[v1.Service](vector.Service)
	if err != nil {
		return conformance.Answer{}, err
	}
	routes, err := routesOf(vector)
	if err != nil {
		return conformance.Answer{}, err
	}
	name := service.Namespace + "/" + service.Name
	if vector.Port.Name != "" {
		name += ":" + vector.Port.Name
	}
	route, served := routes[name+"/"+vector.Port.Protocol]
	if !served {
		return conformance.Answer{NotServed: "kube-proxy has no such service port"}, nil
	}
	isLocal := service.Spec.InternalTrafficPolicy != nil && *service.Spec.InternalTrafficPolicy == v1.ServiceInternalTrafficPolicyLocal
	if vector.Traffic == "external" {
		isLocal = service.Spec.ExternalTrafficPolicy == v1.ServiceExternalTrafficPolicyLocal
	}
	if isLocal {
		return conformance.Uses(route.Local), nil
	}
	return conformance.Uses(route.Cluster), nil
}

// routesOf starts a kube-proxy on the client's node, and shows it the objects.
func routesOf(vector *conformance.Vector) (map[string]oracle.Route, error) {
	node := vector.ClientNode()
	settings := oracle.Settings{Node: node.Name, NodeLabels: node.Labels, AddressType: vector.AddressType}
	if err := oracle.SetGate(settings.Gate()); err != nil {
		return nil, err
	}
	proxy, err := oracle.New(settings)
	if err != nil {
		return nil, err
	}
	for _, object := range append([]json.RawMessage{vector.Service}, vector.Slices...) {
		line := bytes.Join([][]byte{[]byte(`{"type":"ADDED","object":`), object, []byte(`}`)}, nil)
		if _, err := proxy.Line(line); err != nil {
			return nil, err
		}
	}
	answer, err := proxy.Line([]byte(`{"sync":true}`))
	if err != nil {
		return nil, err
	}
	return *answer.Routes, nil
}
