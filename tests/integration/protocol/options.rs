//! Options: valid and invalid values, and their effects.

use judkins::shogi::START_SFEN;

use crate::common::{Folder, JUDKINS};

use super::driver::{Line, PROMPT, Session, play_all, play_in_turn};
use super::{LATE, expect_shown, last_number, millis, offers, reported};

#[test]
fn options_good_and_bad() {
    let title = |story: &'static str| {
        let title = story.replace('\n', ", ");
        (title, story)
    };
    play_in_turn(
        [
            "> setoption name USI_Hash value abc\n! abc",
            "> setoption name USI_Hash value -5\n! -5",
            "> setoption name USI_Hash value\n! USI_Hash",
            "> setoption name USI_Hash\n! USI_Hash",
            "> setoption name USI_Hash value 16 MiB\n! 16 MiB",
            "> setoption name USI_Hash value 16.5\n! 16.5",
            "> setoption name USI_Hash value 0x10\n! 0x10",
            "> setoption name USI_Hash value 10000000000000000000\n! 10000000000000000000\n=\n> go depth 3\n< bestmove",
            "> setoption name USI_Hash value 99999999999999999999999\n! 99999999999999999999999",
            "> setoption name Threads value 0\n! 0\n> go depth 3\n< bestmove",
            "> setoption name Threads value -1\n! -1",
            "> setoption name Threads value 1000000\n! 1000000\n> go depth 3\n< bestmove",
            "> setoption name Threads value 18446744073709551616\n! 18446744073709551616",
            "> setoption name Threads value four\n! four",
            "> setoption name USI_MultiPV value 0\n! 0",
            "> setoption name SkillLevel value 21\n! 21",
            "> setoption name SkillLevel value -1\n! -1",
            "> setoption name USI_Ponder value maybe\n! maybe",
            "> setoption name USI_Ponder value\n! USI_Ponder",
            "> setoption name USI_Ponder value true\n=\n> setoption name USI_Ponder value false\n=",
            "> setoption name usi_ponder value true\n=",
            "> setoption name USI_OwnBook value 2\n! 2",
            "> setoption name USI_Variant value judkins\n=",
            "> setoption name usi_VARIANT value JUDKINS\n=",
            "> setoption name USI_Variant value shogi\n! shogi\n> go depth 2\n< bestmove",
            "> setoption name ImpasseRule value points12\n=",
            "> setoption name ImpasseRule value\n! ImpasseRule",
            "> setoption name ImpasseRule value Points 12\n! Points 12",
            "> setoption name UCI_Chess960 value false\n! UCI_Chess960\n> go depth 2\n< bestmove",
            "> setoption name UCI_Chess960 value true\n! UCI_Chess960\n=",
            "> setoption name NoSuchThing value 3\n! NoSuchThing",
            "> setoption name NoSuchThing\n! NoSuchThing",
            "> setoption name No Such Thing value 3 or 4\n! No Such Thing",
            "> setoption\n!",
            "> setoption name\n!",
            "> setoption name value 3\n!",
            "> setoption USI_Hash 16\n!",
            "> setoption value 16\n!",
            "> setoption name ClearHash\n=",
            "> setoption name clearhash\n=\n> go depth 2\n< bestmove",
            "> setoption name USI_Hash value 1\n=\n> go depth 4\n< bestmove",
            "> setoption name  USI_Hash  value  4 \n=",
            "> setoption name MultiPV value 2\n=",
            "> setoption name MultiPV value x\n! x",
            "> setoption name BookFile value\n=",
            "> setoption name BookFile value <empty>\n=",
            "> setoption name BookFile\n=",
            "> setoption name DebugLogFile value\n=",
        ]
        .map(title),
    );
    // A bad file is read at once or by `isready`, and reported once. The game continues.
    play_all([
        (
            "a missing book",
            "> setoption name USI_OwnBook value true\n> setoption name BookFile value /no/such/book of mine\n> isready\n\
             ! /no/such/book of mine\n< readyok\n=\n> position startpos\n> go depth 3\n< bestmove",
        ),
        (
            "a device for a book",
            "> setoption name BookFile value /dev/zero\n> isready\n!\n< readyok\n> go depth 3\n< bestmove",
        ),
        ("a folder for a book", "> setoption name BookFile value /\n> isready\n!\n< readyok\n> go depth 3\n< bestmove"),
        (
            "a missing network",
            "> setoption name EvalFile value /no/such/network\n> isready\n! /no/such/network\n< readyok\n=\n> go depth 3\n\
             < bestmove",
        ),
        (
            "a folder for a network",
            "> setoption name EvalFile value /\n> isready\n!\n< readyok\n> go depth 3\n< bestmove",
        ),
        (
            "a file that is not a network",
            "> setoption name EvalFile value /proc/self/status\n> isready\n!\n< readyok\n> go depth 3\n< bestmove",
        ),
        (
            "a log that cannot be written",
            "> setoption name DebugLogFile value /no/such/folder/log\n! /no/such/folder/log\n> go depth 3\n< bestmove",
        ),
        (
            "a petabyte of hash",
            "> setoption name USI_Hash value 1000000000\n> isready\n!\n< readyok\n> go depth 3\n< bestmove\n=",
        ),
        ("a terabyte for mates", "> setoption name MateHash value 1048576\n! MateHash\n> go depth 3\n< bestmove\n="),
        (
            "a missing network, and go without isready",
            "> setoption name EvalFile value /no/such/network\n> go depth 3\n! /no/such/network\n< bestmove",
        ),
    ]);
}

