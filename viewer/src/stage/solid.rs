//! Shapes made of triangles: turned on a lathe, or sawn and bevelled.

use std::f32::consts::TAU;

use macroquad::math::{Mat3, Vec2, Vec3, vec2, vec3};
use macroquad::models::{Mesh, Vertex, draw_mesh};

use super::theme::Colour;

/// What a surface is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paint {
    pub colour: Colour,
    /// From 0, dull, to 1, polished.
    pub gloss: f32,
    /// How rough and uneven in colour it is.
    pub grain: f32,
}

impl Paint {
    pub fn new(colour: Colour, gloss: f32, grain: f32) -> Paint {
        Paint { colour, gloss, grain }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Solid {
    pub vertices: Vec<Vertex>,
    pub indices: Vec<u16>,
}

impl Solid {
    fn vertex(&mut self, position: Vec3, normal: Vec3, paint: Paint) -> u16 {
        let [red, green, blue] = paint.colour.0;
        let index = self.vertices.len() as u16;
        self.vertices.push(Vertex {
            position,
            uv: vec2(paint.gloss, paint.grain),
            color: [red, green, blue, 255],
            normal: normal.extend(1.0),
        });
        index
    }

    /// What a lathe makes: `profile` is given as radius and height, from the lower end up along the
    /// outside. Where short pieces of it meet long ones the edge looks rounded and the long ones
    /// stay even.
    pub fn turned(mut self, profile: &[Vec2], paint: Paint, segments: u16) -> Solid {
        let slope = |index: usize| profile[index + 1] - profile[index];
        let normals: Vec<Vec2> = (0..profile.len())
            .map(|index| {
                let before = if index > 0 { slope(index - 1) } else { Vec2::ZERO };
                let after = if index + 1 < profile.len() { slope(index) } else { Vec2::ZERO };
                let mean = before * before.length() + after * after.length();
                vec2(mean.y, -mean.x).normalize_or_zero()
            })
            .collect();
        let first = self.vertices.len() as u16;
        for step in 0..=segments {
            let (sin, cos) = (f32::from(step) / f32::from(segments) * TAU).sin_cos();
            for (point, normal) in profile.iter().zip(&normals) {
                let out = |flat: Vec2| vec3(flat.x * cos, flat.y, flat.x * sin);
                self.vertex(out(*point), out(*normal), paint);
            }
        }
        let count = profile.len() as u16;
        for step in 0..segments {
            for index in 0..count.saturating_sub(1) {
                let a = first + step * count + index;
                let b = a + count;
                self.indices.extend([b, a, a + 1, b, a + 1, b + 1]);
            }
        }
        self
    }

    /// A bevelled block, narrowed towards the top by `taper`.
    pub fn block(mut self, middle: Vec3, half: Vec3, bevel: f32, taper: f32, paint: Paint) -> Solid {
        let sign = |corner: u16, axis: usize| if corner >> axis & 1 == 0 { -1.0 } else { 1.0 };
        let first = self.vertices.len() as u16;
        for corner in 0..8 {
            for face in 0..3 {
                let mut at = Vec3::ZERO;
                for axis in 0..3 {
                    let inset = if axis == face { 0.0 } else { bevel };
                    at[axis] = sign(corner, axis) * (half[axis] - inset);
                }
                if at.y > 0.0 {
                    at *= vec3(taper, 1.0, taper);
                }
                let mut normal = Vec3::ZERO;
                normal[face] = sign(corner, face);
                self.vertex(middle + at, normal, paint);
            }
        }
        let at = |corner: u16, face: usize| first + corner * 3 + face as u16;
        for face in 0..3 {
            let (one, two) = ((face + 1) % 3, (face + 2) % 3);
            let bits = |a: u16, b: u16, c: u16| a << face | b << one | c << two;
            for side in 0..2 {
                let corners = [bits(side, 0, 0), bits(side, 1, 0), bits(side, 1, 1), bits(side, 0, 1)];
                self.outward(middle, corners.map(|corner| at(corner, face)));
            }
            // The bevels along the edges that run in this face's direction.
            for b in 0..2 {
                for c in 0..2 {
                    let (low, high) = (bits(0, b, c), bits(1, b, c));
                    self.outward(middle, [at(low, one), at(low, two), at(high, two), at(high, one)]);
                }
            }
        }
        for corner in 0..8 {
            self.outward(middle, [at(corner, 0), at(corner, 1), at(corner, 2), at(corner, 2)]);
        }
        self
    }

    /// Two triangles that are seen from outside, whatever way round the corners are given.
    fn outward(&mut self, middle: Vec3, [a, b, c, d]: [u16; 4]) {
        let at = |index: u16| self.vertices[usize::from(index)].position;
        let normal = (at(b) - at(a)).cross(at(c) - at(a));
        if normal.dot(at(a) + at(c) - middle * 2.0) >= 0.0 {
            self.indices.extend([a, b, c, a, c, d]);
        } else {
            self.indices.extend([a, c, b, a, d, c]);
        }
    }

    /// A level face between two corners, seen from above.
    pub fn sheet(mut self, low: Vec2, high: Vec2, height: f32, paint: Paint) -> Solid {
        let corners = [low, vec2(low.x, high.y), high, vec2(high.x, low.y)];
        let at = corners.map(|corner| self.vertex(vec3(corner.x, height, corner.y), Vec3::Y, paint));
        self.indices.extend([at[0], at[1], at[2], at[0], at[2], at[3]]);
        self
    }

    pub fn joined(mut self, other: &Solid) -> Solid {
        let first = self.vertices.len() as u16;
        self.vertices.extend(&other.vertices);
        self.indices.extend(other.indices.iter().map(|index| first + index));
        self
    }

    /// Turned and moved to its place.
    pub fn set(mut self, turn: Mat3, by: Vec3) -> Solid {
        for vertex in &mut self.vertices {
            vertex.position = turn * vertex.position + by;
            vertex.normal = (turn * vertex.normal.truncate()).extend(vertex.normal.w);
        }
        self
    }

    /// With nothing left below a height.
    pub fn cut_below(mut self, height: f32) -> Solid {
        for vertex in &mut self.vertices {
            vertex.position.y = vertex.position.y.max(height);
        }
        self
    }

    /// Darkened towards the underside, as far as `height`: little light gets where a piece meets
    /// the board.
    pub fn grounded(mut self, height: f32, darkest: f32) -> Solid {
        for vertex in &mut self.vertices {
            let part = (vertex.position.y / height).clamp(0.0, 1.0);
            vertex.normal.w = darkest + (1.0 - darkest) * part * (2.0 - part);
        }
        self
    }
}

/// Many solids in few meshes: each mesh costs a draw call, and its indices have 16 bits.
#[derive(Default)]
pub(super) struct Batch {
    meshes: Vec<Mesh>,
    used: usize,
}

/// What fits in one draw call; the window has to be made with these, for more is cut off without a
/// word.
pub(super) const MESH_VERTICES: usize = 48_000;
pub(super) const MESH_INDICES: usize = 240_000;

impl std::fmt::Debug for Batch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Batch").field("meshes", &self.meshes.len()).finish()
    }
}

