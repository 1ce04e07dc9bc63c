//! Loads batches of positions in random order, in the background: shards are shuffled, games are shuffled within a
//! shard, and positions pass through a shuffle buffer.

use std::mem;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{IntoIter, SyncSender, sync_channel};
use std::thread;

use rand::RngExt;
use rand::seq::SliceRandom;
use rayon::ThreadPool;

use super::dataset::learning_samples;
use super::{Dataset, Sample};
use crate::data::DataError;
use crate::random::numbered_rng;
use crate::work::ThreadError;

/// The maximum number of batches loaded ahead.
const READY: usize = 8;

#[derive(Clone, Copy)]
pub struct Order {
    /// The maximum number of positions of a batch. All batches of an epoch have about the same size.
    pub batch: usize,
    /// The size of the shuffle buffer, in positions.
    pub buffer: usize,
    /// The seed of the order, combined with the epoch.
    pub seed: u64,
    /// Counted from 0.
    pub epoch: u64,
}

/// Starts loading an epoch and returns its batches. Games are replayed on the pool's threads.
pub fn load(
    dataset: &Dataset,
    order: Order,
    pool: Arc<ThreadPool>,
) -> Result<IntoIter<Result<Vec<Sample>, DataError>>, ThreadError> {
    let (sender, batches) = sync_channel(READY);
    let shards = dataset.shards().to_vec();
    let sizes = BatchSizes::new(dataset.positions(), order.batch);
    thread::Builder::new().spawn(move || {
        let mut feeder = Feeder { sizes, batch: Vec::new(), sender };
        match feed(shards, order, &pool, &mut feeder) {
            // The receiver is gone if the training was stopped.
            Err(Stop::Failed(error)) => drop(feeder.sender.send(Err(error))),
            Ok(()) | Err(Stop::NobodyListens) => {}
        }
    })?;
    Ok(batches.into_iter())
}

/// The reason why there are no more batches.
enum Stop {
    Failed(DataError),
    NobodyListens,
}

fn feed(mut shards: Vec<PathBuf>, order: Order, pool: &ThreadPool, feeder: &mut Feeder) -> Result<(), Stop> {
    let mut rng = numbered_rng(order.seed, order.epoch);
    shards.shuffle(&mut rng);
    let mut buffer: Vec<Sample> = Vec::new();
    for path in shards {
        let games = pool.install(|| learning_samples(&path, &mut rng)).map_err(Stop::Failed)?;
        for sample in games.into_iter().flatten() {
            if buffer.len() < order.buffer {
                buffer.push(sample);
            } else {
                let place = rng.random_range(0..buffer.len());
                feeder.add(mem::replace(&mut buffer[place], sample))?;
            }
        }
    }
    buffer.shuffle(&mut rng);
    buffer.into_iter().try_for_each(|sample| feeder.add(sample))?;
    feeder.finish()
}

/// Collects samples into batches and sends them.
struct Feeder {
    sizes: BatchSizes,
    batch: Vec<Sample>,
    sender: SyncSender<Result<Vec<Sample>, DataError>>,
}

impl Feeder {
    fn add(&mut self, sample: Sample) -> Result<(), Stop> {
        self.batch.push(sample);
        if self.batch.len() < self.sizes.size() {
            return Ok(());
        }
        self.sizes.batch += 1;
        let next = Vec::with_capacity(self.sizes.size());
        self.sender.send(Ok(mem::replace(&mut self.batch, next))).map_err(|_| Stop::NobodyListens)
    }

    /// Sends the rest. There is one only if the shards have changed.
    fn finish(&mut self) -> Result<(), Stop> {
        if self.batch.is_empty() {
            return Ok(());
        }
        self.sender.send(Ok(mem::take(&mut self.batch))).map_err(|_| Stop::NobodyListens)
    }
}

/// The sizes of an epoch's batches: as equal as possible, because a small last batch would weigh as much as a full one.
#[derive(Clone, Copy)]
pub struct BatchSizes {
    positions: u64,
    batches: u64,
    /// The index of the current batch.
    batch: u64,
}

impl BatchSizes {
    pub fn new(positions: u64, most: usize) -> BatchSizes {
        BatchSizes { positions, batches: positions.div_ceil(most as u64), batch: 0 }
    }

    pub fn batches(self) -> u64 {
        self.batches
    }

    fn size(self) -> usize {
        let end = |batch: u64| (u128::from(self.positions) * u128::from(batch) / u128::from(self.batches)) as usize;
        end(self.batch + 1) - end(self.batch)
    }
}

#[cfg(test)]
mod tests {
    use rayon::ThreadPoolBuilder;

    use super::super::toy::Folder;
    use super::*;

    #[test]
    fn an_epoch_has_every_position_once_and_in_its_own_order() {
        let folder = Folder::new();
        let dataset = Dataset::read(folder.shards(&[60, 40])).unwrap();
        let pool = Arc::new(ThreadPoolBuilder::new().num_threads(2).build().unwrap());
        let epoch = |epoch, buffer| {
            let order = Order { batch: 100, buffer, seed: 5, epoch };
            let batches: Vec<Vec<Sample>> = load(&dataset, order, pool.clone()).unwrap().map(Result::unwrap).collect();
            assert_eq!(batches.len() as u64, dataset.positions().div_ceil(100));
            let sizes: Vec<usize> = batches.iter().map(Vec::len).collect();
            let [least, most] = [sizes.iter().min().unwrap(), sizes.iter().max().unwrap()];
            assert!(*most <= 100 && most - least <= 1, "{sizes:?}");
            batches.concat()
        };
        let sorted = |mut samples: Vec<Sample>| {
            samples.sort_unstable_by_key(|sample| format!("{sample:?}"));
            samples
        };
        let first = epoch(0, 1_000_000);
        assert_eq!(first.len() as u64, dataset.positions());
        assert_eq!(first, epoch(0, 1_000_000), "the same order again");
        let [second, through_a_small_buffer] = [epoch(1, 1_000_000), epoch(0, 50)];
        assert!(first != second && first != through_a_small_buffer);
        let first = sorted(first);
        assert_eq!(first, sorted(second));
        assert_eq!(first, sorted(through_a_small_buffer));
    }

    #[test]
    fn an_unreadable_shard_is_an_error() {
        let folder = Folder::new();
        let dataset = Dataset::read(folder.shards(&[100])).unwrap();
        std::fs::write(&dataset.shards()[0], "no games").unwrap();
        let pool = Arc::new(ThreadPoolBuilder::new().num_threads(1).build().unwrap());
        let order = Order { batch: 100, buffer: 10, seed: 5, epoch: 0 };
        let batches: Vec<_> = load(&dataset, order, pool).unwrap().collect();
        assert!(matches!(batches[..], [Err(DataError::Damaged { .. })]));
    }
}
