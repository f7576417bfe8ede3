//! The documents of an input, one after another.

use super::list::ListReader;
use super::walk::{Again, ObjectWalk, Segment};
use super::{Halt, Taker};
use crate::IS_SMALL;
use crate::api::received::ListPageMeta;
use crate::json::Stop;

/// The documents of an input, read step by step: after each step, reading can continue with another text.
#[derive(Debug, Default)]
pub struct Documents {
    /// The kind and version of array items that do not state them.
    of: Option<(&'static str, &'static str)>,
    /// May `---` lines separate them?
    are_divided: bool,
    /// The number of documents begun.
    count: usize,
    list: Option<ListReader>,
    /// The metadata of the last list.
    page: Option<ListPageMeta>,
}

impl Documents {
    /// Documents in which the items of an array are of this kind and version.
    pub const fn of(kind: &'static str, version: &'static str) -> Self {
        Self {
            of: Some((kind, version)),
            are_divided: false,
            count: 0,
            list: None,
            page: None,
        }
    }

    /// Documents may be separated by `---` lines, as in YAML.
    pub const fn divided(mut self) -> Self {
        self.are_divided = true;
        self
    }

    /// Starts again with another input.
    pub fn restart(&mut self) {
        self.count = 0;
        self.list = None;
        self.page = None;
    }

    /// The token of the page after the last list: empty if there is none; `None` if no list was read.
    pub fn next_page(&self) -> Option<&str> {
        self.page.as_ref().map(|page| page.token.as_str())
    }

    /// Reads the smallest piece that can be read separately. Is there more?
    pub fn step<'a>(
        &mut self,
        walk: &mut ObjectWalk<'_, 'a>,
        taker: &mut dyn Taker<'a>,
    ) -> Result<bool, Halt> {
        walk.path.clear();
        if self.count > 1 {
            walk.path.push(Segment::Index(self.count - 1));
        }
        let Some(list) = &mut self.list else {
            return self.begin(walk, taker);
        };
        if list.step(walk, taker)? {
            return Ok(true);
        }
        if let Some(list) = self.list.take() {
            walk.anchor = walk.reader.at();
            self.page = list.finish(walk, taker)?;
        }
        Ok(true)
    }

    fn begin<'a>(
        &mut self,
        walk: &mut ObjectWalk<'_, 'a>,
        taker: &mut dyn Taker<'a>,
    ) -> Result<bool, Halt> {
        if self.are_divided && self.count > 0 {
            while walk.reader.pass_divider() {}
            walk.reader.stop_in_divider()?;
        }
        let first = walk.reader.peek_token();
        if self.count > 0 && !matches!(first, Some(b'{' | b'[')) {
            walk.reader.end()?;
            return Ok(false);
        }
        if self.count > 0 {
            walk.path.clear();
            walk.path.push(Segment::Index(self.count));
        }
        walk.anchor = walk.reader.at();
        if first == Some(b'[') {
            walk.reader.open()?;
            self.list = Some(ListReader::array(taker, self.of));
        } else if self.is_list(walk, taker)? {
            walk.reader.open()?;
            self.list = Some(ListReader::object(taker));
        } else if !IS_SMALL && walk.is_event()? {
            walk.event(taker)?;
        } else {
            walk.again(Again::Version, |walk| walk.object(taker, None))?;
        }
        self.count += 1;
        Ok(true)
    }

    /// Is the next value a list, judging by its first keys?
    fn is_list<'a>(
        &self,
        walk: &mut ObjectWalk<'_, 'a>,
        taker: &dyn Taker<'a>,
    ) -> Result<bool, Stop> {
        if walk.reader.peek() != Some(b'{') {
            return Ok(false);
        }
        let leading = walk.leading()?;
        let kind = leading.kind();
        let is_wanted = taker.wants(kind, leading.version());
        Ok(!is_wanted && (kind.ends_with("List") || (kind.is_empty() && leading.items)))
    }
}
