//! `judkins book`, as a person runs it.

use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use crate::common::{self, Folder, kill_after, refused, signal, wait_until};

/// A book of 400 positions with little search behind them.
const GROW: [&str; 12] =
    ["--nodes", "200", "--lines", "3", "--hash", "1", "--batch", "8", "--positions", "400", "--threads", "2"];

fn command(arguments: &[&str]) -> Command {
    common::command(&[&["book"], arguments].concat())
}

fn stdout(arguments: &[&str]) -> String {
    common::succeed(&[&["book"], arguments].concat())
}

#[track_caller]
fn error(arguments: &[&str]) -> String {
    refused(&command(arguments).output().expect("the binary starts"), "").trim().to_owned()
}

/// A grown book, the same for all tests.
static GROWN: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = Folder::new();
    let file = folder.path("a.book");
    stdout(&[&["grow", &file][..], &GROW].concat());
    bytes(&file)
});

/// A folder with a grown book in it.
struct Grown {
    folder: Folder,
    file: String,
}

impl Grown {
    fn new() -> Grown {
        let folder = Folder::new();
        let file = folder.path("a.book");
        std::fs::write(&file, &*GROWN).expect("scratch files can be written");
        Grown { folder, file }
    }
}

fn bytes(path: impl AsRef<Path>) -> Vec<u8> {
    std::fs::read(path).expect("the file is there")
}

#[test]
fn a_book_that_is_killed_at_twenty_moments_is_the_same_as_one_undisturbed() {
    let grown = Grown::new();
    let killed = grown.folder.path("killed.book");
    let arguments = [&["book", "grow", &killed][..], &GROW].concat();
    let mut sizes = Vec::new();
    for moment in 0..20 {
        kill_after(20 + moment * 7 % 90, &arguments);
        sizes.push(std::fs::metadata(&killed).map_or(0, |metadata| metadata.len()));
    }
    common::succeed(&arguments);
    assert!(sizes.is_sorted(), "a batch was lost: {sizes:?}");
    assert!(sizes[0] < sizes[19], "nothing happened between the kills: {sizes:?}");
    assert!(bytes(&killed) == bytes(&grown.file), "the book differs; sizes at the kills: {sizes:?}");
}

#[test]
fn a_book_that_goes_on_with_other_options_says_which() {
    let grown = Grown::new();
    let grow = |more: &str| {
        let options = format!("--lines 3 --hash 1 --batch 8 {more}");
        let output =
            common::run(&[&["book", "grow", &grown.file][..], &options.split(' ').collect::<Vec<_>>()].concat());
        assert!(output.status.success(), "{output:?}");
        output
    };
    let warned = |more: &str| common::stderr(&grow(more));
    assert_eq!(warned("--nodes 200 --positions 410"), "");
    let both = |name: &str, then: &str, now: &str| {
        format!("judkins: {}: made with --{name} {then} until now, with --{name} {now} from here on\n", grown.file)
    };
    assert_eq!(warned("--nodes 100 --positions 420"), both("nodes", "200", "100"));
    assert_eq!(warned("--nodes 100 --positions 430"), "", "it was told");
    let strategy = warned("--nodes 100 --strategy margin --positions 440 --jobs 3");
    assert!(strategy.contains(&both("strategy", "drop-out", "margin")), "{strategy}");
    // Jobs keep it as well.
    let parts = grow("--nodes 50 --positions 440 --jobs 8");
    with_input(&["take", &grown.file], &searched(&common::stdout(&parts)));
    assert_eq!(warned("--nodes 60 --positions 1"), both("nodes", "50", "60"));
}

#[test]
fn growing_tells_how_far_it_is() {
    let folder = Folder::new();
    let text = stdout(&[&["grow", &folder.path("a.book"), "--interval", "0.001"][..], &GROW].concat());
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("/400 positions, ")).collect();
    assert!(lines.len() > 3 && lines[0].starts_with("0/400 positions, ") && !lines[0].ends_with(" left"), "{text}");
    assert!(lines[lines.len() - 1].ends_with(" left"), "{text}");
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_after_the_last_batch() {
    let folder = Folder::new();
    let file = folder.path("a.book");
    let mut grow = command(&["grow", &file, "--nodes", "300", "--batch", "4", "--hash", "1"]);
    let child = grow.spawn().expect("the binary starts");
    wait_until("batches", || std::fs::metadata(&file).is_ok_and(|metadata| metadata.len() >= 500));
    signal(child.id(), "-INT");
    let output = child.wait_with_output().expect("it ends");
    refused(&output, "interrupted: the same command goes on");
    assert!(stdout(&["verify", &file]).contains(": complete, "));
}

