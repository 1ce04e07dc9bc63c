//! Files of various programs, and their contents.

use std::time::Duration;

use judkins::record::{Encoding, Format, NodeId, Reader, Record};
use judkins::score::Score;
use judkins::shogi::{EndReason, GameScore};

use super::{game, only, read, read_as, usi};

/// The same game in every format, as far as each can say it: `startpos moves 6e6d 1b1c 5f5e 2a2b`, a variation at the
/// third move, a comment, times, scores.
pub const USI: &str = "# 1.1. one - two 1-0 resignation\nstartpos moves 6e6d 1b1c 5f5e 2a2b\n";

pub const KIF: &str = "\
# ----  Kifu for Windows V7 V7.70 棋譜ファイル  ----
開始日時：2024/05/01(水) 12:34:56
棋戦：一番勝負
手合割：ジャドケンス将棋
先手：one
後手：two
消費時間：▲0▽0
後手の持駒：なし
  ６ ５ ４ ３ ２ １
+------------------+
|v飛v角v桂v銀v金v玉|一
| ・ ・ ・ ・ ・v歩|二
| ・ ・ ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・|四
| 歩 ・ ・ ・ ・ ・|五
| 玉 金 銀 桂 角 飛|六
+------------------+
先手の持駒：なし
手数----指手---------消費時間--
*first words
   1 ６四歩(65)   ( 0:12/00:00:12)
*#評価値=35
*#深さ=12
   2 １三歩(12)   ( 0:03/00:00:03)
*a comment
   3 ５五金(56)   ( 1:02/00:01:14)+
   4 ２二金(21)   ( 0:01/00:00:04)
   5 投了         ( 0:00/00:01:14)
まで4手で後手の勝ち

変化：3手
   3 ４五銀(46)   ( 0:00/00:00:12)
*another way
   4 ２二玉(11)   ( 0:00/00:00:03)
";

pub const KI2: &str = "\
棋戦：一番勝負
手合割：ジャドケンス将棋
先手：one
後手：two

*first words
▲６四歩
*#評価値=35
△１三歩
*a comment
▲５五金  △２二金
まで4手で後手の勝ち

変化：3手
▲４五銀
*another way
△２二玉
";

