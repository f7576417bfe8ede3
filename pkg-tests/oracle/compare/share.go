package compare

import (
	"math/rand"
	"slices"

	discovery "k8s.io/api/discovery/v1"
	"k8s.io/endpointslice/topologycache"

	"slicewise/oracle"
	"slicewise/oracle/plan"
)

// shareRuns is the number of runs after which the reference is asked what zones
// give and receive, instead of waiting for a run with our hints. If fewer
// endpoints can be given away than zones need, it draws a zone again for each of
// them: every way to share them is possible, and most are too rare to occur.
const shareRuns = 10

// shareTries is how often it is asked: among zones with equal needs it takes any.
const shareTries = 200

// flow is how many endpoints zones give away and receive.
type flow struct{ given, received map[string]int }

func newFlow() flow { return flow{given: map[string]int{}, received: map[string]int{}} }

func (f flow) add(own, hinted string) {
	if hinted != own {
		f.given[own]++
		f.received[hinted]++
	}
}

// sharing is what the hints of one address type of a plan are chosen from.
type sharing struct {
	ours   flow           // of the written slices
	hinted bool           // says that they have hints
	ready  map[string]int // ready endpoints of written slices by zone, lost ones included
	lost   map[string]int // those of them that are lost
	// free are all ready endpoints as if each could be given away: those of
	// unchanged slices are in the zones that they are hinted to. Thus all is
	// given that should be.
	free []discovery.Endpoint
	// fixed are the unchanged slices that cannot be taken like that.
	fixed []*discovery.EndpointSlice
}

// share accepts received hints that occurred in no run, if the reference may give them.
func (m *matcher) share() error {
	for addressType := range m.ours.Types {
		name := received(addressType)
		if _, ok := m.parts[name]; !ok || m.seen[name] {
			continue
		}
		if possible, err := m.mayShare(addressType); err != nil {
			return err
		} else if possible {
			m.seen[name] = true
		}
	}
	return nil
}

// remains checks the hints that remain if endpoints are lost with the
// creates that a Service being deleted does not get. How many of the lost ones
// were given away is random, so runs would hardly ever match.
func (m *matcher) remains() *Verdict {
	if !wantsAuto(m.subject.Prepared) || !loses(m.subject.Prepared, m.made) {
		return nil
	}
	for addressType := range m.ours.Types {
		switch possible, err := m.mayShare(addressType); {
		case err != nil:
			return &Verdict{Kind: "reference", Detail: err.Error()}
		case !possible:
			return &Verdict{Kind: addressType + " hints", Detail: "the reference cannot give these " + addressType + " hints"}
		}
	}
	return nil
}

// mayShare reports whether the reference can give the hints in our written
// slices.
func (m *matcher) mayShare(addressType string) (bool, error) {
	s := &sharing{ours: newFlow(), ready: map[string]int{}, lost: map[string]int{}}
	for _, slice := range slices.Concat(m.made.Create, m.made.Update) {
		if string(slice.AddressType) == addressType {
			s.written(slice.Endpoints)
		}
	}
	for _, name := range m.made.Unchanged {
		if slice := m.subject.Prepared.Slice(name); slice != nil && string(slice.AddressType) == addressType {
			s.unchanged(slice)
		}
	}
	if loses(m.subject.Prepared, m.made) {
		lost, ok, err := m.lost(addressType)
		if err != nil || !ok {
			return false, err
		}
		for i := range lost {
			if ready(&lost[i]) {
				s.lost[zone(&lost[i])]++
			}
		}
		s.written(lost)
	}
	order := oracle.Shuffled(rand.New(rand.NewSource(1)))
	for range shareTries {
		drawn, ok := s.draw(m.subject.Prepared, order)
		if !ok {
			return !s.hinted, nil
		}
		if s.allows(drawn) {
			return true, nil
		}
	}
	return false, nil
}

