//! Whether the lists of an input are complete, according to their metadata.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::warning::{Warning, WarningCode};
use crate::IS_SMALL;
use crate::model::Text;
use crate::model::kind::Unreadable;
use crate::model::object::slim_object;
use crate::model::text::shorten;

/// The metadata of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListPageMeta {
    pub resource_version: String,
    /// The token that requests the next page; empty on the last one.
    pub token: String,
    /// The number of remaining objects that it reports.
    remaining: Option<i64>,
}

slim_object! {
    /// The metadata of a list, which say whether it continues elsewhere.
    #[derive(Debug, Default)]
    pub struct ListMeta<'a>("ListMeta") {
        "resourceVersion" resource_version: Text<'a>;
        "continue" continue_token: Text<'a>;
        "remainingItemCount" remaining: Option<i64>;
    }
}

impl From<ListMeta<'_>> for ListPageMeta {
    fn from(metadata: ListMeta<'_>) -> Self {
        Self {
            resource_version: metadata.resource_version.to_string(),
            token: metadata.continue_token.to_string(),
            remaining: metadata.remaining,
        }
    }
}

/// What the lists of an input report about themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// Incomplete lists, by kind and version, with the number of remaining objects that they report.
    cut: Vec<((String, String), Option<i64>)>,
    /// Complete lists, likewise. The pages of one list share a version.
    ended: Vec<(String, String)>,
    /// Is a Status among the objects?
    has_status: bool,
    /// Why optional lists were left out.
    left_out: Vec<String>,
    /// The objects of which only the newest of several versions was kept.
    several: Vec<String>,
    /// The objects that were left out because they cannot be read.
    #[doc(hidden)]
    pub unreadable: Vec<Unreadable>,
}

impl Received {
    /// Records a list that has been read.
    pub(super) fn list(&mut self, kind: &str, page: &ListPageMeta) {
        let key = (kind.to_string(), page.resource_version.clone());
        // There are few lists, however many pages.
        if page.token.is_empty() {
            if let Err(place) = self.ended.binary_search(&key) {
                self.ended.insert(place, key);
            }
            return;
        }
        match self.cut.binary_search_by(|(known, _)| known.cmp(&key)) {
            Ok(place) => {
                if let Some((_, remaining)) = self.cut.get_mut(place) {
                    *remaining = page.remaining;
                }
            }
            Err(place) => self.cut.insert(place, (key, page.remaining)),
        }
    }

    /// Records an object of an unwanted kind.
    #[doc(hidden)]
    pub fn other(&mut self, kind: &str) {
        self.has_status |= kind == "Status";
    }

    /// Records that a list was left out although it would have been useful, and why.
    pub fn leave_out(&mut self, why: String) {
        self.left_out.push(why);
    }

    /// Records objects of which only the newest of several versions was kept.
    #[doc(hidden)]
    pub fn several(&mut self, objects: Vec<String>) {
        self.several.extend(objects);
    }

    /// Warns of objects that were given in several versions.
    #[doc(hidden)]
    pub fn warn_of_several(&self, warnings: &mut Vec<Warning>) {
        let Some(first) = self.several.first().filter(|_| !IS_SMALL) else {
            return;
        };
        let (others, verb) = match self.several.len() {
            1 => (String::new(), "is"),
            count => (format!(" (and {} more)", count - 1), "are"),
        };
        let message = format!(
            "{}{others} {verb} in the input in different versions; the newest one, by `metadata.resourceVersion`, is taken",
            shorten(first)
        );
        warnings.push(Warning::new(WarningCode::SeveralVersions, message));
    }

    /// Was a list left out?
    #[doc(hidden)]
    pub const fn has_left_out(&self) -> bool {
        !self.left_out.is_empty()
    }

    /// Warns of lists that were left out.
    #[doc(hidden)]
    pub fn warn_of_left_out(&self, warnings: &mut Vec<Warning>) {
        let warning = |why: &String| {
            let message = format!("{why}; the answers do without it");
            Warning::new(WarningCode::LeftOut, message)
        };
        warnings.extend(self.left_out.iter().map(warning));
    }

    /// May there be more objects of a kind than have been read?
    pub(super) fn is_cut(&self, kind: &str) -> bool {
        let mut warnings = Vec::new();
        self.warn_of_cuts(&[(kind, true)], &mut warnings);
        !warnings.is_empty()
    }

    /// Were there any lists? Arrays and single objects count as complete.
    pub(super) fn has_lists(&self) -> bool {
        !self.cut.is_empty() || !self.ended.is_empty()
    }

    /// Is there a complete list of only this kind? If so, an object that is not in it does not exist.
    #[doc(hidden)]
    pub fn has_all(&self, kind: &str) -> bool {
        let mut ended = self.ended.iter();
        ended.any(|(list, _)| list.strip_suffix("List") == Some(kind))
    }

    /// Says that there are no objects of a kind: either because none exist, or because they were not fetched.
    #[doc(hidden)]
    pub fn none(&self, kind: &str, fact: &str, resource: &str) -> String {
        match self.has_all(kind) {
            true => format!("{fact}: the list of {resource} is empty"),
            false => format!("{fact}; include `{resource}` in the input"),
        }
    }

    /// Warns of incomplete lists of these kinds, each with whether writes depend on it, or of mixed kinds.
    #[doc(hidden)]
    pub fn warn_of_cuts(&self, kinds: &[(&str, bool)], warnings: &mut Vec<Warning>) {
        let is_open = |key: &(String, String)| key.1.is_empty() || !self.ended.contains(key);
        for ((kind, _), remaining) in self.cut.iter().filter(|(key, _)| is_open(key)) {
            let is_mixed = kind.is_empty() || kind == "List";
            let known = kinds
                .iter()
                .find(|(known, _)| kind.strip_suffix("List") == Some(known));
            let Some(blocks) = known
                .map(|known| known.1)
                .or_else(|| is_mixed.then_some(true))
            else {
                continue;
            };
            let kind = if kind.is_empty() { "List" } else { kind };
            let lacks = match remaining {
                Some(1) => "1 more object is on a later page".to_string(),
                Some(count @ 2..) => format!("{count} more objects are on later pages"),
                _ => "more objects are on later pages".to_string(),
            };
            let message = format!(
                "the {} is truncated: it has `metadata.continue`, so {lacks}; fetch all pages, or a single page with `kubectl get --chunk-size=0`",
                shorten(kind)
            );
            warnings.push(Warning::new(WarningCode::CutList, message).blocking(blocks));
        }
        if self.has_status {
            let message = "there is a Status among the objects: some of them could not be fetched; see its message, and fetch them again";
            warnings.push(Warning::new(WarningCode::Status, message).blocking(true));
        }
    }
}
