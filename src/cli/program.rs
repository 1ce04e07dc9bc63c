use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};

use judkins::arena::EngineSpec;

/// The path of an engine's program, or its name if it lies in a folder of `PATH`: one that holds in every working directory.
///
/// # Errors
/// If there is no such program.
pub fn program(spec: &EngineSpec) -> Result<String> {
    let missing = || anyhow!("{}: there is no program '{}'", spec.name, spec.command);
    let named = Path::new(&spec.command);
    if named.components().count() > 1 {
        // The folder without links, and the name as it is: a program may look at the name that it is started by, as a
        // Python of a virtual environment does.
        let folder = named.parent().filter(|_| named.is_file()).and_then(|folder| folder.canonicalize().ok());
        let (Some(folder), Some(name)) = (folder, named.file_name()) else { return Err(missing()) };
        return Ok(folder.join(name).to_string_lossy().into_owned());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let suffix = std::env::consts::EXE_SUFFIX;
    let files = |folder: PathBuf| [folder.join(named), folder.join(format!("{}{suffix}", spec.command))];
    let exists = std::env::split_paths(&path).flat_map(files).any(|file| file.is_file());
    exists.then(|| spec.command.clone()).ok_or_else(missing)
}
