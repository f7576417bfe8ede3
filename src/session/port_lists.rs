//! Lists of container ports, each kept once for as long as pods have it.

use alloc::boxed::Box;
use core::hash::BuildHasher as _;

use super::names::{Name, Names};
use super::slab::{Numbers, Slab};
use crate::model::Pod;
use crate::model::pod::ContainerPort;
use crate::model::text::same;
use crate::reconcile::ports::{NamedPort, container_ports};

/// The lists, with the number of pods that have each.
#[derive(Clone, Debug, Default)]
pub(super) struct PortLists {
    lists: Slab<(Box<[Entry]>, u32)>,
    numbers: Numbers,
}

/// Name, protocol and number of a container port.
type Entry = (Name, Name, i32);

/// The number of the empty list; it needs no place.
const EMPTY: u32 = u32::MAX;

impl PortLists {
    /// The number of the list of a pod's container ports, used once more. Mostly it is the one at hand, if there is one.
    pub(super) fn take(&mut self, names: &mut Names, pod: &Pod<'_>, likely: Option<u32>) -> u32 {
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
        let list: Box<[Entry]> = ports.map(entry).collect();
        if list.is_empty() {
            return EMPTY;
        }
        let hash = hash(&list);
        let is_it = |number| {
            let known = self.lists.get(number);
            known.is_some_and(|(other, _)| *other == list)
        };
        if let Some(number) = self.numbers.find(hash, is_it) {
            release_names(names, &list);
            if let Some((_, uses)) = self.lists.get_mut(number) {
                *uses += 1;
            }
            return number;
        }
        let number = self.lists.insert((list, 1));
        self.numbers.insert(hash, number);
        number
    }

    /// One use less.
    pub(super) fn release(&mut self, names: &mut Names, number: u32) {
        let Some((_, uses)) = self.lists.get_mut(number) else {
            return;
        };
        *uses -= 1;
        if *uses == 0
            && let Some((list, _)) = self.lists.remove(number)
        {
            self.numbers.remove(hash(&list), number);
            release_names(names, &list);
        }
    }

    /// The ports of a list.
    pub(super) fn list<'s>(
        &'s self,
        names: &'s Names,
        number: u32,
    ) -> impl Iterator<Item = NamedPort<'s>> + Clone {
        let list = self.lists.get(number);
        let list = list.map_or(&[][..], |(list, _)| list);
        list.iter().map(|(name, protocol, number)| NamedPort {
            name: names.text(*name),
            protocol: names.text(*protocol),
            number: *number,
        })
    }

    /// Is nothing kept?
    pub(super) fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }
}

/// Is it the list of that pod's ports?
fn is_of(list: &[Entry], names: &Names, pod: &Pod<'_>) -> bool {
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

fn release_names(names: &mut Names, list: &[Entry]) {
    for (name, protocol, _) in list {
        names.release(*name);
        names.release(*protocol);
    }
}

fn hash(list: &[Entry]) -> u64 {
    rustc_hash::FxBuildHasher.hash_one(list)
}
