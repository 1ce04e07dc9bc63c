//! `judkins train`: trains a network on self-play games.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use judkins::counted::counted;
use judkins::eval::nnue::{NOTE_LIMIT, Network};
use judkins::train::{Dataset, EpochLosses, Extension, TrainError, Training, TrainingSettings};

use super::number::number;
use super::parallel::{self, ThreadsArgument};
use super::progress::{Progress, ProgressArguments};
use super::shards::ShardFiles;
use super::{folder_lock, interrupt};

#[derive(Args)]
#[command(after_long_help = HELP)]
pub struct Arguments {
    #[command(flatten)]
    files: ShardFiles,
    /// A folder for the network, the checkpoint and the losses
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Number of passes over all positions
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = number::<u64>(0..))]
    epochs: u64,
    /// Positions per step; every 2,048 keep a thread busy
    #[arg(long, default_value_t = 16_384, value_name = "N", value_parser = number::<usize>(0..))]
    batch: usize,
    /// Learning rate of the optimizer (AdamW) after the warm-up
    #[arg(long, default_value_t = 0.001, value_name = "RATE", value_parser = number::<f64>(..))]
    rate: f64,
    /// Learning rate at the end; it decreases along a cosine
    #[arg(long, default_value_t = 0.000_01, value_name = "RATE", value_parser = number::<f64>(..))]
    end_rate: f64,
    /// Share of the steps in which the rate rises
    #[arg(long, default_value_t = 0.01, value_name = "SHARE", value_parser = number::<f64>(..))]
    warm_up: f64,
    /// Weight decay
    #[arg(long, default_value_t = 0.01, value_name = "DECAY", value_parser = number::<f64>(..))]
    decay: f64,
    /// Weight of the search score in the target; the rest is the weight of the game's result
    #[arg(long, default_value_t = 0.7, value_name = "SHARE", value_parser = number::<f64>(..))]
    lambda: f64,
    /// Seed of the first weights and of the order of positions
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = number::<u64>(0..))]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Size of the shuffle buffer in positions, 60 bytes each
    #[arg(long, default_value_t = 4_000_000, value_name = "N", value_parser = number::<usize>(0..))]
    buffer: usize,
    /// Start from this network instead of random weights
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// Text for the network's file, in addition to the program's own
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Continue the training in this folder after its last complete epoch. --epochs may be increased
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    progress: ProgressArguments,
}

const HELP: &str = "\
After every epoch the network, the checkpoint and the losses are written. An interrupted or killed program loses the
epoch under way; --resume goes on. The network does not depend on --threads.

With more --epochs than before, --resume extends a training. From there on the learning rate follows the schedule of a
training with the new number of epochs: it rises from its present value, and sinks to --end-rate by the last epoch. The
network differs from that of an uninterrupted training of as many epochs; its note says so.";

/// The maximum length of `--note` in bytes: half of a note, because the program adds its own text.
const LONGEST_NOTE: usize = NOTE_LIMIT / 2;

pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { files, out, start, resume, .. } = arguments;
    let note = arguments.note.as_ref().map_or(0, String::len);
    ensure!(note <= LONGEST_NOTE, "--note has {note} bytes; {LONGEST_NOTE} are allowed");
    let mut settings = settings(arguments);
    settings.check().map_err(with_flag)?;
    let stop = interrupt::watch()?;
    let pool = Arc::new(parallel::pool(arguments.threads.count())?);
    let start = start.as_deref().map(read_network).transpose()?;
    settings.start = start.as_ref().map(|(_, description)| description.clone());

    let _lock = folder_lock::lock(out)?;
    let folder = Folder::new(out);
    folder.check(*resume)?;
    let shards = files.paths()?;
    println!("reading {}", counted(shards.len(), "shard"));
    let dataset = pool.install(|| Dataset::read(shards))?;
    settings.data = dataset.description();
    let (positions, held_out) = (dataset.positions(), dataset.held_out().len());
    let (learned, games) = (counted(positions, "position"), counted(dataset.games(), "game"));
    println!("{learned} of {games} to learn from, {held_out} held out");

    let mut training = match resume {
        true => Training::resume(dataset, settings, &folder.checkpoint, pool).map_err(with_flag)?,
        false => Training::new(dataset, settings, start.as_ref().map(|(network, _)| network), pool)?,
    };
    if let Some(note) = &arguments.note {
        training.set_note(note.clone());
        // An interrupt in the next epoch must not lose it.
        if *resume {
            training.save(&folder.checkpoint)?;
        }
    }
    say_extension(&training);
    println!("{:>6}  {:>8}  {:>8}  {:>9}  {:>11}", "epoch", "learned", "held out", "rate", "positions/s");
    match training.losses() {
        [] => println!("{:>6}  {:>8}  {:.6}", "before", "", training.held_out_loss()),
        done => done.iter().for_each(|losses| println!("{}", line(losses))),
    }
    while !training.is_finished() {
        let (epoch, all) = (training.losses().len() + 1, training.dataset().positions());
        let progress = Progress::new(arguments.progress, "positions", 0, Some(all), None);
        let rate = |done: u64, elapsed: Duration| done as f64 / elapsed.as_secs_f64().max(1e-3);
        let tell =
            |done| progress.set(done, |elapsed| format!("epoch {epoch}, {:.0} positions/s", rate(done, elapsed)));
        let losses = training.epoch(stop, tell);
        progress.finish();
        let Some(losses) = losses? else {
            match epoch {
                1 => bail!("interrupted in the first epoch: nothing is kept"),
                _ => bail!("interrupted in epoch {epoch}: --resume goes on after epoch {}", epoch - 1),
            }
        };
        training.save(&folder.checkpoint)?;
        folder.write_results(&training)?;
        // A closed pipe ends the program here.
        println!("{}", line(&losses));
    }
    // A training may have been stopped between writing its checkpoint and writing its results.
    folder.write_results(&training)?;
    let rounding = training.rounding();
    println!("rounding changes scores by {:.2} centipawns, at most {:.1}", rounding.mean, rounding.greatest);
    println!("the network is in {}", folder.network.display());
    Ok(())
}

