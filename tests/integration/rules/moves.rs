//! How the pieces move, promote, are captured and guard their king.

use std::collections::BTreeSet;

use judkins::shogi::{Color, Handicap, Move, Piece, PieceKind, Position, START_SFEN, Setup, Square};

use super::{check, moves_in, position, turned, turned_move};

/// Every move of the start position.
const START_MOVES: &str = "6e6d 6f5e 5f5e 5f4e 4f5e 4f4e 4f3e 3f4d 3f2d \
    2f1e 2f3e 2f4d 2f5c 2f6b 2f6b+ 1f1e 1f1d 1f1c 1f1b 1f1b+";

/// Moves as sorted text.
fn texts(moves: impl IntoIterator<Item = Move>) -> BTreeSet<String> {
    moves.into_iter().map(|mv| mv.to_string()).collect()
}

#[test]
fn the_start_position_has_twenty_moves() {
    let start = Position::startpos();
    let legal = texts(start.legal_moves());
    assert_eq!((&legal, legal.len()), (&texts(moves_in(START_MOVES)), 20));
    check(&[(
        "what the start position forbids",
        START_SFEN,
        START_MOVES,
        // A pawn two squares or aside, onto own pieces, past pieces, an enemy piece, outside the zone, from no hand.
        "6e6c 6e5d 6f6e 5f6e 1f1a 1f2f 6a6b 1b1c 6e6d+ 6f5e+ 5f5e+ P*3c",
    )]);
}

#[test]
fn a_handicap_takes_the_moves_of_the_pieces_given() {
    for (handicap, moves) in [
        (None, "5a1e+ 5a1e 5a2d 5a3c 5a4b 5a6b 6a6b 6a6c 6a6d 6a6e 6a6e+ 4a3c 4a5c 3a2b 3a3b 3a4b 2a2b 2a3b 1a2b 1b1c"),
        (Some(Handicap::Bishop), "6a5a 6a6b 6a6c 6a6d 6a6e 6a6e+ 4a3c 4a5c 3a2b 3a3b 3a4b 2a2b 2a3b 1a2b 1b1c"),
        (Some(Handicap::Rook), "5a1e+ 5a1e 5a2d 5a3c 5a4b 5a6b 4a3c 4a5c 3a2b 3a3b 3a4b 2a2b 2a3b 1a2b 1b1c"),
        (Some(Handicap::TwoPieces), "4a3c 4a5c 3a2b 3a3b 3a4b 2a2b 2a3b 1a2b 1b1c"),
    ] {
        let start = handicap.map_or_else(|| turned(&Position::startpos()), Handicap::position);
        assert_eq!(start.side_to_move(), Color::White, "{handicap:?}: White begins");
        assert_eq!(texts(start.legal_moves()), texts(moves_in(moves)), "{handicap:?}");
    }
}

