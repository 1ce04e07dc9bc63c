//! The results of a match by pairing and by engine, with the text of its progress line and of its summary.

use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Write};

use super::adjudication::audited_winner;
use super::statistics::elo_text;
use super::{Decision, Estimate, GameRecord, Pentanomial, SequentialTest, Sprt, Wdl};
use crate::counted::counted;
use crate::score::Score;
use crate::shogi::{Color, EndReason};

/// The aggregated records of a match, independent of their order.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    names: Vec<String>,
    /// The index of each name.
    numbers: HashMap<String, usize>,
    pairings: BTreeMap<(usize, usize), Pairing>,
    engines: Vec<Totals>,
    endings: BTreeMap<EndReason, u64>,
    lengths: Vec<u32>,
    replayed: u64,
    /// Games played on after the resign rule applied, from the point of view of the winner according to the rule.
    audited: Wdl,
    /// The half points of the first engine in pairs with only one finished game.
    half_pairs: HashMap<usize, u32>,
    test: Option<SequentialTest>,
}

/// The games between two engines, from the point of view of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairing {
    pub games: Wdl,
    /// The games with Black and with White.
    pub by_color: [Wdl; 2],
    /// Pairs with two finished games.
    pub pairs: Pentanomial,
}

/// The totals of an engine over all its games.
#[derive(Clone, Debug, Default)]
struct Totals {
    games: u64,
    /// Whether it lost a game by a fault before its first move, and whether it could move in another one.
    failed_early: bool,
    can_move: bool,
    moves: u64,
    /// Whole microseconds: their sum does not depend on the order of the games.
    micros: u64,
    slowest: f64,
    /// Over the moves with a known node count.
    nodes: u64,
    micros_with_nodes: u64,
    depth: u64,
    moves_with_depth: u64,
    faults: BTreeMap<EndReason, u64>,
}

impl Standings {
    /// Standings of these engines, with a test if there are two; engines that appear only in records are added.
    pub fn new(names: impl IntoIterator<Item = String>, sprt: Option<Sprt>) -> Standings {
        let mut standings = Standings { test: sprt.map(SequentialTest::new), ..Standings::default() };
        names.into_iter().for_each(|name| {
            standings.engine(&name);
        });
        standings
    }

    fn engine(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len();
        self.numbers.insert(name.to_owned(), number);
        self.names.push(name.to_owned());
        self.engines.push(Totals::default());
        number
    }

