//! Somebody who looks at panels, clicks on them and presses keys.

use super::*;

/// A person before the panels.
pub(super) struct Person {
    pub(super) ctx: Context,
    pub(super) panels: Panels,
    pub(super) app: App,
    pub(super) size: Vec2,
    pub(super) seconds: f64,
}

impl Person {
    pub(super) fn before(app: App) -> Person {
        let ctx = Context::default();
        let panels = Panels::new(vec![("Daylight".into(), "Daylight".into())]);
        let mut person = Person { ctx, panels, app, size: vec2(1280.0, 800.0), seconds: 0.0 };
        person.wait();
        person
    }

    /// In a window of this size, with text of this size, in a language with longer words if wanted.
    pub(super) fn in_window(mut app: App, size: (f32, f32), text_size: f32, is_long: bool) -> Person {
        app.settings.text_size = text_size;
        let mut person = Person::before(app);
        person.size = size.into();
        if is_long {
            with_long_words(&person.ctx);
        }
        person
    }

    pub(super) fn frame(&mut self, events: Vec<Event>) -> (Vec<Command>, Vec<ClippedShape>) {
        self.seconds += 0.1;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, self.size)),
            time: Some(self.seconds),
            events,
            ..RawInput::default()
        };
        let mut commands = Vec::new();
        let output = self.ctx.run(input, |ctx| {
            Panels::style(ctx, Panels::text_size_in(self.size, self.app.settings.text_size));
            commands.extend(self.panels.show(ctx, &self.app));
        });
        (commands, output.shapes)
    }

    /// Lets everything find its place.
    pub(super) fn wait(&mut self) -> Vec<Command> {
        (0..6).flat_map(|_| self.frame(Vec::new()).0).collect()
    }

    /// The same, and does what panels want of the panel beside the board.
    pub(super) fn settle(&mut self) {
        for command in self.wait() {
            self.fold(&command);
        }
        self.wait();
    }

    pub(super) fn fold(&mut self, command: &Command) {
        match command {
            Command::Show(panel) => drop(self.app.panels.insert(*panel)),
            Command::Hide(panel) => drop(self.app.panels.remove(panel)),
            _ => {}
        }
    }

    pub(super) fn press(&mut self, key: Key) -> Vec<Command> {
        self.press_with(Modifiers::NONE, key)
    }

    pub(super) fn press_with(&mut self, modifiers: Modifiers, key: Key) -> Vec<Command> {
        let event = |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
        let mut commands = self.frame(vec![event(true)]).0;
        commands.extend(self.frame(vec![event(false)]).0);
        commands.extend(self.wait());
        commands
    }

    pub(super) fn write(&mut self, text: &str) {
        self.frame(vec![Event::Text(text.into())]);
    }

    /// Where a text is to be seen.
    pub(super) fn find(&mut self, text: &str) -> Option<Pos2> {
        let (_, shapes) = self.frame(Vec::new());
        let mut seen: Vec<Pos2> = Vec::new();
        for ClippedShape { clip_rect, shape } in &shapes {
            // What lies on a text hides it.
            if let Shape::Rect(cover) = shape
                && cover.fill.a() > 230
            {
                seen.retain(|at| !cover.rect.intersect(*clip_rect).contains(*at));
            }
            seen.extend(find_in(shape, text).filter(|at| clip_rect.contains(*at)));
        }
        seen.into_iter().next().filter(|at| Rect::from_min_size(Pos2::ZERO, self.size).contains(*at))
    }

    /// In which colour a text is written.
    pub(super) fn colour_of(&mut self, text: &str) -> Color32 {
        let (_, shapes) = self.frame(Vec::new());
        let colour = shapes.iter().find_map(|clipped| match &clipped.shape {
            Shape::Text(shape) if shape.galley.text() == text => {
                Some(shape.galley.job.sections[0].format.color)
            }
            _ => None,
        });
        colour.unwrap_or_else(|| panic!("\"{text}\" is not to be seen"))
    }

    /// How far down the line is that the first letters of a text stand on.
    pub(super) fn line_of(&mut self, text: &str) -> f32 {
        let (_, shapes) = self.frame(Vec::new());
        let line = shapes.iter().find_map(|clipped| match &clipped.shape {
            Shape::Text(shape) if shape.galley.text() == text => {
                Some(shape.pos.y + shape.galley.rows.first()?.glyphs.first()?.pos.y)
            }
            _ => None,
        });
        line.unwrap_or_else(|| panic!("\"{text}\" is not to be seen"))
    }

    /// Rings around what has the keyboard.
    pub(super) fn rings(&mut self) -> Vec<Rect> {
        let (_, shapes) = self.frame(Vec::new());
        let ring = |clipped: &ClippedShape| match &clipped.shape {
            Shape::Rect(rect) if rect.stroke == Stroke::new(2.0, look::ACCENT) => Some(rect.rect),
            _ => None,
        };
        shapes.iter().filter_map(ring).collect()
    }

    /// Where that is which has the keyboard.
    pub(super) fn focused_at(&self) -> Option<Rect> {
        let focused = self.ctx.memory(|memory| memory.focused())?;
        Some(self.ctx.read_response(focused)?.rect)
    }

    /// Whether text is being typed: there one sees the cursor.
    pub(super) fn is_text_focused(&self) -> bool {
        let focused = self.ctx.memory(|memory| memory.focused());
        focused.is_some_and(|focused| TextEdit::load_state(&self.ctx, focused).is_some())
    }

    /// What the keyboard goes round in, and where that is.
    pub(super) fn cover_layer(&self) -> Option<LayerId> {
        self.ctx.data(|data| data.get_temp(Id::new("cover")))
    }

    pub(super) fn covered(&self) -> Option<Rect> {
        self.ctx.memory(|memory| memory.area_rect(self.cover_layer()?.id))
    }

    pub(super) fn focused_layer(&self) -> Option<LayerId> {
        let focused = self.ctx.memory(|memory| memory.focused())?;
        Some(self.ctx.read_response(focused)?.layer_id)
    }

    /// How large the board can be, compared with one that has the window for itself.
    pub(super) fn board_part(&self) -> f32 {
        let board = |room: Vec2| room.x.min(room.y * 1.15);
        let free = self.panels.free_area();
        let room = self.size * vec2(free.right - free.left, free.bottom - free.top);
        (board(room) / board(self.size)).powi(2)
    }

    /// Every text that is to be seen, and where.
    pub(super) fn texts(&mut self) -> Vec<(String, Rect)> {
        let (_, shapes) = self.frame(Vec::new());
        let window = Rect::from_min_size(Pos2::ZERO, self.size);
        let mut texts = Vec::new();
        for ClippedShape { clip_rect, shape } in &shapes {
            texts_in(shape, clip_rect.intersect(window), &mut texts);
        }
        texts
    }

    /// Every text whose colour does not stand out from what it lies on, whatever board is behind it.
    /// What cannot be pressed for the moment may be faint.
    pub(super) fn hard_to_read(&mut self) -> Vec<String> {
        let (_, shapes) = self.frame(Vec::new());
        let mut seen = Seen::default();
        for ClippedShape { clip_rect, shape } in &shapes {
            seen.look_at(shape, *clip_rect);
        }
        seen.faint
    }

    /// Every letter for which its font has no form: people would see an empty box.
    pub(super) fn without_form(&mut self) -> BTreeSet<char> {
        let (_, shapes) = self.frame(Vec::new());
        let mut letters = BTreeSet::new();
        shapes.iter().for_each(|clipped| self.look_for_boxes(&clipped.shape, &mut letters));
        letters
    }

    /// Every text in which two dashes look like one.
    pub(super) fn with_dashes_run_together(&mut self) -> Vec<String> {
        let (_, shapes) = self.frame(Vec::new());
        let mut found = Vec::new();
        shapes.iter().for_each(|clipped| look_for_dashes(&clipped.shape, &mut found));
        found
    }

    pub(super) fn look_for_boxes(&self, shape: &Shape, letters: &mut BTreeSet<char>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| self.look_for_boxes(shape, letters)),
            Shape::Text(text) => {
                for part in &text.galley.job.sections {
                    let words = &text.galley.job.text[part.byte_range.clone()];
                    let has_form = |letter: &char| {
                        letter.is_whitespace()
                            || self.ctx.fonts(|fonts| fonts.has_glyph(&part.format.font_id, *letter))
                    };
                    letters.extend(words.chars().filter(|letter| !has_form(letter)));
                }
            }
            _ => {}
        }
    }

    /// What reaches beyond the window.
    pub(super) fn outside(&self) -> Vec<String> {
        let window = Rect::from_min_size(Pos2::ZERO, self.size).expand(1.0);
        let layers = self.ctx.memory(|memory| memory.areas().visible_layer_ids());
        let rects = layers.into_iter().filter_map(|layer| {
            let rect = self.ctx.memory(|memory| memory.area_rect(layer.id))?;
            (rect.is_positive() && !window.contains_rect(rect)).then(|| format!("{layer:?} at {rect:?}"))
        });
        rects.collect()
    }

    /// Two texts of which one lies on the other.
    pub(super) fn overlap(&mut self) -> Option<String> {
        let texts = self.texts();
        for (index, (one, here)) in texts.iter().enumerate() {
            for (other, there) in &texts[index + 1..] {
                let common = here.intersect(*there);
                if common.width() > 2.0 && common.height() > 4.0 {
                    return Some(format!("\"{one}\" at {here:?} and \"{other}\" at {there:?}"));
                }
            }
        }
        None
    }

    pub(super) fn click(&mut self, text: &str) -> Vec<Command> {
        let at = self.find(text).unwrap_or_else(|| panic!("\"{text}\" is not to be seen"));
        self.click_at(at)
    }

    pub(super) fn click_at(&mut self, at: Pos2) -> Vec<Command> {
        let button = |pressed| button_at(at, pressed);
        self.frame(vec![Event::PointerMoved(at)]);
        let mut commands = self.frame(vec![button(true)]).0;
        commands.extend(self.frame(vec![button(false)]).0);
        commands.extend(self.wait());
        commands
    }
}

