//! Progress bars on standard error, for a terminal only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar up to `length`, with a template of `indicatif`'s. It is hidden where standard error is no terminal.
///
/// # Panics
/// If the template is not valid.
pub fn bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    bar.set_style(ProgressStyle::with_template(template).expect("the template is valid").progress_chars("━━╌"));
    bar
}

/// A line that shows a message while the amount of work is unknown.
pub fn line() -> ProgressBar {
    let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    line.set_style(ProgressStyle::with_template("{msg}").expect("the template is valid"));
    line
}
