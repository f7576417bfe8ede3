//! When two lists of ports belong to the same group of slices.

use alloc::vec::Vec;

use super::endpoint_slice::EndpointPort;
use super::text::Text;

/// The canonical identity of a list of ports: its content in any order; nil and empty are equal.
///
/// Absent and empty names, protocols and application protocols differ, as in the reference (`NewPortMapKey` hashes what
/// the pointers point to).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct PortMapKey<'a>(Vec<PortFields<'a>>);

type PortFields<'a> = (
    Option<Text<'a>>,
    Option<Text<'a>>,
    Option<i32>,
    Option<Text<'a>>,
);

impl<'a> PortMapKey<'a> {
    /// The key of a list of ports.
    pub fn new(ports: &[EndpointPort<'a>]) -> Self {
        let mut keys: Vec<PortFields<'a>> = ports
            .iter()
            .map(|port| {
                (
                    port.name.clone(),
                    port.protocol.clone(),
                    port.port,
                    port.app_protocol.clone(),
                )
            })
            .collect();
        super::order::sort(&mut keys);
        Self(keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Do two lists of ports form one group?
    #[track_caller]
    fn check(one: &str, other: &str, expected: bool) {
        let ports = |json| -> Vec<EndpointPort<'_>> { serde_json::from_str(json).unwrap() };
        let same = PortMapKey::new(&ports(one)) == PortMapKey::new(&ports(other));
        assert_eq!(same, expected);
    }

    #[test]
    fn the_order_does_not_matter() {
        check(
            r#"[{"name": "a", "port": 1}, {"name": "b", "port": 2}]"#,
            r#"[{"name": "b", "port": 2}, {"name": "a", "port": 1}]"#,
            true,
        );
        check(
            r#"[{"name": "a", "port": 1}, {"name": "b", "port": 2}]"#,
            r#"[{"name": "b", "port": 1}, {"name": "a", "port": 2}]"#,
            false,
        );
    }

    #[test]
    fn every_field_counts() {
        let full = r#"[{"name": "a", "port": 1, "protocol": "TCP", "appProtocol": "http"}]"#;
        check(full, full, true);
        for other in [
            r#"[{"name": "b", "port": 1, "protocol": "TCP", "appProtocol": "http"}]"#,
            r#"[{"name": "a", "port": 2, "protocol": "TCP", "appProtocol": "http"}]"#,
            r#"[{"name": "a", "port": 1, "protocol": "UDP", "appProtocol": "http"}]"#,
            r#"[{"name": "a", "port": 1, "protocol": "TCP"}]"#,
        ] {
            check(full, other, false);
        }
    }

    #[test]
    fn missing_is_not_empty() {
        check(r#"[{"port": 1}]"#, r#"[{"name": "", "port": 1}]"#, false);
        check(r#"[{"port": 1}]"#, r#"[{"name": null, "port": 1}]"#, true);
        check("[]", "[{}]", false);
    }

    #[test]
    fn a_port_listed_twice_is_another_list() {
        check(r#"[{"port": 1}]"#, r#"[{"port": 1}, {"port": 1}]"#, false);
    }

    #[test]
    fn unknown_fields_do_not_count() {
        check(r#"[{"port": 1}]"#, r#"[{"port": 1, "future": true}]"#, true);
    }
}
