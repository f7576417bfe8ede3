//! Each rule finds its violations, and accepts correct configurations.

mod cases;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use slicewise::Code;
use slicewise::model::Timestamp;

use super::{LintRule, LintSeverity, Linted, RULES};
use cases::cases;

/// A CA that was valid for one day in 2026, `openssl req -x509 -newkey ed25519 -days 1 -subj /CN=ca`.
const DAY: &str = include_str!("day.pem.b64");

/// A webhook that follows every practice.
fn good() -> Value {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "good"},
        "webhooks": [{
            "name": "slices.good.example.com",
            "clientConfig": {"service": {"namespace": "good", "name": "webhook"}, "caBundle": DAY.trim()},
            "rules": [{
                "apiGroups": ["discovery.k8s.io"], "apiVersions": ["v1"],
                "operations": ["CREATE", "UPDATE"], "resources": ["endpointslices"], "scope": "Namespaced",
            }],
            "failurePolicy": "Fail",
            "matchPolicy": "Equivalent",
            "sideEffects": "None",
            "timeoutSeconds": 2,
            "admissionReviewVersions": ["v1"],
            "namespaceSelector": {"matchExpressions": [{
                "key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["good", "kube-system", "kube-node-lease"],
            }]},
            "matchConditions": [{
                "name": "not-the-control-plane",
                "expression": "!(request.userInfo.username in ['system:apiserver', 'system:serviceaccount:kube-system:endpointslice-controller'])",
            }],
        }],
    })
}

/// The same as a mutating webhook.
fn mutating() -> Value {
    let mut configuration = good();
    configuration["kind"] = "MutatingWebhookConfiguration".into();
    configuration["webhooks"][0]["failurePolicy"] = "Ignore".into();
    configuration
}

fn with(change: impl Fn(&mut Value)) -> Value {
    let mut configuration = good();
    change(&mut configuration["webhooks"][0]);
    configuration
}

fn linted(objects: &[Value], now: Option<&str>) -> Linted {
    let texts: Vec<String> = objects.iter().map(Value::to_string).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let now = now.map(|now| Timestamp::parse(now).unwrap());
    super::check(&texts, now).unwrap()
}

/// Findings as `severity rule path`.
fn shown(linted: &Linted) -> Vec<String> {
    let findings = linted.configurations.iter().flat_map(|each| &each.findings);
    findings
        .map(|finding| {
            assert!(!finding.message.is_empty() && !finding.mend.is_empty());
            format!(
                "{} {} {}",
                finding.severity.as_str(),
                finding.rule,
                finding.path
            )
        })
        .collect()
}

#[track_caller]
fn check(configuration: &Value, expected: &[&str]) {
    assert_eq!(
        shown(&linted(std::slice::from_ref(configuration), None)),
        expected
    );
}

#[test]
fn a_good_one_follows_all() {
    let linted = linted(&[good()], None);
    assert_eq!(shown(&linted), [""; 0]);
    let [configuration] = linted.configurations.as_slice() else {
        panic!("one")
    };
    assert_eq!(
        (configuration.rules, configuration.followed),
        (RULES.len() - 2, RULES.len() - 2)
    );
    assert!(!linted.has(LintSeverity::Info));
}

#[test]
fn each_rule_finds_what_it_is_for() {
    for (configuration, expected) in cases() {
        check(&configuration, &expected);
    }
}

#[test]
fn each_rule_is_listed_and_found_by_a_case() {
    let mut found: BTreeSet<String> = BTreeSet::new();
    for (configuration, _) in cases() {
        let linted = linted(&[configuration], None);
        found.extend(
            linted.configurations[0]
                .findings
                .iter()
                .map(|finding| finding.rule.to_owned()),
        );
    }
    // Needs several webhooks.
    found.insert("dependency-loop".into());
    let listed: BTreeSet<String> = RULES.iter().map(|rule| rule.id.to_owned()).collect();
    assert_eq!(found, listed);
    let documented = include_str!("../../../../docs/lint-config.md");
    for LintRule { id, practice, .. } in &RULES {
        assert!(
            documented.contains(&format!("| `{id}` | {practice}")),
            "{id}"
        );
    }
}

