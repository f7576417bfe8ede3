//! The files of the page, read once at startup. Requests look up their path among them, so that no path can lead
//! elsewhere.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hyper::body::Bytes;

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
#[derive(Clone)]
pub(super) struct File {
    pub(super) content: Bytes,
    pub(super) content_type: &'static str,
}

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
        let policy = files.get(INDEX).and_then(|index| policy(&index.content));
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
        let Some(content_type) = content_type(name).filter(|_| kind.is_file()) else {
            continue;
        };
        *sum += entry.metadata()?.len();
        if *sum > MOST_BYTES {
            return Err(io::Error::other(
                "it is much larger than the page; is it another folder?",
            ));
        }
        let content = Bytes::from(fs::read(entry.path())?);
        files.insert(
            path,
            File {
                content,
                content_type,
            },
        );
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
        assert_eq!(page.file("/").unwrap().content, index);
        for path in [
            "/../secret.txt",
            "/assets/../../secret.txt",
            "/%2e%2e/secret.txt",
            "//secret.txt",
            "",
            "/assets",
        ] {
            assert!(page.file(path).is_none(), "{path}");
        }
        assert!(unnamed.is_err(), "a folder without the page");
    }
}
