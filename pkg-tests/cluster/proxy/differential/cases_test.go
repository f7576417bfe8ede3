package differential

import (
	"flag"
	"testing"
)

const folder = "../../../differential/proxy"

var update = flag.Bool("update", false, "write what the reference answers into the cases")

// What the cases expect is the reference's. `go test ./proxy/differential -update` writes it.
func TestCasesAreTheReferences(t *testing.T) {
	files, err := Files(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		one, err := Read(file)
		if err != nil {
			t.Fatal(err)
		}
		answers, err := Expect(&one.Sequence)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if *update {
			one.Expected = answers
			if err := one.Write(file); err != nil {
				t.Fatal(err)
			}
		} else if compact(answers) != compact(one.Expected) {
			t.Errorf("%s is stale: go test ./proxy/differential -update", file)
		}
	}
}
