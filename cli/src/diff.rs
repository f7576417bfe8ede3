//! `slicewise diff`: the differences between two sets of slices.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use slicewise::Error;
use slicewise::api::{self, Diff, NamedObject, SliceList};
use slicewise::diff::{Count, EndpointChange, EndpointDiff, FieldDiff, ServiceDiff, SliceChange};
use slicewise::model::EndpointSlice;
use slicewise::words::counted;

use crate::arena::Arena;
use crate::cluster::ClusterArgs;
use crate::color::{Color, is_colored};
use crate::failure::{CHANGES, CommandFailure};
use crate::input::CHECKED;
use crate::notes::{self, Notes};
use crate::origin::CommandInput;
use crate::origin::{FromCluster, Origin};
use crate::plan::{comment, insisting};
use crate::stream::{self, Begun};
use crate::unified::LineLook;
use crate::usage::Misuse;
use crate::usage::exit_codes;
use crate::usage::for_names;
use crate::{print, source, unified};
use slicewise_cluster::resource::Resource;

const SLICES: &str = "give slices as `kubectl get endpointslices -A -o json` prints them";

const WANTED: CommandInput = CommandInput {
    command: "diff",
    what_to_give: SLICES,
    resources: &[Resource::EndpointSlices],
    besides: &[],
};

/// Why it takes no `--selector`, and what to do instead.
pub(crate) const NO_SELECTOR: &str = "'--selector' would hide what differs: a Service that is gone, or whose labels have changed, matches in one of the inputs only; name the Service with '--service', or compare everything and select in the output of '-o json'";

/// Each input is the output of `kubectl get endpointslices -A -o json` (or yaml), or an array of slices; objects of other kinds are ignored. With a
/// cluster flag, BEFORE is compared with the slices in the cluster.
#[derive(clap::Args)]
#[command(after_help = exit_codes!())]
pub(crate) struct DiffArgs {
    /// JSON or YAML file with the old slices; `-` reads standard input
    #[arg(value_name = "BEFORE")]
    before: PathBuf,

    /// JSON or YAML file with the new slices; `-` reads standard input
    #[arg(
        value_name = "AFTER",
        required_unless_present = "ClusterArgs",
        conflicts_with = "ClusterArgs"
    )]
    after: Option<PathBuf>,

    #[command(flatten)]
    cluster: ClusterArgs,

    /// Only this Service
    #[arg(long, value_name = "NAMESPACE/NAME")]
    service: Option<String>,

    /// How to print the differences
    #[arg(short, long, value_enum, default_value_t = DiffOutput::Diff)]
    output: DiffOutput,

    /// Treat truncated lists, or lists of a single namespace, as complete
    #[arg(long)]
    assume_complete: bool,

    /// Exit with 3 if something differs, with 2 if nothing does but some slices could not be compared
    #[arg(long)]
    exit_code: bool,

    /// Colours in a diff
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    color: Color,

    /// Refuse larger inputs [default: 67108864; none for objects]
    #[arg(long, value_name = "BYTES")]
    max_input_bytes: Option<usize>,
}

/// How differences are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DiffOutput {
    /// Slice by slice, in the style of `kubectl diff`
    Diff,
    /// A line per slice and endpoint
    Summary,
    /// One line of JSON
    Json,
    /// YAML
    Yaml,
}

impl DiffArgs {
    /// Checks combinations of arguments.
    pub(crate) fn check(&self) -> Result<(), Misuse> {
        let is_stdin = |file: &PathBuf| source::named(Some(file)).is_none();
        if !is_stdin(&self.before) || !self.after.as_ref().is_some_and(is_stdin) {
            return Ok(());
        }
        Err(Misuse::conflict(
            "only one of BEFORE and AFTER can be read from standard input",
        ))
    }
}

impl DiffArgs {
    /// The slices in the cluster.
    fn after(&self) -> Origin<'_> {
        match &self.after {
            Some(file) => Origin::File(Some(file)),
            None => Origin::Cluster(FromCluster {
                service: self.service.as_deref(),
                ..FromCluster::all(&self.cluster)
            }),
        }
    }
}

pub(crate) fn run(arguments: &DiffArgs) -> Result<u8, CommandFailure> {
    let arena = Arena::default();
    let open = |origin| stream::open(origin, WANTED, arguments.max_input_bytes);
    let before = below("/before", open(Origin::File(Some(&arguments.before))))?;
    let after = below("/after", open(arguments.after()))?;
    let namespace = after.namespace().map(ToOwned::to_owned);
    let mut before = below("/before", read(before, &arena))?;
    let after = below("/after", read(after, &arena))?;
    if let Some(namespace) = namespace {
        // What was not read must not count as deleted.
        before
            .items
            .retain(|slice| *slice.metadata.namespace == *namespace);
    }
    let mut diff = api::differing(&before, &after, arguments.assume_complete);
    let (before, after) = (before.items, after.items);
    if let Some(service) = &arguments.service {
        let service = asked(service, &before, &after)?;
        let is_it = |diff: &ServiceDiff<'_>| diff.service.to_string() == service;
        diff.services.retain(is_it);
    }
    print::to_stdout("what differs", |output| match arguments.output {
        DiffOutput::Diff => {
            Notes::new(&diff.warnings, Vec::new()).tell(&[]);
            comment(&notes::warnings(&diff.warnings), output)?;
            let look = LineLook {
                color: is_colored(arguments.color),
                sides: ["BEFORE", "AFTER"],
            };
            write_unified(&diff, &before, &after, look, output)
        }
        DiffOutput::Summary => write_summary(&diff, output),
        DiffOutput::Json => print::json(&diff, output),
        DiffOutput::Yaml => print::yaml(&diff, output),
    })?;
    if !arguments.exit_code {
        return Ok(0);
    }
    if !diff.services.is_empty() {
        return Ok(CHANGES);
    }
    let checked = diff.check_complete();
    checked.map_err(|error| insisting(&error, "treats the inputs as complete"))?;
    Ok(0)
}

