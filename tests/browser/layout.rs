//! Narrow windows.

use serde_json::{Value, json};

use crate::hands::Way;
use crate::on_the_page;
use crate::page::{Page, button};
use crate::views;

/// Nothing is wider than the window, and every control can be scrolled to and pressed.
const CHECK: &str = "
    const problems = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) problems.push(`${scrollWidth} px wide`);
    const root = document.querySelector('dialog') ?? document.body;
    for (const control of root.querySelectorAll('button, input, select, textarea, a[href], summary, [role=slider]')) {
        if (!control.checkVisibility({ visibilityProperty: true })) continue;
        if (control.disabled || control.matches('.skip')) continue;
        control.scrollIntoView({ block: 'center', inline: 'nearest' });
        const box = control.getBoundingClientRect();
        const name = control.ariaLabel || control.textContent || control.id || control.outerHTML;
        const fits = box.left > -0.5 && box.right < clientWidth + 0.5;
        if (!fits) problems.push(`${name}: from ${box.left} to ${box.right}`);
        const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        const isHit = control.contains(hit) || hit?.contains(control);
        if (!isHit) problems.push(`${name} is covered by ${hit?.outerHTML.slice(0, 80)}`);
    }
    scrollTo(0, 0);
    return problems;";

fn check(page: &Page, view: &str) {
    assert_eq!(page.run(CHECK, vec![]), json!([]), "{view}");
}

#[test]
fn a_window_of_320_pixels_shows_the_whole_board_and_reaches_every_control() {
    on_the_page(|page| {
        page.resize(320, 568);
        views::visit(page, |view| {
            check(page, view);
            if view == "play" {
                let board: Value = page.value(
                    "(({ left, right, top, bottom }) => ({ left, right, top, bottom }))\
                        (document.querySelector('.board').getBoundingClientRect())",
                );
                let edge = |name: &str| board[name].as_f64().expect("it is a number");
                assert!(edge("left") >= 0.0 && edge("right") <= 320.0, "{board}");
                assert!(edge("top") >= 0.0 && edge("bottom") <= 568.0, "{board}");
                assert!(edge("right") - edge("left") > 240.0, "the board is small: {board}");
            }
        });
        page.paste("startpos");
        page.play(Way::Taps, "6e6d");
        page.press(&button("nav.previous"));
        page.wait_ply(0);
        // Telephones, tablets, halves of screens.
        for width in [360, 375, 390, 412, 480, 600, 640, 768, 860, 1024, 1120, 1280] {
            page.resize(width, 640);
            check(page, &format!("{width} pixels"));
        }
    });
}
