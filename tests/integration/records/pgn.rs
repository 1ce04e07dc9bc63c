//! PGN as standard readers take it: who won, tags that every one of them reads, annotators' signs.

use judkins::record::{Format, NodeId, Record};
use judkins::shogi::{Color, EndReason, GameScore};

use super::{game, only, read, read_as, usi};

const DIALECTS: [Format; 3] = [Format::Pgn, Format::PgnFairy, Format::PgnCuteChess];

/// The tags of a game as the strictest reader takes them: names of letters, digits and `_`, each once.
fn tags(text: &str) -> Vec<(String, String)> {
    let lines = text.lines().take_while(|line| !line.is_empty());
    let tags: Vec<(String, String)> = lines
        .map(|line| {
            let inside = line.strip_prefix('[').and_then(|line| line.strip_suffix("\"]")).expect("a tag ends its line");
            let (name, value) = inside.split_once(" \"").expect("a tag has a value");
            let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            assert!(is_word && name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.len() <= 255, "{line}");
            (name.to_owned(), value.replace("\\\"", "\"").replace("\\\\", "\\"))
        })
        .collect();
    for (name, _) in &tags {
        assert_eq!(tags.iter().filter(|(other, _)| other == name).count(), 1, "{name} stands once: {text}");
    }
    tags
}

fn tag(text: &str, name: &str) -> Option<String> {
    tags(text).into_iter().find(|(other, _)| other == name).map(|(_, value)| value)
}

/// The winner by the rules of PGN, according to the tags and to the end of the moves.
fn winner(text: &str) -> Option<String> {
    let result = tag(text, "Result").expect("it is always written");
    assert!(text.trim_end().ends_with(&result), "{text}");
    match result.as_str() {
        "1-0" => tag(text, "White"),
        "0-1" => tag(text, "Black"),
        _ => None,
    }
}

/// The text as earlier versions wrote it: who moves first wins with `1-0`, though he is called Black.
fn by_earlier_version(text: &str) -> String {
    let swap = |text: &str| text.replace("1-0", "?").replace("0-1", "1-0").replace('?', "0-1");
    let lines = text.lines().filter(|line| *line != "[Notation \"Western\"]");
    let lines = lines.map(|line| {
        if line.starts_with("[Result") || line.ends_with("-1") || line.ends_with("-0") {
            swap(line)
        } else {
            line.to_owned()
        }
    });
    lines.map(|line| line + "\n").collect()
}

#[test]
fn the_winner_is_who_the_tags_say_in_every_dialect_and_ending() {
    let results = [None, Some(GameScore::Black), Some(GameScore::White), Some(GameScore::Draw)];
    let reasons = EndReason::ALL.iter().copied().map(Some).chain([None]);
    for (reason, result) in reasons.flat_map(|reason| results.map(|result| (reason, result))) {
        for start in ["startpos moves 6e6d", "bishop moves 1b1c 6e6d", "startpos"] {
            let mut record = only(start);
            record.header.players = [Some("first".to_owned()), Some("second".to_owned())];
            (record.header.reason, record.header.result) = (reason, result);
            for detail in [None, Some("White wins: so they say")] {
                record.header.detail = detail.map(str::to_owned);
                let expected = result.and_then(GameScore::winner).and_then(|winner| record.header.player(winner));
                for format in DIALECTS {
                    let text = record.to_text(format).expect("it is written");
                    assert_eq!(winner(&text).as_deref(), expected, "{text}");
                    assert_eq!(only(&text).header, record.header, "{text}");
                }
                let old = by_earlier_version(&record.to_text(Format::Pgn).expect("it is written"));
                assert_eq!(only(&old).header, record.header, "{old}");
            }
        }
    }
}

