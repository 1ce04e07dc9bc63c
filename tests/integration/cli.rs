//! The subcommands, as a person runs them.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{
    Folder, JUDKINS, command, fail, failed, output_with_input, refused, refused_as, run, run_with_input, signal,
    stderr, succeed,
};

#[test]
fn analyze_shows_boards_and_deepening_lines() {
    let text = succeed(&["analyze", "--time", "0.2", "--threads", "1"]);
    assert_eq!(text.matches("v王|一").count(), 2, "the board stands before and after the lines:\n{text}");
    let depths: Vec<u32> = text
        .lines()
        .filter_map(|line| line.split_whitespace().next()?.parse().ok())
        .take_while(|depth| *depth > 0)
        .collect();
    assert!(depths.len() > 3 && depths.is_sorted(), "{text}");
    assert!(text.contains("Best move: ") && text.contains("White to play move 2"), "{text}");
}

#[test]
fn analyze_is_at_full_strength_whatever_games_are_played_at() {
    let options = "[options]\nSkillLevel = 0\nResignValue = 0\nUSI_OwnBook = true\nDepthLimit = 2\n";
    let folder = Folder::new();
    let config = folder.file("engine.toml", options);
    // White, a bishop down, would resign.
    let text = succeed(&["analyze", "bishop", "--time", "0.3", "--ascii", "--config", &config]);
    let last = text.lines().rfind(|line| line.contains(" 1. ... ")).expect("lines are shown");
    let words: Vec<&str> = last.split_whitespace().collect();
    assert!(words[0].parse::<u32>().is_ok_and(|depth| depth > 3), "{text}");
    assert!(text.contains(&format!("Best move: {} ", words[6])), "{text}");
}

#[test]
fn the_end_of_a_game_is_told_by_all_its_moves_and_the_rule() {
    let again = "startpos moves 1f1e 6a6b 1e1f 6b6a 1f1e 6a6b 1e1f 6b6a 1f1e 6a6b 1e1f 6b6a";
    for (command, position, ending) in [
        ("analyze", "5k/5G/5P/6/6/K5 w - 1", "Black wins: checkmate"),
        ("analyze", again, "no contest: sennichite"),
        ("show", again, "no contest: sennichite"),
        ("show --impasse-rule CuteChess", "K4k/6/6/6/6/6 b - 1", "White wins: impasse"),
    ] {
        let text = succeed(&command.split(' ').chain([position]).collect::<Vec<_>>());
        assert!(text.contains(&format!("The game is over. {ending}")), "{command} {position}: {text}");
    }
}

/// With several lines it went on to depth 126.
#[test]
fn analyze_ends_when_every_line_ends_in_mate() {
    for (sfen, lines) in
        [("5k/6/5P/6/6/K5 b 2G 1", "2"), ("5k/6/5P/6/6/K5 b 2G 1", "1"), ("4k1/6/4G1/6/6/K5 b G 1", "1")]
    {
        let text = succeed(&["analyze", sfen, "--multipv", lines, "--time", "60", "--threads", "1"]);
        let depths = text.lines().filter_map(|line| line.split_whitespace().next()?.parse::<u32>().ok());
        assert!(depths.max().is_some_and(|depth| depth < 60), "{text}");
        assert!(text.contains("mate in 1 ") && text.contains("Best move: G*"), "{text}");
    }
    let text = succeed(&["analyze", "5k/6/5P/6/6/K5 b G 1", "--multipv", "2", "--time", "0.3", "--threads", "1"]);
    assert!(text.contains("mate in 1 "), "{text}");
}

/// A negative number was taken for another option.
#[test]
fn a_number_that_is_refused_is_named_with_those_that_are_taken() {
    for (command, option, value, taken) in [
        ("mate", "--time", "-1", "a number of seconds above 0, 1000000000 at most"),
        ("review", "--time", "1e30", "a number of seconds above 0, 1000000000 at most"),
        ("analyze", "--multipv", "0", "a whole number from 1 to 500"),
        ("mate", "--hash", "-5", "a whole number from 1 to 1048576"),
        ("match", "--games", "2.5", "a whole number, 0 at least"),
        ("datagen", "--start-score", "-1", "a whole number, 0 at least"),
        ("train", "--rate", "fast", "a number"),
        ("fit", "--lambda", "2", "a number from 0 to 1"),
        ("perft", "128", "", "a whole number, 127 at most"),
    ] {
        let arguments = if value.is_empty() { vec![command, option] } else { vec![command, option, value] };
        let error = stderr(&run(&arguments));
        assert!(error.contains(&format!(": it takes {taken}\n")), "{arguments:?}: {error}");
    }
}

