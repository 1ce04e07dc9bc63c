//! KIF and KI2, the formats of Kakinoki's programs.
//!
//! Both consist of lines: a header of `key：value`, a board, moves, `*` comments after their moves, and variations after
//! the game. KIF has one numbered move per line, with its origin and the time used; KI2 has moves in Japanese notation.
//!
//! ```text
//! 棋戦：一番勝負
//! 手合割：ジャドケンス将棋
//! 先手：one
//! 後手：two
//! (the board, with the hands above and below)
//! 手数----指手---------消費時間--
//!    1 ６四歩(65)   ( 0:12/00:00:12)
//! *#評価値=35
//! *a comment
//!    2 投了
//! まで1手で先手の勝ち
//! ```
//!
//! Programs for 9×9 assume another board, so the board is always written. Values of other programs are read if they
//! make sense on this board, and rejected otherwise: `手合割：平手` without a board is a game on 9×9.
//!
//! Comment lines that begin with `#` and a key are for programs, as in ShogiHome: `評価値` (centipawns from Black's point
//! of view, then `以上` or `以下` for a bound), `詰み` (`先手勝ち:5手`, in plies), `深さ`, `ノード数`, `読み筋`; `記号` is a mark of the
//! move, or one of PGN's glyphs, `$16`; `終局` the end of a game that was continued, `▲勝ち（投了）`. Header keys of this
//! program are `回戦`, `入玉規定`, `終局理由` and `終局詳細`.
//!
//! A variation that begins at the end of the game, possibly in place of 投了, is kept as a comment: the tree has no node
//! for it.
//!
//! The formats cannot represent fractions of a second (KI2: any time), the time left on a clock, line breaks in the
//! header, and a comment that looks like a line for programs.
//!
//! # Reading
//! Only lines that begin with `#` and rulers like the one above are ignored silently. Text that does not fit into the
//! tree is kept as a comment: bookmarks (`&`), endings of variations, notes after a move or an ending, comments after
//! an unreadable move. All other unknown text is a problem with its line. An unreadable move ends its line but not the
//! game: its ending still counts. The moves of a game begin with the first move that can be played: all other text of
//! the body before it is a problem, unless there is no such move. A header line after it begins the next game only if
//! the following moves do not continue this game; otherwise it is added, or a problem.
//!
//! The number of a move may directly precede it or be missing, and a line may have any number of moves. An ending is
//! one of the words in Kakinoki's description (`投了`, `中断`, `千日手`, `持将棋`, `詰み`, `不詰`, `切れ負け`, `反則勝ち`, `反則負け`, `入玉勝ち`,
//! `不戦勝`, `不戦敗`, `封じ手`) or one of those that other programs write, with or without a player's mark. A game continues
//! after `封じ手` or `中断` if moves follow. Words that say more than result and reason (`封じ手`, `不戦勝`) are the header's
//! detail.

mod board;
mod body;
mod comment;
mod digits;
mod ending;
mod header;
mod line;
mod part;
mod read;
mod write;

pub(super) use header::is_known_key;
pub(super) use line::{LineKind, line_kind};
pub(super) use read::Games;
pub use write::{to_board, to_ki2, to_kif};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::usi;
    use crate::record::{Format, NodeId, ReadGame, Reader, Record};
    use crate::shogi::{Color, EndReason, GameScore};
    use std::time::Duration;

    fn read(text: &str) -> Vec<ReadGame> {
        Reader::with_format(text.as_bytes(), Format::Kif).unwrap().collect::<Result<_, _>>().unwrap()
    }

    fn only(text: &str) -> Record {
        let games = read(text);
        assert_eq!((games.len(), &games[0].problems[..]), (1, &[][..]), "{text}");
        games[0].record.clone().unwrap()
    }

    const GAME: &str = "\
# ----  Kifu for Windows V7 V7.70 棋譜ファイル  ----
開始日時：2024/05/01(水) 12:00
戦型：中飛車
手合割：ジャドケンス将棋
先手：one
後手：two
手数----指手---------消費時間--
*before the first
   1 ６四歩(65)   ( 0:12/00:00:12)
