//! `slicewise upgrade`: what another version of Kubernetes changes.

use std::io::{self, Write};

use slicewise::kubernetes::KubernetesVersion;
use slicewise::words::{counted, percent};
use slicewise_diagnosis::UpgradeQuestion;
use slicewise_diagnosis::upgrade::{
    NodesUpgrade, PlannedWrites, PortUpgrade, ServiceUpgrade, Upgrade, UsedEndpoints,
};

use crate::arena::Arena;
use crate::diff::write_difference;
use crate::failure::CommandFailure;
use crate::input::{CHECKED, OBJECTS};
use crate::notes;
use crate::options::{OptionArgs, kubernetes};
use crate::origin::{CommandInput, ServicesArgs};
use crate::pager::PagerArgs;
use crate::print::{self, ReportOutput};
use crate::route::write_warnings;
use crate::screen::Screen;
use crate::stream::{self, Begun};
use slicewise_cluster::resource::OF_PLANS;

const WANTED: CommandInput = CommandInput {
    command: "upgrade",
    what_to_give: OBJECTS,
    resources: OF_PLANS,
    besides: &[],
};

/// The exit code if anything changes.
const CHANGED: u8 = 1;
/// More nodes or endpoints than these are counted.
const FEW: usize = 3;

macro_rules! upgrade_exit_codes {
    () => {
        "\
Exit codes:
  0  nothing changes for these objects and settings
  1  something changes, or an I/O error while writing
  2  bad input or usage, or a file that cannot be read"
    };
}

/// The input is recognized by its content, as in `slicewise plan`. For each Service that changes it prints what both versions would write, how the
/// slices differ afterwards, and which nodes kube-proxy then sends elsewhere; then settings that stop working, values that API
/// servers refuse, renamed metrics, and all other differences of the two versions. --kubernetes names the version to come from.
#[derive(clap::Args)]
#[command(after_help = upgrade_exit_codes!())]
pub(crate) struct UpgradeArgs {
    #[command(flatten)]
    of: ServicesArgs,

    /// The version of Kubernetes to go to
    #[arg(long, value_name = "VERSION", value_parser = kubernetes())]
    to: KubernetesVersion,

    /// How to print the differences
    #[arg(short, long, value_enum, default_value_t = ReportOutput::Table)]
    output: ReportOutput,

    #[command(flatten)]
    pager: PagerArgs,

    #[command(flatten)]
    options: OptionArgs,
}

pub(crate) fn run(arguments: &UpgradeArgs) -> Result<u8, CommandFailure> {
    let (begun, service) = stream::open_services(&arguments.of, WANTED)?;
    let mut question = UpgradeQuestion::default();
    question.to = Some(arguments.to);
    question.service = service.map(Into::into);
    question.options = arguments.options.options();
    let show = |upgrade: &Upgrade<'_>| print(upgrade, arguments);
    let compared = match begun {
        Begun::Request(input) => {
            let compared =
                slicewise_diagnosis::with_upgrade(input.json(), &question, CHECKED, show);
            compared.map_err(|error| input.placed(arguments.of.for_names(error)))?
        }
        Begun::Objects(pieces) => {
            let (arena, mut details) = (Arena::default(), Arena::default());
            let objects = pieces.read(&arena, Some(&mut details))?;
            let compared = objects.with_upgrade(&question, show);
            compared.map_err(|error| arguments.of.for_names(error))?
        }
    };
    compared.map(|changes| if changes { CHANGED } else { 0 })
}

/// Prints the answer; returns whether anything changes.
fn print(upgrade: &Upgrade<'_>, arguments: &UpgradeArgs) -> Result<bool, CommandFailure> {
    const WHAT: &str = "the differences";
    match arguments.output {
        ReportOutput::Table => {
            let show = |output: &mut Screen<Vec<u8>>| write(upgrade, output);
            arguments.pager.show_wrapped(WHAT, show)?;
        }
        ReportOutput::Json => {
            notes::tell(&notes::warnings(&upgrade.warnings));
            print::to_stdout(WHAT, |output| print::json(upgrade, output))?;
        }
        ReportOutput::Yaml => {
            notes::tell(&notes::warnings(&upgrade.warnings));
            print::to_stdout(WHAT, |output| print::yaml(upgrade, output))?;
        }
    }
    Ok(upgrade.changes)
}

