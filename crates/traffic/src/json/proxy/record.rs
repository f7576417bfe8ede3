//! The input lines.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::net::IpAddr;

use slicewise::api::input;
use slicewise::api::place;
use slicewise::json::Raw;
use slicewise::model::object::slim_object;
use slicewise::model::read::{Scalar, scalar_fields};
use slicewise::model::text::shorten;
use slicewise::model::{Text, ip};
use slicewise::{Code, Error};

use crate::proxy::{ConntrackEntry, Tuple};

slim_object! {
    /// A line of a proxy's stream: a watch event, or a question.
    #[derive(Default)]
    pub struct ProxyLine<'a>("line of a proxy's stream") refuse {
        /// The type of the event.
        "type" event_type: Option<Text<'a>>;
        /// A Service, an EndpointSlice or a Node.
        "object" object: Option<Raw<'a>>;
        /// What to return.
        "sync" sync: Option<Raw<'a>>;
    }
}

slim_object! {
    #[derive(Default)]
    pub struct Flows<'a>("sync") refuse {
        /// Entries of the connection tracking table, of which the stale ones are returned.
        "conntrack" conntrack: Option<Vec<Flow<'a>>>;
    }
}

slim_object! {
    #[derive(Default)]
    struct Flow<'a>("entry of the connection tracking table") refuse {
        /// The protocol, by name (`UDP`) or number.
        "protocol" protocol: Protocol as ProtocolByEither = required;
        /// The flow from the client, as the client sent it.
        "origin" origin: Direction<'a> = required;
        /// The expected reply.
        "reply" reply: Direction<'a> = required;
    }
}

slim_object! {
    #[derive(Default)]
    struct Direction<'a>("direction of a flow") refuse {
        /// The source IP address.
        "src" source: Text<'a> = required;
        /// The destination IP address.
        "dst" destination: Text<'a> = required;
        /// The source port.
        "srcPort" source_port: i32 as u16;
        /// The destination port.
        "dstPort" destination_port: i32 as u16;
    }
}

/// A protocol by name or number.
#[derive(schemars::JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Protocol")]
#[expect(dead_code, reason = "only its schema is used")]
enum ProtocolByEither {
    Name(String),
    Number(u8),
}

/// A protocol by its name or number; it only matters whether it is UDP.
#[derive(Clone, Copy, Default)]
struct Protocol {
    is_udp: bool,
}

impl<'a> Scalar<'a> for Protocol {
    fn what(&self) -> &'static str {
        "a protocol such as \"UDP\", or its number"
    }

    fn takes_numbers(&self) -> bool {
        true
    }

    fn set(&mut self, text: Text<'a>, is_number: bool) -> Result<(), String> {
        self.is_udp = if is_number {
            text == "17"
        } else {
            text.eq_ignore_ascii_case("UDP")
        };
        Ok(())
    }
}

scalar_fields!(Protocol);

/// The request of a line.
pub(super) enum ProxyRequest<'a> {
    /// Take an object.
    Take { event: &'a str, object: Raw<'a> },
    /// Answer.
    Sync(Sync),
}

/// What to include in an answer.
#[derive(Default)]
pub(in crate::json) struct Sync {
    /// Include the endpoints that this node uses?
    pub(super) with_routes: bool,
    /// Entries of which the stale ones are requested.
    pub(super) entries: Option<Vec<ConntrackEntry>>,
}

impl<'a> ProxyLine<'a> {
    /// The request.
    pub(super) fn ask(&'a self) -> Result<ProxyRequest<'a>, Error> {
        match (&self.event_type, self.object, self.sync) {
            (Some(event), Some(object), None) => Ok(ProxyRequest::Take { event, object }),
            (None, None, Some(sync)) => read_sync(sync).map(ProxyRequest::Sync),
            (None, None, None) => Err(missing(
                "",
                "a line holds a `type` and an `object`, or `sync`",
            )),
            (Some(_), None, None) => Err(missing("/object", "a watch event needs an `object`")),
            (None, Some(_), None) => Err(missing("/type", "a watch event needs a `type`")),
            (_, _, Some(_)) => {
                let message = "a line holds either a watch event or `sync`; write the other on a separate line";
                Err(Error::new(Code::InvalidValue, message).at("/sync"))
            }
        }
    }
}

fn missing(path: &str, message: &str) -> Error {
    Error::new(Code::MissingField, message).at(path)
}

fn read_sync(sync: Raw<'_>) -> Result<Sync, Error> {
    let with_routes = true;
    match sync.get() {
        "true" => Ok(Sync {
            with_routes,
            entries: None,
        }),
        r#""endpoints""# => Ok(Sync::default()),
        text if text.starts_with('{') => {
            let record: Flows<'_> =
                input::decode(text).map_err(|error| place::within(&error, "/sync", text, text))?;
            let entries = record.conntrack.map(|entries| {
                let entries = entries.iter().enumerate();
                entries.map(|(place, entry)| entry.read(place)).collect()
            });
            Ok(Sync {
                with_routes,
                entries: entries.transpose()?,
            })
        }
        _ => {
            let message = "`sync` is `true`, `\"endpoints\"`, or an object with `conntrack`";
            Err(Error::new(Code::InvalidValue, message).at("/sync"))
        }
    }
}

impl Flow<'_> {
    fn read(&self, place: usize) -> Result<ConntrackEntry, Error> {
        let path = format!("/sync/conntrack/{place}");
        Ok(ConntrackEntry {
            is_udp: self.protocol.is_udp,
            origin: self.origin.read(&format!("{path}/origin"))?,
            reply: self.reply.read(&format!("{path}/reply"))?,
        })
    }
}

impl Direction<'_> {
    fn read(&self, path: &str) -> Result<Tuple, Error> {
        let source = address(&self.source, path, "src")?;
        let destination = address(&self.destination, path, "dst")?;
        Ok(Tuple {
            source: (source, port(self.source_port, path, "srcPort")?),
            destination: (destination, port(self.destination_port, path, "dstPort")?),
        })
    }
}

fn address(text: &str, path: &str, field: &str) -> Result<IpAddr, Error> {
    ip::parse(text).ok_or_else(|| {
        let message = format!(
            "`{}` is not an IP address; write it like `10.0.0.1` or `fd00::1`",
            shorten(text)
        );
        Error::new(Code::InvalidValue, message).at(format!("{path}/{field}"))
    })
}

fn port(number: i32, path: &str, field: &str) -> Result<u16, Error> {
    u16::try_from(number).map_err(|_| {
        let message = format!("a port is a number from 0 to 65535, got {number}");
        Error::new(Code::InvalidValue, message).at(format!("{path}/{field}"))
    })
}
