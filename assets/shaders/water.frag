// Shallow, clear water.

uniform sampler2D Shore;

void main() {
    vec2 p = at.xz;
    vec4 shore = texture2D(Shore, (p - Board.xy) / (Board.zw - Board.xy));
    float slow = Time * 0.35;
    vec2 slope = vec2(
        noise(p * 2.3 + vec2(slow, slow * 0.6)) - noise(p * 2.3 + vec2(0.35 + slow, slow * 0.6)),
        noise(p * 2.1 + vec2(-slow * 0.7, slow)) - noise(p * 2.1 + vec2(-slow * 0.7, 0.35 + slow)));
    slope = slope * 0.35 + (shore.gb - 0.5) * 1.4;
    vec3 normal = normalize(vec3(slope.x, 1.0, slope.y));
    vec3 view = normalize(Eye - at);
    float edge = 1.0 - max(dot(normal, view), 0.0);
    float mirror = 0.03 + 0.6 * edge * edge * edge * edge;
    float lamp = ground_light().x;
    float glint = pow(max(dot(normal, normalize(view + Sun)), 0.0), 180.0);
    vec3 light = Key * Sun.y * lamp + Sky;
    vec3 colour = Second * light * 0.55 + Sky * mirror + Key * glint * lamp * 0.6;
    float opacity = 0.14 + 0.14 * noise(p * 0.5 + 3.0) + mirror;
    // Rings are bright on the side of the lamp and dark on the other.
    float crest = dot(shore.gb - 0.5, -normalize(Sun.xz));
    colour = colour * (1.0 + crest) + light * max(crest, 0.0) * 0.8;
    opacity += abs(crest) * 0.9;
    float lace = noise(p * 8.0 + slow) * 0.6 + noise(p * 19.0 - slow) * 0.4;
    float foam = smoothstep(0.62, 0.95, shore.r + (lace - 0.5) * 0.6);
    colour = mix(colour, Third * light * 0.62, foam * 0.75);
    opacity = mix(opacity, 0.92, foam * 0.75);
    gl_FragColor = vec4(film(colour), opacity);
}
