#include <sudar/math/infinity.hpp>
#include <sudar/math/scalar.hpp>
#include <sudar/narrowphase/axis_bound3.hpp>
#include <sudar/narrowphase/depth_proof3.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace sudar {

namespace {

// Halvings of an angle after which rounding has the word
constexpr int kMostHalvings = 48;
// Change of the depth about an axis, relative to the sizes, up to which cuts through it are fewer than triangles; and how near
// to an axis points are looked at
constexpr double kCutReach = 0x1p-12;
// Halvings of a belt of latitudes
constexpr int kMostBelts = 32;
// Bodies so small that squares of their sizes are not numbers any more
constexpr double kSquaresVanish = 0x1p-465;

// A body of revolution: in A's frame
struct Revolved {
  Vec3d axis, center;
  double height, radius;  // no point of it is farther from its centre along the axis, and from the axis
  // The derivative of the support function by the cosine to the axis, at most, for each unit of the cosine
  double slope = kInfinity;
};

std::optional<Revolved> revolved(const ConvexView3& view) {
  const Vec3d z{0, 0, 1};
  switch (view.kind) {
    case CoreKind3::cylinder:
    case CoreKind3::cone:
      return Revolved{z, {}, view.p[0].y, view.p[0].x};
    case CoreKind3::ellipsoid:
      for (int i = 0; i < 3; ++i)
        if (view.p[0][(i + 1) % 3] == view.p[0][(i + 2) % 3]) {
          Vec3d axis{};
          axis[i] = 1;
          const double h = view.p[0][i], r = view.p[0][(i + 1) % 3];
          return Revolved{axis, {}, h, r, std::fabs(h - r) * ((h + r) / std::min(h, r))};
        }
      return std::nullopt;
    case CoreKind3::points: {
      if (view.count > 2) return std::nullopt;
      const Vec3d along = view.p[view.count - 1] - view.p[0];
      const double size = length(along);
      return Revolved{size > 0 ? along / size : z, (view.p[0] + view.p[view.count - 1]) * 0.5, 0.5 * size, 0};
    }
    default:
      return std::nullopt;
  }
}

// How much the support function of the difference changes with the angle about a body's axis, at most. The point of the other
// body that supports it moves along the circle about the axis by what its centre is off, by what its height is
// tilted, and by what its rim is: no more than twice the sine, whether the direction is near the axes or far from them. And
// by no more than it is off the axis. All but the rim's part vanishes towards the axis.
struct ChangeAbout {
  double lateral = kInfinity, height = 0, radius = 0, sine = 0, slope = kInfinity;

  ChangeAbout() = default;
  ChangeAbout(const Revolved& about, const Revolved& other)
      : lateral(off_axis(about, other.center)),
        height(other.height),
        radius(other.radius),
        sine(length(cross(about.axis, other.axis))),
        slope(other.slope) {}
  static double off_axis(const Revolved& about, const Vec3d& p) {
    const Vec3d off = p - about.center;
    return length(off - about.axis * dot(off, about.axis));
  }
  double most() const { return at(1, 1); }
  // In a direction of such a sine and cosine to the axis. Round bodies hardly change where the cosine is small.
  double at(double across, double along) const {
    const double tilt = (height * across + 2 * radius) * sine;
    return lateral * across + (slope < kInfinity ? std::min(tilt, sine * slope * (along + sine)) : tilt);
  }
};

// The least radius of curvature
double ball_within(const ConvexView3& view) {
  if (view.kind != CoreKind3::ellipsoid) return 0;
  const Vec3d& r = view.p[0];
  const double least = std::min({r.x, r.y, r.z}), most = std::max({r.x, r.y, r.z});
  return least * (least / most);
}

class Proof {
 public:
  Proof(const Difference3& difference, const Vec3d& normal, double depth, double tolerance)
      : difference_(difference), tolerance_(tolerance) {
    out_.normal = normal;
    out_.depth = depth;
  }

