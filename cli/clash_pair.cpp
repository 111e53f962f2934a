#include "cli/clash_pair.hpp"

#include "cli/clash_fit.hpp"
#include <sudar/geom/mesh_adjacency.hpp>
#include <sudar/geom/point_in_mesh.hpp>
#include <sudar/math/predicates.hpp>
#include <sudar/narrowphase/mesh_depth.hpp>
#include <sudar/narrowphase/mesh_distance.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sudar_cli {

namespace {

using sudar::Containment;
using sudar::TriangleMesh;
using sudar::Vec3d;
using Corners = sudar::Triangle<3, double>;

bool is_body(const TriangleMesh& mesh) { return mesh.is_closed() && mesh.is_oriented(); }

// On which sides of the plane of t the corners of another lie
struct Sides {
  double of[3];
  bool above = false, below = false;
  Sides(const Corners& t, const Corners& other) {
    for (int k = 0; k < 3; ++k) {
      of[k] = sudar::orient3d(t.a, t.b, t.c, other[k]);
      above = above || of[k] > 0;
      below = below || of[k] < 0;
    }
  }
  bool both() const { return above && below; }
};

// The surface of `mesh` goes on across an edge of triangle t, which lies in the plane of s, to the other side of it
bool goes_on_below(const TriangleMesh& mesh, std::uint32_t t, const Sides& sides, const Corners& s) {
  for (std::uint32_t k = 0; k < 3; ++k) {
    const double tip = sides.of[(k + 2) % 3];
    if (sides.of[k] != 0 || sides.of[(k + 1) % 3] != 0 || tip == 0) continue;
    const std::uint32_t twin = mesh.twin(3 * t + k);
    if (twin == sudar::kNoIndex) return false;
    const Vec3d& across = mesh.mesh().vertices[origin_of(mesh.mesh(), sudar::previous_half_edge(twin))];
    return tip * sudar::orient3d(s.a, s.b, s.c, across) < 0;
  }
  return false;
}

// Triangles of bodies lie on each other and face the same way, so that the bodies are on the same side of them
bool is_flush(const TriangleMesh& a, const TriangleMesh& b, const sudar::MeshPair& pair) {
  return pair.coplanar && pair.kind == sudar::ContactKind::polygon && is_body(a) && is_body(b) &&
         dot(double_area(a.triangle(pair.a)), double_area(b.triangle(pair.b))) > 0;
}

// The triangles go through each other, alone or with what hangs on them
bool go_through(const TriangleMesh& a, const TriangleMesh& b, const sudar::MeshPair& pair) {
  const Corners s = a.triangle(pair.a), t = b.triangle(pair.b);
  if (pair.coplanar) return false;
  if (pair.kind != sudar::ContactKind::segment) return false;
  const Sides t_of_s(s, t), s_of_t(t, s);
  if (s_of_t.both() && (t_of_s.both() || goes_on_below(b, pair.b, t_of_s, s))) return true;
  return t_of_s.both() && goes_on_below(a, pair.a, s_of_t, t);
}

// Where the surfaces meet: middle, bounds, the length of the curves in which they cross, and whether they do
struct Meeting {
  const TriangleMesh &a, &b;
  bool any = false, cross = false, flush = false;
  Vec3d sum{};
  double points = 0, length = 0;
  sudar::Aabb3d bounds = sudar::Aabb3d::empty();
  Vec3d facing{};  // of a's triangle where two lie on each other

