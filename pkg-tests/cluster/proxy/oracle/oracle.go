package oracle

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	v1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/proxy"
	"k8s.io/kubernetes/pkg/proxy/config"
)

// Oracle is the state of one kube-proxy for one address family: the fields of
// its proxiers that do not concern the kernel.
type Oracle struct {
	node             string
	family           v1.IPFamily
	services         map[types.NamespacedName]*v1.Service
	serviceChanges   *proxy.ServiceChangeTracker
	ports            proxy.ServicePortMap
	deleted          proxy.ServicePortMap // by the last sync
	slices           map[types.NamespacedName]*discovery.EndpointSlice
	endpointsChanges *proxy.EndpointsChangeTracker
	endpoints        proxy.EndpointsMap
	nodes            cache.ResourceEventHandler
	topologyLabels   map[string]string
}

// New starts an oracle. The feature gate must already be set.
func New(settings Settings) (*Oracle, error) {
	if err := emulate(); err != nil {
		return nil, err
	}
	family, err := settings.family()
	if err != nil {
		return nil, err
	}
	started, err := settings.started()
	if err != nil {
		return nil, err
	}
	o := &Oracle{
		node:             settings.Node,
		family:           family,
		services:         map[types.NamespacedName]*v1.Service{},
		serviceChanges:   proxy.NewServiceChangeTracker(family, nil, nil),
		ports:            proxy.ServicePortMap{},
		slices:           map[types.NamespacedName]*discovery.EndpointSlice{},
		endpointsChanges: newTracker(family, settings.Node, started),
		endpoints:        proxy.EndpointsMap{},
	}
	o.nodes = watchNode(o)
	o.nodes.OnAdd(&v1.Node{ObjectMeta: metav1.ObjectMeta{Name: settings.Node, Labels: settings.NodeLabels}}, true)
	return o, nil
}

// newTracker makes a tracker with the given start time. The reference
// uses the time of the call.
func newTracker(family v1.IPFamily, node string, started time.Time) *proxy.EndpointsChangeTracker {
	tracker := proxy.NewEndpointsChangeTracker(family, node, nil, nil)
	field := reflect.ValueOf(tracker).Elem().FieldByName("trackerStartTime")
	*(*time.Time)(field.Addr().UnsafePointer()) = started
	return tracker
}

// Line processes one line of the stream. Only a sync has an answer.
func (o *Oracle) Line(line []byte) (*Answer, error) {
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		return nil, err
	}
	if r.Sync != nil {
		asked, err := parseQuestion(r.Sync)
		if err != nil {
			return nil, err
		}
		return o.sync(asked)
	}
	return nil, o.event(r, line)
}

func (o *Oracle) event(r record, line []byte) error {
	removed := r.Type == deleted
	if !removed && r.Type != "ADDED" && r.Type != "MODIFIED" {
		return fmt.Errorf("unknown type of event %q", r.Type)
	}
	switch r.Object.Kind {
	case "Service":
		service, err := readObject[v1.Service](line)
		if err != nil {
			return err
		}
		o.service(service, removed)
	case "EndpointSlice":
		slice, err := readSlice(line)
		if err != nil {
			return err
		}
		o.slice(slice, removed)
	case "Node":
		node, err := readObject[v1.Node](line)
		if err != nil {
			return err
		}
		o.nodeEvent(node, removed)
	default:
		return fmt.Errorf("unknown kind %q", r.Object.Kind)
	}
	return nil
}

const deleted = "DELETED"

// readObject reads the object of an event.
func readObject[T any](line []byte) (*T, error) {
	var event struct {
		Object T `json:"object"`
	}
	err := json.Unmarshal(line, &event)
	return &event.Object, err
}

// service passes on what an informer would, including the old object.
// An object that is not selected counts as deleted, as for an informer.
func (o *Oracle) service(service *v1.Service, removed bool) {
	name := nameOf(service)
	previous := o.services[name]
	if removed || !selectsService(service) {
		delete(o.services, name)
		o.serviceChanges.Update(previous, nil)
		return
	}
	o.services[name] = service
	o.serviceChanges.Update(previous, service)
}

