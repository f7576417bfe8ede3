//! Values with anchors (`&name`), and the aliases (`*name`) that repeat them.

use std::ops::Range;

use granit_parser::Tag;
use slicewise::api::MAX_DEPTH;
use slicewise::{Code, Error};

use crate::emitter::JsonEmitter;
use crate::places::InputPosition;
use crate::refusal::{refused, too_deep_message};
use crate::tag::plain;

/// How much text aliases may add. Without aliases, the JSON is proportional to its YAML.
const MAX_ALIASED_BYTES: usize = 16 << 20;

/// A value with an anchor: where its JSON is, or the JSON if it was taken out; and its depth.
pub(crate) struct Anchored {
    pub(crate) at: Range<usize>,
    pub(crate) text: Option<Vec<u8>>,
    pub(crate) height: usize,
}

impl JsonEmitter {
    /// An alias of a key repeats it as a value.
    pub(crate) fn anchor_key(
        &mut self,
        text: &str,
        is_plain: bool,
        anchor: usize,
        tag: Option<&Tag>,
        at: InputPosition,
    ) -> Result<(), Error> {
        let scalar = plain(text, is_plain, tag, self.words, at)?;
        let start = self.json.len();
        self.write_scalar(text, &scalar);
        let value = self.json.split_off(start);
        self.has_anchors = true;
        let at = start..start + value.len();
        let (text, height) = (Some(value), 0);
        self.anchors.insert(anchor, Anchored { at, text, height });
        Ok(())
    }

    pub(crate) fn alias(&mut self, anchor: usize, at: InputPosition) -> Result<(), Error> {
        self.no_key(at)?;
        let Some(Anchored {
            at: range,
            text,
            height,
        }) = self.anchors.get(&anchor)
        else {
            let message = "this alias is inside the value that it refers to";
            return Err(refused(Code::InvalidJson, message, at));
        };
        let height = *height;
        let value = text.as_deref().or_else(|| self.json.get(range.clone()));
        self.aliased += range.len();
        if self.aliased > MAX_ALIASED_BYTES {
            let message = format!(
                "aliases (`*name`) expand the input by more than {} MiB; write the values out",
                MAX_ALIASED_BYTES >> 20
            );
            return Err(refused(Code::TooLarge, message, at));
        }
        if self.open.len() + height >= MAX_DEPTH {
            return Err(refused(Code::TooDeep, too_deep_message(), at));
        }
        // All of it is at the place of the alias.
        let repeated = value.unwrap_or_default().iter().copied();
        let repeated: Vec<u8> = repeated.filter(|byte| *byte != b'\n').collect();
        self.before_value(at);
        let start = self.json.len();
        self.json.extend_from_slice(&repeated);
        self.after_value(0, start, height);
        Ok(())
    }

    /// Copies the values with anchors in a part of the JSON that will go. The parser numbers anchors from the beginning, so
    /// the last ones are those behind the part's beginning.
    pub(crate) fn keep_anchored(&mut self, part: Range<usize>) {
        let anchors = self.anchors.values_mut().rev();
        for anchored in anchors.take_while(|one| one.at.start >= part.start) {
            if anchored.text.is_none() && part.contains(&anchored.at.start) {
                anchored.text = self.json.get(anchored.at.clone()).map(<[u8]>::to_vec);
            }
        }
    }
}