  void add(const sudar::MeshPair& pair, std::span<const Vec3d> at) {
    any = true;
    cross = cross || go_through(a, b, pair);
    flush = flush || is_flush(a, b, pair);
    for (const Vec3d& p : at) {
      bounds = merge(bounds, p);
      sum = sum + p;
    }
    points += static_cast<double>(at.size());
    if (pair.kind == sudar::ContactKind::segment && !pair.coplanar && at.size() == 2)
      length += sudar::length(at[1] - at[0]);
    if (pair.coplanar && pair.kind == sudar::ContactKind::polygon && facing == Vec3d{})
      facing = normalized(double_area(a.triangle(pair.a)));
  }
  void tell(Clash& clash) const {
    if (points > 0) clash.point = sum / points;
    clash.bounds = bounds;
    clash.contact_length = length;
  }
};

// Relative to the coordinates
constexpr double kMiddleRounding = 1e-14;

// Of surfaces that do not cross, where `inner` lies: some of it inside, all of it
struct Inside {
  bool any = false, all = true;
  bool whole() const { return any && all; }
};
Inside inside_of(const TriangleMesh& outer, const TriangleMesh& inner, bool touching) {
  Inside out;
  out.all = contains(outer.bounds(), inner.bounds());
  const auto count = [&](Containment where) {
    out.any = out.any || where == Containment::inside;
    out.all = out.all && where != Containment::outside;
    return where != Containment::boundary;
  };
  if (!touching) {
    // Every part is inside or outside as a whole
    for (const std::uint32_t v : inner.part_vertices()) {
      count(outer.locate(inner.mesh().vertices[v]));
      if (out.any && !out.all) break;
    }
    return out;
  }
  // Middles are rounded: what is as near to the surface as that is on it
  const double slack = kMiddleRounding * std::max(max_abs(outer.bounds().lo), max_abs(outer.bounds().hi));
  const auto count_middle = [&](const Vec3d& p) {
    Vec3d nearest;
    const Containment where = outer.locate(p);
    if (where != Containment::boundary && sudar::distance_to_surface(outer, p, nearest) > slack) count(where);
  };
  // A corner that is not on the border tells of its triangle; one whose corners all are is asked in its middles. What is
  // beyond the box of `outer` is outside.
  for_each_overlap(inner.tree(), outer.bounds(), [&](std::uint32_t t) {
    const Corners corners = inner.triangle(t);
    bool known = false;
    for (int k = 0; k < 3 && !known; ++k) known = count(outer.locate(corners[k]));
    if (!known) {
      count_middle((corners.a + corners.b + corners.c) / 3.0);
      for (int k = 0; k < 3; ++k) count_middle((corners[k] + corners[(k + 1) % 3]) * 0.5);
    }
    return out.all || !out.any;
  });
  out.all = out.all && out.any;
  return out;
}

// How much of the view from inside of an open surface is closed, in turns around the point: 1 is a body
constexpr double kHeldByOpen = 0.99, kFreeOfOpen = 0.25;
enum class Held : std::uint8_t { no, yes, unknown };
Held held_by_open(const TriangleMesh& outer, const TriangleMesh& inner, double tolerance) {
  if (!contains(outer.bounds(), inner.bounds())) return Held::no;
  // One vertex of some parts, of those on the surface the one that is farthest from it
  constexpr std::size_t kMostSamples = 16;
  const auto places = inner.part_vertices();
  const auto& vertices = inner.mesh().vertices;
  double least = 1, most = 0;
  const auto look = [&](const Vec3d& p) {
    const double turns = std::fabs(generalized_winding_number(outer.mesh(), p));
    least = std::min(least, turns);
    most = std::max(most, turns);
  };
  if (places.size() > 1) {
    const std::size_t stride = std::max<std::size_t>(1, places.size() / kMostSamples);
    for (std::size_t i = 0; i < places.size(); i += stride) look(vertices[places[i]]);
  } else {
    const std::size_t stride = std::max<std::size_t>(1, inner.triangle_count() / kMostSamples);
    Vec3d best{}, nearest;
    double farthest = -1;
    for (std::size_t t = 0; t < inner.triangle_count(); t += stride) {
      const Vec3d p = inner.triangle(static_cast<std::uint32_t>(t)).a;
      if (const double d = sudar::distance_to_surface(outer, p, nearest); d > farthest) farthest = d, best = p;
    }
    // What lies on the surface is not inside of it
    if (farthest <= tolerance) return Held::no;
    look(best);
  }
  return least >= kHeldByOpen ? Held::yes : most <= kFreeOfOpen ? Held::no : Held::unknown;
}

// Every place of a is within `slack` of b's surface: its corners and the middles of its triangles stand for it
bool lies_on(const TriangleMesh& a, const TriangleMesh& b, double slack) {
  Vec3d nearest;
  for (const Vec3d& v : a.mesh().vertices)
    if (!(sudar::distance_to_surface(b, v, nearest) <= slack)) return false;
  for (std::uint32_t t = 0; t < a.triangle_count(); ++t) {
    const Corners corners = a.triangle(t);
    if (!(sudar::distance_to_surface(b, (corners.a + corners.b + corners.c) / 3.0, nearest) <= slack)) return false;
  }
  return true;
}
// Whatever the tolerance: two sheets that lie nearer than it are two
bool same_surface(std::span<const CheckPart> parts, const FactsOf& facts, std::uint32_t i, std::uint32_t j) {
  const TriangleMesh &a = *parts[i].mesh, &b = *parts[j].mesh;
  const sudar::Aabb3d &x = a.bounds(), &y = b.bounds();
  // What a conversion between units or a file of floats may have moved, relative to the coordinates; but parts that are
  // far from the origin, as those of a map, are not the same because they are small beside their coordinates
  constexpr double kRounding = 0x1p-22, kShareOfSize = 0x1p-12, kShareOfBody = 0x1p-3;
  const double far = std::max(max_abs(x.lo), max_abs(x.hi));
  double slack = std::min(kRounding * far, kShareOfSize * length(x.hi - x.lo));
  if (is_body(a)) slack = std::min(slack, kShareOfBody * facts[i].thickness());
  slack = std::max(slack, kMiddleRounding * far);
  if (!(max_abs(x.lo - y.lo) <= slack && max_abs(x.hi - y.hi) <= slack)) return false;
  return lies_on(a, b, slack) && lies_on(b, a, slack);
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

// The shortest way out of each other's boxes: no depth is more than that, whatever the meshes
double overlap_of(const sudar::Aabb3d& a, const sudar::Aabb3d& b) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) least = std::min({least, a.hi[k] - b.lo[k], b.hi[k] - a.lo[k]});
  return least;
}

