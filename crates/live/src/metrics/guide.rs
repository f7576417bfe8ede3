#![doc = include_str!("../../../../docs/metrics.md")]
//!
//! (This page is `docs/metrics.md`; its examples are run as tests.)
