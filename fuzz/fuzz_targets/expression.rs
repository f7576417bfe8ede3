//! `cargo fuzz run expression`: see [`slicewise_fuzz::expression`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| slicewise_fuzz::expression(data));
