package corpus_test

import (
	"path/filepath"
	"strings"
	"testing"

	"slicewise/oracle/corpus"
)

const cases = "../../differential/corpus"

// runs is enough to see other outcomes sometimes; cmd/golden runs more often.
const runs = 20

func TestTheReferenceGivesWhatTheCorpusExpects(t *testing.T) {
	files, err := corpus.Files(cases)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 60 {
		t.Errorf("only %d cases", len(files))
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			c, err := corpus.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			if c.Description == "" {
				t.Error("no description")
			}
			stale, err := corpus.Stale(c, runs)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range stale {
				t.Error(text)
			}
		})
	}
}

func TestFilesKeepTheirForm(t *testing.T) {
	path := filepath.Join(t.TempDir(), "case.json")
	c := &corpus.Case{
		Description: "<a> & b",
		Request:     []byte(`{"service":{"metadata":{"name":"web"}},"pods":[],"big":12345678901234567890,"list":[` + strings.Repeat("1,", 80) + `2]}`),
		Expected:    []byte(`{"oneOf":[{},{}]}`),
	}
	if err := c.Write(path); err != nil {
		t.Fatal(err)
	}
	again, err := corpus.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	first, _ := c.Text()
	second, err := again.Text()
	if err != nil || string(first) != string(second) {
		t.Errorf("%v\n%s\n%s", err, first, second)
	}
	for _, wanted := range []string{`"description": "<a> & b"`, "12345678901234567890", `"pods": []`, "\n    \"list\": [\n"} {
		if !strings.Contains(string(first), wanted) {
			t.Errorf("%q is not in\n%s", wanted, first)
		}
	}
}

func TestStaleIsSeen(t *testing.T) {
	c := &corpus.Case{Request: []byte(`{"service":{"metadata":{"name":"web","namespace":"shop"},"spec":{"selector":{},
		"ipFamilies":["IPv4"],"clusterIP":"10.0.0.1"}}}`)}
	expected, err := corpus.Expect(c, 2)
	if err != nil {
		t.Fatal(err)
	}
	c.Expected = expected
	if stale, err := corpus.Stale(c, 2); err != nil || len(stale) > 0 {
		t.Errorf("fresh expectation is stale: %v %v", stale, err)
	}
	c.Expected = []byte(strings.Replace(string(expected), `"create":1`, `"create":2`, 1))
	if stale, err := corpus.Stale(c, 2); err != nil || len(stale) == 0 {
		t.Errorf("wrong expectation passes: %v", err)
	}
}
