//! Answers, as data and as text.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::explain::Explanations;
use crate::explain::layout::{Part, lay_out, lines};
use crate::explain::text::{self, TextStyle};
use slicewise::api::{Warning, WarningCode};
use slicewise::model::NamespacedName;
use slicewise::model::order::sort_by;
use slicewise::model::text::printable;
use slicewise::plan::ServiceRef;
use slicewise::plan::explanation::{Explanation, Severity, Topic, Verdict};
use slicewise::words::counted;

/// Explanations by Service.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct Explained {
    /// The Services, by namespace and name, including those without a selector.
    pub services: Vec<ServiceExplained>,
    /// Explanations about the whole cluster, that is, its nodes.
    pub cluster: Vec<Explanation>,
    /// Warnings about the input.
    pub warnings: Vec<Warning>,
    /// Was a topic asked about? If not, short texts leave out what writes cost.
    #[serde(skip)]
    pub(super) has_topic: bool,
    /// The severities of the Services that were left out by [`keep`](Self::keep).
    #[serde(skip)]
    pub(super) kept_out: Vec<Severity>,
}

/// The explanations of one Service.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct ServiceExplained {
    /// The Service.
    pub service: ServiceRef<'static>,
    /// A one-line summary: the most severe explanation.
    pub verdict: Verdict,
    /// The explanations, most severe first.
    pub explanations: Vec<Explanation>,
    /// Does the verdict only tell who is served, and all are?
    #[serde(skip)]
    is_plain: bool,
}

/// What a text for people has.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct TextForm {
    /// Use colours?
    pub colored: bool,
    /// Include the prose and all fixes?
    pub verbose: bool,
    /// Wrap lines to this number of columns?
    pub width: Option<usize>,
    /// The most lines; the last one then counts what is left.
    pub lines: Option<usize>,
    /// Of several Services, are those that are well only counted?
    pub counts_well: bool,
    /// Of several Services, do those that are well get one line each, and does the end count all?
    pub is_overview: bool,
}

impl ServiceExplained {
    pub(super) fn new(service: NamespacedName, told: Explanations) -> Self {
        Self {
            service: ServiceRef {
                namespace: service.namespace.into(),
                name: service.name.into(),
            },
            verdict: told.verdict,
            explanations: told.explanations,
            is_plain: told.is_plain,
        }
    }

    /// What is shown of it: in an overview, only the verdict of what is well.
    fn shown(&self, is_overview: bool, has_cost: bool) -> Vec<&Explanation> {
        let is_line = is_overview && self.verdict.severity == Severity::Note;
        let all = self.explanations.iter();
        all.filter(|one| !is_line && (has_cost || one.topic != Topic::Cost))
            .collect()
    }
}

impl Explained {
    /// As text for people; optionally in colour, and with the prose and all fixes.
    pub fn to_text(&self, colored: bool, verbose: bool) -> String {
        self.formatted(TextForm {
            colored,
            verbose,
            ..TextForm::default()
        })
    }

    /// As text for people.
    pub fn formatted(&self, form: TextForm) -> String {
        let style = TextStyle {
            indent: "  ",
            colored: form.colored,
            verbose: form.verbose,
            width: form.width,
        };
        let count = self.services.len() + self.kept_out.len();
        let is_overview = form.is_overview && count > 1;
        // Without slices the answers cover less but are still true; anything else that is missing may make them wrong.
        let (last, first): (Vec<_>, Vec<_>) = self.warnings.iter().partition(|warning| {
            matches!(warning.code, WarningCode::NoSlices | WarningCode::LeftOut)
        });
        let mut answer = warnings(&first, style);
        let mut end = warnings(&last, style);
        let (parts, beyond, hidden) = self.parts(form, is_overview, style);
        if is_overview {
            style.line(&self.totals(hidden), 2, &mut end);
        }
        let apart = |text: &str| usize::from(!text.is_empty());
        let room = form.lines.map_or(usize::MAX, |most| {
            let taken = lines(&answer) + apart(&answer) + lines(&end) + apart(&end) + 1;
            most.saturating_sub(taken)
        });
        let mut body = lay_out(&parts, room);
        body.parts_left += beyond.len();
        body.explanations_left += beyond.iter().sum::<usize>();
        if parts.is_empty() && answer.is_empty() && !is_overview {
            body.text.push_str("nothing to explain\n");
        }
        if body.parts_left + body.explanations_left > 0 {
            let left = left(body.explanations_left, body.parts_left, count > 1);
            style.line(&left, 2, &mut end);
        }
        for text in [&body.text, &end]
            .into_iter()
            .filter(|text| !text.is_empty())
        {
            if !answer.is_empty() {
                answer.push('\n');
            }
            answer.push_str(text);
        }
        answer
    }

