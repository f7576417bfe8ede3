//! Open reviewers; see [`slicewise_admission::Reviewer`].

use slicewise::api::Limits;
use slicewise::json::Raw;
use slicewise::model::object::slim_object;
use slicewise::model::text::shorten;
use slicewise::model::{Text, Timestamp};
use slicewise::{Code, Error};
use slicewise_admission::policies::NAMES;
use slicewise_admission::{Asking, CaughtUp, Reviewer};

use crate::Instance;
use crate::arguments::{EventsCall, HandleCall, at, limits, read, text};

/// A reviewer, and the size limit of its inputs.
pub(crate) struct HeldReviewer {
    reviewer: Reviewer,
    limits: Limits,
}

slim_object! {
    /// Of `reviewer.open`.
    #[derive(Default)]
    struct OpenReviewer<'a>("input of reviewer.open") refuse {
        "config" config: Option<Raw<'a>>;
        "snapshot" snapshot: Option<Raw<'a>>;
        "maxInputBytes" max_input_bytes: Option<u32>;
    }
}

slim_object! {
    /// Of `reviewer.configure`.
    #[derive(Default)]
    struct ConfigureReviewer<'a>("input of reviewer.configure") refuse {
        "handle" handle: u32 = required;
        "config" config: Option<Raw<'a>> = required;
    }
}

slim_object! {
    /// Of `reviewer.load`.
    #[derive(Default)]
    struct LoadReviewer<'a>("input of reviewer.load") refuse {
        "handle" handle: u32 = required;
        "snapshot" snapshot: Option<Raw<'a>> = required;
    }
}

slim_object! {
    /// Of the functions that take an AdmissionReview.
    #[derive(Default)]
    struct ReviewCall<'a>("input with a review") refuse {
        "handle" handle: u32 = required;
        "review" review: Option<Raw<'a>> = required;
        "asking" asking: Option<ReviewQuestion<'a>>;
    }
}

slim_object! {
    /// Of the functions that take an AdmissionReview or an object that exists.
    #[derive(Default)]
    struct ObjectCall<'a>("input with an object") refuse {
        "handle" handle: u32 = required;
        "object" object: Option<Raw<'a>> = required;
        "asking" asking: Option<ReviewQuestion<'a>>;
    }
}

slim_object! {
    /// What a caller of a review asks for.
    #[derive(Default)]
    struct ReviewQuestion<'a>("`asking`") refuse {
        "policy" policy: Option<Text<'a>>;
        "contextAgeSeconds" context_age_seconds: Option<u32>;
        "now" now: Option<Timestamp>;
        "caughtUp" caught_up: Option<Text<'a>>;
    }
}

impl ReviewQuestion<'_> {
    fn asked(&self) -> Result<Asking<'_>, Error> {
        let mut asking = Asking::default();
        asking.policy = self.policy.as_ref().map(Text::as_str);
        asking.age = self.context_age_seconds;
        asking.now = self.now;
        asking.caught_up = match self.caught_up.as_ref().map(Text::as_str) {
            None => None,
            Some("waited") => Some(CaughtUp::Waited),
            Some("asked") => Some(CaughtUp::Asked),
            Some(other) => {
                let message = format!(
                    "`{}` is not how a caller catches up; write `waited` or `asked`",
                    shorten(other)
                );
                return Err(Error::new(Code::InvalidValue, message).at("/asking/caughtUp"));
            }
        };
        Ok(asking)
    }
}

impl Instance {
    pub(crate) fn open_reviewer(&mut self, input: &[u8]) -> Result<Vec<u8>, Error> {
        let given: OpenReviewer<'_> = read(input)?;
        let limits = limits(given.max_input_bytes);
        let mut reviewer = Reviewer::new(text(given.config)).map_err(at("/config"))?;
        if let Some(snapshot) = given.snapshot {
            let loaded = reviewer.load(snapshot.get().as_bytes(), limits);
            loaded.map_err(at("/snapshot"))?;
        }
        self.reviewers.open(HeldReviewer { reviewer, limits })
    }

