//! What writes cost: bytes, multiplied by the number of watchers.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::say;
use super::scene::Scene;
use super::words::bytes;
use slicewise::json;
use slicewise::model::EndpointSlice;
use slicewise::plan::Reason;
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code};
use slicewise::words::counted;

const PROTOBUF: &str = "as JSON; kube-proxy uses protobuf, which is smaller";

/// Explains the cost of the plan, or of the next change of a pod.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let plan = scene.case.plan;
    if !plan.is_empty() {
        answers.push(writes(scene));
    } else if scene.case.service.is_reconciled()
        && scene.after.iter().any(|slice| !slice.endpoints.is_empty())
    {
        answers.extend(next_change(scene));
    }
}

fn size(slice: &EndpointSlice<'_>) -> usize {
    json::write::to_vec(slice).map_or(0, |json| json.len())
}

/// That of a new slice, which is sent without the name it has here.
fn size_unnamed(slice: &EndpointSlice<'_>) -> usize {
    let name = json::write::to_vec(&slice.metadata.name).map_or(0, |json| json.len());
    size(slice).saturating_sub(r#""name":,"#.len() + name)
}

fn writes(scene: &Scene<'_>) -> Explanation {
    let plan = scene.case.plan;
    let number = plan.create.len() + plan.update.len() + plan.delete.len();
    let created: usize = plan.create.iter().map(size_unnamed).sum();
    let sent = created + plan.update.iter().map(size).sum::<usize>();
    let watchers = scene.case.cluster.nodes.len();
    let alone = |reason: Reason| {
        let reasons = plan.reasons.values();
        reasons.filter(|reasons| ***reasons == [reason]).count()
    };
    let avoidable = [
        (alone(Reason::HintsChanged), "for hints alone"),
        (alone(Reason::LabelsChanged), "for labels alone"),
    ];
    let avoidable: String = avoidable
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, what)| format!(" {} {what}.", counted(*number, "update")))
        .collect();
    let message = format!(
        "This plan takes {} to the API server ({} created, {} updated, {} deleted) and {} of slices ({PROTOBUF}). It goes to {}: {} in total.{avoidable}",
        counted(number, "write"),
        plan.create.len(),
        plan.update.len(),
        plan.delete.len(),
        bytes(sent),
        counted(watchers, "node"),
        bytes(sent.saturating_mul(watchers))
    );
    say::service(
        Code::WriteCost,
        scene.case.service,
        format!("This plan takes {}.", counted(number, "write")),
    )
    .because(format!(
        "{} go to {}.",
        bytes(sent),
        counted(watchers, "node")
    ))
    .details(message)
    .figure("writes", number)
    .figure("bytes", sent)
    .figure("watchers", watchers)
    .figure("bytesToWatchers", sent.saturating_mul(watchers))
}

fn next_change(scene: &Scene<'_>) -> Option<Explanation> {
    let slices = scene.after.iter().map(|slice| (*slice, size(slice)));
    let (largest, sent) = slices.max_by_key(|(_, size)| *size)?;
    let watchers = scene.case.cluster.nodes.len();
    let message = format!(
        "There is nothing to write. A change to one pod rewrites the slice it is in, up to {} ({} in {}; {PROTOBUF}), and sends it to {}: {} in total. Smaller slices make that cheaper, but there are more of them; changes close together share a write.",
        bytes(sent),
        counted(largest.endpoints.len(), "endpoint"),
        largest.name(),
        counted(watchers, "node"),
        bytes(sent.saturating_mul(watchers))
    );
    let explanation = say::service(
        Code::ChangeCost,
        scene.case.service,
        "There is nothing to write.",
    )
    .because(format!(
        "A change to one pod writes up to {} to {}.",
        bytes(sent),
        counted(watchers, "node")
    ))
    .details(message)
    .figure("bytes", sent)
    .figure("watchers", watchers)
    .figure("bytesToWatchers", sent.saturating_mul(watchers));
    Some(if largest.endpoints.len() >= 50 {
        explanation.fix(
            "batch pod changes: --endpointslice-updates-batch-period=500ms on the controller manager",
            "one write for all changes in that time; endpoints change that much later",
        )
    } else {
        explanation
    })
}
