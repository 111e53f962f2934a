// What:    See separation_impact.hpp.
#include <sudar/continuous/separation_impact.hpp>
#include <sudar/geom/closest.hpp>
#include <sudar/math/tolerance.hpp>

#include <cmath>

namespace sudar {

namespace {

// Halvings of [0, 1]: the steps are shorter than what moves anything by kLeastImpactTolerance
constexpr int kDepth = 48;
// A gap along a direction: a difference, a mix of three factors, the product and two sums of the scalar product make 8
// factors (1 + δ) on three terms of at most the size; the direction's own length is off by less than 8 u
constexpr double kGapError = 64 * kRoundoff;

struct MovingDifference {
  Vec3d at0, at1;
  Vec3d at(double t) const { return at0 * (1 - t) + at1 * t; }
};

// The points of one primitive seen from the other, which differ by at least `separation` when they do so along a
// direction: a vertex sees the corners of the face; each end of an edge sees those of the other
struct VertexFaceGaps {
  static constexpr int kCount = 3;
  MovingDifference gap[kCount];
  // From the vertex to the face
  Vec3d witness(double t) const {
    return closest_point(Triangle<3, double>{gap[0].at(t), gap[1].at(t), gap[2].at(t)}, Vec3d{}).point;
  }
};
struct EdgeEdgeGaps {
  static constexpr int kCount = 4;
  MovingDifference gap[kCount];  // c - a, d - a, c - b, d - b
  // From the first edge to the second
  Vec3d witness(double t) const {
    const Vec3d ca = gap[0].at(t);
    const Segment<3, double> first{{}, ca - gap[2].at(t)}, second{ca, gap[1].at(t)};
    const auto near = closest_points(first, second);
    return near.point_b - near.point_a;
  }
};

struct Step {
  double t, distance;
  Vec3d direction;
};

template <class Gaps>
Step look(const Gaps& gaps, double t) {
  const Vec3d v = gaps.witness(t);
  const double d = std::sqrt(dot(v, v));
  return {t, d, d > 0 ? v / d : Vec3d{}};
}

// All gaps stay above `least` between the two
template <class Gaps>
bool stays_apart(const Gaps& gaps, const Step& from, const Step& to, double least) {
  for (const MovingDifference& gap : gaps.gap) {
    const Vec3d a = gap.at(from.t), b = gap.at(to.t);
    if (!(dot(from.direction, a) > least && dot(to.direction, b) > least &&
          (dot(from.direction, b) + dot(to.direction, a)) / 2 > least))
      return false;
  }
  return true;
}

template <class Gaps>
PrimitiveImpact first_within(Gaps gaps, const ImpactOptions& options) {
  // Size 1
  double size = 0;
  for (const MovingDifference& gap : gaps.gap)
    for (int k = 0; k < 3; ++k) size = std::fmax(size, std::fmax(std::fabs(gap.at0[k]), std::fabs(gap.at1[k])));
  if (size == 0) return {true, 0, 0};
  const int exponent = std::ilogb(size);
  const auto scaled = [exponent](double x) { return std::ldexp(x, -exponent); };
  for (MovingDifference& gap : gaps.gap)
    for (int k = 0; k < 3; ++k) gap.at0[k] = scaled(gap.at0[k]), gap.at1[k] = scaled(gap.at1[k]);
  size = scaled(size);
  const double separation = scaled(options.min_separation);
  const double enough = separation + options.tolerance * size / 2;
  const double least = separation * (1 + kGapError) + kGapError * size;

  Step from = look(gaps, 0);
  if (from.distance <= enough) return {true, 0, 0};
  // The steps that are left, the next one on top
  Step stack[kDepth + 1];
  int depth = 0;
  stack[depth++] = look(gaps, 1);
  while (depth > 0) {
    const Step& to = stack[depth - 1];
    if (stays_apart(gaps, from, to, least)) {
      from = to;
      --depth;
      // Everything before is apart
      if (from.distance <= enough) return {true, from.t, from.t};
      continue;
    }
    const double middle = from.t / 2 + to.t / 2;
    if (depth > kDepth || !(middle > from.t && middle < to.t)) return {true, to.t, from.t};
    stack[depth++] = look(gaps, middle);
  }
  return {};
}

// Halves of the vertices where a difference may overflow; what underflows there is far below the rounding of the rest
class Differences {
 public:
  Differences(const std::array<Vec3d, 4>& start, const std::array<Vec3d, 4>& end) : start_(start), end_(end) {
    for (const auto* set : {&start, &end})
      for (const Vec3d& p : *set)
        for (int k = 0; k < 3; ++k)
          if (std::fabs(p[k]) > 0x1p1000) factor_ = 0.5;
  }
  MovingDifference operator()(std::size_t i, std::size_t j) const {
    return {start_[i] * factor_ - start_[j] * factor_, end_[i] * factor_ - end_[j] * factor_};
  }
  ImpactOptions scaled(ImpactOptions options) const {
    options.min_separation *= factor_;
    return options;
  }

 private:
  const std::array<Vec3d, 4>&start_, &end_;
  double factor_ = 1;
};

}  // namespace

PrimitiveImpact vertex_face_separation(const std::array<Vec3d, 4>& start, const std::array<Vec3d, 4>& end,
                                       const ImpactOptions& options) noexcept {
  const Differences d(start, end);
  return first_within(VertexFaceGaps{{d(1, 0), d(2, 0), d(3, 0)}}, d.scaled(options));
}

PrimitiveImpact edge_edge_separation(const std::array<Vec3d, 4>& start, const std::array<Vec3d, 4>& end,
                                     const ImpactOptions& options) noexcept {
  const Differences d(start, end);
  return first_within(EdgeEdgeGaps{{d(2, 0), d(3, 0), d(2, 1), d(3, 1)}}, d.scaled(options));
}

}  // namespace sudar