fn settings(arguments: &Arguments) -> TrainingSettings {
    let Arguments { epochs, batch, rate, end_rate, warm_up, decay, lambda, seed, buffer, .. } = *arguments;
    let (start, data) = (None, String::new());
    TrainingSettings { epochs, batch, rate, end_rate, warm_up, decay, lambda, seed, buffer, start, data }
}

/// Prefixes an error about a setting with its flag. TrainingSettings have the names of their flags.
fn with_flag(error: TrainError) -> anyhow::Error {
    let flag = match &error {
        TrainError::Setting { setting, .. } => format!("--{setting}"),
        TrainError::Fewer { .. } => "--epochs".to_owned(),
        TrainError::Differs(_) => "--resume".to_owned(),
        _ => return error.into(),
    };
    anyhow::Error::new(error).context(flag)
}

/// Reports the effect on the learning rate if the training has more epochs than before.
fn say_extension(training: &Training) {
    let (done, epochs) = (training.losses().len() as u64, training.settings().epochs);
    if let (Some(&Extension { done: then, planned }), Some(last)) =
        (training.extensions().last(), training.losses().last())
        && then == done
    {
        let (rate, end_rate) = (training.rate(), training.settings().end_rate);
        println!(
            "{epochs} epochs, {planned} until now: the learning rate goes from {:.2e} to {rate:.2e}, and sinks to {end_rate:.2e}",
            last.rate
        );
    }
}

/// A network, and its name with a checksum of its weights.
fn read_network(path: &Path) -> Result<(Network, String)> {
    let (network, _) = Network::read(path).with_context(|| path.display().to_string())?;
    let fingerprint = network.fingerprint()?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok((network, format!("{name} {fingerprint:08x}")))
}

fn line(losses: &EpochLosses) -> String {
    let EpochLosses { epoch, learned, held_out, rate, positions_per_second } = losses;
    format!("{epoch:>6}  {learned:.6}  {held_out:.6}  {rate:>9.2e}  {positions_per_second:>11.0}")
}

struct Folder {
    checkpoint: PathBuf,
    network: PathBuf,
    table: PathBuf,
    picture: PathBuf,
}

impl Folder {
    fn new(path: &Path) -> Folder {
        let [checkpoint, network, table, picture] =
            ["checkpoint", "network.net", "losses.csv", "losses.svg"].map(|name| path.join(name));
        Folder { checkpoint, network, table, picture }
    }

    /// Makes sure, before the data is read, that there is a training to resume, or that nothing would be replaced: the
    /// network may be the `--start` of this training.
    fn check(&self, resume: bool) -> Result<()> {
        let Folder { checkpoint, network, table, picture } = self;
        if resume {
            ensure!(checkpoint.exists(), "there is no training to resume: {} is missing", checkpoint.display());
            return Ok(());
        }
        let advice = "--resume goes on with it, another --out begins anew";
        ensure!(!checkpoint.exists(), "there is a training already, {}: {advice}", checkpoint.display());
        for file in [network, table, picture] {
            ensure!(!file.exists(), "{} exists: give another --out", file.display());
        }
        Ok(())
    }

    /// Writes the network, and the table and chart of the losses so far.
    fn write_results(&self, training: &Training) -> Result<()> {
        training.write_losses(&self.table, &self.picture)?;
        training.network().write(&self.network, &note(training)).with_context(|| self.network.display().to_string())
    }
}

/// A short description of how the network was made, which is reproducible.
fn note(training: &Training) -> String {
    let TrainingSettings { epochs, batch, rate, end_rate, warm_up, decay, lambda, seed, buffer, start, data } =
        training.settings();
    let mut note = format!(
        "judkins {} train --epochs {epochs} --batch {batch} --rate {rate} --end-rate {end_rate} --warm-up {warm_up} \
         --decay {decay} --lambda {lambda} --seed {seed} --buffer {buffer}",
        env!("CARGO_PKG_VERSION")
    );
    if let Some(start) = start {
        note += &format!(" --start {start}");
    }
    for Extension { done, planned } in training.extensions() {
        note += &format!("\nextended after epoch {done}, from {planned} epochs");
    }
    note += &format!("\ndata: {data}");
    if let Some(EpochLosses { epoch, learned, held_out, .. }) = training.losses().last() {
        note += &format!("\nepoch {epoch} of {epochs}: loss {learned:.6}, held out {held_out:.6}");
    }
    training.note().map_or(note.clone(), |text| format!("{text}\n{note}"))
}
