//! Why slices are created, updated and deleted, and why others with room are not filled.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::difference::SliceDifference;
use super::say;
use super::scene::Scene;
use super::words::{list, sentence};
use slicewise::model::{EndpointSlice, PortMapKey, StringMap, keys};
use slicewise::plan::Reason;
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code};
use slicewise::reconcile::packing::Packing;
use slicewise::reconcile::slice::is_owned_by;
use slicewise::words::counted;

/// Explains every write of the plan.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let plan = scene.case.plan;
    for (number, slice) in plan.create.iter().enumerate() {
        let reasons = reasons(scene, &format!("create/{number}"));
        answers.push(created(scene, slice, number, reasons));
        answers.extend(not_filled(scene, slice, number));
    }
    for slice in &plan.update {
        answers.push(updated(scene, slice, reasons(scene, slice.name())));
    }
    for slice in &plan.delete {
        let before = scene.own.iter().find(|own| own.name() == &*slice.name);
        let reasons = reasons(scene, &slice.name);
        answers.extend(before.map(|before| deleted(scene, before, reasons)));
    }
}

fn reasons<'s>(scene: &'s Scene<'_>, key: &str) -> &'s [Reason] {
    let reasons = scene.case.plan.reasons.get(key);
    reasons.map(Vec::as_slice).unwrap_or_default()
}

fn maximum(scene: &Scene<'_>) -> usize {
    scene.case.options.settings().max_endpoints_per_slice.get()
}

fn packing(scene: &Scene<'_>) -> Packing {
    scene.case.options.settings().packing
}

/// Slices other than the given one that could take its endpoints: same family, same ports.
fn alike<'s>(scene: &'s Scene<'_>, slice: &EndpointSlice<'_>) -> Vec<&'s EndpointSlice<'s>> {
    let key = PortMapKey::new(&slice.ports);
    let alike = scene.own.iter().filter(|own| {
        own.address_type == slice.address_type
            && PortMapKey::new(&own.ports) == key
            && is_owned_by(own, scene.case.service)
    });
    alike.copied().collect()
}

fn is_unchanged(scene: &Scene<'_>, slice: &EndpointSlice<'_>) -> bool {
    scene.case.plan.unchanged.contains(slice.name())
}

fn title(scene: &Scene<'_>, slice: &EndpointSlice<'_>, number: usize) -> (String, String) {
    let namespace = scene.case.service.metadata.namespace.to_string();
    (
        namespace,
        format!("{}{number}", slice.metadata.generate_name),
    )
}

fn created(
    scene: &Scene<'_>,
    slice: &EndpointSlice<'_>,
    number: usize,
    reasons: &[Reason],
) -> Explanation {
    let (namespace, name) = title(scene, slice, number);
    let names = (namespace.as_str(), name.as_str());
    let family = &slice.address_type;
    if reasons.contains(&Reason::Placeholder) {
        let message = format!(
            "One empty {family} slice is to be created: a Service without endpoints keeps one, so that consumers can distinguish \"no endpoints\" from \"not synced yet\"."
        );
        return say::slice(
            Code::SlicePlaceholder,
            names,
            format!("One empty {family} slice is to be created."),
        )
        .because("A Service without endpoints keeps one.")
        .details(message);
    }
    let held = slice.endpoints.len();
    let max = maximum(scene);
    let others = alike(scene, slice);
    let why = if others.is_empty() {
        "the Service has no slice of this family and these ports yet".to_string()
    } else if packing(scene) == Packing::Balanced {
        "after the slices that change anyway were filled evenly, no slice had room for all remaining endpoints; the packing `balanced` then creates new slices of equal size, with room to grow".to_string()
    } else if held >= max {
        format!(
            "there are enough endpoints to fill a slice ({max}, the maximum), and a full set always gets a new slice"
        )
    } else {
        let unchanged = others.iter().filter(|other| is_unchanged(scene, other));
        let most = unchanged
            .map(|other| max.saturating_sub(other.endpoints.len()))
            .max()
            .unwrap_or_default();
        format!(
            "{} {} left after the slices that change anyway were filled, and no other slice has room for all of them (the largest gap is {most})",
            counted(held, "endpoint"),
            if held == 1 { "was" } else { "were" }
        )
    };
    let message = format!(
        "A new {family} slice with {} is to be created, because {why}.",
        counted(held, "endpoint")
    );
    let explanation = say::slice(
        Code::SliceCreated,
        names,
        format!(
            "A new {family} slice with {} is to be created.",
            counted(held, "endpoint")
        ),
    )
    .because(format!("{}.", sentence(&why)))
    .details(message)
    .figure("endpoints", held)
    .figure("maximum", max);
    if others.is_empty() || max >= 1000 {
        return explanation;
    }
    explanation.fix(
        format!("let the controller put more endpoints into a slice (--max-endpoints-per-slice, now {max}, at most 1000)"),
        "fewer slices; but each write of one is larger, and goes to every node",
    )
}

