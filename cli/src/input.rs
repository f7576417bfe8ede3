//! The input: JSON as it is, YAML converted to JSON, and helpful errors for anything else.

use std::path::{Path, PathBuf};

use memchr::memchr_iter;
use serde::Deserialize;
use slicewise::api::{InputShape, Limits, detect, settle_events};
use slicewise::{Code, Error};
#[cfg(not(target_family = "wasm"))]
use slicewise_live::json::next_page;
use slicewise_yaml::{Conversion, Converted, Places, Words};

use crate::failure::CommandFailure;
use crate::origin::CommandInput;
use crate::origin::Origin;
use crate::source;

/// The input of `slicewise plan`.
pub(crate) const OBJECTS: &str = "give a plan request, or the output of `kubectl get services,pods,nodes,endpointslices -A -o json`";
/// What `slicewise route` and `slicewise traffic` accept besides requests.
pub(crate) const TRAFFIC_OBJECTS: &str =
    "give objects as `kubectl get services,endpointslices,nodes -A -o json` prints them";
/// A Status is short; larger inputs are not searched for one.
const MAX_STATUS_BYTES: usize = 64 << 10;

/// The API of kustomizations, as it stands at the beginning of one.
const KUSTOMIZE: &[u8] = b"\"kustomize.config.k8s.io/";

/// Blanks the warnings that `kubectl` prints before an object if both of its outputs are written to one file.
pub(crate) fn blank_warnings(bytes: &mut [u8]) {
    let mut rest = bytes;
    while rest.starts_with(b"Warning: ") {
        let end = rest.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(rest.len(), |end| end + 1);
        let (line, after) = rest.split_at_mut(length);
        line.iter_mut()
            .filter(|byte| **byte != b'\n')
            .for_each(|byte| *byte = b' ');
        rest = after;
    }
}

/// An input that the core can read.
pub(crate) struct ReadableInput {
    json: Vec<u8>,
    /// Where the JSON is from, if it was YAML.
    places: Option<Places>,
    /// The only namespace it covers, if that is known in advance.
    namespace: Option<String>,
    /// Its parts, if it is from files named with `-f`.
    files: Vec<InputFile>,
}

/// A file that is part of an input.
struct InputFile {
    path: PathBuf,
    /// Where its JSON ends.
    end: usize,
    /// Where its JSON is from, if it was YAML.
    places: Option<Places>,
}

/// A part of an input: a file, or all of it.
pub(crate) struct InputPart<'i> {
    /// Its file, if it was named with `-f`.
    pub(crate) path: Option<&'i Path>,
    pub(crate) json: &'i [u8],
    places: Option<&'i Places>,
}

impl InputPart<'_> {
    /// Converts an error's position in the JSON to one in the file.
    pub(crate) fn placed(&self, error: Error) -> Error {
        placed(self.places, error)
    }
}

/// Limits for JSON that [`ReadableInput`] has made: the size was checked before, and may have changed in the conversion.
pub(crate) const CHECKED: Limits = Limits::new(usize::MAX);

impl ReadableInput {
    /// Reads the file, or standard input, for a subcommand.
    ///
    /// # Errors
    /// If it cannot be read, or as for [`ReadableInput::read`].
    pub(crate) fn open(
        file: Option<&Path>,
        command: &str,
        max_input_bytes: usize,
        what_to_give: &str,
    ) -> Result<Self, CommandFailure> {
        Self::open_with(
            Words::Booleans,
            file,
            command,
            max_input_bytes,
            what_to_give,
        )
    }

    /// Opens a file of our own, such as settings, whose words are texts: `mode: off`.
    ///
    /// # Errors
    /// As for [`ReadableInput::open`].
    pub(crate) fn open_own(
        file: Option<&Path>,
        command: &str,
        max_input_bytes: usize,
        what_to_give: &str,
    ) -> Result<Self, CommandFailure> {
        Self::open_with(Words::Texts, file, command, max_input_bytes, what_to_give)
    }

    fn open_with(
        words: Words,
        file: Option<&Path>,
        command: &str,
        max_input_bytes: usize,
        what_to_give: &str,
    ) -> Result<Self, CommandFailure> {
        let limits = Limits::new(max_input_bytes);
        let mut bytes = Vec::new();
        source::read_on(&mut bytes, source::open(file, command)?, file, limits)?;
        blank_warnings(&mut bytes);
        if let Some(settled) = settle_events(&bytes, limits)? {
            bytes = settled;
        }
        let is_piped = source::named(file).is_none();
        Self::read(words, bytes, is_piped, limits, what_to_give)
    }

