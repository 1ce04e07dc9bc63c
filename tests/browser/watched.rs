//! Engines that play each other, and their series.

use crate::on_the_page;
use crate::page::button;

#[test]
#[ignore = "needs chromedriver"]
fn a_series_shows_its_score_and_what_both_engines_think() {
    on_the_page(|page| {
        page.press_key("bar.new");
        page.press_key("new.opponent.watch");
        for (colour, level, nodes) in [("black", "1", "300"), ("white", "3", "3000")] {
            page.choose(&format!("#field-{colour}-level"), level);
            page.choose(&format!("#field-{colour}-limit"), "nodes");
            page.fill(&format!("#field-{colour}-nodes"), nodes);
        }
        page.fill("#field-games", "4");
        page.press("dialog [type=submit]");
        page.wait("[...document.querySelectorAll('.engine:not([hidden]) .line')].length === 2");
        for (index, sign) in [(0, "▲"), (1, "△")] {
            let panel = format!("document.querySelectorAll('.engine:not([hidden])')[{index}]");
            page.wait(&format!("{panel}.querySelector('.engine-name').textContent.startsWith('{sign} judkins')"));
            page.wait(&format!("{panel}.querySelector('.engine-score').textContent !== ''"));
        }
        // A curve for each, and scores with the moves, while they play.
        page.wait(
            "[...document.querySelectorAll('.curve-line')].every((line) => line.getAttribute('d').includes('L'))",
        );
        page.shown(".move-score");
        let score = r"/^judkins.* Lv1 [\d.]+ : [\d.]+ judkins.* Lv3 \(\+\d =\d −\d\)$/.test(line.textContent)";
        page.wait(&format!("[...document.querySelectorAll('.status-more')].some((line) => {score})"));
        page.wait("/^Series: 4 of 4/.test(document.querySelector('.status').textContent)");
        page.shown(&button("play.rematch"));
        // Every game is in the library.
        page.press_key("library.title");
        page.wait("document.querySelectorAll('.kept-game').length === 4");
    });
}
