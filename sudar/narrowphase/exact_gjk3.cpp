#include <sudar/narrowphase/exact_gjk3.hpp>
#include <sudar/narrowphase/exact_search.hpp>

namespace sudar {

namespace {

class Search3 : public ExactSearch<3, Difference3, ExactGjk3, Search3> {
 public:
  using ExactSearch::ExactSearch;

  // From the simplex, whose last corner is new, to the feature nearest to the origin and the next corner. False: done.
  bool advance() {
    const int n = out_.count, others = n - 1;
    exponent_ = pair_.exponent({out_.simplex, static_cast<std::size_t>(n)});
    const ExactCorner<3> newest = pair_.corner(out_.simplex[others], exponent_);
    ExactEdge<3> e[3];
    // Products of the edges from the newest corner, with it and with each other
    using Product = decltype(exact_dot(e[0], e[0]));
    Product along[3], gram[3][3];
    bool toward[3] = {};
    for (int i = 0; i < others; ++i) {
      e[i] = exact_minus<3>(pair_.corner(out_.simplex[i], exponent_), newest);
      along[i] = exact_dot(e[i], widened(newest));
      toward[i] = along[i].sign() < 0;
      for (int j = 0; j <= i; ++j) gram[i][j] = gram[j][i] = exact_dot(e[i], e[j]);
    }
    // The origin's projection lies on the side of edge i where corner j is
    const auto within = [&](int i, int j) { return (along[i] * gram[i][j] - gram[i][i] * along[j]).sign() > 0; };

    // The newest corner itself
    if (!toward[0] && !toward[1] && !toward[2]) {
      retain({others});
      weigh({});
      return go_on(newest, newest);
    }
    // An edge: across none of its faces
    for (int i = 0; i < others; ++i) {
      bool nearest = toward[i];
      for (int j = 0; j < others && nearest; ++j) nearest = j == i || !within(i, j);
      if (!nearest) continue;
      const auto v = exact_minus<3>(exact_scale(newest, gram[i][i]), exact_scale(e[i], along[i]));
      retain({i, others});
      if (go_on(v, newest)) return true;
      if (measure_ && !out_.hit) weigh({-ratio(along[i], gram[i][i])});
      return false;
    }
    // A face: the origin beyond its plane, or on it, and within its edges
    for (int i = 0; i + 1 < others; ++i)
      for (int j = i + 1; j < others; ++j) {
        auto normal = exact_cross(e[i], e[j]);
        const int side = exact_dot(normal, newest).sign();
        if (others == 3 && side * exact_dot(normal, e[3 - i - j]).sign() < 0) continue;
        if (others == 3 && (!within(i, j) || !within(j, i))) continue;
        if (side == 0) {
          out_.hit = true;
          retain({i, j, others});
          return false;
        }
        if (side < 0)
          for (auto& x : normal) x.negative = !x.negative;
        retain({i, j, others});
        if (go_on(normal, newest)) return true;
        if (measure_ && !out_.hit) {
          const auto whole = exact_dot(normal, normal);
          weigh({ratio(along[j] * gram[i][j] - along[i] * gram[j][j], whole),
                 ratio(along[i] * gram[i][j] - along[j] * gram[i][i], whole)});
        }
        return false;
      }
    out_.hit = true;
    return false;
  }
};

}  // namespace

template <class Trace>
ExactGjk3 exact_gjk3(const Difference3& difference, std::span<const VertexPair> hints, bool measure, Trace trace) {
  return Search3(difference, hints, measure).run(trace);
}

template ExactGjk3 exact_gjk3<NoTrace>(const Difference3&, std::span<const VertexPair>, bool, NoTrace);
template ExactGjk3 exact_gjk3<TraceTo>(const Difference3&, std::span<const VertexPair>, bool, TraceTo);

}  // namespace sudar
