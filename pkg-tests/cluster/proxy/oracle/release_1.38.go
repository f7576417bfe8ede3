//go:build kubernetes1.38

package oracle

import (
	"context"
	"errors"
	"sync"

	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/proxy"
	"k8s.io/kubernetes/pkg/proxy/config"
	"k8s.io/kubernetes/pkg/proxy/conntrack"

	"github.com/go-logr/logr"
)

// Version is the release that the harness is built from.
const Version = "1.38"

// HasGate says whether hints for nodes can be turned off.
const HasGate = false

var emulate = sync.OnceValue(func() error {
	klog.SetLogger(logr.Discard())
	return nil
})

// SetGate accepts what this version always does.
func SetGate(on bool) error {
	if !on {
		return errors.New("hints for nodes cannot be turned off")
	}
	return emulate()
}

func watchTopology(informer *nodeInformer, handler config.NodeTopologyHandler) {
	config.NewNodeTopologyConfig(context.Background(), informer, 0, handler)
}

// deletedPorts are the ports that a sync removed, and whether flows must be
// looked at because of them.
func deletedPorts(result proxy.UpdateServiceMapResult) (proxy.ServicePortMap, bool) {
	return result.DeletedServices, result.ConntrackCleanupRequired
}

func (o *Oracle) clean(t *table) {
	conntrack.CleanStaleEntries(t, o.family, o.ports, o.endpoints, o.deleted)
}
