// Only how far things are: no colour is written.

void main() {
    gl_FragColor = vec4(0.0);
}
