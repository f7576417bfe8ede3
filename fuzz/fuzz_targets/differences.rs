//! `cargo fuzz run differences`: see [`slicewise_fuzz::differences`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| slicewise_fuzz::differences(data));