#[test]
fn the_book_is_played_from_when_it_may_be() {
    let folder = Folder::new();
    let text = |mv: &str| format!("#YANEURAOU-DB2016 1.00\nsfen {START_SFEN}\n{mv} none 0 1 1\n");
    // No search would give the bishop away.
    let (book, broken) = (folder.file("a book.db", &text("2f6b")), folder.file("broken.db", &text("2f6c")));
    let mut session = Session::ready("a book");
    session.play(&format!("> setoption name BookFile value {book} \n = \n > position startpos"));
    session.play("> setoption name USI_OwnBook value true \n = \n > go depth 3 \n < bestmove 2f6b");
    session.play("> go btime 60000 wtime 60000 \n < bestmove 2f6b");
    session.play("> go ponder btime 60000 wtime 60000 \n ~ 100 \n > ponderhit \n < bestmove 2f6b");
    let (best, _) = session.go("depth 3 searchmoves 6e6d");
    session.check(best == "6e6d", "the book knows no searchmoves");
    session.play("> position startpos moves 6e6d 1a2b \n > go depth 3 \n < bestmove \n > position startpos");
    session.play("> setoption name USI_OwnBook value false");
    let (best, _) = session.go("depth 3");
    session.check(best != "2f6b", "the book is not played from unless it may be");
    // A move in it is not legal: the book that was there stays.
    session.play(&format!("> setoption name BookFile value {broken} \n > isready \n ! broken.db"));
    session.play("< readyok \n > setoption name USI_OwnBook value true \n > go depth 3 \n < bestmove 2f6b");
    session.play("> setoption name BookFile value <empty> \n =");
    let (best, _) = session.go("depth 3");
    session.check(best != "2f6b", "the book is gone");
    session.quit();
}

#[test]
#[cfg(target_os = "linux")]
fn a_log_on_a_full_disk() {
    let mut session = Session::ready("DebugLogFile /dev/full");
    session.play("> setoption name DebugLogFile value /dev/full \n > isready \n << readyok");
    session.play("> go depth 3 \n < bestmove");
    session.quit();
}

/// The number of the engine's threads after those of the last search have ended.
#[cfg(target_os = "linux")]
fn resting_threads(session: &Session) -> u64 {
    let sample = |_| {
        std::thread::sleep(millis(5));
        session.status("Threads")
    };
    (0..40).map(sample).min().unwrap_or_default()
}

