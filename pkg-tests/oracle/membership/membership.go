// Package membership asks the reference which Services a change of a pod
// affects.
package membership

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/endpointslice/util"

	"slicewise/oracle/release"
)

// Case is a change of one pod in a cluster with some Services.
type Case struct {
	Services []Service   `json:"services"`
	Old      *corev1.Pod `json:"old,omitempty"`
	New      *corev1.Pod `json:"new,omitempty"`
	// Expected is the reference's answer, as sorted namespace/name.
	Expected []string `json:"expected"`
}

// Service has the relevant fields of a Service.
type Service struct {
	Namespace string            `json:"namespace"`
	Name      string            `json:"name"`
	Selector  map[string]string `json:"selector,omitempty"`
	// SelectsAll distinguishes an empty selector from none, which JSON omits alike.
	SelectsAll bool `json:"selectsAll,omitempty"`
}

// Cases makes cases; the same seed gives the same cases.
func Cases(seed uint64, count int) ([]Case, error) {
	var cases []Case
	for number := range count {
		c := generate(rand.New(rand.NewPCG(seed, uint64(number))))
		if err := c.ask(); err != nil {
			return nil, fmt.Errorf("case %d: %w", number, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

func (c *Case) ask() error {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	for _, service := range c.Services {
		object := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: service.Namespace, Name: service.Name}}
		object.Spec.Selector = service.Selector
		if service.SelectsAll {
			object.Spec.Selector = map[string]string{}
		}
		if err := indexer.Add(object); err != nil {
			return err
		}
	}
	key := util.GetPodUpdateProjectionKey(object(c.Old), object(c.New))
	services, err := util.GetServicesToUpdate(corelisters.NewServiceLister(indexer), key)
	if err != nil {
		return err
	}
	c.Expected = services.UnsortedList()
	slices.Sort(c.Expected)
	if c.Expected == nil {
		c.Expected = []string{}
	}
	return nil
}

// object gives a copy, as informers do: two events never share a pointer.
func object(pod *corev1.Pod) any {
	if pod == nil {
		return nil
	}
	return pod.DeepCopy()
}

// Name is that of the golden file.
const Name = "membership.json"

// Text is the golden file of this version in a folder: all cases, or the answers
// that differ from those of the default version, by number.
func Text(folder string) ([]byte, error) {
	if release.Version != release.Default {
		return differences(filepath.Join(folder, Name))
	}
	cases, err := Cases(Seed, Count)
	if err != nil {
		return nil, err
	}
	return marshalCompact(cases)
}

func differences(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var cases []Case
	if err := json.Unmarshal(text, &cases); err != nil {
		return nil, err
	}
	found := map[int][]string{}
	for number, c := range cases {
		usual := c.Expected
		if err := c.ask(); err != nil {
			return nil, fmt.Errorf("case %d: %w", number, err)
		}
		if !slices.Equal(usual, c.Expected) {
			found[number] = c.Expected
		}
	}
	text, err = json.Marshal(found)
	return append(text, '\n'), err
}

// marshalCompact writes cases, one per line.
func marshalCompact(cases []Case) ([]byte, error) {
	text := []byte("[\n")
	for number, c := range cases {
		line, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		text = append(text, line...)
		if number < len(cases)-1 {
			text = append(text, ',')
		}
		text = append(text, '\n')
	}
	return append(text, "]\n"...), nil
}

// Seed and Count are those of the file that slicewise is tested with.
const (
	Seed  = 1
	Count = 300
)
