//! Where a command reads its objects from: one file, several files, standard input, or a cluster.

use std::io;
use std::path::{Path, PathBuf};

use slicewise::{Code, Error, Mistake};
#[cfg(not(target_family = "wasm"))]
use slicewise_cluster::list::{ClusterLists, ListOptions};
use slicewise_cluster::resource::Resource;

use crate::cluster::{ClusterArgs, HEADING, service_named};
use crate::failure::CommandFailure;
use crate::selection::Selection;
use crate::source::{from_here, named};
use crate::usage::for_names;

/// Where objects come from, and which Services are asked about.
#[derive(clap::Args)]
pub(crate) struct ServicesArgs {
    #[command(flatten)]
    origin: OriginArgs,

    /// Only this Service
    #[arg(long, value_name = "NAMESPACE/NAME")]
    service: Option<String>,

    /// Only Services with these labels, in the form of `kubectl --selector`
    #[arg(short = 'l', long, value_name = "SELECTOR", help_heading = HEADING)]
    selector: Option<String>,
}

/// Where objects come from.
#[derive(clap::Args)]
pub(crate) struct OriginArgs {
    /// JSON or YAML file; `-`, or nothing, reads standard input. With -f, or when reading a
    /// cluster, the Service: NAME, NAMESPACE/NAME or svc/NAME. -n, -A and -l read a cluster, or
    /// select from the file
    #[arg(value_name = "FILE|SERVICE")]
    subject: Option<PathBuf>,

    #[command(flatten)]
    files: FileArgs,

    /// Refuse larger inputs [default: 67108864; none for objects, and for requests that are only
    /// planned]
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
    pub(crate) fn lists(self, wanted: CommandInput) -> Result<ClusterLists, CommandFailure> {
        use std::io::IsTerminal as _;

        let arguments = self.arguments;
        let scope = arguments.scope(self.service);
        let lists = ClusterLists::open(
            arguments.wanted(scope.as_ref()),
            ListOptions {
                selector: self.selector,
                chunk_size: arguments.chunk_size,
                request_timeout: arguments.request_timeout(),
                tell: io::stderr().is_terminal().then_some(tell),
            },
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

/// Tells people at a terminal what takes time.
#[cfg(not(target_family = "wasm"))]
fn tell(what: &str) {
    use std::io::Write as _;

    // Nothing more can be done if standard error fails.
    let _ = writeln!(crate::screen::stderr(), "slicewise: {what}");
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

    /// Whether any is given.
    pub(crate) const fn is_given(&self) -> bool {
        !self.files.is_empty()
    }

    fn named(&self) -> Option<&[PathBuf]> {
        Some(self.files.as_slice()).filter(|files| !files.is_empty())
    }
}

/// The error for what shells expand `-f *.json` to.
const EACH: &str = "give each file its own -f, or their folder";

/// What is asked about.
pub(crate) struct Asked<'a> {
    /// Where to read objects from.
    pub(crate) origin: Origin<'a>,
    /// The Services of a file that are of interest.
    pub(crate) selection: Selection<'a>,
    /// The only Service of interest.
    pub(crate) service: Option<&'a str>,
}

impl ServicesArgs {
    /// The positional argument, or standard input, for inputs other than objects.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.origin.subject.as_deref()
    }

    /// The limit for the input, if any.
    pub(crate) const fn max_input_bytes(&self) -> Option<usize> {
        self.origin.max_input_bytes
    }

    /// Where to read objects from, and the Services of interest.
    ///
    /// The positional argument is a file, unless the input is given by a flag.
    ///
    /// # Errors
    /// If the Service name is invalid, or its namespace is not the one that is read.
    pub(crate) fn resolve(&self) -> Result<Asked<'_>, CommandFailure> {
        let OriginArgs { files, cluster, .. } = &self.origin;
        let (files, selector) = (files.named(), self.selector.as_deref());
        let subject = self.origin.subject.as_deref();
        let subject_named = subject.and_then(|subject| service_named(subject.to_str()?));
        let is_flagged = cluster.is_given() || selector.is_some();
        let is_file =
            files.is_none() && (!is_flagged || (subject.is_some() && subject_named.is_none()));
        let is_cluster = files.is_none() && !is_file;
        if !is_cluster && cluster.is_named() {
            let message = "--context and --kubeconfig name a cluster; to read a file, leave them out (--namespace, -A and --selector select from it)";
            return Err(Error::new(Code::InvalidValue, message).into());
        }
        let flag = self.service.as_deref();
        let flag = flag.map(|service| service_named(service).unwrap_or(service));
        let service = match (subject_named.filter(|_| !is_file), flag) {
            (Some(subject), Some(service)) if subject != service => {
                return Err(twice(subject, service).into());
            }
            (subject, service) => subject.or(service),
        };
        let service = self.origin.in_scope(service)?;
        let origin = match files {
            _ if is_cluster => Origin::Cluster(FromCluster {
                arguments: cluster,
                service,
                selector,
            }),
            Some(files) => {
                if let (Some(subject), None) = (subject, subject_named) {
                    let message = format!(
                        "`{}` is not the name of a Service: {EACH}",
                        subject.display()
                    );
                    return Err(Error::new(Code::InvalidValue, message).into());
                }
                Origin::Files(files)
            }
            None => {
                if let (Some(file), Some(service)) = (subject, subject_named) {
                    check_is_file(file, service)?;
                }
                Origin::File(subject)
            }
        };
        let selection = match is_cluster {
            true => Selection::default(),
            false => Selection::new(cluster.selected(), selector)?,
        };
        Ok(Asked {
            origin,
            selection,
            service,
        })
    }

