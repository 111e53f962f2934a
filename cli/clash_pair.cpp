#include "cli/clash_pair.hpp"

#include <sudar/math/predicates.hpp>
#include <sudar/narrowphase/mesh_depth.hpp>
#include <sudar/narrowphase/mesh_distance.hpp>

#include <algorithm>
#include <cmath>
#include <new>

namespace sudar_cli {

namespace {

using sudar::Containment;
using sudar::TriangleMesh;
using sudar::Vec3d;

void must(const sudar::Result<void>& done) {
  if (!done) throw std::bad_alloc();
}

// Strictly on both sides of the plane of t
bool straddles(const sudar::Triangle<3, double>& t, const sudar::Triangle<3, double>& other) {
  bool above = false, below = false;
  for (int k = 0; k < 3; ++k) {
    const double side = sudar::orient3d(t.a, t.b, t.c, other[k]);
    above = above || side > 0;
    below = below || side < 0;
  }
  return above && below;
}

// Relative to the coordinates
constexpr double kMiddleRounding = 1e-14;
Vec3d middle_of(const sudar::Triangle<3, double>& t) { return (t.a + t.b + t.c) / 3.0; }

// Some triangles go through each other; or, of two bodies, lie on each other and face the same way, so that the bodies are
// on the same side of them
bool surfaces_cross(const TriangleMesh& a, const TriangleMesh& b, const sudar::MeshIntersection& meet) {
  const bool bodies = a.is_closed() && a.is_oriented() && b.is_closed() && b.is_oriented();
  return std::any_of(meet.pairs.begin(), meet.pairs.end(), [&](const sudar::MeshPair& pair) {
    const auto s = a.triangle(pair.a), t = b.triangle(pair.b);
    if (pair.coplanar)
      return bodies && pair.kind == sudar::ContactKind::polygon && dot(double_area(s), double_area(t)) > 0;
    return pair.kind == sudar::ContactKind::segment && straddles(s, t) && straddles(t, s);
  });
}

// Of surfaces that do not cross, where a piece of `inner` lies: at the first of its places that is not on the border
struct Inside {
  bool any = false, all = true;
};
Inside inside_of(const TriangleMesh& outer, const TriangleMesh& inner, bool touching) {
  Inside out;
  const auto count = [&](Containment where) {
    out.any = out.any || where == Containment::inside;
    out.all = out.all && where != Containment::outside;
  };
  // Middles are rounded: what is as near to the surface as that is on it
  const double slack = kMiddleRounding * std::max(max_abs(outer.bounds().lo), max_abs(outer.bounds().hi));
  const auto count_middle = [&](const Vec3d& p) {
    Vec3d nearest;
    const Containment where = outer.locate(p);
    if (where != Containment::boundary && sudar::distance_to_surface(outer, p, nearest) > slack) count(where);
  };
  if (!touching) {
    // Every part is inside or outside as a whole
    for (const std::uint32_t v : inner.part_vertices()) count(outer.locate(inner.mesh().vertices[v]));
    return out;
  }
  // Touching surfaces: a triangle on the border tells nothing, so all are looked at until both are known
  for (std::uint32_t t = 0; t < inner.triangle_count() && (out.all || !out.any); ++t) {
    const auto corners = inner.triangle(t);
    count_middle(middle_of(corners));
    for (int k = 0; k < 3; ++k) {
      count(outer.locate(corners[k]));
      count_middle((corners[k] + corners[(k + 1) % 3]) * 0.5);
    }
  }
  out.all = out.all && out.any;
  return out;
}

// Every place of a is within `slack` of b's surface: its corners and the middles of its triangles stand for it
bool lies_on(const TriangleMesh& a, const TriangleMesh& b, double slack) {
  Vec3d nearest;
  for (const Vec3d& v : a.mesh().vertices)
    if (!(sudar::distance_to_surface(b, v, nearest) <= slack)) return false;
  for (std::uint32_t t = 0; t < a.triangle_count(); ++t)
    if (!(sudar::distance_to_surface(b, middle_of(a.triangle(t)), nearest) <= slack)) return false;
  return true;
}
// Whatever the tolerance: two sheets that lie nearer than it are two
bool same_surface(const TriangleMesh& a, const TriangleMesh& b) {
  const sudar::Aabb3d &x = a.bounds(), &y = b.bounds();
  // What a conversion between units or a file of floats may have moved, relative to the coordinates
  constexpr double kRounding = 0x1p-22;
  const double slack = kRounding * std::max(max_abs(x.lo), max_abs(x.hi));
  if (!(max_abs(x.lo - y.lo) <= slack && max_abs(x.hi - y.hi) <= slack)) return false;
  return lies_on(a, b, slack) && lies_on(b, a, slack);
}

// Where the surfaces meet: middle, bounds, and the length of the curves in which they cross
void measure_contact(const sudar::MeshIntersection& meet, Clash& clash) {
  Vec3d sum{};
  double length = 0, points = 0;
  for (const sudar::MeshPair& pair : meet.pairs) {
    for (std::uint32_t i = 0; i < pair.count; ++i) {
      const Vec3d& p = meet.points[pair.first + i];
      clash.bounds = merge(clash.bounds, p);
      sum = sum + p;
      ++points;
    }
    if (pair.kind == sudar::ContactKind::segment && !pair.coplanar && pair.count == 2)
      length += sudar::length(meet.points[pair.first + 1] - meet.points[pair.first]);
  }
  if (points > 0) clash.point = sum / points;
  clash.contact_length = length;
}

void tell_depth(std::span<const CheckPart> parts, const FactsOf& facts, Clash& clash) {
  for (const std::uint32_t part : {clash.a, clash.b})
    if (!facts[part].no_depth().empty()) {
      clash.unknown = facts[part].no_depth();
      return;
    }
  const auto answer = sudar::mesh_depth({parts[clash.a].mesh, true}, {parts[clash.b].mesh, true}, sudar::Placement3{});
  clash.depth = std::max(-answer.separation, 0.0);
  clash.depth_lower = std::min(std::max(-answer.upper, 0.0), *clash.depth);
  clash.direction = answer.normal;
}

}  // namespace

const std::string& PartFacts::no_depth() const {
  std::call_once(once_, [this] {
    const TriangleMesh& mesh = *part_->mesh;
    if (!mesh.is_closed()) {
      no_depth_ = part_->name + " is open";
    } else if (!mesh.is_oriented()) {
      no_depth_ = "the triangles of " + part_->name + " do not all face one way";
    } else {
      sudar::MeshIntersection meet;
      must(self_intersect(mesh, meet));
      if (!meet.pairs.empty()) no_depth_ = part_->name + " crosses itself";
    }
  });
  return no_depth_;
}

std::uint64_t check_pair(std::span<const CheckPart> parts, const FactsOf& facts, std::uint32_t a, std::uint32_t b,
                         const ClashLimits& limits, PairScratch& scratch, std::vector<Clash>& out) {
  const TriangleMesh &mesh_a = *parts[a].mesh, &mesh_b = *parts[b].mesh;
  const ClashTypes& types = limits.types;
  Clash clash;
  clash.a = a, clash.b = b;
  const auto add = [&](ClashType type) {
    clash.type = type;
    out.push_back(clash);
  };
  sudar::MeshIntersection& meet = scratch.meet;
  meet.clear();
  must(intersect(mesh_a, mesh_b, sudar::Placement3{}, meet));
  std::uint64_t tested = meet.tested;
  const bool surfaces_meet = !meet.pairs.empty();

  if (types.has(ClashType::duplicate) && same_surface(mesh_a, mesh_b)) {
    clash.bounds = mesh_a.bounds();
    clash.point = center(mesh_a.bounds());
    add(ClashType::duplicate);
    return tested;
  }

  const bool cross = surfaces_cross(mesh_a, mesh_b, meet);
  Inside b_in_a{false, false}, a_in_b{false, false};
  if (!cross) {
    if (mesh_a.is_closed()) b_in_a = inside_of(mesh_a, mesh_b, surfaces_meet);
    if (mesh_b.is_closed() && !b_in_a.any) a_in_b = inside_of(mesh_b, mesh_a, surfaces_meet);
  }
  if (cross || b_in_a.any || a_in_b.any) {
    const bool contained = (b_in_a.any && b_in_a.all) || (a_in_b.any && a_in_b.all);
    measure_contact(meet, clash);
    if (!surfaces_meet) {
      const sudar::Aabb3d& inner = b_in_a.any ? mesh_b.bounds() : mesh_a.bounds();
      clash.bounds = inner;
      clash.point = center(inner);
      clash.contact_length.reset();
    }
    if (contained && types.has(ClashType::contain)) {
      tell_depth(parts, facts, clash);
      add(ClashType::contain);
      return tested;
    }
    if (!types.has(ClashType::hard) && !types.has(ClashType::touch)) return tested;
    tell_depth(parts, facts, clash);
    // An unknown depth is not taken for a small one
    if (!clash.depth || *clash.depth > limits.tolerance) {
      if (types.has(ClashType::hard)) add(ClashType::hard);
      return tested;
    }
    clash.distance = -*clash.depth;
    clash.depth.reset(), clash.depth_lower.reset();
    if (types.has(ClashType::touch)) add(ClashType::touch);
    return tested;
  }
  if (surfaces_meet) {
    if (!types.has(ClashType::touch)) return tested;
    measure_contact(meet, clash);
    clash.distance = 0;
    if (facts[a].no_depth().empty() && facts[b].no_depth().empty())
      clash.direction = sudar::mesh_depth({parts[a].mesh, true}, {parts[b].mesh, true}, sudar::Placement3{}).normal;
    add(ClashType::touch);
    return tested;
  }

  // Apart
  const bool near_matters = types.has(ClashType::touch) || types.has(ClashType::clearance);
  if (!near_matters || !(limits.reach() > 0)) return tested;
  const sudar::MeshDistance nearest = sudar::surface_distance(mesh_a, mesh_b, sudar::Placement3{});
  tested += nearest.tested;
  const double d = nearest.distance;
  clash.distance = d;
  clash.point = (nearest.point_a + nearest.point_b) * 0.5;
  clash.bounds = merge(merge(clash.bounds, nearest.point_a), nearest.point_b);
  clash.direction = d > 0 ? (nearest.point_b - nearest.point_a) / d : Vec3d{};
  if (types.has(ClashType::touch) && d <= limits.tolerance) add(ClashType::touch);
  if (types.has(ClashType::clearance) && d > 0 && d < limits.clearance) add(ClashType::clearance);
  return tested;
}

std::uint64_t check_self(std::span<const CheckPart> parts, std::uint32_t part, PairScratch& scratch,
                         std::vector<Clash>& out) {
  sudar::MeshIntersection& meet = scratch.meet;
  meet.clear();
  must(self_intersect(*parts[part].mesh, meet));
  if (meet.pairs.empty()) return meet.tested;
  Clash clash;
  clash.type = ClashType::self;
  clash.a = clash.b = part;
  measure_contact(meet, clash);
  out.push_back(clash);
  return meet.tested;
}

}  // namespace sudar_cli
