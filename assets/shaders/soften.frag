// Softens the edges of shadows on the ground.

uniform sampler2D Picture;
uniform vec2 Screen;

void main() {
    vec2 point = 1.4 / Screen;
    vec4 here = texture2D(Picture, uv);
    float near = texture2D(Picture, uv + vec2(point.x, 0.0)).r + texture2D(Picture, uv - vec2(point.x, 0.0)).r
        + texture2D(Picture, uv + vec2(0.0, point.y)).r + texture2D(Picture, uv - vec2(0.0, point.y)).r;
    float far = texture2D(Picture, uv + point).r + texture2D(Picture, uv - point).r
        + texture2D(Picture, uv + vec2(point.x, -point.y)).r + texture2D(Picture, uv - vec2(point.x, -point.y)).r;
    gl_FragColor = vec4((here.r * 4.0 + near * 2.0 + far) / 16.0, here.gb, 1.0);
}
