//! Labels above the curve: flags on poles, in lanes so that no pole crosses a label.

/// A label, where it points to, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Flag {
    /// Where the pole stands.
    pub x: f64,
    /// The label's width.
    pub width: f64,
    /// Whether the label is at the left of its pole.
    pub flipped: bool,
    /// The lane, counted upwards from the curve.
    pub lane: usize,
}

impl Flag {
    fn span(&self) -> (f64, f64) {
        if self.flipped { (self.x - self.width, self.x) } else { (self.x, self.x + self.width) }
    }

    fn covers(&self, x: f64) -> bool {
        let (left, right) = self.span();
        (left..=right).contains(&x)
    }

    fn overlaps(&self, other: &Flag) -> bool {
        let ((left, right), (other_left, other_right)) = (self.span(), other.span());
        left <= other_right && other_left <= right
    }
}

/// Finds a place for labels with these places and widths, given from left to right, left of `right`.
///
/// A label that would reach beyond `right` stands at the left of its pole, and so does one whose pole that label would
/// cover. A label that covers another's pole is above that one's.
pub fn place(labels: &[(f64, f64)], right: f64) -> Vec<Flag> {
    let mut flags: Vec<Flag> = labels.iter().map(|&(x, width)| Flag { x, width, flipped: false, lane: 0 }).collect();
    let mut first_flipped = flags.iter().position(|flag| flag.x + flag.width > right).unwrap_or(flags.len());
    let mut reach = flags[first_flipped..].iter().map(|flag| flag.x - flag.width).fold(right, f64::min);
    while first_flipped > 0 && flags[first_flipped - 1].x >= reach {
        first_flipped -= 1;
        reach = reach.min(flags[first_flipped].x - flags[first_flipped].width);
    }
    flags[first_flipped..].iter_mut().for_each(|flag| flag.flipped = true);
    let order = (first_flipped..flags.len()).chain((0..first_flipped).rev());
    let mut placed: Vec<usize> = Vec::new();
    for index in order {
        let flag = &flags[index];
        let covered = placed.iter().map(|&other| &flags[other]).filter(|other| flag.covers(other.x));
        let mut lane = covered.map(|other| other.lane + 1).max().unwrap_or(0);
        while placed.iter().any(|&other| flags[other].lane == lane && flag.overlaps(&flags[other])) {
            lane += 1;
        }
        flags[index].lane = lane;
        placed.push(index);
    }
    flags
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn labels_stand_apart_and_no_pole_crosses_one(
            mut places in prop::collection::vec((100.0..900.0f64, 40.0..90.0f64), 0..8),
        ) {
            places.sort_by(|one, other| one.0.total_cmp(&other.0));
            let flags = place(&places, 900.0);
            for (index, flag) in flags.iter().enumerate() {
                prop_assert!(flag.span().1 <= 900.0);
                for other in &flags[index + 1..] {
                    prop_assert!(flag.lane != other.lane || !flag.overlaps(other), "{flag:?} {other:?}");
                    prop_assert!(!flag.covers(other.x) || flag.lane > other.lane, "{flag:?} {other:?}");
                    prop_assert!(!other.covers(flag.x) || other.lane > flag.lane, "{flag:?} {other:?}");
                }
            }
        }
    }
}
