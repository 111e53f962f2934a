// What:    Face loops and the comparison of two hulls, see the header.
#include <sudar/geom/hull3.hpp>

#include <algorithm>
#include <numeric>

namespace sudar {

std::vector<std::uint32_t> face_vertices(const Hull3& hull, std::uint32_t face) {
  std::vector<std::uint32_t> loop(hull.face_degree(face));
  for (std::uint32_t i = 0; i < loop.size(); ++i) loop[i] = hull.face_vertex(face, i);
  return loop;
}

namespace {

// Vertices in lexicographic order; faces as loops of ranks that start with their smallest, in order
struct CanonicalHull {
  std::vector<Vec3d> vertices;
  std::vector<std::vector<std::uint32_t>> faces;

  explicit CanonicalHull(const Hull3& hull) {
    std::vector<std::uint32_t> order(hull.vertex_count()), rank(hull.vertex_count());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return lexicographically_less(hull.vertices[a], hull.vertices[b]);
    });
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      rank[order[i]] = i;
      vertices.push_back(hull.vertices[order[i]]);
    }
    for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
      std::vector<std::uint32_t> loop = face_vertices(hull, f);
      for (std::uint32_t& v : loop) v = rank[v];
      std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
      faces.push_back(std::move(loop));
    }
    std::sort(faces.begin(), faces.end());
  }
};

}  // namespace

bool same_hull(const Hull3& a, const Hull3& b) {
  if (a.dimension != b.dimension || a.vertex_count() != b.vertex_count() || a.face_count() != b.face_count())
    return false;
  const CanonicalHull ca(a), cb(b);
  return ca.vertices == cb.vertices && ca.faces == cb.faces;
}

}  // namespace sudar