#[test]
fn a_book_is_shown_counted_and_checked() {
    let Grown { file, .. } = &Grown::new();
    let figures = stdout(&["stat", file]);
    for words in [
        " positions, ",
        " nodes searched\n",
        "\nstartpos: ",
        "\nbishop: ",
        "\nrook: ",
        "\ntwo-pieces: ",
        " for White, ",
    ] {
        assert!(figures.contains(words), "{figures}");
    }
    assert!(stdout(&["verify", file]).contains(": complete, "));
    let checked = stdout(&["verify", file, "--sample", "8", "--nodes", "500", "--hash", "1"]);
    assert!(
        checked.contains("8 positions of ") && checked.contains(" moves within 30 centipawns of the best ("),
        "{checked}"
    );
    assert_eq!(checked, stdout(&["verify", file, "--sample", "8", "--nodes", "500", "--hash", "1", "--threads", "1"]));

    let shown = stdout(&["show", file, "--ascii"]);
    assert!(shown.starts_with("White holds nothing\n") && shown.contains(" for Black; by its own search "), "{shown}");
    let best =
        shown.lines().skip_while(|line| !line.starts_with("move ")).nth(1).expect("a move").split(' ').next().unwrap();
    let after = stdout(&["show", file, best]);
    assert!(after.contains(" for White; by its own search "), "{after}");
    assert!(stdout(&["show", file, "rook"]).contains("SFEN: 1bnsgk/5p/6/6/P5/KGSNBR w - 1\n"));
    assert!(stdout(&["show", file, "6e6d", "6a6d"]).contains("The book does not know this position."));
    assert!(stdout(&["show"]).contains("  line\n"), "the book built in");
    assert!(stdout(&["stat"]).contains(" bytes\n"));
    assert!(error(&["show", file, "6e6c"]).contains("'6e6c' is not a legal move in rbnsgk"));
}

#[test]
fn a_book_is_written_in_every_format_and_read_back() {
    let grown = Grown::new();
    let out = |to: &str, name: &str| {
        let path = grown.folder.path(name);
        stdout(&["export", &grown.file, "--to", to, "--out", &path]);
        path
    };
    let compact = out("built-in", "compact.book");
    let shown = stdout(&["show", &compact]);
    assert!(shown.contains("\nmove            score  line\n"), "{shown}");
    assert!(bytes(&compact).len() < 8_000);
    let small = grown.folder.path("small.book");
    let said = stdout(&["export", &grown.file, "--to", "built-in", "--out", &small, "--size", "600", "--margin", "0"]);
    assert!(said.contains(" positions, ") && (500..=600).contains(&bytes(&small).len()), "{said}");

    // Positions below which nothing was searched are played too, with what a search finds there.
    let export = ["export", &grown.file, "--to", "built-in", "--out", &small];
    let positions =
        |said: &str| said.lines().last().unwrap().split(' ').next().unwrap().parse::<u32>().expect("a count");
    let fewer = positions(&stdout(&export));
    let said = stdout(&[&export[..], &["--leaves", "2000", "--hash", "1", "--threads", "2"]].concat());
    let more = positions(&said);
    let leaves = format!("{} of {more} positions searched with 2000 nodes\n", more - fewer);
    assert!(more > fewer && said.contains(&leaves), "{fewer}: {said}");
    let verify = ["verify", &small, "--sample", "1000", "--nodes", "500", "--hash", "1"];
    let said = stdout(&verify);
    assert!(said.contains(&format!("{more} positions of {more} searched: ")), "{said}");

    let text = out("db2016", "text.db");
    assert!(stdout(&["stat", &text]).starts_with("4"), "some 400 positions");
    assert!(stdout(&["verify", &text]).contains(": complete"));
    for (to, name, games) in [("usi", "lines.usi", 20), ("kif", "book.kif", 4), ("pgn", "book.pgn", 4)] {
        let path = out(to, name);
        let lines = common::succeed(&["convert", &path, "--to", "usi"]);
        let lines: Vec<&str> = lines.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(lines.len() >= games && lines.iter().all(|line| line.contains(" moves ")), "{to}: {lines:?}");
    }
    for moves in [0, 1, 5] {
        let shown = stdout(&["export", &grown.file, "--to", "kif", "--moves", &moves.to_string()]);
        let is_move = |line: &&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
        assert_eq!(shown.lines().filter(is_move).count(), 4 * moves, "{shown}");
    }
    assert_eq!(
        error(&["export", &grown.file, "--to", "built-in"]),
        "judkins: --out is missing: a compact book is not a text"
    );
    // An option that a format does not use is rejected.
    let [to_stream, to_out] =
        [&["--out", "-"][..], &[]].map(|out| stdout(&[&["export", &grown.file, "--to", "db2016"], out].concat()));
    assert_eq!(to_stream, to_out);
    for (option, needs) in [
        (["export", &grown.file, "--to", "built-in", "--hash", "16"], "--leaves"),
        (["verify", &grown.file, "--threads", "1", "--seed", "2"], "--sample"),
    ] {
        let error = error(&option);
        assert!(error.contains(needs), "{error}");
    }
    let leaves = error(&["export", &grown.file, "--to", "kif", "--leaves", "2000"]);
    assert_eq!(leaves, "judkins: --leaves is for --to built-in");
    let moves = error(&["export", &grown.file, "--to", "db2016", "--moves", "20"]);
    assert_eq!(moves, "judkins: --moves is for records: --to usi, kif or pgn");
}

