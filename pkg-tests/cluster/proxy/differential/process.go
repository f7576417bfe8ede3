package differential

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
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
	input := append(bytes.Join(lines(s), []byte("\n")), '\n')
	out, err := p.run(append(append([]string{"proxy"}, s.Settings.Args()...), "--ndjson"), input)
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != badInput || len(out) == 0) {
		return nil, err
	}
	return split(out), nil
}

// run gives the command its input and takes its output as files: pipes would
// make both sides wait for each other.
func (p Process) run(arguments []string, input []byte) ([]byte, error) {
	var files [3]*os.File
	for i := range files {
		file, err := os.CreateTemp("", "proxy-*")
		if err != nil {
			return nil, err
		}
		files[i] = file
		defer os.Remove(file.Name())
		defer file.Close()
	}
	if _, err := files[0].WriteAt(input, 0); err != nil {
		return nil, err
	}
	command := exec.Command(p.Path, arguments...)
	command.Stdin, command.Stdout, command.Stderr = files[0], files[1], files[2]
	err := command.Run()
	out, readErr := contents(files[1])
	if err != nil {
		trouble, _ := contents(files[2])
		return out, fmt.Errorf("%s: %w: %s", p.Path, err, trouble)
	}
	return out, readErr
}

func contents(file *os.File) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	text := make([]byte, info.Size())
	_, err = file.ReadAt(text, 0)
	return text, err
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
