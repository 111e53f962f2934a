// What:    Oriented boxes around points in space: along the principal axes of the hull's surface, and a search for
//          the smallest; see obb_fit.hpp.
// Differs: Candidates are boxes only while their axes are square to each other: cross products of nearly parallel
//          vectors are rounding noise, whose "volume" is too small (ObbFit.AxesAreSquareAndOfUnitLength).
//          Axes are chosen on the hull's vertices moved and scaled to unit size, where rounding cannot matter; the
//          box is then measured on the vertices as given.
#include <sudar/bounding/calipers.hpp>
#include <sudar/bounding/obb_fit.hpp>
#include <sudar/bounding/obb_measure.hpp>
#include <sudar/geom/hull2.hpp>
#include <sudar/geom/hull3.hpp>
#include <sudar/math/eigen.hpp>

#include <algorithm>
#include <vector>

namespace sudar {
namespace {

using Axes = std::array<Vec3d, 3>;
constexpr Axes kUnitAxes = Obb3d::unit_axes();

// Vertices within the unit cube
std::vector<Vec3d> unit_vertices(const Hull3& hull) {
  Aabb3d box = Aabb3d::empty();
  for (const Vec3d& v : hull.vertices) box = merge(box, v);
  const Vec3d middle = center(box);
  const double size = max_abs(half_extents(box));
  std::vector<Vec3d> out;
  out.reserve(hull.vertices.size());
  for (const Vec3d& v : hull.vertices) out.push_back(size > 0 ? (v * 0.5 - middle * 0.5) / size * 2.0 : Vec3d{});
  return out;
}

Axes with_third(const Vec3d& a, const Vec3d& b) { return {a, b, cross(a, b)}; }

// Square to each other and of unit length up to rounding, as they are where they are so already
Axes squared_up(const Axes& axes) {
  const auto off = [](double value) { return !(std::fabs(value) <= kPoseSlack<double>); };
  bool askew = false;
  for (std::size_t i = 0; i < 3; ++i)
    askew = askew || off(length_squared(axes[i]) - 1) || off(dot(axes[i], axes[(i + 1) % 3]));
  if (!askew) return axes;
  const Vec3d a = normalized(axes[0]);
  Vec3d b = axes[1];
  // Once more: the first time leaves the rounding of what was taken away
  for (int k = 0; k < 2; ++k) b = normalized(b - a * dot(a, b));
  if (a == Vec3d{} || b == Vec3d{}) return kUnitAxes;
  return with_third(a, b);
}

Axes principal_axes(const Hull3& hull, std::span<const Vec3d> at) {
  if (hull.dimension == 0) return kUnitAxes;
  if (hull.dimension == 1) {
    const Vec3d along = normalized(at[1] - at[0]);
    if (along == Vec3d{}) return kUnitAxes;
    Vec3d u, v;
    make_frame(along, u, v);
    return {along, u, v};
  }
  // Moments of the surface, triangle by triangle
  double area = 0;
  Vec3d first{};
  Mat3d second{{}, {}, {}};
  for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
    const Vec3d& a = at[hull.face_vertex(f, 0)];
    for (std::uint32_t i = 2; i < hull.face_degree(f); ++i) {
      const Vec3d &b = at[hull.face_vertex(f, i - 1)], &c = at[hull.face_vertex(f, i)];
      const double part = length(cross(b - a, c - a)) / 2;
      const Vec3d sum = a + b + c;
      area += part;
      first += sum * (part / 3);
      second = second + (outer(sum, sum) + outer(a, a) + outer(b, b) + outer(c, c)) * (part / 12);
    }
  }
  if (!(area > 0)) return kUnitAxes;
  const Vec3d mean = first / area;
  const SymmetricEigen3 eigen = symmetric_eigen(second * (1 / area) - outer(mean, mean));
  return {eigen.vectors.z, eigen.vectors.y, cross(eigen.vectors.z, eigen.vectors.y)};
}

double box_volume(std::span<const Vec3d> at, const Axes& axes) {
  Vec3d lo{}, hi{};
  bool started = false;
  for (const Vec3d& p : at) {
    const Vec3d local{dot(p, axes[0]), dot(p, axes[1]), dot(p, axes[2])};
    lo = started ? min(lo, local) : local;
    hi = started ? max(hi, local) : local;
    started = true;
  }
  return (hi.x - lo.x) * (hi.y - lo.y) * (hi.z - lo.z);
}

struct Candidate {
  double volume;
  Axes axes;
};

class BoxSearch {
 public:
  BoxSearch(const Hull3& hull, std::span<const Vec3d> at) : hull_(hull), at_(at), flat_(at.size()) {}

