//! `cargo fuzz run controller_lines`: see [`slicewise_fuzz::controller_lines`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| slicewise_fuzz::controller_lines(data));
