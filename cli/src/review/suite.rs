//! Reviews with their expected verdicts, in the style of `gator verify` and `kyverno test`.
//!
//! ```yaml
//! snapshot: cluster.json          # from here; otherwise that of --snapshot
//! config: {policies: {}}          # otherwise that of --config
//! tests:
//! - name: a slip in the selector empties the Service
//!   oldObject: {...}              # or `review`: an AdmissionReview
//!   object: {...}
//!   user: jane
//!   expect: {allowed: false, findings: [service-blast-radius/emptied], message: did you mean}
//! ```

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use slicewise::{Code, Error};
use slicewise_admission::Reviewer;

use super::args::{ReviewArgs, reviewer};
use super::manifests::AppliedManifests;
use super::output::{DENIED, Judged};
use super::results::{self, TestResult};
use crate::clock;
use crate::failure::CommandFailure;
use crate::input::ReadableInput;
use crate::notes;
use crate::reviewer::take_exceptions;
use crate::source;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Suite {
    snapshot: Option<PathBuf>,
    config: Option<Value>,
    tests: Vec<Test>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Test {
    name: String,
    review: Option<Value>,
    object: Option<Value>,
    old_object: Option<Value>,
    user: Option<String>,
    policy: Option<String>,
    expect: ExpectedVerdict,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedVerdict {
    allowed: Option<bool>,
    findings: Option<BTreeSet<String>>,
    message: Option<String>,
}

/// Runs the tests of every JSON and YAML file in a folder.
pub(super) fn run(folder: &Path, arguments: &ReviewArgs) -> Result<u8, CommandFailure> {
    let mut files = files(folder)?;
    files.sort();
    let mut results = Vec::new();
    let default = arguments
        .reviewer
        .config("review", arguments.max_input_bytes)?;
    for file in files {
        let most = arguments.max_input_bytes;
        let input = ReadableInput::open_own(Some(&file), "review", most, "give tests")
            .map_err(|failure| source::within(failure, &file))?;
        let suite: Suite = serde_json::from_slice(input.json()).map_err(|error| {
            let message = format!("{}: {error}", file.display());
            Error::new(Code::InvalidValue, message)
        })?;
        let named = suite.snapshot.as_ref().map(|name| folder.join(name));
        let snapshot = named.as_deref().or(arguments.snapshot.as_deref());
        let cluster = arguments.cluster(snapshot)?;
        let config = suite.config.as_ref().or(default.as_ref());
        let mut reviewer = reviewer(config, cluster.as_ref(), snapshot)?;
        let known = cluster.as_ref().map(ReadableInput::json);
        notes::tell(&take_exceptions(
            &mut reviewer,
            config,
            &[known.unwrap_or_default()],
        )?);
        for test in &suite.tests {
            let why = test.run(&mut reviewer, arguments).err();
            results.push(TestResult {
                file: file.display().to_string(),
                name: test.name.clone(),
                passed: why.is_none(),
                why,
            });
        }
    }
    if results.is_empty() {
        let message = format!(
            "there is no test in {}; files of tests have names like cart.test.yaml",
            folder.display()
        );
        return Err(Error::new(Code::InvalidValue, message).into());
    }
    results::print(&results, arguments.output)?;
    let has_failed = results.iter().any(|result| !result.passed);
    Ok(if has_failed { DENIED } else { 0 })
}

/// The test files in a folder: JSON and YAML files that declare themselves as such.
fn files(folder: &Path) -> Result<Vec<PathBuf>, CommandFailure> {
    let cannot = |error| CommandFailure::File(format!("cannot read {}", folder.display()), error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(source::from_here(folder)).map_err(cannot)? {
        let name = entry.map_err(cannot)?.file_name();
        let path = Path::new(&name);
        let is_text = path.extension().is_some_and(|extension| {
            ["json", "yaml", "yml"]
                .iter()
                .any(|known| extension == *known)
        });
        // Clusters and manifests may be in the same folder.
        let is_test = path
            .file_stem()
            .is_some_and(|stem| stem.to_string_lossy().ends_with("test"));
        if is_text && is_test {
            files.push(folder.join(path));
        }
    }
    Ok(files)
}

impl Test {
    /// The differences from the expected verdict.
    fn run(&self, reviewer: &mut Reviewer, arguments: &ReviewArgs) -> Result<(), String> {
        let review = self.review(arguments).map_err(|error| error.to_string())?;
        let mut asking = arguments.reviewer.asking(clock::seconds());
        asking.policy = self.policy.as_deref().or(asking.policy);
        let answer = reviewer.review(review.as_bytes(), asking);
        let judged = answer
            .and_then(Judged::answer)
            .map_err(|error| error.to_string())?;
        let Judged::Answer(_, response) = judged else {
            return Err("there is no verdict".into());
        };
        let mut wrong = Vec::new();
        let expect = &self.expect;
        if expect.allowed.is_none() && expect.findings.is_none() && expect.message.is_none() {
            return Err("nothing is expected; set `allowed`, `findings` or `message`".into());
        }
        if let Some(allowed) = expect
            .allowed
            .filter(|allowed| *allowed != response.allowed)
        {
            let name = |allowed| if allowed { "allowed" } else { "denied" };
            wrong.push(format!(
                "expected: {}, is: {}",
                name(allowed),
                name(response.allowed)
            ));
        }
        let found: BTreeSet<String> = response
            .found()
            .map(|found| found.rule.to_owned())
            .collect();
        if let Some(expected) = expect
            .findings
            .as_ref()
            .filter(|expected| **expected != found)
        {
            wrong.push(format!("expected findings: {expected:?}, are: {found:?}"));
        }
        if let Some(part) = expect
            .message
            .as_ref()
            .filter(|part| !response.message().contains(part.as_str()))
        {
            wrong.push(format!("expected in the message: {part:?}"));
        }
        if wrong.is_empty() {
            return Ok(());
        }
        wrong.push(format!("message: {}", response.message()));
        Err(wrong.join("\n"))
    }

    fn review(&self, arguments: &ReviewArgs) -> Result<String, Error> {
        let wrong = |message| Err(Error::new(Code::InvalidValue, message));
        let is_object = self.object.is_some() || self.old_object.is_some();
        if let Some(review) = &self.review {
            if is_object {
                return wrong("a test has `review`, or `object` and `oldObject`, not both");
            }
            return Ok(review.to_string());
        }
        let text = |object: &Option<Value>| object.as_ref().map(Value::to_string);
        let (new, old) = (text(&self.object), text(&self.old_object));
        let user = self.user.as_deref().unwrap_or(&arguments.user);
        let new = new.into_iter().map(Into::into).collect();
        let old = old.as_deref().map(str::as_bytes);
        let applied = AppliedManifests {
            user,
            namespace: None,
        };
        let changes = applied.changes(new, old, None)?;
        match <[_; 1]>::try_from(changes) {
            Ok([change]) => Ok(change.review),
            Err(changes) if changes.is_empty() => {
                wrong("a test needs `review`, `object` or `oldObject`")
            }
            Err(_) => wrong(
                "`object` and `oldObject` are two different objects; give the old and the new version of one",
            ),
        }
    }
}
