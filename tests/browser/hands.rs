//! Input on the board: clicks, touches, drags, and keys.

use std::time::Duration;

use fantoccini::actions::{
    Actions, InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT, MouseActions, PointerAction,
    TouchActions,
};
use fantoccini::key::Key;
use serde_json::json;

use crate::page::{Page, wait_for};

/// More elements than this are on no page.
const MOST_TABS: usize = 200;

/// The number of the current move; 0 at the start.
const PLY: &str = "Number(document.querySelector('.move.current')?.dataset.ply ?? 0)";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Clicks,
    DoubleClick,
    Taps,
    MouseDrag,
    TouchDrag,
    Keys,
}

pub fn square(name: &str) -> String {
    format!("[data-square='{name}']")
}

pub fn in_hand(color: &str, kind: char) -> String {
    format!("[data-hand='{kind}'][data-color='{color}']")
}

impl Page {
    /// Makes a move from the position on the board, and waits until the program has it.
    pub fn play(&self, way: Way, mv: &str) {
        let ply = self.ply();
        self.start(way, mv);
        if self.asks_promotion() {
            self.answer(way, mv.ends_with('+'));
        }
        // An engine may have answered by now.
        self.wait(&format!("{PLY} > {ply}"));
    }

    pub fn ply(&self) -> u64 {
        self.value(PLY).as_u64().unwrap_or_default()
    }

    /// Waits until the move with this number is current and the program has confirmed it.
    pub fn wait_ply(&self, ply: u64) {
        self.becomes(PLY, ply);
    }

    /// Makes a move up to the question whether it promotes.
    pub fn start(&self, way: Way, mv: &str) {
        let target = square(&mv[2..4]);
        let source = if mv.as_bytes()[1] == b'*' {
            let side = if self.sfen().contains(" b ") { "black" } else { "white" };
            in_hand(side, char::from(mv.as_bytes()[0]))
        } else {
            square(&mv[..2])
        };
        match way {
            Way::Clicks | Way::DoubleClick | Way::Taps => {
                self.point(way, &[&source]);
                self.point(way, &[&target]);
            }
            Way::MouseDrag | Way::TouchDrag => self.point(way, &[&source, &target]),
            Way::Keys => {
                self.focus_board();
                if mv.as_bytes()[1] == b'*' {
                    self.key(char::from(mv.as_bytes()[0]).to_ascii_lowercase());
                } else {
                    self.walk_to(&mv[..2]);
                    self.key(Key::Enter);
                }
                self.walk_to(&mv[2..4]);
                self.key(Key::Enter);
            }
        }
    }

    /// Whether it is asked at the square if a piece promotes.
    pub fn asks_promotion(&self) -> bool {
        self.value("Boolean(document.querySelector('.promotion'))") == true
    }

    pub fn answer(&self, way: Way, promotes: bool) {
        match way {
            Way::Keys => self.key(if promotes { '+' } else { '=' }),
            Way::Taps | Way::TouchDrag => self.point(Way::Taps, &[answer_button(promotes)]),
            Way::Clicks | Way::DoubleClick | Way::MouseDrag => self.point(Way::Clicks, &[answer_button(promotes)]),
        }
        self.wait("!document.querySelector('.promotion')");
    }

