//! How games end: mate, repetition, and the four impasse rules.

use judkins::shogi::{
    Color, DEFAULT_IMPASSE_PLIES, EndReason, Game, GameResult, ImpasseRule, Move, PointCount, Position, START_SFEN,
};

use super::{moves_in, position, turned, turned_move};
use Color::{Black, White};
use EndReason::{Checkmate, NoLegalMove, PerpetualCheck, Sennichite, Try};

type Ending = Option<GameResult>;

const fn won(winner: Color, reason: EndReason) -> GameResult {
    GameResult::won(winner, reason)
}

const fn counted(winner: Option<Color>, black: u32, white: u32) -> GameResult {
    GameResult { winner, points: Some(PointCount { points: [black, white] }), ..GameResult::drawn(EndReason::Impasse) }
}

fn turned_ending(ending: Ending) -> Ending {
    ending.map(|GameResult { winner, reason, points, illegal_move }| GameResult {
        winner: winner.map(|winner| !winner),
        reason,
        points: points.map(|PointCount { points: [black, white] }| PointCount { points: [white, black] }),
        illegal_move: illegal_move.map(turned_move),
    })
}

/// Plays the moves, none of which but the last may end the game, and checks how that one does.
fn ends(story: &str, mut game: Game, moves: impl IntoIterator<Item = Move>, expected: Ending) {
    for mv in moves {
        assert_eq!(game.result(), None, "{story}: ended too early, after {:?}", game.moves());
        game.play(mv).unwrap_or_else(|error| panic!("{story}: {error} after {:?}", game.moves()));
    }
    assert_eq!(game.result(), expected, "{story}: after {:?}", game.moves());
}

/// [`ends`] as it stands, and with board and colours turned round.
fn ends_for_both(story: &str, sfen: &str, rule: (ImpasseRule, u32), moves: &str, expected: Ending) {
    let game = |start: Position| Game::new(start).with_impasse(rule.0, rule.1);
    let (start, moves) = (position(sfen), moves_in(moves));
    ends(story, game(turned(&start)), moves.iter().copied().map(turned_move), turned_ending(expected));
    ends(story, game(start), moves, expected);
}

const POINTS: (ImpasseRule, u32) = (ImpasseRule::Points12, DEFAULT_IMPASSE_PLIES);
const TRY: (ImpasseRule, u32) = (ImpasseRule::Try, DEFAULT_IMPASSE_PLIES);
const NONE: (ImpasseRule, u32) = (ImpasseRule::None, 0);

#[test]
fn a_side_without_a_legal_move_loses() {
    for (story, sfen, moves, expected) in [
        ("mate", "5k/6/5P/6/6/K5 b G 1", "G*1b", Some(won(Black, Checkmate))),
        ("the king takes what nothing guards", "5k/6/6/6/6/K5 b G 1", "G*1b", None),
        ("mate by a pawn on the board", "5k/6/3NGP/6/6/K5 b - 1", "1c1b", Some(won(Black, Checkmate))),
        ("no move, though no check", "5k/3G2/5P/6/6/K2R2 b - 1", "3f2f", Some(won(Black, NoLegalMove))),
        ("a piece in hand is a move", "5k/3G2/5P/6/6/K2R2 b p 1", "3f2f", None),
    ] {
        ends_for_both(story, sfen, POINTS, moves, expected);
    }
}

#[test]
fn the_same_position_for_the_fourth_time_is_no_contest() {
    let draw = Some(GameResult::drawn(Sennichite));
    let shuffle = "1f1e 6a6b 1e1f 6b6a ";
    // Black loses a move and then White does: the board comes back twice, once with each to move.
    let triangles = "6f6e 1a1b 6e5e 1b1a 5e6f 1a1b 6f6e 1b2b 6e6f 2b1a ";
    let give_away = |letter: &str| format!("{letter}*6e 6f6e 1a1b 6e5e 1b1a 5e6f ");
    let given_away: String = ["P", "P", "G"].map(give_away).concat();
    for (story, sfen, moves, expected) in [
        ("three times only", START_SFEN, &*shuffle.repeat(2), None),
        ("the fourth", START_SFEN, &shuffle.repeat(3), draw),
        ("what came before does not matter", START_SFEN, &("6e6d 1b1c ".to_owned() + &shuffle.repeat(3)), draw),
        ("nor what came between", START_SFEN, &(shuffle.repeat(2) + "1f1d 6a6c 1d1e 6c6b 1e1f 6b6a"), draw),
        ("another side to move is another position", "5k/6/6/6/6/K5 b - 1", &triangles.repeat(2), None),
        ("three times three loops", "5k/6/6/6/6/K5 b - 1", &triangles.repeat(3), draw),
        ("other hands are another position", "5k/6/6/6/6/K5 w 2pg 1", &given_away, None),
    ] {
        ends_for_both(story, sfen, POINTS, moves, expected);
    }
    ends_for_both("whatever the impasse rule", START_SFEN, NONE, &shuffle.repeat(3), draw);
}

