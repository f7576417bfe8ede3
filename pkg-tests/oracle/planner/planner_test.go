package planner_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"slicewise/oracle/planner"
	"slicewise/oracle/release"
)

// echo stands in for the binary: it echoes every line except empty ones.
const echo = "#!/bin/sh\n[ \"$*\" = 'plan --ndjson' ] && exec grep --line-buffered .\n"

func TestManyLargeRequestsAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "echo")
	if err := os.WriteFile(path, []byte(echo), 0o755); err != nil {
		t.Fatal(err)
	}
	p, err := planner.Start(path)
	if err != nil {
		t.Fatal(err)
	}
	requests := make([][]byte, 100)
	for i := range requests {
		requests[i] = fmt.Appendf(nil, `{"service":%q}`, bytes.Repeat([]byte{'a' + byte(i%26)}, 50_000))
	}
	for range 2 {
		answers, err := p.Plan(requests)
		if err != nil {
			t.Fatal(err)
		}
		for i, answer := range answers {
			asked, err := release.Adapt(requests[i])
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(bytes.TrimSpace(answer), asked) {
				t.Fatalf("answer %d is another one's", i)
			}
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestAProcessThatEndsIsAnError(t *testing.T) {
	p, err := planner.Start("/bin/true")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Plan([][]byte{[]byte("{}")}); err == nil {
		t.Error("no error")
	}
}
