#![doc = include_str!("../../docs/proxy.md")]
//!
//! (This page is `docs/proxy.md`; its examples are run as tests.)
