//! What the live slices lack: compares them with the plan, endpoint by endpoint.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::words::{list, numbers};
use super::zones::hinted_zones;
use slicewise::diff::{EndpointChange, EndpointDiff, FieldDiff, ServiceDiff, SliceChange, compare};
use slicewise::model::order::{sort_by, sorted_unique};
use slicewise::model::{Endpoint, EndpointSlice, Text};
use slicewise::plan::explanation::{ExplanationCode as Code, Severity};
use slicewise::words::counted;

/// An endpoint or a slice that is not as it should be.
pub(super) struct Item<'a> {
    /// The kind of difference.
    pub(super) code: Code,
    /// The slices' address type; may also be `FQDN`.
    pub(super) family: Text<'a>,
    /// The pod, the address, or the slice.
    pub(super) name: Text<'a>,
    /// The live slice it is in; `None` if it is missing.
    pub(super) slice: Option<Text<'a>>,
    /// The current and the desired state, unless the code says everything.
    pub(super) words: String,
    /// How severe the difference is.
    pub(super) severity: Severity,
}

/// All differences, sorted by family, code and name.
pub(super) fn items<'a>(
    service: &Text<'a>,
    live: &[&EndpointSlice<'a>],
    planned: &[&EndpointSlice<'a>],
) -> Vec<Item<'a>> {
    let mut items = Vec::new();
    let is_live = |family: &Text<'_>| live.iter().any(|slice| slice.address_type == *family);
    let slices = planned.iter().copied();
    let (there, missing): (Vec<_>, Vec<_>) = slices.partition(|slice| is_live(&slice.address_type));
    for family in sorted_unique(missing.iter().map(|slice| &slice.address_type)) {
        items.push(missing_family(service, family, &missing));
    }
    for family in compare(live, &there) {
        WriteComparison {
            live,
            planned,
            family: &family,
            items: &mut items,
        }
        .compare();
    }
    sort_by(&mut items, |one: &Item<'_>, other| {
        let family = one.family.cmp(&other.family);
        let code = family.then(one.code.cmp(&other.code));
        code.then_with(|| one.name.cmp(&other.name))
    });
    items
}

/// That there is no slice of a family. Its endpoints need not be compared one by one.
fn missing_family<'a>(
    service: &Text<'a>,
    family: &Text<'a>,
    planned: &[&EndpointSlice<'a>],
) -> Item<'a> {
    let slices = planned.iter().filter(|slice| slice.address_type == *family);
    let endpoints: usize = slices.map(|slice| slice.endpoints.len()).sum();
    Item {
        code: Code::NotWrittenSlice,
        family: family.clone(),
        name: service.clone(),
        slice: None,
        words: format!("{} in no slice", counted(endpoints, "endpoint")),
        severity: match endpoints {
            0 => Severity::Note,
            _ => Severity::Degraded,
        },
    }
}

struct WriteComparison<'c, 'a> {
    live: &'c [&'c EndpointSlice<'a>],
    planned: &'c [&'c EndpointSlice<'a>],
    family: &'c ServiceDiff<'a>,
    items: &'c mut Vec<Item<'a>>,
}

