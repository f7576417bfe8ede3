// Package shrink makes a failing case small: it removes whatever is not
// needed for the failure, big pieces first.
package shrink

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"slicewise/oracle/corpus"
)

// Budget is the maximum number of candidates for one case.
const Budget = 2500

// Bytes is the maximum total size of their JSON, so that a large case does not
// take an hour: the result is then smaller, if not the smallest.
const Bytes = 16 << 20

// Fails reports whether a candidate still shows the failure.
type Fails func(*corpus.Case) bool

// Case returns the smallest case found that still fails.
func Case(c *corpus.Case, fails Fails) *corpus.Case {
	s := &shrinker{fails: fails, left: Budget, bytes: Bytes, best: decode(c)}
	if c.Request == nil {
		s.steps()
	}
	for s.pass() {
	}
	return encode(s.best)
}

type shrinker struct {
	fails Fails
	left  int // candidates
	bytes int // of candidates
	best  any // the request, or the list of requests, as plain JSON values
}

func decode(c *corpus.Case) any {
	if c.Request != nil {
		return parse(c.Request)
	}
	steps := make([]any, len(c.History))
	for i, step := range c.History {
		steps[i] = parse(step)
	}
	return steps
}

func parse(text json.RawMessage) any {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		panic(err) // the case ran before
	}
	return value
}

func encode(value any) *corpus.Case {
	steps, isHistory := value.([]any)
	if !isHistory {
		return &corpus.Case{Request: text(value)}
	}
	if len(steps) == 1 {
		return &corpus.Case{Request: text(steps[0])}
	}
	c := &corpus.Case{}
	for _, step := range steps {
		c.History = append(c.History, text(step))
	}
	return c
}

func text(value any) json.RawMessage {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // came from JSON
	}
	return data
}

// try accepts a candidate if it still fails.
func (s *shrinker) try(candidate any) bool {
	if s.left == 0 {
		return false
	}
	s.left--
	c := encode(candidate)
	if s.bytes -= size(c); s.bytes <= 0 {
		s.left = 0
	}
	if !s.fails(c) {
		return false
	}
	s.best = candidate
	return true
}

func size(c *corpus.Case) int {
	total := 0
	for _, step := range c.Steps() {
		total += len(step)
	}
	return total
}

// steps drops whole steps of a history: first the leading ones.
func (s *shrinker) steps() {
	for {
		steps, _ := s.best.([]any)
		if len(steps) < 2 || !s.try(slices.Clone(steps[1:])) {
			break
		}
	}
	steps, _ := s.best.([]any)
	for i := len(steps) - 2; i > 0; i-- {
		now, _ := s.best.([]any)
		if len(now) > 2 {
			s.try(slices.Delete(slices.Clone(now), i, i+1))
		}
	}
}

// pass goes through the whole case once; it is false if nothing was removed.
func (s *shrinker) pass() bool {
	before := s.left
	changed := s.lists()
	for _, path := range paths(s.best, nil, nil) {
		if candidate, ok := without(s.best, path); ok && s.try(candidate) {
			changed = true
		}
	}
	return changed && s.left > 0 && s.left < before
}

// lists removes runs of elements from the long lists, half of them first.
func (s *shrinker) lists() bool {
	changed := false
	for _, path := range listPaths(s.best, nil, nil) {
		for size := len(listAt(s.best, path)) / 2; size > 0; size /= 2 {
			for from := 0; from < len(listAt(s.best, path)); {
				list := listAt(s.best, path)
				to := min(from+size, len(list))
				if s.try(replace(s.best, path, slices.Delete(slices.Clone(list), from, to))) {
					changed = true
				} else {
					from += size
				}
			}
		}
	}
	return changed
}

// kept are fields that identify an object: without them it is another failure.
var kept = map[string]bool{
	"name": true, "namespace": true, "uid": true, "metadata": true, "service": true, "addresses": true, "addressType": true,
	"ip": true, "apiVersion": true, "kind": true, "selector": true, "spec": true, "resourceVersion": true,
	"kubernetes.io/service-name": true, "endpointslice.kubernetes.io/managed-by": true,
}

// paths are all removable fields and elements, outermost first.
func paths(value any, at []string, all [][]string) [][]string {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			path := append(slices.Clone(at), key)
			if !kept[key] {
				all = append(all, path)
			}
			all = paths(value[key], path, all)
		}
	case []any:
		for i := len(value) - 1; i >= 0; i-- {
			path := append(slices.Clone(at), strconv.Itoa(i))
			if len(at) > 0 {
				all = append(all, path)
			}
			all = paths(value[i], path, all)
		}
	}
	return all
}

// listPaths are the lists worth cutting in halves.
func listPaths(value any, at []string, all [][]string) [][]string {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			all = listPaths(value[key], append(slices.Clone(at), key), all)
		}
	case []any:
		if len(value) > 1 && len(at) > 0 && at[len(at)-1] != "addresses" {
			all = append(all, at)
		}
		for i := range value {
			all = listPaths(value[i], append(slices.Clone(at), strconv.Itoa(i)), all)
		}
	}
	return all
}

func listAt(value any, path []string) []any {
	for _, key := range path {
		value = childAt(value, key)
	}
	list, _ := value.([]any)
	return list
}

func childAt(value any, key string) any {
	switch value := value.(type) {
	case map[string]any:
		return value[key]
	case []any:
		if i, err := strconv.Atoi(key); err == nil && i < len(value) {
			return value[i]
		}
	}
	return nil
}

// replace is a copy of value with something else at the path; it shares
// everything outside the path.
func replace(value any, path []string, with any) any {
	if len(path) == 0 {
		return with
	}
	inner := childAt(value, path[0])
	if inner == nil {
		return value
	}
	switch value := value.(type) {
	case map[string]any:
		copied := maps.Clone(value)
		copied[path[0]] = replace(inner, path[1:], with)
		return copied
	case []any:
		copied := slices.Clone(value)
		i, _ := strconv.Atoi(path[0])
		copied[i] = replace(inner, path[1:], with)
		return copied
	}
	return value
}

// without is a copy of value without the value at the path.
func without(value any, path []string) (any, bool) {
	parent, last := path[:len(path)-1], path[len(path)-1]
	holder := value
	for _, key := range parent {
		holder = childAt(holder, key)
	}
	switch holder := holder.(type) {
	case map[string]any:
		if _, ok := holder[last]; !ok {
			return nil, false
		}
		copied := maps.Clone(holder)
		delete(copied, last)
		return replace(value, parent, copied), true
	case []any:
		i, err := strconv.Atoi(last)
		if err != nil || i >= len(holder) {
			return nil, false
		}
		return replace(value, parent, slices.Delete(slices.Clone(holder), i, i+1)), true
	}
	return nil, false
}
