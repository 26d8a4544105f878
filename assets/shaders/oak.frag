// The field of a workbench: oak boards, cells as squares.

void main() {
    vec2 light = ground_light();
    float plank = floor(at.x / 2.75 + 0.35);
    vec2 along = vec2(at.x, at.z + plank * 17.3);
    float warp = noise(along * vec2(0.8, 0.1)) * 3.0;
    float ring = fract(along.x * 1.3 + warp + chance(vec2(plank, 3.0)));
    ring = smoothstep(0.0, 0.6, ring) * (1.0 - smoothstep(0.7, 1.0, ring));
    float fibre = noise(along * vec2(34.0, 1.3));
#if DETAIL > 0
    float pore = smoothstep(0.72, 0.9, noise(along * vec2(70.0, 4.0)));
    fibre = mix(fibre, 1.0, pore * 0.7);
#endif
    vec3 albedo = mix(First, Second, ring * 0.45 + fibre * 0.4) * (0.92 + 0.14 * chance(vec2(plank, 7.0)));

    vec2 pixel = footprint();
    vec2 last = Cells - 0.5;
    vec2 inside = step(-0.52, at.xz) * step(at.xz, last + 0.02);
    float grid = max(line_cover(at.x + 0.5, 0.03, pixel.x), line_cover(at.z + 0.5, 0.03, pixel.y)) * inside.x * inside.y;
    albedo = mix(albedo, Third, grid * 0.75);
    gl_FragColor = vec4(film(shade(albedo, vec3(0.0, 1.0, 0.0), 0.12, light.x, light.y)), BOARD);
}
