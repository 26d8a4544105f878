// The sandy ground under the water, with the light that ripples gather.

// A bright thread that wanders where noise is neither high nor low.
float thread(vec2 p) {
    float ridge = 1.0 - abs(2.0 * noise(p) - 1.0);
    ridge *= ridge;
    ridge *= ridge;
    return ridge * ridge;
}

void main() {
    vec2 p = at.xz;
    vec2 light = ground_light();
    float ripple = noise(vec2(p.x * 1.2 + noise(p * 0.8) * 2.0, p.y * 5.0));
    vec3 albedo = First * (0.82 + 0.2 * ripple);
    float slow = Time * 0.3;
    vec2 q = p + 0.35 * vec2(noise(p * 1.7 + slow), noise(p * 1.7 + 9.0 - slow));
    float caustic = thread(q * 1.9 + vec2(slow * 0.4, 0.0));
#if DETAIL > 0
    albedo *= 0.93 + 0.14 * noise(p * 26.0);
    caustic += 0.7 * thread(q.yx * 2.7 - vec2(slow * 0.5, 3.0));
#endif
    vec3 colour = albedo * (Key * light.x * (0.6 + 0.7 * caustic) + Sky * 0.75);
    // What the water on the way down and up again leaves of it.
    gl_FragColor = vec4(film(colour * Third), BOARD);
}
