//! Legal moves by the plainest means: a board of letters, every piece's steps walked one by one, each move made on a
//! copy and the king looked at. It shares nothing with the engine but the texts that go in and come out.

const SIZE: i32 = 6;

#[derive(Clone, Copy, PartialEq, Eq)]
struct Man {
    /// The capital letter of the unpromoted piece.
    letter: char,
    promoted: bool,
    black: bool,
}

/// A board of letters.
#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    /// Rank by rank from the top, each from file 6 to file 1.
    squares: [[Option<Man>; SIZE as usize]; SIZE as usize],
    /// The letters of the pieces in hand, in order: Black's in upper case, White's in lower case.
    hands: Vec<char>,
    pub black_to_move: bool,
}

/// (down, right) on the board, or (down, right) of Black for steps.
type Place = (i32, i32);

const FORWARD: [Place; 3] = [(-1, -1), (-1, 0), (-1, 1)];
const SIDES: [Place; 2] = [(0, -1), (0, 1)];
const BACK: Place = (1, 0);
const BACK_DIAGONALS: [Place; 2] = [(1, -1), (1, 1)];

impl Man {
    /// Single steps, and directions in which it ranges, for Black.
    fn steps(self) -> (Vec<Place>, Vec<Place>) {
        let gold = || [FORWARD.as_slice(), &SIDES, &[BACK]].concat();
        let orthogonal = || [[(-1, 0)].as_slice(), &SIDES, &[BACK]].concat();
        let diagonal = || [[(-1, -1), (-1, 1)].as_slice(), &BACK_DIAGONALS].concat();
        match (self.letter, self.promoted) {
            ('K', _) => ([gold(), BACK_DIAGONALS.to_vec()].concat(), vec![]),
            ('G', _) | ('S' | 'N' | 'P', true) => (gold(), vec![]),
            ('S', false) => ([FORWARD.as_slice(), &BACK_DIAGONALS].concat(), vec![]),
            ('N', false) => (vec![(-2, -1), (-2, 1)], vec![]),
            ('P', false) => (vec![(-1, 0)], vec![]),
            ('R', promoted) => (if promoted { diagonal() } else { vec![] }, orthogonal()),
            ('B', promoted) => (if promoted { orthogonal() } else { vec![] }, diagonal()),
            other => unreachable!("no such piece: {other:?}"),
        }
    }
}

impl Board {
    pub fn parse(sfen: &str) -> Board {
        let mut fields = sfen.split(' ');
        let mut next = || fields.next().expect("an SFEN has three fields and a number");
        let mut squares = [[None; SIZE as usize]; SIZE as usize];
        for (row, rank) in next().split('/').enumerate() {
            let (mut column, mut promoted) = (0, false);
            for c in rank.chars() {
                match c {
                    '+' => promoted = true,
                    '1'..='6' => column += c as usize - '0' as usize,
                    _ => {
                        let letter = c.to_ascii_uppercase();
                        squares[row][column] = Some(Man { letter, promoted, black: c == letter });
                        (column, promoted) = (column + 1, false);
                    }
                }
            }
        }
        let black_to_move = next() == "b";
        let mut hands = Vec::new();
        let mut count = 1;
        for c in next().chars().filter(|&c| c != '-') {
            match c {
                '1'..='9' => count = c as usize - '0' as usize,
                _ => {
                    hands.extend(std::iter::repeat_n(c, count));
                    count = 1;
                }
            }
        }
        hands.sort_unstable();
        Board { squares, hands, black_to_move }
    }

    fn at(&self, (row, column): Place) -> Option<Man> {
        self.squares[row as usize][column as usize]
    }

    fn put(&mut self, (row, column): Place, man: Option<Man>) {
        self.squares[row as usize][column as usize] = man;
    }

    fn places() -> impl Iterator<Item = Place> {
        (0..SIZE).flat_map(|row| (0..SIZE).map(move |column| (row, column)))
    }

    /// The squares that a man can reach, ignoring own men in the way.
    fn reached(&self, from: Place, man: Man) -> Vec<Place> {
        let forward = if man.black { 1 } else { -1 };
        let walk = |(down, right): Place, most: i32| {
            let mut places = Vec::new();
            for n in 1..=most {
                let place = (from.0 + n * down * forward, from.1 + n * right);
                if !(0..SIZE).contains(&place.0) || !(0..SIZE).contains(&place.1) {
                    break;
                }
                places.push(place);
                if self.at(place).is_some() {
                    break;
                }
            }
            places
        };
        let (steps, ranges) = man.steps();
        let steps = steps.into_iter().flat_map(|step| walk(step, 1));
        steps.chain(ranges.into_iter().flat_map(|direction| walk(direction, SIZE))).collect()
    }

    /// Whether the king of a side is attacked.
    pub fn in_check(&self, black: bool) -> bool {
        let king = Man { letter: 'K', promoted: false, black };
        let attackers =
            Board::places().filter_map(|place| Some((place, self.at(place).filter(|man| man.black != black)?)));
        attackers.into_iter().any(|(place, man)| self.reached(place, man).iter().any(|&to| self.at(to) == Some(king)))
    }