    /// Says what to do about an unknown Service or pod: names the flag that named it, or how to ask a cluster for a Service
    /// that the arguments name beside a file.
    pub(crate) fn for_names(&self, error: Error) -> Error {
        let is_subject = self.service.is_none() && error.mistake() == Some(Mistake::ServiceName);
        if !is_subject {
            return for_names(error);
        }
        if self.origin.files.named().is_none() {
            return error;
        }
        let message = error.message();
        let end = if message.ends_with('?') { "" } else { ";" };
        let message =
            format!("{message}{end} to ask a cluster, leave the file out and give --namespace");
        Error::new(error.code(), message).known_as(Mistake::ServiceName)
    }
}

impl OriginArgs {
    /// Checks that a Service is in the namespace that is read.
    fn in_scope<'a>(&self, service: Option<&'a str>) -> Result<Option<&'a str>, Error> {
        let named = service.and_then(|service| service.split_once('/'));
        if let (Some(read), Some((namespace, _))) = (self.cluster.selected(), named)
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

/// Says how to ask a cluster, if there is no such file although it could be the name of a Service.
fn check_is_file(file: &Path, service: &str) -> Result<(), CommandFailure> {
    if named(Some(file)).is_none() || from_here(file).exists() {
        return Ok(());
    }
    let (namespace, name) = service.split_once('/').unwrap_or(("NAMESPACE", service));
    let why = format!(
        "there is no such file; to ask a cluster about the Service, write `-n {namespace} {name}`, and for one in a file, give that with -f"
    );
    let error = io::Error::new(io::ErrorKind::NotFound, why);
    Err(CommandFailure::File(
        format!("cannot open {}", file.display()),
        error,
    ))
}

fn twice(subject: &str, service: &str) -> Error {
    let message = format!(
        "two Services are named, `{subject}` and, with --service, `{service}`; name one, or none for all"
    );
    Error::new(Code::InvalidValue, message)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Shell {
        #[command(flatten)]
        of: ServicesArgs,
    }

    /// What is asked, as text.
    #[track_caller]
    fn check(arguments: &str, expected: &str) {
        let arguments = arguments.split_whitespace();
        let shell = Shell::try_parse_from(["plan"].into_iter().chain(arguments)).unwrap();
        let shown = match shell.of.resolve() {
            Ok(Asked {
                origin,
                selection,
                service,
            }) => {
                let origin = match origin {
                    Origin::File(file) => {
                        format!("file {}", file.map_or("-", |file| file.to_str().unwrap()))
                    }
                    Origin::Files(files) => format!("files {}", files.len()),
                    Origin::Cluster(_) => "cluster".to_owned(),
                };
                let selected = if selection.is_all() { "" } else { ", selected" };
                let service = service.map_or_else(String::new, |service| format!(", {service}"));
                format!("{origin}{selected}{service}")
            }
            Err(CommandFailure::Input(error)) => error.message().to_owned(),
            Err(CommandFailure::File(what, error)) => format!("{what}: {error}"),
            Err(_) => unreachable!("nothing is read"),
        };
        assert_eq!(shown, expected);
    }

    #[test]
    fn flags_of_kubectl_read_a_cluster_or_select_from_a_file() {
        check("", "file -");
        check("dump.json", "file dump.json");
        check("-n shop", "cluster");
        check("-n shop cart", "cluster, cart");
        check("-n shop svc/cart", "cluster, cart");
        check("-n shop service/shop/cart", "cluster, shop/cart");
        check("-A shop/cart", "cluster, shop/cart");
        check("-l app=cart", "cluster");
        check("--context x services/cart", "cluster, cart");
        check("dump.json -n shop", "file dump.json, selected");
        check("- -n shop --service svc/cart", "file -, selected, cart");
        check("dump.json -A", "file dump.json");
        check("dump.json -l app=cart", "file dump.json, selected");
        check("-f dump.json -n shop cart", "files 1, selected, cart");
        check("-f dump.json svc/cart", "files 1, cart");
        check("-f dump.json -A -n shop", "files 1");
    }

    #[test]
    fn what_is_neither_a_file_nor_a_service_says_what_to_write() {
        for (subject, named) in [
            ("no-such-cart", "-n NAMESPACE no-such-cart"),
            ("svc/no-such-cart", "-n NAMESPACE no-such-cart"),
            ("shop/no-such-cart", "-n shop no-such-cart"),
        ] {
            check(
                subject,
                &format!(
                    "cannot open {subject}: there is no such file; to ask a cluster about the Service, write `{named}`, and for one in a file, give that with -f"
                ),
            );
        }
        check(
            "-f a.json b.json",
            "`b.json` is not the name of a Service: give each file its own -f, or their folder",
        );
        check(
            "dump.json --context x",
            "--context and --kubeconfig name a cluster; to read a file, leave them out (--namespace, -A and --selector select from it)",
        );
        check(
            "-n shop bank/cart",
            "`bank/cart` is not in namespace shop, which --namespace selects; leave that out",
        );
        check(
            "-f dump.json cart --service shop/cart",
            "two Services are named, `cart` and, with --service, `shop/cart`; name one, or none for all",
        );
    }
}