pub const PGN: &str = "\
[Event \"一番勝負\"]
[Date \"2024.05.01\"]
[Round \"1.1\"]
[Black \"one\"]
[White \"two\"]
[Result \"0-1\"]
[Variant \"judkins\"]
[BlackTimeControl \"10+0.1\"]
[WhiteTimeControl \"20+0.1\"]
[PlyCount \"4\"]
[Termination \"White wins: resignation\"]

{first words} 1. P-6d {+0.35/12 12.000s} P-1c {? 3.000s} {a comment}
2. G-5e! {+0.41/13 62.000s} (2. S-4e {another way} K-2b) 2. ... G-2b {-M4/7 1.000s}
0-1
";

pub const FAIRY: &str = "\
[Event \"match\"]
[Site \"https://www.pychess.org/abc\"]
[Date \"2024.05.01\"]
[Round \"?\"]
[White \"one\"]
[Black \"two\"]
[Result \"0-1\"]
[TimeControl \"300+5\"]
[Variant \"Judkinsshogi\"]

1. Pa3 { [%eval 0.35,12] [%clk 0:05:00] } 1... Pf4 { [%eval -0.2] [%clk 0:04:58.5] } 2. Gb2 $1 { hm } (2. Sc2 Ke5 $6) 2... Ge5 0-1
";

pub const CUTE_CHESS: &str = "\
[Event \"?\"]
[Site \"?\"]
[Date \"2024.05.01\"]
[Round \"1\"]
[White \"one\"]
[Black \"two\"]
[Result \"0-1\"]
[PlyCount \"4\"]
[Termination \"time forfeit\"]
[TimeControl \"40/60\"]
[Variant \"judkins\"]

1. Pa3 {+0.35/12 12s} Pf4 {book} 2. Gb2 {+0.41/13 62s}
Ge5 {-M4/7 0.12s, Sente loses on time} 0-1
";

pub const MATCH: &str = r#"{"game":1,"replay":0,"counts":true,"date":"2024-05-01T12:34:56Z","black":{"name":"one","command":"./one","arguments":[],"directory":null,"dialect":"usi","options":{},"init":[],"limit":"10+0.1","margin":0,"patience":5000},"white":{"name":"two","limit":"20+0.1"},"impasse_rule":"Points12","impasse_plies":24,"adjudication":"","opening":"startpos","moves":["6e6d","1b1c","5f5e","2a2b"],"scores":[35,null,41,"mate -4"],"depths":[12,null,13,7],"nodes":[1000,null,2000,3000],"times":[12000.0,3000.0,62000.0,1000.0],"result":"0-1","reason":"resignation","detail":"White wins: resignation"}
"#;

const LINE: &str = "startpos moves 6e6d 1b1c 5f5e 2a2b";

/// The first variation of a game: the second child at the first place that has one.
fn variation(record: &Record) -> String {
    let branch = record.walk().find_map(|id| record[id].children().get(1).copied());
    branch
        .map(|id| record.moves_to(record.line_from(id).last().unwrap_or(id)))
        .map_or(String::new(), |moves| moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
}

#[test]
fn the_same_game_is_read_from_every_format() {
    for text in [USI, KIF, KI2, PGN, FAIRY, CUTE_CHESS, MATCH] {
        let record = only(text);
        assert_eq!(usi(&record), LINE, "{text}");
        assert_eq!(record.header.players, [Some("one".to_owned()), Some("two".to_owned())], "{text}");
        if ![USI, CUTE_CHESS, MATCH].contains(&text) {
            assert_eq!(variation(&record), "6e6d 1b1c 4f4e 1a2b", "{text}");
        }
        let score = |place: usize| {
            let id = record.main_line().nth(place).expect("it has four moves");
            record[id].notes().evaluation.as_ref().and_then(|evaluation| evaluation.score)
        };
        if text != USI {
            assert_eq!(score(0), Some(Score::Centipawns(35)), "{text}");
        }
        // Lichess counts as the first player sees it, Cute Chess as the mover does.
        let expected = match text {
            FAIRY => Some(Score::Centipawns(20)),
            _ => None,
        };
        assert_eq!(score(1), expected, "{text}");
        // In the comment of USI alone the result is another.
        if text != USI {
            assert_eq!(record.header.result, Some(GameScore::White), "{text}");
        }
    }
}

#[test]
fn text_beside_the_moves_is_read() {
    let record = only(KIF);
    let line: Vec<NodeId> = record.main_line().collect();
    let comment = |id: NodeId| record[id].notes().comment.clone();
    assert_eq!((comment(NodeId::ROOT), comment(line[1])), ("first words".to_owned(), "a comment".to_owned()));
    assert_eq!(record[line[2]].notes().time, Some(Duration::from_secs(62)));
    assert_eq!(record.header.tag("消費時間"), Some("▲0▽0"));
    let record = only(FAIRY);
    let first = record.main_line().next().expect("it has moves");
    assert_eq!(record[first].notes().clock, Some(Duration::from_secs(300)));
    assert_eq!(record[first].notes().comment, "");
    let record = only(CUTE_CHESS);
    let last = record.main_end();
    assert_eq!(record[last].notes().comment, "Sente loses on time");
    assert_eq!(record.header.reason, Some(EndReason::Time));
    let record = only(MATCH);
    assert_eq!(record.header.reason, Some(EndReason::Resignation));
    assert_eq!(record.header.time_controls[1].as_deref(), Some("20+0.1"));
}

#[test]
fn kif_is_read_in_every_encoding_and_with_every_line_end() {
    let expected = only(KIF);
    let windows = KIF.replace('\n', "\r\n");
    let (japanese, _, unmappable) = encoding_rs::SHIFT_JIS.encode(&windows);
    assert!(!unmappable);
    for bytes in [
        windows.clone().into_bytes(),
        KIF.replace('\n', "\r").into_bytes(),
        format!("\u{feff}{windows}").into_bytes(),
        japanese.into_owned(),
    ] {
        assert_eq!(only(bytes), expected);
    }
}

#[test]
fn kif_from_another_start_with_pieces_in_hand_is_read() {
    let text = "\
#KIF version=2.0 encoding=UTF-8
手合割：その他
上手の持駒：なし
  ６ ５ ４ ３ ２ １
+------------------+
| ・ ・ ・ ・ ・v玉|一
| ・ ・ ・ ・ ・ ・|二
| ・ ・ ・v桂 ・ ・|三
| ・ ・ ・ ・ ・ ・|四
| ・ ・ 銀 ・ ・ ・|五
| 玉 ・ ・ ・ ・ ・|六
+------------------+
下手の持駒：角　金二　歩
手番：下手
下手：weak
上手：strong
手数----指手---------消費時間--
1 ３四銀(45) ( 0:01/00:00:01)
2 ２五桂成(33) ( 0:01/00:00:01)
3 ２二金打 ( 0:01/00:00:02)
4 詰み
";
    let record = only(text);
    assert_eq!(usi(&record), "sfen 5k/6/3n2/6/2S3/K5 b B2GP 1 moves 4e3d 3c2e+ G*2b");
    assert_eq!((record.header.result, record.header.reason), (Some(GameScore::Black), Some(EndReason::Checkmate)));
}

#[test]
fn comments_before_and_after_pgn_games_are_no_games() {
    let text = "; made by somebody\n[Event \"e\"]\n\n1. P-6d P-1c 1-0\n\n{ round two }\n\n[Event \"f\"]\n\n1. P-6d 0-1\n{ end }\n";
    let games = read(text);
    let shown: Vec<_> = games
        .iter()
        .map(|game| {
            let record = game.record.as_ref().expect("it has a start");
            (record.header.event.as_deref().unwrap_or("?"), record[NodeId::ROOT].notes().comment.as_str(), record.len())
        })
        .collect();
    assert_eq!(shown, [("e", "made by somebody", 2), ("f", "round two", 1)]);
    assert!(games.iter().all(|game| game.problems.is_empty()));
}

/// XBoard writes tags as they are.
#[test]
fn quotes_in_a_tag_need_no_backslash() {
    let record = only("[Event \"e\"]\n[Black \"Tom \"x\" Y\"] [White \"b\"]\n\n1. P-6d 1-0\n");
    assert_eq!(record.header.players, [Some("Tom \"x\" Y".to_owned()), Some("b".to_owned())]);
}

#[test]
fn files_that_were_put_together_may_have_marks_inside() {
    for text in ["startpos moves 6e6d\n", "[Event \"e\"]\n\n1. P-6d *\n", MATCH] {
        let text = format!("\u{feff}{text}");
        let games = read(text.clone() + &text);
        assert_eq!(games.len(), 2, "{text}");
        assert!(games.iter().all(|game| game.problems.is_empty()), "{text}");
    }
}

/// ShogiHome writes it.
#[test]
fn usi_may_end_in_a_declaration() {
    let record = only("position startpos moves 6e6d 1b1c win");
    assert_eq!((record.main_moves().count(), record.header.result), (2, Some(GameScore::Black)));
    assert_eq!(record.header.reason, Some(EndReason::Declaration));
    for (comment, reason, problem) in [
        ("# a - b 0-1 ?", Some(EndReason::Declaration), None),
        ("# a - b * ?", Some(EndReason::Declaration), None),
        (
            "# a - b 1-0 ?",
            None,
            Some("line 2, column 21: the line ends with 0-1, and the comment before it says 1-0, which is used"),
        ),
    ] {
        let game = read(format!("{comment}\nstartpos moves 6e6d win")).remove(0);
        assert_eq!(game.problems.first().map(ToString::to_string).as_deref(), problem, "{comment}");
        assert_eq!(game.record.expect("it has a start").header.reason, reason, "{comment}");
    }
}

/// ShogiHome writes it.
#[test]
fn usi_may_end_in_resign() {
    let record = only("position startpos moves 6e6d 1b1c resign");
    assert_eq!((record.main_moves().count(), record.header.result), (2, Some(GameScore::White)));
    assert_eq!(record.header.reason, Some(EndReason::Resignation));
    let games = read("startpos moves 6e6d resign 1b1c");
    assert_eq!(games[0].problems[0].to_string(), "line 1, column 28: '1b1c' comes after the end of the game");
}

#[test]
fn a_variation_in_the_place_of_an_ending_is_no_part_of_the_game() {
    for format in ["   1 ６四歩(65)\n   2 １三歩(12)\n   3 投了\n", "▲６四歩 △１三歩\nまで2手で後手の勝ち\n"]
    {
        let variation = ["変化：3手", "3 ４五銀(46)", "*#評価値=900", "*so it goes on"].join("\n");
        let (record, problems) = game(&format!("手合割：ジャドケンス将棋\n{format}\n{variation}\n"));
        assert!(
            problems.len() == 1 && problems[0].contains("a variation cannot begin where the game ends"),
            "{problems:?}"
        );
        assert_eq!((record.main_moves().count(), record.header.result), (2, Some(GameScore::White)));
        let notes = record[record.main_end()].notes();
        assert_eq!((&notes.comment, &notes.evaluation), (&variation, &None));
    }
}

#[test]
fn a_handicap_that_is_unknown_is_named() {
    for name in ["飛落ち", "香落ち", "xyz", "角落ち xyz"] {
        let games = read(format!("手合割：ジャドケンス将棋　{name}\n   1 ６四歩(65)\n"));
        let problems: Vec<String> = games[0].problems.iter().map(ToString::to_string).collect();
        let known = "they are 角落ち、飛車落ち、二枚落ち";
        assert_eq!(problems, [format!("line 1, column 1: the handicap '{name}' is unknown; {known}")]);
    }
    assert_eq!(only("手合割：ジャドケンス将棋　平手\n   1 ６四歩(65)\n").main_moves().count(), 1);
}

#[test]
fn an_ending_in_other_words_keeps_the_variations() {
    let head = "手合割：ジャドケンス将棋\n手数----指手---------消費時間--\n   1 ６四歩(65)\n   2 １三歩(12)\n";
    let (record, problems) = game(&format!("{head}   3 降参\n\n変化：2手\n   2 ２二玉(11)\n"));
    assert_eq!(problems, ["line 5, column 6: '降参' is not a known ending such as 投了"]);
    assert_eq!(record.len(), 3);
    let no_mate = only(format!("{head}   3 不詰\nまで2手で不詰\n"));
    assert_eq!((no_mate.header.result, no_mate.header.reason), (None, None));
}

#[test]
fn the_dialect_and_the_encoding_are_told() {
    for (text, format) in [(USI, Format::Usi), (KIF, Format::Kif), (KI2, Format::Ki2), (PGN, Format::Pgn)]
        .into_iter()
        .chain([(FAIRY, Format::PgnFairy), (MATCH, Format::Match)])
    {
        assert_eq!(read(text)[0].format, format, "{text}");
    }
    let cute_chess = CUTE_CHESS.replace("[Round", "[GameStartTime \"2024-05-01T12:34:56\"]\n[Round");
    assert_eq!(read(cute_chess)[0].format, Format::PgnCuteChess);
    for (bytes, encoding) in [
        (KIF.as_bytes().to_vec(), Encoding::Utf8),
        (Encoding::ShiftJis.encode(KIF).unwrap(), Encoding::ShiftJis),
        (PGN.as_bytes().to_vec(), Encoding::Utf8),
    ] {
        let mut reader = Reader::new(bytes.as_slice()).unwrap();
        assert!(reader.by_ref().all(|game| game.unwrap().problems.is_empty()));
        assert_eq!(reader.encoding(), encoding);
    }
}

#[test]
fn pgn_tells_a_check_from_a_promotion_by_what_makes_sense() {
    // The rook promotes, or only gives check: what follows tells.
    let promoted = "startpos moves 1f1b+ 1a1b P*1c 1b2c";
    for (text, line) in [
        ("1. Rxf5+ Kxf5 2. P@f4 Ke4", promoted),
        ("1. Rxf5=D+ Kxf5 2. P@f4+ Ke4", promoted),
        ("1. Rxf5+ Kxf5 2. P@f4+ Ke4", "startpos moves 1f1b 1a1b P*1c 1b2c"),
        ("1. Rxf5+ Pa3 2. +Rxe6", "startpos moves 1f1b+"),
    ] {
        let games = read_as(format!("[Variant \"judkins\"]\n\n{text} *\n"), Format::Pgn);
        assert_eq!(games[0].record.as_ref().map(usi).as_deref(), Some(line), "{text}: {:?}", games[0].problems);
    }
}

#[test]
fn games_that_cute_chess_wrote_are_read() {
    let games = read(include_str!("../../data/records/cutechess.pgn"));
    assert_eq!(games.len(), 18);
    let mut mates = 0;
    for game in games {
        assert_eq!(game.problems, [], "the game in line {}", game.line);
        let record = game.record.expect("it has a start");
        let position = record.position(record.main_end()).expect("it has an end");
        if record[record.main_end()].notes().comment.ends_with(" mates") {
            mates += 1;
            assert!(position.in_check() && !position.has_legal_move(), "line {}: {position}", game.line);
            assert_eq!(record.header.reason, Some(EndReason::Checkmate));
            assert_eq!(record.header.result.and_then(GameScore::winner), Some(!position.side_to_move()));
        }
        // Written again as Cute Chess writes it, the moves are the same.
        let text = record.to_text(Format::PgnCuteChess).expect("it is written");
        assert_eq!(usi(&only(&text)), usi(&record));
    }
    assert_eq!(mates, 13);
}

#[test]
fn moves_are_written_as_cute_chess_does() {
    let file = include_str!("../../data/records/cutechess.pgn");
    let moves = |text: &str| -> Vec<String> {
        let text: String = text.lines().filter(|line| !line.starts_with('[')).collect::<Vec<_>>().join(" ");
        let bare = text.split('{').map(|part| part.rsplit('}').next().unwrap_or_default()).collect::<String>();
        let is_move = |word: &&str| !word.ends_with('.') && !matches!(*word, "1-0" | "0-1" | "*" | "1/2-1/2");
        bare.split_whitespace().filter(is_move).map(str::to_owned).collect()
    };
    let written: String = read(file)
        .into_iter()
        .map(|game| game.record.expect("it has a start").to_text(Format::PgnCuteChess).expect("it is written"))
        .collect();
    assert_eq!(moves(&written), moves(file));
}

#[test]
fn tags_of_a_player_stay_with_him_in_every_dialect() {
    let record = only("[Black \"a\"]\n[White \"b\"]\n[BlackElo \"2000\"]\n[Whitespace \"x\"]\n\n1. P-6d P-1c 1-0\n");
    for (format, tag) in [(Format::Pgn, "BlackElo"), (Format::PgnFairy, "WhiteElo"), (Format::PgnCuteChess, "WhiteElo")]
    {
        let text = record.to_text(format).unwrap();
        assert!(text.contains(&format!("[{tag} \"2000\"]\n[Whitespace \"x\"]")), "{text}");
        assert_eq!(only(&text).header, record.header, "{text}");
    }
}

#[test]
fn values_that_mean_nothing_keep_their_names() {
    for text in [
        "[Event \"?\"]\n[Date \"spring\"]\n[Round \"?\"]\n[Black \"?\"]\n[White \"?\"]\n[Result \"*\"]\n[Time \"12:00:00\"]\n\
         [EndDate \"autumn\"]\n[ImpasseRule \"Coin\"]\n\n1. P-6d *\n",
        "手合割：ジャドケンス将棋\n開始日時：春\n手数：5手\n   1 ６四歩(65)\n",
    ] {
        let record = only(text);
        assert_eq!(only(record.to_text(Format::Pgn).unwrap()).header, record.header);
        let written = record.to_text(if text.starts_with('[') { Format::Pgn } else { Format::Kif }).unwrap();
        assert!(!written.contains('_'), "{written}");
        for word in ["spring", "12:00:00", "autumn", "Coin", "春", "手数：5手"] {
            assert_eq!(written.matches(word).count(), text.matches(word).count(), "{word}: {written}");
        }
    }
}

#[test]
fn the_evaluations_of_pychess_are_read() {
    for (said, score, depth) in [
        ("[%emt 0:00:05][%eval 0.35/12]", Score::Centipawns(35), Some(12)),
        ("[%eval -1.5/7]", Score::Centipawns(-150), Some(7)),
        ("[%eval -#2/9]", Score::Mate(-3), Some(9)),
        ("[%eval #-2,9]", Score::Mate(-3), Some(9)),
    ] {
        let record = only(format!("[White \"a\"]\n[Black \"b\"]\n\n1. Pa3 {{{said}}} *\n"));
        let notes = record[record.main_end()].notes();
        let evaluation = notes.evaluation.as_ref().expect(said);
        assert_eq!((evaluation.score, evaluation.depth, notes.comment.as_str()), (Some(score), depth, ""), "{said}");
    }
}

#[test]
fn a_variation_that_is_a_comment_alone_is_said_of_the_move() {
    let record = only("1. P-6d ({alas} ) P-1c *");
    let notes = record.main_line().map(|id| record[id].notes().comment.as_str()).collect::<Vec<_>>();
    assert_eq!(notes, ["alas", ""]);
}

#[test]
fn kif_games_without_moves_are_games_and_a_key_may_come_again() {
    let text =
        "手合割：ジャドケンス将棋\n先手：a\n棋戦：x\n棋戦：y\n\n手合割：ジャドケンス将棋\n先手：c\n   1 ６四歩(65)\n";
    for text in [text.to_owned(), text.replace("\n\n", "\n# KIF形式棋譜ファイル\n")] {
        let games = read(&text);
        let headers: Vec<_> = games.iter().map(|game| &game.record.as_ref().unwrap().header).collect();
        assert_eq!(headers.len(), 2);
        assert_eq!(headers[0].players[0].as_deref(), Some("a"));
        assert_eq!(headers[0].event.as_deref(), Some("y"));
        assert_eq!(headers[0].tags, [("棋戦".to_owned(), "x".to_owned())]);
        assert_eq!(headers[1].players[0].as_deref(), Some("c"));
    }
}

/// A move of CSA was the edge of a board, and the file a game without moves.
#[test]
fn a_file_of_csa_is_no_game_of_kif() {
    for text in ["V2.2\n+7776FU\n", "+foo\n"] {
        assert!(Reader::new(text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn a_tag_does_not_look_like_another_line() {
    let mut record = only(USI);
    let names = ["手数----指手", "手数＝3", "変化", "まで", "+6463FU", "|x", "１"];
    record.header.tags = names.map(|name| (name.to_owned(), "value".to_owned())).into();
    for format in [Format::Kif, Format::Ki2] {
        let text = record.to_text(format).unwrap();
        let again = only(&text);
        assert_eq!((usi(&again), again.header.tags.len()), (usi(&record), names.len()), "{text}");
    }
}

#[test]
fn times_of_any_length_are_added_up() {
    let mut record = only(USI);
    let line: Vec<NodeId> = record.main_line().collect();
    line.iter().for_each(|&id| record.set_time(id, Some(Duration::MAX)).unwrap());
    assert!(record.to_text(Format::Kif).is_ok());
}
