//! Where a command reads its objects from: one file, several files, standard input, or a cluster.

use std::path::{Path, PathBuf};

use slicewise::{Code, Error};
#[cfg(not(target_family = "wasm"))]
use slicewise_cluster::list::Lists;
use slicewise_cluster::resource::Resource;

use crate::cluster::{ClusterArgs, HEADING, is_service};
#[cfg(not(target_family = "wasm"))]
use crate::failure::CommandFailure;

/// Where objects come from, and which Services are asked about.
#[derive(clap::Args)]
pub(crate) struct ServicesArgs {
    #[command(flatten)]
    origin: OriginArgs,

    /// Only this Service
    #[arg(long, value_name = "NAMESPACE/NAME")]
    service: Option<String>,

    /// Only Services with these labels of the cluster, in the form of `kubectl --selector`
    #[arg(short = 'l', long, value_name = "SELECTOR", help_heading = HEADING)]
    selector: Option<String>,
}

/// Where objects come from.
#[derive(clap::Args)]
pub(crate) struct OriginArgs {
    /// JSON or YAML file; `-`, or nothing, reads standard input. With -f, or when reading a
    /// cluster, the Service
    #[arg(value_name = "FILE|SERVICE")]
    subject: Option<PathBuf>,

    #[command(flatten)]
    files: FileArgs,

    /// Refuse larger inputs [default: 67108864; none for objects]
    #[arg(long, value_name = "BYTES")]
    max_input_bytes: Option<usize>,

    #[command(flatten)]
    cluster: ClusterArgs,
}

/// Files named as in `kubectl`.
#[derive(clap::Args)]
pub(crate) struct FileArgs {
    /// Read this JSON or YAML file, or all files in this folder; `-` is standard input; can be
    /// repeated
    #[arg(short, long = "filename", value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// What a subcommand reads.
#[derive(Clone, Copy)]
pub(crate) struct CommandInput {
    /// The subcommand.
    pub(crate) command: &'static str,
    /// What to pass it, for the message to users who passed something else.
    pub(crate) what_to_give: &'static str,
    /// The resources it reads from a cluster.
    pub(crate) resources: &'static [Resource],
    /// The optional resources, read if permitted.
    #[cfg_attr(
        target_family = "wasm",
        allow(dead_code, reason = "such a build refuses to read a cluster")
    )]
    pub(crate) besides: &'static [Resource],
}

/// Where objects come from.
#[cfg_attr(
    target_family = "wasm",
    allow(dead_code, reason = "such a build refuses to read a cluster")
)]
#[derive(Clone, Copy)]
pub(crate) enum Origin<'a> {
    /// A file, or standard input.
    File(Option<&'a Path>),
    /// Files and folders.
    Files(&'a [PathBuf]),
    /// A cluster.
    Cluster(FromCluster<'a>),
}

/// What to read of a cluster.
#[cfg_attr(
    target_family = "wasm",
    allow(dead_code, reason = "such a build refuses to read a cluster")
)]
#[derive(Clone, Copy)]
pub(crate) struct FromCluster<'a> {
    /// The cluster and its namespaces.
    pub(crate) arguments: &'a ClusterArgs,
    /// The Service of interest: its namespace is read, unless another one is named.
    pub(crate) service: Option<&'a str>,
    /// The labels of Services.
    pub(crate) selector: Option<&'a str>,
}

impl<'a> FromCluster<'a> {
    /// Everything at the origin.
    pub(crate) const fn all(arguments: &'a ClusterArgs) -> Self {
        Self {
            arguments,
            service: None,
            selector: None,
        }
    }

    /// Prepares the lists to read.
    ///
    /// # Errors
    /// If the cluster cannot be reached.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn lists(self, wanted: CommandInput) -> Result<Lists, CommandFailure> {
        let arguments = self.arguments;
        let scope = arguments.scope(self.service);
        let lists = Lists::open(
            arguments.wanted(scope.as_ref()),
            self.selector,
            arguments.chunk_size,
            wanted.resources,
            wanted.besides,
        );
        lists.map_err(|error| match error {
            // Unlike commands that follow a cluster, these need none.
            slicewise_cluster::Error::NoCluster(message) => {
                CommandFailure::Cluster(format!("{message}, or read a file instead"))
            }
            other => other.into(),
        })
    }
}

