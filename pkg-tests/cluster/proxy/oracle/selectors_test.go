package oracle

import (
	"context"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/events"
	"k8s.io/kubernetes/cmd/kube-proxy/app"
	"k8s.io/kubernetes/pkg/proxy"
	"k8s.io/kubernetes/pkg/proxy/apis/config"
)

// idle ignores what it receives.
type idle struct{ proxy.Provider }

func (idle) SyncLoop()                      {}
func (idle) OnServiceSynced()               {}
func (idle) OnEndpointSlicesSynced()        {}
func (idle) OnServiceCIDRsChanged([]string) {}

// Starts the reference's own server with a client that records its requests:
// the oracle's selectors must be the same.
func TestSelectorsAreThoseOfTheServer(t *testing.T) {
	var lock sync.Mutex
	asked := map[string]string{}
	note := func(resource, labels, fields string) {
		lock.Lock()
		defer lock.Unlock()
		asked[resource] = labels + " " + fields
	}
	client := fake.NewClientset()
	client.PrependReactor("list", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		if list, is := action.(clienttesting.ListAction); is {
			selected := list.GetListRestrictions()
			note(action.GetResource().Resource, selected.Labels.String(), selected.Fields.String())
		}
		return false, nil, nil
	})
	client.PrependWatchReactor("*", func(action clienttesting.Action) (bool, watch.Interface, error) {
		if watched, is := action.(clienttesting.WatchAction); is {
			selected := watched.GetWatchRestrictions()
			note(action.GetResource().Resource, selected.Labels.String(), selected.Fields.String())
		}
		return false, nil, nil
	})
	server := &app.ProxyServer{
		Config:   &config.KubeProxyConfiguration{},
		Client:   client,
		Recorder: events.NewFakeRecorder(8),
		Proxier:  idle{},
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() { _ = server.Run(ctx) }() // it never returns
	want := map[string]string{
		"services":       serviceLabels.String() + " " + serviceFields.String(),
		"endpointslices": sliceLabels.String() + " ",
	}
	for resource, selectors := range want {
		have := ""
		for deadline := time.Now().Add(time.Minute); have == "" && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
			lock.Lock()
			have = asked[resource]
			lock.Unlock()
		}
		if have != selectors {
			t.Errorf("%s are asked for by %q, the oracle selects by %q", resource, have, selectors)
		}
	}
}
