//! Settings that all policies have.

use serde_json::json;

use super::answer;
use crate::ReviewerConfig;
use crate::testing::{cart_slice, slice_create};
use slicewise::model::read::read_text;

#[test]
fn the_control_plane_stays_exempt_whoever_else_is() {
    let mut by_hand = slice_create(&cart_slice(
        "by-hand",
        &json!([{"addresses": ["203.0.113.7"]}]),
    ));
    for (user, is_allowed) in [
        ("jane", false),
        ("system:apiserver", true),
        (
            "system:serviceaccount:kube-system:endpointslice-controller",
            true,
        ),
        ("robot", true),
    ] {
        by_hand.user = user.into();
        let config = json!({"slice-addresses": {"exemptUsers": ["robot"]}});
        assert_eq!(answer(&by_hand, &config)["allowed"], is_allowed, "{user}");
    }
}

#[test]
fn names_that_no_namespace_has() {
    for (name, is_wrong) in [
        ("dev-*", false),
        ("*", false),
        ("shop", false),
        ("", true),
        ("Shop", true),
        ("a*b", true),
        ("-*", true),
        ("a b", true),
    ] {
        let namespaces = json!([{"names": ["shop", name], "mode": "warn"}]);
        let config = json!({"policies": {"slice-shape": {"namespaces": namespaces}}});
        let config: ReviewerConfig = read_text(&config.to_string()).unwrap();
        let path = config
            .check()
            .err()
            .and_then(|error| error.path().map(str::to_owned));
        let wrong = "/policies/slice-shape/namespaces/0/names/1";
        assert_eq!(path.as_deref(), is_wrong.then_some(wrong), "{name}");
    }
}
