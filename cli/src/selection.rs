//! Which Services of a file are asked about: those of a namespace, or with labels, as `kubectl` selects objects.

use std::collections::BTreeSet;

use slicewise::membership::label_selector::LabelSelector;
use slicewise::model::StringMap;
use slicewise::model::text::shorten;
use slicewise::words::listed;
use slicewise::{Code, Error};

/// The number of namespaces given as examples.
const MOST_SHOWN: usize = 4;

/// What is selected of a file; everything by default. Clusters select before they answer.
#[derive(Default)]
pub(crate) struct Selection<'a> {
    namespace: Option<&'a str>,
    /// The labels, as text and as what it says.
    labels: Option<(&'a str, LabelSelector)>,
}

impl<'a> Selection<'a> {
    /// Of this namespace, with these labels.
    ///
    /// # Errors
    /// If the selector cannot be read.
    pub(crate) fn new(
        namespace: Option<&'a str>,
        selector: Option<&'a str>,
    ) -> Result<Self, Error> {
        let parse = |text| LabelSelector::parse(text).map(|labels| (text, labels));
        let labels = selector.map(parse).transpose();
        Ok(Self {
            namespace,
            labels: labels.map_err(|error| {
                Error::new(error.code(), format!("--selector: {}", error.message()))
            })?,
        })
    }

    /// The only namespace that is selected, which is also that of objects that name none.
    pub(crate) const fn namespace(&self) -> Option<&'a str> {
        self.namespace
    }

    /// Whether everything is selected.
    pub(crate) const fn is_all(&self) -> bool {
        self.namespace.is_none() && self.labels.is_none()
    }

    /// Whether some Services of a namespace may be left out.
    pub(crate) const fn has_labels(&self) -> bool {
        self.labels.is_some()
    }

    /// Whether objects of this namespace are selected.
    pub(crate) fn is_in(&self, namespace: &str) -> bool {
        self.namespace.is_none_or(|selected| selected == namespace)
    }

    /// Has `retain` ask about each Service.
    ///
    /// # Errors
    /// If there are Services, and none of them is selected.
    pub(crate) fn choose(
        &self,
        retain: impl FnOnce(&mut dyn FnMut((&str, &str), &StringMap<'_>) -> bool),
    ) -> Result<(), Error> {
        let (mut namespaces, mut is_any) = (BTreeSet::new(), false);
        retain(&mut |(namespace, _), labels| {
            if !namespaces.contains(namespace) {
                namespaces.insert(namespace.to_owned());
            }
            let has_labels = |(_, wanted): &(&str, LabelSelector)| wanted.matches(labels);
            let is_selected = self.is_in(namespace) && self.labels.as_ref().is_none_or(has_labels);
            is_any |= is_selected;
            is_selected
        });
        match is_any || namespaces.is_empty() {
            true => Ok(()),
            false => Err(self.none_of(&namespaces)),
        }
    }

    fn none_of(&self, namespaces: &BTreeSet<String>) -> Error {
        let place = self.namespace.map_or_else(String::new, |namespace| {
            format!(" in namespace `{}`", shorten(namespace))
        });
        let labels = self.labels.as_ref().map_or_else(String::new, |(text, _)| {
            format!(" with the labels `{}`", shorten(text))
        });
        let mend = match self.namespace.is_some_and(|one| !namespaces.contains(one)) {
            true => {
                let quoted = namespaces.iter().map(|one| format!("`{}`", shorten(one)));
                let names = listed(&quoted.collect::<Vec<_>>(), "and", MOST_SHOWN);
                format!("it has Services in {names}")
            }
            false => "its Services have other labels".to_owned(),
        };
        let message = format!("there is no Service{labels}{place} in the input; {mend}");
        Error::new(Code::InvalidValue, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SERVICES: [(&str, &str, &str); 3] = [
        ("shop", "cart", r#"{"app": "cart"}"#),
        ("shop", "till", "{}"),
        ("bank", "cart", r#"{"app": "cart"}"#),
    ];

    #[track_caller]
    fn check(namespace: Option<&str>, selector: Option<&str>, expected: Result<&[&str], &str>) {
        let mut chosen = Vec::new();
        let result = Selection::new(namespace, selector).and_then(|selection| {
            selection.choose(|is_selected| {
                for (namespace, name, labels) in SERVICES {
                    if is_selected((namespace, name), &serde_json::from_str(labels).unwrap()) {
                        chosen.push(format!("{namespace}/{name}"));
                    }
                }
            })
        });
        let found = result.map(|()| chosen.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(found.as_deref().map_err(|error| error.message()), expected);
    }

    #[test]
    fn namespace_and_labels_select_and_nothing_is_an_error_that_names_them() {
        check(None, None, Ok(&["shop/cart", "shop/till", "bank/cart"]));
        check(Some("shop"), None, Ok(&["shop/cart", "shop/till"]));
        check(None, Some("app"), Ok(&["shop/cart", "bank/cart"]));
        check(Some("bank"), Some("app=cart"), Ok(&["bank/cart"]));
        check(
            Some("shpo"),
            None,
            Err(
                "there is no Service in namespace `shpo` in the input; it has Services in `bank` and `shop`",
            ),
        );
        check(
            Some("shop"),
            Some("app=web"),
            Err(
                "there is no Service with the labels `app=web` in namespace `shop` in the input; its Services have other labels",
            ),
        );
        check(
            None,
            Some("app=web"),
            Err(
                "there is no Service with the labels `app=web` in the input; its Services have other labels",
            ),
        );
        check(
            None,
            Some("app in"),
            Err(
                "--selector: `app in` is not a selector of labels; write it like `app=cart,tier!=web` or `tier in (web, api)`",
            ),
        );
    }
}
