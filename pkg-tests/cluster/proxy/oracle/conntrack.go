package oracle

import (
	"net"
	"slices"
	"strings"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/proxy"
)

// table is a connection tracker that holds given entries and records which of
// them to delete.
type table struct {
	flows   []*netlink.ConntrackFlow
	deleted []*netlink.ConntrackFlow
}

// ListEntries implements conntrack.Interface; like the kernel, by family.
func (t *table) ListEntries(family uint8) ([]*netlink.ConntrackFlow, error) {
	var found []*netlink.ConntrackFlow
	for _, flow := range t.flows {
		if flow.FamilyType == family {
			found = append(found, flow)
		}
	}
	return found, nil
}

// DeleteEntries implements conntrack.Interface.
func (t *table) DeleteEntries(_ uint8, flows []*netlink.ConntrackFlow) (int, error) {
	t.deleted = append(t.deleted, flows...)
	return len(flows), nil
}

func newTable(entries []Entry) *table {
	t := &table{}
	for _, entry := range entries {
		flow := &netlink.ConntrackFlow{
			FamilyType: unix.AF_INET,
			Forward:    entry.Origin.tuple(entry.Protocol),
			Reverse:    entry.Reply.tuple(entry.Protocol),
		}
		if flow.Forward.DstIP.To4() == nil {
			flow.FamilyType = unix.AF_INET6
		}
		t.flows = append(t.flows, flow)
	}
	return t
}

var protocols = map[string]uint8{"UDP": unix.IPPROTO_UDP, "TCP": unix.IPPROTO_TCP, "SCTP": unix.IPPROTO_SCTP}

func (t Tuple) tuple(protocol string) netlink.IPTuple {
	return netlink.IPTuple{
		Protocol: protocols[strings.ToUpper(protocol)],
		SrcIP:    net.ParseIP(t.Src),
		DstIP:    net.ParseIP(t.Dst),
		SrcPort:  t.SrcPort,
		DstPort:  t.DstPort,
	}
}

// stale are the indexes of the entries that the reference deletes.
func (o *Oracle) stale(entries []Entry) []int {
	t := newTable(entries)
	o.clean(t)
	found := []int{}
	for i, flow := range t.flows {
		if slices.Contains(t.deleted, flow) {
			found = append(found, i)
		}
	}
	return found
}

// CanBe reports whether the reference could give this answer, entry by entry,
// after the last sync. If two service ports have the same frontend, it takes the
// one that comes last in a Go map, so it is run many times.
func (o *Oracle) CanBe(entries []Entry, answer []int) bool {
	wrong := map[int]bool{}
	for i := range entries {
		wrong[i] = true
	}
	for range mostRuns {
		stale := o.stale(entries)
		for i := range wrong {
			if slices.Contains(stale, i) == slices.Contains(answer, i) {
				delete(wrong, i)
			}
		}
		if len(wrong) == 0 {
			return slices.IsSorted(answer)
		}
	}
	return false
}

// mostRuns is the number of runs: the rarer of two outcomes occurs in one of eight runs.
const mostRuns = 300

// staleUDP is how a sync has changed the endpoints of UDP ports. The reference
// has no such lists any more, since its cleanup reads the whole table; they say
// which entries are affected, and TestStaleUDPIsWhatCleanupFinds checks that.
func staleUDP(before, after proxy.EndpointsMap) StaleUDP {
	stale := StaleUDP{DeletedEndpoints: []DeletedEndpoint{}, GainedEndpoints: []string{}}
	for port, endpoints := range before {
		if port.Protocol != v1.ProtocolUDP {
			continue
		}
		now := servingOf(after[port])
		for endpoint := range servingOf(endpoints) {
			if !now[endpoint] {
				stale.DeletedEndpoints = append(stale.DeletedEndpoints, DeletedEndpoint{endpoint, key(port)})
			}
		}
	}
	for port, endpoints := range after {
		if port.Protocol == v1.ProtocolUDP && len(servingOf(endpoints)) > 0 && len(servingOf(before[port])) == 0 {
			stale.GainedEndpoints = append(stale.GainedEndpoints, key(port))
		}
	}
	slices.Sort(stale.GainedEndpoints)
	slices.SortFunc(stale.DeletedEndpoints, func(a, b DeletedEndpoint) int {
		return strings.Compare(a.ServicePort+" "+a.Endpoint, b.ServicePort+" "+b.Endpoint)
	})
	return stale
}

func servingOf(endpoints []proxy.Endpoint) map[string]bool {
	serving := map[string]bool{}
	for _, endpoint := range endpoints {
		if endpoint.IsServing() {
			serving[endpoint.String()] = true
		}
	}
	return serving
}