    /// Puts a pointer down on the first element and up on the last.
    pub fn point(&self, way: Way, selectors: &[&str]) {
        let places: Vec<_> = selectors.iter().map(|selector| self.centre(selector)).collect();
        let step = Some(Duration::from_millis(20));
        let to = |(x, y): (f64, f64), duration| PointerAction::MoveTo { duration, x, y };
        let mut actions = vec![to(places[0], None), PointerAction::Down { button: MOUSE_BUTTON_LEFT }];
        for &place in &places[1..] {
            // Past the trembling that is no drag, then all the way.
            actions.push(PointerAction::MoveBy { duration: step, x: 7.0, y: 7.0 });
            actions.push(to(place, step));
            actions.push(PointerAction::MoveBy { duration: None, x: 1.0, y: 1.0 });
        }
        actions.push(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        if way == Way::DoubleClick {
            actions.extend_from_within(1..);
        }
        self.pointer(matches!(way, Way::Taps | Way::TouchDrag), actions);
    }

    /// Does these with a finger or the mouse.
    fn pointer(&self, is_touch: bool, actions: impl IntoIterator<Item = PointerAction>) {
        let actions = actions.into_iter();
        wait_for(self.client.perform_actions(if is_touch {
            Actions::from(actions.fold(TouchActions::new("finger".to_owned()), InputSource::then))
        } else {
            Actions::from(actions.fold(MouseActions::new("mouse".to_owned()), InputSource::then))
        }));
    }

    /// Draws from a square to another: with the right button or, by taps, with a long press.
    pub fn draw(&self, way: Way, from: &str, to: &str) {
        let [start, end] = [from, to].map(|name| self.centre(&square(name)));
        let step = Some(Duration::from_millis(20));
        let is_touch = way == Way::Taps;
        let button = if is_touch { MOUSE_BUTTON_LEFT } else { MOUSE_BUTTON_RIGHT };
        let actions = [
            PointerAction::MoveTo { duration: None, x: start.0, y: start.1 },
            PointerAction::Down { button },
            PointerAction::Pause { duration: Duration::from_millis(if is_touch { 900 } else { 0 }) },
            PointerAction::MoveTo { duration: step, x: end.0, y: end.1 },
            PointerAction::Up { button },
        ];
        self.pointer(is_touch, actions);
    }

    /// Presses the middle of an element and lets go; `at` is when, in seconds of the browser's clock, however long it
    /// takes here. A mouse's click is the `count`th of a row.
    pub fn press_at(&self, way: Way, selector: &str, at: f64, count: u32) {
        let (x, y) = self.centre(selector);
        let (command, events) = match way {
            Way::Taps => (
                "Input.dispatchTouchEvent",
                [
                    json!({"type": "touchStart", "touchPoints": [{"x": x, "y": y}], "timestamp": at}),
                    json!({"type": "touchEnd", "touchPoints": [], "timestamp": at}),
                ],
            ),
            _ => (
                "Input.dispatchMouseEvent",
                ["mousePressed", "mouseReleased"].map(|kind| {
                    json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": count, "timestamp": at})
                }),
            ),
        };
        for event in events {
            self.developer(command, event);
        }
    }

    /// The time of the browser's clock, in seconds.
    pub fn now(&self) -> f64 {
        self.value("(performance.timeOrigin + performance.now()) / 1000").as_f64().expect("it is a number")
    }

    /// Presses Enter or the space bar, and holds it until it has repeated itself.
    pub fn hold_key(&self, key: &str) {
        let code = if key == "Enter" { 13 } else { 32 };
        let text = if key == "Enter" { "\r" } else { key };
        let event = |kind: &str, repeats: bool| {
            self.developer(
                "Input.dispatchKeyEvent",
                json!({
                    "type": kind, "key": key, "windowsVirtualKeyCode": code, "autoRepeat": repeats,
                    "text": if kind == "keyUp" { "" } else { text },
                }),
            );
        };
        for repeats in [false, true, true] {
            event("keyDown", repeats);
        }
        event("keyUp", false);
    }

    /// The middle of an element, in the window.
    pub fn centre(&self, selector: &str) -> (f64, f64) {
        self.shown(selector);
        let script = "const element = document.querySelector(arguments[0]);\
            element.scrollIntoView({ block: 'nearest' });\
            const box = element.getBoundingClientRect();\
            return [box.x + box.width / 2, box.y + box.height / 2];";
        let place = self.run_with(script, vec![json!(selector)]);
        (place[0].as_f64().expect("it is a number"), place[1].as_f64().expect("it is a number"))
    }

    pub fn key(&self, key: impl Into<char>) {
        let value = key.into();
        self.strokes([KeyAction::Down { value }, KeyAction::Up { value }]);
    }

    fn strokes(&self, actions: impl IntoIterator<Item = KeyAction>) {
        let keys = actions.into_iter().fold(KeyActions::new("keys".to_owned()), KeyActions::then);
        wait_for(self.client.perform_actions(keys));
    }

    /// Presses a key while another is held.
    pub fn key_with(&self, held: Key, key: char) {
        let held = char::from(held);
        let down = |value| KeyAction::Down { value };
        let up = |value| KeyAction::Up { value };
        self.strokes([down(held), down(key), up(key), up(held)]);
    }

    /// Types a text where the focus is.
    pub fn type_text(&self, text: &str) {
        self.strokes(text.chars().flat_map(|value| [KeyAction::Down { value }, KeyAction::Up { value }]));
    }

    /// Goes on with the Tab key until the focus is on such an element.
    pub fn tab_to(&self, selector: &str) {
        let is_there = format!("Boolean(document.activeElement?.matches({}))", json!(selector));
        for _ in 0..MOST_TABS {
            if self.value(&is_there) == true {
                return;
            }
            self.key(Key::Tab);
        }
        panic!("the Tab key does not lead to {selector}");
    }

    /// Goes to the board with its key, which is another one's there.
    pub fn focus_board(&self) {
        if self.value("document.activeElement !== document.querySelector('.board')") == true {
            self.key('b');
        }
    }

    /// Walks over the board with the arrow keys.
    pub fn walk_to(&self, name: &str) {
        let place = |name: &str| (i32::from(name.as_bytes()[0]), i32::from(name.as_bytes()[1]));
        let at = self.text("document.querySelector('.board').getAttribute('aria-activedescendant')");
        let (from, to) = (place(at.trim_start_matches("square-")), place(name));
        // Files count from the right.
        for _ in 0..(to.0 - from.0).abs() {
            self.key(if to.0 > from.0 { Key::Left } else { Key::Right });
        }
        for _ in 0..(to.1 - from.1).abs() {
            self.key(if to.1 > from.1 { Key::Down } else { Key::Up });
        }
    }
}

const fn answer_button(promotes: bool) -> &'static str {
    if promotes { ".promotion button:first-child" } else { ".promotion button:last-child" }
}
