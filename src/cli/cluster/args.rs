//! The flags that name a cluster, and what of it is read; named as those of `kubectl`.

use std::path::PathBuf;

/// Objects that are asked for at one time, unless told otherwise; as `kubectl` does.
const CHUNK_SIZE: u32 = 500;

/// Where help lists them.
pub(in crate::cli) const HEADING: &str = "Cluster";

/// Which cluster to read. It is read when one of these is given.
#[derive(clap::Args)]
pub(in crate::cli) struct ClusterArgs {
    /// Read this namespace of the cluster [default: that of the context]
    #[arg(short, long, value_name = "NAME", value_parser = namespace, help_heading = HEADING)]
    pub(in crate::cli) namespace: Option<String>,

    /// Read all namespaces of the cluster
    #[arg(short = 'A', long, help_heading = HEADING)]
    pub(in crate::cli) all_namespaces: bool,

    /// Read the cluster of this context [default: the current one, or the cluster of the Pod]
    #[arg(long, value_name = "NAME", help_heading = HEADING)]
    pub(in crate::cli) context: Option<String>,

    /// Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    pub(in crate::cli) kubeconfig: Option<PathBuf>,

    /// How many objects are asked for at one time; 0 asks for all
    #[arg(long, value_name = "N", default_value_t = CHUNK_SIZE, help_heading = HEADING)]
    pub(in crate::cli) chunk_size: u32,
}

/// Which namespaces are read.
#[cfg(feature = "cluster")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Scope {
    /// All of them
    All,
    /// One
    Namespace(String),
}

impl ClusterArgs {
    /// Is a cluster to be read?
    pub(in crate::cli) const fn is_given(&self) -> bool {
        self.all_namespaces
            || self.namespace.is_some()
            || self.context.is_some()
            || self.kubeconfig.is_some()
    }

    /// Which namespaces are read: as `kubectl` has it, `-A` before `-n` before that of the context. A Service that is
    /// named with its namespace, and without either flag, is read where it is.
    #[cfg(feature = "cluster")]
    pub(in crate::cli) fn scope(&self, service: Option<&str>, of_context: &str) -> Scope {
        if self.all_namespaces {
            return Scope::All;
        }
        let of_service = service.and_then(|name| name.split_once('/'));
        let of_service = of_service.map(|(namespace, _)| namespace);
        let namespace = self.namespace.as_deref().or(of_service);
        Scope::Namespace(namespace.unwrap_or(of_context).to_owned())
    }
}

/// A name that can stand in the path of a request.
pub(in crate::cli) fn is_name(name: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let ends = [name.bytes().next(), name.bytes().next_back()];
    name.len() <= 63
        && name.bytes().all(is_inner)
        && ends.iter().all(|end| end.is_some_and(|end| end != b'-'))
}

fn namespace(name: &str) -> Result<String, String> {
    if is_name(name) {
        return Ok(name.to_owned());
    }
    Err(
        "a namespace has lowercase letters, digits and `-` in its name; -A reads all of them"
            .to_owned(),
    )
}
