//! `slicewise route`: which endpoints a node uses, and why.

use std::io::{self, Write};
use std::path::PathBuf;

use slicewise::api::{self, NotProxied, RouteAnswer, RouteOptions};
use slicewise::proxy::Topology;
use slicewise::{Code, Error};

use super::args::ReportOutput;
use super::input::{CHECKED, Input, TRAFFIC_OBJECTS};
use super::proxy::Family;
use super::{Failure, print};

/// Input is told by its content: a request (`{"service": …, "slices": […], "node": {…}}`), or Kubernetes objects as
/// `kubectl get services,endpointslices,nodes -A -o json` (or yaml) prints them.
#[derive(clap::Args)]
pub(super) struct RouteArgs {
    /// JSON or YAML file; `-`, or nothing, reads standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// The node whose view is wanted; a request may name it itself
    #[arg(long, value_name = "NAME")]
    node: Option<String>,

    /// Labels of the node, whatever the input says; its zone is what counts
    #[arg(long, value_name = "KEY=VALUE", value_delimiter = ',', value_parser = super::proxy::label)]
    node_labels: Vec<(String, String)>,

    /// Only this Service
    #[arg(long, value_name = "NAMESPACE/NAME")]
    service: Option<String>,

    /// The address family [default: the Service's first; IPv4 of several Services]
    #[arg(long, value_enum, value_name = "FAMILY", ignore_case = true)]
    address_type: Option<Family>,

    /// Look at hints for nodes, too [default: true]
    #[arg(long, value_name = "BOOL")]
    prefer_same_traffic_distribution: Option<bool>,

    /// How to print the answer
    #[arg(short, long, value_enum, default_value_t = ReportOutput::Table)]
    output: ReportOutput,

    /// Refuse larger inputs
    #[arg(long, value_name = "BYTES", default_value_t = slicewise::api::MAX_INPUT_BYTES)]
    max_input_bytes: usize,
}

pub(super) fn run(arguments: &RouteArgs) -> Result<u8, Failure> {
    let file = arguments.file.as_deref();
    let input = Input::open(file, "route", arguments.max_input_bytes, TRAFFIC_OBJECTS)?;
    let options = RouteOptions {
        node: arguments.node.clone(),
        zone: super::proxy::zone(&arguments.node_labels),
        address_type: arguments.address_type.map(Family::address_type),
        prefer_same_traffic_distribution: arguments.prefer_same_traffic_distribution,
    };
    let answer = api::with_route(input.json(), &options, CHECKED);
    let mut answer = answer.map_err(|error| input.placed(for_flags(error)))?;
    if let Some(service) = &arguments.service {
        answer = only(answer, service)?;
    }
    print::to_stdout("the answer", |output| match arguments.output {
        ReportOutput::Table => write(&answer, output),
        ReportOutput::Json => print::json(&answer, output),
        ReportOutput::Yaml => print::yaml(&answer, output),
    })?;
    Ok(0)
}

/// What is missing can be given by a flag.
fn for_flags(error: Error) -> Error {
    match (error.code(), error.path()) {
        (Code::MissingField, None) => {
            let message = "--node: name the node whose view is wanted";
            Error::new(Code::MissingField, message)
        }
        _ => error,
    }
}

fn only(mut answer: RouteAnswer, service: &str) -> Result<RouteAnswer, Error> {
    let is_it = |name: &str| {
        let rest = name.strip_prefix(service);
        rest.is_some_and(|rest| rest.starts_with([':', '/']))
    };
    answer.routes.retain(|name| is_it(name));
    answer.not_proxied.retain(|other| other.service == service);
    if answer.routes.is_empty() && answer.not_proxied.is_empty() {
        let message = format!(
            "--service: there is no Service `{service}` in the input; write it like `shop/cart`"
        );
        return Err(Error::new(Code::InvalidValue, message));
    }
    Ok(answer)
}

fn write(answer: &RouteAnswer, output: &mut impl Write) -> io::Result<()> {
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
        writeln!(output, "\n{name}")?;
        let topology = match route.route.topology {
            Topology::None => "",
            Topology::PreferSameZone => " (same zone)",
            Topology::PreferSameNode => " (same node)",
        };
        let list = |endpoints: &[String]| match endpoints {
            [] => "-".to_owned(),
            endpoints => endpoints.join(" "),
        };
        writeln!(
            output,
            "  cluster    {}{topology}",
            list(&route.route.cluster)
        )?;
        writeln!(output, "  local      {}", list(&route.route.local))?;
        writeln!(output, "  reachable  {}", list(&route.route.reachable))?;
        for rule in &route.rules {
            writeln!(output, "  - {}", rule.message)?;
        }
    }
    for other in &answer.not_proxied {
        let why = match other.rule {
            NotProxied::Headless => "is headless: clients find its endpoints by DNS",
            NotProxied::ExternalName => "is a name for another host",
            NotProxied::NoPorts => "has no ports",
            _ => "has no address of this family",
        };
        writeln!(output, "\n{}\n  not proxied: it {why}", other.service)?;
    }
    Ok(())
}
