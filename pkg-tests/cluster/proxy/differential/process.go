package differential

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"

	"slicewise/cluster/proxy/generate"
	"slicewise/cluster/proxy/oracle"
)

// Process is the slicewise binary at a path; it runs once for each sequence.
type Process struct{ Path string }

// badInput is its exit code if a line was answered with an error.
const badInput = 2

// Answers implements Proxier.
func (p Process) Answers(s *generate.Sequence) ([][]byte, error) {
	command := exec.Command(p.Path, append(append([]string{"proxy"}, s.Settings.Args()...), "--ndjson")...)
	command.Stdin = bytes.NewReader(append(bytes.Join(lines(s), []byte("\n")), '\n'))
	var out, trouble bytes.Buffer
	command.Stdout, command.Stderr = &out, &trouble
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != badInput || out.Len() == 0) {
		return nil, fmt.Errorf("%s: %w: %s", p.Path, err, trouble.Bytes())
	}
	return split(out.Bytes()), nil
}

func lines(s *generate.Sequence) [][]byte {
	all := make([][]byte, len(s.Lines))
	for i, line := range s.Lines {
		all[i] = line
	}
	return all
}

func split(out []byte) [][]byte {
	out = bytes.TrimSpace(out)
	if len(out) == 0 {
		return nil
	}
	return bytes.Split(out, []byte("\n"))
}

// Self is the reference in place of slicewise.
type Self struct{}

// Answers implements Proxier.
func (Self) Answers(s *generate.Sequence) ([][]byte, error) {
	reference, err := oracle.New(s.Settings)
	if err != nil {
		return nil, err
	}
	var answers [][]byte
	for _, line := range s.Lines {
		answer, err := reference.Line(line)
		if err != nil {
			return nil, err
		}
		if answer == nil {
			continue
		}
		text, err := json.Marshal(answer)
		if err != nil {
			return nil, err
		}
		answers = append(answers, text)
	}
	return answers, nil
}
