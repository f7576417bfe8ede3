//go:build !kubernetes1.38

package oracle

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/util/version"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/proxy"
	"k8s.io/kubernetes/pkg/proxy/config"
	"k8s.io/kubernetes/pkg/proxy/conntrack"

	"github.com/go-logr/logr"
)

// Version is the release that the harness is built from.
const Version = "1.37"

// HasGate says whether hints for nodes can be turned off.
const HasGate = true

// emulate unlocks the gate, which has been locked since 1.35, so that it can be
// set. No other gate of the code in question has changed since.
var emulate = sync.OnceValue(func() error {
	klog.SetLogger(logr.Discard())
	return utilfeature.DefaultMutableFeatureGate.SetEmulationVersion(version.MustParse("1.34"))
})

// SetGate turns the feature gate on or off, for all oracles of the process.
func SetGate(on bool) error {
	if err := emulate(); err != nil {
		return err
	}
	return utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{string(features.PreferSameTrafficDistribution): on})
}

func watchTopology(informer *nodeInformer, handler config.NodeTopologyHandler) {
	topology := config.NewNodeTopologyConfig(context.Background(), informer, 0)
	topology.RegisterEventHandler(handler)
}

// deletedPorts are the ports that a sync removed, and whether flows must be
// looked at because of them: this version does not keep them.
func deletedPorts(proxy.UpdateServiceMapResult) (proxy.ServicePortMap, bool) { return nil, false }

func (o *Oracle) clean(t *table) {
	conntrack.CleanStaleEntries(t, o.family, o.ports, o.endpoints)
}
