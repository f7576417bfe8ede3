//! The files of the page, read once at startup. Requests look up their path among them, so that no path can lead
//! elsewhere.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hyper::body::Bytes;
use hyper::header::HeaderValue;

use crate::failure::CommandFailure;

/// The page's own files take a few megabytes.
const MOST_BYTES: u64 = 64 * 1024 * 1024;
/// The service worker, which would keep the page in the browser for a program that listens on this port later.
const LEFT_OUT: &str = "/service-worker.js";
const INDEX: &str = "/index.html";
/// The start of the policy in the page's HTML.
const POLICY: &str = "http-equiv=\"Content-Security-Policy\"";

/// The page.
pub(super) struct Page {
    files: BTreeMap<String, File>,
    /// What the page's scripts may do.
    pub(super) policy: String,
}

/// A file of the page.
#[derive(Default)]
pub(super) struct File {
    pub(super) content_type: &'static str,
    content: Option<Bytes>,
    /// The same, compressed when the page was built, by the names of [`ENCODINGS`].
    encoded: BTreeMap<&'static str, Bytes>,
}

/// Encodings, the preferred one first, each with the end of the files that have it.
const ENCODINGS: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

impl Page {
    /// Reads the page from this folder, or by default from where it is installed.
    pub(super) fn read(folder: Option<&Path>) -> Result<Self, CommandFailure> {
        let folder = match folder {
            Some(folder) => folder.to_owned(),
            None => installed().ok_or_else(missing)?,
        };
        let failed = |error| {
            let what = format!("cannot read the page in {}", folder.display());
            CommandFailure::File(what, error)
        };
        let mut files = BTreeMap::new();
        read_into(&mut files, &folder, "", &mut 0).map_err(failed)?;
        files.remove(LEFT_OUT);
        let index = files.get(INDEX).and_then(|index| index.content.as_deref());
        let policy = index.and_then(policy);
        let policy = policy.ok_or_else(|| {
            failed(io::Error::other(
                "it does not contain the page's index.html; `npm start` builds the page into `dist`",
            ))
        })?;
        Ok(Self { files, policy })
    }

    /// The file at a path.
    pub(super) fn file(&self, path: &str) -> Option<&File> {
        self.files.get(if path == "/" { INDEX } else { path })
    }
}

impl File {
    /// Its content, as small as the client takes it, and the encoding if it is compressed.
    pub(super) fn content(
        &self,
        accepted: Option<&HeaderValue>,
    ) -> Option<(&Bytes, Option<&'static str>)> {
        let accepted = accepted
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let best = ENCODINGS.iter().find_map(|(encoding, _)| {
            let content = self
                .encoded
                .get(encoding)
                .filter(|_| accepts(accepted, encoding))?;
            Some((content, Some(*encoding)))
        });
        best.or_else(|| Some((self.content.as_ref()?, None)))
    }
}

/// Whether an `Accept-Encoding` header takes an encoding.
fn accepts(accepted: &str, encoding: &str) -> bool {
    accepted.split(',').any(|one| {
        let (name, weight) = one.split_once(';').unwrap_or((one, ""));
        let weight = weight.trim().strip_prefix("q=").map(str::parse::<f32>);
        name.trim().eq_ignore_ascii_case(encoding) && weight != Some(Ok(0.0))
    })
}

fn missing() -> CommandFailure {
    let advice = "name its folder with --page; in a checkout, `npm start` builds it into `dist`";
    CommandFailure::File("cannot find the page".to_owned(), io::Error::other(advice))
}

/// Where the page may be: at the path set when the command was built; next to the command, as in archives; in `share`, as in
/// packages; or in the checkout whose `target` contains the command.
fn installed() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let program = program.canonicalize().unwrap_or(program);
    let folder = program.parent()?;
    let built = option_env!("SLICEWISE_PAGE").map(PathBuf::from);
    let relative = ["page", "../share/slicewise/page", "../../dist"];
    let mut places = built
        .into_iter()
        .chain(relative.map(|place| folder.join(place)));
    places.find(|place| place.join("index.html").is_file())
}

