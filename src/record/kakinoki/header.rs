//! Header fields of KIF and KI2, read and written, except those of the start position.

use super::ending::{End, named_reason, of_word, reason_name, telling, word};
use super::line::{LineKind, line_kind};
use crate::record::header::{Impasse, fill, one_line};
use crate::record::{Date, Header, Record};
use crate::shogi::{Color, EndReason, ImpasseRule};

/// Keys that this program has added; other programs ignore them.
const ROUND: &str = "回戦";
const IMPASSE: &str = "入玉規定";
const REASON: &str = "終局理由";
const DETAIL: &str = "終局詳細";

/// The keys of a header: after the moves of a game, one of them begins the next game.
const KNOWN: [&str; 27] = [
    "手合割",
    "開始日時",
    "対局日",
    "終了日時",
    "棋戦",
    "戦型",
    "表題",
    "場所",
    "持ち時間",
    "先手持ち時間",
    "後手持ち時間",
    "下手持ち時間",
    "上手持ち時間",
    "秒読み",
    "備考",
    "先手",
    "後手",
    "下手",
    "上手",
    "先手の持駒",
    "後手の持駒",
    "下手の持駒",
    "上手の持駒",
    ROUND,
    IMPASSE,
    REASON,
    DETAIL,
];

/// Whether other programs know this key, so that it identifies the format.
pub(in crate::record) fn is_known_key(key: &str) -> bool {
    KNOWN.contains(&key)
}

/// Whether a name is one of the header's fields.
fn is_taken(name: &str) -> bool {
    let tags = ["戦型", "表題", "備考", "秒読み"];
    (is_known_key(name) && !tags.contains(&name)) || ["手番", "変化"].contains(&name)
}

/// The header without the start position.
#[derive(Default)]
pub(super) struct Fields {
    pub header: Header,
    /// The reason of the end, if there is one in the file; the inner value is none for an unknown reason.
    reason: Option<Option<EndReason>>,
}

impl Fields {
    /// Reads a field that does not belong to the start position.
    pub fn take(&mut self, key: &str, value: &str) {
        let Some(value) = one_line(value) else {
            // A field without a value is ignored; a tag without a value records its presence.
            return self.header.tags.extend((!is_taken(key)).then(|| (key.to_owned(), String::new())));
        };
        let Header { players: [black, white], time_controls, .. } = &mut self.header;
        // A field that the header lacks becomes a tag, and so does a value that a later one replaces.
        let tag = match key {
            "先手" | "下手" => black.replace(value),
            "後手" | "上手" => white.replace(value),
            "持ち時間" if time_controls.iter().all(Option::is_none) => {
                *time_controls = [Some(value.clone()), Some(value)];
                None
            }
            "先手持ち時間" | "下手持ち時間" => time_controls[0].replace(value),
            "後手持ち時間" | "上手持ち時間" => time_controls[1].replace(value),
            "開始日時" | "対局日" => fill(&mut self.header.date, value, Date::parse),
            "終了日時" => fill(&mut self.header.ended, value, Date::parse),
            "棋戦" => self.header.event.replace(value),
            "場所" => self.header.site.replace(value),
            ROUND => self.header.round.replace(value),
            IMPASSE => fill(&mut self.header.impasse, value, parse_impasse),
            REASON => fill(&mut self.reason, value, named_reason),
            DETAIL => self.header.detail.replace(value),
            _ => Some(value),
        };
        self.header.tags.extend(tag.map(|value| (key.to_owned(), value)));
    }

    /// The header of a game, completed by its last lines.
    pub fn finish(self, end: Option<End>) -> Header {
        let End { ending: (result, reason), word, time } = end.unwrap_or_default();
        let detail = self.header.detail.or_else(|| word.and_then(telling).map(str::to_owned));
        Header { result, reason: self.reason.unwrap_or(reason), detail, last_thought: time, ..self.header }
    }
}

/// An impasse rule with its quiet plies: `点数法（12点）、24手`.
fn impasse_text(Impasse { rule, plies }: Impasse) -> String {
    format!("{}、{plies}手", rule.japanese_name())
}

/// Earlier versions of this program wrote `Points12 24`.
fn parse_impasse(text: &str) -> Option<Impasse> {
    let parse = || {
        let (name, plies) = text.rsplit_once('、')?;
        let rule = ImpasseRule::ALL.iter().copied().find(|rule| rule.japanese_name() == name)?;
        Some(Impasse { rule, plies: plies.strip_suffix('手')?.parse().ok()? })
    };
    Impasse::parse(text).or_else(parse)
}

/// A tag's name as a key: a colon would end it, and some beginnings have another meaning.
fn key(name: &str) -> Option<String> {
    let key: String =
        name.chars().map(|c| if "：: \u{3000}".contains(c) || c.is_control() { '_' } else { c }).collect();
    let first = key.chars().next()?;
    let is_header = matches!(line_kind(&format!("{key}：")), LineKind::Header { .. });
    let special = first == '+' || is_taken(&key) || !is_header;
    Some(if special { format!("_{key}") } else { key })
}

/// The fields before the start position.
pub(super) fn write(record: &Record, mover: Color) -> String {
    let header = &record.header;
    let names = record.japanese_sides();
    let mut text = String::new();
    let mut field = |key: &str, value: Option<&str>| {
        text.extend(value.map(|value| format!("{key}：{}\n", one_line(value).unwrap_or_default())));
    };
    field("開始日時", header.date.map(Date::kif).as_deref());
    field("終了日時", header.ended.map(Date::kif).as_deref());
    field("棋戦", header.event.as_deref());
    field("場所", header.site.as_deref());
    field(ROUND, header.round.as_deref());
    if let Some(common) = header.common_time_control() {
        field("持ち時間", Some(common));
    } else {
        for (name, time_control) in names.into_iter().zip(&header.time_controls) {
            field(&format!("{name}持ち時間"), time_control.as_deref());
        }
    }
    field(IMPASSE, header.impasse.map(impasse_text).as_deref());
    let word = word(header, mover);
    let said = word.and_then(|word| of_word(word, mover));
    if said.is_some_and(|(_, reason)| reason != header.reason) {
        field(REASON, Some(reason_name(header.reason)));
    }
    // The word in place of a move already says it.
    field(DETAIL, header.detail.as_deref().filter(|detail| word != Some(*detail)));
    for (name, value) in &header.tags {
        // A value that the header cannot interpret keeps its name.
        let is_free = match name.as_str() {
            "開始日時" | "対局日" => header.date.is_none(),
            "終了日時" => header.ended.is_none(),
            IMPASSE => header.impasse.is_none(),
            _ => false,
        };
        if let Some(key) = if is_free { Some(name.clone()) } else { key(name) } {
            field(&key, Some(value));
        }
    }
    for (name, player) in names.into_iter().zip(&header.players) {
        field(name, player.as_deref());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_impasse_rule_has_a_japanese_name_and_the_english_ones_are_still_read() {
        for &rule in ImpasseRule::ALL {
            let impasse = Impasse { rule, plies: 24 };
            assert_eq!(parse_impasse(&impasse_text(impasse)), Some(impasse));
            assert_eq!(parse_impasse(&impasse.text()), Some(impasse));
        }
        assert_eq!(impasse_text(Impasse { rule: ImpasseRule::Points12, plies: 24 }), "点数法（12点）、24手");
        assert!(
            ["Points12", "点数法（12点）", "点数法、24手", "なし、手"].iter().all(|it| parse_impasse(it).is_none())
        );
    }
}
