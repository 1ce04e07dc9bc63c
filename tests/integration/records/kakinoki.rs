//! KIF and KI2 as other programs write them: forms of moves and endings, and no text that vanishes.

use std::time::Duration;

use judkins::record::kakinoki::to_board;
use judkins::record::{Encoding, Format, Mark, NodeId, ReadGame, Record};
use judkins::score::Score;
use judkins::shogi::{EndReason, GameScore};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::scale::{KINGS, WALK};
use super::silence::{is_seen, with_line};
use super::trees::{WORDS, records};
use super::{game, only, problems, read, usi};

const HEAD: &str = "手合割：ジャドケンス将棋\n先手：a\n後手：b\n";

/// A second value is text, unless it is the same.
#[test]
fn a_variation_that_repeats_a_move_leaves_its_values() {
    let score = |cp| Some(Score::Centipawns(cp));
    for (game_values, values, cp, depth, mark, comment) in [
        ("評価値=35 記号=?", "評価値=-200 記号=!", 35, None, Some(Mark::Mistake), "#評価値=-200\n#記号=!"),
        ("評価値=35 記号=?", "評価値=35 記号=?", 35, None, Some(Mark::Mistake), ""),
        ("記号=?", "評価値=-200 記号=!", -200, None, Some(Mark::Mistake), "#記号=!"),
        ("評価値=35", "評価値=-200 深さ=9", 35, Some(9), None, "#評価値=-200"),
    ] {
        let lines = |values: &str| values.split(' ').map(|value| format!("*#{value}\n")).collect::<String>();
        let text = format!(
            "{HEAD}   1 ６四歩(65)\n{}   2 １三歩(12)\n   3 投了\n\n変化：1手\n   1 ６四歩(65)\n{}   2 ２二玉(11)\n",
            lines(game_values),
            lines(values)
        );
        let (record, problems) = game(&text);
        assert_eq!(problems, [""; 0]);
        for record in [only(record.to_text(Format::Kif).unwrap()), record] {
            let notes = record[record.main_line().next().unwrap()].notes();
            let evaluation = notes.evaluation.as_ref().expect("there is one");
            assert_eq!((evaluation.score, evaluation.depth, notes.mark), (score(cp), depth, mark), "{text}");
            assert_eq!(notes.comment, comment, "{text}");
        }
    }
}

#[test]
fn diagrams_follow_each_other_and_their_hands_have_two_spellings() {
    let sfens = ["5k/4g1/5S/6/6/K5 b G 1", "4k1/6/4G1/6/6/K5 b G 1", "5k/6/6/6/6/K5 w 2Rb 1"];
    let boards = sfens.map(|sfen| to_board(&Record::new(sfen.parse().unwrap()), NodeId::ROOT).unwrap());
    let starts = |text: &str| -> Vec<Option<String>> {
        let start = |game: ReadGame| Some(game.record?.start().to_string());
        read(text).into_iter().map(start).collect()
    };
    for (between, spelling) in [("", "持駒"), ("\n", "持ち駒"), ("表題：x\n", "持駒")] {
        let text: String = boards.iter().map(|board| format!("{between}{}", board.replace("持駒", spelling))).collect();
        assert_eq!(starts(&text), sfens.map(|sfen| Some(sfen.to_owned())), "{text}");
        assert_eq!(problems(&read(&text)), [""; 0], "{text}");
    }
    // A refused one is one game less, and no hands need to stand between two boards.
    let broken = boards[0].replacen("v金", "v象", 1);
    assert_eq!(starts(&[broken.as_str(), &boards[1]].concat()), [None, Some(sfens[1].to_owned())]);
    let text: String = boards[..2].concat().split_inclusive('\n').filter(|line| !line.contains("持駒")).collect();
    let without_hands = sfens[..2].iter().map(|sfen| Some(sfen.replace("b G 1", "b - 1")));
    assert_eq!(starts(&text), without_hands.collect::<Vec<_>>(), "{text}");
    // A key that comes again after a board begins no game.
    let text = format!("備考：x\n{}備考：y\n   1 １二玉(11)\n", boards[2]);
    assert_eq!(starts(&text), [Some(sfens[2].to_owned())]);
}

