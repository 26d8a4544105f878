//! What a ray from the pointer means: the piece that is seen there, a cell, or a place before the
//! edge.

use macroquad::math::Vec3;

use super::ray::Ray;
use crate::board::{Cell, Edge, Target};
use crate::scene::{Figure, doorstep};
use crate::sets::GameSet;

/// How far from a place before the edge the pointer may be and still mean it.
const DOORSTEP_REACH: f32 = 0.8;

/// How far from the middle of a cell behind a figure the pointer may be and still mean the cell.
const MIDDLE: f32 = 0.3;

/// What is pointed at. A figure hides what is behind it; ghosts hide nothing, and what may not be
/// chosen does not hide the middle of a cell that may. Places before the edges are there where the
/// set has them or an action begins there.
pub fn aim(
    set: &dyn GameSet,
    columns: u8,
    rows: u8,
    figures: &[Figure],
    has_edges: bool,
    is_open: impl Fn(Target) -> bool,
    ray: Ray,
) -> Option<Target> {
    let doorsteps = has_edges || set.layout().doorsteps;
    let target = |point: Vec3| target(doorsteps, columns, rows, point);
    let figure = figures
        .iter()
        .filter(|figure| figure.presence >= 1.0)
        .filter_map(|figure| Some((ray.to_body(set.build(figure.shape.kind).body, figure.at)?, figure)))
        .min_by(|a, b| a.0.total_cmp(&b.0));
    let ground = ray.to_level(0.0);
    match (figure, ground) {
        (Some((way, figure)), _) if ground.is_none_or(|ground| way <= ground) => {
            let seen = target(figure.at);
            let behind = ground.map(|way| ray.at(way)).filter(|point| is_in_middle(*point)).and_then(target);
            match behind.filter(|behind| Some(*behind) != seen && is_open(*behind)) {
                Some(behind) if !seen.is_some_and(is_open) => Some(behind),
                _ => seen,
            }
        }
        (_, Some(way)) => target(ray.at(way)),
        _ => None,
    }
}

/// Whether a point of the board's plane is near the middle of a cell.
fn is_in_middle(point: Vec3) -> bool {
    [point.x, point.z].into_iter().all(|along| (along - along.round()).abs() < MIDDLE)
}

/// What a point of the board's plane belongs to.
fn target(has_doorsteps: bool, columns: u8, rows: u8, point: Vec3) -> Option<Target> {
    let index = |along: f32, count: u8| {
        let nearest = along.round();
        (nearest >= 0.0 && nearest < f32::from(count)).then_some(nearest as u8)
    };
    if let (Some(column), Some(row)) = (index(point.x, columns), index(point.z, rows)) {
        return Some(Target::Cell(Cell { column, row }));
    }
    if !has_doorsteps {
        return None;
    }
    doorsteps(columns, rows)
        .map(|(edge, cell)| (doorstep(edge, cell).distance(point.with_y(0.0)), edge, cell))
        .filter(|(distance, ..)| *distance < DOORSTEP_REACH)
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, edge, cell)| Target::Edge(edge, cell))
}

/// All places before the edges.
pub(super) fn doorsteps(columns: u8, rows: u8) -> impl Iterator<Item = (Edge, Cell)> {
    let along_columns = (0..columns).flat_map(move |column| {
        [(Edge::North, Cell { column, row: 0 }), (Edge::South, Cell { column, row: rows.saturating_sub(1) })]
    });
    let along_rows = (0..rows).flat_map(move |row| {
        [(Edge::West, Cell { column: 0, row }), (Edge::East, Cell { column: columns.saturating_sub(1), row })]
    });
    along_columns.chain(along_rows)
}

#[cfg(test)]
mod tests {
    use macroquad::math::{Rect, Vec2, vec2, vec3};

    use super::*;
    use crate::board::Tokens;
    use crate::scene::{Shape, middle, place};
    use crate::sets::{find, made};
    use crate::stage::camera::Camera;

    const SCREEN: Vec2 = vec2(1280.0, 800.0);

    /// Games, and how many columns and rows their boards have: of every set, and of an unknown one.
    fn boards() -> Vec<(&'static str, u8, u8)> {
        let of_sets = made().iter().map(|set| {
            let board = set.sample_board().expect("a board");
            (set.id(), board.columns(), board.rows())
        });
        of_sets.chain([("chess", 26, 3)]).collect()
    }

    fn cameras(game: &str, columns: u8, rows: u8) -> Vec<Camera> {
        let layout = find(game, None).layout();
        let free = Rect::new(0.0, 0.05, 0.75, 0.85);
        let mut cameras = Vec::new();
        for seat in [1, 2] {
            cameras.push(Camera::seat(layout, columns, rows, seat, SCREEN.x / SCREEN.y, free));
            cameras.push(Camera::top(layout, columns, rows, seat, SCREEN.x / SCREEN.y, free));
        }
        let mut turned = cameras[0];
        turned.orbit(vec2(0.8, -0.3));
        cameras.push(turned);
        cameras
    }

    fn aim_at(
        game: &str,
        columns: u8,
        rows: u8,
        figures: &[Figure],
        camera: &Camera,
        point: Vec3,
    ) -> Option<Target> {
        let ray = camera.ray(camera.project(point, SCREEN), SCREEN);
        aim(&*find(game, None), columns, rows, figures, false, |_| false, ray)
    }

