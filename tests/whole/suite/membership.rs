//! The Services that a change of a pod affects: as in the reference, however the index was built.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use super::versions;
use crate::kubernetes::KubernetesVersion;
use crate::membership::change::{PodChange, PodVersion};
use crate::membership::index::SelectorIndex;
use crate::membership::selector;
use crate::model::{NamespacedName, Pod, StringMap};

struct Case {
    services: Vec<(NamespacedName, Option<StringMap<'static>>)>,
    old: Option<Value>,
    new: Option<Value>,
    expected: Vec<String>,
}

fn cases() -> Vec<Case> {
    let file = versions::folder().join("membership.json");
    let cases: Vec<Value> = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let service = |service: &Value| {
        let key = NamespacedName {
            namespace: text(&service["namespace"]),
            name: text(&service["name"]),
        };
        let pairs = service["selector"].as_object().into_iter().flatten();
        let selector: StringMap<'static> = pairs
            .map(|(key, value)| (key.clone().into(), text(value).into()))
            .collect();
        let has_selector = !selector.is_empty() || service["selectsAll"] == true;
        (key, has_selector.then_some(selector))
    };
    let case = |case: &Value| Case {
        services: case["services"]
            .as_array()
            .unwrap()
            .iter()
            .map(service)
            .collect(),
        old: case.get("old").cloned(),
        new: case.get("new").cloned(),
        expected: case["expected"]
            .as_array()
            .unwrap()
            .iter()
            .map(text)
            .collect(),
    };
    cases.iter().map(case).collect()
}

fn index<'s>(
    services: impl IntoIterator<Item = &'s (NamespacedName, Option<StringMap<'static>>)>,
) -> SelectorIndex {
    let mut index = SelectorIndex::default();
    for (key, selector) in services {
        index.set(key.clone(), selector.as_ref());
    }
    index
}

fn touched(case: &Case, index: &SelectorIndex) -> Vec<String> {
    touched_in(KubernetesVersion::default(), case, index)
}

fn touched_in(version: KubernetesVersion, case: &Case, index: &SelectorIndex) -> Vec<String> {
    let read = |raw: &'_ Option<Value>| raw.as_ref().map(ToString::to_string);
    let (old, new) = (read(&case.old), read(&case.new));
    let old_pod: Option<Pod<'_>> = old
        .as_deref()
        .map(|text| serde_json::from_str(text).unwrap());
    let new_pod: Option<Pod<'_>> = new
        .as_deref()
        .map(|text| serde_json::from_str(text).unwrap());
    let resource_version = |raw: &'_ Option<Value>| {
        let raw = raw.as_ref()?;
        raw["metadata"]["resourceVersion"]
            .as_str()
            .map(str::to_owned)
    };
    let old_version = resource_version(&case.old).unwrap_or_default();
    let new_version = resource_version(&case.new).unwrap_or_default();
    let change = PodChange::new(
        old_pod
            .as_ref()
            .map(|pod| PodVersion::new(pod, &old_version)),
        new_pod
            .as_ref()
            .map(|pod| PodVersion::new(pod, &new_version)),
        version,
    );
    let services = change.map(|change| change.services(index));
    let services = services.unwrap_or_default();
    services.iter().map(ToString::to_string).collect()
}

#[test]
fn changes_concern_the_services_the_reference_names() {
    let cases = cases();
    assert!(cases.len() >= 300);
    for version in KubernetesVersion::ALL {
        let own = versions::own(version, "membership.json");
        let own: BTreeMap<usize, Vec<String>> = own.map_or_else(BTreeMap::new, |file| {
            serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
        });
        for (number, case) in cases.iter().enumerate() {
            assert_eq!(
                touched_in(version, case, &index(&case.services)),
                *own.get(&number).unwrap_or(&case.expected),
                "case {number} in {version:?}"
            );
        }
    }
}

/// Added in another order, updated with other selectors, with unrelated Services added and removed: the same answers.
#[test]
fn an_index_that_was_changed_answers_like_a_new_one() {
    let cases = cases();
    let mut changed = SelectorIndex::default();
    for (case, next) in cases.iter().zip(cases.iter().skip(1)) {
        for (key, _) in &next.services {
            changed.set(key.clone(), Some(&StringMap::default()));
        }
        for (key, selector) in case.services.iter().rev() {
            changed.set(key.clone(), selector.as_ref());
        }
        for (key, _) in &next.services {
            if !case.services.iter().any(|(own, _)| own == key) {
                changed.remove(key);
            }
        }
        assert_eq!(touched(case, &changed), case.expected);
        for (key, _) in &case.services {
            changed.remove(key);
        }
        assert!(changed.is_empty());
    }
}

/// Neither a label that all Services share nor Services without common labels make a pod check all of them.
#[test]
fn a_selector_is_filed_under_its_rarest_pair() {
    let mut index = SelectorIndex::default();
    for number in 0..1_000 {
        let key = NamespacedName {
            namespace: "shop".to_owned(),
            name: format!("s{number:04}"),
        };
        let own = format!("app-{number}");
        let selector = [("part-of", "shop"), ("app", &own)];
        let selector: StringMap<'_> = selector
            .into_iter()
            .map(|(key, value)| (key.into(), value.to_owned().into()))
            .collect();
        index.set(key, Some(&selector));
    }
    assert!(
        index.most_filed_together() <= 2,
        "{}",
        index.most_filed_together()
    );
    let labels: StringMap<'_> = [("part-of", "shop"), ("app", "app-7")]
        .into_iter()
        .map(|(key, value)| (key.into(), value.into()))
        .collect();
    let found: Vec<_> = index
        .selecting("shop", &labels)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(found, ["shop/s0007"]);
    assert!(selector::matches(&StringMap::default(), &labels));
}
