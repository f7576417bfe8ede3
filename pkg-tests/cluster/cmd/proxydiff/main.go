// Command proxydiff compares `slicewise proxy` with the reference on random
// sequences, and prints what differs, shrunk, as lines that can be replayed.
//
//	proxydiff -seed 1 -sequences 20000
//	proxydiff -replay ../differential/proxy
//
// For some sequences, `slicewise route` must also give the same final routes.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"slicewise/cluster/proxy/differential"
	"slicewise/cluster/proxy/generate"
	"slicewise/cluster/proxy/oracle"
)

// routeEvery is how many sequences there are for each that is also routed; the
// stream covers most of the routes already.
const routeEvery = 4

// garbage is the GC percentage: nothing here lives long.
const garbage = 800

type settings struct {
	seed        uint64
	from, count int
	slicewise   string
	self        bool
	whole       bool
	replay      string
	print       int
	most        int
	workers     int
}

func main() {
	s := &settings{}
	flag.Uint64Var(&s.seed, "seed", 1, "seed of the generator")
	flag.IntVar(&s.from, "from", 0, "index of the first sequence")
	flag.IntVar(&s.count, "sequences", 20000, "number of sequences")
	flag.StringVar(&s.slicewise, "slicewise", "../../target/release/slicewise", "the slicewise binary")
	flag.BoolVar(&s.self, "self", false, "put the reference in the place of slicewise: must always pass")
	flag.BoolVar(&s.whole, "whole", false, "do not shrink")
	flag.StringVar(&s.replay, "replay", "", "compare this case, or all in this directory, instead")
	flag.IntVar(&s.print, "print", -1, "print the sequence of this index, and compare nothing")
	flag.IntVar(&s.most, "failures", 3, "stop after so many failures")
	flag.IntVar(&s.workers, "workers", runtime.NumCPU(), "how many sequences are compared at a time")
	flag.Parse()
	debug.SetGCPercent(garbage)
	failed, err := run(s)
	if err != nil {
		fmt.Fprintln(os.Stderr, "proxydiff:", err)
		os.Exit(2)
	}
	if failed {
		os.Exit(1)
	}
}

func run(s *settings) (bool, error) {
	var proxier contender = differential.Self{}
	if !s.self {
		proxier = differential.Process{Path: s.slicewise}
	}
	switch {
	case s.print >= 0:
		show(generate.New(s.seed, s.print))
		return false, nil
	case s.replay != "":
		return replay(proxier, s.replay)
	}
	r := &runner{settings: s, proxier: proxier}
	// The feature gate is process-wide, so the two kinds cannot be mixed.
	for _, gate := range gates() {
		if err := oracle.SetGate(gate); err != nil {
			return false, err
		}
		if err := r.all(gate); err != nil {
			return false, err
		}
	}
	fmt.Printf("%d sequences with %d syncs passed, %d failed\n", r.passed, r.syncs, r.failed)
	return r.failed > 0, nil
}

func gates() []bool {
	if oracle.HasGate {
		return []bool{true, false}
	}
	return []bool{true}
}

// contender is compared with the reference.
type contender interface {
	differential.Proxier
	differential.Router
}

type runner struct {
	*settings
	proxier               contender
	lock                  sync.Mutex
	passed, syncs, failed int
	err                   error
}

// all compares the sequences with one setting of the gate.
func (r *runner) all(gate bool) error {
	indexes := make(chan int)
	var running sync.WaitGroup
	for range r.workers {
		running.Go(func() {
			for index := range indexes {
				if generate.Gate(r.seed, index) == gate {
					r.one(index, generate.New(r.seed, index))
				}
			}
		})
	}
	for index := r.from; index < r.from+r.count && !r.over(); index++ {
		indexes <- index
	}
	close(indexes)
	running.Wait()
	return r.err
}

func (r *runner) over() bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.err != nil || r.failed >= r.most
}

func (r *runner) one(index int, sequence *generate.Sequence) {
	difference, err := differential.Judge(r.proxier, sequence)
	judge := func(s *generate.Sequence) (*differential.Difference, error) { return differential.Judge(r.proxier, s) }
	if err == nil && difference == nil && index%routeEvery == 0 {
		judge = func(s *generate.Sequence) (*differential.Difference, error) {
			return differential.JudgeRoute(r.proxier, s)
		}
		difference, err = judge(sequence)
	}
	if err == nil && difference != nil {
		r.report(index, sequence, difference, judge)
		return
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	if err != nil {
		r.err = fmt.Errorf("sequence %d: %w", index, err)
		return
	}
	r.passed++
	for _, line := range sequence.Lines {
		if strings.HasPrefix(string(line), `{"sync"`) {
			r.syncs++
		}
	}
}

func (r *runner) report(index int, sequence *generate.Sequence, difference *differential.Difference, judge func(*generate.Sequence) (*differential.Difference, error)) {
	if !r.whole {
		small := differential.Shrink(judge, sequence, difference.Kind)
		if again, err := judge(small); err == nil && again != nil {
			sequence, difference = small, again
		}
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	r.failed++
	fmt.Printf("\nseed %d, sequence %d, line %d: %s%s\n", r.seed, index, difference.Line, difference.Kind, difference.Detail)
	show(sequence)
}

// show prints input for `slicewise proxy` and the oracle.
func show(sequence *generate.Sequence) {
	arguments := sequence.Settings.Args()
	for i, each := range arguments {
		if strings.ContainsAny(each, " '") {
			arguments[i] = "'" + each + "'"
		}
	}
	fmt.Printf("slicewise proxy %s --ndjson <<'END'\n", strings.Join(arguments, " "))
	for _, line := range sequence.Lines {
		fmt.Println(string(line))
	}
	fmt.Println("END")
}

func replay(proxier differential.Proxier, path string) (bool, error) {
	files, err := differential.Files(path)
	if err != nil {
		return false, err
	}
	failed := 0
	for _, file := range slices.Sorted(slices.Values(files)) {
		one, err := differential.Read(file)
		if err != nil {
			return false, err
		}
		one.Settings = one.Settings.Adapt()
		if err := oracle.SetGate(one.Settings.Gate()); err != nil {
			return false, err
		}
		difference, err := differential.Judge(proxier, &one.Sequence)
		if err != nil {
			return false, fmt.Errorf("%s: %w", file, err)
		}
		if difference != nil {
			failed++
			fmt.Printf("\n%s, line %d: %s%s\n", file, difference.Line, difference.Kind, difference.Detail)
		}
	}
	fmt.Printf("%d passed, %d failed\n", len(files)-failed, failed)
	return failed > 0, nil
}
