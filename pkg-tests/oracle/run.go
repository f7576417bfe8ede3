package oracle

import (
	"fmt"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/endpointslice"
	"k8s.io/endpointslice/topologycache"
	endpointsliceutil "k8s.io/endpointslice/util"
	"k8s.io/klog/v2"

	"slicewise/oracle/plan"
	"slicewise/oracle/release"
)

// runLock makes the process-wide metrics of the reference belong to one run.
var runLock sync.Mutex

// Run decides one request with an empty topology cache.
func Run(req *Request) (*Outcome, error) {
	return Prepare(req).Run(Topology{}, AsGiven)
}

// Run calls the reference reconciler once, with the topology state of an
// earlier run, and the inputs in the given order.
func (p *Prepared) Run(before Topology, order Order) (outcome *Outcome, err error) {
	if p.Skip {
		return &Outcome{Service: p.Key(), Topology: before}, nil
	}
	runLock.Lock()
	defer runLock.Unlock()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the reference panicked: %v", r)
		}
	}()
	rec := &recorder{}
	in := p.inputs(order)
	spare := p.spare(in)
	topology := newCache(p, before, in.Nodes)
	counters := startCounters()
	problems, err := p.reconcile(rec, topology, in)
	if err != nil {
		return nil, err
	}
	outcome = p.outcome(rec, problems)
	added, removed := counters.stop()
	if outcome.Stats, err = p.statsOf(outcome, spare); err != nil {
		return nil, err
	}
	outcome.Stats.Added, outcome.Stats.Removed = added, removed
	if topology != nil {
		outcome.Topology = readTopology(topology, p.Key().String())
	}
	return outcome, nil
}

func (p *Prepared) reconcile(rec *recorder, topology *topologycache.TopologyCache, in *Inputs) ([]plan.Problem, error) {
	reconciler := endpointslice.NewReconciler(
		rec.client(),
		nodeLister(in.Nodes),
		p.Options.MaxEndpointsPerSlice,
		endpointsliceutil.NewEndpointSliceTracker(),
		topology,
		rec,
		p.Options.ManagedBy,
		release.Options(p.Options.PreferSame)...,
	)
	err := reconciler.Reconcile(klog.Logger{}, p.Service, in.Pods, in.Slices, p.TriggerTime.Time)
	return skippedPods(err)
}

func nodeLister(nodes []*corev1.Node) corelisters.NodeLister {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	for _, node := range nodes {
		// Adding to the store of an indexer fails only for objects without metadata.
		_ = indexer.Add(node)
	}
	return corelisters.NewNodeLister(indexer)
}

// skippedPods reads the only errors the reconciler can return here: pods skipped
// because their node is unknown. Each is reported once per address type.
func skippedPods(err error) ([]plan.Problem, error) {
	if err == nil {
		return nil, nil
	}
	aggregate, ok := err.(utilerrors.Aggregate)
	if !ok {
		return nil, err
	}
	var problems []plan.Problem
	seen := map[string]bool{}
	for _, one := range utilerrors.Flatten(aggregate).Errors() {
		rest, ok := strings.CutPrefix(one.Error(), "skipping Pod ")
		if !ok {
			return nil, one
		}
		pod, _, _ := strings.Cut(rest, " ")
		if !seen[pod] {
			seen[pod] = true
			problems = append(problems, plan.Problem{Code: "NodeNotFound", Pod: pod, Message: one.Error()})
		}
	}
	return problems, nil
}

func deepCopies[T interface{ DeepCopy() T }](list []T) []T {
	copies := make([]T, len(list))
	for i, item := range list {
		copies[i] = item.DeepCopy()
	}
	return copies
}

// portKey is the reference's own identity of a list of ports. It sorts its
// argument, hence the copy.
func portKey(slice *discovery.EndpointSlice) endpointsliceutil.PortMapKey {
	return endpointsliceutil.NewPortMapKey(slice.DeepCopy().Ports)
}
