//! The shaders, ready for use: what light does on each kind of surface.

use std::collections::HashMap;

use macroquad::material::{Material, MaterialParams, gl_use_material, load_material};
use macroquad::math::{Mat4, Vec2, Vec3, Vec4};
use macroquad::miniquad::{
    BlendFactor, BlendState, BlendValue, Comparison, CullFace, Equation, FrontFaceOrder, PipelineParams,
    ShaderSource, UniformDesc, UniformType,
};
use macroquad::texture::Texture2D;

use super::solid::Batch;
use super::theme::Colour;
use super::{Quality, StageError};

/// Everything that has a shader of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Surface {
    Table,
    Kaya,
    Oak,
    Steel,
    Slate,
    /// Squares of two woods, for games that have no board of their own.
    Inlay,
    Rim,
    Bed,
    Water,
    Piece,
    /// What lies on other things: marks and labels.
    Decal,
    /// How far things are, for what is drawn over a finished picture of them.
    Depth,
    /// For the maps that light is looked up in.
    Shadow,
    Cast,
    Contact,
    Soften,
    Shore,
    /// For finished pictures.
    Smooth,
    Blend,
}

const VERTEX: &str = include_str!("../../../assets/shaders/scene.vert");
const LIGHT: &str = include_str!("../../../assets/shaders/light.glsl");

const SURFACES: [(Surface, &str); 19] = [
    (Surface::Table, include_str!("../../../assets/shaders/table.frag")),
    (Surface::Kaya, include_str!("../../../assets/shaders/kaya.frag")),
    (Surface::Oak, include_str!("../../../assets/shaders/oak.frag")),
    (Surface::Steel, include_str!("../../../assets/shaders/steel.frag")),
    (Surface::Slate, include_str!("../../../assets/shaders/slate.frag")),
    (Surface::Inlay, include_str!("../../../assets/shaders/inlay.frag")),
    (Surface::Rim, include_str!("../../../assets/shaders/rim.frag")),
    (Surface::Bed, include_str!("../../../assets/shaders/bed.frag")),
    (Surface::Water, include_str!("../../../assets/shaders/water.frag")),
    (Surface::Piece, include_str!("../../../assets/shaders/piece.frag")),
    (Surface::Decal, include_str!("../../../assets/shaders/decal.frag")),
    (Surface::Depth, include_str!("../../../assets/shaders/depth.frag")),
    (Surface::Shadow, include_str!("../../../assets/shaders/shadow.frag")),
    (Surface::Cast, include_str!("../../../assets/shaders/cast.frag")),
    (Surface::Contact, include_str!("../../../assets/shaders/contact.frag")),
    (Surface::Soften, include_str!("../../../assets/shaders/soften.frag")),
    (Surface::Shore, include_str!("../../../assets/shaders/shore.frag")),
    (Surface::Smooth, include_str!("../../../assets/shaders/smooth.frag")),
    (Surface::Blend, include_str!("../../../assets/shaders/blend.frag")),
];

/// What shaders are told about the whole scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct SceneUniforms {
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
}

/// Every shader is loaded once and kept: macroquad has room for 32, and does not get back what it
/// has given up.
#[derive(Debug)]
pub(super) struct Paints {
    fine: HashMap<Surface, Material>,
    /// Those that look different where time is short.
    rough: HashMap<Surface, Material>,
    is_rough: bool,
}

impl Paints {
    pub(super) fn new() -> Result<Paints, StageError> {
        let mut paints = Paints { fine: HashMap::new(), rough: HashMap::new(), is_rough: false };
        for (surface, text) in SURFACES {
            paints.fine.insert(surface, load(surface, text, FINE)?);
            if text.contains("DETAIL") || text.contains("lamp_seen") {
                paints.rough.insert(surface, load(surface, text, ROUGH)?);
            }
        }
        Ok(paints)
    }

    pub(super) fn suit(&mut self, quality: Quality) {
        self.is_rough = quality == Quality::Low;
    }

    fn material(&self, surface: Surface) -> Option<&Material> {
        let rough = self.rough.get(&surface).filter(|_| self.is_rough);
        rough.or_else(|| self.fine.get(&surface))
    }

