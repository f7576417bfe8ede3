package main

import (
	"fmt"

	cluster "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	"istio.io/istio/pilot/pkg/model"
	networking "istio.io/istio/pilot/pkg/networking/core"
	"istio.io/istio/pilot/pkg/serviceregistry"
	"istio.io/istio/pilot/pkg/serviceregistry/kube"
	"istio.io/istio/pilot/pkg/serviceregistry/kube/controller"
	"istio.io/istio/pilot/pkg/xds/endpoints"
	"istio.io/istio/pkg/config/constants"
	istiokube "istio.io/istio/pkg/kube"
	"istio.io/istio/pkg/test"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"

	"slicewise/conformance"
)

const domain = "cluster.local"

// ask is the answer for a sidecar of the client, from a control plane that
// knows the vector's objects.
func ask(t test.Failer, vector *conformance.Vector, service *core.Service, slices []*discovery.EndpointSlice) (conformance.Answer, error) {
	registry, _ := controller.NewFakeControllerWithOptions(t, controller.FakeControllerOptions{
		Client:       istiokube.NewFakeClient(objects(vector, service, slices)...),
		ClusterID:    constants.DefaultClusterName,
		DomainSuffix: domain,
		SkipRun:      true,
	})
	plane := networking.NewConfigGenTest(t, networking.TestOptions{
		ServiceRegistries: []serviceregistry.Instance{registry},
		ClusterID:         constants.DefaultClusterName,
	})
	sidecar := plane.SetupProxy(&model.Proxy{
		Type:            model.SidecarProxy,
		ID:              client + "." + service.Namespace,
		ConfigNamespace: service.Namespace,
		IPAddresses:     []string{addressOf(vector).String()},
		Metadata: &model.NodeMetadata{
			Namespace: service.Namespace,
			ClusterID: constants.DefaultClusterName,
			NodeName:  vector.Client.Node,
		},
	})
	sidecar.SetWorkloadLabels(plane.Env())
	name := clusterOf(service, vector.Port)
	for _, each := range plane.Clusters(sidecar) {
		if each.Name != name {
			continue
		}
		if each.GetType() != cluster.Cluster_EDS {
			return conformance.Answer{NotServed: fmt.Sprintf("Envoy's cluster is of type %s", each.GetType())}, nil
		}
		builder := endpoints.NewEndpointBuilder(name, sidecar, plane.PushContext())
		used, err := reached(each, builder.BuildClusterLoadAssignment(registry.Endpoints))
		return conformance.Uses(used), err
	}
	return conformance.Answer{NotServed: "Envoy has no cluster for it"}, nil
}

// clusterOf is the name of the cluster for a port.
func clusterOf(service *core.Service, port conformance.Port) string {
	for _, each := range service.Spec.Ports {
		if each.Name == port.Name && string(each.Protocol) == port.Protocol {
			host := kube.ServiceHostname(service.Name, service.Namespace, domain)
			return model.BuildSubsetKey(model.TrafficDirectionOutbound, "", host, int(each.Port))
		}
	}
	return ""
}
