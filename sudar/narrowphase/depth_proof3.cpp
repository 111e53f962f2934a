#include <sudar/math/infinity.hpp>
#include <sudar/math/interval.hpp>
#include <sudar/math/scalar.hpp>
#include <sudar/narrowphase/axis_bound3.hpp>
#include <sudar/narrowphase/depth_proof3.hpp>
#include <sudar/narrowphase/revolved3.hpp>
#include <sudar/narrowphase/support_ring.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace sudar {

namespace {

// Halvings of an angle after which rounding has the word
constexpr int kMostHalvings = 48;
// And of an arc of one cut, of which one point is known
constexpr int kArcHalvings = 8;
// Rounding of what is known beside a cut, in errors of a point
constexpr double kBesideErrors = 16;
// Cuts of a triangle: of the edge that looks worst, and then of the longest, so that none stays
constexpr int kChosenCuts = 56, kMostCuts = 120;
// The least part of an edge that is cut off it
constexpr double kLeastShare = 0x1p-12;
// Change of the depth about an axis, relative to the sizes, up to which cuts through it are fewer than triangles; and how near
// to an axis points are looked at
constexpr double kCutReach = 0x1p-12;
// And up to which they may be where triangles are many
constexpr double kFarCutReach = 0x1p-6;
// The least sine between two axes that both have their circle of edges
constexpr double kNearlyParallel = 0x1p-40;
// Directions for which one way is tried before another
constexpr int kFewDirections = 1 << 14;
// Halvings of a belt of latitudes
constexpr int kMostBelts = 32;
// Bodies so small that squares of their sizes are not numbers any more
constexpr double kSquaresVanish = 0x1p-465;

// The least radius of curvature
double ball_within(const ConvexView3& view) {
  if (view.kind != CoreKind3::ellipsoid) return 0;
  const Vec3d& r = view.p[0];
  const double least = std::min({r.x, r.y, r.z}), most = std::max({r.x, r.y, r.z});
  return least * (least / most);
}

// All of an ellipsoid, or a rim
std::optional<SupportRing> ring_of(const ConvexView3& view, const Revolved& body) {
  if (!(body.radius > 0) || view.is_polytope()) return std::nullopt;
  return SupportRing{body.radius, view.kind == CoreKind3::ellipsoid ? body.height : 0};
}

class Proof {
 public:
  Proof(const Difference3& difference, const Vec3d& normal, double depth, double tolerance)
      : difference_(difference),
        tolerance_(tolerance),
        most_(difference.a.rough_depth || difference.b.rough_depth ? kRoughDirections : kMostDirections) {
    out_.normal = normal;
    out_.depth = depth;
  }

  DepthProof3 run() {
    const double scale = difference_.a.size + difference_.b.size;
    std::optional<Revolved>&a = body_[0], &b = body_[1];
    a = revolved(difference_.a);
    b = revolved(difference_.b);
    if (b) place(*b);
    round_[0] = a ? a : nearly_revolved(difference_.a);
    round_[1] = b ? b : nearly_revolved(difference_.b);
    if (!b && round_[1]) place(*round_[1]);
    if (a) bound_by_axis(near_axis_[0], difference_.a, *a, difference_.b, true, scale);
    if (b) bound_by_axis(near_axis_[1], difference_.b, *b, difference_.a, false, scale);
    if (belts(near_axis_[0], -1, 1, kMostBelts) || belts(near_axis_[1], -1, 1, kMostBelts)) {
      out_.proven = true;
      return out_;
    }
    ball_of_[0] = ball_within(difference_.a);
    ball_of_[1] = ball_within(difference_.b);
    ball_ = ball_of_[0] + ball_of_[1];
    const ChangeAbout about[2] = {change_about(0), change_about(1)};
    const int first = about[0].most() <= about[1].most() ? 0 : 1;
    // Each way may need a hundred times what another does
    for (int few = kFewDirections; !out_.proven && few <= most_; few *= 4) {
      const auto by_cuts = [&](int i) { return within(few / 4, [&] { return cuts_about(i, about[i]); }); };
      const auto cuts_up_to = [&](double reach, double from) {
        const auto in_line = [&](int i) { return about[i].most() <= reach * scale && about[i].most() > from * scale; };
        return (in_line(first) && by_cuts(first)) || (in_line(1 - first) && by_cuts(1 - first));
      };
      const auto by_triangles = [&](bool at_ties) { return within(few, [&] { return sphere(at_ties); }); };
      out_.proven =
          cuts_up_to(kCutReach, -1) || by_triangles(false) || by_triangles(true) || cuts_up_to(kFarCutReach, kCutReach);
    }
    return out_;
  }

