//! Objects that outlive the text they were read from: each declares what is kept of it along with its fields.

use alloc::string::String;
use alloc::vec::Vec;
use core::net::IpAddr;

use super::conditions::ReadyCondition;
use super::few::Few;
use super::order::SortedMap;
use super::text::{StringMap, Text};
use super::time::Timestamp;

/// Stores the texts of objects.
pub trait Keeper<'k> {
    /// Stores a text.
    fn keep(&self, text: Text<'_>) -> Text<'k>;
}

/// Stores each text in its own allocation.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "a way to keep texts")]
pub struct Alone;

impl<'k> Keeper<'k> for Alone {
    fn keep(&self, text: Text<'_>) -> Text<'k> {
        text.into_owned()
    }
}

/// Stores objects that have been read.
pub trait Keep<T> {
    /// The stored form.
    type Kept;

    /// Stores an object.
    fn keep(&self, object: T) -> Self::Kept;
}

/// Leaves objects as they are, borrowing from the text they were read from.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "a way to keep objects")]
pub struct OnText;

impl<T> Keep<T> for OnText {
    type Kept = T;

    fn keep(&self, object: T) -> T {
        object
    }
}

/// Makes objects outlive their text.
#[derive(Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "a reference")]
pub struct OffText<'s, 'k>(pub &'s dyn Keeper<'k>);

impl<'k, T: Own<'k>> Keep<T> for OffText<'_, 'k> {
    type Kept = T::Owned;

    fn keep(&self, object: T) -> T::Owned {
        object.own(self.0)
    }
}

/// A type that can outlive its text.
pub trait Own<'k> {
    /// What the value becomes when it borrows nothing from the text.
    type Owned;

    /// Moves the value's texts to the keeper.
    fn own(self, keeper: &dyn Keeper<'k>) -> Self::Owned;
}

impl<'k> Own<'k> for Text<'_> {
    type Owned = Text<'k>;

    fn own(self, keeper: &dyn Keeper<'k>) -> Text<'k> {
        keeper.keep(self)
    }
}

impl<'k, T: Own<'k>> Own<'k> for Option<T> {
    type Owned = Option<T::Owned>;

    fn own(self, keeper: &dyn Keeper<'k>) -> Self::Owned {
        self.map(|value| value.own(keeper))
    }
}

impl<'k, T: Own<'k>> Own<'k> for Vec<T> {
    type Owned = Vec<T::Owned>;

    fn own(self, keeper: &dyn Keeper<'k>) -> Self::Owned {
        // A new allocation of the exact size: the one used for reading has spare room.
        let mut values = Vec::with_capacity(self.len());
        values.extend(self.into_iter().map(|value| value.own(keeper)));
        values
    }
}

impl<'k, T: Own<'k>> Own<'k> for Few<T> {
    type Owned = Few<T::Owned>;

    fn own(self, keeper: &dyn Keeper<'k>) -> Self::Owned {
        match self {
            Self::One(value) => Few::One(value.own(keeper)),
            Self::Many(values) => Few::Many(values.own(keeper)),
        }
    }
}

impl<'k> Own<'k> for StringMap<'_> {
    type Owned = StringMap<'k>;

    fn own(self, keeper: &dyn Keeper<'k>) -> StringMap<'k> {
        let mut pairs = Vec::with_capacity(self.len());
        let kept = |(key, value)| (keeper.keep(key), keeper.keep(value));
        pairs.extend(self.into_iter().map(kept));
        pairs.into_iter().collect()
    }
}

/// Values without texts.
#[macro_export]
#[doc(hidden)]
macro_rules! own_themselves {
    ($($Type:ty),*) => {$(
        impl<'k> $crate::model::own::Own<'k> for $Type {
            type Owned = Self;

            fn own(self, _: &dyn $crate::model::own::Keeper<'k>) -> Self {
                self
            }
        }
    )*};
}
#[doc(hidden)]
pub use own_themselves;

own_themselves!(
    bool,
    i32,
    i64,
    u32,
    IpAddr,
    ReadyCondition,
    SortedMap<String, i64>,
    String,
    Timestamp
);

