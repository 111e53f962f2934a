#include <sudar/narrowphase/manifold.hpp>
#include <sudar/narrowphase/manifold_pairs3.hpp>
#include <sudar/narrowphase/part_contacts.hpp>

namespace sudar {

void append_manifolds_plain(const Shape3& a, const Shape3& b, const Placement3& a_from_b, double margin,
                            std::vector<PieceManifold<3>>& out) {
  margin = margin > 0 ? margin : 0;
  if (a.is_convex() && b.is_convex()) {
    const ContactSet3 set = contacts(a, b, a_from_b, margin);
    if (!set.points.empty()) out.push_back({0, reduce(set)});
    return;
  }
  std::uint32_t patch = 0;
  for (const ContactSet3& set : contact_patches<3>(a, b, a_from_b, distance(a, b, a_from_b), margin))
    out.push_back({patch++, reduce(set)});
}

void append_manifolds(const Shape3& a, const Shape3& b, const Placement3& a_from_b, double margin, QueryCache3* cache,
                      std::vector<PieceManifold<3>>& out) {
  static_cast<void>(cache);
  append_manifolds_plain(a, b, a_from_b, margin, out);
}

}  // namespace sudar
