//! The options of a reviewer and of a review.

use alloc::format;
use alloc::string::String;

use wasm_bindgen::prelude::*;

use slicewise::model::Timestamp;
use slicewise::wasm::{field, invalid, spelt, thrown};
use slicewise::{Code, Error};

use super::check_names;
use crate::{Asking, CaughtUp};

#[wasm_bindgen(typescript_custom_section)]
const OPTIONS: &str = r#"
/** Options of a reviewer, all optional. */
export interface ReviewerOptions {
  /** Modes and settings of the policies: `{"policies": {"slice-shape": {"mode": "warn"}}}`. */
  config?: Json<ReviewerConfig> | undefined;
  /** The cluster: objects as `kubectl get services,pods,nodes,endpointslices -A -o json` prints them. */
  snapshot?: Json<Snapshot> | undefined;
  /** Larger inputs are refused; 64 MiB by default. */
  maxInputBytes?: number | undefined;
}
/** Options of a review. */
export interface Asking {
  /** The only policy to run. */
  policy?: string | undefined;
  /** The age of the last update from the cluster; leave it out if the context does not age. */
  contextAgeSeconds?: number | undefined;
  /** What the clock shows (RFC 3339); without it, no exception of the configuration applies. */
  now?: string | undefined;
  /**
   * What was done since a verdict with `awaits`: the caller waited for its watch for `context.catchUpMs`, or asked the API
   * server for the named pods. The message says so.
   */
  caughtUp?: 'waited' | 'asked' | undefined;
}
"#;

/// What a caller of a review asks for.
pub(super) struct ReviewAsking {
    policy: String,
    age: Option<u32>,
    now: Option<Timestamp>,
    pub(super) caught_up: Option<CaughtUp>,
}

impl ReviewAsking {
    pub(super) fn read(asking: &JsValue) -> Result<Self, JsValue> {
        let mut read = Self {
            policy: String::new(),
            age: None,
            now: None,
            caught_up: None,
        };
        if asking.is_undefined() {
            return Ok(read);
        }
        let names = ["policy", "contextAgeSeconds", "now", "caughtUp"];
        check_names(asking, &names, "a review")?;
        let policy = field(asking, "policy")?;
        if !policy.is_undefined() {
            read.policy = policy.as_string().ok_or_else(|| {
                let message = "policy must be the name of one";
                thrown(Error::new(Code::InvalidType, message))
            })?;
        }
        let age = field(asking, "contextAgeSeconds")?;
        if !age.is_undefined() {
            let seconds = age.as_f64().filter(|age| *age >= 0.0);
            let seconds = seconds.ok_or_else(|| {
                let got = spelt(&age);
                invalid(format!(
                    "contextAgeSeconds must be a number from 0, got {got}"
                ))
            })?;
            read.age = Some(seconds as u32);
        }
        let now = field(asking, "now")?;
        if !now.is_undefined() {
            let time = now.as_string().as_deref().and_then(Timestamp::parse);
            read.now = Some(time.ok_or_else(|| {
                let got = spelt(&now);
                invalid(format!(
                    "now must be a time such as \"2026-01-02T03:04:05Z\", got {got}"
                ))
            })?);
        }
        let caught_up = field(asking, "caughtUp")?;
        read.caught_up = match caught_up.as_string().as_deref() {
            Some("waited") => Some(CaughtUp::Waited),
            Some("asked") => Some(CaughtUp::Asked),
            Some("") => None,
            None if caught_up.is_undefined() => None,
            _ => return Err(invalid("caughtUp must be 'waited' or 'asked'")),
        };
        Ok(read)
    }

    pub(super) fn asked(&self) -> Asking<'_> {
        Asking {
            policy: Some(self.policy.as_str()).filter(|policy| !policy.is_empty()),
            age: self.age,
            now: self.now,
            at_rest: false,
            caught_up: None,
        }
    }
}
