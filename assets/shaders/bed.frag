// The sandy ground under the water, with the light that ripples gather.

void main() {
    vec2 p = at.xz;
    vec3 albedo = First * (0.85 + 0.3 * noise(p * 3.0) * noise(p * 23.0));
    float wave = noise(p * 1.6 + vec2(Time * 0.25, Time * 0.17)) + noise(p * 1.9 - vec2(Time * 0.21, -Time * 0.14));
    float gather = 1.0 - abs(wave - 1.0) * 2.2;
    gather = max(gather, 0.0);
    float caustic = gather * gather * gather;
    float lamp = lamp_seen();
    vec3 colour = shade(albedo, vec3(0.0, 1.0, 0.0), 0.0, lamp) * 0.8 + Key * First * caustic * lamp * 0.35;
    gl_FragColor = vec4(film(colour), 1.0);
}
