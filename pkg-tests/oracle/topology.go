package oracle

import (
	"maps"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	"k8s.io/endpointslice/topologycache"
	"k8s.io/klog/v2"
)

// Topology is the state of one Service in the reference's topology cache
// between two syncs.
type Topology struct {
	Populated       bool                                     `json:"populated"`
	EndpointsByZone map[discovery.AddressType]map[string]int `json:"endpointsByZone,omitempty"`
}

// parkedType is an address type no slice has; see restore.
const parkedType discovery.AddressType = "parked"

// restore puts the state into an empty cache through its public API. Removing
// hints of any type clears the populated mark and leaves the other types.
func (t Topology) restore(cache *topologycache.TopologyCache, key string) {
	for addressType, byZone := range t.EndpointsByZone {
		cache.SetHints(key, addressType, maps.Clone(topologycache.EndpointZoneInfo(byZone)))
	}
	if !t.Populated && len(t.EndpointsByZone) > 0 {
		cache.SetHints(key, parkedType, nil)
		cache.RemoveHints(key, parkedType)
	}
}

// readTopology reads the state back. The counts have no public getter, but
// reflection may read, though not write, unexported fields.
func readTopology(cache *topologycache.TopologyCache, key string) Topology {
	state := Topology{Populated: cache.HasPopulatedHints(key)}
	byService := reflect.ValueOf(cache).Elem().FieldByName("endpointsByService")
	byType := byService.MapIndex(reflect.ValueOf(key))
	if !byType.IsValid() {
		return state
	}
	state.EndpointsByZone = map[discovery.AddressType]map[string]int{}
	for types := byType.MapRange(); types.Next(); {
		zones := map[string]int{}
		for counts := types.Value().MapRange(); counts.Next(); {
			zones[counts.Key().String()] = int(counts.Value().Int())
		}
		state.EndpointsByZone[discovery.AddressType(types.Key().String())] = zones
	}
	return state
}

// newCache builds the topology cache of one run, or nil without hints.
func newCache(p *Prepared, before Topology, nodes []*corev1.Node) *topologycache.TopologyCache {
	if !p.Options.TopologyHints {
		return nil
	}
	cache := topologycache.NewTopologyCache()
	before.restore(cache, p.Key().String())
	cache.SetNodes(klog.Logger{}, nodes)
	return cache
}
