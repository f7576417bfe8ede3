//! Half a cluster is recognized as such, and no writes are printed that depend on the other half.

use serde_json::{Value, json};

use crate::api::{self, Limits, TrafficOptions};
use crate::plan::request::Options;

fn service(namespace: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "Service", "metadata": {"namespace": namespace, "name": "cart"},
        "spec": {"selector": {"app": "cart"}, "clusterIP": "10.96.0.1", "clusterIPs": ["10.96.0.1"], "ipFamilies": ["IPv4"],
            "ports": [{"port": 80, "protocol": "TCP"}]}})
}

fn pod(namespace: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "Pod",
        "metadata": {"namespace": namespace, "name": "cart-1", "uid": "u1", "labels": {"app": "cart"}},
        "spec": {"nodeName": "n1"},
        "status": {"podIPs": [{"ip": "10.0.0.1"}], "conditions": [{"type": "Ready", "status": "True"}]}})
}

fn node() -> Value {
    json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}})
}

/// A slice that a plan changes, because it names another pod.
fn slice(namespace: &str) -> Value {
    json!({"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
        "metadata": {"namespace": namespace, "name": "cart-a", "labels": {
            "kubernetes.io/service-name": "cart", "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"}},
        "addressType": "IPv4", "ports": [{"name": "", "port": 80, "protocol": "TCP"}], "endpoints": [{"addresses": ["10.0.0.9"]}]})
}

fn list(kind: &str, metadata: &Value, items: &[Value]) -> Value {
    json!({"apiVersion": "v1", "kind": kind, "metadata": metadata, "items": items})
}

fn whole() -> Vec<Value> {
    vec![service("shop"), pod("shop"), node(), slice("shop")]
}

fn paged() -> Value {
    json!({"resourceVersion": "7", "continue": "abc", "remainingItemCount": 3})
}

/// The warnings of a snapshot, as `Code namespaces`, with `!` if they block writes; and why its writes are refused.
#[track_caller]
fn check(documents: &[Value], warnings: &[&str], refused: &str) {
    let input: String = documents.iter().map(|each| format!("{each}\n")).collect();
    let show = |warnings: &[api::Warning]| -> Vec<String> {
        let show = |warning: &api::Warning| {
            let sign = if warning.blocks_writes { "!" } else { "" };
            let namespaces = warning.namespaces.join(",");
            let text = format!("{:?}{sign} {namespaces}", warning.code);
            text.trim_end().to_owned()
        };
        warnings.iter().map(show).collect()
    };
    let options = Options::default();
    let plans =
        api::with_snapshot_plans(input.as_bytes(), &options, Limits::default(), |plans, _| {
            let refused = api::refuse(&plans.plans, &plans.warnings).err();
            (show(&plans.warnings), refused)
        });
    let (found, error) = plans.unwrap();
    assert_eq!(found, warnings);
    assert_eq!(error.as_ref().map_or("", |error| error.message()), refused);
    if let Some(error) = error {
        assert_eq!(error.code().as_str(), "IncompleteInput");
    }
    // Read piece by piece, and explained.
    let keeper = Keeping;
    let mut stream = api::SnapshotStream::new(&keeper);
    for piece in input.as_bytes().chunks(7) {
        stream.push(piece).unwrap();
    }
    let streamed = stream.finish().unwrap();
    let streamed = streamed.with_plans(&options, |plans, _| show(&plans.warnings));
    assert_eq!(streamed.unwrap(), warnings);
    let explained = api::explained(
        input.as_bytes(),
        &api::Question::default(),
        Limits::default(),
    );
    assert_eq!(show(&explained.unwrap().warnings), warnings);
}

/// Leaks texts; there are few.
struct Keeping;

impl crate::model::own::Keeper<'static> for Keeping {
    fn keep(&self, text: crate::model::Text<'_>) -> crate::model::Text<'static> {
        text.into_owned()
    }
}

const RESTS: &str = "; the writes depend on that, so they are not printed";

