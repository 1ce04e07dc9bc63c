//! Impasse (jishogi): rules for games in which the kings have entered the enemy camp, where they are hard to mate.

use strum::{Display, EnumString, FromRepr, VariantArray, VariantNames};

pub use super::history::try_square;
use super::{Bitboard, Color, GameHistory, Handicap, PieceKind, Position};

/// A rule that decides an impasse.
///
/// `Display` and `FromStr` use the variant's name, in any case. The discriminant is the rule's code in
/// shards (`crate::data`) of training games: it must never change.
///
/// To add a rule, change this file, `history.rs` if the rule depends on earlier moves, `eval/impasse.rs` and the texts of
/// the board, which a test compares. A rule that decides games in a new way also needs a variant of [`ImpasseDecision`],
/// and perhaps one of [`EndReason`](super::EndReason). The compiler reports every other place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Display, EnumString, FromRepr, VariantArray, VariantNames)]
#[strum(ascii_case_insensitive, parse_err_ty = UnknownImpasseRule, parse_err_fn = UnknownImpasseRule::new)]
#[repr(u8)]
pub enum ImpasseRule {
    /// The game's own rule: once both kings have stood in their zones for a number of plies without a capture or a
    /// promotion, and the side to move is not in check, each side needs 12 points.
    #[default]
    Points12 = 0,
    /// The declaration rule of online servers, scaled to this board: see [`may_declare`].
    Declaration = 1,
    /// Once both kings have been in their zones, the first to reach the other king's start square wins.
    Try = 2,
    /// No rule: the game continues.
    None = 3,
    /// The rule as implemented by Cute Chess 1.5: if the side to move is not in check, and *both* kings stand in its
    /// promotion zone, it wins with more than 16 points and loses with fewer than 12. It was meant to be the game's own
    /// rule, under which each king stands in its own zone.
    CuteChess = 4,
}

#[cfg(feature = "serde")]
impl serde::Serialize for ImpasseRule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for ImpasseRule {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<ImpasseRule, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The default number of plies without a capture or a promotion before [`ImpasseRule::Points12`] applies.
pub const DEFAULT_IMPASSE_PLIES: u32 = 24;

/// The points that each side needs under [`ImpasseRule::Points12`] and [`ImpasseRule::CuteChess`].
pub const POINTS_NEEDED: u32 = 12;

/// The points of all pieces: 14 per side.
pub const TOTAL_POINTS: u32 = 28;

/// The points of both sides in a game that they decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointCount {
    /// Black's and White's points.
    pub points: [u32; 2],
}

impl PointCount {
    /// Counts each side's points on the whole board and in hand. Pieces removed by a handicap count for White.
    pub fn of(position: &Position) -> PointCount {
        let given = Handicap::of(position)
            .map_or(0, |handicap| handicap.given().iter().map(|kind| kind.impasse_points()).sum());
        let [black, white] = Color::ALL
            .map(|color| points_within(position, color, Bitboard::ALL) + position.hand(color).impasse_points());
        PointCount { points: [black, white + given] }
    }

    /// The side with enough points, if the other has too few. With all pieces in play, both sides cannot have too few.
    pub const fn winner(self) -> Option<Color> {
        let [black, white] = self.points;
        match (black >= POINTS_NEEDED, white >= POINTS_NEEDED) {
            (true, false) => Some(Color::Black),
            (false, true) => Some(Color::White),
            _ => None,
        }
    }
}

/// The impasse points of a player's pieces on a set of squares.
pub fn points_within(position: &Position, color: Color, squares: Bitboard) -> u32 {
    let own = position.by_color(color).without(position.by_kind(PieceKind::King)) & squares;
    let majors = own & (position.rook_movers() | position.bishop_movers());
    own.count() + (PieceKind::Rook.impasse_points() - 1) * majors.count()
}

/// The points that a player needs to declare: one more for Black, who moves first.
pub const fn declaration_points(color: Color) -> u32 {
    match color {
        Color::Black => 15,
        Color::White => 14,
    }
}

/// The number of pieces besides the king that must stand in the zone for a declaration.
pub const DECLARATION_PIECES: u32 = 3;

/// The count of a player's pieces in his promotion zone, without the king.
pub fn pieces_in_zone(position: &Position, color: Color) -> u32 {
    (position.by_color(color) & Bitboard::zone(color)).without(position.by_kind(PieceKind::King)).count()
}

/// Whether the side to move may declare a win under [`ImpasseRule::Declaration`]: its king stands in its zone with
/// [`DECLARATION_PIECES`] other pieces, it is not in check, and its pieces in the zone and in hand have the
/// [`declaration_points`].
pub fn may_declare(position: &Position) -> bool {
    let us = position.side_to_move();
    let zone = Bitboard::zone(us);
    position.king_is_in_zone(us)
        && !position.in_check()
        && pieces_in_zone(position, us) >= DECLARATION_PIECES
        && points_within(position, us, zone) + position.hand(us).impasse_points() >= declaration_points(us)
}

