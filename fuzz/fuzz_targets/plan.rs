//! `cargo fuzz run plan`: see [`slicewise_fuzz::plan`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| slicewise_fuzz::plan(data));
