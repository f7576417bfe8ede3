//! Pod (`v1`): addresses, readiness, ports and termination.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::net::{IpAddr, Ipv4Addr};

use super::conditions::ReadyCondition;
use super::few::Few;
use super::ip;
use super::named::named;
use super::object::slim_object;
use super::own::own_themselves;
use super::read::{Scalar, scalar_fields};
use super::service::or_tcp;
use super::text::shorten;
use super::text::{StringMap, Text};

slim_object! {
    /// The part of a Pod that endpoints depend on.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Pod<'a>("Pod") own {
        /// Name, labels.
        "metadata" pub metadata: PodMeta<'a> = required;
        /// Node, hostname, ports.
        "spec" pub spec: PodSpec<'a>;
        /// Phase, addresses, readiness.
        "status" pub status: PodStatus<'a>;
    }
}

named!(Pod);

slim_object! {
    /// Metadata of a Pod.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct PodMeta<'a>("ObjectMeta") own {
        /// Name.
        "name" pub name: Text<'a> = required;
        /// Namespace.
        "namespace" pub namespace: Text<'a>;
        /// Its uid.
        "uid" pub uid: Text<'a>;
        /// The version, which identifies events without news.
        "resourceVersion" pub resource_version: Text<'a>;
        /// Its labels, which selectors match.
        "labels" pub labels: StringMap<'a>;
        /// Set while the pod terminates.
        "deletionTimestamp" pub deletion_timestamp: Option<Text<'a>>;
    }
}

slim_object! {
    /// Specification of a Pod.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct PodSpec<'a>("PodSpec") own {
        /// Node it is bound to; empty before scheduling.
        "nodeName" pub node_name: Text<'a>;
        /// First label of its DNS name.
        "hostname" pub hostname: Text<'a>;
        /// Names the headless Service that gives it a DNS name.
        "subdomain" pub subdomain: Text<'a>;
        /// Containers, for their named ports.
        "containers" pub containers: Few<Container<'a>>;
        /// Init containers; those that always restart are sidecars, whose ports count.
        "initContainers" pub init_containers: Vec<Container<'a>>;
    }
}

impl PodSpec<'_> {
    /// Fills in the protocols that the API server would.
    #[doc(hidden)]
    pub fn complete(&mut self) {
        let containers = self.containers.as_mut_slice().iter_mut();
        let all = containers.chain(&mut self.init_containers);
        for port in all.flat_map(|container| &mut container.ports) {
            or_tcp(&mut port.protocol);
        }
    }
}

slim_object! {
    /// One container: its ports, and whether it is a sidecar.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Container<'a>("Container") own {
        /// Ports.
        "ports" pub ports: Vec<ContainerPort<'a>>;
        /// `Always` makes an init container a sidecar (KEP-753).
        "restartPolicy" pub restart_policy: Text<'a>;
    }
}

impl Container<'_> {
    /// Does an init container run alongside the others, as a sidecar?
    pub fn is_sidecar(&self) -> bool {
        self.restart_policy == "Always"
    }
}

slim_object! {
    /// One port of a container.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ContainerPort<'a>("ContainerPort") own {
        /// Name, for target ports by name.
        "name" pub name: Text<'a>;
        /// Number.
        "containerPort" pub container_port: i32;
        /// `TCP`, `UDP` or `SCTP`.
        "protocol" pub protocol: Text<'a>;
    }
}

slim_object! {
    /// Status of a Pod.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct PodStatus<'a>("PodStatus") own {
        /// `Pending`, `Running`, `Succeeded`, `Failed`, `Unknown`.
        "phase" pub phase: Text<'a>;
        /// The pod's first address; only its presence matters.
        "podIP" pub pod_ip: Text<'a>;
        /// All addresses.
        "podIPs" pub pod_ips: Few<PodIp>;
        /// The `Ready` condition, if there is one.
        "conditions" pub ready: Option<ReadyCondition>;
    }
}

slim_object! {
    /// One parsed address of a pod.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct PodIp("PodIP") {
        /// The address.
        "ip" pub ip: IpAddr = required;
    }
}