impl FileArgs {
    /// The files given with `-f`, or the positional one.
    ///
    /// # Errors
    /// If both are given.
    pub(crate) fn origin<'a>(&'a self, alone: Option<&'a Path>) -> Result<Origin<'a>, Error> {
        match (self.named(), alone) {
            (None, alone) => Ok(Origin::File(alone)),
            (Some(files), None) => Ok(Origin::Files(files)),
            (Some(_), Some(alone)) => {
                let message = format!(
                    "`{}` is given together with --filename: {EACH}",
                    alone.display()
                );
                Err(Error::new(Code::InvalidValue, message))
            }
        }
    }

    fn named(&self) -> Option<&[PathBuf]> {
        Some(self.files.as_slice()).filter(|files| !files.is_empty())
    }
}

/// The error for what shells expand `-f *.json` to.
const EACH: &str = "give each file its own -f, or their folder";

impl ServicesArgs {
    /// The positional argument, or standard input, for inputs other than objects.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.origin.file()
    }

    /// The limit for the input, if any.
    pub(crate) const fn max_input_bytes(&self) -> Option<usize> {
        self.origin.max_input_bytes()
    }

    /// Where to read objects from, and the Service of interest.
    ///
    /// # Errors
    /// As for [`OriginArgs::resolve`].
    pub(crate) fn resolve(&self) -> Result<(Origin<'_>, Option<&str>), Error> {
        let (service, selector) = (self.service.as_deref(), self.selector.as_deref());
        self.origin.resolve(service, selector)
    }
}

impl OriginArgs {
    /// The positional argument, or standard input, for inputs other than objects.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.subject.as_deref()
    }

    /// The limit for the input, if any.
    pub(crate) const fn max_input_bytes(&self) -> Option<usize> {
        self.max_input_bytes
    }

    /// Where to read objects from, and the Service of interest. `service` and `selector` are the values of those flags.
    ///
    /// The positional argument is a file, unless the input is given by a flag.
    ///
    /// # Errors
    /// If the Service name is invalid, or its namespace is not the one that is read.
    pub(crate) fn resolve<'a>(
        &'a self,
        service: Option<&'a str>,
        selector: Option<&'a str>,
    ) -> Result<(Origin<'a>, Option<&'a str>), Error> {
        let files = self.files.named();
        let is_cluster = self.cluster.is_given() || selector.is_some();
        if files.is_none() && !is_cluster {
            return Ok((Origin::File(self.file()), service));
        }
        if files.is_some() && is_cluster {
            let message = "--filename reads files, and --namespace, -A, --selector, --context and --kubeconfig read a cluster; use one or the other";
            return Err(Error::new(Code::InvalidValue, message));
        }
        let service = match (self.subject(files.is_some())?, service) {
            (Some(subject), Some(service)) if subject != service => {
                return Err(twice(subject, service));
            }
            (subject, service) => subject.or(service),
        };
        let origin = match files {
            Some(files) => Origin::Files(files),
            None => Origin::Cluster(FromCluster {
                arguments: &self.cluster,
                service: self.in_scope(service)?,
                selector,
            }),
        };
        Ok((origin, service))
    }

    /// The Service named by the positional argument.
    fn subject(&self, has_files: bool) -> Result<Option<&str>, Error> {
        let Some(subject) = &self.subject else {
            return Ok(None);
        };
        let name = subject.to_str().unwrap_or_default();
        if is_service(name) {
            return Ok(Some(name));
        }
        let mend = if has_files {
            EACH
        } else {
            "--namespace, -A, --selector, --context and --kubeconfig read a cluster; to read a file, leave them out"
        };
        let message = format!(
            "`{}` is not the name of a Service: {mend}",
            subject.display()
        );
        Err(Error::new(Code::InvalidValue, message))
    }

    /// Checks that a Service is in the namespace that is read.
    fn in_scope<'a>(&self, service: Option<&'a str>) -> Result<Option<&'a str>, Error> {
        let read = self.cluster.namespace.as_deref();
        let named = service.and_then(|service| service.split_once('/'));
        if let (Some(read), Some((namespace, _)), false) =
            (read, named, self.cluster.all_namespaces)
            && read != namespace
        {
            let message = format!(
                "`{}` is not in namespace {read}, which --namespace selects; leave that out",
                service.unwrap_or_default()
            );
            return Err(Error::new(Code::InvalidValue, message));
        }
        Ok(service)
    }
}

fn twice(subject: &str, service: &str) -> Error {
    let message = format!(
        "two Services are named, `{subject}` and, with --service, `{service}`; name one, or none for all"
    );
    Error::new(Code::InvalidValue, message)
}
