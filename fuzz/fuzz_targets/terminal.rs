//! `cargo fuzz run terminal`: see [`slicewise_fuzz::terminal`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| slicewise_fuzz::terminal(data));
