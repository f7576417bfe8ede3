package controller

import (
	"context"
	"encoding/json"
	"fmt"
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
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/endpointslice"
)

// Run runs the script through the reference's controller.
func (s *Script) Run(t *testing.T) {
	s.play(t, s.resyncs(), func(w *world) {
		for _, line := range s.Lines {
			w.wait(line.At)
			w.happen(line)
		}
	})
}

// play makes a cluster and the reference's controller, lets something happen,
// and records what the controller does. In a bubble, time is virtual, and stands
// still while there is work to do.
func (s *Script) play(t *testing.T, resyncs bool, live func(*world)) {
	synctest.Test(t, func(t *testing.T) { s.playInBubble(t, resyncs, live) })
}

func (s *Script) playInBubble(t *testing.T, resyncs bool, live func(*world)) {
	period, lag := duration(t, s.Config.BatchPeriod), duration(t, s.Config.WatchLag)
	start := time.Now()
	sink := &syncs{start: start, texts: map[string]bool{}}
	// Events are logged by the process-wide logger.
	klog.SetLogger(logr.New(sink))
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.New(sink)))
	// NewClientset would also keep the managers of fields, which nothing reads here, at seven times the cost of all else.
	client := fake.NewSimpleClientset()
	server := newServer(lag)
	server.install(client)
	resync := time.Duration(0)
	if resyncs {
		resync = ResyncAt * time.Millisecond
	}
	factory := informers.NewSharedInformerFactory(client, resync)
	core := factory.Core().V1()
	c := endpointslice.NewController(ctx, core.Pods(), core.Services(), core.Nodes(), factory.Discovery().V1().EndpointSlices(), s.Config.MaxEndpoints, client, period)
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	done := make(chan struct{})
	go func() { defer close(done); c.Run(ctx, 1) }()
	synctest.Wait()
	live(&world{t: t, ctx: ctx, client: client, server: server, start: start})
	all := server.all()
	s.Expected = Expected{Syncs: sink.sorted(), Messages: sink.messages(), Slices: brief(all, s.Config.MaxEndpoints)}
	s.own = ownSlices(all, s.Config.MaxEndpoints)
	cancel()
	factory.Shutdown()
	<-done
	synctest.Wait()
}

func duration(t *testing.T, text string) time.Duration {
	duration, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return duration
}

type world struct {
	t      *testing.T
	ctx    context.Context
	client *fake.Clientset
	server *server
	start  time.Time
}

func (w *world) wait(at int64) {
	time.Sleep(time.Duration(at)*time.Millisecond - time.Since(w.start))
	synctest.Wait()
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
	if line.Event != nil {
		if err := w.change(line.Event); err != nil {
			w.t.Fatal(err)
		}
	}
	synctest.Wait()
	// Events without delay are delivered before anything else happens at this moment.
	time.Sleep(2 * time.Nanosecond)
	synctest.Wait()
}

func (w *world) change(event *Event) error {
	isGone := event.Type == "DELETED"
	switch kind := event.Object["kind"]; kind {
	case "Service":
		service := read[corev1.Service](w, event.Object)
		if err := write(w, w.client.CoreV1().Services(service.Namespace), service, isGone); err != nil || !isGone {
			return err
		}
		// The garbage collector is never as fast as the controller.
		synctest.Wait()
		w.server.collect(service.Name)
		return nil
	case "Pod":
		pod := read[corev1.Pod](w, event.Object)
		return write(w, w.client.CoreV1().Pods(pod.Namespace), pod, isGone)
	case "Node":
		return write(w, w.client.CoreV1().Nodes(), read[corev1.Node](w, event.Object), isGone)
	case "EndpointSlice":
		slice := read[discovery.EndpointSlice](w, event.Object)
		if isGone {
			w.server.take(slice.Name)
		} else {
			w.server.put(slice)
		}
		return nil
	default:
		return fmt.Errorf("unknown kind %v", kind)
	}
}

// writer is a typed client.
type writer[T metav1.Object] interface {
	Create(context.Context, T, metav1.CreateOptions) (T, error)
	Update(context.Context, T, metav1.UpdateOptions) (T, error)
	Delete(context.Context, string, metav1.DeleteOptions) error
}

// write stores or deletes an object, whether it exists or not: in a shortened
// script, the line that made it may be missing.
func write[T metav1.Object](w *world, client writer[T], object T, isGone bool) error {
	if isGone {
		err := client.Delete(w.ctx, object.GetName(), metav1.DeleteOptions{})
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	}
	_, err := client.Update(w.ctx, object, metav1.UpdateOptions{})
	if apierrors.IsNotFound(err) {
		_, err = client.Create(w.ctx, object, metav1.CreateOptions{})
	}
	return err
}

// generated is a name suffix that the server made up.
var generated = regexp.MustCompile(`\b(s\d)-[b-z2-9]{5}\b`)

// several are the errors in one message, in the order of a Go map.
var several = regexp.MustCompile(`\[(.*)\]$`)

func ordered(message string) string {
	return several.ReplaceAllStringFunc(message, func(list string) string {
		errors := strings.Split(list[1:len(list)-1], ", ")
		sort.Strings(errors)
		return "[" + strings.Join(errors, ", ") + "]"
	})
}

// plainMessage is an event's message, without names that the server made up.
func plainMessage(reason, message string) string {
	return ordered(generated.ReplaceAllString(reason+": "+message, "$1-"))
}

// logged is what the controller logs about an event it publishes. Fewer arrive at
// the API server: some of many events about one object are suppressed.
var logged = regexp.MustCompile(`(?s)^Event\(v1\.ObjectReference.*\): type: '\w+' reason: '(\w+)' (.*)$`)

// syncs is a log sink that records what the controller logs about syncs and events.
type syncs struct {
	lock  sync.Mutex
	start time.Time
	found []entry
	texts map[string]bool
}

type entry struct {
	at              time.Duration
	service, result string
}

// milliseconds leaves out the fractions that only order what happens at once.
func (e entry) milliseconds() int64 {
	return e.at.Round(time.Millisecond).Milliseconds()
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
		// The single worker logs failures afterwards, at the same time.
		s.found = append(s.found, entry{time.Since(s.start), given["key"].(string), "success"})
	case "Error syncing endpoint slices for service, retrying":
		s.fail(given, "error")
	case "Retry budget exceeded, dropping service out of the queue":
		s.fail(given, "dropped")
	default:
		if event := logged.FindStringSubmatch(message); event != nil {
			s.texts[plainMessage(event[1], event[2])] = true
		}
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
	return sortedSyncs(s.found)
}

func (s *syncs) messages() []string {
	s.lock.Lock()
	defer s.lock.Unlock()
	return sortedTexts(s.texts)
}

func sortedSyncs(found []entry) []string {
	sort.SliceStable(found, func(i, j int) bool {
		a, b := found[i], found[j]
		at, other := a.milliseconds(), b.milliseconds()
		return at < other || at == other && a.service < b.service
	})
	lines := []string{}
	for _, sync := range found {
		lines = append(lines, fmt.Sprintf("%d %s %s", sync.milliseconds(), sync.service, sync.result))
	}
	return lines
}

func milliseconds(at float64) time.Duration {
	return time.Duration(at * float64(time.Millisecond))
}
