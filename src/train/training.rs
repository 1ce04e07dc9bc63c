//! The training loop: epochs of optimizer steps, with the gradient of a batch computed in parallel.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::adam::{Adam, Schedule};
use super::checkpoint::{Extension, State};
use super::loader::{BatchSizes, Order, load};
use super::losses::{self, EpochLosses};
use super::parameters::Parameters;
use super::{Dataset, Rounding, Sample, TrainError, TrainingSettings};
use crate::eval::nnue::{Network, WEIGHT_LIMIT};

/// The number of parts of a batch, which threads process with a gradient each. It depends only on the size of the
/// batch: floating-point sums depend on their order, and the network must not depend on the number of threads. More
/// parts than threads are useless, and adding the gradient of a part costs as much as a thousand positions.
fn parts(batch: usize) -> usize {
    (batch / 2_048).clamp(2, 64)
}

/// A running training.
pub struct Training {
    dataset: Dataset,
    settings: TrainingSettings,
    pool: Arc<ThreadPool>,
    state: State,
    /// The weights rounded as in the engine. Loss and gradient are computed with these, and the step changes the exact
    /// weights: quantisation-aware training with a straight-through estimator (Bengio, Léonard and Courville 2013).
    rounded: Box<Parameters>,
    parts: Vec<Part>,
}

/// The gradient and the loss of a part of a batch.
struct Part {
    gradients: Box<Parameters>,
    loss: f64,
}

impl Training {
    /// Starts from the weights of a network or from random ones, on the threads of a pool.
    ///
    /// # Errors
    /// [`TrainError::Setting`] if a setting is out of range, [`TrainError::Start`] if a weight of the network is.
    pub fn new(
        dataset: Dataset,
        settings: TrainingSettings,
        start: Option<&Network>,
        pool: Arc<ThreadPool>,
    ) -> Result<Training, TrainError> {
        settings.check()?;
        let weights = start.map_or_else(|| Parameters::random(settings.seed), Parameters::of_network);
        // The first step would cut a weight of another trainer off.
        let greatest = weights.values().iter().fold(0.0, |greatest: f32, weight| greatest.max(weight.abs()));
        if greatest > WEIGHT_LIMIT {
            return Err(TrainError::Start(greatest));
        }
        let state = State { weights, adam: Adam::new(), losses: Vec::new(), extensions: Vec::new(), note: None };
        Ok(Training::with_state(dataset, settings, pool, state))
    }

    /// Resumes the training that [`Training::save`] wrote last. With more epochs it is extended: the learning rate is
    /// from now on that of a training with the new number of epochs, which is higher than the last rate.
    ///
    /// # Errors
    /// [`TrainError`] if the checkpoint cannot be read, or belongs to a training with other settings or more epochs.
    pub fn resume(
        dataset: Dataset,
        settings: TrainingSettings,
        checkpoint: &Path,
        pool: Arc<ThreadPool>,
    ) -> Result<Training, TrainError> {
        settings.check()?;
        let state = State::read(&settings, checkpoint)?;
        Ok(Training::with_state(dataset, settings, pool, state))
    }

    fn with_state(dataset: Dataset, settings: TrainingSettings, pool: Arc<ThreadPool>, state: State) -> Training {
        let parts = (0..parts(settings.batch)).map(|_| Part { gradients: Parameters::zeroed(), loss: 0.0 }).collect();
        let mut rounded = Parameters::zeroed();
        pool.install(|| rounded.set_rounded(&state.weights));
        Training { dataset, settings, pool, state, rounded, parts }
    }

    pub fn dataset(&self) -> &Dataset {
        &self.dataset
    }

    pub fn settings(&self) -> &TrainingSettings {
        &self.settings
    }

    /// The losses of the epochs so far.
    pub fn losses(&self) -> &[EpochLosses] {
        &self.state.losses
    }

    /// The extensions of the training, in chronological order.
    pub fn extensions(&self) -> &[Extension] {
        &self.state.extensions
    }

    /// The user's text for the network's file. Checkpoints keep it.
    pub fn note(&self) -> Option<&str> {
        self.state.note.as_deref()
    }

    pub fn set_note(&mut self, note: String) {
        self.state.note = Some(note);
    }

    /// The learning rate of the next step.
    pub fn rate(&self) -> f64 {
        let sizes = BatchSizes::new(self.dataset.positions(), self.settings.batch);
        self.schedule(sizes.batches()).rate(self.state.adam.steps)
    }

    /// Whether all epochs are done.
    pub fn is_finished(&self) -> bool {
        self.losses().len() as u64 >= self.settings.epochs
    }