/// Forms that programs and people write: Kifu for Windows, ShogiGUI, ShogiHome (tsshogi), 81Dojo, python-shogi, cshogi,
/// Kifu for JS (json-kifu-format), bioshogi, newspapers' pages.
#[test]
fn a_move_is_read_in_every_form() {
    for text in [
        "   1 ６四歩(65)   ( 0:12/00:00:12)",
        "   1 ６四歩(65) ( 0:12/00:00:12)+",
        "1 ６四歩(65)(00:12/00:00:12)",
        "1   ６四歩(65)   (0:12/0:0:12)",
        "1\t６四歩(65)\t( 0:12/00:00:12)",
        "　１　６四歩（６５）　（ 0:12／00:00:12）",
        "1 ６四歩(65) (0:00:12)",
        "1６四歩(65)( 0:12/00:00:12)",
        "１６四歩（65） ( 0:12/)",
        "164歩(65) ( 0:12/00:00:12)",
        "1.６四歩(65) ( 0:12/00:00:12)",
        "1. ６四歩(65) ( 0:12/00:00:12)",
        "1：６四歩(65) ( 0:12/00:00:12)",
        "1 ▲６四歩(65) ( 0:12/00:00:12)",
        "1 ☗64歩(65) ( 0:12/00:00:12)",
        "1▼６４歩(65) ( 0:12/00:00:12)",
        "1 六四歩[65] ( 0:12/00:00:12)",
        "1 ６四歩［６５］ ( 0:12/00:00:12)",
        "６四歩(65) ( 0:12/00:00:12)",
        "▲６四歩 ( 0:12/00:00:12)",
    ] {
        for text in [format!("{HEAD}{text}\n"), text.to_owned(), format!("\u{feff}{text}\r\n")] {
            let record = only(&text);
            assert_eq!(usi(&record), "startpos moves 6e6d", "{text}");
            let time = record[record.main_end()].notes().time;
            assert_eq!(time, Some(Duration::from_secs(12)), "{text}");
        }
    }
    for text in [
        "1 ６二角成(26)\n2 同　飛(61)\n3 １五飛(16)\n4 ３四角打(00)           ( 0:07/00:01:00)\n",
        "1 ６二角成(26)\n2 同飛(61)\n3 １五飛(16)\n4 ３四角打\n",
        "1 ６二角成(26)\n2 同 飛(61)\n3 １五飛(16)\n4 ３四角(00)\n",
        "1６二角成（２６）\n2同　飛（６１）\n3１五飛（１６）\n4３四角打（００）\n",
        "1 ６二角(26)成\n2 ６二同飛(61)\n3 １五飛(16)\n4 34角打\n",
        "▲６二角成　△同飛　▲１五飛　△３四角\n",
        "▲６二角成△同　飛▲１五飛△３四角打",
        "☗６二角成\n☖同　飛\n☗１五飛\n☖３四角",
        "▼62角成 ▽同飛 ▼15飛 ▽34角打",
        "６二角成　同　飛　１五飛　３四角",
        "６二角成同飛１五飛３四角打",
        "62角成 62飛 15飛 34角",
        "1 ６二角成 2 同飛 3 １五飛 4 ３四角打",
        "1.▲６二角成 2.△同飛 3.▲１五飛 4.△３四角打",
        "６二角成\n６二飛\n１五飛(16)\n３四角打\n",
    ] {
        for text in [format!("{HEAD}{text}"), text.to_owned(), text.replace('\n', "\r\n")] {
            assert_eq!(usi(&only(&text)), "startpos moves 2f6b+ 6a6b 1f1e B*3d", "{text}");
        }
        // Shift-JIS has no pieces for marks.
        let japanese = Encoding::ShiftJis.encode(&format!("{HEAD}{}", text.replace(['☗', '☖'], "")));
        assert_eq!(usi(&only(japanese.expect("it has the rest"))), "startpos moves 2f6b+ 6a6b 1f1e B*3d", "{text}");
    }
    // The number of a tenth move is not a file.
    let moves = (1..=12).zip(WALK.iter().cycle()).map(|(number, mv)| format!("{number}{mv}\n")).collect::<String>();
    let board: String = KINGS.split_inclusive('\n').filter(|line| line.starts_with('|')).collect();
    assert_eq!(only(format!("{board}{moves}")).main_moves().count(), 12);
    // A handicap game, in which White begins.
    let handicap = "手合割：ジャドケンス将棋　角落ち\n下手：w\n上手：s\n";
    for text in ["1１三歩(12)\n2６四歩(65)\n3投了", "△１三歩 ▲６四歩 △投了", "１三歩　６四歩　投了"]
    {
        let record = only(format!("{handicap}{text}\n"));
        assert_eq!(usi(&record), "sfen r1nsgk/5p/6/6/P5/KGSNBR w - 1 moves 1b1c 6e6d", "{text}");
        assert_eq!(record.header.result, Some(GameScore::Black), "{text}");
    }
}

