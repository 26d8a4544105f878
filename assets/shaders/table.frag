// The table: dull, a pool of light around the board, fading into the distance.

// How far a point is from a rectangle, less than 0 inside.
float from_box(vec2 p, vec2 middle, vec2 half_size) {
    vec2 d = abs(p - middle) - half_size;
    return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0);
}

void main() {
    vec2 middle = (Board.xy + Board.zw) * 0.5;
    vec2 half_size = (Board.zw - Board.xy) * 0.5;
    float reach = length(half_size);
    float away = length(at.xz - middle) / reach;

    // Planks, as wide for a small board as for a large one.
    vec2 p = (at.xz - middle) * 9.0 / reach;
    float plank = floor(p.y / 3.1);
    float seam = abs(p.y / 3.1 - plank - 0.5) * 2.0;
    p.x += chance(vec2(plank, 5.0)) * 40.0;
    float warp = noise(p * vec2(0.09, 0.5)) * 4.0;
    float grain = noise(vec2(p.x * 0.22, p.y * 2.6 + warp));
    float fibre = noise(p * vec2(1.1, 21.0)) - 0.5;
    vec3 albedo = First * (0.78 + 0.3 * grain + 0.22 * fibre * exp(-away * 0.5) + 0.16 * (chance(vec2(plank, 1.0)) - 0.5));
    albedo *= 1.0 - 0.45 * smoothstep(0.975, 0.995, seam);
    vec2 thrown = -Sun.xz / Sun.y * -at.y;
    float cast_at = from_box(at.xz, middle + thrown * 0.5, half_size + abs(thrown) * 0.25);
    float cast_shadow = smoothstep(-0.35, 0.75, cast_at);
    float touch = smoothstep(-0.1, 1.6, from_box(at.xz, middle, half_size));
    float pool = 0.3 + 0.7 * exp(-away * away * 0.2);
    vec3 light = Key * Sun.y * mix(0.12, 1.0, cast_shadow) * pool + Sky * mix(0.45, 1.0, touch) * mix(pool, 1.0, 0.3);
    vec3 lit = albedo * light;
    gl_FragColor = vec4(film(mix(lit, Second, smoothstep(2.4, 9.0, away))), TABLE);
}
