// Command bench times the reference on one PlanRequest: JSON in, written
// slices as JSON out; and Reconcile alone on the same request, decoded.
//
// bench FILE [MILLISECONDS] [typed|json] prints one JSON line for each measurement.
// Without a FILE it only starts, which is also a measurement if it is built
// for WebAssembly.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"time"

	"slicewise/oracle/reference"
)

const (
	defaultBudget = 1000
	mostRuns      = 10000
)

func main() {
	if len(os.Args) < 2 {
		return
	}
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	milliseconds := defaultBudget
	if len(args) > 1 {
		var err error
		if milliseconds, err = strconv.Atoi(args[1]); err != nil {
			return err
		}
	}
	budget := time.Duration(milliseconds) * time.Millisecond
	data, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	only := ""
	if len(args) > 2 {
		only = args[2]
	}
	if only != "typed" {
		if err := measure("json", budget, func() (*sync, error) { return fromJSON(data) }); err != nil {
			return err
		}
	}
	if only == "json" {
		return nil
	}
	return typed(data, budget)
}

// sync is one call of the reference, ready to be made.
type sync struct {
	prepare func()
	call    func() error
	writes  *reference.Writes
}

// fromJSON decodes, reconciles and encodes, with all of it timed.
func fromJSON(data []byte) (*sync, error) {
	made := &sync{writes: &reference.Writes{}, prepare: func() {}}
	made.call = func() error {
		_, err := reference.Plan(data, made.writes)
		return err
	}
	return made, nil
}

// typed times only Reconcile. What the reference changes in its inputs, and
// what a controller has ready before a sync, is recreated outside the timing.
func typed(data []byte, budget time.Duration) error {
	request, err := reference.Decode(data)
	if err != nil {
		return err
	}
	return measure("typed", budget, func() (*sync, error) {
		made := &sync{writes: &reference.Writes{}}
		made.prepare = func() {
			*made.writes = reference.Writes{}
			made.call = request.Fresh().Reconciler(made.writes)
		}
		return made, nil
	})
}

// measure calls until the budget is spent, at least once, and prints the
// median. Garbage is collected before each call, outside the timing.
func measure(what string, budget time.Duration, begin func() (*sync, error)) error {
	made, err := begin()
	if err != nil {
		return err
	}
	var times []float64
	for end := time.Now().Add(budget); len(times) == 0 || (time.Now().Before(end) && len(times) < mostRuns); {
		made.prepare()
		runtime.GC()
		start := time.Now()
		if err := made.call(); err != nil {
			return err
		}
		times = append(times, time.Since(start).Seconds()*1000)
	}
	slices.Sort(times)
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"what":   what,
		"median": times[len(times)/2],
		"best":   times[0],
		"runs":   len(times),
		"writes": made.writes.String(),
	})
}
