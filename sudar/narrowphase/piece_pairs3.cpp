#include <sudar/narrowphase/mesh_near.hpp>
#include <sudar/narrowphase/part_placement.hpp>
#include <sudar/narrowphase/piece_pairs.hpp>
#include <sudar/narrowphase/surface_view.hpp>
#include <sudar/shapes/compound3.hpp>

#include <algorithm>

namespace sudar {

namespace {

using K = ShapeKind3;

bool is_surface(const Shape3& shape) { return shape.kind() == K::mesh || shape.kind() == K::height_field; }

// What both walks down to the pieces carry along
struct Walk {
  PieceVisitor<3>& visitor;
  Pose3d whole_from_a;

  // A box around the second shape in the first one's frame, as far as the visitor reaches
  Aabb3d reach_of(const Shape3& shape, const Placement3& here_from_shape) const {
    if (!shape.is_bounded()) return bounding_box(shape);
    return expand(transform(here_from_shape, bounding_box(shape)), std::max(0.0, visitor.reach()));
  }
};

// visit(triangle as a shape, its name) for triangles near a box
template <class F>
bool for_each_triangle(const Shape3& surface, std::uint32_t base, const Aabb3d& box, F&& visit) {
  bool go_on = true;
  const auto one = [&](const auto& of, std::uint32_t t, PieceName3 name) {
    const Triangle<3, double> x = of.triangle(t);
    name.triangle = t;
    return go_on = visit(Shape3(TriangleShape3{{x.a, x.b, x.c}}), name);
  };
  if (surface.kind() == K::mesh) {
    const TriangleMesh& mesh = *surface.as<MeshShape3>().mesh;
    for_each_overlap(mesh.tree(), box, [&](std::uint32_t t) { return one(mesh, t, {base, &mesh}); });
  } else {
    const HeightField& field = *surface.as<HeightFieldShape3>().field;
    field.for_each_overlap(box, [&](std::uint32_t t) { return one(field, t, {base, nullptr, &field}); });
  }
  return go_on;
}

// Both are convex or surfaces
bool walk_leaves(const Shape3& a, std::uint32_t base_a, const Shape3& b, std::uint32_t base_b,
                 const Placement3& a_from_b, const Walk& walk) {
  if (a.kind() == K::mesh && b.kind() == K::mesh) {
    const TriangleMesh &x = *a.as<MeshShape3>().mesh, &y = *b.as<MeshShape3>().mesh;
    bool go_on = true;
    for_each_near_pair(
        x, y, a_from_b, [&] { return walk.visitor.reach(); },
        [&](std::uint32_t s, std::uint32_t t, const DistanceAnswer3& known) {
          const Triangle<3, double> p = x.triangle(s), q = y.triangle(t);
          const Shape3 piece_a(TriangleShape3{{p.a, p.b, p.c}}), piece_b(TriangleShape3{{q.a, q.b, q.c}});
          // What may touch is for the exact test
          return go_on = walk.visitor.visit({piece_a,
                                             piece_b,
                                             a_from_b,
                                             walk.whole_from_a,
                                             {base_a, &x, nullptr, s},
                                             {base_b, &y, nullptr, t},
                                             known.hit ? nullptr : &known});
        });
    return go_on;
  }
  const PieceName3 own_a{base_a}, own_b{base_b};
  const auto against = [&](const Shape3& piece_b, const PieceName3& name_b) {
    if (!is_surface(a)) return walk.visitor.visit({a, piece_b, a_from_b, walk.whole_from_a, own_a, name_b});
    return for_each_triangle(a, base_a, walk.reach_of(piece_b, a_from_b), [&](const Shape3& t, const PieceName3& name) {
      return walk.visitor.visit({t, piece_b, a_from_b, walk.whole_from_a, name, name_b});
    });
  };
  if (!is_surface(b)) return against(b, own_b);
  return for_each_triangle(b, base_b, walk.reach_of(a, inverse(a_from_b)), against);
}

bool walk_down(const Shape3& a, std::uint32_t base_a, const Shape3& b, std::uint32_t base_b, const Placement3& a_from_b,
               const Walk& walk) {
  bool go_on = true;
  if (a.kind() == K::compound) {
    const Compound3& compound = *a.as<CompoundShape3>().parts;
    compound.tree().for_each_overlap(walk.reach_of(b, a_from_b), [&](std::uint32_t i) {
      const CompoundChild3& child = compound.children()[i];
      return go_on = walk_down(child.shape, base_a + compound.feature_base(i), b, base_b,
                               from_child(child.pose, a_from_b), {walk.visitor, walk.whole_from_a * child.pose});
    });
    return go_on;
  }
  if (b.kind() == K::compound) {
    const Compound3& compound = *b.as<CompoundShape3>().parts;
    compound.tree().for_each_overlap(walk.reach_of(a, inverse(a_from_b)), [&](std::uint32_t i) {
      const CompoundChild3& child = compound.children()[i];
      return go_on = walk_down(a, base_a, child.shape, base_b + compound.feature_base(i),
                               to_child(a_from_b, child.pose), walk);
    });
    return go_on;
  }
  return walk_leaves(a, base_a, b, base_b, a_from_b, walk);
}

}  // namespace

std::optional<Vec3d> PieceName3::opposite(int k) const {
  if (mesh != nullptr) return MeshSurface{*mesh}.opposite(triangle, k);
  if (field != nullptr) return FieldSurface{*field}.opposite(triangle, k);
  return std::nullopt;
}

Feature PieceName3::of_whole(const Feature& feature) const {
  if (!is_triangle()) return {feature.kind, base + feature.index};
  if (feature.kind == FeatureKind::face || feature.kind == FeatureKind::inside)
    return {FeatureKind::face, base + triangle};
  const std::uint32_t k = feature.index % 3;
  if (mesh != nullptr) {
    if (feature.kind == FeatureKind::vertex) return {feature.kind, base + mesh->mesh().triangles[triangle][k]};
    const std::uint32_t edge = 3 * triangle + k;
    return {feature.kind, base + std::min(edge, mesh->twin(edge))};
  }
  // Corner (i, j) of the cell, and which of its three kinds of edges starts there
  const std::uint32_t cell = triangle / 2, columns = field->columns();
  const std::uint32_t i = cell % (columns - 1), j = cell / (columns - 1), all = columns * field->rows();
  const auto at = [&](std::uint32_t x, std::uint32_t y) { return (j + y) * columns + i + x; };
  const bool upper = triangle % 2 != 0;
  if (feature.kind == FeatureKind::vertex) {
    const std::uint32_t corner[2][3] = {{at(0, 0), at(1, 0), at(1, 1)}, {at(0, 0), at(1, 1), at(0, 1)}};
    return {feature.kind, base + corner[upper ? 1 : 0][k]};
  }
  const std::uint32_t edge[2][3] = {{at(0, 0), all + at(1, 0), 2 * all + at(0, 0)},
                                    {2 * all + at(0, 0), at(0, 1), all + at(0, 0)}};
  return {feature.kind, base + edge[upper ? 1 : 0][k]};
}

void for_each_piece_pair(const Shape3& a, const Shape3& b, const Placement3& a_from_b, PieceVisitor<3>& visitor) {
  walk_down(a, 0, b, 0, a_from_b, {visitor, Pose3d{}});
}

}  // namespace sudar
