package oracle

import (
	"net"
	"strconv"
)

// Frontend is the cluster IP and port of a service port, if no other has them.
func (o *Oracle) Frontend(port string) string {
	found := ""
	for name, each := range o.ports {
		if key(name) == port && each.ClusterIP() != nil {
			found = net.JoinHostPort(each.ClusterIP().String(), strconv.Itoa(each.Port()))
		}
	}
	for name, each := range o.ports {
		if key(name) != port && net.JoinHostPort(each.ClusterIP().String(), strconv.Itoa(each.Port())) == found {
			return ""
		}
	}
	return found
}

// IsStale asks the reference about a flow from a frontend to an endpoint; the
// answer is unknown if the endpoint is not an address.
func (o *Oracle) IsStale(frontend, endpoint string) (stale, known bool) {
	dst, dstPort, err := net.SplitHostPort(frontend)
	if err != nil {
		return false, false
	}
	src, srcPort, err := net.SplitHostPort(endpoint)
	if err != nil || net.ParseIP(src) == nil {
		return false, false
	}
	to, _ := strconv.ParseUint(dstPort, 10, 16)
	from, err := strconv.ParseUint(srcPort, 10, 16)
	if err != nil {
		return false, false
	}
	entry := Entry{"UDP", Tuple{"172.16.0.1", dst, 4000, uint16(to)}, Tuple{src, "172.16.0.1", uint16(from), 4000}}
	return len(o.stale([]Entry{entry})) > 0, true
}