    /// Reads several files as if they were one, or complete lists of a cluster.
    ///
    /// # Errors
    /// As for [`ReadableInput::open`], or if the cluster cannot be read.
    pub(crate) fn open_from(
        origin: Origin<'_>,
        wanted: CommandInput,
        max_input_bytes: usize,
    ) -> Result<Self, CommandFailure> {
        let open = |file| Self::open(file, wanted.command, max_input_bytes, wanted.what_to_give);
        let limits = Limits::new(max_input_bytes);
        let mut json = Vec::new();
        let mut parts = Vec::new();
        #[cfg_attr(target_family = "wasm", expect(unused_mut, reason = "of clusters"))]
        let mut namespace = None;
        match origin {
            Origin::File(file) => return open(file),
            Origin::Files(files) => match source::expand(files)?.as_slice() {
                [only] => {
                    let mut input = open(Some(only))?;
                    input.files.push(InputFile {
                        path: only.clone(),
                        end: input.json.len(),
                        places: None,
                    });
                    return Ok(input);
                }
                files => {
                    for file in files {
                        let input =
                            open(Some(file)).map_err(|failure| source::within(failure, file))?;
                        add(&mut json, &input.json, limits)?;
                        parts.push(InputFile {
                            path: file.clone(),
                            end: json.len(),
                            places: input.places,
                        });
                    }
                }
            },
            #[cfg(not(target_family = "wasm"))]
            Origin::Cluster(from) => {
                let lists = from.lists(wanted)?;
                namespace = lists.namespace().map(ToOwned::to_owned);
                let (read, left_out) = lists.attempt(|| {
                    let mut json = Vec::new();
                    let left_out = lists.read(&mut |page| {
                        add(&mut json, page, limits)?;
                        next_page(page)
                    })?;
                    Ok((json, left_out))
                })?;
                json = read;
                crate::notes::tell(&left_out);
            }
            #[cfg(target_family = "wasm")]
            Origin::Cluster(_) => {
                return Err(crate::usage::without_cluster(wanted.resources).into());
            }
        }
        Ok(Self {
            json,
            places: None,
            namespace,
            files: parts,
        })
    }

    /// Whether it is a request, or at least no objects.
    pub(crate) fn is_request(&self) -> bool {
        detect(&self.json) == InputShape::Request
    }

    /// Tells JSON from YAML by its beginning, and converts YAML.
    ///
    /// # Errors
    /// `TooLarge`; what a [`Conversion`] refuses; `InvalidJson` if it contains no object; `InvalidValue` for a Status that an
    /// API server sent instead of objects.
    pub(crate) fn read(
        words: Words,
        bytes: Vec<u8>,
        is_piped: bool,
        limits: Limits,
        what_to_give: &str,
    ) -> Result<Self, CommandFailure> {
        if bytes.len() > limits.max_input_bytes {
            return Err(too_large("the input", limits).into());
        }
        let input = if is_json(&bytes) {
            Self {
                json: bytes,
                places: None,
                namespace: None,
                files: Vec::new(),
            }
        } else {
            Self::from_yaml(words, &bytes, is_piped, what_to_give)?
        };
        refuse_status(&input.json)?;
        Ok(input)
    }

    fn from_yaml(
        words: Words,
        bytes: &[u8],
        is_piped: bool,
        what_to_give: &str,
    ) -> Result<Self, CommandFailure> {
        if is_utf16(bytes) {
            let message = "the input is UTF-16; save it as UTF-8 (in PowerShell: `| Out-File -Encoding utf8 FILE`)";
            return Err(Error::new(Code::InvalidJson, message).into());
        }
        let Some(first) = first_line(bytes) else {
            return Err(empty(bytes, is_piped, what_to_give).into());
        };
        if !is_like_yaml(first) {
            return Err(no_objects(first, what_to_give).into());
        }
        if first.starts_with(b"Name: ") {
            let message =
                format!("this is what `kubectl describe` prints, for people; {what_to_give}");
            return Err(Error::new(Code::InvalidJson, message).into());
        }
        let converted = Conversion::new(without_mark(bytes))
            .with_words(words)
            .whole();
        let is_template = || bytes.windows(2).any(|two| two == b"{{");
        let Converted { json, places, .. } = match converted {
            Err(_) if is_template() => {
                let message = "this is a template that has not been rendered; give the output of `helm template` (or `helm get manifest` for a release)";
                return Err(Error::new(Code::InvalidJson, message).into());
            }
            converted => converted
                .map_err(|stopped| CommandFailure::of_yaml(stopped, "cannot read the input"))?,
        };
        if json
            .windows(KUSTOMIZE.len())
            .take(64)
            .any(|text| text == KUSTOMIZE)
        {
            let message = "this is a kustomization, which names objects elsewhere; give the output of `kubectl kustomize FOLDER`";
            return Err(Error::new(Code::InvalidJson, message).into());
        }
        if !(json.starts_with(b"{") || json.starts_with(b"[")) {
            return Err(no_objects(first, what_to_give).into());
        }
        Ok(Self {
            json,
            places: Some(places),
            namespace: None,
            files: Vec::new(),
        })
    }

