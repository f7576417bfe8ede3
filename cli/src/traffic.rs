//! `slicewise traffic`: which endpoints serve which clients.

use std::collections::BTreeMap;
use std::io::{self, Write};

use slicewise::words::{counted, percent};
use slicewise_traffic::routing::{ClientSelector, PortTraffic, ReaderBasis, SliceReader};
use slicewise_traffic::{TrafficAnswer, TrafficOptions, with_traffic};

use crate::arena::Arena;
use crate::failure::CommandFailure;
use crate::input::{CHECKED, OBJECTS, TRAFFIC_OBJECTS};
use crate::origin::CommandInput;
use crate::origin::ServicesArgs;
use crate::route::{ViewArgs, write_not_proxied, write_unread, write_warnings};
use crate::stream::{self, Begun};
use slicewise_cluster::resource::{BESIDE_TRAFFIC, OF_EXPLANATIONS, OF_TRAFFIC};

const WANTED: CommandInput = CommandInput {
    command: "traffic",
    what_to_give: TRAFFIC_OBJECTS,
    resources: OF_TRAFFIC,
    besides: BESIDE_TRAFFIC,
};

/// The input is recognized by its content: a request (`{"service": …, "slices": […], "nodes": […]}`), or Kubernetes objects as
/// `kubectl get services,endpointslices,nodes -A -o json` (or yaml) prints them.
#[derive(clap::Args)]
pub(crate) struct TrafficArgs {
    #[command(flatten)]
    of: ServicesArgs,

    /// The consumer of the slices [default: kube-proxy]
    #[arg(long, value_name = "NAME", value_parser = SliceReader::ALL.map(SliceReader::name))]
    reader: Option<String>,

    /// Client pods that requests come from [default: requests from nodes, by CPU]
    #[arg(long, value_name = "[NAMESPACE/]SELECTOR")]
    clients: Option<String>,

    #[command(flatten)]
    view: ViewArgs,
}

pub(crate) fn run(arguments: &TrafficArgs) -> Result<u8, CommandFailure> {
    let mut options = TrafficOptions::default();
    let clients = arguments.clients.as_deref().map(ClientSelector::parse);
    options.clients = clients
        .transpose()
        .map_err(|error| arguments.of.for_names(error))?;
    let wanted = match options.clients {
        Some(_) => CommandInput {
            resources: OF_EXPLANATIONS,
            what_to_give: OBJECTS,
            ..WANTED
        },
        None => WANTED,
    };
    let (begun, service) = stream::open_services(&arguments.of, wanted)?;
    let reader = arguments.reader.as_deref();
    options.reader = reader.and_then(|name| name.parse().ok());
    options.service = service.map(ToOwned::to_owned);
    options.address_type = arguments.view.address_type();
    options.kubernetes = arguments.view.kubernetes;
    options.prefer_same_traffic_distribution = arguments.view.prefer_same_traffic_distribution;
    let answer = match begun {
        Begun::Request(input) => {
            let answer = with_traffic(input.json(), &options, CHECKED);
            answer.map_err(|error| input.placed(arguments.of.for_names(error)))?
        }
        Begun::Objects(pieces) => {
            let arena = Arena::default();
            let objects = pieces.read_traffic(&arena, options.clients.as_ref())?;
            objects
                .traffic(&options)
                .map_err(|error| arguments.of.for_names(error))?
        }
    };
    arguments.view.print(&answer, &answer.warnings, write)?;
    Ok(0)
}

fn write(answer: &TrafficAnswer, output: &mut impl Write) -> io::Result<()> {
    write_warnings(&answer.warnings, output)?;
    if !answer.ports.is_empty() {
        writeln!(output, "{}", answer.assumption)?;
        writeln!(output)?;
    }
    for (number, port) in answer.ports.iter().enumerate() {
        if number > 0 {
            writeln!(output)?;
        }
        let family = answer.address_type.as_str();
        let (name, reader) = (&port.service_port, answer.reader.name());
        let basis = match answer.basis {
            ReaderBasis::Documentation => ", by its documentation",
            _ => "",
        };
        writeln!(output, "{name} {family}, read by {reader}{basis}")?;
        write_port(answer, port, output)?;
    }
    write_not_proxied(&answer.not_proxied, answer.ports.is_empty(), output)?;
    write_unread(&answer.unread, output)
}

fn write_port(
    answer: &TrafficAnswer,
    port: &PortTraffic,
    output: &mut impl Write,
) -> io::Result<()> {
    writeln!(
        output,
        "  {} from zone to zone, {} unserved, busiest endpoint {} above its share",
        match port.cross_zone {
            Some(part) => percent(part, 1),
            None if port.unserved > 0.9995 => "nothing".to_owned(),
            None => "an unknown part".to_owned(),
        },
        percent(port.unserved, 1),
        percent(port.overload, 1)
    )?;
    let mut clients: BTreeMap<(&str, &str, usize), usize> = BTreeMap::new();
    for group in &port.groups {
        for node in group
            .nodes
            .iter()
            .filter_map(|place| answer.nodes.get(*place))
        {
            let key = (node.zone.as_str(), group.rule.as_str(), group.uses.len());
            *clients.entry(key).or_default() += 1;
        }
    }
    for ((zone, rule, endpoints), nodes) in clients {
        let (nodes, endpoints) = (counted(nodes, "node"), counted(endpoints, "endpoint"));
        writeln!(
            output,
            "  {nodes} in {}: {endpoints}, {rule}",
            zone_name(zone)
        )?;
    }
    write_zones(port, output)?;
    for endpoint in &port.endpoints {
        writeln!(
            output,
            "  {} in {}: {}, {} its share",
            endpoint.endpoint,
            zone_name(&endpoint.zone),
            percent(endpoint.share, 1),
            match endpoint.overload {
                above if above > 0.0005 => format!("{} above", percent(above, 1)),
                below if below < -0.0005 => format!("{} below", percent(-below, 1)),
                _ => "just".to_owned(),
            }
        )?;
    }
    Ok(())
}

/// The zone matrix: a line per client zone, a column per endpoint zone.
fn write_zones(port: &PortTraffic, output: &mut impl Write) -> io::Result<()> {
    let to = port.zones.iter().flat_map(|zone| &zone.to);
    let columns: std::collections::BTreeSet<&str> = to.map(|share| share.zone.as_str()).collect();
    if columns.is_empty() {
        return Ok(());
    }
    let from = port
        .zones
        .iter()
        .map(|zone| zone_name(&zone.from).chars().count());
    let first = from.max().unwrap_or_default().max("from \\ to".len());
    write!(output, "  {:first$}", "from \\ to")?;
    for zone in &columns {
        write!(output, "  {:>6}", zone_name(zone))?;
    }
    writeln!(output)?;
    for zone in &port.zones {
        write!(output, "  {:first$}", zone_name(&zone.from))?;
        for column in &columns {
            let share = zone.to.iter().find(|share| share.zone == **column);
            let width = zone_name(column).chars().count().max(6);
            write!(
                output,
                "  {:>width$}",
                percent(share.map_or(0.0, |share| share.share), 1)
            )?;
        }
        writeln!(output)?;
    }
    Ok(())
}

fn zone_name(zone: &str) -> &str {
    if zone.is_empty() { "no zone" } else { zone }
}
