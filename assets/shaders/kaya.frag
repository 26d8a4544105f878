// Pale, straight-grained wood with a grid of thin lines: stones stand where they cross.

float star(vec2 p, vec2 pixel) {
    vec2 last = Cells - 1.0;
    vec2 from_edge = vec2(last.x > 11.5 ? 3.0 : 2.0, last.y > 11.5 ? 3.0 : 2.0);
    // Where the number of lines is even, none is in the middle.
    vec2 middle = abs(p - last * 0.5) + step(0.25, fract(last * 0.5));
    vec2 off = min(min(abs(p - from_edge), abs(p - last + from_edge)), middle);
    float soft = max(pixel.x, pixel.y);
    return clamp((0.1 - length(off)) / soft + 0.5, 0.0, 1.0);
}

void main() {
    vec2 light = ground_light();
    vec3 normal = normalize(facing);
    // The boards' fibres run north: the front shows their ends.
    vec2 along = normal.z * normal.z > 0.5 ? vec2(at.x + at.y * at.y * 0.3, at.y * 9.0)
        : normal.x * normal.x > 0.5 ? vec2(at.y * 1.6 + 3.0, at.z) : at.xz;
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
        float grid = max(line_cover(at.x, 0.038, pixel.x) * inside.y * inside.x, line_cover(at.z, 0.038, pixel.y) * inside.x * inside.y);
        vec2 rim = step(-0.03, at.xz) * step(at.xz, last + 0.03);
        float both = rim.x * rim.y;
        grid = max(grid, star(at.xz, pixel));
        albedo = mix(albedo, Third, grid * 0.92 * both);
    }
    gl_FragColor = vec4(film(shade(albedo, normal, 0.16, light.x, light.y)), BOARD);
}