    /// JSON.
    pub(crate) fn json(&self) -> &[u8] {
        &self.json
    }

    /// The only namespace it covers, if that is known in advance.
    pub(crate) fn namespace(&self) -> Option<&str> {
        self.namespace.as_deref()
    }

    /// The files named with `-f`, or all of it.
    pub(crate) fn parts(&self) -> Vec<InputPart<'_>> {
        if self.files.is_empty() {
            return vec![InputPart {
                path: None,
                json: &self.json,
                places: self.places.as_ref(),
            }];
        }
        let starts = std::iter::once(0).chain(self.files.iter().map(|file| file.end));
        let parts = self.files.iter().zip(starts);
        let parts = parts.map(|(file, start)| InputPart {
            path: Some(&file.path),
            json: self.json.get(start..file.end).unwrap_or_default(),
            places: file.places.as_ref().or(self.places.as_ref()),
        });
        parts.collect()
    }

    /// Converts an error's position in the JSON to one in the original input.
    pub(crate) fn placed(&self, error: Error) -> Error {
        placed(self.places.as_ref(), error)
    }

    /// Where the JSON is from, if it was YAML.
    pub(crate) fn into_places(self) -> Option<Places> {
        self.places
    }
}

/// Converts an error's position in the JSON to one in the original input, if that was YAML.
pub(crate) fn placed(places: Option<&Places>, error: Error) -> Error {
    match places {
        Some(places) => places.placed(error),
        None => error,
    }
}

/// Adds a document to others.
pub(crate) fn add(json: &mut Vec<u8>, document: &[u8], limits: Limits) -> Result<(), Error> {
    json.extend_from_slice(document);
    json.push(b'\n');
    match json.len() > limits.max_input_bytes {
        true => Err(too_large("the input", limits)),
        false => Ok(()),
    }
}

/// The error for a `what` over the limit.
pub(crate) fn too_large(what: &str, limits: Limits) -> Error {
    let message = format!(
        "{what} has more than {} bytes; split it, or raise --max-input-bytes",
        limits.max_input_bytes
    );
    Error::new(Code::TooLarge, message)
}

/// A `---` line is invalid in JSON, but separates documents of JSON as well as YAML.
fn is_json(bytes: &[u8]) -> bool {
    let lines = || memchr_iter(b'\n', bytes).filter_map(|end| bytes.get(end + 1..));
    begins_as_json(bytes) && !lines().any(|line| line.starts_with(b"---"))
}

/// Whether the input begins with a JSON object or list.
pub(crate) fn begins_as_json(bytes: &[u8]) -> bool {
    let start = without_mark(bytes).trim_ascii_start();
    start.starts_with(b"{") || start.starts_with(b"[")
}

/// Whether the input begins with an object or a list in YAML, as far as one can tell from a part of it.
pub(crate) fn begins_as_yaml(bytes: &[u8]) -> bool {
    !begins_as_json(bytes) && !is_utf16(bytes) && first_line(bytes).is_some_and(is_like_yaml)
}

fn is_utf16(bytes: &[u8]) -> bool {
    let marks = [&b"\xff\xfe"[..], b"\xfe\xff"];
    marks.iter().any(|mark| bytes.starts_with(mark))
}

/// Editors and PowerShell prepend a byte order mark.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// The first line with content: not a comment or directive, and without a leading `---`.
fn first_line(bytes: &[u8]) -> Option<&[u8]> {
    without_mark(bytes)
        .split(|byte| *byte == b'\n' || *byte == b'\r')
        .map(|line| {
            let line = line.trim_ascii();
            match line.strip_prefix(b"---") {
                Some(rest) if rest.is_empty() || rest.starts_with(b" ") => rest.trim_ascii(),
                _ => line,
            }
        })
        .find(|line| !line.is_empty() && !line.starts_with(b"#") && !line.starts_with(b"%"))
}

