//! The argument `--evaluation`: the built-in network, a network's file, or the hand-written evaluation.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Args;

use judkins::eval::Evaluation;
use judkins::eval::nnue::{Inference, Network};

/// An evaluation on the command line.
#[derive(Args)]
pub struct EvaluationArgument {
    /// The evaluation: `network` (the built-in one), `handwritten`, or a network's file
    #[arg(long, default_value = "network", value_name = "EVALUATION")]
    evaluation: String,
}

impl EvaluationArgument {
    /// The file of the network, if it is one.
    pub fn file(&self) -> Option<&Path> {
        (!["network", "handwritten"].contains(&self.evaluation.as_str())).then(|| Path::new(&self.evaluation))
    }

    /// The evaluation, and a text that identifies it.
    pub fn read(&self) -> Result<(Evaluation, String)> {
        read_evaluation(&self.evaluation)
    }
}

/// The evaluation of this name or file, and a text that identifies it.
pub fn read_evaluation(name: &str) -> Result<(Evaluation, String)> {
    let network = match name {
        "handwritten" => return Ok((Evaluation::Handwritten, name.to_owned())),
        "network" => Network::embedded().0,
        path => Network::read(Path::new(path)).with_context(|| path.to_owned())?.0,
    };
    let description = format!("network {:08x}", network.fingerprint()?);
    Ok((Evaluation::Network(Arc::new(Inference::new(&network))), description))
}
