//! Values for each of a Service's families.

use super::AddressType;

/// One value for each family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "IP has two families")]
pub struct ByFamily<T> {
    /// Of IPv4.
    pub ipv4: T,
    /// Of IPv6.
    pub ipv6: T,
}

/// Some of the families.
pub type Families = ByFamily<bool>;

impl<T> ByFamily<T> {
    /// The value of a family.
    pub const fn of(&self, family: AddressType) -> &T {
        match family {
            AddressType::IPv4 => &self.ipv4,
            AddressType::IPv6 => &self.ipv6,
        }
    }

    /// The mutable value of a family.
    pub const fn of_mut(&mut self, family: AddressType) -> &mut T {
        match family {
            AddressType::IPv4 => &mut self.ipv4,
            AddressType::IPv6 => &mut self.ipv6,
        }
    }
}

impl Families {
    /// Is the family included?
    pub const fn contains(self, family: AddressType) -> bool {
        *self.of(family)
    }

    /// Adds a family.
    pub const fn insert(&mut self, family: AddressType) {
        *self.of_mut(family) = true;
    }

    /// Removes a family.
    pub const fn remove(&mut self, family: AddressType) {
        *self.of_mut(family) = false;
    }
}