  DepthProof3 run() {
    const double scale = difference_.a.size + difference_.b.size;
    std::optional<Revolved> a = revolved(difference_.a), b = revolved(difference_.b);
    if (b) {
      if (difference_.a_from_b.turned) b->axis = normalized(difference_.a_from_b.turn * b->axis);
      b->center = in_a(b->center);
    }
    if (a) bound_by_axis(near_axis_[0], difference_.a, *a, difference_.b, true, scale);
    if (b) bound_by_axis(near_axis_[1], difference_.b, *b, difference_.a, false, scale);
    if (belts(near_axis_[0], -1, 1, kMostBelts) || belts(near_axis_[1], -1, 1, kMostBelts)) {
      out_.proven = true;
      return out_;
    }
    const ChangeAbout about_a = change_about(a, b, difference_.b, true),
                      about_b = change_about(b, a, difference_.a, false);
    const bool take_a = about_a.most() <= about_b.most();
    change_ = take_a ? about_a : about_b;
    if (change_.most() <= kCutReach * scale) {
      axis_ = take_a ? a->axis : b->axis;
      make_frame(axis_, u_, v_);
      out_.proven = cuts(0.5 * kPi, 0.5 * kPi, 0);
      return out_;
    }
    ball_ = ball_within(difference_.a) + ball_within(difference_.b);
    out_.proven = sphere();
    return out_;
  }

 private:
  Vec3d in_a(const Vec3d& p_b) const {
    return difference_.point_b(difference_.a_from_b.turned ? difference_.a_from_b.turn * p_b : p_b);
  }
  // Points of the other that may lie on the axis: its corners, its middle, where a segment comes nearest
  void bound_by_axis(AxisBound3& bound, const ConvexView3& core, const Revolved& body, const ConvexView3& other,
                     bool of_b, double scale) const {
    if (core.is_polytope() || scale < kSquaresVanish) return;
    const auto kind = core.kind == CoreKind3::cylinder ? Revolution::Kind::cylinder
                      : core.kind == CoreKind3::cone   ? Revolution::Kind::cone
                                                       : Revolution::Kind::ellipsoid;
    bound = AxisBound3({kind, body.radius, body.height}, body.center, body.axis, kCutReach * scale);
    const auto placed = [&](const Vec3d& p) { return of_b ? in_a(p) : p; };
    bound.add(placed(other.center()));
    if (other.kind == CoreKind3::cone) bound.add(placed({0, 0, other.p[0].y}));
    for (std::uint32_t i = 0; i < other.count; ++i) bound.add(placed(other.vertex(i)));
    if (other.kind != CoreKind3::points || other.count != 2) return;
    const Vec3d p = placed(other.p[0]), along = placed(other.p[1]) - p, from = p - body.center;
    const Vec3d across = along - body.axis * dot(along, body.axis);
    const double t = -dot(from, across) / dot(across, across);
    if (t > 0 && t < 1) bound.add(p + along * t);
  }
  ChangeAbout change_about(const std::optional<Revolved>& about, const std::optional<Revolved>& other,
                           const ConvexView3& view, bool of_b) const {
    ChangeAbout change;
    if (!about) return change;
    if (other) change = ChangeAbout(*about, *other);
    ChangeAbout reach;
    const auto off = [&](const Vec3d& p) { return ChangeAbout::off_axis(*about, of_b ? in_a(p) : p); };
    reach.lateral = view.is_polytope() ? 0 : off({}) + (view.kind == CoreKind3::ellipsoid ? 1 : 2) * view.size;
    for (std::uint32_t i = 0; i < view.count; ++i) reach.lateral = std::max(reach.lateral, off(view.vertex(i)));
    return reach.most() < change.most() ? reach : change;
  }

  double target() const { return out_.depth - tolerance_; }
  // The support point in a unit direction, and how far its plane is. False: the work is done.
  bool look(const Vec3d& n, Vec3d& w, double& h) {
    if (out_.asked == kMostDirections) return false;
    ++out_.asked;
    w = difference_.least(-n).w;
    h = dot(n, w);
    if (h < out_.depth) {
      out_.depth = h;
      out_.normal = n;
    }
    return true;
  }

