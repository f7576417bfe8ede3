//! JSON Schemas of scenarios, and of what is told of their runs.

use alloc::vec;
use alloc::vec::Vec;

use schemars::Schema;

use slicewise::schema::{read, written};

use crate::{Report, Scenario, ScenarioSummary, TimelineSettings, TimelineStep};

/// The schemas by name.
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("scenario", read::<Scenario<'static>>()),
        ("report", written::<Report>()),
        ("timeline-settings", read::<TimelineSettings<'static>>()),
        ("scenario-summary", written::<ScenarioSummary>()),
        ("timeline-step", written::<TimelineStep>()),
    ]
}

#[cfg(test)]
mod tests {
    use schemars::schema_for;

    use super::*;

    #[test]
    fn entries_of_a_timeline_are_told_apart_by_what_they_are() {
        let report = schema_for!(Report).to_value();
        let kinds = report["$defs"]["Entry"]["oneOf"].as_array().unwrap().iter();
        let kinds = kinds.map(|kind| {
            let properties = kind["properties"].as_object().unwrap();
            assert!(kind["$ref"].is_null(), "all fields are here");
            (
                properties["what"]["const"].as_str().unwrap(),
                properties.len(),
            )
        });
        let expected = [
            ("action", 7),
            ("sync", 10),
            ("retry", 4),
            ("event", 5),
            ("list", 3),
            ("edit", 4),
        ];
        assert_eq!(kinds.collect::<Vec<_>>(), expected);
    }
}