#[test]
fn every_option_takes_its_range_and_nothing_else() {
    let mut session = Session::new("the range of every option");
    let offers = offers(&mut session);
    for offer in &offers {
        // Options that take much memory or many threads are tested elsewhere.
        let heavy = matches!(offer.name.as_str(), "USI_Hash" | "MateHash" | "Threads");
        let (good, bad): (Vec<String>, Vec<String>) = match offer.kind.as_str() {
            "spin" => {
                let (min, max) = offer.range.expect("a spin has a range");
                let good = if heavy { vec![min] } else { vec![min, max] };
                let mut bad =
                    vec!["abc".to_owned(), String::new(), "1e3".to_owned(), "99999999999999999999".to_owned()];
                bad.extend(min.checked_sub(1).map(|value| value.to_string()));
                bad.extend(max.checked_add(1).map(|value| value.to_string()));
                (good.into_iter().map(|value| value.to_string()).collect(), bad)
            }
            "check" => (vec!["true".into(), "false".into()], vec!["maybe".into(), String::new(), "1 0".into()]),
            "combo" => {
                let cases = |choice: &String| [choice.clone(), choice.to_uppercase(), choice.to_lowercase()];
                (offer.choices.iter().flat_map(cases).collect(), vec!["nonsense".into(), String::new()])
            }
            "string" | "filename" => (vec![String::new(), "<empty>".into()], vec![]),
            _ => (vec![], vec![]),
        };
        let name = &offer.name;
        for (index, value) in good.iter().enumerate() {
            let name = if index % 2 == 0 { name.to_lowercase() } else { name.to_uppercase() };
            session.play(format!("> setoption name {name} value {value}").trim_end());
            session.sync();
        }
        for value in bad {
            session.play(format!("> setoption name {name} value {value}").trim_end());
            session.expect_error(&value);
            session.sync();
        }
        match &offer.default {
            Some(value) => session.play(&format!("> setoption name {name} value {value} \n =")),
            None => session.play(&format!("> setoption name {name} \n =")),
        };
    }
    session.play("> go depth 3 \n < bestmove");
    session.quit();
}

#[test]
fn the_number_of_lines_is_set_and_kept() {
    let mut session = Session::ready("USI_MultiPV");
    for (line, shown) in [
        ("setoption name USI_MultiPV value 3", 3),
        ("setoption name usi_multipv value 2", 2),
        ("setoption name MultiPV value 4", 4),
        ("setoption name MULTIPV value 5", 5),
        ("setoption\tname\tUSI_MultiPV\tvalue\t2", 2),
        ("  setoption   name  USI_MultiPV  value   3  ", 3),
        ("setoption name USI_MultiPV value 2\r", 2),
        ("usinewgame", 2),
        ("isready", 2),
        ("position startpos", 2),
        ("setoption name USI_MultiPV value 1", 1),
    ] {
        session.send(line);
        if line == "isready" {
            session.expect("readyok", PROMPT);
        }
        expect_shown(&mut session, shown, &format!("after '{line}'"));
    }
    session.play("> setoption name USI_MultiPV value 3");
    for bad in ["0", "-1", "abc", "", "99999999999999999999", "2 2"] {
        session.play(format!("> setoption name USI_MultiPV value {bad}").trim_end());
        session.expect_error(bad);
        expect_shown(&mut session, 3, &format!("the old value stays after the bad value '{bad}'"));
    }
    // More lines than there are moves.
    session.play("> setoption name USI_MultiPV value 10 \n > position sfen rbns1k/5g/6/1P4/+r5/KGSNB1 b p 1");
    session.play("> go depth 3 \n < bestmove \n > position startpos");
    session.quit();
}

