//! Families of the Service that its pods do not have: a pod here and there, or all of them.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::say;
use super::scene::Scene;
use super::words::list;
use crate::edited::with_fields;
use slicewise::model::{AddressType, Pod};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code};
use slicewise::reconcile::address_types;
use slicewise::words::counted;

/// The pods without an address of a family that no endpoint has, which are told together.
pub(super) struct Bare<'s> {
    families: Vec<(AddressType, Vec<&'s Pod<'s>>)>,
}

impl<'s> Bare<'s> {
    /// The families without an endpoint, if the Service has endpoints of another. A headless Service has addresses of
    /// both families in DNS as far as its pods do, so that clients use what there is.
    pub(super) fn new(scene: &Scene<'_>) -> Self {
        let families = address_types(scene.case.service);
        let (bare, used): (Vec<AddressType>, Vec<AddressType>) = families
            .into_iter()
            .partition(|family| scene.endpoints(*family).next().is_none());
        let is_told = !used.is_empty() && !scene.case.service.is_headless();
        let bare = bare.into_iter().filter(|_| is_told);
        Self {
            families: bare.map(|family| (family, Vec::new())).collect(),
        }
    }

    /// Takes a pod without an address of a family; says whether it did.
    pub(super) fn takes(&mut self, family: AddressType, pod: &'s Pod<'s>) -> bool {
        let mut families = self.families.iter_mut();
        let Some((_, pods)) = families.find(|(bare, _)| *bare == family) else {
            return false;
        };
        pods.push(pod);
        true
    }

    /// Explains each family.
    pub(super) fn explain(self, scene: &Scene<'_>) -> Vec<Explanation> {
        let families = self.families.into_iter();
        let told = families.filter_map(|(family, pods)| without_endpoint(scene, family, &pods));
        told.collect()
    }
}

fn without_endpoint(
    scene: &Scene<'_>,
    family: AddressType,
    pods: &[&Pod<'_>],
) -> Option<Explanation> {
    let service = &scene.case.service.metadata;
    let first = pods.first()?;
    let addresses = first.status.pod_ips.iter();
    let addresses: Vec<String> = addresses.map(|entry| entry.ip.to_string()).collect();
    let name = family.as_str();
    let is_first = address_types(scene.case.service).first() == Some(&family);
    let explanation = say::service(
        Code::FamilyWithoutEndpoint,
        scene.case.service,
        format!("The Service has no {name} endpoint."),
    )
    .because(match pods.len() {
        1 => format!("Pod {} only has {}.", first.metadata.name, list(&addresses)),
        number => format!(
            "None of {} has an {name} address; Pod {} only has {}.",
            counted(number, "pod"),
            first.metadata.name,
            list(&addresses)
        ),
    })
    .details(format!(
        "The Service has the family {name} (spec.ipFamilies), but its {name} slice is empty: connections to its {name} address are refused, and clients that prefer {name} fail or try the other family. A pod gets its addresses when it is created, one of each family that the cluster and its network plugin then have."
    ))
    .family(family)
    .figure("pods", pods.len())
    .fix(
        "recreate the pods, if the cluster and its network plugin are dual-stack",
        format!("new pods also have an {name} address"),
    )
    .look(
        "kubectl get nodes -o jsonpath='{.items[*].spec.podCIDRs}'",
        format!("whether nodes have a range of {name} addresses to give to pods"),
    );
    Some(if is_first {
        explanation.fix(
            "or recreate the Service without this family: its first one cannot be changed",
            "clients only get the address that works",
        )
    } else {
        explanation.fixes([say::fix(
            format!(
                "or kubectl patch service {} -n {} -p '{{\"spec\":{{\"ipFamilyPolicy\":\"SingleStack\"}}}}'",
                service.name, service.namespace
            ),
            "the Service keeps its first family only, and clients only get the address that works",
        )
        .by([with_fields(scene.case.service, &[("ipFamilyPolicy", "SingleStack")])])])
    })
}

/// A pod without an address of a family that others have, or the only one.
pub(super) fn of_other_family(pod: &Pod<'_>, family: AddressType, is_nowhere: bool) -> Explanation {
    let name = &pod.metadata.name;
    let addresses: Vec<String> = pod
        .status
        .pod_ips
        .iter()
        .map(|entry| entry.ip.to_string())
        .collect();
    if addresses.is_empty() {
        let message = format!(
            "Pod {name} has status.podIP but an empty status.podIPs, and only the latter is used: it is not in any {} slice.",
            family.as_str()
        );
        return say::pod(
            Code::PodOfOtherFamily,
            pod,
            format!("Pod {name} is in no {} slice.", family.as_str()),
        )
        .because("Its status has podIP but no podIPs, and only the latter is used.")
        .details(message)
        .family(family)
        .fix(
            "find out why the kubelet of its node only sets podIP",
            "every kubelet since 1.16 sets both",
        );
    }
    let (effect, rest) = if is_nowhere {
        (
            "it is not an endpoint at all",
            "the Service and the pod have no address family in common",
        )
    } else {
        (
            "it is in the other family's slices only",
            "clients of this family cannot reach it",
        )
    };
    let message = format!(
        "Pod {name} has no {} address (it has {}): {effect}; {rest}.",
        family.as_str(),
        list(&addresses)
    );
    say::pod(Code::PodOfOtherFamily, pod, format!("Pod {name} is in no {} slice.", family.as_str())).because(format!("Its addresses are {}.", list(&addresses))).details(message)
        .family(family)
        .figure("addresses", addresses.iter().map(String::as_str).collect::<Vec<_>>().as_slice())
        .fix(
            "give the pod both families (this takes a dual-stack cluster and network plugin; pods get their addresses when they are created)",
            format!("new pods are also in the {} slices", family.as_str()),
        )
        .fix(
            "or set spec.ipFamilies of the Service to the pods' family (the first family of a Service cannot be changed: recreate the Service)",
            "the pods become endpoints",
        )
}
