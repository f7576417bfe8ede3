package main

import (
	"encoding/json"
	"io"
	"os"

	"slicewise/oracle/differential"
	"slicewise/oracle/planner"
)

// message is what a worker sends its parent, one per line.
type message struct {
	Passed  int                   `json:"passed,omitempty"`
	Runs    int                   `json:"runs,omitempty"`
	Most    int                   `json:"most,omitempty"`
	Finding *differential.Finding `json:"finding,omitempty"`
}

// worker compares its share of the cases.
func worker(s *settings) (bool, error) {
	asked, err := start(s)
	if err != nil {
		return false, err
	}
	told := &teller{encoder: json.NewEncoder(os.Stdout)}
	w := &differential.Worker{Planner: asked, Seed: s.seed, Report: told, Most: s.most, Whole: s.whole}
	share := func(count int) differential.Range {
		return differential.Range{From: s.from + s.worker, To: s.from + count, Step: s.workers}
	}
	if err := w.Singles(share(s.cases)); err != nil {
		return false, err
	}
	if err := w.Histories(share(s.histories)); err != nil {
		return false, err
	}
	return false, asked.Close()
}

func start(s *settings) (planner.Planner, error) {
	if s.self {
		return planner.Self{}, nil
	}
	return planner.Start(s.slicewise)
}

// teller writes messages.
type teller struct{ encoder *json.Encoder }

// Passed implements differential.Report.
func (t *teller) Passed(cases, runs, most int) {
	t.tell(message{Passed: cases, Runs: runs, Most: most})
}

// Found implements differential.Report.
func (t *teller) Found(finding *differential.Finding) { t.tell(message{Finding: finding}) }

func (t *teller) tell(m message) {
	// If the parent has exited, nobody can receive it.
	_ = t.encoder.Encode(m)
}

// read passes every message of a worker on.
func read(from io.Reader, to chan<- message) error {
	decoder := json.NewDecoder(from)
	for {
		var m message
		if err := decoder.Decode(&m); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		to <- m
	}
}
