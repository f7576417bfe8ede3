//! The flags for reading a cluster, named as in `kubectl`.

use std::path::PathBuf;
use std::time::Duration;

use slicewise::model::dns::is_label;
use slicewise_cluster::resource::CHUNK_SIZE;
#[cfg(not(target_family = "wasm"))]
use slicewise_cluster::{connect::ClusterChoice, place::NamespaceScope};

/// Where help lists them.
pub(crate) const HEADING: &str = "Cluster";

/// Which cluster to read. It is read when one of these is given.
#[derive(clap::Args)]
pub(crate) struct ClusterArgs {
    /// Read this namespace of the cluster [default: the context's]
    #[arg(short, long, value_name = "NAME", value_parser = namespace, help_heading = HEADING)]
    pub(crate) namespace: Option<String>,

    /// Read all namespaces of the cluster
    #[arg(short = 'A', long, help_heading = HEADING)]
    pub(crate) all_namespaces: bool,

    /// Read the cluster of this context [default: the current one, or the cluster of the Pod]
    #[arg(long, value_name = "NAME", help_heading = HEADING)]
    pub(crate) context: Option<String>,

    /// Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    pub(crate) kubeconfig: Option<PathBuf>,

    /// Objects per request; 0 requests all at once
    #[arg(long, value_name = "N", default_value_t = CHUNK_SIZE, help_heading = HEADING)]
    pub(crate) chunk_size: u32,

    /// How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = time, help_heading = HEADING)]
    request_timeout: Duration,
}

impl ClusterArgs {
    /// Whether a cluster is to be read.
    pub(crate) const fn is_given(&self) -> bool {
        self.all_namespaces
            || self.namespace.is_some()
            || self.context.is_some()
            || self.kubeconfig.is_some()
    }

    /// How long to wait for an answer, if not for ever.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn request_timeout(&self) -> Option<Duration> {
        Some(self.request_timeout).filter(|time| !time.is_zero())
    }

    /// Whether a cluster itself is named, which no file has.
    pub(crate) const fn is_named(&self) -> bool {
        self.context.is_some() || self.kubeconfig.is_some()
    }

    /// The namespace that is selected: as in `kubectl`, `-A` takes precedence over `-n`.
    pub(crate) fn selected(&self) -> Option<&str> {
        let namespace = self.namespace.as_deref();
        namespace.filter(|_| !self.all_namespaces)
    }

    /// The cluster and namespaces that the flags name.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn wanted<'a>(&'a self, scope: Option<&'a NamespaceScope>) -> ClusterChoice<'a> {
        ClusterChoice {
            kubeconfig: self.kubeconfig.as_deref(),
            context: self.context.as_deref(),
            scope,
        }
    }

    /// The namespaces to read: as in `kubectl`, `-A` takes precedence over `-n`, and `-n` over the context's, which is `None`.
    /// Without either flag, a Service named with its namespace is read there.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn scope(&self, service: Option<&str>) -> Option<NamespaceScope> {
        if self.all_namespaces {
            return Some(NamespaceScope::All);
        }
        let of_service = service.and_then(|name| name.split_once('/'));
        let of_service = of_service.map(|(namespace, _)| namespace);
        let namespace = self.namespace.as_deref().or(of_service);
        namespace.map(|namespace| NamespaceScope::Namespace(namespace.to_owned()))
    }
}

/// What `kubectl` takes in front of a Service's name.
const KINDS: [&str; 3] = ["svc/", "service/", "services/"];

/// The Service that a text names: `NAME` or `NAMESPACE/NAME`, with or without the kind in front, as in `svc/NAME`.
pub(crate) fn service_named(text: &str) -> Option<&str> {
    let kind = KINDS.iter().find_map(|kind| text.strip_prefix(kind));
    let name = kind.unwrap_or(text);
    (name.split('/').count() <= 2 && name.split('/').all(is_label)).then_some(name)
}

/// As in `kubectl`: a duration, or a whole number of seconds.
fn time(text: &str) -> Result<Duration, String> {
    match text.parse::<u32>() {
        Ok(seconds) => Ok(Duration::from_secs(seconds.into())),
        Err(_) => slicewise::api::read_duration(text)
            .map_err(|_| "write it like 500ms, 10s, 2m or 1h; 0 is no limit".to_owned()),
    }
}

fn namespace(name: &str) -> Result<String, String> {
    // It becomes part of a request's path.
    if is_label(name) {
        return Ok(name.to_owned());
    }
    Err(
        "a namespace has lowercase letters, digits and `-` in its name; -A reads all of them"
            .to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_are_named_as_in_kubectl() {
        for (text, expected) in [
            ("cart", Some("cart")),
            ("shop/cart", Some("shop/cart")),
            ("svc/cart", Some("cart")),
            ("service/cart", Some("cart")),
            ("services/cart", Some("cart")),
            ("svc/shop/cart", Some("shop/cart")),
            ("svc", Some("svc")),
            ("svc/", None),
            ("pod/shop/cart", None),
            ("./cart", None),
            ("cart.yaml", None),
            ("-", None),
        ] {
            assert_eq!(service_named(text), expected, "{text}");
        }
    }
}
