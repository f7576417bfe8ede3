package oracle

import (
	"slices"
	"strings"
)

// SortBy sorts by keys that take long to make: each is made once.
func SortBy[T any](list []T, key func(T) string) {
	type keyed struct {
		key  string
		item T
	}
	all := make([]keyed, len(list))
	for i, item := range list {
		all[i] = keyed{key(item), item}
	}
	slices.SortFunc(all, func(a, b keyed) int { return strings.Compare(a.key, b.key) })
	for i, one := range all {
		list[i] = one.item
	}
}
