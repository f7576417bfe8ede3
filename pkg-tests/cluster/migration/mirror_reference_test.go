package migration

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	corelisters "k8s.io/client-go/listers/core/v1"
	discoverylisters "k8s.io/client-go/listers/discovery/v1"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/endpointslicemirroring"
)

// mirrorOutcome is what the reference did in one sync.
type mirrorOutcome struct {
	Create []*discovery.EndpointSlice
	Update []*discovery.EndpointSlice
	Delete []string
	Events []event
	// A create of an existing slice: see below.
	broken bool
}

type event struct {
	Type    string `json:"type"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// mirrorReference runs one sync of the reference's controller; nil if that fails.
// The slices are listed in the given order: the reference's own order is a map's,
// and it keeps the first slice of a group.
//
// When the reference recycles slices of both families, or creates one of the
// other, it may remove the wrong one from its list, and then create a slice that
// it also updates. The API server refuses that, so the sync is retried until the
// map's order happens to be right, which may never be the case.
func mirrorReference(t *testing.T, request *mirrorRequest, order []*discovery.EndpointSlice) *mirrorOutcome {
	for range 30 {
		var outcome *mirrorOutcome
		synctest.Test(t, func(t *testing.T) { outcome = syncOnce(request, order) })
		if !outcome.broken {
			return outcome
		}
	}
	return nil
}

func syncOnce(request *mirrorRequest, order []*discovery.EndpointSlice) *mirrorOutcome {
	outcome := &mirrorOutcome{}
	client := recordingClient(outcome)
	endpoints := newInformer()
	services := newInformer()
	listed := newInformer()
	if request.Endpoints != nil {
		endpoints.add(request.Endpoints.DeepCopy())
	}
	if request.Service != nil {
		services.add(request.Service.DeepCopy())
	}
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	c := endpointslicemirroring.NewController(ctx,
		endpointsInformer{endpoints}, sliceInformer{listed, order}, serviceInformer{services},
		request.Options.MaxEndpointsPerSubset, client, 0)
	done := make(chan struct{})
	go func() { defer close(done); c.Run(ctx, 1) }()
	// A Service without a selector queues the Endpoints of its name, if any.
	wake := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: request.Namespace, Name: request.Name}}
	services.handler.OnAdd(wake, false)
	// One sync: retries wait for a timer, and time stands still.
	synctest.Wait()
	cancel()
	<-done
	synctest.Wait()
	return outcome
}

// recordingClient records writes. No other calls are made.
func recordingClient(outcome *mirrorOutcome) *fake.Clientset {
	client := &fake.Clientset{}
	created := 0
	client.AddReactor("create", "endpointslices", func(action clienttesting.Action) (bool, runtime.Object, error) {
		slice := action.(clienttesting.CreateAction).GetObject().(*discovery.EndpointSlice).DeepCopy()
		if slice.Name != "" {
			outcome.broken = true
			return true, nil, apierrors.NewAlreadyExists(discovery.Resource("endpointslices"), slice.Name)
		}
		outcome.Create = append(outcome.Create, slice.DeepCopy())
		created++
		slice.Name = fmt.Sprintf("%s%d", slice.GenerateName, created)
		return true, slice, nil
	})
	client.AddReactor("update", "endpointslices", func(action clienttesting.Action) (bool, runtime.Object, error) {
		slice := action.(clienttesting.UpdateAction).GetObject().(*discovery.EndpointSlice).DeepCopy()
		outcome.Update = append(outcome.Update, slice)
		return true, slice.DeepCopy(), nil
	})
	client.AddReactor("delete", "endpointslices", func(action clienttesting.Action) (bool, runtime.Object, error) {
		outcome.Delete = append(outcome.Delete, action.(clienttesting.DeleteAction).GetName())
		return true, nil, nil
	})
	client.AddReactor("create", "events", func(action clienttesting.Action) (bool, runtime.Object, error) {
		published := action.(clienttesting.CreateAction).GetObject().(*corev1.Event)
		outcome.Events = append(outcome.Events, event{published.Type, published.Reason, published.Message})
		return true, published, nil
	})
	client.AddReactor("*", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		panic(fmt.Sprintf("unexpected: %s %s", action.GetVerb(), action.GetResource().Resource))
	})
	return client
}

// informer is filled directly, and keeps the controller's handler.
type informer struct {
	cache.SharedIndexInformer
	indexer cache.Indexer
	handler cache.ResourceEventHandler
}

func newInformer() *informer {
	indexers := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	return &informer{indexer: cache.NewIndexer(cache.MetaNamespaceKeyFunc, indexers)}
}

func (i *informer) add(object any) {
	if err := i.indexer.Add(object); err != nil {
		panic(err)
	}
}

func (i *informer) AddEventHandler(handler cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	i.handler = handler
	return nil, nil
}

func (i *informer) HasSynced() bool { return true }

type endpointsInformer struct{ *informer }

func (i endpointsInformer) Informer() cache.SharedIndexInformer { return i.informer }
func (i endpointsInformer) Lister() corelisters.EndpointsLister {
	return corelisters.NewEndpointsLister(i.indexer)
}

type serviceInformer struct{ *informer }

func (i serviceInformer) Informer() cache.SharedIndexInformer { return i.informer }
func (i serviceInformer) Lister() corelisters.ServiceLister {
	return corelisters.NewServiceLister(i.indexer)
}

// sliceInformer lists slices in a fixed order.
type sliceInformer struct {
	*informer
	slices []*discovery.EndpointSlice
}

func (i sliceInformer) Informer() cache.SharedIndexInformer { return i.informer }
func (i sliceInformer) Lister() discoverylisters.EndpointSliceLister {
	return inOrder{slices: i.slices}
}

type inOrder struct {
	discoverylisters.EndpointSliceLister
	slices    []*discovery.EndpointSlice
	namespace string
}

func (l inOrder) EndpointSlices(namespace string) discoverylisters.EndpointSliceNamespaceLister {
	return inNamespace{inOrder{slices: l.slices, namespace: namespace}}
}

type inNamespace struct{ inOrder }

func (l inNamespace) Get(string) (*discovery.EndpointSlice, error) { panic("unexpected") }

func (l inNamespace) List(selector labels.Selector) ([]*discovery.EndpointSlice, error) {
	var found []*discovery.EndpointSlice
	for _, slice := range l.slices {
		if slice.Namespace == l.namespace && selector.Matches(labels.Set(slice.Labels)) {
			found = append(found, slice.DeepCopy())
		}
	}
	return slices.Clip(found), nil
}