#[test]
fn jobs_make_the_same_book() {
    let grown = Grown::new();
    let file = grown.folder.path("jobs.book");
    let grow = [&["grow", &file][..], &GROW[..GROW.len() - 2], &["--jobs", "3"]].concat();
    let refuse = |input: &str, words: &str| refused(&common::run_with_input(&["book", "take", &file], input), words);
    loop {
        let parts = stdout(&grow);
        if parts.is_empty() {
            break;
        }
        // Machines end in any order.
        let done: Vec<String> = parts.lines().map(searched).rev().collect();
        let count = done.len();
        refuse(&(done.concat() + &done[0]), &format!("part {count} of {count} is there twice"));
        if count > 1 {
            refuse(&done[1..].concat(), &format!("part {count} of {count} is missing"));
            let mut other: serde_json::Value = serde_json::from_str(&done[0]).expect("it is JSON");
            other["settings"]["nodes"] = 1.into();
            let mixed = format!("{other}\n{}", done[1..].concat());
            refuse(&mixed, "the parts were made with different options");
        }
        let done = done.concat();
        assert!(with_input(&["take", &file], &done).ends_with(" positions\n"));
        if std::fs::metadata(&file).unwrap().len() > 3_000 {
            // A result that comes twice is of another state.
            refuse(&done, "results for a book of ");
            break;
        }
    }
    let jobs = bytes(&file);
    assert!(bytes(&grown.file).starts_with(&jobs), "the book differs");
}

/// The output of a command with this input.
fn with_input(arguments: &[&str], input: &str) -> String {
    common::stdout(&common::run_with_input(&[&["book"], arguments].concat(), input))
}

/// A part of a batch, with what its job has found.
fn searched(part: &str) -> String {
    let json = |text: &str| -> serde_json::Value { serde_json::from_str(text).expect("it is JSON") };
    let mut part = json(part);
    part["found"] = json(&with_input(&["--job", "-"], &part["job"].to_string()))["found"].clone();
    part.to_string() + "\n"
}

#[test]
fn errors_say_what_is_wrong_and_change_nothing() {
    let folder = Folder::new();
    let foreign = &folder.file("foreign", "hello\n");
    assert!(error(&["grow", foreign]).ends_with("foreign: not a book of 'judkins book grow'"));
    assert_eq!(bytes(foreign), b"hello\n");
    assert!(
        error(&["export", foreign, "--to", "db2016"]).contains("line 1 of the book: a move before any 'sfen' line")
    );
    assert!(error(&["stat", "/no/such/book"]).contains("/no/such/book: "));
    assert!(error(&["grow", foreign, "--nodes", "0"]).contains("--nodes"));
    assert!(error(&["grow", foreign, "--starts", "queen"]).contains("they are startpos, bishop, rook and two-pieces"));
    assert!(error(&["grow", foreign, "--time", "0"]).contains("a number of seconds above 0"));
    assert!(!common::run(&["book", "--job", foreign]).status.success());
}
