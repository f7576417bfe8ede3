//! What labels lack of a selector, and the selector that was probably meant.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::say;
use super::words::{list, pairs};
use crate::edited::EditedService;
use slicewise::membership::nearest::nearest;
use slicewise::membership::selector::matches;
use slicewise::model::{Service, StringMap, Text};
use slicewise::plan::explanation::Fix;

/// A pair of the selector that is not among the labels of a pod, or of the template of pods.
pub(super) struct Miss<'a> {
    pub(super) key: &'a Text<'a>,
    pub(super) wanted: &'a Text<'a>,
    /// The value of the key there.
    pub(super) found: Option<&'a Text<'a>>,
    /// A label there that has the value, preferably under a similar key.
    meant: Option<String>,
}

/// The pairs that the labels lack, tested pair by pair with the function that decides.
pub(super) fn misses<'a>(selector: &'a StringMap<'a>, labels: &'a StringMap<'a>) -> Vec<Miss<'a>> {
    let pair = |(key, value): (&Text<'a>, &Text<'a>)| -> StringMap<'a> {
        [(key.clone(), value.clone())].into_iter().collect()
    };
    let missed = selector
        .iter()
        .filter(|(key, value)| !matches(&pair((key, value)), labels));
    let miss = |(key, wanted): (&'a Text<'a>, &'a Text<'a>)| {
        let same_value = labels.iter().filter(|(_, value)| *value == wanted);
        let keys: Vec<&str> = same_value.map(|(key, _)| key.as_str()).collect();
        Miss {
            key,
            wanted,
            found: labels.get(key),
            meant: nearest(key, &keys)
                .or_else(|| keys.first().copied())
                .map(str::to_owned),
        }
    };
    missed.map(miss).collect()
}

impl Miss<'_> {
    pub(super) fn in_words(&self) -> String {
        let (key, wanted) = (self.key, self.wanted);
        match (self.found, &self.meant) {
            (Some(found), _) => {
                format!("has {key}={found} where the selector wants {key}={wanted}")
            }
            (None, Some(meant)) => {
                format!("has {meant}={wanted} where the selector wants {key}={wanted}")
            }
            (None, None) => format!("lacks {key}={wanted}"),
        }
    }

    /// The pair that the selector wants.
    pub(super) fn pair(&self) -> String {
        format!("{}={}", self.key, self.wanted)
    }

    /// Is it probably a typo or a difference in spelling?
    pub(super) fn is_slip(&self) -> bool {
        self.meant.is_some()
            || self.found.is_some_and(|found| {
                found.eq_ignore_ascii_case(self.wanted)
                    || nearest(self.wanted, &[&**found]).is_some()
            })
    }
}

/// The selector that matches what lacks these pairs.
fn matching<'a>(selector: &StringMap<'a>, misses: &[Miss<'a>]) -> StringMap<'a> {
    let mut mended = selector.clone();
    for miss in misses {
        match (miss.found, &miss.meant) {
            // The next rollout changes it again.
            _ if is_of_a_revision(miss.key) => drop(mended.remove(miss.key.as_str())),
            (Some(found), _) => drop(mended.insert(miss.key.clone(), found.clone())),
            (None, meant) => {
                mended.remove(miss.key.as_str());
                if let Some(meant) = meant {
                    mended.insert(meant.clone().into(), miss.wanted.clone());
                }
            }
        }
    }
    mended
}

/// What makes the selector match what lacks these pairs; `matched` says what a selector matches.
pub(super) fn mended<'a>(
    service: &Service<'a>,
    selector: &StringMap<'a>,
    misses: &[Miss<'a>],
    matched: impl FnOnce(&StringMap<'a>) -> String,
) -> Vec<Fix> {
    let mended = matching(selector, misses);
    if mended.is_empty() {
        return Vec::new();
    }
    let (words, matched) = (pairs(&mended), matched(&mended));
    let change = EditedService::new(service).selecting(mended).change;
    let revisions = misses.iter().filter(|miss| is_of_a_revision(miss.key));
    let revisions: Vec<String> = revisions.map(Miss::pair).collect();
    if !revisions.is_empty() {
        return alloc::vec![say::fix(
            format!("remove {} from the selector", list(&revisions)),
            format!(
                "{words} matches {matched}; each rollout gives pods another value, and what manages the rollout sets it in the selector while it runs"
            ),
        )
        .by([change])];
    }
    let missing: Vec<String> = misses.iter().map(Miss::pair).collect();
    alloc::vec![
        say::fix(
            format!("set the selector to {words}"),
            format!("it matches {matched}"),
        )
        .by([change]),
        say::fix(
            format!("or label the pods {} in their template", missing.join(" ")),
            "the unchanged selector matches them",
        ),
    ]
}

/// Is it a label that a workload gives each of its revisions?
pub(super) fn is_of_a_revision(key: &str) -> bool {
    [
        "pod-template-hash",
        "controller-revision-hash",
        "deployment-revision",
    ]
    .iter()
    .any(|of| key.rsplit('/').next().is_some_and(|key| key.ends_with(of)))
}
