//! Service (`v1`): selector, ports, families and traffic settings.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::keys;
use super::named::{NamespacedName, named};
use super::object::slim_object;
use super::own::{Keeper, Own, own_themselves};
use super::read::{Field, Integer, Scalar, Slot, scalar_fields};
use super::text::{StringMap, Text};
use super::time::Timestamp;

slim_object! {
    /// The part of a Service that EndpointSlices depend on.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Service<'a>("Service") own {
        /// Name, labels, annotations.
        "metadata" pub metadata: ServiceMeta<'a> = required;
        /// Selector, ports, families.
        "spec" pub spec: ServiceSpec<'a>;
    }
}

named!(Service);

slim_object! {
    /// Metadata of a Service.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ServiceMeta<'a>("ObjectMeta") own {
        /// Name.
        "name" pub name: Text<'a> = required;
        /// Namespace.
        "namespace" pub namespace: Text<'a>;
        /// Its uid; slices have it in their owner reference.
        "uid" pub uid: Text<'a>;
        /// The version, which identifies late events.
        "resourceVersion" pub resource_version: Text<'a>;
        /// Copied to the slices, except the reserved ones.
        "labels" pub labels: StringMap<'a>;
        /// Annotations, such as the topology mode.
        "annotations" pub annotations: StringMap<'a>;
        /// When it was created: its trigger time at the first sync.
        "creationTimestamp" pub creation_timestamp: Option<Timestamp>;
        /// Set while the Service is being deleted: no more slices are created.
        "deletionTimestamp" pub deletion_timestamp: Option<Text<'a>>;
    }
}

slim_object! {
    /// Specification of a Service.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ServiceSpec<'a>("ServiceSpec") own {
        /// The labels of matching pods; `None` leaves the Service's slices to others, an empty selector matches every
        /// pod.
        "selector" pub selector: Option<StringMap<'a>>;
        /// Ports.
        "ports" pub ports: Vec<ServicePort<'a>>;
        /// `None` makes it headless.
        "clusterIP" pub cluster_ip: Text<'a>;
        /// `IPv4`, `IPv6`; empty from API servers older than dual stack.
        "ipFamilies" pub ip_families: Vec<Text<'a>>;
        /// `ExternalName` Services have no slices.
        "type" pub service_type: Text<'a>;
        /// Publish pods regardless of their readiness, and even if their Node is unknown.
        "publishNotReadyAddresses" pub publish_not_ready_addresses: bool;
        /// `PreferClose`, `PreferSameZone`, `PreferSameNode` (KEP-4444, KEP-3015).
        "trafficDistribution" pub traffic_distribution: Option<Text<'a>>;
    }
}

slim_object! {
    /// One port of a Service.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ServicePort<'a>("ServicePort") own {
        /// Name; may be empty if the Service has a single port.
        "name" pub name: Text<'a>;
        /// `TCP`, `UDP` or `SCTP`.
        "protocol" pub protocol: Text<'a>;
        /// Its number, on which slices only depend if there is no `targetPort`.
        "port" pub port: CheckedPort;
        /// The port on the pod.
        "targetPort" pub target_port: TargetPort<'a>;
        /// Application protocol.
        "appProtocol" pub app_protocol: Option<Text<'a>>;
    }
}

/// A number from 1 to 65535; 0 if it is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a number")]
pub struct CheckedPort(pub u16);

impl Integer for CheckedPort {
    fn what(&self) -> &'static str {
        "a number from 1 to 65535; a name belongs in `targetPort`"
    }

    fn set(&mut self, number: i64) -> Option<()> {
        self.0 = u16::try_from(number).ok().filter(|number| *number > 0)?;
        Some(())
    }
}

impl<'a> Field<'a> for CheckedPort {
    fn slot(&mut self) -> Slot<'_, 'a> {
        Slot::Integer(self)
    }
}

own_themselves!(CheckedPort);

impl<'k> Own<'k> for TargetPort<'_> {
    type Owned = TargetPort<'k>;

    fn own(self, keeper: &dyn Keeper<'k>) -> TargetPort<'k> {
        match self {
            Self::Number(number) => TargetPort::Number(number),
            Self::Name(name) => TargetPort::Name(keeper.keep(name)),
        }
    }
}

