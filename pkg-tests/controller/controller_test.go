package controller

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"sort"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/endpointslice"
)

const file = "../differential/controller.json"

var update = flag.Bool("update", false, "write the file")

// The file that slicewise is tested with holds what the reference's controller
// does today. `go test . -update` writes it.
func TestFileIsTheReferences(t *testing.T) {
	// They hold errors back by a clock that all scripts share.
	utilruntime.ErrorHandlers = nil
	var scripts []Script
	for number := range Count {
		script := generate(rand.New(rand.NewPCG(Seed, uint64(number))))
		// In a bubble time is virtual, and stands still while anything is left to do.
		synctest.Test(t, func(t *testing.T) { script.run(t) })
		scripts = append(scripts, script)
	}
	want, err := Marshal(scripts)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		t.Fatalf("%s is stale: go test . -update\n%s", file, firstDifference(have, want))
	}
	checkReach(t, scripts)
}

func firstDifference(have, want []byte) string {
	was, is := bytes.Split(have, []byte("\n")), bytes.Split(want, []byte("\n"))
	for number := range min(len(was), len(is)) {
		if !bytes.Equal(was[number], is[number]) {
			return fmt.Sprintf("script %d was\n%s\nand is\n%s", number-1, was[number], is[number])
		}
	}
	return "there are more or fewer of them"
}

// What slicewise does otherwise (docs/deviations.md), because the reference
// does not sync the Service any more: it waits for a slice it has written to
// come back as its own, though somebody has made it another's.
func TestSlicesThatLeaveAreWaitedFor(t *testing.T) {
	utilruntime.ErrorHandlers = nil
	metadata := func(labels map[string]any) map[string]any {
		return map[string]any{"namespace": "shop", "name": "s1-bbbbc", "uid": "made-1", "generation": 2, "labels": labels}
	}
	service, manager := "kubernetes.io/service-name", "endpointslice.kubernetes.io/managed-by"
	ours := "endpointslice-controller.k8s.io"
	doomed := metadata(map[string]any{service: "s1", manager: ours})
	doomed["deletionTimestamp"] = "2026-01-02T03:04:05Z"
	doomed["finalizers"] = []any{"example.com/keep"}
	for name, left := range map[string]map[string]any{
		"moved":       metadata(map[string]any{service: "s2", manager: ours}),
		"handed over": metadata(map[string]any{service: "s1", manager: "somebody"}),
		"doomed":      doomed,
	} {
		m := maker{random: rand.New(rand.NewPCG(2, 0)), there: map[string]bool{}, residues: rand.Perm(250)}
		spec := map[string]any{"selector": map[string]any{"app": "a"}, "ipFamilies": []any{"IPv4"}, "clusterIP": "10.96.0.1"}
		m.at = 1000
		m.set("Service", "s1", map[string]any{"metadata": map[string]any{}, "spec": spec})
		m.at = 2000
		m.emit("MODIFIED", map[string]any{
			"kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1", "metadata": left, "addressType": "IPv4", "endpoints": []any{},
		})
		m.at = 100_000_000
		m.script.Lines = append(m.script.Lines, Line{At: m.at})
		m.script.Config = Config{BatchPeriod: "0s", WatchLag: "0s"}
		synctest.Test(t, func(t *testing.T) { m.script.run(t) })
		var results []string
		for _, sync := range m.script.Expected.Syncs {
			if strings.Contains(sync, "s1") {
				results = append(results, strings.Fields(sync)[2])
			}
		}
		if last := results[len(results)-1]; last != "dropped" || results[1] != "stale" {
			t.Errorf("%s: %v", name, results)
		}
	}
}

// checkReach fails when the scripts miss what they are for.
func checkReach(t *testing.T, scripts []Script) {
	counts := map[string]int{}
	for _, script := range scripts {
		for _, sync := range script.Expected.Syncs {
			counts[strings.Fields(sync)[2]]++
		}
		counts["message"] += len(script.Expected.Messages)
	}
	for _, kind := range []string{"success", "stale", "error", "dropped", "message"} {
		if counts[kind] < 3 {
			t.Errorf("%s: %d times only", kind, counts[kind])
		}
	}
}

func (s *Script) run(t *testing.T) {
	period, err := time.ParseDuration(s.Config.BatchPeriod)
	if err != nil {
		t.Fatal(err)
	}
	lag, err := time.ParseDuration(s.Config.WatchLag)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	sink := &syncs{start: start}
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.New(sink)))
	client := fake.NewClientset()
	server := newServer(lag)
	server.install(client)
	factory := informers.NewSharedInformerFactory(client, 0)
	c := endpointslice.NewController(ctx, factory.Core().V1().Pods(), factory.Core().V1().Services(), factory.Core().V1().Nodes(), factory.Discovery().V1().EndpointSlices(), 100, client, period)
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	done := make(chan struct{})
	go func() { defer close(done); c.Run(ctx, 1) }()
	synctest.Wait()
	world := world{t: t, ctx: ctx, client: client, server: server}
	for _, line := range s.Lines {
		time.Sleep(time.Duration(line.At)*time.Millisecond - time.Since(start))
		synctest.Wait()
		world.happen(line)
		synctest.Wait()
	}
	s.Expected = Expected{Syncs: sink.sorted(), Messages: messages(client), Slices: server.brief()}
	cancel()
	factory.Shutdown()
	<-done
	synctest.Wait()
}

