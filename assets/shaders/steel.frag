// Brushed steel.

void main() {
    vec2 light = ground_light();
    vec3 normal = normalize(facing);
    // The brush went along the longer sides.
    float across = abs(at.x - (Board.x + Board.z) * 0.5) / (Board.z - Board.x) > abs(at.z - (Board.y + Board.w) * 0.5) / (Board.w - Board.y) ? 0.0 : 1.0;
    vec2 p = mix(at.zx, at.xz, across) + vec2(0.0, at.y);
    float brush = noise(p * vec2(1.2, 90.0)) * 0.6 + noise(p * vec2(4.0, 220.0)) * 0.4;
    vec3 albedo = First * (0.8 + 0.25 * brush);
    normal = normalize(normal + vec3(0.0, 0.0, (brush - 0.5) * 0.14));
    vec3 colour = shade(albedo * 0.8, normal, 0.5, light.x, light.y);
    gl_FragColor = vec4(film(colour), FRAME);
}
