//! `cargo fuzz run session_bytes`: see [`slicewise_fuzz::session_bytes`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| slicewise_fuzz::session_bytes(data));
