package controller

import (
	"fmt"
	"sort"
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

// server stores EndpointSlices as the API server does, for a fake client; its
// watch reports changes after a delay.
type server struct {
	lock     sync.Mutex
	lag      time.Duration
	slices   map[string]*discovery.EndpointSlice
	revision int
	created  int
	refusals []string
	watcher  *watch.RaceFreeFakeWatcher
	// told is when the last event arrives.
	told time.Time
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
		// The message of the admission plugin NamespaceLifecycle.
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
	for s.created++; ; s.created++ {
		slice.Name = slice.GenerateName + "bbb" + string(alphabet[s.created/27%27]) + string(alphabet[s.created%27])
		if s.slices[slice.Name] == nil {
			break
		}
	}
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
	slice.Generation = generationAfter(old, slice)
	return true, s.store(watch.Modified, slice), nil
}

// generationAfter counts changes of content and labels.
func generationAfter(old, slice *discovery.EndpointSlice) int64 {
	content := slice.DeepCopy()
	content.ObjectMeta = old.ObjectMeta
	if equality.Semantic.DeepEqual(content, old) && equality.Semantic.DeepEqual(slice.Labels, old.Labels) {
		return old.Generation
	}
	return old.Generation + 1
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
	if lag == 0 {
		// However fast the watch is, the writer gets its response first; time
		// passes only when it has nothing left to do.
		lag = time.Nanosecond
	} else {
		// Before whatever else happens in that millisecond, as in slicewise.
		lag -= time.Microsecond
	}
	if at := time.Now().Add(lag); at.After(s.told) {
		s.told = at
	}
	time.AfterFunc(lag, func() { s.watcher.Action(event, told) })
}

// isQuiet is whether all writes have been reported: otherwise changes by others,
// which are reported at once, would arrive first.
func (s *server) isQuiet() bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.told.Before(time.Now())
}

// put is someone else's write, which the watch reports without delay. Missing
// fields are defaulted.
func (s *server) put(slice *discovery.EndpointSlice) {
	s.lock.Lock()
	defer s.lock.Unlock()
	lag := s.lag
	s.lag = 0
	// As for all stored objects.
	slice.TypeMeta = metav1.TypeMeta{}
	event := watch.Added
	old := s.slices[slice.Name]
	if old != nil {
		event = watch.Modified
	}
	if slice.UID == "" && old != nil {
		slice.UID = old.UID
	} else if slice.UID == "" {
		s.created++
		slice.UID = types.UID(fmt.Sprint("made-", s.created))
	}
	if slice.Generation == 0 {
		slice.Generation = 1
		if old != nil {
			slice.Generation = generationAfter(old, slice)
		}
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

// collect deletes what a deleted Service owned.
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
