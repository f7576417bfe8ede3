package sequences_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"slicewise/oracle/release"
	"slicewise/oracle/sequences"
)

const folder = "../../differential"

// most is the maximum size of a file.
const most = 300_000

func TestTheFilesSayWhatTheReferenceAnswers(t *testing.T) {
	for _, name := range sequences.Names() {
		t.Run(name, func(t *testing.T) {
			wanted, err := sequences.Text(name)
			if err != nil {
				t.Fatal(err)
			}
			found, err := os.ReadFile(release.Golden(folder, filepath.Join("sequences", name+".json")))
			if err != nil {
				t.Fatal(err)
			}
			if len(found) > most {
				t.Errorf("%d bytes are too many", len(found))
			}
			before, after := bytes.Split(found, []byte("\n")), bytes.Split(wanted, []byte("\n"))
			for i := range min(len(before), len(after)) {
				if !bytes.Equal(before[i], after[i]) {
					t.Fatalf("line %d:\n- %s\n+ %s\nrun cmd/sequences", i+1, before[i], after[i])
				}
			}
			if len(before) != len(after) {
				t.Fatalf("%d lines, not %d; run cmd/sequences", len(before), len(after))
			}
		})
	}
}

func TestNoFileIsLeftOver(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(folder, "sequences", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(sequences.Names()) {
		t.Errorf("%d files: %v", len(files), files)
	}
}

// Every question gets each of its answers often enough to reveal a wrong one.
func TestEveryAnswerIsMet(t *testing.T) {
	met := map[string]int{}
	for _, name := range sequences.Names() {
		text, err := sequences.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		var all [][]sequences.Step
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatal(err)
		}
		for _, steps := range all {
			for _, step := range steps {
				answer, _ := json.Marshal(step.Answer)
				switch step.Answer.(type) {
				case string:
					answer = []byte("time")
				case []any:
					answer = []byte(strings.Repeat("x", min(2, strings.Count(string(answer), "/"))))
				}
				met[step.Do+" "+string(answer)]++
			}
		}
	}
	for _, question := range []string{
		"has true", "has false", "shouldSync true", "shouldSync false", "staleSlices true", "staleSlices false",
		"handleDeletion true", "handleDeletion false", "compute time", "compute null",
		"hasPopulatedHints true", "hasPopulatedHints false", "overloadedServices ", "overloadedServices x", "overloadedServices xx",
	} {
		if met[question] < 15 {
			t.Errorf("%s: only %d times", question, met[question])
		}
	}
}
