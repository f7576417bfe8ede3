package compare

import (
	"slices"

	discovery "k8s.io/api/discovery/v1"
)

// turns checks which endpoints serve another zone. The reference goes through
// one slice after another, each from its first endpoint, until a zone has
// given enough: if an endpoint is given away, so are those of its zone before it,
// and at most one slice is left halfway. New endpoints may be in any order.
func (c *checker) turns() {
	if !wantsAuto(c.prepared) {
		return
	}
	halfway := map[giver]int{}
	for _, slice := range slices.Concat(c.made.Create, c.made.Update) {
		first, last := c.turnsOf(slice)
		for from, turn := range last {
			stays, ok := first[from]
			if !ok {
				continue
			}
			if halfway[from]++; turn > stays {
				c.say("slice %q gives an endpoint of %s, though one before it stays", slice.Name, from.zone)
			}
		}
	}
	for from, count := range halfway {
		if count > 1 {
			c.say("%d slices of %s give a part of %s", count, from.addressType, from.zone)
		}
	}
}

// giver is a zone as one address type has it.
type giver struct {
	addressType discovery.AddressType
	zone        string
}

// turnsOf finds, for each zone, the first endpoint of a slice that serves its
// own zone, and the last that serves another one.
func (c *checker) turnsOf(slice *discovery.EndpointSlice) (stays, gives map[giver]int) {
	turn := c.turn(slice)
	stays, gives = map[giver]int{}, map[giver]int{}
	for i := range slice.Endpoints {
		endpoint := &slice.Endpoints[i]
		hinted := hintText(endpoint)
		if !ready(endpoint) || hinted == "" {
			continue
		}
		from, at := giver{slice.AddressType, zone(endpoint)}, turn(endpoint)
		if hinted != from.zone {
			gives[from] = max(gives[from], at)
		} else if first, ok := stays[from]; !ok || at < first {
			stays[from] = at
		}
	}
	return stays, gives
}

// turn is the position at which an endpoint is considered: first those that were
// in the slice, in their old order, then new ones.
func (c *checker) turn(slice *discovery.EndpointSlice) func(*discovery.Endpoint) int {
	original := c.prepared.Slice(slice.Name)
	if !mayKeep(original, PortsText(slice.Ports), c.prepared) {
		return func(*discovery.Endpoint) int { return 0 }
	}
	place := map[string]int{}
	for i := range original.Endpoints {
		if id := identity(&original.Endpoints[i]); place[id] == 0 {
			place[id] = i + 1
		}
	}
	return func(endpoint *discovery.Endpoint) int {
		if at := place[identity(endpoint)]; at > 0 {
			return at
		}
		return len(original.Endpoints) + 1
	}
}
