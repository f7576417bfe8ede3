package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/component-base/metrics/legacyregistry"
	_ "k8s.io/component-base/metrics/prometheus/workqueue" // counts what the queues do
)

const (
	// sliceDelay is what the controller waits after someone has changed a slice, unless changes of pods are batched for
	// longer.
	sliceDelay = time.Second
	// retryDelay is its delay after the first failure for a Service; it doubles with each further failure.
	retryDelay = time.Second
	// margin is for what happens outside the queue: an event on its way to its handler, a pod on its way to its Services.
	margin = 200 * time.Millisecond
	// poll is the interval for reading counters.
	poll = 50 * time.Millisecond
	// settledWithin bounds the wait: a Service that always fails never settles.
	settledWithin = time.Minute
	// queue is the name of the controller's queue of Services in the metrics.
	queue = "endpoint_slice"
)

// settled is the answer to the command `settle`.
type settled struct {
	// Settled is always true: otherwise there is an error.
	Settled bool `json:"settled"`
	// Syncs and Failures count since the previous command.
	Syncs    uint64  `json:"syncs"`
	Failures uint64  `json:"failures"`
	Seconds  float64 `json:"seconds"`
}

// activity counts what the controllers of this process have done so far.
type activity struct {
	added, done, retried, failed uint64
}

// settle waits until the controller has seen everything on the server, its queue is empty, and nothing can be waiting
// for a delay: nothing has happened for longer than the longest delay in use. With many failures, such as those
// of a burst of changes without [settings.batch], that would take too long.
func (r *reference) settle(ctx context.Context) (any, error) {
	if r.running == nil {
		return nil, errors.New("the controller does not run")
	}
	started := time.Now()
	ctx, cancel := context.WithTimeout(ctx, settledWithin)
	defer cancel()
	before := r.running.settled
	for {
		if err := r.running.seesAll(ctx); err != nil {
			return nil, err
		}
		now, quiet, err := r.quiet(ctx, before)
		if err != nil {
			return nil, err
		}
		if quiet {
			r.running.settled = now
			return settled{true, now.done - before.done, now.failed - before.failed, time.Since(started).Seconds()}, nil
		}
	}
}

// quiet waits as long as a delay may last; false as soon as anything happens.
func (r *reference) quiet(ctx context.Context, before activity) (activity, bool, error) {
	first, err := readActivity()
	if err != nil {
		return activity{}, false, err
	}
	delay := max(sliceDelay, r.batch)
	if failures := first.failed - before.failed; failures > 0 {
		// As if all of them had been of one Service.
		delay = max(delay, retryDelay<<min(failures-1, 10))
	}
	for end := time.Now().Add(delay + margin); time.Now().Before(end); {
		if err := pause(ctx, fmt.Sprintf("the controller still works: %+v, and %+v when it had settled", first, before)); err != nil {
			return activity{}, false, err
		}
		now, err := readActivity()
		if err != nil || now != first || now.added-r.running.lost != now.done {
			return now, false, err
		}
	}
	return first, true, nil
}

// seesAll waits until the caches of the controller match the server.
func (r *running) seesAll(ctx context.Context) error {
	core, slices := r.factory.Core().V1(), r.factory.Discovery().V1().EndpointSlices()
	all := metav1.ListOptions{}
	kinds := []struct {
		name  string
		store cache.Store
		list  func() (runtime.Object, error)
	}{
		{"nodes", core.Nodes().Informer().GetStore(), func() (runtime.Object, error) { return r.client.CoreV1().Nodes().List(ctx, all) }},
		{"pods", core.Pods().Informer().GetStore(), func() (runtime.Object, error) { return r.client.CoreV1().Pods("").List(ctx, all) }},
		{"services", core.Services().Informer().GetStore(), func() (runtime.Object, error) { return r.client.CoreV1().Services("").List(ctx, all) }},
		{"slices", slices.Informer().GetStore(), func() (runtime.Object, error) { return r.client.DiscoveryV1().EndpointSlices("").List(ctx, all) }},
	}
	for _, kind := range kinds {
		for {
			list, err := kind.list()
			if err != nil {
				return err
			}
			same, err := holds(kind.store, list)
			if err != nil {
				return err
			}
			if same {
				break
			}
			if err := pause(ctx, "the controller's "+kind.name+" are not those of the server"); err != nil {
				return err
			}
		}
	}
	return nil
}

// holds compares a cache with the server's list.
func holds(store cache.Store, list runtime.Object) (bool, error) {
	live, err := meta.ExtractList(list)
	if err != nil {
		return false, err
	}
	if len(live) != len(store.ListKeys()) {
		return false, nil
	}
	for _, object := range live {
		cached, exists, err := store.Get(object)
		if err != nil || !exists {
			return false, err
		}
		ours, err := meta.Accessor(cached)
		if err != nil {
			return false, err
		}
		theirs, err := meta.Accessor(object)
		if err != nil || ours.GetResourceVersion() != theirs.GetResourceVersion() {
			return false, err
		}
	}
	return true, nil
}

// pause waits before the next check; on timeout, the error says what was waited for.
func pause(ctx context.Context, why string) error {
	select {
	case <-ctx.Done():
		return fmt.Errorf("not settled after %v: %s", settledWithin, why)
	case <-time.After(poll):
		return nil
	}
}

// readActivity reads the metrics, like a scraper of the controller.
func readActivity() (activity, error) {
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		return activity{}, err
	}
	var found activity
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			label := ""
			if labels := metric.GetLabel(); len(labels) == 1 {
				label = labels[0].GetValue()
			}
			switch family.GetName() + " " + label {
			case "workqueue_adds_total " + queue:
				found.added = uint64(metric.GetCounter().GetValue())
			case "workqueue_work_duration_seconds " + queue:
				found.done = metric.GetHistogram().GetSampleCount()
			case "workqueue_retries_total " + queue:
				found.retried = uint64(metric.GetCounter().GetValue())
			case "endpoint_slice_controller_syncs error", "endpoint_slice_controller_syncs stale":
				found.failed += uint64(metric.GetCounter().GetValue())
			}
		}
	}
	return found, nil
}