#[test]
fn each_piece_moves_its_own_way() {
    // (story, SFEN, the piece's square, all its moves); the kings are far away in their corners.
    let rows: &[(&str, &str, &str, &str)] = &[
        ("pawn: one straight forward", "5k/6/6/3P2/6/K5 b - 1", "3d", "3d3c"),
        ("pawn: captures the same way", "5k/6/2sps1/3P2/6/K5 b - 1", "3d", "3d3c"),
        ("knight: two forward, one aside", "5k/6/6/6/3N2/K5 b - 1", "3e", "3e4c 3e2c"),
        ("knight: at the edge", "5k/6/6/6/5N/K5 b - 1", "1e", "1e2c"),
        ("silver: forward and the diagonals", "5k/6/6/3S2/6/K5 b - 1", "3d", "3d4c 3d3c 3d2c 3d4e 3d2e"),
        ("gold: orthogonally and diagonally forward", "5k/6/6/3G2/6/K5 b - 1", "3d", "3d4c 3d3c 3d2c 3d4d 3d2d 3d3e"),
        ("king: every way", "k5/6/6/3K2/6/6 b - 1", "3d", "3d4c 3d3c 3d2c 3d4d 3d2d 3d4e 3d3e 3d2e"),
        ("king: in the corner", "5k/6/6/6/6/K5 b - 1", "6f", "6f6e 6f5e 6f5f"),
        (
            "rook: ranks and files",
            "5k/6/6/3R2/6/K5 b - 1",
            "3d",
            "3d3c 3d3b 3d3b+ 3d3a 3d3a+ 3d3e 3d3f 3d4d 3d5d 3d6d 3d2d 3d1d",
        ),
        (
            "bishop: diagonals",
            "5k/6/6/3B2/6/K5 b - 1",
            "3d",
            "3d2c 3d1b 3d1b+ 3d4c 3d5b 3d5b+ 3d6a 3d6a+ 3d4e 3d5f 3d2e 3d1f",
        ),
        (
            "dragon: rook and one step diagonally",
            "5k/6/6/3+R2/6/K5 b - 1",
            "3d",
            "3d3c 3d3b 3d3a 3d3e 3d3f 3d4d 3d5d 3d6d 3d2d 3d1d 3d4c 3d2c 3d4e 3d2e",
        ),
        (
            "horse: bishop and one step orthogonally",
            "5k/6/6/3+B2/6/K5 b - 1",
            "3d",
            "3d2c 3d1b 3d4c 3d5b 3d6a 3d4e 3d5f 3d2e 3d1f 3d3c 3d3e 3d4d 3d2d",
        ),
        ("tokin: as gold", "5k/6/6/3+P2/6/K5 b - 1", "3d", "3d4c 3d3c 3d2c 3d4d 3d2d 3d3e"),
        ("promoted knight: as gold", "5k/6/6/3+N2/6/K5 b - 1", "3d", "3d4c 3d3c 3d2c 3d4d 3d2d 3d3e"),
        ("promoted silver: as gold", "5k/6/6/3+S2/6/K5 b - 1", "3d", "3d4c 3d3c 3d2c 3d4d 3d2d 3d3e"),
        (
            "rook: stops before an own piece, and at an enemy's, which it takes",
            "5k/6/3p2/1b1RS1/3P2/K5 b - 1",
            "3d",
            "3d3c 3d4d 3d5d",
        ),
        (
            "bishop: stops before an own piece, and at an enemy's, which it takes",
            "5k/6/2n1P1/3B2/2S1g1/K5 b - 1",
            "3d",
            "3d4c 3d2e",
        ),
        (
            "dragon: does not step onto own pieces",
            "5k/6/2S1p1/2P+Rs1/2N1N1/K2G2 b - 1",
            "3d",
            "3d3c 3d3b 3d3a 3d2d 3d2c 3d3e",
        ),
        ("knight: jumps over everything", "5k/6/2p1g1/2sbs1/3N2/K5 b - 1", "3e", "3e4c 3e2c"),
        ("knight: not onto an own piece", "5k/6/2p1G1/6/3N2/K5 b - 1", "3e", "3e4c"),
    ];
    for &(story, sfen, from, moves) in rows {
        let there = position(sfen);
        let from: Square = from.parse().expect(story);
        let of_piece = |position: &Position, from: Square| {
            texts(position.legal_moves().into_iter().filter(|mv| mv.from() == Some(from)))
        };
        assert_eq!(of_piece(&there, from), texts(moves_in(moves)), "{story}: {sfen}");
        let turned_moves = texts(moves_in(moves).into_iter().map(turned_move));
        assert_eq!(of_piece(&turned(&there), from.rotated()), turned_moves, "{story}, for White: {sfen}");
    }
}

#[test]
fn promotion() {
    check(&[
        ("by entering the zone, or not", "6/k5/3S2/6/6/K5 b - 1", "3c3b 3c3b+ 3c4b 3c4b+ 3c2b 3c2b+", ""),
        ("not by a move outside the zone", "6/k5/3S2/6/6/K5 b - 1", "3c4d 3c2d", "3c4d+ 3c2d+"),
        ("the third rank is not a zone", "6/k5/6/3S2/6/K5 b - 1", "3d3c", "3d3c+"),
        ("by leaving the zone, or not", "k5/3S2/6/6/6/K5 b - 1", "3b4c 3b4c+ 3b2c 3b2c+", ""),
        ("by a move within the zone, or not", "6/k2S2/6/6/6/K5 b - 1", "3b3a 3b3a+ 3b2a 3b2a+", ""),
        ("a rook leaves the zone over the whole board", "3R2/k5/6/6/6/K5 b - 1", "3a3f 3a3f+ 3a6a 3a6a+", ""),
        ("a bishop need not promote either", "k5/3B2/6/6/6/K5 b - 1", "3b1d 3b1d+ 3b2a 3b2a+", ""),
        ("by taking, too", "6/k1sp2/3P2/6/6/K5 b - 1", "3c3b 3c3b+", ""),
        ("a pawn need not on the second rank", "6/k5/3P2/6/6/K5 b - 1", "3c3b 3c3b+", ""),
        ("a pawn must on the last rank", "6/k2P2/6/6/6/K5 b - 1", "3b3a+", "3b3a"),
        ("a knight must on the second rank", "k5/6/6/3N2/6/K5 b - 1", "3d4b+ 3d2b+", "3d4b 3d2b"),
        ("a knight must on the last rank", "6/k5/3N2/6/6/K5 b - 1", "3c4a+ 3c2a+", "3c4a 3c2a"),
        ("a knight cannot on the third", "k5/6/6/6/3N2/K5 b - 1", "3e4c 3e2c", "3e4c+ 3e2c+"),
        ("a gold never", "k5/6/3G2/6/6/K5 b - 1", "3c3b", "3c3b+"),
        ("a king never", "6/6/k2K2/6/6/6 b - 1", "3c3b", "3c3b+"),
        ("a promoted silver not again", "k5/6/3+S2/6/6/K5 b - 1", "3c3b", "3c3b+"),
        ("nor a tokin", "k5/6/3+P2/6/6/K5 b - 1", "3c3b", "3c3b+"),
        ("nor a promoted knight", "k5/6/3+N2/6/6/K5 b - 1", "3c3b", "3c3b+"),
        ("nor a dragon", "k5/6/3+R2/6/6/K5 b - 1", "3c3b 3c3a", "3c3b+ 3c3a+"),
        ("nor a horse", "k5/6/3+B2/6/6/K5 b - 1", "3c3b 3c2b", "3c3b+ 3c2b+"),
        ("nor does it keep the steps of a silver", "k5/6/3+S2/6/6/K5 b - 1", "", "3c4d 3c2d"),
    ]);
}

