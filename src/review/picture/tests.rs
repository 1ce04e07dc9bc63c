//! The picture and the page as an XML parser sees them.

use roxmltree::{Document, ParsingOptions};

use super::{html, svg};
use crate::record::{NodeId, Record};
use crate::review::{End, MoveMark, MoveReview, PlayerSummary, Review, win_chance};
use crate::score::Score;
use crate::shogi::diagram::Pieces;
use crate::shogi::notation::japanese::to_japanese;
use crate::shogi::notation::western::{Style, to_western};
use crate::shogi::{Color, EndReason, GameResult, GameScore, Move, Position};

const NAME: &str = "Ann <b> & \"Bo\" 'Cy' \u{1b}[1m";
const MOVES: [&str; 6] = ["6e6d", "1b1c", "5f5e", "1a2b", "1f1c", "3a3b"];

fn moves(texts: &[&str]) -> Vec<Move> {
    texts.iter().map(|text| text.parse().expect("the tests write moves rightly")).collect()
}

/// A game that turns with its fourth move, which misses a mate; the record has everything that must be escaped.
fn sample() -> (Record, Review) {
    let mut record = Record::new(Position::startpos());
    record.header.players = [Some(NAME.to_owned()), Some("先手 </text>".to_owned())];
    record.header.event = Some("Cup <1> & more".to_owned());
    (record.header.result, record.header.reason) = (Some(GameScore::Black), Some(EndReason::Resignation));
    let mut node = NodeId::ROOT;
    for mv in moves(&MOVES) {
        node = record.play(node, mv).expect("the sample game is legal");
    }
    record.set_comment(node, "too late ]]> <script>alert(1)</script>").expect("the node is there");
    let scores = [0, 30, 10, 20, 600, 620, 640].map(|score| Some(Score::Centipawns(score)));
    let review = review_of(&record, scores.to_vec());
    (record, review)
}

fn review_of(record: &Record, scores: Vec<Option<Score>>) -> Review {
    let mut position = record.start().clone();
    let mut reviews = Vec::new();
    for (index, node) in record.main_line().enumerate() {
        let mv = record[node].mv().expect("only the start has no move");
        let color = position.side_to_move();
        let seen = |score: Option<Score>| match (color, score?) {
            (Color::White, Score::Centipawns(score)) => Some(Score::Centipawns(-score)),
            (_, score) => Some(score),
        };
        let (before, after) = (seen(scores[index]), seen(scores[index + 1]));
        let loss = before.zip(after).map(|(before, after)| (win_chance(before) - win_chance(after)).max(0.0));
        reviews.push(MoveReview {
            ply: index + 1,
            node,
            position: position.clone(),
            color,
            mv,
            before,
            before_rule: None,
            after,
            after_rule: None,
            end: None,
            best: position.legal_moves().first().copied().into_iter().collect(),
            loss,
            mark: loss.and_then(MoveMark::of_loss),
            missed_mate: None,
            missed_declaration: false,
        });
        position.play(mv);
    }
    let players = Color::ALL.map(|color| PlayerSummary::of(&reviews, color));
    let turning_points = (0..reviews.len()).filter(|&index| reviews[index].mark == Some(MoveMark::Blunder)).collect();
    let chances: Vec<Option<f64>> = scores.into_iter().map(|score| score.map(win_chance)).collect();
    Review { complete: chances.iter().all(Option::is_some), moves: reviews, chances, players, turning_points }
}

