//! `slicewise route`: which endpoints a node uses, and why.

use std::io::{self, Write};

use serde::Serialize;
use slicewise::api::Warning;
use slicewise::kubernetes::KubernetesVersion;
use slicewise::model::AddressType;
use slicewise::{Code, Error};
use slicewise_traffic::proxy::Topology;
use slicewise_traffic::routing::UnreadSlice;
use slicewise_traffic::{NamedService, Route, RouteAnswer, RouteOptions, with_route};

use crate::arena::Arena;
use crate::failure::CommandFailure;
use crate::input::{CHECKED, TRAFFIC_OBJECTS};
use crate::notes::{self, Notes};
use crate::origin::CommandInput;
use crate::origin::ServicesArgs;
use crate::pager::PagerArgs;
use crate::print;
use crate::print::ReportOutput;
use crate::proxy::FamilyArgument;
use crate::screen::Screen;
use crate::stream::{self, Begun};
use slicewise_cluster::resource::{BESIDE_TRAFFIC, OF_TRAFFIC};

const WANTED: CommandInput = CommandInput {
    command: "route",
    what_to_give: TRAFFIC_OBJECTS,
    resources: OF_TRAFFIC,
    besides: BESIDE_TRAFFIC,
};

/// The input is recognized by its content: a request (`{"service": …, "slices": […], "node": {…}}`), or Kubernetes objects as
/// `kubectl get services,endpointslices,nodes -A -o json` (or yaml) prints them.
#[derive(clap::Args)]
pub(crate) struct RouteArgs {
    #[command(flatten)]
    of: ServicesArgs,

    /// The node whose view to compute; a request may name it itself
    #[arg(long, value_name = "NAME")]
    node: Option<String>,

    /// Labels of the node, overriding the input; only its zone matters
    #[arg(long, value_name = "KEY=VALUE", value_delimiter = ',', value_parser = crate::proxy::label)]
    node_labels: Vec<(String, String)>,

    #[command(flatten)]
    view: ViewArgs,
}

/// What `route` and `traffic` have in common.
#[derive(clap::Args)]
pub(crate) struct ViewArgs {
    /// The address family [default: the Service's first; IPv4 for several Services]
    #[arg(long, value_enum, value_name = "FAMILY", ignore_case = true)]
    address_type: Option<FamilyArgument>,

    /// The version of Kubernetes whose kube-proxy reads slices [default: 1.37]
    #[arg(long, value_name = "VERSION", value_parser = crate::options::kubernetes())]
    pub(crate) kubernetes: Option<KubernetesVersion>,

    /// kube-proxy also follows hints for nodes [default: true]
    #[arg(long, value_name = "BOOL")]
    pub(crate) prefer_same_traffic_distribution: Option<bool>,

    /// How to print the answer
    #[arg(short, long, value_enum, default_value_t = ReportOutput::Table)]
    output: ReportOutput,

    #[command(flatten)]
    pager: PagerArgs,
}

impl ViewArgs {
    /// The requested address family.
    pub(crate) fn address_type(&self) -> Option<AddressType> {
        self.address_type.map(FamilyArgument::address_type)
    }

    /// Prints an answer in the requested format; `table` writes the one for people. The other formats have what the input
    /// lacks among their data, so it is printed to standard error, too.
    pub(crate) fn print<T: Serialize>(
        &self,
        answer: &T,
        warnings: &[Warning],
        table: impl FnOnce(&T, &mut Screen<Vec<u8>>) -> io::Result<()>,
    ) -> Result<(), CommandFailure> {
        const WHAT: &str = "the answer";
        if self.output != ReportOutput::Table {
            Notes::new(warnings, Vec::new()).tell(&[]);
        }
        match self.output {
            ReportOutput::Table => self.pager.show(WHAT, |output| table(answer, output)),
            ReportOutput::Json => print::to_stdout(WHAT, |output| print::json(answer, output)),
            ReportOutput::Yaml => print::to_stdout(WHAT, |output| print::yaml(answer, output)),
        }
    }
}

