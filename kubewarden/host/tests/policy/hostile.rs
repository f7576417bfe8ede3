//! Hostile input: requests that two readers could read differently, hosts that do not answer, unusable settings. Each must
//! get a strict answer: never a trap, and never an accidental allow.

use std::sync::Arc;

use crate::common::{
    Native, POLICY, answer, cluster, forbidden, granted, object, patched, request, slip,
};
use serde_json::{Value, json};
use slicewise_kubewarden_host::{Answer, Cluster, Fault};

fn validated(request: &[u8]) -> Answer {
    POLICY
        .validate(request, b"{}", &Arc::new(cluster()))
        .unwrap()
}

/// The JSON text of a request that is denied if left unchanged.
fn text() -> String {
    slip().to_string()
}

fn replaced(from: &str, to: &str) -> Vec<u8> {
    let text = text();
    assert!(text.contains(from), "{text} has no {from}");
    text.replace(from, to).into_bytes()
}

fn with_bytes(before: &str, bytes: &[u8]) -> Vec<u8> {
    let text = text();
    let (head, tail) = text.split_at(text.find(before).unwrap());
    [head.as_bytes(), bytes, tail.as_bytes()].concat()
}

fn nested(depth: usize) -> Vec<u8> {
    replaced(
        r#""dryRun":false"#,
        &format!(
            r#""dryRun":false,"more":{}{}"#,
            "[".repeat(depth),
            "]".repeat(depth)
        ),
    )
}

