//! Templates: the whole text of an object, and where others like it differ.
//!
//! The pods of a workload are the same text but for some names, times and addresses. A [`Template`] holds the text of one
//! of them, with a [`TemplateStep`] for each field that is read and for each skipped value that has differed so far. The text
//! between two steps is compared at once, so it need not be read key by key.
//!
//! Equal text up to a step means that the reader is at the same place of the grammar, so everything else stays strict: a
//! step reads its value as ever. Texts may only differ beyond the steps within skipped values, and such a difference
//! becomes a step. Anything else, such as another key of an object that is read, is no match.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::place::LayoutMember;

/// A skipped value with more differences is skipped as a whole.
const MOST_DIFFERENCES: usize = 12;

/// The text of an object, and the steps in which others like it are read.
#[derive(Clone)]
pub struct Template {
    text: Vec<u8>,
    /// In the order of the text.
    steps: Vec<TemplateStep>,
    /// The skipped values, in the order of the text.
    skipped: Vec<TemplateStep>,
    /// The depth at which the object is.
    depth: usize,
    /// How many texts in a row did not match.
    misses: u8,
}

/// What a text that matches so far need not have in common with the template.
#[derive(Clone, Copy, Debug)]
pub struct TemplateStep {
    start: usize,
    /// Where it ends in the text of the template.
    pub end: usize,
    /// How many objects and arrays are open there, counted from the object.
    pub depth: usize,
    /// What is read.
    pub what: StepContent,
}

/// What is read at a step.
#[derive(Clone, Copy, Debug)]
pub enum StepContent {
    /// A field, by its number.
    Field(u8, Option<LayoutMember>),
    /// A skipped value.
    Value(Option<LayoutMember>),
    /// A string that is read, but not needed.
    Text,
    /// A key in a skipped value.
    Key,
}

/// What a text that does not match means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The difference is a step from now on, and the next one.
    Step,
    /// The difference is a step from now on, and the value that it is in has to be read from its start.
    Again,
    /// The text ends too early.
    End,
    /// The object is of another form.
    Form,
}

impl Template {
    /// An object without steps, at a depth.
    pub fn new(text: &[u8], depth: usize) -> Self {
        Self {
            text: text.to_vec(),
            steps: Vec::new(),
            skipped: Vec::new(),
            depth,
            misses: 0,
        }
    }

    /// Adds the field or skipped value that comes next in the text.
    pub fn add(&mut self, (start, end): (usize, usize), depth: usize, what: StepContent) {
        let step = TemplateStep {
            start,
            end,
            depth,
            what,
        };
        match what {
            StepContent::Field(..) => self.steps.push(step),
            _ => self.skipped.push(step),
        }
    }

    /// The depth at which the object is.
    #[inline]
    pub const fn depth(&self) -> usize {
        self.depth
    }

    /// Are fewer fields read than skipped? Otherwise it would not be faster.
    #[inline]
    pub const fn pays_off(&self) -> bool {
        self.skipped.len() >= self.steps.len()
    }

    /// Counts a text that matched, or differed; returns how many in a row were of another form.
    #[inline]
    pub(crate) fn note(&mut self, difference: Option<Mismatch>) -> u8 {
        self.misses = match difference {
            Some(Mismatch::Form) => self.misses + 1,
            _ => 0,
        };
        self.misses
    }

    /// The step with this number, and the text from a position up to it, or up to the end behind the last one.
    #[inline]
    pub fn step(&self, number: usize, from: usize) -> (&[u8], Option<TemplateStep>) {
        let step = self.steps.get(number).copied();
        let end = step.map_or(self.text.len(), |step| step.start);
        (self.text.get(from..end).unwrap_or_default(), step)
    }

