//! Conversion between PGN tags and a `Header`, including start position, KIF keys and the reason of the end.

use std::collections::{HashMap, HashSet};

use super::dialect::{Notation, named_reason, reason_name, result, result_text, side_name, turned};
use super::token::{GameText, Tag};
use super::{comment, names, time_control};
use crate::record::date::time_text;
use crate::record::header::{Impasse, fill, one_line};
use crate::record::read_game::Problem;
use crate::record::usi::truncate;
use crate::record::{Date, Format, Header, Record};
use crate::shogi::notation::fen::{parse_fen, to_fen};
use crate::shogi::{Color, EndReason, GameScore, Position, START_SFEN, Setup};

/// The name of an unknown reason.
const UNKNOWN: &str = "unknown";

/// The start position in the tags, or the invalid tag and its error.
pub(super) fn start(game: &GameText) -> Result<Position, (Tag, String)> {
    if let Some(tag) = game.tag("Variant") {
        let name: String = tag.value.chars().filter(char::is_ascii_alphanumeric).collect();
        if !matches!(name.to_ascii_lowercase().as_str(), "judkins" | "judkinsshogi" | "") {
            return Err((tag.clone(), format!("the variant '{}' is not Judkins shogi", tag.value)));
        }
    }
    if let Some(tag) = game.tag("SFEN") {
        return tag.value.parse().map_err(|error| (tag.clone(), format!("{error}")));
    }
    let Some(tag) = game.tag("FEN") else { return Ok(Position::startpos()) };
    let position = parse_fen(&tag.value).map_err(|error| (tag.clone(), error.to_string()))?;
    // Moves are counted in pairs there: a game that begins with the first pair begins with its first move.
    let move_number = if position.move_number() <= 2 { 1 } else { position.move_number() };
    Position::try_from(&Setup { move_number, ..Setup::from(&position) })
        .map_err(|error| (tag.clone(), error.to_string()))
}

/// A meaningful value, which excludes `?` and the like.
fn known(value: &str) -> Option<String> {
    one_line(value).filter(|value| !matches!(value.as_str(), "?" | "-" | "????.??.??"))
}

/// The header fields, by their KIF keys, that PGN writes in its own form if possible and under the KIF key otherwise.
fn field<'a>(header: &'a mut Header, key: &str) -> Option<&'a mut Option<String>> {
    Some(match key {
        "棋戦" => &mut header.event,
        "場所" => &mut header.site,
        "回戦" => &mut header.round,
        "先手" => &mut header.players[0],
        "後手" => &mut header.players[1],
        _ => return None,
    })
}

/// The KIF keys for the start of a game.
const BEGAN: &[&str] = &["開始日時", "対局日"];

/// The KIF keys for the end of a game.
const ENDED: &[&str] = &["終了日時"];

/// The date in a KIF value that contains more than a date, like `2005/11/29・30日`.
fn odd_date(tags: &[(String, String)], keys: &[&str]) -> Option<Date> {
    tags.iter().find(|(name, _)| keys.contains(&name.as_str())).and_then(|(_, value)| Date::beginning(value))
}

/// The day at a time of day; none if the time is invalid.
fn at_time(day: Option<Date>, time: &str) -> Option<Date> {
    Date::parse(&format!("{}T{time}", day?.day_only())).filter(|moment| moment.time().is_some())
}

