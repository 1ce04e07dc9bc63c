//! Locates the programs of engines, by path or in `PATH`, before a match, a tuning run or a job starts them.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};

use judkins::arena::{EngineSpec, Job};

/// The path of an engine's program, or its name if it is in a folder of `PATH`: valid in every working directory.
///
/// # Errors
/// If there is no such program.
pub fn program(spec: &EngineSpec) -> Result<String> {
    let missing = || anyhow!("{}: there is no program '{}'", spec.name, spec.command);
    let mut named = PathBuf::from(&spec.command);
    if cfg!(windows) && named.is_file() {
        // There a name alone may be in the working directory, too.
        named = Path::new(".").join(named);
    }
    if named.components().count() > 1 {
        // Resolve the folder's links but keep the name: a program may depend on the name by which it is started, for
        // instance Python in a virtual environment.
        let folder = named.parent().filter(|_| named.is_file()).and_then(|folder| folder.canonicalize().ok());
        let (Some(folder), Some(name)) = (folder, named.file_name()) else { return Err(missing()) };
        return Ok(folder.join(name).to_string_lossy().into_owned());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let suffix = std::env::consts::EXE_SUFFIX;
    let files = |folder: PathBuf| [folder.join(&named), folder.join(format!("{}{suffix}", spec.command))];
    let exists = std::env::split_paths(&path).flat_map(files).any(|file| file.is_file());
    exists.then(|| spec.command.clone()).ok_or_else(missing)
}

/// The engines of a job, with the paths of their programs.
///
/// # Errors
/// If one cannot be read, or there is no such program.
pub fn job_engines(job: &Job) -> Result<[EngineSpec; 2]> {
    let mut specs = job.specs()?;
    for spec in &mut specs {
        spec.command = program(spec)?;
    }
    Ok(specs)
}