/// The count that ends the game under [`ImpasseRule::CuteChess`]. It only considers the points of the side to move.
fn cute_chess_count(position: &Position) -> Option<PointCount> {
    let us = position.side_to_move();
    let kings = position.by_kind(PieceKind::King);
    let counts = (kings & Bitboard::zone(us)).many() && !position.in_check();
    counts.then(|| {
        let own = points_within(position, us, Bitboard::ALL) + position.hand(us).impasse_points();
        let mut points = [TOTAL_POINTS - own; 2];
        points[us.index()] = own;
        PointCount { points }
    })
}

impl ImpasseRule {
    /// Every rule, the default first.
    pub const ALL: &[ImpasseRule] = <ImpasseRule as VariantArray>::VARIANTS;

    /// Every rule's name, in the order of [`ImpasseRule::ALL`].
    pub const NAMES: &[&str] = <ImpasseRule as VariantNames>::VARIANTS;

    /// The rule's name.
    pub const fn name(self) -> &'static str {
        ImpasseRule::NAMES[self as usize]
    }

    /// The name in Japanese records.
    pub const fn japanese_name(self) -> &'static str {
        match self {
            ImpasseRule::Points12 => "点数法（12点）",
            ImpasseRule::Declaration => "宣言法",
            ImpasseRule::Try => "トライルール",
            ImpasseRule::None => "なし",
            ImpasseRule::CuteChess => "Cute Chess",
        }
    }

    /// Whether the rule counts points after a number of plies without a capture or a promotion.
    pub const fn counts_quiet_plies(self) -> bool {
        match self {
            ImpasseRule::Points12 => true,
            ImpasseRule::Declaration | ImpasseRule::Try | ImpasseRule::None | ImpasseRule::CuteChess => false,
        }
    }

    /// Whether the decision in a position depends on the moves before it.
    pub const fn depends_on_history(self) -> bool {
        match self {
            ImpasseRule::Points12 | ImpasseRule::Try => true,
            ImpasseRule::Declaration | ImpasseRule::None | ImpasseRule::CuteChess => false,
        }
    }

    /// Whether a player wins by a declaration, subject to [`may_declare`].
    pub const fn is_declared(self) -> bool {
        match self {
            ImpasseRule::Declaration => true,
            ImpasseRule::Points12 | ImpasseRule::Try | ImpasseRule::None | ImpasseRule::CuteChess => false,
        }
    }

    /// The rule's code in files, which [`ImpasseRule::from_repr`] reads.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The rule's decision in a position, if there is one. No rule counts points in check: mate comes first.
    /// `impasse_plies` only matters to [`ImpasseRule::Points12`].
    #[inline]
    pub fn decision(self, position: &Position, history: &GameHistory, impasse_plies: u32) -> Option<ImpasseDecision> {
        match self {
            ImpasseRule::Points12 => {
                let long_enough = history.impasse_plies().is_some_and(|plies| plies >= impasse_plies);
                (long_enough && !position.in_check()).then(|| ImpasseDecision::Points(PointCount::of(position)))
            }
            ImpasseRule::CuteChess => cute_chess_count(position).map(ImpasseDecision::Points),
            ImpasseRule::Declaration => may_declare(position).then_some(ImpasseDecision::MayDeclare),
            ImpasseRule::Try => history.has_tried().then_some(ImpasseDecision::Try),
            ImpasseRule::None => None,
        }
    }

    /// Whether the rule may end the game in this position without a declaration, with some history. For a mate search,
    /// which does not know the history of its positions.
    pub fn may_end(self, position: &Position) -> bool {
        match self {
            ImpasseRule::Points12 => {
                !position.in_check() && Color::ALL.into_iter().all(|color| position.king_is_in_zone(color))
            }
            ImpasseRule::CuteChess => cute_chess_count(position).is_some(),
            ImpasseRule::Try => {
                let moved = !position.side_to_move();
                position.find_king(moved) == Some(try_square(moved))
            }
            ImpasseRule::Declaration | ImpasseRule::None => false,
        }
    }

    /// Whether the rule may end the game without a declaration within `plies` plies without a capture or a promotion.
    pub fn may_end_within(self, plies: u32, history: &GameHistory, impasse_plies: u32) -> bool {
        match self {
            ImpasseRule::Points12 => history.impasse_plies().unwrap_or(0) + plies >= impasse_plies,
            ImpasseRule::CuteChess | ImpasseRule::Try => true,
            ImpasseRule::Declaration | ImpasseRule::None => false,
        }
    }

    /// Whether only Cute Chess uses the rule. It speaks UCI, so the other protocols do not offer the rule.
    pub const fn is_cute_chess_only(self) -> bool {
        match self {
            ImpasseRule::CuteChess => true,
            ImpasseRule::Points12 | ImpasseRule::Declaration | ImpasseRule::Try | ImpasseRule::None => false,
        }
    }
}

