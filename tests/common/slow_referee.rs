//! Verdicts by the plainest means: every board of a game is kept, and all that counts is counted anew after each move.
//! It shares nothing with the engine but the texts that go in and come out.

use super::slow_board::Board;

/// Positions from which games end in every way: level, handicaps, kings that have entered or are about to, few men.
pub const STARTS: [&str; 14] = [
    "rbnsgk/5p/6/6/P5/KGSNBR b - 1",
    "2nsgk/5p/6/6/P5/KGSNBR w - 1",
    "1K4/6/6/6/6/1k4 b RB2G2S2N2Prb 1",
    "K4R/6/6/6/6/1k4 b B2G2S2N2Prb 1",
    "1KGS2/2+NP2/6/6/2p+n2/1kgs2 b RBrb 1",
    "1KGS2/2+N3/6/6/2p+n2/1kgs2 w RPb 1",
    "6/4K1/6/6/1k4/6 b - 1",
    "6/6/4K1/1k4/6/6 w GSgs 1",
    "6/R4k/6/6/6/K5 w - 1",
    "5k/6/6/6/K4r/6 b - 1",
    "4k1/R5/6/6/6/K5 w - 1",
    "5K/6/6/1k4/6/5P w - 1",
    "4k1/1K4/6/6/6/6 w RBGSrbgs2n2p 1",
    "5k/3G2/6/5P/6/K3R1 b - 1",
];

/// A game and all its boards.
pub struct Referee {
    boards: Vec<Board>,
    /// Of each move: whether it neither captured nor promoted.
    quiet: Vec<bool>,
}

impl Referee {
    /// A game from a position in SFEN.
    pub fn new(sfen: &str) -> Referee {
        Referee { boards: vec![Board::parse(sfen)], quiet: Vec::new() }
    }

    pub fn board(&self) -> &Board {
        self.boards.last().expect("a game has a board")
    }

    /// Plays a move that [`Board::legal_moves`] has listed, with the board after it.
    pub fn play(&mut self, text: &str, after: Board) {
        let captures = after.held() > self.board().held();
        self.quiet.push(!captures && !text.ends_with('+'));
        self.boards.push(after);
    }

    /// The verdict in the program's words, if the game is over.
    pub fn verdict(&self, rule: &str, impasse_plies: usize) -> Option<String> {
        let board = self.board();
        let (us, them) = (name(board.black_to_move), name(!board.black_to_move));
        let in_check = board.in_check(board.black_to_move);
        if board.legal_moves().is_empty() {
            return Some(format!("{them} wins: {}", if in_check { "checkmate" } else { "no legal move" }));
        }
        if rule == "Try" && self.has_tried() {
            return Some(format!("{them} wins: try"));
        }
        if let Some(verdict) = self.repetition(us, them) {
            return Some(verdict);
        }
        let counts = match rule {
            "Points12" => self.is_long_at_rest(impasse_plies),
            "CuteChess" => [true, false].into_iter().all(|king| board.king_in_zone_of(king, board.black_to_move)),
            _ => false,
        };
        (counts && !in_check).then(|| {
            let [mut black, mut white] = [true, false].map(|black| board.points(black, false));
            match (rule, board.black_to_move) {
                // Cute Chess counts the points of the side to move alone.
                ("CuteChess", true) => white = 28 - black,
                ("CuteChess", false) => black = 28 - white,
                _ => white += given(board),
            }
            let result = match (black < 12, white < 12) {
                (true, false) => "White wins",
                (false, true) => "Black wins",
                _ => "no contest",
            };
            format!("{result}: impasse, {black} points to {white}")
        })
    }

    /// The verdict in the program's words if the side to move declares.
    pub fn declared(&self) -> String {
        let board = self.board();
        let us = board.black_to_move;
        let is_right = board.king_in_zone_of(us, us)
            && !board.in_check(us)
            && board.men_in_zone(us) >= 3
            && board.points(us, true) >= if us { 15 } else { 14 };
        let (winner, word) = if is_right { (us, "declaration") } else { (!us, "wrong declaration") };
        format!("{} wins: {word}", name(winner))
    }

    /// Whether the last move brought a king to the other's start square, both kings having been in their zones.
    fn has_tried(&self) -> bool {
        let [.., before, after] = self.boards.as_slice() else { return false };
        let mover = before.black_to_move;
        let target = if mover { "1a" } else { "6f" };
        before.king(mover) != target
            && after.king(mover) == target
            && [true, false].into_iter().all(|king| self.boards.iter().any(|board| board.king_in_zone_of(king, king)))
    }

    /// The result for a position that occurs for the fourth time.
    fn repetition(&self, us: &str, them: &str) -> Option<String> {
        let now = self.boards.len() - 1;
        let same: Vec<usize> = (0..=now).filter(|&index| self.boards[index] == self.boards[now]).collect();
        let &first = same.iter().rev().nth(3)?;
        // Of each side's moves since: the board after a move shows whether it gave check.
        let all_check = |black: bool| {
            let after = (first + 1..=now).map(|index| &self.boards[index]).filter(|board| board.black_to_move != black);
            after.into_iter().all(|board| board.in_check(!black))
        };
        let black_moves = self.board().black_to_move;
        Some(match (all_check(black_moves), all_check(!black_moves)) {
            (true, false) => format!("{them} wins: perpetual check"),
            (false, true) => format!("{us} wins: perpetual check"),
            _ => "no contest: sennichite".to_owned(),
        })
    }

    /// Whether both kings have been in their zones for this number of plies without a capture or a promotion.
    fn is_long_at_rest(&self, plies: usize) -> bool {
        plies <= self.quiet.len()
            && self.quiet.iter().rev().take(plies).all(|&quiet| quiet)
            && self
                .boards
                .iter()
                .rev()
                .take(plies + 1)
                .all(|board| [true, false].into_iter().all(|king| board.king_in_zone_of(king, king)))
    }
}

/// The points that a handicap took from White: the rook, the bishop or both, where nothing else is missing.
fn given(board: &Board) -> i32 {
    let [rooks, bishops] = ['R', 'B'].map(|letter| board.count(letter));
    let is_handicap = rooks >= 1 && bishops >= 1 && ['G', 'S', 'N', 'P'].iter().all(|&letter| board.count(letter) == 2);
    if is_handicap { 5 * (4 - rooks as i32 - bishops as i32) } else { 0 }
}

fn name(black: bool) -> &'static str {
    if black { "Black" } else { "White" }
}
