package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/kubernetes/pkg/controller/endpointslice"
)

const (
	// workers is the default of kube-controller-manager.
	workers = 5
	// account is the ServiceAccount of the controller in kube-controller-manager, with its permissions and its name in admission.
	account = "system:serviceaccount:kube-system:endpointslice-controller"
	// syncedWithin is many times what reading a test's objects takes.
	syncedWithin = time.Minute
)

// reference is the EndpointSlice controller of Kubernetes, which can be started repeatedly.
type reference struct {
	config *rest.Config
	settings
	running *running
}

// settings are flags of kube-controller-manager.
type settings struct {
	perSlice int
	// batch is how long changes of pods are batched.
	batch time.Duration
}

// running is the current run of the controller.
type running struct {
	client  kubernetes.Interface
	factory informers.SharedInformerFactory
	cancel  context.CancelFunc
	ended   chan struct{}
	// settled is the activity when it was last found idle; initially that of earlier runs.
	settled activity
	// lost counts what earlier runs left in their queues.
	lost uint64
}

// newReference makes a controller that is not running yet.
func newReference(config *rest.Config, settings settings) *reference {
	return &reference{config: config, settings: settings}
}

// execute runs one command; the result is printed unchanged.
func (r *reference) execute(ctx context.Context, command string) (any, error) {
	switch command {
	case "start":
		if err := r.start(ctx); err != nil {
			return nil, err
		}
		return map[string]bool{"running": true}, nil
	case "stop":
		r.stop()
		return map[string]bool{"running": false}, nil
	case "settle":
		return r.settle(ctx)
	default:
		return nil, fmt.Errorf("unknown command %q; there are start, stop and settle", command)
	}
}

// start runs the controller as kube-controller-manager does, with its defaults.
func (r *reference) start(ctx context.Context) error {
	if r.running != nil {
		return errors.New("it runs already")
	}
	config := rest.CopyConfig(r.config)
	config.Impersonate.UserName = account
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	before, err := readActivity()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	started := &running{
		client:  client,
		factory: informers.NewSharedInformerFactory(client, 0),
		cancel:  cancel,
		ended:   make(chan struct{}),
		settled: before,
		lost:    before.added - before.done,
	}
	core := started.factory.Core().V1()
	controller := endpointslice.NewController(
		ctx,
		core.Pods(),
		core.Services(),
		core.Nodes(),
		started.factory.Discovery().V1().EndpointSlices(),
		int32(r.perSlice),
		client,
		r.batch,
	)
	started.factory.Start(ctx.Done())
	go func() {
		defer close(started.ended)
		controller.Run(ctx, workers)
	}()
	r.running = started
	waiting, done := context.WithTimeout(ctx, syncedWithin)
	defer done()
	for kind, synced := range started.factory.WaitForCacheSync(waiting.Done()) {
		if !synced {
			r.stop()
			return fmt.Errorf("no list of %v after %v", kind, syncedWithin)
		}
	}
	return nil
}

// stop stops the controller if it runs, and waits for it.
func (r *reference) stop() {
	if r.running == nil {
		return
	}
	r.running.cancel()
	<-r.running.ended
	r.running.factory.Shutdown()
	r.running = nil
}