impl Pod<'_> {
    /// Is the `Ready` condition true?
    pub fn is_ready(&self) -> bool {
        self.status.ready.is_some_and(|condition| condition.status)
    }

    /// Is the pod being deleted?
    pub const fn is_terminating(&self) -> bool {
        self.metadata.deletion_timestamp.is_some()
    }

    /// Has it terminated for good?
    pub fn is_terminal(&self) -> bool {
        self.status.phase == "Failed" || self.status.phase == "Succeeded"
    }

    /// May it be an endpoint at all (reference: `ShouldPodBeInEndpoints`, terminating pods included)?
    pub fn may_be_endpoint(&self) -> bool {
        let has_address = !self.status.pod_ips.is_empty() || !self.status.pod_ip.is_empty();
        may_be_endpoint(has_address, self.is_terminal())
    }
}

/// The rule of [`Pod::may_be_endpoint`], for pods that are stored in another form.
#[doc(hidden)]
pub const fn may_be_endpoint(has_address: bool, is_terminal: bool) -> bool {
    has_address && !is_terminal
}

impl<'a> Scalar<'a> for IpAddr {
    fn what(&self) -> &'static str {
        "an IP address"
    }

    fn set(&mut self, text: Text<'a>, _: bool) -> Result<(), String> {
        *self = ip::parse(&text).ok_or_else(|| {
            format!(
                "`{}` is not an IP address; write it like `10.0.0.1` or `fd00::1`",
                shorten(&text)
            )
        })?;
        Ok(())
    }
}

scalar_fields!(IpAddr);
own_themselves!(PodIp);

impl Default for PodIp {
    fn default() -> Self {
        Self {
            ip: IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn with<T>(metadata: &Value, status: &Value, ask: impl FnOnce(&Pod<'_>) -> T) -> T {
        let mut pod = json!({"metadata": metadata, "status": status});
        pod["metadata"]["name"] = "p".into();
        ask(&serde_json::from_str(&pod.to_string()).unwrap())
    }

    #[test]
    fn an_endpoint_has_an_address_and_is_not_done() {
        let check = |status: Value, expected| {
            assert_eq!(
                with(&json!({}), &status, |pod| pod.may_be_endpoint()),
                expected
            );
        };
        check(json!({}), false);
        check(json!({"podIP": "10.0.0.1"}), true);
        check(json!({"podIPs": [{"ip": "10.0.0.1"}]}), true);
        check(json!({"podIP": "10.0.0.1", "phase": "Pending"}), true);
        check(json!({"podIP": "10.0.0.1", "phase": "Failed"}), false);
        check(json!({"podIP": "10.0.0.1", "phase": "Succeeded"}), false);
    }

    #[test]
    fn terminating_pods_may_be_endpoints() {
        let metadata = json!({"deletionTimestamp": "2026-01-02T03:04:05Z"});
        let status = json!({"podIP": "10.0.0.1"});
        let found = with(&metadata, &status, |pod| {
            (pod.is_terminating(), pod.may_be_endpoint())
        });
        assert_eq!(found, (true, true));
    }

    #[test]
    fn the_first_ready_condition_counts() {
        let check = |conditions: Value, expected| {
            let status = json!({"conditions": conditions});
            assert_eq!(with(&json!({}), &status, |pod| pod.is_ready()), expected);
        };
        let (yes, no) = (
            json!({"type": "Ready", "status": "True"}),
            json!({"type": "Ready", "status": "False"}),
        );
        let other = json!({"type": "ContainersReady", "status": "True"});
        check(json!([]), false);
        check(Value::Null, false);
        check(json!([other]), false);
        check(json!([other, yes, no]), true);
        check(json!([no, yes]), false);
        check(json!([{"type": "Ready", "status": "Unknown"}]), false);
    }

    #[test]
    fn an_address_must_be_one() {
        let read = |ip: &str| {
            let text = json!({"ip": ip}).to_string();
            serde_json::from_str::<PodIp>(&text).map(|read| read.ip.to_string())
        };
        assert_eq!(read("10.0.0.1").unwrap(), "10.0.0.1");
        assert_eq!(read("FD00:0::1").unwrap(), "fd00::1");
        let error = read("10.0.0").unwrap_err().to_string();
        assert!(error.starts_with("`10.0.0` is not an IP address; write it like"));
    }
}