 private:
  // From B's frame
  void place(Revolved& b) const {
    if (difference_.a_from_b.turned) b.axis = normalized(difference_.a_from_b.turn * b.axis);
    b.center = in_a(b.center);
  }
  Vec3d in_a(const Vec3d& p_b) const {
    return difference_.point_b(difference_.a_from_b.turned ? difference_.a_from_b.turn * p_b : p_b);
  }
  // Its own axes, in A's frame
  Mat3d in_frame(bool of_b) const { return of_b && difference_.a_from_b.turned ? difference_.a_from_b.turn : Mat3d{}; }
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
    if (other.kind == CoreKind3::cylinder || other.kind == CoreKind3::cone) {
      const Vec3d& up = body_[of_b ? 1 : 0]->axis;
      add_rim(bound, body, placed({0, 0, -other.p[0].y}), up, other.p[0].x);
      if (other.kind == CoreKind3::cylinder) add_rim(bound, body, placed({0, 0, other.p[0].y}), up, other.p[0].x);
    }
    if (other.kind != CoreKind3::points || other.count != 2) return;
    const Vec3d p = placed(other.p[0]), along = placed(other.p[1]) - p, from = p - body.center;
    const Vec3d across = along - body.axis * dot(along, body.axis);
    const double t = -dot(from, across) / dot(across, across);
    if (t > 0 && t < 1) bound.add(p + along * t);
  }
  // Where a rim comes nearest to the axis, where it does so in its own plane or across it
  static void add_rim(AxisBound3& bound, const Revolved& body, const Vec3d& center, const Vec3d& up, double radius) {
    const Vec3d from = body.center - center, along = body.axis - up * dot(body.axis, up);
    const double square = dot(along, along), rise = dot(body.axis, up);
    const auto add = [&](const Vec3d& to) {
      // Twice: what is left of a point near the middle is rounding, which may be out of the rim's plane
      Vec3d flat = to - up * dot(to, up);
      flat = flat - up * dot(flat, up);
      if (const double size = length(flat); size > 0) bound.add(center + flat * (radius / size));
    };
    if (std::fabs(rise) > kCutReach) add(from - body.axis * (dot(from, up) / rise));
    if (!(square > kCutReach * kCutReach)) return;
    // The axis as the rim's plane sees it: its chord, or the point that is nearest to it
    const Vec3d foot = from - along * (dot(from, along) / square);
    const Vec3d flat = foot - up * dot(foot, up);
    const double left = radius * radius - dot(flat, flat);
    const Vec3d half = along * std::sqrt(std::max(left, 0.0) / square);
    add(flat + half);
    add(flat - half);
  }
  ChangeAbout change_about(int i) {
    const std::optional<Revolved>&about = round_[i], &other = body_[1 - i];
    const ConvexView3& view = i == 0 ? difference_.b : difference_.a;
    ChangeAbout change;
    if (!about) return change;
    if (other) change = ChangeAbout(*about, *other);
    ChangeAbout reach;
    const auto off = [&](const Vec3d& p) { return ChangeAbout::off_axis(*about, i == 0 ? in_a(p) : p); };
    reach.lateral = view.is_polytope() ? 0 : off({}) + (view.kind == CoreKind3::ellipsoid ? 1 : 2) * view.size;
    for (std::uint32_t k = 0; k < view.count; ++k) reach.lateral = std::max(reach.lateral, off(view.vertex(k)));
    if (view.kind == CoreKind3::ellipsoid) reach.bound_ellipsoid(view.p[0], in_frame(i == 0), about->axis, off({}));
    if (about->beyond > 0) {
      // It changes about its own axis as well
      ChangeAbout self;
      self.bound_ellipsoid((i == 0 ? difference_.a : difference_.b).p[0], in_frame(i == 1), about->axis, 0);
      for (ChangeAbout* x : {&reach, &change})
        x->lateral += self.lateral, x->second += self.second, x->mixed += self.mixed;
      own_[i] = self.lateral;
    }
    return reach.most() < change.most() ? reach : change;
  }
  double target() const { return out_.depth - tolerance_; }
  // As long as no more directions are asked than these
  template <class Try>
  bool within(int directions, Try attempt) {
    last_ = std::min(most_, out_.asked + directions);
    return attempt();
  }
  // The support point in a unit direction, and how far its plane is. False: the work is done.
  bool look(const Vec3d& n, DifferencePoint3& p) {
    if (out_.asked >= last_) return false;
    ++out_.asked;
    p = difference_.least(-n);
    const double h = dot(n, p.w);
    if (h < out_.depth) {
      out_.depth = h;
      out_.normal = n;
    }
    return true;
  }

