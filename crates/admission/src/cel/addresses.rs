//! Addresses and ranges of them (`k8s.io/apiserver/pkg/cel/library`).

use core::net::IpAddr;

use super::functions::Function;
use super::meter::Fail;
use super::value::Value;
use slicewise::model::{Cidr, ip};

/// An address in any spelling that Go's `net/netip` reads, but with no zone, and no IPv4 in IPv6.
fn read_address(text: &str) -> Option<IpAddr> {
    let address: IpAddr = text.parse().ok()?;
    let is_mapped = matches!(address, IpAddr::V6(address) if address.to_ipv4_mapped().is_some());
    (!is_mapped).then_some(address)
}

/// An address in a range, and the range.
fn read_range(text: &str) -> Option<(IpAddr, Cidr)> {
    let (address, length) = text.split_once('/')?;
    let is_plain = length == "0" || !length.starts_with('0');
    Some((
        read_address(address)?,
        Cidr::parse_sloppy(text).filter(|_| is_plain)?,
    ))
}

fn address(text: &str) -> Result<IpAddr, Fail> {
    read_address(text).ok_or_else(|| Fail::error("the string is not an IP address"))
}

fn range(text: &str) -> Result<(IpAddr, Cidr), Fail> {
    read_range(text).ok_or_else(|| Fail::error("the string is not a CIDR range"))
}

/// Functions of addresses; `None` for others.
pub(super) fn with_address<'v>(
    function: Function,
    arguments: &[Value<'v>],
) -> Result<Option<Value<'v>>, Fail> {
    Ok(Some(match (function, arguments) {
        (Function::IsIp, [Value::String(text)]) => Value::Bool(read_address(text).is_some()),
        (Function::IsCidr, [Value::String(text)]) => Value::Bool(read_range(text).is_some()),
        (Function::Ip, [Value::String(text)]) => Value::Ip(address(text)?),
        (Function::IsCanonical, [Value::String(text)]) => {
            Value::Bool(ip::to_text(&address(text)?) == **text)
        }
        (Function::Cidr, [Value::String(text)]) => {
            let (address, range) = range(text)?;
            Value::Cidr(address, range)
        }
        (Function::Ip, [Value::Ip(_)]) | (Function::Cidr, [Value::Cidr(..)]) => {
            return Ok(arguments.first().cloned());
        }
        (_, [Value::Ip(address)]) => match is_such(function, *address) {
            Some(is) => Value::Bool(is),
            None if function == Function::Family => {
                Value::Int(if address.is_ipv4() { 4 } else { 6 })
            }
            None => return Ok(None),
        },
        (Function::FirstIp, [Value::Cidr(address, _)]) => Value::Ip(*address),
        (Function::Masked, [Value::Cidr(_, range)]) => Value::Cidr(range.first(), *range),
        (Function::PrefixLength, [Value::Cidr(_, range)]) => {
            Value::Int(range.prefix_length().into())
        }
        (Function::ContainsIp, [Value::Cidr(_, range), other]) => {
            Value::Bool(range.contains(match other {
                Value::Ip(address) => *address,
                Value::String(text) => address(text)?,
                _ => return Ok(None),
            }))
        }
        (Function::ContainsCidr, [Value::Cidr(_, one), other]) => {
            let other = match other {
                Value::Cidr(_, other) => *other,
                Value::String(text) => range(text)?.1,
                _ => return Ok(None),
            };
            Value::Bool(one.prefix_length() <= other.prefix_length() && one.contains(other.first()))
        }
        _ => return Ok(None),
    }))
}

fn is_such(function: Function, address: IpAddr) -> Option<bool> {
    let is_link_local = match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => address.is_unicast_link_local(),
    };
    Some(match function {
        Function::IsLoopback => address.is_loopback(),
        Function::IsUnspecified => address.is_unspecified(),
        Function::IsLinkLocalUnicast => is_link_local,
        Function::IsLinkLocalMulticast => match address {
            IpAddr::V4(address) => matches!(address.octets(), [224, 0, 0, _]),
            IpAddr::V6(address) => address
                .segments()
                .first()
                .is_some_and(|part| part & 0xff0f == 0xff02),
        },
        Function::IsGlobalUnicast => {
            let is_broadcast = matches!(address, IpAddr::V4(address) if address.is_broadcast());
            let is_special =
                address.is_loopback() || address.is_unspecified() || address.is_multicast();
            !(is_special || is_link_local || is_broadcast)
        }
        _ => return None,
    })
}
