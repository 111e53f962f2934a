// What:    Approximate convex parts of solid meshes, see the header.
#include <sudar/bounding/hull_volume.hpp>
#include <sudar/geom/mesh_check.hpp>
#include <sudar/math/tolerance.hpp>
#include <sudar/shapes/convex_parts3.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace sudar {
namespace {

struct Facet {
  Vec3d v[3];
  bool cap;  // closes a cut; no surface of the solid

  const Vec3d& operator[](int i) const { return v[i]; }
};
using Soup = std::vector<Facet>;

struct Piece {
  Soup soup;  // closed: every directed edge comes as often as its opposite
  Hull3 hull;
  double volume = 0, hull_volume = 0;
  double concavity = 0;
  Vec3d deepest{};  // the corner of the surface from where it is farthest
};

// The corners of the surface, and those of caps that lie in the solid: where cuts meet inside of it. Fans reach beyond
// the solid as well, and what is there does not count.
std::optional<Hull3> hull_of(const Soup& soup, const TriangleMesh& solid) {
  std::vector<Vec3d> points;
  for (const Facet& t : soup) {
    for (const Vec3d& p : t.v)
      if (!t.cap || solid.locate(p) == Containment::inside) points.push_back(p);
  }
  if (points.empty()) return std::nullopt;
  HullOptions options;
  options.merge_coplanar = true;
  Result<Hull3> hull = quickhull3(points, options);
  if (!hull) {
    if (hull.error().code == ErrorCode::out_of_memory) throw std::bad_alloc();
    return std::nullopt;
  }
  return *std::move(hull);
}

double volume_of(const Soup& soup, const Vec3d& about) {
  double sum = 0;
  for (const Facet& t : soup) sum += dot(t[0] - about, cross(t[1] - about, t[2] - about));
  return sum / 6;
}

// Volume, hull and the deepest corner of a soup
std::optional<Piece> make_piece(Soup soup, const TriangleMesh& solid) {
  if (soup.empty()) return std::nullopt;
  Piece piece;
  std::optional<Hull3> hull = hull_of(soup, solid);
  if (!hull || hull->dimension < 3) return std::nullopt;
  piece.hull = *std::move(hull);
  piece.hull_volume = volume(piece.hull);
  piece.volume = volume_of(soup, piece.hull.vertices.front());
  piece.soup = std::move(soup);
  return piece;
}

// How far it is from the corners of the surface along its normal until the hull ends. Where the hull is no larger than the
// piece there is no dent: leaves as thin as a rounding, where a cut passes a corner by the last digit, are none.
void measure(Piece& piece) {
  if (std::fabs(piece.hull_volume - piece.volume) <= kHullPlaneSlack * piece.hull_volume) return;
  for (const Facet& t : piece.soup) {
    const Vec3d normal = normalized(cross(t[1] - t[0], t[2] - t[0]));
    if (t.cap || normal == Vec3d{}) continue;
    for (int k = 0; k < 3; ++k) {
      double way = std::numeric_limits<double>::infinity();
      for (const Plane<3, double>& plane : piece.hull.planes) {
        const double along = dot(plane.normal, normal);
        if (along > 0) way = std::min(way, -signed_distance(plane, t[k]) / along);
        if (way <= piece.concavity) break;
      }
      if (way > piece.concavity && std::isfinite(way)) piece.concavity = way, piece.deepest = t[k];
    }
  }
}

// Both sides of the plane x[axis] = at. A corner on the plane counts as below, so that a cut through corners is like any
// other; the edges of a triangle that crosses are cut from the lower end to the upper, alike for both of their triangles.
// What lies in the plane is surface of the side that it bounds: for the other one it only closes the cut, or the hull of
// what is below would reach wherever the solid above stands on the plane, and that of what is above would lack corners.
void cut(const Soup& soup, int axis, double at, Soup& below, Soup& above) {
  below.clear(), above.clear();
  std::optional<Vec3d> apex;
  for (const Facet& t : soup) {
    bool up[3];
    int count = 0;
    for (int k = 0; k < 3; ++k) up[k] = t[k][axis] > at, count += up[k];
    if (count == 0) {
      const bool on_plane = t[0][axis] == at && t[1][axis] == at && t[2][axis] == at;
      below.push_back(t);
      if (t.cap || !on_plane || !(cross(t[1] - t[0], t[2] - t[0])[axis] < 0)) continue;
      below.back().cap = true;
      above.push_back(t);
      above.push_back({{t[0], t[2], t[1]}, true});
      continue;
    }
    if (count == 3) {
      above.push_back(t);
      continue;
    }
    Vec3d low[4], high[4], leave{}, enter{};
    int lows = 0, highs = 0;
    for (int k = 0; k < 3; ++k) {
      const Vec3d &p = t[k], &q = t[(k + 1) % 3];
      (up[k] ? high[highs++] : low[lows++]) = p;
      if (up[k] == up[(k + 1) % 3]) continue;
      const Vec3d &from = up[k] ? q : p, &to = up[k] ? p : q;
      Vec3d x = lerp(from, to, (at - from[axis]) / (to[axis] - from[axis]));
      x[axis] = at;
      (up[k] ? enter : leave) = x;
      low[lows++] = x, high[highs++] = x;
    }
    bool reaches_below = false;
    for (int k = 0; k < lows; ++k) reaches_below |= low[k][axis] < at;
    for (int k = 1; k + 1 < lows; ++k) below.push_back({{low[0], low[k], low[k + 1]}, t.cap || !reaches_below});
    for (int k = 1; k + 1 < highs; ++k) above.push_back({{high[0], high[k], high[k + 1]}, t.cap});
    // The lower part has the edge leave → enter on the plane, the upper one its opposite: fans close both
    if (!apex) apex = leave;
    below.push_back({{*apex, enter, leave}, true});
    above.push_back({{*apex, leave, enter}, true});
  }
}

// Weight of the imbalance of a cut, and of a cut along a short axis, against the volume it saves, as shares of the piece:
// a ring saves nothing by the first cut wherever it is, and short halves are what later cuts can work with
constexpr double kBalance = 0.05;

struct Split {
  std::optional<Piece> below, above;
  double cost = std::numeric_limits<double>::infinity();
};

Split best_split(const Piece& piece, const TriangleMesh& solid, int cuts) {
  Split best;
  Vec3d lo = piece.hull.vertices.front(), hi = lo;
  for (const Vec3d& v : piece.hull.vertices) lo = min(lo, v), hi = max(hi, v);
  Soup below, above;
  for (int axis = 0; axis < 3; ++axis)
    for (int k = 0; k <= cuts; ++k) {
      const double at = k == 0 ? piece.deepest[axis] : lo[axis] + (hi[axis] - lo[axis]) * k / (cuts + 1);
      if (!(at > lo[axis] && at < hi[axis])) continue;
      cut(piece.soup, axis, at, below, above);
      std::optional<Piece> a = make_piece(below, solid), b = make_piece(above, solid);
      if (!a || !b) continue;
      const double hulls = (a->hull_volume + b->hull_volume) / piece.hull_volume;
      const double uneven = std::fabs(a->volume - b->volume) / piece.volume;
      const double flat = 1 - (hi[axis] - lo[axis]) / max_abs(hi - lo);
      const double cost = hulls + kBalance * (uneven + flat);
      if (cost < best.cost) best = {std::move(a), std::move(b), cost};
    }
  return best;
}

}  // namespace

