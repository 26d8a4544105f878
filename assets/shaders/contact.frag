// The soft dark disc where a piece meets the board.

void main() {
    float far = length(uv);
    float dark = 1.0 - smoothstep(0.35, 1.0, far);
    gl_FragColor = vec4(0.03, 0.02, 0.015, dark * dark * tint.a);
}
