// Package metrics runs histories of several Services through the reference's
// reconciler, and prints its metrics in the text format of a scrape.
//
// Reading order: history.go (the file), replay.go (one history), server.go (the
// API server), text.go (the registry), generate.go (the histories).
package metrics

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"

	"slicewise/oracle/release"
)

// Name is that of the file that slicewise is tested with.
const Name = "metrics.json"

// Seed is that of the file that slicewise is tested with.
const Seed = 6

// History is what happens in one cluster from the start of the controller.
type History struct {
	Description string                 `json:"description"`
	Options     Options                `json:"options"`
	Nodes       []*corev1.Node         `json:"nodes"`
	Pods        map[string]*corev1.Pod `json:"pods"`
	Steps       []*Step                `json:"steps"`
	// Text is what the reference's registry prints at the end.
	Text string `json:"text"`
}

// Options are named as in a PlanRequest.
type Options struct {
	MaxEndpointsPerSlice int32 `json:"maxEndpointsPerSlice"`
	TopologyHints        bool  `json:"topologyHints"`
	PreferSame           bool  `json:"preferSameTrafficDistribution"`
}

// Step is one sync of one Service. Its slices are those stored so far that
// belong to it, and what the sync stores is part of the step: the contents of
// the reference's slices are random.
type Step struct {
	// Key is namespace/name.
	Key string `json:"key"`
	// Service is missing once it is deleted.
	Service *corev1.Service `json:"service,omitempty"`
	// Pods are keys of the history's.
	Pods []string `json:"pods,omitempty"`
	// Stale means that the cached slices are older than our own writes.
	Stale  bool    `json:"stale,omitempty"`
	Refuse *Refuse `json:"refuse,omitempty"`
	// Result is how the controller counts the sync.
	Result string `json:"result"`
	// Stored are slices by name, null if deleted.
	Stored map[string]*discovery.EndpointSlice `json:"stored,omitempty"`
	// Lines are those of the registry's text that are new since the previous
	// step, except buckets.
	Lines []string `json:"lines"`
}

// Refuse makes one write fail.
type Refuse struct {
	Verb   string                `json:"verb"`
	Family discovery.AddressType `json:"family"`
	// Number counts the writes of this verb and family, from 0.
	Number int `json:"number"`
	// Terminating means that it fails because the namespace is being deleted.
	Terminating bool `json:"terminating,omitempty"`
}

// Text is the golden file of this version in a folder: the histories as they are
// there, answered anew, or the texts at their end that differ from those of the
// default version, by number. The contents of slices come from the file, because
// they are random; this also shows that they do not matter.
func Text(folder string) ([]byte, error) {
	histories, err := Read(folder)
	if err != nil {
		return nil, err
	}
	texts := map[int]string{}
	for number, history := range histories {
		usual := history.Text
		for _, step := range history.Steps {
			step.Result, step.Lines = "", nil
		}
		if err := history.Answer(true); err != nil {
			return nil, err
		}
		if history.Text != usual {
			texts[number] = history.Text
		}
	}
	if release.Version == release.Default {
		return marshal(histories)
	}
	text, err := json.MarshalIndent(texts, "", " ")
	return append(text, '\n'), err
}

// New makes the histories, and what the reference stores and answers.
func New() ([]byte, error) {
	histories, err := makeHistories(Seed)
	if err != nil {
		return nil, err
	}
	return marshal(histories)
}

// Read reads the histories.
func Read(folder string) ([]*History, error) {
	data, err := os.ReadFile(filepath.Join(folder, Name))
	if err != nil {
		return nil, err
	}
	var histories []*History
	return histories, json.Unmarshal(data, &histories)
}

// marshal writes histories, one step per line.
func marshal(histories []*History) ([]byte, error) {
	text := []byte("[")
	for number, history := range histories {
		if number > 0 {
			text = append(text, ',')
		}
		text = append(text, '\n')
		var err error
		if text, err = history.append(text); err != nil {
			return nil, err
		}
	}
	return append(text, "\n]\n"...), nil
}

func (h *History) append(text []byte) ([]byte, error) {
	fields := []struct {
		name  string
		value any
	}{{"description", h.Description}, {"options", h.Options}, {"nodes", h.Nodes}, {"pods", h.Pods}, {"text", h.Text}}
	text = append(text, '{')
	for _, field := range fields {
		value, err := json.Marshal(field.value)
		if err != nil {
			return nil, err
		}
		text = append(text, fmt.Sprintf("%q:%s,\n", field.name, value)...)
	}
	text = append(text, `"steps":[`...)
	for place, step := range h.Steps {
		line, err := json.Marshal(step)
		if err != nil {
			return nil, err
		}
		if place > 0 {
			text = append(text, ',')
		}
		text = append(text, '\n')
		text = append(text, line...)
	}
	return append(text, "\n]}"...), nil
}
