//! `cargo fuzz run snapshot`: see [`slicewise_fuzz::snapshot`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| slicewise_fuzz::snapshot(data));
