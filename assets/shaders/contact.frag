// The soft dark disc where a piece meets the board: green is how much of the sky is seen.

void main() {
    float dark = 1.0 - smoothstep(0.4, 1.0, length(uv));
    gl_FragColor = vec4(1.0, 1.0 - 0.85 * dark * tint.a, 1.0, 1.0);
}