/// A slice with room, next to which a new one is created.
fn not_filled(scene: &Scene<'_>, new: &EndpointSlice<'_>, number: usize) -> Option<Explanation> {
    let max = maximum(scene);
    let held = new.endpoints.len();
    let others = alike(scene, new);
    let unchanged = others.iter().filter(|other| is_unchanged(scene, other));
    let with_room: Vec<_> = unchanged
        .filter(|other| other.endpoints.len() < max && !other.endpoints.is_empty())
        .collect();
    let roomiest = with_room.iter().min_by_key(|other| other.endpoints.len())?;
    let room: usize = with_room
        .iter()
        .map(|other| max - other.endpoints.len())
        .sum();
    let (_, name) = title(scene, new, number);
    let why = if held >= max {
        format!(
            "{} fills a slice to the maximum, which needs no other write",
            name
        )
    } else {
        format!(
            "its {} do not fit into any of them",
            counted(held, "endpoint")
        )
    };
    let rule = match packing(scene) {
        Packing::Upstream => {
            "A slice that does not otherwise change is only touched if all remaining endpoints fit into it. Filling several slices would take several writes, each sent to every node; one create is cheaper, at the cost of emptier slices."
        }
        Packing::Compact => {
            "With the packing `compact`, slices that do not otherwise change are only filled if there would be more than one slice above the minimum; this one is still allowed."
        }
        Packing::Balanced => {
            "With the packing `balanced`, the emptiest slice takes the remaining endpoints only if all of them fit; otherwise new slices of equal size are created, so that all have room to grow."
        }
    };
    let message = format!(
        "Slice {} has room for {} ({} in all have room for {room}), but {name} is to be created: {why}. {rule}",
        roomiest.name(),
        max - roomiest.endpoints.len(),
        counted(with_room.len(), "slice"),
    );
    Some(
        say::slice(
            Code::SliceNotFilled,
            say::names(roomiest),
            format!(
                "{name} is to be created although a slice has room for {}.",
                max - roomiest.endpoints.len()
            ),
        )
        .because(format!("{}.", sentence(&why)))
        .details(message)
        .figure("room", max - roomiest.endpoints.len())
        .figure("roomOfAll", room)
        .figure("toPlace", held),
    )
}

fn updated(scene: &Scene<'_>, slice: &EndpointSlice<'_>, reasons: &[Reason]) -> Explanation {
    let names = say::names(slice);
    let mut own = scene.own.iter().copied();
    let before = own.find(|own| own.name() == slice.name());
    let held = slice.endpoints.len();
    if reasons.contains(&Reason::Recycled) {
        let role = if reasons.contains(&Reason::Placeholder) {
            "the empty slice that a Service without endpoints keeps".to_string()
        } else {
            format!("a new slice with {}", counted(held, "endpoint"))
        };
        let message = format!(
            "Slice {} would be deleted, because none of its endpoints is wanted with these ports; instead it becomes {role}: one write instead of two, and no gap in between.",
            slice.name()
        );
        return say::slice(
            Code::SliceRecycled,
            names,
            format!("Slice {} is to become {role}.", slice.name()),
        )
        .because("None of its endpoints is wanted with these ports.")
        .details(message)
        .figure("endpoints", held);
    }
    let difference = SliceDifference::between(before, slice);
    let words: Vec<String> = reasons
        .iter()
        .filter_map(|reason| because(scene, before, *reason, &difference))
        .collect();
    let message = format!(
        "Slice {} is to be updated, because {}. It then has {}; a write sends the whole slice to every node, however small the change.",
        slice.name(),
        words.join("; and "),
        counted(held, "endpoint")
    );
    say::slice(
        Code::SliceUpdated,
        names,
        format!("Slice {} is to be updated.", slice.name()),
    )
    .because(format!("{}.", sentence(&words.join("; and "))))
    .details(message)
    .figure("added", difference.added)
    .figure("removed", difference.removed)
    .figure("changed", difference.changed)
    .figure("endpoints", held)
}

fn because(
    scene: &Scene<'_>,
    before: Option<&EndpointSlice<'_>>,
    reason: Reason,
    difference: &SliceDifference,
) -> Option<String> {
    Some(match reason {
        Reason::EndpointsChanged => {
            let mut parts = Vec::new();
            if difference.removed > 0 {
                parts.push(format!("{} left", counted(difference.removed, "endpoint")));
            }
            if difference.changed > 0 {
                let examples = list(&difference.examples);
                parts.push(format!(
                    "{} changed: {examples}",
                    counted(difference.changed, "endpoint")
                ));
            }
            if parts.is_empty() {
                "endpoints in it are out of date".to_string()
            } else {
                parts.join(" and ")
            }
        }
        Reason::EndpointsAdded => format!(
            "{} added",
            if difference.added == 1 {
                "1 endpoint was".to_string()
            } else {
                format!("{} endpoints were", difference.added)
            }
        ),
        Reason::LabelsChanged => {
            let differ = before
                .map(|before| labels(scene, before))
                .unwrap_or_default();
            format!(
                "its labels differ from the Service's ({}), and a slice's labels follow the Service's",
                list(&differ)
            )
        }
        Reason::HintsChanged => {
            format!(
                "hints of {} changed",
                counted(difference.hinted, "endpoint")
            )
        }
        _ => return None,
    })
}