/// The first mark is the move's, and another one stays a glyph.
#[test]
fn a_second_mark_is_kept_as_a_glyph() {
    let record = only(format!("{HEAD}   1 ６四歩(65)\n*#記号=?!\n*#記号=$3\n"));
    let again = only(record.to_text(Format::Kif).expect("it is written"));
    for record in [record, again] {
        let notes = record[record.main_end()].notes();
        assert_eq!((notes.mark, &notes.glyphs[..], &*notes.comment), (Some(Mark::Dubious), &[3][..], ""));
    }
}

#[test]
fn the_first_move_may_go_where_the_move_before_the_start_went() {
    let record = only("startpos moves 6e6d 2a2b 1f1b+\n");
    let board = to_board(&record, record.main_end()).unwrap();
    for last in ["▲１二飛成", "▲12竜", "▲ １二竜引(16)"] {
        for taking in ["△同　玉", "同玉", "4 同　玉(11) ( 0:02/00:00:04)"] {
            let text = format!("{}{taking}\n", board.replace("手数＝3", &format!("手数＝3  {last}  まで")));
            let moves: Vec<String> = only(&text).main_moves().map(|mv| mv.to_string()).collect();
            assert_eq!(moves, ["1a1b"], "{text}");
        }
    }
    let unknown = format!("{board}△同　玉\n");
    assert!(problems(&read(&unknown))[0].contains("means the square of the move before it"), "{unknown}");
}

#[test]
fn an_ending_is_read_in_every_form() {
    use EndReason::*;
    let (black, white, draw) = (Some(GameScore::Black), Some(GameScore::White), Some(GameScore::Draw));
    for (word, result, reason) in [
        ("投了", black, Some(Resignation)),
        ("中断", None, Some(Interrupted)),
        ("封じ手", None, Some(Interrupted)),
        ("千日手", draw, Some(Sennichite)),
        ("持将棋", draw, Some(Impasse)),
        ("引き分け", draw, None),
        ("最大手数", draw, Some(MoveLimit)),
        ("詰み", black, Some(Checkmate)),
        ("詰", black, Some(Checkmate)),
        ("不詰", None, None),
        ("切れ負け", black, Some(Time)),
        ("時間切れ", black, Some(Time)),
        ("反則勝ち", white, Some(IllegalMove)),
        ("反則負け", black, Some(IllegalMove)),
        ("入玉勝ち", white, Some(Declaration)),
        ("入玉宣言", white, Some(Declaration)),
        ("不戦勝", white, None),
        ("不戦敗", black, None),
    ] {
        for (moves, number) in [("1 ６四歩(65)\n2 １三歩(12)\n3 ５五金(56)\n", "4"), ("▲６四歩 △１三歩 ▲５五金　", "")]
        {
            for text in [
                format!("{number} {word}"),
                format!("{number} △{word}"),
                format!("{number} ☖ {word}"),
                format!("{number}{word}   ( 0:05/00:00:05)"),
                format!("\n{number}　▽{word}\nまで3手で{word}"),
                format!("\nまで3手で{word}"),
                format!("{number} {word}まで3手で{word}"),
            ] {
                let record = only(format!("{HEAD}{moves}{text}\n"));
                assert_eq!(record.main_moves().count(), 3, "{text}");
                assert_eq!((record.header.result, record.header.reason), (result, reason), "{text}");
                assert!(record[record.main_end()].notes().comment.is_empty(), "{text}");
                // The written record has the same content.
                for format in [Format::Kif, Format::Ki2] {
                    let again = only(record.to_text(format).expect("it is written")).header;
                    assert_eq!(
                        (again.result, again.reason, &again.detail),
                        (result, reason, &record.header.detail),
                        "{text}"
                    );
                }
            }
        }
    }
    // The player whose mark precedes the word resigns.
    assert_eq!(only(format!("{HEAD}▲６四歩 ▲投了\n")).header.result, white);
    for (word, detail) in [("封じ手", Some("封じ手")), ("不戦勝", Some("不戦勝")), ("投了", None)] {
        let record = only(format!("{HEAD}1 ６四歩(65)\n2 {word}\n"));
        assert_eq!(record.header.detail.as_deref(), detail);
        assert!(record.to_text(Format::Kif).unwrap().contains(&format!("   2 {word}\n")));
    }
}

