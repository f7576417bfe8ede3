//! A report for people.

use std::io::{self, Write};

use slicewise::words::{grouped, percent};
use slicewise_simulation::Report;
use slicewise_simulation::report::{Phase, Sample, ServiceFigures, Sums};

use super::timeline::{self, time};

/// A table of text: numbers are aligned right, the first column left.
struct Table(Vec<Vec<String>>);

impl Table {
    fn new(head: &[&str]) -> Self {
        Self(vec![head.iter().map(|text| (*text).to_owned()).collect()])
    }

    fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let columns = self.0.first().map_or(0, Vec::len);
        let width = |column: usize| {
            let texts = self.0.iter().filter_map(|row| row.get(column));
            texts
                .map(|text| text.chars().count())
                .max()
                .unwrap_or_default()
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.0 {
            let cells = row.iter().zip(&widths).enumerate();
            let cells = cells.map(|(column, (text, width))| match column {
                0 => format!("{text:width$}"),
                _ => format!("{text:>width$}"),
            });
            let line = cells.collect::<Vec<_>>().join("  ");
            writeln!(output, "{}", line.trim_end())?;
        }
        writeln!(output)
    }
}

/// Writes the tables of phases, Services and (if few) samples, and how the run ended.
pub(super) fn write(report: &Report, output: &mut impl Write) -> io::Result<()> {
    if let Some(description) = &report.description {
        writeln!(output, "{description}")?;
        writeln!(output)?;
    }
    let total = (report.phases.len() > 1).then_some(&report.total);
    writes(&report.phases, total, output)?;
    costs(&report.phases, total, output)?;
    gauges(&report.phases, output)?;
    samples(&report.samples, output)?;
    services(&report.services, output)?;
    timeline::write(&report.timeline, output)?;
    end(report, output)
}

fn rows(
    phases: &[Phase],
    total: Option<&Sums>,
    row: impl Fn(&Sums) -> Vec<String>,
    head: &[&str],
) -> Table {
    let mut table = Table::new(head);
    let phases = phases
        .iter()
        .map(|phase| (phase.name.as_str(), &phase.sums));
    for (name, sums) in phases.chain(total.map(|total| ("total", total))) {
        let mut cells = vec![name.to_owned()];
        cells.extend(row(sums));
        table.0.push(cells);
    }
    table
}

fn writes(phases: &[Phase], total: Option<&Sums>, output: &mut impl Write) -> io::Result<()> {
    let head = [
        "phase",
        "syncs",
        "stale",
        "failed",
        "dropped",
        "retries",
        "created",
        "updated",
        "deleted",
        "refused",
        "hint flips",
    ];
    let row = |sums: &Sums| {
        let (syncs, writes) = (&sums.syncs, &sums.writes);
        let numbers = [
            syncs.success,
            syncs.stale,
            syncs.error,
            syncs.dropped,
            sums.retries,
            writes.create,
            writes.update,
            writes.delete,
            writes.refused,
            sums.hint_flips,
        ];
        numbers.map(grouped).to_vec()
    };
    rows(phases, total, row, &head).write(output)
}

fn costs(phases: &[Phase], total: Option<&Sums>, output: &mut impl Write) -> io::Result<()> {
    let head = [
        "phase",
        "written",
        "watch events",
        "endpoints in them",
        "to watchers",
        "Endpoints: writes",
        "written",
        "to watchers",
        "misdirected",
        "unused",
    ];
    let row = |sums: &Sums| {
        let object = &sums.endpoints_object;
        vec![
            bytes(sums.bytes_written),
            grouped(sums.watch_events),
            grouped(sums.endpoints_to_watchers),
            bytes(sums.bytes_to_watchers),
            grouped(object.writes),
            bytes(object.bytes_written),
            bytes(object.bytes_to_watchers),
            seconds(sums.misdirected_seconds),
            seconds(sums.unused_seconds),
        ]
    };
    rows(phases, total, row, &head).write(output)
}

fn gauges(phases: &[Phase], output: &mut impl Write) -> io::Result<()> {
    let mut table = Table::new(&[
        "at the end of",
        "began",
        "last write",
        "behind",
        "ready pods",
        "endpoints",
        "slices",
        "if full",
        "fill",
    ]);
    for phase in phases {
        let gauges = &phase.gauges;
        table.0.push(vec![
            phase.name.clone(),
            time(phase.at),
            phase
                .last_write_after
                .map_or_else(|| "-".to_owned(), |after| format!("+{}", time(after))),
            time(phase.behind),
            grouped(gauges.ready_pods),
            grouped(gauges.endpoints),
            grouped(gauges.slices),
            grouped(gauges.full_slices),
            percent(gauges.fill, 0),
        ]);
    }
    table.write(output)
}

