//! A game as one HTML file that replays it in any browser, without a program or a network behind it.
//!
//! The file shows the game with the page's own modules, each wrapped in a function that returns what the module
//! exports. They stand in one script, and the file's policy allows that script and its style by their hashes, and
//! nothing else.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;

use base64::Engine as _;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::reviewed::Reviewed;
use super::study::Study;
use crate::board::messages::Message;
use crate::record::{Format, NodeId, Record};
use crate::review::{Language, Review, annotate};
use crate::shogi::Color;

/// Texts of the page's files, by name.
pub type Files = HashMap<String, Cow<'static, str>>;

macro_rules! files {
    ($($path:literal)+) => {
        /// The paths of the files that a replay consists of: the modules, each after those that it imports, and the
        /// style sheet.
        pub const PATHS: &[&str] = &[$($path),+];

        /// Those files. In a browser the program does not carry them, as the page's host has them.
        #[cfg(not(all(target_family = "wasm", feature = "web")))]
        pub fn built_in() -> Files {
            [$((name_of($path).to_owned(), include_str!($path).into())),+].into()
        }

        #[cfg(all(target_family = "wasm", feature = "web"))]
        pub fn built_in() -> Files {
            Files::new()
        }
    };
}

files! {
    "../page/texts.js"
    "../page/i18n.js"
    "../page/dom.js"
    "../page/shogi.js"
    "../page/icons.js"
    "../page/controls.js"
    "../page/dialogs.js"
    "../page/names.js"
    "../page/marks.js"
    "../page/settings.js"
    "../page/look.js"
    "../page/pieces.js"
    "../page/wood.js"
    "../page/board.js"
    "../page/hands.js"
    "../page/arrows.js"
    "../page/player-bars.js"
    "../page/store.js"
    "../page/drawing.js"
    "../page/record.js"
    "../page/session.js"
    "../page/tree.js"
    "../page/curve.js"
    "../page/learn.js"
    "../page/review.js"
    "../page/notices.js"
    "../page/sound.js"
    "../page/preferences.js"
    "../page/walk.js"
    "../page/share.js"
    "replay.js"
    "../page/board.css"
}

/// The name of a file within the page.
pub fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The name of this export, beside the formats of records.
pub(super) const FORMAT: &str = "html";

/// A record with its review as such a file.
pub fn replay_html(record: &Record, review: Option<Review>) -> String {
    html(record, review.map(|review| Reviewed::of(record, review.moves, review.complete)).as_ref(), &built_in())
        .expect("the program has all of its files")
}

/// None if a file is lacking.
pub(super) fn html(record: &Record, review: Option<&Reviewed>, files: &Files) -> Option<String> {
    let (script, style, data) = (script(files)?, files.get("board.css")?, data(record, review));
    let [black, white] =
        Color::ALL.map(|color| record.header.player(color).map_or_else(|| color.to_string(), str::to_owned));
    Some(format!(
        r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>{} – {}</title>
<style>{style}</style>
</head>
<body>
<noscript>This game needs JavaScript. この棋譜の再生にはJavaScriptが必要です。</noscript>
<script type="application/json" id="game">{data}</script>
<script>{script}</script>
</body>
</html>
"#,
        source(&script),
        source(style),
        escaped(&black),
        escaped(&white),
    ))
}

