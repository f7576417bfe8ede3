//! Identifiers of the objects and lists in a session: indices in slabs, each with its own type.

use core::fmt::Debug;

/// An index in a [`Slab`](super::slab::Slab).
pub(super) trait Id: Copy + Debug + Ord {
    /// Stands for no id: no slab is that large.
    const NONE: Self;

    fn at(place: u32) -> Self;
    fn place(self) -> u32;
}

#[cfg(test)]
impl Id for u32 {
    const NONE: Self = Self::MAX;

    fn at(place: u32) -> Self {
        place
    }

    fn place(self) -> u32 {
        self
    }
}

/// Declares ids.
macro_rules! ids {
    ($($(#[$attribute:meta])* $id:ident;)*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(super) struct $id(u32);

        impl Id for $id {
            const NONE: Self = Self(u32::MAX);

            fn at(place: u32) -> Self {
                Self(place)
            }

            fn place(self) -> u32 {
                self.0
            }
        }
    )*};
}

ids! {
    /// A pod.
    PodId;

    /// A Service.
    ServiceId;

    /// A slice.
    SliceId;

    /// Labels that pods of a namespace have.
    LabelSetId;

    /// Container ports that pods have.
    PortListId;

    /// A set of several ids.
    LargeSetId;

    /// A text that is kept once. Equal texts have equal names.
    Name;
}
