// Softens stairs along edges in a finished picture (FXAA).

uniform sampler2D Picture;
uniform vec2 Screen;

float brightness(vec3 colour) {
    return dot(colour, vec3(0.299, 0.587, 0.114));
}

void main() {
    vec2 step_size = 1.0 / Screen;
    vec3 here = texture2D(Picture, uv).rgb;
    float nw = brightness(texture2D(Picture, uv + vec2(-1.0, -1.0) * step_size).rgb);
    float ne = brightness(texture2D(Picture, uv + vec2(1.0, -1.0) * step_size).rgb);
    float sw = brightness(texture2D(Picture, uv + vec2(-1.0, 1.0) * step_size).rgb);
    float se = brightness(texture2D(Picture, uv + vec2(1.0, 1.0) * step_size).rgb);
    float m = brightness(here);
    float least = min(m, min(min(nw, ne), min(sw, se)));
    float most = max(m, max(max(nw, ne), max(sw, se)));

    vec2 along = vec2(sw + se - nw - ne, nw + sw - ne - se);
    float damp = max((nw + ne + sw + se) * 0.03125, 0.0078125);
    along *= 1.0 / (min(abs(along.x), abs(along.y)) + damp);
    along = clamp(along, -8.0, 8.0) * step_size;
    vec3 near = 0.5 * (texture2D(Picture, uv - along / 6.0).rgb + texture2D(Picture, uv + along / 6.0).rgb);
    vec3 wide = near * 0.5 + 0.25 * (texture2D(Picture, uv - along * 0.5).rgb + texture2D(Picture, uv + along * 0.5).rgb);
    float b = brightness(wide);
    vec3 soft = b < least || b > most ? near : wide;
    gl_FragColor = vec4(most - least < 0.04 ? here : soft, 1.0);
}
