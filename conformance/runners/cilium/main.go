// Command cilium answers vectors with Cilium's load balancing, in place of
// kube-proxy: objects go into a fake client, and the answer is what its
// reconciler writes into maps in memory.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/cilium/cilium/pkg/k8s/client/testutils"
	core "github.com/cilium/cilium/pkg/k8s/slim/k8s/api/core/v1"
	discovery "github.com/cilium/cilium/pkg/k8s/slim/k8s/api/discovery/v1"
	"github.com/cilium/cilium/pkg/k8s/utils"
	"github.com/cilium/cilium/pkg/loadbalancer"
	"github.com/cilium/cilium/pkg/loadbalancer/maps"
	nodetypes "github.com/cilium/cilium/pkg/node/types"
	"github.com/cilium/cilium/pkg/u8proto"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"slicewise/conformance"
)

// patience is far longer than any vector takes.
const patience = time.Minute

// nobody is the usual user without privileges.
const nobody = 65534

func main() {
	// As root, Cilium's own cells would write into the kernel's maps.
	if os.Getuid() == 0 {
		if err := syscall.Setuid(nobody); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	conformance.Main(conformance.Introduction{
		Reader:  "Cilium",
		Version: conformance.Version("github.com/cilium/cilium"),
		How: "`pkg/loadbalancer`: reflectors, `DefaultSelectBackends` and the reconciler, which writes into maps in memory, " +
			"with `--enable-service-topology` and `--kube-proxy-replacement`",
	}, answer)
}

func answer(vector *conformance.Vector) (conformance.Answer, error) {
	const reason = "an address of several slices is what the slice says that is read last"
	return conformance.Repeatedly(vector, reason, func() (conformance.Answer, error) { return once(vector) })
}

func once(vector *conformance.Vector) (conformance.Answer, error) {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	service, err := conformance.Decode[core.Service](vector.Service)
	if err != nil {
		return conformance.Answer{}, err
	}
	nodetypes.SetName(vector.Client.Node)
	silent := slog.New(slog.NewTextHandler(io.Discard, nil))
	agent, err := newAgent(vector.ClientNode(), silent)
	if err != nil {
		return conformance.Answer{}, err
	}
	if err := fill(ctx, agent.client, service, vector); err != nil {
		return conformance.Answer{}, err
	}
	if err := agent.hive.Start(silent, ctx); err != nil {
		return conformance.Answer{}, err
	}
	waited := agent.wait(ctx)
	found, served, err := agent.reached(frontend(service, vector))
	for _, err := range []error{waited, err, agent.hive.Stop(silent, ctx)} {
		if err != nil {
			return conformance.Answer{}, err
		}
	}
	if !served {
		return conformance.Answer{NotServed: "Cilium has no such frontend"}, nil
	}
	return conformance.Uses(found), nil
}

// fill creates the objects that Cilium's watches select: the fake client does
// not select in a watch.
func fill(ctx context.Context, client *testutils.FakeClientset, service *core.Service, vector *conformance.Vector) error {
	ofServices, err := utils.GetServiceAndEndpointListOptionsModifier("", false)
	if err != nil {
		return err
	}
	ofSlices, err := utils.GetEndpointSliceListOptionsModifier("", false)
	if err != nil {
		return err
	}
	if isSelected(ofServices, service.Labels) {
		if _, err := client.Slim().CoreV1().Services(service.Namespace).Create(ctx, service, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	all, err := conformance.DecodeAll[discovery.EndpointSlice](vector.Slices)
	if err != nil {
		return err
	}
	for _, slice := range all {
		if !isSelected(ofSlices, slice.Labels) {
			continue
		}
		if _, err := client.Slim().DiscoveryV1().EndpointSlices(slice.Namespace).Create(ctx, slice, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

func isSelected(modify func(*metav1.ListOptions), own map[string]string) bool {
	var options metav1.ListOptions
	modify(&options)
	selector, err := labels.Parse(options.LabelSelector)
	return err == nil && selector.Matches(labels.Set(own))
}

// place is the key of a frontend in the maps.
type place struct {
	address  netip.Addr
	port     uint16
	protocol uint8
}

// frontend is where requests of the vector arrive: the cluster IP, or a node port.
func frontend(service *core.Service, vector *conformance.Vector) place {
	isSix := vector.AddressType == "IPv6"
	for _, port := range service.Spec.Ports {
		if port.Name != vector.Port.Name || string(port.Protocol) != vector.Port.Protocol {
			continue
		}
		protocol, _ := u8proto.ParseProtocol(vector.Port.Protocol)
		if vector.Traffic == "external" {
			address := netip.IPv4Unspecified()
			if isSix {
				address = netip.IPv6Unspecified()
			}
			return place{address, uint16(port.NodePort), uint8(protocol)}
		}
		for _, text := range service.Spec.ClusterIPs {
			if address, err := netip.ParseAddr(text); err == nil && address.Is6() == isSix {
				return place{address, uint16(port.Port), uint8(protocol)}
			}
		}
	}
	return place{}
}

// reached are the backends in the slots that the datapath selects from, and
// whether the frontend exists.
func (a *agent) reached(at place) (endpoints []string, exists bool, err error) {
	count := 0
	slots := map[int]loadbalancer.BackendID{}
	err = a.maps.DumpService(func(key maps.ServiceKey, value maps.ServiceValue) {
		key, value = key.ToHost(), value.ToHost()
		if (place{key.GetAddress(), key.GetPort(), key.GetProtocol()}) != at || key.GetScope() != loadbalancer.ScopeExternal {
			return
		}
		if slot := key.GetBackendSlot(); slot > 0 {
			slots[slot] = value.GetBackendID()
			return
		}
		count, exists = value.GetCount(), true
	})
	if err != nil {
		return nil, false, err
	}
	var used []loadbalancer.BackendID
	for slot, backend := range slots {
		if slot <= count {
			used = append(used, backend)
		}
	}
	err = a.maps.DumpBackend(func(key maps.BackendKey, value maps.BackendValue) {
		if slices.Contains(used, key.GetID()) {
			value = value.ToHost()
			endpoints = append(endpoints, net.JoinHostPort(value.GetAddress().Addr().String(), strconv.Itoa(int(value.GetPort()))))
		}
	})
	return endpoints, exists, err
}
