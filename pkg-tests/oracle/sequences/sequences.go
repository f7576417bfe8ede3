// Package sequences makes random calls on what the reference remembers between
// syncs (its two trackers and its topology cache) and notes the answers. The
// files are checked in, so that other implementations can be held to them
// without Go; see pkg-tests/differential/README.md.
//
// Reading order: sequences.go (files), slices.go, trigger.go, topology.go (one
// subject each).
package sequences

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
)

// Object is a Kubernetes object, or any other, as JSON has it.
type Object = map[string]any

// Step is one call; a question has an answer.
type Step struct {
	Do      string   `json:"do"`
	Service any      `json:"service,omitempty"`
	Slice   Object   `json:"slice,omitempty"`
	Slices  []Object `json:"slices,omitempty"`
	Pods    []Object `json:"pods,omitempty"`
	Nodes   []Object `json:"nodes,omitempty"`
	Family  string   `json:"family,omitempty"`
	Zones   Object   `json:"zones,omitempty"`
	Answer  any      `json:"answer,omitempty"`
}

// subject draws one sequence; each starts with a new object of the reference.
type subject func(r *rand.Rand) []Step

// file is how many sequences there are of a subject, and from which seed.
type file struct {
	count int
	seed  int64
	draw  subject
}

var files = map[string]file{
	"slice-tracker":  {count: 24, seed: 1, draw: sliceTracker},
	"trigger-time":   {count: 16, seed: 2, draw: triggerTime},
	"topology-cache": {count: 24, seed: 3, draw: topologyCache},
}

// Names are the files there should be, without their ".json".
func Names() []string {
	return []string{"slice-tracker", "topology-cache", "trigger-time"}
}

// Text asks the reference and returns what the file of that name should hold:
// a list of sequences, one call a line.
func Text(name string) ([]byte, error) {
	of, ok := files[name]
	if !ok {
		return nil, fmt.Errorf("no sequences are called %q", name)
	}
	r := rand.New(rand.NewSource(of.seed))
	var out bytes.Buffer
	out.WriteString("[\n")
	for i := range of.count {
		out.WriteString(separator(i, "[\n"))
		for j, step := range of.draw(r) {
			line, err := json.Marshal(step)
			if err != nil {
				return nil, err
			}
			out.WriteString(separator(j, "  "))
			out.Write(line)
		}
		out.WriteString("\n]")
	}
	out.WriteString("\n]\n")
	return out.Bytes(), nil
}

func separator(i int, next string) string {
	if i == 0 {
		return next
	}
	return ",\n" + next
}

// typed is an object as the reference takes it.
func typed[T any](object Object) *T {
	value := new(T)
	data, err := json.Marshal(object)
	if err == nil {
		err = json.Unmarshal(data, value)
	}
	if err != nil {
		panic(err) // this package made the object
	}
	return value
}

func all[T any](objects []Object) []*T {
	values := make([]*T, len(objects))
	for i, object := range objects {
		values[i] = typed[T](object)
	}
	return values
}

func pick[T any](r *rand.Rand, options ...T) T { return options[r.Intn(len(options))] }
