// Package planner computes plans with the slicewise binary, or with the reference
// in its place.
package planner

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"

	"slicewise/oracle"
	"slicewise/oracle/release"
)

// Planner answers requests, one line for each, in order.
type Planner interface {
	Plan(requests [][]byte) ([][]byte, error)
	Close() error
}

// readBuffer is ample for the answer to several hundred pods.
const readBuffer = 1 << 20

// process is a running `slicewise plan --ndjson`.
type process struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// Start runs the slicewise binary at path.
func Start(path string) (Planner, error) {
	command := exec.Command(path, "plan", "--ndjson")
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	return &process{command, in, bufio.NewReaderSize(out, readBuffer)}, nil
}

// Plan writes while it reads, so that neither pipe fills up.
func (p *process) Plan(requests [][]byte) ([][]byte, error) {
	adapted := make([][]byte, len(requests))
	for i, request := range requests {
		var err error
		if adapted[i], err = release.Adapt(request); err != nil {
			return nil, err
		}
	}
	written := make(chan error, 1)
	go func() {
		_, err := p.in.Write(append(bytes.Join(adapted, []byte("\n")), "\n\n"...))
		written <- err
	}()
	answers := make([][]byte, 0, len(requests))
	for range requests {
		line, err := p.out.ReadBytes('\n')
		if err != nil {
			return answers, fmt.Errorf("slicewise stopped after %d answers: %w", len(answers), err)
		}
		answers = append(answers, line)
	}
	return answers, <-written
}

// Close closes the input and waits for the process.
func (p *process) Close() error {
	if err := p.in.Close(); err != nil {
		return err
	}
	return p.command.Wait()
}

// Self is the reference in place of slicewise: its state is the topology
// cache, and it keeps unknown fields of the slices it updates.
type Self struct{}

// Plan runs the reference once for each request.
func (Self) Plan(requests [][]byte) ([][]byte, error) {
	answers := make([][]byte, len(requests))
	for i, request := range requests {
		answer, err := selfAnswer(request)
		if err != nil {
			return nil, err
		}
		answers[i] = answer
	}
	return answers, nil
}

// Close does nothing.
func (Self) Close() error { return nil }

func selfAnswer(line []byte) ([]byte, error) {
	request, err := oracle.Parse(line)
	if err != nil {
		return nil, err
	}
	var carried struct {
		State oracle.Topology `json:"state"`
	}
	if err := json.Unmarshal(line, &carried); err != nil {
		return nil, err
	}
	prepared := oracle.Prepare(request)
	outcome, err := prepared.Run(carried.State, oracle.ByName)
	if err != nil {
		return nil, err
	}
	made := outcome.Plan(prepared)
	if made.State, err = json.Marshal(outcome.Topology); err != nil {
		return nil, err
	}
	answer, err := json.Marshal(made)
	if err != nil || len(made.Update) == 0 {
		return answer, err
	}
	return withUnknownFields(line, answer)
}

// withUnknownFields gives updated slices the fields that typed objects lose.
func withUnknownFields(request, answer []byte) ([]byte, error) {
	var before struct {
		Slices []map[string]any `json:"slices"`
	}
	if err := json.Unmarshal(request, &before); err != nil {
		return nil, err
	}
	var after map[string]any
	if err := json.Unmarshal(answer, &after); err != nil {
		return nil, err
	}
	updates, _ := after["update"].([]any)
	for _, item := range updates {
		update, _ := item.(map[string]any)
		for _, original := range before.Slices {
			if field(update, "name") == field(original, "name") && field(update, "namespace") == field(original, "namespace") {
				addMissing(update, original)
			}
		}
	}
	return json.Marshal(after)
}

func field(slice map[string]any, name string) any {
	metadata, _ := slice["metadata"].(map[string]any)
	return metadata[name]
}

func addMissing(update, original map[string]any) {
	for name, value := range original {
		if _, ok := update[name]; !ok {
			update[name] = value
		}
	}
}