#[test]
fn a_file_that_is_not_ours_has_its_result_from_the_tags() {
    let head = "[Black \"a\"]\n[White \"b\"]\n";
    for (text, expected) in [
        // Nobody's, as the standard has it, also in the order in which other programs write the tags.
        ("[Black \"a\"]\n[White \"b\"]\n[Result \"0-1\"]\n\n1. P-6d 0-1\n", Color::Black),
        ("[White \"b\"]\n[Black \"a\"]\n[Result \"1-0\"]\n[Variant \"judkins\"]\n\n1. P-6d 1-0\n", Color::White),
        (
            "[Black \"a\"]\n[White \"b\"]\n[Result \"1-0\"]\n[PlyCount \"1\"]\n[Termination \"normal\"]\n\n1. P-6d 1-0\n",
            Color::White,
        ),
        ("1. P-6d 0-1\n", Color::Black),
        // An earlier version's, which its reason shows, or its words.
        ("[Result \"1-0\"]\n[EndReason \"unknown\"]\n\n1. P-6d 1-0\n", Color::Black),
        ("[Result \"0-1\"]\n[Termination \"resignation\"]\n[EndReason \"resignation\"]\n\n1. P-6d 0-1\n", Color::White),
        ("[Result \"1-0\"]\n[Termination \"Black wins: checkmate\"]\n\n1. P-6d 1-0\n", Color::Black),
        ("[Result \"0-1\"]\n[Termination \"White wins: checkmate\"]\n\n1. P-6d 0-1\n", Color::White),
        ("[EndReason \"time\"]\n\n1. P-6d 1-0\n", Color::Black),
        // One of ours that another program has written again.
        (
            "[White \"b\"]\n[Black \"a\"]\n[Result \"0-1\"]\n[EndReason \"time\"]\n[Notation \"Western\"]\n\n1. P-6d 0-1\n",
            Color::Black,
        ),
        (
            "[White \"b\"]\n[Black \"a\"]\n[Result \"0-1\"]\n[EndReason \"time\"]\n[Notation \"Western\"]\n\n0-1\n",
            Color::Black,
        ),
    ] {
        let text = if text.contains("[Black") { text.to_owned() } else { format!("{head}{text}") };
        let header = only(&text).header;
        assert_eq!(header.result.and_then(GameScore::winner), Some(expected), "{text}");
        assert_eq!(header.player(Color::Black), Some("a").filter(|_| text.starts_with('[')), "{text}");
    }
    for (text, problem) in [
        (
            "[Result \"1-0\"]\n\n1. P-6d 0-1\n",
            "line 3, column 9: the game ends with 0-1, and the tag 'Result' says something else, which is used",
        ),
        ("[Result \"White\"]\n\n1. P-6d *\n", "line 1, column 1: 'White' is not a result: 1-0, 0-1, 1/2-1/2 or *"),
    ] {
        assert_eq!(read(text)[0].problems[0].to_string(), problem);
    }
}

/// Annotators begin a variation with the move that was played.
#[test]
fn a_variation_that_repeats_the_game_does_not_replace_it() {
    let problem = "a variation cannot go on where the game ends";
    for (text, moves, length, told) in [
        ("1. P-6d (1. P-6d P-1c 2. G-5e) 1. ... K-2b *", "6e6d 1a2b", 4, None),
        ("1. P-6d (1. P-6d P-1c (1. ... P-1c 2. R-1e)) P-1c 2. G-5e *", "6e6d 1b1c 5f5e", 4, None),
        ("1. P-6d P-1c (1. ... P-1c 2. G-5e) 0-1", "6e6d 1b1c", 2, Some(problem)),
        ("1. P-6d (1. P-6d P-1c 2. G-5e) 0-1", "6e6d", 1, Some(problem)),
        ("1. P-6d (1. P-6d P-1c 2. G-5e) P-1c 0-1", "6e6d 1b1c", 2, Some(problem)),
        ("1. P-6d (1. R-1e (1. P-6d P-1c (1. ... P-1c 2. G-5e))) P-1c 0-1", "6e6d 1b1c", 3, Some(problem)),
        ("1. P-6d {[%clk 0:05:00]} (1. P-6d {[%clk 0:04:00]} K-2b) P-1c *", "6e6d 1b1c", 3, None),
    ] {
        let games = read(text);
        let record = games[0].record.as_ref().expect("it is a game");
        assert_eq!(usi(record), format!("startpos moves {moves}"), "{text}");
        assert_eq!(record.len(), length, "{text}");
        let problems: Vec<&str> = games[0].problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(problems, told.as_slice(), "{text}");
        if text.contains("clk") {
            let notes = record[record.main_line().next().unwrap()].notes();
            let five_minutes = Some(std::time::Duration::from_secs(300));
            assert_eq!((notes.clock, notes.comment.as_str()), (five_minutes, "[%clk 0:04:00]"));
        }
    }
}

