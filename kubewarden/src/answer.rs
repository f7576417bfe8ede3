//! Converts responses and errors of the core to answers of a Kubewarden policy.

use kubewarden_policy_sdk::response::ValidationResponse;
use kubewarden_policy_sdk::wapc_guest::CallResult;
use slicewise::model::text::printable;
use slicewise::{Code, Error};
use slicewise_admission::Response;

/// The answer of a Kubewarden policy.
pub(crate) type PolicyAnswer = ValidationResponse;

/// The verdict. The answer has no field for causes, but the message includes them.
pub(crate) fn of(response: &Response<'_>) -> PolicyAnswer {
    let (annotations, warnings) = (&response.audit_annotations, &response.warnings);
    let told = annotations.iter();
    let told = told.map(|(name, text)| ((*name).to_owned(), text.clone()));
    PolicyAnswer {
        accepted: response.allowed,
        message: Some(response.status.message.clone()),
        code: Some(response.status.code),
        mutated_object: None,
        audit_annotations: (!annotations.is_empty()).then(|| told.collect()),
        warnings: (!warnings.is_empty()).then(|| warnings.clone()),
    }
}

/// A request that cannot be judged, with the same status code as the webhook's.
pub(crate) fn refused(error: &Error) -> PolicyAnswer {
    let code = match error.code() {
        Code::TooLarge => 413,
        _ => 400,
    };
    denied(code, format!("the review cannot be read: {}", told(error)))
}

/// Invalid settings, which are not the fault of the user making the change.
pub(crate) fn misconfigured(error: &Error) -> PolicyAnswer {
    denied(
        500,
        format!("the settings of the policy cannot be used: {}", told(error)),
    )
}

fn denied(code: u16, message: String) -> PolicyAnswer {
    PolicyAnswer {
        accepted: false,
        message: Some(message),
        code: Some(code),
        mutated_object: None,
        audit_annotations: None,
        warnings: None,
    }
}

/// What is wrong, where, and how to fix it. The text may quote user input and end up on a terminal.
pub(crate) fn told(error: &Error) -> String {
    let code = error.code().as_str();
    let place = match error.path() {
        Some(path) if !path.is_empty() => format!(" at {path}"),
        _ => String::new(),
    };
    printable(format!("{code}{place}: {}", error.message()))
}

/// Equal answers give equal bytes: a `Value` has sorted keys, a `HashMap` does not.
pub(crate) fn written(answer: &PolicyAnswer) -> CallResult {
    Ok(serde_json::to_vec(&serde_json::to_value(answer)?)?)
}
