//! Where the board is looked at from. All of it is plain arithmetic and needs no window.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use macroquad::math::{Mat4, Rect, Vec2, Vec3, Vec4, vec2, vec3};

use super::ray::Ray;
use crate::sets::BoardLayout;

/// The angle from the lower to the upper edge of the window: that of a rather long lens, so that
/// the far side of a board is hardly smaller.
pub const FIELD_OF_VIEW: f32 = 0.5;

/// How steeply a player looks down on the board.
const SEAT_PITCH: f32 = 0.96;
const STEEPEST_SEAT: f32 = 1.3;
const LOWEST_PITCH: f32 = 0.16;
/// How much of the free area the board fills.
const FILL: f32 = 0.97;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// What it looks at.
    pub focus: Vec3,
    pub distance: f32,
    /// 0 is in the south, looking north; a quarter turn is in the east.
    pub yaw: f32,
    /// 0 is level with the board, a quarter turn is right above it.
    pub pitch: f32,
    /// How far the focus is from the middle of the window, in half windows: panels leave the middle
    /// of what is free elsewhere.
    pub shift: Vec2,
    /// What the focus is kept near to.
    home: Vec3,
    /// How far the farthest corner of the board is from home.
    reach: f32,
}

impl Camera {
    /// Where a player sits, with the whole board in the free part of the window. `free` is in
    /// fractions of the window, from its upper left corner. A seat that the game does not have is
    /// that of somebody who watches.
    pub fn seat(layout: BoardLayout, columns: u8, rows: u8, seat: u8, aspect: f32, free: Rect) -> Camera {
        let (low, high) = layout.bounds(columns, rows);
        let yaw = layout.seat_yaw(seat);
        let mut pitch = SEAT_PITCH;
        loop {
            let camera = Camera::around(layout, columns, rows, yaw, pitch, aspect, free);
            // Where there is room above and below the board, it is seen from higher up.
            let has_room = camera.outline(low, high, aspect).is_some_and(|(least, most)| {
                let size = most - least;
                size.y / free.h < size.x / free.w * 0.98
            });
            if !has_room || pitch >= STEEPEST_SEAT {
                return camera;
            }
            pitch += 0.04;
        }
    }

    /// Right above the board, with the seat's own side below.
    pub fn top(layout: BoardLayout, columns: u8, rows: u8, seat: u8, aspect: f32, free: Rect) -> Camera {
        let yaw = layout.seat_yaw(seat);
        Camera::around(layout, columns, rows, yaw, FRAC_PI_2, aspect, free)
    }

    /// Around the middle of the board, as near as the whole of it can be seen from.
    pub fn around(
        layout: BoardLayout,
        columns: u8,
        rows: u8,
        yaw: f32,
        pitch: f32,
        aspect: f32,
        free: Rect,
    ) -> Camera {
        let (low, high) = layout.bounds(columns, rows);
        let home = vec3((low.x + high.x) / 2.0, 0.0, (low.z + high.z) / 2.0);
        let reach = vec2(high.x - low.x, high.z - low.z).length() / 2.0;
        let at = |distance| Camera { focus: home, distance, yaw, pitch, shift: Vec2::ZERO, home, reach };
        let room = vec2(free.w, free.h).max(Vec2::splat(0.05)) * 2.0 * FILL;

        let (mut near, mut far) = (0.0, reach * 100.0);
        for _ in 0..40 {
            let distance = (near + far) / 2.0;
            let fits = at(distance)
                .outline(low, high, aspect)
                .is_some_and(|(least, most)| (most - least).cmple(room).all());
            if fits {
                far = distance;
            } else {
                near = distance;
            }
        }
        let mut camera = at(far);
        if let Some((least, most)) = camera.outline(low, high, aspect) {
            let middle = vec2(free.x + free.w / 2.0, free.y + free.h / 2.0);
            let wanted = vec2(middle.x * 2.0 - 1.0, 1.0 - middle.y * 2.0);
            camera.shift = wanted - (least + most) / 2.0;
        }
        camera
    }

    /// The smallest upright rectangle around a box, in half windows from the middle; nothing if a
    /// part of it is behind the camera.
    fn outline(&self, low: Vec3, high: Vec3, aspect: f32) -> Option<(Vec2, Vec2)> {
        let matrix = self.matrix(aspect);
        let (mut least, mut most) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for corner in 0..8 {
            let pick = |bit: u8, low: f32, high: f32| if corner >> bit & 1 == 0 { low } else { high };
            let point = vec3(pick(0, low.x, high.x), pick(1, low.y, high.y), pick(2, low.z, high.z));
            let clip = matrix * point.extend(1.0);
            if clip.w < self.near() {
                return None;
            }
            let seen = vec2(clip.x, clip.y) / clip.w;
            (least, most) = (least.min(seen), most.max(seen));
        }
        Some((least, most))
    }

