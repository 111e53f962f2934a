#include <sudar/narrowphase/chain_manifolds2.hpp>
#include <sudar/narrowphase/compound_manifolds.hpp>
#include <sudar/narrowphase/far_pair.hpp>
#include <sudar/narrowphase/manifold.hpp>
#include <sudar/narrowphase/manifold_clip2.hpp>
#include <sudar/narrowphase/manifold_pairs2.hpp>
#include <sudar/narrowphase/part_contacts.hpp>

namespace sudar {

namespace {

using K = ShapeKind2;

// False where the plain version is asked for
bool part_manifolds(const Shape2& a, const Shape2& b, const Placement2& a_from_b, double margin,
                    std::vector<PieceManifold<2>>& out) {
  if (is_far(a_from_b)) return false;
  const auto by_a = [&](const Shape2& first, const Shape2& second, const Placement2& place, bool& done) {
    done = first.kind() == K::compound || (first.kind() == K::chain && second.is_convex() && second.is_bounded());
    if (!done) return false;
    return first.kind() == K::compound ? compound_manifolds<2>(first, second, place, margin, out)
                                       : chain_manifolds2(first, second, place, margin, out);
  };
  // The method is that of the outer parts
  bool done = false;
  if (a.kind() >= b.kind()) {
    const bool found = by_a(a, b, a_from_b, done);
    if (done) return found;
  }
  const std::size_t first = out.size();
  if (!by_a(b, a, inverse(a_from_b), done)) return false;
  swap_manifolds<2>(out, first, a_from_b);
  return true;
}

}  // namespace

void append_manifolds_plain(const Shape2& a, const Shape2& b, const Placement2& a_from_b, double margin,
                            std::vector<PieceManifold<2>>& out) {
  margin = margin > 0 ? margin : 0;
  if (a.is_convex() && b.is_convex()) {
    const ContactSet2 set = contacts(a, b, a_from_b, margin);
    if (!set.points.empty()) out.push_back({0, reduce(set)});
    return;
  }
  const DistanceAnswer2 decision = distance(a, b, a_from_b);
  const std::vector<ContactSet2> patches = contact_patches<2>(a, b, a_from_b, decision, margin);
  std::uint32_t patch = 0;
  // Pieces that lose each other on the way out and back: the decision's own point
  if (decision.hit && !patches.empty() && !(patches[0].separation <= 0)) {
    PieceManifold<2> own;
    own.manifold.normal = decision.normal;
    own.manifold.count = 1;
    const Feature somewhere{FeatureKind::face, 0};
    own.manifold.points[0] = {(decision.point_a + decision.point_b) * 0.5, decision.separation, somewhere, somewhere};
    own.patch = patch++;
    out.push_back(own);
  }
  for (const ContactSet2& set : patches)
    if (patch < kMostPatches) out.push_back({patch++, reduce(set)});
}

void append_manifolds(const Shape2& a, const Shape2& b, const Placement2& a_from_b, double margin, QueryCache2* cache,
                      std::vector<PieceManifold<2>>& out) {
  margin = margin > 0 ? margin : 0;
  if (!a.is_convex() || !b.is_convex()) {
    if (!part_manifolds(a, b, a_from_b, margin, out)) append_manifolds_plain(a, b, a_from_b, margin, out);
    return;
  }
  PieceManifold<2> found;
  if (clip_manifold2(a, b, a_from_b, distance(a, b, a_from_b, cache), margin, found.manifold)) out.push_back(found);
}

}  // namespace sudar
