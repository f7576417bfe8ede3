// Command yaml compares how slicewise and kubectl read YAML, over mutated
// documents.
//
//	yaml -seed 1 -documents 10000 -program ../../target/debug/examples/yaml_lines
//
// Both must give the same JSON or refuse the document. What they may read
// differently is in the table of differences.go, and in docs/deviations.md.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sort"
)

type settings struct {
	seed      uint64
	from      int
	documents int
	program   string
	most      int
	verbose   bool
}

// document is one that both read.
type document struct {
	number int
	text   string
	theirs reading
}

func main() {
	s := settings{}
	flag.Uint64Var(&s.seed, "seed", 1, "seed of the mutations")
	flag.IntVar(&s.from, "from", 0, "number of the first document")
	flag.IntVar(&s.documents, "documents", 10000, "number of documents")
	flag.StringVar(&s.program, "program", "../../target/debug/examples/yaml_lines", "the example yaml_lines of crates/yaml")
	flag.IntVar(&s.most, "failures", 3, "stop after so many documents that are read differently")
	flag.BoolVar(&s.verbose, "v", false, "show the first document of each known difference")
	flag.Parse()
	failed, err := run(s)
	if err != nil {
		fmt.Fprintln(os.Stderr, "yaml:", err)
		os.Exit(2)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// run returns how many documents are read differently.
func run(s settings) (failed int, err error) {
	seeds, err := readSeeds()
	if err != nil {
		return 0, err
	}
	reader, err := start(s.program)
	if err != nil {
		return 0, err
	}
	// For questions about documents that are read differently.
	other, err := start(s.program)
	if err != nil {
		return 0, err
	}
	defer other.input.Close()
	documentation, err := os.ReadFile("../../docs/deviations.md")
	if err != nil {
		return 0, err
	}
	if err := checkDifferences(string(documentation), other.ask); err != nil {
		return 0, err
	}
	documents := make(chan document, 64)
	go send(s, seeds, reader, documents)
	counts := map[string]int{}
	read := 0
	for each := range documents {
		ours, err := reader.answer()
		if err != nil {
			return failed, fmt.Errorf("document %d: %w", each.number, err)
		}
		read++
		difference, known, err := compare(each.text, ours, each.theirs, other.ask)
		if err != nil {
			return failed, fmt.Errorf("document %d: %w", each.number, err)
		}
		if difference == "" {
			continue
		}
		counts[difference]++
		if (s.verbose && counts[difference] == 1) || !known {
			fmt.Printf("document %d: %s\n%q\n  slicewise: %s\n  kubectl:   %s\n", each.number, difference, each.text, ours, each.theirs)
		}
		if !known {
			if failed++; failed == s.most {
				return failed, nil
			}
		}
	}
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	sort.Strings(names)
	fmt.Printf("%d passed, %d failed\n", read-failed, failed)
	for _, name := range names {
		fmt.Printf("%8d  %s\n", counts[name], name)
	}
	return failed, nil
}

// program is the reader of slicewise, which answers lines.
type program struct {
	input   io.WriteCloser
	answers *bufio.Reader
}

func start(path string) (*program, error) {
	command := exec.Command(path)
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &program{input, bufio.NewReader(output)}, command.Start()
}

func (p *program) give(text string) error {
	line, err := json.Marshal(text)
	if err != nil {
		return err
	}
	_, err = p.input.Write(append(line, '\n'))
	return err
}

func (p *program) answer() (reading, error) {
	line, err := p.answers.ReadBytes('\n')
	if err != nil {
		return reading{}, fmt.Errorf("no answer: %w", err)
	}
	return parseAnswer(line)
}

func (p *program) ask(text string) (reading, error) {
	if err := p.give(text); err != nil {
		return reading{}, err
	}
	return p.answer()
}

// send gives slicewise the documents, and reads them as kubectl does.
func send(s settings, seeds []string, reader *program, documents chan<- document) {
	defer close(documents)
	defer reader.input.Close()
	for number := s.from; number < s.from+s.documents; number++ {
		text := mutated(seeds, s.seed, number)
		if reader.give(text) != nil {
			return
		}
		documents <- document{number, text, kubectl(text)}
	}
}