fn read_into(
    files: &mut BTreeMap<String, File>,
    folder: &Path,
    prefix: &str,
    sum: &mut u64,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        // Our own names need no escaping.
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else {
            continue;
        };
        let (path, kind) = (format!("{prefix}/{name}"), entry.file_type()?);
        if kind.is_dir() {
            read_into(files, &entry.path(), &path, sum)?;
            continue;
        }
        let encoding = ENCODINGS.iter().find(|(_, end)| name.ends_with(end));
        let (encoding, end) = encoding.copied().unzip();
        let path = path.strip_suffix(end.unwrap_or_default()).unwrap_or(&path);
        let Some(content_type) = content_type(path).filter(|_| kind.is_file()) else {
            continue;
        };
        *sum += entry.metadata()?.len();
        if *sum > MOST_BYTES {
            return Err(io::Error::other(
                "it is much larger than the page; is it another folder?",
            ));
        }
        let content = Bytes::from(fs::read(entry.path())?);
        let file = files.entry(path.to_owned()).or_default();
        file.content_type = content_type;
        match encoding {
            Some(encoding) => file.encoded.extend([(encoding, content)]),
            None => file.content = Some(content),
        }
    }
    Ok(())
}

fn content_type(name: &str) -> Option<&'static str> {
    let (_, end) = name.rsplit_once('.')?;
    Some(match end {
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "txt" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        "yaml" => "text/yaml; charset=utf-8",
        _ => return None,
    })
}

/// The policy in the page's HTML, as a header: only a header can restrict framing.
fn policy(html: &[u8]) -> Option<String> {
    let html = std::str::from_utf8(html).ok()?;
    let (_, rest) = html.split_once(POLICY)?;
    let (_, rest) = rest.split_once("content=\"")?;
    let (policy, _) = rest.split_once('"')?;
    let is_plain = policy.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    is_plain.then(|| format!("{policy}; frame-ancestors 'none'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_folder_has_is_found() {
        let folder = std::env::temp_dir().join(format!("slicewise-page-{}", std::process::id()));
        fs::create_dir_all(folder.join("page/assets")).unwrap();
        let index = format!("<meta {POLICY} content=\"default-src 'none'\">");
        for (name, content) in [
            ("secret.txt", "no"),
            ("page/index.html", &*index),
            ("page/assets/a.js", "1"),
            ("page/service-worker.js", "2"),
            ("page/.hidden.js", "3"),
            ("page/other", "4"),
            ("page/assets/a.js.br", "5"),
            ("page/assets/a.js.gz", "6"),
            ("page/other.br", "7"),
        ] {
            fs::write(folder.join(name), content).unwrap();
        }
        let page = Page::read(Some(&folder.join("page"))).ok().unwrap();
        let unnamed = Page::read(Some(&folder));
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(page.policy, "default-src 'none'; frame-ancestors 'none'");
        assert_eq!(
            page.files.keys().collect::<Vec<_>>(),
            ["/assets/a.js", INDEX]
        );
        let content = |path, accepted: Option<&'static str>| {
            let accepted = accepted.map(HeaderValue::from_static);
            let (content, encoding) = page.file(path)?.content(accepted.as_ref())?;
            Some((String::from_utf8(content.to_vec()).unwrap(), encoding))
        };
        assert_eq!(content("/", Some("br")), Some((index, None)));
        for (accepted, expected) in [
            (None, ("1", None)),
            (Some("identity, brx"), ("1", None)),
            (Some("gzip, deflate, br;q=1.0"), ("5", Some("br"))),
            (Some("GZIP,br; q=0"), ("6", Some("gzip"))),
        ] {
            let expected = (expected.0.to_owned(), expected.1);
            assert_eq!(content("/assets/a.js", accepted), Some(expected));
        }
        for path in [
            "/../secret.txt",
            "/assets/../../secret.txt",
            "/%2e%2e/secret.txt",
            "//secret.txt",
            "",
            "/assets",
            "/assets/a.js.br",
        ] {
            assert!(page.file(path).is_none(), "{path}");
        }
        assert!(unnamed.is_err(), "a folder without the page");
    }
}
