//! Configurations that violate each rule.

use serde_json::{Value, json};

use super::{good, mutating, with};

/// Configurations and their findings.
pub(super) fn cases() -> Vec<(Value, Vec<&'static str>)> {
    let rule = |group: &'static str, resource: &'static str, operation: &'static str| {
        with(move |webhook| {
            webhook["rules"][0] = json!({"apiGroups": [group], "apiVersions": ["v1"], "operations": [operation], "resources": [resource]});
        })
    };
    let everywhere = |mut configuration: Value| {
        configuration["webhooks"][0]["namespaceSelector"] = json!({"matchLabels": {}});
        configuration["webhooks"][0]["matchConditions"] =
            json!([{"name": "a", "expression": "true"}]);
        configuration
    };
    let open = |mut configuration: Value| {
        configuration["webhooks"][0]["failurePolicy"] = "Ignore".into();
        configuration
    };
    let scoped = "warning namespace-selector /webhooks/0/namespaceSelector";
    vec![
        (
            everywhere(rule("", "pods", "CREATE")),
            vec![
                "error own-pods /webhooks/0/rules/0",
                "error kube-system /webhooks/0/rules/0",
                scoped,
            ],
        ),
        (
            open(everywhere(rule("", "pods", "CREATE"))),
            vec![
                scoped,
                "info own-pods /webhooks/0/rules/0",
                "info kube-system /webhooks/0/rules/0",
            ],
        ),
        (
            everywhere(rule("", "serviceaccounts/token", "CREATE")),
            vec!["error own-pods /webhooks/0/rules/0", scoped],
        ),
        (
            everywhere(rule("", "endpoints", "UPDATE")),
            vec![
                "error own-endpoints /webhooks/0/rules/0",
                "error kube-system /webhooks/0/rules/0",
                "error kubernetes-service /webhooks/0/rules/0",
                "error outage-path /webhooks/0/rules/0",
                scoped,
            ],
        ),
        (
            open(everywhere(rule("", "endpoints", "UPDATE"))),
            vec![
                "warning outage-path /webhooks/0/rules/0",
                scoped,
                "info own-endpoints /webhooks/0/rules/0",
                "info kube-system /webhooks/0/rules/0",
            ],
        ),
        (
            everywhere(rule("apps", "deployments", "UPDATE")),
            vec![
                "error kube-system /webhooks/0/rules/0",
                "warning own-repair /webhooks/0/rules/0",
                scoped,
            ],
        ),
        (
            everywhere(rule("coordination.k8s.io", "leases", "UPDATE")),
            vec!["error leases /webhooks/0/rules/0", scoped],
        ),
        (rule("coordination.k8s.io", "leases", "UPDATE"), vec![]),
        (
            rule("", "nodes/status", "UPDATE"),
            vec!["error node-status /webhooks/0/rules/0"],
        ),
        (
            rule("", "nodes/*", "UPDATE"),
            vec![
                "error node-status /webhooks/0/rules/0",
                "error nodes /webhooks/0/rules/0",
            ],
        ),
        (rule("", "nodes", "DELETE"), vec![]),
        (open(rule("", "nodes", "UPDATE")), vec![]),
        (
            rule("", "namespaces", "DELETE"),
            vec!["warning namespaces /webhooks/0/rules/0"],
        ),
        (
            rule("authentication.k8s.io", "tokenreviews", "CREATE"),
            vec!["error authentication /webhooks/0/rules/0"],
        ),
        (
            everywhere(rule("authorization.k8s.io", "*", "CREATE")),
            vec![
                "error authentication /webhooks/0/rules/0",
                "error wildcard /webhooks/0/rules/0",
                scoped,
            ],
        ),
        (
            everywhere(rule("events.k8s.io", "events", "CREATE")),
            vec!["warning events /webhooks/0/rules/0", scoped],
        ),
        (
            everywhere(rule("", "pods/exec", "CONNECT")),
            vec!["warning connect /webhooks/0/rules/0", scoped],
        ),
        (
            with(|webhook| webhook["rules"][0]["apiVersions"] = json!(["*"])),
            vec!["info wildcard /webhooks/0/rules/0"],
        ),
        (
            with(|webhook| webhook["rules"][0]["operations"] = json!(["*"])),
            vec!["warning wildcard /webhooks/0/rules/0"],
        ),
        (
            with(|webhook| webhook["rules"][0]["operations"] = json!(["PATCH"])),
            vec!["error rules /webhooks/0/rules/0"],
        ),
        (
            with(|webhook| webhook["rules"][0]["resources"] = json!([])),
            vec!["error rules /webhooks/0/rules/0"],
        ),
        (
            with(|webhook| webhook["rules"] = json!([])),
            vec!["warning rules /webhooks/0/rules"],
        ),
        (
            rule(
                "admissionregistration.k8s.io",
                "validatingwebhookconfigurations",
                "UPDATE",
            ),
            vec!["info rules /webhooks/0/rules/0"],
        ),
        (
            with(|webhook| webhook["objectSelector"] = json!({"matchLabels": {"a": "b"}})),
            vec!["info object-selector /webhooks/0/objectSelector"],
        ),
        (
            with(|webhook| {
                webhook["matchConditions"][0]["expression"] =
                    "request.userInfo.username != 'system:serviceaccount:kube-system:endpointslice-controller'".into();
            }),
            vec!["error kubernetes-service /webhooks/0/rules/0"],
        ),
        (
            with(|webhook| {
                webhook["matchConditions"][0]["expression"] =
                    "!(request.userInfo.username.startsWith('system:'))".into();
            }),
            vec![],
        ),
        (
            with(|webhook| {
                webhook["matchConditions"][0]["expression"] =
                    "!(request.userInfo.username.startsWith('system:')) && request.namespace != 'default'".into();
            }),
            vec!["warning kubernetes-guarded /webhooks/0/rules/0"],
        ),
        (
            with(|webhook| {
                let values = &mut webhook["namespaceSelector"]["matchExpressions"][0]["values"];
                values.as_array_mut().unwrap().push("default".into());
            }),
            vec!["warning kubernetes-guarded /webhooks/0/rules/0"],
        ),
        (
            with(|webhook| webhook["matchConditions"] = json!([])),
            vec![
                "error kubernetes-service /webhooks/0/rules/0",
                "error outage-path /webhooks/0/rules/0",
                "info match-conditions /webhooks/0/matchConditions",
            ],
        ),
        (
            with(|webhook| webhook["matchPolicy"] = "Exact".into()),
            vec!["warning match-policy /webhooks/0/matchPolicy"],
        ),
        (
            with(|webhook| webhook["failurePolicy"] = Value::Null),
            vec!["warning failure-policy /webhooks/0/failurePolicy"],
        ),
        (
            with(|webhook| webhook["failurePolicy"] = "fail".into()),
            vec!["error failure-policy /webhooks/0/failurePolicy"],
        ),
        (
            with(|webhook| webhook["timeoutSeconds"] = Value::Null),
            vec!["warning timeout /webhooks/0/timeoutSeconds"],
        ),
        (
            with(|webhook| webhook["timeoutSeconds"] = 6.into()),
            vec!["warning timeout /webhooks/0/timeoutSeconds"],
        ),
        (
            with(|webhook| webhook["timeoutSeconds"] = 31.into()),
            vec!["error timeout /webhooks/0/timeoutSeconds"],
        ),
        (
            with(|webhook| webhook["sideEffects"] = "NoneOnDryRun".into()),
            vec!["info side-effects /webhooks/0/sideEffects"],
        ),
        (
            with(|webhook| webhook["sideEffects"] = "Some".into()),
            vec!["error side-effects /webhooks/0/sideEffects"],
        ),
        (
            with(|webhook| webhook["admissionReviewVersions"] = json!(["v1beta1"])),
            vec!["error review-versions /webhooks/0/admissionReviewVersions"],
        ),
        (
            with(|webhook| webhook["name"] = "slices".into()),
            vec!["error names /webhooks/0/name"],
        ),
        (
            with(|webhook| webhook["faliurePolicy"] = "Ignore".into()),
            vec!["warning unknown-field /webhooks/0"],
        ),
        (
            with(|webhook| webhook["rules"][0]["verbs"] = "CREATE".into()),
            vec!["warning unknown-field /webhooks/0/rules/0"],
        ),
        (
            with(|webhook| webhook["reinvocationPolicy"] = "Never".into()),
            vec!["warning unknown-field /webhooks/0/reinvocationPolicy"],
        ),
        (
            with(|webhook| webhook["clientConfig"] = Value::Null),
            vec!["error client /webhooks/0/clientConfig"],
        ),
        (
            with(|webhook| webhook["clientConfig"]["url"] = "https://a".into()),
            vec!["error client /webhooks/0/clientConfig"],
        ),
        (
            with(|webhook| webhook["clientConfig"] = json!({"url": "http://a/b"})),
            vec!["error client /webhooks/0/clientConfig/url"],
        ),
        (
            with(|webhook| webhook["clientConfig"] = json!({"url": "https://a/b?c"})),
            vec!["error client /webhooks/0/clientConfig/url"],
        ),
        (
            with(|webhook| webhook["clientConfig"] = json!({"url": "https://localhost:9443/b"})),
            vec!["warning balanced /webhooks/0/clientConfig/url"],
        ),
        (
            with(|webhook| webhook["clientConfig"] = json!({"url": "https://a.example.com/b"})),
            vec!["info balanced /webhooks/0/clientConfig/url"],
        ),
        (
            with(|webhook| webhook["clientConfig"]["caBundle"] = Value::Null),
            vec!["warning ca-bundle /webhooks/0/clientConfig/caBundle"],
        ),
        (
            with(|webhook| webhook["clientConfig"]["caBundle"] = "%".into()),
            vec!["error ca-bundle /webhooks/0/clientConfig/caBundle"],
        ),
        (
            with(|webhook| webhook["clientConfig"]["caBundle"] = "aGVsbG8=".into()),
            vec!["error ca-bundle /webhooks/0/clientConfig/caBundle"],
        ),
        (mutating(), vec![]),
        (
            {
                let mut each = mutating();
                each["webhooks"][0]["failurePolicy"] = "Fail".into();
                each
            },
            vec!["warning fail-open /webhooks/0/failurePolicy"],
        ),
        (
            {
                let mut each = mutating();
                each["webhooks"][0]["reinvocationPolicy"] = "IfNeeded".into();
                each
            },
            vec!["info reinvocation /webhooks/0/reinvocationPolicy"],
        ),
        (
            {
                let mut each = good();
                each["webhooks"] = json!([]);
                each
            },
            vec!["warning rules /webhooks"],
        ),
        (
            {
                let mut each = good();
                each["spec"] = json!({});
                each
            },
            vec!["warning unknown-field "],
        ),
        (
            {
                let mut each = good();
                let mut twin = each["webhooks"][0].clone();
                twin["rules"][0]["operations"] = json!(["DELETE"]);
                each["webhooks"].as_array_mut().unwrap().push(twin);
                each
            },
            vec![
                "error names /webhooks/1/name",
                "info consolidate /webhooks/1/rules",
            ],
        ),
    ]
}
