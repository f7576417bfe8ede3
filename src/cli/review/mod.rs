//! `slicewise review`: the webhook's verdict on changes, before anybody makes them.

pub(super) mod given;
mod manifests;
mod output;
mod suite;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use serde_json::Value;

use slicewise::admission::{Asking, policies};
use slicewise::api::{Limits, Reviewer};
use slicewise::json::find_ambiguity;
use slicewise::{Code, Error};

use super::args::Color;
use super::cluster::args::ClusterArgs;
use super::cluster::resource::OF_PLANS;
use super::input::{CHECKED, Input, OBJECTS};
use super::origin::{FileArgs, FromCluster, Origin};
use super::stream::Wanted;
use super::{BAD_INPUT, Failure};
use given::Given;
use manifests::Change;
use output::{Format, Judged};

/// A change was refused, or a test failed.
const DENIED: u8 = 1;

/// What is judged.
const WANTED: Wanted = Wanted {
    command: "review",
    what_to_give: "give an AdmissionReview, several of them, or manifests",
    resources: &[],
};

macro_rules! review_exit_codes {
    () => {
        "\
Exit codes:
  0  all allowed, warnings or not
  1  a change was denied, or a test failed
  2  bad input or usage, or a file that cannot be read"
    };
}

/// Input is told by its content: AdmissionReviews (one, a list, or one after another), or manifests as
/// `kubectl apply -f` takes them, of which reviews are made. Verdicts are those of the webhook, byte for byte.
#[derive(clap::Args)]
#[command(after_help = review_exit_codes!())]
pub(super) struct ReviewArgs {
    /// JSON or YAML file; `-`, or nothing, reads standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    files: FileArgs,

    /// What is known of the cluster, as `kubectl get services,pods,nodes,endpointslices -A -o json` prints it
    #[arg(long, value_name = "CLUSTER", conflicts_with = "ClusterArgs")]
    snapshot: Option<PathBuf>,

    #[command(flatten)]
    cluster: ClusterArgs,

    /// The webhook's configuration, JSON or YAML
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Only this policy
    #[arg(long, value_name = "NAME", value_parser = policies::NAMES.to_vec())]
    policy: Option<String>,

    /// The manifests as they were, so that changes and deletions are told from what is new
    #[arg(long, value_name = "FILE", conflicts_with = "test")]
    from: Option<PathBuf>,

    /// Who makes the changes in manifests
    #[arg(long, value_name = "NAME", default_value = "kubernetes-admin")]
    user: String,

    /// Files with reviews and the verdicts that are expected of them, in this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["file", "FileArgs", "from", "output", "ClusterArgs"])]
    test: Option<PathBuf>,

    /// How to print the verdicts
    #[arg(short, long, value_enum, default_value_t = Format::Json)]
    output: Format,

    /// Colours in the text
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    color: Color,

    /// Refuse larger inputs
    #[arg(long, value_name = "BYTES", default_value_t = slicewise::api::MAX_INPUT_BYTES)]
    max_input_bytes: usize,
}

pub(super) fn run(arguments: &ReviewArgs) -> Result<u8, Failure> {
    if let Some(folder) = &arguments.test {
        return suite::run(folder, arguments);
    }
    let cluster = match arguments.cluster.is_given() {
        true => Some(arguments.of_cluster()?),
        false => arguments.cluster(arguments.snapshot.as_deref())?,
    };
    let mut reviewer = reviewer(arguments.config()?.as_ref(), cluster.as_ref())?;
    let file = arguments.file.as_deref();
    let origin = arguments.files.origin(file)?;
    let input = Input::open_from(origin, WANTED, arguments.max_input_bytes)?;
    let given = Given::read(input.json()).map_err(|error| input.placed(error))?;
    let old = match &arguments.from {
        Some(from) => Some(arguments.open(from, "give manifests")?),
        None => None,
    };
    let asking = Asking {
        policy: arguments.policy.as_deref(),
        ..Asking::default()
    };
    let judged = match given {
        Given::Reviews(_) if old.is_some() => {
            let message =
                "--from: these are reviews, which hold the object as it was; give manifests";
            return Err(Error::new(Code::InvalidValue, message).into());
        }
        Given::Reviews(reviews) => {
            check_namespaces(
                reviews.iter().map(|review| given::namespace(review)),
                cluster.as_ref(),
            )?;
            judge_reviews(&mut reviewer, &reviews, asking, &input)?
        }
        Given::Manifests(manifests) => {
            let known = cluster.as_ref().map(Input::json);
            let old = old.as_ref().map(Input::json);
            let changes = manifests::changes(manifests, old, known, &arguments.user)?;
            let namespaces = changes.iter().map(|change| change.namespace.clone());
            check_namespaces(namespaces, cluster.as_ref())?;
            judge_changes(&mut reviewer, &changes, asking)?
        }
    };
    let file =
        super::source::named(file).map_or_else(|| "-".into(), |file| file.display().to_string());
    output::print(&judged, &file, arguments.output, arguments.color)?;
    Ok(output::exit_code(&judged))
}

/// Sees to it that what is judged is in the namespace that was read: of others nothing is known.
fn check_namespaces(
    namespaces: impl Iterator<Item = String>,
    cluster: Option<&Input>,
) -> Result<(), Error> {
    let Some(read) = cluster.and_then(Input::namespace) else {
        return Ok(());
    };
    let mut others = namespaces.filter(|namespace| !namespace.is_empty() && namespace != read);
    let Some(other) = others.next() else {
        return Ok(());
    };
    let message = format!(
        "a change is in namespace {other}, and only namespace {read} of the cluster was read; read all of them with -A, or judge each namespace apart"
    );
    Err(Error::new(Code::IncompleteInput, message))
}

