//! Who may write whose slices.

use serde_json::{Value, json};

use super::*;
use crate::request::ObjectChange;
use crate::testing::{
    cart_slice, cluster, context, endpoints_create, lines, request, service_create, slice,
    slice_create, slice_update,
};

const CONTROLLER: &str = "system:serviceaccount:kube-system:endpointslice-controller";

fn managed(by: Option<&str>) -> Value {
    let mut slice = cart_slice("cart-abc", &json!([]));
    if let Some(by) = by {
        slice["metadata"]["labels"]["endpointslice.kubernetes.io/managed-by"] = by.into();
    }
    slice
}

fn of_service(name: &str, by: Option<&str>) -> Value {
    let mut slice = managed(by);
    slice["metadata"]["labels"]["kubernetes.io/service-name"] = name.into();
    slice
}

#[track_caller]
fn check_as(user: &'static str, mut request: Request<'static>, expected: &[&str]) {
    request.user = user.into();
    let found = check(&request, &cluster(&context()), &Settings::default());
    assert_eq!(lines(&found), expected);
}

#[test]
fn who_manages_is_added_to_the_control_plane() {
    let manager = |managed_by: &str, users: &[&str], groups: &[&str]| Manager {
        managed_by: managed_by.into(),
        users: users.iter().map(|user| (*user).into()).collect(),
        groups: groups.iter().map(|group| (*group).into()).collect(),
    };
    let settings = Settings {
        managers: vec![
            manager(keys::DEFAULT_MANAGED_BY, &["robot"], &[]),
            manager("shop", &["system:serviceaccount:shop:*"], &["staff"]),
        ],
        ..Settings::default()
    };
    let writes = |user: &'static str, group: &'static str, by: &str| {
        let mut request = slice_create(&managed(Some(by)));
        (request.user, request.groups) = (user.into(), vec![group.into()]);
        check(&request, &cluster(&context()), &settings).is_silent()
    };
    let collector = "system:serviceaccount:kube-system:generic-garbage-collector";
    for user in [CONTROLLER, collector, "robot"] {
        assert!(writes(user, "", keys::DEFAULT_MANAGED_BY), "{user}");
        assert_eq!(writes(user, "", "shop"), user != "robot", "{user}");
    }
    assert!(writes("system:serviceaccount:shop:web", "", "shop"));
    assert!(writes("jane", "staff", "shop"));
    assert!(!writes("jane", "", "shop"));
    assert!(!writes("robot", "", keys::MIRRORING_MANAGED_BY));
    assert!(writes("jane", "", "anybody"));
    let nobody = Settings {
        managers: vec![manager("shop", &[], &[])],
        ..Settings::default()
    };
    let (path, _) = crate::settings::PolicySettings::check(&nobody).unwrap_err();
    assert_eq!(path, "managers/0/users");
}

const OURS: Option<&str> = Some("endpointslice-controller.k8s.io");

#[test]
fn a_manager_that_is_not_the_writer_is_forged() {
    let forged = "deny forged-manager metadata.labels[endpointslice.kubernetes.io/managed-by]: only \
                  endpointslice-controller.k8s.io itself may write slices that say it manages them; give yours a different \
                  value, such as `staff`";
    check_as("jane", slice_create(&managed(OURS)), &[forged]);
    check_as(CONTROLLER, slice_create(&managed(OURS)), &[]);
    check_as(
        "system:kube-controller-manager",
        slice_create(&managed(OURS)),
        &[],
    );
    check_as("jane", slice_create(&managed(None)), &[]);
    check_as("jane", slice_create(&managed(Some("staff"))), &[]);
    check_as(
        "jane",
        slice_update(&managed(None), &managed(OURS)),
        &[forged],
    );
}

#[test]
fn what_a_controller_manages_is_its_own() {
    let managed_slice = "deny managed metadata.labels[endpointslice.kubernetes.io/managed-by]: \
                         endpointslice-controller.k8s.io manages this slice and would undo the change; change the Service or \
                         its pods, or write a separate slice";
    check_as(
        "jane",
        slice_update(&managed(OURS), &managed(None)),
        &[managed_slice],
    );
    check_as(
        "jane",
        slice_update(&managed(OURS), &of_service("other", OURS)),
        &[managed_slice],
    );
    check_as(
        CONTROLLER,
        slice_update(&managed(OURS), &of_service("other", OURS)),
        &[],
    );
}

#[test]
fn a_slice_stays_with_its_service() {
    check_as(
        "jane",
        slice_update(&managed(None), &of_service("catalog", None)),
        &[
            "deny service-changed metadata.labels[kubernetes.io/service-name]: the slice would move from Service cart to Service \
             catalog, with its endpoints; delete it, and create another for the new Service",
        ],
    );
    check_as(
        "jane",
        slice_update(&managed(None), &managed(Some("staff"))),
        &[],
    );
}

#[test]
fn what_is_deleted_comes_again() {
    let gone = |by| request(ReviewSubject::EndpointSlice(ObjectChange::Delete(slice(&managed(by)))));
    check_as(
        "jane",
        gone(OURS),
        &[
            "warn managed metadata.name: endpointslice-controller.k8s.io manages this slice and will create it again; until \
             then its endpoints get no traffic",
        ],
    );
    check_as("jane", gone(None), &[]);
    check_as(
        "system:serviceaccount:kube-system:namespace-controller",
        gone(OURS),
        &[],
    );
}

#[test]
fn the_api_servers_service_is_theirs() {
    let object = |kind: &str, name: &str, label: &str| {
        let metadata = json!({"namespace": "default", "name": name, "labels": {"kubernetes.io/service-name": label}});
        let mut request = match kind {
            "EndpointSlice" => {
                let mut slice = cart_slice(name, &json!([]));
                slice["metadata"] = metadata;
                slice_create(&slice)
            }
            "Service" => service_create(&json!({"metadata": metadata, "spec": {}})),
            _ => endpoints_create(&json!({"metadata": metadata})),
        };
        request.namespace = "default".into();
        request
    };
    let theirs = |request: &Request<'_>| {
        let found = check(request, &cluster(&context()), &Settings::default());
        let rules = found.findings().iter().map(|finding| finding.rule.clone());
        rules.collect::<Vec<_>>()
    };
    let all = [
        ("EndpointSlice", "kubernetes", "kubernetes"),
        ("EndpointSlice", "extra", "kubernetes"),
        ("Service", "kubernetes", ""),
        ("Endpoints", "kubernetes", ""),
    ];
    for (kind, name, label) in all {
        let mut request = object(kind, name, label);
        assert_eq!(theirs(&request), ["api-servers"], "{kind} {name}");
        request.user = "system:apiserver".into();
        assert_eq!(theirs(&request), [""; 0], "{kind} {name}");
        request.user = "jane".into();
        request.namespace = "shop".into();
        assert_eq!(theirs(&request), [""; 0], "{kind} {name} elsewhere");
    }
    for (kind, name, label) in [
        ("EndpointSlice", "kubernetes", "other"),
        ("Service", "other", "kubernetes"),
        ("Endpoints", "other", "kubernetes"),
    ] {
        assert_eq!(theirs(&object(kind, name, label)), [""; 0], "{kind} {name}");
    }
    let mut gone = object("EndpointSlice", "kubernetes", "kubernetes");
    if let ReviewSubject::EndpointSlice(ObjectChange::Create(slice)) = gone.subject {
        gone.subject = ReviewSubject::EndpointSlice(ObjectChange::Delete(slice));
    }
    assert_eq!(theirs(&gone), ["api-servers"]);
}