    /// The mean loss of the positions held out with the current weights.
    pub fn held_out_loss(&self) -> f64 {
        let (weights, lambda) = (&self.rounded, self.settings.lambda as f32);
        let samples = self.dataset.held_out();
        let losses: Vec<f32> =
            self.pool.install(|| samples.par_iter().map(|sample| weights.loss(sample, lambda)).collect());
        losses.into_iter().map(f64::from).sum::<f64>() / samples.len() as f64
    }

    /// Trains for an epoch. `progress` receives the number of positions done after each step. Returns [`None`] if
    /// `stop` is set before the last step: the training cannot be used then.
    ///
    /// # Errors
    /// [`TrainError`] if the games cannot be read or have changed, the loss is not a number, or there is no thread.
    pub fn epoch(
        &mut self,
        stop: &AtomicBool,
        mut progress: impl FnMut(u64),
    ) -> Result<Option<EpochLosses>, TrainError> {
        let TrainingSettings { batch, buffer, seed, .. } = self.settings;
        let epoch = self.losses().len() as u64;
        let sizes = BatchSizes::new(self.dataset.positions(), batch);
        let schedule = self.schedule(sizes.batches());
        let batches = load(&self.dataset, Order { batch, buffer, seed, epoch }, self.pool.clone())?;
        let began = Instant::now();
        let (mut positions, mut loss) = (0, 0.0);
        for batch in batches {
            let batch = batch?;
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            loss += self.step(&batch, schedule.rate(self.state.adam.steps));
            positions += batch.len() as u64;
            progress(positions);
        }
        let expected = self.dataset.positions();
        if positions != expected {
            return Err(TrainError::Changed { expected, found: positions });
        }
        let losses = EpochLosses {
            epoch: epoch + 1,
            positions_per_second: positions as f64 / began.elapsed().as_secs_f64().max(1e-9),
            learned: loss / positions as f64,
            held_out: self.held_out_loss(),
            rate: schedule.rate(self.state.adam.steps - 1),
        };
        if !(losses.learned + losses.held_out).is_finite() {
            return Err(TrainError::Diverged(losses.epoch));
        }
        self.state.losses.push(losses);
        Ok(Some(losses))
    }

    fn schedule(&self, steps_per_epoch: u64) -> Schedule {
        let TrainingSettings { epochs, rate, end_rate, warm_up, .. } = self.settings;
        let steps = epochs * steps_per_epoch;
        Schedule { rate, end_rate, warm_up: (warm_up * steps as f64) as u64, steps }
    }

    /// Takes a step with a batch and returns the sum of its losses.
    fn step(&mut self, batch: &[Sample], rate: f64) -> f64 {
        let Training { settings, pool, state: State { weights, adam, .. }, rounded, parts, .. } = self;
        let lambda = settings.lambda as f32;
        pool.install(|| {
            let samples = batch.par_chunks(batch.len().div_ceil(parts.len()));
            let used = samples.len();
            parts.par_iter_mut().zip(samples).for_each(|(part, samples)| {
                part.gradients.values_mut().fill(0.0);
                let losses = samples.iter().map(|sample| rounded.add_gradients(sample, lambda, &mut part.gradients));
                part.loss = losses.map(f64::from).sum();
                part.gradients.add_up_shared();
            });
            let parts = &parts[..used];
            let gradients: Vec<&Parameters> = parts.iter().map(|part| &*part.gradients).collect();
            adam.step(weights, &gradients, batch.len(), rate as f32, settings.decay as f32);
            rounded.set_rounded(weights);
            parts.iter().map(|part| part.loss).sum()
        })
    }

    pub fn network(&self) -> Network {
        self.rounded.quantised()
    }

    /// The error of scores caused by quantisation, measured on the held-out positions.
    pub fn rounding(&self) -> Rounding {
        let samples = self.dataset.held_out();
        let mut exact = Parameters::zeroed();
        self.pool.install(|| {
            exact.set_added_up(&self.state.weights);
            Rounding::measure(&exact, &self.network(), samples)
        })
    }

    /// Writes a checkpoint from which the training can be resumed.
    ///
    /// # Errors
    /// [`TrainError::Io`].
    pub fn save(&self, checkpoint: &Path) -> Result<(), TrainError> {
        self.state.write(&self.settings, checkpoint)
    }

    /// Writes the losses as comma-separated values, and draws them as SVG.
    ///
    /// # Errors
    /// [`TrainError`] if the picture cannot be drawn, or a file cannot be written.
    pub fn write_losses(&self, table: &Path, picture: &Path) -> Result<(), TrainError> {
        losses::write_table(self.losses(), table)?;
        losses::draw(self.losses(), picture)
    }
}

#[cfg(test)]
mod tests {
    use rayon::ThreadPoolBuilder;

    use super::super::toy::Folder;
    use super::*;
    use crate::eval::nnue::FEATURES;

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn settings(epochs: u64) -> TrainingSettings {
        TrainingSettings {
            epochs,
            batch: 256,
            rate: 0.005,
            end_rate: 0.0001,
            warm_up: 0.1,
            decay: 0.01,
            lambda: 0.8,
            seed: 4,
            buffer: 2_000,
            start: None,
            data: String::new(),
        }
    }

