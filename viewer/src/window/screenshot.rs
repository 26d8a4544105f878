//! Pictures of the window, as PNG files.

use std::error::Error;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

use macroquad::texture::get_screen_data;

/// Writes what the window shows to a file.
pub(super) fn save(path: &Path) -> Result<(), Box<dyn Error>> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let screen = get_screen_data();
    let row = usize::from(screen.width) * 4;
    // The graphics card counts rows from below, and there is nothing behind the window to be seen
    // through it.
    let rows = screen.bytes.chunks_exact(row).rev();
    let pixels: Vec<u8> =
        rows.flat_map(|row| row.chunks_exact(4)).flat_map(|pixel| &pixel[..3]).copied().collect();
    tabuleiro_files::write_with(path, |file| {
        let mut file = BufWriter::new(file);
        let mut encoder = png::Encoder::new(&mut file, screen.width.into(), screen.height.into());
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&pixels)?;
        writer.finish()?;
        file.flush()
    })?;
    Ok(())
}
