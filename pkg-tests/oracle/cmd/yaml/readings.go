package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// reading is what a reader makes of a document: a value, or a refusal.
type reading struct {
	value   any
	refusal string
}

func (r reading) String() string {
	if r.refusal != "" {
		return "refused: " + r.refusal
	}
	text, err := json.Marshal(r.value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// parseAnswer reads a line of slicewise.
func parseAnswer(line []byte) (reading, error) {
	var answer struct {
		Value   json.RawMessage
		Code    string
		Message string
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return reading{}, fmt.Errorf("%s: %w", line, err)
	}
	if answer.Code != "" {
		return reading{refusal: answer.Code + ": " + answer.Message}, nil
	}
	value, err := parseValue(answer.Value)
	return reading{value: value}, err
}

func parseValue(text []byte) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err = decoder.Decode(&value)
	return value, err
}

// kubectl reads as `kubectl apply -f` does (k8s.io/cli-runtime,
// pkg/resource/visitor.go, StreamVisitor), once it has told YAML from JSON.
// Several documents become a list.
func kubectl(text string) reading {
	decoder := yaml.NewYAMLToJSONDecoder(strings.NewReader(text))
	var values []any
	for {
		var document runtime.RawExtension
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return reading{refusal: err.Error()}
		}
		raw := bytes.TrimSpace(document.Raw)
		if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
			continue
		}
		value, err := parseValue(raw)
		if err != nil {
			return reading{refusal: err.Error()}
		}
		values = append(values, value)
	}
	switch len(values) {
	case 0:
		return reading{}
	case 1:
		return reading{value: values[0]}
	}
	return reading{value: values}
}
