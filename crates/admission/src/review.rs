//! Admission reviews: `AdmissionReview` with a request in, `AdmissionReview` with a response out.
//!
//! Strict on bytes: a review that two decoders could read differently (a duplicate key, an unpaired surrogate), or that
//! is truncated, too large or inconsistent, is an error, never a verdict.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;

use serde::Serialize;

use crate::namespaces::{NAMESPACE, Namespaces};
use crate::policies;
use crate::response::Response;
use crate::response::ReviewAnswer;
use crate::step::PolicyStep;
use crate::{Asking, Context, Request, ReviewerConfig, decide, explain, steps};
use slicewise::api::{Given, Limits, Snapshot, encode, input};
use slicewise::model::SortedMap;
use slicewise::{Code, Error};
use slicewise_json::LayoutMemory;
use slicewise_live::json::AppliedEvents;
use slicewise_live::json::ListPieces;
use slicewise_live::json::intake::take_events;
use slicewise_live::session::event::{ClusterEvent, Kind};

mod envelope;
mod request;
mod sieve;
mod supplied;

#[doc(hidden)]
pub use envelope::fields_of_review;
pub use sieve::ReviewSieve;
pub use supplied::{Supply, Wanted, WantedObjectsOfKind};

use request::{read_object, read_request};

/// Reviews larger than this are refused: 32 MiB.
///
/// An API server takes requests of up to 3 MiB, and its store holds objects of up to 1.5 MiB. In the JSON that it sends,
/// each `<`, `>` and `&` takes six bytes, as Go's encoder writes them: the largest legal object takes 18 MiB, its
/// predecessor 9 MiB. The rest is room for the envelope and the user's groups and extra fields.
pub const MAX_REVIEW_BYTES: usize = 32 << 20;

/// Answers reviews based on what it knows about a cluster: a snapshot, and the events since then.
pub struct Reviewer {
    context: Context,
    config: ReviewerConfig,
    /// The layout of recent events, which speeds up reading.
    memory: LayoutMemory,
    /// The same for reviews.
    reviewed: LayoutMemory,
}