fn write(upgrade: &Upgrade<'_>, output: &mut impl Write) -> io::Result<()> {
    write_warnings(&upgrade.warnings, output)?;
    let (from, to) = (upgrade.from, upgrade.to);
    let services = upgrade.services.iter();
    let changed: Vec<_> = services.filter(|service| service.changes()).collect();
    let (all, some) = (upgrade.services.len(), changed.len());
    let change = if some == 1 { "changes" } else { "change" };
    writeln!(
        output,
        "Kubernetes {from} to {to}: {some} of {all} Services {change}"
    )?;
    for service in changed {
        write_service(service, [from, to], output)?;
    }
    let settings = upgrade.settings.iter();
    let settings = settings.map(|lost| format!("{}: {}", lost.setting, lost.message));
    section("settings that stop working", settings, output)?;
    let refused = upgrade.refused.iter().map(|refused| {
        let object = format!("{} {}/{}", refused.kind, refused.namespace, refused.name);
        let (path, value, message) = (&refused.path, &refused.value, &refused.message);
        format!("{object}: {path} is `{value}`: {message}")
    });
    section("values that API servers refuse", refused, output)?;
    let metrics = upgrade.metrics.iter();
    let metrics = metrics.map(|renamed| format!("{} becomes {}", renamed.before, renamed.after));
    section("metrics", metrics, output)?;
    let behaviors = upgrade.behaviors.iter().map(|changed| {
        let when = if changed.begins {
            "from now on"
        } else {
            "no longer"
        };
        format!("{}, {when}: {}", changed.behavior, changed.message)
    });
    section("whatever the objects", behaviors, output)
}

/// A heading and a line for each item; nothing if there are none.
fn section(
    heading: &str,
    items: impl Iterator<Item = String>,
    output: &mut impl Write,
) -> io::Result<()> {
    for (number, item) in items.enumerate() {
        if number == 0 {
            writeln!(output)?;
            writeln!(output, "{heading}")?;
        }
        writeln!(output, "  - {item}")?;
    }
    Ok(())
}

fn write_service(
    service: &ServiceUpgrade<'_>,
    [from, to]: [&str; 2],
    output: &mut impl Write,
) -> io::Result<()> {
    writeln!(output)?;
    writeln!(output, "{}", service.service)?;
    for (version, writes) in [(from, service.before), (to, service.after)] {
        if let Some(writes) = writes {
            writeln!(output, "  {version} writes {}", in_words(writes))?;
        }
    }
    for family in &service.slices {
        write_difference(family, output)?;
    }
    if let Some(reason) = service.traffic_unknown {
        writeln!(output, "  traffic is not compared: {reason}")?;
    }
    service
        .traffic
        .iter()
        .try_for_each(|port| write_port(port, output))
}

fn in_words(writes: PlannedWrites) -> String {
    let counts = [
        (writes.create, "created"),
        (writes.update, "updated"),
        (writes.delete, "deleted"),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts
        .map(|(count, how)| format!("{} {how}", counted(count, "slice")))
        .collect();
    match counts.as_slice() {
        [] => "nothing".to_owned(),
        counts => counts.join(", "),
    }
}

fn write_port(port: &PortUpgrade, output: &mut impl Write) -> io::Result<()> {
    let share =
        |share: Option<f64>| share.map_or_else(|| "unknown".to_owned(), |share| percent(share, 1));
    let (before, after) = (port.before, port.after);
    writeln!(
        output,
        "  {} {}: from zone to zone {} → {}, unserved {} → {}",
        port.service_port,
        port.address_type.as_str(),
        share(before.cross_zone),
        share(after.cross_zone),
        percent(before.unserved, 1),
        percent(after.unserved, 1)
    )?;
    port.nodes
        .iter()
        .try_for_each(|nodes| write_nodes(nodes, output))
}

fn write_nodes(changed: &NodesUpgrade, output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "    {}", few(&changed.nodes, "node"))?;
    for (word, used) in [("before", &changed.before), ("after", &changed.after)] {
        let UsedEndpoints {
            endpoints, rule, ..
        } = used;
        let endpoints = few(endpoints, "endpoint");
        writeln!(output, "      {word:6} {endpoints}: {rule}")?;
    }
    Ok(())
}

/// The first names, and how many there are.
fn few(names: &[String], what: &str) -> String {
    let first: Vec<&str> = names.iter().take(FEW).map(String::as_str).collect();
    let more = if names.len() > FEW { " …" } else { "" };
    let number = counted(names.len(), what);
    match first.as_slice() {
        [] => number,
        first => format!("{number} {}{more}", first.join(" ")),
    }
}
