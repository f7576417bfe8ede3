//! Admission reviews: `AdmissionReview` with a request in, `AdmissionReview` with a response out.
//!
//! Strict on bytes: a review that two decoders could read differently (a key twice, half a surrogate pair), that is
//! truncated, too large, or contradicts itself is an error, never a verdict.

use alloc::format;
use alloc::vec::Vec;

use serde::Serialize;

use super::input::{self, Limits};
use super::intake::{Applied, take_events};
use super::snapshot::Snapshot;
use super::{encode, place};
use crate::admission::policies::NAMES;
use crate::admission::response::ReviewAnswer;
use crate::admission::{Asking, Context, Request, ReviewerConfig, decide, explain};
use crate::json::Memory;
use crate::model::SortedMap;
use crate::model::text::shorten;
use crate::session::event::Kind;
use crate::{Code, Error};

pub(super) mod envelope;
mod request;
mod supplied;

pub use supplied::{Supply, Wanted};

use request::{read_object, read_request};

/// Reviews larger than this are refused: an object and its predecessor of the largest legal size, and the envelope.
pub const MAX_REVIEW_BYTES: usize = 9 << 20;

/// Answers reviews by what it knows of a cluster: what a snapshot said, and what events have told since.
pub struct Reviewer {
    context: Context,
    config: ReviewerConfig,
    /// What objects looked like in the last events.
    memory: Memory,
    /// The same of reviews.
    reviewed: Memory,
}

impl Reviewer {
    /// Nothing is known about the cluster yet. The configuration may be empty: every policy has its defaults then.
    ///
    /// # Errors
    /// When it cannot be read or holds a value that cannot be used.
    pub fn new(config: &[u8]) -> Result<Self, Error> {
        Ok(Self {
            context: Context::default(),
            config: read_config(config)?,
            memory: Memory::default(),
            reviewed: Memory::default(),
        })
    }

    /// Takes another configuration, whose verdicts count from now on; what is known of the cluster stays.
    ///
    /// # Errors
    /// When it cannot be read or holds a value that cannot be used. The one before counts then.
    pub fn configure(&mut self, config: &[u8]) -> Result<(), Error> {
        self.config = read_config(config)?;
        Ok(())
    }

    /// Takes a snapshot for all that is known of the cluster. Of a kind that it holds none of, nothing is known, unless
    /// a list of that kind says so.
    ///
    /// # Errors
    /// When it cannot be read. What was known before is known still.
    pub fn load(&mut self, snapshot: &[u8], limits: Limits) -> Result<(), Error> {
        let snapshot = Snapshot::read(input::text(snapshot, limits)?)?;
        let is_empty = snapshot.services.is_empty()
            && snapshot.pods.is_empty()
            && snapshot.nodes.is_empty()
            && snapshot.slices.is_empty();
        if is_empty && !snapshot.ignored.is_empty() {
            let message = "this is not a cluster: it has no Service, pod, node or EndpointSlice; give the output of \
                           `kubectl get services,pods,nodes,endpointslices -A -o json`";
            return Err(Error::new(Code::InvalidValue, message));
        }
        self.context = Context::new(
            &snapshot.services,
            &snapshot.pods,
            &snapshot.nodes,
            &snapshot.slices,
        );
        let all = Kind::ALL.into_iter();
        for kind in all.filter(|kind| snapshot.received.has_all(kind.as_str())) {
            self.context.note_told(kind);
        }
        Ok(())
    }

    /// Takes watch events and lists, as [`Session::apply`](super::Session::apply) does; the answer is [`Applied`].
    /// All of a kind is known once it was listed, or a watch has said that its initial events are over.
    ///
    /// # Errors
    /// As there.
    pub fn apply(&mut self, events: &[u8], limits: Limits) -> Result<Vec<u8>, Error> {
        let mut applied = Applied::default();
        let taken = take_events(
            events,
            limits,
            &mut self.memory,
            &mut self.context,
            &mut applied,
        );
        self.context.settle();
        taken.and_then(|()| encode(&applied))
    }

    /// Answers one review.
    ///
    /// # Errors
    /// When the review cannot be read, or contradicts itself, or there is no policy of that name. No verdict can be given
    /// then.
    pub fn review(&mut self, review: &[u8], asking: Asking<'_>) -> Result<Vec<u8>, Error> {
        encode(&self.decide(review, asking)?)
    }

