//! The admission policies of `slicewise` as a Kubewarden policy: its payloads in, its answers out.
//!
//! Only the envelope is parsed here: the request and the host's lists go to the strict reader of the core byte for byte.
//! Calls share no state.

mod answer;
mod host;

use kubewarden_policy_sdk::settings::SettingsValidationResponse;
use kubewarden_policy_sdk::wapc_guest::CallResult;
use serde::Deserialize;
use serde_json::value::RawValue;
use slicewise::api::Limits;
use slicewise::{Code, Error};
use slicewise_admission::Reviewer;

pub use host::HostCall;

/// The payload of a host: the request of an AdmissionReview, and the settings of the policy.
#[derive(Deserialize)]
struct Payload<'a> {
    #[serde(borrow)]
    request: &'a RawValue,
    #[serde(borrow, default)]
    settings: Option<&'a RawValue>,
}

/// Judges a change. Whatever cannot be judged is refused, with the reason.
///
/// # Errors
/// If the answer cannot be serialised; a host then refuses the change.
pub fn validate(payload: &[u8], host: &mut HostCall<'_>) -> CallResult {
    answer::written(&judged(payload, host))
}

fn judged(payload: &[u8], host: &mut HostCall<'_>) -> answer::PolicyAnswer {
    let payload: Payload<'_> = match serde_json::from_slice(payload) {
        Ok(payload) => payload,
        Err(error) => return answer::refused(&Error::new(Code::InvalidJson, error.to_string())),
    };
    let settings = payload.settings.map_or("", RawValue::get);
    let reviewer = match Reviewer::new(settings.as_bytes()) {
        Ok(reviewer) => reviewer,
        Err(error) => return answer::misconfigured(&error.below("/settings")),
    };
    let review = [HEAD, payload.request.get(), TAIL].concat();
    let limits = Limits::default();
    match reviewer.review_supplied(review.as_bytes(), limits, &mut |wanted| {
        host::supply(wanted, host)
    }) {
        Ok(response) => answer::of(&response),
        Err(error) => answer::refused(&error),
    }
}

/// The core judges a complete AdmissionReview, but a host passes only the request.
const HEAD: &str = r#"{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":"#;
const TAIL: &str = "}";

/// Checks whether the settings are valid: they are the configuration of a reviewer.
///
/// # Errors
/// As [`validate`].
pub fn validate_settings(settings: &[u8]) -> CallResult {
    let message = Reviewer::new(settings)
        .err()
        .map(|error| answer::told(&error));
    let valid = message.is_none();
    Ok(serde_json::to_vec(&SettingsValidationResponse {
        valid,
        message,
    })?)
}

#[cfg(test)]
mod tests;