#[test]
fn labels_of_namespaces_are_taken_from_the_input() {
    let mut configuration = with(|webhook| {
        webhook["namespaceSelector"] = json!({"matchExpressions": [
            {"key": "exempt", "operator": "DoesNotExist"},
            {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["kube-system"]},
        ]});
    });
    configuration["webhooks"][0]["matchConditions"][0]["expression"] =
        "!request.userInfo.username.startsWith('system:serviceaccount:kube-system:e')".into();
    configuration["webhooks"][0]["rules"][0] = json!({"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]});
    check(&configuration, &["warning own-pods /webhooks/0/rules/0"]);
    let namespace = |labels: Value| json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "good", "labels": labels}});
    let together = |labels| shown(&linted(&[namespace(labels), configuration.clone()], None));
    assert_eq!(together(json!({"exempt": "yes"})), [""; 0]);
    assert_eq!(together(json!({})), ["error own-pods /webhooks/0/rules/0"]);
}

#[test]
fn conditions_that_cannot_be_told_are_warnings() {
    let configuration = with(|webhook| {
        webhook["matchConditions"][0]["expression"] = "object.endpoints.size() > 3".into()
    });
    check(
        &configuration,
        &[
            "warning kubernetes-service /webhooks/0/rules/0",
            "warning outage-path /webhooks/0/rules/0",
        ],
    );
    let configuration = with(|webhook| {
        webhook["namespaceSelector"] = Value::Null;
        webhook["matchConditions"][0]["expression"] =
            "!(request.namespace in ['good', 'kube-system']) && !request.userInfo.username.startsWith('system:')".into();
    });
    check(
        &configuration,
        &["warning namespace-selector /webhooks/0/namespaceSelector"],
    );
}

#[test]
fn webhooks_that_wait_for_each_other() {
    let pods = |name: &str, excluded: &[&str], policy: &str| {
        let mut configuration = with(|webhook| {
            webhook["rules"][0] = json!({"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]});
            webhook["clientConfig"]["service"]["namespace"] = name.into();
            webhook["namespaceSelector"]["matchExpressions"][0]["values"] =
                json!([&["kube-system", name], excluded].concat());
            webhook["failurePolicy"] = policy.into();
        });
        configuration["metadata"]["name"] = name.into();
        configuration
    };
    let lint = |objects: &[Value]| shown(&linted(objects, None));
    let found = "error dependency-loop /webhooks/0/namespaceSelector";
    assert_eq!(
        lint(&[pods("a", &[], "Fail"), pods("b", &[], "Fail")]),
        [found, found]
    );
    // One way suffices.
    assert_eq!(
        lint(&[pods("a", &["b"], "Fail"), pods("b", &[], "Fail")]),
        [""; 0]
    );
    assert_eq!(
        lint(&[pods("a", &[], "Fail"), pods("b", &[], "Ignore")]),
        [""; 0]
    );
    // a waits for b, b for c, c for a.
    let ring = [
        pods("a", &["b"], "Fail"),
        pods("b", &["c"], "Fail"),
        pods("c", &["a"], "Fail"),
    ];
    assert_eq!(lint(&ring), [found; 3]);
}

#[test]
fn certificates_expire_when_it_is_time() {
    let path = "/webhooks/0/clientConfig/caBundle";
    let at = |now| shown(&linted(&[good()], Some(now)));
    assert_eq!(at("2020-01-01T00:00:00Z"), [""; 0]);
    assert_eq!(
        at("2036-10-30T00:00:00Z"),
        [format!("warning ca-bundle {path}")]
    );
    assert_eq!(
        at("2036-12-01T00:00:00Z"),
        [format!("error ca-bundle {path}")]
    );
}

#[test]
fn without_configurations_there_is_nothing_to_find() {
    let pod = json!({"kind": "Pod"}).to_string();
    for objects in [vec![], vec![pod.as_str()]] {
        let linted = super::check(&objects, None).unwrap();
        assert!(linted.configurations.is_empty() && !linted.has(LintSeverity::Info));
    }
}

#[test]
fn what_cannot_be_read_is_refused() {
    let wrong = |object: Value| {
        let error = super::check(&[&object.to_string()], None).unwrap_err();
        (error.code(), error.path().unwrap_or_default().to_owned())
    };
    let mut old = good();
    old["apiVersion"] = "admissionregistration.k8s.io/v1beta1".into();
    assert_eq!(wrong(old), (Code::Unsupported, "/0/apiVersion".into()));
    let texts = with(|webhook| webhook["rules"][0]["resources"] = "pods".into());
    assert_eq!(
        wrong(texts),
        (Code::InvalidType, "/0/webhooks/0/rules/0/resources".into())
    );
    let number = with(|webhook| webhook["timeoutSeconds"] = "2".into());
    assert_eq!(
        wrong(number),
        (Code::InvalidType, "/0/webhooks/0/timeoutSeconds".into())
    );
}
