//! Engines made weaker, for people to play against.

use std::time::Duration;

use crate::board::messages::text::Text;
use crate::protocol::usi::OptionKind;
use crate::strength::{FULL_LEVEL, elo_of_level};

/// The strongest level: an engine as it is.
pub const STRONGEST: u32 = FULL_LEVEL;

/// The options that make an engine play at a level, of those that it has: a skill level of its own, else an Elo rating.
/// An engine with neither always plays as well as it can.
pub fn level_options(options: &[(String, OptionKind)], level: u32) -> Vec<(String, String)> {
    let find = |wanted: &[&str]| {
        options.iter().find_map(|(name, kind)| {
            let plain: String = name.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
            let is_it = wanted.iter().any(|wanted| plain.eq_ignore_ascii_case(wanted));
            is_it.then_some((name.clone(), kind))
        })
    };
    let spread = |min: i64, max: i64| {
        let share = i128::from(level.min(STRONGEST)) * (i128::from(max) - i128::from(min)) / i128::from(STRONGEST);
        (i128::from(min) + share).to_string()
    };
    if let Some((name, &OptionKind::Spin { min, max, .. })) = find(&["SkillLevel", "USISkillLevel"]) {
        return vec![(name, spread(min, max))];
    }
    match (find(&["UCILimitStrength", "USILimitStrength"]), find(&["UCIElo", "USIElo"])) {
        (Some((limit, _)), Some((elo, &OptionKind::Spin { min, max, .. }))) => {
            let is_limited = level < STRONGEST;
            vec![(limit, is_limited.to_string()), (elo, spread(min, max))]
        }
        _ => Vec::new(),
    }
}

/// The Elo of each level, where it is known: of this program, and of engines whose strength is set by it.
pub fn elos(options: &[(String, OptionKind)], is_this_program: bool) -> Option<Vec<u32>> {
    (0..=STRONGEST)
        .map(|level| match &level_options(options, level)[..] {
            [_] if is_this_program => Some(elo_of_level(level)),
            [_, (_, elo)] => elo.parse().ok(),
            _ => None,
        })
        .collect()
}

/// The option that makes an engine play from its own opening book, if it has one. `set` are options that somebody has
/// set already, which stay as they are.
pub fn book_option(options: &[(String, OptionKind)], set: &[(String, String)]) -> Option<(String, String)> {
    let is_book = |name: &str| name.eq_ignore_ascii_case("USI_OwnBook") || name.eq_ignore_ascii_case("OwnBook");
    let (name, _) = options.iter().find(|(name, kind)| is_book(name) && matches!(kind, OptionKind::Check { .. }))?;
    (!set.iter().any(|(name, _)| is_book(name))).then(|| (name.clone(), "true".to_owned()))
}

/// How long an engine thinks for a move in a game without clocks. A weak one does not need long.
pub fn thinking_time(level: u32) -> Duration {
    Duration::from_millis(200 + 60 * u64::from(level.min(STRONGEST)))
}

/// The level for the next game, after a result against this one.
pub fn suggestion(level: u32, player_won: Option<bool>) -> Option<(u32, Text)> {
    let next = match player_won? {
        true => (level + 2).min(STRONGEST),
        false => level.saturating_sub(1),
    };
    let key = match next.cmp(&level) {
        std::cmp::Ordering::Greater => "level.up",
        std::cmp::Ordering::Less => "level.down",
        std::cmp::Ordering::Equal => return None,
    };
    Some((next, Text::new(key).with("level", next)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spin(name: &str, min: i64, max: i64) -> (String, OptionKind) {
        (name.to_owned(), OptionKind::Spin { default: max, min, max })
    }

    #[test]
    fn engines_play_from_their_books_unless_told_otherwise() {
        let check = ("OwnBook".to_owned(), OptionKind::Check { default: false });
        let on = ("OwnBook".to_owned(), "true".to_owned());
        assert_eq!(book_option(&[spin("Threads", 1, 8), check.clone()], &[]), Some(on));
        assert_eq!(book_option(&[check], &[("usi_ownbook".to_owned(), "false".to_owned())]), None);
        assert_eq!(book_option(&[spin("Threads", 1, 8)], &[]), None);
    }

    #[test]
    fn engines_are_weakened_in_the_way_they_know() {
        let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(level_options(&[spin("SkillLevel", 0, 20)], 7), [set("SkillLevel", "7")]);
        assert_eq!(level_options(&[spin("Skill Level", -20, 20)], 10), [set("Skill Level", "0")]);
        let limit = ("UCI_LimitStrength".to_owned(), OptionKind::Check { default: false });
        let options = [limit, spin("UCI_Elo", 1000, 3000)];
        assert_eq!(level_options(&options, 5), [set("UCI_LimitStrength", "true"), set("UCI_Elo", "1500")]);
        assert_eq!(level_options(&options, 20)[0].1, "false");
        assert_eq!(level_options(&[spin("Threads", 1, 8)], 5), []);
    }

    #[test]
    fn the_elo_of_a_level_is_told_where_it_is_known() {
        let skill = [spin("SkillLevel", 0, 20)];
        assert_eq!(elos(&skill, true).map(|elos| (elos.len(), elos[3], elos[20])), Some((21, 720, 2_430)));
        assert_eq!((elos(&skill, false), elos(&[], true)), (None, None));
        let limit = ("UCI_LimitStrength".to_owned(), OptionKind::Check { default: false });
        assert_eq!(elos(&[limit, spin("UCI_Elo", 1000, 3000)], false).map(|elos| elos[5]), Some(1_500));
    }
}
