package metrics

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/endpointslice"
	"k8s.io/endpointslice/metrics"
	"k8s.io/endpointslice/topologycache"
	endpointsliceutil "k8s.io/endpointslice/util"
	"k8s.io/klog/v2"

	"slicewise/oracle/release"
)

const controllerName = "endpointslice-controller.k8s.io"

// attempts bounds how often a history may be repeated because of random order.
const attempts = 20000

// Answer runs the reference: it writes Result, Lines and Text, and Stored
// unless it is given.
//
// The reference reconciles the two families of a Service in the order of a Go
// map, and the gauges reflect the last one. A history is repeated until that was
// IPv6 each time.
func (h *History) Answer(keepStored bool) error {
	for range attempts {
		r := h.newRun(keepStored)
		done, err := r.all()
		if err != nil {
			return fmt.Errorf("%s: %w", h.Description, err)
		}
		if done {
			h.Text = r.text
			return nil
		}
	}
	return fmt.Errorf("%s: IPv6 was not last in %d attempts", h.Description, attempts)
}

// run is the lifetime of one controller.
type run struct {
	history    *History
	keepStored bool
	server     *server
	reconciler *endpointslice.Reconciler
	// What the reference's cache holds of each Service.
	known  map[string]totals
	claims []claim
	text   string
}

// claim is the cache after a sync of a dual-stack Service, which should equal
// the result of a sync of only IPv6 from the same slices.
type claim struct {
	step   *Step
	slices []*discovery.EndpointSlice
	holds  totals
}

func (h *History) newRun(keepStored bool) *run {
	reset()
	r := &run{history: h, keepStored: keepStored, server: newServer(), known: map[string]totals{}}
	r.reconciler = h.reconciler(r.server)
	return r
}

func (h *History) reconciler(s *server) *endpointslice.Reconciler {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	for _, node := range h.Nodes {
		// Adding to the store of an indexer fails only for objects without metadata.
		_ = indexer.Add(node.DeepCopy())
	}
	var topology *topologycache.TopologyCache
	if h.Options.TopologyHints {
		topology = topologycache.NewTopologyCache()
		topology.SetNodes(klog.Logger{}, h.Nodes)
	}
	return endpointslice.NewReconciler(
		s.client(), corelisters.NewNodeLister(indexer), h.Options.MaxEndpointsPerSlice,
		endpointsliceutil.NewEndpointSliceTracker(), topology, &record.FakeRecorder{}, controllerName,
		release.Options(h.Options.PreferSame)...,
	)
}

// all is false if the families came in the wrong order.
func (r *run) all() (bool, error) {
	for _, step := range r.history.Steps {
		if err := r.step(step); err != nil {
			return false, err
		}
	}
	for _, claim := range r.claims {
		alone, err := r.history.alone(claim)
		if err != nil || alone != claim.holds {
			return false, err
		}
	}
	return true, nil
}

// alone is the cache after a sync of only IPv6.
func (h *History) alone(c claim) (totals, error) {
	reset()
	var slices []*discovery.EndpointSlice
	server := newServer()
	server.start(nil)
	for _, slice := range c.slices {
		if slice.AddressType == discovery.AddressTypeIPv6 {
			slices = append(slices, slice)
			server.slices[slice.Name] = slice
		}
	}
	service := c.step.Service.DeepCopy()
	service.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv6Protocol}
	// Pods that are left out are an error here, too.
	_ = h.reconciler(server).Reconcile(klog.Logger{}, service, h.pods(c.step), slices, time.Time{})
	return readTotals()
}

// step does what syncService and handleErr of the controller do.
func (r *run) step(step *Step) error {
	before, err := readTotals()
	if err != nil {
		return err
	}
	r.server.start(step.Refuse)
	step.Result = "success"
	namespace, name, _ := strings.Cut(step.Key, "/")
	switch {
	case step.Stale:
		step.Result = "stale"
	case step.Service == nil:
		r.reconciler.DeleteService(namespace, name)
	case step.Service.Spec.Type == corev1.ServiceTypeExternalName || step.Service.Spec.Selector == nil:
	default:
		existing := r.server.of(namespace, name)
		if len(step.Service.Spec.IPFamilies) > 1 {
			r.claims = append(r.claims, claim{step: step, slices: existing})
		}
		err := r.reconciler.Reconcile(klog.Logger{}, step.Service.DeepCopy(), r.history.pods(step), deepCopies(existing), time.Time{})
		if err != nil {
			step.Result = "error"
		}
	}
	metrics.EndpointSliceSyncs.WithLabelValues(step.Result).Inc()
	if !r.keepStored {
		step.Stored = r.server.stored
	}
	r.server.take(step.Stored)
	after, err := readTotals()
	if err != nil {
		return err
	}
	r.known[step.Key] = r.known[step.Key].plus(after, 1).plus(before, -1)
	if place := len(r.claims) - 1; place >= 0 && r.claims[place].step == step {
		r.claims[place].holds = r.known[step.Key]
	}
	return r.read(step)
}

func (r *run) read(step *Step) error {
	now, err := text()
	if err != nil {
		return err
	}
	step.Lines, r.text = newLines(r.text, now), now
	return nil
}

func (h *History) pods(step *Step) []*corev1.Pod {
	var pods []*corev1.Pod
	for _, key := range step.Pods {
		pods = append(pods, h.Pods[key].DeepCopy())
	}
	return pods
}

func deepCopies(list []*discovery.EndpointSlice) []*discovery.EndpointSlice {
	copies := make([]*discovery.EndpointSlice, len(list))
	for i, item := range list {
		copies[i] = item.DeepCopy()
	}
	return copies
}
