package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	const request = `{"service":{"metadata":{"name":"web","namespace":"shop"},"spec":{"selector":{},"ipFamilies":["IPv4"],"clusterIP":"10.0.0.1"}}}`
	in := strings.Join([]string{request, `{"history":[` + request + `,` + request + `]}`, `not JSON`, `{"pods":[]}`, request}, "\n")
	var out bytes.Buffer
	if err := run(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	wanted := []string{`{"service":`, `{"history":[{"service":`, `{"error":`, `{"error":`, `{"service":`}
	if len(lines) != len(wanted) {
		t.Fatalf("%d lines: %s", len(lines), out.String())
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, wanted[i]) {
			t.Errorf("line %d is %s", i, line)
		}
	}
}
