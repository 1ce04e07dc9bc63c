//! The search's parameters, each declared once: name, default, range and step.

/// A parameter's declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamSpec {
    /// The name, as an option shows it.
    pub name: &'static str,
    /// The default value.
    pub default: i32,
    /// The least value.
    pub min: i32,
    /// The greatest value.
    pub max: i32,
    /// The smallest change that makes a noticeable difference: a tuner's first step.
    pub step: i32,
}

macro_rules! parameters {
    ($($(#[doc = $doc:literal])+ $name:ident: $default:literal in $min:literal..=$max:literal step $step:literal;)+) => {
        /// Every parameter.
        pub const PARAMETERS: &[ParamSpec] = &[$(ParamSpec {
            name: stringify!($name),
            default: $default,
            min: $min,
            max: $max,
            step: $step,
        }),+];

        /// The value of each parameter.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(non_snake_case)] // The names of options.
        pub struct Params {
            $($(#[doc = $doc])+ pub(super) $name: i32,)+
        }

        impl Default for Params {
            fn default() -> Params {
                Params { $($name: $default),+ }
            }
        }

        impl Params {
            fn slot(&mut self, name: &str) -> Option<&mut i32> {
                $(if stringify!($name).eq_ignore_ascii_case(name) {
                    return Some(&mut self.$name);
                })+
                None
            }

            /// The parameters with their values, in the order of [`PARAMETERS`].
            pub fn iter(&self) -> impl Iterator<Item = (&'static ParamSpec, i32)> {
                PARAMETERS.iter().zip([$(self.$name),+])
            }
        }
    };
}

parameters! {
    /// Aspiration window: half its first width, in centipawns.
    AspirationDelta: 24 in 5..=200 step 5;
    /// Aspiration window: the least depth, in plies.
    AspirationDepth: 4 in 1..=127 step 1;
    /// Aspiration window: the greatest depth reduction after fails high, in plies.
    AspirationReduction: 3 in 0..=6 step 1;
    /// Reverse futility pruning: the greatest depth, in plies.
    RfpDepth: 9 in 0..=12 step 1;
    /// Reverse futility pruning: the margin above beta for each ply left but one, in centipawns.
    RfpMargin: 125 in 20..=300 step 10;
    /// Reverse futility pruning: that margin where the evaluation is higher than two plies before.
    RfpMarginImproving: 75 in 20..=300 step 10;
    /// Transposition table: the least depth at which a stored score ends a node, in plies; quiescence counts as 0.
    TableDepth: 0 in 0..=127 step 1;
    /// Null move: the least depth, in plies.
    NullDepth: 3 in 1..=127 step 1;
    /// Null move: least reduction, in plies.
    NullBase: 4 in 1..=6 step 1;
    /// Null move: plies of depth for each further ply of reduction.
    NullDepthDivisor: 4 in 2..=10 step 1;
    /// Null move: centipawns above beta for each further ply of reduction.
    NullEvalDivisor: 250 in 50..=800 step 25;
    /// Null move: the least depth at which a fail high is verified, in plies.
    NullVerificationDepth: 12 in 4..=127 step 1;
    /// ProbCut: the least depth, in plies.
    ProbCutDepth: 5 in 4..=127 step 1;
    /// ProbCut: the margin above beta, in centipawns.
    ProbCutMargin: 200 in 20..=1000 step 20;
    /// ProbCut: the depth reduction of the verifying search, in plies.
    ProbCutReduction: 4 in 2..=8 step 1;
    /// Internal iterative reduction: the least depth, in plies.
    IirDepth: 3 in 2..=127 step 1;
    /// Singular extensions: the least depth, in plies.
    SingularDepth: 6 in 4..=127 step 1;
    /// Singular extensions: the plies by which the table's entry may be shallower than the node.
    SingularTableDepth: 3 in 1..=6 step 1;
    /// Singular extensions: the margin below the hash move's score for each ply of depth, in 1/16 centipawns.
    SingularMargin: 54 in 4..=160 step 4;
    /// Double extension: a further margin below the singular one, in centipawns.
    DoubleMargin: 60 in 5..=300 step 10;
    /// Check extension: the least depth, in plies.
    CheckDepth: 2 in 1..=127 step 1;
    /// Late move reductions: the least depth, in plies.
    LmrDepth: 2 in 2..=127 step 1;
    /// Late move reductions: constant part, in 1/1024 plies.
    LmrBase: 650 in 0..=2048 step 64;
    /// Late move reductions: divisor of log2(depth) × log2(move number), in 1/1024.
    LmrDivisor: 4900 in 1024..=10000 step 256;
    /// Late move reductions: the history score that reduces the reduction by one ply.
    LmrHistory: 6000 in 1000..=30000 step 500;
    /// Late move reductions: added where the parent expects a cut-off, in 1/1024 plies.
    LmrCutNode: 850 in 0..=3000 step 100;
    /// Late move reductions: taken off at nodes that are or were PV nodes, in 1/1024 plies.
    LmrPv: 1250 in 0..=3000 step 100;
    /// Late move reductions: taken off for checks and evasions, in 1/1024 plies.
    LmrCheck: 1024 in 0..=3000 step 100;
    /// Late move reductions: added where the evaluation does not improve, in 1/1024 plies.
    LmrNotImproving: 420 in 0..=3000 step 100;
    /// Late move reductions: the factor for captures and promotions, in 1/1024.
    LmrNoisy: 550 in 0..=1024 step 50;
    /// Late move pruning: the greatest depth, in plies.
    LmpDepth: 8 in 0..=12 step 1;
    /// Late move pruning: moves tried at depth 0.
    LmpBase: 7 in 1..=30 step 1;
    /// Late move pruning: further moves for each squared ply of depth.
    LmpScale: 2 in 1..=10 step 1;
    /// Futility pruning: the greatest depth, in plies.
    FutilityDepth: 6 in 0..=12 step 1;
    /// Futility pruning: constant part, in centipawns.
    FutilityBase: 120 in 0..=500 step 20;
    /// Futility pruning: part for each ply of depth, in centipawns.
    FutilityMargin: 130 in 20..=400 step 10;
    /// SEE pruning: the greatest depth, in plies.
    SeeDepth: 8 in 0..=12 step 1;
    /// SEE pruning of quiet moves and drops: the loss allowed for each ply of depth, in centipawns.
    SeeQuietMargin: 120 in 10..=300 step 10;
    /// SEE pruning of captures: the loss allowed for each ply of depth, in centipawns.
    SeeCaptureMargin: 150 in 10..=500 step 10;
    /// Histories: the greatest bonus.
    HistoryMax: 2200 in 200..=6000 step 100;
    /// Histories: bonus for each ply of depth.
    HistoryScale: 220 in 20..=600 step 20;
    /// Move ordering: the bonus of a quiet move that gives check, in units of history.
    CheckBonus: 10000 in 0..=32000 step 500;
    /// Delta pruning: the margin added to the gain of a capture, in centipawns.
    DeltaMargin: 200 in 50..=30000 step 20;
    /// Quiescence: the loss allowed by SEE, in centipawns.
    QuiescenceLoss: 0 in 0..=30000 step 20;
    /// Quiescence: the number of moves after which quiet evasions are skipped once one move does not lose.
    QuiescenceEvasions: 3 in 0..=1000 step 1;
    /// Time for a move: the share of the optimum when the best move has just changed, in percent.
    TimeUnstable: 125 in 50..=300 step 5;
    /// Time for a move: the same after one iteration with the same best move.
    TimeStable1: 110 in 50..=300 step 5;
    /// Time for a move: the same after two or three.
    TimeStable2: 95 in 30..=200 step 5;
    /// Time for a move: the same after four to seven.
    TimeStable4: 85 in 30..=200 step 5;
    /// Time for a move: the same after eight or more.
    TimeStable8: 75 in 30..=200 step 5;
    /// Time for a move: the share if no nodes went to the best move, in percent.
    TimeEffortBase: 170 in 100..=300 step 5;
    /// Time for a move: the percentage subtracted if all nodes went to the best move.
    TimeEffortScale: 110 in 0..=250 step 5;
    /// Time for a move: the greatest rise of the score that counts, in centipawns.
    TimeRise: 40 in 0..=200 step 10;
    /// Time for a move: the greatest fall of the score that counts, in centipawns.
    TimeFall: 120 in 0..=500 step 10;
    /// Time for a move: centipawns of fall that double it.
    TimeFallScale: 300 in 50..=2000 step 25;
}

impl ParamSpec {
    /// The parameter of this name, in any case.
    pub fn find(name: &str) -> Option<&'static ParamSpec> {
        PARAMETERS.iter().find(|spec| spec.name.eq_ignore_ascii_case(name))
    }
}

impl Params {
    /// Sets a parameter. The names are those of [`PARAMETERS`], in any case. Returns whether there is such a parameter
    /// and the value lies within its range.
    #[must_use]
    pub fn set(&mut self, name: &str, value: i32) -> bool {
        let is_accepted = ParamSpec::find(name).is_some_and(|spec| (spec.min..=spec.max).contains(&value));
        match self.slot(name) {
            Some(slot) if is_accepted => {
                *slot = value;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_within_their_ranges() {
        for spec in PARAMETERS {
            assert!((spec.min..=spec.max).contains(&spec.default) && spec.step > 0, "{spec:?}");
        }
    }

    #[test]
    fn a_parameter_is_set_within_its_range() {
        let mut values = Params::default();
        assert!(values.set("aspirationdelta", 25));
        assert!(!values.set("AspirationDelta", -1) && !values.set("NoSuchThing", 1));
        assert_eq!((values.AspirationDelta, Params::default().AspirationDelta), (25, 24));
    }

    #[test]
    fn values_are_listed_with_their_parameters() {
        let mut values = Params::default();
        let last = PARAMETERS[PARAMETERS.len() - 1];
        assert!(values.set(last.name, last.max));
        assert_eq!(values.iter().last(), Some((&last, last.max)));
        assert!(values.iter().zip(PARAMETERS).all(|((listed, _), spec)| listed == spec));
    }
}
