#include <sudar/narrowphase/exact_gjk3.hpp>
#include <sudar/narrowphase/exact_vector.hpp>

namespace sudar::inline SUDAR_ABI {

namespace {

// Limbs of a coordinate of a difference: numbers of the placement span at most 2^1025, products 2^-2148 and up
inline constexpr int kPlainLimbs = 52;
using Coordinate = Dyadic<2 * kDyadicLimbs + 3>;
using Corner = std::array<Coordinate, 3>;

// The pair in integers
class ExactPair3 {
 public:
  explicit ExactPair3(const Difference3& difference) : difference_(difference) {
    const Placement3& at = difference.a_from_b;
    place_exponent_ = least_exponent<3>(at.rest, least_exponent<3>(at.translation));
    if (!at.turned) return;
    turn_exponent_ = kNoExponent;
    for (int j = 0; j < 3; ++j) turn_exponent_ = least_exponent<3>(at.turn[j], turn_exponent_);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) turn_[i][j] = to_dyadic(at.turn[j][i], turn_exponent_);
  }

  // Every coordinate of these differences is a whole multiple of 2^exponent
  int exponent(std::span<const VertexPair> pairs) const {
    int e = place_exponent_;
    for (const VertexPair& p : pairs) {
      e = least_exponent<3>(difference_.a.vertex(p.a), e);
      if (const int b = least_exponent<3>(difference_.b.vertex(p.b)); b != kNoExponent)
        e = std::min(e, b + turn_exponent_);
    }
    return e == kNoExponent ? 0 : e;
  }
  Corner corner(const VertexPair& pair, int e) const {
    const Vec3d p_a = difference_.a.vertex(pair.a), p_b = difference_.b.vertex(pair.b);
    const Placement3& at = difference_.a_from_b;
    const ExactVec<3, 2 * kDyadicLimbs + 2> turned_b = turned(p_b, e);
    Corner w;
    for (int i = 0; i < 3; ++i) {
      const auto place = to_dyadic<kPlainLimbs>(at.translation[i], e) + to_dyadic<kPlainLimbs>(at.rest[i], e);
      w[i] = (to_dyadic<kPlainLimbs>(p_a[i], e) - place) - turned_b[i];
    }
    return w;
  }
  // A direction times the difference of two vertices
  template <int N>
  int compare_a(const std::array<Dyadic<N>, 3>& v, std::uint32_t i, std::uint32_t j) const {
    const Vec3d p = difference_.a.vertex(i), q = difference_.a.vertex(j);
    const int e = least_exponent<3>(q, least_exponent<3>(p));
    ExactVec<3, kDyadicLimbs + 1> d;
    for (int k = 0; k < 3; ++k) d[k] = to_dyadic(p[k], e) - to_dyadic(q[k], e);
    return exact_dot(v, d).sign();
  }
  template <int N>
  int compare_b(const std::array<Dyadic<N>, 3>& v, std::uint32_t i, std::uint32_t j) const {
    const Vec3d p = difference_.b.vertex(i), q = difference_.b.vertex(j);
    const int e = least_exponent<3>(q, least_exponent<3>(p)) + turn_exponent_;
    return exact_dot(v, exact_minus<3>(turned(p, e), turned(q, e))).sign();
  }

 private:
  ExactVec<3, 2 * kDyadicLimbs + 2> turned(const Vec3d& p_b, int e) const {
    ExactVec<3, kDyadicLimbs> x;
    for (int i = 0; i < 3; ++i) x[i] = to_dyadic(p_b[i], e - turn_exponent_);
    ExactVec<3, 2 * kDyadicLimbs + 2> r;
    for (int i = 0; i < 3; ++i) {
      if (difference_.a_from_b.turned)
        r[i] = exact_dot(turn_[i], x);
      else
        r[i] = widen(x[i]);
    }
    return r;
  }
  static Dyadic<2 * kDyadicLimbs + 2> widen(const Dyadic<kDyadicLimbs>& x) {
    Dyadic<2 * kDyadicLimbs + 2> r;
    r.size = x.size;
    r.negative = x.negative;
    std::copy(x.limb, x.limb + x.size, r.limb);
    return r;
  }

  const Difference3& difference_;
  std::array<ExactVec<3, kDyadicLimbs>, 3> turn_;  // rows
  int place_exponent_ = 0, turn_exponent_ = 0;
};

class Search {
 public:
  Search(const Difference3& difference, std::span<const VertexPair> hints, bool measure)
      : difference_(difference), pair_(difference), hints_(hints), measure_(measure) {}

  template <class Trace>
  ExactGjk3 run(Trace trace) {
    if (!hints_.empty()) {
      out_.simplex[0] = hints_[0];
    } else {
      const Vec3d d = difference_.center();
      const DifferencePoint3 p = difference_.least(max_abs(d) > 0 ? d : Vec3d{1, 0, 0});
      out_.simplex[0] = {p.ia, p.ib};
    }
    out_.count = 1;
    do {
      ++out_.iterations;
      if constexpr (Trace::kEnabled) {
        const VertexPair& p = out_.simplex[out_.count - 1];
        trace({.step = "corner", .ids = {&p.a, 2}});
      }
    } while (advance());
    if constexpr (Trace::kEnabled)
      trace({.step = out_.hit ? "hit" : "apart",
             .ids = {&out_.simplex[0].a, static_cast<std::size_t>(2 * out_.count)},
             .value = out_.distance});
    return out_;
  }

