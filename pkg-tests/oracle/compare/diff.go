package compare

import (
	"bytes"
	"encoding/json"
	"strings"
)

// context is how many equal lines surround a difference.
const context = 3

// Diff shows the differences between a run of the reference (-) and our plan (+),
// both in normal form.
func Diff(theirs, ours any) string {
	return diffLines(pretty(theirs), pretty(ours))
}

func pretty(value any) []string {
	var buffer bytes.Buffer
	if err := json.Indent(&buffer, canonical(value), "", "  "); err != nil {
		return []string{err.Error()}
	}
	return strings.Split(buffer.String(), "\n")
}

// diffLines is the longest common subsequence, printed as a unified diff.
func diffLines(a, b []string) string {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	from := max(0, head-context)
	lines := prefixed("  ", a[from:head])
	lines = append(lines, changes(a[head:len(a)-tail], b[head:len(b)-tail])...)
	to := min(len(a), len(a)-tail+context)
	lines = append(lines, prefixed("  ", a[len(a)-tail:to])...)
	return strings.Join(lines, "\n")
}

func changes(a, b []string) []string {
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var lines []string
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			lines = append(lines, "  "+a[i])
			i, j = i+1, j+1
		case j == len(b) || (i < len(a) && length[i+1][j] >= length[i][j+1]):
			lines = append(lines, "- "+a[i])
			i++
		default:
			lines = append(lines, "+ "+b[j])
			j++
		}
	}
	return lines
}

func prefixed(prefix string, lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = prefix + line
	}
	return out
}
