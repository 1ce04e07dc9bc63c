//! The program: checks the processor and runs the command line.

// First, for its macros.
#[macro_use]
mod cli;

use std::process::ExitCode;

use cli::Cli;
use judkins::frontend::logging;

fn main() -> ExitCode {
    if let Some(missing) = missing_processor_feature() {
        eprintln!("judkins was built for processors with {missing}, which this one lacks; build it with");
        eprintln!("RUSTFLAGS=\"-C target-cpu=native\" cargo build --release");
        return ExitCode::FAILURE;
    }
    logging::init();
    match Cli::from_arguments().run() {
        Ok(status) => status,
        Err(error) => {
            eprintln!("judkins: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// A processor feature that the binary was built for (see `.cargo/config.toml`) and the processor lacks.
///
/// Query the processor itself: the standard macro assumes the features of the build.
#[cfg(target_arch = "x86_64")]
fn missing_processor_feature() -> Option<&'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    let has = |register: u32, bit: u32| register >> bit & 1 != 0;
    let (basic, extended) = (__cpuid(1), if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 });
    [
        ("POPCNT", cfg!(target_feature = "popcnt"), has(basic.ecx, 23)),
        ("BMI1", cfg!(target_feature = "bmi1"), has(extended, 3)),
        ("BMI2", cfg!(target_feature = "bmi2"), has(extended, 8)),
        ("AVX2", cfg!(target_feature = "avx2"), has(extended, 5)),
    ]
    .into_iter()
    .find_map(|(name, needed, present)| (needed && !present).then_some(name))
}

#[cfg(not(target_arch = "x86_64"))]
fn missing_processor_feature() -> Option<&'static str> {
    None
}
