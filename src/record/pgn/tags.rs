use super::dialect::side_name;
use super::token::{GameText, Tag};
use crate::record::date::time_text;
use crate::record::header::{Impasse, one_line};
use crate::record::{Date, Format, Header, Record};
use crate::shogi::notation::fen::{parse_fen, to_fen};
use crate::shogi::{Color, EndReason, GameScore, Position, START_SFEN, Setup};

/// What our own files in the notation of Cute Chess say of it: a single `+` would not tell.
const NOTATION: (&str, &str) = ("Notation", "Cute Chess");

/// The name of a reason that nobody has told.
const UNKNOWN: &str = "unknown";

/// The position that the tags name, or what is wrong with them.
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

/// A value that says something: `?` and its like do not.
fn known(value: &str) -> Option<String> {
    one_line(value).filter(|value| !matches!(value.as_str(), "?" | "-" | "????.??.??"))
}

/// What the tags say besides the start. `first_is_white`: the player who moves first is called White.
pub(super) fn header(game: &GameText, first_is_white: bool) -> Header {
    let mut header = Header::default();
    let [us, them] = Color::ALL.map(|color| side_name(color, first_is_white));
    let (mut time, mut end_time, mut termination) = (None, None, None);
    let mut has_reason = false;
    for Tag { name, value, .. } in &game.tags {
        let Some(value) = known(value) else { continue };
        let name = name.as_str();
        let mut other = None;
        match name {
            "Variant" | "SFEN" | "FEN" | "SetUp" | "PlyCount" => {}
            _ if (name, value.as_str()) == NOTATION => {}
            "Event" => header.event = Some(value),
            "Site" => header.site = Some(value),
            "Round" => header.round = Some(value),
            "Date" if header.date.is_none() => match Date::parse(&value) {
                Some(date) => header.date = Some(date),
                None => other = Some(value),
            },
            "EndDate" if header.ended.is_none() => match Date::parse(&value) {
                Some(date) => header.ended = Some(date),
                None => other = Some(value),
            },
            "Time" => time = Some(value),
            "EndTime" => end_time = Some(value),
            "Result" => header.result = score(&value),
            "TimeControl" => header.time_controls = [Some(value.clone()), Some(value)],
            "Termination" => termination = Some(value),
            "EndReason" => {
                has_reason = true;
                header.reason = named_reason(&value);
                other = Some(value).filter(|value| header.reason.is_none() && value != UNKNOWN);
            }
            "Detail" => header.detail = Some(value),
            "ImpasseRule" => match Impasse::parse(&value) {
                Some(impasse) => header.impasse = Some(impasse),
                None => other = Some(value),
            },
            _ if name == us => header.players[0] = Some(value),
            _ if name == them => header.players[1] = Some(value),
            _ => match name.strip_suffix("TimeControl") {
                Some(side) if side == us => header.time_controls[0] = Some(value),
                Some(side) if side == them => header.time_controls[1] = Some(value),
                _ => other = Some(value),
            },
        }
        header.tags.extend(other.map(|value| (side_tag(name, first_is_white), value)));
    }
    for (name, date, time) in [("Time", &mut header.date, time), ("EndTime", &mut header.ended, end_time)] {
        let Some(time) = time else { continue };
        match date.and_then(|day| Date::parse(&format!("{}T{time}", day.day_only()))).filter(|it| it.time().is_some()) {
            Some(moment) => *date = Some(moment),
            None => header.tags.push((name.to_owned(), time)),
        }
    }
    if header.result.is_none() {
        header.result = game.result.flatten();
    }
    if let Some(termination) = termination {
        let is_reason = header.reason.is_some_and(|reason| reason.to_string() == termination);
        let said = of_termination(&termination, header.result);
        let is_new = match has_reason {
            // PGN's own words say less than the reason does.
            true => !is_reason && (!first_is_white || said.is_none()),
            false => {
                header.reason = said.flatten();
                said.is_none()
            }
        };
        if is_new && header.detail.is_none() {
            header.detail = Some(termination);
        }
    }
    header
}

/// A tag of a player, as `WhiteElo`, by the name that it has if the other player is called White.
fn side_tag(name: &str, is_swapped: bool) -> String {
    let is_of_player = |rest: &&str| rest.starts_with(|c: char| c.is_ascii_uppercase());
    match (name.strip_prefix("White").filter(is_of_player), name.strip_prefix("Black").filter(is_of_player)) {
        (Some(rest), _) if is_swapped => format!("Black{rest}"),
        (_, Some(rest)) if is_swapped => format!("White{rest}"),
        _ => name.to_owned(),
    }
}

/// Whether the tags tell that the reason of the end is not known, so that nobody may guess.
pub(super) fn has_reason(game: &GameText) -> bool {
    game.tag("EndReason").is_some()
}

