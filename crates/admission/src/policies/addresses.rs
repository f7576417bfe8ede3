//! Rules for the addresses that traffic is sent to, regardless of the object that names them.
//!
//! Anyone who may write an EndpointSlice can send traffic anywhere (CVE-2021-25740): to pods of other namespaces, to
//! the node itself, to a cloud's metadata service.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::net::IpAddr;

use super::not_checked;
use super::reserved::reserved;
use crate::context::{ClusterUnknown, ClusterView};
use crate::objects::ReviewedTarget;
use crate::settings::WhenStale;
use crate::unread::PolicyConcern;
use crate::verdict::{Awaited, CauseType, Finding};
use crate::writers::Leads;
use slicewise::model::kind::Kind;
use slicewise::model::text::shorten;
use slicewise::model::{Cidr, Few, Text, ip};

/// Which addresses may be written.
pub(super) struct AddressRules<'s> {
    pub(super) cluster: &'s ClusterView<'s>,
    pub(super) when_stale: WhenStale,
    pub(super) allowed: Vec<Cidr>,
    pub(super) denied: Vec<Cidr>,
}

/// The position of an endpoint. Paths are only built for findings.
#[derive(Clone, Copy)]
pub(super) enum EndpointPosition {
    /// In a slice.
    Endpoint(usize),
    /// In a subset of Endpoints: the index of the subset, the list, and the index in that list.
    Subset(usize, &'static str, usize),
}

impl EndpointPosition {
    /// The path of one of its fields.
    pub(super) fn field(self, name: &str) -> String {
        match self {
            Self::Endpoint(number) => format!("endpoints[{number}].{name}"),
            Self::Subset(number, list, place) => {
                format!("subsets[{number}].{list}[{place}].{name}")
            }
        }
    }

    /// The path of one of its addresses.
    pub(super) fn address(self, number: usize) -> String {
        match self {
            Self::Endpoint(_) => self.field(&format!("addresses[{number}]")),
            Self::Subset(..) => self.field("ip"),
        }
    }
}

/// The parts of an endpoint that concern its addresses.
pub(super) struct Addressed<'e> {
    pub(super) place: EndpointPosition,
    /// Addresses, each with its index.
    pub(super) addresses: Few<(usize, IpAddr)>,
    pub(super) target: Option<&'e ReviewedTarget<'e>>,
    pub(super) node_name: Option<&'e Text<'e>>,
    pub(super) zone: Option<&'e Text<'e>>,
}

impl Addressed<'_> {
    pub(super) fn pod_name(&self) -> Option<&str> {
        let target = self.target.filter(|target| is_pod(Some(target)))?;
        Some(&target.name)
    }

    /// Does it say where its pod runs? Consumers choose endpoints by that.
    pub(super) const fn has_place(&self) -> bool {
        self.node_name.is_some() || self.zone.is_some()
    }
}

