// What:    The Minkowski difference A - B as a ghost beside the pair: where the origin lies in it is what GJK and EPA ask.
//          Points of the set, which are in A's frame, are turned as A is and moved to a place beside the pair.
// Differs: Cores of rounded shapes are drawn with the set grown by the radii around it. Curved cores are sampled.
// Fails:   never; what cannot be built is not drawn.
#pragma once

#include "lab/palette.hpp"
#include <sudar/geom/hull3.hpp>

#include <vector>

namespace sudar::lab {

class DifferenceView2 {
 public:
  DifferenceView2() = default;
  explicit DifferenceView2(const Pair2& pair);

  Vec3d at(const Vec2d& w) const { return flat(place_ + rotate(turn_, w)); }
  Vec3d origin() const { return flat(place_); }
  double size() const { return size_; }
  // The ghost, the origin and a title
  void draw(DrawList& list) const;

 private:
  std::vector<Vec2d> core_, grown_;
  Vec2d place_{}, low_{};
  Rot2d turn_{};
  double size_ = 1;
};

class DifferenceView3 {
 public:
  DifferenceView3() = default;
  explicit DifferenceView3(const Pair3& pair);

  Vec3d at(const Vec3d& w) const { return place_ + rotate(turn_, w); }
  Vec3d origin() const { return place_; }
  double size() const { return size_; }
  void draw(DrawList& list) const;

 private:
  Hull3 hull_;
  Vec3d place_{}, high_{};
  Quatd turn_{};
  double size_ = 1, radii_ = 0;
};

// Faces with some transparency, and the edges at which neighbours are turned against each other. `to_world` moves a vertex.
template <class ToWorld>
void draw_hull(DrawList& list, const Hull3& hull, const ToWorld& to_world, Color faces, Color edges, float pixels = 1) {
  constexpr double kFlatCosine = 0.9999;
  std::vector<Vec3d> ring;
  for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
    ring.clear();
    for (std::uint32_t i = 0; i < hull.face_degree(f); ++i)
      ring.push_back(to_world(hull.vertices[hull.face_vertex(f, i)]));
    list.polygon(ring, faces);
  }
  for (std::uint32_t e = 0; e < hull.edges.size(); ++e) {
    const HalfEdge& edge = hull.edges[e];
    if (e > edge.twin) continue;
    const bool bent = hull.dimension < 3 ||
                      dot(hull.planes[edge.face].normal, hull.planes[hull.edges[edge.twin].face].normal) < kFlatCosine;
    if (bent)
      list.line(to_world(hull.vertices[edge.origin]), to_world(hull.vertices[hull.destination(e)]), edges, pixels);
  }
}

// A cross where the origin of the difference is
void draw_origin(DrawList& list, const Vec3d& at, double size, bool in_plane);

}  // namespace sudar::lab
