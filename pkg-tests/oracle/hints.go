package oracle

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/endpointslice/topologycache"
	"k8s.io/klog/v2"
)

// AddHints asks the reference's topology cache, which knows the nodes of the
// request, for the hints of any slices. Their endpoints are modified in place;
// it is false if the reference refuses hints.
func (p *Prepared) AddHints(info *topologycache.SliceInfo, order Order) bool {
	in := &Inputs{Nodes: deepCopies(p.Nodes)}
	order(in)
	cache := newCache(p, Topology{}, in.Nodes)
	if cache == nil {
		return false
	}
	_, _, events := cache.AddHints(klog.Logger{}, info)
	for _, event := range events {
		if event.EventType == corev1.EventTypeWarning {
			return false
		}
	}
	return true
}
