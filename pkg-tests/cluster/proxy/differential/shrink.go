package differential

import (
	"encoding/json"
	"maps"
	"slices"

	"slicewise/cluster/proxy/generate"
)

// budget is how many candidates are tried for one sequence.
const budget = 3000

// Shrink removes whatever is not needed for the same kind of difference:
// lines, then parts of lines.
func Shrink(judge func(*generate.Sequence) (*Difference, error), s *generate.Sequence, kind string) *generate.Sequence {
	k := &shrinker{judge: judge, kind: kind, left: budget, best: s}
	for before := size(s) + 1; k.left > 0 && size(k.best) < before; {
		before = size(k.best)
		k.lines()
		for number := range k.best.Lines {
			k.inside(number)
		}
	}
	return k.best
}

func size(s *generate.Sequence) int {
	total := len(s.Lines)
	for _, line := range s.Lines {
		total += len(line)
	}
	return total
}

type shrinker struct {
	judge func(*generate.Sequence) (*Difference, error)
	kind  string
	left  int
	best  *generate.Sequence
}

func (k *shrinker) try(lines []json.RawMessage) bool {
	if k.left == 0 {
		return false
	}
	k.left--
	candidate := &generate.Sequence{Settings: k.best.Settings, Lines: lines}
	difference, err := k.judge(candidate)
	if err != nil || difference == nil || difference.Kind != k.kind {
		return false
	}
	k.best = candidate
	return true
}

// lines drops runs of lines, longest first.
func (k *shrinker) lines() {
	for length := len(k.best.Lines) / 2; length > 0; length /= 2 {
		for from := 0; from < len(k.best.Lines); {
			to := min(from+length, len(k.best.Lines))
			if !k.try(slices.Delete(slices.Clone(k.best.Lines), from, to)) {
				from += length
			}
		}
	}
}

// kept are fields whose removal would change the problem.
var kept = []string{"type", "object", "kind", "metadata", "name", "namespace", "sync", "conntrack", "addressType", "spec"}

// inside drops fields and elements of one line, outermost first.
func (k *shrinker) inside(number int) {
	var value any
	if json.Unmarshal(k.best.Lines[number], &value) != nil {
		return
	}
	for _, drop := range drops(&value) {
		restore := drop()
		if restore == nil {
			continue
		}
		text, err := json.Marshal(value)
		lines := slices.Clone(k.best.Lines)
		lines[number] = text
		if err != nil || !k.try(lines) {
			restore()
		}
	}
}

// drops are the things that can be removed. Each call removes one and returns
// how to restore it, or nil if it was removed with something else.
func drops(at *any) []func() func() {
	var all []func() func()
	switch value := (*at).(type) {
	case map[string]any:
		for _, field := range slices.Sorted(maps.Keys(value)) {
			inner := value[field]
			if !slices.Contains(kept, field) {
				all = append(all, func() func() {
					delete(value, field)
					return func() { value[field] = inner }
				})
			}
			all = append(all, drops(&inner)...)
			// Lists are replaced, not modified in place.
			if _, list := inner.([]any); list {
				all = append(all, elements(value, field)...)
			}
		}
	case []any:
		for i := range value {
			all = append(all, drops(&value[i])...)
		}
	}
	return all
}

// elements drops elements of a list, last ones first.
func elements(of map[string]any, field string) []func() func() {
	list, _ := of[field].([]any)
	var all []func() func()
	for i := len(list) - 1; i >= 0; i-- {
		all = append(all, func() func() {
			now, there := of[field].([]any)
			if !there || i >= len(now) {
				return nil
			}
			of[field] = slices.Delete(slices.Clone(now), i, i+1)
			return func() { of[field] = now }
		})
	}
	return all
}
