// Rings, brackets and glows. `facing` holds the form, the half width in board units, and the strength.

float soft_line(float off, float width, float pixel) {
    return clamp((width * 0.5 - abs(off)) / pixel + 0.5, 0.0, 1.0);
}

void main() {
    float form = floor(facing.x + 0.5);
    float half_width = facing.y;
    float strength = facing.z;
    vec2 p = uv * half_width;
    float pixel = max(Pixel * length(Eye - at) * 1.3, 0.004);
    float far = length(p);
    float angle = atan(p.y, p.x);
    float core = 0.0;
    float glow = 0.0;
    float r = 0.46 * half_width / 0.62;

    if (form < 0.5) {
        core = clamp((0.075 - far) / pixel + 0.5, 0.0, 1.0) * 0.85;
        glow = exp(-far * far * 60.0) * 0.35;
    } else if (form < 1.5) {
        core = soft_line(far - r, 0.035, pixel);
        glow = exp(-abs(far - r) * 14.0) * 0.5;
    } else if (form < 2.5) {
        core = max(soft_line(far - r, 0.045, pixel), soft_line(far - r + 0.085, 0.025, pixel));
        glow = exp(-abs(far - r) * 10.0) * 0.7;
    } else if (form < 3.5) {
        vec2 q = abs(p) - (r - 0.1);
        float box = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - 0.08;
        core = soft_line(box, 0.025, pixel) * step(r * 0.42, min(abs(p.x), abs(p.y))) * 0.9;
    } else if (form < 4.5) {
        float dash = smoothstep(-0.25, 0.05, sin(angle * 7.0));
        core = soft_line(far - r, 0.045, pixel) * dash;
        glow = exp(-abs(far - r) * 12.0) * 0.4;
    } else if (form < 5.5) {
        float ray = smoothstep(0.55, 0.8, cos(angle * 8.0)) * step(r, far) * step(far, r + 0.12);
        core = max(soft_line(far - r, 0.05, pixel), ray);
        glow = exp(-abs(far - r) * 7.0) * 0.8;
    } else {
        float n = mod(form - 6.0, 4.0);
        float reach = n < 0.5 ? far : n < 1.5 ? (abs(p.x) + abs(p.y)) * 0.8 : max(abs(p.x), abs(p.y)) * 1.1;
        float fill = 1.0 - smoothstep(0.18, 0.5, reach);
        float hatch = n < 2.5 ? 1.0 : smoothstep(-0.2, 0.3, sin((p.x + p.y) * 38.0));
        core = 0.0;
        glow = fill * hatch * 0.62;
    }
    float shown = max(core, glow * 0.55) * strength;
    // A thin dark seam keeps a bright ring apart from a bright board.
    vec3 colour = mix(MarkColour * 0.55, MarkColour, max(core, 0.6));
    gl_FragColor = vec4(film(colour * 1.3), shown * tint.a);
}