#[test]
fn a_time_of_an_unknown_day_stays_a_tag() {
    let record = only("[Date \"2024.05.??\"]\n[Time \"12:00:00\"]\n\n1. P-6d *\n");
    let written = record.to_text(Format::Pgn).unwrap();
    assert_eq!(tag(&written, "Date").as_deref(), Some("2024.05.??"));
    assert_eq!(tag(&written, "Time").as_deref(), Some("12:00:00"));
    let record = only(kif("開始日時：2024/05 12:00:00\n"));
    assert_eq!(record.header.date, None);
}

/// A game of KIF with these lines in its header.
fn kif(lines: &str) -> String {
    format!("{lines}手合割：ジャドケンス将棋　角落ち\n下手：w\n上手：s\n   1 １三歩(12)\n   2 ６四歩(65)\n   3 投了\n")
}

#[test]
fn keys_of_kif_are_tags_that_every_reader_takes_and_come_back() {
    let long = format!("{}：x\n", "長い鍵".repeat(40));
    let longest = format!("a：{}\n", "値".repeat(2000));
    let cases = [
        "備考：memo\n",
        "戦型：中飛車\n",
        "Opening：x\n戦型：y\n",
        "開始日時：2005/11/29・30日\n",
        "対局日：平成17年秋\n",
        "終了日時：2005/11/30か12/1\n",
        "持ち時間：各6時間\n",
        "持ち時間：10分 秒読み30秒\n",
        "先手持ち時間：10分\n後手持ち時間：5分\n",
        "Annotator：me\n",
        "Event：x\n",
        "event：x\n",
        "Result：1-0\n",
        "FEN：x\n",
        "SFEN：x\n",
        "White：x\n",
        "Variant：chess\n",
        "Notation：Western\n",
        "EndReason：time\n",
        "PlyCount：99\n",
        "Date：2024.05.01\n",
        "Date：spring\n",
        "Time：12:00\n",
        "Kif：x\n",
        "KifEvent：x\n",
        "備考：a\n備考：b\n備考：a\n",
        "備_考：x\n備-考：y\n",
        "先手ELO：1500\n",
        "WhiteElo：1500\n",
        "備考：a \"b\" \\ ] [c \"d\"]\n",
        "備考：?\n備忘：-\n",
        "棋戦：?\n場所：-\n",
        "2備考：x\n",
        "𠮷：x\n",
        "Émile：x\n",
        &long,
        &longest,
    ];
    for lines in cases.into_iter().map(str::to_owned).chain([cases[..34].concat()]) {
        let record = only(kif(&lines));
        for format in DIALECTS {
            let text = record.to_text(format).expect("it is written");
            let tags = tags(&text);
            assert_eq!(tags.iter().filter(|(name, _)| name == "Variant").count(), 1, "{text}");
            let again = only(&text);
            assert_eq!(again.header, record.header, "{text}");
            let (written, expected) = (again.to_text(Format::Kif).unwrap(), record.to_text(Format::Kif).unwrap());
            assert_eq!(written, expected, "{text}");
        }
    }
}