/// The header in the tags, without the start. `first_is_white`: the first player is called White.
pub(super) fn header(game: &GameText, first_is_white: bool, problems: &mut Vec<Problem>) -> Header {
    let mut header = Header::default();
    let [us, them] = Color::ALL.map(|color| side_name(color, first_is_white));
    let (mut time, mut end_time, mut termination, mut common) = (None, None, None, None);
    let mut has_reason = false;
    let mut said = None;
    let mut seen = HashSet::new();
    for Tag { name, value, line, column } in &game.tags {
        let name = name.as_str();
        let is_again = !seen.insert(name);
        let mut problem = |message: String| problems.push(Problem::new(*line, *column, message));
        match name {
            "Variant" | "Notation" | "SFEN" | "FEN" | "SetUp" | "PlyCount" | "Result" if is_again => {
                problem(format!("the tag '{name}' occurs twice; the first one is used"));
                continue;
            }
            "FEN" if game.tag("SFEN").is_some() => {
                problem("the tag 'SFEN' says how the game starts, and 'FEN' is not read".to_owned());
                continue;
            }
            "SetUp" if !matches!(value.trim(), "" | "0" | "1") => {
                problem(format!(
                    "'{}' is not a SetUp: 1 where a FEN says how the game starts, or else 0",
                    truncate(value)
                ));
                continue;
            }
            "PlyCount" if known(value).is_some_and(|value| value.parse::<u64>().is_err()) => {
                problem(format!("'{}' is not a number of moves", truncate(value)));
                continue;
            }
            "Variant" | "SFEN" | "FEN" | "SetUp" | "PlyCount" => continue,
            "Notation" if Notation::named(value).is_some() => continue,
            "Result" => {
                match result(value.trim()) {
                    Some(score) => said = score,
                    None if known(value).is_none() => {}
                    None => problem(format!("'{}' is not a result: 1-0, 0-1, 1/2-1/2 or *", truncate(value))),
                }
                continue;
            }
            _ => {}
        }
        let is_own = names::is_own(name) && !is_again;
        // A field without a value is ignored; a tag without a value records its presence.
        let read = if is_own { known } else { |value: &str| Some(one_line(value).unwrap_or_default()) };
        let Some(value) = read(value) else { continue };
        let mut other = None;
        match name {
            _ if !is_own => other = Some(value),
            "Event" => header.event = Some(value),
            "Site" => header.site = Some(value),
            "Round" => header.round = Some(value),
            // Each is met once: a second one is not `is_own`.
            "Date" => other = fill(&mut header.date, value, Date::parse),
            "EndDate" => other = fill(&mut header.ended, value, Date::parse),
            "Time" => time = Some(value),
            "EndTime" => end_time = Some(value),
            "TimeControl" => common = Some(value),
            "Termination" => termination = Some(value),
            "EndReason" => {
                has_reason = true;
                header.reason = named_reason(&value);
                other = Some(value).filter(|value| header.reason.is_none() && value != UNKNOWN);
            }
            "Detail" => header.detail = Some(value),
            "LastThought" => other = fill(&mut header.last_thought, value, comment::seconds),
            "ImpasseRule" => other = fill(&mut header.impasse, value, Impasse::parse),
            _ if name == us => header.players[0] = Some(value),
            _ if name == them => header.players[1] = Some(value),
            _ => match name.strip_suffix("TimeControl") {
                Some(side) if side == us => header.time_controls[0] = Some(value),
                Some(side) if side == them => header.time_controls[1] = Some(value),
                _ => other = Some(value),
            },
        }
        let Some((name, value)) = other.map(|value| names::read(name, &value)) else { continue };
        let name = side_tag(&name, first_is_white);
        match field(&mut header, &name) {
            Some(field) if field.is_none() => *field = Some(value),
            _ => header.tags.push((name, value)),
        }
    }
    for (name, date, time) in [("Time", &mut header.date, time), ("EndTime", &mut header.ended, end_time)] {
        let Some(time) = time else { continue };
        match at_time(*date, &time) {
            Some(moment) => *date = Some(moment),
            None => header.tags.push((name.to_owned(), time)),
        }
    }
    if let Some(common) = common {
        let mut free: Vec<_> = header.time_controls.iter_mut().filter(|own| own.is_none()).collect();
        if free.is_empty() {
            header.tags.push(("TimeControl".to_owned(), common.clone()));
        }
        free.iter_mut().for_each(|own| **own = Some(common.clone()));
    }
    // Values that the writer derives from a tag again are kept only in the tag.
    header.date = header.date.filter(|&date| odd_date(&header.tags, BEGAN) != Some(date));
    header.ended = header.ended.filter(|&date| odd_date(&header.tags, ENDED) != Some(date));
    let Header { time_controls, tags, .. } = &mut header;
    tags.retain(|(name, value)| !take_words(time_controls, name, value));
    if let Some(Some(score)) = game.result {
        if said.is_some_and(|said| said != score) {
            let message =
                format!("the game ends with {score}, and the tag 'Result' says something else, which is used");
            problems.push(Problem::new(game.result_at.0, game.result_at.1, message));
        }
        said = said.or(Some(score));
    }
    header.result = winner(game, said, first_is_white);
    if let Some(termination) = termination {
        let is_reason = header.reason.is_some_and(|reason| reason.to_string() == termination);
        let said = of_termination(&termination, header.result);
        let is_new = match has_reason {
            // PGN's own words say less than the reason.
            true => !is_reason && (!first_is_white || said.is_none()),
            false => {
                header.reason = said.flatten();
                said.is_none()
            }
        };
        if is_new {
            match header.detail {
                None => header.detail = Some(termination),
                Some(_) => header.tags.push(("Termination".to_owned(), termination)),
            }
        }
    }
    header
}

