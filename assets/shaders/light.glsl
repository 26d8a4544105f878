precision highp float;

varying vec3 at;
varying vec3 facing;
varying vec3 lamp_at;
varying vec4 tint;
varying vec2 uv;
varying float open_sky;

uniform vec3 Eye;
uniform float Pixel;
uniform vec3 Sun;
uniform vec3 Key;
uniform vec3 Sky;
uniform vec3 Bounce;
uniform vec4 Board;
uniform vec2 Cells;
uniform float Time;
uniform float ShadowSize;
uniform vec3 First;
uniform vec3 Second;
uniform vec3 Third;
uniform sampler2D Shadows;
uniform sampler2D Ground;

// Opacity says what is seen at a pixel, for whoever looks for edges afterwards; pieces have 1.
#define BOARD 0.25
#define TABLE 0.5
#define FRAME 0.75

float chance(vec2 p) {
    vec3 q = fract(p.xyx * 0.1031);
    q += dot(q, q.yzx + 33.33);
    return fract((q.x + q.y) * q.z);
}

float noise(vec2 p) {
    vec2 cell = floor(p);
    vec2 f = p - cell;
    f = f * f * (3.0 - 2.0 * f);
    float low = mix(chance(cell), chance(cell + vec2(1.0, 0.0)), f.x);
    float high = mix(chance(cell + vec2(0.0, 1.0)), chance(cell + vec2(1.0, 1.0)), f.x);
    return mix(low, high, f.y);
}

// 1 where the depth stored in the shadow map is not in the way.
float open_at(vec2 place, float depth) {
    vec2 stored = texture2D(Shadows, place).rg;
    return step(depth, stored.r + stored.g / 255.0);
}

// How much of the lamp is seen: a square of SHADOW_WIDTH texels whose edge moves smoothly.
float lamp_seen() {
    // An odd number of texels has its middle in one of them, an even number between two.
    vec2 texel = lamp_at.xy * ShadowSize - 0.5 - 0.5 * mod(float(SHADOW_WIDTH), 2.0);
    vec2 base = floor(texel);
    vec2 f = texel - base;
    float sum = 0.0;
    for (int row = 0; row < SHADOW_WIDTH; row++) {
        float across = 0.0;
        float y = float(row - SHADOW_WIDTH / 2) + 1.0;
        for (int column = 0; column < SHADOW_WIDTH; column++) {
            float x = float(column - SHADOW_WIDTH / 2) + 1.0;
            float weight = column == 0 ? 1.0 - f.x : column == SHADOW_WIDTH - 1 ? f.x : 1.0;
            across += weight * open_at((base + vec2(x, y) + 0.5) / ShadowSize, lamp_at.z);
        }
        sum += across * (row == 0 ? 1.0 - f.y : row == SHADOW_WIDTH - 1 ? f.y : 1.0);
    }
    float width = float(SHADOW_WIDTH) - 1.0;
    return sum / (width * width);
}

// How much of the lamp and of the sky is seen from the board.
vec2 ground_light() {
    return texture2D(Ground, (at.xz - Board.xy) / (Board.zw - Board.xy)).rg;
}

vec3 shade(vec3 albedo, vec3 normal, float gloss, float lamp, float sky) {
    vec3 view = normalize(Eye - at);
    // The lamp is not as far away as the sun: what is near it gets more.
    vec2 across = (at.xz - Board.xy) / (Board.zw - Board.xy);
    lamp *= 1.14 - 0.14 * (across.x + across.y);
    float key = max(dot(normal, Sun), 0.0) * lamp;
    vec3 ambient = mix(Bounce, Sky, normal.y * 0.5 + 0.5) * sky;
    float glint = pow(max(dot(normal, normalize(view + Sun)), 0.0), 6.0 + gloss * 70.0);
    float front = max(dot(normal, view), 0.0);
    // What comes back from whoever looks: sides that the lamp does not reach keep their form.
    ambient += Sky * front * 0.36 * sky;
    float edge = 1.0 - front;
    float mirror = gloss * (0.05 + 0.5 * edge * edge * edge * edge);
    return albedo * (Key * key + ambient) + Key * glint * gloss * 0.35 * lamp + Sky * mirror * sky;
}

// From amounts of light to what a screen shows: the curve of a film, its gamma included.
vec3 film(vec3 light) {
    vec3 x = max(light - 0.004, 0.0);
    vec3 shown = (x * (6.2 * x + 0.5)) / (x * (6.2 * x + 1.7) + 0.06);
    // Less than one step of the screen's, so that wide gradients have no bands.
    float dither = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    return shown + dither / 255.0;
}

// How many board units a pixel covers along x and z on a level surface.
vec2 footprint() {
    vec3 view = Eye - at;
    float distance = length(view);
    vec2 away = normalize(view.xz + 0.0001);
    float stretch = distance / max(view.y, 0.05);
    return Pixel * distance * (abs(away) * stretch + abs(away.yx));
}

// The part of a pixel that lines cover which lie `width` wide around every whole number, between two ends.
float line_cover(float along, float width, float pixel) {
    float off = abs(along - floor(along + 0.5));
    return clamp((width * 0.5 + pixel * 0.5 - off) / pixel, 0.0, 1.0) * min(1.0, width / pixel + 0.4);
}
