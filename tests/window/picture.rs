//! Pictures of the window, read back.

use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// How far apart two colours may be and still look the same.
const SAME_COLOUR: u8 = 24;

/// The side of the squares that pictures are compared by, in pixels. It is less than a stone.
const SQUARE: usize = 10;

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
        let different = (0..self.pixels.len()).filter(|&at| self.differs(other, at)).count();
        different as f64 / self.pixels.len() as f64
    }

    /// The same for the square in which the most differs, wherever it lies, and its middle. What is
    /// small, as a stone, is all of a square, and next to nothing of a picture.
    pub(crate) fn worst_square(&self, other: &Picture) -> (f64, (usize, usize)) {
        if (self.width, self.height) != (other.width, other.height) {
            return (1.0, (0, 0));
        }
        // How many differ above and to the left of each pixel.
        let across = self.width + 1;
        let mut before = vec![0_u32; across * (self.height + 1)];
        for y in 0..self.height {
            let mut row = 0;
            for x in 0..self.width {
                row += u32::from(self.differs(other, y * self.width + x));
                before[(y + 1) * across + x + 1] = before[y * across + x + 1] + row;
            }
        }
        let within = |x: usize, y: usize| {
            let at = |x: usize, y: usize| before[y * across + x];
            at(x + SQUARE, y + SQUARE) + at(x, y) - at(x + SQUARE, y) - at(x, y + SQUARE)
        };
        let corners = (0..=self.height - SQUARE).flat_map(|y| (0..=self.width - SQUARE).map(move |x| (x, y)));
        let (x, y) = corners.max_by_key(|&(x, y)| within(x, y)).unwrap_or_default();
        (f64::from(within(x, y)) / (SQUARE * SQUARE) as f64, (x + SQUARE / 2, y + SQUARE / 2))
    }

    fn differs(&self, other: &Picture, at: usize) -> bool {
        let (one, two) = (&self.pixels[at], &other.pixels[at]);
        one.iter().zip(two).any(|(one, two)| one.abs_diff(*two) > SAME_COLOUR)
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

    /// Part of it, each side from 0 to 1.
    pub(crate) fn part(&self, across: [f32; 2], down: [f32; 2]) -> Picture {
        let pixel = |part: f32, side: usize| ((part * side as f32) as usize).min(side);
        let [left, right] = across.map(|part| pixel(part, self.width));
        let [top, bottom] = down.map(|part| pixel(part, self.height));
        let rows = (top..bottom).map(|row| row * self.width);
        let pixels = rows.flat_map(|start| &self.pixels[start + left..start + right]).copied().collect();
        Picture { width: right - left, height: bottom - top, pixels }
    }

    /// As eyes see it that make one light of another.
    pub(crate) fn seen_through(&self, matrix: [[f32; 3]; 3]) -> Picture {
        let seen = |colour: &[u8; 3]| {
            let light = light(*colour);
            matrix.map(|row| {
                let part: f32 = row.iter().zip(light).map(|(weight, light)| weight * light).sum();
                let part = part.clamp(0.0, 1.0);
                let part =
                    if part <= 0.003_130_8 { part * 12.92 } else { 1.055 * part.powf(1.0 / 2.4) - 0.055 };
                (part * 255.0).round() as u8
            })
        };
        Picture { pixels: self.pixels.iter().map(seen).collect(), ..*self }
    }

    /// How far what is written here stands out from what it is written on, which is another picture
    /// without it, as WCAG reckons.
    pub(crate) fn contrast_of_ink(&self, without: &Picture) -> f32 {
        // Most of a letter is its edge, where it is mixed with the ground.
        self.contrast(without, 0.9)
    }

    /// The same of the line around a form, most of which is glow.
    pub(crate) fn contrast_of_outline(&self, without: &Picture) -> f32 {
        self.contrast(without, 0.95)
    }

    /// What this part of all that is otherwise than without it does not reach.
    fn contrast(&self, without: &Picture, part: f32) -> f32 {
        let pairs = self.pixels.iter().zip(&without.pixels).filter(|(one, other)| one != other);
        let mut ratios: Vec<f32> = pairs
            .map(|(one, other)| {
                let (one, other) = (luminance(*one), luminance(*other));
                (one.max(other) + 0.05) / (one.min(other) + 0.05)
            })
            .collect();
        ratios.sort_by(f32::total_cmp);
        assert!(ratios.len() > 100, "nothing is written");
        ratios[(ratios.len() as f32 * part) as usize]
    }

    /// What part of what is written here in black looks otherwise in another picture, from 0 to 1.
    pub(crate) fn ink_that_differs(&self, other: &Picture) -> f64 {
        let is_ink = |at: &usize| luminance(self.pixels[*at]) < 0.02;
        let ink: Vec<usize> = (0..self.pixels.len()).filter(is_ink).collect();
        assert!(ink.len() > 50, "nothing is written");
        ink.iter().filter(|at| self.differs(other, **at)).count() as f64 / ink.len() as f64
    }

    /// By how many pixels what is seen here lies higher in another picture; up to a third of it.
    pub(crate) fn risen(&self, other: &Picture) -> usize {
        let differ = |by: usize| {
            let rows = self.height - self.height / 3;
            let (here, there) = (by * self.width, rows * self.width);
            (0..there)
                .filter(|at| {
                    let (one, two) = (&self.pixels[here + at], &other.pixels[*at]);
                    one.iter().zip(two).any(|(one, two)| one.abs_diff(*two) > SAME_COLOUR)
                })
                .count()
        };
        (0..self.height / 3).min_by_key(|by| differ(*by)).unwrap_or_default()
    }

    /// How many times larger the middle of it is in another picture, from 1 to 3.
    pub(crate) fn grown(&self, other: &Picture) -> f32 {
        let (width, height) = (self.width as f32, self.height as f32);
        let differ = |times: f32| -> u64 {
            let mut sum = 0;
            for y in 0..other.height {
                for x in 0..other.width {
                    let near =
                        |at: usize, side: f32| ((at as f32 - side / 2.0) / times + side / 2.0) as usize;
                    let (column, row) = (near(x, width), near(y, height));
                    let one = self.pixels[row.min(self.height - 1) * self.width + column.min(self.width - 1)];
                    let two = other.pixels[y * other.width + x];
                    sum += one.iter().zip(two).map(|(one, two)| u64::from(one.abs_diff(two))).sum::<u64>();
                }
            }
            sum
        };
        let sizes = (0..=50).map(|step| 1.0 + step as f32 * 0.04);
        sizes.min_by_key(|times| differ(*times)).unwrap_or(1.0)
    }

    /// How much neighbours differ: less where a picture is blurred.
    pub(crate) fn sharpness(&self) -> f64 {
        let rows = self.pixels.chunks_exact(self.width);
        let steps = rows.flat_map(|row| row.windows(2));
        let steps = steps.map(|two| f64::from(two[0][1].abs_diff(two[1][1])));
        steps.sum::<f64>() / self.pixels.len() as f64
    }

    pub(crate) fn write(&self, path: &Path) {
        let mut encoder =
            png::Encoder::new(File::create(path).unwrap(), self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::High);
        encoder.write_header().unwrap().write_image_data(self.pixels.as_flattened()).unwrap();
    }
}

/// How light a colour is, from 0 to 1.
fn light(colour: [u8; 3]) -> [f32; 3] {
    colour.map(|part| match f32::from(part) / 255.0 {
        part if part <= 0.03928 => part / 12.92,
        part => ((part + 0.055) / 1.055).powf(2.4),
    })
}

fn luminance(colour: [u8; 3]) -> f32 {
    let light = light(colour);
    0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]
}
