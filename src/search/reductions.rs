use super::params::Params;

/// Depths and move counts are capped below this.
const SIZE: usize = 64;

/// The base reductions of late moves by depth and move count, in 1/1024 plies. A single move is adjusted later.
pub(super) struct Reductions(Box<[[i32; SIZE]; SIZE]>);

impl Reductions {
    /// Computes the table, which takes as long as some hundred nodes.
    pub(super) fn new<const EXPOSED: bool>(params: &Params<EXPOSED>) -> Reductions {
        let (base, divisor) = (params.LmrBase(), params.LmrDivisor());
        let mut table = Box::new([[0; SIZE]; SIZE]);
        for (depth, row) in (1u32..).zip(&mut table[1..]) {
            for (number, reduction) in (1u32..).zip(&mut row[1..]) {
                *reduction = base + log2_fixed(depth) * log2_fixed(number) / divisor;
            }
        }
        Reductions(table)
    }

    /// The reduction of a move by its count at this depth, in 1/1024 plies.
    #[inline]
    pub(super) fn of(&self, depth: i32, number: usize) -> i32 {
        self.0[(depth as usize).min(SIZE - 1)][number.min(SIZE - 1)]
    }
}

/// The logarithm to base 2, times 1024, rounded down. Integers give the same result on every machine.
const fn log2_fixed(value: u32) -> i32 {
    let whole = value.ilog2();
    let mut fraction: u64 = (value as u64) << (32 - whole);
    let mut result = 0;
    let mut bit = 0;
    while bit < 10 {
        fraction = (fraction * (fraction >> 2)) >> 30;
        result <<= 1;
        if fraction >= 2 << 32 {
            result |= 1;
            fraction >>= 1;
        }
        bit += 1;
    }
    (whole as i32) << 10 | result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right_to_a_thousandth() {
        for value in 1..5_000u32 {
            let exact = f64::from(value).log2() * 1024.0;
            assert!((exact - f64::from(log2_fixed(value))).abs() <= 1.0, "{value}");
        }
    }
}
