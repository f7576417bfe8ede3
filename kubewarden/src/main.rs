//! The functions of the policy, under the names that a Kubewarden host calls.
//!
//! A waPC host runs `main` once in each instance, and then calls the functions registered there.

use kubewarden_policy_sdk::protocol_version_guest;
use kubewarden_policy_sdk::wapc_guest::{CallResult, host_call, register_function};
use slicewise_kubewarden::{validate, validate_settings};

fn main() {
    register_function("validate", validated);
    register_function("validate_settings", validate_settings);
    register_function("protocol_version", protocol_version_guest);
}

fn validated(payload: &[u8]) -> CallResult {
    validate(payload, &mut host_call)
}
