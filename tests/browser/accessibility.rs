//! The main views in each look, in both languages, in large and small windows: axe-core finds nothing serious, and every
//! control of a telephone can be reached.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::layout::{check_layout, check_sizes, touch};
use crate::on_the_page;
use crate::page::Page;
use crate::views;

/// Names the file `axe.min.js` of the npm package axe-core.
const AXE: &str = "JUDKINS_AXE";

/// The violations that are at least serious: rule, place, and reason.
const CHECK: &str = "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)).flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => [id, target.join(' '), failureSummary])))";

/// Visits the main views with axe-core, and calls `look` with the name of each.
fn check(page: &Page, theme: &str, findings: &mut Vec<Value>, look: impl Fn(&str)) {
    views::visit(page, |view| {
        look(view);
        page.picture(&format!("{view}-{theme}"));
        page.run("scrollTo(0, 0)");
        let found = page.run_async(CHECK);
        let found = found.as_array().unwrap_or_else(|| panic!("{view}: {found}"));
        findings.extend(found.iter().map(|finding| json!([theme, view, finding])));
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn the_main_views_are_accessible_and_fit_a_telephone() {
    let path = PathBuf::from(std::env::var_os(AXE).expect("JUDKINS_AXE names axe.min.js (npm pack axe-core)"));
    let axe = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    on_the_page(|page| {
        page.run(&axe);
        let mut findings = Vec::new();
        check(page, "light", &mut findings, |_| {});
        page.press_key("bar.theme");
        page.wait("document.documentElement.dataset.theme === 'dark'");
        page.press_key("bar.language");
        page.wait("document.documentElement.lang === 'ja'");
        check(page, "dark-japanese", &mut findings, |_| {});
        assert!(findings.is_empty(), "{findings:#?}");
    });
    on_the_page(|page| {
        page.run(&axe);
        page.press_key("bar.theme");
        page.wait("document.documentElement.dataset.theme === 'dark'");
        touch(page, 375, 667);
        let mut findings = Vec::new();
        check(page, "dark-narrow", &mut findings, |view| {
            check_sizes(page, view);
            check_layout(page, view);
        });
        assert!(findings.is_empty(), "{findings:#?}");
    });
}