fn judge_reviews(
    reviewer: &mut Reviewer,
    reviews: &[Cow<'_, str>],
    asking: Asking<'_>,
    input: &Input,
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

/// Judges changes as if each was made that is allowed, Services first: a slice may come with its Service.
fn judge_changes(
    reviewer: &mut Reviewer,
    changes: &[Change],
    asking: Asking<'_>,
) -> Result<Vec<Judged>, Error> {
    let mut order: Vec<_> = changes.iter().enumerate().collect();
    order.sort_by_key(|(_, change)| !change.is_service);
    let mut judged = Vec::new();
    for (number, change) in order {
        let verdict = match reviewer.review(change.review.as_bytes(), asking) {
            Err(error) => Judged::Broken(of_manifest(&error, &change.title)),
            Ok(answer) => Judged::answer(answer)?,
        };
        if verdict.is_allowed() {
            // Of a kind that is not known at all it tells nothing that would be relied on.
            reviewer.apply(change.event.as_bytes(), CHECKED)?;
        }
        judged.push((number, verdict));
    }
    judged.sort_by_key(|(number, _)| *number);
    Ok(judged.into_iter().map(|(_, verdict)| verdict).collect())
}

/// An error of a review that was made of a manifest, as one of the manifest.
fn of_manifest(error: &Error, title: &str) -> Error {
    let placed = Error::new(error.code(), format!("{title}: {}", error.message()));
    let path = error.path().unwrap_or_default();
    match path.strip_prefix("/request/object") {
        Some(path) if !path.is_empty() => placed.at(path),
        _ => placed,
    }
}

impl ReviewArgs {
    fn open(&self, file: &Path, what: &str) -> Result<Input, Failure> {
        Input::open(Some(file), "review", self.max_input_bytes, what)
    }

    fn cluster(&self, file: Option<&Path>) -> Result<Option<Input>, Failure> {
        file.map(|file| self.open(file, OBJECTS)).transpose()
    }

    fn of_cluster(&self) -> Result<Input, Failure> {
        let origin = Origin::Cluster(FromCluster::all(&self.cluster));
        let wanted = Wanted {
            resources: OF_PLANS,
            ..WANTED
        };
        Input::open_from(origin, wanted, self.max_input_bytes)
    }

    /// What the webhook's configuration says of policies.
    fn config(&self) -> Result<Option<Value>, Failure> {
        let Some(file) = &self.config else {
            return Ok(None);
        };
        let input = self.open(file, "give a configuration")?;
        let wrong = |error: Error| {
            let message = format!("{}: {}", file.display(), error.message());
            let placed = Error::new(error.code(), message);
            match error.path() {
                Some(path) => placed.at(path),
                None => placed,
            }
        };
        Ok(Some(policies_of(input.json()).map_err(wrong)?))
    }
}

/// What of the webhook's configuration a reviewer reads; the rest is about sockets and files.
fn policies_of(config: &[u8]) -> Result<Value, Error> {
    const REVIEWER: [&str; 3] = ["policies", "context", "ownService"];
    const SERVICE: [&str; 6] = ["server", "tls", "snapshot", "cluster", "logLevel", "arm"];
    let text = std::str::from_utf8(config).unwrap_or_default();
    let value: Value = serde_json::from_slice(config)
        .map_err(|error| Error::new(Code::InvalidJson, error.to_string()))?;
    if let Some(key) = find_ambiguity(text).and_then(|fault| fault.field) {
        let message = format!("the key `{key}` is given twice in one object");
        return Err(Error::new(Code::InvalidJson, message));
    }
    let Value::Object(mut fields) = value else {
        return Err(Error::new(
            Code::InvalidType,
            "the configuration must be an object",
        ));
    };
    if let Some(unknown) = fields
        .keys()
        .find(|key| !REVIEWER.contains(&key.as_str()) && !SERVICE.contains(&key.as_str()))
    {
        let message = format!(
            "`{unknown}` is not a setting; there are {}, {}",
            REVIEWER.join(", "),
            SERVICE.join(", ")
        );
        return Err(Error::new(Code::UnknownField, message).at(format!("/{unknown}")));
    }
    fields.retain(|key, _| REVIEWER.contains(&key.as_str()));
    Ok(Value::Object(fields))
}

/// A reviewer with a configuration that knows a cluster, both if there are any.
fn reviewer(config: Option<&Value>, cluster: Option<&Input>) -> Result<Reviewer, Error> {
    let config = config.map(Value::to_string).unwrap_or_default();
    let mut reviewer = Reviewer::new(config.as_bytes())?;
    if let Some(cluster) = cluster {
        let limits: Limits = CHECKED;
        let loaded = reviewer.load(cluster.json(), limits);
        loaded.map_err(|error| cluster.placed(error))?;
    }
    Ok(reviewer)
}

/// The code of several verdicts.
fn worst(codes: impl Iterator<Item = u8>) -> u8 {
    codes
        .max_by_key(|code| {
            [0, DENIED, BAD_INPUT]
                .iter()
                .position(|known| known == code)
        })
        .unwrap_or_default()
}
