// Package corpus reads, writes and evaluates the golden cases, the one case
// format that the tests in every language share. See
// pkg-tests/differential/README.md.
package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"

	"slicewise/oracle"
	"slicewise/oracle/compare"
	"slicewise/oracle/release"
)

// Case is one file of the corpus: a request or a history, and its expected
// outcome.
type Case struct {
	Description string            `json:"description"`
	Request     json.RawMessage   `json:"request,omitempty"`
	History     []json.RawMessage `json:"history,omitempty"`
	Expected    json.RawMessage   `json:"expected,omitempty"`
}

// Steps are the requests of the case in order.
func (c *Case) Steps() []json.RawMessage {
	if c.Request != nil {
		return []json.RawMessage{c.Request}
	}
	return c.History
}

// Read reads one file.
func Read(path string) (*Case, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var c Case
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&c); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(c.Steps()) == 0 {
		return nil, fmt.Errorf("%s: neither request nor history", path)
	}
	return &c, nil
}

// Files are the cases in a directory, sorted by name, with what this version
// expects.
func Files(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	for i, file := range files {
		files[i] = Golden(file)
	}
	return files, err
}

// Golden is the file in which this version's expectation of a case is.
func Golden(file string) string { return release.Golden(place(file)) }

// WriteGolden writes a case as this version expects it.
func (c *Case) WriteGolden(file string) error {
	text, err := c.Text()
	if err != nil {
		return err
	}
	folder, name := place(file)
	return release.WriteOwn(folder, name, text)
}

// place is the folder of all golden files, and the name of one of its cases in it.
func place(file string) (folder, name string) {
	dir := filepath.Dir(file)
	return filepath.Dir(dir), filepath.Join(filepath.Base(dir), filepath.Base(file))
}

// Write writes the case in readable form.
func (c *Case) Write(path string) error {
	text, err := c.Text()
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// Text is the file's content.
func (c *Case) Text() ([]byte, error) {
	text, err := marshal(c)
	if err != nil {
		return nil, err
	}
	return format(text)
}

// expectation is one step's "expected": a normal form, or several of which any
// is accepted.
type expectation struct {
	OneOf []json.RawMessage `json:"oneOf"`
}

// Expect runs the reference several times for each step, and returns what the
// case should expect: an object for a request, a list for a history.
func Expect(c *Case, runs int) (json.RawMessage, error) {
	steps, err := alternatives(c, runs)
	if err != nil {
		return nil, err
	}
	expected := make([]any, len(steps))
	for i, forms := range steps {
		if len(forms) == 1 {
			expected[i] = json.RawMessage(forms[0])
			continue
		}
		var one expectation
		for _, form := range forms {
			one.OneOf = append(one.OneOf, json.RawMessage(form))
		}
		expected[i] = one
	}
	if c.Request != nil {
		return marshal(expected[0])
	}
	return marshal(expected)
}

// Stale reports outcomes of the reference that the case does not expect.
func Stale(c *Case, runs int) ([]string, error) {
	steps, err := alternatives(c, runs)
	if err != nil {
		return nil, err
	}
	recorded, err := c.recorded()
	if err != nil {
		return nil, err
	}
	if len(recorded) != len(steps) {
		return nil, fmt.Errorf("%d steps, but %d expectations", len(steps), len(recorded))
	}
	var stale []string
	for i, forms := range steps {
		for _, form := range forms {
			if !slices.Contains(recorded[i], form) {
				stale = append(stale, fmt.Sprintf("step %d: the reference also gives %s", i, form))
			}
		}
	}
	return stale, nil
}

// recorded is what the file expects: for each step the compact normal forms.
func (c *Case) recorded() ([][]string, error) {
	if c.Expected == nil {
		return nil, fmt.Errorf("no expectation recorded")
	}
	steps := []json.RawMessage{c.Expected}
	if c.Request == nil {
		if err := json.Unmarshal(c.Expected, &steps); err != nil {
			return nil, err
		}
	}
	all := make([][]string, len(steps))
	for i, step := range steps {
		var some expectation
		if err := json.Unmarshal(step, &some); err != nil {
			return nil, err
		}
		if some.OneOf == nil {
			some.OneOf = []json.RawMessage{step}
		}
		for _, form := range some.OneOf {
			var compact bytes.Buffer
			if err := json.Compact(&compact, form); err != nil {
				return nil, err
			}
			all[i] = append(all[i], compact.String())
		}
	}
	return all, nil
}

// alternatives are the different normal forms of each step, sorted.
func alternatives(c *Case, runs int) ([][]string, error) {
	before := []oracle.Topology{{}}
	all := make([][]string, 0, len(c.Steps()))
	for i, step := range c.Steps() {
		request, err := oracle.Parse(step)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i, err)
		}
		forms, after, err := explore(oracle.Prepare(request), before, runs)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i, err)
		}
		all = append(all, forms)
		before = after
	}
	return all, nil
}

func explore(p *oracle.Prepared, before []oracle.Topology, runs int) (forms []string, after []oracle.Topology, err error) {
	shuffled := oracle.Shuffled(rand.New(rand.NewSource(1)))
	for i := range runs {
		outcome, err := p.Run(before[i%len(before)], shuffled)
		if err != nil {
			return nil, nil, err
		}
		normal, err := compare.Normalise(p, outcome.Plan(p))
		if err != nil {
			return nil, nil, err
		}
		if form := normal.Text(); !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
		if !slices.ContainsFunc(after, func(t oracle.Topology) bool { return t.Populated == outcome.Topology.Populated }) {
			after = append(after, outcome.Topology)
		}
	}
	slices.Sort(forms)
	return forms, after, nil
}

func marshal(value any) (json.RawMessage, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSpace(buffer.Bytes()), err
}
