//! The picture of a match.

use std::collections::BTreeMap;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::Color as _;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{GameRecord, Pentanomial, Wdl};
use crate::atomic_file;
use crate::counted::counted;
use crate::shogi::{Color, EndReason};
use crate::text_width::{truncate, width};

const SIZE: (u32, u32) = (1_200, 900);
const FONT: &str = "sans-serif";

/// The room for an engine's name, in ems.
const NAME: f64 = 11.0;
/// The same for the legend of game endings.
const LEGEND_NAME: f64 = 6.0;

/// The colours of the first engine, of the second, and of draws.
const OURS: RGBColor = RGBColor(0x1f, 0x6f, 0xb4);
const THEIRS: RGBColor = RGBColor(0xd9, 0x6b, 0x27);
const NOBODYS: RGBColor = RGBColor(0xa6, 0xa6, 0xa6);
/// One colour per engine, if there are more than two.
const LINES: [RGBColor; 8] = [
    OURS,
    THEIRS,
    RGBColor(0x2e, 0x8b, 0x57),
    RGBColor(0x8e, 0x44, 0xad),
    RGBColor(0xb8, 0x86, 0x0b),
    RGBColor(0xc0, 0x39, 0x2b),
    RGBColor(0x16, 0xa0, 0x85),
    RGBColor(0x5d, 0x6d, 0x7e),
];

/// The number of plies in one bar of the lengths.
const BAR: usize = 10;

/// The data of a match's picture: a few bytes per game.
#[derive(Clone, Debug, Default)]
pub struct Report {
    names: Vec<String>,
    games: Vec<Game>,
}

#[derive(Clone, Copy, Debug)]
struct Game {
    number: usize,
    engines: [u16; 2],
    winner: Option<Color>,
    reason: EndReason,
    plies: usize,
}

/// The reason why a picture could not be made.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {message}")]
pub struct ReportError {
    path: String,
    message: String,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

impl Report {
    /// The report of a match between these engines; engines that appear only in records are added.
    pub fn new(names: impl IntoIterator<Item = String>) -> Report {
        Report { names: names.into_iter().collect(), games: Vec::new() }
    }

    /// Adds a game. Ignores a game that is replayed.
    pub fn add(&mut self, record: &GameRecord) {
        if !record.counts {
            return;
        }
        record.pairing().into_iter().for_each(|name| {
            if self.names.iter().all(|known| known != name) {
                self.names.push(name.to_owned());
            }
        });
        let number = |name: &str| self.names.iter().position(|known| known == name).unwrap_or_default() as u16;
        let engines = Color::ALL.map(|color| number(&record.engine(color).name));
        self.games.push(Game {
            number: record.game,
            engines,
            winner: Color::ALL.into_iter().find(|&color| record.result.half_points(color) == 2),
            reason: record.reason,
            plies: record.plies(),
        });
    }

    /// Draws the picture as an SVG file. `strength` is text for its title, as [`Standings::strength`] gives it.
    ///
    /// [`Standings::strength`]: super::Standings::strength
    ///
    /// # Errors
    /// [`ReportError`] if the file cannot be written.
    pub fn write(&self, path: &Path, strength: Option<&str>) -> Result<(), ReportError> {
        let error = |message| ReportError { path: path.display().to_string(), message };
        let mut text = String::new();
        self.draw(&mut text, strength).map_err(|problem| error(problem.to_string()))?;
        atomic_file::write(path, text.as_bytes()).map_err(|problem| error(problem.to_string()))
    }

    fn draw(&self, text: &mut String, strength: Option<&str>) -> Drawn {
        let names = self.names.iter().map(|name| truncate(name, NAME)).collect();
        let mut sorted = Report { names, games: self.games.clone() };
        sorted.games.sort_by_key(|game| game.number);
        let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let root = root.titled(&sorted.title(strength), (FONT, 26))?;
        let (top, bottom) = root.split_vertically(440);
        sorted.draw_score(&top)?;
        let [lengths, endings, colours] = &bottom.split_evenly((1, 3))[..] else {
            unreachable!("it was split in three")
        };
        sorted.draw_lengths(lengths)?;
        sorted.draw_endings(endings)?;
        sorted.draw_colours(colours)?;
        root.present()?;
        Ok(())
    }

