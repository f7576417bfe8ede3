//! `slicewise kubernetes-service`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::error::ErrorKind;
use slicewise::api::{self, Limits};
use slicewise::kubernetes_service::{Kind, KubernetesServicePlan, NAMESPACE, Object, Verb};
use slicewise::model::{EndpointSlice, Endpoints};

use super::args::{Color, Output, exit_codes, subcommand_error};
use super::input::Input;
use super::mirror::{check_ndjson, no_json};
use super::{CHANGES, Failure, diff, ndjson, source, yaml};

const REQUEST: &str = "give an API server's request as docs/migration.md says";

/// An API server's address, its leases and the objects there are in; what it writes out.
#[derive(clap::Args)]
#[command(after_help = exit_codes!())]
pub(super) struct KubernetesServiceArgs {
    /// JSON or YAML file; `-`, or nothing, reads standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// How to print the writes
    #[arg(short, long, value_enum, default_value_t = Output::Json)]
    output: Output,

    /// One request per line in, one plan or error per line out, in order, as they come
    #[arg(long, conflicts_with = "exit_code")]
    ndjson: bool,

    /// Exit with 3 when there is something to write
    #[arg(long)]
    exit_code: bool,

    /// Colours in a diff
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    color: Color,

    /// Refuse larger inputs (with --ndjson: longer lines)
    #[arg(long, value_name = "BYTES", default_value_t = slicewise::api::MAX_INPUT_BYTES)]
    max_input_bytes: usize,
}

impl KubernetesServiceArgs {
    /// Checks what the single arguments cannot know of each other.
    pub(super) fn check(&self) -> Result<(), clap::Error> {
        if self.output == Output::Patch {
            let message = "there are no patches of what API servers write: '--output patch' cannot be used here";
            let kind = ErrorKind::ArgumentConflict;
            return Err(subcommand_error("kubernetes-service", kind, message));
        }
        check_ndjson("kubernetes-service", self.ndjson, self.output)
    }
}

pub(super) fn run(arguments: &KubernetesServiceArgs) -> Result<u8, Failure> {
    let limits = Limits {
        max_input_bytes: arguments.max_input_bytes,
    };
    let file = arguments.file.as_deref();
    let source = source::open(file, "kubernetes-service")?;
    let mut output = io::BufWriter::new(io::stdout().lock());
    let code = if arguments.ndjson {
        let mut lines = io::BufReader::new(source);
        ndjson::run(&mut lines, &mut output, limits, |line, output| {
            let encode = |plan: &KubernetesServicePlan<'_>| serde_json::to_vec(plan);
            let answer = api::with_kubernetes_service(line, limits, |plan, _, _| encode(plan))?;
            output.extend(answer.map_err(no_json)?);
            output.push(b'\n');
            Ok(())
        })?
    } else {
        let bytes = source::read_all(source, file, limits)?;
        let input = Input::read(bytes, source::named(file).is_none(), limits, REQUEST)?;
        // Its size was checked as it came; made JSON, it may have another.
        let limits = Limits {
            max_input_bytes: usize::MAX,
        };
        let printed =
            api::with_kubernetes_service(input.json(), limits, |plan, endpoints, slice| {
                let printed = print(plan, endpoints, slice, arguments, &mut output);
                printed.map(|()| !plan.writes.is_empty())
            });
        let printed = printed.map_err(|error| input.placed(error))?;
        let has_changes = printed.map_err(Failure::io("cannot write the plan"))?;
        if has_changes && arguments.exit_code {
            CHANGES
        } else {
            0
        }
    };
    output
        .flush()
        .map_err(Failure::io("cannot write the plan"))?;
    Ok(code)
}

fn print(
    plan: &KubernetesServicePlan<'_>,
    endpoints: Option<&Endpoints<'_>>,
    slice: Option<&EndpointSlice<'_>>,
    arguments: &KubernetesServiceArgs,
    output: &mut impl Write,
) -> io::Result<()> {
    match arguments.output {
        // `check` has refused `patch`.
        Output::Json | Output::Patch => {
            serde_json::to_writer(&mut *output, plan)?;
            writeln!(output)
        }
        Output::Yaml => output.write_all(yaml::to_yaml(plan)?.as_bytes()),
        Output::Summary => summary(plan, output),
        Output::Diff => {
            if let Some(error) = &plan.error {
                // Nothing is left to do when standard error fails.
                let _ = writeln!(io::stderr(), "slicewise: {}", error.message);
            }
            let color = super::plan::is_colored(arguments.color);
            differences(plan, endpoints, slice, color, output)
        }
    }
}

/// A line per write, for people.
fn summary(plan: &KubernetesServicePlan<'_>, output: &mut impl Write) -> io::Result<()> {
    let (namespace, name) = (&plan.service.namespace, &plan.service.name);
    let writes = plan.writes.len();
    let plural = if writes == 1 { "" } else { "s" };
    writeln!(output, "{namespace}/{name}: {writes} write{plural}")?;
    for write in &plan.writes {
        let sign = match write.operation {
            Verb::Create => '+',
            Verb::Update => '~',
            Verb::Delete => '-',
        };
        let reasons: Vec<String> = write
            .reasons
            .iter()
            .map(|reason| format!("{reason:?}"))
            .collect();
        let (kind, reasons) = (write.kind, reasons.join(", "));
        writeln!(output, "  {sign} {kind:?} {} ({reasons})", write.name)?;
    }
    for kind in &plan.unchanged {
        writeln!(output, "  = {kind:?}")?;
    }
    for lease in &plan.leases {
        match lease.expires {
            Some(expires) => writeln!(output, "  lease {} until {expires}", lease.address)?,
            None => writeln!(output, "  lease {}", lease.address)?,
        }
    }
    match &plan.error {
        Some(error) => writeln!(output, "  error {}", error.message),
        None => Ok(()),
    }
}

/// The changes as `kubectl diff` shows them. A slice that is deleted and created is one change.
fn differences(
    plan: &KubernetesServicePlan<'_>,
    endpoints: Option<&Endpoints<'_>>,
    slice: Option<&EndpointSlice<'_>>,
    color: bool,
    output: &mut impl Write,
) -> io::Result<()> {
    for write in &plan.writes {
        let (file, old) = match write.kind {
            Kind::Endpoints => ("v1.Endpoints", endpoints.map(diff::endpoints).transpose()?),
            Kind::EndpointSlice => (
                "discovery.k8s.io.v1.EndpointSlice",
                slice.map(diff::slice).transpose()?,
            ),
        };
        let new = match &write.object {
            Some(Object::Endpoints(endpoints)) => diff::endpoints(endpoints)?,
            Some(Object::EndpointSlice(slice)) => diff::slice(slice)?,
            None => continue,
        };
        let file = format!("{file}.{NAMESPACE}.{}", write.name);
        diff::write_file(&file, &old.unwrap_or_default(), &new, color, output)?;
    }
    Ok(())
}