#[test]
fn options_that_limit_a_search() {
    let mut session = Session::ready("DepthLimit, NodesLimit, SkillLevel, NetworkDelay, PvInterval");
    session.play("> setoption name DepthLimit value 2");
    let (_, lines) = session.go("depth 5");
    session.check(last_number(&lines, "depth") <= 2, "DepthLimit holds under a larger depth");
    session.go("");
    session.play("> go infinite \n ~ 150 \n > stop \n < bestmove");
    session.play("> setoption name DepthLimit value 0");
    let (_, lines) = session.go("depth 4");
    session.check(last_number(&lines, "depth") == 4, "0 is no limit");
    session.play("> setoption name NodesLimit value 1000");
    let (_, lines) = session.go("btime 600000 wtime 600000");
    session.check(last_number(&lines, "nodes") < 20_000, "NodesLimit holds under a long clock");
    session.play("> setoption name NodesLimit value 0 \n > setoption name SkillLevel value 0");
    for _ in 0..5 {
        session.go("depth 4");
    }
    session.play("> setoption name SkillLevel value 20 \n > setoption name NetworkDelay value 1200");
    let took = session.time_to_move("go movetime 2400");
    session.check(took < millis(2_300), "the delay is taken off the limit");
    session.play("> setoption name NetworkDelay value 10 \n > setoption name PvInterval value 5000");
    let (_, lines) = session.go("depth 1");
    session.check(reported(&lines, "depth").len() == 1, "the last report is sent once");
    let (_, lines) = session.go("depth 6");
    session
        .check((1..=3).contains(&reported(&lines, "depth").len()), "PvInterval holds reports back, but not the last");
    session.play("> setoption name PvInterval value 0 \n > setoption name MinimumThinkingTime value 800");
    let took = session.time_to_move("go btime 5000 wtime 5000");
    session.check(took > millis(300), "at least the minimum is used where the clock allows");
    let took = session.time_to_move("go btime 200 wtime 200");
    session.check(took < millis(200) + LATE, "the minimum does not outweigh the clock");
    session.quit();
}

#[test]
fn a_new_game_is_a_fresh_start() {
    let mut session = Session::ready("usinewgame forgets");
    let play = |session: &mut Session| {
        let mut told = Vec::new();
        for moves in ["", " moves 6e6d 1b1c"] {
            session.play(&format!("> position startpos{moves}"));
            let (best, lines) = session.go("depth 6");
            let untimed = |line: &Line| {
                let words: Vec<&str> = line.text.split(' ').collect();
                let timed = |at: usize| at > 0 && matches!(words[at - 1], "time" | "nps");
                (0..words.len()).filter(|&at| !timed(at)).map(|at| words[at]).collect::<Vec<_>>().join(" ")
            };
            told.extend(lines.iter().map(untimed));
            told.push(best);
        }
        told
    };
    session.play("> setoption name Threads value 1");
    session.play("> usinewgame \n =");
    let first = play(&mut session);
    session.play("> usinewgame");
    let second = play(&mut session);
    session.check(first == second, "the same search after usinewgame tells the same");
    session.play(
        "> position startpos moves 6e6c \n ! 6e6c \n > setoption name ClearHash \n > usinewgame \n > position startpos",
    );
    let third = play(&mut session);
    session.check(first == third, "and after other things in between");
    session.quit();
}

#[test]
fn hash_and_threads_changed_a_hundred_times() {
    let mut session = Session::ready("options changed a hundred times");
    for round in 0..100 {
        let (hash, threads) = (1 + round % 8, 1 + round % 4);
        session.play(&format!("> setoption name USI_Hash value {hash} \n > setoption name Threads value {threads}"));
        if round % 10 == 0 {
            session.play("= \n > go depth 3 \n < bestmove");
        }
    }
    session.play("> setoption name Threads value 1 \n = \n > go depth 3 \n < bestmove");
    #[cfg(target_os = "linux")]
    {
        let threads = session.status("Threads");
        session.check(threads < 12, &format!("{threads} threads are left over"));
        let peak = session.status("VmHWM");
        session.check(peak < 100 << 10, &format!("{peak} KiB at the peak"));
    }
    session.quit();
}