*a comment
*of two lines
   2 １三歩(12)   ( 1:03/00:01:03)+
&bookmark
   3 ５五金(56)   ( 0:08/00:00:20)
   4 投了         ( 0:00/00:01:03)
まで3手で先手の勝ち

変化：2手
   2 ２二玉(11)   ( 0:00/00:00:00)
   3 １五飛(16)   ( 0:00/00:00:00)

変化：3手
   3 ４五銀(46)
";

    #[test]
    fn a_game_is_read_with_all_that_stands_in_it() {
        let record = only(GAME);
        assert_eq!(usi::to_line(&record), "startpos moves 6e6d 1b1c 5f5e");
        let header = &record.header;
        assert_eq!((header.player(Color::Black), header.player(Color::White)), (Some("one"), Some("two")));
        assert_eq!(header.date.unwrap().to_string(), "2024-05-01T12:00:00");
        assert_eq!((header.result, header.reason), (Some(GameScore::Black), Some(EndReason::Resignation)));
        assert_eq!(header.tags, [("戦型".to_owned(), "中飛車".to_owned())]);
        let line: Vec<NodeId> = record.main_line().collect();
        assert_eq!(record[NodeId::ROOT].notes().comment, "before the first");
        assert_eq!(record[line[0]].notes().comment, "a comment\nof two lines");
        assert_eq!(record[line[1]].notes().time, Some(Duration::from_secs(63)));
        assert_eq!(record[line[2]].notes().time, Some(Duration::from_secs(8)));
        let variation = record[line[0]].children()[1];
        // The last variation belongs to the one before it, which had reached that move.
        let branches: Vec<_> =
            record[variation].children().iter().map(|&id| record[id].mv().unwrap().to_string()).collect();
        assert_eq!(branches, ["1f1e", "4f4e"]);
        assert_eq!(only(&to_kif(&record)), record);
    }

    #[test]
    fn kif_is_written_as_its_description_has_it() {
        let text = to_kif(&only(GAME));
        for part in [
            "#KIF version=2.0 encoding=UTF-8\n開始日時：2024/05/01 12:00:00\n戦型：中飛車\n先手：one\n後手：two\n手合割：ジャドケンス将棋\n",
            "後手の持駒：なし\n  ６ ５ ４ ３ ２ １\n+------------------+\n|v飛v角v桂v銀v金v王|一\n| ・ ・ ・ ・ ・v歩|二\n",
            "| 玉 金 銀 桂 角 飛|六\n+------------------+\n先手の持駒：なし\n手数----指手---------消費時間--\n*before the first\n",
            "   1 ６四歩(65)   ( 0:12/00:00:12)\n*a comment\n*of two lines\n   2 １三歩(12)   ( 1:03/00:01:03)+\n",
            "   4 投了   ( 0:00/00:01:03)\nまで3手で先手の勝ち\n\n変化：2手\n   2 ２二玉(11)   ( 0:00/00:00:00)\n",
            "\n変化：3手\n   3 ４五銀(46)\n",
        ] {
            assert!(text.contains(part), "no '{part}' in {text}");
        }
        let text = to_ki2(&only(GAME));
        for part in [
            "*of two lines\n△１三歩\n*&bookmark\n▲５五金\nまで3手で先手の勝ち\n\n変化：2手\n△２二玉　▲１五飛\n",
            "*before the first\n▲６四歩\n*a comment\n",
        ] {
            assert!(text.contains(part), "no '{part}' in {text}");
        }
    }

    #[test]
    fn a_handicap_game_names_its_players_by_strength() {
        let text =
            "手合割：ジャドケンス将棋　角落ち\n下手：weak\n上手：strong\n   1 １三歩(12)\n   2 ６四歩(65)\n   3 投了\n";
        let record = only(text);
        assert_eq!(usi::to_line(&record), "sfen r1nsgk/5p/6/6/P5/KGSNBR w - 1 moves 1b1c 6e6d");
        assert_eq!((record.header.player(Color::Black), record.header.result), (Some("weak"), Some(GameScore::Black)));
        let text = to_kif(&record);
        for part in [
            "手合割：ジャドケンス将棋　角落ち\n",
            "上手の持駒：なし\n",
            "上手番\n",
            "下手：weak\n",
            "まで2手で下手の勝ち\n",
        ] {
            assert!(text.contains(part), "no '{part}' in {text}");
        }
        assert_eq!(only(&text), record);
    }

    #[test]
    fn games_on_nine_by_nine_are_refused_and_say_so() {
        for text in [
            "手合割：平手\n先手：a\n   1 ７六歩(77)\n   2 ３四歩(33)\n",
            "後手の持駒：なし\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n|v香v桂v銀v金v玉v金v銀v桂v香|一\n",
        ] {
            let games = read(text);
            assert_eq!((games.len(), &games[0].record), (1, &None), "{text}");
            assert!(games[0].problems[0].message.contains("9×9"), "{:?}", games[0].problems);
        }
        // Without a line about the game the first move identifies it.
        let games = read("先手：a\n   1 ７六歩(77)\n   2 ３四歩(33)\n");
        assert_eq!(games[0].problems.len(), 1);
        assert!(games[0].problems[0].to_string().starts_with("line 2, column 6: '７六歩(77)' belongs to shogi on 9×9"));
    }

    #[test]
    fn errors_are_named_and_the_rest_is_kept() {
        let broken = GAME.replace("   3 ５五金(56)", "   3 ５四金(56)");
        let games = read(&broken);
        let problems: Vec<String> = games[0].problems.iter().map(ToString::to_string).collect();
        assert_eq!(problems, ["line 14, column 6: '５四金(56)' is not a legal move"]);
        let record = games[0].record.as_ref().unwrap();
        assert_eq!((usi::to_line(record).as_str(), record.len()), ("startpos moves 6e6d 1b1c", 5));
        for (from, to, problem) in [
            ("   3 ５五金", "   4 ５五金", "line 14, column 1: move 3 expected here"),
            ("変化：2手", "変化：9手", "line 18, column 1: the variation begins after a move that is not there"),
            (
                "変化：2手",
                "変化：二手",
                "line 18, column 1: a variation is named by the number of its first move, 変化：3手",
            ),
            (
                "   3 ５五金",
                "what is this\n   3 ５五金",
                "line 14, column 1: 'what is this' is neither a move nor a comment",
            ),
            (
                "   2 １三歩(12)",
                "   2 １三像(12)",
                "line 12, column 6: '１三像(12)' is neither a move in Japanese notation nor an ending such as 投了",
            ),
        ] {
            let games = read(&GAME.replacen(from, to, 1));
            assert_eq!(games[0].problems[0].to_string(), problem);
            assert!(games[0].record.is_some());
        }
        let games = read("hello\nworld\n");
        assert_eq!(
            games[0].problems[0].to_string(),
            "line 1, column 1: 'hello' is not a line of KIF: a header, a board or a move expected"
        );
        assert_eq!(read("\n# only a comment\n"), []);
    }

    #[test]
    fn a_broken_game_does_not_spoil_the_next_one() {
        let one = only(GAME);
        let text = format!("手合割：平手\n   1 ７六歩(77)\n{}", to_kif(&one));
        let games = read(&text);
        assert_eq!((games.len(), &games[1].record), (2, &Some(one)));
    }

    #[test]
    fn ki2_is_read_with_its_relative_words() {
        let text = "先手：a\n▲６四歩　△１三歩\n*hm\n▲５五金 △２二玉\nまで4手で詰み\n";
        let record = only(text);
        assert_eq!(usi::to_line(&record), "startpos moves 6e6d 1b1c 5f5e 1a2b");
        assert_eq!((record.header.result, record.header.reason), (Some(GameScore::White), Some(EndReason::Checkmate)));
        assert_eq!(only(&to_ki2(&record)), record);
        let games = read("先手：a\n▲６四歩　△６四歩 ▲５五金\n");
        assert_eq!(games[0].problems[0].to_string(), "line 2, column 6: '△６四歩' is not a legal move");
    }
}