#[test]
fn requests_that_cannot_be_read_are_refused_with_their_place() {
    let crat = r#""app":"crat""#;
    let too_large = replaced(
        r#""dryRun":false"#,
        &format!(
            r#""dryRun":false,"more":"{}""#,
            "x".repeat(slicewise_admission::MAX_REVIEW_BYTES)
        ),
    );
    let cases: &[(&str, Vec<u8>, u16, &str)] = &[
        ("nothing", b"".to_vec(), 400, "InvalidJson"),
        ("no JSON", b"request".to_vec(), 400, "InvalidJson"),
        (
            "a list",
            [b"[", text().as_bytes(), b"]"].concat(),
            400,
            "InvalidType at /request",
        ),
        ("null", b"null".to_vec(), 400, "MissingField at /request"),
        ("a number", b"1".to_vec(), 400, "InvalidType at /request"),
        (
            "cut off",
            text().into_bytes()[..text().len() - 1].to_vec(),
            400,
            "InvalidJson",
        ),
        (
            "more behind",
            [text().as_bytes(), b"{}"].concat(),
            400,
            "InvalidJson",
        ),
        (
            "a byte order mark",
            [b"\xef\xbb\xbf", text().as_bytes()].concat(),
            400,
            "InvalidJson",
        ),
        (
            "key twice",
            replaced(r#""operation":"#, r#""operation":"CONNECT","operation":"#),
            400,
            "InvalidJson at /request/operation",
        ),
        (
            "key twice in an object",
            replaced(crat, r#""app":"crat","app":"cart""#),
            400,
            "InvalidJson",
        ),
        (
            "key twice, spelt otherwise",
            replaced(crat, r#""app":"crat","\u0061pp":"cart""#),
            400,
            "InvalidJson",
        ),
        (
            "duplicate key in an unread field",
            replaced(r#""dryRun":false"#, r#""dryRun":false,"x":{"y":1,"y":2}"#),
            400,
            "InvalidJson",
        ),
        ("no UTF-8", with_bytes("crat", b"\xff"), 400, "InvalidJson"),
        (
            "overlong UTF-8",
            with_bytes("crat", b"\xc0\xaf"),
            400,
            "InvalidJson",
        ),
        (
            "surrogate as UTF-8",
            with_bytes("crat", b"\xed\xa0\x80"),
            400,
            "InvalidJson",
        ),
        (
            "half a surrogate pair",
            replaced("crat", r"\ud800"),
            400,
            "InvalidJson",
        ),
        (
            "lone surrogate in an unread field",
            replaced("system:authenticated", r"\udfff"),
            400,
            "InvalidJson",
        ),
        (
            "deep and closed by the wrong bracket",
            String::from_utf8(nested(200))
                .unwrap()
                .replacen("]]", "]}", 1)
                .into_bytes(),
            400,
            "InvalidJson",
        ),
        ("too large", too_large, 413, "TooLarge"),
        (
            "no uid",
            replaced(
                r#""uid":"705ab4f5-6393-11e8-b7cc-42010a800002""#,
                r#""uid":"""#,
            ),
            400,
            "InvalidValue at /request/uid",
        ),
        (
            "a key of another case",
            replaced(r#""operation":"#, r#""Operation":"#),
            400,
            "MissingField at /request/operation",
        ),
        (
            "no object",
            replaced(r#""object":"#, r#""Object":"#),
            400,
            "MissingField at /request/object",
        ),
        (
            "operation",
            replaced("\"UPDATE\"", "\"PATCH\""),
            400,
            "InvalidValue at /request/operation",
        ),
        (
            "wrong type",
            replaced(r#"{"app":"crat"}"#, r#"["app"]"#),
            400,
            "InvalidType at /request/object/spec/selector",
        ),
        (
            "huge number",
            replaced(r#""targetPort":"http""#, r#""targetPort":1e400"#),
            400,
            "InvalidValue at /request/o",
        ),
        (
            "another namespace",
            replaced(
                r#""name":"cart","namespace":"shop","object""#,
                r#""name":"cart","namespace":"edge","object""#,
            ),
            400,
            "InvalidValue at /request/o",
        ),
        (
            "old version",
            replaced(r#""version":"v1""#, r#""version":"v1beta1""#),
            400,
            "Unsupported at /request/kind/version",
        ),
    ];
    for (name, request, code, begins) in cases {
        let answer = validated(request);
        let message = answer.message.unwrap();
        assert!(!answer.accepted, "{name}");
        assert_eq!(answer.code, Some(*code), "{name}: {message}");
        let begins = format!("the review cannot be read: {begins}");
        assert!(
            message.starts_with(&begins) && message.len() > begins.len() + 5,
            "{name}: {message}"
        );
    }
    assert_eq!(
        validated(text().as_bytes()).code,
        Some(403),
        "the next request is judged as ever"
    );
}

#[test]
fn a_terminal_obeys_nothing_of_a_refusal() {
    let escape = r#""\u001b[31m":"#;
    let twice = replaced(
        r#""app":"crat""#,
        &format!(r#""app":"crat",{escape}1,{escape}2"#),
    );
    let message = validated(&twice).message.unwrap();
    assert!(message.contains("\\u{1b}[31m"), "{message}");
    assert!(!message.contains('\u{1b}'), "{message}");
}

#[test]
fn the_core_refuses_the_same_for_the_same_reason() {
    let native = Native::of(None);
    for request in [
        replaced("crat", r"\ud800"),
        replaced("\"UPDATE\"", "\"PATCH\""),
        replaced(r#"{"app":"crat"}"#, "7"),
    ] {
        let error = native.answer(&request, b"{}").unwrap_err();
        let message = validated(&request).message.unwrap();
        assert!(
            message.contains(error.code().as_str()) && message.ends_with(error.message()),
            "{message}"
        );
    }
}

#[test]
fn payloads_that_are_no_request_with_settings() {
    let request = text();
    let call = |payload: &str| -> Answer {
        let answer = POLICY
            .call("validate", payload.as_bytes(), &Arc::new(cluster()))
            .unwrap();
        serde_json::from_slice(&answer).unwrap()
    };
    for payload in [
        "",
        "{}",
        "[]",
        r#"{"settings":{}}"#,
        &format!(r#"{{"Request":{request}}}"#),
        &format!(r#"{{"request":{request},"request":{request}}}"#),
        &format!(r#"{{"request":{request},"\u0072equest":{{}}}}"#),
        &format!(r#"{{"request":{request},"settings":{{}},"settings":{{"policies":{{}}}}}}"#),
        &format!(r#"{{"request":{request}}},"#),
    ] {
        let answer = call(payload);
        assert_eq!(
            (answer.accepted, answer.code),
            (false, Some(400)),
            "{payload}"
        );
    }
    for settings in [
        "",
        r#","settings":null"#,
        r#","settings":{}"#,
        r#","more":[]"#,
    ] {
        assert_eq!(
            call(&format!(r#"{{"request":{request}{settings}}}"#)).code,
            Some(403),
            "{settings}"
        );
    }
}

#[test]
fn names_that_mean_something_elsewhere_mean_nothing_here() {
    let poison = r#""__proto__":{"allowed":true,"operation":"CONNECT"},"constructor":{"prototype":{"accepted":true}}"#;
    for place in [
        r#""dryRun":false"#,
        r#""operation":"UPDATE""#,
        r#""app":"crat""#,
    ] {
        let answer = validated(&replaced(
            place,
            &format!("{place},{poison}").replace("\"app\":\"crat\",", "\"app\":\"crat\","),
        ));
        let is_selector = place.contains("app");
        assert!(!answer.accepted, "{place}");
        assert_eq!(
            answer.code,
            Some(if is_selector { 400 } else { 403 }),
            "{place}: {:?}",
            answer.message
        );
    }
}

#[test]
fn large_requests_are_judged() {
    let endpoints: Vec<Value> = (0..1000)
        .map(|index| json!({"addresses": [format!("10.{}.{}.7", 200 + index / 250, index % 250)]}))
        .collect();
    let slice = object("EndpointSlice", "shop", "cart");
    let padded = json!({"metadata": {"name": "large", "annotations": {"padding": "x".repeat(8 << 20)}}, "endpoints": endpoints});
    let large = request("jane", &Value::Null, &patched(slice, &padded));
    assert_eq!(
        answer(&large, &json!({}), &Arc::new(cluster())).code,
        Some(403)
    );
}

#[test]
fn what_the_host_does_not_give_is_said_and_never_allowed_where_it_must_be_known() {
    let not_granted = "Policy has not been granted access to Kubernetes v1/Pod resources. The violation has been reported.";
    let faults = [
        (Fault::Error("Callback evaluation failure: timeout".into()), "Callback evaluation failure: timeout"),
        (Fault::Error("\u{1b}[31mred\n".into()), "\\u{1b}[31mred\\n"),
        (Fault::Bytes(b"".to_vec()), "InvalidJson at ``: "),
        (Fault::Bytes(b"null".to_vec()), "InvalidType at ``: "),
        (Fault::Bytes(br#"{"apiVersion":"v1","kind":"PodList","items":[{}]}"#.to_vec()), "MissingField at `/items/0/metadata"),
        (Fault::Bytes(br#"{"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"a","na"#.to_vec()), "InvalidJson at "),
        (Fault::Bytes(br#"{"apiVersion":"v1","kind":"ServiceList","items":[]}"#.to_vec()), "this is not a list of them"),
        (Fault::Bytes(br#"{"apiVersion":"v1","kind":"PodList","metadata":{"continue":"more"},"items":[]}"#.to_vec()), "InvalidValue at `/metadata/continue`"),
        (Fault::Bytes(vec![b' '; (64 << 20) + 1]), "TooLarge at "),
    ];
    let clusters = faults
        .into_iter()
        .map(|(fault, why)| (cluster().with_fault("Pod", fault), why));
    for (cluster, why) in clusters.chain([(forbidden(), not_granted)]) {
        let cluster = Arc::new(cluster);
        let said = |when: &str| {
            let stale = json!({"whenStale": when});
            let policies = json!({"service-blast-radius": stale, "service-traffic": stale});
            answer(&slip(), &json!({"policies": policies}), &cluster)
        };
        let warned = said("warn");
        assert!(warned.accepted);
        let warning = &warned.warnings.unwrap()[0];
        assert!(
            warning.starts_with("service-blast-radius/not-checked: "),
            "{warning}"
        );
        let reason = &warned.audit_annotations.unwrap()["context"];
        assert!(
            reason.starts_with("no Pods: ") && reason.contains(why),
            "{reason}"
        );
        let denied = said("deny");
        assert_eq!((denied.accepted, denied.code), (false, Some(403)));
        assert!(denied.audit_annotations.unwrap()["context"].contains(why));
        let allowed = said("allow");
        assert_eq!((allowed.accepted, allowed.warnings), (true, None));
        assert!(
            allowed.audit_annotations.unwrap()["context"].contains(why),
            "an unchecked approval is reported"
        );
    }
}

#[test]
fn only_what_the_change_concerns_is_listed() {
    let cluster = Arc::new(cluster());
    let listed = || -> Vec<String> {
        let told = |listing: slicewise_kubewarden_host::Listing| match (
            listing.namespace,
            listing.field_selector,
        ) {
            (Some(namespace), _) => format!("{} in {namespace}", listing.kind),
            (None, Some(selector)) => format!("{} where {selector}", listing.kind),
            (None, None) => listing.kind,
        };
        cluster.asked().into_iter().map(told).collect()
    };
    answer(&slip(), &json!({}), &cluster);
    assert_eq!(listed(), ["Pod in shop", "Node"]);
    let cart = object("Service", "shop", "cart");
    answer(
        &request(
            "jane",
            &cart,
            &patched(cart.clone(), &json!({"metadata": {"labels": {"a": "b"}}})),
        ),
        &json!({}),
        &cluster,
    );
    assert!(listed().is_empty());
    let node = object("Node", "", "gke-prod-pool-00");
    let bare = patched(
        node.clone(),
        &json!({"metadata": {"labels": {"topology.kubernetes.io/zone": null}}}),
    );
    answer(&request("jane", &node, &bare), &json!({}), &cluster);
    let unfinished = "Pod where status.phase!=Succeeded,status.phase!=Failed";
    assert_eq!(listed(), ["Service", "Node", unfinished]);
    answer(
        &request("jane", &node, &bare),
        &json!({"policies": {"node-topology": {"mode": "off"}}}),
        &cluster,
    );
    assert!(listed().is_empty());
}

#[test]
fn nothing_is_kept_from_call_to_call() {
    let full = Arc::new(cluster());
    assert_eq!(answer(&slip(), &json!({}), &full).code, Some(403));
    let empty = Arc::new(Cluster::read(r#"{"items": []}"#, granted()).unwrap());
    assert_eq!(answer(&slip(), &json!({}), &empty).code, Some(200));
}