/// Declares the settings of a policy that judges addresses, and the rules they result in.
macro_rules! address_settings {
    ($(#[$($meta:tt)*])* $what:literal) => {
        $crate::settings::policy_settings! {
            $(#[$($meta)*])*
            Settings($what) {
                /// Address ranges (CIDRs) that need not belong to pods of the namespace, such as databases outside the
                /// cluster.
                "allowedCIDRs" allowed_cidrs: alloc::vec::Vec<alloc::string::String> = alloc::vec::Vec::new();
                /// Address ranges (CIDRs) that no endpoint may be in, such as those of Services and nodes.
                "deniedCIDRs" denied_cidrs: alloc::vec::Vec<alloc::string::String> = alloc::vec::Vec::new();
            }
            exempt $crate::policies::CONTROL_PLANE, when stale DenyIfWatched;
            fn check(&self) -> Result<(), (alloc::string::String, alloc::string::String)> {
                use $crate::policies::addresses::check_ranges;
                check_ranges("allowedCIDRs", &self.allowed_cidrs)?;
                check_ranges("deniedCIDRs", &self.denied_cidrs)
            }
        }

        impl Settings {
            fn rules<'s>(&self, cluster: &'s ClusterView<'s>) -> $crate::policies::addresses::AddressRules<'s> {
                use $crate::policies::addresses::{AddressRules, ranges};
                AddressRules {
                    cluster,
                    when_stale: self.when_stale,
                    allowed: ranges(&self.allowed_cidrs),
                    denied: ranges(&self.denied_cidrs),
                }
            }
        }
    };
}
pub(super) use address_settings;

/// The ranges of a setting. Unreadable ones are refused when the configuration is checked.
pub(super) fn ranges(texts: &[String]) -> Vec<Cidr> {
    texts.iter().filter_map(|text| Cidr::parse(text)).collect()
}

/// The first text in a list that is not a range, with its path below the policy.
pub(super) fn check_ranges(field: &str, texts: &[String]) -> Result<(), (String, String)> {
    for (number, text) in texts.iter().enumerate() {
        if Cidr::parse(text).is_none() {
            let message = format!(
                "`{}` is not an address range; write it like `10.0.0.0/8` or `fd00::/8`, with no bits set beyond its length",
                shorten(text)
            );
            return Err((format!("{field}/{number}"), message));
        }
    }
    Ok(())
}

impl AddressRules<'_> {
    /// Judges endpoints.
    pub(super) fn check(&self, endpoints: &[Addressed<'_>], findings: &mut Vec<Finding>) {
        let mut unknown = Vec::new();
        for endpoint in endpoints {
            for (number, address) in endpoint.addresses.iter() {
                match self.why_not(*address) {
                    Some((rule, message)) => {
                        findings.push(Finding::deny(
                            rule,
                            CauseType::FieldValueForbidden,
                            endpoint.place.address(*number),
                            message,
                        ));
                    }
                    None if longest(&self.allowed, *address).is_some() => {}
                    None => unknown.push((endpoint, *number, *address)),
                }
            }
        }
        let concerns_pods =
            |endpoint: &Addressed<'_>| is_pod(endpoint.target) || endpoint.has_place();
        if unknown.is_empty() && !endpoints.iter().any(concerns_pods) {
            return;
        }
        if let Err(why) = self.cluster.knows(&[Kind::Pod]) {
            let what = "addresses were not compared with the pods of the namespace";
            findings.extend(not_checked(self.when_stale, &why, what));
            return;
        }
        let mut unread = None;
        for (endpoint, number, address) in unknown {
            let has_read = self.has_read_owner(address);
            match has_read.and_then(|()| self.is_led_by_writer(endpoint, address)) {
                Ok(true) => {}
                Ok(false) => findings.extend(self.check_pod(endpoint, number, address)),
                Err(why) => unread = Some(why),
            }
        }
        for endpoint in endpoints {
            let is_led = |(_, address): &(usize, IpAddr)| {
                let is_led = self.is_led_by_writer(endpoint, *address);
                is_led.unwrap_or_default()
            };
            match self.has_read_target(endpoint) {
                Ok(()) if endpoint.addresses.iter().any(is_led) => {}
                Ok(()) => {
                    findings.extend(self.check_target(endpoint));
                    self.check_place(endpoint, findings);
                }
                Err(why) => unread = Some(why),
            }
        }
        if let Some(why) = unread {
            let what = "not all addresses were compared with the pods of the namespace";
            findings.extend(not_checked(self.when_stale, &why, what));
        }
    }

    /// Why no one may send traffic to an address, whoever has it. An address that leads to others is all of them: each
    /// must pass, and each only by a range that holds it, so that no spelling gets around a rule. If it is in both an
    /// allowed and a denied range, the narrower one wins. A reserved address is only allowed by a range within its
    /// reserved block, not by one that covers everything.
    fn why_not(&self, address: IpAddr) -> Option<(&'static str, String)> {
        let led_to = ip::embedded(address);
        let mut all = led_to.into_iter().flatten().map(IpAddr::V4);
        let why = self.why_not_itself(address);
        let (rule, message) = why.or_else(|| all.find_map(|other| self.why_not_itself(other)))?;
        let message = match address {
            IpAddr::V6(_) if !message.starts_with(&format!("{address} ")) => {
                format!("{address} leads to an IPv4 address: {message}")
            }
            _ => message,
        };
        Some((rule, message))
    }

    fn why_not_itself(&self, address: IpAddr) -> Option<(&'static str, String)> {
        if let Some(what) = reserved(address) {
            let is_meant = |range: &Cidr| {
                let mut ends = [range.first(), range.last()].into_iter();
                range.contains(address) && ends.all(|end| reserved(end) == Some(what))
            };
            if !self.allowed.iter().any(is_meant) {
                let message = format!("{address} is {what}, and no Service may point to it");
                return Some(("reserved-address", message));
            }
        }
        let denied = longest(&self.denied, address)?;
        if longest(&self.allowed, address).is_some_and(|allowed| allowed > denied) {
            return None;
        }
        let message =
            format!("{address} is in a range that `deniedCIDRs` forbids; use the address of a pod");
        Some(("denied-range", message))
    }

    /// Does a writer lead traffic beyond the namespace, as its work needs it? Never to pods that it has nothing to do with.
    fn is_led_by_writer(
        &self,
        endpoint: &Addressed<'_>,
        address: IpAddr,
    ) -> Result<bool, ClusterUnknown> {
        let mut writers = self.cluster.writers().writing().peekable();
        if writers.peek().is_none() {
            return Ok(false);
        }
        let pods = self.cluster.pods_anywhere_at(address);
        let mut namespaces = pods.iter().map(|pod| pod.namespace());
        if namespaces.any(|namespace| namespace == self.cluster.namespace()) {
            return Ok(false);
        }
        for writer in writers {
            let is_led = match writer.leads {
                Leads::Nowhere => false,
                Leads::OtherClusters => pods.is_empty(),
                Leads::Nodes => {
                    self.cluster.knows(&[Kind::Node])?;
                    endpoint.target.is_some_and(|target| {
                        target.kind == "Node"
                            && self.cluster.zone_of_node(&target.name).is_some()
                            && pods.iter().all(|pod| *pod.node_name() == *target.name)
                    })
                }
                Leads::Namespace(name) => pods.iter().any(|pod| pod.namespace() == name),
            };
            if is_led {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// An address that no known pod has may be that of a pod that could not be read.
    fn has_read_owner(&self, address: IpAddr) -> Result<(), ClusterUnknown> {
        match self.cluster.pods_at(address).is_empty() {
            true => self.cluster.has_read(PolicyConcern::Address(address)),
            false => Ok(()),
        }
    }

    fn has_read_target(&self, endpoint: &Addressed<'_>) -> Result<(), ClusterUnknown> {
        match endpoint.target.filter(|target| is_pod(Some(target))) {
            Some(target) => self.cluster.has_read(PolicyConcern::Pod(&target.name)),
            None => Ok(()),
        }
    }

    /// An address outside the allowed ranges must belong to a pod of the namespace.
    pub(super) fn check_pod(
        &self,
        endpoint: &Addressed<'_>,
        number: usize,
        address: IpAddr,
    ) -> Option<Finding> {
        let pods = self.cluster.pods_at(address);
        let namespace = self.cluster.namespace();
        if pods.is_empty() {
            let message = format!(
                "{address} does not belong to a pod in namespace {namespace}; use the address of a pod, or have the range \
                 allowed by `allowedCIDRs`{}",
                self.cluster.writers().hint()
            );
            let finding = Finding::deny(
                "not-a-pod",
                CauseType::FieldValueForbidden,
                endpoint.place.address(number),
                message,
            );
            let target = endpoint.target.filter(|target| is_pod(Some(target)));
            return Some(finding.awaiting(target.map_or_else(
                || Awaited::pod_at(namespace, address),
                |target| Awaited::pod(namespace, &target.name),
            )));
        }
        let target = endpoint.target.filter(|target| is_pod(Some(target)))?;
        let is_its = pods.iter().any(|pod| pod.name() == target.name.as_str());
        if is_its || self.cluster.pod(&target.name).is_none() {
            return None;
        }
        let owners: Vec<_> = pods.iter().map(|pod| pod.name()).collect();
        let message = format!(
            "{address} is the address of pod {}, not of {}, which targetRef names",
            owners.join(" and "),
            shorten(&target.name)
        );
        let finding = Finding::deny(
            "target-address",
            CauseType::FieldValueInvalid,
            endpoint.place.address(number),
            message,
        );
        Some(finding.awaiting(Awaited::pod(namespace, &target.name)))
    }

    /// A pod that is named must exist, in this namespace.
    pub(super) fn check_target(&self, endpoint: &Addressed<'_>) -> Option<Finding> {
        let target = endpoint.target.filter(|target| is_pod(Some(target)))?;
        let namespace = self.cluster.namespace();
        let deny = |rule, field: &str, message: String| {
            let field = endpoint.place.field(field);
            Some(Finding::deny(
                rule,
                CauseType::FieldValueInvalid,
                field,
                message,
            ))
        };
        if !target.namespace.is_empty() && target.namespace.as_str() != namespace {
            let message =
                format!("endpoints may only refer to pods in their own namespace, {namespace}");
            return deny("target-namespace", "targetRef.namespace", message);
        }
        let pod = self.cluster.pod(&target.name);
        if pod.is_none_or(|pod| pod.is_terminal()) {
            let message = format!(
                "there is no pod {} in namespace {namespace}, or it has finished",
                shorten(&target.name)
            );
            let finding = deny("target-missing", "targetRef.name", message)?;
            return Some(finding.awaiting(Awaited::pod(namespace, &target.name)));
        }
        None
    }
}

/// The prefix length of the narrowest range that holds an address.
fn longest(ranges: &[Cidr], address: IpAddr) -> Option<u32> {
    let holding = ranges.iter().filter(|range| range.contains(address));
    holding.map(Cidr::prefix_length).max()
}

pub(super) fn is_pod(target: Option<&ReviewedTarget<'_>>) -> bool {
    target.is_some_and(|target| target.kind == "Pod")
}

/// A finding about a text that is not an address of any kind.
pub(super) fn no_address(field: String, text: &str) -> Finding {
    let message = format!(
        "`{}` is not an address; write one like `10.0.0.1` or `fd00::1`",
        shorten(text)
    );
    Finding::deny("no-address", CauseType::FieldValueInvalid, field, message)
}

/// An address as a consumer would parse it.
pub(super) fn read(text: &str) -> Option<IpAddr> {
    ip::parse(text)
}