#[test]
fn marks_between_moves_are_no_comments() {
    for text in ["６四歩、１三歩，４五銀、\n", "▲６四歩, △１三歩, ▲４五銀.\n"] {
        let record = only(text);
        assert_eq!(record.main_moves().count(), 3);
        assert!(record.walk().all(|node| record[node].notes().comment.is_empty()), "{text}");
    }
    let record = only("▲６四歩 いい手、 △１三歩\n");
    assert_eq!(record[record.main_line().next().unwrap()].notes().comment, "いい手、");
}

#[test]
fn the_time_before_the_end_is_kept() {
    for word in ["投了", "中断", "封じ手", "切れ負け", "不詰", "反則勝ち"] {
        let text =
            format!("{HEAD}   1 ６四歩(65)   ( 0:10/00:00:10)\n   2 １三歩(12)\n   3 {word}   ( 2:30/00:02:40)\n");
        let record = only(&text);
        assert_eq!(record.header.last_thought, Some(Duration::from_secs(150)), "{word}");
        let written = record.to_text(Format::Kif).unwrap();
        assert!(written.contains(&format!("   3 {word}   ( 2:30/00:02:40)\n")), "{written}");
        assert_eq!(only(&written), record, "{word}");
        for format in [Format::Pgn, Format::PgnFairy, Format::PgnCuteChess] {
            assert_eq!(
                only(record.to_text(format).unwrap()).header.last_thought,
                record.header.last_thought,
                "{format}"
            );
        }
    }
    let variation =
        format!("{HEAD}1 ６四歩(65)\n2 投了\n\n変化：1手\n1 ６三歩(64)\n変化：1手\n1 １五飛(16)\n2 投了 (0:05/)\n");
    let (record, told) = game(&variation);
    let other = record[NodeId::ROOT].children()[1];
    assert_eq!(record[other].notes().comment, "投了 (0:05)");
    assert_eq!((record.header.result, told.len()), (Some(GameScore::Black), 1));
}

#[test]
fn a_game_goes_on_after_a_sealed_move() {
    for text in [
        "1 ６四歩(65)\n2 封じ手 (1:00/)\n2 １三歩(12)\n3 ５五金(56)\n4 投了\n",
        "1 ６四歩(65)\n2 封じ手 (1:00/)\n3 １三歩(12)\n4 ５五金(56)\n5 投了\n",
        "▲６四歩 △封じ手 (1:00/) △１三歩 ▲５五金 △投了",
    ] {
        let record = only(format!("{HEAD}{text}"));
        assert_eq!(usi(&record), "startpos moves 6e6d 1b1c 5f5e", "{text}");
        let first = record.main_line().next().unwrap();
        assert_eq!(record[first].notes().comment, "封じ手 (1:00)", "{text}");
        assert_eq!(record.header.reason, Some(EndReason::Resignation), "{text}");
    }
    // The sealed move has a number of its own, which variations count as well.
    for (number, moves) in [(1, "1 １五飛(16)"), (2, "2 ２二玉(11)"), (4, "4 １五飛(16)\n5 ２二玉(11)")] {
        let sealed = "1 ６四歩(65)\n2 １三歩(12)\n3 封じ手\n4 ５五金(56)\n5 投了\n";
        let record = only(format!("{HEAD}{sealed}\n変化：{number}手\n{moves}\n"));
        assert_eq!(record.len(), 3 + moves.lines().count(), "{moves}");
        assert_eq!(usi(&record), "startpos moves 6e6d 1b1c 5f5e", "{moves}");
    }
    // After the end nothing does.
    let (record, told) = game(&format!("{HEAD}1 ６四歩(65)\n2 投了\n2 １三歩(12)\n"));
    assert_eq!(
        (record.len(), told),
        (1, vec!["line 6, column 3: '１三歩(12)' comes after the end of the line".to_owned()])
    );
    for text in ["1 ６四歩(65)封じ手", "▲６四歩（封じ手）", "1 ６四歩(65) (封じ手) ( 0:01/00:00:01)"]
    {
        let record = only(format!("{HEAD}{text}\n"));
        assert_eq!(record[record.main_end()].notes().comment, "封じ手", "{text}");
    }
}

