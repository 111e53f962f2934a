// What:    The programs that run on the graphics processor. Written for both #version 330 core and #version 300 es.
#pragma once

namespace sudar::lab {

// Put in front of each
inline constexpr const char* kShaderHeader = "#version 330 core\n";

// Many instances of a surface: columns of its placement and its colour come with each
inline constexpr const char* kSurfaceVertex = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 column0;
layout(location = 3) in vec3 column1;
layout(location = 4) in vec3 column2;
layout(location = 5) in vec3 column3;
layout(location = 6) in vec4 color;
uniform mat4 clip_from_world;
uniform mat4 shadow_from_world;
uniform float shadow_offset;
out vec3 world;
out vec3 world_normal;
out vec4 tint;
out vec3 in_shadow_map;
void main() {
  world = column0 * position.x + column1 * position.y + column2 * position.z + column3;
  // Normals go by the cofactors, so that any scaling is right
  world_normal = cross(column1, column2) * normal.x + cross(column2, column0) * normal.y + cross(column0, column1) * normal.z;
  tint = color;
  float size = length(world_normal);
  vec3 unit = size > 0.0 ? world_normal / size : vec3(0.0);
  in_shadow_map = (shadow_from_world * vec4(world + unit * shadow_offset, 1.0)).xyz * 0.5 + 0.5;
  gl_Position = clip_from_world * vec4(world, 1.0);
}
)";

// Ambient light from sky and ground, a sun with a shadow, lights that a person has placed; diffuse and specular
inline constexpr const char* kSurfaceFragment = R"(
in vec3 world;
in vec3 world_normal;
in vec4 tint;
in vec3 in_shadow_map;
uniform vec3 eye;
uniform vec3 sun;
uniform float lit;
uniform float shadows;
uniform float fill;
uniform int light_count;
uniform vec4 lights[4];
uniform highp sampler2DShadow shadow_map;
out vec4 result;
float sunlight() {
  if (shadows < 0.5 || any(lessThan(in_shadow_map, vec3(0.0))) || any(greaterThan(in_shadow_map, vec3(1.0)))) return 1.0;
  float step_size = 1.0 / float(textureSize(shadow_map, 0).x);
  float sum = 0.0;
  for (int i = 0; i < 4; ++i) {
    vec2 offset = (vec2(float(i % 2), float(i / 2)) - 0.5) * step_size;
    sum += texture(shadow_map, vec3(in_shadow_map.xy + offset, in_shadow_map.z));
  }
  return sum * 0.25;
}
void main() {
  if (lit < 0.5) {
    result = vec4(tint.rgb, tint.a * fill);
    return;
  }
  vec3 to_eye = normalize(eye - world);
  vec3 n = normalize(world_normal);
  if (dot(n, to_eye) < 0.0) n = -n;
  vec3 base = pow(tint.rgb, vec3(2.2));
  float sky = 0.5 + 0.5 * n.z;
  vec3 light = base * mix(vec3(0.16, 0.15, 0.14), vec3(0.40, 0.43, 0.48), sky);
  float bright = sunlight();
  float diffuse = max(dot(n, sun), 0.0) * bright;
  float glint = pow(max(dot(n, normalize(sun + to_eye)), 0.0), 48.0) * bright;
  for (int i = 0; i < 4; ++i) {
    if (i >= light_count) break;
    vec3 way = lights[i].xyz - world;
    float reach = lights[i].w;
    vec3 to_light = normalize(way);
    float near = 1.0 / (1.0 + dot(way, way) / (reach * reach));
    diffuse += max(dot(n, to_light), 0.0) * near;
    glint += pow(max(dot(n, normalize(to_light + to_eye)), 0.0), 48.0) * near;
  }
  light += base * diffuse * 0.75 + vec3(glint * 0.12);
  result = vec4(pow(min(light, vec3(1.0)), vec3(1.0 / 2.2)), min(1.0, tint.a + glint * 0.12));
}
)";

