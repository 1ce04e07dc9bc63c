//! The README is true of this commit: its commands, its options and its links.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const README: &str = include_str!("../../README.md");

fn help(arguments: &[&str]) -> String {
    crate::common::succeed(&[arguments, &["--help"]].concat())
}

/// The command lines: code in the text and in tables, and indented lines.
fn commands() -> impl Iterator<Item = &'static str> {
    let quoted = README.split('`').skip(1).step_by(2);
    let indented = README.lines().filter_map(|line| line.strip_prefix("    "));
    let all = quoted.chain(indented);
    all.filter_map(|text| text.strip_prefix("cargo run --release -- ").or_else(|| text.strip_prefix("judkins ")))
}

#[test]
fn its_commands_have_the_options_that_it_names() {
    let mut checked = 0;
    for command in commands() {
        let mut words = command.split_whitespace().peekable();
        let subcommand: Vec<&str> = words.next_if(|word| !word.starts_with('-')).into_iter().collect();
        let help = help(&subcommand);
        for option in words.map(|word| word.trim_matches(['[', ']'])).filter(|word| word.starts_with("--")) {
            assert!(
                help.contains(&format!("{option} ")) || help.contains(&format!("{option}\n")),
                "{command}: {option}"
            );
            checked += 1;
        }
    }
    assert!(checked >= 10, "only {checked} options were found");
}

#[test]
fn it_names_every_subcommand() {
    let help = help(&[]);
    let listed = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("it lists them");
    for name in listed.lines().filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        assert!(README.contains(&format!("`judkins {name}")) || README.contains(&format!("`{name}`")), "{name}");
    }
}

#[test]
fn its_links_lead_to_files() {
    let targets = README.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let files: Vec<&str> = targets.filter(|target| !target.starts_with("http")).collect();
    assert!(files.len() > 5, "{files:?}");
    for file in files {
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(file).is_file(), "{file} is missing");
    }
}

/// Every guide: README and the other texts of this kind beside the code.
fn guides(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("its entries too").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !name.starts_with('.') && name != "target" {
            guides(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// The paths in this repository that a text names.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || "_./-".contains(c)));
    let words = words.map(|word| word.trim_end_matches(['.', '/', '-']));
    words.filter(|word| ["scripts/", "src/", "tests/", "benches/"].iter().any(|folder| word.starts_with(folder)))
}

#[test]
fn paths_named_by_guides_exist_and_are_in_releases() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // A package from a registry has no scripts.
    if !root.join(".git").exists() {
        return;
    }
    let listed = Command::new(root.join("scripts/release.sh")).arg("--files").output().expect("the script starts");
    assert!(listed.status.success(), "{}", crate::common::stderr(&listed));
    let listed = String::from_utf8(listed.stdout).expect("it is UTF-8");
    let listed: BTreeSet<&str> = listed.lines().collect();
    let mut files = Vec::new();
    guides(root, &mut files);
    let mut checked = 0;
    for guide in files {
        let place = guide.strip_prefix(root).expect("it lies there").to_str().expect("it is UTF-8");
        assert!(listed.contains(place), "{place} is in no release");
        let text = fs::read_to_string(&guide).expect("a guide is a text");
        for path in named(&text) {
            assert!(root.join(path).exists(), "{place} names {path}, which is not there");
            assert!(root.join(path).is_dir() || listed.contains(path), "{place} names {path}, which is in no release");
            checked += 1;
        }
    }
    assert!(checked > 40, "only {checked} names were found");
}

#[test]
fn it_is_a_page() {
    assert!(README.lines().count() <= 150);
}