    /// Learns from a text that differs between the position `from`, where the step before ended, and the step with this
    /// number.
    #[cold]
    #[inline(never)]
    pub fn learn(&mut self, number: usize, from: usize, there: &[u8]) -> Mismatch {
        let (here, _) = self.step(number, from);
        let Some(same) = here.iter().zip(there).position(|(a, b)| a != b) else {
            return Mismatch::End;
        };
        let at = from + same;
        // A number may be longer than here. What ends at `from` has been read.
        let goes_on = there.get(same).is_some_and(|byte| !ends_word(*byte));
        let is_number = |value: &TemplateStep| {
            !matches!(self.text.get(value.end - 1), Some(b'"' | b'}' | b']'))
        };
        let is_around = |value: &&TemplateStep| {
            let is_before_end = at < value.end || (at == value.end && goes_on && is_number(value));
            value.start <= at && is_before_end && from < value.end
        };
        let Some(around) = self.skipped.iter().find(is_around).copied() else {
            return Mismatch::Form;
        };
        let inside = |step: &TemplateStep| around.start <= step.start && step.end <= around.end;
        let before = number.checked_sub(1).and_then(|last| self.steps.get(last));
        let before = before.copied().filter(inside);
        let known = self.steps.iter().filter(|step| inside(step)).count();
        let (start, depth) =
            before.map_or((around.start, around.depth), |step| (step.end, step.depth));
        let scalar = match around.what {
            StepContent::Text => Some(around),
            _ => self.scalar_at(at, start, depth),
        };
        match scalar {
            Some(step) if known < MOST_DIFFERENCES => {
                self.steps.insert(number, step);
                Mismatch::Step
            }
            _ => {
                self.steps.retain(|step| !inside(step));
                let place = self.steps.partition_point(|step| step.start < around.start);
                self.steps.insert(place, around);
                match before {
                    None => Mismatch::Step,
                    Some(_) => Mismatch::Again,
                }
            }
        }
    }

    /// The string, number or word that a position is in, or directly behind if it could be longer. The search begins
    /// between two values or keys.
    fn scalar_at(&self, at: usize, mut start: usize, mut depth: usize) -> Option<TemplateStep> {
        while start <= at {
            let rest = self.text.get(start..)?;
            let len = match rest.first()? {
                b'"' => string_len(rest)?,
                b'{' | b'[' => {
                    depth += 1;
                    0
                }
                b'}' | b']' => {
                    depth = depth.saturating_sub(1);
                    0
                }
                b',' | b':' | b' ' | b'\n' | b'\r' | b'\t' => 0,
                _ => rest.iter().position(|byte| ends_word(*byte))?,
            };
            let end = start + len;
            let is_text = rest.first() == Some(&b'"');
            if len > 0 && (at < end || (at == end && !is_text)) {
                let mut behind = self.text.get(end..)?.iter();
                let is_key =
                    is_text && behind.find(|byte| !byte.is_ascii_whitespace()) == Some(&b':');
                let what = if is_key {
                    StepContent::Key
                } else {
                    StepContent::Value(None)
                };
                return Some(TemplateStep {
                    start,
                    end,
                    depth,
                    what,
                });
            }
            start = end.max(start + 1);
        }
        None
    }
}

const fn ends_word(byte: u8) -> bool {
    matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t')
}

/// The length of the string that a text begins with, with its quotation marks.
fn string_len(text: &[u8]) -> Option<usize> {
    let mut is_escaped = false;
    let end = text.iter().skip(1).position(|byte| {
        let is_end = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    });
    Some(end? + 2)
}

/// The text of each step, with a letter for what it is, and its depth.
impl fmt::Debug for Template {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = "";
        for step in &self.steps {
            let letter = match step.what {
                StepContent::Field(..) => "f",
                StepContent::Value(_) => "v",
                StepContent::Text => "t",
                StepContent::Key => "k",
            };
            let text = self.text.get(step.start..step.end).unwrap_or_default();
            let text = String::from_utf8_lossy(text);
            write!(formatter, "{between}{letter}{} {text}", step.depth)?;
            between = " | ";
        }
        Ok(())
    }
}
