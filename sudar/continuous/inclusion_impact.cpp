// What:    See inclusion_impact.hpp.
#include <sudar/continuous/inclusion_impact.hpp>
#include <sudar/math/interval.hpp>

#include <queue>
#include <vector>

namespace sudar {

namespace {

// Part of the parameters: t, and where on the primitives
struct ParameterBox {
  double lo[3], hi[3];
};
// The earliest first; of those, the smallest, so that a hit is narrowed down before its neighbours are. No two boxes begin
// at the same place.
struct Later {
  bool operator()(const ParameterBox& a, const ParameterBox& b) const {
    if (a.lo[0] != b.lo[0]) return a.lo[0] > b.lo[0];
    const double long_a = a.hi[0] - a.lo[0], long_b = b.hi[0] - b.lo[0];
    if (long_a != long_b) return long_a > long_b;
    return a.lo[1] != b.lo[1] ? a.lo[1] > b.lo[1] : a.lo[2] > b.lo[2];
  }
};

Interval mix_outward(double a, double b, const Interval& t) {
  return (Interval(1) - t) * Interval(a) + t * Interval(b);
}

// The difference of the primitives at (t, u, v) along axis k, affine in each of the three
struct VertexFaceDifference {
  static constexpr bool kTriangle = true;
  const std::array<Vec3d, 4>&start, &end;
  Interval at(int k, double t, double u, double v) const {
    const Interval p = mix_outward(start[0][k], end[0][k], t), a = mix_outward(start[1][k], end[1][k], t);
    const Interval b = mix_outward(start[2][k], end[2][k], t), c = mix_outward(start[3][k], end[3][k], t);
    return p - (a + Interval(u) * (b - a) + Interval(v) * (c - a));
  }
};
struct EdgeEdgeDifference {
  static constexpr bool kTriangle = false;
  const std::array<Vec3d, 4>&start, &end;
  Interval at(int k, double t, double u, double v) const {
    const Interval a = mix_outward(start[0][k], end[0][k], t), b = mix_outward(start[1][k], end[1][k], t);
    const Interval c = mix_outward(start[2][k], end[2][k], t), d = mix_outward(start[3][k], end[3][k], t);
    return (a + Interval(u) * (b - a)) - (c + Interval(v) * (d - c));
  }
};

template <class Difference>
InclusionImpact search(const Difference& difference, const InclusionOptions& options) {
  std::priority_queue<ParameterBox, std::vector<ParameterBox>, Later> boxes;
  boxes.push({{0, 0, 0}, {1, 1, 1}});
  InclusionImpact result;
  while (!boxes.empty()) {
    const ParameterBox box = boxes.top();
    boxes.pop();
    ++result.boxes;
    // The function is affine in each parameter: the corners bound it
    bool apart = Difference::kTriangle && box.lo[1] + box.lo[2] > 1, small = true;
    double along[3] = {0, 0, 0};
    for (int k = 0; k < 3 && !apart; ++k) {
      Interval corner[8], range;
      for (int i = 0; i < 8; ++i) {
        corner[i] = difference.at(k, (i & 1) != 0 ? box.hi[0] : box.lo[0], (i & 2) != 0 ? box.hi[1] : box.lo[1],
                                  (i & 4) != 0 ? box.hi[2] : box.lo[2]);
        range = i == 0 ? corner[i] : hull(range, corner[i]);
      }
      apart = range.lo > options.min_separation || range.hi < -options.min_separation;
      small &= range.width() <= options.tolerance;
      for (int i = 0; i < 8; ++i)
        for (int axis = 0; axis < 3; ++axis)
          if ((i & (1 << axis)) == 0)
            along[axis] = std::fmax(along[axis], std::fabs(corner[i].middle() - corner[i | (1 << axis)].middle()));
    }
    if (apart) continue;
    // Halve the parameter that moves the difference most, while there are numbers between its ends
    int axis = -1;
    for (int i = 0; i < 3; ++i) {
      const double middle = box.lo[i] / 2 + box.hi[i] / 2;
      if (middle > box.lo[i] && middle < box.hi[i] && (axis < 0 || along[i] > along[axis])) axis = i;
    }
    if (small || axis < 0 || result.boxes >= options.max_boxes) {
      result.hit = true;
      result.settled = small;
      result.t_lower = box.lo[0];
      return result;
    }
    const double middle = box.lo[axis] / 2 + box.hi[axis] / 2;
    ParameterBox left = box, right = box;
    left.hi[axis] = right.lo[axis] = middle;
    boxes.push(left);
    boxes.push(right);
  }
  return result;
}

}  // namespace

InclusionImpact inclusion_vertex_face(const std::array<Vec3d, 4>& start, const std::array<Vec3d, 4>& end,
                                      const InclusionOptions& options) {
  return search(VertexFaceDifference{start, end}, options);
}
InclusionImpact inclusion_edge_edge(const std::array<Vec3d, 4>& start, const std::array<Vec3d, 4>& end,
                                    const InclusionOptions& options) {
  return search(EdgeEdgeDifference{start, end}, options);
}

}  // namespace sudar