impl Batch {
    /// One solid where it is.
    pub(super) fn of(solid: &Solid) -> Batch {
        let mut batch = Batch::default();
        if !solid.indices.is_empty() {
            batch.put(solid, Mat3::IDENTITY, Vec3::ZERO, 1.0);
        }
        batch
    }

    pub(super) fn clear(&mut self) {
        for mesh in &mut self.meshes {
            mesh.vertices.clear();
            mesh.indices.clear();
        }
        self.used = 0;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.used == 0
    }

    fn room(&mut self, vertices: usize, indices: usize) -> &mut Mesh {
        let full = self.meshes[..self.used].last().is_none_or(|mesh| {
            mesh.vertices.len() + vertices >= MESH_VERTICES || mesh.indices.len() + indices >= MESH_INDICES
        });
        if full {
            if self.used == self.meshes.len() {
                self.meshes.push(Mesh { vertices: Vec::new(), indices: Vec::new(), texture: None });
            }
            self.used += 1;
        }
        &mut self.meshes[self.used - 1]
    }

    /// Adds a solid, turned and moved to its place; `presence` becomes its opacity.
    pub(super) fn put(&mut self, solid: &Solid, turn: Mat3, by: Vec3, presence: f32) {
        let opacity = (presence.clamp(0.0, 1.0) * 255.0) as u8;
        let mesh = self.room(solid.vertices.len(), solid.indices.len());
        let first = mesh.vertices.len() as u16;
        mesh.vertices.extend(solid.vertices.iter().map(|vertex| Vertex {
            position: turn * vertex.position + by,
            normal: (turn * vertex.normal.truncate()).extend(vertex.normal.w),
            color: [vertex.color[0], vertex.color[1], vertex.color[2], opacity],
            ..*vertex
        }));
        mesh.indices.extend(solid.indices.iter().map(|index| first + index));
    }

