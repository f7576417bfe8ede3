//! `cargo fuzz run proxy_lines`: see [`slicewise_fuzz::proxy_lines`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| slicewise_fuzz::proxy_lines(data));
