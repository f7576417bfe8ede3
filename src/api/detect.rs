//! Is an input a plan request or a snapshot? Decided by its first key, without reading the rest.

use crate::{Code, Error};

/// What an input looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a caller that detects the shape of an input can read each"
)]
pub enum InputShape {
    /// A plan request: one Service and what its plan depends on.
    Request,
    /// Kubernetes objects: a List, an array, one object, watch events, or the lists of a cache.
    Snapshot,
}

impl InputShape {
    /// `request` or `snapshot`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Snapshot => "snapshot",
        }
    }
}

/// Distinguishes requests from snapshots. Anything that is neither counts as a request, whose errors say what is
/// missing.
pub fn detect(input: &[u8]) -> InputShape {
    const OBJECT_KEYS: [&str; 8] = [
        "apiVersion",
        "kind",
        "metadata",
        "items",
        "services",
        "spec",
        "type",
        "object",
    ];
    let input = input
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(input)
        .trim_ascii_start();
    if input.starts_with(b"[") {
        return InputShape::Snapshot;
    }
    let first_key = input
        .strip_prefix(b"{")
        .map(<[u8]>::trim_ascii_start)
        .and_then(|rest| rest.strip_prefix(b"\""));
    let is_object = OBJECT_KEYS.iter().any(|key| {
        first_key
            .and_then(|rest| rest.strip_prefix(key.as_bytes()))
            .is_some_and(|rest| rest.starts_with(b"\""))
    });
    if is_object {
        InputShape::Snapshot
    } else {
        InputShape::Request
    }
}

/// The error of what takes a request, if objects were given to it.
#[cold]
pub(super) fn not_a_request(input: &[u8], error: Error) -> Error {
    let is_shape = matches!(
        error.code(),
        Code::UnknownField | Code::MissingField | Code::InvalidType
    );
    match is_shape && detect(input) == InputShape::Snapshot {
        true => error.explained("these are objects, which `planSnapshot` takes; `plan` takes a request, `{\"service\": …, \"pods\": […]}`"),
        false => error,
    }
}

/// The error of what takes objects, if a request was given to it.
#[cold]
#[doc(hidden)]
#[must_use]
pub fn not_objects(input: &[u8], error: Error) -> Error {
    let is_of_request = |key: &str| input.windows(key.len()).any(|at| at == key.as_bytes());
    let is_shape = matches!(error.path(), Some("/kind" | "/service"));
    match is_shape && detect(input) == InputShape::Request && is_of_request("\"service\"") {
        true => error.explained("this is a request, which `plan` takes; `planSnapshot` takes objects, as `kubectl get … -o json` prints them"),
        false => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes() {
        assert_eq!(detect(b" {\n \"service\": {}}"), InputShape::Request);
        assert_eq!(detect(b"{\"apiVersion\": \"v1\"}"), InputShape::Snapshot);
        assert_eq!(detect(b"{\"items\": []}"), InputShape::Snapshot);
        assert_eq!(detect(b"[]"), InputShape::Snapshot);
        assert_eq!(detect(b"{\"services\": []}"), InputShape::Snapshot);
        for event in ["{\"type\": \"ADDED\"}", "{\"object\": {}}"] {
            assert_eq!(detect(event.as_bytes()), InputShape::Snapshot);
        }
        assert_eq!(detect(b"{}"), InputShape::Request);
        assert_eq!(detect(b"nonsense"), InputShape::Request);
    }
}