    #[test]
    fn every_cell_is_found_where_it_is_seen() {
        for (game, columns, rows) in boards() {
            for camera in cameras(game, columns, rows) {
                for row in 0..rows {
                    for column in 0..columns {
                        let cell = Cell { column, row };
                        let found = aim_at(game, columns, rows, &[], &camera, middle(cell));
                        assert_eq!(found, Some(Target::Cell(cell)), "{game}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_doorstep_is_found_and_only_where_stones_enter() {
        for (game, columns, rows) in boards() {
            for camera in cameras(game, columns, rows) {
                for (edge, cell) in doorsteps(columns, rows) {
                    let target = Target::Edge(edge, cell);
                    let found = aim_at(game, columns, rows, &[], &camera, place(target));
                    assert_eq!(found, find(game, None).layout().doorsteps.then_some(target), "{game}");
                }
            }
        }
    }

    #[test]
    fn an_unknown_game_has_doorsteps_once_something_may_come_in() {
        let (set, camera) = (find("chess", None), cameras("chess", 5, 5)[0]);
        for (edge, cell) in doorsteps(5, 5) {
            let ray = camera.ray(camera.project(doorstep(edge, cell), SCREEN), SCREEN);
            assert_eq!(aim(&*set, 5, 5, &[], true, |_| false, ray), Some(Target::Edge(edge, cell)));
            assert_eq!(aim(&*set, 5, 5, &[], false, |_| false, ray), None);
        }
    }

    #[test]
    fn two_doorsteps_meet_at_a_corner_and_beyond_is_nothing() {
        let camera = cameras("zurero", 19, 19)[0];
        let corner = Cell { column: 0, row: 18 };
        let find = |x, z| aim_at("zurero", 19, 19, &[], &camera, vec3(x, 0.0, z));
        assert_eq!(find(-1.0, 18.2), Some(Target::Edge(Edge::West, corner)));
        assert_eq!(find(-0.2, 19.0), Some(Target::Edge(Edge::South, corner)));
        assert_eq!(find(-1.0, 19.0), None);
        assert_eq!(find(-5.0, 9.0), None);
    }

    #[test]
    fn a_tall_pile_hides_the_cell_behind_it() {
        let tokens = Tokens::read(&[". .".to_string(), ". x3".to_string()]);
        let set = find("absorption", None);
        let pile = set.at_rest(&tokens);
        let mut camera = Camera::seat(set.layout(), 2, 2, 2, 1.6, Rect::new(0.0, 0.0, 1.0, 1.0));
        camera.orbit(vec2(0.0, -0.25));
        let top = pile[2].at + vec3(0.0, 0.16, -0.3);
        let found = aim_at("absorption", 2, 2, &pile, &camera, top);
        assert_eq!(found, Some(Target::Cell("b2".parse().unwrap())));
        let without = aim_at("absorption", 2, 2, &[], &camera, top);
        assert_eq!(without, Some(Target::Cell("b1".parse().unwrap())));
    }

    #[test]
    fn what_may_not_be_chosen_does_not_hide_what_may() {
        let (worker, behind): (Cell, Cell) = ("f6".parse().unwrap(), "f5".parse().unwrap());
        let set = find("fabrik", None);
        let figures = set.on_cell("*", worker);
        let mut camera = cameras("fabrik", 11, 11)[0];
        camera.orbit(vec2(0.0, -0.25));
        let ray = camera.ray(camera.project(middle(behind), SCREEN), SCREEN);
        let found = |open: &[Cell]| {
            let is_open = |target: Target| open.contains(&target.cell());
            aim(&*set, 11, 11, &figures, false, is_open, ray).map(|target| target.cell())
        };
        assert_eq!(found(&[]), Some(worker), "what is asked about is what is seen");
        assert_eq!(found(&[worker, behind]), Some(worker));
        assert_eq!(found(&[behind]), Some(behind));
        let edge = middle(behind) + vec3(0.0, 0.0, 0.4);
        let ray = camera.ray(camera.project(edge, SCREEN), SCREEN);
        let found = aim(&*set, 11, 11, &figures, false, |target| target.cell() == behind, ray);
        assert_eq!(found, Some(Target::Cell(worker)), "who clicks low means the worker");
    }

    #[test]
    fn ghosts_hide_nothing() {
        let camera = cameras("syrtis", 7, 7)[0];
        let at = middle("c4".parse().unwrap());
        let shape = find("syrtis", None).shapes("D")[0];
        let ghost = Figure { shape, at, yaw: 0.0, roll: 0.0, presence: 0.4 };
        let top = at + vec3(0.0, 0.7, 0.0);
        let there = Figure { presence: 1.0, ..ghost };
        assert_eq!(aim_at("syrtis", 7, 7, &[there], &camera, top), Some(Target::Cell("c4".parse().unwrap())));
        assert_ne!(
            aim_at("syrtis", 7, 7, &[ghost], &camera, top),
            aim_at("syrtis", 7, 7, &[there], &camera, top)
        );
    }

    #[test]
    fn a_stone_before_the_edge_is_its_doorstep() {
        let camera = cameras("zurero", 19, 19)[0];
        let cell: Cell = "a7".parse().unwrap();
        let at = doorstep(Edge::West, cell);
        let stone = Figure { shape: Shape::plain(0), at, yaw: 0.0, roll: 0.0, presence: 1.0 };
        let found = aim_at("zurero", 19, 19, &[stone], &camera, at + vec3(0.0, 0.3, 0.0));
        assert_eq!(found, Some(Target::Edge(Edge::West, cell)));
    }
}
