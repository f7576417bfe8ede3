package slicewise_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"

	"slicewise/bindings/go"
)

// cache keeps the compiled module between the tests of a run, and between runs
// if SLICEWISE_COMPILED names a folder: the race detector makes compiling it a
// matter of minutes.
var cache = func() wazero.CompilationCache {
	folder := os.Getenv("SLICEWISE_COMPILED")
	if folder == "" {
		return wazero.NewCompilationCache()
	}
	kept, err := wazero.NewCompilationCacheWithDir(folder)
	if err != nil {
		panic(err)
	}
	return kept
}()

func open(t testing.TB, options ...slicewise.Option) *slicewise.Module {
	t.Helper()
	ctx := context.Background()
	m, err := slicewise.New(ctx, append(options, slicewise.WithCompilationCache(cache))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return m
}

type conformanceCase struct {
	Name  string
	Calls []struct{ Function, Input, Answer string }
}

func conformance(t testing.TB) []conformanceCase {
	t.Helper()
	text, err := os.ReadFile("../conformance.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []conformanceCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 10 {
		t.Fatalf("there are only %d cases", len(cases))
	}
	return cases
}

// One instance at a time, so that every case has one to itself.
func TestConformance(t *testing.T) {
	for _, c := range conformance(t) {
		t.Run(c.Name, func(t *testing.T) {
			m := open(t, slicewise.WithMaxInstances(1))
			for _, call := range c.Calls {
				answer, err := m.Call(t.Context(), call.Function, []byte(call.Input))
				var failure *slicewise.Error
				if errors.As(err, &failure) {
					said, _ := json.Marshal(map[string]any{"error": failure})
					if !sameJSON(t, string(said), call.Answer) {
						t.Errorf("%s: %s, not %s", call.Function, said, call.Answer)
					}
				} else if err != nil {
					t.Fatal(err)
				}
				if string(answer) != call.Answer {
					t.Errorf("%s(%s) = %s, not %s", call.Function, call.Input, answer, call.Answer)
				}
			}
		})
	}
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	canonical := func(text string) string {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		written, _ := json.Marshal(value)
		return string(written)
	}
	return canonical(a) == canonical(b)
}

// request is a plan request with so many pods.
func request(pods int) []byte {
	var b strings.Builder
	b.WriteString(`{"service":{"metadata":{"namespace":"shop","name":"cart","uid":"1"},` +
		`"spec":{"selector":{"app":"cart"},"clusterIP":"10.96.0.7","ipFamilies":["IPv4"],` +
		`"ports":[{"name":"http","port":80,"targetPort":8080,"protocol":"TCP"}]}},"pods":[`)
	for i := range pods {
		if i > 0 {
			b.WriteByte(',')
		}
		n := strconv.Itoa(i)
		address := `"10.` + strconv.Itoa(i>>16&255) + `.` + strconv.Itoa(i>>8&255) + `.` + strconv.Itoa(i&255) + `"`
		b.WriteString(`{"metadata":{"namespace":"shop","name":"cart-` + n + `","uid":"u` + n + `","labels":{"app":"cart"}},` +
			`"spec":{"nodeName":"a"},"status":{"phase":"Running","podIP":` + address + `,"podIPs":[{"ip":` + address + `}],` +
			`"conditions":[{"type":"Ready","status":"True"}]}}`)
	}
	b.WriteString(`],"nodes":[]}`)
	return []byte(b.String())
}

func TestConcurrentCallsHaveTheSameAnswers(t *testing.T) {
	m := open(t, slicewise.WithMaxInstances(3))
	inputs := [][]byte{request(1), request(50), request(200)}
	var want [3]string
	for i, input := range inputs {
		answer, err := m.Call(t.Context(), "plan", input)
		if err != nil {
			t.Fatal(err)
		}
		want[i] = string(answer)
	}
	var all sync.WaitGroup
	for worker := range 12 {
		all.Go(func() {
			for round := range 20 {
				i := (worker + round) % len(inputs)
				answer, err := m.Call(t.Context(), "plan", inputs[i])
				if err != nil || string(answer) != want[i] {
					t.Errorf("worker %d: another answer, error %v", worker, err)
					return
				}
			}
		})
	}
	all.Wait()
}

func TestACallIsInterruptedAndTheModuleGoesOn(t *testing.T) {
	m := open(t, slicewise.WithMaxInstances(1))
	large := request(60_000)
	start := time.Now()
	if _, err := m.Call(t.Context(), "plan", large); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(start)
	ctx, cancel := context.WithTimeout(t.Context(), whole/20)
	defer cancel()
	start = time.Now()
	_, err := m.Call(ctx, "plan", large)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("error %v", err)
	}
	if took := time.Since(start); took > whole {
		t.Errorf("the call took %v of %v", took, whole)
	}
	if _, err := m.Call(t.Context(), "plan", request(1)); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestCallsThatWaitForAnInstanceEndWithTheirContext(t *testing.T) {
	m := open(t, slicewise.WithMaxInstances(1))
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("the client has gone")
	cancel(why)
	if _, err := m.Call(ctx, "plan", request(1)); !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
	if _, err := m.Call(t.Context(), "plan", request(1)); err != nil {
		t.Error(err)
	}
}

func TestMemoryIsLimited(t *testing.T) {
	m := open(t, slicewise.WithMemoryLimitPages(64), slicewise.WithMaxInstances(1))
	var trap *slicewise.TrapError
	// The input alone does not fit, and then what is made of it.
	for _, pods := range []int{60_000, 7_000} {
		if _, err := m.Call(t.Context(), "plan", request(pods)); !errors.As(err, &trap) {
			t.Errorf("%d pods: error %v", pods, err)
		} else if trap.Function != "plan" || trap.MemoryBytes > 64<<16 {
			t.Errorf("%d pods: %+v", pods, trap)
		}
	}
	if _, err := m.Call(t.Context(), "plan", request(10)); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestBadInputIsATypedError(t *testing.T) {
	m := open(t)
	for _, c := range []struct{ function, input, code, path, message string }{
		{"plan", ``, "InvalidJson", "", "the input is empty"},
		{"plan", "{\"service\":\xff}", "InvalidJson", "", "not UTF-8"},
		{"plan", `{"service":7}`, "InvalidType", "/service", "expected an object"},
		{"plan", `{}`, "MissingField", "/service", "missing field `service`"},
		{"planSnapshot", `{"snapshot":[],"options":{"packing":"loose"}}`, "InvalidValue", "/options/packing", "packing must be"},
		{"fly", `{}`, "InvalidValue", "", "there is no function `fly`"},
		{"\xff", `{}`, "InvalidValue", "", "there is no function"},
		{"plan", strings.Repeat("[", 1_000_000), "", "", ""},
	} {
		_, err := m.Call(t.Context(), c.function, []byte(c.input))
		var failure *slicewise.Error
		if !errors.As(err, &failure) {
			t.Errorf("%s: error %v", c.function, err)
			continue
		}
		if c.code != "" && (failure.Code != c.code || failure.Path != c.path || !strings.Contains(failure.Message, c.message)) {
			t.Errorf("%s(%s): %+v", c.function, c.input, failure)
		}
	}
}

func TestAnotherModuleIsRefused(t *testing.T) {
	empty := []byte("\x00asm\x01\x00\x00\x00")
	for _, wasm := range [][]byte{nil, []byte("no module"), empty} {
		if m, err := slicewise.NewFromBytes(t.Context(), wasm); err == nil {
			t.Errorf("%q is a module", wasm)
			_ = m.Close(t.Context())
		}
	}
}

func TestAClosedModuleSaysSo(t *testing.T) {
	m, err := slicewise.New(t.Context(), slicewise.WithCompilationCache(cache))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Call(t.Context(), "version", nil); !errors.Is(err, slicewise.ErrClosed) {
		t.Errorf("error %v", err)
	}
	if _, err := m.NewReviewer(t.Context(), nil, nil); !errors.Is(err, slicewise.ErrClosed) {
		t.Errorf("error %v", err)
	}
}

func BenchmarkPlan(b *testing.B) {
	m := open(b)
	for _, pods := range []int{10, 100, 1000} {
		input := request(pods)
		b.Run(strconv.Itoa(pods), func(b *testing.B) {
			b.SetBytes(int64(len(input)))
			for b.Loop() {
				if _, err := m.Call(b.Context(), "plan", input); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
