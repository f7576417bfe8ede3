//! `cargo fuzz run review`: see [`slicewise_fuzz::review`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| slicewise_fuzz::review(data));
