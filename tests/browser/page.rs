//! A page in the browser: its content, and its user's actions.

use std::fmt::Debug;
use std::future::Future;
use std::path::Path;
use std::time::{Duration, Instant};

use fantoccini::elements::{Element, ElementRef};
use fantoccini::wd::WindowHandle;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};

use crate::driver::{Extension, browser, give_back, runtime, start_browser};

/// The timeout of any action on a busy machine.
const PATIENCE: Duration = Duration::from_secs(40);
/// The longest time between two looks at a page that is waited for.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Where the pictures go that a test is asked for; none are taken without.
const PICTURES: &str = "JUDKINS_BROWSER_PICTURES";

/// A browser with the page in it. No other test uses it meanwhile.
pub struct Page {
    pub(crate) client: Client,
    has_profile: bool,
    /// Trouble with the connection is expected, and no fault of the page.
    pub loses_connection: bool,
}

impl Page {
    /// Opens an address, and waits until the page is ready.
    pub fn open(url: &str) -> Page {
        let page = Page::blank();
        page.go_to(url);
        page
    }

    /// A page that shows nothing yet.
    pub fn blank() -> Page {
        Page { client: browser(), has_profile: false, loses_connection: false }
    }

    /// As [`Page::open`], with a script that runs before the page's own, whenever the page is loaded.
    pub fn open_with(script: &str, url: &str) -> Page {
        let page = Page::blank();
        page.developer("Page.addScriptToEvaluateOnNewDocument", json!({"source": script}));
        page.go_to(url);
        page
    }

    /// As [`Page::open`], in a browser with this profile, which ends with the value.
    pub fn open_in(profile: &Path, url: &str) -> Page {
        let page = Page { client: start_browser(Some(profile)), has_profile: true, loses_connection: false };
        page.go_to(url);
        page
    }

    /// Opens an address of the board in this window.
    pub fn go_to(&self, url: &str) {
        self.visit(url);
        self.wait("document.body.dataset.ready");
    }

    pub fn reload(&self) {
        self.run("delete document.body.dataset.ready; location.reload();");
        self.wait("document.body?.dataset.ready");
    }

    /// Opens any address in this window.
    pub fn visit(&self, url: &str) {
        wait_for(self.client.goto(url));
    }

    /// The value of an expression in the page.
    pub fn value(&self, expression: &str) -> Value {
        self.run(&format!("return {expression};"))
    }

    /// Runs statements in the page.
    pub fn run(&self, script: &str) -> Value {
        self.run_with(script, vec![])
    }

    /// As [`Page::run`], with `arguments`.
    pub fn run_with(&self, script: &str, arguments: Vec<Value>) -> Value {
        wait_for(self.client.execute(script, arguments))
    }

    /// As [`Page::run`], for what a promise holds in the end.
    pub fn run_async(&self, promise: &str) -> Value {
        let script = format!("const done = arguments[0]; ({promise}).then(done, (error) => done(String(error)));");
        wait_for(self.client.execute_async(&script, vec![]))
    }

    /// A text that an expression is worth.
    pub fn text(&self, expression: &str) -> String {
        self.value(expression).as_str().unwrap_or_default().to_owned()
    }

    /// The value of an expression; null while an element that it looks into is missing.
    fn present_value(&self, expression: &str) -> Value {
        let script = format!(
            "try {{ return {expression}; }} catch (error) {{ if (error instanceof TypeError) return null; throw error; }}"
        );
        self.run(&script)
    }

    /// Waits until an expression is true, and returns it. An element that it looks into may come later.
    pub fn wait(&self, expression: &str) -> Value {
        let attempt = || Some(self.present_value(&format!("({expression}) || null"))).filter(|value| !value.is_null());
        self.patiently(expression, attempt)
    }

    /// Waits until an expression has this value: the page draws a change in a later frame.
    pub fn becomes(&self, expression: &str, expected: impl Into<Value>) {
        let expected = expected.into();
        let start = Instant::now();
        loop {
            let value = self.present_value(expression);
            if value == expected {
                return;
            }
            pause(start, || format!("{expression} is {value}, not {expected}"));
        }
    }

