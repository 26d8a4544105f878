// Lays a picture over another, as thick as it is told.

uniform sampler2D Picture;

void main() {
    gl_FragColor = vec4(texture2D(Picture, uv).rgb, tint.a);
}
