#include <sudar/narrowphase/box_manifold3.hpp>
#include <sudar/narrowphase/compound_manifolds.hpp>
#include <sudar/narrowphase/far_pair.hpp>
#include <sudar/narrowphase/manifold.hpp>
#include <sudar/narrowphase/manifold_clip3.hpp>
#include <sudar/narrowphase/manifold_pairs3.hpp>
#include <sudar/narrowphase/part_contacts.hpp>
#include <sudar/narrowphase/surface_manifolds3.hpp>

namespace sudar {

namespace {

using K = ShapeKind3;

// What a ball touches, in the frame of the other shape
bool touched_by_ball(const Shape3& other, const Vec3d& at, Feature& out) {
  switch (other.kind()) {
    case K::sphere:
    case K::halfspace:
      out = {FeatureKind::face, 0};
      return true;
    case K::box:
      out = box_feature3(at, other.as<BoxShape3>().half);
      return true;
    case K::capsule: {
      const CapsuleShape3& s = other.as<CapsuleShape3>();
      const double t = dot(at - s.p, s.q - s.p);
      if (t <= 0)
        out = {FeatureKind::vertex, 0};
      else if (t >= length_squared(s.q - s.p))
        out = {FeatureKind::vertex, 1};
      else
        out = {FeatureKind::edge, 0};
      return true;
    }
    default:
      return false;
  }
}

// One point: that of the decision
bool ball_manifold(const Shape3& a, const Shape3& b, const Placement3& a_from_b, const DistanceAnswer3& x,
                   Manifold3& out) {
  Feature feature_a{FeatureKind::face, 0}, feature_b = feature_a;
  if (a.kind() == K::sphere) {
    if (!touched_by_ball(b, to_b(a_from_b, x.point_b - (a_from_b.translation + a_from_b.rest)), feature_b))
      return false;
  } else if (!touched_by_ball(a, x.point_a, feature_a)) {
    return false;
  }
  out.normal = x.normal;
  out.points[0] = {(x.point_a + x.point_b) * 0.5, x.separation, feature_a, feature_b};
  out.count = 1;
  return true;
}

bool convex_manifold(const Shape3& a, const Shape3& b, const Placement3& a_from_b, double margin, QueryCache3* cache,
                     Manifold3& out) {
  if (a.kind() == K::box && b.kind() == K::box && !is_far(a_from_b))
    return box_manifold3(a.as<BoxShape3>().half, b.as<BoxShape3>().half, a_from_b, margin, out);
  const DistanceAnswer3 x = distance(a, b, a_from_b, cache);
  if (x.status == QueryStatus::unsupported || !(x.separation <= margin)) return false;
  if ((a.kind() == K::sphere || b.kind() == K::sphere) && ball_manifold(a, b, a_from_b, x, out)) return true;
  if (a.kind() == K::halfspace && b.kind() == K::box) {
    out = box_plane_manifold3(b.as<BoxShape3>().half, to_b(a_from_b, a.as<HalfSpaceShape3>().normal), x, margin, true,
                              a_from_b);
    return true;
  }
  if (b.kind() == K::halfspace && a.kind() == K::box) {
    out = box_plane_manifold3(a.as<BoxShape3>().half, -x.normal, x, margin, false, a_from_b);
    return true;
  }
  return clip_manifold3(a, b, a_from_b, x, margin, out);
}

bool is_ground(const Shape3& shape) { return shape.kind() == K::mesh || shape.kind() == K::height_field; }

// False where the plain version is asked for
bool part_manifolds(const Shape3& a, const Shape3& b, const Placement3& a_from_b, double margin,
                    std::vector<PieceManifold<3>>& out) {
  if (is_far(a_from_b)) return false;
  const auto by_a = [&](const Shape3& first, const Shape3& second, const Placement3& place, bool& done) {
    done = first.kind() == K::compound || (is_ground(first) && second.is_convex() && second.is_bounded());
    if (!done) return false;
    return first.kind() == K::compound ? compound_manifolds<3>(first, second, place, margin, out)
                                       : surface_manifolds3(first, second, place, margin, out);
  };
  // The method is that of the outer parts
  bool done = false;
  if (a.kind() >= b.kind()) {
    const bool found = by_a(a, b, a_from_b, done);
    if (done) return found;
  }
  const std::size_t first = out.size();
  if (!by_a(b, a, inverse(a_from_b), done)) return false;
  swap_manifolds<3>(out, first, a_from_b);
  return true;
}

}  // namespace

void append_manifolds_plain(const Shape3& a, const Shape3& b, const Placement3& a_from_b, double margin,
                            std::vector<PieceManifold<3>>& out) {
  margin = margin > 0 ? margin : 0;
  if (a.is_convex() && b.is_convex()) {
    const ContactSet3 set = contacts(a, b, a_from_b, margin);
    if (!set.points.empty()) out.push_back({0, reduce(set)});
    return;
  }
  const DistanceAnswer3 decision = distance(a, b, a_from_b);
  const std::vector<ContactSet3> patches = contact_patches<3>(a, b, a_from_b, decision, margin);
  std::uint32_t patch = 0;
  // Pieces that lose each other on the way out and back: the decision's own point
  if (decision.hit && !patches.empty() && !(patches[0].separation <= 0)) {
    PieceManifold<3> own;
    own.manifold.normal = decision.normal;
    own.manifold.count = 1;
    const Feature somewhere{FeatureKind::face, 0};
    own.manifold.points[0] = {(decision.point_a + decision.point_b) * 0.5, decision.separation, somewhere, somewhere};
    own.patch = patch++;
    out.push_back(own);
  }
  for (const ContactSet3& set : patches)
    if (patch < kMostPatches) out.push_back({patch++, reduce(set)});
}

void append_manifolds(const Shape3& a, const Shape3& b, const Placement3& a_from_b, double margin, QueryCache3* cache,
                      std::vector<PieceManifold<3>>& out) {
  margin = margin > 0 ? margin : 0;
  if (!a.is_convex() || !b.is_convex()) {
    if (!part_manifolds(a, b, a_from_b, margin, out)) append_manifolds_plain(a, b, a_from_b, margin, out);
    return;
  }
  out.emplace_back();
  if (!convex_manifold(a, b, a_from_b, margin, cache, out.back().manifold)) out.pop_back();
}

}  // namespace sudar
