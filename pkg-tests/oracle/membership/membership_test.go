package membership

import (
	"bytes"
	"os"
	"testing"

	"slicewise/oracle/release"
)

const folder = "../../differential"

// The file that slicewise is tested with matches the reference's current answers.
func TestFileIsTheReferences(t *testing.T) {
	want, err := Text(folder)
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(release.Golden(folder, Name))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		t.Fatal("the answers are stale: go run ./cmd/membership ../differential")
	}
}

// The cases include changes of every kind, with and without an effect.
func TestCasesReachAll(t *testing.T) {
	cases, err := Cases(Seed, Count)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, c := range cases {
		kind := "update"
		switch {
		case c.Old == nil:
			kind = "add"
		case c.New == nil:
			kind = "delete"
		case c.Old.ResourceVersion == c.New.ResourceVersion:
			kind = "resync"
		}
		effect := " none"
		if len(c.Expected) > 0 {
			effect = " some"
		}
		counts[kind+effect]++
	}
	for _, kind := range []string{"add none", "add some", "delete none", "delete some", "update none", "update some", "resync none"} {
		if counts[kind] < 5 {
			t.Errorf("%s: %d cases only", kind, counts[kind])
		}
	}
	if counts["resync some"] > 0 {
		t.Error("a resync has an effect")
	}
}