#[test]
fn a_captured_piece_goes_to_hand_unpromoted() {
    use PieceKind::*;
    for (piece, kind) in [
        ("p", Pawn),
        ("n", Knight),
        ("s", Silver),
        ("g", Gold),
        ("b", Bishop),
        ("r", Rook),
        ("+p", Pawn),
        ("+n", Knight),
        ("+s", Silver),
        ("+b", Bishop),
        ("+r", Rook),
    ] {
        let mut after = position(&format!("k5/6/3{piece}2/3G2/6/K5 b - 1"));
        after.play(moves_in("3d3c")[0]);
        assert_eq!(after.hand(Color::Black), [kind].into_iter().collect(), "{piece}");
        assert!(after.hand(Color::White).is_empty(), "{piece}");
        let stands = after.piece_at("3c".parse().expect("a square"));
        assert_eq!(stands, Some(Piece::new(Color::Black, Gold)), "{piece}");
    }
    // A second one is added to the first.
    let mut after = position("k5/6/3+p2/3G2/6/K5 b P 1");
    after.play(moves_in("3d3c")[0]);
    assert_eq!(Setup::from(&after).to_string(), "k5/6/3G2/6/6/K5 w 2P 2");
}

#[test]
fn the_own_king_may_not_be_left_in_check() {
    check(&[
        ("pinned on a file: along it or not at all", "k5/5r/6/6/5G/5K b - 1", "1e1d", "1e2e 1e2d"),
        ("a pinned rook may take what pins it", "k5/5r/6/6/5R/5K b - 1", "1e1d 1e1c 1e1b 1e1b+", "1e2e 1e6e"),
        ("pinned on a rank", "k5/6/6/6/6/r2G1K b - 1", "3f4f 3f2f", "3f3e 3f2e 3f4e"),
        ("pinned on a diagonal", "5k/b5/6/2S3/6/4K1 b - 1", "4d5c 4d3e", "4d4c 4d3c 4d5e"),
        ("a knight that is pinned never moves", "k5/5r/6/6/5N/5K b - 1", "", "1e2c"),
        ("by a dragon from afar", "k5/5+r/6/6/5G/5K b - 1", "1e1d", "1e2e"),
        ("a dragon pins on no diagonal", "k5/2+r3/3S2/4K1/6/6 b - 1", "3c3b 3c4d", ""),
        ("two between: neither is pinned", "k5/5r/6/5S/5G/5K b - 1", "1e2e 1d2c", ""),
        ("an enemy piece between shields too", "k5/5r/6/5p/5G/5K b - 1", "1e2e 1e2d 1e1d", ""),
        (
            "a check from afar: move away, put something between, or take",
            "k5/5r/6/6/2B3/4GK b PS 1",
            "1f2e 2f1e P*1c P*1d P*1e S*1e 4e1b 4e1b+",
            "1f1e 2f2e P*2d S*1b S*2e 4e3d 4e2c",
        ),
        ("a king in check does not hide in its own shadow", "k5/5r/6/6/5K/6 b - 1", "1e2e 1e2d", "1e1f 1e1d"),
        ("a check next to the king cannot be interposed", "k5/6/6/5r/5g/5K b GN 1", "", "G*2e N*1c 1f1e 1f2e 1f2f"),
        ("a knight's check can only be taken or fled", "k5/6/6/4n1/6/1G3K b G 1", "1f1e 1f2f", "G*1e G*2e 5f5e"),
        ("what gives check may be taken", "k5/6/6/6/4g1/4GK b - 1", "2f2e 1f2e", "2f1e 1f1e"),
        ("the king takes what nothing guards", "k5/6/6/6/5g/5K b - 1", "1f1e", "1f2f 1f2e"),
        ("but not what is guarded", "k5/6/6/5r/5g/5K b - 1", "", "1f1e"),
        ("guarded through a piece is guarded by nobody", "k5/5r/5s/6/5s/5K b G 1", "1f1e", ""),
        ("a pinned piece guards all the same", "k5/g5/1p4/1K4/6/R5 b - 1", "", "5d5c"),
        ("a double check: only the king moves", "k5/5r/2b3/6/6/3G1K b P 1", "1f2f", "3f2e P*1d P*3d 1f1e 1f2e 3f2f"),
        ("kings keep apart", "6/6/3k2/6/3K2/6 b - 1", "3e4e 3e3f", "3e4d 3e3d 3e2d"),
        ("the king does not step into a pawn's reach", "k5/6/4p1/6/4K1/6 b - 1", "2e1d 2e3d", "2e2d"),
    ]);
}
