//! Packing strategies: which slices of a port group take the endpoints that do not fit into changed slices.
//!
//! The reference has a single one. Its slices stay as empty as a scale-down leaves them, because it never moves an
//! endpoint.

use alloc::vec::Vec;
use core::cmp::Reverse;
use core::str::FromStr;

use super::draft::Draft;
use super::existing::Existing;
use crate::IS_SMALL;
use crate::model::order::sort_by;
use crate::model::{AddressType, EndpointSlice};

/// How endpoints are distributed over slices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a new strategy needs its own words wherever one is told"
)]
pub enum Packing {
    /// Like the reference: full slices of new endpoints, and the rest where it fits best. Endpoints never move, so
    /// nearly empty slices may remain after a scale-down.
    #[default]
    Upstream,
    /// At most one slice more than necessary in each port group. Endpoints only move if that removes a slice, and only
    /// into slices that are written before the emptied one is deleted.
    Compact,
    /// New endpoints go to the emptiest slice, and new slices have equal sizes, so that slices have room to grow and
    /// none is larger on the wire than necessary. Endpoints never move.
    Balanced,
}

impl Packing {
    /// All strategies.
    pub const ALL: [Self; 3] = [Self::Upstream, Self::Compact, Self::Balanced];

    /// Its name in the options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Upstream => "upstream",
            Self::Compact => "compact",
            Self::Balanced => "balanced",
        }
    }
}

/// No packing has that name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownPacking;

impl FromStr for Packing {
    type Err = UnknownPacking;

    fn from_str(name: &str) -> Result<Self, UnknownPacking> {
        let is_here = |packing: &Self| !IS_SMALL || *packing == Self::Upstream;
        let mut all = Self::ALL.into_iter().filter(is_here);
        let found = all.find(|packing| packing.name() == name);
        found.ok_or(UnknownPacking)
    }
}

impl Packing {
    const fn is_compact(self) -> bool {
        !IS_SMALL && matches!(self, Self::Compact)
    }

    const fn is_balanced(self) -> bool {
        !IS_SMALL && matches!(self, Self::Balanced)
    }

    /// The maximum number of slices for a number of endpoints.
    pub(super) const fn most_slices(self, endpoints: usize, max: usize) -> usize {
        if self.is_compact() {
            fewest(endpoints, max) + 1
        } else {
            usize::MAX
        }
    }

    /// How many of `count` endpoints each slice that changes anyway takes; the lengths are sorted, fullest first.
    pub(super) fn shares(self, lengths: &[usize], count: usize, max: usize) -> Vec<usize> {
        if self.is_balanced() {
            return even(lengths, count, max);
        }
        let room = |length: &usize| max.saturating_sub(*length);
        lengths.iter().map(room).collect()
    }

    /// The index of the slice that takes the rest, if one has room for all of it: the one that gets closest to full, or
    /// the emptiest. Among equals the first.
    pub(super) fn room_for_all(
        self,
        slices: &[Existing<'_>],
        count: usize,
        max: usize,
    ) -> Option<usize> {
        let rank = |(place, slice): (usize, &Existing<'_>)| {
            let room_left = max.checked_sub(count + slice.len())?;
            let rank = if self.is_balanced() {
                slice.len()
            } else {
                room_left
            };
            (room_left < max).then_some((rank, place))
        };
        let found = slices.iter().enumerate().filter_map(rank).min();
        found.map(|(_, place)| place)
    }

    /// The length of a new slice if `count` endpoints are left.
    pub(super) const fn length_of_new(self, count: usize, max: usize) -> usize {
        if self.is_balanced() {
            count.div_ceil(fewest(count, max))
        } else {
            max
        }
    }
}

/// The minimum number of slices for a number of endpoints.
pub(super) const fn fewest(endpoints: usize, max: usize) -> usize {
    endpoints.div_ceil(max)
}

/// How many of `count` endpoints each of these slices takes to make their sizes as equal as possible; the lengths are
/// sorted, fullest first. Endpoints beyond `max` per slice are left over.
fn even(lengths: &[usize], count: usize, max: usize) -> Vec<usize> {
    let mut total = count + lengths.iter().sum::<usize>();
    let mut slices = lengths.len();
    let share = |length: &usize| {
        let level = total.div_ceil(slices.max(1)).min(max);
        let taken = level.saturating_sub(*length);
        total -= length + taken;
        slices -= 1;
        taken
    };
    lengths.iter().map(share).collect()
}

/// A slice that may be emptied, or take endpoints from others.
enum PackingRole<'d, 'a> {
    /// It changes anyway.
    Changed(Draft<'d, 'a>),
    /// It would stay unchanged.
    Unchanged(Existing<'a>),
}

impl<'d, 'a> PackingRole<'d, 'a> {
    fn len(&self) -> usize {
        match self {
            Self::Changed(draft) => draft.len(),
            Self::Unchanged(slice) => slice.len(),
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Changed(draft) => draft.name(),
            Self::Unchanged(slice) => slice.name(),
        }
    }

