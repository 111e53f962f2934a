#include "lab/renderer.hpp"

#include "lab/shaders.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sudar::lab {

namespace {

constexpr std::size_t kCoarseFrom = 200, kCoarserFrom = 3000;  // instances of one surface, in a view of so many lines
constexpr std::size_t kLevelLines = 720;
constexpr std::size_t kOutlinesUpTo = 8000;  // edges that become wide lines; more are drawn one pixel wide, or not
constexpr std::size_t kSortedUpTo = 20000;   // transparent instances
constexpr unsigned kFramesKept = 120;        // of a surface that is not drawn
constexpr GLsizei kSmallestShadow = 128, kLargestShadow = 2048;
constexpr float kOutlineShade = 0.5f;  // edges are so much darker than their faces
constexpr double kLineNearer = 0.002;  // lines lie before the surface they are on, by this share of the distance
constexpr float kFlatFill = 0.7f;      // in the plane, faces let their edges stand out

struct TriangleVertex {
  BasicVec3<float> position, normal;
  Color color;
};

const void* offset_of(std::size_t bytes) { return reinterpret_cast<const void*>(bytes); }

// Ahead of the eye
double depth_of(const Camera& camera, const BasicVec3<float>& p) {
  return dot(vec_cast<double>(p) - camera.eye(), camera.forward());
}

// The more there are and the smaller the view, the coarser
const std::shared_ptr<const Surface>& level_for(const InstanceBatch& batch, int height) {
  const std::shared_ptr<const Surface>& fine = batch.surface;
  const std::size_t counted = batch.instances.size() * kLevelLines,
                    lines = static_cast<std::size_t>(std::max(height, 1));
  if (counted < kCoarseFrom * lines || fine->coarse == nullptr) return fine;
  return counted < kCoarserFrom * lines || fine->coarse->coarse == nullptr ? fine->coarse : fine->coarse->coarse;
}

Vec3d sun_direction() { return normalized(Vec3d{-0.35, -0.5, 0.8}); }

}  // namespace

std::unique_ptr<Renderer> Renderer::make(const Gl& gl, std::string& why_not) {
  std::unique_ptr<Renderer> r(new Renderer(gl));
  r->surface_program_ = make_program(gl, kSurfaceVertex, kSurfaceFragment, why_not);
  if (r->surface_program_ != 0) r->shadow_program_ = make_program(gl, kSurfaceVertex, kShadowFragment, why_not);
  if (r->shadow_program_ != 0) r->line_program_ = make_program(gl, kLineVertex, kLineFragment, why_not);
  if (r->line_program_ != 0) r->point_program_ = make_program(gl, kPointVertex, kPointFragment, why_not);
  if (r->point_program_ == 0) return nullptr;
  for (GLuint* buffer : {&r->instances_, &r->triangle_buffer_, &r->line_buffer_, &r->point_buffer_})
    gl.GenBuffers(1, buffer);
  for (GLuint* array : {&r->triangle_array_, &r->line_array_, &r->point_array_}) gl.GenVertexArrays(1, array);

  // Triangles have a colour at each vertex, and the placement of instance attributes that are switched off: none
  const auto attribute = [&](GLuint index, GLint size, GLsizei stride, std::size_t offset, GLuint divisor) {
    gl.EnableVertexAttribArray(index);
    gl.VertexAttribPointer(index, size, GL_FLOAT, GL_FALSE, stride, offset_of(offset));
    gl.VertexAttribDivisor(index, divisor);
  };
  gl.BindVertexArray(r->triangle_array_);
  gl.BindBuffer(GL_ARRAY_BUFFER, r->triangle_buffer_);
  attribute(0, 3, sizeof(TriangleVertex), offsetof(TriangleVertex, position), 0);
  attribute(1, 3, sizeof(TriangleVertex), offsetof(TriangleVertex, normal), 0);
  attribute(6, 4, sizeof(TriangleVertex), offsetof(TriangleVertex, color), 0);
  gl.BindVertexArray(r->line_array_);
  gl.BindBuffer(GL_ARRAY_BUFFER, r->line_buffer_);
  attribute(0, 3, sizeof(DrawnLine), offsetof(DrawnLine, p), 1);
  attribute(1, 3, sizeof(DrawnLine), offsetof(DrawnLine, q), 1);
  attribute(2, 1, sizeof(DrawnLine), offsetof(DrawnLine, pixels), 1);
  attribute(3, 4, sizeof(DrawnLine), offsetof(DrawnLine, color), 1);
  gl.BindVertexArray(r->point_array_);
  gl.BindBuffer(GL_ARRAY_BUFFER, r->point_buffer_);
  attribute(0, 3, sizeof(DrawnPoint), offsetof(DrawnPoint, p), 1);
  attribute(1, 1, sizeof(DrawnPoint), offsetof(DrawnPoint, pixels), 1);
  attribute(2, 4, sizeof(DrawnPoint), offsetof(DrawnPoint, color), 1);

  gl.GenTextures(1, &r->shadow_map_);
  gl.BindTexture(GL_TEXTURE_2D, r->shadow_map_);
  r->size_shadow(0);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  gl.GenFramebuffers(1, &r->shadow_frame_);
  gl.BindFramebuffer(GL_FRAMEBUFFER, r->shadow_frame_);
  gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, r->shadow_map_, 0);
  const GLenum none = GL_NONE;
  gl.DrawBuffers(1, &none);
  if (gl.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    why_not = "OpenGL refuses a depth map";
    return nullptr;
  }
  gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
  return r;
}

