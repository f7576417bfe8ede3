package metrics

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	ktesting "k8s.io/client-go/testing"
)

// server is the API server of one history.
type server struct {
	slices  map[string]*discovery.EndpointSlice
	created int
	// What the step under way refuses and has stored.
	refuse *Refuse
	counts map[string]int
	stored map[string]*discovery.EndpointSlice
}

func newServer() *server { return &server{slices: map[string]*discovery.EndpointSlice{}} }

func (s *server) start(refuse *Refuse) {
	s.refuse, s.counts, s.stored = refuse, map[string]int{}, map[string]*discovery.EndpointSlice{}
}

// of lists a Service's slices by name, selected as in the controller.
func (s *server) of(namespace, name string) []*discovery.EndpointSlice {
	var listed []*discovery.EndpointSlice
	for _, slice := range s.slices {
		if slice.Namespace == namespace && slice.Labels[discovery.LabelServiceName] == name {
			listed = append(listed, slice.DeepCopy())
		}
	}
	slices.SortFunc(listed, func(a, b *discovery.EndpointSlice) int { return strings.Compare(a.Name, b.Name) })
	return listed
}

// take replaces the slices with those that a step has stored.
func (s *server) take(stored map[string]*discovery.EndpointSlice) {
	for name, slice := range stored {
		if slice == nil {
			delete(s.slices, name)
		} else {
			s.slices[name] = slice
		}
	}
}

func (s *server) client() *fake.Clientset {
	clientset := &fake.Clientset{}
	clientset.AddReactor("*", "endpointslices", s.react)
	return clientset
}

func (s *server) react(action ktesting.Action) (bool, runtime.Object, error) {
	switch action := action.(type) {
	case ktesting.DeleteAction:
		existing := s.slices[action.GetName()]
		if existing == nil {
			return true, nil, fmt.Errorf("no slice %s", action.GetName())
		}
		if err := s.refusal("delete", existing); err != nil {
			return true, nil, err
		}
		s.stored[existing.Name] = nil
		return true, nil, nil
	case ktesting.CreateAction: // an UpdateAction has the same methods
		slice, ok := action.GetObject().(*discovery.EndpointSlice)
		if !ok {
			return true, nil, fmt.Errorf("unexpected object %T", action.GetObject())
		}
		if err := s.refusal(action.GetVerb(), slice); err != nil {
			return true, nil, err
		}
		s.store(action.GetVerb(), slice)
		return true, slice, nil
	default:
		return true, nil, fmt.Errorf("unexpected %s", action.GetVerb())
	}
}

// store does what the API server does: names and uids; the sender's trigger
// time does not matter for metrics.
func (s *server) store(verb string, slice *discovery.EndpointSlice) {
	kept := slice.DeepCopy()
	if verb == "create" {
		s.created++
		kept.Name = fmt.Sprintf("%s%d", kept.GenerateName, s.created)
		kept.UID = types.UID(fmt.Sprintf("slice-%d", s.created))
	} else if existing := s.slices[kept.Name]; existing != nil {
		kept.UID = existing.UID
	}
	kept.Annotations = nil
	s.stored[kept.Name] = kept
}

func (s *server) refusal(verb string, slice *discovery.EndpointSlice) error {
	what := fmt.Sprintf("%s %s", verb, slice.AddressType)
	number := s.counts[what]
	s.counts[what]++
	if r := s.refuse; r == nil || r.Verb != verb || r.Family != slice.AddressType || r.Number != number {
		return nil
	}
	resource := discovery.Resource("endpointslices")
	if s.refuse.Terminating {
		err := errors.NewForbidden(resource, slice.Name, fmt.Errorf("the namespace is being deleted"))
		err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
		return err
	}
	return errors.NewConflict(resource, slice.Name, fmt.Errorf("it has changed"))
}
