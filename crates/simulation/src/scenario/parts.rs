//! Checks of single values, wherever they are in a scenario.

use alloc::format;
use alloc::string::String;

use slicewise::model::dns;
use slicewise::model::text::shorten;
use slicewise::model::{TargetPort, Text};
use slicewise::{Code, Error};
use slicewise_live::api_server::Refusal;
use slicewise_live::controller::Kind;

use super::{Port, Refuse, Watch};

/// Success, or what is wrong and where.
pub(super) type ScenarioResult = Result<(), Error>;

pub(super) fn wrong(path: &str, message: impl Into<String>) -> ScenarioResult {
    Err(Error::new(Code::InvalidValue, message).at(path))
}

pub(super) fn limit(path: &str, what: &str, number: u64, most: u64) -> ScenarioResult {
    if number <= most {
        return Ok(());
    }
    let message = format!("{number} {what} are more than the limit of {most}");
    Err(Error::new(Code::TooLarge, message).at(path))
}

/// A text with a fixed set of values.
pub(super) fn one_of(path: &str, text: &str, words: &[&str]) -> ScenarioResult {
    if words.contains(&text) {
        return Ok(());
    }
    let words = words.join("`, `");
    wrong(
        path,
        format!(
            "`{}` is not known here; it must be one of `{words}`",
            shorten(text)
        ),
    )
}

/// Is it a DNS label, short enough that generated names are labels as well?
pub(super) fn is_label(text: &str) -> bool {
    text.len() <= 50 && dns::is_label(text)
}

pub(super) fn check_families(path: &str, families: &[Text<'_>]) -> ScenarioResult {
    for (number, family) in families.iter().enumerate() {
        one_of(
            &format!("{path}/families/{number}"),
            family,
            &["IPv4", "IPv6"],
        )?;
    }
    Ok(())
}

pub(super) fn check_ports(path: &str, ports: &[Port<'_>]) -> ScenarioResult {
    for (number, port) in ports.iter().enumerate() {
        let path = format!("{path}/ports/{number}");
        if let Some(protocol) = &port.protocol {
            one_of(
                &format!("{path}/protocol"),
                protocol,
                &["TCP", "UDP", "SCTP"],
            )?;
        }
        if !matches!(port.target_port, TargetPort::Number(1..=65535)) {
            return wrong(
                &format!("{path}/targetPort"),
                "a port is a number from 1 to 65535",
            );
        }
    }
    Ok(())
}

/// A refusal by its name; `None` for `Timeout`.
pub(crate) fn refusal(name: &str) -> Option<Refusal> {
    Some(match name {
        "Conflict" => Refusal::Conflict,
        "AlreadyExists" => Refusal::AlreadyExists,
        "NotFound" => Refusal::NotFound,
        "NamespaceTerminating" => Refusal::NamespaceTerminating,
        "ServerError" => Refusal::ServerError,
        _ => return None,
    })
}

pub(super) fn check_refusal(path: &str, refuse: &Refuse<'_>) -> ScenarioResult {
    if refuse.error != "Timeout" && refusal(&refuse.error).is_none() {
        return one_of(&format!("{path}/error"), &refuse.error, &Refuse::ERRORS);
    }
    match (refuse.next, refuse.lasting) {
        (Some(_), None) if refuse.share.is_none() => Ok(()),
        (None, Some(_)) => Ok(()),
        _ => wrong(
            path,
            "give either `next`, a number of writes, or `for`, a time, with a `share` of the writes",
        ),
    }
}

pub(super) fn check_watch(path: &str, watch: &Watch<'_>) -> ScenarioResult {
    match &watch.kind {
        Some(kind) => one_of(&format!("{path}/kind"), kind, &Kind::ALL.map(Kind::as_str)),
        None => Ok(()),
    }
}
