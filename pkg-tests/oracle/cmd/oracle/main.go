// Command oracle runs the reference EndpointSlice reconciler on requests: one
// PlanRequest per line in, one outcome per line out. A line
// {"history": [request, …]} runs its steps on one topology cache and answers
// {"history": [outcome, …]}. A line that cannot be read is answered with an
// error, and reading continues with the next line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"slicewise/oracle"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	reader := bufio.NewReaderSize(in, 1<<20)
	writer := bufio.NewWriter(out)
	encoder := json.NewEncoder(writer)
	encoder.SetEscapeHTML(false)
	for {
		line, err := reader.ReadBytes('\n')
		if len(line) > 0 && string(line) != "\n" {
			if err := encoder.Encode(answer(line)); err != nil {
				return err
			}
			if err := writer.Flush(); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func answer(line []byte) any {
	var history struct {
		History []json.RawMessage `json:"history"`
	}
	if err := json.Unmarshal(line, &history); err != nil {
		return failure(err)
	}
	steps := history.History
	if steps == nil {
		steps = []json.RawMessage{line}
	}
	world := oracle.NewWorld()
	var outcomes []*oracle.Outcome
	for i, step := range steps {
		request, err := oracle.Parse(step)
		if err != nil {
			return failure(fmt.Errorf("step %d: %w", i, err))
		}
		outcome, err := world.Step(request)
		if err != nil {
			return failure(fmt.Errorf("step %d: %w", i, err))
		}
		outcomes = append(outcomes, outcome)
	}
	if history.History == nil {
		return outcomes[0]
	}
	return map[string]any{"history": outcomes}
}

func failure(err error) any {
	return map[string]any{"error": map[string]string{"message": err.Error()}}
}