#[test]
fn keys_that_pgn_knows_have_its_names_and_forms() {
    for (line, name, value) in [
        ("開始日時：2005/11/29・30日", "Date", "2005.11.29"),
        ("開始日時：2005/11", "Date", "2005.11.??"),
        ("開始日時：2024/05/01(水) 12:34", "Time", "12:34:00"),
        ("開始日時：春", "Date", "????.??.??"),
        ("終了日時：2005年11月30日夜", "EndDate", "2005.11.30"),
        ("棋戦：名人戦", "Event", "名人戦"),
        ("場所：東京", "Site", "東京"),
        ("持ち時間：各6時間", "TimeControl", "21600"),
        ("持ち時間：10分+30秒", "TimeControl", "600+30"),
        ("持ち時間：10+0.1", "TimeControl", "10+0.1"),
        ("戦型：中飛車", "Opening", "中飛車"),
        ("備考：memo", "Kif_50998003", "memo"),
    ] {
        for format in DIALECTS {
            let text = only(kif(&format!("{line}\n"))).to_text(format).expect("it is written");
            assert_eq!(tag(&text, name).as_deref(), Some(value), "{line}: {text}");
        }
    }
}

#[test]
fn tags_of_earlier_versions_are_read() {
    let text = "[Black \"w\"]\n[White \"s\"]\n[Result \"1-0\"]\n[開始日時 \"2005/11/29・30日\"]\n[備考 \"memo\"]\n\
                [Variant \"judkins\"]\n[EndReason \"resignation\"]\n\n1. P-6d 1-0\n";
    let written = only(text).to_text(Format::Kif).expect("it is written");
    assert!(written.contains("開始日時：2005/11/29・30日\n備考：memo\n"), "{written}");
    assert!(written.contains("   2 投了\nまで1手で先手の勝ち"), "{written}");
}

fn glyphs(record: &Record, id: NodeId) -> Vec<u8> {
    let notes = record[id].notes();
    notes.mark.map(|mark| mark.nag()).into_iter().chain(notes.glyphs.iter().copied()).collect()
}

#[test]
fn signs_outside_comments_are_kept_and_cut_no_game() {
    for (sign, nags) in [
        ("±", &[16][..]),
        (" ±", &[16]),
        ("$16", &[16]),
        (" = ", &[10]),
        ("=", &[10]),
        ("+-", &[18]),
        (" -+", &[19]),
        ("+/=", &[14]),
        ("=+", &[15]),
        ("∞", &[13]),
        ("!±", &[1, 16]),
        ("!? ∓ $200", &[5, 17, 200]),
        (" $1 $3", &[1, 3]),
        ("⌓ N", &[142, 146]),
        ("→", &[41]),
    ] {
        let record = only(format!("[Variant \"judkins\"]\n\n1. P-6d{sign} P-1c (1... K-2b {sign}) 2. G-5e *\n"));
        assert_eq!(record.main_moves().count(), 3, "{sign}");
        let first = record.main_line().next().expect("it has moves");
        assert_eq!(glyphs(&record, first), nags, "{sign}");
        for format in DIALECTS.into_iter().chain([Format::Kif]) {
            let text = record.to_text(format).expect("it is written");
            let again = read_as(&text, format).remove(0).record.expect("it has a start");
            assert_eq!(glyphs(&again, first), nags, "{text}");
        }
    }
    // In chess programs White is who moves first.
    let record = only("[White \"a\"]\n[Black \"b\"]\n\n1. Pa3 ± *\n");
    assert!(record.to_text(Format::PgnFairy).expect("it is written").contains("Pa3 $16 "));
    assert!(record.to_text(Format::Pgn).expect("it is written").contains("P-6d $17 "));
    // Unknown ones are named.
    for (text, problem, moves) in [
        ("1. P-6d zz P-1c *", "line 1, column 9: 'zz' is neither a move nor a comment: comments stand in braces", 2),
        (
            "1. P-6d+-+ P-1c *",
            "line 1, column 4: '+-+' is not a known sign such as !? ± or =: write a glyph, $13, or a comment",
            2,
        ),
        ("1. P-6d 3. P-1c *", "line 1, column 9: move 1 is next, not 3", 2),
        ("1. P-6d () P-1c *", "line 1, column 9: the variation is empty", 2),
    ] {
        let (record, problems) = game(text);
        assert_eq!(problems, [problem], "{text}");
        assert_eq!(record.main_moves().count(), moves, "{text}");
    }
}
