//! `cargo fuzz run session`: see [`slicewise_fuzz::session`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| slicewise_fuzz::session(data));
