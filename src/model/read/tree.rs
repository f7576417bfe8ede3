//! What the tables read, as data: code that generates JSON input can leave the rest out.

use alloc::borrow::ToOwned as _;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use super::condition::{Condition, READY};
use super::{Object, Others, Slot};

/// The parts of a value that are read. A value of an unexpected type counts as read in full.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "what there is to read of a value")]
pub enum Tree {
    /// All of it.
    Whole,
    /// Only whether it is an object of texts.
    Texts,
    /// These fields of an object, and all `others` if unknown fields are kept or refused.
    Object {
        /// The fields.
        fields: BTreeMap<&'static str, Self>,
        /// Are other fields read?
        others: bool,
    },
    /// This part of each item of a list.
    List(Box<Self>),
    /// This part of the items whose field has this value; of other items, only the types of the fields matter.
    Only(Box<Self>, &'static str, &'static str),
    /// For an object or each object in a list, the parts that the table of this name gives for its kind.
    Kinds(&'static str),
}

/// The parts of objects that are read, depending on their kind.
#[derive(Clone, Debug, Serialize)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a table by the kind of an object"
)]
pub struct Kinds {
    /// The field with the kind.
    pub by: &'static str,
    /// What is read, by its value; the empty one stands for all others.
    pub of: BTreeMap<&'static str, Tree>,
}

impl Tree {
    /// What a type reads of an object.
    pub fn of<'a, T: Object<'a> + Default>() -> Self {
        Self::read_by(&mut T::default())
    }

    /// A list of which this is read of each item.
    #[must_use]
    pub fn in_list(self) -> Self {
        Self::List(Box::new(self))
    }

