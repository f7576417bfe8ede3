//! Lists, arrays and caches, item by item.

use alloc::format;
use alloc::string::{String, ToString};

use super::walk::{ObjectWalk, Segment};
use super::{Halt, TakenMark, Taker};
use crate::Code;
use crate::api::received::{ListMeta, ListPageMeta};
use crate::json::{JsonContainer, Stop};
use crate::model::endpoint_slice;

/// YAML is valid wherever it ends.
const NO_KIND_OF_LIST: &str = "this list has an `apiVersion` but no `kind`, which `kubectl` writes after the items: the end of the input may be missing; fetch the objects again";

/// The lists of an informer's cache, whose objects omit their kind: `{"services": […], "pods": […]}`.
const SECTIONS: [(&str, &str, &str); 4] = [
    ("services", "Service", "v1"),
    ("pods", "Pod", "v1"),
    ("nodes", "Node", "v1"),
    ("slices", endpoint_slice::KIND, endpoint_slice::API_VERSION),
];

/// The list of a cache that a field holds.
pub(super) fn section_of(key: &str) -> Option<usize> {
    let is_of = |(field, ..): &(&str, &str, &str)| *field == key;
    SECTIONS.iter().position(is_of)
}

/// A list that is being read, or the lists of a cache.
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
    /// Which of [`SECTIONS`] is being read, or was the last.
    section: Option<usize>,
    /// Which have been begun.
    sections: [bool; SECTIONS.len()],
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
            section: None,
            sections: Default::default(),
            mark: taker.mark(),
            has_metadata: false,
            page: ListPageMeta::default(),
        }
    }

    /// A list in a list, which may omit its kind.
    pub(super) fn nested(taker: &dyn Taker<'_>, (kind, version): (&str, &str)) -> Self {
        Self {
            ahead: (!kind.is_empty()).then(|| (kind.to_string(), version.to_string())),
            ..Self::object(taker)
        }
    }

    /// A list that is an array.
    pub(super) fn array(taker: &dyn Taker<'_>, of: Option<(&str, &str)>) -> Self {
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
        if self.is_array || self.section.is_some() {
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
        let is_object = self.has_items || self.kind.is_some() || self.version.is_some();
        let section = section_of(&key).filter(|_| !is_object);
        let is_again = match &*key {
            "kind" => self.kind.is_some(),
            "apiVersion" => self.version.is_some(),
            "items" => self.has_items,
            "metadata" => self.has_metadata,
            _ => section.and_then(|it| self.sections.get(it)) == Some(&true),
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
                walk.reader.begin_array("a list")?;
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
            _ => match section {
                Some(section) => self.begin(section, walk, taker)?,
                None if self.section.is_some() && &*key == "service" => {
                    let known = SECTIONS.map(|(field, ..)| field);
                    return Err(walk.reader.unknown(&key, &known).into());
                }
                None => walk.reader.skip(None)?,
            },
        }
        // A field that is cut off is read again, and may be the first.
        self.is_first = self.is_in_items;
        walk.path.pop();
        Ok(true)
    }

    /// Reads the beginning of a list of a cache: of an array, or all of an object.
    fn begin<'a>(
        &mut self,
        section: usize,
        walk: &mut ObjectWalk<'_, 'a>,
        taker: &mut dyn Taker<'a>,
    ) -> Result<(), Halt> {
        let Some((_, kind, version)) = SECTIONS.get(section) else {
            return Ok(());
        };
        self.section = Some(section);
        if walk.reader.peek() == Some(b'{') {
            self.ahead = Some((format!("{kind}List"), (*version).to_string()));
            walk.object(taker, Some(self))?;
        } else if !walk.reader.is_null()? {
            self.ahead = Some(((*kind).to_string(), (*version).to_string()));
            walk.reader.begin_array("a list")?;
            (self.is_in_items, self.index) = (true, 0);
        }
        if let Some(begun) = self.sections.get_mut(section) {
            *begun = true;
        }
        Ok(())
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
        let section = self.section.and_then(|section| SECTIONS.get(section));
        walk.path.push(match section {
            _ if self.is_array => Segment::Index(index),
            Some((field, ..)) => Segment::Item(field, index),
            None => Segment::Item("items", index),
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
        let has_items = self.has_items || self.section.is_some();
        if has_items && (is_shorthand || kind.ends_with("List")) {
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