#[test]
fn perpetual_check_loses() {
    let lost = Some(won(White, PerpetualCheck));
    let draw = Some(GameResult::drawn(Sennichite));
    let cycle = "1b1a 6b6a 1a1b 6a6b ";
    for (story, sfen, moves, expected) in [
        ("every move since the first of the four checks", "6/R4k/6/6/6/K5 w - 1", &*cycle.repeat(3), lost),
        ("three times only", "6/R4k/6/6/6/K5 w - 1", &cycle.repeat(2), None),
        ("the evader may complete the fourth", "5k/R5/6/6/6/K5 b - 1", &"6b6a 1a1b 6a6b 1b1a ".repeat(3), lost),
        (
            "a quiet move before the first of the four does not help",
            "6/5k/R5/6/6/K5 b - 1",
            &("6c6b ".to_owned() + &cycle.repeat(3)),
            lost,
        ),
        (
            "one quiet move since, and it is no contest",
            "6/R4k/6/6/6/K5 w - 1",
            &(cycle.repeat(2) + "1b1a 6b6c 1a1b 6c6b"),
            draw,
        ),
        (
            "the quiet move may be the first",
            "6/R4k/6/6/6/K5 w - 1",
            &("1b1a 6b6c 1a1b 6c6b ".to_owned() + &cycle.repeat(2)),
            draw,
        ),
    ] {
        ends_for_both(story, sfen, POINTS, moves, expected);
    }
}

/// Kings alone on the board, each in its zone and as far as can be from the other's.
const KINGS_IN: &str = "K5/6/6/6/6/5k b";

/// Both kings once round their zones, 12 moves each, from [`KINGS_IN`].
const LAP: &str = "6a5a 1f2f 5a4a 2f3f 4a3a 3f4f 3a2a 4f5f 2a1a 5f6f 1a1b 6f6e \
    1b2b 6e5e 2b3b 5e4e 3b4b 4e3e 4b5b 3e2e 5b6b 2e1e 6b6a 1e1f";

#[test]
fn points_decide_after_twenty_four_quiet_plies() {
    assert_eq!(moves_in(LAP).len(), 24);
    for (hands, expected) in [
        ("RBGSNPrbgsnp", counted(None, 14, 14)),
        ("RBGSrbgs2n2p", counted(None, 12, 16)),
        ("RBGrbg2s2n2p", counted(Some(White), 11, 17)),
        ("2R2B2G2S2N2P", counted(Some(Black), 28, 0)),
    ] {
        ends_for_both(hands, &format!("{KINGS_IN} {hands} 1"), POINTS, LAP, Some(expected));
    }
    let level = format!("{KINGS_IN} RBGSNPrbgsnp 1");
    ends_for_both("None never adjudicates", &level, NONE, LAP, None);
    ends_for_both("nor does the declaration rule, unasked", &level, (ImpasseRule::Declaration, 0), LAP, None);
}

