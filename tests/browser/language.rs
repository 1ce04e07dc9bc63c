//! English and Japanese.

use serde_json::{Value, json};

use crate::server::Board;
use crate::{on_the_page, on_the_page_of, views};

/// Keys in the page's own sources that look like keys of texts and have no text; and texts that are the same in both
/// languages.
const CHECK: &str = r#"(async () => {
    const [i18n, texts] = await Promise.all(['i18n', 'texts'].map((name) => import(`/assets/${name}.js`)));
    const before = i18n.language();
    const names = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
    const files = names.filter((name) => name.endsWith('.js') && !/(i18n|texts)\.js$/.test(name));
    const sources = await Promise.all(files.map(async (name) => (await fetch(name)).text()));
    const lines = texts.default.trim().split('\n');
    const groups = lines.filter((line) => line[0] === '[').map((line) => line.slice(1, -1));
    const literals = sources.flatMap((source) => [...source.matchAll(/(?<!\b[hs]\(\s*)"([a-z]+)(\.[A-Za-z.]+)"/g)]);
    const keys = literals.filter(([, group]) => groups.includes(group)).map(([, group, rest]) => group + rest);
    i18n.setLanguage('en');
    const missing = keys.filter((key) => i18n.t(key) === key);
    const pairs = lines.map((line, index) => [line, lines[index - 1]]).filter(([line]) => line[0] === '=');
    const same = pairs.map(([line, english]) => [line.slice(1), english.slice(english.indexOf(': ') + 2)])
        .filter(([japanese, english]) => japanese === english).map(([text]) => text);
    i18n.setLanguage(before);
    return { keys: keys.length, missing, same };
})()"#;

/// Texts and labels on the page that are keys.
const BARE_KEYS: &str = "(() => {
    const texts = [...document.querySelectorAll('*')].filter((each) => !each.matches('script, style')).flatMap((each) =>
        [each.ariaLabel, each.title, each.placeholder,
            ...[...each.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data)]);
    return texts.filter((text) => /^[a-z]+\\.[a-z]+(\\.[a-z]+)*$/.test(text ?? ''));
})()";

/// Buttons whose icon is not drawn.
const EMPTY_ICONS: &str = "[...document.querySelectorAll('svg.icon path')]\
    .filter((path) => !path.getAttribute('d')?.startsWith('M')).map((path) => path.closest('button')?.outerHTML)";

/// All texts of the page that have a key.
const TEXTS: &str = "[...document.querySelectorAll('[data-t]')].map((each) => each.textContent)";

#[test]
#[ignore = "needs chromedriver"]
fn every_text_is_there_in_both_languages() {
    on_the_page(|page| {
        let found = page.run_async(CHECK);
        assert!(found["keys"].as_u64() > Some(100), "{found}");
        assert_eq!(found["missing"], json!([]));
        let same = found["same"].as_array().expect("it is a list").iter().filter_map(Value::as_str);
        let names = ["English", "日本語", "SVG", "PNG", "USI", "{text}"];
        assert_eq!(same.filter(|text| !names.contains(text)).count(), 0, "{found}");
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn the_switch_changes_every_view_to_japanese() {
    on_the_page(|page| {
        let english = page.value(TEXTS);
        page.becomes("document.documentElement.lang", "en");
        page.press_key("bar.language");
        page.wait("document.documentElement.lang === 'ja'");
        let japanese = page.value(TEXTS);
        for (en, ja) in english.as_array().into_iter().flatten().zip(japanese.as_array().into_iter().flatten()) {
            assert_ne!(en, ja);
        }
        page.wait("document.querySelector(\"[data-square='6f']\").ariaLabel === '6六、先手の玉'");
        views::visit(page, |view| {
            assert_eq!(page.value(BARE_KEYS), json!([]), "{view}");
            assert_eq!(page.value(EMPTY_ICONS), json!([]), "{view}");
        });
        page.press(".tree [data-ply='1']");
        page.wait("document.querySelector(\".tree [data-ply='1'] .san\").textContent.startsWith('▲')");
        // It is kept for the next visit.
        page.go_to(&page.text("location.href"));
        page.becomes("document.documentElement.lang", "ja");
        page.press_key("bar.language");
        page.wait("document.documentElement.lang === 'en'");
        assert_eq!(page.value(BARE_KEYS), json!([]));
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn pieces_carry_letters_where_no_font_has_kanji() {
    on_the_page_of(Board::start(), |page, board| {
        for (width, king) in [(99, "玉"), (60, "K")] {
            let measure = format!("CanvasRenderingContext2D.prototype.measureText = () => ({{ width: {width} }});");
            page.developer("Page.addScriptToEvaluateOnNewDocument", json!({"source": measure}));
            page.go_to(&board.url);
            page.press_key("bar.edit");
            page.shown(".editor");
            let signs =
                page.text("[...document.querySelectorAll('svg text')].map((sign) => sign.textContent).join('')");
            assert!(signs.contains(king), "{signs}");
            assert_eq!(signs.is_ascii(), king == "K", "{signs}");
        }
    });
}
