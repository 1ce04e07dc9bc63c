//! A session in USI.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| judkins_fuzz::session("usi", data));
