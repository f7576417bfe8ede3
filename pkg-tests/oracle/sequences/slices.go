package sequences

import (
	"math/rand"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	endpointsliceutil "k8s.io/endpointslice/util"
)

// sliceTracker draws writes, watch events and questions about a few slices, so
// that expectations are met, missed and overtaken.
func sliceTracker(r *rand.Rand) []Step { return trackerSteps(r, service) }

// recreatedServices are the same with Services that come again with another uid.
func recreatedServices(r *rand.Rand) []Step {
	return trackerSteps(r, func(r *rand.Rand) Object {
		service := service(r)
		meta, _ := service["metadata"].(Object)
		meta["uid"] = pick(r, "one", "one", "one", "two", "two", "")
		return service
	})
}

func trackerSteps(r *rand.Rand, asked func(*rand.Rand) Object) []Step {
	tracker := endpointsliceutil.NewEndpointSliceTracker()
	steps := make([]Step, 40)
	for i := range steps {
		step := Step{Slice: slice(r)}
		given := typed[discovery.EndpointSlice](step.Slice)
		switch r.Intn(10) {
		case 0, 1:
			step.Do = "update"
			tracker.Update(given)
		case 2:
			step.Do = "expectDeletion"
			tracker.ExpectDeletion(given)
		case 3:
			step.Do, step.Answer = "handleDeletion", tracker.HandleDeletion(given)
		case 4:
			step.Do, step.Answer = "has", tracker.Has(given)
		case 5, 6:
			step.Do, step.Answer = "shouldSync", tracker.ShouldSync(given)
		case 7, 8:
			step = staleSlices(r, tracker, asked(r))
		case 9:
			if r.Intn(3) > 0 {
				step.Do, step.Answer = "has", tracker.Has(given)
				break
			}
			service := service(r)
			step = Step{Do: "deleteService", Service: service}
			of := typed[corev1.Service](service)
			tracker.DeleteService(of.Namespace, of.Name)
		}
		steps[i] = step
	}
	return steps
}

// staleSlices asks about the slices that a cache could show of one Service.
func staleSlices(r *rand.Rand, tracker *endpointsliceutil.EndpointSliceTracker, service Object) Step {
	step := Step{Do: "staleSlices", Service: service, Slices: []Object{}}
	for _, uid := range []string{"a", "b", "c"} {
		if r.Intn(3) > 0 {
			step.Slices = append(step.Slices, Object{"metadata": Object{"uid": uid, "generation": r.Intn(4)}})
		}
	}
	step.Answer = tracker.StaleSlices(typed[corev1.Service](service), all[discovery.EndpointSlice](step.Slices))
	return step
}

func service(r *rand.Rand) Object {
	return Object{"metadata": Object{"namespace": pick(r, "shop", "shop", "shop", "bank"), "name": pick(r, "cart", "cart", "cart", "till")}}
}

// slice is one of a few. Sometimes it lacks an owner or a generation.
func slice(r *rand.Rand) Object {
	meta, _ := service(r)["metadata"].(Object)
	if r.Intn(20) > 0 {
		meta["labels"] = Object{discovery.LabelServiceName: meta["name"]}
	}
	delete(meta, "name")
	meta["uid"] = pick(r, "a", "b", "c")
	if generation := r.Intn(4); generation > 0 {
		meta["generation"] = generation
	}
	return Object{"metadata": meta}
}
