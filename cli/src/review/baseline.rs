//! Verdicts that are known: what was found before, and is not to fail again.

use std::collections::BTreeSet;

use slicewise::{Code, Error};

use super::output::{PrintedReview, ReviewResponse};

/// The findings of earlier verdicts, by object and rule. Figures in messages change with the cluster, so messages do not
/// count.
pub(super) struct Baseline(BTreeSet<(String, String)>);

impl Baseline {
    /// Reads what `slicewise review -o json` has printed.
    ///
    /// # Errors
    /// If it is something else.
    pub(super) fn read(json: &[u8]) -> Result<Self, Error> {
        let reviews = serde_json::Deserializer::from_slice(json).into_iter::<PrintedReview>();
        let mut known = BTreeSet::new();
        for review in reviews {
            let review = review.map_err(|error| {
                let message = format!(
                    "{error}; a baseline has the verdicts that `slicewise review -o json` prints"
                );
                Error::new(Code::InvalidValue, message)
            })?;
            let response = review.response;
            let found = response.found();
            known.extend(found.map(|found| (response.title().to_owned(), found.rule.to_owned())));
        }
        Ok(Self(known))
    }

    /// Was this rule broken by this object before?
    pub(super) fn knows(&self, title: &str, rule: &str) -> bool {
        self.0.contains(&(title.to_owned(), rule.to_owned()))
    }

    /// The number of findings, if all of them are known.
    pub(super) fn covers(&self, response: &ReviewResponse) -> Option<usize> {
        let found: Vec<_> = response.found().collect();
        let is_known = found
            .iter()
            .all(|found| self.knows(response.title(), found.rule));
        // What is left out of a long list is not known.
        (is_known && !found.is_empty() && response.is_complete()).then_some(found.len())
    }
}
