package oracle

// Revive puts a state into a new cache and reads it back.
func Revive(p *Prepared, before Topology) Topology {
	p.Options.TopologyHints = true
	return readTopology(newCache(p, before, p.Nodes), p.Key().String())
}