  Axes run() {
    // A flat body needs no search in space
    if (Axes axes; hull_.dimension == 2)
      return best_about(hull_.planes[0].normal, axes) ? axes : principal_axes(hull_, at_);
    consider(kUnitAxes);
    consider(principal_axes(hull_, at_));
    try_faces();
    try_edge_pairs();
    // The best few, of equal ones those found first, each brought to where no turn helps
    std::stable_sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.volume < b.volume; });
    Candidate best = found_[0];
    for (std::size_t i = 0; i < std::min(found_.size(), kRefined); ++i) {
      const Candidate refined = refine(found_[i]);
      if (refined.volume < best.volume) best = refined;
    }
    return best.axes;
  }

 private:
  // Limits on work, in visits of a vertex: together they keep the search near a tenth of a second
  static constexpr std::size_t kRefined = 6, kFaceWork = 1u << 20, kEdgeWork = 1u << 25, kRefineWork = 1u << 24;
  static constexpr int kAngles = 24;

  Candidate consider(const Axes& axes) {
    const Candidate c{box_volume(at_, axes), axes};
    if (c.volume >= 0) found_.push_back(c);
    return c;
  }

  // Boxes with a face on a face of the hull: the shadow along its normal has a smallest rectangle
  void try_faces() {
    std::vector<std::pair<double, std::uint32_t>> by_area;
    for (std::uint32_t f = 0; f < hull_.face_count(); ++f) {
      Vec3d sum{};
      for (std::uint32_t i = 2; i < hull_.face_degree(f); ++i) {
        const Vec3d& a = at_[hull_.face_vertex(f, 0)];
        sum += cross(at_[hull_.face_vertex(f, i - 1)] - a, at_[hull_.face_vertex(f, i)] - a);
      }
      by_area.push_back({-length(sum), f});
    }
    std::sort(by_area.begin(), by_area.end());
    const std::size_t most = std::max<std::size_t>(16, kFaceWork / at_.size());
    for (std::size_t i = 0; i < std::min(most, by_area.size()); ++i) {
      Axes axes;
      if (best_about(hull_.planes[by_area[i].second].normal, axes)) consider(axes);
    }
  }

  // The best turn about an axis; false when the shadow is thinner than a polygon
  bool best_about(const Vec3d& axis, Axes& axes) {
    Vec3d u, v;
    make_frame(axis, u, v);
    for (std::size_t i = 0; i < at_.size(); ++i) flat_[i] = {dot(at_[i], u), dot(at_[i], v)};
    const auto ids = convex_hull2(std::span<const Vec2d>(flat_));
    if (!ids || ids->size() < 3) return false;
    polygon_.clear();
    for (std::uint32_t i : *ids) polygon_.push_back(flat_[i]);
    double best = std::numeric_limits<double>::infinity();
    Vec2d direction{1, 0};
    rotate_calipers(polygon_, [&](const CaliperStop& stop) {
      if (stop.area < best) best = stop.area, direction = stop.direction;
    });
    axes = with_third(axis, normalized(u * direction.x + v * direction.y));
    return true;
  }

  // O'Rourke: one face on edge e, a neighbouring one on edge f. The first normal turns about e, the second follows.
  void try_edge_pairs() {
    std::vector<Vec3d> edges;
    for (std::uint32_t e = 0; e < hull_.edges.size(); ++e)
      if (e < hull_.edges[e].twin) edges.push_back(normalized(at_[hull_.destination(e)] - at_[hull_.edges[e].origin]));
    // In doubles: with millions of edges the product passes 64 bits
    const double pairs = 0.5 * static_cast<double>(edges.size()) * static_cast<double>(edges.size());
    if (pairs * static_cast<double>(at_.size()) * kAngles > static_cast<double>(kEdgeWork)) return;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      Vec3d u, v;
      make_frame(edges[i], u, v);
      for (std::size_t j = i; j < edges.size(); ++j) {
        const auto at_angle = [&](double angle) -> Candidate {
          const SinCos sc = sin_cos(angle);
          const Vec3d normal = u * sc.cos + v * sc.sin, across = cross(edges[j], normal);
          // An edge along the normal leaves the second one free: no turn is meant
          if (!(length_squared(across) > kParallelSegments<double> * kParallelSegments<double>))
            return {std::numeric_limits<double>::infinity(), kUnitAxes};
          const Axes axes = squared_up(with_third(normal, normalized(across)));
          return {box_volume(at_, axes), axes};
        };
        constexpr double kStep = kPi / kAngles;
        Candidate best = at_angle(0);
        double best_angle = 0;
        for (int k = 1; k < kAngles; ++k)
          if (const Candidate c = at_angle(k * kStep); c.volume < best.volume) best = c, best_angle = k * kStep;
        if (best.volume > kWorthRefining * smallest_) continue;
        // Close in on the minimum between the neighbouring samples by thirds
        double lo = best_angle - kStep, hi = best_angle + kStep;
        while (hi - lo > kBoxTurn) {
          const double third = (hi - lo) / 3;
          const Candidate left = at_angle(lo + third), right = at_angle(hi - third);
          const bool go_left = left.volume < right.volume;
          (go_left ? hi : lo) = go_left ? hi - third : lo + third;
          if (const Candidate& c = go_left ? left : right; c.volume < best.volume) best = c;
        }
        if (best.volume < smallest_) found_.push_back(best);
        smallest_ = std::min(smallest_, best.volume);
      }
    }
  }

  // Turn about its own axes by calipers, then by small angles, until neither helps
  Candidate refine(Candidate c) {
    double angle = kPi / 16;
    while (angle > kBoxTurn && work_ < kRefineWork) {
      Candidate next = c;
      for (int k = 0; k < 3; ++k) {
        Axes axes;
        if (best_about(c.axes[k], axes)) keep_smaller(next, axes);
      }
      const SinCos sc = sin_cos(angle);
      for (int k = 0; k < 3; ++k) {
        for (double side : {-1.0, 1.0}) {
          const Vec3d a = c.axes[(k + 1) % 3], b = c.axes[(k + 2) % 3];
          keep_smaller(next, with_third(c.axes[k], normalized(a * sc.cos + b * (side * sc.sin))));
        }
      }
      work_ += 256 * at_.size();
      // Turns by calipers land on an edge; without progress look closer by
      if (next.volume < c.volume * (1 - kBoxTurn))
        c = next;
      else
        angle /= 2;
    }
    return c;
  }
  void keep_smaller(Candidate& c, const Axes& axes) const {
    const double size = box_volume(at_, axes);
    if (size < c.volume) c = {size, axes};
  }

  // A pair of edges whose best sample is this many times the smallest so far is not refined
  static constexpr double kWorthRefining = 1.25;

  const Hull3& hull_;
  std::span<const Vec3d> at_;
  std::vector<Vec2d> flat_, polygon_;
  std::vector<Candidate> found_;
  std::size_t work_ = 0;  // of all refinements together
  double smallest_ = std::numeric_limits<double>::infinity();
};

}  // namespace

Result<Obb3d> principal_box(std::span<const Vec3d> points) noexcept {
  return guarded([&]() -> Result<Obb3d> {
    const auto hull = quickhull3(points);
    if (!hull) return hull.error();
    return measure_obb<3>(hull->vertices, squared_up(principal_axes(*hull, unit_vertices(*hull))));
  });
}

Result<Obb3d> smallest_box(std::span<const Vec3d> points) noexcept {
  return guarded([&]() -> Result<Obb3d> {
    const auto hull = quickhull3(points, {.merge_coplanar = true});
    if (!hull) return hull.error();
    const std::vector<Vec3d> at = unit_vertices(*hull);
    const bool speck = std::all_of(at.begin(), at.end(), [](const Vec3d& p) { return p == Vec3d{}; });
    const Axes axes = hull->dimension < 2 || speck ? principal_axes(*hull, at) : BoxSearch(*hull, at).run();
    return measure_obb<3>(hull->vertices, squared_up(axes));
  });
}

}  // namespace sudar
