package metrics

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// kinds of histories: what their Services are about.
var kinds = []struct {
	description string
	options     Options
	families    []corev1.IPFamily
	auto        bool
	traffic     bool
	steps       int
}{
	{"pods come and go", Options{2, true, true}, v4, false, false, 24},
	{"pods come and go, in big slices", Options{100, true, true}, v4, false, false, 12},
	{"two families", Options{2, true, true}, both, false, false, 14},
	{"two families with traffic distribution", Options{3, true, true}, both, false, true, 14},
	{"traffic distribution", Options{3, true, true}, v4, false, true, 18},
	{"traffic distribution without the newer values", Options{3, true, false}, v4, false, true, 12},
	{"topology hints", Options{2, true, true}, v4, true, false, 24},
	{"topology hints and traffic distribution", Options{4, true, true}, v4, true, true, 20},
	{"no topology cache", Options{2, false, true}, v4, true, true, 10},
}

var (
	v4   = []corev1.IPFamily{corev1.IPv4Protocol}
	v6   = []corev1.IPFamily{corev1.IPv6Protocol}
	both = []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
)

// makeHistories makes histories and runs the reference; the same seed gives the
// same requests, except for the contents of slices.
func makeHistories(seed uint64) ([]*History, error) {
	var histories []*History
	for number, kind := range kinds {
		d := &drawer{
			random:   rand.New(rand.NewPCG(seed, uint64(number))),
			families: kind.families, auto: kind.auto, traffic: kind.traffic,
			history: &History{Description: kind.description, Options: kind.options, Nodes: nodes(), Pods: map[string]*corev1.Pod{}},
		}
		for range kind.steps {
			d.history.Steps = append(d.history.Steps, d.step())
		}
		d.history.Steps = append(d.history.Steps, d.last()...)
		if err := d.history.Answer(false); err != nil {
			return nil, err
		}
		histories = append(histories, d.history)
	}
	return histories, nil
}

func nodes() []*corev1.Node {
	var made []*corev1.Node
	for _, zone := range []string{"a", "b", "c"} {
		made = append(made, &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: "node-" + zone, Labels: map[string]string{corev1.LabelTopologyZone: zone}},
			Status: corev1.NodeStatus{
				Allocatable: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("4")},
				Conditions:  []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
			},
		})
	}
	return made
}

// drawer draws the steps of one history.
type drawer struct {
	random        *rand.Rand
	families      []corev1.IPFamily
	auto, traffic bool
	history       *History
	services      map[string]*service
	born          int
}

// service is a Service with its current pods.
type service struct {
	object *corev1.Service
	pods   []pod
	next   int
}

type pod struct {
	number  int
	node    string
	ready   bool
	variant int
}

func (d *drawer) chance(of int) bool { return d.random.IntN(of) == 0 }

// step changes one Service or its pods, and syncs it.
func (d *drawer) step() *Step {
	name := []string{"cart", "shop", "till"}[d.random.IntN(3)]
	key := "default/" + name
	if d.services == nil {
		d.services = map[string]*service{}
	}
	s := d.services[name]
	if s == nil {
		s = &service{object: d.service(name)}
		d.services[name] = s
	} else if d.chance(9) || s.object.DeletionTimestamp != nil && d.chance(3) {
		delete(d.services, name)
		return &Step{Key: key}
	} else if d.chance(3) {
		d.change(s)
	}
	d.changePods(s)
	step := &Step{Key: key, Service: s.object.DeepCopy(), Pods: d.pods(name, s), Stale: d.chance(14)}
	if d.chance(3) {
		step.Refuse = d.refuse()
	}
	return step
}

// last are syncs of Services that are not managed, and the deletion of one.
func (d *drawer) last() []*Step {
	var steps []*Step
	for number, name := range []string{"cart", "shop", "till"} {
		s := d.services[name]
		if s == nil {
			continue
		}
		object := s.object.DeepCopy()
		switch number {
		case 0:
			object.Spec.Type = corev1.ServiceTypeExternalName
		case 1:
			object.Spec.Selector = nil
		case 2:
			object = nil
		}
		steps = append(steps, &Step{Key: "default/" + name, Service: object})
	}
	return steps
}

