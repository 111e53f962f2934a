#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/compound_manifolds.hpp>
#include <sudar/narrowphase/manifold_choice.hpp>
#include <sudar/narrowphase/manifold_pairs2.hpp>
#include <sudar/narrowphase/manifold_pairs3.hpp>
#include <sudar/narrowphase/manifold_tolerance.hpp>
#include <sudar/narrowphase/part_placement.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>

#include <algorithm>
#include <limits>

namespace sudar {

namespace {

const Compound2& compound_of(const Shape2& shape) { return *shape.as<CompoundShape2>().parts; }
const Compound3& compound_of(const Shape3& shape) { return *shape.as<CompoundShape3>().parts; }

bool holds_point(const Shape2& shape, const Vec2d& p) {
  return intersects(shape, Shape2(PointShape2{p}), Placement2{});
}
bool holds_point(const Shape3& shape, const Vec3d& p) {
  return intersects(shape, Shape3(PointShape3{p}), Placement3{});
}

template <int D>
double least_of(const Manifold<D>& m) {
  double least = m.points[0].separation;
  for (int i = 1; i < m.count; ++i) least = std::min(least, m.points[i].separation);
  return least;
}

// visit(index) for children that may come within the reach
template <int D, class F>
void for_each_near_child(const AnyShape<D>& a, const AnyShape<D>& b, const Placement<D>& a_from_b, double reach,
                         F&& visit) {
  const Aabb<D, double> box = b.is_bounded() ? expand(transform(a_from_b, bounding_box(b)), reach) : bounding_box(b);
  compound_of(a).tree().for_each_overlap(box, visit);
}

// From a child's frame to A's, under the names of the whole, and back from where B was moved to
template <int D>
void place_back(Manifold<D>& m, const Pose<D, double>& a_from_child, std::uint32_t base, const Vec<D, double>& way) {
  m.normal = rotate(a_from_child.rotation, m.normal);
  const double along = dot(m.normal, way);
  for (int i = 0; i < m.count; ++i) {
    ContactPoint<D>& point = m.points[i];
    point.position = transform(a_from_child, point.position) - way * 0.5;
    point.separation -= along;
    point.feature_a.index += base;
  }
}

// Into a patch that faces the same way, or as one of its own
template <int D>
void join(std::vector<PieceManifold<D>>& out, std::size_t first, const Manifold<D>& m) {
  for (std::size_t k = first; k < out.size(); ++k) {
    Manifold<D>& patch = out[k].manifold;
    if (length_squared(patch.normal - m.normal) > kManifoldSamePatch) continue;
    std::array<ContactPoint<D>, 2 * Manifold<D>::kMaxPoints> points;
    std::size_t count = 0;
    const Manifold<D>* const both[] = {&patch, &m};
    for (const Manifold<D>* from : both)
      for (int i = 0; i < from->count; ++i) points[count++] = from->points[i];
    const Vec<D, double> normal = least_of(m) < least_of(patch) ? m.normal : patch.normal;
    patch = choose_points(std::span<const ContactPoint<D>>(points.data(), count), normal);
    return;
  }
  out.push_back({0, m});
}

template <int D>
struct ChildManifold {
  std::uint32_t child;
  Manifold<D> manifold;
};

// The contact leans over what another child covers: seen from the deepest contact, a step aside from its highest point,
// and as far down, is inside of that child. So it is the side of a seam, which nothing can touch.
template <int D, class Compound>
bool at_seam(const Compound& compound, const ChildManifold<D>& x, const Vec<D, double>& up, double step) {
  const Manifold<D>& m = x.manifold;
  const Vec<D, double> lean = m.normal - up * dot(m.normal, up);
  if (!(length_squared(lean) > kNormalLean * kNormalLean)) return false;
  Vec<D, double> highest{};
  for (int i = 0; i < m.count; ++i) {
    const Vec<D, double> at = m.points[i].position - m.normal * (0.5 * m.points[i].separation);
    if (i == 0 || dot(at - highest, up) > 0) highest = at;
  }
  const Vec<D, double> aside = highest + (normalized(lean) - up) * step;
  bool covered = false;
  compound.tree().for_each_overlap(Aabb<D, double>{aside, aside}, [&](std::uint32_t i) {
    const auto& child = compound.children()[i];
    if (i != x.child) covered = covered || holds_point(child.shape, transform(inverse(child.pose), aside));
    return !covered;
  });
  return covered;
}

}  // namespace

template <int D>
bool compound_manifolds(const AnyShape<D>& a, const AnyShape<D>& b, const Placement<D>& a_from_b, double margin,
                        std::vector<PieceManifold<D>>& out) {
  const auto& compound = compound_of(a);
  if (!b.is_bounded()) return false;
  // The deepest child, and the way out of it
  double depth = 0, size = max_abs(a_from_b.translation) + max_abs(extents(bounding_box(b)));
  Vec<D, double> way{};
  bool hit = false, known = true;
  for_each_near_child<D>(a, b, a_from_b, margin, [&](std::uint32_t i) {
    const auto& child = compound.children()[i];
    const DistanceAnswer<D> x = distance(child.shape, b, from_child(child.pose, a_from_b));
    known = known && x.status != QueryStatus::unsupported;
    size = std::max(size, child.shape.is_bounded() ? max_abs(extents(bounding_box(child.shape))) : 0);
    if (!x.hit) return;
    if (!hit || -x.separation > depth) depth = -x.separation, way = rotate(child.pose.rotation, x.normal);
    hit = true;
  });
  if (!known) return false;
  const double hair = kContactHair * size, by = hit ? depth + hair : 0;
  way = way * by;
  const Placement<D> there = moved(a_from_b, way);
  if (hit && intersects(a, b, there)) return false;

  // The manifolds there, measured here
  const std::size_t first = out.size();
  std::vector<PieceManifold<D>> found;
  std::vector<ChildManifold<D>> all;
  const double reach = margin + by + hair;
  for_each_near_child<D>(a, b, there, reach, [&](std::uint32_t i) {
    const auto& child = compound.children()[i];
    found.clear();
    append_manifolds(child.shape, b, from_child(child.pose, there), reach, nullptr, found);
    for (PieceManifold<D>& piece : found) {
      Manifold<D>& m = piece.manifold;
      place_back<D>(m, child.pose, compound.feature_base(i), way);
      int kept = 0;
      for (int k = 0; k < m.count; ++k)
        if (m.points[k].separation <= margin) m.points[kept++] = m.points[k];
      m.count = kept;
      if (kept > 0) all.push_back({i, m});
    }
  });
  if (!all.empty()) {
    const Manifold<D> deepest =
        std::min_element(all.begin(), all.end(), [](const ChildManifold<D>& p, const ChildManifold<D>& q) {
          return least_of(p.manifold) < least_of(q.manifold);
        })->manifold;
    for (const ChildManifold<D>& x : all)
      if (!at_seam<D>(compound, x, deepest.normal, kSeamStep * size)) join<D>(out, first, x.manifold);
  }
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
  std::stable_sort(begin, out.end(), [](const PieceManifold<D>& p, const PieceManifold<D>& q) {
    return least_of(p.manifold) < least_of(q.manifold);
  });
  if (out.size() > first + kMostPatches) out.resize(first + kMostPatches);
  for (std::size_t k = first; k < out.size(); ++k) out[k].patch = static_cast<std::uint32_t>(k - first);
  // A hit is never without a point that touches
  if (!hit || (out.size() > first && least_of(out[first].manifold) <= 0)) return true;
  out.resize(first);
  return false;
}

template <int D>
void swap_manifolds(std::vector<PieceManifold<D>>& manifolds, std::size_t first, const Placement<D>& a_from_b) {
  for (std::size_t k = first; k < manifolds.size(); ++k) {
    Manifold<D>& m = manifolds[k].manifold;
    m.normal = -turn(a_from_b, m.normal);
    for (int i = 0; i < m.count; ++i) {
      m.points[i].position = transform(a_from_b, m.points[i].position);
      std::swap(m.points[i].feature_a, m.points[i].feature_b);
    }
  }
}

template bool compound_manifolds<2>(const Shape2&, const Shape2&, const Placement2&, double,
                                    std::vector<PieceManifold<2>>&);
template bool compound_manifolds<3>(const Shape3&, const Shape3&, const Placement3&, double,
                                    std::vector<PieceManifold<3>>&);
template void swap_manifolds<2>(std::vector<PieceManifold<2>>&, std::size_t, const Placement2&);
template void swap_manifolds<3>(std::vector<PieceManifold<3>>&, std::size_t, const Placement3&);

}  // namespace sudar