Renderer::~Renderer() {
  for (auto& [key, surface] : surfaces_) release(surface);
  for (const GLuint program : {surface_program_, shadow_program_, line_program_, point_program_})
    if (program != 0) gl_.DeleteProgram(program);
  for (const GLuint buffer : {instances_, triangle_buffer_, line_buffer_, point_buffer_}) gl_.DeleteBuffers(1, &buffer);
  for (const GLuint array : {triangle_array_, line_array_, point_array_}) gl_.DeleteVertexArrays(1, &array);
  gl_.DeleteFramebuffers(1, &shadow_frame_);
  gl_.DeleteTextures(1, &shadow_map_);
}

void Renderer::release(Uploaded& surface) {
  for (const GLuint buffer : {surface.vertices, surface.triangles, surface.edges}) gl_.DeleteBuffers(1, &buffer);
  gl_.DeleteVertexArrays(1, &surface.array);
}

Renderer::Uploaded& Renderer::uploaded(const std::shared_ptr<const Surface>& surface) {
  Uploaded& up = surfaces_[surface.get()];
  up.unused = 0;
  if (up.array != 0) return up;
  up.keeps = surface;
  up.triangle_indices = static_cast<GLsizei>(surface->triangles.size());
  up.edge_indices = static_cast<GLsizei>(surface->edges.size());
  gl_.GenVertexArrays(1, &up.array);
  for (GLuint* buffer : {&up.vertices, &up.triangles, &up.edges}) gl_.GenBuffers(1, buffer);
  gl_.BindVertexArray(up.array);
  gl_.BindBuffer(GL_ARRAY_BUFFER, up.vertices);
  gl_.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(surface->vertices.size() * sizeof(SurfaceVertex)),
                 surface->vertices.data(), GL_STATIC_DRAW);
  gl_.EnableVertexAttribArray(0);
  gl_.VertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(SurfaceVertex),
                          offset_of(offsetof(SurfaceVertex, position)));
  gl_.EnableVertexAttribArray(1);
  gl_.VertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, sizeof(SurfaceVertex), offset_of(offsetof(SurfaceVertex, normal)));
  for (GLuint i = 2; i <= 6; ++i) {
    gl_.EnableVertexAttribArray(i);
    gl_.VertexAttribDivisor(i, 1);
  }
  const auto fill = [&](GLuint buffer, const std::vector<std::uint32_t>& indices) {
    gl_.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    gl_.BufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(indices.size() * sizeof(std::uint32_t)),
                   indices.data(), GL_STATIC_DRAW);
  };
  fill(up.edges, surface->edges);
  fill(up.triangles, surface->triangles);
  return up;
}