  // Cuts through the axis of a body. Each is a plane set; its polygon of support points grows only where it is nearer than it
  // may be.
  struct Plane {
    Vec3d u, v;
    // Of the other body, when it is one of revolution: its middle and its axis along u and across the plane
    double middle_u = 0, middle_v = 0, axis_u = 0, axis_v = 0;
  };
  struct PlaneCorner {
    Vec2d n, w;
    double turn = 0;  // the derivative of the support by the angle of the cut
    // The other body's point, along its axis and from it: all of its ring is in the set
    double along = 0, from_axis = 0;
  };
  // No plane of a cut may be nearer than this, for those up to half_ beside it to be as far as the target
  double least_at(const Vec2d& n) const {
    return target() + half_ * (change_.at(std::fabs(n.x), std::fabs(n.y)) + difference_.point_error);
  }
  bool look(const Plane& plane, const Vec2d& n, PlaneCorner& out) {
    DifferencePoint3 p;
    if (!look(plane.u * n.x + axis_ * n.y, p)) return false;
    out = {n, {dot(plane.u, p.w), dot(axis_, p.w)}, n.x * dot(plane.v, p.w)};
    if (!tilted_) return true;
    const Vec3d y = about_ == 0 ? tilted_->center - difference_.point_b(p.turned_b) : p.a - tilted_->center;
    out.along = dot(y, tilted_->axis);
    out.from_axis = length(y - tilted_->axis * out.along);
    return true;
  }
  // Whether a corner's point, and those that come of it beside the cut, prove all directions between two
  bool holds(const Plane& plane, const PlaneCorner& p, const Vec2d& from, const Vec2d& to, int halvings) const {
    // Bounds below zero do not stay where directions between the two are made unit
    if (target() < 0) return false;
    const double at_from = dot(from, p.w), at_to = dot(to, p.w);
    // Both sides are linear between the two
    if (at_from >= least_at(from) && at_to >= least_at(to)) return true;
    if (std::min(at_from, at_to) < target()) return false;
    if (tilted_ && (at_from < at_to ? ring_holds(plane, p, from, to) : ring_holds(plane, p, to, from))) return true;
    if (change_.second < kInfinity && turn_holds(p, from, to)) return true;
    if (halvings == 0) return false;
    const Vec2d middle = normalized(from + to);
    return holds(plane, p, from, middle, halvings - 1) && holds(plane, p, middle, to, halvings - 1);
  }
  // By the derivative of the support at the corner itself
  bool turn_holds(const PlaneCorner& p, const Vec2d& from, const Vec2d& to) const {
    // An angle is at most π / √8 chords, up to a right one
    const double far = 1.12 * std::max(length(from - p.n), length(to - p.n));
    const double loss = half_ * (std::fabs(p.turn) + change_.mixed * far) + 0.5 * change_.second * half_ * half_;
    return std::min(dot(from, p.w), dot(to, p.w)) >= target() + loss + kBesideErrors * difference_.point_error;
  }
  // By the ring of the other body's point: with c the cosine to its axis its support is R(c) = along c + from_axis √(1 - c²).
  // Turned by an angle t about the cut's axis, c changes by sin θ (axis_v sin t - axis_u (1 - cos t)), and what the middle
  // adds alike. The first derivative of the sum is known at `from`, and of second order are R'' of both changes, and that of R'
  // on the way from `from`.
  bool ring_holds(const Plane& plane, const PlaneCorner& p, const Vec2d& from, const Vec2d& to) const {
    const double chord = length(to - from), c = from.x * plane.axis_u + from.y * along_;
    const double s = std::sqrt(std::max(0.0, (1 - c) * (1 + c))), least = s - chord - 3 * tilt_;
    if (!(least > kCutReach)) return false;
    const double bend = p.from_axis / (least * least * least), slope = p.along - p.from_axis * (c / s);
    const double step = tilt_ * half_;
    const double turn = own_[about_] * half_ + std::fabs(plane.middle_v + slope * plane.axis_v) * half_ +
                        std::fabs(plane.middle_u + slope * plane.axis_u) * (0.5 * half_ * half_);
    const double enough =
        target() + tilted_->beyond + 0.5 * bend * step * step + kBesideErrors * difference_.point_error;
    // No direction between is farther from `from` than √2 times its share of the chord
    return dot(from, p.w) >= enough + turn * std::fabs(from.x) &&
           dot(to, p.w) >= enough + turn * std::fabs(to.x) + 1.5 * bend * step * chord;
  }
  bool arc(const Plane& plane, const PlaneCorner& p, const PlaneCorner& q, int halvings) {
    // The support function between two directions is no less than that of the two points, which is least across them
    const Vec2d along = q.w - p.w;
    const double size = length(along);
    if (!(size > kNoiseErrors * difference_.point_error)) return holds(plane, p, p.n, q.n, kArcHalvings);
    const Vec2d n{along.y / size, -along.x / size};
    if (holds(plane, p, n, p.n, kArcHalvings) && holds(plane, q, n, q.n, kArcHalvings)) return true;
    PlaneCorner between;
    if (halvings >= kMostHalvings || !look(plane, n, between)) return false;
    // Nothing beyond: the edge is one of the set
    if (dot(n, between.w - p.w) <= kNoiseErrors * difference_.point_error) return false;
    return arc(plane, p, between, halvings + 1) && arc(plane, between, q, halvings + 1);
  }
  bool cut(double angle) {
    const SinCos turn = sin_cos(angle);
    Plane plane{u_ * turn.cos + v_ * turn.sin, v_ * turn.cos - u_ * turn.sin};
    if (tilted_) {
      plane.middle_u = dot(offset_, plane.u);
      plane.middle_v = dot(offset_, plane.v);
      plane.axis_u = dot(tilted_->axis, plane.u);
      plane.axis_v = dot(tilted_->axis, plane.v);
    }
    constexpr int kQuarters = 4;
    PlaneCorner corner[2 * kQuarters];
    int count = 0;
    Vec2d n{1, 0}, other = turning_;
    for (int i = 0; i < kQuarters; ++i) {
      if (!look(plane, n, corner[count++])) return false;
      if (turning_ != Vec2d{} && !look(plane, other, corner[count++])) return false;
      n = {-n.y, n.x};
      // Mirrored from quarter to quarter
      other = i % 2 == 0 ? Vec2d{-other.x, other.y} : Vec2d{other.x, -other.y};
    }
    for (int i = 0; i < count; ++i)
      if (!arc(plane, corner[i], corner[(i + 1) % count], 0)) return false;
    return true;
  }
  // All cuts at no more than `half` from an angle
  bool cuts(double angle, double half, int halvings) {
    half_ = half;
    if (cut(angle)) return true;
    if (out_.asked >= last_ || halvings >= kMostHalvings) return false;
    return cuts(angle - 0.5 * half, 0.5 * half, halvings + 1) && cuts(angle + 0.5 * half, 0.5 * half, halvings + 1);
  }
  bool cuts_about(int body, const ChangeAbout& change) {
    about_ = body;
    change_ = change;
    axis_ = round_[about_]->axis;
    make_frame(axis_, u_, v_);
    turning_ = change_.turning_point().value_or(Vec2d{});
    tilted_ = round_[1 - about_] ? &*round_[1 - about_] : nullptr;
    if (tilted_) {
      const Vec3d to = tilted_->center - round_[about_]->center;
      offset_ = about_ == 0 ? -to : to;
      along_ = dot(tilted_->axis, axis_);
      tilt_ = length(cross(tilted_->axis, axis_));
    }
    return cuts(0.5 * kPi, 0.5 * kPi, 0);
  }

