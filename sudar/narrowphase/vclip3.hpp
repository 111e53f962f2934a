// What:    Closest features of two convex polyhedra by a walk over pairs of features: from each pair to a neighbour that
//          is nearer, until each closest point lies in the Voronoi region of the other's feature.
// Source:  Lin and Canny, "A fast algorithm for incremental distance calculation", 1991; Mirtich, "V-Clip: fast and robust
//          polyhedral collision detection", 1998; seed B8.
// Differs: Mirtich clips edges against Voronoi planes to find the neighbour that is nearer; here the neighbours (the edges
//          at a vertex, the faces at an edge) are measured and the nearest taken: the same states (vertex–vertex,
//          vertex–edge, edge–edge, vertex–face, edge–face) and the same proof of the end, with fewer cases. A point
//          behind a face leads to the face it is farthest in front of, as there, and so does any pair that has no nearer
//          neighbour and lacks that proof (VClip3.IsNotLedAstrayByParallelFaces); the number of such escapes is bounded.
// Frame:   A's. Cores only: radii are left out. Feature numbering: Hull3's (polytope_view3.hpp), an edge is named by the
//          lower of its half-edges.
// Fails:   never; says `unclear` when the escapes run out, or when rounding cannot tell touching from not. For pairs that
//          overlap there is no depth: ask EPA.
#pragma once

#include <sudar/core/trace.hpp>
#include <sudar/geom/feature.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/narrowphase/polytope_view3.hpp>

#include <vector>

namespace sudar {

// A polytope with what the walk needs. The shape must outlive it.
class SUDAR_API VClipBody3 {
 public:
  // Throws bad_alloc like a vector
  explicit VClipBody3(const Shape3& shape);

  const PolytopeView3& view() const { return view_; }
  // A half-edge that leaves the vertex; none for a single point
  bool has_edges() const { return !vertex_edge_.empty(); }
  std::uint32_t vertex_edge(std::uint32_t v) const { return vertex_edge_[v]; }

 private:
  PolytopeView3 view_;
  std::vector<std::uint32_t> vertex_edge_;
};

enum class VClipOutcome : std::uint8_t { apart, overlap, unclear };

struct VClip3 {
  VClipOutcome outcome = VClipOutcome::unclear;
  Feature a, b;                // the closest features: give them to the next query
  Vec3d point_a{}, point_b{};  // in A's frame
  double distance = 0;         // apart; 0 when the features meet
  int steps = 0;               // pairs of features visited
};

// From the features of the last query, or any. Trace steps: "pair" (ids: kind and index of both; numbers:
// the closest points; value: distance),
// "escape" (ids: the face), "apart", "overlap", "unclear" (value: distance).
template <class Trace = NoTrace>
VClip3 vclip3(const VClipBody3& a, const VClipBody3& b, const Placement3& a_from_b, Feature hint_a = {},
              Feature hint_b = {}, Trace trace = {});

extern template SUDAR_API VClip3 vclip3<NoTrace>(const VClipBody3&, const VClipBody3&, const Placement3&, Feature,
                                                 Feature, NoTrace);
extern template SUDAR_API VClip3 vclip3<TraceTo>(const VClipBody3&, const VClipBody3&, const Placement3&, Feature,
                                                 Feature, TraceTo);

}  // namespace sudar
