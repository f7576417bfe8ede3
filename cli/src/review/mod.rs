//! `slicewise review`: the webhook's verdicts on changes, before they are made.

pub(crate) mod args;
mod baseline;
mod defaults;
mod files;
pub(crate) mod given;
mod manifests;
mod output;
mod results;
mod suite;

use std::borrow::Cow;

use slicewise::{Code, Error};
use slicewise_admission::{Asking, Reviewer};

use crate::clock;
use crate::failure::CommandFailure;
use crate::input::{CHECKED, ReadableInput};
use crate::notes;
use crate::reviewer::{besides, configured, take_exceptions};
use crate::source;
use args::{ReviewArgs, WANTED, reviewer};
use baseline::Baseline;
use files::JudgedFiles;
use given::ReviewInput;
use manifests::{AppliedManifests, ManifestChange};
use output::{Judged, Printing};

pub(crate) fn run(arguments: &ReviewArgs) -> Result<u8, CommandFailure> {
    if let Some(folder) = &arguments.test {
        return suite::run(folder, arguments);
    }
    let config = arguments
        .reviewer
        .config("review", arguments.max_input_bytes)?;
    let besides = besides(&configured(config.as_ref())?);
    let cluster = arguments.known(besides)?;
    let baseline = arguments.baseline.as_deref().map(|file| {
        let input = arguments.open(file, "give verdicts")?;
        Baseline::read(input.json())
            .map_err(|error| source::within(input.placed(error).into(), file))
    });
    let baseline = baseline.transpose()?;
    let snapshot = arguments.snapshot.as_deref();
    let mut reviewer = reviewer(config.as_ref(), cluster.as_ref(), snapshot)?;
    let file = arguments.file.as_deref();
    let origin = arguments.files.origin(file)?;
    let input = ReadableInput::open_from(origin, WANTED, arguments.max_input_bytes)?;
    let given = ReviewInput::read(input.json()).map_err(|error| input.placed(error))?;
    let old = match &arguments.from {
        Some(from) => Some(arguments.open(from, "give manifests")?),
        None => None,
    };
    let known = cluster.as_ref().map(ReadableInput::json);
    let manifests = match given {
        ReviewInput::Reviews(_) => &[],
        ReviewInput::Manifests(_) => input.json(),
    };
    let inputs = [known.unwrap_or_default(), manifests];
    let unusable = take_exceptions(&mut reviewer, config.as_ref(), &inputs)?;
    notes::tell(&unusable);
    let asking = arguments.reviewer.asking(clock::seconds());
    let judged = match given {
        ReviewInput::Reviews(_) if old.is_some() => {
            let message =
                "--from: these are reviews, which already contain the old object; give manifests";
            return Err(Error::new(Code::InvalidValue, message).into());
        }
        ReviewInput::Reviews(reviews) => {
            check_namespaces(
                reviews.iter().map(|review| given::namespace(review)),
                arguments,
                cluster.as_ref(),
            )?;
            judge_reviews(&mut reviewer, &reviews, asking, &input)?
        }
        ReviewInput::Manifests(manifests) => {
            let old = old.as_ref().map(ReadableInput::json);
            let read = cluster.as_ref().and_then(ReadableInput::namespace);
            let applied = AppliedManifests {
                user: &arguments.user,
                namespace: arguments.cluster.selected().or(read),
            };
            let changes = applied.changes(manifests, old, known)?;
            let namespaces = changes.iter().map(|change| change.namespace.clone());
            check_namespaces(namespaces, arguments, cluster.as_ref())?;
            judge_changes(&mut reviewer, &changes, asking)?
        }
    };
    let parts = input.parts();
    let files = JudgedFiles::read(file, &parts)?;
    let printing = Printing {
        files: &files,
        format: arguments.output,
        color: arguments.color,
        fail_on: arguments.fail_on,
        baseline: baseline.as_ref(),
    };
    printing.print(&judged)?;
    Ok(printing.exit_code(&judged))
}

/// Checks that all changes are in the namespace that was given or read; nothing is known about others.
fn check_namespaces(
    mut namespaces: impl Iterator<Item = String>,
    arguments: &ReviewArgs,
    cluster: Option<&ReadableInput>,
) -> Result<(), Error> {
    let read = cluster.and_then(ReadableInput::namespace);
    let Some(only) = arguments.cluster.selected().or(read) else {
        return Ok(());
    };
    let Some(other) = namespaces.find(|namespace| !namespace.is_empty() && namespace != only)
    else {
        return Ok(());
    };
    let (code, message) = match read {
        Some(read) => (
            Code::IncompleteInput,
            format!(
                "a change is in namespace {other}, but only namespace {read} of the cluster was read; read all namespaces with -A, or review each namespace separately"
            ),
        ),
        None => (
            Code::InvalidValue,
            format!(
                "a change is in namespace {other}, but -n gives {only}, which `kubectl apply` refuses as well; leave -n out, or review each namespace separately"
            ),
        ),
    };
    Err(Error::new(code, message))
}

fn judge_reviews(
    reviewer: &mut Reviewer,
    reviews: &[Cow<'_, str>],
    asking: Asking<'_>,
    input: &ReadableInput,
) -> Result<Vec<Judged>, Error> {
    let mut judged = Vec::new();
    for (number, review) in reviews.iter().enumerate() {
        match reviewer.review(review.as_bytes(), asking) {
            Err(error) if reviews.len() == 1 => return Err(input.placed(error)),
            Err(error) => judged.push(Judged::Broken(error.in_line(number + 1))),
            Ok(answer) => judged.push(Judged::answer(answer)?),
        }
    }
    Ok(judged)
}

/// Judges changes as if every allowed change were made, Namespaces and Services first: a slice may come with both.
fn judge_changes(
    reviewer: &mut Reviewer,
    changes: &[ManifestChange],
    asking: Asking<'_>,
) -> Result<Vec<Judged>, Error> {
    let mut order: Vec<_> = changes.iter().enumerate().collect();
    order.sort_by_key(|(_, change)| change.rank);
    let mut judged = Vec::new();
    for (number, change) in order {
        let verdict = match reviewer.review(change.review.as_bytes(), asking) {
            Err(error) => Judged::Broken(of_manifest(&error, &change.title)),
            Ok(answer) => Judged::answer(answer)?,
        };
        if verdict.is_allowed() {
            // A single event of a kind that was never listed proves nothing that policies would rely on.
            reviewer.apply(change.event.as_bytes(), CHECKED)?;
        }
        judged.push((number, verdict));
    }
    judged.sort_by_key(|(number, _)| *number);
    Ok(judged.into_iter().map(|(_, verdict)| verdict).collect())
}

/// Converts an error of a generated review to one about its manifest.
fn of_manifest(error: &Error, title: &str) -> Error {
    let placed = Error::new(error.code(), format!("{title}: {}", error.message()));
    let path = error.path().unwrap_or_default();
    match path.strip_prefix("/request/object") {
        Some(path) if !path.is_empty() => placed.at(path),
        _ => placed,
    }
}