void Renderer::outline(const InstanceBatch& batch, bool flat) {
  const Surface& s = *batch.surface;
  for (const Instance& instance : batch.instances) {
    const std::array<float, 12>& m = instance.columns;
    const auto placed = [&](std::uint32_t index) {
      const BasicVec3<float>& p = s.vertices[index].position;
      return BasicVec3<float>{m[0] * p.x + m[3] * p.y + m[6] * p.z + m[9], m[1] * p.x + m[4] * p.y + m[7] * p.z + m[10],
                              m[2] * p.x + m[5] * p.y + m[8] * p.z + m[11]};
    };
    Color c = instance.color;
    if (!batch.wire && !flat) c = {c.r * kOutlineShade, c.g * kOutlineShade, c.b * kOutlineShade, c.a};
    for (std::size_t i = 0; i + 1 < s.edges.size(); i += 2)
      outlines_.push_back({placed(s.edges[i]), placed(s.edges[i + 1]), batch.wire || flat ? 1.5f : 1.f, c});
  }
}

// Everything of this frame into one buffer: opaque instances by surface, then transparent ones from back to front
void Renderer::gather(const DrawList& list, const Camera& camera, const Look& look, int height) {
  frame_instances_.clear(), opaque_.clear(), transparent_.clear(), edge_runs_.clear(), outlines_.clear();
  struct Clear {
    double depth;
    std::size_t batch, instance;
  };
  std::vector<Clear> clear;
  std::size_t edges = 0;
  for (const InstanceBatch& batch : list.batches())
    if (batch.wire || batch.surface->faceted) edges += batch.instances.size() * batch.surface->edges.size() / 2;
  const bool wide = edges <= kOutlinesUpTo;
  const auto batches = list.batches();
  for (std::size_t b = 0; b < batches.size(); ++b) {
    const InstanceBatch& batch = batches[b];
    if (batch.instances.empty()) continue;
    Uploaded& surface = uploaded(level_for(batch, height));
    const bool edged = batch.wire || (look.outlines && batch.surface->faceted);
    if (edged && wide) outline(batch, list.flat);
    const std::size_t first = frame_instances_.size();
    for (std::size_t i = 0; i < batch.instances.size(); ++i) {
      const Instance& instance = batch.instances[i];
      if (list.flat || batch.wire || instance.color.a >= 1)
        frame_instances_.push_back(instance);
      else
        clear.push_back({depth_of(camera, {instance.columns[9], instance.columns[10], instance.columns[11]}), b, i});
    }
    const GLsizei count = static_cast<GLsizei>(frame_instances_.size() - first);
    if (count > 0 && !batch.wire) opaque_.push_back({&surface, first, count});
    if (count > 0 && edged && !wide && (batch.wire || list.flat)) edge_runs_.push_back({&surface, first, count});
  }
  if (clear.size() <= kSortedUpTo)
    std::stable_sort(clear.begin(), clear.end(), [](const Clear& a, const Clear& b) { return a.depth > b.depth; });
  for (const Clear& item : clear) {
    const InstanceBatch& batch = batches[item.batch];
    Uploaded* surface = &uploaded(level_for(batch, height));
    if (transparent_.empty() || transparent_.back().surface != surface)
      transparent_.push_back({surface, frame_instances_.size(), 0});
    ++transparent_.back().count;
    frame_instances_.push_back(batch.instances[item.instance]);
  }
  gl_.BindBuffer(GL_ARRAY_BUFFER, instances_);
  gl_.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(frame_instances_.size() * sizeof(Instance)),
                 frame_instances_.data(), GL_STREAM_DRAW);
}

