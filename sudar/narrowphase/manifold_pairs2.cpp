#include <sudar/narrowphase/manifold.hpp>
#include <sudar/narrowphase/manifold_pairs2.hpp>
#include <sudar/narrowphase/part_contacts.hpp>

namespace sudar {

void append_manifolds_plain(const Shape2& a, const Shape2& b, const Placement2& a_from_b, double margin,
                            std::vector<PieceManifold<2>>& out) {
  margin = margin > 0 ? margin : 0;
  if (a.is_convex() && b.is_convex()) {
    const ContactSet2 set = contacts(a, b, a_from_b, margin);
    if (!set.points.empty()) out.push_back({0, reduce(set)});
    return;
  }
  std::uint32_t patch = 0;
  for (const ContactSet2& set : contact_patches<2>(a, b, a_from_b, distance(a, b, a_from_b), margin))
    out.push_back({patch++, reduce(set)});
}

void append_manifolds(const Shape2& a, const Shape2& b, const Placement2& a_from_b, double margin, QueryCache2* cache,
                      std::vector<PieceManifold<2>>& out) {
  static_cast<void>(cache);
  append_manifolds_plain(a, b, a_from_b, margin, out);
}

}  // namespace sudar
