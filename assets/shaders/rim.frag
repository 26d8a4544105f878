// The weathered wood of the basin.

void main() {
    vec2 light = ground_light();
    vec3 normal = normalize(facing);
    float across = abs(at.x - (Board.x + Board.z) * 0.5) / (Board.z - Board.x) > abs(at.z - (Board.y + Board.w) * 0.5) / (Board.w - Board.y) ? 0.0 : 1.0;
    vec2 p = mix(at.zx, at.xz, across) + vec2(0.0, at.y * 0.8);
    float fibre = noise(p * vec2(0.7, 16.0)) * 0.55 + noise(p * vec2(2.0, 55.0)) * 0.45;
    vec3 albedo = mix(First, Second, fibre);
    gl_FragColor = vec4(film(shade(albedo, normal, 0.08, light.x, light.y)), FRAME);
}
