//! Which module may use which: every `crate::` path in the source is checked against the table below.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module and the modules that it may use.
const ALLOWED: &[(&str, &[&str])] = &[
    ("shogi", &[]),
    ("score", &[]),
    ("option_kind", &[]),
    ("config", &["atomic_file"]),
    ("atomic_file", &[]),
    ("counted", &[]),
    ("huge_pages", &[]),
    ("text_width", &[]),
    ("difference", &[]),
    ("jsonl", &[]),
    ("parallel", &["work"]),
    ("random", &[]),
    ("time_control", &["protocol", "shogi"]),
    ("web", &["board", "engine", "frontend", "work"]),
    ("work", &[]),
    ("append_log", &["atomic_file"]),
    ("eval", &["shogi", "atomic_file", "huge_pages"]),
    ("mate", &["huge_pages", "shogi", "work"]),
    // Playing from a book does not depend on growing one.
    ("book", &["shogi", "atomic_file"]),
    ("book/growth", &["append_log", "book", "mate", "parallel", "record", "search", "shogi", "work"]),
    ("proof", &["append_log", "book", "mate", "parallel", "search", "shogi", "work"]),
    ("protocol", &["option_kind", "score", "shogi"]),
    ("record", &["jsonl", "protocol", "score", "shogi"]),
    ("strength", &[]),
    ("search", &["eval", "huge_pages", "score", "shogi", "work"]),
    ("engine", &["book", "config", "eval", "mate", "option_kind", "score", "search", "shogi", "strength", "work"]),
    ("frontend", &["engine", "eval", "mate", "protocol", "search", "shogi", "atomic_file", "work"]),
    ("review", &["mate", "parallel", "record", "score", "search", "shogi", "work"]),
    (
        "arena",
        &[
            "contest",
            "counted",
            "difference",
            "protocol",
            "record",
            "score",
            "shogi",
            "strength",
            "text_width",
            "time_control",
            "atomic_file",
        ],
    ),
    ("contest", &["counted", "protocol", "random", "record", "score", "shogi", "atomic_file"]),
    (
        "board",
        &["arena", "book", "contest", "jsonl", "mate", "protocol", "record", "review", "score", "shogi", "atomic_file"],
    ),
    // It does no I/O.
    (
        "board/state",
        &[
            "board",
            "book",
            "config",
            "contest",
            "protocol",
            "record",
            "review",
            "score",
            "shogi",
            "strength",
            "time_control",
            "atomic_file",
        ],
    ),
    ("data", &["eval", "random", "search", "shogi", "atomic_file"]),
    ("train", &["data", "difference", "eval", "random", "shogi", "atomic_file"]),
    ("tune", &["arena", "difference", "eval", "random", "score", "shogi", "atomic_file"]),
];