    /// Whether an unpromoted man could never move from here again.
    fn is_dead(man: Man, (row, _): Place) -> bool {
        let from_the_end = if man.black { row } else { SIZE - 1 - row };
        !man.promoted && (man.letter == 'P' && from_the_end < 1 || man.letter == 'N' && from_the_end < 2)
    }

    fn in_zone(black: bool, (row, _): Place) -> bool {
        if black { row < 2 } else { row >= SIZE - 2 }
    }

    fn name((row, column): Place) -> String {
        format!("{}{}", SIZE - column, char::from(b'a' + row as u8))
    }

    /// The places and letters of a side's men but its king.
    fn men(&self, black: bool) -> impl Iterator<Item = (Place, char)> {
        Board::places().filter_map(move |place| {
            let man = self.at(place).filter(|man| man.black == black && man.letter != 'K')?;
            Some((place, man.letter))
        })
    }

    fn king_place(&self, black: bool) -> Option<Place> {
        let king = Man { letter: 'K', promoted: false, black };
        Board::places().find(|&place| self.at(place) == Some(king))
    }

    pub fn king(&self, black: bool) -> String {
        self.king_place(black).map(Board::name).unwrap_or_default()
    }

    /// Whether a side's king is in the promotion zone of `zone`.
    pub fn king_in_zone_of(&self, black: bool, zone: bool) -> bool {
        self.king_place(black).is_some_and(|place| Board::in_zone(zone, place))
    }

    /// The number of men in hand.
    pub fn held(&self) -> usize {
        self.hands.len()
    }

    /// The number of a side's men in its promotion zone, without the king.
    pub fn men_in_zone(&self, black: bool) -> usize {
        self.men(black).filter(|&(place, _)| Board::in_zone(black, place)).count()
    }

    /// A side's impasse points in hand, and on the board or only in its promotion zone.
    pub fn points(&self, black: bool, only_in_zone: bool) -> i32 {
        let on_board = self.men(black).filter(|&(place, _)| !only_in_zone || Board::in_zone(black, place));
        let held = self.hands.iter().filter(|c| c.is_ascii_uppercase() == black).map(|c| c.to_ascii_uppercase());
        let letters = on_board.map(|(_, letter)| letter).chain(held);
        letters.map(|letter| if matches!(letter, 'R' | 'B') { 5 } else { 1 }).sum()
    }

    /// The number of both sides' men with this letter.
    pub fn count(&self, letter: char) -> usize {
        let on_board =
            [true, false].into_iter().flat_map(|black| self.men(black)).filter(|&(_, other)| other == letter);
        on_board.count() + self.hands.iter().filter(|c| c.to_ascii_uppercase() == letter).count()
    }

    /// Every legal move in USI notation, with the board after it.
    pub fn legal_moves(&self) -> Vec<(String, Board)> {
        let us = self.black_to_move;
        let mut moves = Vec::new();
        for from in Board::places() {
            let Some(man) = self.at(from).filter(|man| man.black == us) else { continue };
            for to in self.reached(from, man) {
                let captured = self.at(to);
                if captured.is_some_and(|captured| captured.black == us) {
                    continue;
                }
                let may_promote = !man.promoted
                    && !matches!(man.letter, 'K' | 'G')
                    && (Board::in_zone(us, from) || Board::in_zone(us, to));
                for promotes in [false, true] {
                    let arriving = Man { promoted: man.promoted || promotes, ..man };
                    if promotes && !may_promote || Board::is_dead(arriving, to) {
                        continue;
                    }
                    let mut after = self.clone();
                    after.put(from, None);
                    after.put(to, Some(arriving));
                    if let Some(captured) = captured {
                        let letter = captured.letter;
                        after.hands.push(if us { letter } else { letter.to_ascii_lowercase() });
                        after.hands.sort_unstable();
                    }
                    let sign = if promotes { "+" } else { "" };
                    moves.push((format!("{}{}{sign}", Board::name(from), Board::name(to)), after));
                }
            }
        }
        let mut held: Vec<char> = self.hands.iter().copied().filter(|c| c.is_ascii_uppercase() == us).collect();
        held.sort_unstable();
        held.dedup();
        for c in held {
            let man = Man { letter: c.to_ascii_uppercase(), promoted: false, black: us };
            for to in Board::places().filter(|&to| self.at(to).is_none() && !Board::is_dead(man, to)) {
                if man.letter == 'P' && (0..SIZE).any(|row| self.at((row, to.1)) == Some(man)) {
                    continue;
                }
                let mut after = self.clone();
                after.put(to, Some(man));
                let held = after.hands.iter().position(|&held| held == c).expect("it is held");
                after.hands.remove(held);
                moves.push((format!("{}*{}", man.letter, Board::name(to)), after));
            }
        }
        moves.retain_mut(|(text, after)| {
            after.black_to_move = !us;
            let mates_by_pawn =
                |after: &Board| text.starts_with("P*") && after.in_check(!us) && after.legal_moves().is_empty();
            !after.in_check(us) && !mates_by_pawn(after)
        });
        moves
    }
}
