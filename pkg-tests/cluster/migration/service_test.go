package migration

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/controlplane/reconcilers"
)

type servicePlan struct {
	Writes []plannedWrite `json:"writes"`
	Leases []lease        `json:"leases"`
	Error  *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

type plannedWrite struct {
	Operation       string          `json:"operation"`
	Kind            string          `json:"kind"`
	Name            string          `json:"name"`
	UID             string          `json:"uid"`
	ResourceVersion string          `json:"resourceVersion"`
	Object          json.RawMessage `json:"object"`
	Reasons         []string        `json:"reasons"`

	endpoints *corev1.Endpoints
	slice     *discovery.EndpointSlice
}

// Sequences of calls by API servers, each decided by both.
func TestKubernetesService(t *testing.T) {
	ours := start(t, "kubernetes-service")
	reached := map[string]int{}
	each(t, 2, func(number int, random *rand.Rand) {
		world := newServiceWorld(random)
		for step := range 3 + random.IntN(6) {
			world.next()
			request := marshal(world.request)
			var plan servicePlan
			answer := ours.ask(request, &plan)
			reference := serviceReference(&world.request)
			problem := plan.read()
			if problem == "" {
				problem = compareService(&world.request, &plan, reference)
			}
			if problem != "" {
				t.Errorf("seed %d, case %d, step %d: %s\nrequest: %s\nslicewise: %sreference: %s", *seed, number, step, problem, request, answer, marshal(reference))
				return
			}
			for _, write := range plan.Writes {
				reached[write.Kind+" "+write.Operation]++
				for _, reason := range write.Reasons {
					reached[reason]++
				}
			}
			if plan.Error != nil {
				reached[plan.Error.Code]++
			}
			world.apply(&plan)
		}
	})
	if *only >= 0 || *cases < 1000 {
		return
	}
	for _, what := range []string{
		"Endpoints create", "Endpoints update", "EndpointSlice create", "EndpointSlice update", "EndpointSlice delete", "NotFound", "SubsetsReset",
		"AddressesChanged", "PortsChanged", "SkipMirrorLabel", "OutOfStep", "AddressTypeChanged", "NoLeases", "LeaseNotFound",
	} {
		if reached[what] < 20 {
			t.Errorf("%s: %d times only", what, reached[what])
		}
	}
}

func (p *servicePlan) read() string {
	for place := range p.Writes {
		write := &p.Writes[place]
		if write.Operation == "delete" {
			continue
		}
		var err error
		if write.Kind == "Endpoints" {
			err = json.Unmarshal(write.Object, &write.endpoints)
		} else {
			err = json.Unmarshal(write.Object, &write.slice)
		}
		if err != nil {
			return err.Error()
		}
	}
	return ""
}

// compareService reports how the two differ. Updates of Endpoints that change
// nothing are not in our plans.
func compareService(request *serviceRequest, plan *servicePlan, reference *serviceOutcome) string {
	have := ""
	if plan.Error != nil {
		have = plan.Error.Message
		if plan.Error.Code == "LeaseNotFound" {
			have = plan.Error.Code
		}
	}
	if have != reference.Error {
		return fmt.Sprintf("error %q, not %q", have, reference.Error)
	}
	if len(plan.Leases) != len(reference.Leases) {
		return "leases"
	}
	for place, lease := range plan.Leases {
		if lease.Address != reference.Leases[place].Address || !lease.Expires.Equal(reference.Leases[place].Expires) {
			return "leases"
		}
	}
	var wanted []serviceWrite
	for _, write := range reference.Writes {
		if write.Verb == "update" && write.Endpoints != nil && apiequality.Semantic.DeepEqual(write.Endpoints, request.Endpoints) {
			continue
		}
		wanted = append(wanted, write)
	}
	if len(plan.Writes) != len(wanted) {
		return fmt.Sprintf("%d writes, not %d", len(plan.Writes), len(wanted))
	}
	for place, write := range plan.Writes {
		if problem := compareWrite(request, &write, &wanted[place]); problem != "" {
			return fmt.Sprintf("write %d: %s", place, problem)
		}
	}
	return ""
}

func compareWrite(request *serviceRequest, have *plannedWrite, want *serviceWrite) string {
	if have.Operation != want.Verb || (have.Kind == "Endpoints") != (want.Endpoints != nil) {
		return fmt.Sprintf("%s %s, not %s", have.Operation, have.Kind, want.Verb)
	}
	if want.Endpoints != nil {
		return compareEndpoints(have, want.Endpoints)
	}
	if have.Operation == "delete" {
		if have.Name != want.Slice.Name || have.UID != string(want.Slice.UID) || have.ResourceVersion != want.Slice.ResourceVersion {
			return "another slice is deleted"
		}
		return ""
	}
	slice := have.slice.DeepCopy()
	if have.Operation == "update" {
		// Kept by ours, where the reference writes the slice without them.
		for _, original := range request.Slices {
			if original.Name != slice.Name {
				continue
			}
			expected := metav1.ObjectMeta{Name: original.Name, Namespace: original.Namespace, UID: original.UID, ResourceVersion: original.ResourceVersion, Finalizers: original.Finalizers, Labels: slice.Labels}
			if !apiequality.Semantic.DeepEqual(slice.ObjectMeta, expected) {
				return "metadata"
			}
		}
		slice.UID, slice.ResourceVersion, slice.Finalizers = "", "", nil
	}
	slice.TypeMeta = metav1.TypeMeta{}
	if !apiequality.Semantic.DeepEqual(slice, want.Slice) {
		return fmt.Sprintf("slice\n%s\n%s", marshal(slice), marshal(want.Slice))
	}
	return ""
}

func compareEndpoints(have *plannedWrite, want *corev1.Endpoints) string {
	endpoints := have.endpoints.DeepCopy()
	if endpoints.Kind != "Endpoints" || endpoints.APIVersion != "v1" || have.UID != string(want.UID) || have.ResourceVersion != want.ResourceVersion {
		return "kind or identity"
	}
	endpoints.TypeMeta = want.TypeMeta
	if !apiequality.Semantic.DeepEqual(endpoints, want) {
		return fmt.Sprintf("endpoints\n%s\n%s", marshal(endpoints), marshal(want))
	}
	return ""
}

// Which addresses an API server refuses to publish.
func TestAddresses(t *testing.T) {
	ours := start(t, "kubernetes-service")
	reconciler := reconcilers.NewLeaseEndpointReconciler(reconcilers.EndpointsAdapter{}, &leases{})
	for _, text := range []string{
		"10.0.0.1", "0.0.0.0", "127.0.0.1", "127.255.0.1", "169.254.1.1", "169.253.1.1", "224.0.0.1", "224.0.0.255", "224.0.1.0", "::", "::1", "fe80::1", "febf::1",
		"fec0::1", "ff02::1", "ff12::1", "ff32::5", "ff05::1", "fd00::1", "255.255.255.255",
	} {
		request := marshal(map[string]any{"address": text, "ports": []any{}, "now": "2026-01-02T03:04:05Z"})
		refused := reconciler.ValidateIP(parse(text)) != nil
		if have := ours.refuses(request); have != refused {
			t.Errorf("%s: refused %v, not %v", text, have, refused)
		}
	}
}
