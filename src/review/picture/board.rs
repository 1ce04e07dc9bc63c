//! A position as a board, hands at its sides, and arrows.

use super::arrows::{Arrow, draw as draw_arrow};
use super::markup::{put, text};
use crate::shogi::diagram::Pieces;
use crate::shogi::{BOARD_SIZE, Color, Move, Piece, PieceKind, Position, Square};

const SQUARE: f64 = 46.0;
/// The width of a hand at the side of the board.
const HAND: f64 = 52.0;
/// The room for coordinates and around the board.
const EDGE: f64 = 20.0;
/// The place of the board.
const LEFT: f64 = HAND + 14.0;
const TOP: f64 = EDGE + 2.0;
const SIDE: f64 = SQUARE * BOARD_SIZE as f64;
const WIDTH: f64 = LEFT + SIDE + EDGE + 4.0 + HAND;
const HEIGHT: f64 = TOP + SIDE + 10.0;
/// The height of a piece in hand.
const HELD: f64 = 38.0;

/// What is drawn on a board besides its pieces.
#[derive(Clone, Copy, Default)]
pub struct Shown {
    /// The move that led to the position; its squares are tinted.
    pub last: Option<Move>,
    /// The move that was played.
    pub played: Option<Move>,
    /// The move that was better.
    pub better: Option<Move>,
}

/// Draws a position as Black sees it.
pub fn draw(out: &mut String, position: &Position, pieces: Pieces, shown: Shown, label: &str) {
    put!(
        out,
        r#"<svg class="board" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{}"><title>{}</title>"#,
        text(label),
        text(label)
    );
    put!(
        out,
        r#"<rect class="wood" x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="3"/>"#,
        LEFT - 6.0,
        TOP - 6.0,
        SIDE + 12.0,
        SIDE + 12.0
    );
    let last = shown.last.into_iter().flat_map(|mv| [mv.from(), Some(mv.to())]).flatten();
    for square in last {
        let (x, y) = corner(square);
        put!(out, r#"<rect class="last" x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}"/>"#);
    }
    grid(out);
    for square in Square::all() {
        if let Some(piece) = position.piece_at(square) {
            let (x, y) = center(square);
            koma(out, piece, pieces, x, y, SQUARE * 0.9);
        }
    }
    for color in Color::ALL {
        hand(out, position, pieces, color);
    }
    let arrow = |mv: Move, better: bool| Arrow {
        from: mv.from().map_or_else(|| held_center(position, position.side_to_move(), mv.dropped()), center),
        to: center(mv.to()),
        better,
    };
    let played = shown.played.map(|mv| arrow(mv, false));
    let better = shown.better.map(|mv| arrow(mv, true));
    draw_arrow(out, better, played);
    out.push_str("</svg>");
}

fn corner(square: Square) -> (f64, f64) {
    (LEFT + SQUARE * square.column() as f64, TOP + SQUARE * square.row() as f64)
}

fn center(square: Square) -> (f64, f64) {
    let (x, y) = corner(square);
    (x + SQUARE / 2.0, y + SQUARE / 2.0)
}

fn grid(out: &mut String) {
    out.push_str(r#"<path class="lines" d=""#);
    for line in 0..=BOARD_SIZE {
        let along = SQUARE * line as f64;
        put!(out, "M{:.1} {TOP}v{SIDE}M{LEFT} {:.1}h{SIDE}", LEFT + along, TOP + along);
    }
    out.push_str(r#""/>"#);
    for (column, row) in [(2, 2), (4, 2), (2, 4), (4, 4)] {
        let (x, y) = corner(Square::at(column, row));
        put!(out, r#"<circle class="dot" cx="{x}" cy="{y}" r="2.4"/>"#);
    }
    for index in 0..BOARD_SIZE {
        let (file, rank) = (Square::at(index, 0), Square::at(0, index));
        let (x, y) = (center(file).0, center(rank).1);
        put!(out, r#"<text class="coordinate" x="{x}" y="{}" text-anchor="middle">{}</text>"#, TOP - 11.0, file.file());
        put!(out, r#"<text class="coordinate" x="{}" y="{}">{}</text>"#, LEFT + SIDE + 11.0, y + 4.0, rank.rank());
    }
}

/// A piece with five sides, its point away from its player.
fn koma(out: &mut String, piece: Piece, pieces: Pieces, x: f64, y: f64, size: f64) {
    let scale = match piece.kind().unpromoted() {
        PieceKind::King => 1.0,
        PieceKind::Rook | PieceKind::Bishop => 0.97,
        PieceKind::Gold | PieceKind::Silver => 0.93,
        PieceKind::Knight => 0.89,
        _ => 0.84,
    };
    let size = size * scale;
    let turned = if piece.color() == Color::White { " rotate(180)" } else { "" };
    let promoted = if piece.kind().is_promoted() { " promoted" } else { "" };
    let (half, slope, foot) = (0.5 * size, 0.35 * size, 0.44 * size);
    put!(out, r#"<g transform="translate({x:.1} {y:.1}){turned}">"#);
    let (point, shoulder) = (-half, -0.33 * size);
    put!(out, r#"<path class="koma" d="M0 {point:.1}L{slope:.1} {shoulder:.1}L{foot:.1} {half:.1}"#);
    put!(out, r#"H{:.1}L{:.1} {shoulder:.1}Z"/>"#, -foot, -slope);
    put!(
        out,
        r#"<text class="kanji{promoted}" y="{:.1}" font-size="{:.1}" text-anchor="middle">{}</text></g>"#,
        0.31 * size,
        0.62 * size,
        match pieces {
            Pieces::Kanji => piece.kind().kanji(piece.color()),
            Pieces::Letters => piece.kind().letter(),
        }
    );
}

/// Where a kind of piece stands in a hand: White's from the top down, Black's from the bottom up, strongest first.
fn held_center(position: &Position, color: Color, kind: Option<PieceKind>) -> (f64, f64) {
    let place = position.hand(color).iter().rev().position(|(held, _)| Some(held) == kind).unwrap_or(0);
    let along = HELD * (place as f64 + 1.1);
    match color {
        Color::White => (HAND / 2.0 - 1.0, TOP + along),
        Color::Black => (WIDTH - HAND / 2.0 + 1.0, TOP + SIDE - along),
    }
}

fn hand(out: &mut String, position: &Position, pieces: Pieces, color: Color) {
    let hand = position.hand(color);
    let (x, y) = match color {
        Color::White => (HAND / 2.0 - 1.0, TOP + 8.0),
        Color::Black => (WIDTH - HAND / 2.0 + 1.0, TOP + SIDE),
    };
    put!(out, r#"<text class="coordinate" x="{x:.1}" y="{y:.1}" text-anchor="middle">{}</text>"#, color.sign());
    for (kind, count) in hand.iter() {
        let (x, y) = held_center(position, color, Some(kind));
        koma(out, Piece::new(color, kind), pieces, x, y, 0.88 * HELD);
        if count > 1 {
            put!(out, r#"<text class="held" x="{:.1}" y="{:.1}">{count}</text>"#, x + 17.0, y + 5.0);
        }
    }
}
