package migration

import (
	"fmt"
	"maps"
	"net"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/kubernetes/pkg/controlplane/reconcilers"
)

type serviceRequest struct {
	Reconciler     string                     `json:"reconciler"`
	Operation      string                     `json:"operation"`
	Stopped        bool                       `json:"stopped"`
	ServiceName    string                     `json:"serviceName"`
	Address        string                     `json:"address"`
	Ports          []corev1.EndpointPort      `json:"ports"`
	ReconcilePorts bool                       `json:"reconcilePorts"`
	APIServerCount int                        `json:"apiServerCount"`
	Leases         []lease                    `json:"leases"`
	LeaseSeconds   int                        `json:"leaseDurationSeconds"`
	Now            time.Time                  `json:"now"`
	Endpoints      *corev1.Endpoints          `json:"endpoints"`
	Slices         []*discovery.EndpointSlice `json:"slices"`
}

type lease struct {
	Address string    `json:"address"`
	Expires time.Time `json:"expires"`
}

// leases is storage whose entries expire, as in etcd.
type leases struct {
	until map[string]time.Time
	now   time.Time
	last  time.Duration
}

func (l *leases) isLive(ip string) bool { return l.until[ip].After(l.now) }

func (l *leases) ListLeases() ([]string, error) {
	var live []string
	for _, ip := range slices.Sorted(maps.Keys(l.until)) {
		if l.isLive(ip) {
			live = append(live, ip)
		}
	}
	return live, nil
}

func (l *leases) UpdateLease(ip string) error {
	l.until[ip] = l.now.Add(l.last)
	return nil
}

func (l *leases) RemoveLease(ip string) error {
	if !l.isLive(ip) {
		return storage.NewKeyNotFoundError(ip, 0)
	}
	delete(l.until, ip)
	return nil
}

func (l *leases) Destroy() {}

type serviceOutcome struct {
	Writes []serviceWrite
	Leases []lease
	Error  string
}

type serviceWrite struct {
	Verb      string
	Endpoints *corev1.Endpoints
	Slice     *discovery.EndpointSlice
}

// serviceReference makes one call of the reference's reconciler.
func serviceReference(request *serviceRequest) *serviceOutcome {
	outcome := &serviceOutcome{}
	client := store(request, outcome)
	adapter := reconcilers.NewEndpointsAdapter(client.CoreV1(), client.DiscoveryV1())
	stored := &leases{map[string]time.Time{}, request.Now, time.Duration(request.LeaseSeconds) * time.Second}
	for _, lease := range request.Leases {
		stored.until[lease.Address] = lease.Expires
	}
	var reconciler reconcilers.EndpointReconciler
	switch request.Reconciler {
	case "lease":
		reconciler = reconcilers.NewLeaseEndpointReconciler(adapter, stored)
	case "master-count":
		reconciler = reconcilers.NewMasterCountEndpointReconciler(request.APIServerCount, adapter)
	default:
		reconciler = reconcilers.NewNoneEndpointReconciler()
	}
	if request.Stopped {
		reconciler.StopReconciling()
	}
	var ports []corev1.EndpointPort
	for _, port := range request.Ports {
		ports = append(ports, *port.DeepCopy())
	}
	var err error
	ip := net.ParseIP(request.Address)
	if request.Operation == "remove" {
		err = reconciler.RemoveEndpoints(request.ServiceName, ip, ports)
	} else {
		err = reconciler.ReconcileEndpoints(request.ServiceName, ip, ports, request.ReconcilePorts)
	}
	switch {
	case storage.IsNotFound(err):
		outcome.Error = "LeaseNotFound"
	case err != nil:
		outcome.Error = err.Error()
	}
	if request.Reconciler == "lease" {
		live, _ := stored.ListLeases()
		for _, ip := range live {
			outcome.Leases = append(outcome.Leases, lease{ip, stored.until[ip]})
		}
	}
	return outcome
}

// store answers as an API server would, and records writes.
func store(request *serviceRequest, outcome *serviceOutcome) *fake.Clientset {
	endpoints := request.Endpoints.DeepCopy()
	held := map[string]*discovery.EndpointSlice{}
	for _, slice := range request.Slices {
		held[slice.Namespace+"/"+slice.Name] = slice.DeepCopy()
	}
	client := &fake.Clientset{}
	client.AddReactor("*", "endpoints", func(action clienttesting.Action) (bool, runtime.Object, error) {
		verb := action.GetVerb()
		if verb == "get" {
			if endpoints == nil {
				return true, nil, apierrors.NewNotFound(corev1.Resource("endpoints"), "")
			}
			return true, endpoints.DeepCopy(), nil
		}
		if verb != "create" && verb != "update" || (verb == "create") != (endpoints == nil) {
			panic("unexpected: " + verb)
		}
		// Creates and updates have the object in the same place.
		endpoints = action.(clienttesting.CreateAction).GetObject().(*corev1.Endpoints).DeepCopy()
		outcome.Writes = append(outcome.Writes, serviceWrite{Verb: verb, Endpoints: endpoints.DeepCopy()})
		return true, endpoints.DeepCopy(), nil
	})
	client.AddReactor("*", "endpointslices", func(action clienttesting.Action) (bool, runtime.Object, error) {
		switch action := action.(type) {
		case clienttesting.GetActionImpl:
			if slice := held[action.Namespace+"/"+action.Name]; slice != nil {
				return true, slice.DeepCopy(), nil
			}
			return true, nil, apierrors.NewNotFound(discovery.Resource("endpointslices"), action.Name)
		case clienttesting.DeleteActionImpl:
			slice := held[action.Namespace+"/"+action.Name]
			delete(held, action.Namespace+"/"+action.Name)
			outcome.Writes = append(outcome.Writes, serviceWrite{Verb: "delete", Slice: slice})
			return true, nil, nil
		case clienttesting.CreateActionImpl:
			slice := action.GetObject().(*discovery.EndpointSlice).DeepCopy()
			outcome.Writes = append(outcome.Writes, serviceWrite{Verb: "create", Slice: slice})
			return true, slice.DeepCopy(), nil
		case clienttesting.UpdateActionImpl:
			slice := action.GetObject().(*discovery.EndpointSlice).DeepCopy()
			outcome.Writes = append(outcome.Writes, serviceWrite{Verb: "update", Slice: slice})
			return true, slice.DeepCopy(), nil
		}
		panic(fmt.Sprintf("unexpected: %s", action.GetVerb()))
	})
	return client
}
