// Oracle: the same integrals in exact rational arithmetic, on the same rounded vertices
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/geom/mass3.hpp>
#include <sudar/geom/mesh_makers.hpp>

#include <boost/multiprecision/gmp.hpp>
#include <gtest/gtest.h>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_pose;
using Rational = boost::multiprecision::mpq_rational;

namespace {

struct Exact {
  Rational mass, center[3], inertia[3][3];
};

Exact integrate(const Mesh& mesh) {
  Rational one = 0, x[3] = {0, 0, 0}, xx[3][3] = {};
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    Rational p[3][3], s[3];
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        p[i][k] = Rational(mesh.corners(t)[i][k]);
        s[k] += p[i][k];
      }
    const Rational det = p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
                         p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                         p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
    one += det / 6;
    for (int i = 0; i < 3; ++i) {
      x[i] += det * s[i] / 24;
      for (int j = 0; j < 3; ++j)
        xx[i][j] += det * (s[i] * s[j] + p[0][i] * p[0][j] + p[1][i] * p[1][j] + p[2][i] * p[2][j]) / 120;
    }
  }
  Exact e;
  e.mass = one;
  Rational trace = 0;
  for (int i = 0; i < 3; ++i) e.center[i] = x[i] / one;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) xx[i][j] -= one * e.center[i] * e.center[j];
  for (int i = 0; i < 3; ++i) trace += xx[i][i];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) e.inertia[i][j] = (i == j ? trace : Rational(0)) - xx[i][j];
  return e;
}

double relative(double got, const Rational& exact, const Rational& unit) {
  const Rational d = (Rational(got) - exact) / unit;
  return std::fabs(d.convert_to<double>());
}

// Largest error of mass, center (against the size of the body and its distance) and tensor (against its largest entry)
double worst_error(const Mesh& mesh) {
  const MassProperties3 body = *mass_properties(mesh);
  const Exact e = integrate(mesh);
  double worst = relative(body.mass, e.mass, e.mass);
  Rational largest = 0, reach = 0;
  for (int i = 0; i < 3; ++i) largest = std::max<Rational>(largest, e.inertia[i][i]);
  for (const Vec3d& v : mesh.vertices) reach = std::max<Rational>(reach, Rational(max_abs(v)));
  for (int i = 0; i < 3; ++i) {
    worst = std::max(worst, relative(body.center[i], e.center[i], reach));
    for (int j = 0; j < 3; ++j) worst = std::max(worst, relative(body.inertia[i][j], e.inertia[i][j], largest));
  }
  return worst;
}

}  // namespace

TEST(Mass3Exact, PolyhedraAnywhere) {
  Random random(campaign_seed(9));
  const Mesh bodies[] = {*box_mesh({1, 2, 3}),
                         *box_mesh({1000, 1, 0.01}),
                         *tetrahedron_mesh({0, 0, 0}, {1, 0.2, 0}, {0.3, 1, 0}, {0.1, 0.2, 1}),
                         *tetrahedron_mesh({0, 0, 0}, {100, 0.2, 0}, {0.3, 1, 0}, {0.1, 0.2, 1e-3}),
                         *torus_mesh(2, 0.1, 12, 8),
                         *icosphere_mesh(1, 1)};
  for (const Mesh& body : bodies)
    for (double reach : {0.0, 1.0, 1e3, 1e6})
      for (int i = 0; i < 4; ++i)
        EXPECT_LT(worst_error(*transformed(body, random_pose(random, reach))), 1e-13) << reach;
}

// A shell a millionth thick: nearly everything cancels
TEST(Mass3Exact, ThinShells) {
  Random random(campaign_seed(10));
  for (double thickness : {1e-2, 1e-4, 1e-6}) {
    const Mesh shell = *joined(*icosphere_mesh(1, 1), *flipped(*icosphere_mesh(1 - thickness, 1)));
    for (int i = 0; i < 3; ++i)
      EXPECT_LT(worst_error(*transformed(shell, random_pose(random, 10))), 2e-15 / thickness + 1e-13);
  }
}