impl<'a> WriteComparison<'_, 'a> {
    fn push(
        &mut self,
        code: Code,
        name: Text<'a>,
        slice: Option<Text<'a>>,
        words: String,
        severity: Severity,
    ) {
        self.items.push(Item {
            code,
            family: self.family.address_type.clone(),
            name,
            slice,
            words,
            severity,
        });
    }

    fn compare(mut self) {
        let before = self.items.len();
        let of = |change: EndpointChange| {
            let changes = self.family.changes.iter();
            let of = changes.filter(move |diff| diff.change == change);
            sorted_unique(of.map(title))
        };
        let (added, removed) = (of(EndpointChange::Added), of(EndpointChange::Removed));
        for change in &self.family.changes {
            match change.change {
                EndpointChange::Added if removed.contains(&title(change)) => {}
                EndpointChange::Removed if added.contains(&title(change)) => {
                    let words = "with other ports".to_string();
                    self.endpoint(Code::NotWrittenPort, change, words, Severity::Degraded);
                }
                EndpointChange::Added => self.added(change),
                EndpointChange::Removed => self.removed(change),
                EndpointChange::Changed | EndpointChange::Moved => self.changed(change),
            }
        }
        self.slices(before);
    }

    fn endpoint(&mut self, code: Code, diff: &EndpointDiff<'a>, words: String, severity: Severity) {
        let slice = diff.from.as_ref().unwrap_or(&diff.slice).clone();
        self.push(code, title(diff), Some(slice), words, severity);
    }

    fn added(&mut self, diff: &EndpointDiff<'a>) {
        let due = find(self.planned, &diff.slice, diff);
        let severity = match due.map(Endpoint::is_ready) {
            Some(true) => Severity::Degraded,
            _ => Severity::Note,
        };
        let code = Code::NotWrittenEndpoint;
        self.push(code, title(diff), None, String::new(), severity);
    }

    fn removed(&mut self, diff: &EndpointDiff<'a>) {
        let stands = find(self.live, &diff.slice, diff);
        let severity = if stands.is_some_and(is_used) {
            Severity::Degraded
        } else {
            Severity::Note
        };
        self.endpoint(Code::NotWrittenRemoval, diff, String::new(), severity);
    }

    fn changed(&mut self, diff: &EndpointDiff<'a>) {
        let from = diff.from.as_ref().unwrap_or(&diff.slice);
        let (Some(stands), Some(due)) = (
            find(self.live, from, diff),
            find(self.planned, &diff.slice, diff),
        ) else {
            return;
        };
        let fields_of = |starts: &'static str| {
            let fields = diff.fields.iter();
            fields
                .filter(move |field| field.path.starts_with(starts))
                .collect::<Vec<_>>()
        };
        let conditions = fields_of("/conditions");
        if !conditions.is_empty() {
            let severity = if is_used(stands) == is_used(due) {
                Severity::Note
            } else {
                Severity::Degraded
            };
            let words = in_words(&conditions);
            self.endpoint(Code::NotWrittenCondition, diff, words, severity);
        }
        if !fields_of("/hints").is_empty() {
            let (words, severity) = hints(stands, due);
            self.endpoint(Code::NotWrittenHint, diff, words, severity);
        }
        let others: Vec<&FieldDiff> = diff
            .fields
            .iter()
            .filter(|field| {
                let known = ["/conditions", "/hints", "/targetRef/resourceVersion"];
                !known.iter().any(|known| field.path.starts_with(known))
            })
            .collect();
        if !others.is_empty() {
            let counts = ["/zone", "/nodeName", "/hostname"];
            let severity = match others.iter().any(|field| counts.contains(&&*field.path)) {
                true => Severity::Risk,
                false => Severity::Note,
            };
            let words = in_words(&others);
            self.endpoint(Code::NotWrittenField, diff, words, severity);
        }
    }

    /// Differences of the slices themselves. In the end, every slice that the plan writes is among the items.
    fn slices(&mut self, before: usize) {
        for slice in &self.family.slices {
            let name = slice.name.clone();
            let of = |starts: &'static str| {
                let fields = slice.fields.iter();
                fields
                    .filter(move |field| field.path.starts_with(starts))
                    .collect::<Vec<_>>()
            };
            let (labels, ports) = (of("/metadata/labels"), of("/ports"));
            if !labels.is_empty() {
                let hides = labels
                    .iter()
                    .any(|field| field.path.ends_with("kubernetes.io~1headless"));
                let severity = if hides {
                    Severity::Degraded
                } else {
                    Severity::Note
                };
                let words = in_words(&labels);
                let at = Some(name.clone());
                self.push(Code::NotWrittenLabel, name.clone(), at, words, severity);
            }
            if !ports.is_empty() {
                let of = |slices: &[&EndpointSlice<'_>]| {
                    let slice = slices.iter().find(|slice| slice.metadata.name == name);
                    slice.map_or_else(String::new, |slice| numbers(&slice.ports))
                };
                let words = format!("ports {} instead of {}", of(self.live), of(self.planned));
                let at = Some(name.clone());
                let severity = Severity::Degraded;
                self.push(Code::NotWrittenPort, name.clone(), at, words, severity);
            }
            let told = self.items.get(before..).unwrap_or_default();
            if told.iter().any(|item| item.slice.as_ref() == Some(&name)) {
                continue;
            }
            let is_filled = self.family.changes.iter().any(|change| {
                change.change == EndpointChange::Added && *change.slice == *slice.name
            });
            let (words, at) = match slice.change {
                SliceChange::Created if is_filled => continue,
                SliceChange::Updated if is_filled => continue,
                SliceChange::Created => ("still to be created".to_string(), None),
                SliceChange::Deleted => ("still to be deleted".to_string(), Some(name.clone())),
                SliceChange::Updated => {
                    let fields: Vec<&FieldDiff> = slice.fields.iter().collect();
                    let words = if fields.is_empty() {
                        "takes over endpoints of other slices".to_string()
                    } else {
                        in_words(&fields)
                    };
                    (words, Some(name.clone()))
                }
            };
            self.push(Code::NotWrittenSlice, name, at, words, Severity::Note);
        }
    }
}