fn samples(samples: &[Sample], output: &mut impl Write) -> io::Result<()> {
    if samples.is_empty() {
        return Ok(());
    }
    let mut table = Table::new(&[
        "at",
        "ready pods",
        "endpoints",
        "slices",
        "fill",
        "misdirected",
        "unused",
        "writes",
        "to watchers",
    ]);
    for sample in samples {
        let gauges = &sample.gauges;
        table.0.push(vec![
            time(sample.at),
            grouped(gauges.ready_pods),
            grouped(gauges.endpoints),
            grouped(gauges.slices),
            percent(gauges.fill, 0),
            grouped(gauges.misdirected),
            grouped(gauges.unused),
            grouped(sample.writes),
            bytes(sample.bytes_to_watchers),
        ]);
    }
    table.write(output)
}

fn services(services: &[ServiceFigures], output: &mut impl Write) -> io::Result<()> {
    const FEW: usize = 20;
    if services.len() > FEW {
        return writeln!(
            output,
            "{} Services; -o json has each of them\n",
            services.len()
        );
    }
    let mut table = Table::new(&[
        "Service",
        "endpoints",
        "slices",
        "syncs",
        "writes",
        "hints",
        "hint flips",
    ]);
    for figures in services {
        let hints = if figures.has_hints { "on" } else { "off" };
        let name = if figures.exists {
            figures.service.clone()
        } else {
            format!("{} (deleted)", figures.service)
        };
        table.0.push(vec![
            name,
            grouped(figures.endpoints),
            grouped(figures.slices),
            grouped(figures.syncs),
            grouped(figures.writes),
            hints.to_owned(),
            grouped(figures.hint_flips),
        ]);
    }
    table.write(output)
}

fn end(report: &Report, output: &mut impl Write) -> io::Result<()> {
    let watches = &report.watches;
    writeln!(
        output,
        "events to the controller: {} sent, {} lost, {} doubled, {} reordered; {} dropped with their watch, {} late; {} lists",
        watches.sent,
        watches.lost,
        watches.doubled,
        watches.reordered,
        watches.dropped,
        watches.late,
        watches.lists
    )?;
    let end = &report.end;
    let how = if report.was_cut_off {
        "cut off"
    } else {
        "at rest"
    };
    let state = if end.is_empty {
        "nothing is left".to_owned()
    } else if end.is_converged {
        "converged".to_owned()
    } else {
        format!("not converged, {} writes are missing", end.missing_writes)
    };
    let hints = match end.slices_behind_in_hints {
        0 => String::new(),
        slices => format!("; {slices} slices have hints that differ from those they would get now"),
    };
    writeln!(
        output,
        "{how} at {}: {state}{hints}; at most {} syncs at once, {} of one Service twice",
        time(report.ended_at),
        end.most_syncs_at_once,
        end.overlapping_syncs
    )
}

/// Bytes in decimal units, with three digits.
fn bytes(number: u64) -> String {
    const UNITS: [&str; 6] = ["B", "kB", "MB", "GB", "TB", "PB"];
    let (mut amount, mut units) = (number as f64, UNITS.iter().peekable());
    while amount >= 999.5 && units.len() > 1 {
        amount /= 1000.0;
        units.next();
    }
    let unit = units.next().unwrap_or(&"B");
    let digits = match amount {
        _ if *unit == "B" => 0,
        amount if amount < 9.995 => 2,
        amount if amount < 99.95 => 1,
        _ => 0,
    };
    format!("{amount:.digits$} {unit}")
}

fn seconds(amount: f64) -> String {
    format!("{amount:.1} s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        let sizes = [
            0,
            999,
            1000,
            9_994,
            9_996,
            99_960,
            999_499,
            999_500,
            50_000_000_000,
        ]
        .map(bytes);
        assert_eq!(
            sizes,
            [
                "0 B", "999 B", "1.00 kB", "9.99 kB", "10.0 kB", "100 kB", "999 kB", "1.00 MB",
                "50.0 GB"
            ]
        );
        let times = [0, 1500, 60_000, 3_661_001].map(time);
        assert_eq!(times, ["0s", "1.500s", "1m0s", "1h1m1.001s"]);
    }
}