 private:
  // From the simplex, whose last corner is new, to the feature nearest to the origin and the next corner. False: done.
  bool advance() {
    const int n = out_.count, others = n - 1;
    exponent_ = pair_.exponent({out_.simplex, static_cast<std::size_t>(n)});
    const Corner newest = pair_.corner(out_.simplex[others], exponent_);
    using Edge = ExactVec<3, 2 * kDyadicLimbs + 4>;
    Edge e[3];
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
      return go_on(newest, newest);
    }
    // An edge: across none of its faces
    for (int i = 0; i < others; ++i) {
      bool nearest = toward[i];
      for (int j = 0; j < others && nearest; ++j) nearest = j == i || !within(i, j);
      if (!nearest) continue;
      const auto v = exact_minus<3>(exact_scale(newest, gram[i][i]), exact_scale(e[i], along[i]));
      retain({i, others});
      return go_on(v, newest);
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
        return go_on(normal, newest);
      }
    out_.hit = true;
    return false;
  }

  static ExactVec<3, 2 * kDyadicLimbs + 4> widened(const Corner& c) {
    const Corner zero{};
    return exact_minus<3>(c, zero);
  }

  void retain(std::initializer_list<int> corners) {
    VertexPair kept[4];
    int count = 0;
    for (const int i : corners) kept[count++] = out_.simplex[i];
    std::copy(kept, kept + count, out_.simplex);
    out_.count = count;
  }

  // v is a positive multiple of the closest point. Find a corner of the set nearer to the origin's side.
  template <int N>
  bool go_on(const std::array<Dyadic<N>, 3>& v, const Corner& newest) {
    if (exact_zero(v)) {
      out_.hit = true;
      return false;
    }
    for (const VertexPair& hint : hints_)
      if (!in_simplex(hint) && better(v, newest, hint)) return add(hint);

    // By rounded products, as long as they are clear
    int shift = 0;
    const Vec3d d = to_direction(v, shift);
    const double slack = 2 * difference_.plane_slack(d);
    const DifferencePoint3 p = difference_.least(d);
    const double value = dot(d, p.w);
    VertexPair found{p.ia, p.ib};
    if (value < -slack) return add(found);
    if (!measure_ && value > slack) return apart(v, newest, shift, d);
    if (!measure_ && better(v, newest, found)) return add(found);
    // Otherwise the exact extreme among those that rounding cannot tell apart
    found.a = extreme(
        difference_.a.count, p.ia, slack, [&](std::uint32_t i) { return dot(d, difference_.a.vertex(i)); },
        [&](std::uint32_t i, std::uint32_t j) { return pair_.compare_a(v, i, j) < 0; });
    const Vec3d d_b = -to_b(difference_.a_from_b, d);
    found.b = extreme(
        difference_.b.count, p.ib, slack, [&](std::uint32_t i) { return dot(d_b, difference_.b.vertex(i)); },
        [&](std::uint32_t i, std::uint32_t j) { return pair_.compare_b(v, i, j) > 0; });
    if (better(v, newest, found)) return add(found);
    return apart(v, newest, shift, d);
  }

  template <class Value, class Less>
  static std::uint32_t extreme(std::uint32_t count, std::uint32_t best, double slack, const Value& value,
                               const Less& less) {
    const double limit = value(best) + slack;
    for (std::uint32_t i = 0; i < count; ++i)
      if (i != best && value(i) <= limit && less(i, best)) best = i;
    return best;
  }

  bool in_simplex(const VertexPair& p) const {
    return std::find(out_.simplex, out_.simplex + out_.count, p) != out_.simplex + out_.count;
  }
  // Deciding: on the origin's side. Measuring: nearer than the plane across v through the simplex.
  template <int N>
  bool better(const std::array<Dyadic<N>, 3>& v, const Corner& newest, const VertexPair& candidate) const {
    if (!measure_) return exact_dot(v, pair_.corner(candidate, pair_.exponent({&candidate, 1}))).sign() <= 0;
    const int e = std::min(exponent_, pair_.exponent({&candidate, 1}));
    if (e == exponent_) return exact_dot(v, exact_minus<3>(pair_.corner(candidate, e), newest)).sign() < 0;
    const Corner base = pair_.corner(out_.simplex[out_.count - 1], e);
    return exact_dot(v, exact_minus<3>(pair_.corner(candidate, e), base)).sign() < 0;
  }
  bool add(const VertexPair& p) {
    out_.simplex[out_.count++] = p;
    return true;
  }
  template <int N>
  bool apart(const std::array<Dyadic<N>, 3>& v, const Corner& newest, int shift, const Vec3d& d) {
    out_.axis = d;
    if (measure_) {
      const auto product = exact_dot(v, newest);
      const int bits = bit_length(product);
      out_.distance = std::ldexp(to_double(product, bits) / length(d), bits - shift + exponent_);
    }
    return false;
  }

  const Difference3& difference_;
  ExactPair3 pair_;
  std::span<const VertexPair> hints_;
  bool measure_;
  int exponent_ = 0;
  ExactGjk3 out_;
};

}  // namespace

template <class Trace>
ExactGjk3 exact_gjk3(const Difference3& difference, std::span<const VertexPair> hints, bool measure, Trace trace) {
  return Search(difference, hints, measure).run(trace);
}

template ExactGjk3 exact_gjk3<NoTrace>(const Difference3&, std::span<const VertexPair>, bool, NoTrace);
template ExactGjk3 exact_gjk3<TraceTo>(const Difference3&, std::span<const VertexPair>, bool, TraceTo);

}  // namespace sudar::inline SUDAR_ABI
