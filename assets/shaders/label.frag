// Letters and numbers from the sheet of labels.

uniform sampler2D Labels;

void main() {
    float ink = texture2D(Labels, uv).r;
    gl_FragColor = vec4(film(tint.rgb * (Key * 0.3 + Sky)), ink * tint.a);
}
