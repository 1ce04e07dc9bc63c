//! Reads and writes Japanese notation: `▲６四歩`, `△同　銀不成`, `▲３三角打`, `▲５四金左`.
//!
//! It follows the rules of the Japan Shogi Association, with ranks in kanji as in print. If several pieces of a kind
//! may legally move to the square, the first of these that is unambiguous is added:
//! 1. the direction of the move from the player's point of view: `上` forward, `寄` sideways, `引` backward;
//! 2. the side of the origin, `左` left or `右` right, or `直` for a gold, silver or promoted small piece that moves
//!    straight forward. Rooks, bishops, dragons and horses are left or right of each other, and never `直`;
//! 3. both, the side first.

mod read;

use std::cmp::Ordering;

use super::super::{Bitboard, Color, Move, PieceKind, Position, Square};
use super::{has_promotion_choice, moved_kind, origins};
use PieceKind::*;

#[cfg(feature = "record")]
pub(crate) use read::{CLOSING, OPENING};
pub use read::{ParseJapaneseError, parse_japanese};

/// Writes a legal move. `previous` is the opponent's last move, if any: the same destination is written `同`.
///
/// An ideographic space follows `同` before a name of one character: `同　銀`, but `同成銀`. The king is `玉` for both
/// players.
///
/// ```
/// use judkins::shogi::Position;
/// use judkins::shogi::notation::japanese::to_japanese;
/// let mv = "6e6d".parse().unwrap();
/// assert_eq!(to_japanese(&Position::startpos(), mv, None), "▲６四歩");
/// ```
///
/// # Panics
/// If the move starts from an empty square.
pub fn to_japanese(position: &Position, mv: Move, previous: Option<Move>) -> String {
    let mark = position.side_to_move().sign();
    let kind = moved_kind(position, mv);
    let name = name(kind);
    let destination = match previous {
        Some(previous) if previous.to() == mv.to() && name.chars().count() == 1 => "同\u{3000}".to_owned(),
        Some(previous) if previous.to() == mv.to() => "同".to_owned(),
        _ => square(mv.to()),
    };
    let origins = origins(position, kind, mv.to());
    let Some(from) = mv.from() else {
        let drop = if origins.any() { "打" } else { "" };
        return format!("{mark}{destination}{name}{drop}");
    };
    let words = relative_words(Candidates { color: position.side_to_move(), kind, to: mv.to(), origins }, from);
    let promotion = match mv.promotes() {
        true => "成",
        false if has_promotion_choice(position, mv) => "不成",
        false => "",
    };
    format!("{mark}{destination}{name}{words}{promotion}")
}

/// The numerals from 1 to 10.
pub(crate) const NUMERALS: [char; 10] = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];

/// The name of a kind in records: two characters for promoted silver and knight.
pub(crate) fn name(kind: PieceKind) -> String {
    match kind {
        PromotedSilver => "成銀".to_owned(),
        PromotedKnight => "成桂".to_owned(),
        other => other.kanji(Color::Black).to_string(),
    }
}

/// The file as a full-width digit and the rank as a kanji numeral.
pub(crate) fn square(square: Square) -> String {
    const FILES: [char; 6] = ['６', '５', '４', '３', '２', '１'];
    String::from_iter([FILES[square.column()], NUMERALS[square.row()]])
}

/// The pieces of a kind that may legally go to a square.
#[derive(Clone, Copy)]
struct Candidates {
    color: Color,
    kind: PieceKind,
    to: Square,
    origins: Bitboard,
}

impl Candidates {
    /// `上`, `寄` or `引`: the direction of the move to the square.
    fn movement(self, from: Square) -> &'static str {
        match from.relative_to(self.color).row().cmp(&self.to.relative_to(self.color).row()) {
            Ordering::Greater => "上",
            Ordering::Equal => "寄",
            Ordering::Less => "引",
        }
    }

    /// `左`, `右` or `直`; empty where the direction is always sufficient.
    fn side(self, from: Square) -> &'static str {
        let ranging = matches!(self.kind, Bishop | Rook | Horse | Dragon);
        // The game has at most two pieces of a sliding kind.
        let other = self.origins.without(from.into()).first().filter(|_| ranging);
        let column = |square: Square| square.relative_to(self.color).column();
        match column(from).cmp(&column(other.unwrap_or(self.to))) {
            Ordering::Less => "左",
            Ordering::Greater => "右",
            Ordering::Equal if !ranging && self.movement(from) == "上" => "直",
            Ordering::Equal => "",
        }
    }
}