    pub fn add(&mut self, record: &GameRecord) {
        let [first, second] = record.pairing();
        self.engine(first);
        self.engine(second);
        let engines = Color::ALL.map(|color| self.engine(&record.engine(color).name));
        for color in Color::ALL {
            self.engines[engines[color.index()]].add(record, color);
        }
        if !record.counts {
            self.replayed += 1;
            return;
        }
        *self.endings.entry(record.reason).or_default() += 1;
        self.lengths.push(record.plies() as u32);
        if let Some(winner) = audited_winner(record) {
            self.audited.add(record.result.half_points(winner));
        }
        let first = if engines[0] < engines[1] { Color::Black } else { Color::White };
        let half_points = record.result.half_points(first);
        let key = (engines[0].min(engines[1]), engines[0].max(engines[1]));
        let pairing = self.pairings.entry(key).or_default();
        pairing.games.add(half_points);
        pairing.by_color[first.index()].add(half_points);
        match self.half_pairs.remove(&((record.game - 1) / 2)) {
            Some(other) => {
                pairing.pairs.add(half_points + other);
                if let Some(test) = &mut self.test {
                    test.take((record.game - 1) / 2, half_points + other);
                }
            }
            None => {
                self.half_pairs.insert((record.game - 1) / 2, half_points);
            }
        }
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of games that count.
    pub fn games(&self) -> u64 {
        self.pairings.values().map(|pairing| pairing.games.games()).sum()
    }

    /// The games of two engines, given by their numbers, from the point of view of the first.
    pub fn pairing(&self, first: usize, second: usize) -> Pairing {
        let pairing = self.pairings.get(&(first.min(second), first.max(second))).copied().unwrap_or_default();
        if first < second { pairing } else { pairing.reversed() }
    }

    /// The engine of a pairing that failed in all its games before making a move, which invalidates their result.
    fn never_moved(&self, first: usize, second: usize) -> Option<&str> {
        let never_moved = |engine: &usize| {
            let Totals { failed_early, can_move, .. } = self.engines[*engine];
            failed_early && !can_move
        };
        [first, second].into_iter().find(never_moved).map(|engine| self.names[engine].as_str())
    }

    /// The strength of the first of two engines in words, or the reason why there is none.
    pub fn strength(&self) -> Option<String> {
        if self.names.len() != 2 {
            return None;
        }
        match self.never_moved(0, 1) {
            Some(name) => Some(format!("no result: {name} never made a move")),
            None => self.pairing(0, 1).pairs.estimate().map(|estimate| estimate.to_string()),
        }
    }

    /// Each engine's games against all opponents that have made a move.
    fn totals(&self) -> Vec<Pairing> {
        let mut totals = vec![Pairing::default(); self.names.len()];
        let is_result = |first: usize, second: usize| first != second && self.never_moved(first, second).is_none();
        for (&(first, second), &pairing) in self.pairings.iter().filter(|((one, other), _)| is_result(*one, *other)) {
            totals[first] = totals[first].plus(pairing);
            totals[second] = totals[second].plus(pairing.reversed());
        }
        totals
    }

    /// The progress of a match, in one line.
    pub fn progress(&self) -> String {
        if self.names.len() != 2 {
            let points = |(name, total): (&String, Pairing)| format!("{name} {}", total.games.points());
            return self.names.iter().zip(self.totals()).map(points).collect::<Vec<_>>().join("  ");
        }
        let pairing = self.pairing(0, 1);
        let mut line = format!("{} {}", self.names[0], score_text(pairing.games));
        if let Some(strength) = self.strength() {
            let _ = write!(line, "  {strength}");
        }
        if let Some(test) = self.test.as_ref().filter(|_| self.never_moved(0, 1).is_none()) {
            let _ = write!(line, "  {test}");
        }
        line
    }

    /// The full summary.
    pub fn summary(&self) -> String {
        let mut text = String::new();
        if self.names.len() > 2 {
            text += &self.table();
        }
        for &(first, second) in self.pairings.keys() {
            let _ = self.write_pairing(&mut text, first, second);
        }
        if let Some(test) = self.test.as_ref().filter(|_| self.names.len() == 2) {
            let decided = match test.decision() {
                _ if self.never_moved(0, 1).is_some() => "no result",
                Some(Decision::H0) => "H0 accepted",
                Some(Decision::H1) => "H1 accepted",
                None => "undecided",
            };
            let _ = writeln!(text, "  SPRT       {}: {test}, {decided}", test.sprt);
        }
        if !self.half_pairs.is_empty() {
            let unpaired = counted(self.half_pairs.len() as u64, "game");
            text += &format!("  unpaired   {unpaired}, which pairs and strength leave out\n");
        }
        let _ = self.write_games(&mut text);
        text
    }

    /// The engines, sorted by score.
    fn table(&self) -> String {
        let mut rows: Vec<(usize, Pairing)> = self.totals().into_iter().enumerate().collect();
        let share = |pairing: &Pairing| pairing.games.points() / (pairing.games.games().max(1)) as f64;
        rows.sort_by(|(_, a), (_, b)| share(b).total_cmp(&share(a)));
        let mut cells =
            vec![["", "engine", "games", "score", "Elo", "95 %", "nElo", "LOS"].map(str::to_owned).to_vec()];
        for (rank, (engine, pairing)) in rows.iter().enumerate() {
            let estimate = pairing.pairs.estimate();
            let or_none = |text: fn(&Estimate) -> String| estimate.as_ref().map_or_else(|| "-".to_owned(), text);
            cells.push(vec![
                format!("{}.", rank + 1),
                self.names[*engine].clone(),
                pairing.games.games().to_string(),
                format!("{:.1} %", 100.0 * share(pairing)),
                or_none(|estimate| elo_text(estimate.elo)),
                or_none(|estimate| match estimate.has_interval() {
                    true => estimate.elo_interval.map(elo_text).join(" to "),
                    false => "-".to_owned(),
                }),
                or_none(|estimate| elo_text(estimate.normalized_elo)),
                or_none(|estimate| format!("{:.1} %", 100.0 * estimate.los)),
            ]);
        }
        aligned(&cells, &[1]) + "\n"
    }

    fn write_pairing(&self, text: &mut String, first: usize, second: usize) -> fmt::Result {
        let Pairing { games, by_color: [black, white], pairs } = self.pairing(first, second);
        let share = 100.0 * games.points() / games.games().max(1) as f64;
        writeln!(text, "{} against {}: {}", self.names[first], self.names[second], counted(games.games(), "game"))?;
        writeln!(text, "  score      {} of {} ({share:.1} %), {}", games.points(), games.games(), score_text(games))?;
        writeln!(text, "  by colour  as Black {}, as White {}", score_text(black), score_text(white))?;
        let [a, b, c, d, e] = pairs.0;
        writeln!(text, "  pairs      {a} {b} {c} {d} {e} (0, ½, 1, 1½, 2 points)")?;
        if let Some(name) = self.never_moved(first, second) {
            writeln!(text, "  strength   no result: {name} never made a move")?;
        } else if let Some(estimate) = pairs.estimate() {
            let interval = estimate.elo_interval.map(elo_text).join(", ");
            let interval = if estimate.has_interval() { format!(", 95 % in [{interval}]") } else { String::new() };
            writeln!(text, "  strength   {estimate}{interval}")?;
            let Estimate { normalized_elo, normalized_elo_error, los, .. } = estimate;
            writeln!(
                text,
                "             nElo {} ± {normalized_elo_error:.1}, LOS {:.1} %",
                elo_text(normalized_elo),
                100.0 * los
            )?;
        }
        Ok(())
    }

    /// Writes the endings, the lengths of the games, and the engines' speed and depth.
    fn write_games(&self, text: &mut String) -> fmt::Result {
        if self.lengths.is_empty() {
            return Ok(());
        }
        let endings: Vec<String> = self.endings.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        writeln!(text, "  endings    {}", endings.join(", "))?;
        let mut lengths = self.lengths.clone();
        lengths.sort_unstable();
        let (shortest, longest) = (lengths[0], lengths[lengths.len() - 1]);
        // For an even number of games, halfway between the two middle ones.
        let median = (lengths[(lengths.len() - 1) / 2] + lengths[lengths.len() / 2]) as f64 / 2.0;
        writeln!(text, "  length     median {}, {shortest} to {longest}", counted(median, "ply"))?;
        if self.replayed > 0 {
            writeln!(text, "  replayed   {} without a contest", counted(self.replayed, "game"))?;
        }
        if self.audited.games() > 0 {
            let (games, score) = (counted(self.audited.games(), "game"), score_text(self.audited));
            writeln!(text, "  audit      {games} played on after --resign applied: its winner {score}")?;
        }
        let head = ["", "games", "nodes/s", "depth", "ms/move", "longest ms", "faults"];
        let mut cells = vec![head.map(str::to_owned).to_vec()];
        for (name, totals) in self.names.iter().zip(&self.engines) {
            let per = |sum: f64, count: f64| if count > 0.0 { sum / count } else { 0.0 };
            let faults: Vec<String> = totals.faults.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
            cells.push(vec![
                name.clone(),
                totals.games.to_string(),
                format!("{:.0}", per(totals.nodes as f64, totals.micros_with_nodes as f64 / 1e6)),
                format!("{:.1}", per(totals.depth as f64, totals.moves_with_depth as f64)),
                format!("{:.1}", per(totals.micros as f64 / 1000.0, totals.moves as f64)),
                format!("{:.1}", totals.slowest),
                if faults.is_empty() { "none".to_owned() } else { faults.join(", ") },
            ]);
        }
        text.push_str(&aligned(&cells, &[0, head.len() - 1]));
        Ok(())
    }
}

impl Pairing {
    fn reversed(self) -> Pairing {
        Pairing {
            games: self.games.reversed(),
            // The first engine's games with Black are the second's with White.
            by_color: [self.by_color[1].reversed(), self.by_color[0].reversed()],
            pairs: self.pairs.reversed(),
        }
    }