#[test]
fn a_whole_cluster_is_not_warned_of() {
    check(
        &[list("List", &json!({"resourceVersion": ""}), &whole())],
        &[],
        "",
    );
    check(&whole(), &[], "");
}

#[test]
fn a_list_that_goes_on_is_said_to_be_cut_off() {
    let rest = &whole()[..];
    let cut = "the PodList is truncated: it has `metadata.continue`, so 3 more objects are on later pages; fetch all pages, or a single page with `kubectl get --chunk-size=0`";
    let pods = list("PodList", &paged(), &[]);
    check(
        &[&[pods], rest].concat(),
        &["CutList!"],
        &format!("{cut}{RESTS}"),
    );
    // Other Services are still planned.
    let services = list("ServiceList", &paged(), &[]);
    check(&[&[services], rest].concat(), &["CutList"], "");
    let others = list("ConfigMapList", &paged(), &[]);
    check(&[&[others], rest].concat(), &[], "");
    let mixed = list("List", &json!({"continue": "abc"}), rest);
    check(
        &[mixed],
        &["CutList!"],
        &format!(
            "the List is truncated: it has `metadata.continue`, so more objects are on later pages; fetch all pages, or a single page with `kubectl get --chunk-size=0`{RESTS}"
        ),
    );
}

#[test]
fn all_pages_are_a_whole_list() {
    let last = list("PodList", &json!({"resourceVersion": "7"}), &[pod("shop")]);
    let mut documents = vec![list("PodList", &paged(), &[]), last];
    documents.extend([service("shop"), node(), slice("shop")]);
    check(&documents, &[], "");
    // It is not the end of another list.
    documents[1]["metadata"]["resourceVersion"] = json!("8");
    check(
        &documents[..],
        &["CutList!"],
        &format!(
            "the PodList is truncated: it has `metadata.continue`, so 3 more objects are on later pages; fetch all pages, or a single page with `kubectl get --chunk-size=0`{RESTS}"
        ),
    );
}

#[test]
fn a_kind_that_is_missing_is_named() {
    let without = |kind: &str| -> Vec<Value> {
        whole()
            .into_iter()
            .filter(|object| object["kind"] != kind)
            .collect()
    };
    let refused = |what: &str| format!("the input has no {what} in the input{RESTS}");
    check(
        &without("Pod"),
        &["NoPods!"],
        &refused("Pod, so every slice is emptied; include `pods`"),
    );
    check(
        &without("Node"),
        &["NoNodes!"],
        &refused("Node, so every pod is left out; include `nodes`"),
    );
    check(
        &without("EndpointSlice"),
        &["NoSlices!"],
        &refused("EndpointSlice, so every slice is created again; include `endpointslices`"),
    );
    check(&without("Service"), &["NoServices"], "");
    // An empty list of pods says that there are none.
    let none = list("PodList", &json!({"resourceVersion": "7"}), &[]);
    check(&[&[none], &without("Pod")[..]].concat(), &[], "");
}

#[test]
fn a_namespace_that_is_missing_is_named() {
    let mut objects = whole();
    objects.extend([service("bank"), slice("bank")]);
    let refused = "the input has no Pod in namespace bank, although it has some in other namespaces; there every slice is emptied; fetch `pods` from all namespaces (-A)";
    check(&objects, &["NoPods! bank"], &format!("{refused}{RESTS}"));
    let mut objects = whole();
    objects.extend([service("bank"), pod("bank"), service("mill"), pod("mill")]);
    let refused = "the input has no EndpointSlice in namespace bank (and 1 more), although it has some in other namespaces; there every slice is created again; fetch `endpointslices` from all namespaces (-A)";
    check(
        &objects,
        &["NoSlices! bank,mill"],
        &format!("{refused}{RESTS}"),
    );
}

