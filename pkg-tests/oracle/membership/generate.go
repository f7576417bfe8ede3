package membership

import (
	"fmt"
	"math/rand/v2"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var (
	keys   = []string{"app", "tier", "track"}
	values = []string{"a", "b", "c"}
)

func generate(random *rand.Rand) Case {
	var c Case
	for number := range 1 + random.IntN(7) {
		service := Service{Namespace: namespace(random), Name: fmt.Sprintf("s%d", number)}
		switch random.IntN(9) {
		case 0: // no selector at all
		case 1:
			service.SelectsAll = true
		default:
			service.Selector = labels(random, 1+random.IntN(2))
		}
		c.Services = append(c.Services, service)
	}
	pod := newPod(random)
	switch random.IntN(8) {
	case 0:
		c.New = pod
	case 1:
		c.Old = pod
	default:
		c.Old, c.New = pod, changed(random, pod)
	}
	return c
}

func namespace(random *rand.Rand) string {
	return []string{"shop", "shop", "shop", "data"}[random.IntN(4)]
}

// labels is nil rather than empty, as JSON has it.
func labels(random *rand.Rand, count int) map[string]string {
	if count == 0 {
		return nil
	}
	made := map[string]string{}
	for _, place := range random.Perm(len(keys))[:count] {
		made[keys[place]] = values[random.IntN(len(values))]
	}
	return made
}

func newPod(random *rand.Rand) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace(random), Name: "p", ResourceVersion: "1"}}
	pod.Labels = labels(random, random.IntN(4))
	if random.IntN(4) == 0 {
		pod.Spec.Hostname = "h"
	}
	pod.Status = status(random)
	if random.IntN(6) == 0 {
		pod.DeletionTimestamp = &metav1.Time{Time: time.Unix(1767225600, 0).UTC()}
	}
	return pod
}

func status(random *rand.Rand) corev1.PodStatus {
	var made corev1.PodStatus
	for number := range random.IntN(3) {
		made.PodIPs = append(made.PodIPs, corev1.PodIP{IP: fmt.Sprintf("10.0.%d.%d", number, 1+random.IntN(2))})
	}
	if random.IntN(3) > 0 {
		condition := corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionFalse}
		if random.IntN(2) == 0 {
			condition.Status = corev1.ConditionTrue
		}
		made.Conditions = []corev1.PodCondition{condition}
	}
	if random.IntN(4) == 0 {
		made.Phase = []corev1.PodPhase{corev1.PodSucceeded, corev1.PodFailed, corev1.PodRunning}[random.IntN(3)]
	}
	return made
}

// changed changes at most two things, so that most changes are of one kind.
func changed(random *rand.Rand, before *corev1.Pod) *corev1.Pod {
	pod := before.DeepCopy()
	if random.IntN(10) > 0 {
		pod.ResourceVersion = "2"
	}
	for range random.IntN(3) {
		switch random.IntN(9) {
		case 0, 1, 2:
			pod.Labels = labels(random, random.IntN(4))
		case 3, 4:
			pod.Status = status(random)
		case 5:
			pod.Spec.Hostname = []string{"", "h", "i"}[random.IntN(3)]
		case 6:
			pod.Spec.Subdomain = []string{"", "sub"}[random.IntN(2)]
		case 7:
			pod.Status.Phase = corev1.PodSucceeded
		case 8:
			pod.DeletionTimestamp = &metav1.Time{Time: time.Unix(1767225600, 0).UTC()}
		}
	}
	return pod
}