    fn is_duel(&self) -> bool {
        self.names.len() == 2
    }

    fn title(&self, strength: Option<&str>) -> String {
        let games = self.games.len();
        if !self.is_duel() {
            return format!("{}, {}", counted(self.names.len(), "engine"), counted(games, "game"));
        }
        let text = format!("{} against {}: {}", self.names[0], self.names[1], counted(games, "game"));
        [Some(text.as_str()), strength].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// An engine's half points in a game that it played.
    fn half_points(&self, engine: usize, game: &Game) -> Option<u32> {
        let color = Color::ALL.into_iter().find(|color| usize::from(game.engines[color.index()]) == engine)?;
        Some(game.winner.map_or(1, |winner| if winner == color { 2 } else { 0 }))
    }

    /// The first engine's pairs, cumulated, with the number of games.
    fn pairs(&self) -> Vec<(usize, Pentanomial)> {
        let mut open = BTreeMap::new();
        let (mut sums, mut sum) = (Vec::new(), Pentanomial::default());
        for game in &self.games {
            let pair = (game.number - 1) / 2;
            let Some(half_points) = self.half_points(0, game) else { continue };
            match open.remove(&pair) {
                Some(other) => {
                    sum.add(half_points + other);
                    sums.push((2 * sums.len() + 2, sum));
                }
                None => {
                    open.insert(pair, half_points);
                }
            }
        }
        sums
    }

    /// The score over the games: for two engines the first one's with its interval, for more each engine's.
    fn draw_score(&self, area: &Area<'_>) -> Drawn {
        let lines: Vec<Vec<(f64, f64)>> = match self.is_duel() {
            true => vec![self.pairs().iter().filter_map(point_of_pairs).collect()],
            false => (0..self.names.len()).map(|engine| self.running_score(engine)).collect(),
        };
        let band: Vec<(f64, [f64; 2])> = if self.is_duel() { self.interval() } else { Vec::new() };
        // The first few games would compress the scale for all others.
        let settled = |length: usize| length / 20;
        let values = lines.iter().flat_map(|line| line[settled(line.len())..].iter().map(|(_, score)| *score));
        let bounds = band[settled(band.len())..].iter().flat_map(|(_, bounds)| *bounds);
        let (low, high) =
            values.chain(bounds).fold((45.0, 55.0), |(low, high): (f64, f64), v| (low.min(v), high.max(v)));
        let (low, high) = ((low - 2.0).max(0.0), (high + 2.0).min(100.0));
        let last = lines.iter().flatten().map(|(at, _)| *at).fold(1.0, f64::max);

        let caption = match self.is_duel() {
            true => format!("score of {} over the games", self.names[0]),
            false => "score over the games".to_owned(),
        };
        let mut chart = ChartBuilder::on(area)
            .margin(15)
            .caption(caption, (FONT, 18))
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d(0.0..last, low..high)?;
        chart
            .configure_mesh()
            .x_desc("games")
            .y_desc("%")
            .x_label_formatter(&|games| if games.fract() == 0.0 { format!("{games:.0}") } else { String::new() })
            .y_label_formatter(&|score| format!("{score:.0}"))
            .label_style((FONT, 14))
            .axis_desc_style((FONT, 15))
            .light_line_style(WHITE)
            .draw()?;
        let clamp = |value: f64| value.clamp(low, high);
        if !band.is_empty() {
            let upper = band.iter().map(|(at, [_, high])| (*at, clamp(*high)));
            let lower = band.iter().rev().map(|(at, [low, _])| (*at, clamp(*low)));
            chart.draw_series([Polygon::new(upper.chain(lower).collect::<Vec<_>>(), OURS.mix(0.18))])?;
        }
        chart.draw_series([PathElement::new([(0.0, 50.0), (last, 50.0)], BLACK.mix(0.5))])?;
        for (engine, line) in lines.iter().enumerate() {
            let color = LINES[engine % LINES.len()];
            let label = if self.is_duel() { "score, with 95 %".to_owned() } else { self.names[engine].clone() };
            let points = line.iter().map(|(at, score)| (*at, clamp(*score)));
            chart
                .draw_series(LineSeries::new(points, color.stroke_width(2)))?
                .label(label)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(3)));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .label_font((FONT, 15))
            .draw()?;
        Ok(())
    }

