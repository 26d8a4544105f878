// What the water is told: red is how near a tile is, green and blue are the slope of rings.
// `facing` holds the form, the reach in board units, and the strength.

void main() {
    vec2 p = uv * facing.y;
    if (facing.x < 0.5) {
        vec2 d = abs(p) - 0.43;
        float away = length(max(d, 0.0)) - 0.04;
        float near = clamp(1.0 - away / 0.42, 0.0, 1.0);
        gl_FragColor = vec4(near * near * facing.z, 0.0, 0.0, 0.0);
    } else {
        float far = length(p);
        float ring = facing.y - 0.35;
        float off = far - ring;
        float wave = sin(off * 16.0) * exp(-off * off * 14.0) * facing.z;
        vec2 slope = p / max(far, 0.01) * wave * 0.5;
        float shown = smoothstep(facing.y, facing.y - 0.25, far);
        gl_FragColor = vec4(0.0, (0.5 + slope) * shown, shown);
    }
}
