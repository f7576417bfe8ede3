//! `cargo fuzz run reviewer`: see [`slicewise_fuzz::reviewer`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| slicewise_fuzz::reviewer(data));