    pub fn eye(&self) -> Vec3 {
        self.focus - self.forward() * self.distance
    }

    pub fn forward(&self) -> Vec3 {
        let (pitch_sin, pitch_cos) = self.pitch.sin_cos();
        let (yaw_sin, yaw_cos) = self.yaw.sin_cos();
        -vec3(pitch_cos * yaw_sin, pitch_sin, pitch_cos * yaw_cos)
    }

    pub fn right(&self) -> Vec3 {
        vec3(self.yaw.cos(), 0.0, -self.yaw.sin())
    }

    pub fn up(&self) -> Vec3 {
        self.right().cross(self.forward())
    }

    /// How near something may be and still be seen. The farther the better: depth has few steps.
    fn near(&self) -> f32 {
        let before_the_board = self.distance - self.reach * 1.3;
        before_the_board.clamp(self.distance * 0.2, self.distance * 0.35).max(0.1)
    }

    /// From board units to the window, which reaches from -1 to 1 both ways.
    pub fn matrix(&self, aspect: f32) -> Mat4 {
        let far = self.distance * 4.0 + self.reach * 6.0;
        let lens = Mat4::perspective_rh_gl(FIELD_OF_VIEW, aspect, self.near(), far);
        let view = Mat4::look_to_rh(self.eye(), self.forward(), self.up());
        Mat4::from_translation(self.shift.extend(0.0)) * lens * view
    }

    /// How wide a pixel is at distance 1, in a window of this height.
    pub fn pixel(&self, height: f32) -> f32 {
        2.0 * (FIELD_OF_VIEW / 2.0).tan() / height
    }

    /// What is seen at this place of the window.
    pub fn ray(&self, pointer: Vec2, screen: Vec2) -> Ray {
        let pointed = vec2(pointer.x / screen.x * 2.0 - 1.0, 1.0 - pointer.y / screen.y * 2.0) - self.shift;
        let half = (FIELD_OF_VIEW / 2.0).tan();
        let sideways = self.right() * pointed.x * half * screen.x / screen.y;
        let along = self.forward() + sideways + self.up() * pointed.y * half;
        Ray { from: self.eye(), along: along.normalize() }
    }

    /// Where in the window a point is seen.
    pub fn project(&self, point: Vec3, screen: Vec2) -> Vec2 {
        let clip: Vec4 = self.matrix(screen.x / screen.y) * point.extend(1.0);
        let seen = vec2(clip.x, clip.y) / clip.w.max(1e-6);
        vec2(seen.x + 1.0, 1.0 - seen.y) / 2.0 * screen
    }

    /// Goes around the focus, by radians to the right and up.
    pub fn orbit(&mut self, delta: Vec2) {
        self.yaw = (self.yaw + delta.x).rem_euclid(TAU);
        self.pitch = (self.pitch + delta.y).clamp(LOWEST_PITCH, FRAC_PI_2);
    }

    /// Takes the table along with the pointer, which moved by so many heights of the window.
    pub fn pan(&mut self, delta: Vec2) {
        let height = 2.0 * self.distance * (FIELD_OF_VIEW / 2.0).tan();
        let ahead = vec3(-self.yaw.sin(), 0.0, -self.yaw.cos());
        self.focus += (ahead * delta.y / self.pitch.sin() - self.right() * delta.x) * height;
        let limit = vec3(self.reach, 0.0, self.reach) * 0.8;
        self.focus = self.focus.clamp(self.home - limit, self.home + limit);
    }

    /// Goes nearer by a positive delta and away by a negative one; 0.7 halves the distance.
    pub fn zoom(&mut self, delta: f32) {
        let nearest = (self.reach * 0.4).max(3.0);
        self.distance = (self.distance * (-delta).exp()).clamp(nearest, self.reach * 14.0);
    }

