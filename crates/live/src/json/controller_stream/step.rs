//! The content of a line, fully parsed.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::time::Duration;

use slicewise::api::objects::InputPart;
use slicewise::api::place;
use slicewise::json::{LayoutMemory, Raw};
use slicewise::{Code, Error};

use super::record::Record;
use crate::json::events::{ReadEvent, read_some};
use crate::json::lists::{Listed, read_list_part};

/// The content of a line, fully parsed.
pub(super) enum ControllerStep<'a> {
    Watched(Vec<ReadEvent<'a>>),
    Listed(Listed<'a>),
    Other(Box<Record<'a>>),
}

pub(super) fn time_of(record: &Record<'_>) -> Result<Duration, Error> {
    let Some(at) = record.at else {
        let message = "missing field `at`: every line but the first needs a time in milliseconds";
        return Err(Error::new(Code::MissingField, message).at("/at"));
    };
    u64::try_from(at).map(Duration::from_millis).map_err(|_| {
        let message = format!("`at` must not be negative, got {at}");
        Error::new(Code::InvalidValue, message).at("/at")
    })
}

pub(super) fn read_step<'a>(
    text: &'a str,
    record: Record<'a>,
    memory: &mut LayoutMemory,
) -> Result<ControllerStep<'a>, Error> {
    let given = [
        record.event.is_some(),
        record.list.is_some(),
        record.resync,
        record.result.is_some(),
        record.refuse.is_some(),
        record.metrics.is_some(),
    ];
    if given.iter().filter(|given| **given).count() > 1 {
        let message = "a line holds only one of `event`, `list`, `resync`, `result`, `refuse` and `metrics`; write the others on separate lines";
        return Err(place::locate(
            Error::new(Code::InvalidValue, message).at(""),
            text,
        ));
    }
    let part = |raw: Raw<'a>, path| InputPart {
        whole: text,
        text: raw.get(),
        path,
    };
    if let Some(event) = record.event {
        read_some(part(event, "/event"), memory).map(ControllerStep::Watched)
    } else if let Some(list) = record.list {
        read_list_part(part(list, "/list"), memory).map(ControllerStep::Listed)
    } else {
        Ok(ControllerStep::Other(Box::new(record)))
    }
}
