package oracle

// World is a cluster's topology cache over several syncs.
type World struct{ topology map[string]Topology }

// NewWorld knows no Service yet.
func NewWorld() *World { return &World{topology: map[string]Topology{}} }

// Step runs one request on what the steps before left in the cache.
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
