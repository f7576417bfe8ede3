package slicewise

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// Options change how a Service is planned. Fields that are left out have the
// reference's defaults.
type Options struct {
	// ManagedBy is the managed-by label of the slices to plan.
	ManagedBy string `json:"managedBy,omitempty"`
	// MaxEndpointsPerSlice is 1 to 1000.
	MaxEndpointsPerSlice int32 `json:"maxEndpointsPerSlice,omitempty"`
	// TopologyHints says whether Auto hints are assigned.
	TopologyHints *bool `json:"topologyHints,omitempty"`
	// PreferSameTrafficDistribution says whether PreferSameZone and
	// PreferSameNode are honored.
	PreferSameTrafficDistribution *bool `json:"preferSameTrafficDistribution,omitempty"`
	// Packing is "upstream", "compact" or "balanced".
	Packing string `json:"packing,omitempty"`
	// Explain adds Explanations to the plan.
	Explain bool `json:"explain,omitempty"`
	// Patches are the kinds of patches for the updates: "json", "merge",
	// "apply".
	Patches []string `json:"patches,omitempty"`
}

// PlanRequest is a Service, and what its plan depends on.
type PlanRequest struct {
	Service *corev1.Service `json:"service"`
	// Pods are those of the namespace; pods that the selector does not match
	// are ignored.
	Pods []*corev1.Pod `json:"pods,omitempty"`
	// Nodes are all nodes of the cluster.
	Nodes []*corev1.Node `json:"nodes,omitempty"`
	// Slices are those that exist; slices of other Services or managers are
	// ignored.
	Slices []*discoveryv1.EndpointSlice `json:"slices,omitempty"`
	// Endpoints are endpoints that are not pods. If the list is not nil, a
	// Service without a selector gets slices as well.
	Endpoints []StaticEndpoint `json:"endpoints,omitzero"`
	// TriggerTime is when the change happened; it is written to slices that
	// change.
	TriggerTime time.Time `json:"triggerTime,omitzero"`
	// State is that of the Service's previous plan.
	State json.RawMessage `json:"state,omitempty"`
	// Options may be nil.
	Options *Options `json:"options,omitempty"`
}

// Plan is what to write, and why.
type Plan struct {
	Service ObjectName `json:"service"`
	// Create are new slices, with a generateName and no name.
	Create []*discoveryv1.EndpointSlice `json:"create"`
	// Update are changed slices, complete, with the resource version that they
	// were planned from.
	Update []*discoveryv1.EndpointSlice `json:"update"`
	Delete []SliceName                  `json:"delete"`
	// Unchanged are the names of slices that stay.
	Unchanged []string `json:"unchanged"`
	// Events are to be published on the Service.
	Events []Event `json:"events"`
	// Errors do not invalidate the plan.
	Errors []PlanError `json:"errors"`
	// Requeue says that the Service must be planned again because of Errors.
	Requeue bool  `json:"requeue"`
	Stats   Stats `json:"stats"`
	// Patches are the updates as patches, by the name of the slice.
	Patches map[string]map[string]json.RawMessage `json:"patches,omitempty"`
	// Explanations are there with Options.Explain.
	Explanations []Explanation `json:"explanations,omitempty"`
	// State is to be passed with the next request for this Service.
	State json.RawMessage `json:"state"`
	// Hints says how hints were decided, by family, and Reasons why each slice
	// is written; both as the schema of the plan describes them.
	Hints   json.RawMessage `json:"hints"`
	Reasons json.RawMessage `json:"reasons"`
}

// ObjectName names an object in a namespace.
type ObjectName struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// SliceName names a slice as it was seen, for the preconditions of a deletion.
type SliceName struct {
	Name            string                  `json:"name"`
	AddressType     discoveryv1.AddressType `json:"addressType"`
	UID             string                  `json:"uid"`
	ResourceVersion string                  `json:"resourceVersion"`
}

