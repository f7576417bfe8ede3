//! What identifies the objects and lists that the session keeps: places in slabs, each with a type of its own.

use core::fmt::Debug;

/// A place in a [`Slab`](super::slab::Slab).
pub(super) trait Id: Copy + Debug + Ord {
    /// Stands for nothing: no slab has so many places.
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