// Whether the two lie in each other by no more than the tolerance, wherever that is asked for and can be told
Fit shallow_fit(std::span<const CheckPart> parts, const FactsOf& facts, const ClashLimits& limits, const Clash& clash) {
  const TriangleMesh &a = *parts[clash.a].mesh, &b = *parts[clash.b].mesh;
  // What a tolerance may take from a body without taking the body
  constexpr double kShareOfThickness = 0.25;
  const auto is_thick = [&](std::uint32_t part) {
    return is_body(*parts[part].mesh) && limits.tolerance <= kShareOfThickness * facts[part].thickness();
  };
  if (!(limits.tolerance > 0)) return {};
  if (is_thick(clash.a)) {
    if (!b.is_closed()) return fit_of_sheet(a, b, limits.tolerance);
    return is_thick(clash.b) ? fit_of(a, b, limits.tolerance) : Fit{};
  }
  return is_thick(clash.b) && !a.is_closed() ? fit_of_sheet(b, a, limits.tolerance) : Fit{};
}

// Hard, or no deeper than the tolerance: then `distance` is set, and `depth` is not
void tell_how_hard(std::span<const CheckPart> parts, const FactsOf& facts, const ClashLimits& limits, Clash& clash) {
  const TriangleMesh &a = *parts[clash.a].mesh, &b = *parts[clash.b].mesh;
  if (const Fit fit = shallow_fit(parts, facts, limits, clash); fit.shallow) {
    clash.distance = -fit.deepest;
    return;
  }
  tell_depth(parts, facts, clash);
  const double most = clash.depth ? *clash.depth : overlap_of(a.bounds(), b.bounds());
  if (most > limits.tolerance) return;
  clash.distance = -clash.depth.value_or(0);
  clash.depth.reset(), clash.depth_lower.reset();
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
      // Shells that touch are a body as any other
      struct Found {
        const TriangleMesh& mesh;
        bool crosses = false;
      } found{mesh};
      visit_self_pairs(
          mesh,
          [](void* context, const sudar::MeshPair& pair, std::span<const Vec3d>) {
            Found& to = *static_cast<Found*>(context);
            to.crosses = is_flush(to.mesh, to.mesh, pair) || go_through(to.mesh, to.mesh, pair);
            return !to.crosses;
          },
          &found);
      if (found.crosses) no_depth_ = part_->name + " crosses itself";
    }
  });
  return no_depth_;
}

double PartFacts::thickness() const {
  std::call_once(thickness_once_, [this] { thickness_ = thickness_of(*part_->mesh); });
  return thickness_;
}

