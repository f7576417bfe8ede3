package metrics

import (
	"strings"

	"github.com/prometheus/common/expfmt"
	"k8s.io/component-base/metrics/legacyregistry"
	"k8s.io/endpointslice/metrics"

	"slicewise/oracle/release"
)

func init() { metrics.RegisterMetrics() }

// text is the reference's part of a scrape.
func text() (string, error) {
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, family := range families {
		if !strings.HasPrefix(family.GetName(), metrics.EndpointSliceSubsystem+"_") {
			continue
		}
		if _, err := expfmt.MetricFamilyToText(&out, family); err != nil {
			return "", err
		}
	}
	return out.String(), nil
}

// newLines are those of a text that were not in the one before, except
// buckets, of which there are too many; the text at the end has them.
func newLines(before, after string) []string {
	known := map[string]bool{}
	for line := range strings.Lines(before) {
		known[line] = true
	}
	lines := []string{}
	for line := range strings.Lines(after) {
		if !known[line] && !strings.Contains(line, "_bucket{") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

// reset is a controller's start: the reference's metrics are process-wide.
func reset() {
	metrics.EndpointsAddedPerSync.Reset()
	metrics.EndpointsRemovedPerSync.Reset()
	metrics.EndpointsDesired.Reset()
	metrics.NumEndpointSlices.Reset()
	metrics.DesiredEndpointSlices.Reset()
	release.ResetChanges()
	metrics.EndpointSlicesChangedPerSync.Reset()
	metrics.EndpointSliceSyncs.Reset()
	metrics.ServicesCountByTrafficDistribution.Reset()
}

// totals are the gauges of the reference's cache.
type totals struct{ endpoints, slices, desired float64 }

func (t totals) plus(other totals, sign float64) totals {
	return totals{t.endpoints + sign*other.endpoints, t.slices + sign*other.slices, t.desired + sign*other.desired}
}

func readTotals() (totals, error) {
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		return totals{}, err
	}
	values := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.Metric {
			values[family.GetName()] = metric.GetGauge().GetValue()
		}
	}
	of := func(name string) float64 { return values[metrics.EndpointSliceSubsystem+"_"+name] }
	return totals{of("endpoints_desired"), of("num_endpoint_slices"), of("desired_endpoint_slices")}, nil
}