/// A variation may repeat moves of the game. It must not add moves to the game's end, nor change times.
#[test]
fn a_variation_through_the_end_of_the_game_is_a_comment() {
    let game_text = "1 ６四歩(65) (0:12/)\n2 １三歩(12)\n3 投了\n";
    let more =
        "変化：1手\n1 ６四歩(65) (0:05/)\n2 １三歩(12)\n3 ５五金(56)\n4 ２二玉(11)\n*why\n\n変化：1手\n1 １五飛(16)\n";
    let (record, told) = game(&format!("{HEAD}{game_text}\n{more}"));
    assert_eq!((usi(&record).as_str(), record.len()), ("startpos moves 6e6d 1b1c", 3));
    let [first, last] = record.main_line().collect::<Vec<_>>()[..] else { panic!("it has two moves") };
    assert_eq!(record[first].notes().time, Some(Duration::from_secs(12)));
    assert_eq!(record[last].notes().comment, "3 ５五金(56)\n4 ２二玉(11)\n*why");
    let message = "line 11, column 3: a variation cannot go on where the game ends: the rest is kept as a comment";
    assert_eq!(told, [message]);
    assert_eq!((record.header.result, record.header.reason), (Some(GameScore::White), Some(EndReason::Resignation)));
}

#[test]
fn perpetual_check_has_a_winner_in_place_of_a_move_and_below_the_moves() {
    for (moves, expected) in
        [("1 ４四角(26)\n2 ２二銀(31)\n", GameScore::White), ("1 ６四歩(65)\n2 ３三角(51)\n", GameScore::Black)]
    {
        let played = moves.lines().count();
        for end in [format!("まで{played}手で連続王手の千日手\n"), format!("{} 連続王手の千日手\n", played + 1)]
        {
            let record = only(format!("{HEAD}{moves}{end}"));
            let found = (record.header.result, record.header.reason);
            assert_eq!(found, (Some(expected), Some(EndReason::PerpetualCheck)), "{moves}{end}");
        }
    }
}

#[test]
fn a_board_shown_from_the_other_side_is_no_problem() {
    assert_eq!(usi(&only(format!("{HEAD}盤面回転\n1 ６四歩(65)\n"))), "startpos moves 6e6d");
}

#[test]
fn nothing_of_the_body_begins_it_before_a_move() {
    let board = "後手の持駒：\n  ６ ５ ４ ３ ２ １\n+------------------+\n|v飛v角v桂v銀v金v王|一\n| ・ ・ ・ ・ ・v歩|二\n\
                 | ・ ・ ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・|四\n| 歩 ・ ・ ・ ・ ・|五\n| 玉 金 銀 桂 角 飛|六\n\
                 +------------------+\n先手の持駒：\n先手番\n";
    let header = format!(
        "# KIF形式棋譜ファイル\n手合割：ジャドケンス将棋\n先手：a\n{board}手数----指手---------消費時間--\n*hello\n"
    );
    for moves in [
        "1 ６四歩(65)\n2 １三歩(12)\n3 ５五金(56)+\n\n変化：3手\n3 １五飛(16)\n",
        "▲６四歩 △１三歩 ▲５五金\n\n変化：3手\n▲１五飛\n",
    ] {
        let expected = only(format!("{header}{moves}"));
        assert_eq!((expected.len(), expected.header.players[0].as_deref()), (4, Some("a")));
        let lines: Vec<&str> = header.lines().collect();
        for early in [
            "変化：3手",
            "変化:３手",
            "変化：",
            "まで3手で先手の勝ち",
            "3 投了",
            "△投了",
            "投了",
            "▲何か",
            "12 何か",
            "5 ６四歩(65)",
            "1 ６三歩(65)",
            "1 同　歩(65)",
            "1 ７六歩(77)",
            "▲６三歩",
            "△１三歩",
            "△１三歩 ▲６三歩 △投了",
        ] {
            for at in 1..=lines.len() {
                let text = [&lines[..at], &[early], &lines[at..], &[moves]].concat().join("\n");
                let (record, told) = game(&text);
                assert_eq!(record, expected, "{text}");
                let place = format!("line {}, column 1: ", at + 1);
                assert!(told.len() == 1 && told[0].starts_with(&place), "{told:?}: {text}");
            }
        }
        // A head of the table says nothing.
        assert_eq!(only(format!("手数----指手--\n{header}{moves}")), expected);
    }
    // Without moves it is the ending of the game, and the next one may follow.
    let text = "先手：a\n1 投了\nまで0手で後手の勝ち\n先手：b\n1 ６四歩(65)\n";
    let games = read(text);
    assert_eq!(games.len(), 2);
    let header = |game: &ReadGame| game.record.as_ref().unwrap().header.clone();
    assert_eq!(
        (header(&games[0]).result, header(&games[1]).players[0].as_deref()),
        (Some(GameScore::White), Some("b"))
    );
    assert_eq!(problems(&games), [""; 0]);
}

