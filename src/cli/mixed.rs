//! Warnings about files that are continued with other settings.

use std::path::Path;

use judkins::append_log::BatchSettings;
use judkins::difference::{Difference, differences};

/// Warns of every setting that differs from the last batch in a file, which then contains results of both.
pub fn warn_of_mixed(path: &Path, then: Option<&BatchSettings>, now: &BatchSettings) {
    for Difference { name, one, other } in then.map(|then| differences(then, now)).unwrap_or_default() {
        let path = path.display();
        eprintln!("judkins: {path}: made with --{name} {one} until now, with --{name} {other} from here on");
    }
}
