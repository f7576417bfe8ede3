//! Canonical subsets.

use alloc::vec::Vec;

use super::{EndpointAddress, EndpointSubset, SubsetPort, dump};
use crate::model::order::{Grouped, sort, sort_by};

/// The canonical form of subsets: each address and port once, addresses with the same ports in one subset, and an
/// address that is not ready in any subset with a port not ready for that port (reference: `RepackSubsets`).
///
/// Addresses are identified by the text of their IP and the uid of their target; the other fields come from the first
/// one. Ports are identified by name, number and protocol; ports with an application protocol are never the same, even
/// if equal, because Go compares those pointers. Ports below 1 are dropped, and so are subsets without addresses.
/// Addresses are sorted by the text of their IP and uid, ports and subsets by a hash.
pub fn repack_subsets<'a>(subsets: &[EndpointSubset<'a>]) -> Vec<EndpointSubset<'a>> {
    let addresses = SubsetAddresses::of(subsets);
    let by_hosts = ports(subsets)
        .into_iter()
        .map(|(port, offered_by)| (addresses.serving(&offered_by), port))
        .filter(|(hosts, _)| !hosts.is_empty());
    let by_hosts = Grouped::new(by_hosts);
    let mut packed: Vec<(u128, EndpointSubset<'a>)> = by_hosts
        .groups()
        .map(|group| {
            let subset = addresses.subset(group);
            (dump::subset_hash(&subset), subset)
        })
        .collect();
    sort_by(&mut packed, |a, b| a.0.cmp(&b.0));
    packed.into_iter().map(|(_, subset)| subset).collect()
}

/// An address by its index, and whether it is ready.
type ReadyAddress = (usize, bool);

/// All addresses, sorted and numbered, and those of each subset.
struct SubsetAddresses<'s, 'a> {
    all: Vec<&'s EndpointAddress<'a>>,
    of_subsets: Vec<Vec<ReadyAddress>>,
}

