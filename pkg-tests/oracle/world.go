package oracle

// World is a cluster's topology cache over several syncs.
type World struct{ topology map[string]Topology }

// NewWorld starts with an empty cache.
func NewWorld() *World { return &World{topology: map[string]Topology{}} }

// Step runs one request with the cache of the previous steps.
func (w *World) Step(req *Request) (*Outcome, error) {
	p := Prepare(req)
	key := p.Key().String()
	outcome, err := p.Run(w.topology[key], AsGiven)
	if err != nil {
		return nil, err
	}
	w.topology[key] = outcome.Topology
	return outcome, nil
}
