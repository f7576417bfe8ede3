//go:build !kubernetes1.38

package release

import (
	"k8s.io/endpointslice"
	"k8s.io/endpointslice/metrics"
)

// Version is the release that the harness is built from.
const Version = "1.37"

// HasPreferSameGate says whether `PreferSameZone` and `PreferSameNode` can be
// turned off.
const HasPreferSameGate = true

// Options are the reconciler's.
func Options(preferSame bool) []endpointslice.ReconcilerOption {
	return []endpointslice.ReconcilerOption{endpointslice.WithPreferSameTrafficDistributionEnabled(preferSame)}
}

// ResetChanges sets the counters of writes to zero.
func ResetChanges() { metrics.EndpointSliceChanges.Reset() }
