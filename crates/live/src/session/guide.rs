#![doc = include_str!("../../../../docs/session.md")]
//!
//! (This page is `docs/session.md`; its examples are run as tests.)
