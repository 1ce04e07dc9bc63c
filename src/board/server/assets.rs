//! The page's files, embedded in the program.

/// Embeds files of the page's folder.
macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_bytes!(concat!("../page/", $name)))),+]
    };
}

pub const INDEX: &[u8] = include_bytes!("../page/index.html");

/// The names and contents of the files. Scripts and the style sheet: [`asset`] knows no other types.
const ASSETS: &[(&str, &[u8])] = files![
    "analysis.js",
    "arrows.js",
    "bar.js",
    "board-view.js",
    "board.css",
    "board.js",
    "controls.js",
    "curve.js",
    "dialogs.js",
    "dom.js",
    "drawing.js",
    "editor.js",
    "engines.js",
    "explorer.js",
    "files.js",
    "games.js",
    "hands.js",
    "i18n.js",
    "icons.js",
    "input.js",
    "keys.js",
    "learn.js",
    "lessons.js",
    "library.js",
    "look.js",
    "main.js",
    "marks.js",
    "names.js",
    "newgame.js",
    "notes.js",
    "notices.js",
    "outage.js",
    "panels.js",
    "pieces.js",
    "play.js",
    "player-bars.js",
    "preferences.js",
    "problem.js",
    "promotion.js",
    "record.js",
    "requests.js",
    "review.js",
    "session.js",
    "settings.js",
    "share.js",
    "shogi.js",
    "socket.js",
    "solve.js",
    "sound.js",
    "store.js",
    "texts.js",
    "tree.js",
    "typed.js",
    "walk.js",
    "welcome.js",
    "wood.js",
];

/// A `Link` header for the page: the browser loads all modules at once instead of one import after another.
pub fn preloads() -> String {
    let modules = ASSETS.iter().map(|(name, _)| name).filter(|name| name.ends_with(".js"));
    modules.map(|name| format!("</assets/{name}>; rel=modulepreload")).collect::<Vec<_>>().join(", ")
}

/// The content and the type of an asset.
pub fn asset(name: &str) -> Option<(&'static [u8], &'static str)> {
    let (name, content) = ASSETS.iter().find(|(other, _)| *other == name)?;
    let is_style = name.ends_with(".css");
    let kind = if is_style { "text/css; charset=utf-8" } else { "text/javascript; charset=utf-8" };
    Some((content, kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_served_and_together_they_are_small() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/board/page");
        let mut total = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            total += entry.metadata().unwrap().len();
            assert!(name == "index.html" || asset(&name).is_some(), "{name} is not in the list");
        }
        assert!(total < 300_000, "the page has {total} bytes");
    }
}