// readSlice decodes a slice as kube-proxy does, from protobuf: missing and
// empty lists are the same, which reflect.DeepEqual would distinguish. A missing
// protocol becomes TCP, the API server's default: the reference would crash
// without it.
func readSlice(line []byte) (*discovery.EndpointSlice, error) {
	read, err := readObject[discovery.EndpointSlice](line)
	if err != nil {
		return nil, err
	}
	wire, err := read.Marshal()
	if err != nil {
		return nil, err
	}
	var slice discovery.EndpointSlice
	if err := slice.Unmarshal(wire); err != nil {
		return nil, err
	}
	for i := range slice.Ports {
		if slice.Ports[i].Protocol == nil {
			protocol := v1.ProtocolTCP
			slice.Ports[i].Protocol = &protocol
		}
	}
	return &slice, nil
}

// sync does what proxiers do first in syncProxyRules.
func (o *Oracle) sync(asked question) (*Answer, error) {
	before := maps.Clone(o.endpoints)
	changed := o.ports.Update(o.serviceChanges)
	var needsCleanup bool
	o.deleted, needsCleanup = deletedPorts(changed)
	result := o.endpoints.Update(o.endpointsChanges)
	for name := range result.UpdatedServices {
		if err := o.settle(name); err != nil {
			return nil, err
		}
	}
	answer := &Answer{
		UpdatedServices:     sortedNames(result.UpdatedServices.UnsortedList()),
		UpdatedServicePorts: sortedNames(changed.UpdatedServices.UnsortedList()),
		TriggerTimes:        triggerTimes(result.LastChangeTriggerTimes),
		Endpoints:           endpointsAnswer(o.endpoints),
		StaleUDP:            staleUDP(before, o.endpoints),

		ConntrackCleanupRequired: result.ConntrackCleanupRequired || needsCleanup,

		HealthCheckNodePorts: byName(o.ports.HealthCheckNodePorts()),
		LocalReadyEndpoints:  byName(o.endpoints.LocalReadyEndpoints()),
	}
	if asked.routes {
		routes := o.routes()
		answer.Routes = &routes
	}
	if asked.asked {
		stale := o.stale(asked.conntrack)
		answer.StaleConntrack = &stale
	}
	return answer, nil
}

func sortedNames(names []types.NamespacedName) []string {
	texts := make([]string, 0, len(names))
	for _, name := range names {
		texts = append(texts, name.String())
	}
	slices.Sort(texts)
	return texts
}

func triggerTimes(all map[types.NamespacedName][]time.Time) map[string][]string {
	texts := map[string][]string{}
	for name, times := range all {
		for _, each := range times {
			texts[name.String()] = append(texts[name.String()], each.UTC().Format(time.RFC3339Nano))
		}
	}
	return texts
}

func byName[T any](all map[types.NamespacedName]T) map[string]T {
	answer := make(map[string]T, len(all))
	for name, value := range all {
		answer[name.String()] = value
	}
	return answer
}

// key identifies a service port. The reference's own name lacks the protocol.
func key(port proxy.ServicePortName) string {
	return port.String() + "/" + string(port.Protocol)
}

func endpointsAnswer(all proxy.EndpointsMap) map[string][]Endpoint {
	answer := map[string][]Endpoint{}
	for port, endpoints := range all {
		list := make([]Endpoint, 0, len(endpoints))
		for _, endpoint := range endpoints {
			list = append(list, Endpoint{
				Endpoint:    endpoint.String(),
				Ready:       endpoint.IsReady(),
				Serving:     endpoint.IsServing(),
				Terminating: endpoint.IsTerminating(),
				Local:       endpoint.IsLocal(),
				ZoneHints:   sorted(endpoint.ZoneHints().UnsortedList()),
				NodeHints:   sorted(endpoint.NodeHints().UnsortedList()),
			})
		}
		answer[key(port)] = list
	}
	return answer
}

func sorted(texts []string) []string {
	slices.Sort(texts)
	return append([]string{}, texts...)
}

var _ config.NodeTopologyHandler = (*Oracle)(nil)
