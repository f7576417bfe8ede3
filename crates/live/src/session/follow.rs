//! How an event is taken, for everything that keeps a session: late news is refused, a list first sets what it holds and
//! then removes what it lacks, as informers replace what they know.

use slicewise::model::NamespacedName;

use super::Session;
use super::event::{ClusterEvent, Kind, Reception, Unreadable, Versioned, VersionedRef};

/// Keeps a session, and whatever else changes with its objects.
pub(crate) trait SessionFollower {
    /// The cluster as last seen.
    fn session(&mut self) -> &mut Session;

    /// Sets an object that is not late.
    fn set(&mut self, object: VersionedRef<'_>);

    /// Removes an object. Was it there?
    fn remove(&mut self, kind: Kind, key: &NamespacedName) -> bool;

    /// Drops what is known of an object whose present version cannot be read.
    fn set_aside(&mut self, kind: Kind, key: &NamespacedName) {
        self.remove(kind, key);
    }

    /// Is a later version of the object known, or its later deletion? The name is the namespace, empty for a Node, and
    /// the name.
    fn comes_late(&mut self, kind: Kind, name: (&str, &str), version: &str) -> bool {
        self.session().is_late(kind, name, version)
    }

    /// All objects of a kind follow: these, with the version of their list, or one by one.
    fn list_begins(&mut self, _kind: Kind, _all: Option<(&[Versioned<'_>], &str)>) {}

    /// All objects of a kind have been set, and all others removed.
    fn list_ends(&mut self, _kind: Kind) {}

    /// All objects are delivered again.
    fn resync(&mut self) {}
}

/// Takes an event.
pub(crate) fn take<F: SessionFollower>(follower: &mut F, event: &ClusterEvent<'_>) -> Reception {
    match event {
        ClusterEvent::Set(object) => return set(follower, object.as_seen()),
        ClusterEvent::Removed {
            kind,
            key,
            resource_version,
        } => return remove(follower, *kind, key, resource_version),
        ClusterEvent::Listed {
            kind,
            objects,
            resource_version,
        } => {
            let missing = follower.session().missing(*kind, objects);
            // Before the objects, which may be those that went.
            follower.session().forget_deletions(*kind);
            follower.session().clear_all_unreadable(*kind);
            follower.list_begins(*kind, Some((objects, resource_version)));
            for object in objects {
                follower.set(object.as_seen());
            }
            for key in missing {
                follower.remove(*kind, &key);
            }
            follower.list_ends(*kind);
        }
        ClusterEvent::Listing(kind) => {
            follower.session().begin_list(*kind);
            follower.list_begins(*kind, None);
        }
        ClusterEvent::Synced(kind) => end_list(follower, *kind),
        ClusterEvent::Unreadable(object) => return leave_out(follower, object),
        ClusterEvent::Resync => follower.resync(),
    }
    Reception::Taken
}

/// Sets an object, unless it comes late.
pub(crate) fn set<F: SessionFollower>(follower: &mut F, seen: VersionedRef<'_>) -> Reception {
    let object = seen.object;
    if follower.comes_late(object.kind(), object.full_name(), seen.resource_version) {
        return Reception::Late;
    }
    // Few objects cannot be read: the name is only needed if there are some.
    if follower.session().count_unreadable(object.kind()) > 0 {
        let session = follower.session();
        session.clear_unreadable(object.kind(), &object.key());
    }
    follower.set(seen);
    Reception::Taken
}

/// Marks an object as unreadable, unless it comes late.
pub(crate) fn leave_out<F: SessionFollower>(follower: &mut F, object: &Unreadable) -> Reception {
    let Unreadable { kind, key, .. } = object;
    let name = (&*key.namespace, &*key.name);
    if follower.comes_late(*kind, name, &object.resource_version) {
        return Reception::Late;
    }
    follower.session().note_listed(*kind, key);
    follower.set_aside(*kind, key);
    follower.session().mark_unreadable(object);
    Reception::Taken
}

/// Removes an object, unless its removal comes late.
pub(crate) fn remove<F: SessionFollower>(
    follower: &mut F,
    kind: Kind,
    key: &NamespacedName,
    version: &str,
) -> Reception {
    if follower.comes_late(kind, (&key.namespace, &key.name), version) {
        return Reception::Late;
    }
    follower.session().note_deletion(kind, key, version);
    let was_unreadable = follower.session().clear_unreadable(kind, key);
    if follower.remove(kind, key) || was_unreadable {
        Reception::Taken
    } else {
        Reception::Unknown
    }
}

/// Ends a list whose objects came one by one.
pub(crate) fn end_list<F: SessionFollower>(follower: &mut F, kind: Kind) {
    for key in follower.session().end_list(kind).unwrap_or_default() {
        follower.remove(kind, &key);
    }
    follower.list_ends(kind);
}

#[cfg(test)]
mod tests {
    use alloc::boxed::Box;
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use slicewise::model::Node;
    use slicewise::plan::request::Options;
    use slicewise::{Code, Error};

    use super::*;
    use crate::session::event::PlanObject;

    /// Notes what it is asked to do, and does it to its session.
    struct Recorder {
        session: Session,
        calls: Vec<String>,
    }

    impl SessionFollower for Recorder {
        fn session(&mut self) -> &mut Session {
            &mut self.session
        }

        fn set(&mut self, object: VersionedRef<'_>) {
            self.calls
                .push(format!("set {}", object.object.full_name().1));
            SessionFollower::set(&mut self.session, object);
        }

        fn remove(&mut self, kind: Kind, key: &NamespacedName) -> bool {
            self.calls.push(format!("remove {}", key.name));
            SessionFollower::remove(&mut self.session, kind, key)
        }

        fn list_begins(&mut self, _: Kind, all: Option<(&[Versioned<'_>], &str)>) {
            let version = all.map_or("none", |(_, version)| version);
            self.calls.push(format!("begin {version}"));
        }

        fn list_ends(&mut self, _: Kind) {
            self.calls.push("end".into());
        }

        fn resync(&mut self) {
            self.calls.push("resync".into());
        }
    }

    fn key(name: &str) -> NamespacedName {
        NamespacedName {
            namespace: String::new(),
            name: name.into(),
        }
    }

    fn node(name: &str, version: &str) -> Versioned<'static> {
        let mut node = Node::default();
        node.metadata.name = String::from(name).into();
        node.metadata.resource_version = String::from(version).into();
        let version = node.metadata.resource_version.clone();
        Versioned::new(PlanObject::Node(node), version)
    }

    fn set(name: &str, version: &str) -> ClusterEvent<'static> {
        ClusterEvent::Set(Box::new(node(name, version)))
    }

    fn removed(name: &str, version: &'static str) -> ClusterEvent<'static> {
        ClusterEvent::Removed {
            kind: Kind::Node,
            key: key(name),
            resource_version: version.into(),
        }
    }

    fn listed(nodes: [Versioned<'static>; 2]) -> ClusterEvent<'static> {
        ClusterEvent::Listed {
            kind: Kind::Node,
            objects: nodes.into(),
            resource_version: "9".into(),
        }
    }

    #[test]
    fn a_list_sets_what_it_holds_and_then_removes_what_it_lacks() {
        let mut recorder = Recorder {
            session: Session::new(Options::default()),
            calls: Vec::new(),
        };
        let mut check = |event: ClusterEvent<'_>, reception, calls: &str| {
            assert_eq!(take(&mut recorder, &event), reception, "{event:?}");
            assert_eq!(core::mem::take(&mut recorder.calls).join(", "), calls);
        };
        check(
            listed([node("a", "2"), node("b", "2")]),
            Reception::Taken,
            "begin 9, set a, set b, end",
        );
        check(
            listed([node("b", "2"), node("c", "3")]),
            Reception::Taken,
            "begin 9, set b, set c, remove a, end",
        );
        check(set("b", "1"), Reception::Late, "");
        check(removed("b", "1"), Reception::Late, "");
        check(removed("x", "7"), Reception::Unknown, "remove x");
        check(set("x", "6"), Reception::Late, "");
        check(set("d", "8"), Reception::Taken, "set d");
        check(
            ClusterEvent::Listing(Kind::Node),
            Reception::Taken,
            "begin none",
        );
        let unreadable = |name, version: &str| {
            let error = Error::new(Code::InvalidType, "no");
            let mut object = Unreadable::named(Kind::Node, key(name), error);
            object.resource_version = version.into();
            ClusterEvent::Unreadable(Box::new(object))
        };
        check(unreadable("b", "1"), Reception::Taken, "remove b");
        check(set("c", "1"), Reception::Taken, "set c");
        check(
            ClusterEvent::Synced(Kind::Node),
            Reception::Taken,
            "remove d, end",
        );
        check(ClusterEvent::Resync, Reception::Taken, "resync");
        check(unreadable("c", "9"), Reception::Taken, "remove c");
        check(set("c", "8"), Reception::Late, "");
        check(removed("c", "8"), Reception::Late, "");
        check(unreadable("c", "8"), Reception::Late, "");
        check(removed("b", "9"), Reception::Taken, "remove b");
        check(removed("b", "9"), Reception::Unknown, "remove b");
        check(unreadable("b", "8"), Reception::Late, "");
        check(set("c", "10"), Reception::Taken, "set c");
        check(unreadable("d", "11"), Reception::Taken, "remove d");
        check(
            listed([node("a", "12"), node("b", "12")]),
            Reception::Taken,
            "begin 9, set a, set b, remove c, end",
        );
        check(set("d", "10"), Reception::Taken, "set d");
        check(unreadable("d", "11"), Reception::Taken, "remove d");
        check(
            ClusterEvent::Listing(Kind::Node),
            Reception::Taken,
            "begin none",
        );
        check(
            ClusterEvent::Synced(Kind::Node),
            Reception::Taken,
            "remove a, remove b, end",
        );
        check(set("d", "10"), Reception::Taken, "set d");
    }
}
