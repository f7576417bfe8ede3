// Package release is all that the harness must know of the version of
// Kubernetes that it is built from. Another version is a file beside v1_37.go
// and a go.mod beside the oracle's:
//
//	go test ./...
//	GOTOOLCHAIN=go1.27.0 go test -modfile=go-1.38.mod -tags=kubernetes1.38 ./...
package release

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Adapt makes a request one for this version: slicewise is asked to decide as
// it does, and settings that it does not have are taken out.
func Adapt(request []byte) ([]byte, error) {
	if Version == Default {
		return request, nil
	}
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(request, &whole); err != nil {
		return nil, err
	}
	options := map[string]any{}
	if given, ok := whole["options"]; ok {
		if err := json.Unmarshal(given, &options); err != nil {
			return nil, err
		}
	}
	options["kubernetes"] = Version
	if !HasPreferSameGate {
		delete(options, "preferSameTrafficDistribution")
	}
	var err error
	if whole["options"], err = json.Marshal(options); err != nil {
		return nil, err
	}
	return json.Marshal(whole)
}

// Default is the version that requests without one are about, and whose golden
// files are not in a folder of their own.
const Default = "1.37"

// Golden is the golden file of this version: in the folder of the version if its
// answers differ from those of the default one, or else that one's.
func Golden(folder, name string) string {
	if own := Own(folder, name); own != "" {
		if _, err := os.Stat(own); !errors.Is(err, fs.ErrNotExist) {
			return own
		}
	}
	return filepath.Join(folder, name)
}

// Own is where a golden file of this version is, if its answers differ; empty
// for the default version.
func Own(folder, name string) string {
	if Version == Default {
		return ""
	}
	return filepath.Join(folder, Version, name)
}

// WriteOwn writes a file of this version, unless it equals the default one's.
func WriteOwn(folder, name string, text []byte) error {
	usual := filepath.Join(folder, name)
	own := Own(folder, name)
	if own == "" {
		return os.WriteFile(usual, text, 0o644)
	}
	if have, err := os.ReadFile(usual); err == nil && string(have) == string(text) {
		return os.RemoveAll(own)
	}
	if err := os.MkdirAll(filepath.Dir(own), 0o755); err != nil {
		return err
	}
	return os.WriteFile(own, text, 0o644)
}