/// The KIF keys for time controls: of both players, of Black, of White.
const TIME_CONTROLS: [&str; 3] = ["持ち時間", "先手持ち時間", "後手持ち時間"];

/// Reads a time control in KIF's words, which may repeat one in PGN's form; returns whether it was used.
fn take_words(controls: &mut [Option<String>; 2], name: &str, value: &str) -> bool {
    let Some(place) = TIME_CONTROLS.iter().position(|key| *key == name) else { return false };
    let said = time_control::in_seconds(value);
    let named = if place == 0 { &mut controls[..] } else { &mut controls[place - 1..place] };
    let fits = named.iter().all(|own| own.is_none() || *own == said);
    if fits {
        named.fill(Some(value.to_owned()));
    }
    fits
}

/// The winner, from the file's statement about the player called White.
///
/// Earlier versions wrote `1-0` for a win of the first player, although he was called Black. Their files have the
/// reason of the end but not the notation, or they name the winner in words.
fn winner(game: &GameText, said: Option<GameScore>, first_is_white: bool) -> Option<GameScore> {
    if first_is_white || notation(game).is_some() {
        return said.map(|score| if first_is_white { score } else { turned(score) });
    }
    if has_reason(game) {
        return said;
    }
    let words = game.tag("Termination").map_or("", |tag| tag.value.as_str());
    let named = Color::ALL.into_iter().find(|color| words.starts_with(&format!("{color} wins: ")));
    said.map(|score| match (score, named) {
        (GameScore::Draw, _) => GameScore::Draw,
        (_, Some(winner)) => GameScore::from(Some(winner)),
        (score, None) => turned(score),
    })
}

/// The problem of a move count that differs from the tags.
pub(super) fn wrong_count(game: &GameText, count: usize) -> Option<Problem> {
    let tag = game.tag("PlyCount").filter(|tag| tag.value.trim().parse::<usize>().is_ok_and(|value| value != count))?;
    let message = format!("the tag 'PlyCount' says '{}', and the game has {count} moves", truncate(&tag.value));
    Some(Problem::new(tag.line, tag.column, message))
}

/// A player's tag, like `WhiteElo`, under its name if the other player is called White.
fn side_tag(name: &str, is_swapped: bool) -> String {
    let is_of_player = |rest: &&str| rest.starts_with(|c: char| c.is_ascii_uppercase());
    match (name.strip_prefix("White").filter(is_of_player), name.strip_prefix("Black").filter(is_of_player)) {
        (Some(rest), _) if is_swapped => format!("Black{rest}"),
        (_, Some(rest)) if is_swapped => format!("White{rest}"),
        _ => name.to_owned(),
    }
}

/// Whether the tags say that the reason of the end is unknown, so that it must not be inferred.
pub(super) fn has_reason(game: &GameText) -> bool {
    game.tag("EndReason").is_some()
}

pub(super) fn notation(game: &GameText) -> Option<Notation> {
    game.tags.iter().filter(|tag| tag.name == "Notation").find_map(|tag| Notation::named(&tag.value))
}

/// The meaning of PGN's own words for a termination; none for other words.
fn of_termination(text: &str, result: Option<GameScore>) -> Option<Option<EndReason>> {
    let is_won = result.is_some_and(|result| result != GameScore::Draw);
    Some(match text.to_ascii_lowercase().as_str() {
        "normal" => None,
        "adjudication" if is_won => Some(EndReason::AdjudicatedWin),
        "adjudication" => Some(EndReason::AdjudicatedDraw),
        "time forfeit" => Some(EndReason::Time),
        "abandoned" if is_won => Some(EndReason::Crash),
        "abandoned" | "unterminated" => Some(EndReason::Interrupted),
        "stalled connection" => Some(EndReason::Hang),
        "illegal move" | "rules infraction" => Some(EndReason::IllegalMove),
        _ => return None,
    })
}

