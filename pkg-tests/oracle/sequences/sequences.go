// Package sequences makes random calls about the reference's state between
// syncs (its two trackers and its topology cache) and records the answers. The
// files are checked in, so that other implementations can be tested against them
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

// file is the number of sequences of a subject, and their seed.
type file struct {
	count int
	seed  int64
	draw  subject
}

var files = map[string]file{
	"slice-tracker":  {count: 24, seed: 1, draw: sliceTracker},
	"trigger-time":   {count: 16, seed: 2, draw: triggerTime},
	"topology-cache": {count: 24, seed: 3, draw: topologyCache},
	"recreated":      {count: 12, seed: 4, draw: recreatedServices},
}

// Names are the expected files, without their ".json".
func Names() []string {
	return []string{"recreated", "slice-tracker", "topology-cache", "trigger-time"}
}

// Text runs the reference and returns the contents of the file with that name:
// a list of sequences, one call per line.
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
