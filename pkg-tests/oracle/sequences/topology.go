package sequences

import (
	"fmt"
	"math/rand"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	"k8s.io/endpointslice/topologycache"
	"k8s.io/klog/v2"
)

// topologyCache draws the results of syncs in the cache and changes of nodes,
// and asks which Services the nodes have put over the threshold. It starts
// without nodes, as a controller does.
func topologyCache(r *rand.Rand) []Step {
	cache := topologycache.NewTopologyCache()
	steps := make([]Step, 40)
	for i := range steps {
		key := pick(r, "shop/cart", "shop/till", "bank/cart", "bank/till")
		family := pick(r, discovery.AddressTypeIPv4, discovery.AddressTypeIPv4, discovery.AddressTypeIPv6)
		step := Step{Service: key}
		switch r.Intn(12) {
		case 0, 1:
			step = Step{Do: "setNodes", Nodes: nodes(r)}
			cache.SetNodes(klog.Logger{}, all[corev1.Node](step.Nodes))
		case 2, 3, 4:
			step.Do, step.Family, step.Zones = "setHints", string(family), zones(r)
			cache.SetHints(key, family, counts(step.Zones))
		case 5:
			step.Do, step.Family = "removeHints", string(family)
			cache.RemoveHints(key, family)
		case 6, 7:
			step.Do, step.Answer = "hasPopulatedHints", cache.HasPopulatedHints(key)
		default:
			overloaded := cache.GetOverloadedServices()
			slices.Sort(overloaded)
			step = Step{Do: "overloadedServices", Answer: overloaded}
		}
		steps[i] = step
	}
	return steps
}

func counts(zones Object) topologycache.EndpointZoneInfo {
	counts := topologycache.EndpointZoneInfo{}
	for zone, count := range zones {
		counts[zone], _ = count.(int)
	}
	return counts
}

// zones are endpoints hinted to zones, about equally many to each, so that small
// changes decide.
func zones(r *rand.Rand) Object {
	zones := Object{}
	about := 1 + r.Intn(8)
	for _, zone := range []string{"a", "b", "c"} {
		if r.Intn(6) > 0 {
			zones[zone] = max(0, about+r.Intn(3)-1)
		}
	}
	return zones
}

func nodes(r *rand.Rand) []Object {
	nodes := []Object{}
	for i := range r.Intn(6) {
		node := Object{"name": fmt.Sprint("n", i)}
		labels := Object{corev1.LabelTopologyZone: pick(r, "a", "b", "c")}
		status := Object{
			"allocatable": Object{"cpu": pick(r, "4", "4", "3500m", "2", "6")},
			"conditions":  []Object{{"type": "Ready", "status": pick(r, "True", "True", "True", "True", "False")}},
		}
		switch r.Intn(20) {
		case 0:
			labels["node-role.kubernetes.io/control-plane"] = ""
		case 1:
			delete(labels, corev1.LabelTopologyZone)
		case 2:
			delete(status, "allocatable")
		}
		node["labels"] = labels
		nodes = append(nodes, Object{"metadata": node, "status": status})
	}
	return nodes
}