    /// As [`Reviewer::review`], with a line of JSON before the answer: what may be told of it in a log, which need not be
    /// looked for in the answer then.
    ///
    /// # Errors
    /// As there.
    pub fn judge(&mut self, review: &[u8], asking: Asking<'_>) -> Result<Vec<u8>, Error> {
        told(&self.decide(review, asking)?)
    }

    /// As [`Reviewer::judge`], of a review, or of an object as it stands in the cluster: what would be said of it if it
    /// came now. Who wrote it is not known then, and is not judged.
    ///
    /// # Errors
    /// As there.
    pub fn audit(&mut self, given: &[u8], asking: Asking<'_>) -> Result<Vec<u8>, Error> {
        let (request, asking) = self.read_given(given, asking)?;
        let response = decide(&request, &self.context, &self.config, asking);
        told(&ReviewAnswer::new(response))
    }

    /// Why the verdict is what it is, of what [`Reviewer::audit`] takes; the answer is
    /// [`Explanation`](crate::admission::Explanation).
    ///
    /// # Errors
    /// As there.
    pub fn explain(&mut self, given: &[u8], asking: Asking<'_>) -> Result<Vec<u8>, Error> {
        let (request, asking) = self.read_given(given, asking)?;
        encode(&explain(&request, &self.context, &self.config, asking))
    }

    /// A review, or an object as it stands.
    fn read_given<'r, 'p>(
        &mut self,
        given: &'r [u8],
        asking: Asking<'p>,
    ) -> Result<(Request<'r>, Asking<'p>), Error> {
        check_policy(asking)?;
        Ok(match read_object(given)? {
            Some(request) => {
                let at_rest = true;
                (request, Asking { at_rest, ..asking })
            }
            None => (self.read(given)?, asking),
        })
    }

    fn read<'r>(&mut self, review: &'r [u8]) -> Result<Request<'r>, Error> {
        let is_whole = self.reads_whole_objects();
        read_request(review, is_whole, &mut self.reviewed)
    }

    fn decide<'r>(
        &mut self,
        review: &'r [u8],
        asking: Asking<'_>,
    ) -> Result<ReviewAnswer<'r>, Error> {
        check_policy(asking)?;
        let request = self.read(review)?;
        let response = decide(&request, &self.context, &self.config, asking);
        Ok(ReviewAnswer::new(response))
    }

    /// What is known of the cluster, counted; the answer is [`ReviewerStatus`].
    ///
    /// # Errors
    /// Never; the type is that of all answers.
    pub fn status(&self) -> Result<Vec<u8>, Error> {
        let session = self.context.session();
        let kinds = Kind::ALL.map(|kind| {
            let status = KindStatus {
                known: self.context.knows(kind),
                objects: session.count(kind),
            };
            (kind.as_str(), status)
        });
        let kinds = kinds.into_iter().collect();
        encode(&ReviewerStatus { kinds })
    }

    /// Does any rule look at more of objects than the policies do? Who makes JSON of them must write all of it then.
    pub const fn reads_whole_objects(&self) -> bool {
        self.config.policies.expression.is_asked()
    }

    /// What is known of the cluster.
    pub const fn context(&self) -> &Context {
        &self.context
    }
}

/// What a reviewer knows of the cluster.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ReviewerStatus {
    /// By kind of object.
    pub kinds: SortedMap<&'static str, KindStatus>,
}

/// What a reviewer knows of one kind of object.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct KindStatus {
    /// Has all there is been told?
    pub known: bool,
    /// How many objects there are.
    pub objects: usize,
}

/// There must be a policy of the name.
fn check_policy(asking: Asking<'_>) -> Result<(), Error> {
    match asking.policy {
        Some(policy) if !NAMES.contains(&policy) => {
            let message = format!(
                "there is no policy `{}`; the policies are {}",
                shorten(policy),
                NAMES.join(", ")
            );
            Err(Error::new(Code::InvalidValue, message))
        }
        _ => Ok(()),
    }
}

/// What may be told of an answer, a line, and the answer.
fn told(answer: &ReviewAnswer<'_>) -> Result<Vec<u8>, Error> {
    let mut told = encode(&answer.response().record())?;
    told.push(b'\n');
    told.extend(encode(answer)?);
    Ok(told)
}

fn read_config(config: &[u8]) -> Result<ReviewerConfig, Error> {
    let text = input::text(config, Limits::default())?;
    if text.trim().is_empty() {
        return Ok(ReviewerConfig::default());
    }
    let config = input::decode::<ReviewerConfig>(text)?;
    config.check().map_err(|error| place::locate(error, text))?;
    Ok(config)
}

#[cfg(test)]
mod tests;
