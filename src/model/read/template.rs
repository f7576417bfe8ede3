//! Reads objects by the [`Template`] of one like it.

use alloc::boxed::Box;

use super::condition::Condition;
use super::reader::ObjectReader;
use super::{Object, Shape, Shaped as _};
use crate::json::{
    JsonContainer, LayoutMemory, LayoutNode, Mismatch, StepContent, Stop, Template, UNKNOWN,
    runs_along,
};

/// Smaller objects are read faster key by key.
const SHORTEST: usize = 256;
/// Larger ones take too much memory.
const LONGEST: usize = 64 << 10;

impl<'a> ObjectReader<'a> {
    /// Reads an object, whose bracket is next, by the template for its node. If it does not match, the reader is back at
    /// the start. Reading the object key by key then sets the same fields again, and finds any fault. No template is used
    /// where keys must not come twice: those of skipped objects may differ.
    #[inline]
    pub(super) fn follow(&mut self, object: &mut dyn Object<'a>, node: LayoutNode) -> bool {
        if self.is_held_to_one_reading() {
            return false;
        }
        match self.memory.templates.take(node) {
            Some(template) => self.follow_template(object, node, template),
            None => false,
        }
    }

    #[inline(never)]
    fn follow_template(
        &mut self,
        object: &mut dyn Object<'a>,
        node: LayoutNode,
        mut template: Box<Template>,
    ) -> bool {
        let (start, depth) = (self.at(), self.depth());
        let difference = if template.depth() == depth {
            self.follow_steps(object, &mut template)
        } else {
            Some(Mismatch::Form)
        };
        if difference.is_some() {
            self.rewind(start, depth);
        }
        self.memory.templates.put(node, template, difference);
        difference.is_none()
    }

    fn follow_steps(
        &mut self,
        object: &mut dyn Object<'a>,
        template: &mut Template,
    ) -> Option<Mismatch> {
        let (start, depth) = (self.at(), self.depth());
        let (mut number, mut from) = (0, 0);
        loop {
            let (same, step) = template.step(number, from);
            let (text, at) = (self.text().as_bytes(), self.at());
            if !runs_along(text, at, same) {
                let there = text.get(at..).unwrap_or_default();
                match template.learn(number, from, there) {
                    Mismatch::Step => {}
                    Mismatch::Again => {
                        self.rewind(start, depth);
                        (number, from) = (0, 0);
                    }
                    other => return Some(other),
                }
                continue;
            }
            self.advance_by(same.len());
            let Some(step) = step else {
                self.set_depth(depth);
                return None;
            };
            self.set_depth(depth + step.depth);
            let is_read = match step.what {
                StepContent::Field(field, member) => self.value(object.slot(field.into()), member),
                StepContent::Value(member) => self.skip(member).map(|()| true),
                StepContent::Text => self.text_value("").map(|_| true),
                StepContent::Key => self.skip_key_text().map(|()| true),
            };
            match is_read {
                Ok(true) => {}
                // A required field may be missing.
                Ok(false) => return Some(Mismatch::Form),
                Err(Stop) if self.has_stopped_at_end() => return Some(Mismatch::End),
                Err(Stop) => return Some(Mismatch::Form),
            }
            from = step.end;
            number += 1;
        }
    }

    /// Makes a template of the object that began at `start` and has just been read, if that pays off. Without a shape, it
    /// is a list of conditions.
    #[inline]
    pub(super) fn note_form(&mut self, shape: Option<&Shape>, node: LayoutNode, start: usize) {
        let len = self.at() - start;
        let is_fit = (SHORTEST..LONGEST).contains(&len) && !self.is_held_to_one_reading();
        if is_fit && self.memory.templates.is_due(node, len) {
            self.make_template(shape, node, start);
        }
    }

    #[cold]
    #[inline(never)]
    fn make_template(&mut self, shape: Option<&Shape>, node: LayoutNode, start: usize) {
        let text = self.slice(start, self.at());
        let mut survey = Survey {
            reader: ObjectReader::new(text),
            memory: &self.memory,
            node,
            template: Template::new(text.as_bytes(), self.depth()),
        };
        let is_done = match shape {
            Some(shape) => survey.fields(shape),
            None => survey.conditions(),
        };
        let template = survey.template;
        if is_done.is_ok() && template.pays_off() {
            let template = Box::new(template);
            self.memory.templates.put(node, template, None);
        } else {
            self.memory.templates.avoid(node);
        }
    }
}

/// Goes through an object again to find what is read of it and what is skipped.
struct Survey<'t, 'm> {
    reader: ObjectReader<'t>,
    memory: &'m LayoutMemory,
    node: LayoutNode,
    template: Template,
}