void Renderer::upload_triangles(const DrawList& list, const Camera& camera) {
  const auto triangles = list.triangles();
  std::vector<std::uint32_t> order(triangles.size());
  std::iota(order.begin(), order.end(), 0u);
  opaque_triangles_ = order.size();
  if (!list.flat) {
    const auto middle =
        std::stable_partition(order.begin(), order.end(), [&](std::uint32_t i) { return triangles[i].color.a >= 1; });
    opaque_triangles_ = static_cast<std::size_t>(middle - order.begin());
    std::stable_sort(middle, order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const auto center = [&](std::uint32_t i) {
        return (triangles[i].v[0] + triangles[i].v[1] + triangles[i].v[2]) * (1.f / 3);
      };
      return depth_of(camera, center(a)) > depth_of(camera, center(b));
    });
  }
  all_triangles_ = order.size();
  std::vector<TriangleVertex> vertices;
  vertices.reserve(3 * order.size());
  for (const std::uint32_t i : order) {
    const DrawnTriangle& t = triangles[i];
    const BasicVec3<float> n = normalized(cross(t.v[1] - t.v[0], t.v[2] - t.v[0]));
    for (const BasicVec3<float>& v : t.v) vertices.push_back({v, n, t.color});
  }
  gl_.BindBuffer(GL_ARRAY_BUFFER, triangle_buffer_);
  gl_.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(TriangleVertex)), vertices.data(),
                 GL_STREAM_DRAW);
}

void Renderer::point_at(const Uploaded& surface, std::size_t first_instance) {
  gl_.BindVertexArray(surface.array);
  gl_.BindBuffer(GL_ARRAY_BUFFER, instances_);
  const std::size_t base = first_instance * sizeof(Instance);
  for (GLuint i = 0; i < 4; ++i)
    gl_.VertexAttribPointer(2 + i, 3, GL_FLOAT, GL_FALSE, sizeof(Instance), offset_of(base + 3 * i * sizeof(float)));
  gl_.VertexAttribPointer(6, 4, GL_FLOAT, GL_FALSE, sizeof(Instance), offset_of(base + offsetof(Instance, color)));
}

void Renderer::draw_run(const Run& run, bool edges) {
  const GLsizei indices = edges ? run.surface->edge_indices : run.surface->triangle_indices;
  if (indices == 0 || run.count == 0) return;
  point_at(*run.surface, run.first);
  gl_.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, edges ? run.surface->edges : run.surface->triangles);
  gl_.DrawElementsInstanced(edges ? GL_LINES : GL_TRIANGLES, indices, GL_UNSIGNED_INT, nullptr, run.count);
}

void Renderer::draw_triangles(std::size_t first, std::size_t count) {
  if (count == 0) return;
  gl_.BindVertexArray(triangle_array_);
  gl_.VertexAttrib3f(2, 1, 0, 0);
  gl_.VertexAttrib3f(3, 0, 1, 0);
  gl_.VertexAttrib3f(4, 0, 0, 1);
  gl_.VertexAttrib3f(5, 0, 0, 0);
  gl_.DrawArrays(GL_TRIANGLES, static_cast<GLint>(3 * first), static_cast<GLsizei>(3 * count));
}

// About two texels for a line of the view
void Renderer::size_shadow(int height) {
  GLsizei wanted = kSmallestShadow;
  while (wanted < kLargestShadow && wanted < 2 * height) wanted *= 2;
  if (wanted == shadow_size_) return;
  shadow_size_ = wanted;
  gl_.BindTexture(GL_TEXTURE_2D, shadow_map_);
  gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, wanted, wanted, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT,
                 nullptr);
}