/// A port by number, or by the name of a container port.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a number or a name, as in the API")]
pub enum TargetPort<'a> {
    /// A number.
    Number(i32),
    /// A container port's name.
    Name(Text<'a>),
}

impl Default for TargetPort<'_> {
    fn default() -> Self {
        Self::Number(0)
    }
}

impl<'a> Scalar<'a> for TargetPort<'a> {
    fn what(&self) -> &'static str {
        "a port number or a container port's name"
    }

    fn takes_numbers(&self) -> bool {
        true
    }

    fn set(&mut self, text: Text<'a>, is_number: bool) -> Result<(), String> {
        *self = if is_number {
            let number = text.parse().ok();
            // For 0, the API server uses the port of the Service, as if it were absent.
            let number = number.filter(|number| (0..=65_535).contains(number));
            Self::Number(number.ok_or_else(|| {
                format!("port {text} is out of range; a port is a number from 1 to 65535")
            })?)
        } else {
            Self::Name(text)
        };
        Ok(())
    }
}

scalar_fields!(TargetPort<'a>);

/// Has the API server stored the object? Then it is believed, as in a watch event; any other is a manifest, whose
/// defaults are still to come.
#[doc(hidden)]
pub fn is_stored(uid: &str, resource_version: &str) -> bool {
    !uid.is_empty() || !resource_version.is_empty()
}

/// The namespace of objects that name none, unless another one is asked for.
#[doc(hidden)]
pub const DEFAULT_NAMESPACE: &str = "default";

/// Puts an object that names no namespace into this one.
#[doc(hidden)]
pub fn or_in(namespace: &mut Text<'_>, other: &str) {
    if namespace.is_empty() {
        *namespace = String::from(other).into();
    }
}

/// The protocol of ports that name none.
#[doc(hidden)]
pub fn or_tcp(protocol: &mut Text<'_>) {
    if protocol.is_empty() {
        *protocol = "TCP".into();
    }
}

impl Service<'_> {
    /// Namespace and name.
    pub fn key(&self) -> NamespacedName {
        NamespacedName {
            namespace: self.metadata.namespace.to_string(),
            name: self.metadata.name.to_string(),
        }
    }

    /// Fills in what `kubectl` and the API server would in a manifest; `namespace` is that of a Service that names none.
    /// What the API server would choose itself gets [`keys::TO_BE_ASSIGNED`].
    #[doc(hidden)]
    pub fn complete(&mut self, namespace: &str) {
        or_in(&mut self.metadata.namespace, namespace);
        let spec = &mut self.spec;
        // Stored, an empty map is the same as none.
        spec.selector.take_if(|selector| selector.is_empty());
        if is_stored(&self.metadata.uid, &self.metadata.resource_version) {
            return;
        }
        if spec.cluster_ip.is_empty() && spec.service_type != "ExternalName" {
            spec.cluster_ip = keys::TO_BE_ASSIGNED.into();
        }
        for port in &mut spec.ports {
            or_tcp(&mut port.protocol);
            let is_missing = match &port.target_port {
                TargetPort::Number(number) => *number == 0,
                TargetPort::Name(name) => name.is_empty(),
            };
            if is_missing {
                port.target_port = TargetPort::Number(port.port.0.into());
            }
        }
    }

    /// Does a controller manage its slices? Not without a selector, nor for `ExternalName`.
    pub fn is_reconciled(&self) -> bool {
        self.spec.selector.is_some() && self.spec.service_type != "ExternalName"
    }

    /// Headless in the sense of the slice label: no cluster IP set (reference: `!isServiceIPSet`).
    pub fn is_headless(&self) -> bool {
        self.spec.cluster_ip == keys::CLUSTER_IP_NONE || self.spec.cluster_ip.is_empty()
    }

    /// Does an annotation ask for topology hints (reference: `hintsEnabled`)?
    pub fn wants_topology_hints(&self) -> bool {
        let annotations = &self.metadata.annotations;
        annotations
            .get(keys::TOPOLOGY_AWARE_HINTS_ANNOTATION)
            .or_else(|| annotations.get(keys::TOPOLOGY_MODE_ANNOTATION))
            .is_some_and(|mode| *mode == "Auto" || *mode == "auto")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn with<T>(spec: &Value, annotations: &Value, ask: impl FnOnce(&Service<'_>) -> T) -> T {
        let service =
            json!({"metadata": {"name": "cart", "annotations": annotations}, "spec": spec});
        ask(&serde_json::from_str(&service.to_string()).unwrap())
    }

    #[test]
    fn a_service_needs_a_selector_to_be_reconciled() {
        let check = |spec: Value, expected| {
            assert_eq!(
                with(&spec, &json!({}), |service| service.is_reconciled()),
                expected
            );
        };
        check(json!({"selector": {"app": "cart"}}), true);
        check(json!({"selector": {}}), true);
        check(json!({"selector": null}), false);
        check(json!({}), false);
        check(json!({"selector": {}, "type": "ExternalName"}), false);
        check(json!({"selector": {}, "type": "LoadBalancer"}), true);
    }

    #[test]
    fn headless_is_no_cluster_ip() {
        let check = |ip: Value, expected| {
            let spec = json!({"clusterIP": ip});
            assert_eq!(
                with(&spec, &json!({}), |service| service.is_headless()),
                expected
            );
        };
        check(json!("None"), true);
        check(json!(""), true);
        check(Value::Null, true);
        check(json!("none"), false);
        check(json!("10.96.0.1"), false);
    }

    #[test]
    fn the_older_annotation_wins() {
        let check = |old: Value, new: Value, expected| {
            let mut annotations = json!({});
            for (key, value) in [
                (keys::TOPOLOGY_AWARE_HINTS_ANNOTATION, old),
                (keys::TOPOLOGY_MODE_ANNOTATION, new),
            ] {
                if !value.is_null() {
                    annotations[key] = value;
                }
            }
            let found = with(&json!({}), &annotations, |service| {
                service.wants_topology_hints()
            });
            assert_eq!(found, expected);
        };
        check(Value::Null, Value::Null, false);
        check(Value::Null, json!("Auto"), true);
        check(json!("auto"), Value::Null, true);
        check(json!("Disabled"), json!("Auto"), false);
        check(json!(""), json!("Auto"), false);
        check(json!("Auto"), json!("Disabled"), true);
        check(Value::Null, json!("AUTO"), false);
    }

    #[test]
    fn a_port_is_a_number() {
        let check = |json: &str, expected: Option<&str>| {
            let text = format!(r#"{{"port": {json}}}"#);
            let wrong = serde_json::from_str::<ServicePort<'_>>(&text).err();
            let wrong = wrong.map(|error| error.to_string());
            let starts =
                expected.map(|expected| wrong.as_deref().map(|wrong| wrong.starts_with(expected)));
            assert_eq!(wrong.is_some(), expected.is_some(), "{json}: {wrong:?}");
            assert_ne!(starts, Some(Some(false)), "{json}: {wrong:?}");
        };
        check("1", None);
        check("65535", None);
        check("null", None);
        check(
            "0",
            Some(
                "invalid value: integer `0`, expected a number from 1 to 65535; a name belongs in `targetPort`",
            ),
        );
        check(
            "65536",
            Some("invalid value: integer `65536`, expected a number"),
        );
        check(
            r#""eighty""#,
            Some(
                r#"invalid type: string "eighty", expected a number from 1 to 65535; a name belongs in `targetPort`"#,
            ),
        );
        check(
            "80.5",
            Some("invalid type: floating point `80.5`, expected a number"),
        );
    }

    #[test]
    fn a_target_port_is_a_number_or_a_name() {
        let check = |json: &str, expected: Option<TargetPort<'_>>| {
            let text = format!(r#"{{"targetPort": {json}}}"#);
            let port = serde_json::from_str::<ServicePort<'_>>(&text);
            assert_eq!(port.map(|port| port.target_port).ok(), expected, "{json}");
        };
        check("8080", Some(TargetPort::Number(8080)));
        check("null", Some(TargetPort::Number(0)));
        check(r#""http""#, Some(TargetPort::Name("http".into())));
        check(r#""8080""#, Some(TargetPort::Name("8080".into())));
        check("65535", Some(TargetPort::Number(65_535)));
        check("0", Some(TargetPort::Number(0)));
        check("-1", None);
        check("65536", None);
        check("99999999999", None);
        check("1.5", None);
        check("true", None);
    }
}