func (d *drawer) service(name string) *corev1.Service {
	d.born++
	families := d.families
	if len(families) > 1 && d.chance(4) {
		families = v6
	}
	object := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID(fmt.Sprintf("service-%d", d.born))},
		Spec: corev1.ServiceSpec{
			Selector: map[string]string{"app": name}, IPFamilies: families, ClusterIP: "10.96.0.1",
			Ports: []corev1.ServicePort{{Name: "web", Protocol: corev1.ProtocolTCP, Port: 80, TargetPort: intstr.FromString("web")}},
		},
	}
	d.setMode(object)
	return object
}

func (d *drawer) setMode(object *corev1.Service) {
	object.Annotations, object.Spec.TrafficDistribution = nil, nil
	if d.auto && !d.chance(3) {
		object.Annotations = map[string]string{corev1.AnnotationTopologyMode: "Auto"}
	}
	if d.traffic && !d.chance(4) {
		values := []string{"PreferClose", "PreferSameZone", "PreferSameNode", "Other"}
		object.Spec.TrafficDistribution = &values[d.random.IntN(len(values))]
	}
}

func (d *drawer) change(s *service) {
	switch d.random.IntN(7) {
	case 0:
		s.object.Labels = map[string]string{"team": fmt.Sprint(d.random.IntN(3))}
	case 1:
		if len(d.families) > 1 && len(s.object.Spec.IPFamilies) == 1 {
			s.object.Spec.IPFamilies = both
		} else if len(d.families) > 1 {
			s.object.Spec.IPFamilies = v4
		}
	case 2:
		s.object.DeletionTimestamp = &metav1.Time{Time: time.Unix(1767225600, 0).UTC()}
	default:
		d.setMode(s.object)
	}
}

func (d *drawer) changePods(s *service) {
	switch d.random.IntN(12) {
	case 0: // nothing
	case 1:
		s.pods = nil
	case 2, 3:
		for place := range s.pods {
			s.pods[place].ready = d.chance(2)
		}
	default:
		kept := s.pods[:0]
		for _, old := range s.pods {
			if !d.chance(4) {
				kept = append(kept, old)
			}
		}
		s.pods = kept
		for range d.random.IntN(6) {
			s.next++
			s.pods = append(s.pods, d.newPod(s.next))
		}
		s.pods = s.pods[:min(len(s.pods), 8)]
	}
}

func (d *drawer) newPod(number int) pod {
	made := pod{number: number, node: "node-" + string("abc"[number%3]), ready: !d.chance(6), variant: 8080}
	if d.chance(4) {
		made.variant = 9090
	}
	if d.chance(25) {
		made.node = "node-lost"
	}
	return made
}

// pods are the keys of the Service's pods, which are added to the history.
func (d *drawer) pods(app string, s *service) []string {
	var keys []string
	for _, p := range s.pods {
		key := fmt.Sprintf("%s-%d %s %d", app, p.number, p.node, p.variant)
		if !p.ready {
			key += " unready"
		}
		d.history.Pods[key] = p.object(app)
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func (p pod) object(app string) *corev1.Pod {
	ready := corev1.ConditionFalse
	if p.ready {
		ready = corev1.ConditionTrue
	}
	name := fmt.Sprintf("%s-%d", app, p.number)
	net := map[string]int{"cart": 1, "shop": 2, "till": 3}[app]
	ip4, ip6 := fmt.Sprintf("10.0.%d.%d", net, p.number), fmt.Sprintf("fd00::%d:%d", net, p.number)
	made := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID(name), Labels: map[string]string{"app": app}},
		Status: corev1.PodStatus{
			PodIPs:     []corev1.PodIP{{IP: ip4}, {IP: ip6}},
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: ready}},
		},
	}
	// Some pods have one family only, so that the families differ.
	if p.number%4 == 3 {
		made.Status.PodIPs = made.Status.PodIPs[:1]
	}
	made.Spec.NodeName = p.node
	made.Spec.Containers = []corev1.Container{{Ports: []corev1.ContainerPort{{Name: "web", Protocol: corev1.ProtocolTCP, ContainerPort: int32(p.variant)}}}}
	return made
}

func (d *drawer) refuse() *Refuse {
	refused := &Refuse{
		Verb:   []string{"create", "update", "delete"}[d.random.IntN(3)],
		Family: []discovery.AddressType{discovery.AddressTypeIPv4, discovery.AddressTypeIPv6}[d.random.IntN(2)],
		Number: d.random.IntN(4) / 3,
	}
	if len(d.families) == 1 {
		refused.Family = discovery.AddressTypeIPv4
	}
	refused.Terminating = refused.Verb == "create" && d.chance(2)
	return refused
}