#[test]
fn perft_counts_by_move() {
    let text = succeed(&["perft", "3"]);
    assert!(text.contains("\n6e6d: ") && text.ends_with("Nodes searched: 6183\n"), "{text}");
    // An SFEN may be given with or without quotes, a handicap by its name.
    for position in [&["2nsgk/5p/6/6/P5/KGSNBR", "w", "-", "1"][..], &["2nsgk/5p/6/6/P5/KGSNBR w - 1"], &["two-pieces"]]
    {
        let text = succeed(&[&["perft", "3"], position].concat());
        assert!(text.ends_with("Nodes searched: 1623\n"), "{position:?}\n{text}");
    }
}

#[test]
fn show_draws_the_board_and_the_evaluation() {
    let text = succeed(&["show", "bishop", "--ascii"]);
    assert!(text.contains("| r| .| n| s| g| k|a"), "{text}");
    assert!(text.contains("impasse points: Black 14, White 14 (rule: Points12)"), "{text}");
    for term in ["material", "placement", "mobility", "king safety", "impasse", "tempo"] {
        assert!(text.lines().any(|line| line.starts_with(term)), "{term} is missing:\n{text}");
    }
    let network = text.split("network, and what would be missing").nth(1).expect("the network has its part");
    for line in ["for White, to move", "for Black  ", "with the impasse term"] {
        assert!(network.lines().any(|shown| shown.starts_with(line)), "{line} is missing:\n{text}");
    }
}

#[test]
fn bench_ends_with_nodes_and_speed() {
    let text = succeed(&["bench", "--handwritten"]);
    let words: Vec<&str> = text.lines().last().expect("it prints").split(' ').collect();
    assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{words:?}");
    assert!(words[0].parse::<u64>().expect("a number of nodes") > 100_000, "{words:?}");
    // By the other evaluation its first line differs. `scripts/check.sh` runs the whole of it.
    let mut child = command(&["bench"]).spawn().expect("the binary starts");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let first = lines.next().expect("it prints").expect("it is text");
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert!(first.contains(" nodes, ") && text.lines().next() != Some(first.as_str()), "{first}\n{text}");
}

#[test]
fn net_info_says_what_a_network_is() {
    let built_in = succeed(&["net", "info"]);
    let size = std::fs::metadata("src/eval/nnue/default.net").expect("it is in the repository").len();
    for line in
        ["architecture  (5328 -> 256) x 2 -> 7\n", "checksum ", "note ", &format!("size          {size} bytes\n")]
    {
        assert!(built_in.contains(line), "{built_in}");
    }
    assert_eq!(succeed(&["net", "info", "src/eval/nnue/default.net"]), built_in);
    let folder = Folder::new();
    let text = folder.file("text.net", "These are not the weights you are looking for.");
    for (file, reason) in [(&*text, "not a network file"), ("/no/such.net", "No such file"), ("/", "regular file")] {
        assert!(fail(&["net", "info", file], reason).contains(file), "{file}");
    }
}

#[test]
fn a_malformed_position_is_refused() {
    for arguments in [&["show", "6/6/6/6/6/6 b - 1"][..], &["perft", "2", "queen"], &["analyze", "x"]] {
        fail(arguments, "is not a position");
    }
}

#[test]
fn a_configuration_overrides_the_defaults() {
    let text = "[options]\nUSI_Hash = 33\nImpasseRule = \"CuteChess\"\n\n[parameters]\nRfpMargin = 96\n";
    let folder = Folder::new();
    let file = folder.file("good.toml", text);
    let output = run_with_input(&["--config", &file], "usi\nquit\n");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("option name USI_Hash type spin default 33 "), "{text}");
    // Programs reject a default that is not among the choices, even if only UCI lists that one.
    let impasse = text.lines().find(|line| line.contains(" ImpasseRule ")).expect("the option is listed");
    assert!(impasse.contains(" default CuteChess ") && impasse.contains(" var CuteChess"), "{impasse}");
    // A file that names a parameter exposes them all.
    assert!(text.contains("option name LmrBase type spin "), "{text}");
}

#[test]
fn show_is_under_the_rule_of_the_configuration() {
    let folder = Folder::new();
    let file = folder.file("try.toml", "[options]\nImpasseRule = \"Try\"\n");
    let text = succeed(&["show", "--config", &file]);
    assert!(text.contains("(rule: Try)"), "{text}");
    assert!(succeed(&["show", "--config", &file, "--impasse-rule", "none"]).contains("(rule: None)"));
}