func (s *sharing) written(endpoints []discovery.Endpoint) {
	for i := range endpoints {
		if !ready(&endpoints[i]) {
			continue
		}
		own := zone(&endpoints[i])
		if hinted := hintText(&endpoints[i]); hinted != "" {
			s.hinted = true
			s.ours.add(own, hinted)
		}
		s.ready[own]++
		s.add(own)
	}
}

func (s *sharing) unchanged(slice *discovery.EndpointSlice) {
	var zones []string
	for i := range slice.Endpoints {
		hints := slice.Endpoints[i].Hints
		switch {
		case !ready(&slice.Endpoints[i]):
		case hints == nil || len(hints.ForZones) != 1:
			s.fixed = append(s.fixed, slice)
			return
		default:
			zones = append(zones, hints.ForZones[0].Name)
		}
	}
	for _, name := range zones {
		s.add(name)
	}
}

func (s *sharing) add(zone string) {
	yes := true
	s.free = append(s.free, discovery.Endpoint{Zone: &zone, Conditions: discovery.EndpointConditions{Ready: &yes}})
}

// draw lets the reference choose; it is false if it refuses hints.
func (s *sharing) draw(p *oracle.Prepared, order oracle.Order) (flow, bool) {
	all := &discovery.EndpointSlice{Endpoints: slices.Clone(s.free)}
	info := &topologycache.SliceInfo{
		ToCreate:  []*discovery.EndpointSlice{all},
		Unchanged: slices.Clone(s.fixed),
	}
	if !p.AddHints(info, order) {
		return flow{}, false
	}
	drawn := newFlow()
	for i := range all.Endpoints {
		drawn.add(zone(&all.Endpoints[i]), hintText(&all.Endpoints[i]))
	}
	return drawn, true
}

// allows reports whether ours is a valid way to take what zones give: each gives as
// many as it has in written slices, lost ones first, since the reference begins
// with creates. Each goes to any zone that still needs one.
func (s *sharing) allows(drawn flow) bool {
	for name, count := range s.ready {
		if s.ours.given[name] != max(0, min(drawn.given[name], count)-s.lost[name]) {
			return false
		}
	}
	for name, count := range s.ours.received {
		if count > drawn.received[name] {
			return false
		}
	}
	return true
}

// lost are the endpoints that ours leaves out with the creates; it is false
// if ours has endpoints that the reference lacks. If the Service were not
// being deleted, the reference would write them.
func (m *matcher) lost(addressType string) ([]discovery.Endpoint, bool, error) {
	alive := *m.subject.Prepared
	alive.Service = alive.Service.DeepCopy()
	alive.Service.DeletionTimestamp = nil
	outcome, err := alive.Run(m.subject.Before[0], oracle.ByName)
	if err != nil {
		return nil, false, err
	}
	missing := map[home]discovery.Endpoint{}
	each(outcome.Plan(&alive), &alive, addressType, func(at home, endpoint *discovery.Endpoint) {
		missing[at] = *endpoint
	})
	known := true
	each(m.made, m.subject.Prepared, addressType, func(at home, _ *discovery.Endpoint) {
		if _, ok := missing[at]; !ok {
			known = false
		}
		delete(missing, at)
	})
	var lost []discovery.Endpoint
	for _, endpoint := range missing {
		endpoint.Hints = nil
		lost = append(lost, endpoint)
	}
	return lost, known, nil
}

// each iterates over the endpoints of one address type after a plan.
func each(made *plan.Plan, p *oracle.Prepared, addressType string, visit func(home, *discovery.Endpoint)) {
	all := slices.Concat(made.Create, made.Update)
	for _, name := range made.Unchanged {
		all = append(all, p.Slice(name))
	}
	for _, slice := range all {
		if string(slice.AddressType) != addressType {
			continue
		}
		for i := range slice.Endpoints {
			visit(home{addressType, PortsText(slice.Ports), identity(&slice.Endpoints[i])}, &slice.Endpoints[i])
		}
	}
}