#[test]
fn points_wait_until_nothing_has_happened_for_long_enough() {
    let level = counted(None, 14, 14);
    for (story, sfen, plies, moves, expected) in [
        ("four quiet plies", "K5/6/6/6/6/5k b RBGSNPrbgsnp 1", 4, "6a5a 1f2f 5a6a 2f1f", Some(level)),
        ("three are too few", "K5/6/6/6/6/5k b RBGSNPrbgsnp 1", 4, "6a5a 1f2f 5a6a", None),
        ("with 0 plies at once", "K5/6/6/6/6/5k b RBGSNPrbgsnp 1", 0, "", Some(level)),
        ("when the second king enters", "6/6/K5/6/6/5k b RBGSNPrbgsnp 1", 0, "6c6b", Some(level)),
        ("not with a king outside", "6/6/K5/6/6/5k b RBGSNPrbgsnp 1", 0, "", None),
        (
            "counting from when both are in",
            "6/6/K5/6/6/5k b RBGSNPrbgsnp 1",
            2,
            "6c5c 1f2f 5c5b 2f1f 5b6b",
            Some(level),
        ),
        (
            "a king that leaves its zone starts the count anew",
            "6/K5/6/6/6/5k b RBGSNPrbgsnp 1",
            4,
            "6b5b 1f2f 5b5c 2f1f 5c5b 1f2f 5b6b 2f1f 6b6a",
            Some(level),
        ),
        (
            "a capture starts the count anew",
            "K5/p5/6/6/6/5k b RBGSNrbgsnp 1",
            4,
            "6a5a 1f2f 5a6b 2f1f 6b6a 1f2f 6a6b",
            Some(level),
        ),
        (
            "so does a promotion",
            "K5/3P2/6/6/6/5k b RBGSNrbgsnp 1",
            4,
            "6a5a 1f2f 3b3a+ 2f1f 5a6a 1f2f 6a5a",
            Some(level),
        ),
        ("a drop does not", "K5/6/6/6/6/5k b RBGSNPrbgsnp 1", 4, "6a5a 1f2f G*3c 2f1f", Some(level)),
        ("nor a piece's quiet move", "K5/3G2/6/6/6/5k b RBSNPrbgsnp 1", 4, "3b3c 1f2f 3c3d 2f1f", Some(level)),
        ("not while the side to move is in check", "K5/6/6/6/6/5k b RBGSNPrbgsnp 1", 4, "6a5a 1f2f 5a6a R*6d", None),
        ("but after that", "K5/6/6/6/6/5k b RBGSNPrbgsnp 1", 4, "6a5a 1f2f 5a6a R*6d 6a5a", Some(level)),
    ] {
        ends_for_both(story, sfen, (ImpasseRule::Points12, plies), moves, expected);
    }
}

#[test]
fn points_are_counted_on_the_whole_board_and_in_hand() {
    for (story, sfen, expected) in [
        ("promoted pieces count as what they were", "K+R4/6/1+B4/2+P3/2+s3/4rk b GSNbgnp 1", counted(None, 14, 14)),
        ("in the zone or not", "K5/6/2G3/2S3/2NP2/5k b RBrbgsnp 1", counted(None, 14, 14)),
        ("on the board only", "KR4/RG4/BB4/SG4/6/5k b s2n2p 1", counted(Some(Black), 23, 5)),
    ] {
        ends_for_both(story, sfen, (ImpasseRule::Points12, 0), "", Some(expected));
    }
}

#[test]
fn the_pieces_given_in_a_handicap_game_count_for_white() {
    for (story, hands, expected) in [
        ("two pieces given: 4 and 10", "RBGSNPgsnp", counted(None, 14, 14)),
        ("two pieces given: 2 and 10", "RB2G2S2N2p", counted(None, 16, 12)),
        ("two pieces given: 1 and 10", "RB2G2S2NPp", counted(Some(Black), 17, 11)),
        ("bishop given: 7 and 5", "RBGS2N2Prgs", counted(None, 16, 12)),
        ("bishop given: 6 and 5", "RBG2S2N2Prg", counted(Some(Black), 17, 11)),
        ("rook given: 7 and 5", "RBGS2N2Pbgs", counted(None, 16, 12)),
        ("both rooks are Black's, the bishop was given", "2RBGSNPgsnp", counted(Some(Black), 19, 9)),
    ] {
        let game = Game::new(position(&format!("{KINGS_IN} {hands} 1"))).with_impasse(ImpasseRule::Points12, 0);
        ends(story, game, [], Some(expected));
    }
}