#[test]
fn writes_elsewhere_are_not_refused() {
    let mut objects = whole();
    objects.extend([service("bank"), slice("bank")]);
    let input = list("List", &json!({}), &objects).to_string();
    let refused = api::with_snapshot_plans(
        input.as_bytes(),
        &Options::default(),
        Limits::default(),
        |plans, _| {
            let of = |namespace: &str| {
                let plans_of = plans
                    .plans
                    .iter()
                    .filter(|plan| plan.service.namespace == *namespace);
                api::refuse(plans_of, &plans.warnings).is_err()
            };
            [of("shop"), of("bank")]
        },
    );
    assert_eq!(refused.unwrap(), [false, true]);
}

#[test]
fn a_node_that_is_missing_and_a_status_are_named() {
    let mut objects = whole();
    objects[2]["metadata"]["name"] = json!("n2");
    let refused = "skipping Pod cart-1 for Service shop/cart: Node n1 Not Found";
    check(&objects, &[], &format!("{refused}{RESTS}"));
    let mut objects = whole();
    objects.push(json!({"apiVersion": "v1", "kind": "Status", "status": "Failure", "code": 403}));
    let refused = "there is a Status among the objects: some of them could not be fetched; see its message, and fetch them again";
    check(&objects, &["Status!"], &format!("{refused}{RESTS}"));
}

#[test]
fn workloads_are_not_pods() {
    let deployment =
        json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "cart"}});
    check(
        core::slice::from_ref(&deployment),
        &["NoServices", "OnlyWorkloads"],
        "",
    );
    let mut objects = whole();
    objects.push(deployment);
    check(&objects, &[], "");
}

#[test]
fn traffic_of_half_a_cluster_says_so() {
    let warnings = |objects: &[Value]| -> Vec<String> {
        let input: String = objects.iter().map(|each| format!("{each}\n")).collect();
        let answer = api::with_traffic(
            input.as_bytes(),
            &TrafficOptions::default(),
            Limits::default(),
        );
        let warnings = answer.unwrap().warnings;
        warnings
            .iter()
            .map(|warning| format!("{:?} {}", warning.code, warning.namespaces.join(",")))
            .collect()
    };
    assert_eq!(warnings(&whole()), [""; 0]);
    let slices = list("EndpointSliceList", &paged(), &[]);
    assert_eq!(warnings(&[&[slices], &whole()[..]].concat()), ["CutList "]);
    let mut objects = whole();
    objects.push(service("bank"));
    assert_eq!(warnings(&objects), ["NoSlices bank"]);
}

#[test]
fn mirrored_slices_of_half_a_cluster_are_not_deleted() {
    let mut mirrored = slice("shop");
    mirrored["metadata"]["labels"]["endpointslice.kubernetes.io/managed-by"] =
        json!("endpointslicemirroring-controller.k8s.io");
    let mut by_hand = service("shop");
    by_hand["spec"]["selector"] = json!(null);
    let endpoints = json!({"apiVersion": "v1", "kind": "Endpoints", "metadata": {"namespace": "shop", "name": "cart"},
        "subsets": [{"addresses": [{"ip": "10.0.0.1"}], "ports": [{"port": 80}]}]});
    let codes = |objects: &[&Value]| -> Vec<Value> {
        let input: String = objects.iter().map(|each| format!("{each}\n")).collect();
        let answer: Value =
            serde_json::from_slice(&api::mirror_snapshot(input.as_bytes()).unwrap()).unwrap();
        let warnings = answer["warnings"].as_array().unwrap().iter();
        warnings
            .map(|warning| json!([warning["code"], warning["blocksWrites"]]))
            .collect()
    };
    assert_eq!(
        codes(&[&endpoints, &by_hand, &mirrored]),
        Vec::<Value>::new()
    );
    assert_eq!(
        codes(&[&by_hand, &mirrored]),
        [json!(["NoEndpoints", true])]
    );
    assert_eq!(
        codes(&[&endpoints, &mirrored]),
        [json!(["NoServices", true])]
    );
    assert_eq!(codes(&[&endpoints, &by_hand]), [json!(["NoSlices", true])]);
}

