//! The kernel for WebAssembly's 128-bit vectors, which replaces the plain one. Loops are unrolled: the browsers'
//! compilers check for interrupts in each iteration and have 16 registers.

use std::arch::wasm32::*;

use super::super::{HIDDEN, QA, Row};

/// The number of vectors in a row.
const VECTORS: usize = HIDDEN / 8;

/// The number of vectors processed in an iteration.
const UNROLLED: usize = 8;

fn vectors(row: &Row) -> &[[v128; UNROLLED]; VECTORS / UNROLLED] {
    bytemuck::cast_ref(row)
}

fn vectors_mut(row: &mut Row) -> &mut [[v128; UNROLLED]; VECTORS / UNROLLED] {
    bytemuck::cast_mut(row)
}

#[inline(always)]
pub fn step<const N: usize>(from: &Row, to: &mut Row, added: [&Row; N], removed: [&Row; N]) {
    let (added, removed) = (added.map(vectors), removed.map(vectors));
    for (turn, (from, to)) in vectors(from).iter().zip(vectors_mut(to)).enumerate() {
        for unit in 0..UNROLLED {
            let mut sum = from[unit];
            for (added, removed) in added.iter().zip(&removed) {
                sum = i16x8_sub(i16x8_add(sum, added[turn][unit]), removed[turn][unit]);
            }
            to[unit] = sum;
        }
    }
}

#[inline(always)]
pub fn sum(bias: &Row, to: &mut Row, weights: &[Row], active: &[u16]) {
    for (turn, (bias, to)) in vectors(bias).iter().zip(vectors_mut(to)).enumerate() {
        let mut sums = *bias;
        for &input in active {
            let weights = &vectors(&weights[usize::from(input)])[turn];
            for unit in 0..UNROLLED {
                sums[unit] = i16x8_add(sums[unit], weights[unit]);
            }
        }
        *to = sums;
    }
}

#[inline(always)]
pub fn output(sums: [&Row; 2], weights: &[Row; 2]) -> i32 {
    let (zero, one) = (i16x8_splat(0), i16x8_splat(QA as i16));
    let mut totals = [i32x4_splat(0); 2];
    for (sums, weights) in sums.into_iter().zip(weights) {
        for (sums, weights) in vectors(sums).iter().zip(vectors(weights)) {
            for unit in 0..UNROLLED {
                let clipped = i16x8_min(i16x8_max(sums[unit], zero), one);
                let products = i32x4_dot_i16x8(i16x8_mul(clipped, weights[unit]), clipped);
                totals[unit % 2] = i32x4_add(totals[unit % 2], products);
            }
        }
    }
    let lanes: [i32; 4] = bytemuck::cast(i32x4_add(totals[0], totals[1]));
    lanes.into_iter().fold(0, i32::wrapping_add)
}
