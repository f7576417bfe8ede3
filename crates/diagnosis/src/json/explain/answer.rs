//! Answers, as data and as text.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::explain::Explanations;
use crate::explain::text::{self, TextStyle};
use slicewise::api::{Warning, WarningCode};
use slicewise::model::NamespacedName;
use slicewise::model::text::printable;
use slicewise::plan::ServiceRef;
use slicewise::plan::explanation::{Explanation, Severity, Topic, Verdict};

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
        }
    }
}

impl Explained {
    /// As text for people; optionally in colour, and with the prose and all fixes.
    pub fn to_text(&self, colored: bool, verbose: bool) -> String {
        let style = TextStyle {
            indent: "  ",
            colored,
            verbose,
        };
        let mut answer = String::new();
        // Without slices the answers cover less but are still true; anything else that is missing may make them wrong.
        let (last, first): (Vec<_>, Vec<_>) = self.warnings.iter().partition(|warning| {
            matches!(warning.code, WarningCode::NoSlices | WarningCode::LeftOut)
        });
        write_warnings(&first, &mut answer);
        let mut services: Vec<&ServiceExplained> = self.services.iter().collect();
        services.sort_by_key(|explained| explained.verdict.severity);
        for explained in services {
            if !answer.is_empty() {
                answer.push('\n');
            }
            let ServiceRef { namespace, name } = &explained.service;
            let name = format!("{namespace}/{name}");
            text::write_verdict(&name, &explained.verdict, style, &mut answer);
            let explanations = explained.explanations.iter();
            let shown = explanations
                .filter(|one| verbose || self.has_topic || one.topic != Topic::Cost)
                .cloned();
            text::write(&shown.collect::<Vec<_>>(), style, &mut answer);
        }
        if !self.cluster.is_empty() {
            if !answer.is_empty() {
                answer.push('\n');
            }
            answer.push_str("nodes\n");
            text::write(&self.cluster, style, &mut answer);
        }
        if answer.is_empty() {
            answer.push_str("nothing to explain\n");
        }
        if !last.is_empty() {
            answer.push('\n');
        }
        write_warnings(&last, &mut answer);
        answer
    }

    /// The severity of the worst answer; `None` if there are none.
    pub fn worst(&self) -> Option<Severity> {
        let services = self.services.iter();
        let told = services.flat_map(|service| &service.explanations);
        let all = self.cluster.iter().chain(told);
        all.map(|explanation| explanation.severity).min()
    }
}

fn write_warnings(warnings: &[&Warning], text: &mut String) {
    for warning in warnings {
        let message = printable(warning.message.clone());
        text.push_str(&format!("warning: {message}\n"));
    }
}