    /// Waits until there is a value.
    pub fn patiently<T>(&self, what: &str, attempt: impl Fn() -> Option<T>) -> T {
        let start = Instant::now();
        loop {
            if let Some(value) = attempt() {
                return value;
            }
            pause(start, || format!("this never was so: {what}"));
        }
    }

    /// Waits until such an element is shown.
    pub fn shown(&self, selector: &str) {
        self.wait(&visible(selector));
    }

    pub fn is_shown(&self, selector: &str) -> bool {
        self.value(&format!("Boolean({})", visible(selector))) == true
    }

    /// Waits until no such element is shown.
    pub fn hidden(&self, selector: &str) {
        self.wait(&format!("!{}", visible(selector)));
    }

    /// Presses the first such element that is shown, once it can be pressed.
    pub fn press(&self, selector: &str) {
        self.press_found(&visible(selector));
    }

    /// Presses the button on which these words stand.
    pub fn press_words(&self, words: &str) {
        self.press_found(&format!("{}.find((each) => each.textContent === {})", all_visible("button"), json!(words)));
    }

    fn press_found(&self, element: &str) {
        let found = self.wait(&format!("((found) => found?.disabled ? null : found)({element})"));
        let (_, reference) = found.as_object().and_then(|fields| fields.iter().next()).expect("it is an element");
        let reference = ElementRef::from(reference.as_str().unwrap_or_default().to_owned());
        wait_for(Element::from_element_id(self.client.clone(), reference).click());
    }

    /// Presses the button whose words or label have this key in the list of texts.
    pub fn press_key(&self, key: &str) {
        self.press(&button(key));
    }

    /// Replaces the content of a field.
    pub fn fill(&self, selector: &str, text: &str) {
        self.shown(selector);
        let script = "const field = document.querySelector(arguments[0]); field.focus(); field.select();\
            document.execCommand('insertText', false, arguments[1]);";
        self.run_with(script, vec![json!(selector), json!(text)]);
    }

    pub fn choose(&self, selector: &str, value: &str) {
        self.shown(selector);
        let script = "const list = document.querySelector(arguments[0]); list.value = arguments[1];\
            list.dispatchEvent(new Event('change'));";
        self.run_with(script, vec![json!(selector), json!(value)]);
    }

    pub fn sfen(&self) -> String {
        self.text("document.querySelector('.board').dataset.sfen")
    }

    /// Waits until this position is on the board.
    pub fn wait_sfen(&self, sfen: &str) {
        self.becomes("document.querySelector('.board').dataset.sfen", sfen);
    }

    /// Waits until this number of moves is listed.
    pub fn wait_moves(&self, count: usize) {
        self.becomes("document.querySelectorAll('.move').length", count);
    }

    /// Pastes a record or a position through the dialog.
    pub fn paste(&self, text: &str) {
        self.wait("document.activeElement?.blur() ?? true");
        self.key('o');
        self.shown("dialog textarea");
        self.fill("dialog textarea", text);
        self.press("dialog [type=submit]");
        self.wait("!document.querySelector('dialog')");
    }

    /// Pastes a position, and waits until it is on the board.
    pub fn paste_position(&self, sfen: &str) {
        self.paste(sfen);
        self.wait_sfen(sfen);
    }

    /// Opens the editor, and writes a position into its field.
    pub fn edit(&self, sfen: &str) {
        self.press_key("bar.edit");
        self.fill(".editor input.mono", sfen);
    }

    /// Drops a file of this name and text on the page.
    pub fn drop_file(&self, name: &str, text: &str) {
        let drop = "const dataTransfer = new DataTransfer();\
            dataTransfer.items.add(new File([arguments[1]], arguments[0]));\
            for (const name of ['dragenter', 'dragover', 'drop'])\
                document.body.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }));";
        self.run_with(drop, vec![json!(name), json!(text)]);
    }

    /// The tab that is looked at.
    pub fn window(&self) -> WindowHandle {
        wait_for(self.client.window())
    }

    /// Opens an address of the board in a new tab, and looks at it.
    pub fn new_tab(&self, url: &str) -> WindowHandle {
        let tab = wait_for(self.client.new_window(true)).handle;
        self.switch_to(&tab);
        self.go_to(url);
        tab
    }

