//! Lists of container ports, each stored once as long as pods have it.

use alloc::boxed::Box;
use core::hash::BuildHasher as _;

use slicewise::model::Pod;
use slicewise::model::pod::ContainerPort;
use slicewise::model::text::same;
use slicewise::reconcile::ports::{NamedPort, container_ports};

use super::ids::{Id as _, Name, PortListId};
use super::names::NameTable;
use super::slab::{IdsByHash, Slab};

/// The lists, with the number of pods that have each of them.
#[derive(Clone, Debug, Default)]
pub(super) struct PortLists {
    lists: Slab<PortListId, (Box<[PortEntry]>, u32)>,
    by_hash: IdsByHash<PortListId>,
}

/// Name, protocol and number of a container port.
type PortEntry = (Name, Name, i32);

impl PortLists {
    /// The id of a pod's container ports, adding a use. It is usually the one at hand, if given.
    pub(super) fn take(
        &mut self,
        names: &mut NameTable,
        pod: &Pod<'_>,
        likely: Option<PortListId>,
    ) -> PortListId {
        if let Some(likely) = likely
            && let Some((list, uses)) = self.lists.get_mut(likely)
            && is_of(list, names, pod)
        {
            *uses += 1;
            return likely;
        }
        let ports = container_ports(pod);
        let entry = |port: &ContainerPort<'_>| {
            let (name, protocol) = (names.take(&port.name), names.take(&port.protocol));
            (name, protocol, port.container_port)
        };
        let list: Box<[PortEntry]> = ports.map(entry).collect();
        if list.is_empty() {
            return PortListId::NONE;
        }
        let hash = hash(&list);
        let is_it = |id| {
            let known = self.lists.get(id);
            known.is_some_and(|(other, _)| *other == list)
        };
        if let Some(id) = self.by_hash.find(hash, is_it) {
            release_names(names, &list);
            if let Some((_, uses)) = self.lists.get_mut(id) {
                *uses += 1;
            }
            return id;
        }
        let id = self.lists.insert((list, 1));
        self.by_hash.insert(hash, id);
        id
    }

    /// Drops a use.
    pub(super) fn release(&mut self, names: &mut NameTable, id: PortListId) {
        let Some((_, uses)) = self.lists.get_mut(id) else {
            return;
        };
        *uses -= 1;
        if *uses == 0
            && let Some((list, _)) = self.lists.remove(id)
        {
            self.by_hash.remove(hash(&list), id);
            release_names(names, &list);
        }
    }

    /// The ports of a list.
    pub(super) fn list<'s>(
        &'s self,
        names: &'s NameTable,
        id: PortListId,
    ) -> impl Iterator<Item = NamedPort<'s>> + Clone {
        let list = self.lists.get(id);
        let list = list.map_or(&[][..], |(list, _)| list);
        list.iter().map(|(name, protocol, number)| NamedPort {
            name: names.text(*name),
            protocol: names.text(*protocol),
            number: *number,
        })
    }

    /// Is there no list?
    pub(super) fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }
}

/// Does the list equal that pod's ports?
fn is_of(list: &[PortEntry], names: &NameTable, pod: &Pod<'_>) -> bool {
    let mut list = list.iter();
    let is_next = |port: &ContainerPort<'_>| {
        list.next().is_some_and(|(name, protocol, number)| {
            *number == port.container_port
                && same(names.text(*name), &port.name)
                && same(names.text(*protocol), &port.protocol)
        })
    };
    container_ports(pod).all(is_next) && list.next().is_none()
}

fn release_names(names: &mut NameTable, list: &[PortEntry]) {
    for (name, protocol, _) in list {
        names.release(*name);
        names.release(*protocol);
    }
}

fn hash(list: &[PortEntry]) -> u64 {
    rustc_hash::FxBuildHasher.hash_one(list)
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::*;

    fn pod(ports: &Value) -> Pod<'static> {
        let pod = json!({"metadata": {"name": "p"}, "spec": {"containers": [{"ports": ports}]}});
        serde_json::from_str(Box::leak(pod.to_string().into_boxed_str())).unwrap()
    }

    #[test]
    fn pods_with_the_same_ports_share_a_list_as_long_as_any_has_it() {
        let port = |name: &str, protocol: &str, number: i32| json!({"name": name, "protocol": protocol, "containerPort": number});
        let http = port("http", "TCP", 80);
        let (mut lists, mut names) = (PortLists::default(), NameTable::default());
        let first = lists.take(&mut names, &pod(&json!([http])), None);
        for likely in [None, Some(first)] {
            let again = lists.take(&mut names, &pod(&json!([http])), likely);
            assert_eq!(again, first);
        }
        for other in [
            json!([]),
            json!([http, http]),
            json!([port("web", "TCP", 80)]),
            json!([port("http", "UDP", 80)]),
            json!([port("http", "TCP", 81)]),
        ] {
            let id = lists.take(&mut names, &pod(&other), Some(first));
            assert_ne!(id, first, "{other}");
            lists.release(&mut names, id);
        }
        for _ in 0..3 {
            assert!(!lists.is_empty());
            assert_eq!(lists.list(&names, first).count(), 1);
            lists.release(&mut names, first);
        }
        assert!(lists.is_empty());
        assert_eq!(names.len(), 0);
    }

    #[test]
    fn few_lists_share_a_hash() {
        let mut names = NameTable::default();
        let [http, tcp, udp] = ["http", "TCP", "UDP"].map(|name| names.take(name));
        let lists: [&[PortEntry]; 4] = [
            &[(http, tcp, 80)],
            &[(http, udp, 80)],
            &[(http, tcp, 81)],
            &[(http, tcp, 80), (http, tcp, 80)],
        ];
        assert_eq!(BTreeSet::from(lists.map(hash)).len(), 4);
    }
}
