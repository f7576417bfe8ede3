//! Does a Service's selector match a pod's labels?

use crate::model::StringMap;

/// A pod matches when it has every pair of the selector; an empty selector matches every pod.
///
/// Reference: `labels.Set.AsSelectorPreValidated`, used by the controller's `syncService`.
pub fn matches(selector: &StringMap<'_>, labels: &StringMap<'_>) -> bool {
    selector
        .iter()
        .all(|(key, value)| labels.get(key) == Some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(selector: &str, labels: &str, expected: bool) {
        let [selector, labels] = [selector, labels].map(|json| serde_json::from_str(json).unwrap());
        assert_eq!(matches(&selector, &labels), expected);
    }

    #[test]
    fn every_pair_must_be_there() {
        check(
            r#"{"app": "cart"}"#,
            r#"{"app": "cart", "tier": "web"}"#,
            true,
        );
        check(r#"{"app": "cart"}"#, r#"{"app": "till"}"#, false);
        check(r#"{"app": "cart"}"#, r#"{"App": "cart"}"#, false);
        check(
            r#"{"app": "cart", "tier": "web"}"#,
            r#"{"app": "cart"}"#,
            false,
        );
        check(r#"{"app": "cart"}"#, "{}", false);
    }

    #[test]
    fn an_empty_selector_takes_every_pod() {
        check("{}", "{}", true);
        check("{}", r#"{"app": "cart"}"#, true);
    }

    #[test]
    fn an_empty_value_is_not_a_missing_one() {
        check(r#"{"app": ""}"#, r#"{"app": ""}"#, true);
        check(r#"{"app": ""}"#, "{}", false);
    }
}
