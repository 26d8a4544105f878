// Pale, straight-grained wood with a grid of thin lines: stones stand where they cross.

float star(vec2 p, vec2 pixel) {
    vec2 last = Cells - 1.0;
    vec2 from_edge = vec2(last.x > 11.5 ? 3.0 : 2.0, last.y > 11.5 ? 3.0 : 2.0);
    vec2 off = min(min(abs(p - from_edge), abs(p - last + from_edge)), abs(p - last * 0.5));
    float soft = max(pixel.x, pixel.y);
    return clamp((0.1 - length(off)) / soft + 0.5, 0.0, 1.0);
}

void main() {
    vec3 normal = normalize(facing);
    vec2 along = vec2(at.x + at.y * 0.7, at.z);
    float warp = noise(along * vec2(0.35, 0.06)) * 2.6 + noise(along * vec2(1.3, 0.14)) * 0.5;
    float ring = fract(along.x * 1.15 + warp);
    ring = smoothstep(0.0, 0.75, ring) * (1.0 - smoothstep(0.8, 1.0, ring));
    float fibre = noise(along * vec2(42.0, 1.1));
#if DETAIL > 0
    fibre = mix(fibre, noise(along * vec2(130.0, 3.0)), 0.4);
#endif
    vec3 albedo = mix(First, Second, ring * 0.5 + fibre * 0.28);

    if (normal.y > 0.9) {
        vec2 pixel = footprint();
        vec2 last = Cells - 1.0;
        vec2 inside = step(-0.015, at.xz) * step(at.xz, last + 0.015);
        float grid = max(line_cover(at.x, 0.028, pixel.x) * inside.y * inside.x, line_cover(at.z, 0.028, pixel.y) * inside.x * inside.y);
        vec2 rim = step(-0.03, at.xz) * step(at.xz, last + 0.03);
        float both = rim.x * rim.y;
        grid = max(grid, star(at.xz, pixel));
        albedo = mix(albedo, Third, grid * 0.85 * both);
    }
    gl_FragColor = vec4(film(shade(albedo, normal, 0.16, lamp_seen())), 1.0);
}
