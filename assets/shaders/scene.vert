#version 100
attribute vec3 position;
attribute vec2 texcoord;
attribute vec4 color0;
attribute vec4 normal;

varying highp vec3 at;
varying highp vec3 facing;
varying highp vec3 lamp_at;
varying highp vec4 tint;
varying highp vec2 uv;
varying highp float open_sky;

uniform mat4 Projection;
uniform mat4 Lamp;

void main() {
    gl_Position = Projection * vec4(position, 1.0);
    at = position;
    facing = normal.xyz;
    open_sky = normal.w;
    // A little off the surface: a surface must not shade itself.
    lamp_at = (Lamp * vec4(position + normal.xyz * 0.025, 1.0)).xyz * 0.5 + 0.5;
    vec4 colour = color0 / 255.0;
    tint = vec4(pow(colour.rgb, vec3(2.2)), colour.a);
    uv = texcoord;
}
