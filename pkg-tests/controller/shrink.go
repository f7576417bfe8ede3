package controller

import (
	"slices"
	"testing"
)

// attempts are how often the reference is run: in one of them, its random
// choices may match.
const attempts = 50

// Judge runs a script both ways, and finds the differences each time.
func (s *Script) Judge(t *testing.T, other Simulator) (*Difference, error) {
	have, err := other(s)
	if err != nil {
		return nil, err
	}
	var found *Difference
	for try := range attempts {
		if try > 0 || s.own == nil {
			s.Run(t)
		}
		if found = s.compare(have); found == nil {
			return nil, nil
		}
	}
	return found, nil
}

// Shrink removes lines as long as the script still differs in the same kind. The
// first one stays: before it has seen a node, the reference assumes one zone.
func (s *Script) Shrink(t *testing.T, other Simulator, kind string) *Script {
	small := s
	for size := len(s.Lines) / 2; size > 0; {
		isSmaller := false
		for from := 1; from+size <= len(small.Lines); {
			lines := slices.Delete(slices.Clone(small.Lines), from, from+size)
			try := &Script{Config: small.Config, Lines: lines}
			if found, err := try.Judge(t, other); err == nil && found != nil && found.Kind == kind {
				small, isSmaller = try, true
			} else {
				from += size
			}
		}
		if size == 1 && !isSmaller {
			break
		}
		size = max(1, size/2)
	}
	return small
}
