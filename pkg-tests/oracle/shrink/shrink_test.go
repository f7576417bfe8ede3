package shrink_test

import (
	"encoding/json"
	"strings"
	"testing"

	"slicewise/oracle/corpus"
	"slicewise/oracle/generate"
	"slicewise/oracle/shrink"
)

type pods struct {
	Pods []struct {
		Metadata struct {
			Name   string
			Labels map[string]string
		}
	}
	Nodes, Slices []any
}

func has(step json.RawMessage, name string) bool {
	var p pods
	if err := json.Unmarshal(step, &p); err != nil {
		return false
	}
	for _, pod := range p.Pods {
		if pod.Metadata.Name == name && pod.Metadata.Labels["app"] == "web" {
			return true
		}
	}
	return false
}

// big finds a generated case that the shrinker can work on.
func big(t *testing.T) json.RawMessage {
	t.Helper()
	for i := range 200 {
		if step := generate.Single(1, i).JSON(); has(step, "pod-7") {
			return step
		}
	}
	t.Fatal("no case with so many pods")
	return nil
}

func TestOnlyTheCauseIsLeft(t *testing.T) {
	small := shrink.Case(&corpus.Case{Request: big(t)}, func(c *corpus.Case) bool { return has(c.Request, "pod-7") })
	var left pods
	if err := json.Unmarshal(small.Request, &left); err != nil {
		t.Fatal(err)
	}
	if len(left.Pods) != 1 || len(left.Nodes) != 0 || len(left.Slices) != 0 || len(left.Pods[0].Metadata.Labels) != 1 {
		t.Errorf("not small: %s", small.Request)
	}
}

func TestHistoryKeepsNeededSteps(t *testing.T) {
	first, other := big(t), json.RawMessage(`{"service":{"metadata":{"name":"web"}},"pods":[]}`)
	whole := &corpus.Case{History: []json.RawMessage{other, first, other, other, first}}
	needsTwo := func(c *corpus.Case) bool {
		count := 0
		for _, step := range c.Steps() {
			if has(step, "pod-7") {
				count++
			}
		}
		return count >= 2
	}
	if small := shrink.Case(whole, needsTwo); len(small.History) != 2 {
		t.Errorf("%d steps are left", len(small.History))
	}
}

func TestOneStepBecomesARequest(t *testing.T) {
	whole := &corpus.Case{History: []json.RawMessage{big(t), big(t)}}
	small := shrink.Case(whole, func(c *corpus.Case) bool { return has(c.Steps()[len(c.Steps())-1], "pod-7") })
	if small.Request == nil || small.History != nil {
		t.Errorf("left %d steps", len(small.History))
	}
}

func TestNothingGoesWithoutFailure(t *testing.T) {
	step := big(t)
	small := shrink.Case(&corpus.Case{Request: step}, func(*corpus.Case) bool { return false })
	var before, after any
	if json.Unmarshal(step, &before) != nil || json.Unmarshal(small.Request, &after) != nil {
		t.Fatal("no JSON")
	}
	if string(generate.Encode(before)) != string(generate.Encode(after)) {
		t.Error("the case changed though nothing fails")
	}
}

func TestALargeCaseEndsInTime(t *testing.T) {
	pods := make([]any, 20_000)
	for i := range pods {
		pods[i] = map[string]any{"metadata": map[string]any{"name": strings.Repeat("x", 200)}}
	}
	whole := &corpus.Case{Request: generate.Encode(map[string]any{"pods": pods})}
	bytes := 0
	shrink.Case(whole, func(c *corpus.Case) bool {
		bytes += len(c.Request)
		return false
	})
	if limit := shrink.Bytes + len(whole.Request); bytes > limit {
		t.Errorf("tried %d bytes, more than %d", bytes, limit)
	}
}
