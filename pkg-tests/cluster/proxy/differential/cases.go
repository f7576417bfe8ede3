package differential

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"slicewise/cluster/proxy/generate"
	"slicewise/cluster/proxy/oracle"
)

// Case is a file of `pkg-tests/differential/proxy`: a sequence and what the
// reference answers.
type Case struct {
	Description string `json:"description"`
	generate.Sequence
	Expected []*oracle.Answer `json:"expected"`
}

// Files are those of a folder, or the one file.
func Files(path string) ([]string, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return []string{path}, err
	}
	files, err := filepath.Glob(filepath.Join(path, "*.json"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("there are no cases in %s", path)
	}
	return files, err
}

// Read reads a case. Unknown fields are errors.
func Read(path string) (*Case, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	found := &Case{}
	if err := decoder.Decode(found); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return found, nil
}

// Expect computes the reference's answer.
func Expect(s *generate.Sequence) ([]*oracle.Answer, error) {
	if err := oracle.SetGate(s.Settings.Gate()); err != nil {
		return nil, err
	}
	reference, err := oracle.New(s.Settings)
	if err != nil {
		return nil, err
	}
	answers := []*oracle.Answer{}
	for number, line := range s.Lines {
		answer, err := reference.Line(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number+1, err)
		}
		if answer != nil {
			answers = append(answers, answer)
		}
	}
	return answers, nil
}

// Write formats a case for people: one line of the file for each line of the stream.
func (c *Case) Write(path string) error {
	var text bytes.Buffer
	settings, err := json.Marshal(c.Settings)
	if err != nil {
		return err
	}
	fmt.Fprintf(&text, "{\n  \"description\": %s,\n  \"settings\": %s,\n  \"lines\": ", compact(c.Description), settings)
	if err := list(&text, c.Lines); err != nil {
		return err
	}
	text.WriteString(",\n  \"expected\": ")
	if err := list(&text, c.Expected); err != nil {
		return err
	}
	text.WriteString("\n}\n")
	return os.WriteFile(path, text.Bytes(), 0o644)
}

func list[T any](to *bytes.Buffer, of []T) error {
	to.WriteString("[")
	for i, each := range of {
		if i > 0 {
			to.WriteString(",")
		}
		to.WriteString("\n    ")
		encoder := json.NewEncoder(to)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(each); err != nil {
			return err
		}
		to.Truncate(to.Len() - len("\n"))
	}
	to.WriteString("\n  ]")
	return nil
}
