use std::fmt;

use super::Color;

/// Why a game ended: in files, by this name in lower case with dashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum EndReason {
    /// The loser is in check and has no legal move.
    Checkmate,
    /// The loser is not in check and has no legal move.
    NoLegalMove,
    /// The loser resigned.
    Resignation,
    /// The same position for the fourth time.
    Sennichite,
    /// The loser brought about the fourth occurrence by checking with every move.
    PerpetualCheck,
    /// Impasse, decided by counting points.
    Impasse,
    /// The winner declared, rightly.
    Declaration,
    /// The loser declared, wrongly.
    WrongDeclaration,
    /// The winner's king reached the other's start square.
    Try,
    /// The loser played a move that the rules forbid.
    IllegalMove,
    /// The loser's move came too late.
    Time,
    /// The loser, a program, did not answer at all.
    Hang,
    /// The loser's process ended.
    Crash,
    /// The loser, a program, did not introduce itself, or was not ready, in time.
    NoStart,
    /// The loser, a program, closed its output.
    ClosedOutput,
    /// The loser, a program, flooded its output.
    Flood,
    /// The loser, a program, gave an answer that cannot be read.
    Nonsense,
    /// The loser, a program, answered without being asked.
    UnaskedMove,
    /// One side's advantage was decisive for long enough.
    AdjudicatedWin,
    /// Both scores were close to zero for long enough.
    AdjudicatedDraw,
    /// The game was too long.
    MoveLimit,
    /// A search proved the end: a mate, or a win by another rule.
    Proven,
    /// The game was broken off.
    Interrupted,
}

impl EndReason {
    /// Every reason, in the order in which tables show them.
    pub const ALL: [EndReason; 23] = [
        EndReason::Checkmate,
        EndReason::NoLegalMove,
        EndReason::Resignation,
        EndReason::Sennichite,
        EndReason::PerpetualCheck,
        EndReason::Impasse,
        EndReason::Declaration,
        EndReason::WrongDeclaration,
        EndReason::Try,
        EndReason::IllegalMove,
        EndReason::Time,
        EndReason::Hang,
        EndReason::Crash,
        EndReason::NoStart,
        EndReason::ClosedOutput,
        EndReason::Flood,
        EndReason::Nonsense,
        EndReason::UnaskedMove,
        EndReason::AdjudicatedWin,
        EndReason::AdjudicatedDraw,
        EndReason::MoveLimit,
        EndReason::Proven,
        EndReason::Interrupted,
    ];

    /// Whether the loser is to blame as a program, not as a player.
    pub const fn is_fault(self) -> bool {
        matches!(
            self,
            EndReason::IllegalMove
                | EndReason::WrongDeclaration
                | EndReason::Time
                | EndReason::Hang
                | EndReason::Crash
                | EndReason::NoStart
                | EndReason::ClosedOutput
                | EndReason::Flood
                | EndReason::Nonsense
                | EndReason::UnaskedMove
        )
    }
}

impl fmt::Display for EndReason {
    /// In words: `no legal move`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EndReason::Checkmate => "checkmate",
            EndReason::NoLegalMove => "no legal move",
            EndReason::Resignation => "resignation",
            EndReason::Sennichite => "sennichite",
            EndReason::PerpetualCheck => "perpetual check",
            EndReason::Impasse => "impasse",
            EndReason::Declaration => "declaration",
            EndReason::WrongDeclaration => "wrong declaration",
            EndReason::Try => "try",
            EndReason::IllegalMove => "illegal move",
            EndReason::Time => "time",
            EndReason::Hang => "hang",
            EndReason::Crash => "crash",
            EndReason::NoStart => "no start",
            EndReason::ClosedOutput => "closed output",
            EndReason::Flood => "flood",
            EndReason::Nonsense => "nonsense",
            EndReason::UnaskedMove => "unasked move",
            EndReason::AdjudicatedWin => "adjudicated win",
            EndReason::AdjudicatedDraw => "adjudicated draw",
            EndReason::MoveLimit => "move limit",
            EndReason::Proven => "proven by search",
            EndReason::Interrupted => "interrupted",
        })
    }
}

/// What a game is worth, Black's part first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GameScore {
    /// Black won.
    #[cfg_attr(feature = "serde", serde(rename = "1-0"))]
    Black,
    /// White won.
    #[cfg_attr(feature = "serde", serde(rename = "0-1"))]
    White,
    /// Nobody won.
    #[cfg_attr(feature = "serde", serde(rename = "1/2-1/2"))]
    Draw,
}

impl GameScore {
    /// The half points of a colour: 0, 1 or 2.
    pub const fn half_points(self, color: Color) -> u32 {
        match (self, color) {
            (GameScore::Draw, _) => 1,
            (GameScore::Black, Color::Black) | (GameScore::White, Color::White) => 2,
            _ => 0,
        }
    }

    /// The usual text: `1-0`, `0-1` or `1/2-1/2`.
    pub const fn text(self) -> &'static str {
        match self {
            GameScore::Black => "1-0",
            GameScore::White => "0-1",
            GameScore::Draw => "1/2-1/2",
        }
    }

    /// Who won, if anybody did.
    pub const fn winner(self) -> Option<Color> {
        match self {
            GameScore::Black => Some(Color::Black),
            GameScore::White => Some(Color::White),
            GameScore::Draw => None,
        }
    }
}

impl From<Option<Color>> for GameScore {
    /// The score of a finished game with this winner; without one it is a draw.
    fn from(winner: Option<Color>) -> GameScore {
        match winner {
            Some(Color::Black) => GameScore::Black,
            Some(Color::White) => GameScore::White,
            None => GameScore::Draw,
        }
    }
}

impl fmt::Display for GameScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::*;

    #[test]
    fn a_score_says_who_won_and_what_each_has() {
        for (score, text, half_points, winner) in [
            (GameScore::Black, "1-0", [2, 0], Some(Color::Black)),
            (GameScore::White, "0-1", [0, 2], Some(Color::White)),
            (GameScore::Draw, "1/2-1/2", [1, 1], None),
        ] {
            assert_eq!(score.to_string(), text);
            assert_eq!(serde_json::to_string(&score).unwrap(), format!("\"{text}\""));
            assert_eq!(Color::ALL.map(|color| score.half_points(color)), half_points);
            assert_eq!(score.winner(), winner);
            assert_eq!(GameScore::from(winner), score);
        }
    }

    #[test]
    fn every_reason_is_listed_once_and_keeps_its_name_in_files() {
        let mut listed = EndReason::ALL.to_vec();
        listed.sort();
        listed.dedup();
        assert_eq!(listed, EndReason::ALL);
        let names: Vec<String> = EndReason::ALL.iter().map(|reason| serde_json::to_string(reason).unwrap()).collect();
        for (name, reason) in names.iter().zip(EndReason::ALL) {
            assert_eq!(serde_json::from_str::<EndReason>(name).unwrap(), reason);
        }
        // Records of matches on disk hold these.
        let expected = "checkmate no-legal-move resignation sennichite perpetual-check impasse declaration \
                        wrong-declaration try illegal-move time hang crash no-start closed-output flood nonsense \
                        unasked-move adjudicated-win adjudicated-draw move-limit proven interrupted";
        assert_eq!(names.join(" ").replace('"', ""), expected);
    }
}
