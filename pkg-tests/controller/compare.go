package controller

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
)

// Answer is the comparable part of the reaction to a script.
type Answer struct {
	Syncs, Messages []string
	// Slices are those of each Service all of whose slices were seen.
	Slices map[string][]string
}

// Simulator answers scripts.
type Simulator func(*Script) (*Answer, error)

// Slicewise runs the command as `simulate --ndjson`.
func Slicewise(path string) Simulator {
	return func(s *Script) (*Answer, error) {
		input, err := s.Input()
		if err != nil {
			return nil, err
		}
		command := exec.Command(path, "simulate", "--ndjson")
		command.Stdin = bytes.NewReader(input)
		output, err := command.Output()
		if err != nil {
			return nil, fmt.Errorf("%s simulate: %w", path, err)
		}
		return readAnswer(s, output)
	}
}

// Input are the lines for `slicewise simulate --ndjson`.
func (s *Script) Input() ([]byte, error) {
	var input bytes.Buffer
	encoder := json.NewEncoder(&input)
	config := s.Config
	if Version != defaultVersion {
		config.Kubernetes = Version
	}
	if err := encoder.Encode(map[string]any{"config": config}); err != nil {
		return nil, err
	}
	for _, line := range s.Lines {
		if err := encoder.Encode(line); err != nil {
			return nil, err
		}
	}
	return input.Bytes(), nil
}

type outputLine struct {
	At     float64       `json:"at"`
	Sync   string        `json:"sync"`
	Result string        `json:"result"`
	Plan   *plan         `json:"plan"`
	Event  *corev1.Event `json:"event"`
	Error  any           `json:"error"`
}

type plan struct {
	Create    []*discovery.EndpointSlice `json:"create"`
	Update    []*discovery.EndpointSlice `json:"update"`
	Unchanged []any                      `json:"unchanged"`
}

func readAnswer(s *Script, output []byte) (*Answer, error) {
	var entries []entry
	texts := map[string]bool{}
	plans := map[string]*plan{}
	for text := range bytes.Lines(output) {
		var line outputLine
		if err := json.Unmarshal(text, &line); err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		switch {
		case line.Error != nil:
			return nil, fmt.Errorf("the script is refused: %s", text)
		case line.Sync != "":
			entries = append(entries, entry{at: milliseconds(line.At), service: line.Sync, result: line.Result})
			if line.Plan != nil && line.Result == "success" && line.At >= float64(s.seenAt()) {
				plans[line.Sync] = line.Plan
			}
		case line.Event != nil:
			texts[plainMessage(line.Event.Reason, line.Event.Message)] = true
		}
	}
	answer := &Answer{Syncs: sortedSyncs(entries), Messages: sortedTexts(texts), Slices: map[string][]string{}}
	for service, plan := range plans {
		// Slices that a plan leaves alone are only named, and those it creates do not
		// exist if the namespace is being deleted.
		if len(plan.Unchanged) > 0 || len(plan.Create) > 0 && s.refuses("NamespaceTerminating") {
			continue
		}
		for _, slice := range plan.Update {
			slice.Generation++
		}
		for _, slice := range plan.Create {
			slice.Generation = 1
		}
		name := strings.TrimPrefix(service, "shop/")
		answer.Slices[name] = brief(append(plan.Update, plan.Create...), s.Config.MaxEndpoints)
	}
	return answer, nil
}

// seenAt is when Services get the label after which each slice is written once
// more.
func (s *Script) seenAt() int64 {
	for _, line := range slices.Backward(s.Lines) {
		if line.Event == nil || line.Event.Object["kind"] != "Service" {
			continue
		}
		metadata := line.Event.Object["metadata"].(map[string]any)
		if labels, ok := metadata["labels"].(map[string]any); ok && labels["seen"] != nil {
			return line.At
		}
		break
	}
	return 1 << 62
}

func (s *Script) refuses(error string) bool {
	return slices.ContainsFunc(s.Lines, func(line Line) bool { return line.Refuse != nil && line.Refuse.Error == error })
}

// Difference is what two answers do not agree on.
type Difference struct {
	// Kind is "syncs", "messages" or "slices".
	Kind, Detail string
}

// compare finds how an answer differs from the reference.
func (s *Script) compare(have *Answer) *Difference {
	if d := differenceOf("syncs", s.Expected.Syncs, have.Syncs); d != nil {
		return d
	}
	if d := differenceOf("messages", s.Expected.Messages, have.Messages); d != nil {
		return d
	}
	for service, found := range have.Slices {
		if d := differenceOf("slices", s.own[service], found); d != nil {
			return d
		}
	}
	return nil
}

func differenceOf(kind string, want, have []string) *Difference {
	if slices.Equal(want, have) {
		return nil
	}
	var detail strings.Builder
	for _, side := range []struct {
		name         string
		these, those []string
	}{{"the reference", want, have}, {"slicewise", have, want}} {
		for _, each := range side.these {
			if !slices.Contains(side.those, each) {
				fmt.Fprintf(&detail, "\n  only %s: %s", side.name, each)
			}
		}
	}
	if detail.Len() == 0 {
		fmt.Fprintf(&detail, "\n  the reference: %q\n  slicewise: %q", want, have)
	}
	return &Difference{Kind: kind, Detail: detail.String()}
}

// ownSlices are the slices of each Service that the controller manages.
func ownSlices(all []*discovery.EndpointSlice, most int32) map[string][]string {
	byService := map[string][]*discovery.EndpointSlice{}
	for _, slice := range all {
		if slice.Labels[discovery.LabelManagedBy] == "endpointslice-controller.k8s.io" {
			service := slice.Labels[discovery.LabelServiceName]
			byService[service] = append(byService[service], slice)
		}
	}
	own := map[string][]string{}
	for service, all := range byService {
		own[service] = brief(all, most)
	}
	return own
}

func sortedTexts(texts map[string]bool) []string {
	found := []string{}
	for text := range texts {
		found = append(found, text)
	}
	sort.Strings(found)
	return found
}
