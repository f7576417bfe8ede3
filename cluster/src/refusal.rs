//! The messages for a cluster that does not return what was requested: what is wrong, and what to do about it.

use std::error::Error as _;
use std::path::Path;
use std::time::Duration;

use kube::client::AuthError;
use kube::config::KubeconfigError;
use kube::core::Status;

use crate::Error;
use crate::place::{ApiServerAndUser, NamespaceScope};
use crate::resource::Resource;

/// The maximum number of names to list in a message.
const MOST_NAMES: usize = 10;

/// The request that failed.
#[derive(Clone, Copy)]
pub struct FailedRequest<'a> {
    /// `list` or `watch`.
    pub verb: &'static str,
    /// The resource.
    pub resource: Resource,
    /// The API server and user.
    pub scope: &'a NamespaceScope,
}

impl FailedRequest<'_> {
    /// The namespace it was limited to, if any.
    pub(crate) fn namespace(&self) -> Option<&str> {
        let of_scope = match self.scope {
            NamespaceScope::Namespace(name) => Some(name.as_str()),
            NamespaceScope::All => None,
        };
        let namespace = self.resource.namespace().or(of_scope);
        namespace.filter(|_| self.resource.is_namespaced())
    }

    /// `list pods in namespace shop`
    fn told(&self) -> String {
        format!("{} {} {}", self.verb, self.resource.plural(), self.place())
    }

    /// `in namespace shop`
    fn place(&self) -> String {
        match self.namespace() {
            Some(name) => format!("in namespace {name}"),
            None if self.resource.is_namespaced() => "in all namespaces".to_owned(),
            None => "of the cluster".to_owned(),
        }
    }
}

