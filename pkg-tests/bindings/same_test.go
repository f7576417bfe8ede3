// Package bindings compares the Go package, which runs slicewise.wasm, with the
// command: the same bytes for the cases that are compared with the reference.
package bindings

import (
	"bytes"
	"errors"
	"flag"
	"runtime"
	"sync"
	"testing"

	"slicewise/bindings/go"
	"slicewise/oracle/generate"
	"slicewise/oracle/planner"
)

var (
	command = flag.String("slicewise", "../../target/debug/slicewise", "the slicewise binary")
	seed    = flag.Int64("seed", 1, "seed of the generator")
	cases   = flag.Int("cases", 2000, "number of requests")
)

func TestPlansHaveTheBytesOfTheCommand(t *testing.T) {
	requests := make([][]byte, *cases)
	for i := range requests {
		requests[i] = generate.Single(*seed, i).JSON()
	}
	native, err := planner.Start(*command)
	if err != nil {
		t.Fatal(err)
	}
	want, err := native.Plan(requests)
	if err := errors.Join(err, native.Close()); err != nil {
		t.Fatal(err)
	}
	module, err := slicewise.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := module.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	workers := runtime.GOMAXPROCS(0)
	var all sync.WaitGroup
	for worker := range workers {
		all.Go(func() {
			for i := worker; i < len(requests); i += workers {
				got, err := module.Call(t.Context(), "plan", requests[i])
				if err != nil {
					t.Errorf("case %d: %v\n%s", i, err, requests[i])
				} else if !bytes.Equal(got, bytes.TrimSuffix(want[i], []byte("\n"))) {
					t.Errorf("case %d\n%s\nhas the answer\n%s\nand the command's is\n%s", i, requests[i], got, want[i])
				}
			}
		})
	}
	all.Wait()
	if !t.Failed() {
		t.Logf("%d passed, 0 failed", len(requests))
	}
}
