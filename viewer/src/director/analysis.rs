//! Looking into the position that is shown, for as long as it is shown: the best turns live, and
//! lines as ghosts on the board.

use std::num::NonZero;
use std::thread;

use tabuleiro_protocol::method::{Cancel, Preview, Search};
use tabuleiro_protocol::notice::SearchInfo;
use tabuleiro_protocol::{Choice, ErrorObject, LevelRole, Limits, Variation};

use super::Director;
use crate::analysis::{Analysis, Found, FoundLine, Subject};
use crate::app::Screen;
use crate::board::Tokens;
use crate::ghosts::{GhostLine, Line};
use crate::settings::{ANALYSIS_LINES, Settings};
use crate::state::{Chance, chance_of_first};
use crate::text::sentence;

/// A chance that comes of fewer positions is a rough one.
const ENOUGH_NODES: u64 = 20_000;

impl Director {
    pub(super) fn toggle_analysis(&mut self) {
        if self.app.analysis.is_on {
            return self.end_analysis();
        }
        if self.app.table.is_some() && self.app.screen == Screen::Board {
            self.app.analysis = Analysis { is_on: true, ..Analysis::default() };
        }
    }

    pub(super) fn end_analysis(&mut self) {
        self.app.analysis = Analysis::default();
        self.app.ghosts = None;
    }

    /// What the enemy would do, or what is best here. Switches the analysis on.
    pub(super) fn toggle_threat(&mut self) {
        if !self.app.analysis.is_on {
            self.toggle_analysis();
        }
        let analysis = &mut self.app.analysis;
        analysis.threat = analysis.is_on && !analysis.threat;
        (analysis.pointed, analysis.chosen) = (None, None);
    }

    pub(super) fn choose_line(&mut self, line: Option<usize>) {
        self.app.analysis.chosen = line;
    }

    pub(super) fn point_at_line(&mut self, line: Option<usize>) {
        self.app.analysis.pointed = line;
    }

    /// Chooses the line after the one that is chosen, or the one before. Beyond the last there is
    /// none.
    pub(super) fn next_line(&mut self, backwards: bool) {
        let analysis = &mut self.app.analysis;
        let count = analysis.found.as_ref().map_or(0, |found| found.lines.len());
        if !analysis.is_on || count == 0 {
            return self.tell("No line has been found to choose.");
        }
        analysis.chosen = match (analysis.chosen, backwards) {
            (None, false) => Some(0),
            (None, true) => Some(count - 1),
            (Some(line), false) => Some(line + 1).filter(|&line| line < count),
            (Some(line), true) => line.checked_sub(1),
        };
    }

    pub(super) fn change_lines(&mut self, more: bool) {
        let lines = self.app.settings.analysis_lines;
        let analysis_lines = if more { lines + 1 } else { lines.saturating_sub(1) };
        if !ANALYSIS_LINES.contains(&analysis_lines) {
            return;
        }
        self.change_settings(Settings { analysis_lines, ..self.app.settings.clone() });
    }

    // ── Going on with what is shown ──

    /// Lets the engine look into what is shown, and into nothing else.
    pub(super) fn analyse(&mut self, seconds: f32) {
        let wanted = self.subject();
        let is_new = wanted.as_ref().ok() != self.app.analysis.subject.as_ref();
        if is_new && self.app.analysis.subject.take().is_some() {
            let analysis = &mut self.app.analysis;
            (analysis.found, analysis.pointed, analysis.chosen) = (None, None, None);
            self.app.ghosts = None;
        }
        let is_to_end = is_new || wanted.is_err();
        if is_to_end && self.is_under_way(self.pending.analysis) {
            self.leave_position();
            return self.play_ghosts(seconds);
        }
        match wanted {
            Ok(subject) if is_new => self.begin_analysis(subject),
            Ok(_) => {}
            Err(problem) => self.app.analysis.problem = problem.filter(|_| self.app.analysis.is_on),
        }
        self.play_ghosts(seconds);
    }

    /// What is to be looked into now. Nothing if nobody wants to know, with a reason if there is
    /// nothing to be known.
    fn subject(&self) -> Result<Subject, Option<String>> {
        let analysis = &self.app.analysis;
        let Some(table) = self.app.table.as_ref().filter(|_| analysis.is_on) else { return Err(None) };
        if self.app.screen != Screen::Board || self.app.engine_has_gone || self.app.hello.is_none() {
            return Err(None);
        }
        if table.is_line_shown() {
            return Err(Some("This was never played: it is no position of the game.".into()));
        }
        let shown = table.shown();
        let Some(seat) = shown.to_move.or(shown.would_move) else {
            return Err(Some("The game is over here: look at an earlier position.".into()));
        };
        Ok(Subject {
            table: shown.table.clone(),
            node: shown.node,
            threat: analysis.threat,
            seat: if analysis.threat { !seat } else { seat },
            lines: self.app.settings.analysis_lines,
        })
    }

    /// Ends the search of another position. It says at once what it has found, and only then the
    /// next one begins: it goes on with what this one knows.
    fn leave_position(&mut self) {
        self.app.analysis.is_searching = false;
        let request = self.pending.analysis.filter(|_| !self.pending.analysis_is_cancelled);
        if let Some(request) = request.and_then(|ticket| self.link.id_of(ticket)) {
            self.pending.analysis_is_cancelled = true;
            self.order(&Cancel { request });
        }
    }

