#include <sudar/geom/closest.hpp>
#include <sudar/geom/hull2.hpp>
#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/contact_set2.hpp>
#include <sudar/narrowphase/contact_set3.hpp>
#include <sudar/narrowphase/internal_edges.hpp>
#include <sudar/narrowphase/part_contacts.hpp>
#include <sudar/narrowphase/part_placement.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

namespace {

// More contacts than this say no more about where two bodies touch
constexpr std::size_t kMostSets = 1024;

ContactSet2 set_of(const PiecePair<2>& pair, const DistanceAnswer2& x, double margin) {
  return contact_set2(pair.a, pair.b, pair.a_from_b, x, margin);
}
ContactSet3 set_of(const PiecePair<3>& pair, DistanceAnswer3 x, double margin) {
  const Vec3d own = x.normal;
  // Normals at internal edges of the surface that is touched
  const auto correct = [](const Shape3& shape, const PieceName3& name, const Vec3d& touched, const Vec3d& normal) {
    const TriangleShape3& t = shape.as<TriangleShape3>();
    const Triangle<3, double> corners{t.v[0], t.v[1], t.v[2]};
    const TriangleFeature feature = closest_point(corners, touched).feature;
    return corrected_normal(corners, feature, normal, [&](int k) { return name.opposite(k); });
  };
  if (pair.name_a.is_triangle() && !pair.name_b.is_triangle())
    x.normal = correct(pair.a, pair.name_a, x.point_a, x.normal);
  if (pair.name_b.is_triangle() && !pair.name_a.is_triangle()) {
    const Vec3d touched = to_b(pair.a_from_b, x.point_b - pair.a_from_b.translation);
    x.normal = turn(pair.a_from_b, -correct(pair.b, pair.name_b, touched, -to_b(pair.a_from_b, x.normal)));
  }
  ContactSet3 set = contact_set3(pair.a, pair.b, pair.a_from_b, x, margin);
  // Beside a triangle, over its neighbour: what is touched is the neighbour
  if (set.points.size() == 1 && length(x.normal - own) > kNormalLean) set.kind = ContactKind::none;
  return set;
}

// The contact sets of all pieces that come within the reach, in A's frame
template <int D>
class Gather final : public PieceVisitor<D> {
 public:
  explicit Gather(double reach) : reach_(reach) {}
  std::vector<ContactSet<D>> sets;

  double reach() const override { return reach_; }
  bool visit(const PiecePair<D>& pair) override {
    const DistanceAnswer<D> x = pair.known != nullptr ? *pair.known : distance(pair.a, pair.b, pair.a_from_b);
    if (!(x.separation <= reach_)) return true;
    ContactSet<D> set = set_of(pair, x, reach_);
    if (set.kind == ContactKind::none) return true;
    for (ContactPoint<D>& point : set.points) {
      point.feature_a = pair.name_a.of_whole(point.feature_a);
      point.feature_b = pair.name_b.of_whole(point.feature_b);
    }
    sets.push_back(placed(std::move(set), pair.whole_from_a));
    return sets.size() < kMostSets;
  }

