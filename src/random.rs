//! Random numbers of numbered tasks.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The generator of the task with this number. It depends on the seed and the number alone, so that tasks can run in any
/// order, or again, with the same result.
pub fn numbered_rng(seed: u64, number: u64) -> Xoshiro256PlusPlus {
    // The golden ratio in 64 bits spreads neighbours; `seed_from_u64` mixes the bits.
    Xoshiro256PlusPlus::seed_from_u64(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}
