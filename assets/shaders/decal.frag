// Marks and labels. `facing` holds the form, the half width in board units, and the strength.

uniform sampler2D Labels;

float soft_line(float off, float width, float pixel) {
    return clamp((width * 0.5 - abs(off)) / pixel + 0.5, 0.0, 1.0);
}

void main() {
    float form = floor(facing.x + 0.5);
    float lines = step(form, 39.5);
    form -= 40.0 * (1.0 - lines);
    if (form > 20.5) {
        float plate = clamp((1.0 - length(uv)) * 9.0, 0.0, 1.0);
        if (plate < 0.01) discard;
        gl_FragColor = vec4(pow(tint.rgb, vec3(1.0 / 2.2)), plate * tint.a);
        return;
    }
    if (form > 19.5) {
        // Four looks at the sheet for one pixel: labels far away are much smaller than on it.
        vec2 foot = footprint();
        vec2 part = max(foot.x, foot.y) * vec2(0.032, 0.0444);
        float ink = 0.25 * (texture2D(Labels, uv + part).r + texture2D(Labels, uv - part).r
            + texture2D(Labels, uv + vec2(part.x, -part.y)).r + texture2D(Labels, uv - vec2(part.x, -part.y)).r);
        if (ink < 0.01) discard;
        // Not through the film: it has to stand out from what it stands on, whatever the light. Thin
        // strokes are strengthened, or nothing of them would be left where they are less than a pixel.
        gl_FragColor = vec4(pow(tint.rgb, vec3(1.0 / 2.2)), min(ink * 1.7, 1.0) * tint.a);
        return;
    }
    float half_width = facing.y;
    float strength = facing.z;
    vec2 p = uv * half_width;
    float pixel = max(Pixel * length(Eye - at) * 1.2, 0.003);
    float far = length(p);
    float angle = atan(p.y, p.x);
    float line = 1.0;
    float width = 0.0;
    float cut = 1.0;
    float glow = 0.0;
    float is_on_piece = 0.0;
    float is_aid = 0.0;
    float r = 0.46 * half_width / 0.62;

    if (form < 0.5) {
        line = max(far - 0.075, 0.0);
        width = 0.02;
        glow = exp(-far * far * 45.0) * 0.3;
    } else if (form < 1.5) {
        line = far - r;
        width = 0.036;
        glow = exp(-abs(far - r) * 12.0) * 0.5;
    } else if (form < 2.5) {
        line = abs(far - r + 0.035) - 0.045;
        width = 0.034;
        glow = exp(-abs(far - r) * 9.0) * 0.65;
    } else if (form < 3.5) {
        vec2 q = abs(p) - (r - 0.1);
        line = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - 0.08;
        width = 0.034;
        cut = smoothstep(r * 0.4, r * 0.4 + pixel, min(abs(p.x), abs(p.y)));
    } else if (form < 4.5) {
        // A ring with four strokes inwards: rings of points and of dashes look alike to some eyes.
        vec2 a = abs(p);
        float stroke = max(min(a.x, a.y), max(r * 0.5 - far, far - r));
        line = min(abs(far - r), max(stroke, 0.0));
        width = 0.044;
        glow = exp(-abs(far - r) * 10.0) * 0.4;
    } else if (form < 5.5) {
        float ray = max(abs(sin(angle * 4.0)) * 0.25 * far - 0.01, max(r - far, far - r - 0.1));
        line = min(abs(far - r), max(ray, 0.0));
        width = 0.04;
        glow = exp(-abs(far - r) * 6.0) * 0.8;
    } else if (form > 14.5 && form < 15.5) {
        // Two rings, one in the other.
        line = min(abs(far - r), abs(far - r * 0.55));
        width = 0.05;
    } else if ((form > 13.5 && form < 15.5) || (form > 11.5 && form < 12.5)) {
        // Arrows as the one below: a broad one, and a thin one in strokes.
        float is_broad = step(13.5, form);
        p = vec2(uv.x * half_width, uv.y * 0.2);
        float head = half_width - mix(0.28, 0.3, is_broad);
        float thick = mix(0.035, 0.07, is_broad);
        float shaft = max(abs(p.y) - thick, max(p.x - head, -half_width + 0.02 - p.x));
        float tip = max(head - p.x, abs(p.y) * mix(1.2, 1.0, is_broad) - (half_width - p.x) * 0.62);
        line = max(min(shaft, tip), 0.0);
        width = 0.012;
        float strokes = smoothstep(-0.45, -0.25, sin((p.x + half_width) * 15.0));
        cut = max(is_broad, max(strokes, step(head, p.x)));
    } else if (form > 12.5 && form < 15.5) {
        // A cross from corner to corner.
        float slope = min(abs(p.x - p.y), abs(p.x + p.y)) * 0.7071;
        line = max(slope, max(abs(p.x), abs(p.y)) - r * 0.62);
        width = 0.07;
    } else if (form > 10.5 && form < 15.5) {
        line = far - r;
        width = 0.07;
        cut = smoothstep(0.1, 0.5, sin(angle * 8.0));
        is_on_piece = 1.0;
    } else if (form > 9.5 && form < 15.5) {
        // An arrow along x; its square is as long as the way and 0.2 high to each side.
        p = vec2(uv.x * half_width, uv.y * 0.2);
        float head = half_width - 0.26;
        float shaft = max(abs(p.y) - 0.03, max(p.x - head, -half_width + 0.02 - p.x));
        float tip = max(head - p.x, abs(p.y) * 1.25 - (half_width - p.x) * 0.62);
        line = max(min(shaft, tip), 0.0);
        width = 0.012;
    } else {
        float n = form > 15.5 ? 4.0 : form - 6.0;
        is_aid = 1.0;
        float reach = n < 0.5 ? far : n < 1.5 ? (abs(p.x) + abs(p.y)) * 0.8 : max(abs(p.x), abs(p.y)) * 1.05;
        float hatch = n < 2.5 ? 1.0 : smoothstep(-0.2, 0.3, sin((n < 3.5 ? p.x + p.y : p.x - p.y) * 38.0));
        if (half_width < 0.6) {
            line = reach - r * 0.7;
            width = 0.024;
            cut = hatch;
        } else if (n > 1.5 && n < 2.5) {
            // A frame: it is seen around whatever else lights the cell.
            line = reach - 0.4;
            width = 0.05;
            glow = (1.0 - smoothstep(0.3, 0.45, reach)) * 0.25;
        } else {
            // The thin line with its dark seam is there for eyes to which light and board look alike.
            line = reach - 0.36;
            width = 0.04;
            cut = hatch;
            glow = (1.0 - smoothstep(0.12, 0.5, reach)) * hatch * 0.62;
        }
    }
    cut *= lines;
    float core = soft_line(line, width, pixel) * cut * step(0.001, width);
    // A dark seam keeps a bright line apart from a bright board; a thin arrow in the colour of wood has little else.
    float is_way = step(9.5, form) * (1.0 - step(14.5, form)) * (1.0 - is_on_piece);
    float seam = (1.0 - smoothstep(width * 0.5, width * 0.5 + 0.03 + 0.015 * is_aid + pixel, abs(line))) * cut * step(0.001, width) * max(is_aid, is_way > 0.5 ? 0.9 : 0.6);
    glow *= form > 9.5 && form < 15.5 ? 0.0 : 1.0 - smoothstep(0.72, 1.0, length(uv));
    // On top of a piece there is little room: a glow would only stain it.
    glow *= half_width < 0.6 ? 0.25 : mix(1.0, 0.6, lines);
    float light = max(core, glow);
    // A piece may have the colour of the mark: points on it are lighter than any piece, on a ring that is darker.
    vec3 bright = mix(tint.rgb, vec3(1.0), 0.6 * is_on_piece);
    float ring = (1.0 - smoothstep(0.05, 0.05 + pixel, abs(line))) * is_on_piece * lines * 0.8;
    seam = max(seam, ring);
    vec3 colour = bright * mix(0.04, 1.0, clamp(light / max(max(light, seam), 0.001), 0.0, 1.0));
    if (max(light, seam) < 0.01) discard;
    // Not through the film: its colour is a person's choice.
    gl_FragColor = vec4(pow(colour, vec3(1.0 / 2.2)), max(light, seam) * strength);
}