    /// What two readers read of the same value.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (
                Self::Object { mut fields, others },
                Self::Object {
                    fields: more,
                    others: more_others,
                },
            ) => {
                for (key, tree) in more {
                    let both = match fields.remove(key) {
                        Some(known) => known.and(tree),
                        None => tree,
                    };
                    fields.insert(key, both);
                }
                Self::Object {
                    fields,
                    others: others || more_others,
                }
            }
            (one, other) if one == other => one,
            (Self::Only(one, ..) | Self::List(one), Self::Only(other, ..) | Self::List(other)) => {
                one.and(*other).in_list()
            }
            _ => Self::Whole,
        }
    }

    /// This, and what is read of a field whose value is parsed later.
    #[must_use]
    pub fn with(self, field: &'static str, tree: Self) -> Self {
        match self {
            Self::Object { mut fields, others } => {
                fields.insert(field, tree);
                Self::Object { fields, others }
            }
            other => other,
        }
    }

    /// The paths of what is read, with field names joined by dots; the items of a list share one path. Empty if nothing
    /// may be left out.
    pub fn paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        self.add_paths("", &mut paths);
        paths
    }

    fn add_paths(&self, path: &str, paths: &mut Vec<String>) {
        match self {
            Self::List(item) | Self::Only(item, ..) => item.add_paths(path, paths),
            Self::Object {
                fields,
                others: false,
            } => {
                for (key, tree) in fields {
                    let dot = if path.is_empty() { "" } else { "." };
                    tree.add_paths(&[path, dot, key].concat(), paths);
                }
            }
            _ if path.is_empty() => {}
            _ => paths.push(path.to_owned()),
        }
    }

    /// Must nothing be left out?
    fn is_whole(&self) -> bool {
        match self {
            Self::Whole => true,
            Self::List(item) => item.is_whole(),
            Self::Object { fields, others } => *others && fields.values().all(Self::is_whole),
            Self::Texts | Self::Kinds(_) | Self::Only(..) => false,
        }
    }

    fn read_by<'a>(object: &mut dyn Object<'a>) -> Self {
        let shape = object.shape();
        let mut fields = BTreeMap::new();
        for (number, key) in shape.all_keys().enumerate() {
            let tree = match object.slot(number) {
                Slot::Object(inner) => Self::read_by(inner),
                Slot::OptionalObject(place) | Slot::OfKind(place, _) => Self::read_by(place.grow()),
                Slot::List(place) => Self::read_by(place.grow()).in_list(),
                Slot::Conditions(_) => {
                    Self::Only(Box::new(Self::of::<Condition<'_>>()), "type", READY)
                }
                _ => Self::Whole,
            };
            fields.insert(key, tree);
        }
        for claim in ["kind", "apiVersion"] {
            if shape.expects(shape.field(claim)).is_some() {
                fields.entry(claim).or_insert(Self::Whole);
            }
        }
        Self::Object {
            fields,
            others: !matches!(object.others(), Others::Pass),
        }
    }
}

impl Serialize for Tree {
    /// `1` is the whole value, `2` only whether it is an object of texts; a list has the tree of its items, optionally
    /// with the field and value that select them; a text names a table of kinds; `*` stands for other fields.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            whole if whole.is_whole() => serializer.serialize_u8(1),
            Self::Whole => serializer.serialize_u8(1),
            Self::Texts => serializer.serialize_u8(2),
            Self::List(item) => [item].serialize(serializer),
            Self::Only(item, field, value) => (item, field, value).serialize(serializer),
            Self::Kinds(name) => serializer.serialize_str(name),
            Self::Object { fields, others } => {
                let mut map = serializer.serialize_map(None)?;
                for (key, tree) in fields {
                    map.serialize_entry(key, tree)?;
                }
                if *others {
                    map.serialize_entry("*", &Self::Whole)?;
                }
                map.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{EndpointSlice, Node, Pod};
    use crate::plan::request::PlanRequest;

    #[track_caller]
    fn check(tree: &Tree, expected: &str) {
        assert_eq!(serde_json::to_string(tree).unwrap(), expected);
    }

    #[test]
    fn fields_that_are_passed_over_are_left_out() {
        check(
            &Tree::of::<Node<'_>>(),
            r#"{"apiVersion":1,"kind":1,"metadata":{"labels":1,"name":1,"resourceVersion":1},"status":{"allocatable":{"cpu":1},"conditions":[{"lastTransitionTime":1,"status":1,"type":1},"type","Ready"]}}"#,
        );
    }

    #[test]
    fn what_is_written_back_is_read_whole() {
        check(&Tree::of::<EndpointSlice<'_>>(), "1");
    }

    #[test]
    fn paths_lead_through_lists() {
        assert_eq!(
            Tree::of::<Node<'_>>().paths(),
            [
                "apiVersion",
                "kind",
                "metadata.labels",
                "metadata.name",
                "metadata.resourceVersion",
                "status.allocatable.cpu",
                "status.conditions.lastTransitionTime",
                "status.conditions.status",
                "status.conditions.type",
            ]
        );
        assert!(Tree::of::<EndpointSlice<'_>>().paths().is_empty());
        assert!(Tree::of::<PlanRequest<'_>>().paths().is_empty());
    }

    #[test]
    fn unknown_fields_of_ours_are_read_to_be_refused() {
        let Tree::Object { fields, others } = Tree::of::<PlanRequest<'_>>() else {
            unreachable!("a request is an object");
        };
        assert!(others);
        assert_eq!(fields["pods"], Tree::of::<Pod<'_>>().in_list());
        assert!(fields["slices"].is_whole() && fields["options"].is_whole());
    }

    #[test]
    fn two_readers_read_the_fields_of_both() {
        let object = |key| Tree::Object {
            fields: [(key, Tree::Whole)].into(),
            others: false,
        };
        check(&object("a").and(object("b")), r#"{"a":1,"b":1}"#);
        check(&object("a").and(Tree::Whole), "1");
        check(
            &object("a").with("a", Tree::Kinds("objects")).in_list(),
            r#"[{"a":"objects"}]"#,
        );
    }
}