/// Every source file, as its path below `src` and its text.
fn sources() -> Vec<(PathBuf, String)> {
    fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("the source folder can be read") {
            let path = entry.expect("its entries too").path();
            if path.is_dir() {
                collect(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&root, &mut files);
    let inside = |file: &Path| file.strip_prefix(&root).expect("it lies there").to_owned();
    files.iter().map(|file| (inside(file), fs::read_to_string(file).expect("sources are text"))).collect()
}

/// The names right after `crate::` in a source text, groups in braces taken apart.
fn used_modules(text: &str) -> BTreeSet<String> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code: String = code.collect::<Vec<_>>().join("\n");
    // `$crate::` in macros and `pub(crate)` are not paths to a module of ours. A group is the whole rest of a `use`.
    let paths = code.split("crate::").skip(1).flat_map(|after| match after.split_once(';') {
        Some((group, _)) if group.starts_with('{') => expanded(group),
        _ => vec![after.to_owned()],
    });
    let is_end = |c: char| !c.is_alphanumeric() && c != '_';
    paths.filter_map(|path| Some(path.split(is_end).next()?.to_owned()).filter(|name| !name.is_empty())).collect()
}

#[test]
fn modules_are_found_after_a_nested_group() {
    let used =
        used_modules("use crate::{eval::{Evaluation, Weights}, mate, shogi::Move};\nlet key = crate::work::key();");
    assert_eq!(used, ["eval", "mate", "shogi", "work"].map(str::to_owned).into());
}

#[test]
fn modules_use_only_what_they_may() {
    let mut used_directions = BTreeSet::new();
    for (inside, text) in sources() {
        let module = inside.components().next().expect("it has a name").as_os_str().to_string_lossy();
        let module = module.trim_end_matches(".rs");
        // A folder inside a module may have directions of its own. The binary may use anything.
        let rules = ALLOWED.iter().filter(|(name, _)| inside.starts_with(name) || *name == module);
        let Some((name, allowed)) = rules.max_by_key(|(name, _)| name.len()) else { continue };
        for used in used_modules(&text) {
            assert!(used == module || allowed.contains(&used.as_str()), "{} uses {used}", inside.display());
            used_directions.insert((*name, used));
        }
    }
    for &(name, allowed) in ALLOWED {
        for used in allowed {
            assert!(used_directions.contains(&(name, (*used).to_owned())), "{name} does not use {used}");
        }
    }
}

/// Byte order marks are removed in one place, which a separate reader would bypass.
#[test]
fn text_files_are_read_in_one_way() {
    for (file, text) in sources().iter().filter(|(file, _)| !file.ends_with("atomic_file.rs")) {
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for way in ["fs::read_to_string(", "io::read_to_string(", "stdin().lines()", "stdin().lock().lines()"] {
            assert!(!code.contains(way), "{} has {way}…): atomic_file reads texts", file.display());
        }
    }
}

/// Modules that are crossed off once all that they may use is: those that remain use each other in a circle.
#[test]
fn every_module_has_its_directions_and_they_form_no_circle() {
    let library = include_str!("../../src/lib.rs");
    let modules = library.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let mut left: BTreeSet<&str> = modules.collect();
    for module in &left {
        assert!(ALLOWED.iter().any(|(name, _)| name == module), "{module} is not in the table");
    }
    let parts = ALLOWED.iter().map(|(name, _)| *name).filter(|name| name.contains('/'));
    left.extend(parts);
    loop {
        let is_free = |name: &str| {
            let own = ALLOWED.iter().find(|(other, _)| *other == name);
            own.is_some_and(|(_, allowed)| allowed.iter().all(|used| !left.contains(used)))
        };
        let free: Vec<&str> = left.iter().copied().filter(|name| is_free(name)).collect();
        if free.is_empty() {
            break;
        }
        left.retain(|name| !free.contains(name));
    }
    assert_eq!(left, BTreeSet::new());
}

/// The paths that a `use` names, groups in braces taken apart.
fn expanded(path: &str) -> Vec<String> {
    let Some((before, group)) = path.split_once('{') else { return vec![path.trim().to_owned()] };
    let group = group.trim_end().strip_suffix('}').unwrap_or(group);
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in group.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match c {
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut().expect("there is one").push(c),
        }
    }
    parts.iter().flat_map(|part| expanded(&format!("{}{}", before.trim(), part.trim()))).collect()
}

/// The modules whose files a file imports from, as paths below `src` without `.rs`.
fn imports(module: &str, text: &str, modules: &BTreeSet<String>) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let code: String = code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let uses = code.split("use ").skip(1).filter_map(|rest| rest.split(';').next());
    let own: Vec<&str> = module.split('/').collect();
    let target = |path: String| {
        let words: Vec<&str> = path.split("::").map(str::trim).collect();
        let up = words.iter().take_while(|word| **word == "super").count();
        let full: Vec<&str> = match words.first() {
            Some(&"crate") => words[1..].to_vec(),
            Some(&"super") => own[..own.len().saturating_sub(up)].iter().chain(&words[up..]).copied().collect(),
            _ => return None,
        };
        (1..=full.len()).rev().map(|length| full[..length].join("/")).find(|path| modules.contains(path))
    };
    uses.flat_map(expanded).filter_map(target).filter(|path| path != module).collect()
}

/// Two files that import each other can only be read together.
#[test]
fn no_files_import_each_other_in_a_circle() {
    let files = sources();
    let name = |file: &Path| {
        let inside = file.with_extension("").to_str().expect("names are UTF-8").to_owned();
        inside.strip_suffix("/mod").map_or(inside.clone(), str::to_owned)
    };
    let modules: BTreeSet<String> = files.iter().map(|(file, _)| name(file)).collect();
    let mut left: BTreeMap<String, BTreeSet<String>> = files
        .iter()
        .filter(|(file, _)| !file.ends_with("tests.rs"))
        .map(|(file, text)| (name(file), imports(&name(file), text, &modules)))
        .collect();
    assert!(left.values().map(BTreeSet::len).sum::<usize>() > 500, "too few imports were found");
    // Files are crossed off once all that they import is: those that remain form circles.
    loop {
        let names: BTreeSet<String> = left.keys().cloned().collect();
        let before = left.len();
        left.retain(|_, imported| !imported.is_disjoint(&names));
        if left.len() == before {
            break;
        }
    }
    assert!(left.is_empty(), "{left:#?}");
}