impl Reviewer {
    /// A reviewer that knows nothing about the cluster yet. If the configuration is empty, all policies have their
    /// defaults.
    ///
    /// # Errors
    /// When it cannot be read or holds a value that cannot be used.
    pub fn new<'c>(config: impl Into<Given<'c>>) -> Result<Self, Error> {
        Ok(Self {
            context: Context::default(),
            config: read_config(config.into())?,
            memory: LayoutMemory::default(),
            reviewed: LayoutMemory::default(),
        })
    }

    /// Its configuration.
    pub const fn config(&self) -> &ReviewerConfig {
        &self.config
    }

    /// Replaces the configuration; what is known about the cluster stays.
    ///
    /// # Errors
    /// When it cannot be read or holds a value that cannot be used. The previous configuration stays then.
    pub fn configure<'c>(&mut self, config: impl Into<Given<'c>>) -> Result<(), Error> {
        self.config = read_config(config.into())?;
        if !self.reads_namespaces() {
            self.context.namespaces = Namespaces::default();
        }
        Ok(())
    }

    /// Replaces everything known about the cluster by a snapshot. Kinds without objects in it are unknown, unless a
    /// list of that kind shows that there are none. Objects that cannot be read are left out, and named in the answer.
    ///
    /// # Errors
    /// When it cannot be read. Nothing changes then.
    pub fn load(&mut self, snapshot: &[u8], limits: Limits) -> Result<AppliedEvents, Error> {
        let text = input::text(snapshot, limits)?;
        let namespaces = match self.reads_namespaces() {
            true => Namespaces::of_snapshot(text)?,
            false => Namespaces::default(),
        };
        let snapshot = Snapshot::read_readable(text)?;
        let unreadable = &snapshot.received.unreadable;
        let is_empty = snapshot.services.is_empty()
            && snapshot.pods.is_empty()
            && snapshot.nodes.is_empty()
            && snapshot.slices.is_empty()
            && unreadable.is_empty();
        if is_empty && namespaces.count() == 0 && !snapshot.ignored.is_empty() {
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
        self.context.namespaces = namespaces;
        let all = Kind::ALL.into_iter();
        for kind in all.filter(|kind| snapshot.received.has_all(kind.as_str())) {
            self.context.note_synced(kind);
        }
        let mut applied = AppliedEvents::default();
        for object in unreadable {
            applied.leave_out(object);
            self.context.note_synced(object.kind);
            let event = ClusterEvent::Unreadable(Box::new(object.clone()));
            self.context.apply(&event);
        }
        let session = self.context.session();
        applied.taken = Kind::ALL.into_iter().map(|kind| session.count(kind)).sum();
        applied.ignored = snapshot.ignored;
        Ok(applied)
    }

    /// Takes watch events and lists, like [`Session::apply`](slicewise_live::json::Session::apply); the answer is [`AppliedEvents`].
    /// A kind is known once it was listed, or once a watch has reported the end of its initial events.
    ///
    /// # Errors
    /// Same as [`Session::apply`](slicewise_live::json::Session::apply).
    pub fn apply(&mut self, events: &[u8], limits: Limits) -> Result<Vec<u8>, Error> {
        let mut applied = AppliedEvents::default();
        let mut rest = Cow::Borrowed(events);
        if self.reads_namespaces() {
            let text = input::text(events, limits)?;
            let others = self.context.namespaces.apply(text, &mut applied)?;
            if let Some(others) = others {
                rest = others.into_bytes().into();
            }
            if rest.trim_ascii().is_empty() && !text.trim_ascii().is_empty() {
                return encode(&applied);
            }
        }
        let taken = take_events(
            &rest,
            limits,
            &mut self.memory,
            &mut self.context,
            &mut applied,
        );
        self.context.settle();
        taken.and_then(|()| encode(&applied))
    }

    /// Takes the next bytes of a page of a list, and applies its objects as they come. Its kind must be being listed: an
    /// event `LISTING` comes first.
    ///
    /// # Errors
    /// When it cannot be read, as soon as that can be detected. Then the listing must start again.
    pub fn push_list(&mut self, list: &mut ListPieces, bytes: &[u8]) -> Result<(), Error> {
        list.push(bytes, &mut self.context)
    }

    /// Ends a page of a list: the same as if [`Reviewer::apply`] had taken it whole.
    ///
    /// # Errors
    /// When it is cut off, or no list. Then the listing must start again.
    pub fn finish_list(&mut self, list: ListPieces) -> Result<AppliedEvents, Error> {
        let applied = list.finish(&mut self.context);
        self.context.settle();
        applied
    }

    /// Answers one review.
    ///
    /// # Errors
    /// When the review cannot be read or is inconsistent, or the named policy does not exist. There is no verdict then.
    pub fn review(&mut self, review: &[u8], asking: Asking<'_>) -> Result<Vec<u8>, Error> {
        encode(&self.decide(review, asking)?)
    }

    /// Like [`Reviewer::review`], with a line of JSON before the answer: the record for the log, so that callers need
    /// not search the answer for it.
    ///
    /// # Errors
    /// Same as [`Reviewer::review`].
    pub fn judge(&mut self, review: &[u8], asking: Asking<'_>) -> Result<Vec<u8>, Error> {
        told(&self.decide(review, asking)?)
    }

    /// Like [`Reviewer::judge`], for a review, or for an object as it exists in the cluster: what the verdict would be
    /// if it were written now. The author is unknown then, and is not judged.
    ///
    /// # Errors
    /// Same as [`Reviewer::review`].
    pub fn audit(&mut self, given: &[u8], asking: Asking<'_>) -> Result<Vec<u8>, Error> {
        let (request, asking) = self.read_given(given, asking)?;
        let response = decide(&request, &self.context, &self.config, asking);
        told(&ReviewAnswer::new(response))
    }

    /// Explains the verdict on the input of [`Reviewer::audit`]; the answer is
    /// [`VerdictExplanation`](crate::VerdictExplanation).
    ///
    /// # Errors
    /// Same as [`Reviewer::review`].
    pub fn explain(&mut self, given: &[u8], asking: Asking<'_>) -> Result<Vec<u8>, Error> {
        let (request, asking) = self.read_given(given, asking)?;
        encode(&explain(&request, &self.context, &self.config, asking))
    }

    /// What each policy did, and the response, for callers that make something else of them, such as a
    /// [`Report`](crate::reports::Report).
    ///
    /// # Errors
    /// Same as [`Reviewer::review`].
    pub fn steps<'r>(
        &mut self,
        given: &'r [u8],
        asking: Asking<'_>,
    ) -> Result<(Vec<PolicyStep>, Response<'r>), Error> {
        let (request, asking) = self.read_given(given, asking)?;
        Ok(steps(&request, &self.context, &self.config, asking))
    }

    /// A review, or an existing object.
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

    /// What is known about the cluster, as counts; the answer is [`ReviewerStatus`].
    ///
    /// # Errors
    /// When the answer refuses to be serialized, which none of its types does.
    pub fn status(&self) -> Result<Vec<u8>, Error> {
        let session = self.context.session();
        let kinds = Kind::ALL.map(|kind| {
            let status = KindStatus {
                known: self.context.knows(kind),
                objects: session.count(kind),
                left_out: session.count_unreadable(kind),
            };
            (kind.as_str(), status)
        });
        let namespaces = &self.context.namespaces;
        let namespaces = self.reads_namespaces().then(|| {
            let status = KindStatus {
                known: namespaces.is_known(),
                objects: namespaces.count(),
                left_out: 0,
            };
            (NAMESPACE, status)
        });
        let kinds = kinds.into_iter().chain(namespaces).collect();
        encode(&ReviewerStatus { kinds })
    }

    /// Takes a large review piece by piece and keeps what policies read; judge what [`ReviewSieve::finish`] returns.
    /// `None` if rules look at whole objects, so that nothing may be dropped.
    pub fn start_review(&self) -> Option<ReviewSieve> {
        (!self.reads_whole_objects()).then(ReviewSieve::default)
    }

    /// Does any rule look at more of an object than the policies do? If so, callers must supply objects in full.
    pub const fn reads_whole_objects(&self) -> bool {
        self.config.policies.expression.is_asked()
    }

    /// Does any rule look at the namespace as an object? Then Namespaces are to be supplied as the other kinds are.
    pub fn reads_namespaces(&self) -> bool {
        self.config.policies.expression.reads_namespaces()
    }

    /// What is known about the cluster.
    pub const fn context(&self) -> &Context {
        &self.context
    }
}