#[test]
fn a_configuration_is_read_or_refused_wherever_it_stands() {
    let folder = Folder::new();
    let bad = folder.file("bad.toml", "[options]\nUSI_Hush = 33\n");
    let config = ["--config", &bad];
    // Without a subcommand it is the engine's.
    for subcommand in [&["show"][..], &["analyze", "--time", "0.1"], &[]] {
        for arguments in [[&config[..], subcommand].concat(), [subcommand, &config].concat()] {
            fail(&arguments, "line 2: no option is called 'USI_Hush'");
        }
    }
    // A subcommand that does not read it rejects it.
    for subcommand in [&["bench"][..], &["datagen", "--out", "games"], &["tune"], &["data", "stat", "games"]] {
        for (before, complaint) in [(&config[..], "--config is for"), (&["--tune"], "--tune is for")] {
            fail(&[before, subcommand].concat(), complaint);
            let output = run(&[subcommand, before].concat());
            refused_as(subcommand, &output, "unexpected argument");
            assert_eq!(output.status.code(), Some(2), "{subcommand:?}");
        }
    }
}

/// A graphical program starts its engines in a folder of its own.
#[test]
fn paths_in_a_configuration_are_relative_to_its_folder_and_errors_name_it() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("inside")).unwrap();
    let book = "#YANEURAOU-DB2016 1.00\nsfen rbnsgk/5p/6/6/P5/KGSNBR b - 1\n6e6d none 0 1 1\n";
    folder.file("inside/book.db", book);
    let start = |text: &str, from: &str, config: &str| {
        folder.file("engine.toml", text);
        let mut program = Command::new(JUDKINS);
        let program = program.args(["--config", config]).current_dir(from).stdin(Stdio::null());
        let output = program.output().expect("it starts");
        (output.status.success(), String::from_utf8(output.stderr).expect("it is UTF-8"))
    };
    let [here, config, log] = ["", "engine.toml", "inside/log"].map(|name| folder.path(name));
    let good = "[options]\nBookFile = \"inside/book.db\"\nDebugLogFile = \"inside/log\"\nEvalFile = \"\"\n";
    for (from, config) in [("/", &config[..]), (&here, "engine.toml"), (&folder.path("inside"), "../engine.toml")] {
        assert_eq!(start(good, from, config), (true, String::new()), "from {from}");
        assert!(std::fs::exists(&log).unwrap(), "the log lies beside the configuration, not in {from}");
        std::fs::remove_file(&log).unwrap();
    }
    let listed = run_with_input(&["--config", &config], "usi\nquit\n");
    let listed = String::from_utf8(listed.stdout).expect("it is UTF-8");
    assert!(
        listed.contains(&format!("BookFile type filename default {}\n", folder.path("inside/book.db"))),
        "{listed}"
    );
    std::fs::remove_file(log).unwrap();

    for key in ["BookFile", "EvalFile", "DebugLogFile"] {
        for value in ["none/such", "/none/such"] {
            let (success, error) = start(&format!("[options]\n\n{key} = \"{value}\"\n"), "/", &config);
            let path = if value.starts_with('/') { value.to_owned() } else { folder.path(value) };
            let expected = format!("{config}, line 3: {key} '{path}'");
            assert!(!success && error.contains(&expected), "'{expected}' is missing: {error}");
        }
    }
    // A path set over the protocol stays relative to the working directory.
    let output = run_with_input(&[], "setoption name BookFile value none/such\nquit\n");
    assert!(String::from_utf8_lossy(&output.stdout).contains("error: BookFile 'none/such'"));
}

#[test]
fn tune_lists_the_parameters() {
    let plain = run_with_input(&[], "usi\nquit\n");
    assert!(!String::from_utf8_lossy(&plain.stdout).contains("RfpMargin"));
    let tune = run_with_input(&["--tune"], "usi\nsetoption name RfpMargin value 100\ngo depth 3\nquit\n");
    let text = String::from_utf8_lossy(&tune.stdout);
    assert!(text.contains("option name RfpMargin type spin default ") && !text.contains("error"), "{text}");
}

#[test]
fn fit_refuses_what_it_cannot_learn_from() {
    let folder = Folder::new();
    let missing = folder.path("missing.jsonl");
    let wrong = folder.file("wrong.jsonl", "startpos moves 6e6d\n");
    let empty = folder.file("empty.jsonl", "");
    let out = folder.path("refused.rs");
    for (games, expected) in [
        // The system's own words follow.
        (&missing, format!("judkins: {missing}: ")),
        (&wrong, format!("judkins: {wrong}, line 1: ")),
        (&empty, "judkins: no quiet positions in these games\n".to_owned()),
    ] {
        let error = fail(&["fit", "--out", &out, games], &expected);
        assert!(error.starts_with(&expected), "{games}: {error}");
        assert!(!Path::new(&out).exists(), "{games} wrote weights");
    }
}

