//! Responses and errors of the core as answers of a Kubewarden policy.

use kubewarden_policy_sdk::response::ValidationResponse;
use kubewarden_policy_sdk::wapc_guest::CallResult;
use slicewise::admission::Response;
use slicewise::model::text::printable;
use slicewise::{Code, Error};

/// The answer of a Kubewarden policy.
pub(crate) type Answer = ValidationResponse;

/// The verdict. There is no place for the causes by field, but the message has them.
pub(crate) fn of(response: &Response<'_>) -> Answer {
    let (annotations, warnings) = (&response.audit_annotations, &response.warnings);
    let told = annotations.iter();
    let told = told.map(|(name, text)| ((*name).to_owned(), text.clone()));
    Answer {
        accepted: response.allowed,
        message: Some(response.status.message.clone()),
        code: Some(response.status.code),
        mutated_object: None,
        audit_annotations: (!annotations.is_empty()).then(|| told.collect()),
        warnings: (!warnings.is_empty()).then(|| warnings.clone()),
    }
}

/// A request that cannot be judged, with the status that the webhook has for it.
pub(crate) fn refused(error: &Error) -> Answer {
    let code = match error.code() {
        Code::TooLarge => 413,
        _ => 400,
    };
    denied(code, format!("the review cannot be read: {}", told(error)))
}

/// Invalid settings, which are not the fault of the user who makes a change.
pub(crate) fn misconfigured(error: &Error) -> Answer {
    denied(
        500,
        format!("the settings of the policy cannot be used: {}", told(error)),
    )
}

fn denied(code: u16, message: String) -> Answer {
    Answer {
        accepted: false,
        message: Some(message),
        code: Some(code),
        mutated_object: None,
        audit_annotations: None,
        warnings: None,
    }
}

/// What is wrong, where, and how to fix it. It may repeat what someone wrote, and a terminal may show it.
pub(crate) fn told(error: &Error) -> String {
    let code = error.code().as_str();
    let place = match error.path() {
        Some(path) if !path.is_empty() => format!(" at {path}"),
        _ => String::new(),
    };
    printable(format!("{code}{place}: {}", error.message()))
}

/// The same bytes for the same answer: the keys of a `Value` are in order, those of a `HashMap` are not.
pub(crate) fn written(answer: &Answer) -> CallResult {
    Ok(serde_json::to_vec(&serde_json::to_value(answer)?)?)
}