#[test]
fn a_line_of_the_header_after_the_first_move_makes_no_game() {
    for moves in [
        "1 ６四歩(65)\n2 １三歩(12)\n3 ５五金(56)\n4 投了\nまで3手で先手の勝ち\n\n変化：2手\n2 ２二玉(11)\n\n変化：1手\n1 ６六玉(65)\n1 １五飛(16)\n",
        "▲６四歩\n△１三歩\n▲５五金\n△投了\nまで3手で先手の勝ち\n\n変化：2手\n△２二玉\n▲６三歩\n",
        "1 ６四歩(65)\n2 １三歩(12)\n3 ５五金(65)\n4 １四歩(13)\n5 中断\n",
    ] {
        let text = format!("{HEAD}{moves}");
        let (expected, before) = game(&text);
        let lines: Vec<&str> = text.lines().collect();
        for (late, is_taken) in [
            ("備考：zqx", true),
            ("棋戦：zqx", true),
            ("foo：zqx", true),
            ("先手：zqx", false),
            ("手合割：zqx", false),
            ("先手の持駒：飛", false),
            ("手番：後手", false),
        ] {
            for at in 4..=lines.len() {
                let text = [&lines[..at], &[late], &lines[at..]].concat().join("\n");
                let (record, told) = game(&text);
                let place = format!("line {}, column 1: ", at + 1);
                assert_eq!(told.iter().any(|told| told.starts_with(&place)), !is_taken, "{told:?}: {text}");
                assert_eq!(told.len(), before.len() + usize::from(!is_taken), "{told:?}: {text}");
                assert_eq!(format!("{:?}", record.header).contains("zqx"), is_taken, "{text}");
                assert_eq!((record.len(), record.header.result), (expected.len(), expected.header.result), "{text}");
            }
        }
    }
    // A header before moves that do not continue the game belongs to the next game, whatever ended this one.
    for first in ["1 ６四歩(65)\n", "1 ６四歩(65)\n2 投了\n", "▲６四歩 △１三歩\n", "1 ６三歩(65)\n2 投了\n", ""]
    {
        for board in ["", "先手の持駒：\n"] {
            let games = read(format!("{HEAD}{first}備考：x\n{board}{HEAD}▲６四歩 △１三歩\n"));
            let notes = games.iter().map(|game| game.record.as_ref().unwrap().header.tag("備考")).collect::<Vec<_>>();
            let expected = if first.is_empty() { [Some("x"), None] } else { [None, Some("x")] };
            assert_eq!(notes, expected, "{first}{board}");
        }
    }
    // Nor does a line before the one that names the program, nor a second handicap.
    for text in [
        "備考：x\n# KIF\n先手：a\n1 ６四歩(65)\n",
        "*x\n# ---- a ----\n▲６四歩\n",
        "3 投了\n# KIF\n先手：a\n1 ６四歩(65)\n",
    ] {
        assert_eq!(game(text).0.len(), 1, "{text}");
    }
    for text in
        [format!("手合割：zqx\n{HEAD}▲６四歩"), format!("{HEAD}手合割：ジャドケンス将棋　角落ち\n備考：y\n▲６四歩")]
    {
        assert_eq!(read(&text).len(), 1, "{text}");
        assert!(!problems(&read(&text)).is_empty());
    }
    // Not only the first row of a board on 9×9 is of that game.
    let nine = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|一\n先手：a\n後手：b\n1 ７六歩(77)\n2 投了\n備考：x\n";
    assert_eq!(read(nine).len(), 1);
}

#[test]
fn repeated_data_of_the_start_are_named() {
    for (lines, line) in [
        ("先手の持駒：なし\n先手の持駒：飛", 5),
        ("手番：先手\n後手番", 5),
        ("手数＝3\n手数＝4", 5),
        // A hand without a board.
        ("先手の持駒：飛", 4),
    ] {
        let told = problems(&read(format!("{HEAD}{lines}\n1 ６四歩(65)\n")));
        assert!(told.len() == 1 && told[0].starts_with(&format!("line {line}, column 1: ")), "{lines}: {told:?}");
    }
}