    fn begin_analysis(&mut self, subject: Subject) {
        let Some(table) = &self.app.table else { return };
        // Others at the table are not to be shown what they have not asked for.
        let keep = table.is_maker && (self.app.socket.is_none() || table.state.outcome.is_some());
        // The window wants a core, too.
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let threads = u32::try_from(cores - 1).unwrap_or(1).max(1);
        let search = Search {
            table: subject.table.clone(),
            limits: Some(Limits { threads: Some(threads), ..Limits::default() }),
            level: self.level_for(LevelRole::Analysis),
            lines: Some(subject.lines.max(2)),
            node: Some(subject.node),
            keep,
            endless: true,
            threat: subject.threat,
            ..Search::default()
        };
        let analysis = &mut self.app.analysis;
        (analysis.problem, analysis.is_searching) = (None, true);
        analysis.subject = Some(subject.clone());
        let then = {
            let subject = subject.clone();
            move |director: &mut Director, choice: Choice| director.analysed(&subject, choice, keep)
        };
        let refused = move |director: &mut Director, error: ErrorObject| {
            if director.app.analysis.subject.as_ref() == Some(&subject) {
                let reason = error.data.as_ref().and_then(|data| data["reason"].as_str());
                let analysis = &mut director.app.analysis;
                analysis.problem = Some(sentence(reason.unwrap_or(&error.message)));
                analysis.is_searching = false;
            }
        };
        self.pending.analysis = self.ask_or(&search, then, refused);
        self.pending.analysis_is_cancelled = false;
    }

    /// The search has ended: it was told to, or there is nothing more to find.
    fn analysed(&mut self, subject: &Subject, choice: Choice, is_kept: bool) {
        if is_kept {
            self.ask_for_record();
        }
        if self.app.analysis.subject.as_ref() == Some(subject) {
            self.app.analysis.is_searching = false;
            let Choice { depth, nodes, lines, .. } = choice;
            self.note_found(depth, nodes, lines);
        }
    }

    /// The engine says how a search is getting on.
    pub(super) fn heard_info(&mut self, told: SearchInfo) {
        let id = self.pending.analysis.and_then(|ticket| self.link.id_of(ticket));
        if id == Some(told.request) && !self.pending.analysis_is_cancelled {
            self.note_found(told.info.depth, told.info.nodes, told.info.lines);
        }
    }

    fn note_found(&mut self, depth: u32, nodes: u64, lines: Vec<Variation>) {
        let Some(subject) = self.app.analysis.subject.clone().filter(|_| !lines.is_empty()) else { return };
        let known = self.app.analysis.found.take().map(|found| found.lines).unwrap_or_default();
        let lines = lines.into_iter().take(subject.lines);
        let lines = lines.map(|variation| FoundLine::among(&known, variation)).collect();
        let found = Found { depth, nodes, lines };
        let unknown: Vec<Vec<String>> =
            found.lines.iter().filter(|line| !line.is_known()).map(FoundLine::whole).collect();
        let score = found.lines[0].variation.score;
        self.app.analysis.found = Some(found);
        self.note_chance(
            &subject,
            Chance {
                first: chance_of_first(&score, subject.seat),
                is_rough: score.proved.is_none() && nodes < ENOUGH_NODES,
            },
        );
        for actions in unknown {
            self.ask_for_line(subject.clone(), actions);
        }
    }

    /// What was searched longest is what is known of the position.
    fn note_chance(&mut self, subject: &Subject, chance: Chance) {
        let Some(table) = &mut self.app.table else { return };
        let shown = table.shown();
        if subject.threat || shown.node != subject.node {
            return;
        }
        let Some(key) = table.key(shown.ply) else { return };
        if !chance.is_rough || table.chance(key).is_none() {
            table.note_chance(key, chance);
        }
    }

    /// Asks what a line does on the board.
    fn ask_for_line(&mut self, subject: Subject, actions: Vec<String>) {
        if actions.is_empty() {
            return;
        }
        let preview = Preview {
            table: subject.table.clone(),
            actions: actions.clone(),
            node: Some(subject.node),
            threat: subject.threat,
            ..Preview::default()
        };
        self.ask_quietly(&preview, move |director, previewed| {
            let Some(table) = director.app.table.as_ref() else { return };
            let line = Line::read(&Tokens::read(&table.shown().rows), &previewed.events);
            let analysis = &mut director.app.analysis;
            if analysis.subject.as_ref() != Some(&subject) {
                return;
            }
            let lines = analysis.found.iter_mut().flat_map(|found| &mut found.lines);
            for known in lines.filter(|known| known.whole() == actions) {
                (known.line, known.is_past) = (Some(line.clone()), false);
            }
        });
    }

    // ── Ghosts ──

    /// Plays the line that is pointed at or chosen as ghosts.
    fn play_ghosts(&mut self, seconds: f32) {
        let analysis = &self.app.analysis;
        if analysis.is_on {
            let index = analysis.shown_line();
            let line = index.and_then(|index| analysis.found.as_ref()?.lines[index].line.clone());
            match (line.filter(|line| !line.turns.is_empty()), &mut self.app.ghosts) {
                (Some(line), Some(ghosts)) if ghosts.line.turns[0] == line.turns[0] => ghosts.line = line,
                (Some(line), ghosts) => *ghosts = Some(GhostLine::new(line)),
                (None, ghosts) => *ghosts = None,
            }
        }
        if let Some(ghosts) = &mut self.app.ghosts {
            match self.app.settings.speed.factor() {
                Some(factor) => ghosts.advance(seconds * factor),
                None => ghosts.show_all(),
            }
        }
    }
}
