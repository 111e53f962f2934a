// What:    What exact_gjk2 and exact_gjk3 have in common: the loop and the search for the next corner. Internal to the
//          narrow phase.
// Differs: A derived class has advance(), which finds the feature of the simplex nearest to the origin by exact signs and
//          hands a multiple of the closest point to go_on().
// Frame:   A's.
#pragma once

#include <sudar/narrowphase/exact_pair.hpp>

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace sudar {

template <int D>
using ExactEdge = ExactVec<D, kTurnedLimbs + 2>;

template <int D, class Difference, class Answer, class Derived>
class ExactSearch {
 public:
  ExactSearch(const Difference& difference, std::span<const VertexPair> hints, bool measure)
      : difference_(difference), pair_(difference), hints_(hints), measure_(measure) {}

  template <class Trace>
  Answer run(Trace trace) {
    if (!hints_.empty()) {
      out_.simplex[0] = hints_[0];
    } else {
      Vec<D, double> d = difference_.center();
      if (!(max_abs(d) > 0)) d[0] = 1;
      const auto p = difference_.least(d);
      out_.simplex[0] = {p.ia, p.ib};
    }
    out_.count = 1;
    do {
      ++out_.iterations;
      if constexpr (Trace::kEnabled) report(trace, "corner", out_.count - 1, out_.count);
    } while (static_cast<Derived*>(this)->advance());
    if constexpr (Trace::kEnabled) report(trace, out_.hit ? "hit" : "apart", 0, out_.count);
    return out_;
  }

 protected:
  void retain(std::initializer_list<int> corners) {
    VertexPair kept[D + 1];
    int count = 0;
    for (const int i : corners) kept[count++] = out_.simplex[i];
    std::copy(kept, kept + count, out_.simplex);
    out_.count = count;
  }
  static ExactEdge<D> widened(const ExactCorner<D>& c) {
    ExactEdge<D> r;
    for (int i = 0; i < D; ++i) r[i] = widen<kTurnedLimbs + 2>(c[i]);
    return r;
  }

  // x / y, rounded a few times, whatever the size of both
  template <int N, int M>
  static double ratio(const Dyadic<N>& x, const Dyadic<M>& y) {
    const int bits_x = bit_length(x), bits_y = bit_length(y);
    return std::ldexp(to_double(x, bits_x) / to_double(y, bits_y), bits_x - bits_y);
  }
  // Of the corners that were retained; the last one has the rest
  void weigh(std::initializer_list<double> weights) {
    double rest = 1;
    int i = 0;
    for (const double w : weights) out_.weight[i++] = w, rest -= w;
    out_.weight[i] = std::max(rest, 0.0);
  }

  // v is a positive multiple of the closest point, or zero. Find a corner of the set nearer to the origin's side.
  template <int N>
  bool go_on(const std::array<Dyadic<N>, D>& v, const ExactCorner<D>& newest) {
    if (exact_zero(v)) {
      out_.hit = true;
      return false;
    }
    for (const VertexPair& hint : hints_)
      if (!in_simplex(hint) && better(v, newest, hint)) return add(hint);

    // By rounded products, as long as they are clear
    int shift = 0;
    const Vec<D, double> d = to_direction(v, shift);
    const double slack = 2 * difference_.plane_slack(d);
    const auto p = difference_.least(d);
    const double value = dot(d, p.w);
    VertexPair found{p.ia, p.ib};
    if (value < -slack) return add(found);
    if (!measure_ && value > slack) return apart(v, newest, shift, d);
    if (!measure_ && better(v, newest, found)) return add(found);
    // Otherwise the exact extreme among those that rounding cannot tell apart
    found.a = extreme(
        difference_.a.count, p.ia, slack, [&](std::uint32_t i) { return dot(d, difference_.a.vertex(i)); },
        [&](std::uint32_t i, std::uint32_t j) { return pair_.compare_a(v, i, j) < 0; });
    const Vec<D, double> d_b = -to_b(difference_.a_from_b, d);
    found.b = extreme(
        difference_.b.count, p.ib, slack, [&](std::uint32_t i) { return dot(d_b, difference_.b.vertex(i)); },
        [&](std::uint32_t i, std::uint32_t j) { return pair_.compare_b(v, i, j) > 0; });
    if (better(v, newest, found)) return add(found);
    return apart(v, newest, shift, d);
  }

  const Difference& difference_;
  ExactPair<D, Difference> pair_;
  std::span<const VertexPair> hints_;
  bool measure_;
  int exponent_ = 0;
  Answer out_;

 private:
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
  bool better(const std::array<Dyadic<N>, D>& v, const ExactCorner<D>& newest, const VertexPair& candidate) const {
    const int own = pair_.exponent({&candidate, 1});
    if (!measure_) return exact_dot(v, pair_.corner(candidate, own)).sign() <= 0;
    const int e = std::min(exponent_, own);
    if (e == exponent_) return exact_dot(v, exact_minus<D>(pair_.corner(candidate, e), newest)).sign() < 0;
    const ExactCorner<D> base = pair_.corner(out_.simplex[out_.count - 1], e);
    return exact_dot(v, exact_minus<D>(pair_.corner(candidate, e), base)).sign() < 0;
  }
  bool add(const VertexPair& p) {
    out_.simplex[out_.count++] = p;
    return true;
  }
  template <int N>
  bool apart(const std::array<Dyadic<N>, D>& v, const ExactCorner<D>& newest, int shift, const Vec<D, double>& d) {
    out_.axis = d;
    if (measure_) {
      const auto product = exact_dot(v, newest);
      const int bits = bit_length(product);
      out_.distance = std::ldexp(to_double(product, bits) / length(d), bits - shift + exponent_);
      out_.beyond = beyond_radii(v, product);
    }
    return false;
  }
  // The sign of the distance less the radii: the square of `along` over that of v, against the square of their sum
  template <int N, int M>
  int beyond_radii(const std::array<Dyadic<N>, D>& v, const Dyadic<M>& along) const {
    const double radii[] = {difference_.a.radius, difference_.b.radius};
    if (radii[0] == 0 && radii[1] == 0) return 1;
    const int unit = common_exponent(radii);
    const auto sum = to_dyadic<kPlainLimbs>(radii[0], unit) + to_dyadic<kPlainLimbs>(radii[1], unit);
    // Both sides in the smaller unit
    const auto far = along * to_dyadic<kPlainLimbs>(1, std::min(unit - exponent_, 0));
    const auto near = sum * to_dyadic<kPlainLimbs>(1, std::min(exponent_ - unit, 0));
    return (far * far - (near * near) * exact_dot(v, v)).sign();
  }
  template <class Trace>
  void report(Trace& trace, std::string_view step, int from, int to) const {
    std::uint32_t ids[2 * (D + 1)];
    std::size_t n = 0;
    for (int i = from; i < to; ++i) {
      ids[n++] = out_.simplex[i].a;
      ids[n++] = out_.simplex[i].b;
    }
    trace({.step = step, .ids = {ids, n}, .value = out_.distance});
  }
};

}  // namespace sudar