/// One of the two inputs, copied into the arena.
fn read<'a>(begun: Begun<'_>, arena: &'a Arena) -> Result<SliceList<'a>, CommandFailure> {
    match begun {
        Begun::Request(input) => {
            let slices = api::slices(input.json(), CHECKED);
            let slices = slices.map_err(|error| input.placed(error))?;
            Ok(arena.keep(slices))
        }
        Begun::Objects(pieces) => pieces.read_slices(arena),
    }
}

/// The prefix tells the two inputs apart in errors.
fn below<T>(prefix: &str, read: Result<T, CommandFailure>) -> Result<T, CommandFailure> {
    read.map_err(|failure| match failure {
        CommandFailure::Input(error) => CommandFailure::Input(error.below(prefix)),
        other => other,
    })
}

/// The Service whose slices to compare.
fn asked(
    service: &str,
    before: &[EndpointSlice<'_>],
    after: &[EndpointSlice<'_>],
) -> Result<String, Error> {
    let slices = before.iter().chain(after);
    let names: Vec<String> = slices
        .map(|slice| slicewise::diff::service_of(slice).to_string())
        .collect();
    let names = names.iter().filter_map(|name| name.split_once('/'));
    let found = api::asked(NamedObject::Service("with slices"), service, names);
    found.map(|name| name.to_string()).map_err(for_names)
}

fn write_unified(
    diff: &Diff<'_>,
    before: &[EndpointSlice<'_>],
    after: &[EndpointSlice<'_>],
    look: LineLook,
    output: &mut impl Write,
) -> io::Result<()> {
    let [before, after] = [before, after].map(|slices| -> BTreeMap<_, _> {
        let keyed = slices.iter().map(|slice| (unified::key(slice), slice));
        keyed.collect()
    });
    for service in &diff.services {
        for slice in &service.slices {
            let key = (service.service.namespace.as_str(), slice.name.as_str());
            let old = before.get(&key).copied();
            let new = after.get(&key).copied();
            let sides = match slice.change {
                SliceChange::Created => (None, new),
                SliceChange::Updated => (old, new),
                SliceChange::Deleted => (old, None),
            };
            unified::write_slice(key, sides, look, output)?;
        }
    }
    Ok(())
}

fn write_summary(diff: &Diff<'_>, output: &mut impl Write) -> io::Result<()> {
    for warning in notes::warnings(&diff.warnings) {
        writeln!(output, "{warning}")?;
    }
    for service in &diff.services {
        writeln!(
            output,
            "{} {}: {} endpoints, {} ready",
            service.service,
            service.address_type,
            change(service.endpoints),
            change(service.ready)
        )?;
        write_difference(service, output)?;
    }
    let number = diff.services.len();
    let differ = if number == 1 { "differs" } else { "differ" };
    writeln!(output, "{} {differ}", counted(number, "Service"))
}

/// The slices and endpoints of a Service that differ.
pub(crate) fn write_difference(
    service: &ServiceDiff<'_>,
    output: &mut impl Write,
) -> io::Result<()> {
    for slice in &service.slices {
        let (sign, became) = match slice.change {
            SliceChange::Created => ('+', "created"),
            SliceChange::Updated => ('~', "updated"),
            SliceChange::Deleted => ('-', "deleted"),
        };
        let endpoints = change(slice.endpoints);
        writeln!(
            output,
            "  {sign} slice {} {became}, {endpoints} endpoints",
            slice.name
        )?;
        write_fields(&slice.fields, output)?;
    }
    for endpoint in &service.changes {
        write_endpoint(endpoint, output)?;
    }
    Ok(())
}

fn write_endpoint(endpoint: &EndpointDiff<'_>, output: &mut impl Write) -> io::Result<()> {
    let sign = match endpoint.change {
        EndpointChange::Added => '+',
        EndpointChange::Removed => '-',
        EndpointChange::Changed => '~',
        EndpointChange::Moved => '>',
    };
    let addresses: Vec<&str> = endpoint
        .addresses
        .iter()
        .map(|text| text.as_str())
        .collect();
    write!(output, "  {sign} {}", addresses.join(","))?;
    if let Some(target) = &endpoint.target_ref {
        write!(output, " {} {}", target.kind, target.name)?;
    }
    match &endpoint.from {
        Some(from) => writeln!(output, " from {from} to {}", endpoint.slice)?,
        None => writeln!(output, " in {}", endpoint.slice)?,
    }
    write_fields(&endpoint.fields, output)
}

fn write_fields(fields: &[FieldDiff], output: &mut impl Write) -> io::Result<()> {
    for field in fields {
        let value = |value: Option<&str>| value.unwrap_or("nothing").to_owned();
        let (before, after) = (value(field.before()), value(field.after()));
        writeln!(output, "      {} {before} → {after}", field.path)?;
    }
    Ok(())
}

/// A number, or how it changed.
fn change(count: Count) -> String {
    if count.before == count.after {
        return count.after.to_string();
    }
    format!("{} → {}", count.before, count.after)
}