    pub(super) fn tell(&self, surfaces: &[Surface], scene: &SceneUniforms, maps: &HashMap<&str, Texture2D>) {
        for material in surfaces.iter().filter_map(|surface| self.material(*surface)) {
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
            for (name, map) in maps {
                material.set_texture(name, map.clone());
            }
        }
    }

    /// Gives a surface something to look at that has so many pixels.
    pub(super) fn look_at(&self, surface: Surface, picture: &Texture2D, pixels: Vec2) {
        if let Some(material) = self.material(surface) {
            material.set_texture(PICTURE, picture.clone());
            material.set_uniform("Screen", pixels);
        }
    }

    /// Draws something that has this surface.
    pub(super) fn draw(&self, surface: Surface, colours: [Colour; 3], batch: &Batch) {
        let Some(material) = self.material(surface).filter(|_| !batch.is_empty()) else { return };
        for (name, colour) in ["First", "Second", "Third"].into_iter().zip(colours) {
            material.set_uniform(name, colour.light());
        }
        gl_use_material(material);
        batch.draw();
    }

    /// Draws something whose shader asks for no colours.
    pub(super) fn draw_plain(&self, surface: Surface, batch: &Batch) {
        self.draw(surface, [Colour([0; 3]); 3], batch);
    }
}

/// What shaders are told before they are compiled: how many points of the lamp's map are looked at
/// each way, and whether to show what is small.
const FINE: &str = "#define SHADOW_WIDTH 3\n#define DETAIL 1\n";
const ROUGH: &str = "#define SHADOW_WIDTH 2\n#define DETAIL 0\n";

fn load(surface: Surface, text: &str, settings: &str) -> Result<Material, StageError> {
    let fragment = format!("#version 100\n{settings}{LIGHT}\n{text}");
    let source = ShaderSource::Glsl { vertex: VERTEX, fragment: &fragment };
    load_material(source, params(surface)).map_err(|error| StageError::Shader {
        surface: format!("{surface:?}").to_lowercase(),
        why: error.to_string(),
    })
}

const MAPS: [&str; 4] = ["Shadows", "Ground", "Shore", "Labels"];
const PICTURE: &str = "Picture";

fn params(surface: Surface) -> MaterialParams {
    let opacity = BlendFactor::Value(BlendValue::SourceAlpha);
    let rest = BlendFactor::OneMinusValue(BlendValue::SourceAlpha);
    let over = BlendState::new(Equation::Add, opacity, rest);
    let added = BlendState::new(Equation::Add, BlendFactor::One, rest);
    let multiplied =
        BlendState::new(Equation::Add, BlendFactor::Zero, BlendFactor::Value(BlendValue::SourceColor));
    // The picture itself stays opaque, whatever is seen through in it.
    let keep = BlendState::new(Equation::Add, BlendFactor::Zero, BlendFactor::One);
    let (blend, is_flat) = match surface {
        Surface::Water | Surface::Piece => (Some(over), false),
        Surface::Decal | Surface::Blend => (Some(over), true),
        Surface::Shore => (Some(added), true),
        Surface::Contact => (Some(multiplied), true),
        Surface::Cast | Surface::Soften | Surface::Smooth => (None, true),
        _ => (None, false),
    };
    let uniform = |(name, kind): (&str, UniformType)| UniformDesc::new(name, kind);
    MaterialParams {
        pipeline_params: PipelineParams {
            cull_face: if is_flat { CullFace::Nothing } else { CullFace::Back },
            // Pictures are drawn upside down, because textures begin at their lower edge; only depth is
            // drawn in the window itself.
            front_face_order: match surface {
                Surface::Depth => FrontFaceOrder::CounterClockwise,
                _ => FrontFaceOrder::Clockwise,
            },
            depth_test: Comparison::LessOrEqual,
            // miniquad tests no depth where none is written.
            depth_write: true,
            color_write: if surface == Surface::Depth {
                (false, false, false, false)
            } else {
                (true, true, true, true)
            },
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
            ("Screen", UniformType::Float2),
            ("First", UniformType::Float3),
            ("Second", UniformType::Float3),
            ("Third", UniformType::Float3),
        ]
        .map(uniform)
        .into(),
        textures: MAPS.into_iter().chain([PICTURE]).map(String::from).collect(),
    }
}
