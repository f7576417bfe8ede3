//! What an error is about, looked for while the documents are read once more.

/// A place that is looked for, and how far it was found.
pub(super) struct Wanted {
    /// The document it is in, of those that have content.
    pub(super) document: usize,
    segments: Vec<String>,
    /// Line and column of the last thing on the way to it that is there.
    pub(super) found: Option<(usize, usize)>,
}

impl Wanted {
    /// What a JSON pointer leads to: with several documents, its first segment is the number of the document.
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

    /// The key or index that it is at in a list or map with that many others around.
    pub(super) fn segment(&self, depth: usize) -> Option<&str> {
        self.segments.get(depth).map(String::as_str)
    }
}
