package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"

	"slicewise/oracle/differential"
)

// progressEvery is how many cases there are between two lines of progress.
const progressEvery = 1000

// parent starts the workers and reports; it returns whether anything differed.
func parent(s *settings) (bool, error) {
	if !s.self {
		if _, err := os.Stat(s.slicewise); err != nil {
			return false, fmt.Errorf("%w (build it with: cargo build --release -p slicewise-cli)", err)
		}
	}
	messages := make(chan message)
	errs := make(chan error, s.workers)
	var running sync.WaitGroup
	for i := range s.workers {
		running.Go(func() { errs <- runWorker(i, messages) })
	}
	go func() {
		running.Wait()
		close(messages)
		close(errs)
	}()
	sum := &summary{settings: s}
	for m := range messages {
		sum.add(m)
	}
	for err := range errs {
		if err != nil {
			return false, err
		}
	}
	sum.print()
	return sum.failed > 0, sum.err
}

// runWorker runs this program again with the same flags.
func runWorker(index int, to chan<- message) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	command := exec.Command(self, append([]string{"-worker", strconv.Itoa(index)}, os.Args[1:]...)...)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	readErr := read(out, to)
	if err := command.Wait(); err != nil {
		return fmt.Errorf("worker %d: %w", index, err)
	}
	return readErr
}

type summary struct {
	*settings
	passed, failed int
	runs, most     int
	err            error
}

func (s *summary) add(m message) {
	before := s.passed / progressEvery
	s.passed += m.Passed
	s.runs += m.Runs
	s.most = max(s.most, m.Most)
	if s.passed/progressEvery > before {
		fmt.Printf("%d of %d\n", s.passed, s.cases+s.histories)
	}
	if m.Finding != nil {
		s.failed++
		s.show(m.Finding)
	}
}

func (s *summary) show(f *differential.Finding) {
	text, err := f.Case.Text()
	if err != nil {
		s.err = err
		return
	}
	fmt.Printf("\n%s differs (%s): %s\n%s\n", f.Name, f.Verdict.Kind, f.Verdict.Detail, text)
	if s.corpus == "" {
		return
	}
	path := filepath.Join(s.corpus, f.Name+".json")
	if err := f.Case.Write(path); err != nil {
		s.err = err
		return
	}
	fmt.Println("written to", path)
}

func (s *summary) print() {
	if s.verbose {
		fmt.Printf("the reference ran %d times, at most %d times for one case\n", s.runs, s.most)
	}
	fmt.Printf("%d passed, %d failed\n", s.passed, s.failed)
}
