// What:    Two shapes of any kind as pairs of convex pieces: children of compounds, triangles of meshes and height fields,
//          edges of chains, convex parts of polygons. What the depth of unions and the contacts of parts are made of.
// Differs: The features of a piece are named so that no two pieces of a shape have a name in common, and names stay from
//          step to step: triangles name the vertices, edges and faces of their mesh, children count on from the child
//          before them (feature_span).
// Frame:   Of a pair, that of A's piece; `whole_from_a` takes it to A's.
// Fails:   never; a visitor may throw bad_alloc.
#pragma once

#include <sudar/narrowphase/contact.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/shapes/shape2.hpp>
#include <sudar/shapes/shape3.hpp>

#include <optional>

namespace sudar {

// Where a piece comes from, and what its features are called in the whole shape
struct PieceName2 {
  std::uint32_t base = 0;                // the first number of the piece's shape
  std::uint32_t edge = 0, vertices = 0;  // of a chain: which edge it is, and of how many vertices; otherwise 0 vertices

  // Chains: vertices as theirs, edges by edge and side
  Feature of_whole(const Feature& feature) const;
};
struct PieceName3 {
  std::uint32_t base = 0;
  const TriangleMesh* mesh = nullptr;  // or
  const HeightField* field = nullptr;  // or a shape of its own
  std::uint32_t triangle = 0;

  bool is_triangle() const { return mesh != nullptr || field != nullptr; }
  // The third corner of the triangle across edge k, if there is one
  std::optional<Vec3d> opposite(int k) const;
  // Meshes: vertices as theirs, edges by the lower half-edge of the two, faces by triangle. Fields: vertices by row and
  // column, edges along x, along y and across after each other.
  Feature of_whole(const Feature& feature) const;
};

template <int D>
using AnyShape = std::conditional_t<D == 2, Shape2, Shape3>;

template <int D>
struct PiecePair {
  const AnyShape<D>&a, &b;  // convex
  Placement<D> a_from_b;
  Pose<D, double> whole_from_a;
  std::conditional_t<D == 2, PieceName2, PieceName3> name_a, name_b;
  const DistanceAnswer<D>* known = nullptr;  // their distance, where the walk has it
};

template <int D>
class PieceVisitor {
 public:
  virtual ~PieceVisitor() = default;
  // Pieces that are certainly farther apart are left out; asked again and again
  virtual double reach() const = 0;
  // false ends the walk
  virtual bool visit(const PiecePair<D>& pair) = 0;
};

void for_each_piece_pair(const Shape2& a, const Shape2& b, const Placement2& a_from_b, PieceVisitor<2>& visitor);
void for_each_piece_pair(const Shape3& a, const Shape3& b, const Placement3& a_from_b, PieceVisitor<3>& visitor);

}  // namespace sudar