/// PGN's own word for a reason.
fn termination(reason: EndReason) -> &'static str {
    use EndReason::*;
    match reason {
        Checkmate | NoLegalMove | Resignation | Sennichite | Impasse | Declaration | Try => "normal",
        PerpetualCheck | WrongDeclaration | IllegalMove | Nonsense | UnaskedMove => "rules infraction",
        Time => "time forfeit",
        Hang | Crash | NoStart | ClosedOutput | Flood => "abandoned",
        AdjudicatedWin | AdjudicatedDraw | MoveLimit | Proven => "adjudication",
        Interrupted => "unterminated",
    }
}

/// Reads Cute Chess's reason at the end of the last comment.
pub(super) fn of_last_comment(comment: &str, result: Option<GameScore>) -> Option<EndReason> {
    use EndReason::*;
    let is_won = result.is_some_and(|result| result != GameScore::Draw);
    let last = comment.rsplit(", ").next()?.to_ascii_lowercase();
    let has = |words: &str| last.contains(words);
    Some(match is_won {
        true if has(" mates") || has("checkmate") => Checkmate,
        true if has("stalemate") => NoLegalMove,
        true if has("resigns") => Resignation,
        true if has("on time") => Time,
        true if has("perpetual") => PerpetualCheck,
        true if has("illegal move") => IllegalMove,
        true if has("disconnects") => Crash,
        true if has("stalls") => Hang,
        _ if has("impasse") => Impasse,
        true if has("adjudication") => AdjudicatedWin,
        false if has("repetition") => Sennichite,
        false if has("adjudication") => AdjudicatedDraw,
        _ => return None,
    })
}

/// The start for a chess program: Cute Chess expects one field between the side to move and the number.
fn fen(start: &Position, format: Format) -> String {
    let fen = to_fen(start);
    match format {
        Format::PgnCuteChess => fen.replacen(" - - 0 ", " - ", 1),
        _ => fen,
    }
}

fn tag_line(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""))
}

pub(super) fn write(record: &Record, format: Format) -> String {
    let header = &record.header;
    let is_chess = format != Format::Pgn;
    let mut text = String::new();
    let mut tag = |name: &str, value: Option<&str>| {
        text.extend(value.map(|value| tag_line(name, &one_line(value).unwrap_or_default())));
    };
    let others = Others::of(header);
    // Values that the header cannot interpret are written in their usual place.
    let kept = |name: &str| others.kept.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned());
    let written = |date: Option<Date>, [day, time]: [&str; 2]| {
        let time = date.and_then(Date::time).map(time_text).or_else(|| kept(time));
        (date.map(Date::pgn).or_else(|| kept(day)), time)
    };
    let (date, time) = written(others.date, ["Date", "Time"]);
    let (end_date, end_time) = written(others.ended, ["EndDate", "EndTime"]);
    let impasse = header.impasse.map(Impasse::text).or_else(|| kept("ImpasseRule"));
    let or_unknown = |value: &Option<String>| value.as_deref().and_then(known).unwrap_or_else(|| "?".to_owned());
    tag("Event", Some(&or_unknown(&header.event)));
    tag("Site", header.site.as_deref().and_then(known).as_deref().or(is_chess.then_some("?")));
    tag("Date", Some(date.as_deref().unwrap_or("????.??.??")));
    tag("Round", Some(&or_unknown(&header.round)));
    for color in Color::ALL {
        tag(side_name(color, is_chess), Some(&or_unknown(&header.players[color.index()])));
    }
    tag("Result", Some(result_text(header.result, is_chess)));
    tag("Time", time.as_deref());
    tag("EndDate", end_date.as_deref());
    tag("EndTime", end_time.as_deref());
    let mut times: HashMap<String, usize> = HashMap::new();
    for (name, value) in others.tags {
        let value = one_line(value).unwrap_or_default();
        let name = side_tag(name, is_chess);
        let nth = times.entry(name.clone()).or_default();
        *nth += 1;
        let (name, value) = names::write(&name, *nth, &value);
        tag(&name, Some(&value));
    }
    tag("Variant", Some("judkins"));
    tag("Notation", Notation::of(format).name());
    let sfen = record.start().to_string();
    if sfen != START_SFEN {
        if is_chess {
            tag("FEN", Some(&fen(record.start(), format)));
            tag("SetUp", Some("1"));
        } else {
            tag("SFEN", Some(&sfen));
        }
    }
    tag("ImpasseRule", impasse.as_deref());
    let side = |color| format!("{}TimeControl", side_name(color, is_chess));
    let controls = match header.common_time_control() {
        Some(common) => vec![("TimeControl".to_owned(), Some(common))],
        None => Color::ALL.map(|color| (side(color), header.time_controls[color.index()].as_deref())).to_vec(),
    };
    for (name, control) in controls {
        tag(&name, control.and_then(pgn_time_control).as_deref());
    }
    tag("PlyCount", Some(&record.main_line().count().to_string()));
    let reason = header.reason.map(|reason| reason.to_string());
    if is_chess {
        tag("Termination", header.reason.map(termination));
        tag("Detail", header.detail.as_deref());
    } else {
        tag("Termination", header.detail.as_deref().or(reason.as_deref()));
    }
    match header.reason {
        Some(reason) => tag("EndReason", Some(&reason_name(reason))),
        None if header.result.is_some() => tag("EndReason", Some(UNKNOWN)),
        None => {}
    }
    tag("LastThought", header.last_thought.map(comment::seconds_text).as_deref());
    text
}

