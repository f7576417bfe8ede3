package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"slicewise/oracle"
)

// PortsText is the identity of a list of ports whatever its order:
// name/protocol/port/appProtocol of each, sorted; "-" is a field that is unset.
func PortsText(ports []discovery.EndpointPort) string {
	texts := make([]string, len(ports))
	for i, port := range ports {
		texts[i] = fmt.Sprintf("%s/%s/%s/%s",
			orDash(port.Name), orDash(port.Protocol), orDash(port.Port), orDash(port.AppProtocol))
	}
	slices.Sort(texts)
	return strings.Join(texts, ",")
}

func orDash[T any](value *T) string {
	if value == nil {
		return "-"
	}
	return fmt.Sprint(*value)
}

// identity is what makes endpoints the same for the reference: addresses,
// hostname and the name of the target.
func identity(endpoint *discovery.Endpoint) string {
	hostname, target := "", ""
	if endpoint.Hostname != nil {
		hostname = *endpoint.Hostname
	}
	if ref := endpoint.TargetRef; ref != nil {
		target = ref.Namespace + "/" + ref.Name
	}
	addresses := slices.Sorted(slices.Values(endpoint.Addresses))
	return strings.Join(addresses, ",") + "|" + hostname + "|" + target
}

// home is a place where an endpoint may be found.
type home struct{ addressType, ports, id string }

// homes counts the Service's own slices that contained an endpoint before.
func homes(p *oracle.Prepared) map[home]int {
	count := map[home]int{}
	for _, slice := range p.Slices {
		if !ownedBy(slice, p.Service) {
			continue
		}
		seen := map[home]bool{}
		for i := range slice.Endpoints {
			at := home{string(slice.AddressType), PortsText(slice.Ports), identity(&slice.Endpoints[i])}
			if !seen[at] {
				seen[at] = true
				count[at]++
			}
		}
	}
	return count
}

// mayKeep reports whether a slice that was original before, and has these ports
// now, can have kept endpoints: one that took over another's place has not.
func mayKeep(original *discovery.EndpointSlice, ports string, p *oracle.Prepared) bool {
	return original != nil && PortsText(original.Ports) == ports && ownedBy(original, p.Service)
}

func ready(endpoint *discovery.Endpoint) bool {
	return endpoint.Conditions.Ready != nil && *endpoint.Conditions.Ready
}

func zone(endpoint *discovery.Endpoint) string {
	if endpoint.Zone == nil {
		return ""
	}
	return *endpoint.Zone
}

// hintText is the hinted zones of an endpoint, "" for none.
func hintText(endpoint *discovery.Endpoint) string {
	if endpoint.Hints == nil {
		return ""
	}
	names := make([]string, len(endpoint.Hints.ForZones))
	for i, zone := range endpoint.Hints.ForZones {
		names[i] = zone.Name
	}
	return strings.Join(names, "+")
}

func ownedBy(slice *discovery.EndpointSlice, service *corev1.Service) bool {
	return slices.ContainsFunc(slice.OwnerReferences, func(owner metav1.OwnerReference) bool {
		return owner.UID == service.UID && owner.Kind == "Service" && owner.APIVersion == "v1"
	})
}

// wantsAuto says whether topology mode Auto decides the hints; the deprecated
// annotation wins.
func wantsAuto(p *oracle.Prepared) bool {
	value, ok := p.Service.Annotations[corev1.DeprecatedAnnotationTopologyAwareHints]
	if !ok {
		value = p.Service.Annotations[corev1.AnnotationTopologyMode]
	}
	return p.Options.TopologyHints && (value == "Auto" || value == "auto")
}

// canonical is JSON without HTML escapes; Go sorts the keys of maps, and the
// order of struct fields is fixed.
func canonical(value any) json.RawMessage {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // no value of this package fails to encode
	}
	return bytes.TrimSpace(buffer.Bytes())
}