    /// Closes the tab that is looked at.
    pub fn close_tab(&self) {
        wait_for(self.client.close_window());
    }

    pub fn switch_to(&self, tab: &WindowHandle) {
        wait_for(self.client.switch_to_window(tab.clone()));
    }

    /// Sets the size of the window's inside, in CSS pixels. Windows themselves have a least width.
    pub fn resize(&self, width: u32, height: u32) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.developer("Emulation.setDeviceMetricsOverride", metrics);
        self.wait(&format!("[innerWidth, document.documentElement.clientWidth].includes({width})"));
    }

    /// A command of Chromium's developer protocol.
    pub fn developer(&self, command: &str, parameters: Value) -> Value {
        wait_for(self.client.issue_cmd(Extension::developer(command, &parameters)))
    }

    /// A picture of an element, as PNG.
    pub fn picture_of(&self, selector: &str) -> Vec<u8> {
        self.shown(selector);
        let scroll = "document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })";
        self.run_with(scroll, vec![json!(selector)]);
        let element = wait_for(self.client.find(Locator::Css(selector)));
        wait_for(element.screenshot())
    }

    /// Takes a picture where pictures are asked for.
    pub fn picture(&self, name: &str) {
        if let Some(folder) = std::env::var_os(PICTURES) {
            self.save_picture(Path::new(&folder), name);
        }
    }

    fn save_picture(&self, folder: &Path, name: &str) {
        let Ok(picture) = runtime().block_on(self.client.screenshot()) else { return };
        let path = folder.join(format!("{name}.png"));
        let saved = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, picture));
        println!("{}: {saved:?}", path.display());
    }

    /// The browser's new log entries: warnings and errors.
    pub fn complaints(&self) -> Vec<String> {
        let log = wait_for(self.client.issue_cmd(Extension::log()));
        let entries = log.as_array().expect("it is a list").iter();
        let bad = entries.filter(|entry| matches!(entry["level"].as_str(), Some("WARNING" | "SEVERE")));
        bad.map(|entry| entry["message"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Checks that nothing was complained of, and nothing came from elsewhere.
    pub fn check_quiet(&self) {
        let complaints = self.complaints();
        assert!(self.loses_connection || complaints.is_empty(), "the browser complains: {complaints:#?}");
        let foreign = self.value(
            "performance.getEntriesByType('resource').map((entry) => entry.name)\
                .filter((name) => !/^(data|blob):/.test(name) && new URL(name).host !== location.host)",
        );
        assert_eq!(foreign, json!([]), "the page loads from elsewhere");
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let name = std::thread::current().name().unwrap_or("test").replace("::", "-");
            self.save_picture(Path::new(env!("CARGO_TARGET_TMPDIR")), &name);
        }
        if self.has_profile {
            let _ = runtime().block_on(self.client.clone().close());
        } else {
            give_back(self.client.clone());
        }
    }
}

/// Pauses before another look at something waited for since `start`, the longer the later: each look takes processor
/// time from the page. Fails with `complaint` after [`PATIENCE`].
fn pause(start: Instant, complaint: impl FnOnce() -> String) {
    let waited = start.elapsed();
    assert!(waited < PATIENCE, "{}", complaint());
    std::thread::sleep((waited / 4).clamp(Duration::from_millis(5), POLL_INTERVAL));
}

/// The button whose words or label have this key in the list of texts.
pub fn button(key: &str) -> String {
    format!("button:is([data-t='{key}'], [data-tip='{key}'], :has([data-t='{key}']))")
}

/// The first such element that is shown, as an expression.
fn visible(selector: &str) -> String {
    format!("{}[0]", all_visible(selector))
}

/// All such elements that are shown.
fn all_visible(selector: &str) -> String {
    format!(
        "[...document.querySelectorAll({})].filter((each) => each.checkVisibility({{ visibilityProperty: true }}))",
        json!(selector)
    )
}

pub fn wait_for<T, E: Debug>(answer: impl Future<Output = Result<T, E>>) -> T {
    runtime().block_on(answer).expect("the browser does it")
}
