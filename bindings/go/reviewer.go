package slicewise

import (
	"context"
	"encoding/json"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// Reviewer answers admission reviews based on what it knows about a cluster:
// a snapshot, and the events since then. It is safe for concurrent use; its
// calls run one after the other.
//
// A call that has started is finished even if its context ends: interrupting
// it would lose what the reviewer knows.
type Reviewer struct {
	instance *instance
	// turn holds a value while no call runs.
	turn chan struct{}
}

// handle is the first of its instance.
const handle = 1

// NewReviewer opens a reviewer. config is the JSON of docs/webhook.md, and may
// be nil, as may snapshot: verdicts then say what is not known.
func (m *Module) NewReviewer(ctx context.Context, config json.RawMessage, snapshot *Snapshot) (*Reviewer, error) {
	m.mu.Lock()
	closed := m.closed
	m.mu.Unlock()
	if closed {
		return nil, ErrClosed
	}
	i, err := m.start(ctx)
	if err != nil {
		return nil, err
	}
	r := &Reviewer{instance: i, turn: make(chan struct{}, 1)}
	r.turn <- struct{}{}
	input := map[string]any{}
	if config != nil {
		input["config"] = config
	}
	if snapshot != nil {
		input["snapshot"] = snapshot
	}
	if _, err := answer[json.RawMessage](ctx, r, "reviewer.open", input); err != nil {
		i.close(ctx)
		return nil, err
	}
	return r, nil
}

// Close ends the reviewer.
func (r *Reviewer) Close(ctx context.Context) error {
	select {
	case <-r.turn:
		r.instance.close(ctx)
		r.turn <- struct{}{}
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Call calls a function in the reviewer's instance. Its handle is 1.
func (r *Reviewer) Call(ctx context.Context, function string, input []byte) ([]byte, error) {
	select {
	case <-r.turn:
		defer func() { r.turn <- struct{}{} }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	if r.instance.broken {
		return nil, ErrClosed
	}
	return r.instance.call(context.WithoutCancel(ctx), function, input)
}

// Asking is what a caller asks for besides the review itself.
type Asking struct {
	// Policy is the only one to run; all of them if it is empty.
	Policy string `json:"policy,omitempty"`
	// ContextAgeSeconds is how long ago the cluster was last heard of; nil if
	// that does not age.
	ContextAgeSeconds *uint32 `json:"contextAgeSeconds,omitempty"`
	// CaughtUp is "waited" or "asked" in a review that is repeated because its
	// verdict awaited a pod.
	CaughtUp string `json:"caughtUp,omitempty"`
}

// Verdict is the answer to a review.
type Verdict struct {
	Response *admissionv1.AdmissionResponse
	// Record is for logs: names and verdicts, never the object.
	Record Record
}

// Record is what may be logged of a review.
type Record struct {
	// Verdict is "allow", "warn" or "deny".
	Verdict   string `json:"verdict"`
	UID       string `json:"uid,omitempty"`
	Kind      string `json:"kind,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	// Policies are those with findings.
	Policies []string `json:"policies"`
	Reason   string   `json:"reason"`
	// Awaits are pods that a refusal rests on, if they may exist and the watch
	// has not shown them yet.
	Awaits []AwaitedPod `json:"awaits,omitempty"`
}

// AwaitedPod is a pod that may exist.
type AwaitedPod struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name,omitempty"`
	Address   string `json:"address,omitempty"`
}

// Review judges a change.
func (r *Reviewer) Review(ctx context.Context, request *admissionv1.AdmissionRequest, asking Asking) (*Verdict, error) {
	review := admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "AdmissionReview"},
		Request:  request,
	}
	bytes, err := json.Marshal(review)
	if err != nil {
		return nil, err
	}
	return r.ReviewJSON(ctx, bytes, asking)
}

// ReviewJSON judges a change given as the body of a webhook's request.
func (r *Reviewer) ReviewJSON(ctx context.Context, review json.RawMessage, asking Asking) (*Verdict, error) {
	type told struct {
		Record Record                      `json:"record"`
		Answer admissionv1.AdmissionReview `json:"answer"`
	}
	input := map[string]any{"handle": handle, "review": review, "asking": asking}
	judged, err := answer[told](ctx, r, "reviewer.judge", input)
	if err != nil {
		return nil, err
	}
	return &Verdict{Response: judged.Answer.Response, Record: judged.Record}, nil
}

// Applied is the effect of events or a snapshot.
type Applied struct {
	Taken int `json:"taken"`
	// Late are events that came after a newer version of the object.
	Late int `json:"late"`
	// Errors are objects that could not be read, and are left out.
	Errors []json.RawMessage `json:"errors"`
}

// Load replaces everything known about the cluster.
func (r *Reviewer) Load(ctx context.Context, snapshot *Snapshot) (*Applied, error) {
	return answer[Applied](ctx, r, "reviewer.load", map[string]any{"handle": handle, "snapshot": snapshot})
}

// Apply takes a watch event. The object has to have its kind, which informers
// remove: set it before, as scheme.Scheme knows it.
func (r *Reviewer) Apply(ctx context.Context, event watch.EventType, object runtime.Object) (*Applied, error) {
	events := map[string]any{"type": event, "object": object}
	return answer[Applied](ctx, r, "reviewer.apply", map[string]any{"handle": handle, "events": events})
}

// Configure replaces the configuration. If it cannot be used, the previous one
// stays.
func (r *Reviewer) Configure(ctx context.Context, config json.RawMessage) error {
	_, err := answer[json.RawMessage](ctx, r, "reviewer.configure", map[string]any{"handle": handle, "config": config})
	return err
}
