//! Packs the endpoints of one port group into slices: keep, fill, pack.
//!
//! Reference: `reconcileByPortMapping`. Where it chooses randomly among equals, this uses the slice with the first
//! name, and places endpoints in the order of their addresses.

use alloc::vec::Vec;

use super::Input;
use super::draft::{Before, Draft, DraftEndpoint, DraftEndpoints};
use super::existing::{ComparedSlice, Existing, Open, OpenEndpoint, SettledGroup, break_up};
use super::packing::{Packing, fewest, merge};
use super::slice;
use crate::model::endpoint_set::{DesiredEndpoint, EndpointSet};
use crate::model::order::sort_by;
use crate::model::prefetch::{Prefetch as _, prefetch_after};
use crate::model::{AddressType, EndpointPort, EndpointSlice, StringMap};

/// The result of packing one port group.
#[derive(Debug, Default)]
pub(super) struct Packed<'d, 'a> {
    /// New slices.
    pub create: Vec<Draft<'d, 'a>>,
    /// Changed slices, by name.
    pub update: Vec<Draft<'d, 'a>>,
    /// Slices without any remaining endpoint.
    pub delete: Vec<&'a EndpointSlice<'a>>,
    /// Slices whose endpoints all moved to others.
    pub emptied: Vec<&'a EndpointSlice<'a>>,
    /// Slices unchanged so far, by name.
    pub unchanged: Vec<Existing<'a>>,
    /// Settled slices, as long as none of them is changed.
    pub whole: Option<&'a SettledGroup<'a>>,
    /// Comparisons of the open slices that stay and have the right labels.
    pub compared: Vec<ComparedSlice<'a>>,
    /// Endpoints that were in no slice.
    pub added: usize,
    /// Endpoints that were removed from their slice.
    pub removed: usize,
    /// Endpoints of open slices that stay and are not among the compared ones.
    pub confirmed: usize,
}

