//! What can be explained: codes, how bad each is as a rule, and what it says.

use serde::Serialize;

use super::{Severity, Topic};

macro_rules! codes {
    ($($Topic:ident { $($Code:ident $Severity:ident $meaning:literal;)* })*) => {
        /// The codes of explanations. The names are part of the contract and never change meaning.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[non_exhaustive]
        pub enum ExplanationCode {
            $($(
                #[doc = $meaning]
                $Code,
            )*)*
        }

        impl ExplanationCode {
            /// All of them.
            pub const ALL: &'static [Self] = &[$($(Self::$Code,)*)*];

            /// The name used in JSON.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($(Self::$Code => stringify!($Code),)*)*
                }
            }

            /// What it says, in one sentence.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $($(Self::$Code => $meaning,)*)*
                }
            }

            /// How bad it is, as a rule.
            pub const fn severity(self) -> Severity {
                match self {
                    $($(Self::$Code => Severity::$Severity,)*)*
                }
            }

            /// What it belongs to.
            pub const fn topic(self) -> Topic {
                match self {
                    $($(Self::$Code => Topic::$Topic,)*)*
                }
            }
        }
    };
}

codes! {
    Service {
        NoSelector Note "The Service has no selector, so no controller manages its slices.";
        ExternalName Note "An ExternalName Service has no endpoints.";
        ServiceBeingDeleted Risk "The Service is being deleted: no slices are created for it any more.";
        SelectsNothing Broken "The selector matches no pod; which pods nearly match.";
        NoReadyEndpoint Broken "The Service selects pods, but none of them is a ready endpoint.";
        NotReadyPublished Risk "`publishNotReadyAddresses` publishes pods as ready although they are not.";
        PortNotFound Broken "No selected pod has a port with the name that the Service uses.";
        PortNamedTwice Risk "A pod has several ports with the same name, of which only the first gets traffic; which ones.";
        PortNotDeclared Risk "Pods do not declare the port number that the Service sends traffic to; which ports they declare.";
        SelectsSeveralWorkloads Note "The selector matches pods of several workloads; which ones.";
        SeveralPortGroups Note "The pods have different numbers for the Service's named ports, each of which needs separate slices.";
        LocalTrafficUnserved Degraded "`internalTrafficPolicy: Local` drops traffic from nodes that have no endpoint; which ones.";
        KubernetesService Note "The API servers themselves manage `default/kubernetes`.";
        HiddenFromProxy Degraded "kube-proxy ignores the Service, or one of its slices or addresses; which, and why.";
        ExternalTrafficLocal Risk "`externalTrafficPolicy: Local`: which nodes fail the load balancer's health check, or drop external traffic.";
        SessionAffinity Note "`sessionAffinity: ClientIP` keeps each client on one endpoint, regardless of shares and hints.";
        TopologyKeysIgnored Degraded "`spec.topologyKeys` is set, which has had no effect since Kubernetes 1.22.";
        EndpointsMirrored Note "The Endpoints of the same name are mirrored into slices.";
        EndpointsNotMirrored Risk "The Endpoints of the same name are not mirrored into slices; why.";
        HeadlessNames Note "The DNS names that a headless Service gives.";
        HeadlessPort Risk "A headless Service does not translate ports; where its pods listen.";
        EventReported Note "What Events in the input report about the Service or its slices.";
        AddressRefused Broken "The API server refuses slices with the addresses of these pods or Endpoints; which ones.";
        ScopeOfSetting Note "A setting has no effect here, or another than its name says; which, and where it does.";
        TooManyPorts Broken "The Service has more ports than the API allows in a slice.";
    }
    Pods {
        PodIsEndpoint Note "The pod is an endpoint; where, and with which conditions and hints.";
        PodNotSelected Degraded "The selector does not match the pod; which label differs.";
        PodInOtherNamespace Degraded "The pod is in another namespace than the Service.";
        PodFinished Note "The pod has finished, and finished pods are not endpoints.";
        PodWithoutAddress Degraded "The pod has no IP address yet.";
        PodOfOtherFamily Degraded "The pod has no address in any of the Service's families.";
        FamilyWithoutEndpoint Degraded "No endpoint has an address of one of the Service's families.";
        PodNodeUnknown Degraded "The pod's node is unknown, so the pod is left out and the Service is retried.";
        PodNodeNotReady Risk "Pods count as ready although their node is not; which ones.";
        NodeFailed Degraded "A node is not ready, and neither are the Service's pods on it; which ones.";
        ZoneFailed Degraded "All nodes of a zone, or nearly all, are not ready; which of the Service's endpoints are there.";
        PodNotReady Degraded "The pod is an endpoint that is not ready; which condition, readiness gate or container is why.";
        PodTerminating Note "The pod is being deleted; what traffic it still gets.";
        PodWithoutPort Degraded "The pod lacks a named port of the Service.";
        PodRestarted Risk "A container of the pod was restarted; why it ended.";
        SubdomainUnresolved Degraded "Pods have a subdomain, and no headless Service of that name selects them, so their DNS names do not exist.";
        PodWithoutHostname Degraded "The pod gets no DNS name of its own from the Service.";
    }
    Nodes {
        NodeWithoutZone Degraded "The node has no zone, which turns `Auto` hints off for the whole cluster.";
        NodeWithoutCpu Degraded "The node has no allocatable CPU, which turns `Auto` hints off for the whole cluster.";
        NodeTainted Note "The node is tainted, which hints ignore.";
        NodeLeftOut Note "The node does not count for hints.";
    }
    Hints {
        HintsNotAsked Note "Hints are not requested; what requesting them would do.";
        HintsGiven Note "Hints are on; by which rule, with the arithmetic.";
        HintsLackNodeInformation Degraded "`Auto` hints are off because of nodes without zone or CPU; which ones.";
        HintsOneZone Risk "`Auto` hints are off because fewer than two zones have ready nodes.";
        HintsTooFewEndpoints Degraded "`Auto` hints are off because there are fewer ready endpoints than zones.";
        HintsOverload Degraded "`Auto` hints are off because a zone would be overloaded; the arithmetic, and the nearest counts that work.";
        HintsEndpointWithoutZone Degraded "`Auto` hints are off because a ready endpoint has no zone; which one, and why.";
        HintsMayFlap Risk "Hints are on, but a slightly different number of endpoints would turn them off.";
        HintsToOtherZone Note "Endpoints are hinted to a zone other than their own.";
        HintsRemoved Risk "Existing hints are removed from slices.";
        HintsAnnotationWins Risk "Two settings for hints conflict, and one is ignored.";
        HintsUnknownValue Degraded "A setting for hints has an unknown value.";
        HintsSwitchedOff Degraded "The controller is configured not to set the requested hints.";
        HintsNotFollowed Degraded "kube-proxy does not follow the hints of this Service, because a ready endpoint has none.";
        ZoneWithoutEndpoint Risk "A zone has nodes but no endpoint hinted to it; where its traffic goes.";
        ZoneOverloaded Risk "The endpoints of a zone would get much more traffic than those of other zones.";
    }
    Slices {
        NotWrittenEndpoint Degraded "An endpoint that the Service should have is not in any live slice: it has not been written yet.";
        NotWrittenRemoval Degraded "A live slice still has an endpoint that the Service should not have.";
        NotWrittenCondition Degraded "A live slice has the conditions of an endpoint wrong.";
        NotWrittenHint Degraded "A live slice has other hints for an endpoint than planned.";
        NotWrittenField Risk "A live slice has another field of an endpoint wrong: its zone, node, hostname or target.";
        NotWrittenPort Degraded "A live slice has other ports than planned.";
        NotWrittenLabel Note "A live slice has other labels than planned.";
        NotWrittenSlice Note "A slice is still to be created, written or deleted.";
        SliceCreated Note "Why a slice is created.";
        SliceUpdated Note "Why a slice is written.";
        SliceRecycled Note "A slice that would be deleted is reused for one that would be created.";
        SliceDeleted Note "Why a slice is deleted.";
        SlicePlaceholder Note "A Service without endpoints keeps one empty slice.";
        SliceNotFilled Note "A slice has room, but another one is created.";
        SlicesFragmented Note "The Service has more slices than it needs; how to pack them.";
        SliceOfOtherManager Risk "A slice of the Service belongs to another manager and is left alone.";
        SliceUnbound Degraded "A slice has the Service's endpoints but not the label that ties it to the Service.";
        SliceOfMissingService Note "Slices name a Service that is not in the input.";
        TargetElsewhere Risk "A slice refers to pods in another namespace, which some consumers do not accept.";
        SliceUnusable Risk "A slice is of a type that no Service can have.";
        SliceConflict Degraded "Slices contradict each other about an address; which one counts.";
        SliceBeingDeleted Risk "A slice is being deleted and left alone.";
        SliceNotOwned Risk "A slice belongs to an older Service of the same name.";
        SliceOfOtherFamily Note "A slice is of an address type that the Service does not have.";
        SliceAboveMaximum Note "A slice has more endpoints than the limit for new slices.";
        DuplicateEndpoint Note "An address is in several slices at once.";
    }
    Cost {
        WriteCost Note "The cost of writing this plan: writes, bytes, and bytes times watchers.";
        ChangeCost Note "The cost of the next change to one pod.";
    }
}
