// A field of squares laid in two woods, with a thin line around each.

void main() {
    vec2 light = ground_light();
    vec2 square = floor(at.xz + 0.5);
    vec2 inside = step(-0.5, at.xz) * step(at.xz, Cells - 0.5);
    float is_square = inside.x * inside.y;
    float odd = mod(square.x + square.y, 2.0);

    // Each square is cut from another plank, and neighbours lie across each other.
    vec2 along = mix(at.xz, at.zx, odd) + vec2(chance(square), chance(square.yx + 5.0)) * 31.0 * is_square;
    float warp = noise(along * vec2(0.8, 0.1)) * 2.4;
    float ring = fract(along.x * 1.5 + warp);
    ring = smoothstep(0.0, 0.65, ring) * (1.0 - smoothstep(0.75, 1.0, ring));
    float fibre = noise(along * vec2(36.0, 1.2));
#if DETAIL > 0
    fibre = mix(fibre, noise(along * vec2(110.0, 3.0)), 0.4);
#endif
    vec3 wood = mix(First, Second, mix(1.0, odd, is_square));
    vec3 albedo = wood * (1.06 - 0.16 * ring - 0.14 * fibre) * (0.96 + 0.08 * chance(square + 3.0));

    vec2 pixel = footprint();
    vec2 edge = step(-0.515, at.xz) * step(at.xz, Cells - 0.485);
    float grid = max(line_cover(at.x + 0.5, 0.028, pixel.x), line_cover(at.z + 0.5, 0.028, pixel.y)) * edge.x * edge.y;
    albedo = mix(albedo, Third, grid * 0.8);
    gl_FragColor = vec4(film(shade(albedo, vec3(0.0, 1.0, 0.0), 0.14, light.x, light.y)), BOARD);
}
