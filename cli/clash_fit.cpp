#include "cli/clash_fit.hpp"

#include <sudar/geom/closest.hpp>
#include <sudar/geom/mesh_adjacency.hpp>
#include <sudar/geom/point_in_mesh.hpp>
#include <sudar/narrowphase/triangle_triangle.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace sudar_cli {

namespace {

using sudar::Containment;
using sudar::TriangleMesh;
using sudar::Vec3d;
using Piece = sudar::Triangle<3, double>;

// Cuts that are made for one pair and one direction: the triangles of fine meshes need none
constexpr std::size_t kMostCuts = 50000;
// Distances are right to a few roundings of the largest length; what is compared with another length needs a share more
constexpr double kFitRounding = 0x1p-40;

struct NearTriangle {
  std::uint32_t triangle = 0;
  double distance = 0;
};
NearTriangle near_triangle(const TriangleMesh& mesh, const Vec3d& p) {
  NearTriangle out;
  double best = std::numeric_limits<double>::infinity();  // squared
  const auto bound = [&](const sudar::Aabb3d& box) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      const double gap = std::max({box.lo[k] - p[k], p[k] - box.hi[k], 0.0});
      sum += gap * gap;
    }
    return sum * (1 - kFitRounding);
  };
  for_each_nearer(mesh.tree(), bound, best, [&](std::uint32_t t) {
    const double d = closest_point(mesh.triangle(t), p).distance_squared;
    if (d < best) best = d, out.triangle = t;
  });
  out.distance = std::sqrt(best);
  return out;
}

// All of a piece is within `most` of one triangle, or of two that make a convex quadrilateral which is flat enough
bool near_as_a_whole(const TriangleMesh& mesh, std::uint32_t triangle, const Piece& piece, double most) {
  const Piece here = mesh.triangle(triangle);
  double squared[3];
  for (int k = 0; k < 3; ++k) squared[k] = closest_point(here, piece[k]).distance_squared;
  const double square = most * most;
  if (std::max({squared[0], squared[1], squared[2]}) <= square) return true;
  const Vec3d normal = double_area(here);
  for (std::uint32_t k = 0; k < 3; ++k) {
    const std::uint32_t twin = mesh.twin(3 * triangle + k);
    if (twin == sudar::kNoIndex) continue;
    const Piece there = mesh.triangle(sudar::triangle_of(twin));
    const Vec3d &a = here[static_cast<int>(k)], &b = here[static_cast<int>((k + 1) % 3)],
                &c = here[static_cast<int>((k + 2) % 3)];
    const Vec3d& d = mesh.mesh().vertices[origin_of(mesh.mesh(), sudar::previous_half_edge(twin))];
    // The other diagonal passes between a and b
    const Vec3d across = d - c;
    if (!(dot(normal, cross(across, a - c)) * dot(normal, cross(across, b - c)) < 0)) continue;
    // The hull of the four is as much thicker than the two triangles as the fourth corner is off the plane
    const double off = std::fabs(dot(normal, d - a)) / length(normal), left = most - off;
    if (!(left > 0)) continue;
    bool all = true;
    for (int i = 0; i < 3 && all; ++i)
      all = std::min(squared[i], closest_point(there, piece[i]).distance_squared) <= left * left;
    if (all) return true;
  }
  return false;
}

bool meets(const TriangleMesh& mesh, const Piece& piece) {
  bool any = false;
  const sudar::Aabb3d box{min(piece.a, min(piece.b, piece.c)), max(piece.a, max(piece.b, piece.c))};
  for_each_overlap(mesh.tree(), box, [&](std::uint32_t t) {
    any = sudar::intersects_exact(mesh.triangle(t), piece);
    return !any;
  });
  return any;
}