 private:
  double reach_;
};

// The sets found with B moved out of A, measured where B is
template <int D>
struct MovedContacts {
  std::vector<ContactSet<D>> sets;
  double touching = 0;  // what touches when B is out has a separation of at most this then
  double out = 0;       // how far B was moved
};
template <int D>
MovedContacts<D> moved_contacts(const AnyShape<D>& a, const AnyShape<D>& b, const Placement<D>& a_from_b,
                                const DistanceAnswer<D>& decision, double margin) {
  MovedContacts<D> result;
  const double depth = std::max(0.0, -decision.separation);
  double size = max_abs(a_from_b.translation) + depth;
  for (const AnyShape<D>* shape : {&a, &b})
    if (shape->is_bounded()) size = std::max(size, max_abs(extents(bounding_box(*shape))));
  const double hair = kContactHair * size;
  result.out = decision.hit ? depth + hair : 0;
  result.touching = 4 * hair;
  double reach = std::max(margin, 0.0) + result.out + hair;
  Gather<D> gather(reach);
  const Placement<D> there = moved(a_from_b, decision.normal * result.out);
  for_each_piece_pair(a, b, there, gather);
  // Too many to be of use: the nearest
  for (int narrower = 0; gather.sets.size() >= kMostSets && narrower < 16; ++narrower) {
    reach = std::max(reach / 4, 2 * hair);
    gather = Gather<D>(reach);
    for_each_piece_pair(a, b, there, gather);
  }
  result.sets = std::move(gather.sets);
  return result;
}
template <int D>
void move_back(ContactSet<D>& set, const Vec<D, double>& way) {
  const double along = dot(set.normal, way);
  set.separation -= along;
  for (ContactPoint<D>& point : set.points) {
    point.separation -= along;
    point.position -= way * 0.5;
  }
}

// A contact without features, where nothing else is known
template <int D>
ContactPoint<D> point_from(const DistanceAnswer<D>& x) {
  ContactPoint<D> point;
  point.position = (x.point_a + x.point_b) * 0.5;
  point.separation = x.separation;
  point.feature_a = point.feature_b = {FeatureKind::face, 0};
  return point;
}
template <int D>
void name_kind(ContactSet<D>& set) {
  set.kind = set.points.empty()       ? ContactKind::none
             : set.points.size() == 1 ? ContactKind::point
             : set.points.size() == 2 ? ContactKind::segment
                                      : ContactKind::polygon;
}
template <int D>
std::size_t deepest_of(const ContactSet<D>& set) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < set.points.size(); ++i)
    if (set.points[i].separation < set.points[best].separation) best = i;
  return best;
}
// Points that neighbours share are one
template <int D>
void merge_points(ContactSet<D>& set) {
  constexpr std::size_t kMost = 512;
  if (set.points.size() > kMost) return;
  double size = 0;
  for (const auto& point : set.points) size = std::max(size, length(point.position - set.points[0].position));
  const double close = 4 * kContactMerge * size;
  std::vector<ContactPoint<D>> kept;
  for (const ContactPoint<D>& point : set.points) {
    auto twin = std::find_if(kept.begin(), kept.end(), [&](const ContactPoint<D>& other) {
      return distance(other.position, point.position) <= close;
    });
    if (twin == kept.end())
      kept.push_back(point);
    else if (point.separation < twin->separation)
      *twin = point;
  }
  set.points = std::move(kept);
}
template <int D>
bool same_direction(const Vec<D, double>& u, const Vec<D, double>& v) {
  return length_squared(u - v) <= kContactTilt * kContactTilt;
}

}  // namespace

void keep_outline(ContactSet2& set) {
  if (set.points.size() < 2) return name_kind(set);
  const Vec2d along = perp(set.normal);
  std::size_t lo = 0, hi = 0;
  for (std::size_t i = 1; i < set.points.size(); ++i) {
    const double t = dot(along, set.points[i].position);
    if (t < dot(along, set.points[lo].position)) lo = i;
    if (t > dot(along, set.points[hi].position)) hi = i;
  }
  const std::size_t deep = deepest_of(set);
  std::vector<ContactPoint<2>> kept = {set.points[lo]};
  if (hi != lo && !(set.points[lo].position == set.points[hi].position)) kept.push_back(set.points[hi]);
  // A third point only where it is deeper than both ends
  const auto reached = [&](const ContactPoint<2>& p) { return p.separation <= set.points[deep].separation; };
  if (std::none_of(kept.begin(), kept.end(), reached)) kept.push_back(set.points[deep]);
  set.points = std::move(kept);
  set.kind = set.points.size() == 1 ? ContactKind::point : ContactKind::segment;
}

void keep_outline(ContactSet3& set) {
  if (set.points.size() < 2) return name_kind(set);
  Vec3d u, v;
  make_frame(set.normal, u, v);
  std::vector<Vec2d> flat;
  for (const ContactPoint<3>& point : set.points) flat.push_back({dot(u, point.position), dot(v, point.position)});
  const auto hull = convex_hull2(flat);
  if (!hull) return;
  const std::size_t deep = deepest_of(set);
  std::vector<ContactPoint<3>> kept;
  bool reached = false;
  for (const std::uint32_t i : *hull) {
    kept.push_back(set.points[i]);
    reached = reached || set.points[i].separation <= set.points[deep].separation;
  }
  if (!reached) kept.push_back(set.points[deep]);
  set.points = std::move(kept);
  name_kind(set);
}

