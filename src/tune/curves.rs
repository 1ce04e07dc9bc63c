//! The curves of a run's values.

use plotters::prelude::*;

use super::spsa::Parameter;

const WIDTH: u32 = 1_200;
/// The minimum height in pixels; more if the names need it.
const HEIGHT: u32 = 700;
const FONT: &str = "sans-serif";
const INK: RGBColor = RGBColor(0x33, 0x33, 0x33);

/// The upper left corner of the names, right of the curves.
const NAMES: (i32, i32) = (975, 60);
const NAME_HEIGHT: usize = 18;

/// The maximum number of points of a curve.
const MOST_POINTS: usize = 400;

/// Draws each parameter's distance from its start, in steps, as SVG. The rows of `table` after its first line have the
/// number of pairs, the score in percent and the values.
pub(super) fn draw(parameters: &[Parameter], table: &str) -> Result<String, Box<dyn std::error::Error>> {
    let rows: Vec<Vec<f64>> = table
        .lines()
        .skip(1)
        .map(|row| row.split(',').map(str::parse).collect::<Result<_, _>>())
        .collect::<Result<_, _>>()?;
    let every = rows.len().div_ceil(MOST_POINTS).max(1);
    let end = rows.len().saturating_sub(1);
    let thinned = rows.iter().enumerate().filter(|(index, _)| index % every == 0 || *index == end);
    let rows: Vec<&Vec<f64>> = thinned.map(|(_, row)| row).collect();
    let way = |row: &[f64], index: usize| (row[index + 2] - parameters[index].start) / parameters[index].step;
    let ways = rows.iter().flat_map(|row| (0..parameters.len()).map(|index| way(row, index).abs()));
    let farthest = ways.fold(1.0, f64::max) * 1.05;
    let last = rows.last();
    let (pairs, score) = last.map_or((1.0, 50.0), |row| (row[0], row[1]));

    let mut text = String::new();
    {
        let height = HEIGHT.max((80 + NAME_HEIGHT * parameters.len()) as u32);
        let root = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .margin(20)
            .margin_right(WIDTH as i32 - NAMES.0 + 20)
            .caption(format!("{pairs:.0} pairs, the first engines scored {score:.1} %"), (FONT, 22))
            .x_label_area_size(45)
            .y_label_area_size(70)
            .build_cartesian_2d(0.0..pairs, -farthest..farthest)?;
        chart
            .configure_mesh()
            .x_desc("pairs of games")
            .y_desc("steps from the start")
            .x_label_formatter(&|pairs| format!("{pairs:.0}"))
            .label_style((FONT, 14))
            .axis_desc_style((FONT, 15))
            .light_line_style(WHITE)
            .draw()?;
        // Names are in the order of the curves' end points.
        let ended = |index: usize| last.map_or(0.0, |row| way(row, index));
        let mut order: Vec<usize> = (0..parameters.len()).collect();
        order.sort_by(|&one, &other| ended(other).total_cmp(&ended(one)));
        for (place, index) in order.into_iter().enumerate() {
            let color = HSLColor(place as f64 * 0.381_966 % 1.0, 0.75, 0.4).stroke_width(2);
            let points = std::iter::once((0.0, 0.0)).chain(rows.iter().map(|row| (row[0], way(row, index))));
            chart.draw_series(LineSeries::new(points, color))?;
            let value = last.map_or(parameters[index].start, |row| row[index + 2]);
            let name = format!("{} {value:.1}", parameters[index].name);
            let (x, y) = (NAMES.0, NAMES.1 + (NAME_HEIGHT * place) as i32);
            root.draw(&PathElement::new(vec![(x, y + 7), (x + 18, y + 7)], color))?;
            root.draw(&Text::new(name, (x + 25, y), (FONT, 14).into_font().color(&INK)))?;
        }
        root.present()?;
    }
    Ok(text)
}
