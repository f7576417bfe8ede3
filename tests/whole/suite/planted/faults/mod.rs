//! The faults, by the link of the chain in which they are planted.

mod before;
mod chosen;
mod live;
mod lost;
mod read;

use super::world::{Needs, World};

/// A link of the chain from the client to the process, as in `docs/explain.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Link {
    Stored,
    Meant,
    Chosen,
    Planned,
    Written,
    Bound,
    Read,
    ChosenAmong,
    Answered,
}

impl Link {
    pub(super) const ALL: [Self; 9] = [
        Self::Stored,
        Self::Meant,
        Self::Chosen,
        Self::Planned,
        Self::Written,
        Self::Bound,
        Self::Read,
        Self::ChosenAmong,
        Self::Answered,
    ];
}

/// A kind of fault.
pub(super) struct Fault {
    pub(super) link: Link,
    pub(super) name: &'static str,
    pub(super) needs: Needs,
    /// The codes that name it; one of them has to be that of the first finding.
    pub(super) codes: &'static [&'static str],
    /// The severity that follows from its effect.
    pub(super) severity: &'static str,
    pub(super) plant: fn(&mut World),
}

const fn fault(
    link: Link,
    name: &'static str,
    needs: Needs,
    codes: &'static [&'static str],
    severity: &'static str,
    plant: fn(&mut World),
) -> Fault {
    Fault {
        link,
        name,
        needs,
        codes,
        severity,
        plant,
    }
}

pub(super) fn all() -> Vec<&'static Fault> {
    let all = [
        before::FAULTS,
        chosen::FAULTS,
        live::FAULTS,
        lost::FAULTS,
        read::FAULTS,
    ];
    all.into_iter().flatten().collect()
}
