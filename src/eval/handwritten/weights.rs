use bytemuck::{Pod, Zeroable};

use crate::shogi::{BOARD_SIZE, PieceKind};

const KINDS: usize = PieceKind::COUNT;
const DROPPABLE: usize = PieceKind::DROPPABLE.len();
/// The greatest distance on the board, in king's steps.
pub(super) const FARTHEST: usize = BOARD_SIZE - 1;

/// A table of weights: its name, and how many there are in the innermost row.
#[derive(Clone, Copy, Debug)]
pub struct WeightTable {
    /// The name in [`Weights`].
    pub name: &'static str,
    /// Where it begins among all weights.
    pub start: usize,
    /// How many weights it has.
    pub length: usize,
    /// How many of them make a row.
    pub row: usize,
    /// How many make a centipawn.
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
        /// What the evaluation's terms count with. `judkins fit` finds them from games.
        #[derive(Clone, Copy, Debug, Pod, Zeroable)]
        #[repr(C)]
        pub struct Weights {
            $($(#[doc = $doc])+ pub $name: $type,)+
        }

        impl Weights {
            /// Every table, in order.
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
    /// Having the move, in centipawns.
    tempo: i32, 1;
    /// A piece on the board, in centipawns. The king has no worth.
    on_board: [i32; KINDS], 1;
    /// The first and the second piece of a kind in hand, in centipawns.
    in_hand: [[i32; 2]; DROPPABLE], 1;
    /// Each square that a piece reaches, own pieces' squares apart, in hundredths of a centipawn.
    mobility: [i32; KINDS], 100;
    /// A piece 1 to 5 steps from the enemy king, in centipawns on top of its value.
    near_enemy_king: [[i32; FARTHEST]; KINDS], 1;
    /// A piece 1 to 5 steps from its own king, in centipawns on top of its value.
    near_own_king: [[i32; FARTHEST]; KINDS], 1;
    /// A piece's place, by row from its owner's first rank and column from the nearer edge, in centipawns on top of its
    /// value.
    place: [[i32; BOARD_SIZE / 2 * BOARD_SIZE]; KINDS], 1;
    /// The king's place, by row from its own first rank and column from the nearer edge, in centipawns.
    king: [[i32; BOARD_SIZE / 2]; BOARD_SIZE], 1;
    /// Own pieces that are attacked and not guarded, for the side to move and for the other, in centipawns: pawns,
    /// knights and silvers, golds and what moves like them, ranging pieces; and ranging pieces that are guarded.
    hanging: [[i32; 5]; 2], 1;
    /// An own piece that may not leave the line to its king, in centipawns.
    pinned: i32, 1;
    /// Danger: each square around the enemy king that a piece reaches, in tenths.
    pressure: [i32; KINDS], 10;
    /// Danger: a piece in the attacker's hand, which can join at once, in tenths.
    hand_pressure: [i32; DROPPABLE], 10;
    /// Danger: each square from which a piece in the attacker's hand would check without being taken, in tenths.
    drop_check: [i32; DROPPABLE], 10;
    /// Danger: each square that the attacker reaches, and only the king guards, in tenths.
    weak_square: i32, 10;
    /// Danger: each square that the king cannot go to, in tenths.
    no_escape: i32, 10;
}

impl Weights {
    /// The weights that the evaluation uses.
    pub const IN_USE: Weights = super::fitted::WEIGHTS;
    /// Every weight by number, in centipawns; those of danger in its units.
    pub fn in_centipawns(&self) -> Vec<f64> {
        let raw: &[i32; Weights::COUNT] = bytemuck::cast_ref(self);
        let of_table = |table: &WeightTable| {
            let scale = f64::from(table.per_centipawn);
            raw[table.start..table.start + table.length].iter().map(move |&weight| f64::from(weight) / scale)
        };
        Weights::TABLES.iter().flat_map(of_table).collect()
    }

    /// How many weights there are.
    pub const COUNT: usize = size_of::<Weights>() / size_of::<i32>();
}