#[test]
fn fit_learns_from_a_match() {
    let folder = Folder::new();
    let (record, out) = (folder.path("fit.jsonl"), folder.path("fitted.rs"));
    let engine = |name: &str| format!("cmd={},name={name},option.USI_Hash=1,nodes=500", JUDKINS);
    let (more, less) = (engine("more"), engine("less"));
    succeed(&["match", "--engine", &more, "--engine", &less, "--games", "12", "--record", &record]);
    let text = succeed(&["fit", &record, "--rounds", "2", "--out", &out]);
    let learned = text.lines().next().and_then(|line| line.split_once(" positions to learn from, "));
    let (learn, held_out) = learned.unwrap_or_else(|| panic!("{text}"));
    let held_out = held_out.trim_end_matches(" held out");
    assert!([learn, held_out].iter().all(|count| count.parse::<u32>().is_ok_and(|count| count > 0)), "{text}");
    let rounds: Vec<Vec<f64>> = text
        .lines()
        .map(|line| line.split_whitespace().map_while(|word| word.parse().ok()).collect())
        .filter(|row: &Vec<f64>| row.len() == 3)
        .collect();
    assert!(rounds.iter().map(|row| row[0]).eq([0.0, 1.0, 2.0]), "the weights in use, and two rounds:\n{text}");
    // Weights that are worse on the held-out games are not written.
    let least = rounds.iter().map(|row| row[2]).fold(f64::INFINITY, f64::min);
    let told = |row: &&Vec<f64>| text.ends_with(&format!("the weights of round {} are in {out}\n", row[0]));
    let best = rounds.iter().find(told).unwrap_or_else(|| panic!("{text}"));
    assert_eq!(best[2], least, "{text}");
    // The winning chance for a score, from the same games.
    let text = succeed(&["data", "chance", &record]);
    assert!(text.contains(" centipawns are odds of e to 1\n") && text.contains("  observed  "), "{text}");
    let games = std::fs::read_to_string(&record).expect("it was written");
    let broken = folder.file("broken.jsonl", &games.replace("\"opening\":\"", "\"opening\":\"7z7z "));
    let at = format!("{broken}: the opening of game 1 cannot be read: ");
    fail(&["data", "chance", &broken], &at);
    // Rust source as the committed weights are, with other numbers.
    let fitted = std::fs::read_to_string(&out).expect("it was written");
    let in_use = include_str!("../../src/eval/handwritten/fitted.rs");
    let frame = |text: &str| text.replace(|c: char| c.is_ascii_digit() || c == '-', "");
    assert_eq!(frame(&fitted), frame(in_use));
    assert_eq!(fitted == in_use, best[0] == 0.0);
}

