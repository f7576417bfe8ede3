//! The traffic of a Service, in sentences.

use alloc::format;
use alloc::string::String;

use slicewise::words::{counted, percent};

/// The assumption if the weights of clients are unknown.
pub const ASSUMPTION: &str =
    "Assumes that all nodes send equal traffic, spread evenly over the endpoints that they use.";
/// The assumption if the weights of clients are known.
pub const WEIGHED: &str = "Assumes that nodes send traffic according to their weights, spread evenly over the endpoints that they use.";
/// The assumption if the CPU of nodes is known, and not the same for all.
pub const OF_CPU: &str = "Assumes that nodes send traffic in proportion to their CPU, spread evenly over the endpoints that they use; control-plane nodes and nodes that are not ready send none.";
/// The assumption if only slices say which nodes there are.
pub const OF_SLICES: &str = "Assumes that the nodes that slices name send equal traffic, spread evenly over the endpoints that they use; there may be other nodes.";
/// The assumption if the client pods are known.
pub const OF_PODS: &str = "Assumes that all client pods send equal traffic, spread evenly over the endpoints that their nodes use.";

/// How many of all endpoints a group of nodes uses, and why.
pub(super) fn group(nodes: &[usize], uses: &[usize], all: usize, rule: &str) -> String {
    let (who, each) = match nodes.len() {
        1 => ("The node uses".into(), ""),
        several => (format!("{several} nodes use"), " each"),
    };
    match uses.len() {
        0 => format!("{who} no endpoint: {rule}."),
        used if used == all && all > 1 => format!("{who} all {all} endpoints{each}: {rule}."),
        used => {
            let endpoints = counted(all, "endpoint");
            format!("{who} {used} of {endpoints}{each}: {rule}.")
        }
    }
}

/// `66.7 %`, `0 %`.
pub(super) fn share_in_words(share: f64) -> String {
    if share > 0.0 && share < 0.0005 {
        return "less than 0.1 %".into();
    }
    percent(share, 1).replace(".0 ", " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_counts() {
        let shares = [0.0, 2.0 / 3.0, 1.0, 0.0001].map(share_in_words);
        assert_eq!(shares, ["0 %", "66.7 %", "100 %", "less than 0.1 %"]);
        assert_eq!(
            group(&[1], &[0, 1], 3, "hinted to this zone"),
            "The node uses 2 of 3 endpoints: hinted to this zone."
        );
        assert_eq!(
            group(&[1, 2], &[0, 1], 2, "all"),
            "2 nodes use all 2 endpoints each: all."
        );
        assert_eq!(
            group(&[1], &[], 0, "there is no endpoint"),
            "The node uses no endpoint: there is no endpoint."
        );
    }
}
