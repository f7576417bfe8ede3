//! `slicewise proxy`: how kube-proxy interprets Services and slices, line by line.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use slicewise::api::Limits;
use slicewise::api::options::check_prefer_same;
use slicewise::kubernetes::KubernetesVersion;
use slicewise::model::{AddressType, Timestamp, keys};
use slicewise_traffic::proxy::{Proxier, ProxierSettings};
use slicewise_traffic::{ProxyStream, Route};

use crate::failure::CommandFailure;
use crate::route::write_endpoints;
use crate::{ndjson, screen, source};

/// The question that brings the endpoints up to date.
const SYNC: &[u8] = br#"{"sync": "endpoints"}"#;

const LINES: &str = "\
Each line is a watch event for a Service, EndpointSlice or Node, or a question; docs/traffic.md has every field:
  {\"type\": \"ADDED|MODIFIED|DELETED\", \"object\": {…}}
      an object was added, changed or removed
  {\"sync\": true}
      what has changed, all endpoints, and those this node uses
  {\"sync\": \"endpoints\"}
      the same without those this node uses
  {\"sync\": {\"conntrack\": [{\"protocol\": \"UDP\", \"origin\": {\"src\": …, \"dst\": …, \"srcPort\": …, \"dstPort\": …}, \"reply\": {…}}]}}
      and which of these flows are stale";

/// Reads watch events for Services, EndpointSlices and Nodes; at the end, prints who gets traffic. As a stream, prints that on
/// request, and what has changed.
#[derive(clap::Args)]
#[command(after_long_help = LINES)]
pub(crate) struct ProxyArgs {
    /// JSON lines; `-`, or nothing, reads standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Read and write JSON lines as a stream
    #[arg(long)]
    ndjson: bool,

    /// The node whose view to compute
    #[arg(long, value_name = "NAME")]
    node: String,

    /// Labels of the node until a Node object provides them; only its zone matters
    #[arg(long, value_name = "KEY=VALUE", value_delimiter = ',', value_parser = label)]
    node_labels: Vec<(String, String)>,

    /// The version of Kubernetes that the proxy is of [default: 1.37]
    #[arg(long, value_name = "VERSION", value_parser = crate::options::kubernetes())]
    kubernetes: Option<KubernetesVersion>,

    /// Also follow hints for nodes
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    prefer_same_traffic_distribution: bool,

    /// The address family to serve
    #[arg(long, value_enum, value_name = "FAMILY", default_value_t = FamilyArgument::IPv4, ignore_case = true)]
    address_type: FamilyArgument,

    /// Only report trigger times after this time, RFC 3339 [default: report all]
    #[arg(long, value_name = "TIME", value_parser = time)]
    started: Option<Timestamp>,

    /// Refuse longer lines
    #[arg(long, value_name = "BYTES", default_value_t = slicewise::api::MAX_INPUT_BYTES)]
    max_input_bytes: usize,
}

/// The zone among the labels; the last if there are several.
pub(crate) fn zone(labels: &[(String, String)]) -> Option<String> {
    let mut labels = labels.iter().rev();
    let zone = labels.find(|(key, _)| key == keys::ZONE_LABEL);
    zone.map(|(_, value)| value.clone())
}

/// An address family.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FamilyArgument {
    /// IPv4
    #[value(name = "IPv4")]
    IPv4,
    /// IPv6
    #[value(name = "IPv6")]
    IPv6,
}

impl FamilyArgument {
    /// Its name in slices.
    pub(crate) const fn address_type(self) -> AddressType {
        match self {
            Self::IPv4 => AddressType::IPv4,
            Self::IPv6 => AddressType::IPv6,
        }
    }
}

/// Parses a label.
pub(crate) fn label(text: &str) -> Result<(String, String), String> {
    text.split_once('=')
        .filter(|(key, _)| !key.is_empty())
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .ok_or_else(|| "write labels as key=value,key=value".to_owned())
}

fn time(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text).ok_or_else(|| "write it like 2026-01-02T03:04:05Z (RFC 3339)".to_owned())
}

pub(crate) fn run(arguments: &ProxyArgs) -> Result<u8, CommandFailure> {
    let mut settings = ProxierSettings::on_node(arguments.node.as_str());
    settings.address_type = arguments.address_type.address_type();
    settings.started = arguments.started;
    settings.zone = zone(&arguments.node_labels).unwrap_or_default();
    let asked = arguments.prefer_same_traffic_distribution;
    settings.prefer_same_traffic_distribution =
        check_prefer_same(arguments.kubernetes, Some(asked), "")?;
    settings.kubernetes = arguments.kubernetes.unwrap_or_default();
    let limits = Limits::new(arguments.max_input_bytes);
    let source = source::open(arguments.file.as_deref(), "proxy")?;
    let mut lines = io::BufReader::new(source);
    let mut output = screen::stdout();
    let mut stream = ProxyStream::new(settings);
    let code = if arguments.ndjson {
        ndjson::run(&mut lines, &mut output, limits, |line, output| {
            stream.feed(line, limits, output)
        })?
    } else {
        feed(&mut stream, lines, limits)?;
        write_state(stream.proxier(), &mut output)
            .map_err(CommandFailure::io("cannot write the answer"))?;
        0
    };
    output
        .flush()
        .map_err(CommandFailure::io("cannot write the answer"))?;
    Ok(code)
}

/// Takes all lines; what they ask is not answered.
fn feed(
    stream: &mut ProxyStream,
    lines: impl BufRead,
    limits: Limits,
) -> Result<(), CommandFailure> {
    let mut ignored = Vec::new();
    for (number, line) in lines.split(b'\n').enumerate() {
        let line = line.map_err(CommandFailure::io("cannot read the input"))?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let fed = stream.feed(&line, limits, &mut ignored);
        fed.map_err(|error| error.in_line(number + 1))?;
        ignored.clear();
    }
    Ok(stream.feed(SYNC, limits, &mut ignored)?)
}

/// Where everything goes now.
fn write_state(proxier: &Proxier, output: &mut impl Write) -> io::Result<()> {
    let mut is_first = true;
    for (name, _) in proxier.service_ports() {
        let Some(categories) = proxier.route(&name) else {
            continue;
        };
        if !std::mem::take(&mut is_first) {
            writeln!(output)?;
        }
        writeln!(output, "{name}")?;
        write_endpoints(&Route::of(&categories), output)?;
    }
    match is_first {
        true => writeln!(output, "no Service has a port that is proxied"),
        false => Ok(()),
    }
}
