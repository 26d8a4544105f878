//! What has the keyboard, and what keys do there.

use super::*;

#[test]
fn on_the_board_keys_are_for_the_board() {
    let mut person = Person::before(at_board());
    for key in [Key::Tab, Key::Tab, Key::ArrowDown, Key::Enter, Key::Space] {
        assert_eq!(person.press(key), [], "{key:?}");
        assert!(!person.ctx.wants_keyboard_input(), "{key:?}");
    }
    let both = [Key::Tab, Key::Enter].map(|key| Event::Key {
        key,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::NONE,
    });
    assert_eq!(person.frame(both.into()).0, [], "not even when both keys come in one frame");
}

#[test]
fn keys_can_be_turned_to_the_buttons() {
    let mut person = Person::before(with(at_board(), Panel::Buttons));
    assert!(person.ctx.wants_keyboard_input());
    let mut seen = Vec::new();
    for _ in 0..60 {
        person.press(Key::Tab);
        let at = person.focused_at().expect("something has the keyboard");
        assert!(at.size().min_elem() > 8.0 && at.height() < 100.0, "{at:?} is no button");
        seen.extend(person.press(Key::Space));
    }
    let down = Event::Key {
        key: Key::ArrowDown,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    person.frame(vec![down]);
    assert!(person.ctx.wants_keyboard_input(), "an arrow is not for the board as well");
    assert!(seen.contains(&Command::Undo), "{seen:?}");
    assert!(seen.contains(&Command::LookAt(2)), "{seen:?}");
}

#[test]
fn after_the_end_the_buttons_begin_with_a_rematch() {
    let mut person = Person::before(with(finished(), Panel::Buttons));
    assert_eq!(person.press(Key::Enter), [Command::Rematch { seats_changed: false }]);
}

/// Not where the keyboard was before the game went on.
#[test]
fn after_another_end_the_buttons_begin_with_a_rematch_again() {
    let mut person = Person::before(with(finished(), Panel::Buttons));
    person.press(Key::Tab);
    person.press(Key::Tab);
    person.app = at_board();
    person.wait();
    person.app = with(finished(), Panel::Buttons);
    person.wait();
    assert_eq!(person.press(Key::Enter), [Command::Rematch { seats_changed: false }]);
}

#[test]
fn a_move_is_typed() {
    let mut person = Person::before(with(at_board(), Panel::MoveEntry));
    person.write("w3");
    assert_eq!(person.press(Key::Enter), [Command::TypeMove("w3".into())]);
    assert_eq!(person.press(Key::Enter), [Command::TypeMove("w3".into())], "a refused move can be mended");
    person.app.table.as_mut().expect("a table").state.ply = 4;
    person.wait();
    assert_eq!(person.press(Key::Enter), []);
}

#[test]
fn what_is_typed_takes_the_place_of_what_was_refused() {
    let mut person = Person::before(with(at_board(), Panel::MoveEntry));
    person.write("w9");
    assert_eq!(person.press(Key::Enter), [Command::TypeMove("w9".into())]);
    person.app.panels.remove(&Panel::MoveEntry);
    person.wait();
    person.app.panels.insert(Panel::MoveEntry);
    person.wait();
    person.write("nc");
    assert_eq!(person.press(Key::Enter), [Command::TypeMove("nc".into())]);
}

/// Whoever types quickly is heard before the line is seen.
#[test]
fn a_line_hears_what_was_typed_when_it_was_opened() {
    let enter = Event::Key {
        key: Key::Enter,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    let mut person = Person::before(at_board());
    person.app.panels.insert(Panel::MoveEntry);
    let (commands, _) = person.frame(vec![Event::Text("w3".into()), enter]);
    assert_eq!(commands, [Command::TypeMove("w3".into())]);
}

#[test]
fn shift_tab_keeps_the_keyboard_at_the_buttons() {
    let mut person = Person::before(with(at_board(), Panel::Buttons));
    for _ in 0..5 {
        person.press_with(Modifiers::SHIFT, Key::Tab);
        assert!(person.ctx.memory(|memory| memory.focused()).is_some());
    }
}

/// What has the keyboard is in sight, and keys for pages turn them.
#[test]
fn settings_follow_the_keyboard() {
    let app = with(at_board(), Panel::Settings);
    let mut person = Person::before(app);
    person.size = vec2(800.0, 600.0);
    person.wait();
    let last = "Another folder";
    assert!(person.find(last).is_none(), "there is more than can be seen");
    person.press(Key::PageDown);
    assert!(person.find("Theme").is_none(), "a page further");
    person.press(Key::PageUp);
    for _ in 0..60 {
        person.press(Key::Tab);
        let focused = person.ctx.memory(|memory| memory.focused()).expect("something has the keyboard");
        let rect = person.ctx.read_response(focused).expect("it is there").rect;
        if person.app.panels.contains(&Panel::Settings)
            && person.find(last).is_some_and(|at| rect.contains(at))
        {
            return;
        }
    }
    panic!("\"{last}\" never came into sight");
}

#[test]
fn nobody_resigns_by_pressing_enter() {
    let mut person = Person::before(with(at_board(), Panel::ConfirmResign));
    assert_eq!(person.press(Key::Enter), [Command::Hide(Panel::ConfirmResign)]);
    assert_eq!(person.press(Key::Enter), [Command::Hide(Panel::ConfirmResign)]);
    let resigned = [Command::Hide(Panel::ConfirmResign), Command::Resign(Seat::One)];
    person.app.panels.remove(&Panel::Game);
    assert_eq!(person.click("Resign"), resigned);
}

/// The menu has the keyboard after F6; whoever then wants to type a move types it into the line.
#[test]
fn a_line_takes_the_keyboard_from_the_buttons() {
    let mut person = Person::before(with(at_board(), Panel::Buttons));
    assert!(person.focused_at().is_some(), "the menu has it");
    person.app.panels.insert(Panel::MoveEntry);
    person.write("n");
    person.write("c");
    assert_eq!(person.press(Key::Enter), [Command::TypeMove("nc".into())]);
}

/// Forwards and backwards, the keyboard stays in what lies over everything else, and every place
/// where it is has a ring.
#[test]
fn the_keyboard_goes_round_in_sheets_and_questions() {
    for (screen, panels) in [("home", SHEETS.as_slice()), ("board", SHEETS.as_slice()), ("board", &QUESTIONS)]
    {
        for &panel in panels {
            for modifiers in [Modifiers::NONE, Modifiers::SHIFT] {
                let app = if screen == "home" { at_home() } else { with_failed_bot(at_board()) };
                let mut person = Person::before(with(app, panel));
                let Some(first) = person.focused_at() else { continue };
                let cover = person.covered().unwrap_or_else(|| panic!("{panel:?} lies over nothing"));
                let mut rounds = 0;
                for _ in 0..200 {
                    person.press_with(modifiers, Key::Tab);
                    let at = person.focused_at().unwrap_or_else(|| panic!("{panel:?}: nobody has it"));
                    assert!(
                        cover.intersects(at),
                        "{panel:?} at {screen}: {at:?} is not in sight of {cover:?}"
                    );
                    assert_eq!(person.focused_layer(), person.cover_layer(), "{panel:?} at {screen}: {at:?}");
                    rounds += usize::from(at == first);
                    if rounds == 2 {
                        break;
                    }
                }
                assert!(rounds > 0, "{panel:?} at {screen} never comes round");
            }
        }
    }
}

/// Who uses keys sees where they go; who uses the mouse is not shown a ring.
#[test]
fn what_has_the_keyboard_has_a_ring() {
    let mut person = Person::before(with(at_home(), Panel::Settings));
    assert!(person.rings().is_empty());
    for modifiers in [Modifiers::NONE, Modifiers::SHIFT] {
        for _ in 0..40 {
            person.press_with(modifiers, Key::Tab);
            let at = person.focused_at().expect("something has the keyboard");
            if person.is_text_focused() {
                continue;
            }
            assert_eq!(person.rings().len(), 1, "nothing is seen at {at:?}");
            assert!(person.rings()[0].contains_rect(at));
        }
    }
    person.click("Theme");
    assert!(person.rings().is_empty());
}

/// What was opened from a sheet, such as a choice of colours, keeps the keyboard.
#[test]
fn a_choice_of_colours_keeps_the_keyboard() {
    let mut person = Person::before(with(at_home(), Panel::Settings));
    let name = person.find("Hints").expect("a colour");
    person.click_at(name - vec2(48.0, 0.0));
    let above = |layer: &LayerId| layer.order == Order::Foreground;
    let layers = person.ctx.memory(|memory| memory.areas().visible_layer_ids());
    let layers: Vec<LayerId> = layers.into_iter().filter(above).collect();
    let within = person.ctx.viewport(|viewport| {
        let mut widgets = layers.iter().flat_map(|layer| viewport.prev_pass.widgets.get_layer(*layer));
        widgets
            .find(|widget| widget.sense.senses_click() && widget.sense.is_focusable())
            .map(|widget| widget.id)
    });
    let within = within.expect("something to press");
    person.ctx.memory_mut(|memory| memory.request_focus(within));
    person.wait();
    assert_eq!(person.ctx.memory(|memory| memory.focused()), Some(within));
}
