// Package oracle runs the real Kubernetes EndpointSlice reconciler
// (k8s.io/endpointslice) on a slicewise PlanRequest and reports what it did.
//
// Reading order: request.go (JSON in), prepare.go (what the controller does
// before it calls the reconciler), run.go (one run), topology.go (the state
// between runs), outcome.go (what came out).
package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"

	"slicewise/oracle/release"
)

// DefaultManagedBy is the managed-by label of the reference controller.
const DefaultManagedBy = "endpointslice-controller.k8s.io"

const (
	defaultMaxEndpoints = 100
	greatestMaxEndpoint = 1000
)

// Options are the settings of a request that the reference supports.
type Options struct {
	ManagedBy            string
	MaxEndpointsPerSlice int32
	TopologyHints        bool
	PreferSame           bool
}

// Request is a decoded PlanRequest.
type Request struct {
	Service     *corev1.Service
	Pods        []*corev1.Pod
	Nodes       []*corev1.Node
	Slices      []*discovery.EndpointSlice
	TriggerTime time.Time
	Options     Options
}

// envelope is the outer object of a PlanRequest: unknown fields here are errors,
// but unknown fields of the objects within are not.
type envelope struct {
	Service     *corev1.Service            `json:"service"`
	Pods        []*corev1.Pod              `json:"pods"`
	Nodes       []*corev1.Node             `json:"nodes"`
	Slices      []*discovery.EndpointSlice `json:"slices"`
	Endpoints   []json.RawMessage          `json:"endpoints"`
	TriggerTime *string                    `json:"triggerTime"`
	State       json.RawMessage            `json:"state"`
	Options     *struct {
		ManagedBy            *string         `json:"managedBy"`
		MaxEndpointsPerSlice *int32          `json:"maxEndpointsPerSlice"`
		TopologyHints        *bool           `json:"topologyHints"`
		PreferSame           *bool           `json:"preferSameTrafficDistribution"`
		Kubernetes           *string         `json:"kubernetes"`
		Packing              json.RawMessage `json:"packing"`
		Explain              json.RawMessage `json:"explain"`
		Patches              json.RawMessage `json:"patches"`
	} `json:"options"`
}

// Parse decodes a PlanRequest, and refuses fields that it does not have.
func Parse(data []byte) (*Request, error) {
	if err := checkEnvelope(data); err != nil {
		return nil, err
	}
	return Decode(data)
}

// Decode is Parse for a request that has no other fields, or that slicewise
// refuses if it has. The opaque "state" is ours, not the reference's, and is
// ignored: see World.
func Decode(data []byte) (*Request, error) {
	var e envelope
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, err
	}
	if e.Service == nil {
		return nil, fmt.Errorf("service is missing")
	}
	if len(e.Endpoints) > 0 {
		return nil, fmt.Errorf("endpoints that are no pods are unknown to the reference")
	}
	req := &Request{Service: e.Service, Pods: e.Pods, Nodes: e.Nodes, Slices: e.Slices}
	if err := req.setTriggerTime(e.TriggerTime); err != nil {
		return nil, err
	}
	return req, req.setOptions(&e)
}

func (r *Request) setTriggerTime(text *string) error {
	if text == nil {
		return nil
	}
	at, err := time.Parse(time.RFC3339Nano, *text)
	if err != nil {
		return fmt.Errorf("triggerTime: %w", err)
	}
	r.TriggerTime = at
	return nil
}

func (r *Request) setOptions(e *envelope) error {
	r.Options = Options{
		ManagedBy:            DefaultManagedBy,
		MaxEndpointsPerSlice: defaultMaxEndpoints,
		TopologyHints:        true,
		PreferSame:           true,
	}
	if e.Options == nil {
		return nil
	}
	if version := e.Options.Kubernetes; version != nil && *version != release.Version {
		return fmt.Errorf("this is the reference of Kubernetes %s, not %s", release.Version, *version)
	}
	setIf(&r.Options.ManagedBy, e.Options.ManagedBy)
	setIf(&r.Options.MaxEndpointsPerSlice, e.Options.MaxEndpointsPerSlice)
	setIf(&r.Options.TopologyHints, e.Options.TopologyHints)
	setIf(&r.Options.PreferSame, e.Options.PreferSame)
	if n := r.Options.MaxEndpointsPerSlice; n < 1 || n > greatestMaxEndpoint {
		return fmt.Errorf("maxEndpointsPerSlice must be between 1 and %d, got %d", greatestMaxEndpoint, n)
	}
	return nil
}

func setIf[T any](target, value *T) {
	if value != nil {
		*target = *value
	}
}

// checkEnvelope refuses unknown fields of the envelope and of the options.
func checkEnvelope(data []byte) error {
	var outer struct {
		Service     json.RawMessage `json:"service"`
		Pods        json.RawMessage `json:"pods"`
		Nodes       json.RawMessage `json:"nodes"`
		Slices      json.RawMessage `json:"slices"`
		Endpoints   json.RawMessage `json:"endpoints"`
		TriggerTime json.RawMessage `json:"triggerTime"`
		State       json.RawMessage `json:"state"`
		Options     *struct {
			ManagedBy            json.RawMessage `json:"managedBy"`
			MaxEndpointsPerSlice json.RawMessage `json:"maxEndpointsPerSlice"`
			TopologyHints        json.RawMessage `json:"topologyHints"`
			PreferSame           json.RawMessage `json:"preferSameTrafficDistribution"`
			Kubernetes           json.RawMessage `json:"kubernetes"`
			Packing              json.RawMessage `json:"packing"`
			Explain              json.RawMessage `json:"explain"`
			Patches              json.RawMessage `json:"patches"`
		} `json:"options"`
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	return decoder.Decode(&outer)
}
