package oracle

import (
	"fmt"

	discovery "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	ktesting "k8s.io/client-go/testing"

	"slicewise/oracle/plan"
)

// Write is one call to the API server, in the order it was made.
type Write struct {
	Verb  string                   `json:"verb"`
	Name  string                   `json:"name"`
	Slice *discovery.EndpointSlice `json:"-"`
}

// recorder is the API server and the event sink of one run.
type recorder struct {
	writes  []Write
	events  []plan.Event
	created int
}

// client has no object tracker behind it: every write succeeds and is recorded.
func (r *recorder) client() *fake.Clientset {
	clientset := &fake.Clientset{}
	clientset.AddReactor("*", "endpointslices", r.react)
	return clientset
}

func (r *recorder) react(action ktesting.Action) (bool, runtime.Object, error) {
	switch action := action.(type) {
	case ktesting.DeleteAction:
		r.writes = append(r.writes, Write{Verb: "delete", Name: action.GetName()})
		return true, nil, nil
	case ktesting.CreateAction: // an UpdateAction has the same methods
		slice, ok := action.GetObject().(*discovery.EndpointSlice)
		if !ok {
			return true, nil, fmt.Errorf("unexpected object %T", action.GetObject())
		}
		sent := slice.DeepCopy()
		if action.GetVerb() == "create" {
			r.name(slice)
		}
		r.writes = append(r.writes, Write{Verb: action.GetVerb(), Name: slice.Name, Slice: sent})
		return true, slice, nil
	default:
		return true, nil, fmt.Errorf("unexpected %s", action.GetVerb())
	}
}

// name does what the API server does for generateName.
func (r *recorder) name(slice *discovery.EndpointSlice) {
	r.created++
	slice.Name = fmt.Sprintf("%s%05d", slice.GenerateName, r.created)
	slice.UID = types.UID(fmt.Sprintf("created-%d", r.created))
	slice.Generation = 1
}

// Event implements record.EventRecorder.
func (r *recorder) Event(_ runtime.Object, kind, reason, message string) {
	r.events = append(r.events, plan.Event{Type: kind, Reason: reason, Message: message})
}

// Eventf implements record.EventRecorder.
func (r *recorder) Eventf(object runtime.Object, kind, reason, format string, args ...any) {
	r.Event(object, kind, reason, fmt.Sprintf(format, args...))
}

// AnnotatedEventf implements record.EventRecorder.
func (r *recorder) AnnotatedEventf(object runtime.Object, _ map[string]string, kind, reason, format string, args ...any) {
	r.Eventf(object, kind, reason, format, args...)
}
