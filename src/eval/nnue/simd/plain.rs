//! Portable kernels: the fallback on every processor, and the loops that `x86.rs` compiles for AVX2 and AVX-512.

use super::super::{HIDDEN, QA, Row};

/// The number of hidden units summed at a time: few enough for the registers.
const CHUNK: usize = 128;

#[inline(always)]
pub fn step<const N: usize>(from: &Row, to: &mut Row, added: [&Row; N], removed: [&Row; N]) {
    for (unit, to) in to.0.iter_mut().enumerate() {
        *to = (0..N)
            .fold(from.0[unit], |sum, nth| sum.wrapping_add(added[nth].0[unit]).wrapping_sub(removed[nth].0[unit]));
    }
}

#[inline(always)]
pub fn sum(bias: &Row, to: &mut Row, weights: &[Row], active: &[u16]) {
    for start in (0..HIDDEN).step_by(CHUNK) {
        let mut sums = [0; CHUNK];
        sums.copy_from_slice(&bias.0[start..][..CHUNK]);
        for &input in active {
            let weights = &weights[usize::from(input)].0[start..][..CHUNK];
            for (unit, sum) in sums.iter_mut().enumerate() {
                *sum = sum.wrapping_add(weights[unit]);
            }
        }
        to.0[start..][..CHUNK].copy_from_slice(&sums);
    }
}

#[inline(always)]
pub fn output(sums: [&Row; 2], weights: &[Row; 2]) -> i32 {
    let mut total = 0i32;
    for (sums, weights) in sums.into_iter().zip(weights) {
        for (&sum, &weight) in sums.0.iter().zip(&weights.0) {
            let clipped = sum.clamp(0, QA as i16);
            // The first product has 16 bits, as in the vector kernels.
            let product = i32::from(clipped.wrapping_mul(weight)) * i32::from(clipped);
            total = total.wrapping_add(product);
        }
    }
    total
}
