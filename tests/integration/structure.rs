//! Which files may name items of which: modules by the table below, files in no circle, and `board/state` without I/O.

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
            "work",
        ],
    ),
    ("contest", &["counted", "protocol", "random", "record", "score", "shogi", "atomic_file"]),
    (
        "board",
        &[
            "arena",
            "book",
            "contest",
            "jsonl",
            "mate",
            "protocol",
            "record",
            "review",
            "score",
            "shogi",
            "atomic_file",
            "work",
        ],
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
    ("data", &["eval", "random", "search", "shogi", "atomic_file", "work"]),
    ("train", &["data", "difference", "eval", "random", "shogi", "atomic_file", "work"]),
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

/// A server, a page in the browser and tests run the same state.
#[test]
fn the_state_of_the_board_does_no_io() {
    let state = sources().into_iter().filter(|(file, _)| file.starts_with("board/state"));
    for (file, text) in state {
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for io in
            ["fs::", "std::{", "process::", "net::", "thread::", "env::", "tokio", "rusqlite", "::now()", "println!"]
        {
            assert!(!code.contains(io), "{} has {io}: `Input` and `Output` stand for it", file.display());
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

/// The code of a file without its tests, comments and declarations of modules, as `use` paths and the rest. `super` in a
/// module inside the file is not known to be the file's own module.
fn uses_and_rest(text: &str) -> (Vec<Use>, String) {
    let (mut uses, mut rest, mut statement) = (Vec::new(), String::new(), String::new());
    let mut after_cfg_test = false;
    for line in text.lines().map(|line| line.split("//").next().unwrap_or_default()) {
        let is_outer = !line.starts_with(' ');
        if after_cfg_test && is_outer && line.contains("mod ") && line.ends_with('{') {
            break;
        }
        after_cfg_test = is_outer && line.starts_with("#[cfg(") && line.contains("test");
        let begun = line.trim_start();
        let is_public = begun.starts_with("pub");
        let begun = if is_public { begun.split_once(' ').map_or("", |(_, after)| after) } else { begun };
        // `pub(in path) use` has another space.
        let begun = begun.split_once(") ").filter(|_| is_public).map_or(begun, |(_, after)| after);
        match begun.strip_prefix("use ") {
            _ if !statement.is_empty() => statement.push_str(line),
            Some(path) => statement = format!("{}{path}", if is_public { "pub " } else { "" }),
            None if begun.starts_with("mod ") && begun.ends_with(';') => {}
            None => rest.extend([line, "\n"]),
        }
        if let Some(path) = statement.trim_end().strip_suffix(';') {
            let (is_public, path) = path.strip_prefix("pub ").map_or((false, path), |path| (true, path));
            uses.extend(expanded(path).iter().map(|path| Use::of(path, is_public)));
            statement.clear();
        }
    }
    (uses, rest)
}

/// A name that a `use` brings into a file.
struct Use {
    path: Vec<String>,
    name: String,
    is_public: bool,
}

impl Use {
    fn of(path: &str, is_public: bool) -> Use {
        let (path, name) = path.split_once(" as ").map_or((path, None), |(path, name)| (path, Some(name.trim())));
        let mut path: Vec<String> = path.split("::").map(|word| word.trim().to_owned()).collect();
        path.pop_if(|last| last == "self");
        let name = name.map_or_else(|| path.last().cloned().unwrap_or_default(), str::to_owned);
        Use { path, name, is_public }
    }
}

/// The source files by their modules, as paths below `src` without `.rs`.
struct Files(BTreeMap<String, (Vec<Use>, String)>);

impl Files {
    /// A path as written in a module, from the root of the crate; none for a path of another crate.
    fn absolute(&self, module: &str, path: &[String]) -> Option<Vec<String>> {
        let own: Vec<String> = module.split('/').map(str::to_owned).collect();
        let up = path.iter().take_while(|word| *word == "super").count();
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([&own, &path[1..]].concat()),
            "super" => Some([&own[..own.len().checked_sub(up)?], &path[up..]].concat()),
            child if self.0.contains_key(&format!("{module}/{child}")) => Some([&own, path].concat()),
            _ => None,
        }
    }

    /// The module that defines a path: where modules export items of others, the other one.
    fn definer(&self, path: &[String]) -> Option<String> {
        let (length, module) = (1..=path.len())
            .rev()
            .map(|length| (length, path[..length].join("/")))
            .find(|(_, module)| self.0.contains_key(module))?;
        let exported = path.get(length).and_then(|name| {
            let mut exports = self.0[&module].0.iter().filter(|used| used.is_public);
            let export = exports.find(|used| used.name == *name || self.named_by(&module, used).contains(name))?;
            let mut path = self.absolute(&module, &export.path)?;
            if export.name == "*" {
                path.pop();
                path.push(name.clone());
            }
            self.definer(&path)
        });
        Some(exported.unwrap_or(module))
    }

    /// The names that a `use` brings into a module.
    fn named_by(&self, module: &str, used: &Use) -> BTreeSet<String> {
        if used.name != "*" {
            return [used.name.clone()].into();
        }
        let path = self.absolute(module, &used.path[..used.path.len() - 1]);
        let named = path.map(|path| path.join("/")).and_then(|named| Some((self.0.get(&named)?, named)));
        let Some(((uses, code), named)) = named else { return BTreeSet::new() };
        let is_kind =
            |word: &str| ["const", "enum", "fn", "static", "struct", "trait", "type", "union"].contains(&word);
        let items = code.lines().filter(|line| line.starts_with("pub")).filter_map(|line| {
            let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
            // The kind of `const fn` is the second word.
            let item = words.windows(2).find(|words| is_kind(words[0]) && !is_kind(words[1]))?;
            Some(item[1].to_owned())
        });
        let exported = uses.iter().filter(|used| used.is_public).flat_map(|used| self.named_by(&named, used));
        items.chain(exported).collect()
    }

    /// The modules that a module uses. Items that it only exports do not count.
    fn used_by(&self, module: &str) -> BTreeSet<String> {
        let (uses, rest) = &self.0[module];
        let is_named =
            |text: &str, name: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
        let is_needed =
            |used: &&Use| !used.is_public || self.named_by(module, used).iter().any(|name| is_named(rest, name));
        let needed = uses.iter().filter(is_needed);
        let mut paths: Vec<Vec<String>> = needed.map(|used| used.path.clone()).collect();
        // Paths in the code, which may begin with the name of a used module.
        let written =
            rest.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').filter(|path| path.contains("::"));
        for path in written {
            let words: Vec<String> = path.split("::").map(str::to_owned).collect();
            let known = uses.iter().find(|used| used.name == words[0]);
            paths.push(known.map_or_else(|| words.clone(), |used| [&used.path, &words[1..]].concat()));
        }
        let definers = paths.iter().filter_map(|path| self.definer(&self.absolute(module, path)?));
        definers.filter(|definer| definer != module).collect()
    }
}

#[test]
fn an_item_belongs_to_the_file_that_defines_it() {
    let files = [
        ("all", "pub use crate::none::*;\npub use crate::room::First;\n"),
        ("more", "pub use crate::all::*;\n"),
        ("some", "use crate::more::{First, f};\n"),
        ("room", "mod one;\nmod two;\npub use one::{First, make};\nuse two::Second;\nstruct Room(Second);\n"),
        (
            "room/one",
            "use super::two::Second as Other;\npub struct First(Other);\n\
             #[cfg(all(test, unix))]\npub(super) mod tests {\nuse crate::none;\n}\n",
        ),
        ("room/two", "// use super::Room;\npub struct Second;\nfn of() -> super::First { crate::none::x() }\n"),
        (
            "none",
            "pub const fn f() {}\nuse crate::room::{\n    self,\n    First,\n};\nfn g() { room::make(); Vec::new() }\n",
        ),
    ];
    let files = Files(files.map(|(name, text)| (name.to_owned(), uses_and_rest(text))).into());
    for (module, used) in [
        ("all", &[][..]),
        ("more", &[]),
        ("some", &["none", "room/one"]),
        ("room", &["room/two"]),
        ("room/one", &["room/two"]),
        ("room/two", &["none", "room/one"]),
        ("none", &["room", "room/one"]),
    ] {
        assert_eq!(files.used_by(module), used.iter().map(|&name| name.to_owned()).collect(), "{module}");
    }
}

/// Two files that name items of each other can only be read together. Calls of methods are not seen: parts of a type may
/// call each other.
#[test]
fn no_files_use_each_other_in_a_circle() {
    let name = |file: &Path| {
        let inside = file.with_extension("").to_str().expect("names are UTF-8").to_owned();
        inside.strip_suffix("/mod").map_or(inside.clone(), str::to_owned)
    };
    let sources = sources();
    let sources = sources.iter().filter(|(file, _)| !file.ends_with("tests.rs") && !file.ends_with("lib.rs"));
    let files = Files(sources.map(|(file, text)| (name(file), uses_and_rest(text))).collect());
    let used = files.0.keys().map(|module| (module.clone(), files.used_by(module)));
    let mut left: BTreeMap<String, BTreeSet<String>> = used.collect();
    assert!(left.values().map(BTreeSet::len).sum::<usize>() > 1_500, "too few imports were found");
    // Files are crossed off once all that they use, or all that use them, are: those that remain form circles.
    loop {
        let names: BTreeSet<String> = left.keys().cloned().collect();
        let needed: BTreeSet<String> = left.values().flatten().cloned().collect();
        left.retain(|module, used| needed.contains(module) && !used.is_disjoint(&names));
        if left.len() == names.len() {
            break;
        }
        left.values_mut().for_each(|used| used.retain(|module| names.contains(module)));
    }
    assert!(left.is_empty(), "{left:#?}");
}
