// A shadow on the ground: red is how much of the lamp is seen.

void main() {
    gl_FragColor = vec4(1.0 - tint.a, 1.0, 1.0, 1.0);
}
