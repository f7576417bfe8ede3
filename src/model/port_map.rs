//! What makes two lists of ports the same group of slices.

use alloc::vec::Vec;

use super::endpoint_slice::EndpointPort;
use super::text::Text;

/// Canonical identity of a list of ports: their content, whatever their order; nil and empty are one.
///
/// Absent and empty names, protocols and application protocols are different, as in the reference
/// (`NewPortMapKey` hashes what the pointers point to).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct PortMapKey<'a>(Vec<PortKey<'a>>);

type PortKey<'a> = (
    Option<Text<'a>>,
    Option<Text<'a>>,
    Option<i32>,
    Option<Text<'a>>,
);

impl<'a> PortMapKey<'a> {
    /// The key of a list of ports.
    pub fn new(ports: &[EndpointPort<'a>]) -> Self {
        let mut keys: Vec<PortKey<'a>> = ports
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
