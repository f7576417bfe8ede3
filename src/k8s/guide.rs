#![doc = include_str!("../../docs/rust.md")]
//!
//! (This page is `docs/rust.md`; its examples are run as tests.)
