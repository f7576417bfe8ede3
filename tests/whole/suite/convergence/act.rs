//! What may happen to a cluster, and to its events.

use proptest::prelude::*;

/// What happens to an event in transit.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    Arrives,
    Twice,
    Late,
    Lost,
}

/// Where a Service wants its traffic to stay.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wish {
    Nothing,
    SameZone,
    SameNode,
    Auto,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Act {
    SetService(u8, Wish, Way),
    RemoveService(u8, Way),
    SetPod(u8, u8, bool, Way),
    RemovePod(u8, Way),
    SetNode(u8, u8, Way),
    RemoveNode(u8, Way),
    /// Someone moves a slice to another Service.
    MoveSlice(u8, u8, Way),
    /// Someone empties a slice.
    EditSlice(u8, Way),
    DeleteSlice(u8, Way),
    Refuse(u8),
    /// The late events arrive, in reverse order.
    CatchUp,
    /// Requests a list of slices, which may arrive later.
    AskForSlices,
    /// The list arrives, in the state at which it was requested.
    ListSlices,
    /// Plans are made, but not written yet.
    TakeOn,
    /// The pending plans are written; the resulting events travel this way.
    Write(Way),
    Pass(u16),
    Resync,
}

pub(super) fn act() -> impl Strategy<Value = Act> {
    let way = prop_oneof![
        4 => Just(Way::Arrives),
        1 => Just(Way::Twice),
        2 => Just(Way::Late),
        1 => Just(Way::Lost),
    ];
    let wish = prop_oneof![
        1 => Just(Wish::Nothing),
        1 => Just(Wish::SameZone),
        1 => Just(Wish::SameNode),
        3 => Just(Wish::Auto),
    ];
    let services = 0_u8..3;
    prop_oneof![
        2 => (services.clone(), wish, way.clone()).prop_map(|(s, wish, way)| Act::SetService(s, wish, way)),
        1 => (services.clone(), way.clone()).prop_map(|(s, way)| Act::RemoveService(s, way)),
        5 => (0_u8..12, services.clone(), any::<bool>(), way.clone()).prop_map(|(p, app, ready, way)| Act::SetPod(p, app, ready, way)),
        2 => (0_u8..12, way.clone()).prop_map(|(p, way)| Act::RemovePod(p, way)),
        2 => (0_u8..3, any::<u8>(), way.clone()).prop_map(|(n, looks, way)| Act::SetNode(n, looks, way)),
        1 => (0_u8..3, way.clone()).prop_map(|(n, way)| Act::RemoveNode(n, way)),
        1 => (any::<u8>(), services, way.clone()).prop_map(|(s, to, way)| Act::MoveSlice(s, to, way)),
        1 => (any::<u8>(), way.clone()).prop_map(|(s, way)| Act::EditSlice(s, way)),
        1 => (any::<u8>(), way.clone()).prop_map(|(s, way)| Act::DeleteSlice(s, way)),
        1 => (0_u8..3).prop_map(Act::Refuse),
        1 => Just(Act::CatchUp),
        1 => Just(Act::AskForSlices),
        1 => Just(Act::ListSlices),
        4 => Just(Act::TakeOn),
        4 => way.prop_map(Act::Write),
        4 => (0_u16..3000).prop_map(Act::Pass),
        1 => Just(Act::Resync),
    ]
}
