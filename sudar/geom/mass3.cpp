#include <sudar/geom/mass3.hpp>
#include <sudar/geom/mesh_check.hpp>
#include <sudar/math/double_double.hpp>
#include <sudar/math/tolerance.hpp>

#include <algorithm>

namespace sudar {

namespace {

// A sum that keeps what rounding would drop
struct CarriedSum {
  double sum = 0, carry = 0;

  void add(double x) {
    const TwoDoubles t = two_sum(sum, x);
    sum = t.hi;
    carry += t.lo;
  }
  double value() const { return sum + carry; }
};

// Σ det, Σ det (a + b + c) and Σ det (s sᵀ + a aᵀ + b bᵀ + c cᵀ), s = a + b + c: 6, 24 and 120 times the integrals
struct Integrals {
  CarriedSum one, x[3], xx, yy, zz, yz, zx, xy;
  double error = 0;  // bound on the rounding of `one`

  void add(double det, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d s = a + b + c;
    const auto product = [&](int i, int j) { return s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]; };
    one.add(det);
    for (int i = 0; i < 3; ++i) x[i].add(det * s[i]);
    xx.add(det * product(0, 0));
    yy.add(det * product(1, 1));
    zz.add(det * product(2, 2));
    yz.add(det * product(1, 2));
    zx.add(det * product(2, 0));
    xy.add(det * product(0, 1));
  }
};

struct DoubleVertex {
  DoubleDouble v[3];
};

DoubleDouble determinant(const DoubleVertex& a, const DoubleVertex& b, const DoubleVertex& c) {
  DoubleDouble sum;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    sum += a.v[i] * (b.v[j] * c.v[k] - b.v[k] * c.v[j]);
  }
  return sum;
}

// About `reference`, in coordinates multiplied by `scale` (a power of two)
Integrals integrate(const Mesh& mesh, const Vec3d& reference, double scale) {
  const Vec3d origin = reference * scale;
  Integrals sum;
  for (const MeshTriangle& t : mesh.triangles) {
    const Vec3d p[3] = {mesh.vertices[t[0]] * scale, mesh.vertices[t[1]] * scale, mesh.vertices[t[2]] * scale};
    const Vec3d a = p[0] - origin, b = p[1] - origin, c = p[2] - origin;
    const double det = dot(a, cross(b, c));
    const Vec3d aa = abs(a), bb = abs(b), cc = abs(c);
    const double permanent =
        aa.x * (bb.y * cc.z + bb.z * cc.y) + aa.y * (bb.z * cc.x + bb.x * cc.z) + aa.z * (bb.x * cc.y + bb.y * cc.x);
    // Where terms cancel, plain double would keep too few digits: rounding is a few units of the permanent
    constexpr double kCancels = 16, kPlainSteps = 12, kDoubleSteps = 64;
    if (permanent <= kCancels * std::fabs(det)) {
      sum.error += kPlainSteps * kRoundoff * permanent;
      sum.add(det, a, b, c);
      continue;
    }
    DoubleVertex exact[3];
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) exact[i].v[k] = two_difference(p[i][k], origin[k]);
    const DoubleDouble exact_det = determinant(exact[0], exact[1], exact[2]);
    sum.error += kDoubleSteps * kRoundoff * kRoundoff * permanent;
    sum.one.carry += exact_det.lo;
    sum.add(exact_det.hi, a, b, c);
  }
  return sum;
}

// A point near the centre of mass: plain sums about the middle of the box
Vec3d rough_center(const Mesh& mesh, double scale) {
  Vec3d lo = mesh.vertices[mesh.triangles[0][0]] * scale, hi = lo;
  for (const MeshTriangle& t : mesh.triangles)
    for (std::uint32_t i : t) {
      lo = min(lo, mesh.vertices[i] * scale);
      hi = max(hi, mesh.vertices[i] * scale);
    }
  const Vec3d middle = (lo + hi) * 0.5;
  double volume = 0;
  Vec3d moment{};
  for (const MeshTriangle& t : mesh.triangles) {
    const Vec3d a = mesh.vertices[t[0]] * scale - middle, b = mesh.vertices[t[1]] * scale - middle,
                c = mesh.vertices[t[2]] * scale - middle;
    const double det = dot(a, cross(b, c));
    volume += det;
    moment += (a + b + c) * det;
  }
  const Vec3d center = middle + moment / (4 * volume);
  // Too flat for a plain sum: the middle will do. The comparison is false for NaN.
  for (int i = 0; i < 3; ++i)
    if (!(center[i] >= lo[i] && center[i] <= hi[i])) return middle / scale;
  return center / scale;
}

Mat3d inertia_from_moments(double xx, double yy, double zz, double yz, double zx, double xy) {
  return {{yy + zz, -xy, -zx}, {-xy, zz + xx, -yz}, {-zx, -yz, xx + yy}};
}

Result<void> check_density(double density) {
  if (!(density > 0) || !std::isfinite(density))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "density must be positive and finite"};
  return {};
}

bool all_finite(const MassProperties3& body) {
  return std::isfinite(body.mass) && is_finite(body.center) && is_finite(body.inertia.x) && is_finite(body.inertia.y) &&
         is_finite(body.inertia.z);
}

}  // namespace

