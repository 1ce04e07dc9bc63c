use super::Network;

static FILE: &[u8] = include_bytes!("default.net");

impl Network {
    /// The network that the program is built with, and its note.
    pub fn embedded() -> (Network, String) {
        Network::from_bytes(FILE).expect("a test reads the file")
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::eval::network::{HIDDEN, INPUTS, OUTPUTS, QA, QB, SCALE, View};
    use crate::eval::{board_value, hand_value};
    use crate::shogi::{Color, Piece, PieceKind, Square};

    #[test]
    fn the_file_is_a_network() {
        assert!(Network::from_bytes(FILE).is_ok_and(|(_, note)| !note.is_empty()));
    }

    /// What no material can outweigh, in centipawns.
    const RANGE: f64 = 10_000.0;

    /// Counts material: (½ + x)² - (½ - x)² = 2x, and x is own material less the other's, the unit's half of it.
    /// Units differ in how they round.
    fn material() -> Network {
        let view = View::BLACK;
        let mut network = Network {
            input_weights: vec![[0; HIDDEN]; INPUTS],
            input_bias: [(QA / 2) as i16; HIDDEN],
            output_weights: [[[0; HIDDEN]; 2]; OUTPUTS],
            output_bias: [0; OUTPUTS],
        };
        let mut set = |input: usize, owner: Color, centipawns: i32| {
            for (unit, weight) in network.input_weights[input].iter_mut().enumerate() {
                let exact = f64::from(centipawns) * f64::from(QA) / RANGE;
                let rounded = (exact + (unit as f64 + 0.5) / HIDDEN as f64).floor() as i16;
                *weight = if owner == Color::Black { rounded } else { -rounded };
            }
        };
        for owner in Color::ALL {
            for kind in PieceKind::ALL {
                Square::all()
                    .for_each(|square| set(view.piece(Piece::new(owner, kind), square), owner, board_value(kind)));
            }
            for kind in PieceKind::DROPPABLE {
                (1..=2).for_each(|nth| set(view.in_hand(owner, kind, nth), owner, hand_value(kind)));
            }
        }
        let weight = RANGE / (2 * SCALE) as f64 / HIDDEN as f64 * f64::from(QB);
        let weight = weight.round() as i16;
        network.output_weights = [[[weight; HIDDEN], [-weight; HIDDEN]]; OUTPUTS];
        network
    }

    #[test]
    #[ignore = "writes the file"]
    fn write_a_network_that_counts_material() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval/network/default.net");
        material().write(&path, "untrained: counts material").unwrap();
    }
}