/// The left button or a finger comes down or goes up.
pub(super) fn button_at(at: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

fn look_for_dashes(shape: &Shape, found: &mut Vec<String>) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| look_for_dashes(shape, found)),
        Shape::Text(text) => {
            let job = &text.galley.job;
            found.extend(job.sections.iter().filter_map(|part| {
                let words = &job.text[part.byte_range.clone()];
                let is_typed = part.format.font_id.family == FontFamily::Monospace;
                (!is_typed && words.contains("--")).then(|| words.to_string())
            }));
        }
        _ => {}
    }
}

fn find_in(shape: &Shape, text: &str) -> Option<Pos2> {
    match shape {
        Shape::Text(shape) if shape.galley.text() == text => {
            Some(shape.pos + shape.galley.rect.center().to_vec2())
        }
        Shape::Vec(shapes) => shapes.iter().find_map(|shape| find_in(shape, text)),
        _ => None,
    }
}

/// What was painted so far, from below to above.
#[derive(Default)]
struct Seen {
    grounds: Vec<(Rect, Color32)>,
    faint: Vec<String>,
}

impl Seen {
    pub(super) fn look_at(&mut self, shape: &Shape, clip: Rect) {
        match shape {
            Shape::Rect(rect) => self.grounds.push((rect.rect.intersect(clip), rect.fill)),
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| self.look_at(shape, clip)),
            Shape::Text(text) => {
                let at = text.pos + text.galley.rect.center().to_vec2();
                if !clip.contains(at) || text.opacity_factor < 0.99 || text.galley.text().trim().is_empty() {
                    return;
                }
                // What has a ground of its own is a picture of a stone.
                let words = text.galley.job.sections.iter().map(|part| &part.format);
                for colour in words.filter(|word| word.background.a() == 0).map(|word| word.color) {
                    let colour = match text.override_text_color.unwrap_or(colour) {
                        Color32::PLACEHOLDER => text.fallback_color,
                        colour => colour,
                    };
                    let ratio = [0.0, 128.0, 255.0].map(|behind| {
                        let ground = self.ground_at(at, [behind; 3]);
                        look::contrast(look::over(colour, ground), ground)
                    });
                    let least = ratio.into_iter().fold(f32::MAX, f32::min);
                    if least < 4.5 {
                        self.faint.push(format!("\"{}\" {colour:?}: {least:.2}", text.galley.text()));
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn ground_at(&self, at: Pos2, behind: [f32; 3]) -> [f32; 3] {
        let below = self.grounds.iter().filter(|(rect, _)| rect.contains(at));
        below.fold(behind, |ground, (_, fill)| look::over(*fill, ground))
    }
}

fn texts_in(shape: &Shape, clip: Rect, texts: &mut Vec<(String, Rect)>) {
    match shape {
        // What lies on a text hides it.
        Shape::Rect(rect) if rect.fill.a() > 230 => {
            let cover = rect.rect.intersect(clip);
            texts.retain(|(_, text)| !cover.intersects(*text));
        }
        Shape::Text(shape) => {
            for row in &shape.galley.rows {
                let (Some(first), Some(last)) = (row.glyphs.first(), row.glyphs.last()) else { continue };
                let text: String = row.glyphs.iter().map(|glyph| glyph.chr).collect();
                let across = first.pos.x..=last.pos.x + last.advance_width;
                let rect = Rect::from_x_y_ranges(across, row.rect.y_range());
                let rect = rect.translate(shape.pos.to_vec2()).intersect(clip);
                if rect.is_positive() && !text.trim().is_empty() {
                    texts.push((text, rect));
                }
            }
        }
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| texts_in(shape, clip, texts)),
        _ => {}
    }
}

/// How much larger letters are that are wider by a third: those of a typewriter are wider already.
pub(super) const TYPEWRITER: f32 = 1.14;

/// Words that are longer by 30 %, as those of other languages are.
pub(super) fn with_long_words(ctx: &Context) {
    let mut fonts = FontDefinitions::default();
    let wide = fonts.families[&FontFamily::Monospace].clone();
    fonts.families.insert(FontFamily::Proportional, wide);
    for font in fonts.font_data.values_mut() {
        Arc::make_mut(font).tweak.scale *= TYPEWRITER;
    }
    ctx.set_fonts(fonts);
}