/// What a reviewer knows about the cluster.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct ReviewerStatus {
    /// The status of each kind of object; Namespaces are among them if a rule reads `namespaceObject`.
    #[schemars(schema_with = "crate::schema::each_kind")]
    pub kinds: SortedMap<&'static str, KindStatus>,
}

/// What a reviewer knows about one kind of object.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct KindStatus {
    /// Whether all objects of the kind have been received.
    pub known: bool,
    /// The number of known objects.
    pub objects: usize,
    /// The number of objects that exist but cannot be read.
    #[serde(rename = "leftOut")]
    pub left_out: usize,
}

/// A policy of that name must exist.
fn check_policy(asking: Asking<'_>) -> Result<(), Error> {
    match asking.policy.and_then(policies::unknown) {
        Some(message) => Err(Error::new(Code::InvalidValue, message)),
        None => Ok(()),
    }
}

/// The log record of an answer as a line, followed by the answer.
fn told(answer: &ReviewAnswer<'_>) -> Result<Vec<u8>, Error> {
    let mut told = encode(&answer.response().record())?;
    told.push(b'\n');
    told.extend(encode(answer)?);
    Ok(told)
}

fn read_config(given: Given<'_>) -> Result<ReviewerConfig, Error> {
    let config: ReviewerConfig = given.read_or_default(Limits::default())?;
    config.check().map_err(|error| given.locate(error))?;
    Ok(config)
}

#[cfg(test)]
mod tests;
