#include <sudar/geom/mass2.hpp>
#include <sudar/math/double_double.hpp>
#include <sudar/math/tolerance.hpp>

#include <algorithm>

namespace sudar {

namespace {

// Σ det, Σ det (a + b), Σ det (s sᵀ + a aᵀ + b bᵀ), s = a + b: 2, 6 and 24 times the integrals
struct Integrals {
  DoubleDouble one, x, y, xx, yy, xy;
  double error = 0;
};

Integrals integrate(std::span<const Vec2d> polygon, const Vec2d& reference, double scale) {
  const Vec2d origin = reference * scale;
  Integrals sum;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2d p = polygon[i] * scale, q = polygon[i + 1 < polygon.size() ? i + 1 : 0] * scale;
    const DoubleDouble ax = two_difference(p.x, origin.x), ay = two_difference(p.y, origin.y);
    const DoubleDouble bx = two_difference(q.x, origin.x), by = two_difference(q.y, origin.y);
    const DoubleDouble det = ax * by - ay * bx;
    constexpr double kSteps = 32;
    sum.error += kSteps * kRoundoff * kRoundoff * (std::fabs(ax.hi * by.hi) + std::fabs(ay.hi * bx.hi));
    const Vec2d a{ax.hi, ay.hi}, b{bx.hi, by.hi}, s = a + b;
    sum.one += det;
    sum.x += det * s.x;
    sum.y += det * s.y;
    sum.xx += det * (s.x * s.x + a.x * a.x + b.x * b.x);
    sum.yy += det * (s.y * s.y + a.y * a.y + b.y * b.y);
    sum.xy += det * (s.x * s.y + a.x * a.y + b.x * b.y);
  }
  return sum;
}

}  // namespace

Result<MassProperties2> mass_properties(std::span<const Vec2d> polygon, double density) noexcept {
  if (polygon.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "a polygon needs vertices"};
  if (!(density > 0) || !std::isfinite(density))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "density must be positive and finite"};
  double size = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    if (!is_finite(polygon[i])) return Error{ErrorCode::non_finite, i, "vertex is NaN or infinite"};
    size = std::max(size, max_abs(polygon[i]));
  }
  // Multiply by a power of two, so that nothing on the way over- or underflows
  int exponent = 0;
  std::frexp(size, &exponent);
  exponent = std::max(exponent, -1000);
  const double scale = std::ldexp(1.0, -exponent);

  // About the first vertex to find the centre, then about the centre
  Vec2d reference = polygon[0];
  Integrals sum;
  Vec2d r;
  double twice_area = 0;
  for (int pass = 0; pass < 2; ++pass) {
    sum = integrate(polygon, reference, scale);
    twice_area = static_cast<double>(sum.one);
    if (std::fabs(twice_area) <= sum.error)
      return Error{ErrorCode::degenerate, Error::kNoElement, "the area cannot be told from zero"};
    if (twice_area < 0) return Error{ErrorCode::not_oriented, Error::kNoElement, "the polygon runs clockwise"};
    r = Vec2d{static_cast<double>(sum.x), static_cast<double>(sum.y)} / (3 * twice_area);
    if (pass == 0) reference += r / scale;
  }
  const double area = twice_area / 2;
  const auto moment = [&](const DoubleDouble& m, double ri, double rj) {
    return std::ldexp((static_cast<double>(m) / 24 - area * ri * rj) * density, 4 * exponent);
  };
  const MassProperties2 body{std::ldexp(area * density, 2 * exponent), reference + r / scale, moment(sum.xx, r.x, r.x),
                             moment(sum.yy, r.y, r.y), moment(sum.xy, r.x, r.y)};
  if (!std::isfinite(body.mass) || !is_finite(body.center) || !std::isfinite(body.inertia()) || !std::isfinite(body.xy))
    return Error{ErrorCode::too_large, Error::kNoElement, "mass or inertia overflows double"};
  if (!(body.mass > 0)) return Error{ErrorCode::degenerate, Error::kNoElement, "the mass underflows double"};
  return body;
}

double inertia_about(const MassProperties2& body, const Vec2d& point) noexcept {
  return body.inertia() + body.mass * length_squared(body.center - point);
}

MassProperties2 transformed(const MassProperties2& body, const Pose2d& a_from_b) noexcept {
  const double c = a_from_b.rotation.c, s = a_from_b.rotation.s;
  return {body.mass, transform(a_from_b, body.center), c * c * body.xx - 2 * c * s * body.xy + s * s * body.yy,
          s * s * body.xx + 2 * c * s * body.xy + c * c * body.yy,
          c * s * (body.xx - body.yy) + (c * c - s * s) * body.xy};
}

MassProperties2 combined(const MassProperties2& a, const MassProperties2& b) noexcept {
  const double mass = a.mass + b.mass;
  if (mass == 0) return {0, a.center, a.xx + b.xx, a.yy + b.yy, a.xy + b.xy};
  // Two masses a distance apart behave as their reduced mass at that distance
  const Vec2d d = b.center - a.center;
  const double reduced = a.mass * (b.mass / mass);
  return {mass, a.center + d * (b.mass / mass), a.xx + b.xx + reduced * d.x * d.x, a.yy + b.yy + reduced * d.y * d.y,
          a.xy + b.xy + reduced * d.x * d.y};
}

MassProperties2 scaled(const MassProperties2& body, double factor) noexcept {
  return {body.mass * factor, body.center, body.xx * factor, body.yy * factor, body.xy * factor};
}

}  // namespace sudar