/// Whether the line can begin an object or a list: `key:`, `- item`, or properties in front of them.
fn is_like_yaml(line: &[u8]) -> bool {
    let is_end = |rest: &[u8]| rest.first().is_none_or(|byte| byte.is_ascii_whitespace());
    match line.split_first() {
        Some((b'{' | b'[' | b'&' | b'!', _)) => true,
        Some((b'-' | b'?', rest)) => is_end(rest),
        _ => {
            let is_key = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./<~\"' ".contains(byte);
            line.iter()
                .position(|byte| !is_key(byte))
                .is_some_and(|end| {
                    line.get(end) == Some(&b':') && is_end(line.get(end + 1..).unwrap_or_default())
                })
        }
    }
}

fn empty(bytes: &[u8], is_piped: bool, what_to_give: &str) -> Error {
    let what = if is_piped && without_mark(bytes).trim_ascii().is_empty() {
        "standard input is empty; did the command before the pipe fail?"
    } else {
        "the input contains no objects;"
    };
    Error::new(Code::InvalidJson, format!("{what} {what_to_give}"))
}

fn no_objects(first: &[u8], what_to_give: &str) -> Error {
    let text = String::from_utf8_lossy(first);
    let mut begins: String = text.chars().take(40).collect();
    if begins.len() < text.len() {
        begins.push('…');
    }
    let message = format!(
        "the input is neither JSON nor YAML objects; it begins with `{begins}`; {what_to_give}"
    );
    Error::new(Code::InvalidJson, message)
}

/// The message of a Status, which an API server sends instead of objects.
#[derive(Deserialize)]
struct StatusMessage {
    kind: Option<String>,
    pub message: Option<String>,
}