impl<'s, 'a> SubsetAddresses<'s, 'a> {
    fn of(subsets: &'s [EndpointSubset<'a>]) -> Self {
        let mut entries: Vec<(&'s EndpointAddress<'a>, usize, bool)> = Vec::new();
        for (number, subset) in subsets.iter().enumerate() {
            let with = |ready| move |address| (address, number, ready);
            entries.extend(subset.addresses.iter().map(with(true)));
            entries.extend(subset.not_ready_addresses.iter().map(with(false)));
        }
        fn key<'k>(address: &'k EndpointAddress<'_>) -> (&'k str, &'k str) {
            (&address.ip, address.target_uid())
        }
        sort_by(&mut entries, |a, b| key(a.0).cmp(&key(b.0)));
        let mut all: Vec<&'s EndpointAddress<'a>> = Vec::new();
        let mut of_subsets = Vec::new();
        of_subsets.resize_with(subsets.len(), Vec::new);
        for same in entries.chunk_by(|a, b| key(a.0) == key(b.0)) {
            for (address, subset, ready) in same {
                if all.last().is_none_or(|last| key(last) != key(address)) {
                    all.push(*address);
                }
                if let Some(hosts) = of_subsets.get_mut(*subset) {
                    hosts.push((all.len() - 1, *ready));
                }
            }
        }
        Self { all, of_subsets }
    }

    /// The addresses of some subsets, sorted and without duplicates.
    fn serving(&self, subsets: &[usize]) -> Vec<ReadyAddress> {
        let of = |number: &usize| self.of_subsets.get(*number).into_iter().flatten().copied();
        let mut hosts: Vec<ReadyAddress> = subsets.iter().flat_map(of).collect();
        // Not ready sorts first, and wins.
        sort(&mut hosts);
        hosts.dedup_by_key(|(number, _)| *number);
        hosts
    }

    fn subset(&self, group: &[(Vec<ReadyAddress>, Option<&SubsetPort<'a>>)]) -> EndpointSubset<'a> {
        let mut ports: Vec<(u128, SubsetPort<'a>)> = group
            .iter()
            .filter_map(|(_, port)| *port)
            .map(|port| (dump::port_hash(port), port.clone()))
            .collect();
        sort_by(&mut ports, |a, b| a.0.cmp(&b.0));
        let hosts = || group.first().into_iter().flat_map(|(hosts, _)| hosts);
        let which = |wanted: bool| {
            let of = hosts().filter(|(_, ready)| *ready == wanted);
            of.filter_map(|(number, _)| self.all.get(*number).copied().cloned())
                .collect()
        };
        EndpointSubset {
            addresses: which(true),
            not_ready_addresses: which(false),
            ports: ports.into_iter().map(|(_, port)| port).collect(),
            ..EndpointSubset::default()
        }
    }
}

/// Every port once, where `None` stands for no port, with the indices of the subsets that offer it.
fn ports<'s, 'a>(
    subsets: &'s [EndpointSubset<'a>],
) -> Vec<(Option<&'s SubsetPort<'a>>, Vec<usize>)> {
    let mut unlike = 0;
    let mut entries = Vec::new();
    for (number, subset) in subsets.iter().enumerate() {
        if subset.ports.is_empty() {
            entries.push((("", -1, "", 0), (None, number)));
        }
        for port in &subset.ports {
            if port.app_protocol.is_some() {
                unlike += 1;
            }
            let unlike = if port.app_protocol.is_some() {
                unlike
            } else {
                0
            };
            let key = (&*port.name, port.port, &*port.protocol, unlike);
            entries.push((key, (Some(port).filter(|port| port.port > 0), number)));
        }
    }
    let entries = Grouped::new(entries);
    let merged = entries.groups().map(|group| {
        let port = group.first().and_then(|(_, (port, _))| *port);
        let mut offered_by: Vec<usize> = group.iter().map(|(_, (_, number))| *number).collect();
        offered_by.dedup();
        (port, offered_by)
    });
    merged.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[track_caller]
    fn check(subsets: &Value, expected: &Value) {
        let text = subsets.to_string();
        let read: Vec<EndpointSubset<'_>> = serde_json::from_str(&text).unwrap();
        let packed = repack_subsets(&read);
        assert_eq!(&serde_json::to_value(&packed).unwrap(), expected);
        assert_eq!(repack_subsets(&packed), packed, "packing again");
    }

    #[test]
    fn addresses_with_the_same_ports_come_together() {
        check(
            &json!([
                {"addresses": [{"ip": "10.0.0.2"}], "ports": [{"port": 1}]},
                {"addresses": [{"ip": "10.0.0.1"}], "ports": [{"port": 1}]},
            ]),
            &json!([{"addresses": [{"ip": "10.0.0.1"}, {"ip": "10.0.0.2"}], "ports": [{"port": 1}]}]),
        );
    }

    #[test]
    fn ports_of_the_same_addresses_come_together() {
        check(
            &json!([
                {"addresses": [{"ip": "10.0.0.1"}], "ports": [{"port": 1}]},
                {"addresses": [{"ip": "10.0.0.1", "hostname": "lost"}], "ports": [{"port": 2}, {"port": 1}, {"port": 0}]},
            ]),
            &json!([{"addresses": [{"ip": "10.0.0.1"}], "ports": [{"port": 2}, {"port": 1}]}]),
        );
    }

    #[test]
    fn not_ready_wins() {
        check(
            &json!([
                {"notReadyAddresses": [{"ip": "10.0.0.1"}], "ports": [{"port": 1}]},
                {"addresses": [{"ip": "10.0.0.1"}, {"ip": "10.0.0.1", "targetRef": {"uid": "u"}}], "ports": [{"port": 1}]},
            ]),
            &json!([{
                "addresses": [{"ip": "10.0.0.1", "targetRef": {"uid": "u"}}],
                "notReadyAddresses": [{"ip": "10.0.0.1"}],
                "ports": [{"port": 1}],
            }]),
        );
    }

    #[test]
    fn without_ports_or_addresses() {
        check(
            &json!([{"addresses": [{"ip": "10.0.0.1"}]}, {"ports": [{"port": 1}]}]),
            &json!([{"addresses": [{"ip": "10.0.0.1"}]}]),
        );
    }

    #[test]
    fn equal_application_protocols_are_two_ports() {
        let ports = json!([{"port": 1, "appProtocol": "h2c"}, {"port": 1, "appProtocol": "h2c"}]);
        check(
            &json!([{"addresses": [{"ip": "10.0.0.1"}], "ports": ports}]),
            &json!([{"addresses": [{"ip": "10.0.0.1"}], "ports": ports}]),
        );
    }
}
