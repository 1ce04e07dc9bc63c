//! The values of a run, drawn.

use plotters::prelude::*;

use super::spsa::Parameter;

const SIZE: (u32, u32) = (1_200, 700);
const FONT: &str = "sans-serif";

/// A curve is drawn through so many points at most.
const MOST_POINTS: usize = 400;

/// Draws every parameter's way from its start, in steps, as SVG. `table` has the pairs and the values in its rows, below a
/// head.
pub(super) fn draw(parameters: &[Parameter], table: &str) -> Result<String, Box<dyn std::error::Error>> {
    let rows: Vec<Vec<f64>> = table
        .lines()
        .skip(1)
        .map(|row| row.split(',').map(str::parse).collect::<Result<_, _>>())
        .collect::<Result<_, _>>()?;
    let every = rows.len().div_ceil(MOST_POINTS).max(1);
    let last = rows.len().saturating_sub(1);
    let rows: Vec<&Vec<f64>> =
        rows.iter().enumerate().filter(|(index, _)| index % every == 0 || *index == last).map(|(_, row)| row).collect();
    let way = |row: &[f64], index: usize| (row[index + 1] - parameters[index].start) / parameters[index].step;
    let farthest =
        rows.iter().flat_map(|row| (0..parameters.len()).map(|index| way(row, index).abs())).fold(1.0, f64::max);
    let pairs = rows.last().map_or(1.0, |row| row[0]).max(1.0);

    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .margin(20)
            .margin_right(220)
            .caption("parameters", (FONT, 22))
            .x_label_area_size(45)
            .y_label_area_size(70)
            .build_cartesian_2d(0.0..pairs, -farthest * 1.05..farthest * 1.05)?;
        chart
            .configure_mesh()
            .x_desc("pairs of games")
            .y_desc("steps from the start")
            .x_label_formatter(&|pairs| format!("{pairs:.0}"))
            .label_style((FONT, 14))
            .axis_desc_style((FONT, 15))
            .light_line_style(WHITE)
            .draw()?;
        for (index, parameter) in parameters.iter().enumerate() {
            let color = Palette99::pick(index).mix(0.9);
            let points = std::iter::once((0.0, 0.0)).chain(rows.iter().map(|row| (row[0], way(row, index))));
            let value = rows.last().map_or(parameter.start, |row| row[index + 1]);
            chart
                .draw_series(LineSeries::new(points, color.stroke_width(2)))?
                .label(format!("{} {value:.1}", parameter.name))
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(3)));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::Coordinate(SIZE.0 as i32 - 300, 10))
            .background_style(WHITE.mix(0.8))
            .label_font((FONT, 14))
            .draw()?;
        root.present()?;
    }
    Ok(text)
}
