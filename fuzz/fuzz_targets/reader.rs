//! `cargo fuzz run reader`: see [`slicewise_fuzz::reader`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| slicewise_fuzz::reader(data));
