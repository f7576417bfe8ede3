//! Lists, arrays and documents, item by item.

use alloc::string::{String, ToString};

use super::walk::{Again, ObjectWalk, Segment};
use super::{Halt, TakenMark, Taker};
use crate::api::received::{ListMeta, ListPageMeta};
use crate::json::{JsonContainer, Stop};
use crate::{Code, IS_SMALL};

/// YAML is valid wherever it ends.
const NO_KIND_OF_LIST: &str = "this list has an `apiVersion` but no `kind`, which `kubectl` writes after the items: the end of the input may be missing; fetch the objects again";

/// A list that is being read.
#[derive(Debug)]
pub struct ListReader {
    /// Its kind, as far as it has been read.
    kind: Option<String>,
    version: Option<String>,
    /// Kind and version of its items, found by looking ahead.
    ahead: Option<(String, String)>,
    /// Is it an array, which has no fields?
    is_array: bool,
    is_in_items: bool,
    is_first: bool,
    index: usize,
    has_items: bool,
    /// The taker's mark from before the list.
    mark: TakenMark,
    has_metadata: bool,
    /// Its metadata.
    page: ListPageMeta,
}

impl ListReader {
    /// A list that is an object.
    pub fn object(taker: &dyn Taker<'_>) -> Self {
        Self {
            kind: None,
            version: None,
            ahead: None,
            is_array: false,
            is_in_items: false,
            is_first: true,
            index: 0,
            has_items: false,
            mark: taker.mark(),
            has_metadata: false,
            page: ListPageMeta::default(),
        }
    }

    /// A list that is an array.
    fn array(taker: &dyn Taker<'_>, of: Option<(&str, &str)>) -> Self {
        let of = of.map(|(kind, version)| (kind.to_string(), version.to_string()));
        Self {
            is_array: true,
            is_in_items: true,
            has_items: true,
            ahead: Some(of.unwrap_or_default()),
            ..Self::object(taker)
        }
    }

    /// The kind and version of items that do not state them.
    pub(super) fn of(&mut self, walk: &mut ObjectWalk<'_, '_>) -> Result<(String, String), Stop> {
        if self.ahead.is_none() && (self.kind.is_none() || self.version.is_none()) {
            self.ahead = Some(self.look_ahead(walk)?);
        }
        if self.is_array {
            return Ok(self.ahead.clone().unwrap_or_default());
        }
        let (kind, version) = self
            .ahead
            .as_ref()
            .map_or(("", ""), |(kind, version)| (kind, version));
        let kind = self.kind.as_deref().unwrap_or(kind);
        let version = self.version.as_deref().unwrap_or(version);
        // `List` holds objects of any kind, which state theirs; in other lists they are omitted.
        Ok(match kind.strip_suffix("List") {
            None | Some("") => Default::default(),
            Some(of) => (of.into(), version.into()),
        })
    }

    /// Looks for the list's kind behind its items, of which one is next.
    #[cold]
    fn look_ahead(&self, walk: &mut ObjectWalk<'_, '_>) -> Result<(String, String), Stop> {
        let reader = &mut *walk.reader;
        let (start, depth) = (reader.at(), reader.depth());
        let (mut kind, mut version) = (String::new(), String::new());
        reader.skip(None)?;
        while reader.next_item(false)? {
            reader.skip(None)?;
        }
        while let Some(key) = reader.next_field(false)? {
            let said = match &*key {
                "kind" => &mut kind,
                "apiVersion" => &mut version,
                _ => {
                    reader.skip(None)?;
                    continue;
                }
            };
            if !reader.is_null()? {
                *said = reader.text_value("a string")?.into_owned();
            }
        }
        reader.rewind(start, depth);
        Ok((kind, version))
    }

