//go:build kubernetes1.38

package release

import (
	"k8s.io/endpointslice"
	"k8s.io/endpointslice/metrics"
)

// Version is the release that the harness is built from.
const Version = "1.38"

// HasPreferSameGate says whether `PreferSameZone` and `PreferSameNode` can be
// turned off.
const HasPreferSameGate = false

// Options are the reconciler's.
func Options(bool) []endpointslice.ReconcilerOption { return nil }

// ResetChanges sets the counters of writes to zero.
func ResetChanges() {
	metrics.EndpointSliceChanges.Reset()
	metrics.EndpointSliceChangesTotal.Reset()
}