#[test]
fn mate_solves_problems_and_its_status_says_how() {
    let mate = |arguments: &[&str]| {
        let output = run(&[&["mate"], arguments].concat());
        (output.status.code(), String::from_utf8(output.stdout).expect("it is UTF-8"))
    };
    let (status, text) = mate(&["--unique", "--moves", "--boards", "1b3S/2B2k/3R2/6/6/6 b P 1"]);
    assert_eq!(status, Some(0), "{text}");
    for part in [
        "Mate in 5 plies, the shortest",
        "USI      3c3b 1b1a P*1b 1a2a 4b3a+",
        "1. R-3b= Kx1a 2. P*1b K-2a 3. B-3a+",
        "1. R-3b=: the only move",
        "The solution is unique",
        "    1  3c3b\n",
        "1b1a P*1b\n",
        "4b3a+ mate\n",
    ] {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
    assert_eq!(text.matches("＋").count() + text.matches("+------------------+").count(), 12, "six boards:\n{text}");

    // The last move is the last that counts: a useless interposition comes behind it.
    let (_, text) = mate(&["--unique", "3ng1/1P+P3/K1+N3/3+s2/B3k+b/+r5 w RGs 68"]);
    assert!(
        text.contains("Mate in 17 plies, the shortest") || text.contains("Mate in 17 plies, 2 of useless"),
        "{text}"
    );
    assert!(text.contains("The solution is unique, the last move aside."), "{text}");

    assert_eq!(mate(&["5k/6/6/6/6/K5 b - 1"]).0, Some(10));
    assert_eq!(mate(&["--time", "0.000001", "6/2+bgk1/5p/1BSG2/P3+s1/KR4 b R2n 39"]).0, Some(20));
    // After the move, White is to mate a player without a king.
    for bad in ["5k/6/6/6/6/6", "6/6/6/6/6/K5 b - 1", "4k1/6/4G1/6/6/6 b G 1 moves G*2b", "no such file"] {
        assert_eq!(mate(&[bad]).0, Some(1), "{bad}");
    }
}

/// Each other check had the whole time for itself, and the defences had no limit.
#[test]
fn the_time_for_a_problem_is_that_for_all_that_is_asked_about_it() {
    let mate = |time: &str, sfen: &str| {
        let begun = Instant::now();
        let text = succeed(&["mate", "--time", time, "--unique", "--moves", sfen]);
        (begun.elapsed(), text)
    };
    // Fourteen other checks are hard to decide.
    let (took, text) = mate("2", "4gk/5g/3s2/K+B4/P1s+n1R/6 b RBNP 45");
    assert!(took < Duration::from_secs(14), "{took:?}\n{text}");
    for part in
        ["Mate in ", " is undecided", "the time is used up (--time S allows more)", "Every defence and its reply:"]
    {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
    // An immediate decision is reported in any case.
    let (_, text) = mate("1", "4k1/6/4G1/6/6/6 b G 1");
    assert!(text.contains("1. G*2b: G*3b mates too, in 3 at most") && text.contains("    1  G*2b mate\n"), "{text}");
}

#[test]
fn a_file_of_problems_has_a_line_for_each() {
    let folder = Folder::new();
    let file = folder.file("problems", "# two problems\n4k1/6/4G1/6/6/6 b G 1; mate 1\n\nsfen 5k/6/6/6/6/K5 b - 1\n");
    let output = run(&["mate", &file]);
    let text = String::from_utf8(output.stdout).expect("it is UTF-8");
    assert_eq!(output.status.code(), Some(10), "{text}");
    for part in ["mate 1: G*2b\n", "no mate\n", "2 problems in", "1 mate (1 of 1 ply), 1 without a mate, 0 undecided"] {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_file_of_problems_is_summed_up() {
    // The second one takes longer than anybody waits.
    let folder = Folder::new();
    let file = folder.file("problems", "4k1/6/4G1/6/6/6 b G 1\n6/2+bgk1/5p/1BSG2/P3+s1/KR4 b R2n 39\n");
    let mut child = command(&["mate", &file, "--time", "600"]).spawn().expect("the binary starts");
    let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines().map_while(Result::ok);
    let mut lines = lines.skip_while(|line| !line.ends_with("mate 1: G*2b"));
    lines.next().expect("the first one is solved");
    signal(child.id(), "-INT");
    let text: String = lines.map(|line| line + "\n").collect();
    assert!(text.contains("\n1 mate (1 of 1 ply), ") && text.contains("\ninterrupted"), "{text}");
    assert_eq!(child.wait().expect("it ends").code(), Some(20));
}

#[test]
fn a_line_that_is_no_problem_does_not_end_a_file_of_problems() {
    let interposed = "3ng1/1P+P3/K1+N3/3+s2/B3k+b/+r5 w RGs 68";
    let folder = Folder::new();
    let file = folder.file("problems", &format!("a bad line\n{interposed}\n"));
    let output = run(&["mate", &file]);
    failed("mate", &output, "line 1: 'a bad line' is not a position");
    let text = String::from_utf8(output.stdout).expect("it is UTF-8");
    assert!(
        text.contains("mate 17: ") && text.contains("1 problem in") && text.contains("1 mate (1 of 17 plies)"),
        "counted as for one problem: {text}"
    );
    fail(&["mate", "--unique", &file], "are for one problem, not for a file");
    fail(&["mate", &file, &file], "give one file");
}

#[test]
fn a_file_without_problems_is_no_success() {
    let folder = Folder::new();
    let file = folder.file("problems", "\u{feff}# none\n");
    fail(&["mate", &file], "there is no problem in it");
    let marked = folder.file("marked", "\u{feff}position sfen 4k1/6/4G1/6/6/6 b G 1\r\n");
    assert!(succeed(&["mate", &marked]).contains("mate 1: G*2b"));
}

#[test]
fn input_files_are_not_overwritten() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", "[Event \"a\"]\n\n1. P-6d *\n\n[Event \"b\"]\n\n1. P-6d *\n");
    let page = folder.file("game.html", "1. P-6d *\n");
    let record = folder.file("games.jsonl", "{}\n");
    // The second move cannot be.
    let partial = folder.file("partial.pgn", "1. P-6d R-1c 2. K-1a G-2b *\n");
    for (arguments, file) in [
        (&["review", &games, "--game", "1", "--annotate", &games][..], &games),
        (&["review", &page, "--report", &page], &page),
        (&["fit", &record, "--out", &record], &record),
        (&["book", "export", &record, "--to", "usi", "--out", &record], &record),
        (&["prove", &record, "--check", "--export", &record], &record),
        (&["review", &partial, "--annotate", &partial], &partial),
        (&["convert", &partial, &partial], &partial),
        (&["convert", &games, &games, "--game", "1"], &games),
        (&["data", "openings", "--evaluation", &record, "--out", &record], &record),
        (&["data", "test-set", "--evaluation", &record, "--out", &record, &games], &record),
    ] {
        let before = std::fs::read(file).expect("it is there");
        let errors = refused_as(arguments, &run(arguments), "");
        let is_refused = ["it cannot be written too", "would lose"].iter().any(|words| errors.contains(words));
        assert!(is_refused, "{arguments:?}: {errors}");
        assert_eq!(std::fs::read(file).expect("it is there"), before, "{arguments:?}");
    }
}

#[test]
fn a_closed_pipe_ends_every_subcommand_without_an_error() {
    let folder = Folder::new();
    let record = folder.file("game.usi", "startpos moves 6e6d 1b1c\n");
    let problems = folder.file("problems", "4k1/6/4G1/6/6/6 b G 1\n");
    let proof = folder.file("open.proof", "");
    for arguments in [
        &["net", "info"][..],
        &["show"],
        &["perft", "3"],
        &["analyze", "--time", "0.1", "--threads", "1"],
        &["mate", "1b3S/2B2k/3R2/6/6/6 b P 1"],
        &["mate", &problems],
        &["prove", &proof, "--time", "0.1"],
        &["convert", &record, "--to", "kif"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
    ] {
        let (reader, writer) = std::io::pipe().expect("pipes can be made");
        drop(reader);
        let output = Command::new(JUDKINS).args(arguments).stdout(writer).output();
        let output = output.expect("the binary starts");
        let errors = stderr(&output);
        // Where 0 is an answer, a closed pipe leaves the question open.
        let expected = if matches!(arguments[0], "mate" | "prove") { 20 } else { 0 };
        // Only progress is shown.
        let is_quiet = errors.lines().all(|line| line.contains(" of them proven, "));
        assert!(output.status.code() == Some(expected) && is_quiet, "{arguments:?}: {}\n{errors}", output.status);
    }
}

#[test]
fn a_refused_command_leaves_nothing_behind() {
    let folder = Folder::new();
    let (book, bad) = (folder.file("empty.book", ""), folder.file("bad.usi", "startpos\nnothing\n"));
    let [none, out, usi, far] = ["none.games", "out", "new.usi", "no/record.jsonl"].map(|name| folder.path(name));
    let engines = ["--engine", "cmd=x,name=a", "--engine", "cmd=x,name=b"];
    let matches = |more: &[&str]| [&["match"], &engines[..], more].concat().iter().map(ToString::to_string).collect();
    let plain = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<String>>();
    for (arguments, error) in [
        (plain(&["data", "shuffle", &none, "--out", &out]), "none.games"),
        (plain(&["datagen", "--out", "-", "--jobs", "--shards", "1"]), "--jobs is for a folder"),
        (plain(&["data", "openings", "--out", "-"]), "standard output (-) cannot be the output file"),
        (plain(&["book", "verify", &book]), "an empty book"),
        (plain(&["review", &bad, "--game", "2"]), "game 2 cannot be read"),
        (plain(&["review", &bad, "--game", "3"]), "there is no game 3"),
        (matches(&["--record", &far, "--usi", &usi]), "there is no folder"),
    ] {
        refused(&run(&arguments.iter().map(String::as_str).collect::<Vec<_>>()), error);
        assert!(!std::fs::exists(&out).unwrap() && !std::fs::exists(&usi).unwrap(), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_environment_chooses_what_is_logged() {
    let log = |levels: &str| {
        let lines = "usi\nsetoption name DebugLogFile value /dev/full\nisready\nquit\n";
        stderr(&output_with_input(command(&[]).env("RUST_LOG", levels), lines))
    };
    for levels in ["debug", "judkins::protocol=debug", "error,judkins=debug"] {
        assert!(log(levels).contains("DEBUG judkins::protocol: < usi"), "{levels}: {}", log(levels));
    }
    for levels in ["", "warn", "judkins=warn"] {
        let text = log(levels);
        assert!(text.contains("WARN") && text.contains("DebugLogFile") && !text.contains("DEBUG"), "{levels}: {text}");
    }
    assert_eq!(log("off"), "");
    let text = log("judkins=loud");
    assert!(text.contains("RUST_LOG=judkins=loud is ignored") && text.contains("DebugLogFile"), "{text}");
}

/// The engine ended in the middle of a game.
#[cfg(target_os = "linux")]
#[test]
fn a_warning_that_cannot_be_written_ends_nothing() {
    let full = || std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
    let lines = "usi\nsetoption name DebugLogFile value /dev/full\nisready\ngo nodes 100\nquit\n";
    let output = output_with_input(command(&[]).env("RUST_LOG", "debug").stderr(full()), lines);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("bestmove"), "{}: {text}", output.status);
    // Lost answers are no success.
    let told = "standard output: No space left";
    failed("usi", &output_with_input(command(&[]).stdout(full()), "usi\n"), told);
    for arguments in [&["--help"][..], &["--version"], &["match", "--help"]] {
        failed(arguments, &command(arguments).stdout(full()).output().expect("it starts"), told);
    }
}

#[test]
fn an_error_that_nobody_reads_is_still_a_status() {
    for (arguments, code) in
        [(&["convert", "there-is-none.usi", "--to", "kif"][..], 2), (&["mate", "there-is-none"], 1)]
    {
        let (reader, writer) = std::io::pipe().expect("pipes can be made");
        drop(reader);
        let status = Command::new(JUDKINS).args(arguments).stderr(writer).status();
        assert_eq!(status.expect("the binary starts").code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn shells_complete_every_subcommand() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = succeed(&["completions", shell]);
        for word in ["analyze", "multipv", "shuffle"] {
            assert!(script.contains(word), "{shell}: {word} is missing");
        }
    }
}

#[test]
fn the_manual_has_a_page_for_every_subcommand_and_the_engines_options() {
    let folder = Folder::new();
    let out = folder.path("man");
    succeed(&["man", "--out", &out]);
    let page = |name: &str| std::fs::read_to_string(Path::new(&out).join(name)).expect("the page was written");
    assert_eq!(page("judkins.1"), succeed(&["man"]));
    // The minus sign of options is written with a backslash in this format.
    assert!(page("judkins-analyze.1").contains(r"\-\-multipv"));
    assert!(page("judkins-tune-apply.1").contains("judkins-tune-apply"));
    for line in ["SlowMover = 100", "# Percent of the usual share"] {
        assert!(page("judkins.1").contains(line), "{line} is missing");
    }
}

#[test]
fn prove_finds_a_win_goes_on_with_it_and_replays_it() {
    let start = "2nk2/3g1p/4n1/1+BS3/P5/KG2R1 w S 17";
    let folder = Folder::new();
    let (proof, book) = (folder.path("win.proof"), folder.path("win.db"));
    let few = ["--mate-nodes", "500", "--nodes", "100", "--move-nodes", "2000", "--hash", "1", "--threads", "1"];
    let prove = |more: &[&str]| run(&[&["prove", &proof], more, &few].concat());
    let text = |output: &Output| String::from_utf8(output.stdout.clone()).expect("it is UTF-8");
    // Nothing is done yet, as after an interrupt in the first batch.
    assert_eq!(prove(&[start, "--positions", "0"]).status.code(), Some(20));
    let output = run(&["prove", &proof, "--check"]);
    let told = format!("judkins: {proof}: there is nothing in it\n");
    assert_eq!(stderr(&output), told);
    let output = run(&["prove", &proof, "--check", "--time", "1"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    // Not yet.
    let output = prove(&[start, "--positions", "5"]);
    assert_eq!(output.status.code(), Some(20), "{output:?}");
    assert!(text(&output).contains("Open. The line under work: "), "{output:?}");
    assert!(text(&output).contains("\nopen, with proof numbers: "), "{output:?}");
    let output = run(&["prove", &proof, "--check"]);
    assert_eq!((output.status.code(), text(&output).contains("it is not proven")), (Some(20), true), "{output:?}");
    // Another question is refused.
    refused(&prove(&["bishop"]), "not about 'Black wins, r1nsgk");
    // Another effort is told.
    let more = ["--mate-nodes", "500", "--nodes", "90", "--move-nodes", "2000", "--hash", "1", "--positions", "1"];
    let output = run(&[&["prove", &proof, start][..], &more].concat());
    let told = format!("judkins: {proof}: made with --nodes 100 until now, with --nodes 90 from here on\n");
    assert_eq!(stderr(&output), told);
    // The same command continues.
    let output = prove(&[start, "--interval", "0.001"]);
    assert!(output.status.success() && text(&output).ends_with("Proven: Black wins.\n"), "{output:?}");
    assert!(output.stderr.is_empty() && text(&output).contains(" of them proven, proof number "), "{output:?}");
    assert!(text(&output).contains(" elapsed\n"), "{output:?}");
    // The replay checks the requested question.
    assert!(run(&["prove", &proof, start, "--for", "black", "--check"]).status.success());
    for other in [&["bishop"][..], &["--for", "white"], &["--impasse-rule", "Try"]] {
        let check = [&["prove", &proof, "--check"], other].concat();
        fail(&check, "is about something else: 'Black wins, 2nk2");
    }
    let text = succeed(&["prove", &proof, "--check", "--export", &book]);
    assert!(text.starts_with(&format!("Black wins from {start}\n")), "{text}");
    // An engine plays by the proof where mate is farthest away.
    let written = std::fs::read_to_string(&book).expect("it was written");
    let lines: Vec<&str> = written.lines().skip(1).collect();
    let score = |entry: &&[&str]| entry[1].split(' ').nth(2).expect("a score").parse::<i32>().expect("a number");
    let farthest = lines.chunks(2).min_by_key(score).expect("there are positions");
    let session = format!(
        "usi\nsetoption name USI_OwnBook value true\nsetoption name BookDepth value 500\n\
         setoption name BookFile value {book}\nisready\nposition {}\ngo nodes 1\nquit\n",
        farthest[0]
    );
    let answer = String::from_utf8(run_with_input(&[], &session).stdout).expect("it is UTF-8");
    let mv = farthest[1].split(' ').next().expect("a move");
    assert!(answer.contains(&format!("bestmove {mv}")), "{farthest:?}: {answer}");
}

/// Editors on Windows put a mark before a text in UTF-8.
#[test]
fn a_byte_order_mark_is_no_part_of_any_file() {
    let folder = Folder::new();
    let file = |name: &str, text: &str| folder.file(name, &format!("\u{feff}{text}"));
    let book = file("book.db", "#YANEURAOU-DB2016 1.00\nsfen rbnsgk/5p/6/6/P5/KGSNBR b - 1\n6e6d none 20 10 1\n");
    let config = file("engine.toml", "[options]\nUSI_Hash = 17\n");
    let problems = file("mates.txt", "1b3S/2B2k/3R2/6/6/6 b P 1\n");
    let opening = file("openings.txt", "startpos moves 6e6d\n");
    // Commands may come from such a file, too.
    let commands = format!(
        "\u{feff}usi\nsetoption name USI_OwnBook value true\nsetoption name BookFile value {book}\nisready\nposition startpos\ngo nodes 1\nquit\n"
    );
    let output = run_with_input(&["--config", &config], &commands);
    let answers = String::from_utf8_lossy(&output.stdout);
    for answer in ["usiok", "option name USI_Hash type spin default 17", "readyok", "bestmove 6e6d"] {
        assert!(answers.contains(answer), "no '{answer}' in {answers}");
    }
    assert!(!answers.contains("info string"), "{answers}");
    assert!(succeed(&["mate", &problems]).contains("1 mate"));
    let [first, second] = ["a", "b"].map(|name| format!("cmd={JUDKINS},name={name}"));
    let record = folder.path("games.jsonl");
    let engines = ["--engine", &first, "--engine", &second, "--each", "nodes=1"];
    let games = ["--games", "2", "--openings", &opening, "--record", &record];
    succeed(&[&["match"], &engines[..], &games].concat());
    // A record with a mark is read, and so is one in another format.
    let games = std::fs::read_to_string(&record).expect("the match wrote it");
    let marked = file("marked.jsonl", &games);
    let line = succeed(&["convert", &marked, "--to", "usi"]);
    assert!(line.starts_with("startpos moves 6e6d ") || line.contains("\nstartpos moves 6e6d "), "{line}");
    for format in ["kif", "ki2", "pgn", "usi"] {
        let written = file("game", &succeed(&["convert", &marked, "--to", format, "--game", "1"]));
        let again = succeed(&["convert", &written, "--to", "usi"]);
        assert!(again.contains("startpos moves 6e6d "), "{format}: {again}");
    }
}
