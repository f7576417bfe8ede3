//! Faults in what is dropped, and what stands for them.

use alloc::format;

use super::{NOTHING, ReviewSieve, SieveMode, SieveState};
use slicewise_json::{Class, JsonContainer, find_ambiguity};

const HALF: &str = r#""\ud800""#;

impl ReviewSieve {
    /// A code unit that was written as an escape: halves of surrogate pairs belong together.
    pub(super) fn end_unit(&mut self, unit: u16) {
        let is_second = (0xdc00..0xe000).contains(&unit);
        match self.is_half {
            true if is_second => self.is_half = false,
            was_half => {
                self.is_half = (0xd800..0xdc00).contains(&unit);
                if was_half || is_second {
                    self.note(HALF);
                }
            }
        }
    }

    pub(super) fn end_half(&mut self) {
        if core::mem::take(&mut self.is_half) {
            self.note(HALF);
        }
    }

    /// Notes an ambiguity in a dropped value, unless there was one before.
    fn note(&mut self, instead: &str) {
        if self.mode == SieveMode::Drop && self.instead == NOTHING {
            self.instead = instead.into();
        }
    }

    /// An object in a dropped value ends.
    pub(super) fn end_keys(&mut self) {
        let start = self.keys.iter().rposition(|byte| *byte == 0);
        let keys = self.keys.split_off(start.unwrap_or_default());
        let keys = keys.strip_suffix(b",").unwrap_or_default();
        let Ok(members) = core::str::from_utf8(keys.get(1..).unwrap_or_default()) else {
            return;
        };
        let fault = find_ambiguity(&["{", members, "}"].concat());
        if let Some(fault) = fault.filter(|fault| fault.class == Class::RepeatedKey) {
            let key = fault.field.unwrap_or_default();
            let key = serde_json::Value::String(key);
            self.note(&format!("{{{key}:0,{key}:0}}"));
        }
    }

    /// A byte that cannot stand here. What is kept ends with it.
    pub(super) fn fault(&mut self, byte: u8) {
        if self.mode == SieveMode::Drop {
            self.stand_in();
        }
        self.kept.push(if byte.is_ascii() { byte } else { b'?' });
        if matches!(self.state, SieveState::Digits(..)) {
            // Digits are read four at a time.
            self.kept.extend_from_slice(b"000");
        }
        self.state = SieveState::Over;
    }

    /// Keeps the shortest text that leads to where a dropped value has been read to.
    pub(super) fn stand_in(&mut self) {
        let is_value =
            self.state == SieveState::Value || self.state.is_in_scalar() && !self.state.is_in_key();
        let container = match (self.deep > 0).then_some(self.inside).flatten() {
            None => "",
            Some(JsonContainer::Array) if self.state == SieveState::ArrayBegins => "[",
            Some(JsonContainer::Array) if self.state == SieveState::After => r#"["""#,
            Some(JsonContainer::Array) => "[0,",
            Some(JsonContainer::Object) if is_value => r#"{"":"#,
            Some(JsonContainer::Object) => match self.state {
                SieveState::ObjectBegins => "{",
                SieveState::Colon => r#"{"""#,
                SieveState::After => r#"{"":"""#,
                _ => r#"{"":0,"#,
            },
        };
        self.kept.extend_from_slice(container.as_bytes());
        let scalar = self.state.shortest().as_bytes();
        self.kept.extend_from_slice(scalar);
    }
}
