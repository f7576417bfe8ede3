// Command differential compares slicewise with the reference on generated
// cases, and shrinks differences into files of the corpus.
//
//	differential -seed 1 -cases 5000 -histories 500
//	differential -replay ../differential/corpus
//
// It runs several processes, because the reference's metrics are process-wide:
// this one starts the workers and adds up their reports.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
)

// garbage is the GC percentage: nothing here lives long.
const garbage = 800

// settings are the flags.
type settings struct {
	seed      int64
	from      int
	cases     int
	histories int
	slicewise string
	corpus    string
	self      bool
	verbose   bool
	whole     bool
	replay    string
	most      int
	workers   int
	worker    int
}

func main() {
	s := parseFlags()
	debug.SetGCPercent(garbage)
	work := parent
	switch {
	case s.worker >= 0:
		work = worker
	case s.replay != "":
		work = replay
	}
	failed, err := work(s)
	if err != nil {
		fmt.Fprintln(os.Stderr, "differential:", err)
		os.Exit(2)
	}
	if failed {
		os.Exit(1)
	}
}

func parseFlags() *settings {
	s := &settings{}
	flag.Int64Var(&s.seed, "seed", 1, "seed of the generator")
	flag.IntVar(&s.from, "from", 0, "index of the first case and the first history")
	flag.IntVar(&s.cases, "cases", 5000, "number of single requests")
	flag.IntVar(&s.histories, "histories", 500, "number of histories of 3 to 8 steps")
	flag.StringVar(&s.slicewise, "slicewise", "../../target/release/slicewise", "the slicewise binary")
	flag.StringVar(&s.corpus, "corpus", "../differential/corpus", "directory for cases that differ; empty writes none")
	flag.BoolVar(&s.self, "self", false, "put the reference in the place of slicewise: must always pass")
	flag.BoolVar(&s.verbose, "v", false, "tell how often the reference had to run")
	flag.StringVar(&s.replay, "replay", "", "compare this case file, or all in this directory, instead of generated cases")
	flag.BoolVar(&s.whole, "whole", false, "do not shrink")
	flag.IntVar(&s.most, "failures", 3, "stop a worker after so many failures")
	flag.IntVar(&s.workers, "workers", min(runtime.NumCPU(), 8), "number of worker processes")
	flag.IntVar(&s.worker, "worker", -1, "internal: be this worker")
	flag.Parse()
	return s
}