    /// Reads a field or an item. Is there more?
    pub fn step<'a>(
        &mut self,
        walk: &mut ObjectWalk<'_, 'a>,
        taker: &mut dyn Taker<'a>,
    ) -> Result<bool, Halt> {
        if self.is_in_items {
            return self.item(walk, taker);
        }
        walk.anchor = walk.reader.at();
        if !walk.reader.next_in(JsonContainer::Object, self.is_first)? {
            return Ok(false);
        }
        let key = walk.reader.key(self.is_first)?;
        let is_again = match &*key {
            "kind" => self.kind.is_some(),
            "apiVersion" => self.version.is_some(),
            "items" => self.has_items,
            "metadata" => self.has_metadata,
            _ => false,
        };
        if is_again {
            return Err(walk.reader.duplicate(&key).into());
        }
        walk.reader.colon()?;
        walk.reader.peek_token();
        walk.path.push(Segment::Field(key.to_string().into()));
        walk.anchor = walk.reader.at();
        match &*key {
            "kind" => self.kind = Some(text(walk)?),
            "apiVersion" => self.version = Some(text(walk)?),
            // Go writes an empty list like this.
            "items" if walk.reader.is_null()? => self.has_items = true,
            "items" => {
                walk.reader.begin_array("a sequence")?;
                (self.has_items, self.is_in_items, self.is_first) = (true, true, true);
            }
            "metadata" => {
                let mut metadata = ListMeta::default();
                if !walk.reader.is_null()? {
                    walk.reader.object(&mut metadata, None)?;
                }
                // At the end of what has arrived, it is read again.
                (self.has_metadata, self.page) = (true, metadata.into());
            }
            _ => walk.reader.skip(None)?,
        }
        // A field that is cut off is read again, and may be the first.
        self.is_first = self.is_in_items;
        walk.path.pop();
        Ok(true)
    }

    fn item<'a>(
        &mut self,
        walk: &mut ObjectWalk<'_, 'a>,
        taker: &mut dyn Taker<'a>,
    ) -> Result<bool, Halt> {
        if !walk.reader.next_item(self.is_first)? {
            self.is_in_items = false;
            self.is_first = false;
            return Ok(!self.is_array);
        }
        let index = self.index;
        walk.path.push(match self.is_array {
            true => Segment::Index(index),
            false => Segment::Item(index),
        });
        walk.object(taker, Some(self))?;
        walk.path.pop();
        self.is_first = false;
        self.index += 1;
        Ok(true)
    }

    /// Its kind and version, as far as they have been read.
    pub fn said(&self) -> (&str, &str) {
        let kind = self.kind.as_deref().unwrap_or_default();
        (kind, self.version.as_deref().unwrap_or_default())
    }

    /// Its metadata, as far as they have been read.
    pub const fn page(&self) -> &ListPageMeta {
        &self.page
    }

    /// Makes sure that it was a list. An array has no page.
    pub(super) fn finish<'a>(
        self,
        walk: &ObjectWalk<'_, 'a>,
        taker: &mut dyn Taker<'a>,
    ) -> Result<Option<ListPageMeta>, Halt> {
        let (kind, version) = self.said();
        let is_shorthand = kind.is_empty() && version.is_empty();
        if self.has_items && (is_shorthand || kind.ends_with("List")) {
            if self.is_array {
                return Ok(None);
            }
            if let Some(received) = taker.received() {
                received.list(kind, &self.page);
            }
            return Ok(Some(self.page));
        }
        if kind.is_empty() {
            let message = match self.has_items {
                true => NO_KIND_OF_LIST,
                false => taker.no_kind(),
            };
            return Err(walk.wrong(Code::MissingField, "/kind", message));
        }
        taker.forget(self.mark);
        taker.ignore(kind, version);
        Ok(None)
    }
}

fn text(walk: &mut ObjectWalk<'_, '_>) -> Result<String, Stop> {
    match walk.reader.is_null()? {
        true => Ok(String::new()),
        false => walk.reader.text_value("a string").map(Into::into),
    }
}

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
