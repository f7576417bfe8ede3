#![doc = include_str!("../../../../docs/traffic.md")]
//!
//! (This page is `docs/traffic.md`; its examples are run as tests.)