  // Cuts through the axis. Each is a plane set; its polygon of support points grows only where it is nearer than it may be.
  struct PlaneCorner {
    Vec2d n, w;
  };
  // No plane of a cut may be nearer than this, for those up to half_ beside it to be as far as the target
  double least_at(const Vec2d& n) const {
    return target() + half_ * (change_.at(std::fabs(n.x), std::fabs(n.y)) + difference_.point_error);
  }
  bool look(const Vec3d& u, const Vec2d& n, PlaneCorner& out) {
    Vec3d w;
    double h;
    if (!look(u * n.x + axis_ * n.y, w, h)) return false;
    out = {n, {dot(u, w), dot(axis_, w)}};
    return h >= least_at(n);
  }
  bool arc(const Vec3d& u, const PlaneCorner& p, const PlaneCorner& q, int halvings) {
    // The support function between two directions is no less than that of the two points, which is least across them
    const Vec2d along = q.w - p.w;
    const double size = length(along);
    if (!(size > kNoiseErrors * difference_.point_error)) return true;
    const Vec2d n{along.y / size, -along.x / size};
    if (std::max(dot(n, p.w), dot(n, q.w)) >= least_at(n)) return true;
    PlaneCorner between;
    if (halvings >= kMostHalvings || !look(u, n, between)) return false;
    // Nothing beyond: the edge is one of the set, and nearer than it may be by rounding alone
    if (dot(n, between.w - p.w) <= kNoiseErrors * difference_.point_error) return true;
    return arc(u, p, between, halvings + 1) && arc(u, between, q, halvings + 1);
  }
  bool cut(double angle) {
    const SinCos turn = sin_cos(angle);
    const Vec3d u = u_ * turn.cos + v_ * turn.sin;
    constexpr Vec2d kDirections[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    PlaneCorner corner[4];
    for (int i = 0; i < 4; ++i)
      if (!look(u, kDirections[i], corner[i])) return false;
    for (int i = 0; i < 4; ++i)
      if (!arc(u, corner[i], corner[(i + 1) % 4], 0)) return false;
    return true;
  }
  // All cuts at no more than `half` from an angle
  bool cuts(double angle, double half, int halvings) {
    half_ = half;
    if (cut(angle)) return true;
    if (out_.asked == kMostDirections || halvings >= kMostHalvings) return false;
    return cuts(angle - 0.5 * half, 0.5 * half, halvings + 1) && cuts(angle + 0.5 * half, 0.5 * half, halvings + 1);
  }

  // Triangles of directions
  struct Corner {
    Vec3d n, w;  // of the rest beside the ball
  };
  bool look(const Vec3d& n, Corner& out) {
    Vec3d w;
    double h;
    if (!look(n, w, h)) return false;
    out = {n, w - n * ball_};
    return true;
  }
  // The least support of the rest over a triangle of directions is no less than this
  static double bound(const Corner (&c)[3]) {
    double m[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m[i][j] = dot(c[i].n, c[j].w);
    const auto value = [&](const Vec3d& mix) {
      double least = m[0][0] * mix.x + m[0][1] * mix.y + m[0][2] * mix.z;
      for (int i = 1; i < 3; ++i) least = std::min(least, m[i][0] * mix.x + m[i][1] * mix.y + m[i][2] * mix.z);
      return least;
    };
    // The mix of the three points that all three directions see alike
    const Vec3d row[3] = {{m[0][0], m[0][1], m[0][2]}, {m[1][0], m[1][1], m[1][2]}, {m[2][0], m[2][1], m[2][2]}};
    const Vec3d alike = cross(row[0] - row[1], row[1] - row[2]);
    const double sum = alike.x + alike.y + alike.z;
    double best = value({1 / 3.0, 1 / 3.0, 1 / 3.0});
    const bool within = sum > 0 ? alike.x >= 0 && alike.y >= 0 && alike.z >= 0
                                : sum < 0 && alike.x <= 0 && alike.y <= 0 && alike.z <= 0;
    if (within) return std::max(best, value(alike / sum));
    // Or of two of them, that two directions see alike
    for (int j = 0; j < 3; ++j) {
      const int k = (j + 1) % 3;
      Vec3d one{};
      one[j] = 1;
      best = std::max(best, value(one));
      for (int i = 0; i < 3; ++i) {
        const int l = (i + 1) % 3;
        const double at_j = m[i][j] - m[l][j], at_k = m[i][k] - m[l][k];
        if (!(at_j * at_k < 0)) continue;
        Vec3d two{};
        two[j] = at_k / (at_k - at_j);
        two[k] = 1 - two[j];
        best = std::max(best, value(two));
      }
    }
    return best;
  }
  bool proves(const AxisBound3& bound, double from, double to) const {
    return bound.least(from, to) - 8 * difference_.point_error >= target();
  }
  // Whole rings, one or the other point having the word
  bool belts(const AxisBound3& bound, double from, double to, int halvings) const {
    if (proves(bound, from, to)) return true;
    const double middle = 0.5 * (from + to);
    return halvings > 0 && belts(bound, from, middle, halvings - 1) && belts(bound, middle, to, halvings - 1);
  }
  // Whether points near an axis prove all directions of a triangle. B's point the other way.
  bool axis_proves(const Vec3d& a, const Vec3d& b, const Vec3d& c) const {
    const Vec3d across = cross(b - a, c - a);
    const double plane = std::fabs(dot(across, a)) / length(across);
    for (int i = 0; i < 2; ++i) {
      const Vec3d axis = i == 0 ? near_axis_[0].axis() : -near_axis_[1].axis();
      const double x = dot(a, axis), y = dot(b, axis), z = dot(c, axis);
      // Between the corners directions are shorter than one before they are made unit
      const double from = std::min({x, y, z}), to = std::max({x, y, z});
      if (proves(near_axis_[i], std::max(-1.0, (from < 0 ? from / plane : from) - 4 * kRoundoff),
                 std::min(1.0, (to > 0 ? to / plane : to) + 4 * kRoundoff)))
        return true;
    }
    return false;
  }
  bool triangle(const Corner& a, const Corner& b, const Corner& c, int halvings) {
    const double below = bound({a, b, c});
    const double enough = target() - ball_;
    if (below >= enough && below >= 0) return true;
    if (below >= enough && enough < 0) {
      // Directions between the corners are shorter than one before they are made unit
      const Vec3d across = cross(b.n - a.n, c.n - a.n);
      const double size = length(across);
      if (size > 0 && below * (size / std::fabs(dot(across, a.n))) >= enough) return true;
    }
    if (axis_proves(a.n, b.n, c.n)) return true;
    if (halvings >= kMostHalvings) return false;
    Corner ab, bc, ca;
    if (!look(normalized(a.n + b.n), ab) || !look(normalized(b.n + c.n), bc) || !look(normalized(c.n + a.n), ca))
      return false;
    return triangle(ab, bc, ca, halvings + 1) && triangle(a, ab, ca, halvings + 1) &&
           triangle(ab, b, bc, halvings + 1) && triangle(ca, bc, c, halvings + 1);
  }
  bool sphere() {
    Corner end[6];
    for (int i = 0; i < 6; ++i) {
      Vec3d n{};
      n[i / 2] = i % 2 == 0 ? 1 : -1;
      if (!look(n, end[i])) return false;
    }
    for (int i = 0; i < 8; ++i)
      if (!triangle(end[i & 1], end[2 + ((i >> 1) & 1)], end[4 + (i >> 2)], 0)) return false;
    return true;
  }

  const Difference3& difference_;
  const double tolerance_;
  double ball_ = 0, half_ = 0;
  ChangeAbout change_;
  Vec3d axis_{}, u_{}, v_{};
  AxisBound3 near_axis_[2];  // of A and of B
  DepthProof3 out_;
};

}  // namespace

DepthProof3 prove_depth3(const Difference3& difference, const Vec3d& normal, double depth, double tolerance) {
  return Proof(difference, normal, depth, tolerance).run();
}

}  // namespace sudar