    pub(crate) fn configure_reviewer(&mut self, input: &[u8]) -> Result<Vec<u8>, Error> {
        let given: ConfigureReviewer<'_> = read(input)?;
        let held = self.reviewers.get(given.handle)?;
        held.reviewer
            .configure(text(given.config))
            .map_err(at("/config"))?;
        Ok(b"null".to_vec())
    }

    pub(crate) fn load_reviewer(&mut self, input: &[u8]) -> Result<Vec<u8>, Error> {
        let given: LoadReviewer<'_> = read(input)?;
        let HeldReviewer { reviewer, limits } = self.reviewers.get(given.handle)?;
        let loaded = reviewer.load(text(given.snapshot), *limits);
        loaded.map_err(at("/snapshot"))?.to_json()
    }

    pub(crate) fn apply_to_reviewer(&mut self, input: &[u8]) -> Result<Vec<u8>, Error> {
        let given: EventsCall<'_> = read(input)?;
        let HeldReviewer { reviewer, limits } = self.reviewers.get(given.handle)?;
        reviewer
            .apply(text(given.events), *limits)
            .map_err(at("/events"))
    }

    pub(crate) fn review(&mut self, input: &[u8]) -> Result<Vec<u8>, Error> {
        self.judged(input, Reviewer::review)
    }

    pub(crate) fn judge(&mut self, input: &[u8]) -> Result<Vec<u8>, Error> {
        self.judged(input, |reviewer, review, asking| {
            reviewer.judge(review, asking).map(|told| recorded(&told))
        })
    }

    fn judged(&mut self, input: &[u8], judge: Judge) -> Result<Vec<u8>, Error> {
        let given: ReviewCall<'_> = read(input)?;
        self.asked(given.handle, ("/review", given.review), given.asking, judge)
    }

    pub(crate) fn audit(&mut self, input: &[u8]) -> Result<Vec<u8>, Error> {
        let given: ObjectCall<'_> = read(input)?;
        let judge: Judge =
            |reviewer, object, asking| reviewer.audit(object, asking).map(|told| recorded(&told));
        self.asked(given.handle, ("/object", given.object), given.asking, judge)
    }

    pub(crate) fn explain_verdict(&mut self, input: &[u8]) -> Result<Vec<u8>, Error> {
        let given: ObjectCall<'_> = read(input)?;
        self.asked(
            given.handle,
            ("/object", given.object),
            given.asking,
            Reviewer::explain,
        )
    }

    fn asked(
        &mut self,
        handle: u32,
        (path, reviewed): (&str, Option<Raw<'_>>),
        asking: Option<ReviewQuestion<'_>>,
        judge: Judge,
    ) -> Result<Vec<u8>, Error> {
        let asking = asking.unwrap_or_default();
        let asking = asking.asked()?;
        let HeldReviewer { reviewer, limits } = self.reviewers.get(handle)?;
        let reviewed = text(reviewed);
        slicewise::api::input::check_size(reviewed.len(), *limits).map_err(at(path))?;
        let is_known = |policy| NAMES.contains(&policy);
        let path = match asking.policy.is_none_or(is_known) {
            true => path,
            false => "/asking/policy",
        };
        judge(reviewer, reviewed, asking).map_err(at(path))
    }

    pub(crate) fn reviewer_status(&mut self, input: &[u8]) -> Result<Vec<u8>, Error> {
        let HandleCall { handle } = read(input)?;
        self.reviewers.get(handle)?.reviewer.status()
    }

    pub(crate) fn close_reviewer(&mut self, input: &[u8]) -> Result<Vec<u8>, Error> {
        let HandleCall { handle } = read(input)?;
        self.reviewers.close(handle)
    }
}

type Judge = fn(&mut Reviewer, &[u8], Asking<'_>) -> Result<Vec<u8>, Error>;

/// A line with the record for logs and the answer below it, as one value.
fn recorded(told: &[u8]) -> Vec<u8> {
    let end = told.iter().position(|byte| *byte == b'\n');
    let (record, answer) = told.split_at(end.unwrap_or_default());
    [
        br#"{"record":"#,
        record,
        br#","answer":"#,
        answer.trim_ascii(),
        b"}",
    ]
    .concat()
}
