//! The kernel for WebAssembly's vectors of 128 bits. The compiler vectorises the plain loops of the sums.

use std::arch::wasm32::*;

use super::super::QA;
use super::Row;

#[target_feature(enable = "simd128")]
pub fn output(sums: [&Row; 2], weights: &[Row; 2]) -> i32 {
    let (zero, one) = (i16x8_splat(0), i16x8_splat(QA as i16));
    let mut total = i32x4_splat(0);
    for (sums, weights) in sums.into_iter().zip(weights) {
        for (sum, weight) in sums.0.chunks_exact(8).zip(weights.0.chunks_exact(8)) {
            // SAFETY: a chunk has the 16 bytes of a vector.
            let (sum, weight) = unsafe { (v128_load(sum.as_ptr().cast()), v128_load(weight.as_ptr().cast())) };
            let clipped = i16x8_min(i16x8_max(sum, zero), one);
            total = i32x4_add(total, i32x4_dot_i16x8(i16x8_mul(clipped, weight), clipped));
        }
    }
    i32x4_extract_lane::<0>(total)
        .wrapping_add(i32x4_extract_lane::<1>(total))
        .wrapping_add(i32x4_extract_lane::<2>(total))
        .wrapping_add(i32x4_extract_lane::<3>(total))
}
