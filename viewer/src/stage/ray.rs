//! A line of sight, and what it meets.

use macroquad::math::{Vec3, vec3};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    pub from: Vec3,
    /// Of length 1.
    pub along: Vec3,
}

/// The room that a figure takes up, from its underside upwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Body {
    Round { radius: f32, height: f32 },
    Square { half: f32, height: f32 },
}

impl Body {
    pub fn height(self) -> f32 {
        match self {
            Body::Round { height, .. } | Body::Square { height, .. } => height,
        }
    }

    /// How far it reaches to the side, at most along an axis.
    pub fn reach(self) -> f32 {
        match self {
            Body::Round { radius, .. } => radius,
            Body::Square { half, .. } => half,
        }
    }
}

impl Ray {
    pub fn at(self, way: f32) -> Vec3 {
        self.from + self.along * way
    }

    /// How far it is to the level plane of this height.
    pub fn to_level(self, height: f32) -> Option<f32> {
        let way = (height - self.from.y) / self.along.y;
        (way.is_finite() && way > 0.0).then_some(way)
    }

    /// How far it is to a body whose underside has its middle at `foot`.
    pub fn to_body(self, body: Body, foot: Vec3) -> Option<f32> {
        let ray = Ray { from: self.from - foot, ..self };
        let level = slab(ray.from.y, ray.along.y, 0.0, body.height());
        let upright = match body {
            Body::Round { radius, .. } => ray.within_round(radius),
            Body::Square { half, .. } => {
                let x = slab(ray.from.x, ray.along.x, -half, half);
                overlap(x, slab(ray.from.z, ray.along.z, -half, half))
            }
        };
        let (enters, leaves) = overlap(level, upright)?;
        (leaves > 0.0).then_some(enters.max(0.0))
    }

    /// The part of the way inside an endless upright cylinder around the origin.
    fn within_round(self, radius: f32) -> Option<(f32, f32)> {
        let flat = vec3(1.0, 0.0, 1.0);
        let (from, along) = (self.from * flat, self.along * flat);
        let a = along.length_squared();
        if a < 1e-9 {
            return (from.length() <= radius).then_some((f32::NEG_INFINITY, f32::INFINITY));
        }
        let b = from.dot(along);
        let discriminant = b * b - a * (from.length_squared() - radius * radius);
        let root = (discriminant >= 0.0).then(|| discriminant.sqrt())?;
        Some(((-b - root) / a, (-b + root) / a))
    }
}

/// The part of the way between two parallel planes.
fn slab(from: f32, along: f32, low: f32, high: f32) -> Option<(f32, f32)> {
    if along.abs() < 1e-9 {
        return (low..=high).contains(&from).then_some((f32::NEG_INFINITY, f32::INFINITY));
    }
    let (a, b) = ((low - from) / along, (high - from) / along);
    Some((a.min(b), a.max(b)))
}

fn overlap(a: Option<(f32, f32)>, b: Option<(f32, f32)>) -> Option<(f32, f32)> {
    let (a, b) = (a?, b?);
    let (enters, leaves) = (a.0.max(b.0), a.1.min(b.1));
    (enters <= leaves).then_some((enters, leaves))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUND: Body = Body::Round { radius: 0.5, height: 2.0 };
    const SQUARE: Body = Body::Square { half: 0.5, height: 2.0 };

    #[test]
    fn bodies_are_met_from_the_side_and_from_above() {
        for body in [ROUND, SQUARE] {
            let level = Ray { from: vec3(-3.0, 1.0, 0.0), along: Vec3::X };
            assert_eq!(level.to_body(body, Vec3::ZERO), Some(2.5));
            let down = Ray { from: vec3(0.2, 5.0, 0.2), along: -Vec3::Y };
            assert_eq!(down.to_body(body, Vec3::ZERO), Some(3.0));
            let over = Ray { from: vec3(-3.0, 2.5, 0.0), along: Vec3::X };
            assert_eq!(over.to_body(body, Vec3::ZERO), None);
            let away = Ray { from: vec3(-3.0, 1.0, 0.0), along: -Vec3::X };
            assert_eq!(away.to_body(body, Vec3::ZERO), None);
        }
    }

    #[test]
    fn the_corner_belongs_to_the_square_alone() {
        let down = Ray { from: vec3(0.45, 5.0, 0.45), along: -Vec3::Y };
        assert_eq!(down.to_body(ROUND, Vec3::ZERO), None);
        assert_eq!(down.to_body(SQUARE, Vec3::ZERO), Some(3.0));
    }
}
