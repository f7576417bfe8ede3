//! Events about topology hints: types, reasons and texts are the reference's (`topologycache/event.go`).

use alloc::format;
use alloc::string::String;

use crate::model::AddressType;

/// An event to publish on the Service.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "what an API server stores of it")]
pub struct Event {
    /// `Normal` or `Warning`.
    #[serde(rename = "type")]
    pub event_type: EventType,
    /// A short reason in CamelCase.
    pub reason: &'static str,
    /// The message for humans.
    pub message: String,
}

impl Event {
    /// A warning.
    #[doc(hidden)]
    pub const fn warning(reason: &'static str, message: String) -> Self {
        Self {
            event_type: EventType::Warning,
            reason,
            message,
        }
    }
}

/// The severity of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::exhaustive_enums,
    reason = "Kubernetes has two types of Events"
)]
pub enum EventType {
    /// For information.
    Normal,
    /// Something needs attention.
    Warning,
}

/// Why `Auto` hints are not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a new reason needs its own words wherever one is told"
)]
pub enum Disabled {
    /// A node lacks its zone or CPU, or there are fewer than two zones.
    InsufficientNodeInfo,
    /// More zones than ready endpoints.
    InsufficientEndpoints {
        /// Ready endpoints.
        ready: i64,
        /// Zones.
        zones: usize,
    },
    /// The zones' minimums add up to more than there is.
    OverloadThreshold {
        /// Ready endpoints.
        ready: i64,
        /// Zones.
        zones: usize,
    },
    /// A ready endpoint has no zone.
    NoZoneSpecified,
    /// The annotation that asked for them is gone.
    NotRequested,
}

impl Disabled {
    /// The reference's sentence, without the address type.
    pub fn message(self) -> String {
        match self {
            Self::InsufficientNodeInfo => {
                "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes".into()
            }
            Self::InsufficientEndpoints { ready, zones } => {
                format!("Insufficient number of endpoints ({ready} endpoints, {zones} zones)")
            }
            Self::OverloadThreshold { ready, zones } => format!(
                "Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ({ready} endpoints, {zones} zones)"
            ),
            Self::NoZoneSpecified => "One or more endpoints do not have a zone specified".into(),
            Self::NotRequested => "Topology Aware Hints has been disabled".into(),
        }
    }

    /// The event that says so.
    pub fn event(self, address_type: AddressType) -> Event {
        Event {
            event_type: EventType::Warning,
            reason: "TopologyAwareHintsDisabled",
            message: with_address_type(&self.message(), address_type),
        }
    }
}

/// The event for hints that are given for the first time.
pub fn enabled(address_type: AddressType) -> Event {
    let message = with_address_type("Topology Aware Hints has been enabled", address_type);
    Event {
        event_type: EventType::Normal,
        reason: "TopologyAwareHintsEnabled",
        message,
    }
}

fn with_address_type(message: &str, address_type: AddressType) -> String {
    format!("{message}, addressType: {}", address_type.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(reason: Disabled, address_type: AddressType, expected: &str) {
        let event = serde_json::to_string(&reason.event(address_type)).unwrap();
        let expected = format!(
            r#"{{"type":"Warning","reason":"TopologyAwareHintsDisabled","message":"{expected}"}}"#
        );
        assert_eq!(event, expected);
    }

    #[test]
    fn reasons_are_told_with_their_numbers_and_family() {
        let (ready, zones) = (4, 3);
        check(
            Disabled::InsufficientNodeInfo,
            AddressType::IPv4,
            "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes, addressType: IPv4",
        );
        check(
            Disabled::InsufficientEndpoints { ready, zones },
            AddressType::IPv4,
            "Insufficient number of endpoints (4 endpoints, 3 zones), addressType: IPv4",
        );
        check(
            Disabled::OverloadThreshold { ready, zones },
            AddressType::IPv6,
            "Unable to allocate minimum required endpoints to each zone without exceeding overload threshold (4 endpoints, 3 zones), addressType: IPv6",
        );
        check(
            Disabled::NoZoneSpecified,
            AddressType::IPv6,
            "One or more endpoints do not have a zone specified, addressType: IPv6",
        );
        check(
            Disabled::NotRequested,
            AddressType::IPv4,
            "Topology Aware Hints has been disabled, addressType: IPv4",
        );
    }

    #[test]
    fn good_news_is_normal() {
        assert_eq!(
            serde_json::to_string(&enabled(AddressType::IPv6)).unwrap(),
            r#"{"type":"Normal","reason":"TopologyAwareHintsEnabled","message":"Topology Aware Hints has been enabled, addressType: IPv6"}"#
        );
    }
}
