// Green-grey slate, split and honed, with lines of brass let in.

void main() {
    vec2 light = ground_light();
    vec3 normal = normalize(facing);
    vec2 p = at.xz + at.y * 0.6;
    float cloud = noise(p * 0.55) * 0.6 + noise(p * 1.7 + 7.0) * 0.4;
    float layer = noise(vec2(p.x * 0.7 + p.y * 2.3, p.y * 0.4 - p.x * 0.15) * 2.2);
    float speck = noise(p * 26.0);
#if DETAIL > 0
    speck = mix(speck, noise(p * 75.0), 0.5);
#endif
    vec3 albedo = mix(First, Second, cloud * 0.35 + layer * 0.3) * (0.86 + 0.22 * speck);
    float gloss = 0.12;

    if (normal.y > 0.9) {
        vec2 pixel = footprint();
        vec2 last = Cells - 0.5;
        vec2 inside = step(-0.52, at.xz) * step(at.xz, last + 0.02);
        float brass = max(line_cover(at.x + 0.5, 0.035, pixel.x), line_cover(at.z + 0.5, 0.035, pixel.y)) * inside.x * inside.y;
        vec2 edge = min(at.xz - Board.xy, Board.zw - at.xz);
        float border = min(edge.x, edge.y) - 0.16;
        float soft = max(pixel.x, pixel.y);
        brass = max(brass, clamp((0.022 - abs(border)) / soft + 0.5, 0.0, 1.0));
        albedo = mix(albedo, Third * (0.85 + 0.3 * noise(at.xz * vec2(50.0, 47.0))), brass);
        gloss = mix(gloss, 0.55, brass);
    }
    gl_FragColor = vec4(film(shade(albedo, normal, gloss, light.x, light.y)), BOARD);
}