impl Survey<'_, '_> {
    /// The fields of a table.
    fn fields(&mut self, shape: &Shape) -> Result<(), Stop> {
        self.reader.open()?;
        let mut is_first = true;
        while self.reader.next_in(JsonContainer::Object, is_first)? {
            is_first = false;
            self.reader.peek_token();
            let quote = self.reader.at();
            let field = shape.field(&self.reader.key(true)?);
            let name = self.reader.slice(quote, self.reader.at());
            let member = self.memory.named(self.node, name.as_bytes());
            // What must be the same stays part of the text.
            let must_be_same = field != UNKNOWN && shape.expects(field).is_some();
            let what = match field {
                UNKNOWN => StepContent::Value(member),
                _ => StepContent::Field(field, member),
            };
            self.value(what, must_be_same)?;
        }
        Ok(())
    }

    /// The fields of the condition that is read; those of the others only have to be texts.
    fn conditions(&mut self) -> Result<(), Stop> {
        self.reader.open()?;
        let shape = Condition::SHAPE;
        let (mut is_found, mut is_first) = (false, true);
        while self.reader.next_in(JsonContainer::Array, is_first)? {
            is_first = false;
            let (start, depth) = (self.reader.at(), self.reader.depth());
            let mut condition = Condition::default();
            self.reader.object(&mut condition, None)?;
            let is_read = condition.is_ready();
            if is_read && is_found {
                // The second one would count if the first one were of another type.
                return Err(Stop);
            }
            is_found |= is_read;
            self.reader.rewind(start, depth);
            self.reader.open()?;
            let mut is_first = true;
            while self.reader.next_in(JsonContainer::Object, is_first)? {
                is_first = false;
                let field = shape.field(&self.reader.key(true)?);
                let what = match field {
                    UNKNOWN => StepContent::Value(None),
                    _ if is_read => StepContent::Field(field, None),
                    _ => StepContent::Text,
                };
                self.value(what, field == 0 && !is_read)?;
            }
        }
        Ok(())
    }