    /// The 95 % interval of the first engine's score in percent, pair by pair.
    fn interval(&self) -> Vec<(f64, [f64; 2])> {
        let interval = |(at, pairs): &(usize, Pentanomial)| {
            let bounds = pairs.estimate()?.elo_interval.map(|elo| 100.0 * super::score_of_elo(elo));
            Some((*at as f64, bounds))
        };
        self.pairs().iter().filter_map(interval).collect()
    }

    /// An engine's score in percent, game by game.
    fn running_score(&self, engine: usize) -> Vec<(f64, f64)> {
        let (mut games, mut half_points) = (0, 0);
        let mut line = Vec::new();
        for scored in self.games.iter().filter_map(|game| self.half_points(engine, game)) {
            games += 1;
            half_points += scored;
            line.push((f64::from(games), 50.0 * f64::from(half_points) / f64::from(games)));
        }
        line
    }

    fn draw_lengths(&self, area: &Area<'_>) -> Drawn {
        let mut bars: BTreeMap<usize, u32> = BTreeMap::new();
        self.games.iter().for_each(|game| *bars.entry(game.plies / BAR).or_default() += 1);
        let longest = bars.keys().next_back().map_or(1, |bar| bar + 1) * BAR;
        let most = bars.values().copied().max().unwrap_or(1);
        let mut chart = ChartBuilder::on(area)
            .margin(15)
            .caption("length of games", (FONT, 18))
            .x_label_area_size(40)
            .y_label_area_size(50)
            .build_cartesian_2d(0..longest, 0..most + most / 10 + 1)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(WHITE)
            .x_labels(6)
            .x_desc("plies")
            .y_desc("games")
            .label_style((FONT, 14))
            .axis_desc_style((FONT, 15))
            .draw()?;
        chart.draw_series(bars.iter().map(|(bar, games)| {
            let mut shape = Rectangle::new([(bar * BAR, 0), ((bar + 1) * BAR, *games)], OURS.mix(0.8).filled());
            shape.set_margin(0, 0, 1, 1);
            shape
        }))?;
        Ok(())
    }

    fn draw_endings(&self, area: &Area<'_>) -> Drawn {
        let mut rows: BTreeMap<EndReason, [u64; 3]> = BTreeMap::new();
        for game in &self.games {
            // For two engines, distinguish the winner; for more, only the winner's colour.
            let part = game.winner.map_or(1, |winner| match self.is_duel() {
                true => 2 * usize::from(game.engines[winner.index()] != 0),
                false => 2 * winner.index(),
            });
            rows.entry(game.reason).or_default()[part] += 1;
        }
        let mut rows: Vec<Row> = rows.into_iter().map(|(reason, counts)| (reason.to_string(), counts)).collect();
        rows.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.iter().sum::<u64>()));
        let most = rows.first().map_or(1, |(_, counts)| counts.iter().sum::<u64>()) as f64;
        let parts = match self.is_duel() {
            true => [truncate(&self.names[0], LEGEND_NAME), "draw".to_owned(), truncate(&self.names[1], LEGEND_NAME)],
            false => ["Black", "draw", "White"].map(str::to_owned),
        };
        draw_bars(area, "how games ended, and who won", &rows, parts.each_ref().map(String::as_str), |_| most)
    }

    fn draw_colours(&self, area: &Area<'_>) -> Drawn {
        /// The maximum number of engines that fit.
        const MOST_ENGINES: usize = 6;
        let winners = |color| self.games.iter().filter(|game| game.winner == color).count() as u64;
        let mut rows =
            vec![("Black (either engine)".to_owned(), [Some(Color::Black), None, Some(Color::White)].map(winners))];
        // For two engines, the second one's bars are the complement of the first one's.
        let shown = if self.is_duel() { 1 } else { self.names.len() };
        for (engine, name) in self.names[..shown].iter().enumerate().filter(|_| shown <= MOST_ENGINES) {
            for color in Color::ALL {
                let mut games = Wdl::default();
                for game in self.games.iter().filter(|game| usize::from(game.engines[color.index()]) == engine) {
                    games.add(self.half_points(engine, game).unwrap_or_default());
                }
                rows.push((format!("{name} as {color}"), [games.wins, games.draws, games.losses]));
            }
        }
        draw_bars(area, "by colour", &rows, ["won", "drawn", "lost"], |counts| counts.iter().sum::<u64>() as f64)
    }
}