Mat4 Renderer::shadow_pass(const DrawList& list, const Camera& camera, int height, float& offset) {
  size_shadow(height);
  // Around what is drawn, but no larger than what can be near enough to be looked at
  const Aabb3d bounds = list.bounds();
  const bool seen = is_valid(bounds);
  Vec3d center = seen ? (bounds.lo + bounds.hi) * 0.5 : camera.target;
  double radius = seen ? length(bounds.hi - bounds.lo) / 2 : camera.scene_size;
  if (const double most = 3 * camera.scene_size; radius > most) radius = most, center = camera.target;
  if (!(radius > 0)) radius = 1;
  const Vec3d sun = sun_direction();
  const Mat4 clip =
      orthographic(radius, radius, 0, 4 * radius) * looking(center + sun * (2 * radius), center, {0, 1, 0});
  offset = static_cast<float>(3 * radius / shadow_size_);
  gl_.BindFramebuffer(GL_FRAMEBUFFER, shadow_frame_);
  gl_.Viewport(0, 0, shadow_size_, shadow_size_);
  gl_.Disable(GL_SCISSOR_TEST);
  gl_.Enable(GL_DEPTH_TEST);
  gl_.DepthMask(GL_TRUE);
  gl_.Clear(GL_DEPTH_BUFFER_BIT);
  gl_.UseProgram(shadow_program_);
  gl_.UniformMatrix4fv(at(shadow_program_, "clip_from_world"), 1, GL_FALSE, clip.data());
  gl_.Enable(GL_POLYGON_OFFSET_FILL);
  gl_.PolygonOffset(1, 2);
  for (const Run& run : opaque_) draw_run(run, false);
  draw_triangles(0, opaque_triangles_);
  gl_.Disable(GL_POLYGON_OFFSET_FILL);
  return clip;
}

void Renderer::draw_lines(std::span<const DrawnLine> lines) {
  if (lines.empty()) return;
  gl_.BindVertexArray(line_array_);
  gl_.BindBuffer(GL_ARRAY_BUFFER, line_buffer_);
  gl_.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(lines.size_bytes()), lines.data(), GL_STREAM_DRAW);
  gl_.DrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(lines.size()));
}

void Renderer::draw_points(std::span<const DrawnPoint> points) {
  if (points.empty()) return;
  gl_.BindVertexArray(point_array_);
  gl_.BindBuffer(GL_ARRAY_BUFFER, point_buffer_);
  gl_.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(points.size_bytes()), points.data(), GL_STREAM_DRAW);
  gl_.DrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(points.size()));
}

