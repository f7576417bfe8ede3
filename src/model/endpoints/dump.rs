//! The order of ports and subsets in canonical Endpoints: by the FNV-1a hash of Go's textual dump of the value
//! (reference: `portsByHash`, `subsetsByHash`, `DeepHashObject`).
//!
//! Consumers ignore this order, but the reconcilers of the kubernetes Service compare ports pairwise, so another order
//! would be another decision.

use core::fmt::{self, Write};

use super::{EndpointAddress, EndpointSubset, SubsetPort};
use crate::model::ObjectReference;

/// The hash of a port.
pub(super) fn port_hash(port: &SubsetPort<'_>) -> u128 {
    hash(|out| {
        out.write_str("(v1.EndpointPort)")?;
        write_port(out, port)
    })
}

/// The hash of a subset whose lists are sorted.
pub(super) fn subset_hash(subset: &EndpointSubset<'_>) -> u128 {
    hash(|out| {
        out.write_str("(v1.EndpointSubset){Addresses:([]v1.EndpointAddress)")?;
        write_list(out, &subset.addresses, write_address)?;
        out.write_str(" NotReadyAddresses:([]v1.EndpointAddress)")?;
        write_list(out, &subset.not_ready_addresses, write_address)?;
        out.write_str(" Ports:([]v1.EndpointPort)")?;
        write_list(out, &subset.ports, write_port)?;
        out.write_str("}")
    })
}

/// 128-bit FNV-1a.
struct Fnv(u128);

impl Write for Fnv {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        const PRIME: u128 = (1 << 88) + 0x13b;
        for byte in text.bytes() {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(PRIME);
        }
        Ok(())
    }
}

fn hash(write: impl FnOnce(&mut Fnv) -> fmt::Result) -> u128 {
    const OFFSET_BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    let mut hasher = Fnv(OFFSET_BASIS);
    // Writing to a hasher does not fail.
    let _ = write(&mut hasher);
    hasher.0
}

fn write_list<T>(
    out: &mut Fnv,
    items: &[T],
    write: impl Fn(&mut Fnv, &T) -> fmt::Result,
) -> fmt::Result {
    if items.is_empty() {
        return out.write_str("<nil>");
    }
    for (place, item) in items.iter().enumerate() {
        out.write_str(if place == 0 { "[" } else { " " })?;
        write(out, item)?;
    }
    out.write_str("]")
}

fn write_port(out: &mut Fnv, port: &SubsetPort<'_>) -> fmt::Result {
    let (name, number, protocol) = (&port.name, port.port, &port.protocol);
    let app_protocol = port.app_protocol.as_deref().unwrap_or("<nil>");
    write!(
        out,
        "{{Name:(string){name} Port:(int32){number} Protocol:(v1.Protocol){protocol} AppProtocol:(*string){app_protocol}}}"
    )
}

fn write_address(out: &mut Fnv, address: &EndpointAddress<'_>) -> fmt::Result {
    let (ip, hostname) = (&address.ip, &address.hostname);
    let node_name = address.node_name.as_deref().unwrap_or("<nil>");
    write!(
        out,
        "{{IP:(string){ip} Hostname:(string){hostname} NodeName:(*string){node_name} TargetRef:(*v1.ObjectReference)"
    )?;
    match &address.target_ref {
        Some(target) => write_target(out, target)?,
        None => out.write_str("<nil>")?,
    }
    out.write_str("}")
}

fn write_target(out: &mut Fnv, target: &ObjectReference<'_>) -> fmt::Result {
    write!(
        out,
        "{{Kind:(string){} Namespace:(string){} Name:(string){} UID:(types.UID){} ",
        target.kind, target.namespace, target.name, target.uid
    )?;
    write!(
        out,
        "APIVersion:(string){} ResourceVersion:(string){} FieldPath:(string){}}}",
        target.api_version, target.resource_version, target.field_path
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known FNV-1a hash of `a`, from the specification.
    #[test]
    fn fnv() {
        assert_eq!(
            hash(|out| out.write_str("a")),
            0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964
        );
    }
}