/// What the account may not do, and the RBAC rules that allow it, as in a Role or ClusterRole. The requests have one verb.
pub fn not_allowed(asked: &[FailedRequest<'_>], said: &str) -> String {
    let verb = asked.first().map_or("list", |asked| asked.verb);
    let mut rules: Vec<(&str, Vec<&str>)> = Vec::new();
    for one in asked {
        add_to(&mut rules, one.resource.group(), one.resource.plural());
    }
    let is_local = asked.iter().all(|asked| asked.namespace().is_some());
    let role = match is_local {
        true => "Role or ClusterRole",
        false => "ClusterRole",
    };
    let word = if rules.len() == 1 { "rule" } else { "rules" };
    let rules = rules.iter().map(|(group, resources)| {
        let resources = resources.join(", ");
        format!("`{{apiGroups: [\"{group}\"], resources: [{resources}], verbs: [{verb}]}}`")
    });
    let rules: Vec<String> = rules.collect();
    format!(
        "not allowed to {verb} {}: {said}; grant it in a {role} with the {word} {}",
        places(asked),
        rules.join(" and ")
    )
}

/// `services, pods in namespace shop, nodes of the cluster`
fn places(asked: &[FailedRequest<'_>]) -> String {
    let mut places: Vec<(String, Vec<&str>)> = Vec::new();
    for one in asked {
        add_to(&mut places, one.place(), one.resource.plural());
    }
    let places = places.iter();
    let places = places.map(|(place, resources)| format!("{} {place}", resources.join(", ")));
    places.collect::<Vec<_>>().join(", ")
}

/// Adds a name to those of its group, in the order of the first ones.
fn add_to<K: PartialEq>(groups: &mut Vec<(K, Vec<&'static str>)>, key: K, name: &'static str) {
    match groups.iter_mut().find(|(known, _)| *known == key) {
        Some((_, names)) => names.push(name),
        None => groups.push((key, vec![name])),
    }
}

/// A request that takes long.
pub fn waiting(asked: FailedRequest<'_>, place: &ApiServerAndUser) -> String {
    format!("waiting for {} to {}", place.told(), asked.told())
}

/// Requests that failed for the same reason; they have one verb.
pub fn cannot(asked: &[FailedRequest<'_>], why: &str) -> String {
    let verb = asked.first().map_or("list", |asked| asked.verb);
    format!("cannot {verb} {}: {why}", places(asked))
}

/// Why there is no answer: it has taken too long.
pub fn late(place: &ApiServerAndUser, after: Duration) -> String {
    let after = match after.subsec_millis() {
        0 => format!("{} s", after.as_secs()),
        _ => format!("{} ms", after.as_millis()),
    };
    format!(
        "{} has not answered within {after}; try again later, or give it more time with --request-timeout",
        place.told(),
    )
}

/// Why there is no answer: the server has refused the request again and again because it is busy.
pub fn busy(status: &Status, place: &ApiServerAndUser) -> String {
    let (code, said) = (status.code, &status.message);
    format!(
        "{} keeps answering {code}: {said}; try again later",
        place.told()
    )
}

/// Why there is no answer: the server fails.
pub fn answers(status: &Status, place: &ApiServerAndUser) -> String {
    let (code, said) = (status.code, &status.message);
    format!("{} answers {code}: {said}; try again later", place.told())
}

/// Reading was given up.
pub fn gone() -> Error {
    Error::Cluster("the request for a list has ended without an answer".to_owned())
}

/// Why a request failed.
pub fn told(error: &kube::Error, asked: FailedRequest<'_>, place: &ApiServerAndUser) -> Error {
    let message = match error {
        kube::Error::Api(status) => of_status(status, asked, place),
        kube::Error::Auth(error) => not_logged_in(error, place),
        _ => format!("cannot {}: {}", asked.told(), unreachable(error, place)),
    };
    Error::Cluster(message)
}

/// The answer of an API server that refuses a request.
pub fn of_status(status: &Status, asked: FailedRequest<'_>, place: &ApiServerAndUser) -> String {
    let (told, said) = (asked.told(), status.message.as_str());
    match status.code {
        401 => format!(
            "{} does not accept the credentials{}: the token has expired or was revoked, or it belongs to another cluster; log in again",
            place.told(),
            place.user()
        ),
        403 => not_allowed(&[asked], said),
        404 if asked.resource == Resource::EndpointSlices => format!(
            "{} has no EndpointSlices of discovery.k8s.io/v1; Kubernetes 1.21 or newer is required",
            place.told()
        ),
        404 if asked.resource == Resource::SliceExceptions => format!(
            "{} has no SliceExceptions of slicewise.dev/v1alpha1, so none applies",
            place.told()
        ),
        404 => format!(
            "{} does not know `{}`; is the server of the kubeconfig a Kubernetes API server?",
            place.told(),
            asked.resource.plural()
        ),
        429 | 500.. => format!("cannot {told}: {}", answers(status, place)),
        code => format!("cannot {told}: {} answers {code}: {said}", place.told()),
    }
}

/// A selector that cannot be parsed.
pub fn selector(selector: &str, status: &Status) -> Error {
    Error::Cluster(format!(
        "--selector: the API server does not accept `{selector}`: {}; write it like `app=cart,tier in (front, back)`",
        status.message
    ))
}

/// There is no namespace of that name.
pub fn no_such_namespace(namespace: &str, place: &ApiServerAndUser) -> Error {
    Error::Cluster(format!(
        "{} has no namespace `{namespace}`; `kubectl get namespaces` lists them",
        place.told()
    ))
}

/// No Service has the labels that are asked for.
pub fn none_selected(selector: &str, asked: FailedRequest<'_>) -> Error {
    Error::Cluster(format!(
        "--selector: no Service {} has the labels `{selector}`; `kubectl get services --show-labels` shows theirs",
        asked.place()
    ))
}

/// The pages of a list took longer than the API server keeps its version.
pub fn expired(asked: FailedRequest<'_>, attempts: usize) -> Error {
    Error::Cluster(format!(
        "cannot {}: the list expired before its last page was read, {attempts} times in a row; raise --chunk-size (0 lists all at once), or read one namespace",
        asked.told()
    ))
}

/// The answer is not a list.
pub fn no_list(what: &str, asked: FailedRequest<'_>, place: &ApiServerAndUser) -> Error {
    Error::Cluster(format!(
        "cannot {}: {} does not answer with a list: {what}; is the server of the kubeconfig a Kubernetes API server?",
        asked.told(),
        place.told()
    ))
}

/// An object of a list that cannot be read.
pub fn unreadable_object(error: &slicewise::Error, place: &ApiServerAndUser) -> Error {
    Error::Cluster(format!(
        "{} returned a list that cannot be read: {}",
        place.told(),
        error.message()
    ))
}

/// There is no kubeconfig, and this process does not run in a Pod.
pub fn no_kubeconfig() -> Error {
    let message =
        "there is no kubeconfig, so there is no cluster to read: set --kubeconfig or $KUBECONFIG";
    Error::NoCluster(message.to_owned())
}

/// A kubeconfig that cannot be read.
pub fn unreadable(file: &Path, error: &KubeconfigError) -> Error {
    let why = match error {
        KubeconfigError::ReadConfig(error, _) => without_number(&error.to_string()),
        other => lowered(&other.to_string()),
    };
    Error::Cluster(format!(
        "cannot read {}: {why}; use a kubeconfig that works with kubectl",
        file.display()
    ))
}

/// A setting that does not name a proxy. Its value may contain a password.
pub fn no_proxy(source: &str) -> Error {
    Error::Cluster(format!(
        "{source} is not the address of a proxy; write it like http://proxy.example:3128, or remove it"
    ))
}

/// A kubeconfig that cannot be used.
pub fn unusable_kubeconfig(error: &KubeconfigError) -> Error {
    Error::Cluster(format!(
        "the kubeconfig is invalid: {}; see `kubectl config view`",
        lowered(&error.to_string())
    ))
}

/// A kubeconfig from which no client can be made.
pub fn unusable(place: &ApiServerAndUser, error: &kube::Error) -> Error {
    Error::Cluster(match error {
        kube::Error::Auth(error) => not_logged_in(error, place),
        _ => format!(
            "cannot connect to {}: {}; see `kubectl config view`",
            place.told(),
            cause(error)
        ),
    })
}

/// A user without credentials. The program that provides them may have secrets in its environment and its output, both of
/// which are in the error's own text.
fn not_logged_in(error: &AuthError, place: &ApiServerAndUser) -> String {
    let program = place.login.as_deref().unwrap_or_default();
    let (why, mend) = match error {
        AuthError::AuthExecStart(error) => (
            format!(
                "cannot run `{program}`: {}",
                without_number(&error.to_string())
            ),
            "install it",
        ),
        AuthError::AuthExecRun { out, .. } => {
            let said = String::from_utf8_lossy(&out.stderr);
            let said = said.lines().find(|line| !line.trim().is_empty());
            let said = said.map(|line| format!(": {}", line.trim()));
            let said = said.unwrap_or_default();
            (
                format!("`{program}` failed with {}{said}", out.status),
                "log in again",
            )
        }
        AuthError::AuthExecParse(_) => (
            format!("`{program}` has not printed credentials"),
            "log in again",
        ),
        other => (cause(other), "log in again"),
    };
    format!(
        "cannot log in to {}: {why}; {mend}, or check the user's entry in the kubeconfig",
        place.told()
    )
}

/// A kubeconfig without a current context.
pub fn no_current_context(known: &[&str]) -> Error {
    if known.is_empty() {
        let message = "the kubeconfig has no contexts; use a kubeconfig that works with kubectl";
        return Error::Cluster(message.to_owned());
    }
    Error::Cluster(format!(
        "the kubeconfig has no current context; name one with --context: {}",
        names(known)
    ))
}

/// A named context that does not exist.
pub fn no_such_context(name: &str, known: &[&str]) -> Error {
    Error::Cluster(format!(
        "there is no context `{name}` in the kubeconfig; the contexts are: {}",
        names(known)
    ))
}

/// Why there is no answer: no connection.
pub fn unreachable(error: &kube::Error, place: &ApiServerAndUser) -> String {
    let why = root(error);
    let mend = if why.contains("certificate") {
        "check `certificate-authority` of the cluster in the kubeconfig"
    } else {
        "is it running, and reachable from here?"
    };
    format!("{} cannot be reached: {why}; {mend}", place.told())
}

/// The innermost cause of an error.
fn root(error: &kube::Error) -> String {
    let mut deepest: &dyn std::error::Error = error;
    let mut source = error.source();
    while let Some(next) = source {
        deepest = next;
        source = next.source();
    }
    let told = without_number(&deepest.to_string());
    if told.is_empty() {
        lowered(&error.to_string())
    } else {
        told
    }
}

/// The innermost cause, with what it is about if the error around it says so.
fn cause(error: &dyn std::error::Error) -> String {
    let mut texts = vec![error.to_string()];
    let mut source = error.source();
    while let Some(next) = source {
        texts.push(next.to_string());
        source = next.source();
    }
    let mut texts = texts.iter().rev();
    let innermost = texts.next().map_or("", String::as_str);
    let around = texts.next().filter(|around| around.ends_with(innermost));
    let told = around.map_or(innermost, String::as_str);
    // Paths are quoted twice.
    let told = told.replace("'\"", "`").replace("\"'", "`");
    without_number(&told)
}

/// Removes the system's error number, which means nothing to users.
fn without_number(error: &str) -> String {
    lowered(error.split(" (os error").next().unwrap_or_default())
}

/// Messages start in lower case, as parts of sentences.
fn lowered(text: &str) -> String {
    // Some continue with an excerpt.
    let line = text.lines().next().unwrap_or_default();
    let mut letters = line.chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    let rest = letters.as_str();
    first.into_iter().chain(rest.chars()).collect()
}

fn names(known: &[&str]) -> String {
    if known.is_empty() {
        return "none".to_owned();
    }
    let shown: Vec<&str> = known.iter().copied().take(MOST_NAMES).collect();
    match known.len().saturating_sub(MOST_NAMES) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
