// Command calico answers vectors with the proxy of Felix, Calico's agent, that
// takes the place of kube-proxy where Calico uses eBPF: objects go into a fake
// client, and the answer is what the proxy writes into maps in memory.
package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/go-logr/logr"
	"github.com/projectcalico/calico/felix/bpf/maps"
	"github.com/projectcalico/calico/felix/bpf/mock"
	"github.com/projectcalico/calico/felix/bpf/nat"
	"github.com/projectcalico/calico/felix/bpf/proxy"
	log "github.com/sirupsen/logrus"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/klog/v2"

	"slicewise/conformance"
)

// patience is far longer than any vector takes.
const patience = time.Minute

func main() {
	log.SetOutput(io.Discard)
	klog.SetLogger(logr.Discard())
	conformance.Main(conformance.Introduction{
		Reader:  "Calico",
		Version: conformance.Version("github.com/projectcalico/calico"),
		How: "`felix/bpf/proxy` of Calico 3.28.5, the newest that Go's module proxy serves: `New` and its `Syncer`, which writes " +
			"into maps in memory. Of the backends of a frontend, the runner takes those that `felix/bpf-gpl/nat_lookup.h` chooses from",
	}, answer)
}

func answer(vector *conformance.Vector) (conformance.Answer, error) {
	const reason = "an address of several slices is what the slice says that is read first, in no order"
	return conformance.Repeatedly(vector, reason, func() (conformance.Answer, error) { return once(vector) })
}

func once(vector *conformance.Vector) (conformance.Answer, error) {
	service, slices, err := conformance.Objects[core.Service, discovery.EndpointSlice](vector)
	if err != nil {
		return conformance.Answer{}, err
	}
	// The proxy would listen there.
	service.Spec.HealthCheckNodePort = 0
	objects := []runtime.Object{service}
	for _, slice := range slices {
		objects = append(objects, slice)
	}
	written, err := synced(objects, vector)
	if err != nil {
		return conformance.Answer{}, err
	}
	key, err := written.family.frontend(service, vector)
	if err != nil {
		return conformance.Answer{NotServed: err.Error()}, nil
	}
	value, served := written.frontends.Contents[key]
	if !served {
		return conformance.Answer{NotServed: "Calico has no such frontend"}, nil
	}
	return conformance.Uses(written.reached(nat.FrontendValueFromBytes([]byte(value)), vector.Traffic == "external")), nil
}

// family is what differs between IPv4 and IPv6.
type family struct {
	number              int
	frontends, backends maps.MapParameters
	affinity            maps.MapParameters
	key                 func(net.IP, uint16, uint8) nat.FrontendKeyInterface
	backend             func([]byte) nat.BackendValueInterface
	// node is the address of the client's node.
	node net.IP
}

func familyOf(vector *conformance.Vector) family {
	if vector.AddressType == "IPv6" {
		return family{
			6, nat.FrontendMapV6Parameters, nat.BackendMapV6Parameters, nat.AffinityMapV6Parameters,
			nat.NewNATKeyV6Intf, nat.BackendValueV6FromBytes, net.ParseIP("2001:db8::1"),
		}
	}
	return family{
		4, nat.FrontendMapParameters, nat.BackendMapParameters, nat.AffinityMapParameters,
		nat.NewNATKeyIntf, nat.BackendValueFromBytes, net.ParseIP("192.0.2.1").To4(),
	}
}

// written are the maps that the datapath would read.
type written struct {
	family              family
	frontends, backends *mock.Map
}

// observed says when the maps have been written.
type observed struct {
	*proxy.Syncer
	applied chan error
}

func (o observed) Apply(state proxy.DPSyncerState) error {
	err := o.Syncer.Apply(state)
	select {
	case o.applied <- err:
	default:
	}
	return err
}

// synced runs the proxy on the node of the client until it knows the objects.
func synced(objects []runtime.Object, vector *conformance.Vector) (*written, error) {
	of := familyOf(vector)
	maps := &written{of, mock.NewMockMap(of.frontends), mock.NewMockMap(of.backends)}
	syncer, err := proxy.NewSyncer(
		of.number, []net.IP{of.node}, maps.frontends, maps.backends, mock.NewMockMap(of.affinity), proxy.NewRTCache(), nil,
	)
	if err != nil {
		return nil, err
	}
	seen := observed{syncer, make(chan error, 1)}
	zone := vector.ClientNode().Labels[core.LabelTopologyZone]
	running, err := proxy.New(
		fake.NewSimpleClientset(objects...), seen, vector.Client.Node,
		proxy.WithIPFamily(of.number), proxy.WithImmediateSync(), proxy.WithTopologyNodeZone(zone),
	)
	if err != nil {
		return nil, err
	}
	defer running.Stop()
	select {
	case err := <-seen.applied:
		return maps, err
	case <-time.After(patience):
		return nil, errors.New("the proxy does not write")
	}
}

// frontend is the key of where requests of the vector arrive: the cluster IP, or a node port.
func (f family) frontend(service *core.Service, vector *conformance.Vector) (string, error) {
	for _, port := range service.Spec.Ports {
		if port.Name != vector.Port.Name || string(port.Protocol) != vector.Port.Protocol {
			continue
		}
		protocol, err := proxy.ProtoV1ToInt(port.Protocol)
		if err != nil {
			return "", err
		}
		if vector.Traffic == "external" {
			return string(f.key(f.node, uint16(port.NodePort), protocol).AsBytes()), nil
		}
		for _, text := range service.Spec.ClusterIPs {
			address := net.ParseIP(text)
			if address != nil && (address.To4() == nil) == (f.number == 6) {
				return string(f.key(address, uint16(port.Port), protocol).AsBytes()), nil
			}
		}
	}
	return "", fmt.Errorf("the Service has no address of %s", vector.AddressType)
}

// reached are the backends that the datapath selects from: those of the node come first.
func (w *written) reached(value nat.FrontendValue, isExternal bool) []string {
	local := uint32(nat.NATFlgInternalLocal)
	if isExternal {
		local = nat.NATFlgExternalLocal
	}
	count := value.Count()
	if value.Flags()&local != 0 {
		count = value.LocalCount()
	}
	var endpoints []string
	for index := range count {
		key := nat.NewNATBackendKey(value.ID(), index)
		found, is := w.backends.Contents[string(key.AsBytes())]
		if !is {
			fmt.Fprintf(os.Stderr, "backend %d of %d is missing\n", index, count)
			continue
		}
		backend := w.family.backend([]byte(found))
		endpoints = append(endpoints, net.JoinHostPort(backend.Addr().String(), strconv.Itoa(int(backend.Port()))))
	}
	return endpoints
}
