// Command proxybench times the reference's change tracker: changes of slices
// and the syncs that merge them.
//
// proxybench [MILLISECONDS] prints one JSON line for each measurement, which
// takes this long. `benches/proxy.rs` measures the same.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"time"

	v1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/proxy"
)

const (
	defaultBudget = 1000
	mostRuns      = 10000
	fewestRuns    = 5
	perSlice      = 100
	manyUpdates   = 1000
	node          = "node-1"
)

var sizes = []int{100, 1000, 10_000}

func main() {
	milliseconds := defaultBudget
	if len(os.Args) > 1 {
		var err error
		if milliseconds, err = strconv.Atoi(os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, "proxybench:", err)
			os.Exit(1)
		}
	}
	for _, size := range sizes {
		for _, protocol := range []v1.Protocol{v1.ProtocolTCP, v1.ProtocolUDP} {
			measure(size, protocol, time.Duration(milliseconds)*time.Millisecond)
		}
	}
}

func measure(count int, protocol v1.Protocol, budget time.Duration) {
	w := newWorld(count, protocol)
	size := fmt.Sprint(count)
	if protocol == v1.ProtocolUDP {
		size += " UDP"
	}
	report("first sync", size, budget, func() time.Duration {
		w.begin()
		return timed(w.sync)
	})
	report("one slice", size, budget, func() time.Duration {
		update := w.updates(1)
		return timed(func() {
			w.record(update)
			w.sync()
		})
	})
	var syncs []float64
	report("1000 updates", size, budget, func() time.Duration {
		updates := w.updates(manyUpdates)
		recorded := timed(func() { w.record(updates) })
		sync := timed(w.sync)
		syncs = append(syncs, sync.Seconds()*1000)
		return recorded + sync
	})
	write("sync after 1000 updates", size, syncs)
}

func timed(work func()) time.Duration {
	start := time.Now()
	work()
	return time.Since(start)
}

// world is a kube-proxy that knows one Service.
type world struct {
	slices    []*discovery.EndpointSlice
	tracker   *proxy.EndpointsChangeTracker
	endpoints proxy.EndpointsMap
	turn      int
}

func newWorld(size int, protocol v1.Protocol) *world {
	w := &world{}
	for from := 0; from < size; from += perSlice {
		w.slices = append(w.slices, newSlice(from, min(from+perSlice, size), protocol))
	}
	return w
}

func newSlice(from, to int, protocol v1.Protocol) *discovery.EndpointSlice {
	slice := &discovery.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:       "shop",
			Name:            fmt.Sprintf("web-%05d", from),
			ResourceVersion: "1",
			Labels:          map[string]string{discovery.LabelServiceName: "web"},
		},
		AddressType: discovery.AddressTypeIPv4,
		Ports:       []discovery.EndpointPort{newPort("http", 8080, protocol), newPort("metrics", 9090, protocol)},
	}
	for i := from; i < to; i++ {
		slice.Endpoints = append(slice.Endpoints, newEndpoint(i))
	}
	return slice
}

func newPort(name string, number int32, protocol v1.Protocol) discovery.EndpointPort {
	return discovery.EndpointPort{Name: &name, Protocol: &protocol, Port: &number}
}

func newEndpoint(i int) discovery.Endpoint {
	zone := string(rune('a' + i%3))
	return discovery.Endpoint{
		Addresses:  []string{fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255)},
		Conditions: discovery.EndpointConditions{Ready: new(true), Serving: new(true), Terminating: new(false)},
		NodeName:   new(fmt.Sprintf("node-%d", i%500)),
		Zone:       &zone,
		TargetRef: &v1.ObjectReference{
			Kind: "Pod", Namespace: "shop", Name: fmt.Sprintf("web-%d", i), UID: types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i)),
		},
		Hints: &discovery.EndpointHints{ForZones: []discovery.ForZone{{Name: zone}}},
	}
}

// begin is a new proxy that has received all slices and has not synced.
func (w *world) begin() {
	w.tracker = proxy.NewEndpointsChangeTracker(v1.IPv4Protocol, node, nil, nil)
	w.endpoints = proxy.EndpointsMap{}
	w.record(w.slices)
}

func (w *world) record(slices []*discovery.EndpointSlice) {
	for _, slice := range slices {
		w.tracker.EndpointSliceUpdate(slice, false)
	}
}

func (w *world) sync() { w.endpoints.Update(w.tracker) }

// updates are alternating new versions of slices, in which one endpoint
// becomes ready or unready.
func (w *world) updates(count int) []*discovery.EndpointSlice {
	changed := make([]*discovery.EndpointSlice, 0, count)
	for range count {
		w.turn++
		at := w.turn % len(w.slices)
		slice := w.slices[at].DeepCopy()
		slice.ResourceVersion = strconv.Itoa(w.turn + 1)
		endpoint := &slice.Endpoints[w.turn/len(w.slices)%len(slice.Endpoints)].Conditions
		ready := !*endpoint.Ready
		endpoint.Ready, endpoint.Serving = &ready, &ready
		w.slices[at] = slice
		changed = append(changed, slice)
	}
	return changed
}

// report measures until the budget is spent, at least a few times. Garbage is
// collected beforehand, outside the measured time.
func report(what, size string, budget time.Duration, once func() time.Duration) {
	var times []float64
	for end := time.Now().Add(budget); len(times) < fewestRuns || (time.Now().Before(end) && len(times) < mostRuns); {
		runtime.GC()
		times = append(times, once().Seconds()*1000)
	}
	write(what, size, times)
}

func write(what, size string, times []float64) {
	slices.Sort(times)
	err := json.NewEncoder(os.Stdout).Encode(map[string]any{
		"what":   what + " " + size,
		"median": times[len(times)/2],
		"best":   times[0],
		"runs":   len(times),
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "proxybench:", err)
		os.Exit(1)
	}
}