#[test]
fn exported_commands_are_refused_as_well() {
    let without_nodes: String = whole()
        .iter()
        .filter(|object| object["kind"] != "Node")
        .map(|object| format!("{object}\n"))
        .collect();
    let export = |form: &str, assumed: bool| {
        let question = json!({"form": form, "assumeComplete": assumed}).to_string();
        let exported = api::exported(without_nodes.as_bytes(), question.as_bytes());
        exported.map_err(|error| error.code().as_str())
    };
    for form in ["kubectl", "patches"] {
        assert_eq!(export(form, false), Err("IncompleteInput"));
        assert!(export(form, true).is_ok());
    }
    assert!(export("json", false).is_ok());
}

/// What the first line of the explanation says.
fn first_line(documents: &[Value]) -> String {
    let input: String = documents.iter().map(|each| format!("{each}\n")).collect();
    let question = api::Question::default();
    let explained = api::explained(input.as_bytes(), &question, Limits::default()).unwrap();
    let text = explained.to_text(false, false);
    text.lines()
        .find(|line| line.starts_with("shop/cart"))
        .unwrap()
        .to_owned()
}

#[test]
fn slices_of_other_namespaces_say_nothing_of_the_live_ones_here() {
    let mut stored = service("shop");
    stored["metadata"]["uid"] = "u".into();
    stored["spec"]["ports"][0]["targetPort"] = 8080.into();
    let without = [stored, pod("shop"), node()];
    let expected = first_line(&without);
    assert!(expected.contains("will be served"), "{expected}");
    let elsewhere = [&without[..], &[service("bank"), pod("bank"), slice("bank")]].concat();
    check(&elsewhere, &["NoSlices! shop"], &no_slices("shop"));
    assert_eq!(first_line(&elsewhere), expected);
    // The list of all slices has none here.
    let mut slices = list(
        "EndpointSliceList",
        &json!({"resourceVersion": "7"}),
        &[slice("bank")],
    );
    slices["apiVersion"] = "discovery.k8s.io/v1".into();
    let known = [&without[..], &[service("bank"), pod("bank"), slices]].concat();
    check(&known, &[], "");
    let found = first_line(&known);
    assert!(found.contains("broken: Nobody is served"), "{found}");
    // Nor are there any in the whole cluster: an API server's list says so, and a file without slices does not.
    let mut none = list("EndpointSliceList", &json!({"resourceVersion": "7"}), &[]);
    none["apiVersion"] = "discovery.k8s.io/v1".into();
    let known = [&without[..], &[none]].concat();
    check(&known, &[], "");
    assert_eq!(first_line(&known), found);
    let mixed = list("List", &json!({"resourceVersion": ""}), &without);
    assert_eq!(first_line(&[mixed]), expected);
}

fn no_slices(namespace: &str) -> String {
    format!(
        "the input has no EndpointSlice in namespace {namespace}, although it has some in other namespaces; there every slice is created again; fetch `endpointslices` from all namespaces (-A){RESTS}"
    )
}

#[test]
fn an_object_that_is_there_twice_counts_once_and_the_newest_version_counts() {
    let twice = [whole(), vec![service("shop"), node()]].concat();
    for documents in [twice.clone(), vec![list("List", &json!({}), &twice)]] {
        check(&documents, &[], "");
    }
    let versioned = |version: &str, address: &str| {
        let mut pod = pod("shop");
        pod["metadata"]["resourceVersion"] = version.into();
        pod["status"]["podIPs"][0]["ip"] = address.into();
        pod
    };
    let (old, new) = (versioned("9", "10.0.0.1"), versioned("10", "10.0.0.2"));
    let rest = [service("shop"), node()];
    for pods in [[old.clone(), new.clone()], [new.clone(), old.clone()]] {
        let items = list("List", &json!({}), &[&rest[..], &pods].concat());
        check_first_address(&items, "10.0.0.2");
        let text = items.to_string();
        let plans = api::with_snapshot_plans(
            text.as_bytes(),
            &Options::default(),
            Limits::default(),
            |plans, _| {
                plans
                    .warnings
                    .iter()
                    .map(|one| one.message.clone())
                    .next_back()
            },
        );
        assert_eq!(
            plans.unwrap().as_deref(),
            Some(
                "Pod `shop/cart-1` is in the input in different versions; the newest one, by `metadata.resourceVersion`, is taken"
            )
        );
    }
    // Without versions, nobody knows which one counts.
    let differing = list(
        "List",
        &json!({}),
        &[&rest[..], &[pod("shop"), new]].concat(),
    );
    let error = api::plan_snapshot(differing.to_string().as_bytes(), b"").unwrap_err();
    assert_eq!(error.code().as_str(), "DuplicateName");
}

