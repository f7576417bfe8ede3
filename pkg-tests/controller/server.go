package controller

import (
	"fmt"
	"sort"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
)

// server keeps EndpointSlices as the API server does, for a fake client; its
// watch tells of changes after a while.
type server struct {
	lock     sync.Mutex
	lag      time.Duration
	slices   map[string]*discovery.EndpointSlice
	revision int
	created  int
	refusals []string
	watcher  *watch.RaceFreeFakeWatcher
}

func newServer(lag time.Duration) *server {
	return &server{lag: lag, slices: map[string]*discovery.EndpointSlice{}, watcher: watch.NewRaceFreeFake()}
}

func (s *server) install(client *fake.Clientset) {
	react := func(verb string, reaction clienttesting.ReactionFunc) {
		client.PrependReactor(verb, "endpointslices", func(action clienttesting.Action) (bool, runtime.Object, error) {
			s.lock.Lock()
			defer s.lock.Unlock()
			return reaction(action)
		})
	}
	react("list", s.list)
	react("create", s.create)
	react("update", s.update)
	react("delete", s.delete)
	client.PrependWatchReactor("endpointslices", func(clienttesting.Action) (bool, watch.Interface, error) {
		return true, s.watcher, nil
	})
}

func (s *server) list(clienttesting.Action) (bool, runtime.Object, error) {
	list := &discovery.EndpointSliceList{}
	for _, slice := range s.slices {
		list.Items = append(list.Items, *slice.DeepCopy())
	}
	return true, list, nil
}

var resource = discovery.Resource("endpointslices")

func (s *server) refused(name string) error {
	if len(s.refusals) == 0 {
		return nil
	}
	refusal := s.refusals[0]
	s.refusals = s.refusals[1:]
	switch refusal {
	case "Conflict":
		return apierrors.NewConflict(resource, name, fmt.Errorf("the object has been modified; please apply your changes to the latest version and try again"))
	case "AlreadyExists":
		return apierrors.NewAlreadyExists(resource, name)
	case "NamespaceTerminating":
		// As the admission plugin NamespaceLifecycle says it.
		err := apierrors.NewForbidden(resource, name, fmt.Errorf("unable to create new content in namespace shop because it is being terminated"))
		err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes, metav1.StatusCause{Type: corev1.NamespaceTerminatingCause})
		return err
	default:
		return apierrors.NewInternalError(fmt.Errorf("the server was unable to complete the request"))
	}
}

const alphabet = "bcdfghjklmnpqrstvwxz2456789"

func (s *server) create(action clienttesting.Action) (bool, runtime.Object, error) {
	slice := action.(clienttesting.CreateAction).GetObject().(*discovery.EndpointSlice).DeepCopy()
	if err := s.refused(slice.GenerateName); err != nil {
		return true, nil, err
	}
	s.created++
	slice.Name = slice.GenerateName + "bbb" + string(alphabet[s.created/27%27]) + string(alphabet[s.created%27])
	slice.UID = types.UID(fmt.Sprint("made-", s.created))
	slice.Generation = 1
	return true, s.store(watch.Added, slice), nil
}

func (s *server) update(action clienttesting.Action) (bool, runtime.Object, error) {
	slice := action.(clienttesting.UpdateAction).GetObject().(*discovery.EndpointSlice).DeepCopy()
	if err := s.refused(slice.Name); err != nil {
		return true, nil, err
	}
	old, ok := s.slices[slice.Name]
	if !ok {
		return true, nil, apierrors.NewNotFound(resource, slice.Name)
	}
	if slice.ResourceVersion != "" && slice.ResourceVersion != old.ResourceVersion {
		return true, nil, apierrors.NewConflict(resource, slice.Name, fmt.Errorf("the object has been modified; please apply your changes to the latest version and try again"))
	}
	slice.UID, slice.Generation, slice.ResourceVersion = old.UID, old.Generation, old.ResourceVersion
	if equality.Semantic.DeepEqual(slice, old) {
		return true, slice, nil
	}
	meta, oldMeta := slice.ObjectMeta, old.ObjectMeta
	slice.ObjectMeta = old.ObjectMeta
	if !equality.Semantic.DeepEqual(slice, old) || !equality.Semantic.DeepEqual(meta.Labels, oldMeta.Labels) {
		meta.Generation++
	}
	slice.ObjectMeta = meta
	return true, s.store(watch.Modified, slice), nil
}

func (s *server) delete(action clienttesting.Action) (bool, runtime.Object, error) {
	name := action.(clienttesting.DeleteAction).GetName()
	if err := s.refused(name); err != nil {
		return true, nil, err
	}
	if _, ok := s.slices[name]; !ok {
		return true, nil, apierrors.NewNotFound(resource, name)
	}
	s.remove(name, s.lag)
	return true, nil, nil
}

func (s *server) store(event watch.EventType, slice *discovery.EndpointSlice) *discovery.EndpointSlice {
	s.revision++
	slice.ResourceVersion = fmt.Sprint(s.revision)
	s.slices[slice.Name] = slice
	s.tell(event, slice, s.lag)
	return slice.DeepCopy()
}

func (s *server) remove(name string, lag time.Duration) {
	slice := s.slices[name]
	delete(s.slices, name)
	s.revision++
	gone := slice.DeepCopy()
	gone.ResourceVersion = fmt.Sprint(s.revision)
	s.tell(watch.Deleted, gone, lag)
}

func (s *server) tell(event watch.EventType, slice *discovery.EndpointSlice, lag time.Duration) {
	told := slice.DeepCopy()
	// However fast the watch is, whoever wrote has its answer before; time
	// passes only when it has nothing left to do.
	time.AfterFunc(lag+time.Nanosecond, func() { s.watcher.Action(event, told) })
}

// put is somebody else's write, of which the watch tells without delay.
func (s *server) put(slice *discovery.EndpointSlice) {
	s.lock.Lock()
	defer s.lock.Unlock()
	lag := s.lag
	s.lag = 0
	event := watch.Added
	if _, ok := s.slices[slice.Name]; ok {
		event = watch.Modified
	}
	s.store(event, slice)
	s.lag = lag
}

func (s *server) take(name string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if _, ok := s.slices[name]; ok {
		s.remove(name, 0)
	}
}

// collect deletes what a Service, which is gone, has owned.
func (s *server) collect(service string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	var names []string
	for name, slice := range s.slices {
		for _, owner := range slice.OwnerReferences {
			if owner.Name == service {
				names = append(names, name)
			}
		}
	}
	sort.Strings(names)
	for _, name := range names {
		s.remove(name, s.lag)
	}
}

func (s *server) refuse(error string, times int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for range times {
		s.refusals = append(s.refusals, error)
	}
}

// brief are the slices as `service generation address…`, sorted.
func (s *server) brief() []string {
	s.lock.Lock()
	defer s.lock.Unlock()
	brief := []string{}
	for _, slice := range s.slices {
		var addresses []string
		for _, endpoint := range slice.Endpoints {
			ready := endpoint.Conditions.Ready == nil || *endpoint.Conditions.Ready
			addresses = append(addresses, fmt.Sprintf(" %s=%t", endpoint.Addresses[0], ready))
		}
		sort.Strings(addresses)
		brief = append(brief, fmt.Sprintf("%s %d%s", slice.Labels[discovery.LabelServiceName], slice.Generation, strings.Join(addresses, "")))
	}
	sort.Strings(brief)
	return brief
}
