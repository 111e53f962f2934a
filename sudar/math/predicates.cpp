// What:    The stages behind the filters of the predicates: expansions when all differences of coordinates are exact
//          and their exponents moderate, integers otherwise.
// Source:  Shewchuk 1997 for the expansions (see expansion.hpp).
// Differs: The source refines the tails of the differences step by step. Once a difference is not exact, integers of
//          a few limbs (dyadic.hpp) settle the sign in less time than expansions with twice the components.
// Frame:   Every polynomial is homogeneous in the differences, so a common power of two does not matter.
#include <sudar/math/dyadic.hpp>
#include <sudar/math/expansion.hpp>
#include <sudar/math/predicates.hpp>

namespace sudar::inline SUDAR_ABI {
namespace {

// Vector of exact integers, and the determinants over them
using Coordinate = Dyadic<kDyadicLimbs>;
using Difference = Dyadic<kDyadicLimbs + 1>;

Difference difference(double a, double b, int exponent) { return to_dyadic(a, exponent) - to_dyadic(b, exponent); }

struct Offset2 {
  Difference x, y;
  Offset2(const Vec2d& p, const Vec2d& origin, int e)
      : x(difference(p.x, origin.x, e)), y(difference(p.y, origin.y, e)) {}
};
struct Offset3 {
  Difference x, y, z;
  Offset3(const Vec3d& p, const Vec3d& origin, int e)
      : x(difference(p.x, origin.x, e)), y(difference(p.y, origin.y, e)), z(difference(p.z, origin.z, e)) {}
};

// The same polynomials over any exact number type: N is Dyadic or Expansion
template <class N>
auto minor2(const N& ax, const N& ay, const N& bx, const N& by) {
  return ax * by - ay * bx;
}
template <class N>
auto square2(const N& x, const N& y) {
  return x * x + y * y;
}
template <class N>
auto square3(const N& x, const N& y, const N& z) {
  return (x * x + y * y) + z * z;
}

// A difference that a double holds exactly, as an expansion of one component. `moderate` becomes false when it is not
// exact or when products of `degree` such numbers could leave the exponent range of exact products:
// lowest bit (2^(e - 52))^degree ≥ 2^-1074, highest below 2^996 with 2^8 to spare for sums.
template <int kDegree>
struct Exact {
  static constexpr int kLow = -1074 / kDegree + 53, kHigh = 980 / kDegree;
  bool moderate = true;

