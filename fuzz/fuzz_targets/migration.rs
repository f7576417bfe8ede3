//! `cargo fuzz run migration`: see [`slicewise_fuzz::migration`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| slicewise_fuzz::migration(data));