    /// On the way from one camera to another: 0 is the first, 1 is the second.
    pub fn between(a: &Camera, b: &Camera, t: f32) -> Camera {
        let turn = (b.yaw - a.yaw + PI).rem_euclid(TAU) - PI;
        Camera {
            focus: a.focus.lerp(b.focus, t),
            distance: a.distance.powf(1.0 - t) * b.distance.powf(t),
            yaw: (a.yaw + turn * t).rem_euclid(TAU),
            pitch: a.pitch + (b.pitch - a.pitch) * t,
            shift: a.shift.lerp(b.shift, t),
            home: a.home.lerp(b.home, t),
            reach: a.reach + (b.reach - a.reach) * t,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCREENS: [Vec2; 4] =
        [vec2(1280.0, 800.0), vec2(400.0, 900.0), vec2(1920.0, 500.0), vec2(300.0, 300.0)];

    /// Games, and how many columns and rows their boards have: of every set, of a small board and of
    /// an unknown game.
    fn boards() -> Vec<(&'static str, u8, u8)> {
        let of_sets = crate::sets::made().iter().map(|set| {
            let board = set.sample_board().expect("a board");
            (set.id(), board.columns(), board.rows())
        });
        of_sets.chain([("zurero", 5, 5), ("chess", 3, 26)]).collect()
    }

    fn layout_of(game: &str) -> BoardLayout {
        crate::sets::find(game, None).layout()
    }

    fn free() -> Rect {
        Rect::new(0.05, 0.1, 0.7, 0.75)
    }

    #[test]
    fn the_board_fills_the_free_area_and_is_in_its_middle() {
        for (game, columns, rows) in boards() {
            let layout = layout_of(game);
            for screen in SCREENS {
                for seat in 0..3 {
                    for place in [Camera::seat, Camera::top] {
                        let aspect = screen.x / screen.y;
                        let camera = place(layout, columns, rows, seat, aspect, free());
                        let (low, high) = layout.bounds(columns, rows);
                        let (least, most) = camera.outline(low, high, aspect).unwrap();
                        let size = (most - least) / 2.0;
                        let fill = (size.x / free().w).max(size.y / free().h);
                        assert!((fill - FILL).abs() < 0.01, "{game} {screen} {fill}");
                        let middle = (least + most) / 4.0 + 0.5;
                        assert!((middle.x - (free().x + free().w / 2.0)).abs() < 0.001);
                        assert!((1.0 - middle.y - (free().y + free().h / 2.0)).abs() < 0.001);
                    }
                }
            }
        }
    }

    #[test]
    fn a_projected_point_is_on_its_own_ray() {
        for screen in SCREENS {
            let mut camera = Camera::seat(layout_of("fabrik"), 11, 11, 1, screen.x / screen.y, free());
            camera.orbit(vec2(0.7, -0.2));
            for point in [vec3(0.0, 0.0, 0.0), vec3(10.0, 0.5, 3.0), vec3(4.0, 0.0, 10.0)] {
                let ray = camera.ray(camera.project(point, screen), screen);
                let way = (point - ray.from).dot(ray.along);
                assert!(ray.at(way).distance(point) < 0.01, "{point} {}", ray.at(way));
            }
        }
    }

    #[test]
    fn two_players_sit_opposite() {
        for (game, columns, rows) in boards() {
            let (screen, layout) = (SCREENS[0], layout_of(game));
            let eye = |seat| Camera::seat(layout, columns, rows, seat, screen.x / screen.y, free()).eye();
            let centre = vec3(f32::from(columns - 1), 0.0, f32::from(rows - 1)) / 2.0;
            let (one, two) = (eye(1) - centre, eye(2) - centre);
            assert!(one.y > 0.0 && (one.y - two.y).abs() < 0.001);
            assert!((one.z + two.z).abs() < 0.001 && one.x.abs() < 0.001);
        }
    }

    #[test]
    fn nobody_gets_lost_or_below_the_table() {
        let mut camera = Camera::seat(layout_of("zurero"), 19, 19, 1, 1.6, free());
        for step in 0..1000 {
            let much = if step % 7 < 3 { 9.0 } else { -11.0 };
            camera.orbit(vec2(much, -much));
            camera.pan(vec2(-much, much));
            camera.zoom(-much);
            assert!(camera.eye().y > 0.3, "{camera:?}");
            assert!(camera.focus.distance(camera.home) < 30.0);
            assert!(camera.distance < 300.0);
        }
        camera.orbit(vec2(0.0, -100.0));
        camera.zoom(100.0);
        assert!(camera.eye().y > 0.3, "{camera:?}");
    }

    #[test]
    fn a_flight_begins_and_ends_where_it_should_and_takes_the_short_way() {
        let a = Camera::seat(layout_of("syrtis"), 7, 7, 1, 1.6, free());
        let mut b = Camera::top(layout_of("syrtis"), 7, 7, 2, 1.6, free());
        b.yaw = TAU - 0.1;
        let near = |x: Camera, y: Camera| x.eye().distance(y.eye()) < 0.001;
        assert!(near(Camera::between(&a, &b, 0.0), a));
        assert!(near(Camera::between(&a, &b, 1.0), b));
        let half = Camera::between(&a, &b, 0.5);
        assert!((half.yaw - (TAU - 0.05)).abs() < 0.001, "{}", half.yaw);
    }
}