/// The relative words that distinguish the piece on `from` from the other candidates.
fn relative_words(candidates: Candidates, from: Square) -> String {
    let (movement, side) = (candidates.movement(from), candidates.side(from));
    let rivals = candidates.origins.without(from.into());
    if rivals.is_empty() {
        String::new()
    } else if !rivals.into_iter().any(|rival| candidates.movement(rival) == movement) {
        movement.to_owned()
    } else if !rivals.into_iter().any(|rival| candidates.side(rival) == side) {
        side.to_owned()
    } else {
        format!("{side}{movement}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use std::collections::HashSet;

    fn check(table: &[(&str, &str, &str)]) {
        for &(sfen, mv, text) in table {
            let position: Position = sfen.parse().unwrap();
            let mv: Move = mv.parse().unwrap();
            assert!(position.is_legal(mv), "{mv} in {sfen}");
            assert_eq!(to_japanese(&position, mv, None), text, "{mv} in {sfen}");
        }
    }

    #[test]
    fn pieces_and_squares_have_their_names() {
        let promoted = "k5/6/1+P+N+S+B+R/6/6/5K b - 1";
        check(&[
            ("rbnsgk/5p/6/6/P5/KGSNBR b - 1", "6e6d", "▲６四歩"),
            ("rbnsgk/5p/6/6/P5/KGSNBR b - 1", "6f5e", "▲５五玉"),
            ("rbnsgk/5p/6/6/P5/KGSNBR b - 1", "5f5e", "▲５五金"),
            ("rbnsgk/5p/6/6/P5/KGSNBR b - 1", "4f4e", "▲４五銀"),
            ("rbnsgk/5p/6/6/P5/KGSNBR b - 1", "3f4d", "▲４四桂"),
            ("rbnsgk/5p/6/6/P5/KGSNBR b - 1", "2f3e", "▲３五角"),
            ("rbnsgk/5p/6/6/P5/KGSNBR b - 1", "1f1c", "▲１三飛"),
            ("rbnsgk/5p/6/6/P5/KGSNBR w - 1", "1a2b", "△２二玉"),
            (promoted, "5c5b", "▲５二と"),
            (promoted, "4c4b", "▲４二成桂"),
            (promoted, "3c3b", "▲３二成銀"),
            (promoted, "2c2b", "▲２二馬"),
            (promoted, "1c1a", "▲１一竜"),
        ]);
    }

    #[test]
    fn promotion_is_written_where_it_is_possible() {
        let silver = "5k/1p4/2S3/6/6/K5 b - 1";
        check(&[
            (silver, "4c5b+", "▲５二銀成"),
            (silver, "4c5b", "▲５二銀不成"),
            (silver, "4c3d", "▲３四銀"),
            ("5k/3S2/6/6/6/K5 b - 1", "3b4c", "▲４三銀不成"),
            ("5k/P5/6/6/6/K5 b - 1", "6b6a+", "▲６一歩成"),
            ("k5/6/5n/6/6/K5 w - 1", "1c2e+", "△２五桂成"),
        ]);
    }

    #[test]
    fn a_drop_is_marked_where_a_piece_of_the_kind_may_go() {
        let gold = "5k/6/6/6/G5/K5 b G 1";
        check(&[
            (gold, "G*5d", "▲５四金打"),
            (gold, "6e5d", "▲５四金"),
            (gold, "G*3c", "▲３三金"),
            // A pinned piece, a promoted one and the opponent's are not candidates.
            ("r4k/6/6/6/G5/K5 b G 1", "G*5d", "▲５四金"),
            ("5k/6/6/6/+S5/K5 b S 1", "S*5d", "▲５四銀"),
            ("5k/6/1g4/6/6/K5 b G 1", "G*5d", "▲５四金"),
        ]);
    }

    #[test]
    fn golds_and_silvers_are_told_apart() {
        let (both_sides, with_center) = ("5k/6/6/6/G1G3/K5 b - 1", "5k/6/6/6/GG4/K5 b - 1");
        let (up_and_aside, up_and_down) = ("5k/6/6/1G4/G5/K5 b - 1", "5k/6/1G4/6/1G4/K5 b - 1");
        let (silvers, silvers_behind) = ("5k/6/6/6/S1S3/K5 b - 1", "5k/6/S1S3/6/6/K5 b - 1");
        check(&[
            (both_sides, "6e5d", "▲５四金左"),
            (both_sides, "4e5d", "▲５四金右"),
            (with_center, "6e5d", "▲５四金左"),
            (with_center, "5e5d", "▲５四金直"),
            (with_center, "6e6d", "▲６四金直"),
            (with_center, "5e6d", "▲６四金右"),
            (with_center, "5e4d", "▲４四金"),
            (up_and_aside, "6e6d", "▲６四金上"),
            (up_and_aside, "5d6d", "▲６四金寄"),
            (up_and_aside, "6e5e", "▲５五金寄"),
            (up_and_aside, "5d5e", "▲５五金引"),
            (up_and_down, "5e5d", "▲５四金上"),
            (up_and_down, "5c5d", "▲５四金引"),
            (silvers, "6e5d", "▲５四銀左"),
            (silvers, "4e5d", "▲５四銀右"),
            (silvers_behind, "6c5d", "▲５四銀左"),
            (silvers_behind, "4c5d", "▲５四銀右"),
            ("5k/6/S5/6/1S4/K5 b - 1", "5e5d", "▲５四銀上"),
            ("5k/6/S5/6/1S4/K5 b - 1", "6c5d", "▲５四銀引"),
            ("5k/S1S3/6/6/6/K5 b - 1", "6b5a", "▲５一銀左不成"),
            ("5k/S1S3/6/6/6/K5 b - 1", "4b5a+", "▲５一銀右成"),
            // A promoted piece moves as a gold, but is another kind.
            ("5k/6/6/6/+P+P4/K5 b - 1", "6e6d", "▲６四と直"),
            ("5k/6/6/6/+N1+N3/K5 b - 1", "6e5d", "▲５四成桂左"),
            ("5k/6/6/6/+S1+S3/K5 b - 1", "4e5d", "▲５四成銀右"),
            ("5k/6/6/6/+SG4/K5 b - 1", "5e5d", "▲５四金"),
            // A pinned piece is not a candidate.
            ("r4k/6/6/6/G1G3/K5 b - 1", "4e5d", "▲５四金"),
        ]);
    }

    #[test]
    fn knights_come_from_a_side() {
        let knights = "5k/6/6/6/N1N3/K5 b - 1";
        check(&[
            (knights, "6e5c", "▲５三桂左"),
            (knights, "4e5c", "▲５三桂右"),
            (knights, "4e3c", "▲３三桂"),
            ("5k/6/6/N1N3/6/K5 b - 1", "6d5b+", "▲５二桂左成"),
        ]);
    }

    #[test]
    fn ranging_pieces_are_told_apart_without_straight() {
        let rooks = "5k/2R3/6/R5/6/K5 b - 1";
        let row = "k5/6/1R3R/6/6/K5 b - 1";
        let bishops = "5k/6/6/6/B3B1/K5 b - 1";
        let (horses, dragons) = ("k5/6/6/1+B4/+B5/K5 b - 1", "5k/6/6/6/+R+R4/K5 b - 1");
        check(&[
            (rooks, "4b4d", "▲４四飛引不成"),
            (rooks, "6d4d", "▲４四飛寄"),
            (rooks, "6d6b+", "▲６二飛上成"),
            (rooks, "4b6b+", "▲６二飛寄成"),
            ("5k/1R4/6/6/6/KR4 b - 1", "5f5d", "▲５四飛上"),
            ("5k/1R4/6/6/6/KR4 b - 1", "5b5d+", "▲５四飛引成"),
            (row, "5c3c", "▲３三飛左"),
            (row, "1c3c", "▲３三飛右"),
            (bishops, "6e4c", "▲４三角左"),
            (bishops, "2e4c", "▲４三角右"),
            ("5k/6/B5/6/B5/K5 b - 1", "6c5d", "▲５四角引"),
            ("5k/6/B5/6/B5/K5 b - 1", "6e5d", "▲５四角上"),
            // Of two dragons or horses one is the left one, straight forward or not.
            (dragons, "6e6d", "▲６四竜左"),
            (dragons, "5e6d", "▲６四竜右"),
            (dragons, "6e5d", "▲５四竜左"),
            (dragons, "5e5d", "▲５四竜右"),
            (horses, "6e6d", "▲６四馬上"),
            (horses, "5d6d", "▲６四馬寄"),
            // Both move forward, one straight, one from a distance.
            ("k5/6/6/1+B4/3+B2/K5 b - 1", "5d5c", "▲５三馬左"),
            ("k5/6/6/1+B4/3+B2/K5 b - 1", "3e5c", "▲５三馬右"),
            // A rook next to a dragon is of another kind.
            ("5k/6/6/6/+RR4/K5 b - 1", "5e5d", "▲５四飛"),
        ]);
    }

    #[test]
    fn white_sees_the_board_from_the_other_side() {
        check(&[
            ("5k/3g1g/6/6/6/K5 w - 1", "1b2c", "△２三金左"),
            ("5k/3g1g/6/6/6/K5 w - 1", "3b2c", "△２三金右"),
            ("5k/4gg/6/6/6/K5 w - 1", "2b2c", "△２三金直"),
            ("5k/5g/4g1/6/6/K5 w - 1", "1b1c", "△１三金上"),
            ("5k/5g/4g1/6/6/K5 w - 1", "2c1c", "△１三金寄"),
            ("5k/5g/4g1/6/6/K5 w - 1", "2c2b", "△２二金引"),
            ("5k/4+r+r/6/6/6/K5 w - 1", "1b1c", "△１三竜左"),
        ]);
    }

    #[test]
    fn three_and_more_take_two_words_where_one_does_not_tell() {
        let at = |text: &str| text.parse::<Square>().unwrap();
        // The game has two pieces of a kind, so no position can show this: tokins around 2b, as in the Association's
        // example.
        let tokins = Candidates {
            color: Color::Black,
            kind: Tokin,
            to: at("2b"),
            origins: ["1c", "2c", "3c", "3b", "2a"].map(at).into_iter().collect(),
        };
        let silvers = Candidates {
            color: Color::Black,
            kind: Silver,
            to: at("2b"),
            origins: ["2c", "1a", "3c", "3a"].map(at).into_iter().collect(),
        };
        for (candidates, from, words) in [
            (tokins, "1c", "右"),
            (tokins, "2c", "直"),
            (tokins, "3c", "左上"),
            (tokins, "3b", "寄"),
            (tokins, "2a", "引"),
            (silvers, "2c", "直"),
            (silvers, "1a", "右"),
            (silvers, "3c", "左上"),
            (silvers, "3a", "左引"),
        ] {
            assert_eq!(relative_words(candidates, at(from)), words, "{from}");
        }
    }

    #[test]
    fn a_recapture_is_the_same_square() {
        for (sfen, moves, text) in [
            ("rbnsgk/5p/6/6/P5/KGSNBR b - 1", ["1f1b+", "1a1b"], "△同　玉"),
            ("k5/6/1p4/6/N1N3/K5 w - 1", ["5c5d", "6e5c"], "▲５三桂左"),
            ("k5/6/1p4/6/G1G3/K5 w - 1", ["5c5d", "6e5d"], "▲同　金左"),
            ("k5/6/1p4/6/+S5/K5 w - 1", ["5c5d", "6e5d"], "▲同成銀"),
            ("k5/p5/1S4/6/6/K5 b - 1", ["5c6b", "6a6b"], "△同　玉"),
            ("k1p3/6/2S3/6/6/K5 w - 1", ["4a4b", "4c4b"], "▲同　銀不成"),
        ] {
            let mut position: Position = sfen.parse().unwrap();
            let [previous, mv] = moves.map(|mv| mv.parse::<Move>().unwrap());
            position.play(previous);
            assert!(position.is_legal(mv), "{mv} in {position}");
            assert_eq!(to_japanese(&position, mv, Some(previous)), text, "{mv} in {position}");
        }
    }

    #[test]
    fn legal_moves_of_a_position_have_texts_of_their_own() {
        let mut seen = HashSet::new();
        for (position, previous) in samples::positions() {
            let moves = position.legal_moves();
            let texts: HashSet<String> = moves.iter().map(|&mv| to_japanese(&position, mv, previous)).collect();
            assert_eq!(texts.len(), moves.len(), "{position}");
            seen.extend(texts.iter().flat_map(|text| text.chars()));
        }
        // The samples must contain all relative words.
        assert!("同左右直上寄引成不打".chars().all(|word| seen.contains(&word)), "{seen:?}");
    }
}