#[test]
#[cfg(target_os = "linux")]
fn bad_threads_leave_the_old_ones() {
    let mut session = Session::ready("Threads");
    session.play("> setoption name Threads value 3 \n = \n > go depth 3 \n < bestmove");
    let three = resting_threads(&session);
    for bad in ["0", "-1", "abc", "1000000"] {
        session.play(&format!("> setoption name Threads value {bad} \n ! {bad} \n = \n > go depth 3 \n < bestmove"));
        let now = resting_threads(&session);
        session.check(now == three, &format!("{now} threads, not {three}, after the bad value {bad}"));
    }
    session.play("> setoption name Threads value 1 \n = \n > go depth 3 \n < bestmove");
    let now = resting_threads(&session);
    session.check(now + 2 == three, &format!("{now} threads with Threads 1, {three} with 3"));
    session.quit();
}

#[test]
#[cfg(target_os = "linux")]
fn more_hash_than_the_machine_has() {
    // Under the shell's `ulimit`, so that the machine does not run out of memory.
    let limited = format!("ulimit -v 3000000; exec '{JUDKINS}'");
    let mut session =
        Session::spawn("a hash table beyond the memory", std::process::Command::new("sh").args(["-c", &limited]));
    let offers = offers(&mut session);
    let max = offers.iter().find(|offer| offer.name == "USI_Hash").and_then(|offer| offer.range).expect("a spin").1;
    session.play("> setoption name USI_Hash value 8 \n = \n > go depth 3 \n < bestmove");
    session.play(&format!("> setoption name USI_Hash value {} \n > isready \n ! \n < readyok", max.min(1_000_000)));
    session.play(
        "> position startpos \n > go depth 4 \n < bestmove \n > setoption name USI_Hash value 4 \n = \n > go depth 4",
    );
    session.play("< bestmove \n > usinewgame \n =");
    session.quit();
}

#[test]
#[cfg(target_os = "linux")]
fn more_threads_than_the_machine_has() {
    // A panic without memory for its backtrace hangs.
    let limited = format!("unset RUST_BACKTRACE; ulimit -v 900000; exec '{JUDKINS}'");
    let mut session =
        Session::spawn("threads beyond the memory", std::process::Command::new("sh").args(["-c", &limited]));
    session.play("> usi \n << usiok \n > setoption name Threads value 512 \n > isready \n ! \n < readyok");
    session.play("> position startpos");
    for _ in 0..2 {
        let (best, _) = session.go("depth 3");
        session.check(best != "resign", "a position is resigned for want of threads");
    }
    session.quit();
}

#[test]
fn the_debug_log_holds_every_line() {
    let folder = Folder::new();
    let file = folder.path("debug log.txt");
    let mut session = Session::ready("DebugLogFile, with spaces in its name");
    session.play(&format!("> setoption name DebugLogFile value {file} \n ="));
    let sent = [
        "position startpos moves 6e6d",
        "foo bar baz",
        "position startpos moves 1a1b",
        "setoption name USI_Hash value 2",
    ];
    session.play(&format!("> {}\n> {}\n? foo\n> {}\n! 1a1b\n> {}\n=", sent[0], sent[1], sent[2], sent[3]));
    session.play("> position startpos");
    let (best, lines) = session.go("depth 3");
    session.play("= \n > isready \n < readyok");
    let log = std::fs::read_to_string(&file).unwrap_or_else(|error| session.fail(&format!("the log: {error}")));
    let came = lines.iter().map(|line| line.text.as_str());
    let best = format!("bestmove {best}");
    for line in sent.into_iter().chain(came).chain([best.as_str(), "go depth 3", "isready", "readyok"]) {
        session.check(log.lines().any(|logged| logged.contains(line)), &format!("'{line}' is not in the log:\n{log}"));
    }
    session.play("> setoption name DebugLogFile value <empty> \n > isready \n < readyok \n > go depth 1 \n < bestmove");
    session.quit();
}