// A piece whose middle is outside, no place of which is deeper inside than `most`. The border of a piece that was cut along an
// edge lies on that edge but for its rounding, so the piece itself may meet the surface; but where no place has to be moved
// by more than `most` to take all of it outside, every place is outside or has the surface within that. It is drawn in about its
// middle, and then moved away from what is nearest.
bool stays_outside(const TriangleMesh& mesh, std::uint32_t nearest, const Piece& piece, const Vec3d& middle,
                   double reach, double most) {
  if (reach <= most) return true;
  const double share = 1 - most / reach;
  if (!meets(mesh, {middle + (piece.a - middle) * share, middle + (piece.b - middle) * share,
                    middle + (piece.c - middle) * share}))
    return true;
  const Vec3d away = middle - closest_point(mesh.triangle(nearest), middle).point;
  const double far = length(away);
  if (!(far > 0)) return false;
  const Vec3d move = away * (most / far);
  return mesh.locate(middle + move) == Containment::outside &&
         !meets(mesh, {piece.a + move, piece.b + move, piece.c + move});
}

// In two or three, each on one side of a plane; nothing when all of it is on one side, or nearly
bool cut_by_plane(const Piece& piece, const Vec3d& at, const Vec3d& normal, double reach, std::vector<Piece>& out) {
  constexpr double kLeast = 1e-3;  // of the piece
  double side[3];
  for (int k = 0; k < 3; ++k) side[k] = dot(normal, piece[k] - at);
  const double most = kLeast * reach * length(normal);
  if (!(std::max({side[0], side[1], side[2]}) > most && std::min({side[0], side[1], side[2]}) < -most)) return false;
  // The corner that is alone on its side
  int alone = 0;
  for (int k = 0; k < 3; ++k)
    if ((side[k] > 0) != (side[(k + 1) % 3] > 0) && (side[k] > 0) != (side[(k + 2) % 3] > 0)) alone = k;
  const Vec3d &p = piece[alone], &q = piece[(alone + 1) % 3], &r = piece[(alone + 2) % 3];
  const double of_p = side[alone], of_q = side[(alone + 1) % 3], of_r = side[(alone + 2) % 3];
  const Vec3d pq = p + (q - p) * (of_p / (of_p - of_q)), pr = p + (r - p) * (of_p / (of_p - of_r));
  out.push_back({p, pq, pr});
  out.push_back({pq, q, r});
  out.push_back({pq, r, pr});
  return true;
}

// Along an edge of a triangle of the other, so that what is left lies over one facet; else across the longest edge
void cut_piece(const TriangleMesh& other, std::uint32_t triangle, const Piece& piece, double reach,
               std::vector<Piece>& out) {
  const Piece facet = other.triangle(triangle);
  const Vec3d normal = double_area(facet);
  for (int k = 0; k < 3; ++k)
    if (cut_by_plane(piece, facet[k], cross(facet[(k + 1) % 3] - facet[k], normal), reach, out)) return;
  int longest = 0;
  for (int k = 1; k < 3; ++k)
    if (length_squared(piece[(k + 1) % 3] - piece[k]) > length_squared(piece[(longest + 1) % 3] - piece[longest]))
      longest = k;
  const Vec3d &p = piece[longest], &q = piece[(longest + 1) % 3], &tip = piece[(longest + 2) % 3];
  const Vec3d cut = (p + q) * 0.5;
  out.push_back({p, cut, tip});
  out.push_back({cut, q, tip});
}

