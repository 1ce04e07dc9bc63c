//! Where pieces may be dropped: dead squares, nifu, uchifuzume.

use judkins::shogi::{Color, Piece, PieceKind, Position};

use super::{check, moves_in, position};

#[test]
fn any_empty_square_but_dead_ones() {
    check(&[
        ("the last rank is dead to a pawn", "k5/6/6/6/6/K5 b P 1", "P*3b P*3c P*3d P*3e P*3f", "P*3a P*1a P*5a"),
        ("the last two ranks are dead to a knight", "k5/6/6/6/6/K5 b N 1", "N*3c N*3d N*3e N*3f", "N*3a N*3b N*1b"),
        (
            "all others go anywhere, into the zone too",
            "k5/6/6/6/6/K5 b RBGS 1",
            "R*3a B*3a G*3a S*3a R*3b B*3b G*3b S*3b R*3f B*3f G*3f S*3f",
            "",
        ),
        ("not on a piece of either side", "k5/6/2Gg2/6/6/K5 b S 1", "S*4b", "S*4c S*3c S*6f S*6a"),
        ("only what is in the own hand", "k5/6/6/6/6/K5 b Sg 1", "S*3c", "G*3c P*3c N*3c B*3c R*3c"),
        ("a drop may give check", "k5/6/6/6/6/K5 b R 1", "R*6c R*3a", ""),
        ("a drop may mate, if it is not a pawn", "5k/6/3NG1/6/6/K5 b G 1", "G*1b", ""),
    ]);
}

#[test]
fn nifu() {
    check(&[
        ("no second pawn on a file, anywhere on it", "k5/6/6/6/3P2/K5 b P 1", "P*4d P*2d", "P*3b P*3c P*3d P*3f"),
        ("in the zone too", "k5/3P2/6/6/6/K5 b P 1", "P*4d", "P*3c P*3f"),
        ("a tokin does not count", "k5/6/6/6/3+P2/K5 b P 1", "P*3b P*3d P*3f", "P*3e"),
        ("nor does an enemy pawn", "k5/6/3p2/6/6/K5 b P 1", "P*3d P*3b", "P*3c"),
        ("nor another piece", "k5/6/3G2/3N2/6/K5 b P 1", "P*3e", ""),
    ]);
}

#[test]
fn uchifuzume() {
    check(&[
        // Black's gold guards 1b and 2b, the knight 2a.
        ("a dropped pawn may not mate", "5k/6/3NG1/6/6/K5 b P 1", "P*2b P*1c", "P*1b"),
        ("the king can flee: it is only a check", "5k/6/4G1/6/6/K5 b P 1", "P*1b", ""),
        ("nothing guards the pawn: the king takes it", "5k/6/3N2/6/6/K5 b P 1", "P*1b", ""),
        ("a piece can take the pawn", "4gk/6/3NG1/6/6/K5 b P 1", "P*1b", ""),
        ("the only taker is pinned to its king", "1R2gk/6/3NG1/6/6/K5 b P 1", "", "P*1b"),
        ("not pinned, since there are two between", "1Rn1gk/6/3NG1/6/6/K5 b P 1", "P*1b", ""),
        ("pinned, but along the line on which it takes", "5k/6/3NGr/6/6/K4R b P 1", "P*1b", ""),
        ("a silver there does not take straight back", "5k/6/3NGs/6/6/K4R b P 1", "", "P*1b"),
        ("a promoted silver does", "5k/6/3NG+s/6/6/K4R b P 1", "P*1b", ""),
        ("its own piece takes the king's way to flee", "4nk/6/4G1/6/6/K5 b P 1", "", "P*1b"),
        ("the pawn shuts the bishop off 1b", "3sng/3rk1/6/3BG1/6/K5 b P 1", "P*2c", ""),
        ("the same with 1b taken", "3sng/3rkp/6/3BG1/6/K5 b P 1", "", "P*2c"),
        ("a pawn on the board may mate", "5k/6/3NGP/6/6/K5 b - 1", "1c1b 1c1b+", ""),
        ("another piece may, dropped there", "5k/6/3NG1/6/6/K5 b PS 1", "S*1b", "P*1b"),
    ]);
}

#[test]
fn uchifuzume_six_plies_from_the_start() {
    // An oracle that takes the drop for legal and lost counts one line more here.
    let mut position = Position::startpos();
    for mv in moves_in("5f4e 6a6e 6f5f 6e4e+ 5f6f") {
        position.play(mv);
    }
    assert!(position.hand(Color::White).has(PieceKind::Pawn));
    let [mate, check] = moves_in("P*6e G*6e")[..] else { unreachable!("two moves") };
    assert!(!position.is_legal(mate) && !position.legal_moves().contains(&mate));
    assert!(position.is_legal(check));
    assert!(!position.after(check).has_legal_move(), "a gold may mate there");
}

#[test]
fn a_piece_dropped_into_the_zone_promotes_when_it_moves() {
    let mut dropped = position("k5/6/6/6/6/K5 b S 1");
    dropped.play(moves_in("S*3b")[0]);
    let stands = dropped.piece_at("3b".parse().expect("a square"));
    assert_eq!(stands, Some(Piece::new(Color::Black, PieceKind::Silver)));
    dropped.play(moves_in("6a6b")[0]);
    for mv in moves_in("3b3a 3b3a+ 3b4c 3b4c+") {
        assert!(dropped.is_legal(mv), "{mv}");
    }
    // No move says both at once.
    assert!("S*3b+".parse::<judkins::shogi::Move>().is_err());
}
