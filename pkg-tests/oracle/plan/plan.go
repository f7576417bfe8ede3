// Package plan holds the data that both sides of the comparison use: the
// plan for one Service, as in the contract of slicewise.
package plan

import (
	"encoding/json"
	"fmt"

	discovery "k8s.io/api/discovery/v1"
)

// Plan is what must be done to the EndpointSlices of one Service.
type Plan struct {
	Service   Key                        `json:"service"`
	Create    []*discovery.EndpointSlice `json:"create"`
	Update    []*discovery.EndpointSlice `json:"update"`
	Delete    []Ref                      `json:"delete"`
	Unchanged []string                   `json:"unchanged"`
	Events    []Event                    `json:"events"`
	Errors    []Problem                  `json:"errors"`
	Requeue   bool                       `json:"requeue"`
	Stats     Stats                      `json:"stats"`
	State     json.RawMessage            `json:"state,omitempty"`
}

// Key names a Service.
type Key struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// String is the key as the reference writes it.
func (k Key) String() string { return k.Namespace + "/" + k.Name }

// Ref names a slice to delete.
type Ref struct {
	Name            string `json:"name"`
	UID             string `json:"uid,omitempty"`
	ResourceVersion string `json:"resourceVersion,omitempty"`
}

// Event is a Kubernetes event on the Service.
type Event struct {
	Type    string `json:"type"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// Problem is something that the plan had to omit.
type Problem struct {
	Code    string `json:"code"`
	Pod     string `json:"pod"`
	Message string `json:"message"`
}

// Stats are the figures behind the metrics of the reference, summed over the
// address types of the Service.
type Stats struct {
	Endpoints     int `json:"endpoints"`
	Added         int `json:"added"`
	Removed       int `json:"removed"`
	Slices        int `json:"slices"`
	DesiredSlices int `json:"desiredSlices"`
}

// Failure is the typed error in place of a plan.
type Failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Path    string `json:"path,omitempty"`
}

// Error makes a Failure an error.
func (f *Failure) Error() string {
	return fmt.Sprintf("%s at %q: %s", f.Code, f.Path, f.Message)
}

// Parse parses one answer line: a plan, or the typed error in its place.
func Parse(line []byte) (*Plan, error) {
	var answer struct {
		Plan
		Error *Failure `json:"error"`
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return nil, fmt.Errorf("answer is no plan: %w", err)
	}
	if answer.Error != nil {
		return nil, answer.Error
	}
	return &answer.Plan, nil
}