type world struct {
	t      *testing.T
	ctx    context.Context
	client *fake.Clientset
	server *server
}

func read[T any](w *world, object map[string]any) *T {
	text, err := json.Marshal(object)
	if err != nil {
		w.t.Fatal(err)
	}
	into := new(T)
	if err := json.Unmarshal(text, into); err != nil {
		w.t.Fatal(err)
	}
	return into
}

func (w *world) happen(line Line) {
	if line.Refuse != nil {
		w.server.refuse(line.Refuse.Error, line.Refuse.Times)
	}
	if line.Event == nil {
		return
	}
	event := line.Event
	var err error
	switch kind := event.Object["kind"]; kind {
	case "Service":
		service := read[corev1.Service](w, event.Object)
		services := w.client.CoreV1().Services(service.Namespace)
		switch event.Type {
		case "ADDED":
			_, err = services.Create(w.ctx, service, metav1.CreateOptions{})
		case "MODIFIED":
			_, err = services.Update(w.ctx, service, metav1.UpdateOptions{})
		default:
			err = services.Delete(w.ctx, service.Name, metav1.DeleteOptions{})
			// The garbage collector is never as fast as the controller.
			synctest.Wait()
			w.server.collect(service.Name)
		}
	case "Pod":
		pod := read[corev1.Pod](w, event.Object)
		pods := w.client.CoreV1().Pods(pod.Namespace)
		switch event.Type {
		case "ADDED":
			_, err = pods.Create(w.ctx, pod, metav1.CreateOptions{})
		case "MODIFIED":
			_, err = pods.Update(w.ctx, pod, metav1.UpdateOptions{})
		default:
			err = pods.Delete(w.ctx, pod.Name, metav1.DeleteOptions{})
		}
	case "Node":
		node := read[corev1.Node](w, event.Object)
		if event.Type == "ADDED" {
			_, err = w.client.CoreV1().Nodes().Create(w.ctx, node, metav1.CreateOptions{})
		} else {
			_, err = w.client.CoreV1().Nodes().Update(w.ctx, node, metav1.UpdateOptions{})
		}
	case "EndpointSlice":
		slice := read[discovery.EndpointSlice](w, event.Object)
		if event.Type == "DELETED" {
			w.server.take(slice.Name)
		} else {
			w.server.put(slice)
		}
	default:
		err = fmt.Errorf("unknown kind %v", kind)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// generated is the end of a name that the server made up.
var generated = regexp.MustCompile(`\b(s\d)-[b-z2-9]{5}\b`)

// several are the errors of one message, in the order of a Go map.
var several = regexp.MustCompile(`\[(.*)\]$`)

func ordered(message string) string {
	return several.ReplaceAllStringFunc(message, func(list string) string {
		errors := strings.Split(list[1:len(list)-1], ", ")
		sort.Strings(errors)
		return "[" + strings.Join(errors, ", ") + "]"
	})
}

func messages(client *fake.Clientset) []string {
	found := []string{}
	seen := map[string]bool{}
	for _, action := range client.Actions() {
		create, ok := action.(clienttesting.CreateAction)
		if !ok || action.GetResource().Resource != "events" {
			continue
		}
		event := create.GetObject().(*corev1.Event)
		message := ordered(generated.ReplaceAllString(event.Reason+": "+event.Message, "$1-"))
		if !seen[message] {
			seen[message] = true
			found = append(found, message)
		}
	}
	sort.Strings(found)
	return found
}

// syncs is a log sink that keeps what the controller says of its syncs.
type syncs struct {
	lock  sync.Mutex
	start time.Time
	found []entry
}

type entry struct {
	at              time.Duration
	service, result string
}

func (s *syncs) Init(logr.RuntimeInfo)          {}
func (s *syncs) Enabled(int) bool               { return true }
func (s *syncs) Error(error, string, ...any)    {}
func (s *syncs) WithValues(...any) logr.LogSink { return s }
func (s *syncs) WithName(string) logr.LogSink   { return s }
func (s *syncs) Info(level int, message string, values ...any) {
	s.lock.Lock()
	defer s.lock.Unlock()
	given := map[string]any{}
	for place := 0; place+1 < len(values); place += 2 {
		given[values[place].(string)] = values[place+1]
	}
	switch message {
	case "Finished syncing service endpoint slices":
		// Whether it failed is told afterwards, at the same time, by the one worker.
		s.found = append(s.found, entry{time.Since(s.start), given["key"].(string), "success"})
	case "Error syncing endpoint slices for service, retrying":
		s.fail(given, "error")
	case "Retry budget exceeded, dropping service out of the queue":
		s.fail(given, "dropped")
	}
}

func (s *syncs) fail(given map[string]any, result string) {
	if result == "error" && strings.Contains(fmt.Sprint(given["err"]), "informer cache is out of date") {
		result = "stale"
	}
	last := &s.found[len(s.found)-1]
	if last.service != given["key"] {
		panic("the failure of another sync")
	}
	last.result = result
}

func (s *syncs) sorted() []string {
	s.lock.Lock()
	defer s.lock.Unlock()
	sort.SliceStable(s.found, func(i, j int) bool {
		a, b := s.found[i], s.found[j]
		return a.at < b.at || a.at == b.at && a.service < b.service
	})
	lines := []string{}
	for _, sync := range s.found {
		lines = append(lines, fmt.Sprintf("%d %s %s", sync.at.Milliseconds(), sync.service, sync.result))
	}
	return lines
}
