//! Plans as a report in Markdown, for the people who decide.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slicewise::model::EndpointSlice;
use slicewise::plan::explanation::{Explanation, Severity};
use slicewise::plan::{HintsMode, HintsReport, Plan};
use slicewise::words::{counted, percent};

/// A report of plans, including their explanations except notes.
pub(crate) fn markdown(plans: &[&Plan<'_>]) -> String {
    let mut report = String::from("# EndpointSlice plan\n");
    if plans.len() > 1 {
        report.push_str("\n| Service | Endpoints | Slices | Create | Update | Delete |\n|---|---:|---:|---:|---:|---:|\n");
        for plan in plans {
            report.push_str(&format!(
                "| {} | {} | {} | {} | {} | {} |\n",
                code(&plan.service.to_string()),
                plan.stats.endpoints,
                plan.stats.slices,
                plan.create.len(),
                plan.update.len(),
                plan.delete.len()
            ));
        }
    }
    for plan in plans {
        service(plan, &mut report);
    }
    report
}

fn service(plan: &Plan<'_>, report: &mut String) {
    let stats = plan.stats;
    report.push_str(&format!(
        "\n## {}\n\n{} in {}; {} added, {} removed.\n\n",
        code(&plan.service.to_string()),
        counted(stats.endpoints, "endpoint"),
        counted(stats.slices, "slice"),
        stats.added,
        stats.removed
    ));
    let writes = writes(plan);
    if writes.is_empty() {
        report.push_str("Nothing to write.\n");
    }
    report.push_str(&writes);
    let asked = plan.hints.iter();
    for hints in asked.filter(|hints| hints.mode != HintsMode::None) {
        zones(hints, report);
    }
    let explanations = plan.explanations.iter().flatten();
    let told = explanations.filter(|explanation| explanation.severity != Severity::Note);
    let lines: Vec<String> = told.map(line).collect();
    if !lines.is_empty() {
        report.push_str(&format!("\n### Why\n\n{}\n", lines.join("\n")));
    }
}

fn writes(plan: &Plan<'_>) -> String {
    let mut lines = String::new();
    let of = |slice: &EndpointSlice<'_>| {
        let endpoints = counted(slice.endpoints.len(), "endpoint");
        format!("{}, {endpoints}", prose(&slice.address_type))
    };
    for (number, slice) in plan.create.iter().enumerate() {
        let name = code(&format!("{}…", slice.metadata.generate_name));
        let why = reasons(plan, &format!("create/{number}"));
        lines.push_str(&format!("- create {name} ({}){why}\n", of(slice)));
    }
    for slice in &plan.update {
        let why = reasons(plan, slice.name());
        lines.push_str(&format!(
            "- update {} ({}){why}\n",
            code(slice.name()),
            of(slice)
        ));
    }
    for slice in &plan.delete {
        let why = reasons(plan, &slice.name);
        lines.push_str(&format!(
            "- delete {} ({}){why}\n",
            code(&slice.name),
            prose(&slice.address_type)
        ));
    }
    lines
}

fn reasons(plan: &Plan<'_>, key: &str) -> String {
    let reasons = plan.reasons.get(key).into_iter().flatten();
    let words: Vec<&str> = reasons.map(|reason| reason.words()).collect();
    if words.is_empty() {
        return String::new();
    }
    format!(": {}", words.join(", "))
}

fn zones(hints: &HintsReport<'_>, report: &mut String) {
    let state = match &hints.reason {
        Some(reason) => format!("off. {}", prose(reason)),
        None => "on".into(),
    };
    let family = hints.address_type.as_str();
    report.push_str(&format!("\n{family} hints ({:?}): {state}.\n", hints.mode));
    if hints.zones.is_empty() {
        return;
    }
    report.push_str("\n| Zone | CPU | Wanted | Least | Given |\n|---|---:|---:|---:|---:|\n");
    for zone in &hints.zones {
        let given = zone
            .allocated
            .map_or_else(|| "–".into(), |count| count.to_string());
        report.push_str(&format!(
            "| {} | {} | {:.2} | {} | {given} |\n",
            code(&zone.zone),
            percent(zone.cpu_ratio, 1),
            zone.desired,
            zone.minimum
        ));
    }
}

fn line(explanation: &Explanation) -> String {
    let subject = &explanation.subject;
    let mut line = format!(
        "- **{}**, {} {}: {}",
        explanation.severity.as_str(),
        subject.kind.as_str(),
        code(&subject.name),
        prose(&explanation.what)
    );
    let look = explanation.look.first().map_or("", |look| &look.at);
    let texts = [
        ("", &*explanation.because),
        ("To do: ", &*explanation.to_do),
        ("To look at: ", look),
    ];
    for (lead, text) in texts {
        if !text.is_empty() {
            line.push_str(&format!(" {lead}{}", prose(text)));
        }
    }
    line
}

/// A name as literal text, whatever it contains.
fn code(name: &str) -> String {
    let shown = name.chars().map(|character| match character {
        '`' | '|' => '·',
        character if character.is_control() => '·',
        character => character,
    });
    format!("`{}`", shown.collect::<String>())
}

/// A sentence in which names from a cluster cannot create links, tables or tags.
fn prose(text: &str) -> String {
    let mut shown = String::new();
    for character in text.chars() {
        match character {
            '<' => shown.push_str("&lt;"),
            '|' | '[' | ']' | '*' | '_' => {
                shown.push('\\');
                shown.push(character);
            }
            character if character.is_control() => shown.push(' '),
            character => shown.push(character),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_not_obeyed() {
        assert_eq!(code("a`b|c\n# d"), "`a·b·c·# d`");
        assert_eq!(
            prose("see [x](y) <b>|\n# d"),
            "see \\[x\\](y) &lt;b>\\| # d"
        );
    }
}
