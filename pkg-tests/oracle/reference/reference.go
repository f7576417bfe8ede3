// Package reference runs the reconciler of the reference as its controller
// does, for measurements: nothing but what a sync needs.
package reference

import (
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/endpointslice"
	"k8s.io/endpointslice/topologycache"
	endpointsliceutil "k8s.io/endpointslice/util"
	"k8s.io/klog/v2"

	"slicewise/oracle"
	"slicewise/oracle/release"
)

const maxEndpoints = 100

// Input is a request as the controller has it when it syncs a Service. It does
// not use the oracle's own Parse, which reads everything twice to be strict.
type Input struct {
	*oracle.Prepared
	hints hints
}

// hints is what slicewise's state stores of the topology cache.
type hints struct {
	Populated bool           `json:"populated"`
	IPv4      map[string]int `json:"IPv4"`
}

// Decode reads a plan request.
func Decode(data []byte) (*Input, error) {
	var envelope struct {
		Service     *corev1.Service            `json:"service"`
		Pods        []*corev1.Pod              `json:"pods"`
		Nodes       []*corev1.Node             `json:"nodes"`
		Slices      []*discovery.EndpointSlice `json:"slices"`
		TriggerTime time.Time                  `json:"triggerTime"`
		State       struct {
			Hints hints `json:"hints"`
		} `json:"state"`
	}
	if err := json.Unmarshal(data, &envelope); err != nil {
		return nil, err
	}
	prepared := oracle.Prepare(&oracle.Request{
		Service:     envelope.Service,
		Pods:        envelope.Pods,
		Nodes:       envelope.Nodes,
		Slices:      envelope.Slices,
		TriggerTime: envelope.TriggerTime,
		Options: oracle.Options{
			ManagedBy:            oracle.DefaultManagedBy,
			MaxEndpointsPerSlice: maxEndpoints,
			TopologyHints:        true,
			PreferSame:           true,
		},
	})
	return &Input{prepared, envelope.State.Hints}, nil
}

// Fresh has its own slices, which the reconciler may change; it only reads pods,
// nodes and the Service.
func (in *Input) Fresh() *Input {
	prepared := *in.Prepared
	prepared.Slices = make([]*discovery.EndpointSlice, len(in.Slices))
	for i, slice := range in.Slices {
		prepared.Slices[i] = slice.DeepCopy()
	}
	return &Input{&prepared, in.hints}
}

// Reconciler builds everything that lives longer than a sync, and returns the
// sync.
func (in *Input) Reconciler(out *Writes) func() error {
	reconciler := endpointslice.NewReconciler(
		client{writes: out},
		in.lister(),
		in.Options.MaxEndpointsPerSlice,
		endpointsliceutil.NewEndpointSliceTracker(),
		in.topology(),
		&record.FakeRecorder{}, // without a channel it drops events
		in.Options.ManagedBy,
		release.Options(true)...,
	)
	return func() error {
		return reconciler.Reconcile(klog.Logger{}, in.Service, in.Pods, in.Slices, in.TriggerTime.Time)
	}
}

func (in *Input) lister() corelisters.NodeLister {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	for _, node := range in.Nodes {
		// Adding to the store of an indexer fails only for objects without metadata.
		_ = indexer.Add(node)
	}
	return corelisters.NewNodeLister(indexer)
}

func (in *Input) topology() *topologycache.TopologyCache {
	topology := topologycache.NewTopologyCache()
	if in.hints.Populated {
		zones := topologycache.EndpointZoneInfo{}
		for zone, count := range in.hints.IPv4 {
			zones[zone] = count
		}
		topology.SetHints(in.Key().Namespace+"/"+in.Key().Name, discovery.AddressTypeIPv4, zones)
	}
	topology.SetNodes(klog.Logger{}, in.Nodes)
	return topology
}

// Plan decodes a request, reconciles, and encodes what was written.
func Plan(data []byte, out *Writes) ([]byte, error) {
	request, err := Decode(data)
	if err != nil {
		return nil, err
	}
	*out = Writes{}
	if err := request.Reconciler(out)(); err != nil {
		return nil, err
	}
	return json.Marshal(out)
}