PairFinds check_pair(std::span<const CheckPart> parts, const FactsOf& facts, std::uint32_t a, std::uint32_t b,
                     const ClashLimits& limits) {
  const TriangleMesh &mesh_a = *parts[a].mesh, &mesh_b = *parts[b].mesh;
  const ClashTypes& types = limits.types;
  PairFinds out;
  Clash clash;
  clash.a = a, clash.b = b;
  const auto add = [&](ClashType type) {
    clash.type = type;
    out.clashes.push_back(clash);
  };

  if (types.has(ClashType::duplicate) && same_surface(parts, facts, a, b)) {
    clash.bounds = mesh_a.bounds();
    clash.point = center(mesh_a.bounds());
    clash.distance = 0;
    add(ClashType::duplicate);
    return out;
  }
  Meeting meet{mesh_a, mesh_b};
  out.tested = visit_meeting_pairs(
      mesh_a, mesh_b, sudar::Placement3{},
      [](void* context, const sudar::MeshPair& pair, std::span<const Vec3d> points) {
        static_cast<Meeting*>(context)->add(pair, points);
        return true;
      },
      &meet);

  // One inside of the other, though their surfaces do not cross
  Inside b_in_a{false, false}, a_in_b{false, false};
  if (!meet.cross) {
    if (mesh_a.is_closed()) b_in_a = inside_of(mesh_a, mesh_b, meet.any);
    if (mesh_b.is_closed() && !b_in_a.whole()) a_in_b = inside_of(mesh_b, mesh_a, meet.any);
    // What an open surface holds is known only where next to nothing of it is missing
    const auto ask_open = [&](std::uint32_t outer, std::uint32_t inner, Inside& known) {
      const TriangleMesh& surface = *parts[outer].mesh;
      if (surface.is_closed() || b_in_a.any || a_in_b.any) return;
      const Held held = held_by_open(surface, *parts[inner].mesh, limits.tolerance);
      if (held == Held::yes) known = {true, true};
      if (held == Held::unknown)
        out.undecided = "whether " + parts[inner].name + " is inside of " + parts[outer].name +
                        " is unknown: " + parts[outer].name + " is open";
    };
    ask_open(a, b, b_in_a);
    ask_open(b, a, a_in_b);
  }
  if (meet.cross || meet.flush || b_in_a.any || a_in_b.any) {
    bool contained = b_in_a.whole() || a_in_b.whole();
    // A label on a box is not inside of it because it was rounded so
    if (contained && !parts[b_in_a.whole() ? b : a].mesh->is_closed())
      contained = !shallow_fit(parts, facts, limits, clash).shallow;
    meet.tell(clash);
    if (!meet.any) {
      const sudar::Aabb3d& inner = b_in_a.any ? mesh_b.bounds() : mesh_a.bounds();
      clash.bounds = inner;
      clash.point = center(inner);
      clash.contact_length.reset();
    }
    if (contained && types.has(ClashType::contain)) {
      clash.inner_is_a = !b_in_a.whole();
      tell_depth(parts, facts, clash);
      add(ClashType::contain);
      return out;
    }
    if (!types.has(ClashType::hard) && !types.has(ClashType::touch)) return out;
    tell_how_hard(parts, facts, limits, clash);
    const ClashType type = clash.distance ? ClashType::touch : ClashType::hard;
    if (types.has(type)) add(type);
    return out;
  }
  if (meet.any) {
    if (!types.has(ClashType::touch)) return out;
    meet.tell(clash);
    clash.distance = 0;
    if (is_body(mesh_a)) clash.direction = meet.facing;
    if (clash.direction == Vec3d{} && mesh_a.is_convex() && mesh_b.is_convex())
      clash.direction = sudar::mesh_depth({parts[a].mesh, true}, {parts[b].mesh, true}, sudar::Placement3{}).normal;
    add(ClashType::touch);
    return out;
  }

  // Apart
  const bool near_matters = types.has(ClashType::touch) || types.has(ClashType::clearance);
  if (!near_matters || !(limits.reach() > 0)) return out;
  const sudar::MeshDistance nearest = sudar::surface_distance(mesh_a, mesh_b, sudar::Placement3{});
  out.tested += nearest.tested;
  const double d = nearest.distance;
  clash.distance = d;
  clash.point = (nearest.point_a + nearest.point_b) * 0.5;
  clash.bounds = merge(merge(clash.bounds, nearest.point_a), nearest.point_b);
  clash.direction = d > 0 ? (nearest.point_b - nearest.point_a) / d : Vec3d{};
  // What touches is told once
  if (types.has(ClashType::touch) && d <= limits.tolerance)
    add(ClashType::touch);
  else if (types.has(ClashType::clearance) && d > 0 && d < limits.clearance)
    add(ClashType::clearance);
  return out;
}

PairFinds check_self(std::span<const CheckPart> parts, std::uint32_t part) {
  // Only where the surface goes through itself: shells that touch do not
  PairFinds out;
  const TriangleMesh& mesh = *parts[part].mesh;
  Meeting meet{mesh, mesh};
  out.tested = visit_self_pairs(
      mesh,
      [](void* context, const sudar::MeshPair& pair, std::span<const Vec3d> points) {
        Meeting& to = *static_cast<Meeting*>(context);
        if (is_flush(to.a, to.b, pair) || go_through(to.a, to.b, pair)) to.add(pair, points);
        return true;
      },
      &meet);
  if (!meet.any) return out;
  Clash clash;
  clash.type = ClashType::self;
  clash.a = clash.b = part;
  clash.unknown = "one part has no way out of itself";
  meet.tell(clash);
  out.clashes.push_back(clash);
  return out;
}

}  // namespace sudar_cli