  // Triangles of directions
  struct Corner {
    Vec3d n, w;     // of the rest beside the balls
    Vec3d ring[2];  // from the middle of A's, and of B's, ring to its point, less the ball's
    bool on_ring[2];
  };
  bool look(const Vec3d& n, Corner& out) {
    DifferencePoint3 p;
    if (!look(n, p)) return false;
    out = {n, p.w - n * ball_, {}, {}};
    for (int i = 0; i < 2; ++i) {
      if (!ring_[i]) continue;
      const Vec3d point = i == 0 ? p.a : p.turned_b, &axis = body_[i]->axis;
      const double along = dot(point, axis);
      out.on_ring[i] = (i == 0 ? difference_.a : difference_.b).kind != CoreKind3::cone || along < 0;
      if (!out.on_ring[i]) continue;
      const Vec3d from = ring_[i]->height > 0 ? point : point - axis * along;
      out.ring[i] = (i == 0 ? from : -from) - n * ball_of_[i];
    }
    return true;
  }
  // Of a triangle, squared: from corner i to i + 1
  struct Edges {
    double square[3];
    int longest = 0;

    explicit Edges(const Corner* const (&c)[3]) {
      for (int i = 0; i < 3; ++i) {
        square[i] = length_squared(c[i]->n - c[(i + 1) % 3]->n);
        if (square[i] > square[longest]) longest = i;
      }
    }
    // Directions between the corners are no shorter than this before they are made unit
    double shortest() const { return std::sqrt(1 - square[longest] * (1 / 3.0)) - 4 * kRoundoff; }
  };
  // What is known of the support of the rest in the three directions: of each of three points or rings, in each of them
  struct Game {
    double m[3][3];
    double constant[3] = {};  // the part of it that does not grow with a direction's length
    double gap[3] = {};       // what an edge adds to the distance from the truth: of its ends i and i + 1
    double error = 0;         // of rounding

