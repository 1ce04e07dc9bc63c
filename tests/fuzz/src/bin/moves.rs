//! Legal moves, their making and the end of games: as the plainest generator and referee have them, and every position
//! the same as one read afresh. The first byte chooses a start position.

#![no_main]

#[path = "../../../common/slow_board.rs"]
mod slow_board;
#[path = "../../../common/slow_referee.rs"]
mod slow_referee;

use judkins::shogi::{Game, ImpasseRule, Position};
use libfuzzer_sys::fuzz_target;
use slow_board::Board;
use slow_referee::{Referee, STARTS};

/// The quiet plies of an impasse: few, so that inputs are short.
const IMPASSE_PLIES: u32 = 6;

fuzz_target!(|data: &[u8]| {
    let Some((&choice, data)) = data.split_first() else { return };
    let start: Position = STARTS[usize::from(choice) % STARTS.len()].parse().expect("it is a position");
    let mut referee = Referee::new(&start.to_string());
    let mut game = Game::new(start.clone());
    judkins_fuzz::walk_from(start, data, |_, mv, after| {
        let text = after.to_string();
        let afresh: Position = text.parse().expect("a position is written as it is read");
        assert_eq!((afresh.key(), &afresh), (after.key(), after));
        assert_eq!(afresh.in_check(), after.in_check(), "{after}");
        game.play(mv).expect("it is legal");
        referee.play(&mv.to_string(), Board::parse(&text));
    });
    // The plain generator and referee take as long as a whole game; the positions before this one are the ends of other
    // inputs.
    let last = game.position();
    let mut fast: Vec<String> = last.legal_moves().iter().map(ToString::to_string).collect();
    let mut slow: Vec<String> = referee.board().legal_moves().into_iter().map(|(text, _)| text).collect();
    fast.sort_unstable();
    slow.sort_unstable();
    assert_eq!(fast, slow, "{last}");
    for (&rule, name) in ImpasseRule::ALL.iter().zip(ImpasseRule::NAMES) {
        let game = game.clone().with_impasse(rule, IMPASSE_PLIES);
        let verdict = game.result().map(|result| result.to_string());
        assert_eq!(verdict, referee.verdict(name, IMPASSE_PLIES as usize), "{name}: {} {:?}", game.start(), game.moves());
        if rule == ImpasseRule::Declaration {
            assert_eq!(game.declare().to_string(), referee.declared(), "{last}");
        }
    }
});
