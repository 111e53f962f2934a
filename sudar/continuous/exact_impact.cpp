// What:    See exact_impact.hpp.
#include <sudar/continuous/exact_impact.hpp>
#include <sudar/math/sturm.hpp>

#include <algorithm>
#include <optional>
#include <span>

namespace sudar {

namespace {

// The polynomials of a level along one axis; their number is 2, 3 or 4
struct Group {
  int count = 0;
  std::array<BigPolynomial, 4> member;

  void push(BigPolynomial p) { member[static_cast<std::size_t>(count++)] = std::move(p); }
  std::span<const BigPolynomial> members() const { return {member.data(), static_cast<std::size_t>(count)}; }
  bool vanishes() const {
    return std::all_of(member.begin(), member.begin() + count, [](const BigPolynomial& p) { return p.is_zero(); });
  }
};

// Coordinates as integers, and differences of them as polynomials in t
template <int D, std::size_t N>
class MovingPoints {
 public:
  MovingPoints(const std::array<Vec<D, double>, N>& start, const std::array<Vec<D, double>, N>& end) {
    std::array<double, 2 * N * D> all;
    std::size_t n = 0;
    for (const auto* set : {&start, &end})
      for (const auto& p : *set)
        for (int k = 0; k < D; ++k) all[n++] = p[k];
    const int e = common_exponent(all);
    for (std::size_t i = 0; i < all.size(); ++i) integer_[i] = BigInteger::of(all[i], e);
  }
  // Point i minus point j along axis k
  BigPolynomial difference(int i, int j, int k) const {
    BigPolynomial p;
    p[0] = at(0, i, k) - at(0, j, k);
    p[1] = (at(1, i, k) - at(1, j, k)) - p[0];
    p.settle(1);
    return p;
  }
  using Vector = std::array<BigPolynomial, D>;
  Vector vector(int i, int j) const {
    Vector v;
    for (int k = 0; k < D; ++k) v[static_cast<std::size_t>(k)] = difference(i, j, k);
    return v;
  }

 private:
  const BigInteger& at(int time, int i, int k) const {
    return integer_[(static_cast<std::size_t>(time) * N + static_cast<std::size_t>(i)) * D +
                    static_cast<std::size_t>(k)];
  }
  std::array<BigInteger, 2 * N * D> integer_;
};

using Vector3 = MovingPoints<3, 4>::Vector;

BigPolynomial cross_along(const Vector3& u, const Vector3& v, std::size_t k) {
  const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
  return u[i] * v[j] - u[j] * v[i];
}

class VertexFace {
 public:
  static constexpr int kAxes = 3;
  explicit VertexFace(const MovingPoints<3, 4>& p) : a_(p.vector(1, 0)), b_(p.vector(2, 0)), c_(p.vector(3, 0)) {}
  BigPolynomial top() const {
    return a_[0] * cross_along(b_, c_, 0) + a_[1] * cross_along(b_, c_, 1) + a_[2] * cross_along(b_, c_, 2);
  }
  Group plane(std::size_t k) const {
    Group g;
    g.push(cross_along(a_, b_, k));
    g.push(cross_along(b_, c_, k));
    g.push(cross_along(c_, a_, k));
    return g;
  }
  Group line(std::size_t k) const {
    Group g;
    g.push(a_[k]);
    g.push(b_[k]);
    g.push(c_[k]);
    return g;
  }

 private:
  Vector3 a_, b_, c_;
};

// a + s (b - a) = c + r (d - c): with u = b - a, v = d - c, w = c - a the crossing has s n = w × v and r n = w × u for
// n = u × v, so s, 1 - s, r and 1 - r, all times n, are the areas
class EdgeEdge {
 public:
  static constexpr int kAxes = 3;
  explicit EdgeEdge(const MovingPoints<3, 4>& p)
      : u_(p.vector(1, 0)), v_(p.vector(3, 2)), w_(p.vector(2, 0)), points_(p) {}
  BigPolynomial top() const {
    return w_[0] * cross_along(u_, v_, 0) + w_[1] * cross_along(u_, v_, 1) + w_[2] * cross_along(u_, v_, 2);
  }
  Group plane(std::size_t k) const {
    const BigPolynomial n = cross_along(u_, v_, k);
    BigPolynomial s = cross_along(w_, v_, k), r = cross_along(w_, u_, k);
    Group g;
    g.push(n - s);
    g.push(n - r);
    g.push(std::move(s));
    g.push(std::move(r));
    return g;
  }
  Group line(std::size_t k) const {
    Group g;
    g.push(w_[k]);
    g.push(points_.difference(3, 0, static_cast<int>(k)));
    g.push(points_.difference(2, 1, static_cast<int>(k)));
    g.push(points_.difference(3, 1, static_cast<int>(k)));
    return g;
  }

