//! The position of an error's subject, found by reading the documents a second time.

/// A position to look for, and the progress so far.
pub(super) struct Wanted {
    /// The index of its document among those with content.
    pub(super) document: usize,
    segments: Vec<String>,
    /// Line and column of the last existing step on the way to it.
    pub(super) found: Option<(usize, usize)>,
}

impl Wanted {
    /// Parses a JSON pointer; with several documents, its first segment is the number of the document.
    pub(super) fn of(pointer: &str, documents: usize) -> Option<Self> {
        let mut segments: Vec<String> = pointer
            .split('/')
            .skip(1)
            .map(|segment| segment.replace("~1", "/").replace("~0", "~"))
            .collect();
        let document = if documents > 1 && !segments.is_empty() {
            segments.remove(0).parse().ok()?
        } else {
            0
        };
        Some(Self {
            document,
            segments,
            found: None,
        })
    }

    /// The key or index of the pointer at a given depth.
    pub(super) fn segment(&self, depth: usize) -> Option<&str> {
        self.segments.get(depth).map(String::as_str)
    }
}
