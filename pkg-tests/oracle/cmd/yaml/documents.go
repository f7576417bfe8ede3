package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

// longest is the size of the largest document that is mutated, in bytes: a
// mutation changes as much of a short one.
const longest = 6 << 10

// written are the files that people write, printed those that kubectl prints.
var (
	written = []string{"../yaml/*.yaml", "../../examples/*/*.yaml", "../../examples/*/*/*.yaml", "../../deploy/*.yaml", "../../samples/*.yaml"}
	printed = []string{"../../samples/*.json", "../../samples/*/*.json", "../../www/samples/*.json"}
)

// pieces are what mutations put in.
var pieces = []string{
	" ", "  ", "\n", "\n\n", "- ", "-", ":", ": ", "#", " #", "'", "\"", "\\", "|", ">", "|-\n", ">+\n", "{}", "[]", "{", "}", "[", "]",
	", ", "&x ", "*x", "!t ", "!!str ", "!!int ", "<<: ", "<<: *x\n", "---\n", "...\n", "--- ", "%", "?", "? ", "@", "`", "\t", "\r\n",
	"\r", "ä", "😀", "\u0085", "\u2028", "\ufeff", "\u00a0", "\x00", "\x07",
}

// scalars are what may stand for something else than text.
var scalars = []string{
	"yes", "No", "on", "OFF", "y", "n", "true", "TRUE", "tRUE", "null", "Null", "~", "", "0", "-0", "+1", "010", "08", "0o17", "0x1F", "-0x1f",
	"0b101", "-0b11", "0b", "1_000", "1_0.5", "_1", "1e3", "1E-7", "1.", ".5", ".5e2", "-.5", "1.10", "1.50", "1e400", ".inf", "-.INF",
	".nan", "12345678901234567890", "123456789012345678901234567890", "-9223372036854775809", "9223372036854775808", "0xffffffffffffffffff",
	"1:30", "2026-01-02", "2026-01-02T03:04:05Z", "10.0.0.1", "1.2.3", "1e", "e3", "=", "<<", "a b", "a:b", "a#b", "-", "--", "'yes'",
	"\"010\"", "'it''s'", "\"\\u00e4\\x41\"", "[a, b]", "{a: b}", "{a: 1, <<: {a: 2}}", "[]", "!!str yes", "!!int 010", "!!float 1", "!!null ''",
}

// readSeeds returns the documents that are mutated.
func readSeeds() ([]string, error) {
	var seeds []string
	add := func(text string) {
		if len(text) <= longest {
			seeds = append(seeds, text)
		}
	}
	for _, pattern := range written {
		err := each(pattern, func(content []byte) error {
			add(string(content))
			for _, document := range strings.Split(string(content), "\n---\n")[1:] {
				add(document)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for _, pattern := range printed {
		err := each(pattern, func(content []byte) error {
			var value any
			if err := json.Unmarshal(content, &value); err != nil {
				return err
			}
			// Of a List, the first items.
			if list, ok := value.(map[string]any); ok {
				if items, ok := list["items"].([]any); ok {
					list["items"] = items[:min(len(items), 2)]
				}
			}
			text, err := yaml.Marshal(value)
			add(string(text))
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return seeds, nil
}

func each(pattern string, use func([]byte) error) error {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("%s: there is no such file", pattern)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err == nil {
			err = use(content)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// mutated returns the document of a number.
func mutated(seeds []string, seed uint64, number int) string {
	random := rand.New(rand.NewPCG(seed, uint64(number)))
	text := seeds[random.IntN(len(seeds))]
	for range 1 + random.IntN(3) {
		text = mutate(text, seeds, random)
	}
	return text
}

func mutate(text string, seeds []string, random *rand.Rand) string {
	lines := strings.SplitAfter(text, "\n")
	switch random.IntN(8) {
	case 0: // another scalar behind a key or a dash
		line := random.IntN(len(lines))
		lines[line] = withScalar(lines[line], oneOf(scalars, random))
	case 1: // another key
		line := random.IntN(len(lines))
		lines[line] = withKey(lines[line], oneOf(scalars, random))
	case 2: // a line again, elsewhere
		from, to := random.IntN(len(lines)), random.IntN(len(lines)+1)
		lines = append(lines[:to], append([]string{lines[from]}, lines[to:]...)...)
	case 3: // a line of another document
		other := strings.SplitAfter(oneOf(seeds, random), "\n")
		to := random.IntN(len(lines) + 1)
		lines = append(lines[:to], append([]string{oneOf(other, random)}, lines[to:]...)...)
	case 4: // without a line
		line := random.IntN(len(lines))
		lines = append(lines[:line], lines[line+1:]...)
	case 5: // further right or left
		line := random.IntN(len(lines))
		if random.IntN(2) == 0 {
			lines[line] = strings.Repeat(" ", 1+random.IntN(3)) + lines[line]
		} else {
			lines[line] = strings.TrimPrefix(lines[line], strings.Repeat(" ", 1+random.IntN(3)))
		}
	default: // a piece instead of some characters
		runes := []rune(text)
		at := random.IntN(len(runes) + 1)
		end := min(len(runes), at+max(0, random.IntN(8)-3))
		piece := ""
		if random.IntN(4) > 0 {
			piece = oneOf(pieces, random)
		}
		return string(runes[:at]) + piece + string(runes[end:])
	}
	return strings.Join(lines, "")
}

func withScalar(line, scalar string) string {
	if key, _, found := strings.Cut(line, ": "); found {
		return key + ": " + scalar + "\n"
	}
	if dash, _, found := strings.Cut(line, "- "); found {
		return dash + "- " + scalar + "\n"
	}
	return line
}

func withKey(line, scalar string) string {
	if key, rest, found := strings.Cut(line, ":"); found {
		indentation := key[:len(key)-len(strings.TrimLeft(key, " -"))]
		return indentation + scalar + ":" + rest
	}
	return line
}

func oneOf(texts []string, random *rand.Rand) string {
	return texts[random.IntN(len(texts))]
}
