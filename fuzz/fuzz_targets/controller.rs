//! `cargo fuzz run controller`: see [`slicewise_fuzz::controller`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| slicewise_fuzz::controller(data));
