// Pieces: what they are made of comes with their corners.

void main() {
    vec3 normal = normalize(facing);
    float gloss = uv.x;
    float rough = uv.y;
    vec3 albedo = tint.rgb;
#if DETAIL > 0
    float speck = noise(at.xz * 31.0 + at.y * 23.0) - 0.5;
    albedo *= 1.0 + speck * rough;
#endif
    gl_FragColor = vec4(film(shade(albedo, normal, gloss, lamp_seen(), open_sky)), tint.a);
}