    /// The Services, worst first, and the nodes, as far as there may be room; of the others the numbers of explanations;
    /// and the number of Services that are not among either.
    fn parts(
        &self,
        form: TextForm,
        is_overview: bool,
        style: TextStyle<'_>,
    ) -> (Vec<Part>, Vec<usize>, usize) {
        let mut services: Vec<&ServiceExplained> = self.services.iter().collect();
        sort_by(&mut services, |one, other| {
            one.verdict.severity.cmp(&other.verdict.severity)
        });
        services.retain(|one| !(is_overview && form.counts_well && one.is_plain));
        let hidden = self.services.len() - services.len();
        let has_cost = form.verbose || self.has_topic;
        let part = |explained: &&ServiceExplained| {
            let ServiceRef { namespace, name } = &explained.service;
            let name = format!("{namespace}/{name}");
            let mut head = String::new();
            text::write_verdict(&name, &explained.verdict, style, &mut head);
            let blocks = text::blocks(&explained.shown(is_overview, has_cost), style);
            Part { head, blocks }
        };
        // Each part takes a line, so no more than these can be shown.
        let most = form.lines.unwrap_or(usize::MAX);
        let mut parts: Vec<Part> = services.iter().take(most).map(part).collect();
        let beyond = services.iter().skip(most);
        let beyond = beyond.map(|one| one.shown(is_overview, has_cost).len());
        let mut beyond: Vec<usize> = beyond.collect();
        if self.cluster.is_empty() {
            return (parts, beyond, hidden);
        }
        if parts.len() < most {
            parts.push(Part {
                head: "nodes\n".into(),
                blocks: text::blocks(&self.cluster.iter().collect::<Vec<_>>(), style),
            });
        } else {
            beyond.push(self.cluster.len());
        }
        (parts, beyond, hidden)
    }

    /// `50 Services: 1 broken, 3 degraded, 46 well`.
    fn totals(&self, hidden: usize) -> String {
        let services = self.services.iter();
        let severities = services.map(|service| service.verdict.severity);
        let severities: Vec<Severity> = severities.chain(self.kept_out.iter().copied()).collect();
        let count = |severity: Severity| {
            let word = match severity {
                Severity::Risk => "at risk",
                Severity::Note => "well",
                other => other.as_str(),
            };
            let number = severities.iter().filter(|one| **one == severity).count();
            (number > 0).then(|| format!("{number} {word}"))
        };
        let counts: Vec<String> = Severity::ALL.into_iter().filter_map(count).collect();
        let more = match hidden {
            0 => String::new(),
            number => format!(" (-v also lists {})", counted(number, "Service")),
        };
        let all = counted(severities.len(), "Service");
        format!("{all}: {}{more}", counts.join(", "))
    }

    /// Keeps what is of that severity or worse; `is_named` keeps a Service that was asked for with its verdict.
    pub fn keep(&mut self, level: Severity, is_named: bool) {
        let has_it = |explanation: &Explanation| explanation.severity <= level;
        self.cluster.retain(has_it);
        for service in &mut self.services {
            service.explanations.retain(has_it);
        }
        let kept_out = &mut self.kept_out;
        self.services.retain(|service| {
            let severity = service.verdict.severity;
            let is_kept = is_named || severity <= level;
            if !is_kept {
                kept_out.push(severity);
            }
            is_kept
        });
    }

    /// The severity of the worst answer; `None` if there are none.
    pub fn worst(&self) -> Option<Severity> {
        let services = self.services.iter();
        let told = services.flat_map(|service| &service.explanations);
        let all = self.cluster.iter().chain(told);
        all.map(|explanation| explanation.severity).min()
    }
}

fn warnings(warnings: &[&Warning], style: TextStyle<'_>) -> String {
    let mut text = String::new();
    for warning in warnings {
        let message = printable(warning.message.clone());
        style.line(&format!("warning: {message}"), 2, &mut text);
    }
    text
}

/// What is not shown, and how to see it.
fn left(explanations: usize, services: usize, are_several: bool) -> String {
    let counts = [(explanations, "explanation"), (services, "Service")];
    let counts = counts.into_iter().filter(|(number, _)| *number > 0);
    let counts: Vec<String> = counts
        .map(|(number, what)| counted(number, &format!("more {what}")))
        .collect();
    let one = if are_several {
        ", --service NAMESPACE/NAME one Service"
    } else {
        ""
    };
    format!("… {}: -v shows all{one}", counts.join(" and "))
}
