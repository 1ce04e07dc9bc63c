//! The README is true of this commit: its commands, its options and its links.

use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../README.md");

fn help(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_judkins")).args(arguments).arg("--help").output();
    let output = output.expect("the binary starts");
    assert!(output.status.success(), "judkins {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it is UTF-8")
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

#[test]
fn it_is_a_page() {
    assert!(README.lines().count() <= 150);
}
