// Command coredns answers vectors with CoreDNS's plugin for Kubernetes.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/coredns/coredns/plugin/kubernetes"
	"github.com/coredns/coredns/plugin/kubernetes/object"
	"github.com/coredns/coredns/plugin/pkg/dnstest"
	"github.com/coredns/coredns/plugin/test"
	"github.com/miekg/dns"
	api "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"

	"slicewise/conformance"
)

const zone = "cluster.local."

func main() {
	conformance.Main(conformance.Introduction{
		Reader:  "CoreDNS",
		Version: conformance.Version("github.com/coredns/coredns"),
		How: "`plugin/kubernetes`: `EndpointSliceToEndpoints`, and `ServeDNS` for a query of type SRV. " +
			"It answers with endpoints only for headless Services, so a Service with a cluster IP is asked for as if it were headless",
	}, answer)
}

func answer(vector *conformance.Vector) (conformance.Answer, error) {
	if vector.Traffic == "external" {
		return conformance.Answer{NotAsked: "DNS of the cluster does not direct traffic from outside"}, nil
	}
	service, slices, err := conformance.Objects[api.Service, discovery.EndpointSlice](vector)
	if err != nil {
		return conformance.Answer{}, err
	}
	if service.Spec.Type == api.ServiceTypeExternalName {
		return conformance.Answer{NotServed: "it answers with the name, as a CNAME"}, nil
	}
	service.Spec.ClusterIP, service.Spec.ClusterIPs = api.ClusterIPNone, []string{api.ClusterIPNone}
	name := service.Name + "." + service.Namespace + ".svc." + zone
	if vector.Port.Name != "" {
		name = fmt.Sprintf("_%s._%s.%s", vector.Port.Name, strings.ToLower(vector.Port.Protocol), name)
	}
	known, err := store(service, slices)
	if err != nil {
		return conformance.Answer{}, err
	}
	response, err := query(known, name)
	if err != nil {
		return conformance.Answer{}, err
	}
	return conformance.Uses(reached(response, vector.AddressType)), nil
}

func query(known *objects, name string) (*dns.Msg, error) {
	plugin := kubernetes.New([]string{zone})
	plugin.APIConn = known
	question := new(dns.Msg)
	question.SetQuestion(name, dns.TypeSRV)
	recorder := dnstest.NewRecorder(&test.ResponseWriter{})
	if _, err := plugin.ServeDNS(context.Background(), recorder, question); err != nil {
		return nil, err
	}
	if recorder.Msg == nil {
		return nil, errors.New("no response")
	}
	return recorder.Msg, nil
}

// reached are the addresses of the names in a response, with their ports. A
// target that is no name of an address is one itself.
func reached(response *dns.Msg, family string) []string {
	var endpoints []string
	for _, each := range response.Answer {
		service, is := each.(*dns.SRV)
		if !is {
			continue
		}
		found := false
		for _, extra := range response.Extra {
			if extra.Header().Name != service.Target {
				continue
			}
			found = true
			if address := addressOf(extra, family); address != "" {
				endpoints = append(endpoints, net.JoinHostPort(address, strconv.Itoa(int(service.Port))))
			}
		}
		if !found {
			endpoints = append(endpoints, net.JoinHostPort(strings.TrimSuffix(service.Target, "."), strconv.Itoa(int(service.Port))))
		}
	}
	return endpoints
}

func addressOf(record dns.RR, family string) string {
	switch record := record.(type) {
	case *dns.A:
		if family == "IPv4" {
			return record.A.String()
		}
	case *dns.AAAA:
		if family == "IPv6" {
			return record.AAAA.String()
		}
	}
	return ""
}

// objects are what CoreDNS's informers hold, after its own transformations.
type objects struct {
	services  []*object.Service
	endpoints []*object.Endpoints
}

func store(service *api.Service, slices []*discovery.EndpointSlice) (*objects, error) {
	kept, err := object.ToService(service)
	if err != nil {
		return nil, err
	}
	known := &objects{services: []*object.Service{kept.(*object.Service)}}
	for _, slice := range slices {
		kept, err := object.EndpointSliceToEndpoints(slice)
		if err != nil {
			return nil, err
		}
		known.endpoints = append(known.endpoints, kept.(*object.Endpoints))
	}
	return known, nil
}

func (o *objects) ServiceList() []*object.Service     { return o.services }
func (o *objects) EndpointsList() []*object.Endpoints { return o.endpoints }

func (o *objects) SvcIndex(key string) (found []*object.Service) {
	for _, each := range o.services {
		if each.Index == key {
			found = append(found, each)
		}
	}
	return found
}

func (o *objects) EpIndex(key string) (found []*object.Endpoints) {
	for _, each := range o.endpoints {
		if each.Index == key {
			found = append(found, each)
		}
	}
	return found
}

func (o *objects) GetNamespaceByName(name string) (*object.Namespace, error) {
	return &object.Namespace{Name: name}, nil
}

func (o *objects) GetNodeByName(context.Context, string) (*api.Node, error) {
	return nil, errors.New("no nodes")
}

// What queries for a Service do not ask for.

func (o *objects) ServiceImportList() []*object.ServiceImport       { return nil }
func (o *objects) SvcIndexReverse(string) []*object.Service         { return nil }
func (o *objects) SvcExtIndexReverse(string) []*object.Service      { return nil }
func (o *objects) SvcImportIndex(string) []*object.ServiceImport    { return nil }
func (o *objects) PodIndex(string) []*object.Pod                    { return nil }
func (o *objects) EpIndexReverse(string) []*object.Endpoints        { return nil }
func (o *objects) McEpIndex(string) []*object.MultiClusterEndpoints { return nil }
func (o *objects) Run()                                             {}
func (o *objects) HasSynced() bool                                  { return true }
func (o *objects) Stop() error                                      { return nil }
func (o *objects) Modified(kubernetes.ModifiedMode) int64           { return 0 }
