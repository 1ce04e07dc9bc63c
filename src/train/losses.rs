//! The losses of a training by epoch, as a table and as a picture.

use std::fmt::Write;
use std::path::Path;

use plotters::prelude::*;
use serde::{Deserialize, Serialize};

use super::{TrainError, write_whole};

const SIZE: (u32, u32) = (1_000, 600);
const FONT: &str = "sans-serif";
const LEARNED: RGBColor = RGBColor(0x1f, 0x6f, 0xb4);
const HELD_OUT: RGBColor = RGBColor(0xd9, 0x6b, 0x27);

/// The losses of an epoch: mean squared errors of the winning chance.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct EpochLosses {
    /// Counted from 1.
    pub epoch: u64,
    /// The mean loss of the training positions, each before its step.
    pub learned: f64,
    /// The mean loss of the held-out positions at the end of the epoch.
    pub held_out: f64,
    /// The learning rate of the last step.
    pub rate: f64,
    /// Training positions per second.
    pub positions_per_second: f64,
}

/// Writes the losses as comma-separated values.
pub fn write_table(losses: &[EpochLosses], path: &Path) -> Result<(), TrainError> {
    let mut text = "epoch,learned,held_out,rate,positions_per_second\n".to_owned();
    for EpochLosses { epoch, learned, held_out, rate, positions_per_second } in losses {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{epoch},{learned:.6},{held_out:.6},{rate:.8},{positions_per_second:.0}");
    }
    write_whole(path, text.as_bytes())
}

/// Draws the losses as SVG.
pub fn draw(losses: &[EpochLosses], path: &Path) -> Result<(), TrainError> {
    let mut text = String::new();
    draw_to(losses, &mut text).map_err(|error| TrainError::Picture(path.to_owned(), error.to_string()))?;
    write_whole(path, text.as_bytes())
}

fn draw_to(losses: &[EpochLosses], text: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    // The first epoch starts from random weights: its loss would compress the rest of the picture.
    let learned = losses.iter().skip(usize::from(losses.len() > 1)).map(|losses| losses.learned);
    let all = learned.chain(losses.iter().map(|losses| losses.held_out));
    let (low, high) = all.fold((f64::MAX, 0.0_f64), |(low, high), loss| (low.min(loss), high.max(loss)));
    let room = ((high - low) * 0.08).max(high * 0.01).max(1e-9);
    let last = losses.last().map_or(1, |losses| losses.epoch).max(2);

    let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(20)
        .caption("loss by epoch", (FONT, 22))
        .x_label_area_size(45)
        .y_label_area_size(80)
        .build_cartesian_2d(1..last, low - room..high + room)?;
    chart
        .configure_mesh()
        .x_desc("epoch")
        .y_desc("mean squared error of the chance to win")
        .x_labels(last.min(20) as usize)
        .y_label_formatter(&|loss| format!("{loss:.5}"))
        .label_style((FONT, 14))
        .axis_desc_style((FONT, 15))
        .light_line_style(WHITE)
        .draw()?;
    type Value = fn(&EpochLosses) -> f64;
    let lines: [(&str, RGBColor, Value); 2] =
        [("learned from", LEARNED, |losses| losses.learned), ("held out", HELD_OUT, |losses| losses.held_out)];
    for (label, color, value) in lines {
        let points = losses.iter().map(|losses| (losses.epoch, value(losses).min(high + room)));
        chart
            .draw_series(LineSeries::new(points, color.stroke_width(2)).point_size(3))?
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
    root.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_shows_both_lines_even_of_one_epoch() {
        let losses =
            |epoch| EpochLosses { epoch, learned: 0.03, held_out: 0.04, rate: 0.001, positions_per_second: 1.0 };
        for epochs in 1..4 {
            let mut text = String::new();
            draw_to(&(1..=epochs).map(losses).collect::<Vec<_>>(), &mut text).unwrap();
            assert!(text.contains("learned from") && text.contains("held out"), "{text}");
        }
    }
}
