package slicewise_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"slicewise/bindings/go"
)

func TestAPlanIsTakenUpByTheNextOne(t *testing.T) {
	m := open(t)
	request := &slicewise.PlanRequest{
		Service: service(), Pods: []*corev1.Pod{pod("cart-1", "10.0.0.1")}, Nodes: []*corev1.Node{node()},
		TriggerTime: time.Date(2026, 1, 2, 3, 4, 5, 678, time.UTC),
	}
	plan, err := m.Plan(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Create) != 1 || plan.Create[0].Endpoints[0].Addresses[0] != "10.0.0.1" || *plan.Create[0].Endpoints[0].Zone != "a" {
		t.Fatalf("%+v", plan)
	}
	made := plan.Create[0]
	if at := made.Annotations[corev1.EndpointsLastChangeTriggerTime]; at != "2026-01-02T03:04:05.000000678Z" {
		t.Errorf("the slice was triggered at %q", at)
	}
	made.Name, made.UID, made.ResourceVersion = "cart-abcde", "s-1", "7"
	request.Slices, request.State = []*discoveryv1.EndpointSlice{made}, plan.State
	if plan, err = m.Plan(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	if len(plan.Unchanged) != 1 || len(plan.Create)+len(plan.Update)+len(plan.Delete) != 0 {
		t.Errorf("%+v", plan)
	}
	request.Pods = nil
	if plan, err = m.Plan(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	if len(plan.Update) != 1 || len(plan.Update[0].Endpoints) != 0 || plan.Update[0].ResourceVersion != "7" {
		t.Errorf("%+v", plan)
	}
}

func TestASnapshotIsPlannedAndExplained(t *testing.T) {
	m := open(t)
	plans, err := m.PlanSnapshot(t.Context(), snapshot(), &slicewise.Options{MaxEndpointsPerSlice: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(plans.Plans) != 1 || plans.Plans[0].Service != (slicewise.ObjectName{Namespace: "shop", Name: "cart"}) || plans.Plans[0].Stats.Endpoints != 1 {
		t.Errorf("%+v", plans)
	}
	explained, err := m.Explain(t.Context(), snapshot(), &slicewise.Question{Service: "shop/cart"})
	if err != nil {
		t.Fatal(err)
	}
	if len(explained.Services) != 1 || explained.Services[0].Verdict.Text == "" || explained.Services[0].Explanations[0].Code == "" {
		t.Errorf("%+v", explained)
	}
	request := &slicewise.PlanRequest{Service: service(), Pods: []*corev1.Pod{pod("cart-1", "10.0.0.1")}}
	if explained, err = m.ExplainRequest(t.Context(), request, nil); err != nil || len(explained.Services) != 1 {
		t.Errorf("%+v, error %v", explained, err)
	}
	var failure *slicewise.Error
	if _, err := m.PlanSnapshot(t.Context(), snapshot(), &slicewise.Options{MaxEndpointsPerSlice: 2000}); !errors.As(err, &failure) {
		t.Errorf("error %v", err)
	} else if failure.Path != "/options/maxEndpointsPerSlice" {
		t.Errorf("%+v", failure)
	}
}

// admission is a request to create the slice.
func admission(t testing.TB, slice *discoveryv1.EndpointSlice) *admissionv1.AdmissionRequest {
	t.Helper()
	object, err := json.Marshal(slice)
	if err != nil {
		t.Fatal(err)
	}
	return &admissionv1.AdmissionRequest{
		UID:       "705ab4f5",
		Kind:      metav1.GroupVersionKind{Group: "discovery.k8s.io", Version: "v1", Kind: "EndpointSlice"},
		Resource:  metav1.GroupVersionResource{Group: "discovery.k8s.io", Version: "v1", Resource: "endpointslices"},
		Name:      slice.Name,
		Namespace: slice.Namespace,
		Operation: admissionv1.Create,
		UserInfo:  authenticationv1.UserInfo{Username: "jane"},
		Object:    runtime.RawExtension{Raw: object},
	}
}

func TestAReviewerJudgesByWhatItKnows(t *testing.T) {
	m := open(t)
	r, err := m.NewReviewer(t.Context(), nil, snapshot())
	if err != nil {
		t.Fatal(err)
	}
	verdict, err := r.Review(t.Context(), admission(t, slice("127.0.0.1")), slicewise.Asking{})
	if err != nil {
		t.Fatal(err)
	}
	if verdict.Response.Allowed || verdict.Record.Verdict != "deny" || verdict.Response.UID != "705ab4f5" {
		t.Errorf("%+v", verdict)
	}
	if err := r.Configure(t.Context(), json.RawMessage(`{"policies":{"slice-addresses":{"mode":"off"}}}`)); err != nil {
		t.Fatal(err)
	}
	var failure *slicewise.Error
	if err := r.Configure(t.Context(), json.RawMessage(`{"policies":{"none":{}}}`)); !errors.As(err, &failure) || failure.Path != "/config/policies/none" {
		t.Errorf("error %v", err)
	}
	gone := pod("cart-1", "10.0.0.1")
	gone.TypeMeta, gone.ResourceVersion = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, "9"
	if applied, err := r.Apply(t.Context(), watch.Deleted, gone); err != nil || applied.Taken != 1 {
		t.Errorf("%+v, error %v", applied, err)
	}
	if applied, err := r.Load(t.Context(), snapshot()); err != nil || applied.Taken != 3 {
		t.Errorf("%+v, error %v", applied, err)
	}
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Review(t.Context(), admission(t, slice("10.0.0.1")), slicewise.Asking{}); !errors.Is(err, slicewise.ErrClosed) {
		t.Errorf("error %v", err)
	}
}

func TestAReviewerOutlivesTheContextsOfItsCalls(t *testing.T) {
	m := open(t)
	r, err := m.NewReviewer(t.Context(), nil, snapshot())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Review(ctx, admission(t, slice("127.0.0.1")), slicewise.Asking{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if verdict, err := r.Review(t.Context(), admission(t, slice("127.0.0.1")), slicewise.Asking{}); err != nil || verdict.Response.Allowed {
		t.Errorf("%+v, error %v", verdict, err)
	}
}
