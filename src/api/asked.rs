//! What is asked for by name: found without its namespace where that is clear, and else told what is near.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::membership::nearest::nearest;
use crate::model::NamespacedName;
use crate::model::text::shorten;
use crate::{Code, Error};

/// The name that is meant by `wanted`, which is `namespace/name`, or the name alone if there is only one such.
///
/// # Errors
/// When there is none, or there are several.
pub fn asked<'n>(
    what: &str,
    wanted: &str,
    names: impl IntoIterator<Item = (&'n str, &'n str)>,
) -> Result<NamespacedName, Error> {
    let names: BTreeSet<(&str, &str)> = names.into_iter().collect();
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
            let message = format!(
                "there is a {what} `{0}` in namespace {1} and in {2} more; write it like `{1}/{0}`",
                shorten(wanted),
                shorten(first),
                others.len()
            );
            Err(Error::new(Code::InvalidValue, message))
        }
    }
}

fn none(what: &str, wanted: &str, names: &BTreeSet<(&str, &str)>) -> Error {
    let whole: Vec<String> = names
        .iter()
        .map(|(namespace, name)| format!("{namespace}/{name}"))
        .collect();
    let bare = |name: &String| name.split_once('/').map_or("", |(_, name)| name).into();
    let bare: Vec<String> = whole.iter().map(bare).collect();
    let candidates = if wanted.contains('/') { &whole } else { &bare };
    let candidates: Vec<&str> = candidates.iter().map(String::as_str).collect();
    // In the wrong namespace perhaps.
    let name = wanted.split_once('/').map_or(wanted, |(_, name)| name);
    let elsewhere = || names.iter().position(|(_, other)| *other == name);
    let near = nearest(wanted, &candidates)
        .and_then(|near| candidates.iter().position(|candidate| *candidate == near))
        .or_else(elsewhere)
        .and_then(|place| whole.get(place));
    let mend = match near {
        Some(near) => format!("did you mean `{}`?", shorten(near)),
        None => "write it like `shop/cart`".into(),
    };
    let message = format!(
        "there is no {what} `{}` in the input; {mend}",
        shorten(wanted)
    );
    Error::new(Code::InvalidValue, message)
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
        let found = asked("Service", wanted, names).map(|name| format!("{name}"));
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
            Err("there is no Service `payments` in the input; write it like `shop/cart`"),
        );
        check(
            "",
            Err("there is no Service `` in the input; write it like `shop/cart`"),
        );
    }
}