#[test]
fn a_try_wins_once_both_kings_have_entered() {
    let won = Some(won(Black, Try));
    for (story, sfen, moves, expected) in [
        ("onto the other king's start square", "6/4K1/6/6/1k4/6 b - 1", "2b1a", won),
        ("next to it is not enough", "6/4K1/6/6/1k4/6 b - 1", "2b2a", None),
        ("the other king has never entered", "6/4K1/6/1k4/6/6 b - 1", "2b1a", None),
        ("it has entered and left again", "6/4K1/6/6/1k4/6 b - 1", "2b3b 5e5d 3b2b 5d5c 2b1a", won),
        ("it enters in time", "6/4K1/6/1k4/6/6 b - 1", "2b3b 5d5e 3b2b 5e4e 2b1a", won),
        ("by a capture too", "5g/4K1/6/6/1k4/6 b - 1", "2b1a", won),
        ("the first of the two", "6/4K1/6/6/1k4/6 b - 1", "2b2a 5e5f 2a1a", won),
    ] {
        ends_for_both(story, sfen, TRY, moves, expected);
    }
    ends_for_both("under that rule only", "6/4K1/6/6/1k4/6 b - 1", POINTS, "2b1a", None);
    ends_for_both("not under None either", "6/4K1/6/6/1k4/6 b - 1", NONE, "2b1a", None);
    // The king must get there by a legal move.
    let mut game = Game::new(position("r5/4K1/6/6/1k4/6 b - 1")).with_impasse(ImpasseRule::Try, 0);
    assert!(game.play(moves_in("2b1a")[0]).is_err());
}

#[test]
fn a_declaration_takes_king_pieces_and_points() {
    // (story, SFEN, whether the side to move is right to declare)
    for (story, sfen, right) in [
        ("15 points are enough for Black", "1K4/GGS3/6/6/6/5k b RBSN 1", true),
        ("14 are not", "1K4/GGS3/6/6/6/5k b RBS 1", false),
        ("14 points are enough for White", "K5/6/6/6/3sgg/4k1 w rbs 1", true),
        ("13 are not", "K5/6/6/6/3sgg/4k1 w rb 1", false),
        ("three pieces beside the king", "1K4/GGS3/6/6/6/5k b 2RB 1", true),
        ("two are too few", "1K4/GG4/6/6/6/5k b 2RBSNP 1", false),
        ("and for White", "K5/6/6/6/4gg/4k1 w 2rbsnp 1", false),
        ("the king must be in", "6/GGS3/1K4/6/6/5k b 2RB 1", false),
        ("and for White", "K5/6/6/4k1/3sgg/6 w 2rb 1", false),
        ("the second rank is in the zone", "GGS3/1K4/6/6/6/5k b 2RB 1", true),
        ("not in check", "1K3r/GGS3/6/6/6/5k b RBNSP 1", false),
        ("nor White", "K5/6/6/6/3sgg/R3k1 w rbnsp 1", false),
        ("what stands outside the zone counts nothing", "1K4/GGS3/R5/6/6/5k b BSN 1", false),
        ("inside it does, promoted or not", "1K1+R2/GGS3/6/6/6/5k b BSN 1", true),
        ("a promoted piece counts as what it was", "1K1+P2/+NGS3/6/6/6/5k b RB 1", false),
        ("nothing need be in hand", "RK1R2/BBG3/6/6/6/2k3 b - 1", true),
    ] {
        let us = position(sfen).side_to_move();
        let declared = |rule| Game::new(position(sfen)).with_impasse(rule, DEFAULT_IMPASSE_PLIES).declare();
        let expected = match right {
            true => won(us, EndReason::Declaration),
            false => won(!us, EndReason::WrongDeclaration),
        };
        assert_eq!(declared(ImpasseRule::Declaration), expected, "{story}: {sfen}");
        for rule in [ImpasseRule::Points12, ImpasseRule::Try, ImpasseRule::None] {
            let wrong = won(!us, EndReason::WrongDeclaration);
            assert_eq!(declared(rule), wrong, "{story}, but under {rule} nobody declares");
        }
    }
}

#[test]
fn an_illegal_move_loses() {
    for (start, mover) in [(Position::startpos(), Black), (turned(&Position::startpos()), White)] {
        let mut game = Game::new(start.clone());
        let illegal = moves_in("P*3c")[0];
        let error = game.play(illegal).expect_err("nothing is in hand");
        assert_eq!((game.position(), game.moves()), (&start, [].as_slice()), "the game is as it was");
        let expected = GameResult { illegal_move: Some(illegal), ..won(!mover, EndReason::IllegalMove) };
        assert_eq!(game.forfeit(error), expected);
    }
}