    fn into_draft(self, address_type: AddressType) -> Draft<'d, 'a> {
        match self {
            Self::Changed(draft) => draft,
            Self::Unchanged(slice) => Draft::of(slice.whole(), address_type),
        }
    }
}

/// Empties `surplus` slices, the emptiest first, into those that change anyway, the fullest first, and then into those
/// with the most room. Returns the emptied ones.
///
/// The caller makes sure that the others have enough room.
pub(super) fn merge<'d, 'a>(
    update: &mut Vec<Draft<'d, 'a>>,
    unchanged: &mut Vec<Existing<'a>>,
    (surplus, max): (usize, usize),
    address_type: AddressType,
) -> Vec<&'a EndpointSlice<'a>> {
    let mut parts: Vec<PackingRole<'d, 'a>> = update.drain(..).map(PackingRole::Changed).collect();
    parts.extend(unchanged.drain(..).map(PackingRole::Unchanged));
    // Among equally empty slices, one that changes anyway is emptied: that saves a write.
    sort_by(&mut parts, |a, b| {
        let key =
            |part: &PackingRole<'d, 'a>| (part.len(), matches!(part, PackingRole::Unchanged(_)));
        key(a).cmp(&key(b)).then_with(|| a.name().cmp(b.name()))
    });
    let mut receivers = parts.split_off(surplus.min(parts.len()));
    let (mut emptied, mut moving) = (Vec::new(), Vec::new());
    for part in parts {
        let mut draft = part.into_draft(address_type);
        moving.append(&mut draft.take());
        emptied.extend(draft.base);
    }
    sort_by(&mut receivers, |a, b| {
        let key = |part: &PackingRole<'d, 'a>| match part {
            PackingRole::Changed(draft) => (false, Reverse(draft.len()), 0),
            PackingRole::Unchanged(slice) => (true, Reverse(0), slice.len()),
        };
        key(a).cmp(&key(b)).then_with(|| a.name().cmp(b.name()))
    });
    let mut moving = moving.into_iter();
    for receiver in receivers {
        let room = max.saturating_sub(receiver.len());
        if room > 0 && moving.len() > 0 {
            let mut draft = receiver.into_draft(address_type);
            draft.put(moving.by_ref().take(room));
            update.push(draft);
        } else {
            match receiver {
                PackingRole::Changed(draft) => update.push(draft),
                PackingRole::Unchanged(slice) => unchanged.push(slice),
            }
        }
    }
    emptied
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reconcile::by_port_map::tests::check_packing as check;

    #[test]
    fn compact_leaves_room_for_one_slice_more_than_needed() {
        check(
            Packing::Compact,
            &[&[1, 2], &[3, 4]],
            &[1, 2, 3, 4],
            "leave a; leave b",
        );
        check(Packing::Compact, &[&[1], &[2]], &[1, 2], "leave a; leave b");
    }

    #[test]
    fn compact_empties_the_emptiest_slices() {
        check(
            Packing::Compact,
            &[&[1], &[2], &[3]],
            &[1, 2, 3],
            "update b: 2 1; empty a; leave c",
        );
        check(
            Packing::Compact,
            &[&[1, 2], &[3], &[4, 5], &[6, 7]],
            &[1, 2, 3, 4, 5, 6, 7],
            "leave a; leave b; leave c; leave d",
        );
        check(
            Packing::Compact,
            &[&[1, 2], &[3], &[4, 5], &[6]],
            &[1, 2, 3, 4, 5, 6],
            "update d: 6 3; empty b; leave a; leave c",
        );
    }

    #[test]
    fn compact_moves_endpoints_into_slices_that_change_anyway() {
        check(
            Packing::Compact,
            &[&[1, 9], &[2], &[3]],
            &[1, 2, 3],
            "update b: 2 1; empty a; leave c",
        );
        check(
            Packing::Compact,
            &[&[1, 2, 9], &[3], &[4, 5, 6]],
            &[1, 2, 3, 4, 5, 6],
            "update a: 1 2; leave b; leave c",
        );
        check(
            Packing::Compact,
            &[&[1, 2, 9], &[3], &[4], &[5, 6]],
            &[1, 2, 3, 4, 5, 6],
            "update a: 1 2 3; empty b; leave c; leave d",
        );
        // It cannot take any.
        check(
            Packing::Compact,
            &[&[1, 2, 3, 9], &[4], &[5], &[6]],
            &[1, 2, 3, 4, 5, 6],
            "update a: 1 2 3; update c: 5 4; empty b; leave d",
        );
    }

    #[test]
    fn compact_fills_slices_rather_than_creating_one_too_many() {
        check(
            Packing::Compact,
            &[&[1], &[2], &[]],
            &[1, 2, 3, 4, 5, 6],
            "update a: 1 +6; update c: +3 +4 +5; leave b",
        );
    }

    #[test]
    fn compact_spreads_over_slices_none_of_which_has_room_for_all() {
        check(
            Packing::Compact,
            &[&[1, 2], &[3, 4], &[5, 6], &[7, 8], &[9, 10]],
            &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
            "update a: 1 2 +11; update b: 3 4 +12; leave c; leave d; leave e",
        );
    }

    #[test]
    fn compact_fills_no_more_slices_than_the_new_endpoints_need() {
        check(
            Packing::Compact,
            &[&[1], &[2], &[3], &[4], &[5], &[6]],
            &[1, 2, 3, 4, 5, 6, 7],
            "update a: 1 +7 2; update d: 4 3; empty b; empty c; leave e; leave f",
        );
    }

    #[test]
    fn compact_creates_a_slice_once_it_may() {
        check(
            Packing::Compact,
            &[&[1, 2], &[3, 4], &[5]],
            &[1, 2, 3, 4, 5, 6, 7, 8, 9],
            "create : +8 +9; update c: 5 +6 +7; leave a; leave b",
        );
    }

    #[test]
    fn balanced_gives_to_the_emptiest() {
        check(
            Packing::Balanced,
            &[&[1, 2], &[3]],
            &[1, 2, 3, 4],
            "update b: 3 +4; leave a",
        );
    }

    #[test]
    fn balanced_makes_slices_of_one_size() {
        check(
            Packing::Balanced,
            &[],
            &[1, 2, 3, 4],
            "create : +1 +2; create : +3 +4",
        );
        check(
            Packing::Balanced,
            &[&[1, 8, 9], &[2, 3, 7]],
            &[1, 2, 3, 4],
            "update a: 1 +4; update b: 2 3",
        );
    }

    #[test]
    fn an_even_share_is_never_above_the_maximum() {
        assert_eq!(even(&[5, 3, 1], 3, 4), [0, 1, 2]);
        assert_eq!(even(&[3, 0], 9, 4), [1, 4]);
        assert!(even(&[], 3, 4).is_empty());
    }

    #[test]
    fn names_are_those_of_the_options() {
        for packing in Packing::ALL {
            assert_eq!(packing.name().parse(), Ok(packing));
        }
        assert_eq!("tight".parse::<Packing>(), Err(UnknownPacking));
    }
}
