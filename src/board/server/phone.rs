//! The board's address for other devices in the network, as a QR code.

use fast_qr::QRBuilder;
use fast_qr::convert::svg::SvgBuilder;

/// The code for a terminal, in half blocks.
pub fn terminal(url: &str) -> Option<String> {
    Some(QRBuilder::new(url).build().ok()?.to_str())
}

/// The address and its code for the page: an object, empty if there is no address.
pub fn json(url: Option<&str>) -> String {
    let code = url.and_then(|url| Some((url, QRBuilder::new(url).build().ok()?)));
    let fields = code.map(|(url, code)| serde_json::json!({ "url": url, "svg": SvgBuilder::default().to_str(&code) }));
    fields.unwrap_or_else(|| serde_json::json!({})).to_string()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// The terminal's half blocks as a portable bitmap, light on dark.
    fn bitmap(text: &str) -> String {
        const SCALE: usize = 4;
        let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
        let (width, height) = (lines[0].len() * SCALE, lines.len() * 2 * SCALE);
        let mut bitmap = format!("P1\n{width} {height}\n");
        for row in 0..height {
            for column in 0..width {
                let block = lines[row / SCALE / 2].get(column / SCALE).copied().unwrap_or(' ');
                let is_light = block == '█' || block == if (row / SCALE).is_multiple_of(2) { '▀' } else { '▄' };
                bitmap.push_str(if is_light { "0 " } else { "1 " });
            }
            bitmap.push('\n');
        }
        bitmap
    }

    #[test]
    #[ignore = "needs zbarimg"]
    fn the_qr_code_in_a_terminal_is_the_address() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("http://192.168.178.25:6160/?token={:032x}", u128::MAX / 3);
        let path = folder.path().join("code.pbm");
        std::fs::write(&path, bitmap(&terminal(&url).unwrap())).unwrap();
        let output = Command::new("zbarimg").args(["--quiet", "--raw"]).arg(&path).output().expect("zbarimg starts");
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), url);
    }
}