pub(crate) fn run(arguments: &RouteArgs) -> Result<u8, CommandFailure> {
    let (begun, service) = stream::open_services(&arguments.of, WANTED)?;
    let mut options = RouteOptions::default();
    options.node.clone_from(&arguments.node);
    options.zone = crate::proxy::zone(&arguments.node_labels);
    options.service = service.map(ToOwned::to_owned);
    options.address_type = arguments.view.address_type();
    options.kubernetes = arguments.view.kubernetes;
    options.prefer_same_traffic_distribution = arguments.view.prefer_same_traffic_distribution;
    let for_flags = |error| for_flags(error, &arguments.of);
    let answer = match begun {
        Begun::Request(input) => {
            let answer = with_route(input.json(), &options, CHECKED);
            answer.map_err(|error| input.placed(for_flags(error)))?
        }
        Begun::Objects(pieces) => {
            options.node_of_objects().map_err(for_flags)?;
            let arena = Arena::default();
            let objects = pieces.read_traffic(&arena, None)?;
            objects.route(&options).map_err(for_flags)?
        }
    };
    arguments.view.print(&answer, &answer.warnings, write)?;
    Ok(0)
}

/// Adds the flag that fixes the error.
fn for_flags(error: Error, of: &ServicesArgs) -> Error {
    match (error.code(), error.path()) {
        (Code::MissingField, None) => {
            let message = "--node: name the node whose view to compute";
            Error::new(Code::MissingField, message)
        }
        _ => of.for_names(error),
    }
}

/// Prints what the input lacks before the tables.
pub(crate) fn write_warnings(warnings: &[Warning], output: &mut impl Write) -> io::Result<()> {
    let lines = notes::warnings(warnings);
    for line in &lines {
        writeln!(output, "{line}")?;
    }
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(output)
}

/// The Services that kube-proxy does not serve, each preceded by a separator.
pub(crate) fn write_not_proxied(
    others: &[NamedService],
    is_first: bool,
    output: &mut impl Write,
) -> io::Result<()> {
    for (number, other) in others.iter().enumerate() {
        if number > 0 || !is_first {
            writeln!(output)?;
        }
        writeln!(output, "{}", other.service)?;
        writeln!(output, "  not proxied: {}", other.message)?;
    }
    Ok(())
}

/// The slices that were ignored.
pub(crate) fn write_unread(unread: &[UnreadSlice], output: &mut impl Write) -> io::Result<()> {
    for (number, other) in unread.iter().enumerate() {
        if number == 0 {
            writeln!(output)?;
            writeln!(output, "not read")?;
        }
        writeln!(output, "  - {}: {}", other.service, other.message)?;
    }
    Ok(())
}

/// The endpoints that a node uses for a port.
pub(crate) fn write_endpoints(route: &Route, output: &mut impl Write) -> io::Result<()> {
    let topology = match route.topology {
        Topology::PreferSameZone => " (same zone)",
        Topology::PreferSameNode => " (same node)",
        _ => "",
    };
    let list = |endpoints: &[String]| match endpoints {
        [] => "-".to_owned(),
        endpoints => endpoints.join(" "),
    };
    writeln!(output, "  cluster    {}{topology}", list(&route.cluster))?;
    writeln!(output, "  local      {}", list(&route.local))?;
    writeln!(output, "  reachable  {}", list(&route.reachable))
}

fn write(answer: &RouteAnswer, output: &mut impl Write) -> io::Result<()> {
    write_warnings(&answer.warnings, output)?;
    let zone = match answer.zone.as_str() {
        "" => "without a zone".to_owned(),
        zone => format!("in zone {zone}"),
    };
    writeln!(
        output,
        "node {} {zone}, {}",
        answer.node,
        answer.address_type.as_str()
    )?;
    for (name, route) in answer.routes.iter() {
        writeln!(output)?;
        writeln!(output, "{name}")?;
        write_endpoints(&route.route, output)?;
        for rule in &route.rules {
            writeln!(output, "  - {}", rule.message)?;
        }
    }
    write_not_proxied(&answer.not_proxied, false, output)?;
    write_unread(&answer.unread, output)
}