fn parsed(text: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn texts(document: &Document) -> String {
    document.descendants().filter(|node| node.is_text()).filter_map(|node| node.text()).collect()
}

#[test]
fn names_and_comments_are_text_and_nothing_else() {
    let (record, review) = sample();
    let (svg, html) = (svg(&record, &review), html(&record, &review, Pieces::Kanji));
    for text in [&svg, &html] {
        let document = parsed(text);
        let texts = texts(&document);
        assert!(texts.contains("Ann <b> & \"Bo\" 'Cy' \u{fffd}[1m"), "{texts}");
        assert!(texts.contains("先手 </text>") && texts.contains("Cup <1> & more"), "{texts}");
        assert!(document.descendants().all(|node| !node.has_tag_name("script")));
    }
    assert!(texts(&parsed(&html)).contains("too late ]]> <script>"));
}

#[test]
fn every_move_and_every_turning_point_is_shown() {
    let (record, review) = sample();
    assert_eq!(review.turning_points, [3]);
    let (svg, html) = (svg(&record, &review), html(&record, &review, Pieces::Kanji));
    let (svg, html) = (parsed(&svg), parsed(&html));
    let (svg_texts, html_texts) = (texts(&svg), texts(&html));
    let mut previous = None;
    for mv in &review.moves {
        let western = to_western(&mv.position, mv.mv, Style::Hodges);
        assert!(svg_texts.contains(&western) && html_texts.contains(&western), "{western}");
        let japanese = to_japanese(&mv.position, mv.mv, previous);
        assert!(html_texts.contains(&japanese), "{japanese}");
        let row = format!("move-{}", mv.ply);
        assert!(html.descendants().any(|node| node.attribute("id") == Some(&row)), "{row}");
        previous = Some(mv.mv);
    }
    let flags =
        |document: &Document| document.descendants().filter(|node| node.attribute("class") == Some("flag")).count();
    let letters = super::html(&record, &review, Pieces::Letters);
    let is_japanese = |c: char| ('\u{3040}'..='\u{9fff}').contains(&c) && !"先手".contains(c);
    assert!(!texts(&parsed(&letters)).contains(is_japanese), "{letters}");
    // The page has the curve for wide screens and for phones.
    assert_eq!((flags(&svg), flags(&html)), (1, 2));
    assert!(html.descendants().any(|node| node.attribute("id") == Some("turn-4")));
    assert_eq!(html.descendants().filter(|node| node.attribute("class") == Some("board")).count(), 1);
    assert!(html_texts.contains("Move 4, △K-2b: White's chance to win fell"), "{html_texts}");
}

#[test]
fn links_lead_somewhere_and_nothing_is_loaded() {
    let (record, review) = sample();
    for text in [svg(&record, &review), html(&record, &review, Pieces::Kanji)] {
        let without_namespaces = text.replace("http://www.w3.org/2000/svg", "");
        for forbidden in ["http:", "https:", "url(", "@import", "src="] {
            assert!(!without_namespaces.contains(forbidden), "{forbidden}");
        }
        let document = parsed(&text);
        for link in document.descendants().filter_map(|node| node.attribute("href")) {
            let id = link.strip_prefix('#').unwrap_or_else(|| panic!("{link} leads out of the page"));
            assert!(document.descendants().any(|node| node.attribute("id") == Some(id)), "{link}");
        }
    }
}

#[test]
fn a_game_without_moves_and_one_that_was_not_finished_are_drawn() {
    let record = Record::new(Position::startpos());
    let review = review_of(&record, vec![None]);
    for text in [svg(&record, &review), html(&record, &review, Pieces::Kanji)] {
        assert!(texts(&parsed(&text)).contains("No result is known"));
    }

    let (record, mut review) = sample();
    review.chances[4] = None;
    (review.moves[3].after, review.moves[4].before) = (None, None);
    review.complete = false;
    for text in [svg(&record, &review), html(&record, &review, Pieces::Kanji)] {
        let document = parsed(&text);
        let lines = document.descendants().filter(|node| node.attribute("class") == Some("line")).count();
        assert!(lines % 2 == 0 && lines > 0, "the curve has a gap");
        assert!(texts(&document).contains("was not finished"));
    }
}

#[test]
fn a_missed_mate_is_ringed_and_its_line_is_shown() {
    let (record, mut review) = sample();
    let mate = moves(&["1a2b", "6e6d"]);
    review.moves[3].missed_mate = Some(mate[..1].to_vec());
    let text = svg(&record, &review);
    let rings = text.matches(r#"class="mark missed""#).count();
    // One of each player's stands in the legend.
    assert_eq!(rings, 3);
    assert!(texts(&parsed(&html(&record, &review, Pieces::Kanji))).contains("mate in 1: △K-2b"));
}

#[test]
fn an_end_is_said_to_be_one() {
    let (mut record, mut review) = sample();
    (record.header.result, record.header.reason) = (None, None);
    let result = GameResult::won(Color::White, EndReason::Try);
    let last = review.moves.last_mut().expect("it has moves");
    (last.after, last.end) = (None, Some(End { result, played_on: false }));
    review.moves[2].end = Some(End { result: GameResult::drawn(EndReason::Sennichite), played_on: true });
    let (svg, html) = (svg(&record, &review), html(&record, &review, Pieces::Kanji));
    let (svg, html) = (texts(&parsed(&svg)), texts(&parsed(&html)));
    for text in [&svg, &html] {
        assert!(text.contains("先手 </text> won by a try"), "{text}");
    }
    assert!(svg.contains(", try: Black"), "{svg}");
    assert!(html.contains("sennichite, but play went on") && html.contains("White · won"), "{html}");
}

/// Texts that are wider than they look were drawn beyond the picture.
#[test]
fn long_names_stay_in_the_picture() {
    use crate::text_width::width;

    let (mut record, review) = sample();
    for text in ["W", "@", "Щ", "—", "将棋", "😀", "Long name "] {
        let long = text.repeat(60);
        record.header.players = [Some(long.clone()), Some(long.clone())];
        (record.header.event, record.header.site) = (Some(long.clone()), Some(long.clone()));
        let svg = svg(&record, &review);
        let document = parsed(&svg);
        let mut seen = 0;
        for node in document.descendants().filter(|node| node.has_tag_name("text")) {
            let (size, room) = match node.attribute("class") {
                Some("title") => (27.0, 880.0),
                Some("outcome") => (16.0, 880.0),
                Some("fact") => (13.0, 880.0),
                Some("player") => (18.0, 416.0),
                _ => continue,
            };
            seen += 1;
            let words: String = node.descendants().filter_map(|node| node.text().filter(|_| node.is_text())).collect();
            assert!(size * width(&words) <= room, "{words}");
        }
        assert_eq!(seen, 5);
    }
    record.header.players = [Some("先".repeat(20)), Some("Al".to_owned())];
    assert!(svg(&record, &review).contains(&"先".repeat(20)), "a short name leaves its room to the other");
}
