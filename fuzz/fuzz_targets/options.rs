//! `cargo fuzz run options`: see [`slicewise_fuzz::options`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| slicewise_fuzz::options(data));
