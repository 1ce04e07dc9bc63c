//! `setoption`: carried out by the engine, and here for the session and the machine.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::log::{LogError, SessionLog};
use crate::engine::{Effect, Engine, EngineError, Options};

/// The reason why an option was not set.
#[derive(Debug, thiserror::Error)]
pub enum SettingError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The log cannot be opened.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The machine has less memory.
    #[error("{name} {wanted} is more than the {mebibytes} MiB of memory that this machine has")]
    Memory { name: &'static str, wanted: usize, mebibytes: u64 },
}

/// Sets an option. Ends a running search, unless the option is refused.
///
/// # Errors
/// [`SettingError`]; the option keeps its value.
pub(super) fn set_option(
    engine: &mut Engine,
    log: &SessionLog,
    name: &str,
    value: Option<&str>,
) -> Result<(), SettingError> {
    let mut options = engine.options().clone();
    let effect = engine.option_table().set(&mut options, name, value).map_err(EngineError::from)?;
    check_memory(engine.options(), &options)?;
    if effect == Effect::Log {
        log.open(&options.debug_log_file)?;
    }
    Ok(engine.set_option(name, value)?)
}

/// Rejects a table that is larger than the machine's memory: the system may overcommit instead of failing.
fn check_memory(before: &Options, after: &Options) -> Result<(), SettingError> {
    let tables = [("USI_Hash", after.hash, before.hash), ("MateHash", after.mate_hash, before.mate_hash)];
    let Some((name, wanted, _)) = tables.into_iter().find(|(_, after, before)| after > before) else { return Ok(()) };
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    // If the memory size is unknown, rely on the allocation.
    let mebibytes = System::new_with_specifics(memory).map_or(0, |system| system.total_memory() >> 20);
    if mebibytes > 0 && wanted as u64 > mebibytes {
        return Err(SettingError::Memory { name, wanted, mebibytes });
    }
    Ok(())
}
