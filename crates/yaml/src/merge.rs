//! Merge keys (`<<`), as `kubectl` reads them: a map takes the members of other maps.
//!
//! In a list of maps the first counts, of several merge keys the last. A key below `<<` replaces what was merged; a key above
//! it is replaced. (Reference: `decoder.merge` of `go.yaml.in/yaml/v2`, with which `sigs.k8s.io/yaml` reads.)

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::mem::take;
use std::ops::Range;

use serde_json::value::RawValue;

use crate::places::InputPosition;

/// The keys of a map whose end has not been read.
#[derive(Default)]
pub(crate) struct MapKeys {
    /// The names of the members, one after another.
    names: String,
    members: Vec<Member>,
    /// Whether the names are in order, as `kubectl` writes them: a name behind the last one is new.
    is_unsorted: bool,
    /// The members that are written, by name, if there are many in no order.
    by_name: BTreeMap<String, usize>,
    /// How many members are not blanked.
    count: usize,
    /// Whether the value of the last key is still missing.
    pub(crate) has_key: bool,
    /// The value of `<<`, until it is complete.
    pub(crate) merge: Option<MergeValue>,
    /// The members to add at the end, and the place of the key that merged them.
    merged: BTreeMap<String, (Vec<u8>, InputPosition)>,
}

/// A member of a map.
struct Member {
    name: Range<usize>,
    /// Where its text is, counted from the beginning of all text.
    text: Range<usize>,
    is_blanked: bool,
}

/// More members than this are not searched one by one.
const FEW: usize = 32;

/// The value of a merge key, which is written and then taken out.
#[derive(Clone, Copy)]
pub(crate) struct MergeValue {
    /// Where its JSON begins.
    pub(crate) start: usize,
    /// The number of lines before it.
    pub(crate) lines: usize,
    /// The place of the key.
    pub(crate) place: InputPosition,
}

/// The members of a map.
type Members<'t> = BTreeMap<Cow<'t, str>, &'t RawValue>;

impl MapKeys {
    /// Adds a key; returns whether it is the first, and `None` if it appears twice.
    pub(crate) fn add(&mut self, key: &str) -> Option<bool> {
        let is_behind = |member: &Member| self.name(member) < key;
        if self.is_unsorted || !self.members.last().is_none_or(is_behind) {
            if self.find(key).is_some() {
                return None;
            }
            self.is_unsorted = true;
        }
        self.merged.remove(key);
        let start = self.names.len();
        self.names.push_str(key);
        self.members.push(Member {
            name: start..self.names.len(),
            text: 0..0,
            is_blanked: false,
        });
        if self.is_unsorted && self.members.len() > FEW {
            self.index();
        }
        self.has_key = true;
        self.count += 1;
        Some(self.count == 1)
    }

    fn name(&self, member: &Member) -> &str {
        self.names.get(member.name.clone()).unwrap_or_default()
    }

    /// The member with a name.
    fn find(&self, key: &str) -> Option<usize> {
        if !self.by_name.is_empty() {
            return self.by_name.get(key).copied();
        }
        let is_it = |member: &Member| !member.is_blanked && self.name(member) == key;
        self.members.iter().rposition(is_it)
    }

    /// Notes the names of members that are not noted yet.
    fn index(&mut self) {
        let noted = match self.by_name.is_empty() {
            true => 0,
            false => self.members.len() - 1,
        };
        for (number, member) in self.members.iter().enumerate().skip(noted) {
            if !member.is_blanked {
                let name = self.names.get(member.name.clone()).unwrap_or_default();
                self.by_name.insert(name.to_owned(), number);
            }
        }
    }

    /// The text of the last key begins there.
    pub(crate) fn begin(&mut self, start: usize) {
        if let Some(last) = self.members.last_mut() {
            last.text = start..start;
        }
    }

    /// The value of the last key ends there.
    pub(crate) fn complete(&mut self, end: usize) {
        self.has_key = false;
        if let (None, Some(last)) = (self.merge, self.members.last_mut()) {
            last.text.end = end;
        }
    }

    /// Makes it one for another map.
    pub(crate) fn clear(&mut self) {
        let (mut names, mut members) = (take(&mut self.names), take(&mut self.members));
        names.clear();
        members.clear();
        *self = Self {
            names,
            members,
            ..Self::default()
        };
    }

    /// Merges what was written as the value of `<<`. Returns the members that it replaces; `None` if it is neither a map nor a
    /// list of maps.
    pub(crate) fn take(&mut self, text: &[u8], place: InputPosition) -> Option<Vec<Range<usize>>> {
        let maps: Vec<Members<'_>> = match text.first() {
            Some(b'[') => serde_json::from_slice(text).ok()?,
            _ => vec![serde_json::from_slice(text).ok()?],
        };
        let mut replaced = Vec::new();
        for (key, value) in maps.into_iter().rev().flatten() {
            let written = self.find(&key);
            if let Some(member) = written.and_then(|number| self.members.get_mut(number)) {
                member.is_blanked = true;
                replaced.push(member.text.clone());
                self.by_name.remove(&*key);
                self.count -= 1;
            }
            // A line of the JSON is for a key of the input.
            let value = value.get().bytes().filter(|byte| *byte != b'\n');
            self.merged
                .insert(key.into_owned(), (value.collect(), place));
        }
        Some(replaced)
    }

    /// What was merged, with whether it is the first member.
    pub(crate) fn merged(
        &mut self,
    ) -> impl Iterator<Item = (bool, String, Vec<u8>, InputPosition)> {
        let count = self.count;
        let merged = take(&mut self.merged).into_iter().enumerate();
        merged.map(move |(number, (key, (value, place)))| (count + number == 0, key, value, place))
    }
}

/// Blanks a member, with a comma beside it.
pub(crate) fn blank(json: &mut [u8], member: Range<usize>) {
    let blanked = json.get_mut(member.clone()).unwrap_or_default().iter_mut();
    blanked
        .filter(|byte| **byte != b'\n')
        .for_each(|byte| *byte = b' ');
    let (before, after) = json.split_at_mut(member.end.min(json.len()));
    let is_there = |byte: &&mut u8| !byte.is_ascii_whitespace();
    let comma = match after.iter_mut().find(is_there) {
        Some(byte) if *byte == b',' => Some(byte),
        _ => before
            .iter_mut()
            .rev()
            .find(is_there)
            .filter(|byte| **byte == b','),
    };
    if let Some(comma) = comma {
        *comma = b' ';
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_blanked_leaves_a_map() {
        #[track_caller]
        fn check(json: &str, member: &str, expected: &str) {
            let start = json.find(member).unwrap();
            let mut bytes = json.as_bytes().to_vec();
            blank(&mut bytes, start..start + member.len());
            assert_eq!(bytes.len(), json.len());
            let text = String::from_utf8(bytes).unwrap();
            assert_eq!(text.replace([' ', '\n'], ""), expected);
            assert_eq!(text.lines().count(), json.lines().count());
        }
        check("{\"a\":1,\n\"b\":[\n2]", "\"a\":1", "{\"b\":[2]");
        check("{\"a\":1,\n\"b\":[\n2]", "\"b\":[\n2]", "{\"a\":1");
        check("{\"a\":1", "\"a\":1", "{");
        check(
            "{\"a\":1,\n\"b\":2,\n\"c\":3",
            "\"b\":2",
            "{\"a\":1,\"c\":3",
        );
    }
}
