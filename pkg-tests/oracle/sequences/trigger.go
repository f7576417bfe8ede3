package sequences

import (
	"fmt"
	"math/rand"
	"time"

	corev1 "k8s.io/api/core/v1"
	endpointsliceutil "k8s.io/endpointslice/util"
)

// triggerTime draws syncs of Services whose pods are added, removed, and become
// ready again; times also go backwards, like those of different machines.
func triggerTime(r *rand.Rand) []Step {
	tracker := endpointsliceutil.NewTriggerTimeTracker()
	steps := make([]Step, 24)
	var pods []Object
	for i := range steps {
		service := service(r)
		of := typed[corev1.Service](service)
		if r.Intn(12) == 0 {
			steps[i] = Step{Do: "deleteService", Service: service}
			tracker.DeleteService(of.Namespace, of.Name)
			continue
		}
		if r.Intn(10) > 0 {
			created(r, service)
			of = typed[corev1.Service](service)
		}
		pods = nextPods(r, pods)
		step := Step{Do: "compute", Service: service, Pods: pods}
		at := tracker.ComputeEndpointLastChangeTriggerTime(of.Namespace, of, all[corev1.Pod](pods))
		if !at.IsZero() {
			step.Answer = at.UTC().Format(time.RFC3339)
		}
		steps[i] = step
	}
	return steps
}

// created is a Service's creation time: mostly the same, because it is rarely
// recreated.
func created(r *rand.Rand, service Object) {
	meta, _ := service["metadata"].(Object)
	meta["creationTimestamp"] = at(pick(r, 1, 1, 1, 1, 5, 9))
}

func at(minute int) string { return fmt.Sprintf("2026-01-02T03:%02d:00Z", minute) }

// nextPods are the pods of the previous sync, except for a few.
func nextPods(r *rand.Rand, before []Object) []Object {
	if r.Intn(4) == 0 {
		return before
	}
	next := []Object{}
	for i, name := range []string{"a", "b", "c"} {
		switch {
		case r.Intn(5) == 0: // gone
		case i < len(before) && r.Intn(2) == 0:
			next = append(next, before[i])
		default:
			next = append(next, pod(r, name))
		}
	}
	return next
}

func pod(r *rand.Rand, name string) Object {
	conditions := []Object{}
	if r.Intn(3) == 0 {
		conditions = append(conditions, Object{"type": "Initialized", "status": "True", "lastTransitionTime": at(r.Intn(10))})
	}
	ready := Object{"type": "Ready", "status": pick(r, "True", "True", "False")}
	if r.Intn(8) > 0 {
		ready["lastTransitionTime"] = at(r.Intn(10))
	}
	if r.Intn(8) > 0 {
		conditions = append(conditions, ready)
	}
	return Object{"metadata": Object{"namespace": "shop", "name": name}, "status": Object{"conditions": conditions}}
}