/// Whether the tags say that the notation is Cute Chess's.
pub(super) fn is_cute_chess(game: &GameText) -> bool {
    game.tag(NOTATION.0).is_some_and(|tag| tag.value == NOTATION.1)
}

/// A result. The first number is always that of the player who moves first, whatever he is called.
fn score(text: &str) -> Option<GameScore> {
    [GameScore::Black, GameScore::White, GameScore::Draw].into_iter().find(|score| score.text() == text)
}

/// The reason with this name, in lower case with dashes.
fn named_reason(name: &str) -> Option<EndReason> {
    EndReason::ALL.iter().copied().find(|&reason| reason_name(reason) == name)
}

fn reason_name(reason: EndReason) -> String {
    reason.to_string().replace(' ', "-")
}

/// What PGN's own words for a termination say; none if it is none of them.
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

/// What Cute Chess says at the end of the last comment.
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

/// A tag's name without what would end it.
fn tag_name(name: &str) -> Option<String> {
    let taken = [
        "Event",
        "Site",
        "Date",
        "Time",
        "Round",
        "White",
        "Black",
        "Result",
        "Variant",
        "FEN",
        "SFEN",
        "SetUp",
        "PlyCount",
        "EndDate",
        "EndTime",
        "TimeControl",
        "WhiteTimeControl",
        "BlackTimeControl",
        "Termination",
        "EndReason",
        "Detail",
        "ImpasseRule",
        NOTATION.0,
    ];
    let bad = |c: char| c.is_whitespace() || c.is_control() || "\"[]".contains(c);
    let name: String = name.chars().map(|c| if bad(c) { '_' } else { c }).collect();
    if name.is_empty() {
        return None;
    }
    Some(if taken.contains(&name.as_str()) { format!("_{name}") } else { name })
}

/// The start as a program reads it: Cute Chess knows one field between the side to move and the number.
fn fen(start: &Position, format: Format) -> String {
    let fen = to_fen(start);
    match format {
        Format::PgnCuteChess => fen.replacen(" - - 0 ", " - ", 1),
        _ => fen,
    }
}

/// The tags of a game.
pub(super) fn write(record: &Record, format: Format) -> String {
    let header = &record.header;
    let is_chess = format != Format::Pgn;
    let mut text = String::new();
    let mut tag = |name: &str, value: Option<&str>| {
        if let Some(value) = value.and_then(one_line) {
            text += &format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""));
        }
    };
    // Values that mean nothing to the header stand among the other tags.
    let kept = |name: &str| header.tags.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone());
    let date = header.date.map(Date::pgn).or_else(|| kept("Date"));
    let time = header.date.and_then(Date::time).map(time_text).or_else(|| kept("Time"));
    let end_date = header.ended.map(Date::pgn).or_else(|| kept("EndDate"));
    let end_time = header.ended.and_then(Date::time).map(time_text).or_else(|| kept("EndTime"));
    let impasse = header.impasse.map(Impasse::text).or_else(|| kept("ImpasseRule"));
    let or_unknown = |value: &Option<String>| value.as_deref().and_then(one_line).unwrap_or_else(|| "?".to_owned());
    tag("Event", Some(&or_unknown(&header.event)));
    tag("Site", header.site.as_deref().or(is_chess.then_some("?")));
    tag("Date", Some(date.as_deref().unwrap_or("????.??.??")));
    tag("Round", Some(&or_unknown(&header.round)));
    for color in Color::ALL {
        tag(side_name(color, is_chess), Some(&or_unknown(&header.players[color.index()])));
    }
    tag("Result", Some(header.result.map_or("*", GameScore::text)));
    tag("Time", time.as_deref());
    tag("EndDate", end_date.as_deref());
    tag("EndTime", end_time.as_deref());
    let written =
        [("Date", &date), ("Time", &time), ("EndDate", &end_date), ("EndTime", &end_time), ("ImpasseRule", &impasse)];
    for (name, value) in &header.tags {
        if written.iter().any(|(other, kept)| other == name && kept.as_ref() == Some(value)) {
            continue;
        }
        if let Some(name) = tag_name(&side_tag(name, is_chess)) {
            tag(&name, Some(value));
        }
    }
    tag("Variant", Some("judkins"));
    if format == Format::PgnCuteChess {
        tag(NOTATION.0, Some(NOTATION.1));
    }
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
    match header.common_time_control() {
        Some(common) => tag("TimeControl", Some(common)),
        None => {
            for color in Color::ALL {
                let name = format!("{}TimeControl", side_name(color, is_chess));
                tag(&name, header.time_controls[color.index()].as_deref());
            }
        }
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
    text
}
