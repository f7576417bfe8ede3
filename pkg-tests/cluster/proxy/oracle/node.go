package oracle

import (
	"time"

	v1 "k8s.io/api/core/v1"
	v1informers "k8s.io/client-go/informers/core/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/proxy/config"
)

// watchNode connects the reference's own NodeTopologyConfig to nodes, and
// returns its reaction to the events of an informer.
func watchNode(handler config.NodeTopologyHandler) cache.ResourceEventHandler {
	informer := &nodeInformer{}
	watchTopology(informer, handler)
	return informer.handler
}

// OnTopologyChange implements config.NodeTopologyHandler.
func (o *Oracle) OnTopologyChange(labels map[string]string) { o.topologyLabels = labels }

// nodeEvent passes on events of the proxy's node: kube-proxy's informer
// selects it by name.
func (o *Oracle) nodeEvent(node *v1.Node, removed bool) {
	switch {
	case node.Name != o.node:
	case removed:
		o.nodes.OnDelete(node)
	default:
		o.nodes.OnUpdate(nil, node)
	}
}

// nodeInformer only stores its handler.
type nodeInformer struct {
	cache.SharedIndexInformer
	handler cache.ResourceEventHandler
}

func (n *nodeInformer) Informer() cache.SharedIndexInformer { return n }
func (n *nodeInformer) Lister() corelisters.NodeLister      { return nil }

// AddEventHandlerWithResyncPeriod implements cache.SharedInformer.
func (n *nodeInformer) AddEventHandlerWithResyncPeriod(handler cache.ResourceEventHandler, _ time.Duration) (cache.ResourceEventHandlerRegistration, error) {
	n.handler = handler
	return registered{}, nil
}

type registered struct {
	cache.ResourceEventHandlerRegistration
}

func (registered) HasSynced() bool { return true }

var _ v1informers.NodeInformer = (*nodeInformer)(nil)
