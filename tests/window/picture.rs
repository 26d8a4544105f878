//! Pictures of the window, read back.

use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// How far apart two colours may be and still look the same.
const SAME_COLOUR: u8 = 24;

#[derive(Debug)]
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// `None` as long as it is not written to its end.
    pub(crate) fn read(path: &Path) -> Option<Picture> {
        let mut decoder = png::Decoder::new(BufReader::new(File::open(path).ok()?));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().ok()?;
        let mut bytes = vec![0; reader.output_buffer_size()?];
        let info = reader.next_frame(&mut bytes).ok()?;
        assert_eq!(info.color_type, png::ColorType::Rgb, "{}", path.display());
        let pixels = bytes.chunks_exact(3).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        Some(Picture { width: info.width as usize, height: info.height as usize, pixels })
    }

    pub(crate) fn colours(&self) -> usize {
        self.pixels.iter().collect::<HashSet<_>>().len()
    }

    /// What part of the pixels differs, from 0 to 1. Pictures of different sizes differ everywhere.
    pub(crate) fn difference(&self, other: &Picture) -> f64 {
        if (self.width, self.height) != (other.width, other.height) {
            return 1.0;
        }
        let differs = |(one, two): &(&[u8; 3], &[u8; 3])| {
            one.iter().zip(two.iter()).any(|(one, two)| one.abs_diff(*two) > SAME_COLOUR)
        };
        let different = self.pixels.iter().zip(&other.pixels).filter(differs).count();
        different as f64 / self.pixels.len() as f64
    }

    /// The middle of it, so many times smaller each way.
    pub(crate) fn middle(&self, times: usize) -> Picture {
        let (width, height) = (self.width / times, self.height / times);
        let (left, top) = ((self.width - width) / 2, (self.height - height) / 2);
        let rows = (top..top + height).map(|row| row * self.width + left);
        let pixels = rows.flat_map(|start| &self.pixels[start..start + width]).copied().collect();
        Picture { width, height, pixels }
    }

    /// Half as wide and half as high, every pixel the mean of four.
    pub(crate) fn half(&self) -> Picture {
        let (width, height) = (self.width / 2, self.height / 2);
        let mean = |x: usize, y: usize| {
            let corner = 2 * y * self.width + 2 * x;
            let four = [corner, corner + 1, corner + self.width, corner + self.width + 1];
            [0, 1, 2].map(|channel| {
                (four.iter().map(|&at| u16::from(self.pixels[at][channel])).sum::<u16>() / 4) as u8
            })
        };
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| mean(x, y));
        Picture { width, height, pixels: pixels.collect() }
    }

    pub(crate) fn write(&self, path: &Path) {
        let mut encoder =
            png::Encoder::new(File::create(path).unwrap(), self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::High);
        encoder.write_header().unwrap().write_image_data(self.pixels.as_flattened()).unwrap();
    }
}
