//! `cargo fuzz run history`: see [`slicewise_fuzz::history`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| slicewise_fuzz::history(data));
