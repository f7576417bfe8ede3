package differential

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"slicewise/cluster/proxy/oracle"
)

const folder = "../../../differential"

var update = flag.Bool("update", false, "write what the reference answers into the cases")

// What the cases expect is the reference's. `go test ./proxy/differential -update` writes it; a version whose answers
// differ from the default one's has a file of its own.
func TestCasesAreTheReferences(t *testing.T) {
	files, err := Files(filepath.Join(folder, "proxy"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		one, err := Read(file)
		if err != nil {
			t.Fatal(err)
		}
		usual := compact(one.Expected)
		one.Settings = one.Settings.Adapt()
		if one.Expected, err = Expect(&one.Sequence); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		own := file
		if oracle.Version != oracle.Default {
			own = filepath.Join(folder, oracle.Version, "proxy", filepath.Base(file))
		}
		if *update {
			err = write(one, own, own != file && compact(one.Expected) == usual)
		} else {
			err = check(one, own, usual)
		}
		if err != nil {
			t.Errorf("%s: %v", own, err)
		}
	}
}

func write(one *Case, file string, isUsual bool) error {
	if isUsual {
		return os.RemoveAll(file)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return one.Write(file)
}

func check(one *Case, file, usual string) error {
	kept, err := Read(file)
	switch {
	case err == nil:
		usual = compact(kept.Expected)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if compact(one.Expected) != usual {
		return errors.New("stale: go test ./proxy/differential -update")
	}
	return nil
}