#[test]
fn text_after_a_move_is_its_comment() {
    for (text, note) in [
        ("▲６四歩 好手 △１三歩", "好手"),
        ("▲６四歩好手 △１三歩", "好手"),
        ("▲６四歩 zqx (封じ手)△１三歩", "封じ手 zqx"),
        ("６四歩 zqx\n１三歩", "zqx"),
        ("1 ６四歩(65) zqx\n2 １三歩(12)", "zqx"),
        ("1 ６四歩(65)+zqx (0:01/)\n2 １三歩(12)", "+zqx"),
    ] {
        let record = only(format!("{HEAD}{text}\n"));
        assert_eq!(usi(&record), "startpos moves 6e6d 1b1c", "{text}");
        assert_eq!(record[record.main_line().next().unwrap()].notes().comment, note, "{text}");
    }
    // A promotion that is not possible is not a comment.
    assert_eq!(game(&format!("{HEAD}▲６四歩成 △１三歩\n")).1.len(), 1);
}

#[test]
fn the_end_of_the_game_may_stand_behind_a_variation() {
    let (black, white) = (Some(GameScore::Black), Some(GameScore::White));
    for moves in [
        "1 ６四歩(65)\n2 １三歩(12)\n3 ５五金(56)\n\n変化：2手\n2 ２二玉(11)\n",
        "▲６四歩 △１三歩 ▲５五金\n\n変化：2手\n△２二玉\n",
    ] {
        for (made, result, comment) in [
            ("まで3手で先手の勝ち", black, ""),
            ("まで3手で詰み", black, ""),
            ("まで、後手の勝ち", white, ""),
            ("まで2手で後手の勝ち", None, "まで2手で後手の勝ち"),
        ] {
            let record = only(format!("{HEAD}{moves}{made}\n"));
            let variation = record[record.main_line().next().unwrap()].children()[1];
            assert_eq!((record.header.result, record[variation].notes().comment.as_str()), (result, comment), "{made}");
        }
    }
}

#[test]
fn a_move_that_cannot_be_read_leaves_the_ending() {
    let (black, white) = (Some(GameScore::Black), Some(GameScore::White));
    for (text, result, reason) in [
        ("3 １一飛成(16)\n4 反則勝ち\n*王手放置の反則\nまで3手で後手の勝ち", white, EndReason::IllegalMove),
        ("3 １一飛成(16)\n4 反則勝ち\n", white, EndReason::IllegalMove),
        ("3 １一飛成(16)\nまで3手で後手の反則勝ち\n", white, EndReason::IllegalMove),
        ("3 １一飛成(16)\nまで3手で先手の反則負け\n", white, EndReason::IllegalMove),
        ("3 １三像(16)\n4 投了\n", black, EndReason::Resignation),
        ("3 １一飛成(16)\n4 １三歩(12)\n5 投了\n", white, EndReason::Resignation),
        ("3 １一飛成(16)\n4 １三歩(12)\n5 ▲投了 (0:05/)\n", white, EndReason::Resignation),
        ("▲１一飛成 △投了\n", black, EndReason::Resignation),
        ("▲１一飛成 △１三歩\nまで4手で時間切れにより後手の勝ち\n", white, EndReason::Time),
        ("▲１一飛成 △１三歩 まで4手で詰み\n", white, EndReason::Checkmate),
    ] {
        let (record, told) = game(&format!("{HEAD}1 ６二角成(26)\n2 １三歩(12)\n{text}"));
        assert_eq!(usi(&record), "startpos moves 2f6b+ 1b1c", "{text}");
        assert_eq!((record.header.result, record.header.reason), (result, Some(reason)), "{text}");
        assert!(told.len() == 1 && told[0].starts_with("line 6, column ") && told[0].contains("１"), "{told:?}");
        let kept = if text.contains('*') { "王手放置の反則" } else { "" };
        assert_eq!(record[record.main_end()].notes().comment, kept, "{text}");
    }
    // Contradictions are reported.
    let (record, told) = game(&format!("{HEAD}1 ６四歩(65)\n2 投了\nまで1手で後手の勝ち\n"));
    assert_eq!((record.header.result, told.len()), (black, 1), "{told:?}");
}

