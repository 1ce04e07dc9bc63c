//! `engine.toml`: read, and put to use.

#![no_main]

use judkins::config::Config;
use judkins::engine::OptionTable;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(config) = Config::parse("engine.toml", text) {
        let _ = OptionTable::new(Some(&config), true);
    }
});
