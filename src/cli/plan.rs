//! `slicewise plan`.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};

use slicewise::api::{self, Limits, Shape};
use slicewise::model::EndpointSlice;
use slicewise::plan::Plan;
use slicewise::{Code, Error};

use super::args::{Color, Output, PlanArgs};
use super::{CHANGES, Failure, diff, ndjson, summary, yaml};

pub(super) fn run(arguments: &PlanArgs) -> Result<u8, Failure> {
    let limits = Limits {
        max_input_bytes: arguments.max_input_bytes,
    };
    let mut input = open(arguments)?;
    let mut output = io::BufWriter::new(io::stdout().lock());
    let code = if arguments.ndjson {
        ndjson::run(
            &mut io::BufReader::new(input),
            &mut output,
            arguments,
            limits,
        )?
    } else {
        let mut bytes = Vec::new();
        // One byte more than allowed is enough to know that it is too much.
        let most = u64::try_from(limits.max_input_bytes)
            .unwrap_or(u64::MAX)
            .saturating_add(1);
        input
            .by_ref()
            .take(most)
            .read_to_end(&mut bytes)
            .map_err(Failure::io("cannot read the input"))?;
        plan_once(
            &yaml::to_json(bytes, limits)?,
            arguments,
            limits,
            &mut output,
        )?
    };
    output
        .flush()
        .map_err(Failure::io("cannot write the plan"))?;
    Ok(code)
}

fn open(arguments: &PlanArgs) -> Result<Box<dyn Read>, Failure> {
    match arguments
        .file
        .as_deref()
        .filter(|file| file.as_os_str() != "-")
    {
        Some(file) => {
            let opened =
                File::open(file).map_err(Failure::io(format!("cannot open {}", file.display())))?;
            Ok(Box::new(opened))
        }
        None => {
            let stdin = io::stdin();
            if stdin.is_terminal() {
                // People who forget the file should not sit before a silent prompt.
                let _ = writeln!(
                    io::stderr(),
                    "slicewise: reading standard input; end it with Ctrl-D, or see slicewise plan --help"
                );
            }
            Ok(Box::new(stdin))
        }
    }
}

fn plan_once(
    input: &[u8],
    arguments: &PlanArgs,
    limits: Limits,
    output: &mut impl Write,
) -> Result<u8, Failure> {
    let options = arguments.options.options();
    let written = match api::detect(input) {
        Shape::Request => api::with_plan(input, &options, limits, |plan, slices| {
            check_service(arguments, std::slice::from_ref(plan))?;
            print(plan, &[plan], slices, arguments, output)?;
            Ok(!plan.is_empty())
        })?,
        Shape::Snapshot => api::with_snapshot_plans(input, &options, limits, |plans, slices| {
            check_service(arguments, &plans.plans)?;
            let chosen: Vec<_> = plans
                .plans
                .iter()
                .filter(|plan| is_chosen(arguments, plan))
                .collect();
            let has_changes = chosen.iter().any(|plan| !plan.is_empty());
            match (&arguments.service, chosen.as_slice()) {
                (Some(_), [only]) => print(*only, &chosen, slices, arguments, output)?,
                _ => print(plans, &chosen, slices, arguments, output)?,
            }
            Ok(has_changes)
        })?,
    };
    written.map(|has_changes| {
        if has_changes && arguments.exit_code {
            CHANGES
        } else {
            0
        }
    })
}

fn is_chosen(arguments: &PlanArgs, plan: &Plan<'_>) -> bool {
    arguments
        .service
        .as_ref()
        .is_none_or(|name| *name == format!("{}/{}", plan.service.namespace, plan.service.name))
}

fn check_service(arguments: &PlanArgs, plans: &[Plan<'_>]) -> Result<(), Failure> {
    if plans.iter().any(|plan| is_chosen(arguments, plan)) || arguments.service.is_none() {
        return Ok(());
    }
    let message = format!(
        "--service: `{}` is not among the Services with a selector; write it like `shop/cart`",
        arguments.service.as_deref().unwrap_or_default()
    );
    Err(Error::new(Code::InvalidValue, message).into())
}

/// Prints `whole` as data, or `plans` for people.
fn print(
    whole: &impl serde::Serialize,
    plans: &[&Plan<'_>],
    slices: &[EndpointSlice<'_>],
    arguments: &PlanArgs,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let result = match arguments.output {
        Output::Json => serde_json::to_writer(&mut *output, whole)
            .map_err(io::Error::from)
            .and_then(|()| writeln!(output)),
        Output::Yaml => yaml::write(whole, output),
        Output::Diff => diff::write(plans, slices, is_colored(arguments.color), output),
        Output::Summary => summary::write(plans, output),
    };
    result.map_err(Failure::io("cannot write the plan"))
}

fn is_colored(color: Color) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    }
}
