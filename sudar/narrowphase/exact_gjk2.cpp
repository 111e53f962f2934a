#include <sudar/narrowphase/exact_gjk2.hpp>
#include <sudar/narrowphase/exact_search.hpp>

namespace sudar {

namespace {

class Search2 : public ExactSearch<2, Difference2, ExactGjk2, Search2> {
 public:
  using ExactSearch::ExactSearch;

  // From the simplex, whose last corner is new, to the feature nearest to the origin and the next corner. False: done.
  bool advance() {
    const int n = out_.count, others = n - 1;
    exponent_ = pair_.exponent({out_.simplex, static_cast<std::size_t>(n)});
    const ExactCorner<2> newest = pair_.corner(out_.simplex[others], exponent_);
    ExactEdge<2> e[2];
    bool toward[2] = {};
    for (int i = 0; i < others; ++i) {
      e[i] = exact_minus<2>(pair_.corner(out_.simplex[i], exponent_), newest);
      toward[i] = exact_dot(e[i], newest).sign() < 0;
    }

    // The newest corner itself
    if (!toward[0] && !toward[1]) {
      retain({others});
      weigh({});
      return go_on(newest, newest);
    }
    // An edge, unless the origin is on the side of the third corner
    for (int i = 0; i < others; ++i) {
      if (!toward[i]) continue;
      ExactEdge<2> normal{e[i][1], e[i][0]};
      normal[0].negative = !normal[0].negative;
      const int side = exact_dot(normal, newest).sign();
      if (others == 2 && side * exact_dot(normal, e[1 - i]).sign() < 0) continue;
      retain({i, others});
      if (side == 0) {
        out_.hit = true;
        return false;
      }
      if (side < 0)
        for (auto& x : normal) x.negative = !x.negative;
      if (go_on(normal, newest)) return true;
      if (measure_ && !out_.hit) weigh({-ratio(exact_dot(e[i], newest), exact_dot(e[i], e[i]))});
      return false;
    }
    out_.hit = true;
    return false;
  }
};

}  // namespace

template <class Trace>
ExactGjk2 exact_gjk2(const Difference2& difference, std::span<const VertexPair> hints, bool measure, Trace trace) {
  return Search2(difference, hints, measure).run(trace);
}

template ExactGjk2 exact_gjk2<NoTrace>(const Difference2&, std::span<const VertexPair>, bool, NoTrace);
template ExactGjk2 exact_gjk2<TraceTo>(const Difference2&, std::span<const VertexPair>, bool, TraceTo);

}  // namespace sudar