    /// Adds a flat quadrilateral around `middle`, spanned by two half sides.
    pub(super) fn quad(&mut self, middle: Vec3, right: Vec3, down: Vec3, look: QuadLook) {
        let mesh = self.room(4, 6);
        let first = mesh.vertices.len() as u16;
        for (x, y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0)] {
            let part = vec2(x, y) * 0.5 + 0.5;
            mesh.vertices.push(Vertex {
                position: middle + right * x + down * y,
                uv: look.uv[0] + (look.uv[1] - look.uv[0]) * part,
                color: look.colour,
                normal: look.extra.extend(0.0),
            });
        }
        mesh.indices.extend([0, 1, 2, 0, 2, 3].map(|index| first + index));
    }

    pub(super) fn draw(&self) {
        for mesh in &self.meshes[..self.used] {
            draw_mesh(mesh);
        }
    }
}

/// How a quadrilateral looks; `extra` is for its shader.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuadLook {
    pub(super) uv: [Vec2; 2],
    pub(super) colour: [u8; 4],
    pub(super) extra: Vec3,
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAINT: Paint = Paint { colour: Colour([1, 2, 3]), gloss: 0.0, grain: 0.0 };

    fn faces_outward(solid: &Solid) -> bool {
        solid.indices.chunks(3).all(|triangle| {
            let [a, b, c] = [0, 1, 2].map(|corner| solid.vertices[usize::from(triangle[corner])]);
            let face = (b.position - a.position).cross(c.position - a.position);
            face.length() < 1e-6 || face.dot((a.normal + b.normal + c.normal).truncate()) > 0.0
        })
    }

    #[test]
    fn solids_are_seen_from_outside() {
        let lens = [vec2(0.0, 0.0), vec2(0.4, 0.1), vec2(0.4, 0.2), vec2(0.0, 0.3)];
        assert!(faces_outward(&Solid::default().turned(&lens, PAINT, 12)));
        assert!(faces_outward(&Solid::default().block(
            vec3(3.0, 1.0, 2.0),
            vec3(1.0, 2.0, 0.5),
            0.1,
            0.8,
            PAINT
        )));
        assert!(faces_outward(&Solid::default().sheet(vec2(-1.0, -1.0), vec2(2.0, 1.0), 0.0, PAINT)));
    }

    #[test]
    fn a_batch_begins_another_mesh_before_one_is_too_large() {
        let block = Solid::default().block(Vec3::ZERO, Vec3::ONE, 0.1, 1.0, PAINT);
        let mut batch = Batch::default();
        for _ in 0..5000 {
            batch.put(&block, Mat3::IDENTITY, Vec3::ZERO, 1.0);
        }
        assert!(batch.used > 1);
        let vertices: usize = batch.meshes.iter().map(|mesh| mesh.vertices.len()).sum();
        assert_eq!(vertices, 5000 * block.vertices.len());
        assert!(batch.meshes.iter().all(|mesh| mesh.vertices.len() < MESH_VERTICES));
        batch.clear();
        assert!(batch.is_empty());
    }
}
