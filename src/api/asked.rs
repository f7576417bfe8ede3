//! Looks objects up by name: the namespace may be omitted where that is unambiguous; errors list similar names.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::membership::nearest::nearest;
use crate::model::NamespacedName;
use crate::model::order::gathered;
use crate::model::text::shorten;
use crate::{Code, Error, Mistake};

/// The number of names given as examples.
const MOST_SHOWN: usize = 3;

/// What is asked for by its name.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum NamedObject<'w> {
    /// A Service; after the word which of them count, as in `with slices`.
    Service(&'w str),
    /// A pod.
    Pod,
}

impl<'w> NamedObject<'w> {
    /// The word for it, and which of them count, with a space in between where that says something.
    fn spaced(self) -> (&'static str, &'static str, &'w str) {
        match self {
            Self::Service("") => ("Service", "", ""),
            Self::Service(which) => ("Service", " ", which),
            Self::Pod => ("pod", "", ""),
        }
    }

    const fn mistake(self) -> Mistake {
        match self {
            Self::Service(_) => Mistake::ServiceName,
            Self::Pod => Mistake::PodName,
        }
    }
}

/// The full name meant by `wanted`, which is `namespace/name`, or only a name if it is unique.
///
/// # Errors
/// When there is none, or there are several.
#[doc(hidden)]
pub fn asked<'n>(
    what: NamedObject<'_>,
    wanted: &str,
    names: impl IntoIterator<Item = (&'n str, &'n str)>,
) -> Result<NamespacedName, Error> {
    let names: BTreeSet<(&str, &str)> = gathered(names);
    let is_it = |(namespace, name): &(&str, &str)| match wanted.split_once('/') {
        Some(wanted) => wanted == (*namespace, *name),
        None => wanted == *name,
    };
    let found: Vec<_> = names.iter().copied().filter(is_it).collect();
    match found.as_slice() {
        [(namespace, name)] => Ok(NamespacedName {
            namespace: (*namespace).into(),
            name: (*name).into(),
        }),
        [] => Err(none(what, wanted, &names)),
        [(first, _), others @ ..] => {
            let (kind, space, which) = what.spaced();
            let message = format!(
                "there is a {kind}{space}{which} `{0}` in namespace {1} and in {2} more; write it like `{1}/{0}`",
                shorten(wanted),
                shorten(first),
                others.len()
            );
            Err(Error::new(Code::InvalidValue, message).known_as(what.mistake()))
        }
    }
}

fn none(what: NamedObject<'_>, wanted: &str, names: &BTreeSet<(&str, &str)>) -> Error {
    let whole: Vec<String> = names
        .iter()
        .map(|(namespace, name)| format!("{namespace}/{name}"))
        .collect();
    let bare = |name: &String| name.split_once('/').map_or("", |(_, name)| name).into();
    let bare: Vec<String> = whole.iter().map(bare).collect();
    let candidates = if wanted.contains('/') { &whole } else { &bare };
    let candidates: Vec<&str> = candidates.iter().map(String::as_str).collect();
    // The namespace may be wrong.
    let name = wanted.split_once('/').map_or(wanted, |(_, name)| name);
    let elsewhere = || names.iter().position(|(_, other)| *other == name);
    let near = nearest(wanted, &candidates)
        .and_then(|near| candidates.iter().position(|candidate| *candidate == near))
        .or_else(elsewhere)
        .and_then(|place| whole.get(place));
    let mend = match near {
        Some(near) => format!("did you mean `{}`?", shorten(near)),
        None => there_are(wanted, &whole),
    };
    let (kind, space, which) = what.spaced();
    let message = format!(
        "there is no {kind} `{}`{space}{which} in the input; {mend}",
        shorten(wanted)
    );
    Error::new(Code::InvalidValue, message).known_as(what.mistake())
}

/// Some of the existing names: those in the same namespace, if there are any.
fn there_are(wanted: &str, all: &[String]) -> String {
    let namespace = wanted.split_once('/').map(|(namespace, _)| namespace);
    let is_near =
        |name: &&String| name.split_once('/').map(|(namespace, _)| namespace) == namespace;
    let mut near: Vec<&String> = all.iter().filter(is_near).collect();
    if near.is_empty() {
        near = all.iter().collect();
    }
    let shown: Vec<String> = near
        .iter()
        .take(MOST_SHOWN)
        .map(|name| format!("`{}`", shorten(name)))
        .collect();
    match (shown.is_empty(), all.len() - shown.len()) {
        (true, _) => "it has none".into(),
        (false, 0) => format!("it has {}", shown.join(", ")),
        (false, more) => format!("it has {} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(wanted: &str, expected: Result<&str, &str>) {
        let names = [
            ("bank", "cart"),
            ("shop", "api"),
            ("shop", "cart"),
            ("shop", "web"),
        ];
        let found = asked(NamedObject::Service(""), wanted, names).map(|name| format!("{name}"));
        let found = found.as_ref().map(String::as_str);
        assert_eq!(found.map_err(Error::message), expected);
    }

    #[test]
    fn names_are_found_or_told_what_is_near() {
        check("shop/cart", Ok("shop/cart"));
        check("api", Ok("shop/api"));
        check(
            "cart",
            Err(
                "there is a Service `cart` in namespace bank and in 1 more; write it like `bank/cart`",
            ),
        );
        check(
            "shop/cat",
            Err("there is no Service `shop/cat` in the input; did you mean `shop/cart`?"),
        );
        check(
            "wep",
            Err("there is no Service `wep` in the input; did you mean `shop/web`?"),
        );
        check(
            "bank/web",
            Err("there is no Service `bank/web` in the input; did you mean `shop/web`?"),
        );
        check(
            "payments",
            Err(
                "there is no Service `payments` in the input; it has `bank/cart`, `shop/api`, `shop/cart` and 1 more",
            ),
        );
        check(
            "shop/payments",
            Err(
                "there is no Service `shop/payments` in the input; it has `shop/api`, `shop/cart`, `shop/web` and 1 more",
            ),
        );
        check(
            "",
            Err(
                "there is no Service `` in the input; it has `bank/cart`, `shop/api`, `shop/cart` and 1 more",
            ),
        );
    }

    #[test]
    fn which_of_them_count_is_said_after_the_name() {
        let none = asked(NamedObject::Service("with slices"), "cart", []).unwrap_err();
        let expected = "there is no Service `cart` with slices in the input; it has none";
        assert_eq!(none.message(), expected);
    }
}
