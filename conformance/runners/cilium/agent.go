package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/cilium/hive/cell"
	"github.com/cilium/statedb"
	"github.com/spf13/pflag"

	daemonk8s "github.com/cilium/cilium/daemon/k8s"
	cmtypes "github.com/cilium/cilium/pkg/clustermesh/types"
	"github.com/cilium/cilium/pkg/datapath/tables"
	envoy "github.com/cilium/cilium/pkg/envoy/config"
	"github.com/cilium/cilium/pkg/hive"
	"github.com/cilium/cilium/pkg/k8s/client/testutils"
	k8stables "github.com/cilium/cilium/pkg/k8s/tables"
	"github.com/cilium/cilium/pkg/kpr"
	"github.com/cilium/cilium/pkg/lbipamconfig"
	"github.com/cilium/cilium/pkg/loadbalancer"
	lbcell "github.com/cilium/cilium/pkg/loadbalancer/cell"
	"github.com/cilium/cilium/pkg/loadbalancer/maps"
	"github.com/cilium/cilium/pkg/maglev"
	"github.com/cilium/cilium/pkg/metrics"
	"github.com/cilium/cilium/pkg/node"
	"github.com/cilium/cilium/pkg/nodeipamconfig"
	"github.com/cilium/cilium/pkg/option"
	"github.com/cilium/cilium/pkg/source"

	"slicewise/conformance"
)

// agent is the part of a Cilium agent that balances load.
type agent struct {
	hive   *hive.Hive
	client *testutils.FakeClientset
	maps   maps.LBMaps
	wait   loadbalancer.InitWaitFunc
}

// flags are those of the agent; the others have their defaults. Without a kernel
// there is nothing that a map can refuse, and no need for a large Maglev table.
var flags = map[string]string{
	"enable-service-topology":   "true",
	"kube-proxy-replacement":    "true",
	"lb-test-fault-probability": "0",
	"bpf-lb-maglev-table-size":  "251",
}

// newAgent is an agent on a node, not yet started.
func newAgent(on conformance.Node, log *slog.Logger) (*agent, error) {
	a := &agent{}
	a.hive = hive.New(
		testutils.FakeClientCell(),
		daemonk8s.ResourcesCell,
		k8stables.TablesCell,
		cell.Config(envoy.SecretSyncConfig{}),
		cell.Config(loadbalancer.TestConfig{}),
		kpr.Cell,
		metrics.Cell,
		maglev.Cell,
		lbipamconfig.Cell,
		nodeipamconfig.Cell,
		node.LocalNodeStoreCell,
		cell.Provide(
			func() node.LocalNodeSynchronizer { return localNode(on) },
			func() cmtypes.ClusterInfo { return cmtypes.ClusterInfo{} },
			func(config loadbalancer.TestConfig) *loadbalancer.TestConfig { return &config },
			func() *option.DaemonConfig { return &option.DaemonConfig{EnableIPv4: true, EnableIPv6: true} },
			tables.NewNodeAddressTable,
			statedb.RWTable[tables.NodeAddress].ToTable,
			source.NewSources,
		),
		// The node first: its labels must be there when backends are selected.
		cell.Invoke(func(_ *node.LocalNodeStore, client *testutils.FakeClientset, written maps.LBMaps, wait loadbalancer.InitWaitFunc) {
			a.client, a.maps, a.wait = client, written, wait
		}),
		lbcell.Cell,
	)
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	a.hive.RegisterFlags(set)
	for name, value := range flags {
		if err := set.Set(name, value); err != nil {
			return nil, fmt.Errorf("--%s: %w", name, err)
		}
	}
	return a, a.hive.Populate(log)
}

// localNode tells the agent which node it runs on.
type localNode conformance.Node

// InitLocalNode implements node.LocalNodeSynchronizer.
func (n localNode) InitLocalNode(_ context.Context, local *node.LocalNode) error {
	local.Name, local.Labels = n.Name, n.Labels
	return nil
}

// SyncLocalNode implements node.LocalNodeSynchronizer: the node does not change.
func (localNode) SyncLocalNode(context.Context, *node.LocalNodeStore) {}

// WaitForNodeInformation implements node.LocalNodeSynchronizer.
func (localNode) WaitForNodeInformation(context.Context, *node.LocalNodeStore) error { return nil }