    // Where along an edge the two of its ends are equally far, which is where a valley may run; or the middle of it
    double tie(int edge) const {
      const int i = edge, k = (edge + 1) % 3;
      const double at_i = m[i][i] - m[i][k], at_k = m[k][k] - m[k][i], at = at_i / (at_i + at_k);
      return at > kLeastShare && at < 1 - kLeastShare ? at : 0.5;
    }
  };
  struct Cut {
    int edge;   // from corner `edge` to the next
    double at;  // from 0 to 1 along it
  };
  // A mix of the three
  struct Mixed {
    double at_corners = -kInfinity;  // the least there
    double below = -kInfinity;       // and in all directions between them
    double dip[3] = {};              // by how much it may be less along an edge than at its ends
  };
  static Mixed mixed(const Game& game, const Edges& edges, const Vec3d& mix) {
    const double(&m)[3][3] = game.m;
    Mixed out;
    double at[3], constant = 0;
    for (int i = 0; i < 3; ++i) {
      at[i] = m[i][0] * mix.x + m[i][1] * mix.y + m[i][2] * mix.z;
      constant += game.constant[i] * mix[i];
    }
    out.at_corners = std::min({at[0], at[1], at[2]});
    out.below = out.at_corners;
    // What grows with the length is as much larger when directions are made unit, or below zero as much lower. With weights
    // x of the corners 1/|direction| - 1 is at most Σ xᵢ xⱼ edge² / (2 shortest³), and Σ xᵢ rᵢ ≥ Σ xᵢ xⱼ (rᵢ + rⱼ).
    if (const double fixed = constant - out.at_corners; fixed > 0) {
      const double shortest = edges.shortest(), share = 0.5 * fixed / (shortest * shortest * shortest);
      double most = 0;
      for (int i = 0; i < 3; ++i) {
        const double rise = (at[i] - out.at_corners) + (at[(i + 1) % 3] - out.at_corners);
        out.dip[i] = std::max(0.0, share * edges.square[i] - rise);
        most = std::max(most, out.dip[i]);
      }
      out.below -= most * (1 / 3.0);
    }
    return out;
  }
  // The mix that is known to be farthest out
  static Mixed value(const Game& game, const Edges& edges) {
    const double(&m)[3][3] = game.m;
    const auto better = [&](const Mixed& best, const Vec3d& mix) {
      const Mixed other = mixed(game, edges, mix);
      return other.below > best.below ? other : best;
    };
    // What all three directions see alike
    const Vec3d row[3] = {{m[0][0], m[0][1], m[0][2]}, {m[1][0], m[1][1], m[1][2]}, {m[2][0], m[2][1], m[2][2]}};
    const Vec3d alike = cross(row[0] - row[1], row[1] - row[2]);
    const double sum = alike.x + alike.y + alike.z;
    Mixed best = mixed(game, edges, {1 / 3.0, 1 / 3.0, 1 / 3.0});
    const bool within = sum > 0 ? alike.x >= 0 && alike.y >= 0 && alike.z >= 0
                                : sum < 0 && alike.x <= 0 && alike.y <= 0 && alike.z <= 0;
    if (within) return better(best, alike / sum);
    // Or two of them, of two points
    for (int j = 0; j < 3; ++j) {
      const int k = (j + 1) % 3;
      Vec3d one{};
      one[j] = 1;
      best = better(best, one);
      for (int i = 0; i < 3; ++i) {
        const int l = (i + 1) % 3;
        const double at_j = m[i][j] - m[l][j], at_k = m[i][k] - m[l][k];
        if (!(at_j * at_k < 0)) continue;
        Vec3d two{};
        two[j] = at_k / (at_k - at_j);
        two[k] = 1 - two[j];
        best = better(best, two);
      }
    }
    return best;
  }
  // The points that were seen
  static Game points(const Corner* const (&c)[3]) {
    Game game;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) game.m[i][j] = dot(c[i]->n, c[j]->w);
      const int k = (i + 1) % 3;
      game.gap[i] = dot(c[i]->n - c[k]->n, c[i]->w - c[k]->w);
    }
    return game;
  }
  // With whole rings of bodies in place of their points
  std::optional<Game> rings(const Corner* const (&c)[3], const Edges& edges, const Interval (&latitude)[2],
                            unsigned bodies) const {
    Game game;
    game.error = 16 * difference_.point_error;
    Vec3d w[3] = {c[0]->w, c[1]->w, c[2]->w};
    for (int i = 0; i < 2; ++i) {
      if ((bodies >> i & 1) == 0) continue;
      const double from = latitude[i].lo, to = latitude[i].hi;
      const std::optional<SupportRing::Line> line = ring_[i]->below(from, to);
      if (!line) return std::nullopt;
      game.error += 16 * kRoundoff * (std::fabs(line->slope) + std::fabs(line->at_zero));
      const Vec3d& axis = body_[i]->axis;
      for (int j = 0; j < 3; ++j) {
        if (c[j]->on_ring[i]) {
          w[j] += axis * line->slope - c[j]->ring[i];
          game.constant[j] += line->at_zero - ball_of_[i];
        }
        // Along an edge cosines go beyond those at its ends
        const double reach = std::fabs(dot(c[j]->n - c[(j + 1) % 3]->n, axis)) +
                             0.125 * std::max(std::fabs(from), std::fabs(to)) * edges.square[j];
        game.gap[j] += line->bend * reach * reach;
      }
    }
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) game.m[i][j] = dot(c[i]->n, w[j]) + game.constant[j];
      const int k = (i + 1) % 3;
      game.gap[i] += dot(c[i]->n - c[k]->n, w[i] - w[k]);
    }
    return game;
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
  // Whether points near an axis prove all directions of such cosines to it
  bool axis_proves(const Interval (&latitude)[2]) const {
    // B's point the other way
    return proves(near_axis_[0], latitude[0].lo, latitude[0].hi) ||
           proves(near_axis_[1], -latitude[1].hi, -latitude[1].lo);
  }
  bool triangle(const Corner& a, const Corner& b, const Corner& c, int halvings) {
    const Corner* const corners[3] = {&a, &b, &c};
    const Edges edges(corners);
    Cut cut{edges.longest, 0.5};
    // Of more than a quarter of a circle nothing is asked
    if (edges.square[edges.longest] <= 2 + 8 * kRoundoff && proven(corners, edges, cut)) return true;
    if (halvings >= kMostCuts) return false;
    if (halvings >= kChosenCuts) cut = {edges.longest, 0.5};
    const Corner &p = *corners[cut.edge], &q = *corners[(cut.edge + 1) % 3], &r = *corners[(cut.edge + 2) % 3];
    Corner middle;
    if (!look(normalized(p.n * (1 - cut.at) + q.n * cut.at), middle)) return false;
    return triangle(p, middle, r, halvings + 1) && triangle(middle, q, r, halvings + 1);
  }
  // If not, then where to cut it: the edge that is farthest from the truth
  bool proven(const Corner* const (&c)[3], const Edges& edges, Cut& cut) const {
    const double enough = target() - ball_;
    double fewest = kInfinity;
    const auto take = [&](const Game& game) {
      const Mixed mix = value(game, edges);
      if (mix.below - game.error >= enough) return true;
      // About how many triangles are left to do
      double most = -kInfinity, left = 1;
      int worst = 0;
      for (int i = 0; i < 3; ++i) {
        const double gap = (mix.at_corners - game.error < enough ? game.gap[i] : 0) + mix.dip[i];
        if (gap > most) most = gap, worst = i;
        left *= std::max(1.0, gap / tolerance_);
      }
      if (left < fewest) {
        fewest = left;
        cut = {worst, at_ties_ ? game.tie(worst) : 0.5};
      }
      return false;
    };
    if (take(points(c))) return true;
    Interval latitude[2];
    const double shortest = edges.shortest();
    for (int i = 0; i < 2; ++i) {
      if (!body_[i]) continue;
      const Vec3d& axis = body_[i]->axis;
      const double x = dot(c[0]->n, axis), y = dot(c[1]->n, axis), z = dot(c[2]->n, axis);
      const double from = std::min({x, y, z}), to = std::max({x, y, z});
      latitude[i] = {std::max(-1.0, (from < 0 ? from / shortest : from) - 4 * kRoundoff),
                     std::min(1.0, (to > 0 ? to / shortest : to) + 4 * kRoundoff)};
    }
    if (axis_proves(latitude)) return true;
    for (unsigned bodies = 1; bodies < 4; ++bodies) {
      if ((bodies & 1 && !ring_[0]) || (bodies & 2 && !ring_[1])) continue;
      const std::optional<Game> game = rings(c, edges, latitude, bodies);
      if (game && take(*game)) return true;
    }
    return false;
  }
  // Three directions that span space. The circles across the axes of rings are edges of the first triangles, because the
  // valleys lie along them.
  void first_directions(Vec3d (&out)[3]) const {
    const Vec3d axis[2] = {ring_[0] ? body_[0]->axis : Vec3d{}, ring_[1] ? body_[1]->axis : Vec3d{}};
    const Vec3d both = cross(axis[0], axis[1]);
    if (length(both) > kNearlyParallel) {
      out[0] = normalized(both);
      for (int i = 0; i < 2; ++i) out[1 + i] = normalized(cross(axis[i], out[0]));
    } else {
      out[0] = ring_[0] ? axis[0] : ring_[1] ? axis[1] : Vec3d{1, 0, 0};
      make_frame(out[0], out[1], out[2]);
    }
  }
  bool sphere(bool at_ties) {
    at_ties_ = at_ties;
    for (int i = 0; i < 2; ++i)
      if (body_[i]) ring_[i] = ring_of(i == 0 ? difference_.a : difference_.b, *body_[i]);
    Vec3d direction[3];
    first_directions(direction);
    Corner end[6];
    for (int i = 0; i < 6; ++i)
      if (!look(i % 2 == 0 ? direction[i / 2] : -direction[i / 2], end[i])) return false;
    for (int i = 0; i < 8; ++i)
      if (!triangle(end[i & 1], end[2 + ((i >> 1) & 1)], end[4 + (i >> 2)], 0)) return false;
    return true;
  }

  const Difference3& difference_;
  const double tolerance_;
  const int most_;
  double ball_of_[2] = {}, ball_ = 0, half_ = 0;
  int last_ = 0;  // direction that may be asked
  bool at_ties_ = false;
  ChangeAbout change_;
  Vec2d turning_{};  // its turning point; zero when there is none
  // Of cuts: the body whose axis they go through, that axis and directions across it; the other body, if it is one of revolution
  int about_ = 0;
  Vec3d axis_{}, u_{}, v_{};
  const Revolved* tilted_ = nullptr;
  Vec3d offset_{};                    // of the difference, by the middles of the two
  double along_ = 0, tilt_ = 0;       // cosine and sine between the axes
  std::optional<Revolved> body_[2];   // A and B
  std::optional<Revolved> round_[2];  // and those that are nearly such
  double own_[2] = {};                // what these change about their own axes
  std::optional<SupportRing> ring_[2];
  AxisBound3 near_axis_[2];  // of A and of B
  DepthProof3 out_;
};

}  // namespace

DepthProof3 prove_depth3(const Difference3& difference, const Vec3d& normal, double depth, double tolerance) {
  return Proof(difference, normal, depth, tolerance).run();
}

}  // namespace sudar
