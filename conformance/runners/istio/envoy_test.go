package main

import (
	"strings"
	"testing"

	cluster "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	envoy "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpoint "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	percent "github.com/envoyproxy/go-control-plane/envoy/type/v3"
)

// assignment has an endpoint for each letter, a priority for each word; those
// in capitals are unhealthy.
func assignment(priorities string) *endpoint.ClusterLoadAssignment {
	all := &endpoint.ClusterLoadAssignment{}
	for priority, letters := range strings.Fields(priorities) {
		locality := &endpoint.LocalityLbEndpoints{Priority: uint32(priority)}
		for _, letter := range letters {
			status := envoy.HealthStatus_HEALTHY
			if strings.ToUpper(string(letter)) == string(letter) {
				status = envoy.HealthStatus_UNHEALTHY
			}
			address := &envoy.Address{Address: &envoy.Address_Pipe{Pipe: &envoy.Pipe{Path: string(letter)}}}
			locality.LbEndpoints = append(locality.LbEndpoints, &endpoint.LbEndpoint{
				HealthStatus:   status,
				HostIdentifier: &endpoint.LbEndpoint_Endpoint{Endpoint: &endpoint.Endpoint{Address: address}},
			})
		}
		all.Endpoints = append(all.Endpoints, locality)
	}
	return all
}

func TestReached(t *testing.T) {
	withoutPanic := &cluster.Cluster{CommonLbConfig: &cluster.Cluster_CommonLbConfig{HealthyPanicThreshold: &percent.Percent{}}}
	for given, want := range map[string]string{
		"ab c":        "ab",
		"aB c":        "ac",
		"AB c":        "c",
		"abcdeFG h":   "abcde",
		"abcdEFG h i": "abcdh",
		"aBC D e f":   "ae",
		"A B":         "",
	} {
		used, err := reached(withoutPanic, assignment(given))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(strings.Join(used, ""), "unix:", ""); got != want {
			t.Errorf("%s: %s, not %s", given, got, want)
		}
	}
	if _, err := reached(&cluster.Cluster{}, assignment("aB")); err == nil {
		t.Error("a panic threshold is not Envoy's default")
	}
}