template <int D>
ContactSet<D> part_contacts(const AnyShape<D>& a, const AnyShape<D>& b, const Placement<D>& a_from_b,
                            const DistanceAnswer<D>& decision, double margin) {
  ContactSet<D> out;
  out.normal = decision.normal;
  out.separation = decision.separation;
  out.status = decision.status;
  if (decision.status == QueryStatus::unsupported || (!decision.hit && decision.separation > margin)) return out;
  MovedContacts<D> found = moved_contacts<D>(a, b, a_from_b, decision, margin);
  const Vec<D, double> way = decision.normal * found.out;
  for (ContactSet<D>& set : found.sets) {
    if (!same_direction<D>(set.normal, decision.normal)) continue;
    move_back(set, way);
    out.points.insert(out.points.end(), set.points.begin(), set.points.end());
  }
  // Held between pieces none of which faces the way out: where they touch then
  if (out.points.empty())
    for (ContactSet<D>& set : found.sets)
      if (decision.hit && set.separation <= found.touching)
        for (ContactPoint<D>& point : set.points) {
          if (point.separation > found.touching) continue;
          point.position -= way * 0.5;
          point.separation = decision.separation;
          out.points.push_back(point);
        }
  // One decision: the deepest point is as deep as the shapes, up to the rounding of where B was moved to and back
  double least = std::numeric_limits<double>::infinity();
  for (const ContactPoint<D>& point : out.points) least = std::min(least, point.separation);
  if (!(least <= decision.separation + 2 * found.touching)) out.points.push_back(point_from(decision));
  for (ContactPoint<D>& point : out.points) point.separation = std::max(point.separation, decision.separation);
  merge_points(out);
  keep_outline(out);
  return out;
}

template <int D>
std::vector<ContactSet<D>> contact_patches(const AnyShape<D>& a, const AnyShape<D>& b, const Placement<D>& a_from_b,
                                           const DistanceAnswer<D>& decision, double margin) {
  std::vector<ContactSet<D>> out;
  if (decision.status == QueryStatus::unsupported || (!decision.hit && decision.separation > margin)) return out;
  MovedContacts<D> found = moved_contacts<D>(a, b, a_from_b, decision, margin);
  const Vec<D, double> way = decision.normal * found.out;
  for (ContactSet<D>& set : found.sets) move_back(set, way);
  std::stable_sort(found.sets.begin(), found.sets.end(),
                   [](const ContactSet<D>& p, const ContactSet<D>& q) { return p.separation < q.separation; });
  for (const ContactSet<D>& set : found.sets) {
    if (set.separation > margin) continue;
    auto patch = std::find_if(out.begin(), out.end(),
                              [&](const ContactSet<D>& p) { return same_direction<D>(p.normal, set.normal); });
    if (patch == out.end()) {
      out.push_back(set);
    } else {
      patch->points.insert(patch->points.end(), set.points.begin(), set.points.end());
    }
  }
  for (ContactSet<D>& patch : out) {
    std::erase_if(patch.points, [&](const ContactPoint<D>& p) { return p.separation > margin; });
    merge_points(patch);
    keep_outline(patch);
    if (!patch.points.empty()) patch.separation = patch.points[deepest_of(patch)].separation;
  }
  std::erase_if(out, [](const ContactSet<D>& patch) { return patch.points.empty(); });
  if (out.empty()) {
    ContactSet<D> one;
    one.normal = decision.normal;
    one.separation = decision.separation;
    one.status = decision.status;
    one.points.push_back(point_from(decision));
    name_kind(one);
    out.push_back(one);
  }
  return out;
}

template ContactSet2 part_contacts<2>(const Shape2&, const Shape2&, const Placement2&, const DistanceAnswer2&, double);
template ContactSet3 part_contacts<3>(const Shape3&, const Shape3&, const Placement3&, const DistanceAnswer3&, double);
template std::vector<ContactSet2> contact_patches<2>(const Shape2&, const Shape2&, const Placement2&,
                                                     const DistanceAnswer2&, double);
template std::vector<ContactSet3> contact_patches<3>(const Shape3&, const Shape3&, const Placement3&,
                                                     const DistanceAnswer3&, double);

}  // namespace sudar
