package oracle

import (
	v1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	kube "k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/proxy/apis"
)

// The requests of kube-proxy to API servers. It builds these selectors while
// starting its server; a test starts one and compares.
var (
	serviceLabels = mustParse("!" + apis.LabelServiceProxyName)
	serviceFields = fields.OneTermNotEqualSelector("spec.clusterIP", v1.ClusterIPNone)
	sliceLabels   = mustParse("!" + v1.IsHeadlessService)
)

func mustParse(selector string) kube.Selector {
	parsed, err := kube.Parse(selector)
	if err != nil {
		panic(err) // a constant
	}
	return parsed
}

func selectsService(service *v1.Service) bool {
	return serviceLabels.Matches(kube.Set(service.Labels)) && serviceFields.Matches(fields.Set{"spec.clusterIP": service.Spec.ClusterIP})
}

func selectsSlice(slice *discovery.EndpointSlice) bool {
	return sliceLabels.Matches(kube.Set(slice.Labels))
}

func nameOf(object metav1.Object) types.NamespacedName {
	return types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
}

// slice is a slice seen through a watch with a selector: one that is no longer
// selected is reported as deleted, in its last state, and then not at all.
func (o *Oracle) slice(slice *discovery.EndpointSlice, removed bool) {
	name := nameOf(slice)
	if selectsSlice(slice) {
		if removed {
			delete(o.slices, name)
		} else {
			o.slices[name] = slice
		}
		o.endpointsChanges.EndpointSliceUpdate(slice, removed)
		return
	}
	if previous, known := o.slices[name]; known {
		delete(o.slices, name)
		o.endpointsChanges.EndpointSliceUpdate(previous, true)
	}
}
