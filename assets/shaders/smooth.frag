// Softens stairs along the edges of things in a finished picture (FXAA). Lines on the board are drawn smooth and are left alone.

uniform sampler2D Picture;
uniform vec2 Screen;

float brightness(vec4 colour) {
    return dot(colour.rgb, vec3(0.299, 0.587, 0.114));
}

void main() {
    vec2 point = 1.0 / Screen;
    vec4 here = texture2D(Picture, uv);
    vec4 nw = texture2D(Picture, uv + vec2(-1.0, -1.0) * point);
    vec4 ne = texture2D(Picture, uv + vec2(1.0, -1.0) * point);
    vec4 sw = texture2D(Picture, uv + vec2(-1.0, 1.0) * point);
    vec4 se = texture2D(Picture, uv + vec2(1.0, 1.0) * point);
    float lowest = min(here.a, min(min(nw.a, ne.a), min(sw.a, se.a)));
    float highest = max(here.a, max(max(nw.a, ne.a), max(sw.a, se.a)));
    bool is_even = highest - lowest < 0.1 && highest < 0.9;

    float m = brightness(here);
    float a = brightness(nw);
    float b = brightness(ne);
    float c = brightness(sw);
    float d = brightness(se);
    float least = min(m, min(min(a, b), min(c, d)));
    float most = max(m, max(max(a, b), max(c, d)));

    vec2 along = vec2(c + d - a - b, a + c - b - d);
    float damp = max((a + b + c + d) * 0.03125, 0.0078125);
    along *= 1.0 / (min(abs(along.x), abs(along.y)) + damp);
    along = clamp(along, -8.0, 8.0) * point;
    vec4 near = 0.5 * (texture2D(Picture, uv - along / 6.0) + texture2D(Picture, uv + along / 6.0));
    vec4 wide = near * 0.5 + 0.25 * (texture2D(Picture, uv - along * 0.5) + texture2D(Picture, uv + along * 0.5));
    float mean = brightness(wide);
    vec4 soft = mean < least || mean > most ? near : wide;
    gl_FragColor = vec4(is_even || most - least < 0.04 ? here.rgb : soft.rgb, 1.0);
}