/// A decision of an impasse rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImpasseDecision {
    /// The game is over by a count of points.
    Points(PointCount),
    /// The game is over: the king that has just moved reached the other's start square.
    Try,
    /// The side to move wins when it declares.
    MayDeclare,
}

impl ImpasseDecision {
    /// The winner, assuming that a player declares as soon as possible; none in a no-contest game.
    #[inline]
    pub fn winner(self, side_to_move: Color) -> Option<Color> {
        match self {
            ImpasseDecision::Points(count) => count.winner(),
            ImpasseDecision::Try => Some(!side_to_move),
            ImpasseDecision::MayDeclare => Some(side_to_move),
        }
    }
}

/// The error for a text that names no impasse rule.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown impasse rule '{0}'; the rules are {names}", names = ImpasseRule::NAMES.join(", "))]
pub struct UnknownImpasseRule(String);

impl UnknownImpasseRule {
    fn new(name: &str) -> UnknownImpasseRule {
        UnknownImpasseRule(name.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Game, Piece};
    use super::*;

    fn position(sfen: &str) -> Position {
        sfen.parse().unwrap()
    }

    #[test]
    fn the_kings_start_on_the_try_squares() {
        let start = Position::startpos();
        for color in Color::ALL {
            assert_eq!(start.piece_at(try_square(color)), Some(Piece::new(!color, PieceKind::King)));
        }
    }

    #[test]
    fn points_are_counted_on_the_board_and_in_hand() {
        for (sfen, points, winner) in [
            (super::super::START_SFEN, [14, 14], None),
            ("r1nsgk/5p/6/6/P5/KGSNBR w - 1", [14, 14], None),
            ("2nsgk/5p/6/6/P5/KGSNBR w - 1", [14, 14], None),
            // White's bishop was removed as a handicap; Black has captured the rook.
            ("2nsgk/5p/6/6/P5/KGSNBR w R 9", [19, 9], Some(Color::Black)),
            ("2K3/6/6/6/6/2k3 b RB2G2Srb2n2p 1", [14, 14], None),
            ("2K3/6/6/6/6/2+r+bk1 b RB2G2S2N2P 1", [18, 10], Some(Color::Black)),
            ("2K3/6/6/6/6/2+r+bk1 b R2G2S2N2Pb 1", [13, 15], None),
            ("2K3/6/6/6/6/2+r+bk1 b R2G2Sb2n2p 1", [9, 19], Some(Color::White)),
        ] {
            let count = PointCount::of(&position(sfen));
            assert_eq!(count.points, points, "{sfen}");
            assert_eq!(count.winner(), winner, "{sfen}");
        }
    }

    /// Positions in which Cute Chess 1.5.1 ended games, with its results.
    #[test]
    fn cute_chess_counts_as_soon_as_a_king_has_entered() {
        for (sfen, points, winner) in [
            ("4nk/1K3p/3b2/3S+b1/P5/1S4 b 2R2Gn 101", Some([15, 13]), None),
            ("+SR2bk/K2+R2/5p/6/6/1G1N2 b BGSNP 41", Some([22, 6]), Some(Color::Black)),
            ("3g1k/1K3p/2Sn2/4S1/Pb3R/1g2+b1 b Nr 31", Some([9, 19]), Some(Color::White)),
            ("4R1/5p/3n2/2g2b/P2S2/K1G2k w Rbsn 42", Some([13, 15]), None),
            // White's king has entered, but it is Black's turn.
            ("4R1/5p/3n2/2g2b/P2S2/K1G2k b Rbsn 42", None, None),
            // Each king stands in its own zone, as the game's rule requires, but Cute Chess does not.
            ("2K3/6/6/6/6/2k3 b RB2G2Srb2n2p 1", None, None),
            ("4Gk/1K3p/3b2/3S+b1/P5/1S4 w 2RGn 101", None, None),
        ] {
            let position = position(sfen);
            let decision = ImpasseRule::CuteChess.decision(&position, &GameHistory::new(&position), 24);
            let expected = points.map(|points| ImpasseDecision::Points(PointCount { points }));
            assert_eq!(decision, expected, "{sfen}");
            assert_eq!(decision.and_then(|decision| decision.winner(position.side_to_move())), winner, "{sfen}");
        }
    }

    #[test]
    fn declaring_takes_king_pieces_and_points() {
        for (sfen, right, why) in [
            ("1K4/GGS3/6/6/6/5k b 2RBN 1", true, "17 points in hand and 3 pieces in the zone"),
            ("1K4/GG4/S5/6/6/5k b 2RBN 1", false, "only 2 pieces in the zone"),
            ("6/GGS3/1K4/6/6/5k b 2RBN 1", false, "the king is outside"),
            ("1K3r/GGS3/6/6/6/5k b RBN2P 1", false, "in check"),
            ("1K4/GGS3/6/6/6/5k b RBSN 1", true, "15 points, just enough for Black"),
            ("1K4/GGS3/6/6/6/5k b RBS 1", false, "14 points are too few for Black"),
            ("5K/6/6/6/ggs3/1k4 w rbs 1", true, "and enough for White"),
            ("5K/6/6/6/ggs3/1k4 w rb 1", false, "13 points"),
        ] {
            assert_eq!(may_declare(&position(sfen)), right, "{why}: {sfen}");
        }
    }

    #[test]
    fn a_rule_may_end_a_game_only_where_its_conditions_can_hold() {
        use ImpasseRule::*;
        for (sfen, rules) in [
            (super::super::START_SFEN, &[][..]),
            ("2K3/6/6/6/6/2k3 b RB2G2Srb2n2p 1", &[Points12]),
            ("2Kr2/6/6/6/6/2k3 b RBG2Sb2n2p 1", &[]),
            ("2K3/6/6/2k3/6/6 b RB2G2Srb2n2p 1", &[]),
            ("6/6/2K3/6/6/2k3 b RB2G2Srb2n2p 1", &[]),
            ("4nk/1K3p/3b2/3S+b1/P5/1S4 b 2R2Gn 101", &[CuteChess]),
            // The king that has just moved stands on the other king's start square.
            ("5K/6/6/1k4/6/6 w - 1", &[Try]),
            ("5K/6/6/1k4/6/6 b - 1", &[]),
            ("6/6/4K1/6/6/k5 b - 1", &[Try]),
        ] {
            let position = position(sfen);
            let may: Vec<ImpasseRule> =
                ImpasseRule::ALL.iter().copied().filter(|rule| rule.may_end(&position)).collect();
            assert_eq!(may, rules, "{sfen}");
        }
    }

    #[test]
    fn points_are_counted_no_sooner_than_the_rule_says() {
        let outside = GameHistory::new(&Position::startpos());
        let mut game = Game::new(position("2K3/6/6/6/6/2k3 b RB2G2Srb2n2p 1"));
        for mv in ["4a3a", "4f3f", "3a2a"] {
            game.play(mv.parse().unwrap()).unwrap();
        }
        let inside = game.history();
        for (history, plies, may) in
            [(&outside, 23, false), (&outside, 24, true), (inside, 20, false), (inside, 21, true)]
        {
            let rules = ImpasseRule::ALL.iter().copied().filter(|rule| rule.may_end_within(plies, history, 24));
            let first = may.then_some(ImpasseRule::Points12);
            let expected: Vec<ImpasseRule> =
                first.into_iter().chain([ImpasseRule::Try, ImpasseRule::CuteChess]).collect();
            assert_eq!(rules.collect::<Vec<_>>(), expected, "{plies} plies more");
        }
    }

    #[test]
    fn a_declaration_wins_for_who_declares_and_a_try_for_who_has_moved() {
        for color in Color::ALL {
            assert_eq!(ImpasseDecision::MayDeclare.winner(color), Some(color));
            assert_eq!(ImpasseDecision::Try.winner(color), Some(!color));
        }
    }

    #[test]
    fn codes_in_files_never_change() {
        let codes: Vec<u8> = ImpasseRule::ALL.iter().map(|rule| rule.code()).collect();
        assert_eq!(codes, [0, 1, 2, 3, 4]);
        let rules = (0..=u8::MAX).filter_map(ImpasseRule::from_repr);
        assert!(rules.eq(ImpasseRule::ALL.iter().copied()));
        let only_there: Vec<_> = ImpasseRule::ALL.iter().filter(|rule| rule.is_cute_chess_only()).collect();
        assert_eq!(only_there, [&ImpasseRule::CuteChess]);
    }

    #[test]
    fn names_are_read_in_any_case() {
        for (&rule, &name) in ImpasseRule::ALL.iter().zip(ImpasseRule::NAMES) {
            assert_eq!(rule.to_string(), name);
            assert_eq!(name.to_lowercase().parse(), Ok(rule));
        }
        let error = "Points13".parse::<ImpasseRule>().unwrap_err();
        let expected = "unknown impasse rule 'Points13'; the rules are Points12, Declaration, Try, None, CuteChess";
        assert_eq!(error.to_string(), expected);
    }
}
