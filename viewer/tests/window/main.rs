//! The real programme in a real window, on a display that nobody sees.

mod display;
mod headless;
mod scripts;
