// Package oracle answers the consumer stream of `slicewise proxy` with the
// reference's own code: k8s.io/kubernetes/pkg/proxy and pkg/proxy/conntrack.
package oracle

import (
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
)

// Settings are the flags of `slicewise proxy`.
type Settings struct {
	// Node is the name of the node that the proxy runs on.
	Node string `json:"node"`
	// NodeLabels are the node's labels before the first record.
	NodeLabels map[string]string `json:"nodeLabels,omitempty"`
	// AddressType is IPv4 or IPv6.
	AddressType string `json:"addressType,omitempty"`
	// Started is the proxy's start time, in RFC 3339; empty is the zero time.
	Started string `json:"started,omitempty"`
	// SameTraffic is the feature gate PreferSameTrafficDistribution, on if nil.
	// It is the whole process's: SetGate sets it.
	SameTraffic *bool `json:"preferSameTrafficDistribution,omitempty"`
}

// Gate reports whether the feature gate is on.
func (s Settings) Gate() bool { return s.SameTraffic == nil || *s.SameTraffic }

// Adapt takes out what this version does not have.
func (s Settings) Adapt() Settings {
	if !HasGate {
		s.SameTraffic = nil
	}
	return s
}

// Default is the version that slicewise decides as if it is not told otherwise,
// and whose golden files are not in a folder of their own.
const Default = "1.37"

// Args are the settings as command-line flags.
func (s Settings) Args() []string {
	args := []string{"--node", s.Node}
	if Version != Default {
		args = append(args, "--kubernetes", Version)
	}
	if len(s.NodeLabels) > 0 {
		args = append(args, "--node-labels", labels(s.NodeLabels))
	}
	if s.AddressType != "" {
		args = append(args, "--address-type", s.AddressType)
	}
	if s.Started != "" {
		args = append(args, "--started", s.Started)
	}
	if s.SameTraffic != nil {
		args = append(args, fmt.Sprintf("--prefer-same-traffic-distribution=%t", *s.SameTraffic))
	}
	return args
}

func labels(all map[string]string) string {
	text := ""
	for key, value := range all {
		if text != "" {
			text += ","
		}
		text += key + "=" + value
	}
	return text
}

func (s Settings) family() (v1.IPFamily, error) {
	switch s.AddressType {
	case "", "IPv4":
		return v1.IPv4Protocol, nil
	case "IPv6":
		return v1.IPv6Protocol, nil
	}
	return "", fmt.Errorf("address type %q is neither IPv4 nor IPv6", s.AddressType)
}

func (s Settings) started() (time.Time, error) {
	if s.Started == "" {
		return time.Time{}, nil
	}
	return time.Parse(time.RFC3339Nano, s.Started)
}