#[test]
fn lines_before_the_first_move_do_not_vanish() {
    for (text, line) in [
        ("hello\n６四歩", 1),
        ("先手：a\nhello\n６四歩", 2),
        ("先手：a\n６四歩\nhello", 3),
        ("先手：a\n1 2 3\n６四歩", 2),
        ("先手：a\n手番：x\n６四歩", 2),
        ("先手：a\n６四歩\n後手番", 3),
        ("先手：a\n６四歩\n| ・ ・ ・ ・ ・ ・|三", 3),
        ("先手：a\n６四歩\n手数＝3", 3),
        ("先手：a\n６四歩\nまで笑った", 3),
        ("先手：a\n６四歩\n変化：1手", 3),
        ("先手：a\nhello", 2),
    ] {
        let (_, told) = game(text);
        assert!(told.len() == 1 && told[0].starts_with(&format!("line {line}, ")), "{told:?}: {text}");
    }
    let many = read(format!("先手：a\n{}６四歩\n", "hello\n".repeat(50)));
    let last = many[0].problems.last().map(ToString::to_string);
    assert_eq!(last.as_deref(), Some("line 22, column 1: further problems are not listed"));
    let (record, _) = game("先手：a\n&one\n▲６四歩\n&two\n");
    let comment = |id: NodeId| record[id].notes().comment.clone();
    assert_eq!([comment(NodeId::ROOT), comment(record.main_end())], ["&one", "&two"]);
}

/// A word that nothing else in a record has.
const TOKEN: &str = "zq7x";

/// A line with the token in it.
fn inserted() -> impl Strategy<Value = String> {
    let begin = select(
        &[
            "",
            "*",
            "*#",
            "*#評価値=",
            "**",
            "＊",
            "&",
            " ",
            "3 ",
            "12",
            "1.",
            "3 ６四歩(65) ",
            "３　投了 ",
            "▲",
            "△投了 ",
            "▲６四歩 ",
            "６四歩　",
            "同　銀 ",
            "投了 ",
            "中断(",
            "まで",
            "まで3手で先手の勝ち ",
            "まで2手で中断 ",
            "変化：",
            "変化：2手 ",
            "変化：1",
            "先手：",
            "棋戦：",
            "備考：",
            "終了日時：",
            "持ち時間：",
            "手合割：",
            "手合割：ジャドケンス将棋　",
            "手合割：ジャドケンス将棋　角落ち ",
            "手番：",
            "先手の持駒：",
            "後手番 ",
            "手数＝",
            "手数＝3 ",
            "手数----",
            "|",
            "| ・ ・ ・ ・ ・ ・|",
            "+--",
            "  ６ ５ ４ ３ ２ １ ",
            "入玉規定：",
            "終局理由：",
            "終局詳細：",
            "(",
            "[",
            "\"",
            "http:",
            "V2.2 ",
            "%",
        ][..],
    );
    let after = prop::collection::vec(select(&WORDS[..]), 0..4);
    (begin, after).prop_map(|(begin, after)| format!("{begin}{TOKEN} {}", after.join(" ")).replace('\n', " "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// A line inserted into a record is part of the result, or is reported.
    #[test]
    fn no_line_vanishes(record in records(), line in inserted(), at in any::<Index>()) {
        for format in [Format::Kif, Format::Ki2] {
            let text = record.to_text(format).expect("it is written");
            let (changed, number) = with_line(&text, &line, at);
            let is_seen = is_seen(TOKEN, &changed, format, number);
            prop_assert!(is_seen, "{line:?} in line {number} of {format}:\n{changed}");
        }
    }
}

#[test]
fn the_number_of_an_ending_says_whose_it_is_behind_lines_that_cannot_be_read() {
    let [black, white] = [Some(GameScore::Black), Some(GameScore::White)];
    for (moves, expected) in [
        ("1 ６四歩(65)\n2 xyz\n3 投了", white),
        ("1 ６四歩(65)\n2 ほげ\n3 切れ負け", white),
        ("1 ６四歩(65)\n2 xyz\n3 ５五金(56)\n4 投了", black),
        ("1 6e6d\n2 １三歩(12)\n3 投了", white),
        ("1 ６四歩(65)\n2 １三歩(12)\n3 P-6d\n4 詰み", black),
    ] {
        let (record, problems) = game(&format!("手合割：ジャドケンス将棋\n{moves}\n"));
        assert!(!problems.is_empty(), "{moves}");
        assert_eq!(record.header.result, expected, "{moves}");
    }
}

#[test]
fn the_reason_why_there_is_no_game_is_told_however_much_is_wrong() {
    let moves: String = (1..100).map(|number| format!("{number} ６四歩(65)\n")).collect();
    let games = read(format!("先手：a\n先手の持駒：飛\n{moves}"));
    assert!(problems(&games).contains(&"line 2, column 1: the board has 0 rows, not 6".to_owned()));
}
