//! The form of an answer about many Services: what comes first, what is only counted, and how long and wide it is.

use serde_json::{Value, json};

use super::samples;
use crate::api::{self, Limits, Question, TextForm};
use crate::plan::explanation::Severity;

fn items(number: usize, ready: bool, has_slice: bool) -> Vec<Value> {
    let name = format!("s{number:02}");
    let ip = format!("10.1.0.{number}");
    let pod = format!("{name}-p");
    let mut items = vec![
        json!({"kind": "Service", "apiVersion": "v1",
            "metadata": {"namespace": "shop", "name": name, "uid": name},
            "spec": {"type": "ClusterIP", "clusterIP": format!("10.96.0.{number}"), "ipFamilies": ["IPv4"],
                "selector": {"app": name}, "ports": [{"name": "http", "port": 80, "protocol": "TCP", "targetPort": 8080}]}}),
        json!({"kind": "Pod", "apiVersion": "v1",
            "metadata": {"namespace": "shop", "name": pod, "uid": pod, "labels": {"app": name}},
            "spec": {"nodeName": "n1"},
            "status": {"phase": "Running", "podIP": ip, "podIPs": [{"ip": ip}],
                "conditions": [{"type": "Ready", "status": if ready { "True" } else { "False" }}]}}),
    ];
    if has_slice {
        items.push(json!({"kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1", "addressType": "IPv4",
            "metadata": {"namespace": "shop", "name": format!("{name}-x"), "uid": format!("{name}-x"),
                "labels": {"kubernetes.io/service-name": name, "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"},
                "ownerReferences": [{"apiVersion": "v1", "kind": "Service", "name": name, "uid": name, "controller": true, "blockOwnerDeletion": true}]},
            "endpoints": [{"addresses": [ip], "conditions": {"ready": ready, "serving": ready, "terminating": false}, "nodeName": "n1", "zone": "a",
                "targetRef": {"kind": "Pod", "namespace": "shop", "name": pod, "uid": pod}}],
            "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}]}));
    }
    items
}

/// `broken` Services whose slice is missing, and `well` ones.
fn explained(broken: usize, well: usize) -> api::Explained {
    let node = json!({"kind": "Node", "apiVersion": "v1",
        "metadata": {"name": "n1", "labels": {"topology.kubernetes.io/zone": "a"}},
        "status": {"conditions": [{"type": "Ready", "status": "True"}], "allocatable": {"cpu": "2"}}});
    let services = (0..broken + well).flat_map(|number| items(number, true, number >= broken));
    let items: Vec<Value> = services.chain([node]).collect();
    let list = json!({"kind": "List", "items": items}).to_string();
    api::explained(list.as_bytes(), &Question::default(), Limits::default()).unwrap()
}

/// The form of the command by default.
fn short() -> TextForm {
    let mut form = TextForm::default();
    form.lines = Some(40);
    form.is_overview = true;
    form.counts_well = true;
    form
}

#[test]
fn those_that_are_well_are_counted() {
    let explained = explained(2, 40);
    let text = explained.formatted(short());
    assert!(text.starts_with("shop/s00: broken: "), "{text}");
    assert!(text.contains("\n\nshop/s01: broken: "), "{text}");
    assert!(!text.contains("shop/s02"), "{text}");
    assert!(
        text.ends_with("\n\n42 Services: 2 broken, 40 well (-v also lists 40 Services)\n"),
        "{text}"
    );
    let mut all = short();
    (all.counts_well, all.lines, all.verbose) = (false, None, true);
    let text = explained.formatted(all);
    let lines: Vec<&str> = text.lines().collect();
    let [.., last, "", totals] = lines[..] else {
        panic!("{text}");
    };
    assert_eq!(
        last,
        "shop/s41: note: All clients are served by 10.1.0.41:8080."
    );
    assert_eq!(totals, "42 Services: 2 broken, 40 well");
    let listed = lines
        .iter()
        .filter(|line| line.contains(": note: All clients"));
    assert_eq!(listed.count(), 40);
}

#[test]
fn what_does_not_fit_is_counted() {
    let several = explained(30, 1).formatted(short());
    assert!(several.lines().count() <= 40, "{several}");
    for number in 0..30 {
        assert!(
            several.contains(&format!("shop/s{number:02}: broken: ")),
            "{several}"
        );
    }
    let last = several.lines().last().unwrap();
    assert!(
        last.starts_with("… ")
            && last.ends_with(": -v shows all, --service NAMESPACE/NAME one Service"),
        "{several}"
    );
    let many = explained(98, 1).formatted(short());
    assert!(many.lines().count() <= 40, "{many}");
    assert!(many.contains("\n99 Services: 98 broken, 1 well "), "{many}");
    assert!(many.contains(" more Services: -v shows all"), "{many}");
}

#[test]
fn a_severity_hides_what_is_less_severe_and_still_counts_it() {
    let mut explained = explained(2, 3);
    explained.keep(Severity::Degraded, false);
    assert_eq!(explained.services.len(), 2);
    let told = explained.services.iter().flat_map(|one| &one.explanations);
    assert!(
        told.into_iter()
            .all(|one| one.severity <= Severity::Degraded)
    );
    let text = explained.formatted(short());
    assert!(text.ends_with("\n5 Services: 2 broken, 3 well\n"), "{text}");
}

/// Whatever is asked, the answer fits a terminal.
#[test]
fn texts_are_short_and_narrow() {
    for sample in samples() {
        let explained = sample.explained();
        for width in [60, 80, 100] {
            let mut form = short();
            form.width = Some(width);
            let text = explained.formatted(form);
            assert!(text.lines().count() <= 40, "{}: {text}", sample.name());
            let widest = text.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(width), "{}: {text}", sample.name());
        }
        let mut whole = TextForm::default();
        whole.verbose = true;
        assert_eq!(explained.formatted(whole), explained.to_text(false, true));
    }
}
