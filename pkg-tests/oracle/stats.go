package oracle

import (
	discovery "k8s.io/api/discovery/v1"
	"k8s.io/endpointslice/metrics"
	endpointsliceutil "k8s.io/endpointslice/util"

	dto "github.com/prometheus/client_model/go"

	"slicewise/oracle/plan"
)

func init() { metrics.RegisterMetrics() }

// spare keeps the inputs for statsOf, if it needs them.
func (p *Prepared) spare(in *Inputs) *Inputs {
	if p.Service.DeletionTimestamp == nil {
		return nil
	}
	return in.clone()
}

// statsOf counts the slices of an outcome. The reference counts before it
// omits the creates of a Service that is being deleted, so for such a
// Service the outcome to count is the one it would have otherwise, from the
// same inputs in the same order.
func (p *Prepared) statsOf(o *Outcome, spare *Inputs) (plan.Stats, error) {
	if spare == nil {
		return p.stats(o), nil
	}
	staying := *p
	staying.Service = p.Service.DeepCopy()
	staying.Service.DeletionTimestamp = nil
	rec := &recorder{}
	problems, err := staying.reconcile(rec, newCache(&staying, Topology{}, spare.Nodes), spare)
	if err != nil {
		return plan.Stats{}, err
	}
	return staying.stats(staying.outcome(rec, problems)), nil
}

// stats recomputes the gauges of the reference's metrics cache from the slices
// after the run. The gauges themselves hold only the address type that was
// reconciled last.
func (p *Prepared) stats(o *Outcome) plan.Stats {
	type group struct {
		addressType discovery.AddressType
		ports       endpointsliceutil.PortMapKey
	}
	stats := plan.Stats{}
	sizes := map[group]int{}
	desired := map[discovery.AddressType]int{}
	for _, slice := range o.After(p) {
		stats.Slices++
		stats.Endpoints += len(slice.Endpoints)
		sizes[group{slice.AddressType, portKey(slice)}] += len(slice.Endpoints)
		desired[slice.AddressType] = 0
	}
	limit := int(p.Options.MaxEndpointsPerSlice)
	for of, size := range sizes {
		desired[of.addressType] += (size + limit - 1) / limit
	}
	for _, count := range desired {
		stats.DesiredSlices += max(count, 1) // the placeholder counts
	}
	return stats
}

// counters reads the reference's histograms of endpoints added and removed,
// which are observed once per address type.
type counters struct{ added, removed float64 }

func startCounters() counters {
	return counters{
		added:   histogramSum(metrics.EndpointsAddedPerSync.WithLabelValues()),
		removed: histogramSum(metrics.EndpointsRemovedPerSync.WithLabelValues()),
	}
}

func (c counters) stop() (added, removed int) {
	now := startCounters()
	return int(now.added - c.added), int(now.removed - c.removed)
}

func histogramSum(observer any) float64 {
	histogram, ok := observer.(interface{ Write(*dto.Metric) error })
	if !ok {
		return 0
	}
	var metric dto.Metric
	if err := histogram.Write(&metric); err != nil {
		return 0
	}
	return metric.GetHistogram().GetSampleSum()
}