/// The pod, or the address.
fn title<'a>(diff: &EndpointDiff<'a>) -> Text<'a> {
    let target = diff.target_ref.as_ref().map(|target| &target.name);
    let title = target.or_else(|| diff.addresses.first());
    title.cloned().unwrap_or_default()
}

fn find<'s, 'a>(
    slices: &[&'s EndpointSlice<'a>],
    name: &str,
    diff: &EndpointDiff<'_>,
) -> Option<&'s Endpoint<'a>> {
    let slice = slices.iter().find(|slice| slice.name() == name)?;
    let mut endpoints = slice.endpoints.iter();
    endpoints.find(|endpoint| endpoint.addresses.first() == diff.addresses.first())
}

/// Do consumers treat it as ready?
fn is_used(endpoint: &Endpoint<'_>) -> bool {
    endpoint.conditions.ready.unwrap_or(true)
}

fn hints(stands: &Endpoint<'_>, due: &Endpoint<'_>) -> (String, Severity) {
    let of = |endpoint: &Endpoint<'_>| {
        let mut names: Vec<String> = hinted_zones(endpoint)
            .iter()
            .map(ToString::to_string)
            .collect();
        let hints = endpoint.hints.iter().flat_map(|hints| &hints.for_nodes);
        names.extend(hints.map(|hint| format!("node {}", hint.name)));
        if names.is_empty() {
            "nothing".to_string()
        } else {
            list(&names)
        }
    };
    let severity = if due.hints.is_some() {
        Severity::Degraded
    } else {
        Severity::Risk
    };
    let words = format!("hinted to {} instead of {}", of(stands), of(due));
    (words, severity)
}

/// `ready is false instead of true`.
fn in_words(fields: &[&FieldDiff]) -> String {
    let word = |field: &&FieldDiff| {
        let name = field.path.trim_start_matches("/conditions/");
        let name = name.trim_start_matches("/metadata/labels/");
        let name = name.trim_start_matches('/');
        let name = name.replace("~1", "/").replace("~0", "~");
        let value = |json: Option<&str>| slicewise::model::text::cut(json.unwrap_or("unset"), 60);
        format!(
            "{name} is {} instead of {}",
            value(field.before()),
            value(field.after())
        )
    };
    list(&fields.iter().map(word).collect::<Vec<_>>())
}
