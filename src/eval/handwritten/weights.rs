//! The weights of the hand-written terms: a struct for the evaluation, and a list of its tables for the fit.

use bytemuck::{Pod, Zeroable};

use crate::shogi::{BOARD_SIZE, PieceKind};

pub(super) const KINDS: usize = PieceKind::COUNT;
pub(super) const DROPPABLE: usize = PieceKind::DROPPABLE.len();
/// The greatest distance on the board, in king's steps.
pub(super) const FARTHEST: usize = BOARD_SIZE - 1;

/// A table of weights, for code that iterates over all weights.
#[derive(Clone, Copy, Debug)]
pub struct WeightTable {
    /// The name of the field of [`Weights`].
    pub name: &'static str,
    /// The index of its first weight.
    pub start: usize,
    /// The count of its weights.
    pub length: usize,
    /// The length of its innermost array; 0 for a single weight.
    pub row: usize,
    /// The number of weight units in a centipawn or in a unit of danger.
    pub per_centipawn: i32,
}

trait Shape {
    const ROW: usize;
}

impl Shape for i32 {
    const ROW: usize = 0;
}

impl<const N: usize> Shape for [i32; N] {
    const ROW: usize = N;
}

impl<const N: usize, const M: usize> Shape for [[i32; N]; M] {
    const ROW: usize = N;
}

macro_rules! weights {
    ($($(#[doc = $doc:literal])+ $name:ident: $type:ty, $per_centipawn:literal;)+) => {
        /// The weights of the terms. `judkins fit` fits them to games.
        #[derive(Clone, Copy, Debug, Pod, Zeroable)]
        #[repr(C)]
        pub struct Weights {
            $($(#[doc = $doc])+ pub $name: $type,)+
        }

        impl Weights {
            /// All tables, in the order of the fields.
            pub const TABLES: &[WeightTable] = &[$(WeightTable {
                name: stringify!($name),
                start: std::mem::offset_of!(Weights, $name) / size_of::<i32>(),
                length: size_of::<$type>() / size_of::<i32>(),
                row: <$type as Shape>::ROW,
                per_centipawn: $per_centipawn,
            }),+];
        }
    };
}

weights! {
    /// The bonus of the side to move, in centipawns.
    tempo: i32, 1;
    /// A piece on the board, in centipawns; 0 for the king.
    on_board: [i32; KINDS], 1;
    /// The first and the second piece of a kind in hand, in centipawns.
    in_hand: [[i32; 2]; DROPPABLE], 1;
    /// Each square that a piece attacks, except squares of own pieces, in hundredths of a centipawn.
    mobility: [i32; KINDS], 100;
    /// A piece 1 to 5 steps from the enemy king, in centipawns on top of its value.
    near_enemy_king: [[i32; FARTHEST]; KINDS], 1;
    /// A piece 1 to 5 steps from its own king, in centipawns on top of its value.
    near_own_king: [[i32; FARTHEST]; KINDS], 1;
    /// A piece's square, by row from its owner's first row and column from the nearer edge, in centipawns on top of its
    /// value.
    place: [[i32; BOARD_SIZE / 2 * BOARD_SIZE]; KINDS], 1;
    /// The king's square, by row from its own first row and column from the nearer edge, in centipawns.
    king: [[i32; BOARD_SIZE / 2]; BOARD_SIZE], 1;
    /// Attacked own pieces, for the side to move and for the other side, in centipawns. Undefended: pawns; knights and
    /// silvers; golds and pieces that move like them; sliders. Defended: sliders.
    hanging: [[i32; 5]; 2], 1;
    /// An own piece that is pinned to its king, in centipawns.
    pinned: i32, 1;
    /// Danger: each square of the enemy king's zone that a piece attacks, in tenths.
    pressure: [i32; KINDS], 10;
    /// Danger: each piece in the attacker's hand, in tenths.
    hand_pressure: [i32; DROPPABLE], 10;
    /// Danger: each square on which a drop would give check safely, in tenths.
    drop_check: [i32; DROPPABLE], 10;
    /// Danger: each square around the king that the attacker attacks and only the king defends, in tenths.
    weak_square: i32, 10;
    /// Danger: each of the eight directions in which the king has no escape, in tenths.
    no_escape: i32, 10;
}

impl Weights {
    /// All weights by index, in centipawns or units of danger.
    pub fn in_centipawns(&self) -> Vec<f64> {
        let raw: &[i32; Weights::COUNT] = bytemuck::cast_ref(self);
        let of_table = |table: &WeightTable| {
            let scale = f64::from(table.per_centipawn);
            raw[table.start..table.start + table.length].iter().map(move |&weight| f64::from(weight) / scale)
        };
        Weights::TABLES.iter().flat_map(of_table).collect()
    }

    /// The count of all weights.
    pub const COUNT: usize = size_of::<Weights>() / size_of::<i32>();
}