    fn value(&mut self, what: StepContent, must_be_same: bool) -> Result<(), Stop> {
        self.reader.colon()?;
        let is_null = self.reader.peek_token() == Some(b'n');
        let (start, depth) = (self.reader.at(), self.reader.depth());
        self.reader.skip(None)?;
        let is_read = !matches!(what, StepContent::Value(_));
        if !(must_be_same || is_null && is_read) {
            self.template.add((start, self.reader.at()), depth, what);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use serde::Deserialize;

    use super::super::read_object;
    use super::*;
    use crate::model::Pod;

    #[derive(Clone, Debug, Default)]
    struct Port {
        port: Option<i32>,
        others: Vec<String>,
    }

    read_object!(Port("port") pass { "port" port, "others" others, });

    /// Reads a text as `serde_json` does.
    #[track_caller]
    fn read<'a, T>(text: &'a str, memory: LayoutMemory, depth: usize) -> LayoutMemory
    where
        T: Object<'a> + Deserialize<'a> + Default + Debug,
    {
        let mut reader = ObjectReader::resumed(text, memory, depth);
        let node = reader.memory.root(0);
        let mut object = T::default();
        let read = reader.object(&mut object, Some(node));
        match serde_json::from_str::<T>(text) {
            Ok(theirs) => {
                assert_eq!((read, reader.at()), (Ok(()), text.len()), "{text}");
                assert_eq!(format!("{object:?}"), format!("{theirs:?}"), "{text}");
            }
            Err(theirs) => {
                assert_eq!(read, Err(Stop), "{theirs}: {text}");
                let ours = reader.take_fault().unwrap().message;
                assert!(theirs.to_string().starts_with(&ours), "{theirs}: {text}");
            }
        }
        reader.into_memory()
    }

    /// The steps that objects with these ends, read one after the other, leave in their template.
    #[track_caller]
    fn check(ends: &[&str], expected: &str) {
        let long = "0123456789".repeat(30);
        let mut memory = LayoutMemory::default();
        for end in ends {
            let text = format!(r#"{{"a":"{long}","b":0,"c":0{end}}}"#);
            memory = read::<Port>(&text, memory, 0);
        }
        let node = memory.root(0);
        let template = memory.templates.take(node);
        let steps = template.map_or_else(|| "none".into(), |template| format!("{template:?}"));
        assert_eq!(steps, expected);
    }

    #[test]
    fn what_is_read_is_a_step() {
        let port = r#","port":1"#;
        check(&[port], "none");
        check(&[port, port], "f1 1");
        check(&[port, port, r#","port":234"#, r#","port":-5"#], "f1 1");
        check(&[port, port, r#","port":null"#, r#","port":"x""#], "f1 1");
        let null = r#","port":null"#;
        check(&[null, null, port], "");
        let both = r#","others":["a"],"port":1"#;
        check(
            &[both, both, r#","others":[],"port":2"#],
            r#"f1 ["a"] | f1 1"#,
        );
    }

    #[test]
    fn what_differs_among_skipped_values_becomes_a_step() {
        let one = r#","d":{"e":[{"f":"x"},1],"g":true}"#;
        let learn = |other: &str, expected: &str| check(&[one, one, other, one], expected);
        learn(r#","d":{"e":[{"f":"y"},1],"g":true}"#, r#"v4 "x""#);
        learn(r#","d":{"e":[{"f":"x\"]"},1],"g":true}"#, r#"v4 "x""#);
        learn(r#","d":{"e":[{"f":"x"},12],"g":true}"#, "v3 1");
        learn(r#","d":{"e":[{"f":"x"},2],"g":null}"#, "v3 1 | v2 true");
        learn(r#","d":{"e":[{"h":"x"},1],"g":true}"#, r#"k4 "f""#);
        learn(r#","d":{"e":[{"f":[7]},1],"g":true}"#, r#"v4 "x""#);
        // Another form: the value is skipped as a whole.
        let whole = r#"v1 {"e":[{"f":"x"},1],"g":true}"#;
        learn(r#","d":{"e":[],"g":true}"#, whole);
        learn(r#","d":{"e":[{"f":"x"},1]}"#, whole);
        learn(r#","d":{"e":[{"f":"x"},1] ,"g":true}"#, whole);
        learn(r#","d":[]"#, whole);
        check(&[one, one, r#","d":{"e":[{"f":"y"},1]}"#], whole);
    }

    #[test]
    fn what_is_wrong_is_not_learned() {
        let one = r#","d":{"e":"x","f":1},"port":1"#;
        for wrong in [
            r#","d":{"e":"x","f":01},"port":1"#,
            r#","d":{"e":"\x","f":1},"port":1"#,
            r#","d":{"e":"x","f":1,},"port":1"#,
            r#","d":{"e":"x" "f":1},"port":1"#,
            r#","d":{"e":,"f":1},"port":1"#,
            r#","d":{1:"x","f":1},"port":1"#,
            r#","d":{"e":"x","f":1},"port":"#,
            r#","d":{"e":"x","f":1},"port":1,"port":1"#,
            r#","d":{"e":"x","f":1},"port":1.5"#,
            r#","d":{"e":"x","f":1"#,
        ] {
            let mut memory = LayoutMemory::default();
            let long = "0123456789".repeat(30);
            for end in [one, one, one, wrong, one] {
                let text = format!(r#"{{"a":"{long}","b":0,"c":0{end}}}"#);
                memory = read::<Port>(&text, memory, 0);
            }
        }
    }

    #[test]
    fn another_form_is_read_key_by_key() {
        let one = r#","port":1"#;
        check(
            &[one, one, "", r#","d":0,"port":1"#, r#","porT":1"#],
            "f1 1",
        );
        check(&[one, one, "", "", "", ""], "none");
    }

    #[test]
    fn the_condition_that_counts_is_read() {
        let condition = |name: &str, status: &str, time: &str| {
            format!(
                r#"{{"type":"{name}","status":{status},"message":"-","lastTransitionTime":{time}}}"#
            )
        };
        let times = [
            r#""2026-01-02T03:04:05Z""#,
            r#""2026-01-02T03:04:06Z""#,
            r#""soon""#,
            "null",
            "7",
            r#""\ud800""#,
        ];
        let mut memory = LayoutMemory::default();
        for number in 0..600 {
            let time = |place: usize| {
                let is_odd = number > 6 && (number + 7 * place).is_multiple_of(11);
                times[if is_odd {
                    number % times.len()
                } else {
                    number % 2
                }]
            };
            let name = |place: usize, name: &'static str| match (number + 5 * place) % 97 {
                96 => "Ready",
                95 => "",
                _ => name,
            };
            let status = |place: usize| match (number + 3 * place) % 89 {
                88 => "null",
                87 => "true",
                86 => r#""False""#,
                _ => r#""True""#,
            };
            let conditions = [
                condition(name(0, "PodScheduled"), status(0), time(0)),
                condition(name(1, "Ready"), status(1), time(1)),
                condition(name(2, "ContainersReady"), status(2), time(2)),
            ];
            let conditions = conditions.join(",");
            let text = format!(
                r#"{{"metadata":{{"name":"p"}},"status":{{"conditions":[{conditions}]}}}}"#
            );
            memory = read::<Pod<'_>>(&text, memory, 0);
        }
    }

    #[test]
    fn what_is_skipped_may_be_of_any_depth() {
        let text = |depth: usize, number: usize| {
            let (open, close) = ("[".repeat(depth), "]".repeat(depth));
            let long = "0123456789".repeat(30);
            format!(r#"{{"a":"{long}","b":{open}{number}{close},"port":1}}"#)
        };
        let mut memory = LayoutMemory::default();
        for (depth, number) in [(90, 1), (90, 2), (90, 3), (5000, 4), (5000, 5), (5000, 6)] {
            memory = read::<Port>(&text(depth, number), memory, 0);
        }
        memory = read::<Port>(&text(5000, 6), memory, 20);
        let broken = text(5000, 6).replacen("6]", "6}", 1);
        read::<Port>(&broken, memory, 0);
    }
}