  Expansion<1> operator()(double a, double b) {
    const TwoDoubles d = two_difference(a, b);
    const double size = d.hi < 0 ? -d.hi : d.hi;
    if (!(d.lo == 0 && (size == 0 || (size >= std::ldexp(1.0, kLow) && size < std::ldexp(1.0, kHigh)))))
      moderate = false;
    Expansion<1> e;
    e.push(d.hi);
    return e;
  }
};

}  // namespace

namespace detail {

int orient2d_exact(const Vec2d& a, const Vec2d& b, const Vec2d& c) noexcept {
  Exact<2> diff;
  const auto ax = diff(a.x, c.x), ay = diff(a.y, c.y), bx = diff(b.x, c.x), by = diff(b.y, c.y);
  if (diff.moderate) return minor2(ax, ay, bx, by).sign();

  const int e = common_exponent(std::initializer_list<double>{a.x, a.y, b.x, b.y, c.x, c.y});
  const Offset2 ac(a, c, e), bc(b, c, e);
  return minor2(ac.x, ac.y, bc.x, bc.y).sign();
}

int orient3d_exact(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) noexcept {
  const auto determinant = [](const auto& ux, const auto& uy, const auto& uz, const auto& vx, const auto& vy,
                              const auto& vz, const auto& wx, const auto& wy, const auto& wz) {
    return ((minor2(uy, uz, vy, vz) * wx + minor2(uz, ux, vz, vx) * wy) + minor2(ux, uy, vx, vy) * wz).sign();
  };
  Exact<3> diff;
  const auto ux = diff(b.x, a.x), uy = diff(b.y, a.y), uz = diff(b.z, a.z);
  const auto vx = diff(c.x, a.x), vy = diff(c.y, a.y), vz = diff(c.z, a.z);
  const auto wx = diff(d.x, a.x), wy = diff(d.y, a.y), wz = diff(d.z, a.z);
  if (diff.moderate) return determinant(ux, uy, uz, vx, vy, vz, wx, wy, wz);

  const int e =
      common_exponent(std::initializer_list<double>{a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z});
  const Offset3 u(b, a, e), v(c, a, e), w(d, a, e);
  return determinant(u.x, u.y, u.z, v.x, v.y, v.z, w.x, w.y, w.z);
}

int incircle_exact(const Vec2d& a, const Vec2d& b, const Vec2d& c, const Vec2d& d) noexcept {
  const auto determinant = [](const auto& ax, const auto& ay, const auto& bx, const auto& by, const auto& cx,
                              const auto& cy) {
    return ((minor2(bx, by, cx, cy) * square2(ax, ay) + minor2(cx, cy, ax, ay) * square2(bx, by)) +
            minor2(ax, ay, bx, by) * square2(cx, cy))
        .sign();
  };
  Exact<4> diff;
  const auto ax = diff(a.x, d.x), ay = diff(a.y, d.y), bx = diff(b.x, d.x), by = diff(b.y, d.y);
  const auto cx = diff(c.x, d.x), cy = diff(c.y, d.y);
  if (diff.moderate) return determinant(ax, ay, bx, by, cx, cy);

  const int e = common_exponent(std::initializer_list<double>{a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y});
  const Offset2 ad(a, d, e), bd(b, d, e), cd(c, d, e);
  return determinant(ad.x, ad.y, bd.x, bd.y, cd.x, cd.y);
}

int insphere_exact(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d, const Vec3d& e) noexcept {
  const auto determinant = [](const auto& ax, const auto& ay, const auto& az, const auto& bx, const auto& by,
                              const auto& bz, const auto& cx, const auto& cy, const auto& cz, const auto& dx,
                              const auto& dy, const auto& dz) {
    const auto ab = minor2(ax, ay, bx, by), bc = minor2(bx, by, cx, cy), cd = minor2(cx, cy, dx, dy);
    const auto da = minor2(dx, dy, ax, ay), ac = minor2(ax, ay, cx, cy), bd = minor2(bx, by, dx, dy);
    const auto abc = (bc * az - ac * bz) + ab * cz, bcd = (cd * bz - bd * cz) + bc * dz;
    const auto cda = (da * cz + ac * dz) + cd * az, dab = (ab * dz + bd * az) + da * bz;
    return ((dab * square3(cx, cy, cz) - abc * square3(dx, dy, dz)) +
            (bcd * square3(ax, ay, az) - cda * square3(bx, by, bz)))
        .sign();
  };
  Exact<5> diff;
  const auto ax = diff(a.x, e.x), ay = diff(a.y, e.y), az = diff(a.z, e.z), bx = diff(b.x, e.x), by = diff(b.y, e.y);
  const auto bz = diff(b.z, e.z), cx = diff(c.x, e.x), cy = diff(c.y, e.y), cz = diff(c.z, e.z);
  const auto dx = diff(d.x, e.x), dy = diff(d.y, e.y), dz = diff(d.z, e.z);
  if (diff.moderate) return determinant(ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz);

  const int exponent = common_exponent(
      std::initializer_list<double>{a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z, e.x, e.y, e.z});
  const Offset3 ae(a, e, exponent), be(b, e, exponent), ce(c, e, exponent), de(d, e, exponent);
  return determinant(ae.x, ae.y, ae.z, be.x, be.y, be.z, ce.x, ce.y, ce.z, de.x, de.y, de.z);
}

}  // namespace detail
}  // namespace sudar::inline SUDAR_ABI
