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
    float lamp = lamp_seen();
    float glint = pow(max(dot(normal, normalize(view + Sun)), 0.0), 180.0);
    vec3 water = mix(Second, First, 0.35 + 0.3 * noise(p * 0.6)) * (Key * Sun.y * (0.35 + 0.65 * lamp) + Sky) * 0.6;
    vec3 colour = water + Sky * mirror + Key * glint * lamp * 0.5;
    float opacity = 0.42 + mirror;
    float foam = smoothstep(0.45, 0.8, shore.r + (noise(p * 9.0 + slow) - 0.5) * 0.5);
    colour = mix(colour, Third * (Key * Sun.y * lamp + Sky) * 0.8, foam * 0.7);
    opacity = mix(opacity, 0.9, foam * 0.7);
    gl_FragColor = vec4(film(colour), opacity);
}