/// A time control in PGN's form, or in that of programs; none for other texts.
fn pgn_time_control(text: &str) -> Option<String> {
    time_control::in_seconds(text).or_else(|| known(text).filter(|text| text.is_ascii()))
}

/// The data of a header for which PGN has no field.
struct Others<'a> {
    /// The start and the end, as precisely as PGN can express them.
    date: Option<Date>,
    ended: Option<Date>,
    /// Values that the reader leaves in tags with the names of header fields.
    kept: Vec<(&'a str, &'a str)>,
    /// All other tags, and fields that PGN cannot express, by their KIF keys.
    tags: Vec<(&'a str, &'a str)>,
}

impl Others<'_> {
    fn of(header: &Header) -> Others<'_> {
        let date = header.date.or_else(|| odd_date(&header.tags, BEGAN));
        let ended = header.ended.or_else(|| odd_date(&header.tags, ENDED));
        let (mut kept, mut tags) = (Vec::<(&str, &str)>::new(), Vec::<(&str, &str)>::new());
        let is_kept = |name: &str, value: &str| match name {
            "Date" => date.is_none() && Date::parse(value).is_none(),
            "EndDate" => ended.is_none() && Date::parse(value).is_none(),
            "Time" => date.and_then(Date::time).is_none() && at_time(date, value).is_none(),
            "EndTime" => ended.and_then(Date::time).is_none() && at_time(ended, value).is_none(),
            "ImpasseRule" => header.impasse.is_none() && Impasse::parse(value).is_none(),
            _ => false,
        };
        for (name, value) in &header.tags {
            let is_first = kept.iter().all(|(other, _)| other != name);
            let list = if is_first && known(value).is_some() && is_kept(name, value) { &mut kept } else { &mut tags };
            list.push((name, value));
        }
        let fields = ["棋戦", "場所", "回戦", "先手", "後手"];
        let values = [&header.event, &header.site, &header.round, &header.players[0], &header.players[1]];
        let unsaid = fields.into_iter().zip(values).filter_map(|(key, value)| Some((key, value.as_deref()?)));
        tags.extend(unsaid.filter(|(_, value)| known(value).is_none()));
        let [both, black, white] = TIME_CONTROLS;
        let controls = match header.common_time_control() {
            Some(common) => vec![(both, Some(common))],
            None => vec![(black, header.time_controls[0].as_deref()), (white, header.time_controls[1].as_deref())],
        };
        let controls = controls.into_iter().filter_map(|(key, control)| Some((key, control?)));
        tags.extend(
            controls.filter(|(_, control)| pgn_time_control(control).as_deref() != one_line(control).as_deref()),
        );
        Others { date, ended, kept, tags }
    }
}