fn point_of_pairs((at, pairs): &(usize, Pentanomial)) -> Option<(f64, f64)> {
    Some((*at as f64, 100.0 * pairs.estimate()?.score))
}

/// A row of bars: its name and three numbers.
type Row = (String, [u64; 3]);

/// Draws rows of bars, each in three parts with their numbers. A bar whose numbers sum up to `full` has the whole
/// width.
fn draw_bars(area: &Area<'_>, title: &str, rows: &[Row], parts: [&str; 3], full: impl Fn(&[u64; 3]) -> f64) -> Drawn {
    const COLORS: [RGBColor; 3] = [OURS, NOBODYS, THEIRS];
    const TOP: i32 = 80;
    const LEFT: i32 = 10;
    const NUMBERS: i32 = 140;
    let area = area.margin(15, 15, 15, 15);
    let (full_width, height) = area.dim_in_pixel();
    let (right, height) = (full_width as i32, height as i32);
    let centred = (FONT, 18).into_font().color(&BLACK).pos(Pos::new(HPos::Center, VPos::Top));
    area.draw(&Text::new(title.to_owned(), (right / 2, 0), centred))?;
    let text = (FONT, 15).into_font().color(&BLACK).pos(Pos::new(HPos::Left, VPos::Center));
    let mut x = LEFT;
    for (part, color) in parts.into_iter().zip(COLORS) {
        area.draw(&Rectangle::new([(x, 38), (x + 14, 52)], color.filled()))?;
        area.draw(&Text::new(part.to_owned(), (x + 20, 45), text.clone()))?;
        x += 40 + (15.0 * width(part)) as i32;
    }
    // Rows are smaller if there are many.
    let row_height = ((height - TOP) / rows.len().max(1) as i32).clamp(24, 44);
    for (index, (name, counts)) in rows.iter().enumerate() {
        let y = TOP + index as i32 * row_height;
        area.draw(&Text::new(name.clone(), (LEFT, y + row_height / 4), text.clone()))?;
        let (top, bottom) = (y + row_height / 2, y + row_height - 4);
        let scale = f64::from(right - LEFT - NUMBERS) / full(counts).max(1.0);
        let (mut x, mut sum) = (LEFT, 0);
        for (count, color) in counts.iter().zip(COLORS) {
            sum += count;
            let end = LEFT + (sum as f64 * scale).round() as i32;
            if end > x {
                area.draw(&Rectangle::new([(x, top), (end, bottom)], color.filled()))?;
            }
            x = end;
        }
        let numbers = counts.map(|count| count.to_string()).join(" / ");
        area.draw(&Text::new(numbers, (x + 8, i32::midpoint(top, bottom)), text.clone()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_stay_in_the_picture() {
        let game = |number, winner| Game { number, engines: [0, 1], winner, reason: EndReason::Checkmate, plies: 50 };
        for name in ["An engine with settings nodes=8000 ", "W", "将棋", "Щ"] {
            let mut report = Report::new([name.repeat(20), name.repeat(21)]);
            report.games = vec![game(1, Some(Color::Black)), game(2, None)];
            let mut text = String::new();
            report.draw(&mut text, Some("Elo +120 ± 80")).unwrap();
            let picture = roxmltree::Document::parse(&text).unwrap();
            let mut cut = 0;
            let is_level = |node: &roxmltree::Node| node.has_tag_name("text") && node.attribute("transform").is_none();
            for node in picture.descendants().filter(is_level) {
                let number = |name| node.attribute(name).map_or(0.0, |value| value.parse::<f64>().unwrap());
                let words = node.text().unwrap_or_default().trim();
                let (x, taken) = (number("x"), number("font-size") * width(words));
                let left = match node.attribute("text-anchor") {
                    Some("middle") => x - taken / 2.0,
                    Some("end") => x - taken,
                    _ => x,
                };
                cut += usize::from(words.contains('…'));
                assert!(left >= 0.0 && left + taken <= f64::from(SIZE.0), "{words}: {left} to {}", left + taken);
            }
            assert!(cut > 3, "{text}");
        }
    }
}
