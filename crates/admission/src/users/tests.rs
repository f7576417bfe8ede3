//! Whom lists name, and which entries name nobody.

use serde_json::{Value, json};

use super::*;
use crate::config::ReviewerConfig;
use crate::testing::{cart_slice, slice_create};
use slicewise::model::read::read_text;

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[track_caller]
fn check(
    users: &[&str],
    groups: &[&str],
    user: &'static str,
    its: &[&'static str],
    is_meant: bool,
) {
    let (users, groups) = (strings(users), strings(groups));
    let named = NamedUsers {
        built_in: &["system:apiserver", "system:serviceaccount:kube-system:*"],
        users: &users,
        groups: &groups,
    };
    named.check("users", "groups").unwrap();
    let mut request = slice_create(&cart_slice("by-hand", &json!([])));
    request.user = user.into();
    request.groups = its.iter().map(|group| (*group).into()).collect();
    assert_eq!(named.has(&request), is_meant, "{user}");
}

#[test]
fn users_by_name_by_namespace_and_by_group() {
    check(&["jane"], &[], "jane", &[], true);
    check(&["jane"], &[], "jan", &[], false);
    check(&["jane"], &[], "janet", &["jane"], false);
    check(&["Jane Doe"], &[], "Jane Doe", &[], true);
    let of_shop = &["system:serviceaccount:shop:*"];
    check(of_shop, &[], "system:serviceaccount:shop:web", &[], true);
    check(of_shop, &[], "system:serviceaccount:shop-2:web", &[], false);
    check(of_shop, &[], "system:serviceaccount:shop:", &[], false);
    check(of_shop, &[], "system:serviceaccount:shop", &[], false);
    check(
        &[],
        &["staff"],
        "jane",
        &["system:authenticated", "staff"],
        true,
    );
    check(&[], &["staff"], "staff", &["system:authenticated"], false);
    check(&[], &["staff"], "", &[], false);
    let shop = "system:serviceaccounts:shop";
    check(
        &[],
        &[shop],
        "system:serviceaccount:shop:web",
        &[shop],
        true,
    );
}

#[test]
fn what_is_built_in_is_added_to() {
    for users in [&[][..], &["jane"]] {
        check(users, &[], "system:apiserver", &[], true);
        check(users, &[], "system:serviceaccount:kube-system:x", &[], true);
        check(users, &[], "system:serviceaccount:kube:x", &[], false);
    }
}

/// Each list of names, as a policy with settings, and where the list is.
fn lists(name: &str, is_of_groups: bool) -> Vec<(Value, String)> {
    let (users, groups) = match is_of_groups {
        true => (json!(["jane"]), json!(["staff", name])),
        false => (json!(["jane", name]), json!(["staff"])),
    };
    let list = |users: &'static str, groups: &'static str| match is_of_groups {
        true => groups,
        false => users,
    };
    let mut lists: Vec<_> = crate::policies::NAMES
        .iter()
        .map(|policy| {
            let settings = json!({"exemptUsers": users, "exemptGroups": groups});
            let path = format!("{policy}/{}", list("exemptUsers", "exemptGroups"));
            (json!({*policy: settings}), path)
        })
        .collect();
    lists.push((
        json!({"service-traffic": {"loadBalancerUsers": users, "loadBalancerGroups": groups}}),
        format!(
            "service-traffic/{}",
            list("loadBalancerUsers", "loadBalancerGroups")
        ),
    ));
    lists.push((
        json!({"slice-ownership": {"managers": [
            {"managedBy": "a", "users": ["jane"]}, {"managedBy": "b", "users": users, "groups": groups},
        ]}}),
        format!("slice-ownership/managers/1/{}", list("users", "groups")),
    ));
    lists
}

#[track_caller]
fn checked(config: &Value) -> Result<(), slicewise::Error> {
    let config = json!({"policies": config}).to_string();
    read_text::<ReviewerConfig>(&config).unwrap().check()
}

#[test]
fn an_entry_that_can_match_nobody_is_refused_in_every_list() {
    for (name, mend) in [
        ("", "write it, or remove the entry"),
        ("  ", "write it, or remove the entry"),
        (" jane", "remove it"),
        ("jane\n", "remove it"),
        (
            "*",
            "the only pattern is `system:serviceaccount:NAMESPACE:*`",
        ),
        ("jane*", "the only pattern is"),
        ("system:node:*", "such as `system:nodes`"),
        ("system:serviceaccount:*", "the only pattern is"),
        ("system:serviceaccount:*:web", "the only pattern is"),
        ("system:serviceaccount:shop:web*", "the only pattern is"),
        ("system:serviceaccount:sh*op:*", "must be a DNS label"),
        ("system:serviceaccount::*", "must be a DNS label"),
        ("system:serviceaccount:Shop:*", "must be a DNS label"),
        (
            "system:serviceaccount:shop",
            "`system:serviceaccount:NAMESPACE:NAME`",
        ),
        (
            "system:serviceaccount:shop:",
            "`system:serviceaccount:NAMESPACE:NAME`",
        ),
        ("system:serviceaccount:shop:Web", "in lower case"),
        (
            "system:serviceaccount:shop:a:b",
            "`system:serviceaccount:NAMESPACE:NAME`",
        ),
        ("system:serviceaccounts", "is a group; write it in `"),
        ("system:serviceaccounts:shop", "is a group; write it in `"),
        ("system:masters", "is a group; write it in `"),
    ] {
        for (config, path) in lists(name, false) {
            refused(&config, &path, mend);
        }
    }
    for (name, mend) in [
        ("", "write it, or remove the entry"),
        ("staff ", "remove it"),
        ("staff*", "groups have no patterns"),
        ("system:serviceaccounts:*", "groups have no patterns"),
        ("system:serviceaccounts:Shop", "must be a DNS label"),
        ("system:serviceaccounts:", "must be a DNS label"),
        ("system:serviceaccount:shop:web", "is a user; write it in `"),
        ("system:serviceaccount:shop:*", "is a user; write it in `"),
        ("system:node:a", "is a user; write it in `"),
        ("system:apiserver", "is a user; write it in `"),
    ] {
        for (config, path) in lists(name, true) {
            refused(&config, &path, mend);
        }
    }
}

#[track_caller]
fn refused(config: &Value, path: &str, mend: &str) {
    let error = checked(config).unwrap_err();
    assert_eq!(error.path(), Some(format!("/policies/{path}/1").as_str()));
    assert!(error.message().contains(mend), "{error}");
}

#[test]
fn other_entries_are_taken_in_every_list() {
    for name in [
        "jane",
        "jane@example.com",
        "oidc:Jane Doe",
        "system:kube-controller-manager",
        "system:node:a.example.com",
        "system:serviceaccount:shop:web.v2",
        "system:serviceaccount:kube-system:*",
    ] {
        for (config, path) in lists(name, false) {
            assert_eq!(checked(&config), Ok(()), "{path}: {name}");
        }
    }
    for name in [
        "staff",
        "oidc:Shop Owners",
        "system:serviceaccounts:shop",
        "system:nodes",
    ] {
        for (config, path) in lists(name, true) {
            assert_eq!(checked(&config), Ok(()), "{path}: {name}");
        }
    }
}
