#![doc = include_str!("../../../../docs/state-machine.md")]
//!
//! (This page is `docs/state-machine.md`; its examples are run as tests.)
