//! Kernels for AVX2 and AVX-512. The compiler vectorises the plain loops of the sums; the output uses intrinsics.

use std::arch::x86_64::*;

use super::super::{QA, Row};
use super::plain;

#[target_feature(enable = "avx512bw")]
pub fn step_avx512<const N: usize>(from: &Row, to: &mut Row, added: [&Row; N], removed: [&Row; N]) {
    plain::step(from, to, added, removed);
}

#[target_feature(enable = "avx2")]
pub fn step_avx2<const N: usize>(from: &Row, to: &mut Row, added: [&Row; N], removed: [&Row; N]) {
    plain::step(from, to, added, removed);
}

#[target_feature(enable = "avx512bw")]
pub fn sum_avx512(bias: &Row, to: &mut Row, weights: &[Row], active: &[u16]) {
    plain::sum(bias, to, weights, active);
}

#[target_feature(enable = "avx2")]
pub fn sum_avx2(bias: &Row, to: &mut Row, weights: &[Row], active: &[u16]) {
    plain::sum(bias, to, weights, active);
}

#[target_feature(enable = "avx512bw")]
pub fn output_avx512(sums: [&Row; 2], weights: &[Row; 2]) -> i32 {
    let (zero, one) = (_mm512_setzero_si512(), _mm512_set1_epi16(QA as i16));
    let mut total = zero;
    for (sums, weights) in sums.into_iter().zip(weights) {
        let sums: &[__m512i; 8] = bytemuck::cast_ref(sums);
        let weights: &[__m512i; 8] = bytemuck::cast_ref(weights);
        for (index, &sum) in sums.iter().enumerate() {
            let clipped = _mm512_min_epi16(_mm512_max_epi16(sum, zero), one);
            let products = _mm512_madd_epi16(_mm512_mullo_epi16(clipped, weights[index]), clipped);
            total = _mm512_add_epi32(total, products);
        }
    }
    _mm512_reduce_add_epi32(total)
}

#[target_feature(enable = "avx2")]
pub fn output_avx2(sums: [&Row; 2], weights: &[Row; 2]) -> i32 {
    let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(QA as i16));
    let mut total = zero;
    for (sums, weights) in sums.into_iter().zip(weights) {
        let sums: &[__m256i; 16] = bytemuck::cast_ref(sums);
        let weights: &[__m256i; 16] = bytemuck::cast_ref(weights);
        for (index, &sum) in sums.iter().enumerate() {
            let clipped = _mm256_min_epi16(_mm256_max_epi16(sum, zero), one);
            let products = _mm256_madd_epi16(_mm256_mullo_epi16(clipped, weights[index]), clipped);
            total = _mm256_add_epi32(total, products);
        }
    }
    let lanes: [i32; 8] = bytemuck::cast(total);
    lanes.into_iter().fold(0, i32::wrapping_add)
}
