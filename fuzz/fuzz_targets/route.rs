//! `cargo fuzz run route`: see [`slicewise_fuzz::route`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| slicewise_fuzz::route(data));
