#![doc = include_str!("../../docs/controller.md")]
//!
//! (This page is `docs/controller.md`; its examples are run as tests.)