fn refuse_status(json: &[u8]) -> Result<(), Error> {
    if json.len() > MAX_STATUS_BYTES {
        return Ok(());
    }
    match serde_json::from_slice(without_mark(json)) {
        Ok(StatusMessage {
            kind: Some(kind),
            message,
        }) if kind == "Status" => {
            let message = message.unwrap_or_default();
            let message = format!(
                "the input is an error from an API server: `{message}`; fix the cause, and fetch the objects again"
            );
            Err(Error::new(Code::InvalidValue, message).at("/kind"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<ReadableInput, Error> {
        let read = ReadableInput::read(
            Words::Booleans,
            bytes.to_vec(),
            true,
            Limits::default(),
            OBJECTS,
        );
        read.map_err(|failure| match failure {
            CommandFailure::Input(error) => error,
            _ => unreachable!("bytes can be read"),
        })
    }

    #[track_caller]
    fn check(input: &str, expected: &str) {
        let shown = match read(input.as_bytes()) {
            Ok(input) => String::from_utf8(input.json().to_vec())
                .unwrap()
                .replace('\n', ""),
            Err(error) => {
                let message = error.message();
                format!("{}: {message}", error.code().as_str())
            }
        };
        assert!(shown.starts_with(expected), "{input:?} gives {shown}");
    }

    #[test]
    fn what_kubectl_does_not_take_either_says_what_to_give() {
        check(
            "apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ include \"x\" . }}\n",
            "InvalidJson: this is a template that has not been rendered; give the output of `helm template`",
        );
        check(
            "Name:              cart\nNamespace:         shop\n",
            "InvalidJson: this is what `kubectl describe` prints, for people; give",
        );
        check(
            "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n",
            "InvalidJson: this is a kustomization, which names objects elsewhere; give the output of `kubectl kustomize FOLDER`",
        );
        // Text that only mentions them is read.
        check(
            "kind: ConfigMap\ndata: {a: \"{{ b }} kustomize.config.k8s.io/\"}\n",
            r#"{"kind":"ConfigMap","#,
        );
    }

    #[test]
    fn warnings_before_an_object_are_blanked() {
        let check = |text: &str, expected: &str| {
            let mut bytes = text.as_bytes().to_vec();
            blank_warnings(&mut bytes);
            let blanked = String::from_utf8(bytes).unwrap();
            assert_eq!(blanked.len(), text.len());
            assert_eq!(blanked.trim_start_matches([' ', '\n']), expected);
        };
        check("Warning: v1 Endpoints is deprecated\n{}", "{}");
        check("Warning: a\nWarning: b\nkind: List\n", "kind: List\n");
        check("kind: List\nWarning: a\n", "kind: List\nWarning: a\n");
        check("Warning: alone", "");
    }

    #[test]
    fn told_by_how_it_begins() {
        check("\u{feff} {\"a\": 1", "\u{feff} {\"a\": 1");
        check("\u{feff}a: 1", "{\"a\":1}");
        check("# c\n%YAML 1.2\n--- {a: 1}\n", "{\"a\":1}");
        check("{\"a\":1}\n---\n{\"b\":2}\n", "[{\"a\":1},{\"b\":2}]");
        check("- a\n", "[\"a\"]");
        check("\"a\" : 1", "{\"a\":1}");
        for text in [
            "hello",
            "<html lang=\"x: y\">\n<a>: b",
            "7",
            "null",
            "\"service\"",
            "-5",
            "---\n~\n",
        ] {
            check(
                text,
                "InvalidJson: the input is neither JSON nor YAML objects; it begins with `",
            );
        }
        for text in ["# nothing\n", "---\n", "---\n...\n"] {
            check(text, "InvalidJson: the input ");
        }
        for text in ["", " \n", "\u{feff}"] {
            check(
                text,
                "InvalidJson: standard input is empty; did the command",
            );
        }
    }

    /// The JSON without what is between its tokens.
    fn compact(json: &str) -> String {
        let (mut is_in_text, mut is_escaped) = (false, false);
        let is_kept = |character: &char| {
            let is_kept = is_in_text || !character.is_ascii_whitespace();
            is_in_text ^= *character == '"' && !is_escaped;
            is_escaped = *character == '\\' && !is_escaped;
            is_kept
        };
        json.chars().filter(is_kept).collect()
    }

    /// The cases that the page and the webhook read, too.
    #[test]
    fn one_profile_of_yaml() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pkg-tests/yaml");
        let mut count = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "yaml") {
                continue;
            }
            count += 1;
            let expected = std::fs::read_to_string(path.with_extension("expected")).unwrap();
            match read(&std::fs::read(&path).unwrap()) {
                Ok(input) => {
                    let json = compact(std::str::from_utf8(input.json()).unwrap());
                    assert_eq!(json, expected.trim_end(), "{}", path.display());
                }
                Err(error) => {
                    let place = error.line().zip(error.column());
                    let (line, column) = place.unwrap_or_default();
                    let shown = format!("{} {line}:{column}", error.code().as_str());
                    let is_it = shown.starts_with(expected.trim_end());
                    assert!(is_it, "{}: {shown}, not {expected}", path.display());
                }
            }
        }
        assert!(count > 40, "the cases have moved");
    }

    #[test]
    fn what_is_no_utf_8_has_a_place() {
        let error = read(b"a: 1\nb: \xff\n").err();
        let place = error.and_then(|error| error.line().zip(error.column()));
        assert_eq!(place, Some((2, 4)));
    }

    /// As PowerShell redirects output.
    #[test]
    fn utf_16_is_named() {
        for bytes in [&b"\xff\xfe{\0}\0"[..], b"\xfe\xff\0{\0}"] {
            let error = read(bytes).err();
            let message = error.map(|error| error.message().to_owned());
            assert!(message.is_some_and(|message| {
                message.starts_with("the input is UTF-16; save it as UTF-8")
            }));
        }
    }

    #[test]
    fn a_status_is_no_snapshot() {
        let expected =
            "InvalidValue: the input is an error from an API server: `pods is forbidden`";
        check(
            r#"{"kind":"Status","metadata":{},"message":"pods is forbidden"}"#,
            expected,
        );
        check("kind: Status\nmessage: pods is forbidden\n", expected);
        check(r#"{"kind":"List","items":[]}"#, r#"{"kind":"List""#);
    }

    /// As many objects as in a large cluster.
    #[test]
    fn large_yaml_is_read_and_its_errors_are_placed() {
        let pods: String = (0..5_000)
            .map(|number| {
                format!("- kind: Pod\n  metadata:\n    name: pod-{number}\n    labels:\n      app: a\n  status:\n    podIPs:\n    - ip: 10.0.0.1\n")
            })
            .collect();
        let text = format!("kind: List\nitems:\n{pods}- kind: Pod\n  metadata:\n    name: 7\n");
        let input = read(text.as_bytes()).unwrap();
        let error = slicewise::api::plan_snapshot(input.json(), b"").unwrap_err();
        let error = input.placed(error);
        assert_eq!(error.path(), Some("/items/5000/metadata/name"));
        assert_eq!((error.line(), error.column()), (Some(40_005), Some(5)));
    }
}
