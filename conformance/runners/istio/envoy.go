package main

import (
	"fmt"
	"net"
	"strconv"

	cluster "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	envoy "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpoint "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
)

const (
	whole = 100
	// overprovisioning is Envoy's default: with five of seven healthy, a priority
	// still takes all requests.
	overprovisioning = 140
)

// reached are the endpoints that Envoy sends requests to, by its documentation
// of priority levels: a priority takes requests in proportion to its healthy
// endpoints, and the next ones take the rest.
func reached(of *cluster.Cluster, assignment *endpoint.ClusterLoadAssignment) ([]string, error) {
	healthy := map[uint32][]string{}
	count := map[uint32]int{}
	last := uint32(0)
	for _, locality := range assignment.Endpoints {
		last = max(last, locality.Priority)
		for _, each := range locality.LbEndpoints {
			count[locality.Priority]++
			if isHealthy(each.HealthStatus) {
				healthy[locality.Priority] = append(healthy[locality.Priority], nameOf(each.GetEndpoint().GetAddress()))
				continue
			}
			// With a threshold, Envoy would use unhealthy endpoints too.
			if threshold := of.CommonLbConfig.GetHealthyPanicThreshold(); threshold == nil || threshold.Value != 0 {
				return nil, fmt.Errorf("%s has unhealthy endpoints, and a panic threshold", of.Name)
			}
		}
	}
	factor := overprovisioning
	if given := assignment.GetPolicy().GetOverprovisioningFactor(); given != nil {
		factor = int(given.Value)
	}
	var used []string
	left := whole
	for priority := uint32(0); priority <= last && left > 0; priority++ {
		if len(healthy[priority]) == 0 {
			continue
		}
		used = append(used, healthy[priority]...)
		left -= min(left, factor*len(healthy[priority])/count[priority])
	}
	return used, nil
}

// nameOf is the name of an address; without a port, Istio takes it for the path
// of a socket.
func nameOf(address *envoy.Address) string {
	if pipe := address.GetPipe(); pipe != nil {
		return "unix:" + pipe.Path
	}
	socket := address.GetSocketAddress()
	return net.JoinHostPort(socket.GetAddress(), strconv.Itoa(int(socket.GetPortValue())))
}

func isHealthy(status envoy.HealthStatus) bool {
	return status == envoy.HealthStatus_UNKNOWN || status == envoy.HealthStatus_HEALTHY
}
