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

// idle does nothing with what it is told.
type idle struct{ proxy.Provider }

func (idle) SyncLoop()                      {}
func (idle) OnServiceSynced()               {}
func (idle) OnEndpointSlicesSynced()        {}
func (idle) OnServiceCIDRsChanged([]string) {}

// The reference's own server is started, with a client that notes what it is
// asked for: that is what the oracle's selectors must be.
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
