// Command prometheus answers vectors with Prometheus's discovery of
// EndpointSlices.
package main

import (
	"context"
	"fmt"
	"time"

	client "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/discovery/kubernetes"
	"github.com/prometheus/prometheus/discovery/targetgroup"
	v1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"

	"slicewise/conformance"
)

const meta = model.MetaLabelPrefix + "kubernetes_"

// patience is far longer than any vector takes.
const patience = time.Minute

func main() {
	conformance.Main(conformance.Introduction{
		Reader:  "Prometheus",
		Version: conformance.Version("github.com/prometheus/prometheus"),
		How: "`discovery/kubernetes`: `EndpointSlice.Run`, with the role `endpointslice`, and keeps the targets labelled with the Service, the port and " +
			"the family. They are the same for every client",
	}, answer)
}

func answer(vector *conformance.Vector) (conformance.Answer, error) {
	if vector.Traffic == "external" {
		return conformance.Answer{NotAsked: "it scrapes endpoints itself, so nothing arrives from outside"}, nil
	}
	service, slices, err := conformance.Objects[v1.Service, discovery.EndpointSlice](vector)
	if err != nil {
		return conformance.Answer{}, err
	}
	groups, err := discovered(service, slices)
	if err != nil {
		return conformance.Answer{}, err
	}
	var endpoints []string
	for _, group := range groups {
		for _, target := range group.Targets {
			if labels := group.Labels.Merge(target); selects(vector, service, labels) {
				endpoints = append(endpoints, string(labels[model.AddressLabel]))
			}
		}
	}
	return conformance.Uses(endpoints), nil
}

// selects is what relabelling rules for a port of a Service select.
func selects(vector *conformance.Vector, service *v1.Service, labels model.LabelSet) bool {
	is := func(label, value string) bool { return string(labels[model.LabelName(meta+label)]) == value }
	return is("namespace", service.Namespace) && is("service_name", service.Name) &&
		is("endpointslice_port_name", vector.Port.Name) && is("endpointslice_port_protocol", vector.Port.Protocol) &&
		!is("endpointslice_address_type", other[vector.AddressType])
}

var other = map[string]string{"IPv4": "IPv6", "IPv6": "IPv4"}

// discovered are the target groups, one for each slice.
func discovered(service *v1.Service, slices []*discovery.EndpointSlice) (map[string]*targetgroup.Group, error) {
	objects := []runtime.Object{service}
	for _, slice := range slices {
		objects = append(objects, slice)
	}
	factory := informers.NewSharedInformerFactory(fake.NewClientset(objects...), 0)
	events := client.NewCounterVec(client.CounterOpts{Name: "events"}, []string{"role", "event"})
	ofSlices, core := factory.Discovery().V1().EndpointSlices().Informer(), factory.Core().V1()
	discoverer := kubernetes.NewEndpointSlice(nil, ofSlices, core.Services().Informer(), core.Pods().Informer(), nil, nil, nil, nil, false, false, false, events)
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	factory.Start(ctx.Done())
	found := map[string]*targetgroup.Group{}
	groups := make(chan []*targetgroup.Group)
	go discoverer.Run(ctx, groups)
	for len(found) < len(slices) {
		select {
		case some := <-groups:
			for _, group := range some {
				found[group.Source] = group
			}
		case <-ctx.Done():
			return nil, fmt.Errorf("%d of %d slices were discovered", len(found), len(slices))
		}
	}
	return found, nil
}