    fn plus(self, other: Pairing) -> Pairing {
        let sum = |a: Wdl, b: Wdl| Wdl { wins: a.wins + b.wins, draws: a.draws + b.draws, losses: a.losses + b.losses };
        Pairing {
            games: sum(self.games, other.games),
            by_color: [0, 1].map(|color| sum(self.by_color[color], other.by_color[color])),
            pairs: Pentanomial(std::array::from_fn(|score| self.pairs.0[score] + other.pairs.0[score])),
        }
    }
}

impl Totals {
    fn add(&mut self, record: &GameRecord, color: Color) {
        self.games += 1;
        self.failed_early |= record.failed_before_move() == Some(color);
        self.can_move |= record.can_move(color);
        for (index, _) in record.movers().enumerate().filter(|(_, mover)| *mover == color) {
            let millis = record.times[index].unwrap_or_default();
            self.moves += 1;
            let micros = (millis * 1000.0).round() as u64;
            self.micros = self.micros.saturating_add(micros);
            self.slowest = self.slowest.max(millis);
            if let Some(nodes) = record.nodes[index] {
                self.nodes = self.nodes.saturating_add(nodes);
                self.micros_with_nodes = self.micros_with_nodes.saturating_add(micros);
            }
            // Ignore mate scores: deepening a mate costs nothing.
            if let Some(depth) = record.depths[index].filter(|_| !matches!(record.scores[index], Some(Score::Mate(_))))
            {
                self.depth += u64::from(depth);
                self.moves_with_depth += 1;
            }
        }
        if record.reason.is_fault() && record.result.half_points(color) == 0 {
            *self.faults.entry(record.reason).or_default() += 1;
        }
    }
}

/// Won, drawn and lost games: `+79 =0 -21`.
fn score_text(Wdl { wins, draws, losses }: Wdl) -> String {
    format!("+{wins} ={draws} -{losses}")
}

/// Aligns cells in columns, text columns to the left and the others to the right.
fn aligned(rows: &[Vec<String>], text_columns: &[usize]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::from(" ");
        for (column, cell) in row.iter().enumerate() {
            let width = widths[column];
            let _ = match text_columns.contains(&column) {
                true => write!(line, " {cell:<width$} "),
                false => write!(line, " {cell:>width$} "),
            };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::contest::EloModel;

    /// A game of these engines, Black first, with the depth, nodes and milliseconds of each move.
    fn game(
        number: usize,
        names: [&str; 2],
        [result, reason]: [&str; 2],
        moves: &[(u32, Option<u64>, f64)],
    ) -> GameRecord {
        let [black, white] = names.map(|name| json!({ "name": name }));
        let record = json!({
            "game": number, "counts": true, "black": black, "white": white,
            // White begins.
            "opening": "startpos moves 6e6d",
            "moves": vec!["1b1c"; moves.len()],
            "scores": vec![Score::Centipawns(20); moves.len()],
            "depths": moves.iter().map(|of| of.0).collect::<Vec<_>>(),
            "nodes": moves.iter().map(|of| of.1).collect::<Vec<_>>(),
            "times": moves.iter().map(|of| of.2).collect::<Vec<_>>(),
            "result": result, "reason": reason,
        });
        serde_json::from_value(record).expect("it is a record")
    }

    fn standings(names: &[&str], sprt: Option<Sprt>, games: &[GameRecord]) -> Standings {
        let mut standings = Standings::new(names.iter().map(|&name| name.to_owned()), sprt);
        games.iter().for_each(|game| standings.add(game));
        standings
    }

    #[test]
    fn a_match_of_two_is_summed_up() {
        let (one_two, two_one) = (["one", "two"], ["two", "one"]);
        let long = [(4, Some(3000), 2.0), (7, Some(9000), 6.0), (30, Some(1000), 2.0), (40, None, 10.5)];
        let mut games = vec![
            game(1, one_two, ["1-0", "checkmate"], &long),
            game(2, two_one, ["1/2-1/2", "sennichite"], &[(5, None, 3.0), (6, Some(5000), 4.0)]),
            // The faster game of a pair comes first.
            game(4, two_one, ["0-1", "time"], &[(6, Some(2000), 1.0)]),
            game(3, one_two, ["1-0", "checkmate"], &[]),
            game(5, one_two, ["0-1", "crash"], &[(9, None, 5.0)]),
            game(6, two_one, ["0-1", "checkmate"], &[(7, Some(1000), 1.0), (6, Some(1000), 1.0)]),
        ];
        // Mate scores do not count for the depth.
        games[0].scores[2..].copy_from_slice(&[-2, 1].map(|plies| Some(Score::Mate(plies))));
        // It is replayed.
        games[4].counts = false;
        let sprt = Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05, model: EloModel::Normalized };
        let standings = standings(&["one", "two"], Some(sprt), &games);
        let expected = "\
one against two: 5 games
  score      4.5 of 5 (90.0 %), +4 =1 -0
  by colour  as Black +2 =0 -0, as White +2 =1 -0
  pairs      0 0 0 1 1 (0, ½, 1, 1½, 2 points)
  strength   Elo +338.0, 95 % in [+148.7, +∞]
             nElo +737.0 ± 340.5, LOS 100.0 %
  SPRT       [0, 100] nElo, α 0.05, β 0.05: LLR 0.54 (-2.94, 2.94) after 2 pairs, undecided
  unpaired   1 game, which pairs and strength leave out
  endings    checkmate 3, sennichite 1, time 1
  length     median 3 plies, 1 to 5
  replayed   1 game without a contest
       games  nodes/s  depth  ms/move  longest ms  faults
  one      6  1500000    6.2      4.3        10.5  crash 1
  two      6  1111111    6.2      2.8         5.0  time 1
";
        assert_eq!(standings.summary(), expected);
        assert_eq!(standings.progress(), "one +4 =1 -0  Elo +338.0  LLR 0.54 (-2.94, 2.94) after 2 pairs");
        assert_eq!((standings.games(), standings.names()), (5, &["one".to_owned(), "two".to_owned()][..]));
        // From the other side's point of view.
        let seen = Pairing {
            games: Wdl { wins: 0, draws: 1, losses: 4 },
            by_color: [Wdl { wins: 0, draws: 1, losses: 2 }, Wdl { wins: 0, draws: 0, losses: 2 }],
            pairs: Pentanomial([1, 1, 0, 0, 0]),
        };
        assert_eq!(standings.pairing(1, 0), seen);
    }

    #[test]
    fn a_tournament_is_summed_up() {
        let (short, long) = ([(1, Some(1000), 1.0)], [(1, Some(1000), 1.0), (2, Some(1000), 1.0)]);
        let games = [
            game(1, ["a", "b"], ["1-0", "checkmate"], &short),
            game(2, ["b", "a"], ["1-0", "checkmate"], &short),
            game(3, ["a", "c"], ["0-1", "checkmate"], &short),
            game(4, ["c", "a"], ["1/2-1/2", "sennichite"], &short),
            game(5, ["b", "c"], ["0-1", "resignation"], &short),
            game(6, ["c", "b"], ["1-0", "resignation"], &long),
            game(7, ["a", "b"], ["1-0", "checkmate"], &long),
            game(8, ["b", "a"], ["0-1", "checkmate"], &long),
            // An engine that is not in the match's list.
            game(9, ["c", "d"], ["1/2-1/2", "sennichite"], &long),
            game(10, ["d", "c"], ["1/2-1/2", "sennichite"], &long),
        ];
        let standings = standings(&["a", "b", "e"], None, &games);
        let summary = standings.summary();
        let table = "      engine  games   score     Elo              95 %    nElo     LOS
  1.  c           6  75.0 %  +190.8   +13.2 to +685.0  +300.9  98.3 %
  2.  a           6  58.3 %   +58.5  -209.4 to +466.5   +65.7  67.8 %
  3.  d           2  50.0 %    +0.0                 -    +0.0  50.0 %
  4.  b           6  16.7 %  -279.6       -∞ to -46.6  -347.4   0.7 %
  5.  e           0   0.0 %       -                 -       -       -

a against b: 4 games
  score      3 of 4 (75.0 %), +3 =0 -1
";
        assert!(summary.starts_with(table), "{summary}");
        let games = "\
c against d: 2 games
  score      1 of 2 (50.0 %), +0 =2 -0
  by colour  as Black +0 =1 -0, as White +0 =1 -0
  pairs      0 0 1 0 0 (0, ½, 1, 1½, 2 points)
  strength   Elo +0.0
             nElo +0.0 ± 481.5, LOS 50.0 %
  endings    checkmate 5, sennichite 3, resignation 2
  length     median 2.5 plies, 2 to 3
     games  nodes/s  depth  ms/move  longest ms  faults
  a      6  1000000    1.2      1.0         1.0  none
  b      6  1000000    1.2      1.0         1.0  none
  e      0        0    0.0      0.0         0.0  none
  c      6  1000000    1.4      1.0         1.0  none
  d      2  1000000    1.5      1.0         1.0  none
";
        assert!(summary.ends_with(games), "{summary}");
        assert_eq!(standings.progress(), "a 3.5  b 1  e 0  c 4.5  d 1");
        let totals_of_a = Pairing {
            games: Wdl { wins: 3, draws: 1, losses: 2 },
            by_color: [Wdl { wins: 2, draws: 0, losses: 1 }, Wdl { wins: 1, draws: 1, losses: 1 }],
            pairs: Pentanomial([0, 1, 1, 0, 1]),
        };
        assert_eq!(standings.totals()[0], totals_of_a);
    }

    #[test]
    fn an_engine_that_plays_itself_is_seen_from_black() {
        let standings = standings(&[], None, &[game(1, ["a", "a"], ["1-0", "checkmate"], &[])]);
        let won = Wdl { wins: 1, ..Wdl::default() };
        assert_eq!(
            standings.pairing(0, 0),
            Pairing { games: won, by_color: [won, Wdl::default()], ..Pairing::default() }
        );
        // It has played no other engine.
        assert_eq!(standings.totals(), [Pairing::default()]);
    }

    #[test]
    fn a_decision_stands_in_the_summary() {
        let sprt = Sprt { elo0: -20.0, elo1: 0.0, alpha: 0.3, beta: 0.3, model: EloModel::Logistic };
        for (result, expected) in [("0-1", "H0 accepted"), ("1-0", "H1 accepted")] {
            let pair = |first: usize| {
                let drawn = game(first + 1, ["two", "one"], ["1/2-1/2", "sennichite"], &[]);
                [game(first, ["one", "two"], [result, "checkmate"], &[]), drawn]
            };
            let games: Vec<GameRecord> = (1..120).step_by(2).flat_map(pair).collect();
            let summary = standings(&["one", "two"], Some(sprt), &games).summary();
            assert!(summary.contains(expected), "{summary}");
        }
    }
}