// Event is an Event to publish.
type Event struct {
	Type    string `json:"type"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// PlanError is a problem that does not invalidate a plan.
type PlanError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Pod     string `json:"pod,omitempty"`
}

// Stats are counts of a plan.
type Stats struct {
	Endpoints     int `json:"endpoints"`
	Added         int `json:"added"`
	Removed       int `json:"removed"`
	Slices        int `json:"slices"`
	DesiredSlices int `json:"desiredSlices"`
}

// Plan plans one Service.
func (m *Module) Plan(ctx context.Context, request *PlanRequest) (*Plan, error) {
	return answer[Plan](ctx, m, "plan", request)
}

// Snapshot is a cluster, or a namespace of one.
type Snapshot struct {
	Services  []*corev1.Service
	Pods      []*corev1.Pod
	Nodes     []*corev1.Node
	Slices    []*discoveryv1.EndpointSlice
	Endpoints []*corev1.Endpoints //nolint:staticcheck // the API still has them
}

// MarshalJSON writes the snapshot as lists of each kind: a list without items
// says that there are none. Objects of informers have no kind of their own.
func (s *Snapshot) MarshalJSON() ([]byte, error) {
	lists := []any{
		list[*corev1.Service]{"v1", "ServiceList", s.Services},
		list[*corev1.Pod]{"v1", "PodList", s.Pods},
		list[*corev1.Node]{"v1", "NodeList", s.Nodes},
		list[*discoveryv1.EndpointSlice]{"discovery.k8s.io/v1", "EndpointSliceList", s.Slices},
	}
	if s.Endpoints != nil {
		lists = append(lists, list[*corev1.Endpoints]{"v1", "EndpointsList", s.Endpoints})
	}
	return json.Marshal(lists)
}

type list[T any] struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Items      []T    `json:"items"`
}

// SnapshotPlans are the plans of a cluster.
type SnapshotPlans struct {
	// Plans are sorted by namespace and name.
	Plans    []Plan    `json:"plans"`
	Warnings []Warning `json:"warnings"`
}

// Warning is something about the input that is worth knowing.
type Warning struct {
	Code         string   `json:"code"`
	Message      string   `json:"message"`
	Namespaces   []string `json:"namespaces,omitempty"`
	BlocksWrites bool     `json:"blocksWrites,omitempty"`
}

// PlanSnapshot plans all Services with a selector. options may be nil.
func (m *Module) PlanSnapshot(ctx context.Context, snapshot *Snapshot, options *Options) (*SnapshotPlans, error) {
	return answer[SnapshotPlans](ctx, m, "planSnapshot", map[string]any{"snapshot": snapshot, "options": options})
}

// caller is what calls functions: a Module, or the instance of a Reviewer.
type caller interface {
	Call(ctx context.Context, function string, input []byte) ([]byte, error)
}

// answer calls a function with values.
func answer[T any](ctx context.Context, c caller, function string, input any) (*T, error) {
	bytes, err := json.Marshal(input)
	if err != nil {
		return nil, fmt.Errorf("slicewise: write the input of %s: %w", function, err)
	}
	if bytes, err = c.Call(ctx, function, bytes); err != nil {
		return nil, err
	}
	read := new(T)
	if err := json.Unmarshal(bytes, read); err != nil {
		return nil, fmt.Errorf("slicewise: read the answer of %s: %w", function, err)
	}
	return read, nil
}

// StaticEndpoint is an endpoint that is not a pod.
type StaticEndpoint struct {
	// Addresses are IP addresses; each goes to the slices of its family.
	Addresses []string `json:"addresses"`
	// Conditions are ready and serving if nil.
	Conditions *discoveryv1.EndpointConditions `json:"conditions,omitempty"`
	Hostname   string                          `json:"hostname,omitempty"`
	NodeName   string                          `json:"nodeName,omitempty"`
	// Zone is that of the node if it is empty.
	Zone      string                  `json:"zone,omitempty"`
	TargetRef *corev1.ObjectReference `json:"targetRef,omitempty"`
	// Ports are those of the Service with a numeric target port if nil.
	Ports []discoveryv1.EndpointPort `json:"ports,omitempty"`
}