/// Packs one port group. Existing slices, open and settled, are sorted by name.
pub(super) fn pack<'d, 'a>(
    input: &Input<'a>,
    address_type: AddressType,
    labels: &StringMap<'a>,
    (open, settled): (&[Open<'a>], Option<&'a SettledGroup<'a>>),
    desired: &'d [DesiredEndpoint<'a>],
    ports: &[EndpointPort<'a>],
) -> Packed<'d, 'a> {
    let max = input.settings.max_endpoints_per_slice.get();
    let mut packed = Packed::default();
    let mut queue = keep(&mut packed, input, address_type, labels, open, desired).into_iter();
    packed.whole = settled;
    packed.added = queue.len();
    let mut take = |draft: &mut Draft<'d, 'a>, count: usize| {
        let indices = queue.by_ref().take(count);
        let desired = indices.filter_map(|index| desired.get(index as usize));
        draft.put(desired.map(|desired| DraftEndpoint::Set(desired, None)));
        queue.len()
    };
    let packing = input.settings.packing;
    let mut left = fill(&mut packed.update, (packing, max), &mut take, packed.added);
    let endpoints = desired.len() + packed.confirmed + settled.map_or(0, |group| group.endpoints);
    let most_slices = packing.most_slices(endpoints, max);
    if left > 0 && packed.slices() + fewest(left, max) > most_slices {
        packed.look_at_each();
        sort_by(&mut packed.unchanged, |a, b| {
            (b.len(), b.name()).cmp(&(a.len(), a.name()))
        });
        while left > 0
            && packed.slices() + fewest(left, max) > most_slices
            && let Some(emptiest) = packed.unchanged.pop_if(|slice| slice.len() < max)
        {
            let mut draft = Draft::of(emptiest.whole(), address_type);
            let room = max - draft.len();
            left = take(&mut draft, room);
            packed.update.push(draft);
        }
        sort_by(&mut packed.unchanged, |a, b| a.name().cmp(b.name()));
    }
    while left > 0 {
        if left < max {
            packed.look_at_each();
        }
        let room_for_all = (left < max)
            .then(|| packing.room_for_all(&packed.unchanged, left, max))
            .flatten();
        if let Some(place) = room_for_all {
            let mut draft = Draft::of(packed.unchanged.remove(place).whole(), address_type);
            left = take(&mut draft, max);
            packed.update.push(draft);
        } else {
            let mut draft = slice::new(address_type, ports, labels);
            left = take(&mut draft, packing.length_of_new(left, max));
            packed.create.push(draft);
        }
    }
    let surplus = packed.slices().saturating_sub(most_slices);
    if surplus > 0 {
        packed.look_at_each();
        packed.emptied = merge(
            &mut packed.update,
            &mut packed.unchanged,
            (surplus, max),
            address_type,
        );
    }
    sort_by(&mut packed.update, Draft::by_name);
    packed
}

impl Packed<'_, '_> {
    /// The resulting number of slices.
    fn slices(&self) -> usize {
        let settled = self.whole.map_or(0, |group| group.slices);
        self.create.len() + self.update.len() + self.unchanged.len() + settled
    }

    /// From now on, handles settled slices one by one.
    fn look_at_each(&mut self) {
        if let Some(group) = self.whole.take() {
            break_up([group], &mut self.unchanged);
        }
    }
}

/// Step 1: drops unwanted endpoints, refreshes changed ones, marks slices whose labels differ. Returns what is still to
/// be placed.
fn keep<'d, 'a>(
    packed: &mut Packed<'d, 'a>,
    input: &Input<'a>,
    address_type: AddressType,
    labels: &StringMap<'a>,
    existing: &[Open<'a>],
    desired: &'d [DesiredEndpoint<'a>],
) -> Vec<u32> {
    let mut set = EndpointSet::new(desired);
    let mut found: Vec<Option<u32>> = Vec::new();
    let mut kept: Vec<(Option<&'d DesiredEndpoint<'a>>, OpenEndpoint<'a>)> = Vec::new();
    for open in existing {
        let slice = open.slice;
        found.clear();
        found.extend((0..).zip(&slice.endpoints).map(|(place, endpoint)| {
            prefetch_after(&slice.endpoints, place);
            set.find(desired, endpoint)
        }));
        let found_at = |index: &u32| desired.get(*index as usize);
        let candidates = found.iter().flatten().filter_map(found_at);
        candidates.for_each(DesiredEndpoint::prefetch_texts);
        let mut found = found.iter();
        kept.clear();
        kept.reserve(open.len());
        let mut wrong = Vec::new();
        for open in open.endpoints() {
            let OpenEndpoint::Unconfirmed(endpoint) = open else {
                packed.confirmed += 1;
                kept.push((None, open));
                continue;
            };
            let wanted = found.next().copied().flatten();
            let wanted = wanted.and_then(|found| set.take(desired, found, endpoint));
            if !wanted.is_some_and(|wanted| wanted.equals_beyond_identity(endpoint)) {
                wrong.push(endpoint);
            }
            kept.extend(wanted.map(|wanted| (Some(wanted), open)));
        }
        let dropped = open.len() - kept.len();
        packed.removed += dropped;
        let labels_differ =
            slice::labels_differ(&slice.metadata.labels, &input.service.metadata.labels);
        if !wrong.is_empty() {
            if kept.is_empty() {
                packed.delete.push(slice);
                continue;
            }
            let mut draft = Draft::of(slice, address_type);
            draft.labels = Some(labels.clone());
            let place = |(wanted, open): &(Option<&'d DesiredEndpoint<'a>>, OpenEndpoint<'a>)| {
                Some(match (wanted, open) {
                    (_, OpenEndpoint::Confirmed(endpoint)) => DraftEndpoint::Confirmed(*endpoint),
                    (wanted, OpenEndpoint::Unconfirmed(endpoint)) => {
                        DraftEndpoint::Set((*wanted)?, Some(Before::of(endpoint)))
                    }
                })
            };
            let mut list = Vec::with_capacity(kept.len());
            list.extend(kept.iter().filter_map(place));
            draft.endpoints = DraftEndpoints::List(list);
            draft.reasons.endpoints = true;
            draft.reasons.labels = labels_differ;
            packed.update.push(draft);
            packed.compared.push(ComparedSlice { slice, wrong });
        } else if labels_differ {
            let mut draft = Draft::of(open.unchanged().whole(), address_type);
            draft.labels = Some(labels.clone());
            draft.reasons.labels = true;
            packed.update.push(draft);
        } else {
            packed.unchanged.push(open.unchanged());
            packed.compared.push(ComparedSlice { slice, wrong });
        }
    }
    set.remaining(desired)
}

/// Step 2: fills slices that change anyway, in the order of the packing. Takes and returns the number of endpoints that
/// are left.
fn fill<'d, 'a>(
    update: &mut [Draft<'d, 'a>],
    (packing, max): (Packing, usize),
    take: &mut impl FnMut(&mut Draft<'d, 'a>, usize) -> usize,
    mut left: usize,
) -> usize {
    let mut order: Vec<&mut Draft<'d, 'a>> = update.iter_mut().collect();
    sort_by(&mut order, |a, b| {
        b.len().cmp(&a.len()).then_with(|| a.name().cmp(b.name()))
    });
    let lengths: Vec<usize> = order.iter().map(|draft| draft.len()).collect();
    for (draft, share) in order.into_iter().zip(packing.shares(&lengths, left, max)) {
        if share > 0 && left > 0 {
            left = take(draft, share);
        }
    }
    left
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::model::Endpoint;
    use crate::model::endpoint_set::{EndpointAddresses, EndpointTarget};
    use crate::model::slice_names::NamesWithout;
    use crate::reconcile::existing::{HintsOf, Settled, SettledSource};
    use crate::reconcile::hint_facts::{EndpointView, HintFacts, HintTotals};
    use crate::reconcile::testing::{input, nodes, read, slice};
    use serde_json::{Value, json};

    const NAMES: [&str; 7] = ["a", "b", "c", "d", "e", "f", "g"];

    fn address(number: u8) -> String {
        format!("10.0.0.{number}")
    }

    fn existing(number: u8) -> Value {
        json!({"addresses": [address(number)], "conditions": {"ready": true, "serving": true, "terminating": false}})
    }

    fn wanted(number: u8) -> DesiredEndpoint<'static> {
        DesiredEndpoint {
            addresses: EndpointAddresses::new(vec![address(number).parse().unwrap()]),
            ready: Some(true),
            serving: Some(true),
            terminating: Some(false),
            hostname: None,
            target: EndpointTarget::Reference(None),
            node_name: None,
            zone: None,
        }
    }

    /// The last bytes of the addresses in a draft, with `+` before the added ones.
    fn endpoints(draft: &Draft<'_, '_>) -> String {
        let last = |address: &str| address.rsplit('.').next().unwrap().to_owned();
        let text = |placed: &DraftEndpoint<'_, '_>| match placed {
            DraftEndpoint::Kept(endpoint) => last(&endpoint.addresses[0]),
            DraftEndpoint::Confirmed(_) => unreachable!("nothing is settled here"),
            DraftEndpoint::Set(endpoint, before) => {
                let address = last(&endpoint.addresses.iter().next().unwrap().to_string());
                let sign = if before.is_some() { "" } else { "+" };
                format!("{sign}{address}")
            }
        };
        match &draft.endpoints {
            DraftEndpoints::AsBase => "as it was".into(),
            DraftEndpoints::List(list) => list.iter().map(text).collect::<Vec<_>>().join(" "),
        }
    }

    /// Does a draft have any endpoint that its base lacks?
    fn is_filled(draft: &Draft<'_, '_>) -> bool {
        let is_own = |address: &str| {
            let mut own = draft.base_endpoints().iter();
            own.any(|other| core::ptr::eq(other.addresses[0].as_str(), address))
        };
        match &draft.endpoints {
            DraftEndpoints::AsBase => false,
            DraftEndpoints::List(list) => list.iter().any(|placed| match placed {
                DraftEndpoint::Kept(endpoint) => !is_own(&endpoint.addresses[0]),
                DraftEndpoint::Set(_, before) => {
                    !before.is_some_and(|before| is_own(before.address))
                }
                DraftEndpoint::Confirmed(_) => unreachable!("nothing is settled here"),
            }),
        }
    }

    fn show(packed: &Packed<'_, '_>) -> String {
        let drafts = |drafts: &[Draft<'_, '_>], verb: &str| {
            let line =
                |draft: &Draft<'_, '_>| format!("{verb} {}: {}", draft.name(), endpoints(draft));
            drafts.iter().map(line).collect::<Vec<_>>()
        };
        let names = |names: Vec<&str>, verb: &str| {
            let line = |name: &&str| format!("{verb} {name}");
            names.iter().map(line).collect::<Vec<_>>()
        };
        [
            drafts(&packed.create, "create"),
            drafts(&packed.update, "update"),
            names(
                packed.delete.iter().map(|slice| slice.name()).collect(),
                "delete",
            ),
            names(
                packed.emptied.iter().map(|slice| slice.name()).collect(),
                "empty",
            ),
            names(
                packed.unchanged.iter().map(Existing::name).collect(),
                "leave",
            ),
        ]
        .concat()
        .join("; ")
    }

    /// Slices `a`, `b`, … with these endpoints, at most three each, and the desired endpoints.
    #[track_caller]
    fn check(slices: &[&[u8]], wanted: &[u8], expected: &str) {
        check_labelled(slices, wanted, &json!({}), expected);
    }

    /// The same with a packing.
    #[track_caller]
    pub(in crate::reconcile) fn check_packing(
        packing: Packing,
        slices: &[&[u8]],
        wanted: &[u8],
        expected: &str,
    ) {
        check_all(packing, slices, wanted, &json!({}), expected);
    }

    #[track_caller]
    fn check_labelled(slices: &[&[u8]], wanted: &[u8], labels: &Value, expected: &str) {
        check_all(Packing::Upstream, slices, wanted, labels, expected);
    }

    #[track_caller]
    fn check_all(
        packing: Packing,
        slices: &[&[u8]],
        wanted: &[u8],
        labels: &Value,
        expected: &str,
    ) {
        let slices: Vec<_> = NAMES
            .iter()
            .zip(slices)
            .map(|(name, endpoints)| {
                let endpoints: Vec<_> = endpoints.iter().copied().map(existing).collect();
                slice(name, &endpoints)
            })
            .collect();
        let mut input = input(&json!({"metadata": {"labels": labels}}), nodes(&[]));
        input.settings.packing = packing;
        let desired: Vec<_> = wanted.iter().copied().map(self::wanted).collect();
        let open: Vec<_> = slices.iter().copied().map(Open::from).collect();
        let packed = pack(
            &input,
            AddressType::IPv4,
            &read(labels),
            (&open, None),
            &desired,
            &[],
        );
        assert_eq!(show(&packed), expected);
        for draft in &packed.update {
            assert_eq!(draft.reasons.filled, is_filled(draft), "{}", draft.name());
        }
        let before: usize = slices.iter().map(|slice| slice.endpoints.len()).sum();
        assert_eq!(
            before + packed.added - packed.removed,
            wanted.len(),
            "added and removed do not add up"
        );
    }

    /// Settled slices of one group, numbered by their order.
    struct NumberedSlices<'a>(Vec<&'a EndpointSlice<'a>>, HintFacts);

    impl SettledSource for NumberedSlices<'_> {
        fn slices(&self, _: u32) -> Vec<Settled<'_>> {
            let numbered = self.0.iter().zip(0..);
            numbered
                .map(|(slice, number)| Settled {
                    name: slice.name(),
                    len: slice.endpoints.len(),
                    facts: &self.1,
                    number,
                    source: self,
                })
                .collect()
        }

        fn names(&self, _: u32) -> Option<NamesWithout<'_>> {
            unreachable!("packing does not list names")
        }

        fn whole(&self, number: u32) -> &EndpointSlice<'_> {
            self.0[number as usize]
        }

        fn count_ready<'s>(&'s self, _: u32, _: &[u32], _: &mut dyn FnMut(&'s str, i64)) {
            unreachable!("packing is not about hints")
        }

        fn view(&self, _: u32, _: u32) -> EndpointView<'_> {
            unreachable!("packing is not about hints")
        }

        fn push_endpoint<'s>(
            &'s self,
            _: u32,
            _: u32,
            _: HintsOf<'_, 's>,
            _: &mut Vec<Endpoint<'s>>,
        ) {
            unreachable!("packing does not write")
        }
    }

    /// With slices that are settled, packing does what it does if it compares them.
    #[track_caller]
    fn check_settled(packing: Packing, open: &[&[u8]], settled: &[&[u8]], new: &[u8]) {
        let lists: Vec<&[u8]> = open.iter().chain(settled).copied().collect();
        let slices: Vec<_> = NAMES
            .iter()
            .zip(&lists)
            .map(|(name, endpoints)| {
                let endpoints: Vec<_> = endpoints.iter().copied().map(existing).collect();
                slice(name, &endpoints)
            })
            .collect();
        let mut input = input(&json!({}), nodes(&[]));
        input.settings.packing = packing;
        let result = |compared: usize| {
            let numbers = lists[..compared].concat();
            let desired: Vec<_> = numbers.iter().chain(new).copied().map(wanted).collect();
            let written = NumberedSlices(slices[compared..].to_vec(), HintFacts::default());
            let group = SettledGroup {
                slices: written.0.len(),
                endpoints: written.0.iter().map(|slice| slice.endpoints.len()).sum(),
                totals: &HintTotals::default(),
                number: 0,
                source: &written,
            };
            let open: Vec<_> = slices[..compared].iter().copied().map(Open::from).collect();
            let labels = StringMap::default();
            let settled = (group.slices > 0).then_some(&group);
            let family = AddressType::IPv4;
            let mut packed = pack(&input, family, &labels, (&open, settled), &desired, &[]);
            packed.look_at_each();
            show(&packed)
        };
        assert_eq!(
            result(open.len()),
            result(slices.len()),
            "{open:?} {settled:?}"
        );
    }

    #[test]
    fn settled_slices_are_packed_like_compared_ones() {
        type Lists = &'static [&'static [u8]];
        let cases: [(Lists, Lists); 6] = [
            (&[], &[&[1], &[2], &[3]]),
            (&[&[1]], &[&[2], &[3, 4, 5]]),
            (&[&[1, 2]], &[&[3, 4], &[5, 6], &[7, 8]]),
            (&[&[1, 2, 3]], &[&[4, 5, 6], &[7, 8, 9]]),
            (&[&[1], &[2]], &[&[3], &[4], &[5]]),
            (&[&[1], &[2, 3, 4]], &[&[5], &[6, 7], &[8, 9, 10], &[11]]),
        ];
        for packing in Packing::ALL {
            for (open, settled) in cases {
                for new in 0..8 {
                    check_settled(packing, open, settled, &[20, 21, 22, 23, 24, 25, 26][..new]);
                }
            }
        }
    }

    #[test]
    fn what_is_wanted_and_there_stays() {
        check(&[&[1, 2], &[3]], &[3, 2, 1], "leave a; leave b");
    }

    #[test]
    fn new_slices_take_endpoints_in_the_order_of_addresses() {
        check(&[], &[4, 1, 3, 2], "create : +1 +2 +3; create : +4");
    }

    #[test]
    fn what_is_no_longer_wanted_leaves_its_slice() {
        check(&[&[1, 2], &[3]], &[1, 3], "update a: 1; leave b");
    }

    #[test]
    fn a_slice_nothing_is_left_of_is_deleted() {
        check(&[&[1, 2], &[3]], &[3], "delete a; leave b");
    }

    #[test]
    fn a_changed_slice_is_filled_before_others() {
        check(
            &[&[1, 9], &[2, 3]],
            &[1, 2, 3, 4, 5],
            "update a: 1 +4 +5; leave b",
        );
    }

    #[test]
    fn the_fullest_changed_slice_is_filled_first() {
        check(
            &[&[1, 9], &[2, 3, 8]],
            &[1, 2, 3, 4],
            "update a: 1; update b: 2 3 +4",
        );
    }

    #[test]
    fn a_changed_slice_that_is_full_takes_nothing() {
        check(
            &[&[1, 2, 3, 9], &[4, 8]],
            &[1, 2, 3, 4, 5],
            "update a: 1 2 3; update b: 4 +5",
        );
    }

    #[test]
    fn of_equally_full_changed_slices_the_first_by_name_is_filled() {
        check(
            &[&[1, 8], &[2, 9]],
            &[1, 2, 3, 4],
            "update a: 1 +3 +4; update b: 2",
        );
    }

    #[test]
    fn the_unchanged_slice_that_gets_fullest_takes_the_rest() {
        check(&[&[1], &[2, 3]], &[1, 2, 3, 4], "update b: 2 3 +4; leave a");
        check(
            &[&[1], &[2, 3]],
            &[1, 2, 3, 4, 5],
            "update a: 1 +4 +5; leave b",
        );
    }

    #[test]
    fn of_equally_full_unchanged_slices_the_first_by_name_takes_the_rest() {
        check(
            &[&[1, 2], &[3, 4]],
            &[1, 2, 3, 4, 5],
            "update a: 1 2 +5; leave b",
        );
    }

    #[test]
    fn unchanged_slices_are_not_topped_up_in_part() {
        check(
            &[&[1, 2], &[3, 4]],
            &[1, 2, 3, 4, 5, 6],
            "create : +5 +6; leave a; leave b",
        );
    }

    #[test]
    fn a_full_slice_of_new_endpoints_goes_to_a_new_slice() {
        check(&[&[]], &[1, 2, 3], "create : +1 +2 +3; leave a");
        check(&[&[]], &[1, 2, 3, 4], "create : +1 +2 +3; update a: +4");
    }

    #[test]
    fn a_slice_above_the_maximum_is_left_alone() {
        check(&[&[1, 2, 3, 4]], &[1, 2, 3, 4, 5], "create : +5; leave a");
        check(
            &[&[1, 2, 3, 4, 9]],
            &[1, 2, 3, 4, 5],
            "create : +5; update a: 1 2 3 4",
        );
    }

    #[test]
    fn slices_are_written_for_their_labels_and_then_filled() {
        check_labelled(&[&[1]], &[1], &json!({"new": ""}), "update a: as it was");
        check_labelled(&[&[1]], &[1, 2], &json!({"new": ""}), "update a: 1 +2");
    }

    #[test]
    fn an_endpoint_in_two_slices_stays_in_the_first() {
        check(&[&[1, 2], &[2, 3]], &[1, 2, 3], "update b: 3; leave a");
        check(&[&[2, 2]], &[2], "update a: 2");
    }

    #[test]
    fn a_changed_endpoint_is_refreshed_in_place() {
        let mut stale = existing(1);
        stale["conditions"]["ready"] = false.into();
        let slices = [slice("a", &[stale, existing(2)])];
        let input = input(&json!({}), nodes(&[]));
        let desired = [wanted(1), wanted(2)];
        let labels = StringMap::default();
        let packed = pack(
            &input,
            AddressType::IPv4,
            &labels,
            (&slices.map(Open::from), None),
            &desired,
            &[],
        );
        assert_eq!(show(&packed), "update a: 1 2");
        let reasons = packed.update[0].reasons;
        assert_eq!(
            (reasons.endpoints, reasons.filled, reasons.labels),
            (true, false, false)
        );
        assert_eq!((packed.added, packed.removed), (0, 0));
    }
}