// Depth only, as the sun sees it
inline constexpr const char* kShadowFragment = R"(
void main() {}
)";

// A line as a rectangle in pixels, with a soft border
inline constexpr const char* kLineVertex = R"(
layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
layout(location = 2) in float pixels;
layout(location = 3) in vec4 color;
uniform mat4 clip_from_world;
uniform vec2 half_size;
uniform float scale;
out vec4 tint;
out float aside;
out float half_width;
void main() {
  vec4 a = clip_from_world * vec4(from, 1.0);
  vec4 b = clip_from_world * vec4(to, 1.0);
  tint = color;
  half_width = 0.5 * max(pixels * scale, 1.0);
  aside = 0.0;
  gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
  // Behind the eye there is nothing; a line that comes from there begins at the eye's plane
  float front_a = a.w + a.z, front_b = b.w + b.z;
  if (front_a < 0.0 && front_b < 0.0) return;
  if (front_a < 0.0) a = mix(a, b, front_a / (front_a - front_b));
  if (front_b < 0.0) b = mix(b, a, front_b / (front_b - front_a));
  vec2 pa = a.xy / a.w * half_size, pb = b.xy / b.w * half_size;
  vec2 way = pb - pa;
  float size = length(way);
  vec2 along = size > 0.0 ? way / size : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  int corner = gl_VertexID;
  float side = (corner & 1) == 0 ? -1.0 : 1.0;
  bool at_end = corner >= 2;
  aside = side * (half_width + 1.0);
  vec4 p = at_end ? b : a;
  vec2 offset = across * aside + along * (at_end ? 0.5 : -0.5);
  p.xy += offset / half_size * p.w;
  gl_Position = p;
}
)";
inline constexpr const char* kLineFragment = R"(
in vec4 tint;
in float aside;
in float half_width;
out vec4 result;
void main() {
  float cover = clamp(half_width - abs(aside) + 0.5, 0.0, 1.0);
  result = vec4(tint.rgb, tint.a * cover);
}
)";

// A round dot of so many pixels
inline constexpr const char* kPointVertex = R"(
layout(location = 0) in vec3 center;
layout(location = 1) in float pixels;
layout(location = 2) in vec4 color;
uniform mat4 clip_from_world;
uniform vec2 half_size;
uniform float scale;
out vec4 tint;
out vec2 offset;
out float radius;
void main() {
  vec4 p = clip_from_world * vec4(center, 1.0);
  radius = 0.5 * max(pixels * scale, 1.5);
  vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, (gl_VertexID & 2) == 0 ? -1.0 : 1.0);
  offset = corner * (radius + 1.0);
  p.xy += offset / half_size * p.w;
  tint = color;
  gl_Position = p;
}
)";
inline constexpr const char* kPointFragment = R"(
in vec4 tint;
in vec2 offset;
in float radius;
out vec4 result;
void main() {
  float away = length(offset);
  float cover = clamp(radius - away + 0.5, 0.0, 1.0);
  // A darker rim keeps a dot visible on its own colour
  float rim = clamp(away - (radius - 1.5) + 0.5, 0.0, 1.0) * step(3.0, radius);
  result = vec4(tint.rgb * (1.0 - 0.45 * rim), tint.a * cover);
}
)";

// Letters and panels
inline constexpr const char* kPanelVertex = R"(
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 color;
uniform vec2 half_size;
out vec4 tint;
out vec2 at;
void main() {
  tint = color;
  at = uv;
  gl_Position = vec4(position.x / half_size.x - 1.0, 1.0 - position.y / half_size.y, 0.0, 1.0);
}
)";
inline constexpr const char* kPanelFragment = R"(
in vec4 tint;
in vec2 at;
uniform sampler2D letters;
out vec4 result;
void main() { result = tint * texture(letters, at); }
)";

}  // namespace sudar::lab
