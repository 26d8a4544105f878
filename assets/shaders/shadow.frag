// The distance from the lamp, in two parts of 8 bits.

void main() {
    float scaled = gl_FragCoord.z * 255.0;
    gl_FragColor = vec4(floor(scaled) / 255.0, fract(scaled), 0.0, 1.0);
    if (tint.a < 0.5) discard;
}
