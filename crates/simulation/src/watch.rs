//! Watches: how events reach the controller, if they do.

use core::time::Duration;

use slicewise_live::controller::Kind;

use super::agenda::{Agenda, Happening, News};
use super::random::Random;
use super::report::WatchFigures;
use super::scenario::Watch;
use super::scenario::value::{Share, Span};

/// The watch of one kind.
#[derive(Clone, Debug, Default)]
struct KindWatch {
    lag: Duration,
    jitter: Duration,
    lost: u32,
    doubled: u32,
    reordered: u32,
    relist: Duration,
    /// When the latest in-order event arrives.
    last: Duration,
    /// The number of the current watch; events sent on an earlier one never arrive.
    number: u32,
    /// It is broken, and will be replaced.
    is_broken: bool,
}

/// The watches of all kinds.
#[derive(Clone, Debug, Default)]
pub(super) struct Watches {
    services: KindWatch,
    pods: KindWatch,
    nodes: KindWatch,
    slices: KindWatch,
    pub(super) figures: WatchFigures,
}

impl Watches {
    pub(super) fn new(settings: &[Watch<'_>]) -> Self {
        let mut watches = Self::default();
        watches.set(&Watch::default());
        for watch in settings {
            watches.set(watch);
        }
        watches
    }

    /// Without a kind, applies to all kinds.
    pub(super) fn set(&mut self, watch: &Watch<'_>) {
        let or = |span: Option<Span>, default: Duration| span.map_or(default, |span| span.0);
        let share = |share: Option<Share>| share.unwrap_or_default().per_million;
        for kind in Kind::ALL {
            if watch
                .kind
                .as_deref()
                .is_some_and(|name| name != kind.as_str())
            {
                continue;
            }
            let stream = self.of(kind);
            stream.lag = or(watch.lag, Duration::ZERO);
            stream.jitter = or(watch.jitter, Duration::ZERO);
            stream.lost = share(watch.lost);
            stream.doubled = share(watch.doubled);
            stream.reordered = share(watch.reordered);
            stream.relist = or(watch.relist, Duration::from_secs(10));
        }
    }

    fn of(&mut self, kind: Kind) -> &mut KindWatch {
        match kind {
            Kind::Service => &mut self.services,
            Kind::Pod => &mut self.pods,
            Kind::Node => &mut self.nodes,
            Kind::EndpointSlice => &mut self.slices,
        }
    }

    /// Sends out news.
    pub(super) fn send(
        &mut self,
        kind: Kind,
        news: News,
        now: Duration,
        random: &mut Random,
        agenda: &mut Agenda,
    ) {
        let stream = self.of(kind);
        let extra = |span: Duration, random: &mut Random| {
            let most = u64::try_from(span.as_millis()).unwrap_or(u64::MAX);
            Duration::from_millis(random.below(most.saturating_add(1)))
        };
        let in_order = now
            .saturating_add(stream.lag + extra(stream.jitter, random))
            .max(stream.last);
        let (is_lost, is_doubled, is_reordered) = (
            random.happens(stream.lost),
            random.happens(stream.doubled),
            random.happens(stream.reordered),
        );
        let mut at = in_order;
        if is_reordered {
            at = at.saturating_add(extra(stream.relist, random));
        } else {
            stream.last = in_order;
        }
        let watch = stream.number;
        let deliver = |news| Happening::Deliver { kind, watch, news };
        if is_doubled && !is_lost {
            let again = at.saturating_add(extra(stream.relist, random));
            agenda.enter(again, deliver(news.clone()));
        }
        if !is_lost {
            agenda.enter(at, deliver(news));
        }
        let has_broken = is_lost || is_doubled || is_reordered;
        if has_broken && !stream.is_broken {
            stream.is_broken = true;
            agenda.enter(
                now.saturating_add(stream.lag + stream.relist),
                Happening::Relist(kind),
            );
        }
        let figures = &mut self.figures;
        figures.sent += 1;
        figures.lost += u64::from(is_lost);
        figures.doubled += u64::from(is_doubled && !is_lost);
        figures.reordered += u64::from(is_reordered && !is_lost);
    }

    /// Is this the current watch of the kind?
    pub(super) fn is_present(&mut self, kind: Kind, watch: u32) -> bool {
        self.of(kind).number == watch
    }

    /// Starts a new watch of the kind, after a list.
    pub(super) fn renew(&mut self, kind: Kind, now: Duration) {
        let stream = self.of(kind);
        stream.number += 1;
        stream.is_broken = false;
        stream.last = now;
        self.figures.lists += 1;
    }
}
