package slicewise

import (
	"context"
	"encoding/json"
)

// Question narrows what is explained. All fields may be empty.
type Question struct {
	// Service is "namespace/name", or a name that is unique.
	Service string `json:"service,omitempty"`
	// Pod is a name or "namespace/name".
	Pod string `json:"pod,omitempty"`
	// About is "service", "pods", "nodes", "hints", "slices" or "cost".
	About string `json:"about,omitempty"`
	// Clients is a label selector of the pods that requests come from.
	Clients string   `json:"clients,omitempty"`
	Options *Options `json:"options,omitempty"`
}

// Explained says why Services have the slices, hints and traffic they have.
type Explained struct {
	Services []ServiceExplained `json:"services"`
	// Cluster are explanations about the nodes.
	Cluster  []Explanation `json:"cluster"`
	Warnings []Warning     `json:"warnings"`
}

// ServiceExplained is one Service.
type ServiceExplained struct {
	Service ObjectName `json:"service"`
	// Verdict is the most severe explanation, in a line.
	Verdict struct {
		Severity string `json:"severity"`
		Text     string `json:"text"`
	} `json:"verdict"`
	// Explanations are most severe first.
	Explanations []Explanation `json:"explanations"`
}

// Explanation is one finding: what is so, because of what, and what to do.
type Explanation struct {
	// Code is stable; docs/explain.md lists all.
	Code        string  `json:"code"`
	Severity    string  `json:"severity"`
	Topic       string  `json:"topic"`
	Subject     Subject `json:"subject"`
	AddressType string  `json:"addressType,omitempty"`
	What        string  `json:"what"`
	Because     string  `json:"because,omitempty"`
	Do          string  `json:"do,omitempty"`
	Details     string  `json:"details,omitempty"`
	Fixes       []Fix   `json:"fixes,omitempty"`
	// Figures are the numbers and names in the sentences.
	Figures map[string]json.RawMessage `json:"figures,omitempty"`
}

// Subject is the object that an explanation is about.
type Subject struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// Fix is a change that would help.
type Fix struct {
	Change string `json:"change"`
	Effect string `json:"effect"`
}

// Explain explains a plan request or a snapshot. question may be nil.
func (m *Module) Explain(ctx context.Context, input *Snapshot, question *Question) (*Explained, error) {
	return answer[Explained](ctx, m, "explain", map[string]any{"input": input, "question": question})
}

// ExplainRequest explains the plan of one Service. question may be nil.
func (m *Module) ExplainRequest(ctx context.Context, input *PlanRequest, question *Question) (*Explained, error) {
	return answer[Explained](ctx, m, "explain", map[string]any{"input": input, "question": question})
}