Result<MassProperties3> mass_properties(const Mesh& mesh, double density) noexcept {
  if (const Result<void> solid = check_solid(mesh); !solid) return solid.error();
  return mass_properties_of_solid(mesh, density);
}

Result<MassProperties3> mass_properties_of_solid(const Mesh& mesh, double density) noexcept {
  if (const Result<void> checked = check_mesh(mesh); !checked) return checked.error();
  if (const Result<void> checked = check_density(density); !checked) return checked.error();

  // Multiply by a power of two, so that nothing on the way over- or underflows
  double size = 0;
  for (const MeshTriangle& t : mesh.triangles)
    for (std::uint32_t i : t) size = std::max(size, max_abs(mesh.vertices[i]));
  int exponent = 0;
  std::frexp(size, &exponent);
  exponent = std::max(exponent, -1000);
  const double scale = std::ldexp(1.0, -exponent);

  const Vec3d reference = rough_center(mesh, scale);
  const Integrals sum = integrate(mesh, reference, scale);
  const double six_volumes = sum.one.value();
  if (std::fabs(six_volumes) <= sum.error)
    return Error{ErrorCode::degenerate, Error::kNoElement, "the volume cannot be told from zero"};
  if (six_volumes < 0) return Error{ErrorCode::not_oriented, Error::kNoElement, "the mesh is inside out"};

  // Second moments about the reference, then about the centre that lies `r` away
  const double volume = six_volumes / 6;
  Vec3d r;
  for (int i = 0; i < 3; ++i) r[i] = sum.x[i].value() / (4 * six_volumes);
  const auto moment = [&](const CarriedSum& m, double ri, double rj) {
    return std::ldexp((m.value() / 120 - volume * ri * rj) * density, 5 * exponent);
  };
  MassProperties3 body;
  body.mass = std::ldexp(volume * density, 3 * exponent);
  body.center = reference + r / scale;
  body.inertia = inertia_from_moments(moment(sum.xx, r.x, r.x), moment(sum.yy, r.y, r.y), moment(sum.zz, r.z, r.z),
                                      moment(sum.yz, r.y, r.z), moment(sum.zx, r.z, r.x), moment(sum.xy, r.x, r.y));
  if (!all_finite(body)) return Error{ErrorCode::too_large, Error::kNoElement, "mass or inertia overflows double"};
  if (!(body.mass > 0)) return Error{ErrorCode::degenerate, Error::kNoElement, "the mass underflows double"};
  return body;
}

Result<MassProperties3> mass_properties_plain(const Mesh& mesh, double density) noexcept {
  if (const Result<void> checked = check_mesh(mesh); !checked) return checked.error();
  if (const Result<void> checked = check_density(density); !checked) return checked.error();
  double one = 0, xx = 0, yy = 0, zz = 0, yz = 0, zx = 0, xy = 0;
  Vec3d x{};
  for (const MeshTriangle& t : mesh.triangles) {
    const Vec3d &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const Vec3d s = a + b + c;
    const double det = dot(a, cross(b, c));
    const auto product = [&](int i, int j) { return det * (s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]); };
    one += det;
    x += s * det;
    xx += product(0, 0);
    yy += product(1, 1);
    zz += product(2, 2);
    yz += product(1, 2);
    zx += product(2, 0);
    xy += product(0, 1);
  }
  if (!(one > 0)) return Error{ErrorCode::degenerate, Error::kNoElement, "the volume is not positive"};
  const Vec3d r = x / (4 * one);
  const double volume = one / 6;
  const auto moment = [&](double m, double ri, double rj) { return (m / 120 - volume * ri * rj) * density; };
  const MassProperties3 body{volume * density, r,
                             inertia_from_moments(moment(xx, r.x, r.x), moment(yy, r.y, r.y), moment(zz, r.z, r.z),
                                                  moment(yz, r.y, r.z), moment(zx, r.z, r.x), moment(xy, r.x, r.y))};
  if (!all_finite(body)) return Error{ErrorCode::too_large, Error::kNoElement, "mass or inertia overflows double"};
  return body;
}

Mat3d inertia_about(const MassProperties3& body, const Vec3d& point) noexcept {
  const Vec3d r = body.center - point;
  const double rr = dot(r, r);
  return body.inertia + (Mat3d::diagonal({rr, rr, rr}) - outer(r, r)) * body.mass;
}

MassProperties3 transformed(const MassProperties3& body, const Pose3d& a_from_b) noexcept {
  const Mat3d rotation = to_matrix(a_from_b.rotation);
  return {body.mass, transform(a_from_b, body.center), rotation * body.inertia * transpose(rotation)};
}

MassProperties3 combined(const MassProperties3& a, const MassProperties3& b) noexcept {
  const double mass = a.mass + b.mass;
  if (mass == 0) return {0, a.center, a.inertia + b.inertia};
  MassProperties3 both;
  both.mass = mass;
  both.center = a.center + (b.center - a.center) * (b.mass / mass);
  both.inertia = inertia_about(a, both.center) + inertia_about(b, both.center);
  return both;
}

MassProperties3 scaled(const MassProperties3& body, double factor) noexcept {
  return {body.mass * factor, body.center, body.inertia * factor};
}

}  // namespace sudar
