//! The shaders, ready for use: what light does on each kind of surface.

use std::collections::HashMap;

use macroquad::material::{Material, MaterialParams, gl_use_material, load_material};
use macroquad::math::{Mat4, Vec2, Vec3, Vec4};
use macroquad::miniquad::{
    BlendFactor, BlendState, BlendValue, Comparison, CullFace, Equation, FrontFaceOrder, PipelineParams,
    ShaderSource, UniformDesc, UniformType,
};
use macroquad::texture::Texture2D;

use super::theme::Colour;
use super::{Quality, StageError};

/// Everything that has a shader of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Surface {
    Table,
    Kaya,
    Oak,
    Steel,
    Slate,
    Rim,
    Bed,
    Water,
    Piece,
    Contact,
    Mark,
    Label,
    Shadow,
    Shore,
    Smooth,
}

const VERTEX: &str = include_str!("../../../assets/shaders/scene.vert");
const LIGHT: &str = include_str!("../../../assets/shaders/light.glsl");

const SURFACES: [(Surface, &str); 15] = [
    (Surface::Table, include_str!("../../../assets/shaders/table.frag")),
    (Surface::Kaya, include_str!("../../../assets/shaders/kaya.frag")),
    (Surface::Oak, include_str!("../../../assets/shaders/oak.frag")),
    (Surface::Steel, include_str!("../../../assets/shaders/steel.frag")),
    (Surface::Slate, include_str!("../../../assets/shaders/slate.frag")),
    (Surface::Rim, include_str!("../../../assets/shaders/rim.frag")),
    (Surface::Bed, include_str!("../../../assets/shaders/bed.frag")),
    (Surface::Water, include_str!("../../../assets/shaders/water.frag")),
    (Surface::Piece, include_str!("../../../assets/shaders/piece.frag")),
    (Surface::Contact, include_str!("../../../assets/shaders/contact.frag")),
    (Surface::Mark, include_str!("../../../assets/shaders/mark.frag")),
    (Surface::Label, include_str!("../../../assets/shaders/label.frag")),
    (Surface::Shadow, include_str!("../../../assets/shaders/shadow.frag")),
    (Surface::Shore, include_str!("../../../assets/shaders/shore.frag")),
    (Surface::Smooth, include_str!("../../../assets/shaders/smooth.frag")),
];

/// What shaders are told about the whole scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene {
    pub(super) eye: Vec3,
    pub(super) pixel: f32,
    pub(super) sun: Vec3,
    pub(super) key: Vec3,
    pub(super) sky: Vec3,
    pub(super) bounce: Vec3,
    pub(super) lamp: Mat4,
    pub(super) shadow_size: f32,
    /// The edges of the board: west, north, east, south.
    pub(super) board: Vec4,
    pub(super) cells: Vec2,
    pub(super) time: f32,
    pub(super) mark: Vec3,
    /// In pixels.
    pub(super) screen: Vec2,
}

#[derive(Debug)]
pub(super) struct Paints {
    materials: HashMap<Surface, Material>,
}

impl Paints {
    pub(super) fn new(quality: Quality) -> Result<Paints, StageError> {
        let (shadow_width, detail) = match quality {
            Quality::Low => (2, 0),
            Quality::Medium => (3, 1),
            Quality::Full => (4, 1),
        };
        let settings = format!("#define SHADOW_WIDTH {shadow_width}\n#define DETAIL {detail}\n");
        let load = |(surface, text): &(Surface, &str)| {
            let fragment = format!("#version 100\n{settings}{LIGHT}\n{text}");
            let source = ShaderSource::Glsl { vertex: VERTEX, fragment: &fragment };
            match load_material(source, params(*surface)) {
                Ok(material) => Ok((*surface, material)),
                Err(error) => {
                    Err(StageError::Shader { surface: format!("{surface:?}"), why: error.to_string() })
                }
            }
        };
        Ok(Paints { materials: SURFACES.iter().map(load).collect::<Result<_, _>>()? })
    }

    pub(super) fn tell(&self, surfaces: &[Surface], scene: &Scene, texture: impl Fn(&str) -> Texture2D) {
        for surface in surfaces {
            let material = &self.materials[surface];
            material.set_uniform("Eye", scene.eye);
            material.set_uniform("Pixel", scene.pixel);
            material.set_uniform("Sun", scene.sun);
            material.set_uniform("Key", scene.key);
            material.set_uniform("Sky", scene.sky);
            material.set_uniform("Bounce", scene.bounce);
            material.set_uniform("Lamp", scene.lamp);
            material.set_uniform("ShadowSize", scene.shadow_size);
            material.set_uniform("Board", scene.board);
            material.set_uniform("Cells", scene.cells);
            material.set_uniform("Time", scene.time);
            material.set_uniform("MarkColour", scene.mark);
            material.set_uniform("Screen", scene.screen);
            for name in TEXTURES {
                material.set_texture(name, texture(name));
            }
        }
    }

    /// What is drawn from now on has this surface.
    pub(super) fn take(&self, surface: Surface, colours: [Colour; 3]) {
        let material = &self.materials[&surface];
        for (name, colour) in ["First", "Second", "Third"].into_iter().zip(colours) {
            material.set_uniform(name, colour.light());
        }
        gl_use_material(material);
    }
}

const TEXTURES: [&str; 4] = ["Shadows", "Shore", "Labels", "Picture"];

fn params(surface: Surface) -> MaterialParams {
    let opacity = BlendFactor::Value(BlendValue::SourceAlpha);
    let rest = BlendFactor::OneMinusValue(BlendValue::SourceAlpha);
    let over = BlendState::new(Equation::Add, opacity, rest);
    let added = BlendState::new(Equation::Add, BlendFactor::One, rest);
    // The picture itself stays opaque, whatever is seen through in it.
    let keep = BlendState::new(Equation::Add, BlendFactor::Zero, BlendFactor::One);
    let (blend, is_flat) = match surface {
        Surface::Water | Surface::Piece => (Some(over), false),
        Surface::Contact | Surface::Mark | Surface::Label => (Some(over), true),
        Surface::Shore => (Some(added), true),
        Surface::Smooth => (None, true),
        _ => (None, false),
    };
    let uniform = |(name, kind): (&str, UniformType)| UniformDesc::new(name, kind);
    MaterialParams {
        pipeline_params: PipelineParams {
            cull_face: if is_flat { CullFace::Nothing } else { CullFace::Back },
            // Pictures are drawn upside down, because textures begin at their lower edge.
            front_face_order: FrontFaceOrder::Clockwise,
            depth_test: Comparison::LessOrEqual,
            depth_write: !is_flat,
            color_blend: blend,
            alpha_blend: blend.map(|_| keep),
            ..Default::default()
        },
        uniforms: [
            ("Eye", UniformType::Float3),
            ("Pixel", UniformType::Float1),
            ("Sun", UniformType::Float3),
            ("Key", UniformType::Float3),
            ("Sky", UniformType::Float3),
            ("Bounce", UniformType::Float3),
            ("Lamp", UniformType::Mat4),
            ("ShadowSize", UniformType::Float1),
            ("Board", UniformType::Float4),
            ("Cells", UniformType::Float2),
            ("Time", UniformType::Float1),
            ("MarkColour", UniformType::Float3),
            ("Screen", UniformType::Float2),
            ("First", UniformType::Float3),
            ("Second", UniformType::Float3),
            ("Third", UniformType::Float3),
        ]
        .map(uniform)
        .into(),
        textures: TEXTURES.map(String::from).into(),
    }
}
