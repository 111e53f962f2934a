#include <sudar/math/infinity.hpp>
#include <sudar/math/scalar.hpp>
#include <sudar/narrowphase/depth_proof3.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace sudar {

namespace {

// Halvings of an angle after which rounding has the word
constexpr int kMostHalvings = 48;
// Change of the depth about an axis, relative to the sizes, up to which cuts through it are fewer than triangles
constexpr double kCutReach = 0x1p-12;

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

// How deep a point is in a curved core, at least: 0 or less where it may be outside
double depth_in(const ConvexView3& core, const Vec3d& p) {
  const double x = std::fabs(p.x), y = std::fabs(p.y), far = std::max(x, y), near = std::min(x, y);
  const double across = far > 0 ? far * std::sqrt(1 + (near / far) * (near / far)) : 0;
  const double radius = core.p[0].x, height = core.p[0].y;
  switch (core.kind) {
    case CoreKind3::cylinder:
      return std::min(radius - across, height - std::fabs(p.z));
    case CoreKind3::cone: {
      // Of the slanted line, by its slope: nothing is squared, so nothing underflows
      const double slope = 0.5 * (radius / height);
      return std::min(height + p.z, (slope * (height - p.z) - across) / std::sqrt(1 + slope * slope));
    }
    case CoreKind3::ellipsoid: {
      // With the point it holds a smaller one of its shape
      const Vec3d& r = core.p[0];
      return (1 - length(Vec3d{p.x / r.x, p.y / r.y, p.z / r.z})) * std::min({r.x, r.y, r.z});
    }
    default:
      return -kInfinity;
  }
}

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
    if (point_proves()) {
      out_.proven = true;
      return out_;
    }
    const double scale = difference_.a.size + difference_.b.size;
    std::optional<Revolved> a = revolved(difference_.a), b = revolved(difference_.b);
    if (b) {
      if (difference_.a_from_b.turned) b->axis = normalized(difference_.a_from_b.turn * b->axis);
      b->center = in_a(b->center);
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
  Vec3d in_b(const Vec3d& p_a) const {
    return to_b(difference_.a_from_b, (p_a - difference_.a_from_b.translation) - difference_.a_from_b.rest);
  }
  // No way out is shorter than that of a point: a corner, the middle, or where a segment comes nearest to the axis
  bool point_proves() const {
    const auto deepest = [](const ConvexView3& core, const ConvexView3& other, auto&& placed) {
      if (core.is_polytope()) return -kInfinity;
      double depth = depth_in(core, placed(other.center()));
      for (std::uint32_t i = 0; i < other.count; ++i) depth = std::max(depth, depth_in(core, placed(other.vertex(i))));
      if (other.kind == CoreKind3::points && other.count == 2) {
        const Vec3d p = placed(other.p[0]), along = placed(other.p[1]) - p;
        const double t = -(p.x * along.x + p.y * along.y) / (along.x * along.x + along.y * along.y);
        if (t > 0 && t < 1) depth = std::max(depth, depth_in(core, p + along * t));
      }
      return depth;
    };
    const double depth = std::max(deepest(difference_.a, difference_.b, [&](const Vec3d& p) { return in_a(p); }),
                                  deepest(difference_.b, difference_.a, [&](const Vec3d& p) { return in_b(p); }));
    return depth - 4 * difference_.point_error >= target();
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
  DepthProof3 out_;
};

}  // namespace

DepthProof3 prove_depth3(const Difference3& difference, const Vec3d& normal, double depth, double tolerance) {
  return Proof(difference, normal, depth, tolerance).run();
}

}  // namespace sudar