    fn dataset(folder: &Folder) -> Dataset {
        Dataset::read(folder.shards(&[80, 80])).unwrap()
    }

    fn pool(threads: usize) -> Arc<ThreadPool> {
        Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().unwrap())
    }

    #[test]
    fn what_scores_depend_on_is_learned_and_survives_rounding() {
        let folder = Folder::new();
        let mut training = Training::new(dataset(&folder), settings(6), None, pool(2)).unwrap();
        let before = training.held_out_loss();
        while !training.is_finished() {
            training.epoch(&NEVER, |_| {}).unwrap();
        }
        let after = training.held_out_loss();
        let last = training.losses().last().unwrap();
        // The network memorises so few positions, so the held-out loss falls less.
        assert!(last.learned < before / 4.0 && after < before, "{before} {after} {:?}", training.losses());
        assert_eq!((last.epoch, last.held_out), (6, after));
        assert!((last.rate - 0.0001).abs() < 1e-9, "{last:?}");
        // The engine's scores differ from those of the rounded weights only by being whole centipawns.
        let samples = training.dataset().held_out();
        let rounding = Rounding::measure(&training.rounded, &training.network(), samples);
        assert!(rounding.mean < 0.7 && rounding.greatest < 1.5, "{rounding:?}");
        // Rounding of the weights changes scores a little.
        let rounding = training.rounding();
        assert!((0.4..5.0).contains(&rounding.mean) && rounding.greatest < 20.0, "{rounding:?}");
    }

    #[test]
    fn king_buckets_learn_together_and_apart() {
        let folder = Folder::new();
        // Without decay, weights without a gradient do not change.
        let settings = TrainingSettings { decay: 0.0, ..settings(1) };
        let mut training = Training::new(dataset(&folder), settings, None, pool(2)).unwrap();
        let before = training.state.weights.clone();
        training.epoch(&NEVER, |_| {}).unwrap();
        let after = &training.state.weights;
        assert!(after.shared_weights != before.shared_weights);
        let own =
            after.input_weights.chunks_exact(FEATURES).filter(|own| own.as_flattened().iter().any(|&own| own != 0.0));
        assert!(own.count() >= 4, "games of chance see most buckets");
    }

    #[test]
    fn neither_a_stop_nor_the_number_of_threads_changes_the_network() {
        let folder = Folder::new();
        let mut undisturbed = Training::new(dataset(&folder), settings(3), None, pool(1)).unwrap();
        for _ in 0..3 {
            undisturbed.epoch(&NEVER, |_| {}).unwrap();
        }

        let checkpoint = folder.path("checkpoint");
        let mut stopped = Training::new(dataset(&folder), settings(3), None, pool(3)).unwrap();
        stopped.epoch(&NEVER, |_| {}).unwrap();
        stopped.save(&checkpoint).unwrap();
        let mut resumed = Training::resume(dataset(&folder), settings(3), &checkpoint, pool(2)).unwrap();
        assert_eq!(resumed.losses(), stopped.losses());
        for _ in 0..2 {
            resumed.epoch(&NEVER, |_| {}).unwrap();
        }
        assert!(resumed.is_finished());
        assert_eq!(resumed.network(), undisturbed.network());
        let losses = |training: &Training| {
            training.losses().iter().map(|losses| (losses.learned, losses.held_out, losses.rate)).collect::<Vec<_>>()
        };
        assert_eq!(losses(&resumed), losses(&undisturbed));
    }

    #[test]
    fn a_network_that_is_there_is_where_it_begins() {
        let folder = Folder::new();
        let mut first = Training::new(dataset(&folder), settings(2), None, pool(2)).unwrap();
        first.epoch(&NEVER, |_| {}).unwrap();
        let second = Training::new(dataset(&folder), settings(2), Some(&first.network()), pool(2)).unwrap();
        assert_eq!(second.network(), first.network());
        assert!((second.held_out_loss() - first.held_out_loss()).abs() < 0.001);
        // Another trainer's network may be outside the limits.
        let mut network = first.network();
        network.input_bias[3] = -1_500;
        let refused = Training::new(dataset(&folder), settings(2), Some(&network), pool(2)).err().unwrap();
        assert!(refused.to_string().contains("a weight of 5.88: "), "{refused}");
    }

    #[test]
    fn a_checkpoint_of_other_settings_is_refused_by_their_name() {
        let folder = Folder::new();
        let checkpoint = folder.path("checkpoint");
        Training::new(dataset(&folder), settings(3), None, pool(1)).unwrap().save(&checkpoint).unwrap();
        let refused = |settings| {
            let resumed = Training::resume(dataset(&folder), settings, &checkpoint, pool(1));
            resumed.err().map_or("not refused".to_owned(), |error| error.to_string())
        };
        let differs = |what: &str| format!("the training to resume was begun with other settings: {what}");
        let start = Some("a".to_owned());
        let others = TrainingSettings { end_rate: 0.001, batch: 128, start, ..settings(4) };
        for difference in ["end-rate 0.0001 there, 0.001 here", "batch 256 there, 128 here", "start none there, a here"]
        {
            assert!(refused(others.clone()).contains(difference), "{}", refused(others));
        }
        assert_eq!(refused(TrainingSettings { seed: 5, ..settings(3) }), differs("seed 4 there, 5 here"));
        let fewer = "the training to resume has 3 epochs, which can become more, and not 2";
        assert_eq!(refused(settings(2)), fewer);
        assert_eq!([refused(settings(3)), refused(settings(4))], ["not refused", "not refused"]);
    }

    #[test]
    fn a_training_can_be_extended() {
        let folder = Folder::new();
        let checkpoint = folder.path("checkpoint");
        let mut short = Training::new(dataset(&folder), settings(1), None, pool(1)).unwrap();
        let sunk = short.epoch(&NEVER, |_| {}).unwrap().unwrap().rate;
        short.save(&checkpoint).unwrap();
        let mut longer = Training::resume(dataset(&folder), settings(3), &checkpoint, pool(1)).unwrap();
        assert_eq!(longer.extensions(), [Extension { done: 1, planned: 1 }]);
        // As in a training that started with three epochs.
        let mut whole = Training::new(dataset(&folder), settings(3), None, pool(1)).unwrap();
        whole.epoch(&NEVER, |_| {}).unwrap();
        assert!(longer.rate() == whole.rate() && longer.rate() > 2.0 * sunk, "{} {sunk}", longer.rate());
        longer.epoch(&NEVER, |_| {}).unwrap();
        longer.save(&checkpoint).unwrap();
        let again = Training::resume(dataset(&folder), settings(3), &checkpoint, pool(1)).unwrap();
        assert_eq!((again.extensions(), again.is_finished()), (longer.extensions(), false));
        assert_ne!(again.network(), whole.network());
    }

    #[test]
    fn an_epoch_can_be_stopped() {
        let folder = Folder::new();
        let mut training = Training::new(dataset(&folder), settings(1), None, pool(1)).unwrap();
        assert!(training.epoch(&AtomicBool::new(true), |_| {}).unwrap().is_none());
        assert!(training.losses().is_empty());
    }

    #[test]
    fn a_damaged_checkpoint_is_noticed() {
        let folder = Folder::new();
        let checkpoint = folder.path("checkpoint");
        Training::new(dataset(&folder), settings(3), None, pool(1)).unwrap().save(&checkpoint).unwrap();
        let bytes = std::fs::read(&checkpoint).unwrap();
        let read = || Training::resume(dataset(&folder), settings(3), &checkpoint, pool(1));
        for length in [0, 3, 7, 11, 40, bytes.len() / 2, bytes.len() - 1] {
            std::fs::write(&checkpoint, &bytes[..length]).unwrap();
            assert!(matches!(read(), Err(TrainError::Checkpoint(..))), "cut to {length} bytes");
        }
        for index in [0, 8, 30, bytes.len() / 3, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[index] ^= 0x04;
            std::fs::write(&checkpoint, changed).unwrap();
            assert!(matches!(read(), Err(TrainError::Checkpoint(..))), "byte {index} changed");
        }
    }

    #[test]
    fn games_that_change_meanwhile_are_noticed() {
        let folder = Folder::new();
        let mut training = Training::new(dataset(&folder), settings(3), None, pool(1)).unwrap();
        folder.shards(&[80, 70]);
        assert!(matches!(training.epoch(&NEVER, |_| {}), Err(TrainError::Changed { .. })));
    }

    #[test]
    fn settings_without_sense_are_refused() {
        let folder = Folder::new();
        for nonsense in [
            TrainingSettings { epochs: 0, ..settings(1) },
            TrainingSettings { batch: 0, ..settings(1) },
            TrainingSettings { buffer: 0, ..settings(1) },
            TrainingSettings { rate: f64::NAN, ..settings(1) },
            TrainingSettings { rate: -0.1, ..settings(1) },
            TrainingSettings { end_rate: 1.0, ..settings(1) },
            TrainingSettings { warm_up: 1.5, ..settings(1) },
            TrainingSettings { decay: f64::INFINITY, ..settings(1) },
            TrainingSettings { lambda: -1.0, ..settings(1) },
        ] {
            let refused = Training::new(dataset(&folder), nonsense.clone(), None, pool(1));
            assert!(matches!(refused, Err(TrainError::Setting { .. })), "{nonsense:?}");
        }
    }
}
