//! `slicewise kubernetes-service`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use slicewise::api::Limits;
use slicewise::model::{EndpointSlice, Endpoints};
use slicewise::words::counted;
use slicewise_sources::kubernetes_service::{
    KubernetesServiceObject, KubernetesServicePlan, NAMESPACE, ObjectKind, Verb,
};
use slicewise_sources::with_kubernetes_service;

use crate::color::Color;
use crate::color::is_colored;
use crate::failure::{CHANGES, CommandFailure};
use crate::input::{CHECKED, ReadableInput};
use crate::mirror::no_json;
use crate::unified::LineLook;
use crate::usage::{Misuse, check_ndjson, exit_codes, or_ndjson};
use crate::{ndjson, print, screen, source, unified};

const REQUEST: &str = "give an API server's request as docs/migration.md says";

/// Reads an API server's address, its leases and the existing objects; prints what it writes.
#[derive(clap::Args)]
#[command(after_help = exit_codes!())]
pub(crate) struct KubernetesServiceArgs {
    /// JSON or YAML file; `-`, or nothing, reads standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// How to print the writes
    #[arg(short, long, value_enum, default_value_t = WritesOutput::Json)]
    output: WritesOutput,

    /// Read one request per line, and print one plan or error per line, in order, as a stream
    #[arg(long, conflicts_with = "exit_code")]
    ndjson: bool,

    /// Exit with 3 if there is something to write
    #[arg(long)]
    exit_code: bool,

    /// Colours in a diff
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    color: Color,

    /// Refuse larger inputs (with --ndjson: longer lines)
    #[arg(long, value_name = "BYTES", default_value_t = slicewise::api::MAX_INPUT_BYTES)]
    max_input_bytes: usize,
}

/// How the writes are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WritesOutput {
    /// One line of JSON
    Json,
    /// YAML
    Yaml,
    /// The changes as `kubectl diff` shows them
    Diff,
    /// A line per write, for people
    Summary,
}

impl KubernetesServiceArgs {
    /// Checks combinations of arguments.
    pub(crate) fn check(&self) -> Result<(), Misuse> {
        let is_json = self.output == WritesOutput::Json;
        check_ndjson(self.ndjson, is_json)
    }
}

pub(crate) fn run(arguments: &KubernetesServiceArgs) -> Result<u8, CommandFailure> {
    let limits = Limits::new(arguments.max_input_bytes);
    let file = arguments.file.as_deref();
    let mut output = screen::stdout();
    let code = if arguments.ndjson {
        let mut lines = io::BufReader::new(source::open(file, "kubernetes-service")?);
        ndjson::run(&mut lines, &mut output, limits, |line, output| {
            let encode = |plan: &KubernetesServicePlan<'_>| serde_json::to_vec(plan);
            let answer = with_kubernetes_service(line, limits, |plan, _, _| encode(plan))?;
            output.extend(answer.map_err(no_json)?);
            output.push(b'\n');
            Ok(())
        })?
    } else {
        let input = ReadableInput::open(
            file,
            "kubernetes-service",
            arguments.max_input_bytes,
            REQUEST,
        )?;
        let printed = with_kubernetes_service(input.json(), CHECKED, |plan, endpoints, slice| {
            let printed = write(plan, endpoints, slice, arguments, &mut output);
            printed.map(|()| !plan.writes.is_empty())
        });
        let printed = printed.map_err(|error| or_ndjson(input.placed(error)))?;
        let has_changes = printed.map_err(CommandFailure::io("cannot write the plan"))?;
        if has_changes && arguments.exit_code {
            CHANGES
        } else {
            0
        }
    };
    output
        .flush()
        .map_err(CommandFailure::io("cannot write the plan"))?;
    Ok(code)
}

fn write(
    plan: &KubernetesServicePlan<'_>,
    endpoints: Option<&Endpoints<'_>>,
    slice: Option<&EndpointSlice<'_>>,
    arguments: &KubernetesServiceArgs,
    output: &mut impl Write,
) -> io::Result<()> {
    match arguments.output {
        WritesOutput::Json => print::json(plan, output),
        WritesOutput::Yaml => print::yaml(plan, output),
        WritesOutput::Summary => summary(plan, output),
        WritesOutput::Diff => {
            if let Some(error) = &plan.error {
                // Nothing more can be done if standard error fails.
                let _ = writeln!(screen::stderr(), "slicewise: {}", error.message);
            }
            let look = LineLook::kubectl(is_colored(arguments.color));
            differences(plan, endpoints, slice, look, output)
        }
    }
}

/// A line per write, for people.
fn summary(plan: &KubernetesServicePlan<'_>, output: &mut impl Write) -> io::Result<()> {
    let (namespace, name) = (&plan.service.namespace, &plan.service.name);
    let writes = counted(plan.writes.len(), "write");
    writeln!(output, "{namespace}/{name}: {writes}")?;
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
    look: LineLook,
    output: &mut impl Write,
) -> io::Result<()> {
    for write in &plan.writes {
        let (file, old) = match write.kind {
            ObjectKind::Endpoints => (
                "v1.Endpoints",
                endpoints.map(unified::endpoints).transpose()?,
            ),
            ObjectKind::EndpointSlice => (
                "discovery.k8s.io.v1.EndpointSlice",
                slice.map(unified::slice).transpose()?,
            ),
        };
        let new = match &write.object {
            Some(KubernetesServiceObject::Endpoints(endpoints)) => unified::endpoints(endpoints)?,
            Some(KubernetesServiceObject::EndpointSlice(slice)) => unified::slice(slice)?,
            None => continue,
        };
        let file = format!("{file}.{NAMESPACE}.{}", write.name);
        unified::write_file(&file, &old.unwrap_or_default(), &new, look, output)?;
    }
    Ok(())
}