#[cfg(test)]
mod tests {
    use core::fmt::Debug;

    use crate::model::{EndpointSlice, Node, Pod, Service};

    #[test]
    fn nothing_is_lost() {
        let text = r#"{"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","metadata":{"name":"cart-a","generateName":"cart-","namespace":"shop","uid":"1","resourceVersion":"2","generation":3,"creationTimestamp":"2026-01-02T03:04:05Z","deletionTimestamp":"2026-01-02T03:04:06Z","labels":{"a":"b"},"annotations":{"c":"d"},"ownerReferences":[{"apiVersion":"v1","kind":"Service","name":"cart","uid":"4","controller":true,"blockOwnerDeletion":true,"new":1}],"finalizers":["f"]},"addressType":"IPv4","endpoints":[{"addresses":["10.0.0.1"],"conditions":{"ready":true,"serving":true,"terminating":false,"new":2},"hostname":"h","targetRef":{"kind":"Pod","namespace":"shop","name":"cart-1","uid":"5","apiVersion":"v1","resourceVersion":"6","fieldPath":"p","new":3},"deprecatedTopology":{"e":"f"},"nodeName":"n","zone":"z","hints":{"forZones":[{"name":"z","new":4}],"forNodes":[{"name":"n","new":5}],"new":6},"new":7}],"ports":[{"name":"http","port":80,"protocol":"TCP","appProtocol":"h2","new":8}],"new":9}"#;
        let owned = {
            let gone = text.to_owned();
            let slice: EndpointSlice<'_> = serde_json::from_str(&gone).unwrap();
            slice.into_owned()
        };
        assert_eq!(serde_json::to_string(&owned).unwrap(), text);
        assert_eq!(serde_json::to_string(&owned.to_static()).unwrap(), text);
    }

    /// All fields, as shown by `Debug`, are the same after the text is gone.
    #[track_caller]
    fn check<T: Debug>(owned: &T, read: &impl Debug) {
        assert_eq!(format!("{owned:?}"), format!("{read:?}"));
    }

    #[test]
    fn nothing_is_lost_of_a_service() {
        let text = r#"{"metadata":{"name":"cart","namespace":"shop","uid":"1","labels":{"a":"b"},"annotations":{"c":"d"},"creationTimestamp":"2026-01-02T03:04:05Z","deletionTimestamp":"2026-01-02T03:04:06Z"},"spec":{"selector":{"app":"cart"},"ports":[{"name":"http","protocol":"TCP","targetPort":"web","appProtocol":"h2"},{"targetPort":8080}],"clusterIP":"10.0.0.1","ipFamilies":["IPv4"],"type":"ClusterIP","publishNotReadyAddresses":true,"trafficDistribution":"PreferClose"}}"#;
        let service: Service<'_> = serde_json::from_str(text).unwrap();
        check(&service.clone().into_owned(), &service);
    }

    #[test]
    fn nothing_is_lost_of_a_pod() {
        let text = r#"{"metadata":{"name":"cart-1","namespace":"shop","uid":"1","labels":{"a":"b"},"deletionTimestamp":"2026-01-02T03:04:06Z"},"spec":{"nodeName":"n","hostname":"h","subdomain":"s","containers":[{"ports":[{"name":"web","containerPort":8080,"protocol":"TCP"}]}],"initContainers":[{"restartPolicy":"Always","ports":[{"containerPort":9090}]}]},"status":{"phase":"Running","podIP":"10.0.0.1","podIPs":[{"ip":"10.0.0.1"},{"ip":"fd00::1"}],"conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-02T03:04:07Z"}]}}"#;
        let pod: Pod<'_> = serde_json::from_str(text).unwrap();
        check(&pod.clone().into_owned(), &pod);
    }

    #[test]
    fn nothing_is_lost_of_a_node() {
        let text = r#"{"metadata":{"name":"n","labels":{"topology.kubernetes.io/zone":"a"}},"status":{"allocatable":{"cpu":"4"},"conditions":[{"type":"Ready","status":"True"}]}}"#;
        let node: Node<'_> = serde_json::from_str(text).unwrap();
        check(&node.clone().into_owned(), &node);
    }
}
