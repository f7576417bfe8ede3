package compare

import (
	"maps"
	"math/rand"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"

	"slicewise/oracle"
)

// orders are the orders in which the reference gets its inputs, in turn: slices
// by name, which is our order; pods in an order that probably leads to our choice
// of groups; and any order.
func (m *matcher) orders() []oracle.Order {
	random := oracle.Shuffled(rand.New(rand.NewSource(1)))
	orders := []oracle.Order{oracle.ByName}
	for _, addressType := range slices.Sorted(maps.Keys(m.ours.Types)) {
		rank := m.ranks(addressType)
		orders = append(orders, random, func(in *oracle.Inputs) {
			random(in)
			oracle.ByName(in)
			slices.SortStableFunc(in.Pods, func(a, b *corev1.Pod) int { return rank[a.Name] - rank[b.Name] })
		})
	}
	return orders
}

// ranks puts pods whose groups take over old slices last: the last creates are
// the first to get one, and groups come in the order of a map that was filled
// in the order of pods.
func (m *matcher) ranks(addressType string) map[string]int {
	const created, both, reused = 0, 1, 2
	group := map[string]int{}
	for _, g := range m.ours.Types[addressType].Groups {
		creates := slices.ContainsFunc(g.Slices, func(s Slice) bool { return s.Op == "create" })
		reuses := slices.ContainsFunc(g.Slices, func(s Slice) bool { return s.Op == "update" && s.Kept == 0 })
		switch {
		case creates && reuses:
			group[g.Ports] = both
		case reuses:
			group[g.Ports] = reused
		default:
			group[g.Ports] = created
		}
	}
	pods := map[string]int{}
	each(m.made, m.subject.Prepared, addressType, func(at home, endpoint *discovery.Endpoint) {
		if endpoint.TargetRef != nil {
			pods[endpoint.TargetRef.Name] = group[at.ports]
		}
	})
	return pods
}