/// How the labels of a slice differ from those of its Service.
fn labels(scene: &Scene<'_>, slice: &EndpointSlice<'_>) -> Vec<String> {
    let wanted: &StringMap<'_> = &scene.case.service.metadata.labels;
    let found = &slice.metadata.labels;
    let free = |key: &str| !keys::is_reserved_label(key);
    let mut words = Vec::new();
    for (key, value) in wanted.iter().filter(|(key, _)| free(key)) {
        match found.get(key) {
            None => words.push(format!("{key}={value} is missing")),
            Some(other) if other != value => words.push(format!("{key} is {other}, not {value}")),
            Some(_) => {}
        }
    }
    let extra = found
        .iter()
        .filter(|(key, _)| free(key) && !wanted.contains_key(key.as_str()));
    words.extend(extra.map(|(key, value)| format!("{key}={value} is not on the Service")));
    words
}

fn deleted(scene: &Scene<'_>, slice: &EndpointSlice<'_>, reasons: &[Reason]) -> Explanation {
    let names = say::names(slice);
    let name = slice.name();
    let service = &scene.case.service.metadata;
    if reasons.contains(&Reason::NotOwned) {
        let owners = slice.metadata.owner_references.iter();
        let owner = owners
            .filter(|owner| owner.kind == "Service")
            .map(|owner| format!("uid {}", owner.uid))
            .collect::<Vec<_>>();
        let owner = if owner.is_empty() {
            "it is not owned by a Service".to_string()
        } else {
            format!("its owner has {}", list(&owner))
        };
        let message = format!(
            "Slice {name} is replaced, because it does not belong to this Service, which has uid {}: {owner}. It is usually left over from an older Service of the same name.",
            service.uid
        );
        return say::slice(
            Code::SliceNotOwned,
            names,
            format!("Slice {name} is replaced."),
        )
        .because("It belongs to an older Service of the same name.")
        .details(message)
        .fix(
            "nothing: the garbage collector would delete it as well",
            "those of its endpoints that are still wanted are in this Service's slices",
        );
    }
    if reasons.contains(&Reason::AddressTypeNotWanted) {
        let families: Vec<&str> = slicewise::reconcile::address_types(scene.case.service)
            .into_iter()
            .map(slicewise::model::AddressType::as_str)
            .collect();
        let message = format!(
            "Slice {name} is to be deleted, because it is of address type {} and the Service has {} only. The type of a slice cannot be changed, so it cannot be reused.",
            slice.address_type,
            list(&families)
        );
        return say::slice(Code::SliceOfOtherFamily, names, format!("Slice {name} is to be deleted.")).because(format!("It is of type {}, which the Service does not have.", slice.address_type)).details(message).fix(
            format!("add {} to spec.ipFamilies, if you need it (and set ipFamilyPolicy: PreferDualStack)", slice.address_type),
            "the Service gets slices of that family again",
        );
    }
    if reasons.contains(&Reason::EndpointsMoved) {
        let message = format!(
            "Slice {name} is to be deleted, because its {} moved to other slices: with the packing `compact` there is never more than one slice above the minimum, and this was the emptiest. The others are written before it is deleted, so no endpoint is missing at any moment.",
            counted(slice.endpoints.len(), "endpoint")
        );
        return say::slice(
            Code::SliceDeleted,
            names,
            format!("Slice {name} is to be deleted."),
        )
        .because("Its endpoints moved to other slices.")
        .details(message)
        .figure("endpoints", slice.endpoints.len());
    }
    let same_ports = alike(scene, slice).len() > 1
        || scene
            .after
            .iter()
            .any(|after| PortMapKey::new(&after.ports) == PortMapKey::new(&slice.ports));
    let why = if same_ports || slice.ports.is_empty() {
        "none of its endpoints is wanted in it any more, and no slice is to be created for which it could be reused"
    } else {
        "no pod has its ports any more; the ports of a slice only change when it is recycled"
    };
    let message = format!("Slice {name} is to be deleted, because {why}.");
    say::slice(
        Code::SliceDeleted,
        names,
        format!("Slice {name} is to be deleted."),
    )
    .because(format!("{}.", sentence(why)))
    .details(message)
    .figure("endpoints", slice.endpoints.len())
}