// Places of the surface of `inner` inside of `outer`; of a body, places where both are behind one surface as well
void look_below(const TriangleMesh& outer, const TriangleMesh& inner, double tolerance, bool inner_is_body, Fit& fit) {
  const auto too_deep = [&] {
    fit.shallow = false;
    return false;
  };
  // Corners first: most bodies that clash have one far inside
  for_each_overlap(inner.tree(), outer.bounds(), [&](std::uint32_t t) {
    const Vec3d p = inner.triangle(t)[static_cast<int>(t % 3)];
    if (outer.locate(p) != Containment::inside) return true;
    fit.deepest = std::max(fit.deepest, near_triangle(outer, p).distance);
    return fit.deepest <= tolerance || too_deep();
  });
  if (!fit.shallow) return;
  std::vector<Piece> open;
  std::size_t cuts = 0;
  for_each_overlap(inner.tree(), outer.bounds(), [&](std::uint32_t t) {
    open.assign(1, inner.triangle(t));
    const Vec3d facing = normalized(double_area(open[0]));
    while (!open.empty()) {
      const Piece piece = open.back();
      open.pop_back();
      const Vec3d middle = (piece.a + piece.b + piece.c) / 3.0;
      double reach = 0;
      for (int k = 0; k < 3; ++k) reach = std::max(reach, length(piece[k] - middle));
      const NearTriangle near = near_triangle(outer, middle);
      const Containment where = outer.locate(middle);
      if (where == Containment::inside) {
        fit.deepest = std::max(fit.deepest, near.distance);
        if (near.distance > tolerance) return too_deep();
      } else if (near.distance > reach * (1 + kFitRounding)) {
        continue;  // all of it is outside
      }
      constexpr double kSameWay = 0.5;
      const bool same_way =
          inner_is_body && dot(facing, normalized(double_area(outer.triangle(near.triangle)))) > kSameWay;
      if (same_way && near.distance <= tolerance) {
        const Vec3d behind = middle - facing * (tolerance * 0.75);
        if (outer.locate(behind) == Containment::inside && inner.locate(behind) == Containment::inside &&
            near_triangle(outer, behind).distance > tolerance / 2 &&
            near_triangle(inner, behind).distance > tolerance / 2)
          return too_deep();
      }
      if (!same_way && near.distance + reach <= tolerance) continue;
      if (!same_way && near_as_a_whole(outer, near.triangle, piece, tolerance)) continue;
      if (where == Containment::outside && stays_outside(outer, near.triangle, piece, middle, reach, tolerance))
        continue;
      // So small that what is left out is a share of the tolerance
      if (reach <= tolerance / 4) continue;
      if (++cuts > kMostCuts) return too_deep();
      cut_piece(outer, near.triangle, piece, reach, open);
    }
    return true;
  });
}

}  // namespace

Fit fit_of(const TriangleMesh& a, const TriangleMesh& b, double tolerance) {
  Fit fit;
  fit.shallow = true;
  look_below(a, b, tolerance, true, fit);
  if (fit.shallow) look_below(b, a, tolerance, true, fit);
  return fit;
}

Fit fit_of_sheet(const TriangleMesh& body, const TriangleMesh& sheet, double tolerance) {
  // Some places close behind each side of it, and how much of the view from there it fills
  constexpr std::size_t kMostLooks = 16;
  constexpr double kHoldsNothing = 0.75;  // of a turn: a flat sheet fills one half, a body all
  Fit fit;
  const std::size_t stride = std::max<std::size_t>(1, sheet.triangle_count() / kMostLooks);
  for (std::size_t t = 0; t < sheet.triangle_count(); t += stride) {
    const Piece piece = sheet.triangle(static_cast<std::uint32_t>(t));
    const Vec3d middle = (piece.a + piece.b + piece.c) / 3.0, up = normalized(double_area(piece)) * tolerance;
    for (const Vec3d& p : {middle + up, middle - up})
      if (std::fabs(sudar::generalized_winding_number(sheet.mesh(), p)) > kHoldsNothing) return fit;
  }
  fit.shallow = true;
  look_below(body, sheet, tolerance, false, fit);
  return fit;
}

double thickness_of(const TriangleMesh& mesh) {
  double volume = 0, surface = 0;  // six times, and twice
  const Vec3d origin = center(mesh.bounds());
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    const auto x = mesh.triangle(t);
    volume += dot(x.a - origin, cross(x.b - origin, x.c - origin));
    surface += length(double_area(x));
  }
  return surface > 0 ? 2 * (std::fabs(volume) / 6) / (surface / 2) : 0;
}

}  // namespace sudar_cli