Result<ConvexParts3> convex_parts3(const Mesh& solid, const PartsOptions3& options) noexcept {
  return guarded([&]() -> Result<ConvexParts3> {
    if (options.max_parts == 0) return Error{ErrorCode::invalid_argument, Error::kNoElement, "no parts asked for"};
    if (!std::isfinite(options.concavity))
      return Error{ErrorCode::non_finite, Error::kNoElement, "concavity is NaN or infinite"};
    if (options.concavity < 0) return Error{ErrorCode::invalid_argument, Error::kNoElement, "concavity is negative"};
    if (options.cuts_per_axis < 1 || options.cuts_per_axis > kMaxCutsPerAxis)
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "cuts per axis are not 1 to kMaxCutsPerAxis"};
    if (const auto r = check_mesh(solid); !r) return r.error();
    if (const auto r = check_solid(solid); !r) return r.error();
    Soup soup;
    for (std::size_t t = 0; t < solid.triangles.size(); ++t) {
      const Triangle<3, double> corners = solid.corners(t);
      soup.push_back({{corners.a, corners.b, corners.c}, false});
    }
    const auto body = TriangleMesh::make(solid);
    if (!body) return body.error();
    std::optional<Piece> whole = make_piece(std::move(soup), **body);
    if (!whole) return Error{ErrorCode::degenerate, Error::kNoElement, "solid without volume"};
    const double volume_of_solid = whole->volume;
    if (!(volume_of_solid > 0)) return Error{ErrorCode::not_oriented, Error::kNoElement, "solid is inside out"};

    // The planes of hulls are rounded: less than that is not concave
    double size = 0;
    for (const Vec3d& v : whole->hull.vertices) size = std::max(size, max_abs(v));
    const double enough = std::max(options.concavity, kHullPlaneSlack * size);
    std::vector<Piece> pieces;
    measure(*whole);
    pieces.push_back(*std::move(whole));
    std::vector<char> final(1, 0);
    while (pieces.size() < options.max_parts) {
      // The piece that wastes the most volume, of those that are too concave
      std::size_t worst = pieces.size();
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (final[i] || !(pieces[i].concavity > enough)) continue;
        if (worst == pieces.size() ||
            pieces[i].hull_volume - pieces[i].volume > pieces[worst].hull_volume - pieces[worst].volume)
          worst = i;
      }
      if (worst == pieces.size()) break;
      Split split = best_split(pieces[worst], **body, options.cuts_per_axis);
      if (!split.below) {
        final[worst] = 1;
        continue;
      }
      measure(*split.below), measure(*split.above);
      pieces[worst] = *std::move(split.below);
      pieces.push_back(*std::move(split.above));
      final.push_back(0);
    }

    ConvexParts3 out;
    double hulls = 0;
    for (const Piece& piece : pieces) {
      auto part = ConvexBody3::make(piece.hull.vertices);
      if (!part) return part.error();
      out.parts.push_back(*std::move(part));
      out.concavities.push_back(piece.concavity);
      out.concavity = std::max(out.concavity, piece.concavity);
      hulls += piece.hull_volume;
    }
    out.excess = std::max(0.0, hulls / volume_of_solid - 1);
    return out;
  });
}

Result<Shape3> make_compound3(const ConvexParts3& parts) noexcept {
  return guarded([&]() -> Result<Shape3> {
    std::vector<CompoundChild3> children;
    for (const auto& body : parts.parts) children.push_back({Shape3(HullShape3{body, 0}), {}});
    return make_compound3(std::span<const CompoundChild3>(children));
  });
}

}  // namespace sudar
