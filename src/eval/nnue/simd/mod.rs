//! Vector kernels for inference. All give bit-identical results. Their inner loops index: the tests' build does not
//! inline `Zip::new`, and does not vectorize loops over it.

#[cfg_attr(all(target_arch = "wasm32", target_feature = "simd128"), path = "wasm.rs")]
mod plain;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::fmt;

use super::Row;

/// An instruction set for inference. Only [`Kernel::all`] creates kernels, so the processor supports every kernel's
/// instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Plain,
}

impl Kernel {
    /// The kernels that this processor can run, the fastest first.
    pub fn all() -> Vec<Kernel> {
        let mut kernels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512bw") {
                kernels.push(Kernel(Kind::Avx512));
            }
            if is_x86_feature_detected!("avx2") {
                kernels.push(Kernel(Kind::Avx2));
            }
        }
        kernels.push(Kernel(Kind::Plain));
        kernels
    }

    /// The fastest kernel of this processor.
    pub fn best() -> Kernel {
        Kernel::all()[0]
    }

    /// Writes the sums of `from`, with some rows added and others subtracted, into `to`.
    #[inline]
    pub(super) fn step<const N: usize>(self, from: &Row, to: &mut Row, added: [&Row; N], removed: [&Row; N]) {
        match self.0 {
            // SAFETY: the kernel exists, so the processor supports its instructions.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { x86::step_avx512(from, to, added, removed) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { x86::step_avx2(from, to, added, removed) },
            Kind::Plain => plain::step(from, to, added, removed),
        }
    }

    /// Writes the sums of `bias` and of the rows of `weights` whose indices are in `active` to `to`.
    #[inline]
    pub(super) fn sum(self, bias: &Row, to: &mut Row, weights: &[Row], active: &[u16]) {
        match self.0 {
            // SAFETY: the kernel exists, so the processor supports its instructions.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { x86::sum_avx512(bias, to, weights, active) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { x86::sum_avx2(bias, to, weights, active) },
            Kind::Plain => plain::sum(bias, to, weights, active),
        }
    }

    /// The dot product of the weights and the clipped and squared sums of both perspectives, in units of 1 / (`QA`² ·
    /// `QB`).
    #[inline]
    pub(super) fn output(self, sums: [&Row; 2], weights: &[Row; 2]) -> i32 {
        match self.0 {
            // SAFETY: the kernel exists, so the processor supports its instructions.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { x86::output_avx512(sums, weights) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { x86::output_avx2(sums, weights) },
            Kind::Plain => plain::output(sums, weights),
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "AVX-512",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "AVX2",
            Kind::Plain => "plain",
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::super::HIDDEN;
    use super::*;

    fn row(random: &mut impl Rng, limit: i16) -> Row {
        Row(std::array::from_fn(|_| random.random_range(-limit..=limit)))
    }

    #[test]
    fn every_kernel_gives_the_same_bits() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        // Typical weights of networks, the greatest allowed, and greater ones than a file may have: the kernels agree
        // on all of them.
        for (input, output) in [(60, 20), (2_000, 127), (i16::MAX, i16::MAX)] {
            for _ in 0..200 {
                let weights: Vec<Row> = (0..40).map(|_| row(&mut random, input)).collect();
                let outputs = [row(&mut random, output), row(&mut random, output)];
                let active: Vec<u16> = (0..random.random_range(0..16)).map(|_| random.random_range(0..40)).collect();
                let results = Kernel::all().into_iter().map(|kernel| {
                    let [mut full, mut once, mut twice] = [Row([7; HIDDEN]); 3];
                    kernel.sum(&weights[0], &mut full, &weights, &active);
                    kernel.step(&full, &mut once, [&weights[1]], [&weights[2]]);
                    kernel.step(&once, &mut twice, [&weights[3], &weights[4]], [&weights[5], &weights[6]]);
                    (full, once, twice, kernel.output([&once, &twice], &outputs))
                });
                let results: Vec<_> = results.collect();
                assert!(results.iter().all(|result| *result == results[0]));
            }
        }
    }

    #[test]
    fn the_plain_kernel_does_what_is_written() {
        let weights: Vec<Row> = (0..5).map(|number| Row([10 * number; HIDDEN])).collect();
        let mut sums = Row([0; HIDDEN]);
        plain::sum(&Row([3; HIDDEN]), &mut sums, &weights, &[1, 4, 4]);
        assert_eq!(sums.0, [93; HIDDEN]);
        let mut next = sums;
        plain::step(&sums, &mut next, [&weights[4], &weights[3]], [&weights[1], &weights[2]]);
        assert_eq!(next.0, [133; HIDDEN]);
        // 93² · 2 for one side; the other is clipped at 255 or at 0.
        let sides = [Row([2; HIDDEN]), Row([-1; HIDDEN])];
        for (other, square) in [(1_000, 255 * 255), (-1_000, 0)] {
            let output = plain::output([&sums, &Row([other; HIDDEN])], &sides);
            assert_eq!(output, HIDDEN as i32 * (93 * 93 * 2 - square));
        }
    }
}
