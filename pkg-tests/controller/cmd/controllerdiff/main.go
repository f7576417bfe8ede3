// Command controllerdiff compares `slicewise simulate --ndjson` with the
// reference's controller on random scripts, in virtual time, and prints any
// difference, shrunk, as a command.
//
//	controllerdiff -seed 1 -scripts 1000 -slicewise ../../target/release/slicewise
package main

import (
	"flag"
	"fmt"
	"regexp"
	"runtime/debug"
	"testing"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"slicewise/controller"
)

// garbage is the GC percentage: nothing here lives long.
const garbage = 800

type settings struct {
	seed        uint64
	from, count int
	slicewise   string
	whole       bool
	print, most int
}

func main() {
	// Virtual time is available only in tests.
	testing.Init()
	s := &settings{}
	flag.Uint64Var(&s.seed, "seed", 1, "seed of the generator")
	flag.IntVar(&s.from, "from", 0, "index of the first script")
	flag.IntVar(&s.count, "scripts", 1000, "number of scripts")
	flag.StringVar(&s.slicewise, "slicewise", "../../target/release/slicewise", "the slicewise binary")
	flag.BoolVar(&s.whole, "whole", false, "do not shrink")
	flag.IntVar(&s.print, "print", -1, "print the script of this index, and compare nothing")
	flag.IntVar(&s.most, "failures", 3, "stop after so many failures")
	flag.Parse()
	debug.SetGCPercent(garbage)
	// The reference rate-limits errors with a clock that all scripts share.
	utilruntime.ErrorHandlers = nil
	testing.Main(regexp.MatchString, []testing.InternalTest{{Name: "scripts", F: s.run}}, nil, nil)
}

func (s *settings) run(t *testing.T) {
	if s.print >= 0 {
		script := controller.Generate(t, s.seed, s.print)
		show(t, &script)
		return
	}
	slicewise := controller.Slicewise(s.slicewise)
	passed, syncs, failed := 0, 0, 0
	for number := s.from; number < s.from+s.count && failed < s.most; number++ {
		script := controller.Generate(t, s.seed, number)
		found, err := script.Judge(t, slicewise)
		if err != nil {
			t.Fatalf("script %d: %v", number, err)
		}
		if found == nil {
			passed++
			syncs += len(script.Expected.Syncs)
			continue
		}
		failed++
		t.Fail()
		small := &script
		if !s.whole {
			small = script.Shrink(t, slicewise, found.Kind)
			if again, err := small.Judge(t, slicewise); err == nil && again != nil {
				found = again
			}
		}
		fmt.Printf("\nseed %d, script %d: %s%s\n", s.seed, number, found.Kind, found.Detail)
		show(t, small)
	}
	fmt.Printf("%d scripts with %d syncs passed, %d failed\n", passed, syncs, failed)
}

// show prints input for `slicewise simulate`.
func show(t *testing.T, script *controller.Script) {
	input, err := script.Input()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("slicewise simulate --ndjson <<'END'\n%sEND\n", input)
}
