#include "lab/shape_surface.hpp"

#include <sudar/math/scalar.hpp>
#include <sudar/shapes/convex_body2.hpp>
#include <sudar/shapes/convex_body3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

namespace sudar::lab {

namespace {

// Faces of scanned bodies and terrain are smooth up to here, in degrees
constexpr double kSmoothMesh = 40, kSmoothField = 60;
// Corners of a rounded polygon: so many pieces for the whole turn
constexpr int kRoundPieces = 64;

Surface lines_of(std::span<const Vec2d> points, bool closed) {
  Surface s;
  for (const Vec2d& p : points)
    s.vertices.push_back({{static_cast<float>(p.x), static_cast<float>(p.y), 0.f}, {0.f, 0.f, 1.f}});
  const std::uint32_t count = static_cast<std::uint32_t>(points.size());
  for (std::uint32_t i = 0; i + (closed ? 0 : 1) < count; ++i) s.edges.insert(s.edges.end(), {i, (i + 1) % count});
  return s;
}

// Counterclockwise and convex
Surface fan_of(std::span<const Vec2d> points) {
  Surface s = lines_of(points, points.size() > 2);
  for (std::uint32_t i = 2; i < points.size(); ++i) s.triangles.insert(s.triangles.end(), {0, i - 1, i});
  return s;
}

}  // namespace

Surface hull_surface(const ConvexBody3& body, double radius) {
  if (radius > 0)
    return support_surface3([&](const Vec3d& d) { return body.vertices()[body.support(d)] + normalized(d) * radius; });
  const Hull3& hull = body.hull();
  Surface s;
  for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
    const std::uint32_t first = static_cast<std::uint32_t>(s.vertices.size()), degree = hull.face_degree(f);
    for (std::uint32_t i = 0; i < degree; ++i) {
      s.vertices.push_back(
          {vec_cast<float>(hull.vertices[hull.face_vertex(f, i)]), vec_cast<float>(hull.planes[f].normal)});
      if (i >= 2) s.triangles.insert(s.triangles.end(), {first, first + i - 1, first + i});
      // Of the two half-edges, one
      const std::uint32_t edge = hull.face_edge[f] + i;
      if (edge < hull.edges[edge].twin) s.edges.insert(s.edges.end(), {first + i, first + (i + 1) % degree});
    }
  }
  // A segment or a point
  if (hull.dimension < 2) {
    for (const Vec3d& v : hull.vertices) s.vertices.push_back({vec_cast<float>(v), {0.f, 0.f, 1.f}});
    s.edges = {0, static_cast<std::uint32_t>(s.vertices.size() - 1)};
  }
  return s;
}

Surface mesh_surface(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> indices;
  for (const MeshTriangle& t : mesh.mesh().triangles) indices.insert(indices.end(), t.begin(), t.end());
  return surface_of(mesh.mesh().vertices, indices, kSmoothMesh);
}

Surface height_surface(const HeightField& field) {
  std::vector<Vec3d> vertices;
  for (std::uint32_t j = 0; j < field.rows(); ++j)
    for (std::uint32_t i = 0; i < field.columns(); ++i) vertices.push_back(field.vertex(i, j));
  std::vector<std::uint32_t> indices;
  for (std::uint32_t j = 0; j + 1 < field.rows(); ++j)
    for (std::uint32_t i = 0; i + 1 < field.columns(); ++i) {
      const std::uint32_t a = j * field.columns() + i, b = a + field.columns();
      indices.insert(indices.end(), {a, a + 1, b + 1, a, b + 1, b});
    }
  return surface_of(vertices, indices, kSmoothField);
}

Surface support_surface3(const std::function<Vec3d(const Vec3d&)>& support) {
  // The ball's directions give the points, and, as outward normals of the set there, the normals
  Surface s = *common_surface(CommonSurface::sphere);
  s.coarse = nullptr;
  for (SurfaceVertex& vertex : s.vertices) vertex.position = vec_cast<float>(support(vec_cast<double>(vertex.normal)));
  return s;
}

Surface polygon_surface(const ConvexBody2& body, double radius) {
  if (radius > 0) {
    // Between the normals of its two edges each vertex sweeps an arc
    std::vector<Vec2d> border;
    for (int k = 0; k < kRoundPieces; ++k) {
      const SinCos sc = sin_cos(2 * kPi * k / kRoundPieces);
      const Vec2d d{sc.cos, sc.sin};
      border.push_back(body.vertices()[body.support(d)] + d * radius);
    }
    return fan_of(border);
  }
  return fan_of(body.vertices());
}

Surface support_surface2(const std::function<Vec2d(const Vec2d&)>& support) {
  std::vector<Vec2d> border;
  for (int k = 0; k < kRoundPieces; ++k) {
    const SinCos sc = sin_cos(2 * kPi * k / kRoundPieces);
    border.push_back(support({sc.cos, sc.sin}));
  }
  return fan_of(border);
}

Surface polygon_set_surface(const PolygonSet& set) {
  Surface s = lines_of(set.vertices(), set.closed());
  for (const auto& part : set.parts()) {
    const Surface piece = fan_of(part->vertices());
    const std::uint32_t first = static_cast<std::uint32_t>(s.vertices.size());
    s.vertices.insert(s.vertices.end(), piece.vertices.begin(), piece.vertices.end());
    for (const std::uint32_t i : piece.triangles) s.triangles.push_back(first + i);
  }
  return s;
}

}  // namespace sudar::lab