 private:
  Vector3 u_, v_, w_;
  const MovingPoints<3, 4>& points_;
};

// In the plane the determinant is of degree 2 and there is no level between it and the line
class PointEdge {
 public:
  static constexpr int kAxes = 2;
  explicit PointEdge(const MovingPoints<2, 3>& p) : a_(p.vector(1, 0)), b_(p.vector(2, 0)) {}
  BigPolynomial top() const { return a_[0] * b_[1] - a_[1] * b_[0]; }
  Group line(std::size_t k) const {
    Group g;
    g.push(a_[k]);
    g.push(b_[k]);
    return g;
  }

 private:
  MovingPoints<2, 3>::Vector a_, b_;
};

struct SignSet {
  bool negative = false, zero = false, positive = false;
};
SignSet signs_at(const Group& group, const BigPolynomial& simple, IsolatedRoot& time, bool stop_when_mixed) {
  SignSet set;
  for (const BigPolynomial& p : group.members()) {
    const int s = sign_at(p, simple, time);
    (s < 0 ? set.negative : s == 0 ? set.zero : set.positive) = true;
    if (set.negative && set.positive && stop_when_mixed) break;
  }
  return set;
}

// The groups of a primitive, each made when it is first looked at: one is asked for at every root
template <class Primitive>
class Levels {
 public:
  static constexpr int kAxes = Primitive::kAxes;
  explicit Levels(const Primitive& primitive) : primitive_(primitive) {}
  BigPolynomial top() const { return primitive_.top(); }
  const Group& plane(std::size_t k) {
    if (!plane_[k]) plane_[k] = primitive_.plane(k);
    return *plane_[k];
  }
  const Group& line(std::size_t k) {
    if (!line_[k]) line_[k] = primitive_.line(k);
    return *line_[k];
  }

 private:
  const Primitive& primitive_;
  std::array<std::optional<Group>, kAxes> plane_, line_;
};

// The levels below the determinant, which is zero at `time`
template <class Primitive>
bool contact_at(Levels<Primitive>& levels, const BigPolynomial& simple, IsolatedRoot& time) {
  if constexpr (Primitive::kAxes == 3) {
    for (std::size_t k = 0; k < 3; ++k) {
      const SignSet set = signs_at(levels.plane(k), simple, time, true);
      if (set.negative && set.positive) return false;
      if (set.negative || set.positive) return true;
    }
  }
  for (std::size_t k = 0; k < Primitive::kAxes; ++k) {
    const SignSet set = signs_at(levels.line(k), simple, time, true);
    if (!set.zero && !(set.negative && set.positive)) return false;
  }
  return true;
}

ExactImpact impact_at(const IsolatedRoot& time) { return {true, time.lo.below(), time.hi.above()}; }

// The polynomials one of whose roots is the first time of contact, if not 0, when the determinant is zero throughout
template <class Primitive>
const Group* lower_level(Levels<Primitive>& levels) {
  if constexpr (Primitive::kAxes == 3)
    for (std::size_t k = 0; k < 3; ++k)
      if (const Group& g = levels.plane(k); !g.vanishes()) return &g;
  for (std::size_t k = 0; k < Primitive::kAxes; ++k)
    if (const Group& g = levels.line(k); !g.vanishes()) return &g;
  return nullptr;
}

template <class Primitive>
ExactImpact first_contact(const Primitive& primitive) {
  Levels<Primitive> levels(primitive);
  if (const BigPolynomial top = levels.top(); !top.is_zero()) {
    UnitRoots roots = unit_roots(top);
    for (int i = 0; i < roots.count; ++i)
      if (IsolatedRoot& time = roots.root[static_cast<std::size_t>(i)]; contact_at(levels, roots.simple, time))
        return impact_at(time);
    return {};
  }
  IsolatedRoot start{{BigInteger(), 0}, {BigInteger(), 0}, true};
  const BigPolynomial none;
  if (contact_at(levels, none, start)) return {true, 0, 0};
  ExactImpact first;
  const Group* level = lower_level(levels);
  if (!level) return first;
  for (const BigPolynomial& p : level->members()) {
    if (p.is_zero()) continue;
    UnitRoots roots = unit_roots(p);
    for (int i = 0; i < roots.count; ++i) {
      IsolatedRoot& time = roots.root[static_cast<std::size_t>(i)];
      if (first.hit && time.lo.below() >= first.hi) break;
      if (!contact_at(levels, roots.simple, time)) continue;
      const ExactImpact found = impact_at(time);
      if (!first.hit || found.lo < first.lo) first = found;
      break;
    }
  }
  return first;
}

}  // namespace

ExactImpact exact_vertex_face(const std::array<Vec3d, 4>& start, const std::array<Vec3d, 4>& end) {
  return first_contact(VertexFace(MovingPoints<3, 4>(start, end)));
}
ExactImpact exact_edge_edge(const std::array<Vec3d, 4>& start, const std::array<Vec3d, 4>& end) {
  const MovingPoints<3, 4> points(start, end);
  return first_contact(EdgeEdge(points));
}
ExactImpact exact_point_edge(const std::array<Vec2d, 3>& start, const std::array<Vec2d, 3>& end) {
  return first_contact(PointEdge(MovingPoints<2, 3>(start, end)));
}

}  // namespace sudar
