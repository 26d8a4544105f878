//! Opens no links.
//!
//! egui-miniquad cannot be built without the crate of this name, which brings a crate that starts
//! browsers and some thirty more. Nothing in the window is a link, so nothing is
//! lost, and no text that comes from outside can ever start a program.

/// What egui-miniquad calls for a link that was clicked.
pub fn link_open(_url: &str, _new_tab: bool) {}
