// What:    Draws a DrawList: surfaces instanced, one call for each, with light and shadow; lines and dots as wide as asked, in
//          pixels; transparent things from back to front; the plane flat and crisp.
// Differs: Shadows come from one depth map of the sun. Where there are very many instances, a coarser surface is drawn.
#pragma once

#include "lab/camera.hpp"
#include "lab/canvas.hpp"

#include <map>
#include <memory>

namespace sudar::lab {

// In pixels of the canvas, from the lower left corner
struct Viewport {
  int x = 0, y = 0, width = 1, height = 1;
  double aspect() const { return static_cast<double>(width) / (height > 0 ? height : 1); }
};

struct PlacedLight {
  Vec3d position;
  double reach;  // metres, where it is half as strong
};

struct Look {
  Color background{0.085f, 0.097f, 0.118f, 1};
  bool shadows = true;
  bool outlines = true;             // edges of faceted surfaces
  double scale = 1;                 // of lines and dots: pixels of the screen for one as written
  std::vector<DrawnLine> grid;      // under everything else
  std::vector<PlacedLight> lights;  // the first four are drawn
};

class Renderer {
 public:
  static std::unique_ptr<Renderer> make(const Gl& gl, std::string& why_not);
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  // Into the framebuffer that is bound, which is also the one bound afterwards
  void clear(const Look& look, int width, int height);
  void draw(const DrawList& list, const Camera& camera, const Viewport& viewport, const Look& look,
            const Canvas& canvas);

 private:
  struct Uploaded {
    std::shared_ptr<const Surface> keeps;
    GLuint array = 0, vertices = 0, triangles = 0, edges = 0;
    GLsizei triangle_indices = 0, edge_indices = 0;
    unsigned unused = 0;
  };
  // Instances of a surface in the buffer of this frame
  struct Run {
    Uploaded* surface;
    std::size_t first;
    GLsizei count;
  };

  explicit Renderer(const Gl& gl) : gl_(gl) {}
  Uploaded& uploaded(const std::shared_ptr<const Surface>& surface);
  void release(Uploaded& surface);
  void gather(const DrawList& list, const Camera& camera, const Look& look, int height);
  void outline(const InstanceBatch& batch, bool flat);
  void point_at(const Uploaded& surface, std::size_t first_instance);
  void draw_run(const Run& run, bool edges);
  void draw_triangles(std::size_t first, std::size_t count);
  void upload_triangles(const DrawList& list, const Camera& camera);
  Mat4 shadow_pass(const DrawList& list, const Camera& camera, int height, float& offset);
  void size_shadow(int height);
  void draw_lines(std::span<const DrawnLine> lines);
  void draw_points(std::span<const DrawnPoint> points);
  GLint at(GLuint program, const char* name) const { return gl_.GetUniformLocation(program, name); }

  const Gl& gl_;
  GLuint surface_program_ = 0, shadow_program_ = 0, line_program_ = 0, point_program_ = 0;
  GLuint instances_ = 0, triangle_array_ = 0, triangle_buffer_ = 0, line_array_ = 0, line_buffer_ = 0;
  GLuint point_array_ = 0, point_buffer_ = 0, shadow_frame_ = 0, shadow_map_ = 0;
  GLsizei shadow_size_ = 0;
  std::map<const Surface*, Uploaded> surfaces_;

  // Of this frame
  std::vector<Instance> frame_instances_;
  std::vector<Run> opaque_, transparent_, edge_runs_;
  std::vector<DrawnLine> outlines_;
  std::size_t opaque_triangles_ = 0, all_triangles_ = 0;
};

}  // namespace sudar::lab