/// What is asked of each, and the objects in two versions, the newer one first.
#[test]
fn explanations_take_the_newest_version_of_each_object_too() {
    let versioned = |mut object: Value, version: &str, pointer: &str, value: Value| {
        object["metadata"]["resourceVersion"] = version.into();
        let (parent, field) = pointer.rsplit_once('/').unwrap();
        object.pointer_mut(parent).unwrap()[field] = value;
        object
    };
    let mut not_ready = pod("shop");
    not_ready["status"]["conditions"] = json!([
        {"type": "Ready", "status": "False"},
        {"type": "ContainersReady", "status": "False", "reason": "ContainersNotReady"}
    ]);
    let waiting = |reason: &str| json!([{"name": "app", "ready": false, "state": {"waiting": {"reason": reason}}}]);
    let event = json!({"apiVersion": "v1", "kind": "Event", "type": "Warning", "reason": "BackOff",
        "metadata": {"namespace": "shop", "name": "cart-1.17"},
        "involvedObject": {"kind": "Pod", "namespace": "shop", "name": "cart-1"}});
    let endpoints = json!({"apiVersion": "v1", "kind": "Endpoints", "metadata": {"namespace": "shop", "name": "cart"},
        "subsets": [{"addresses": [{"ip": "10.0.0.1"}], "ports": [{"port": 80}]}]});
    let mut by_hand = service("shop");
    by_hand["spec"]["selector"] = json!(null);
    let address = |ip: &str| json!([{"addresses": [{"ip": ip}], "ports": [{"port": 80}]}]);
    let cases = [
        (
            vec![service("shop"), node()],
            not_ready.clone(),
            "/status/containerStatuses",
            [waiting("Outdated"), waiting("Current")],
        ),
        (
            vec![service("shop"), node(), not_ready],
            event,
            "/message",
            ["Outdated".into(), "Current".into()],
        ),
        (
            vec![by_hand, node()],
            endpoints,
            "/subsets",
            [address("10.0.0.77"), address("10.0.0.88")],
        ),
    ];
    for (mut objects, object, pointer, [old, new]) in cases {
        let told = |objects: &[Value]| {
            let input: String = objects.iter().map(|each| format!("{each}\n")).collect();
            let question = api::Question::default();
            let explained = api::explained(input.as_bytes(), &question, Limits::default());
            serde_json::to_value(explained.unwrap()).unwrap()["services"].to_string()
        };
        let newer = versioned(object.clone(), "10", pointer, new);
        let older = versioned(object, "9", pointer, old);
        objects.push(newer);
        let expected = told(&objects);
        assert!(
            expected.contains("Current") || expected.contains("10.0.0.88"),
            "{expected}"
        );
        objects.push(older);
        assert_eq!(told(&objects), expected);
    }
}

/// The address of the only pod that a plan has.
#[track_caller]
fn check_first_address(input: &Value, expected: &str) {
    let bytes = api::plan_snapshot(input.to_string().as_bytes(), b"").unwrap();
    let answer: Value = serde_json::from_slice(&bytes).unwrap();
    let endpoints = &answer["plans"][0]["create"][0]["endpoints"];
    assert_eq!(endpoints[0]["addresses"][0], expected, "{answer}");
}
