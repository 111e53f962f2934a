// What:    Convex polygons and polyhedra cut by half-planes and half-spaces; every side remembers where it came from.
// Source:  Sutherland and Hodgman, "Reentrant polygon clipping", 1974, with the cut surface closed over as in
//          Stephenson and Christiansen, "A polyhedron clipping and capping algorithm…", 1975.
// Differs: A vertex is classified once, with a third class "on the plane", and a cut point is made once per edge. So
//          all faces agree on what was cut, the result is closed whatever was rounded, and no edge shorter than the
//          slack is made (ConvexClip.CutsThroughVerticesEdgesAndFaces).
// Frame:   The caller's. Planes are relative to an origin near the body: one far away would lose digits.
// Fails:   out_of_memory, with the body as it was. A body thinner than the slack behind the plane is cut away whole.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/geom/hull3.hpp>
#include <sudar/geom/plane.hpp>
#include <sudar/math/vec.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

// Where a side comes from: a label given to a cut, or a side of the original body
inline constexpr std::uint32_t kSkin = 0x80000000u;
constexpr std::uint32_t skin_label(std::uint32_t original_side) { return kSkin | original_side; }
constexpr bool is_skin(std::uint32_t label) { return (label & kSkin) != 0; }
constexpr std::uint32_t original_side(std::uint32_t label) { return label & ~kSkin; }

// Coordinates up to here: cubes of them and their sums stay finite
inline constexpr double kMaxClipCoordinate = 0x1p300;

// Counterclockwise; edge i runs from vertex i to the next. No vertices: nothing is left.
struct ClipPolygon {
  std::vector<Vec2d> vertices;
  std::vector<std::uint32_t> labels;  // of the edges

  bool empty() const { return vertices.empty(); }
};

// Face f is loop[start[f]] … loop[start[f + 1]], counterclockwise seen from outside. No faces: nothing is left.
struct ClipPolyhedron {
  std::vector<Vec3d> vertices;
  std::vector<std::uint32_t> loop, start = {0};
  std::vector<std::uint32_t> labels;  // of the faces

  bool empty() const { return labels.empty(); }
  std::size_t face_count() const { return labels.size(); }
  std::span<const std::uint32_t> face(std::size_t f) const {
    return {loop.data() + start[f], loop.data() + start[f + 1]};
  }
};

// The body that clipping starts from, all sides labelled as skin. Errors: those of make_convex_polygon (polygon.hpp;
// vertices in the middle of a side stay); degenerate for a hull of dimension below 3; invalid_argument with the vertex
// beyond kMaxClipCoordinate.
SUDAR_API Result<ClipPolygon> make_clip_polygon(std::span<const Vec2d> vertices);
SUDAR_API Result<ClipPolyhedron> make_clip_polyhedron(const Hull3& hull);

SUDAR_API double area(const ClipPolygon& polygon) noexcept;
SUDAR_API double volume(const ClipPolyhedron& body) noexcept;

// Cuts one body after the other with the same scratch memory
class SUDAR_API ConvexClipper {
 public:
  // Keep what lies behind the plane, dot(normal, x - origin) <= offset with a unit normal; the cut gets `label`.
  // `slack` is the distance from the plane, in units of the coordinates, within which a vertex counts as on it
  // (clip_slack). True when something was cut away.
  Result<bool> clip(ClipPolygon& polygon, const Vec2d& origin, const Plane<2, double>& plane, std::uint32_t label,
                    double slack) noexcept;
  Result<bool> clip(ClipPolyhedron& body, const Vec3d& origin, const Plane<3, double>& plane, std::uint32_t label,
                    double slack) noexcept;

 private:
  bool cut(ClipPolygon& polygon, const Vec2d& origin, const Plane<2, double>& plane, std::uint32_t label, double slack);
  bool cut(ClipPolyhedron& body, const Vec3d& origin, const Plane<3, double>& plane, std::uint32_t label, double slack);
  struct Cut {
    std::uint32_t kept, removed;  // vertices of the edge that is cut
    std::uint32_t vertex;         // the new one
  };
  struct CapEdge {
    std::uint32_t from, to;
  };
  bool classify(std::span<const double> distances, double slack);
  std::uint32_t cut_vertex(std::uint32_t kept, std::uint32_t removed) const;
  void add_cap(ClipPolyhedron& out, std::uint32_t label);

  std::vector<double> distance_;
  std::vector<std::int8_t> side_;
  std::vector<std::uint32_t> rename_, left_, back_;
  std::vector<Cut> cuts_;
  std::vector<CapEdge> cap_;
  ClipPolygon polygon_;
  ClipPolyhedron body_;
};

// Rounding of cut points of a body, in units of its coordinates
SUDAR_API double clip_slack(const ClipPolygon& polygon) noexcept;
SUDAR_API double clip_slack(const ClipPolyhedron& body) noexcept;

}  // namespace sudar
