//! Addresses that stand in several slices at once.

use alloc::format;
use alloc::vec::Vec;

use super::words::list;
use super::{Scene, say};
use crate::model::EndpointSlice;
use crate::model::order::Grouped;
use crate::plan::explanation::{Explanation, ExplanationCode as Code};

/// Explains addresses that consumers see twice now.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let mut placed: Vec<(&str, &EndpointSlice<'_>)> = Vec::new();
    for &slice in scene.case.slices {
        for endpoint in &slice.endpoints {
            placed.extend(endpoint.addresses.iter().map(|address| (&**address, slice)));
        }
    }
    let placed = Grouped::new(placed);
    for group in placed.groups() {
        let ports_repeat = group.iter().enumerate().any(|(number, (_, slice))| {
            group
                .iter()
                .skip(number + 1)
                .any(|(_, other)| other.ports == slice.ports)
        });
        let [(address, first), _, ..] = group else {
            continue;
        };
        if !ports_repeat {
            continue;
        }
        let mut names: Vec<&str> = group.iter().map(|(_, slice)| slice.name()).collect();
        crate::model::order::sort(&mut names);
        let left = scene.after.iter().filter(|slice| {
            let mut endpoints = slice.endpoints.iter();
            endpoints.any(|endpoint| endpoint.addresses.iter().any(|other| **other == **address))
        });
        let after: Vec<&str> = left.map(EndpointSlice::name).collect();
        let then = if after.is_empty() {
            "of the Service's own slices none".into()
        } else {
            format!("of the Service's own slices {}", list(&after))
        };
        let message = format!(
            "Address {address} is in {} at once. The API allows it, for each slice is written by itself and an endpoint may be put into one before it is taken out of the other: a consumer has to count an address once, as kube-proxy does. Once this plan is written, {then} has it.",
            list(&names)
        );
        answers.push(
            say::slice(Code::DuplicateEndpoint, say::names(first), format!("Address {address} is in several slices at once.")).because(format!("{} have it.", list(&names))).details(message)
                .figure("slices", names.as_slice())
                .fix(
                    "if a client of your own counts it twice: join all slices of a Service (label kubernetes.io/service-name) and drop repeated addresses",
                    "it sees what kube-proxy sees",
                ),
        );
    }
}
