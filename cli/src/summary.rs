//! Plans for people: a line per Service, a line per slice, and any problems.

use std::io::{self, Write};

use slicewise::plan::{HintsMode, HintsReport, Plan};
use slicewise::words::{counted, percent};
use slicewise_diagnosis::explain::text::{self as explain, TextStyle};

use crate::notes::Notes;

/// Writes a summary of all plans.
pub(crate) fn write(
    plans: &[&Plan<'_>],
    notes: &Notes,
    colored: bool,
    output: &mut impl Write,
) -> io::Result<()> {
    for warning in notes.warnings() {
        writeln!(output, "{warning}")?;
    }
    for plan in plans {
        write_plan(plan, output)?;
        if let Some(explanations) = &plan.explanations {
            let mut text = String::new();
            let mut style = TextStyle::default();
            style.indent = "  ";
            style.colored = colored;
            explain::write(explanations, style, &mut text);
            writeln!(output)?;
            output.write_all(text.as_bytes())?;
            writeln!(output)?;
        }
    }
    let changing = plans.iter().filter(|plan| !plan.is_empty()).count();
    let count = |of: fn(&Plan<'_>) -> usize| plans.iter().map(|plan| of(plan)).sum::<usize>();
    let (create, update, delete) = (
        count(|plan| plan.create.len()),
        count(|plan| plan.update.len()),
        count(|plan| plan.delete.len()),
    );
    writeln!(
        output,
        "{}, {changing} to change: {create} to create, {update} to update, {delete} to delete",
        counted(plans.len(), "Service")
    )?;
    for note in notes.lines() {
        writeln!(output, "{note}")?;
    }
    Ok(())
}

/// Writes what is to be done for a Service.
pub(crate) fn write_plan(plan: &Plan<'_>, output: &mut impl Write) -> io::Result<()> {
    let stats = plan.stats;
    let state = if plan.is_empty() {
        "up to date".to_owned()
    } else {
        format!("{} to add, {} to remove", stats.added, stats.removed)
    };
    writeln!(
        output,
        "{}/{}: {} in {} ({} if full), {state}",
        plan.service.namespace,
        plan.service.name,
        counted(stats.endpoints, "endpoint"),
        counted(stats.slices, "slice"),
        stats.desired_slices
    )?;
    for (number, slice) in plan.create.iter().enumerate() {
        let why = reasons(plan, &format!("create/{number}"));
        let name = format!("{}?", slice.metadata.generate_name);
        writeln!(
            output,
            "  + {name} {}, {}{why}",
            slice.address_type,
            counted(slice.endpoints.len(), "endpoint")
        )?;
    }
    for slice in &plan.update {
        let why = reasons(plan, slice.name());
        writeln!(
            output,
            "  ~ {} {}, {}{why}",
            slice.name(),
            slice.address_type,
            counted(slice.endpoints.len(), "endpoint")
        )?;
    }
    for slice in &plan.delete {
        writeln!(
            output,
            "  - {} {}{}",
            slice.name,
            slice.address_type,
            reasons(plan, &slice.name)
        )?;
    }
    for report in plan
        .hints
        .iter()
        .filter(|report| report.mode != HintsMode::None)
    {
        write_hints(report, output)?;
    }
    for event in &plan.events {
        writeln!(
            output,
            "  event {:?} {}: {}",
            event.event_type, event.reason, event.message
        )?;
    }
    for error in &plan.errors {
        writeln!(output, "  error {}; to be retried", error.message)?;
    }
    Ok(())
}

fn write_hints(report: &HintsReport<'_>, output: &mut impl Write) -> io::Result<()> {
    let state = match &report.reason {
        Some(reason) => format!("off: {reason}"),
        None => "on".to_owned(),
    };
    writeln!(
        output,
        "  hints {} {:?} {state}",
        report.address_type.as_str(),
        report.mode
    )?;
    for zone in &report.zones {
        let given = zone
            .allocated
            .map_or_else(|| "-".to_owned(), |count| count.to_string());
        let share = percent(zone.cpu_ratio, 1);
        let (name, wants, least, most) = (&zone.zone, zone.desired, zone.minimum, zone.maximum);
        writeln!(
            output,
            "    {name}: {share} of CPU, wants {wants:.2}, at least {least}, at most {most}, gets {given}"
        )?;
    }
    Ok(())
}

fn reasons(plan: &Plan<'_>, key: &str) -> String {
    let words: Vec<&str> = plan
        .reasons
        .get(key)
        .into_iter()
        .flatten()
        .map(|reason| reason.words())
        .collect();
    if words.is_empty() {
        String::new()
    } else {
        format!(" ({})", words.join(", "))
    }
}
