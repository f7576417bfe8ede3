//! Slices that are emptier than necessary, and what would compact them.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::scene::Scene;
use super::{say, whatif};
use slicewise::model::EndpointSlice;
use slicewise::plan::change::SuggestedChange;
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Fix};
use slicewise::reconcile::packing::Packing;
use slicewise::words::{counted, percent};

/// Explains fragmentation, and slices above the maximum size.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    // A single slice cannot be too many, and most Services have one.
    if scene.case.plan.stats.slices > 1 {
        answers.extend(fragmented(scene));
    }
    let max = scene.case.options.settings().max_endpoints_per_slice.get();
    for slice in scene
        .after
        .iter()
        .copied()
        .filter(|slice| slice.endpoints.len() > max)
    {
        let message = format!(
            "Slice {} holds {}, more than the maximum of {max}: the maximum applies when endpoints are added to a slice, and larger slices are not split.",
            slice.name(),
            counted(slice.endpoints.len(), "endpoint")
        );
        answers.push(
            say::slice(Code::SliceAboveMaximum, say::names(slice), format!("Slice {} holds more than the maximum.", slice.name())).because(format!("It has {}, and new slices get at most {max}.", counted(slice.endpoints.len(), "endpoint"))).details(message)
                .figure("endpoints", slice.endpoints.len())
                .figure("maximum", max)
                .fix(
                    "restart the pods (kubectl rollout restart)",
                    "their new endpoints go into slices of at most the maximum, and this one shrinks as the old ones are removed",
                ),
        );
    }
}

fn fragmented(scene: &Scene<'_>) -> Option<Explanation> {
    let stats = scene.case.plan.stats;
    let max = scene.case.options.settings().max_endpoints_per_slice.get();
    let fewest = whatif::slices_from(scene.case, &[]);
    if stats.slices <= fewest || fewest == 0 {
        return None;
    }
    let mut by_size = scene.after.clone();
    slicewise::model::order::sort_by(&mut by_size, |a, b| {
        let size = a.endpoints.len().cmp(&b.endpoints.len());
        size.then_with(|| a.name().cmp(b.name()))
    });
    let held: usize = by_size.iter().map(|slice| slice.endpoints.len()).sum();
    let sizes = sizes_of(&by_size);
    let fill = held as f64 / (stats.slices * max) as f64;
    let packing = scene.case.options.settings().packing;
    let rule = match packing {
        Packing::Upstream => {
            "Endpoints are never moved from one slice to another to pack them: that would take a write for each slice, and endpoints would briefly be in two slices or in none. A slice is only filled when it changes anyway, and only deleted when it is empty."
        }
        Packing::Compact => {
            "With the packing `compact`, endpoints are only moved if a group of ports would have more than one slice above the minimum."
        }
        Packing::Balanced => {
            "With the packing `balanced`, endpoints are not moved either: slices are meant to have room to grow."
        }
    };
    let message = format!(
        "The Service has {held} endpoints in {}, {} full on average ({sizes} of {max}), where {} would be enough. {rule}",
        counted(stats.slices, "slice"),
        percent(fill, 1),
        fewest
    );
    let mut explanation = say::service(
        Code::SlicesFragmented,
        scene.case.service,
        format!(
            "The Service has {}, and {fewest} would be enough.",
            counted(stats.slices, "slice")
        ),
    )
    .because(format!(
        "{} fill them to {} on average.",
        counted(held, "endpoint"),
        percent(fill, 1)
    ))
    .details(message)
    .figure("slices", stats.slices)
    .figure("fewest", fewest)
    .figure("endpoints", held)
    .figure("fill", fill);
    explanation = explanation.fixes(deletion(scene, &by_size, stats.slices));
    let compact = whatif::slices_packed(scene.case, &by_size);
    if packing != Packing::Compact && compact < stats.slices {
        explanation = explanation.fix(
            "or manage the slices with your own controller that packs them (slicewise controller --packing compact)",
            format!(
                "tested: that leaves {}, with a write for each slice that is filled or deleted",
                counted(compact, "slice")
            ),
        );
    }
    explanation = explanation.fix(
        "or wait for the next rollout of all pods",
        "new endpoints go into slices that lose old ones, the fullest first, and empty slices are deleted: this packs them, though not always to the minimum",
    );
    Some(explanation)
}

/// Deletes the smallest slices, so that their endpoints go into the others.
fn deletion(scene: &Scene<'_>, by_size: &[&EndpointSlice<'_>], slices: usize) -> Option<Fix> {
    let (names, then) = delete_by_hand(scene, by_size, slices)?;
    let deleted = by_size.iter().take(names.len());
    let all: usize = deleted.map(|slice| slice.endpoints.len()).sum();
    let namespace = &scene.case.service.metadata.namespace;
    let fix = say::fix(
        format!(
            "kubectl delete endpointslice -n {namespace} {}",
            names.join(" ")
        ),
        format!(
            "tested: that leaves {}. The controller adds the {} back at once, but until then they get no traffic: do it while the others can handle the load",
            counted(then, "slice"),
            counted(all, "endpoint")
        ),
    );
    let names = names.iter();
    Some(fix.by(names.map(|name| SuggestedChange::delete("EndpointSlice", namespace, name))))
}

/// How many endpoints each slice has, the fullest first.
fn sizes_of(by_size: &[&EndpointSlice<'_>]) -> String {
    let sizes: Vec<String> = by_size
        .iter()
        .rev()
        .map(|slice| slice.endpoints.len().to_string())
        .collect();
    match sizes.as_slice() {
        [first, .., last] if sizes.len() > 12 => {
            let next: Vec<_> = sizes.iter().skip(1).take(5).cloned().collect();
            format!("{first}, {} … {last}", next.join(", "))
        }
        _ => sizes.join(", "),
    }
}

/// The emptiest slices whose manual deletion, tried on the planner, leaves the fewest slices.
fn delete_by_hand(
    scene: &Scene<'_>,
    by_size: &[&EndpointSlice<'_>],
    now: usize,
) -> Option<(Vec<String>, usize)> {
    /// No one deletes more than this by hand.
    const MOST: usize = 10;
    let existing: Vec<&EndpointSlice<'_>> = by_size
        .iter()
        .copied()
        .filter(|slice| !scene.is_new(slice))
        .collect();
    let mut best: Option<(usize, usize)> = None;
    for number in 1..=existing.len().saturating_sub(1).min(MOST) {
        let kept = existing.get(number..).unwrap_or_default();
        let then = whatif::slices_from(scene.case, kept);
        if then < best.map_or(now, |(_, then)| then) {
            best = Some((number, then));
        }
    }
    let (number, then) = best?;
    let names: Vec<String> = existing
        .iter()
        .take(number)
        .map(|slice| slice.name().into())
        .collect();
    Some((names, then))
}