void Renderer::clear(const Look& look, int width, int height) {
  gl_.Viewport(0, 0, width, height);
  gl_.Disable(GL_SCISSOR_TEST);
  gl_.ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  gl_.DepthMask(GL_TRUE);
  gl_.ClearColor(look.background.r, look.background.g, look.background.b, 1);
  gl_.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

void Renderer::draw(const DrawList& list, const Camera& camera, const Viewport& viewport, const Look& look,
                    const Canvas& canvas) {
  for (auto it = surfaces_.begin(); it != surfaces_.end();) {
    if (++it->second.unused <= kFramesKept) {
      ++it;
      continue;
    }
    release(it->second);
    it = surfaces_.erase(it);
  }
  gather(list, camera, look, viewport.height);
  upload_triangles(list, camera);
  const bool flat = list.flat;
  Mat4 shadow_clip{};
  float offset = 0;
  const bool shadows = look.shadows && !flat;
  gl_.Disable(GL_CULL_FACE);
  gl_.DepthFunc(GL_LEQUAL);
  if (shadows) shadow_clip = shadow_pass(list, camera, viewport.height, offset);

  canvas.bind_samples();
  gl_.Viewport(viewport.x, viewport.y, viewport.width, viewport.height);
  gl_.Enable(GL_SCISSOR_TEST);
  gl_.Scissor(viewport.x, viewport.y, viewport.width, viewport.height);
  gl_.Enable(GL_BLEND);
  gl_.BlendEquation(GL_FUNC_ADD);
  gl_.BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  flat ? gl_.Disable(GL_DEPTH_TEST) : gl_.Enable(GL_DEPTH_TEST);
  const Mat4 clip = camera.projection(viewport.aspect(), list.bounds()) * camera.view();

  const Mat4 line_clip = camera.projection(viewport.aspect(), list.bounds(), kLineNearer) * camera.view();
  const auto strokes = [&](GLuint program) {
    gl_.UseProgram(program);
    gl_.UniformMatrix4fv(at(program, "clip_from_world"), 1, GL_FALSE, line_clip.data());
    gl_.Uniform2f(at(program, "half_size"), static_cast<float>(viewport.width) / 2,
                  static_cast<float>(viewport.height) / 2);
    gl_.Uniform1f(at(program, "scale"), static_cast<float>(look.scale));
  };

  // Surfaces
  const GLuint p = surface_program_;
  gl_.UseProgram(p);
  gl_.UniformMatrix4fv(at(p, "clip_from_world"), 1, GL_FALSE, clip.data());
  gl_.UniformMatrix4fv(at(p, "shadow_from_world"), 1, GL_FALSE, shadow_clip.data());
  gl_.Uniform1f(at(p, "shadow_offset"), offset);
  const Vec3d eye = camera.eye(), sun = sun_direction();
  gl_.Uniform3f(at(p, "eye"), static_cast<float>(eye.x), static_cast<float>(eye.y), static_cast<float>(eye.z));
  gl_.Uniform3f(at(p, "sun"), static_cast<float>(sun.x), static_cast<float>(sun.y), static_cast<float>(sun.z));
  gl_.Uniform1f(at(p, "lit"), flat ? 0.f : 1.f);
  gl_.Uniform1f(at(p, "shadows"), shadows ? 1.f : 0.f);
  float lights[16] = {};
  const std::size_t light_count = std::min<std::size_t>(look.lights.size(), 4);
  for (std::size_t i = 0; i < light_count; ++i) {
    for (int k = 0; k < 3; ++k)
      lights[4 * i + static_cast<std::size_t>(k)] = static_cast<float>(look.lights[i].position[k]);
    lights[4 * i + 3] = static_cast<float>(look.lights[i].reach);
  }
  gl_.Uniform1i(at(p, "light_count"), static_cast<GLint>(light_count));
  gl_.Uniform4fv(at(p, "lights"), 4, lights);
  gl_.ActiveTexture(GL_TEXTURE0);
  gl_.BindTexture(GL_TEXTURE_2D, shadow_map_);
  gl_.Uniform1i(at(p, "shadow_map"), 0);
  gl_.Uniform1f(at(p, "fill"), 1.f);
  if (flat && !look.grid.empty()) {
    strokes(line_program_);
    draw_lines(look.grid);
    gl_.UseProgram(p);
  }
  draw_triangles(0, opaque_triangles_);
  gl_.Uniform1f(at(p, "fill"), flat ? kFlatFill : 1.f);
  for (const Run& run : opaque_) draw_run(run, false);
  gl_.Uniform1f(at(p, "fill"), 1.f);
  if (!edge_runs_.empty()) {
    gl_.Uniform1f(at(p, "lit"), 0.f);
    for (const Run& run : edge_runs_) draw_run(run, true);
    gl_.Uniform1f(at(p, "lit"), flat ? 0.f : 1.f);
  }

  // Lines under what is transparent, then that, then dots
  gl_.DepthMask(GL_FALSE);
  strokes(line_program_);
  if (!flat) draw_lines(look.grid);
  draw_lines(outlines_);
  draw_lines(list.lines());
  if (!transparent_.empty() || all_triangles_ > opaque_triangles_) {
    gl_.UseProgram(p);
    // The far side of a body is behind its near one
    gl_.Enable(GL_CULL_FACE);
    for (const Run& run : transparent_)
      for (const GLenum side : {GL_FRONT, GL_BACK}) {
        gl_.CullFace(side);
        draw_run(run, false);
      }
    gl_.Disable(GL_CULL_FACE);
    draw_triangles(opaque_triangles_, all_triangles_ - opaque_triangles_);
  }
  strokes(point_program_);
  draw_points(list.points());
  if (!list.lines_in_front().empty() || !list.points_in_front().empty()) {
    gl_.Disable(GL_DEPTH_TEST);
    draw_points(list.points_in_front());
    strokes(line_program_);
    draw_lines(list.lines_in_front());
  }
  gl_.DepthMask(GL_TRUE);
  gl_.Disable(GL_SCISSOR_TEST);
  gl_.BindVertexArray(0);
}

}  // namespace sudar::lab
