package conformance

import (
	"errors"
	"strings"
	"testing"
)

func TestServe(t *testing.T) {
	in := strings.NewReader(`{"id": "a", "client": {"node": "n"}, "nodes": [{"name": "n", "labels": {"z": "1"}}], "traffic": "internal"}` + "\n" + `{"id": "b"}` + "\n")
	var out strings.Builder
	err := Serve(in, &out, Introduction{Reader: "r", Version: "v1", How: "h"}, func(v *Vector) (Answer, error) {
		if v.ID == "b" {
			return Answer{NotServed: "<none>"}, nil
		}
		if v.ClientNode().Labels["z"] != "1" {
			t.Errorf("node %v", v.ClientNode())
		}
		return Uses([]string{"2", "1", "2"}), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"reader":"r","version":"v1","how":"h"}
{"id":"a","endpoints":["1","2"]}
{"id":"b","notServed":"<none>"}
`
	if out.String() != want {
		t.Errorf("%s", out.String())
	}
}

// No endpoints and no answer are told apart.
func TestNone(t *testing.T) {
	var out strings.Builder
	if err := Serve(strings.NewReader(`{"id":"a"}`), &out, Introduction{}, func(*Vector) (Answer, error) { return Uses(nil), nil }); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(out.String(), `{"id":"a","endpoints":[]}`+"\n") {
		t.Errorf("%s", out.String())
	}
}

func TestErrors(t *testing.T) {
	fail := func(*Vector) (Answer, error) { return Answer{}, errors.New("broken") }
	for in, want := range map[string]string{`{"id":"a"}`: "a: broken", `{`: "object of a vector: unexpected end of JSON input"} {
		err := Serve(strings.NewReader(in), &strings.Builder{}, Introduction{}, fail)
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v", in, err)
		}
	}
}

// An address in several slices is asked for again, and only such an address.
func TestRepeatedly(t *testing.T) {
	for slices, want := range map[string]int{
		`[{"endpoints": [{"addresses": ["a"]}, {"addresses": ["a"]}]}, {"endpoints": [{"addresses": ["b"]}]}]`: 1,
		`[{"endpoints": [{"addresses": ["a"]}]}, {"endpoints": [{"addresses": ["b", "a"]}]}]`:                  tries + 1,
	} {
		vector, err := Decode[Vector]([]byte(`{"slices": ` + slices + `}`))
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		same := func() (Answer, error) { asked++; return Uses([]string{"a"}), nil }
		if given, err := Repeatedly(vector, "why", same); err != nil || given.Varies != "" || asked != want {
			t.Errorf("%s: %v, %v after %d", slices, given, err, asked)
		}
		differing := func() (Answer, error) { asked++; return Answer{NotServed: strings.Repeat("x", asked)}, nil }
		if given, err := Repeatedly(vector, "why", differing); err != nil || (given.Varies == "why") != (want > 1) {
			t.Errorf("%s: %v, %v", slices, given, err)
		}
	}
}