/// The data of the page's script.
#[derive(Serialize)]
struct Data {
    messages: [Message; 2],
    /// The nodes at which the side to move is in check.
    checks: Vec<NodeId>,
    /// The extensions of record formats with the game's text; `null` if the format cannot hold it.
    records: [(&'static str, Option<String>); 2],
}

/// The game with the lines that its review found better. Their words are in the review, for the page to say in the
/// reader's language.
fn data(record: &Record, review: Option<&Reviewed>) -> String {
    let mut shown = Study::of(record.clone(), None);
    if let Some(review) = review {
        annotate(&mut shown.record, &review.moves, Language::English);
    }
    let mut study = shown.view();
    for node in &mut study.nodes {
        node.comment = record.get(node.id).map_or_else(String::new, |node| node.notes().comment.clone());
    }
    let in_check = |id| shown.record.position(id).is_some_and(|position| position.in_check());
    let checks: Vec<_> = study.nodes.iter().map(|node| node.id).filter(|&id| in_check(id)).collect();
    let review = Message::Review { review: review.map(|review| review.view.clone()) };
    let records = [Format::Kif, Format::Pgn].map(|format| (format.extension(), record.to_text(format).ok()));
    let data = Data { messages: [Message::Study(study), review], checks, records };
    // No text can end the element that it stands in.
    serde_json::to_string(&data).expect("messages have string keys and finite numbers").replace('<', "\\u003c")
}

/// The modules as one script.
fn script(files: &Files) -> Option<String> {
    let mut script = "\"use strict\";\n".to_owned();
    for name in modules() {
        wrap(&mut script, name, files.get(name)?);
    }
    Some(script)
}

fn modules() -> impl Iterator<Item = &'static str> {
    PATHS.iter().map(|path| name_of(path)).filter(|name| name.ends_with(".js"))
}

/// The lines of a module, with each import in one line.
fn lines(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let mut lines = text.lines();
    std::iter::from_fn(move || {
        let line = lines.next()?;
        if line != "import {" {
            return Some(line.into());
        }
        let mut import = line.to_owned();
        while !import.ends_with(';') {
            import += lines.next()?.trim_start();
        }
        Some(import.into())
    })
}

/// Adds a module as a constant with what it exports. The page's modules export by whole lines.
fn wrap(script: &mut String, name: &str, text: &str) {
    let mut exported = Vec::new();
    let _ = writeln!(script, "const {} = (() => {{", constant(name));
    for line in lines(text) {
        if let Some(import) = line.strip_prefix("import ") {
            let (names, from) = import.split_once(" from \"./").unwrap_or_default();
            let names = if names.starts_with('{') { names.to_owned() } else { format!("{{ default: {names} }}") };
            let _ = writeln!(script, "const {names} = {};", constant(from.trim_end_matches("\";")));
        } else if let Some(text) = line.strip_prefix("export default ") {
            exported.push("default: texts".to_owned());
            let _ = writeln!(script, "const texts = {text}");
        } else if let Some(export) = line.strip_prefix("export ") {
            exported.push(declared_name(export).unwrap_or_default().to_owned());
            let _ = writeln!(script, "{export}");
        } else {
            let _ = writeln!(script, "{line}");
        }
    }
    let _ = writeln!(script, "return {{ {} }};\n}})();", exported.join(", "));
}

/// `async function play(move) {` → `play`.
fn declared_name(declaration: &str) -> Option<&str> {
    declaration.trim_start_matches("async ").split_once(' ')?.1.split(['(', ' ']).next()
}

/// `player-bars.js` → `player_bars_js`.
fn constant(module: &str) -> String {
    module.replace(['-', '.'], "_")
}

/// The name of an inline script or style in a policy: its hash.
fn source(text: &str) -> String {
    format!("sha256-{}", base64::prelude::BASE64_STANDARD.encode(Sha256::digest(text)))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_module_has_what_it_imports_before_it_and_ends_no_element() {
        let files = built_in();
        let modules: Vec<&str> = modules().collect();
        for (index, name) in modules.iter().enumerate() {
            let text = &files[*name];
            for import in lines(text).filter(|line| line.starts_with("import ")) {
                let (names, from) = import.split_once(" from \"./").expect("an import is one line");
                let from = from.trim_end_matches("\";");
                assert!(modules[..index].contains(&from), "{name}: {from} comes later");
                // A module without braces is imported whole.
                let names = names.strip_prefix("import {").unwrap_or_default().trim_end_matches('}').split(',');
                for imported in names.map(str::trim).filter(|imported| !imported.is_empty()) {
                    let mut exported = files[from].lines().filter_map(|line| line.strip_prefix("export "));
                    assert!(
                        exported.any(|export| declared_name(export) == Some(imported)),
                        "{name}: {from} has no {imported}"
                    );
                }
            }
            assert!(!text.contains("</script") && !text.contains("<!--"), "{name}");
        }
        assert!(!files["board.css"].contains("</style"));
    }

    #[test]
    fn a_page_knows_where_the_king_is_in_check() {
        let mut record = Record::new("5k/6/6/6/6/K4r b - 1".parse().unwrap());
        record.play(crate::record::NodeId::ROOT, "6f6e".parse().unwrap()).unwrap();
        let data: serde_json::Value = serde_json::from_str(&data(&record, None)).unwrap();
        assert_eq!(data["checks"], serde_json::json!([0]));
    }

    #[test]
    fn names_and_comments_stay_text() {
        let mut record = Record::new(crate::shogi::Position::startpos());
        record.header.players[0] = Some("</title><b>&".to_owned());
        let node = record.play(crate::record::NodeId::ROOT, "6e6d".parse().unwrap()).unwrap();
        record.set_comment(node, "</script><script>alert(1)</script>").unwrap();
        let file = replay_html(&record, None);
        assert!(file.contains("<title>&lt;/title&gt;&lt;b&gt;&amp; – White</title>"));
        assert_eq!(file.matches("</script>").count(), 2);
        let (_, data) = file.split_once(r#"id="game">"#).unwrap();
        let data: serde_json::Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
        assert_eq!(data["messages"][0]["nodes"][1]["comment"], "</script><script>alert(1)</script>");
    }
}
