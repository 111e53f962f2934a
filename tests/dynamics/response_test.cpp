#include "tests/support/numbers.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/dynamics/elastic.hpp>
#include <sudar/dynamics/impulse_response.hpp>
#include <sudar/dynamics/mtv_response.hpp>
#include <sudar/dynamics/spring_response.hpp>
#include <sudar/math/sampling.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;

double mass_between(Random& random, double lo, double hi) {
  return std::exp(random.uniform(std::log(lo), std::log(hi)));
}

// The closed form in a wider number: v₁' = v₁ − (1 + e) m₂/(m₁ + m₂) ⟨v₁ − v₂, d⟩/⟨d, d⟩ d
template <int D>
void wide_collision(const Ball<D>& a, const Ball<D>& b, double restitution, long double (&va)[3],
                    long double (&vb)[3]) {
  long double along = 0, square = 0;
  for (int i = 0; i < D; ++i) {
    const long double d = static_cast<long double>(b.position[i]) - a.position[i];
    along += (static_cast<long double>(a.velocity[i]) - b.velocity[i]) * d;
    square += d * d;
  }
  const long double sum = static_cast<long double>(a.mass) + b.mass;
  for (int i = 0; i < D; ++i) {
    const long double d = static_cast<long double>(b.position[i]) - a.position[i];
    const long double change = (1 + static_cast<long double>(restitution)) * along / square * d;
    va[i] = a.velocity[i] - change * b.mass / sum;
    vb[i] = b.velocity[i] + change * a.mass / sum;
  }
}

template <int D>
void check_elastic(std::uint64_t seed) {
  Random random(campaign_seed(seed));
  double worst = 0, worst_energy = 0;
  int met = 0;
  for (int i = 0; i < 20000; ++i) {
    Ball<D> a, b;
    a.position = sudar_test::random_point<D>(random, 10);
    b.position = a.position + unit_vector<D>(random) * mass_between(random, 0.01, 100);
    a.velocity = sudar_test::random_point<D>(random, 10);
    b.velocity = sudar_test::random_point<D>(random, 10);
    a.mass = mass_between(random, 1e-3, 1e3);
    b.mass = mass_between(random, 1e-3, 1e3);
    const double e = i % 2 == 0 ? 1 : random.uniform();
    long double va[3], vb[3];
    wide_collision(a, b, e, va, vb);
    const Ball<D> a0 = a, b0 = b;
    if (collide(a, b, e) == 0) {
      EXPECT_EQ(a, a0);
      EXPECT_GE(dot(b0.velocity - a0.velocity, b.position - a.position), -1e-9);
      continue;
    }
    ++met;
    const double scale = std::max(max_abs(a0.velocity), max_abs(b0.velocity));
    for (int k = 0; k < D; ++k) {
      worst = std::max(worst, std::fabs(static_cast<double>(a.velocity[k] - va[k])) / scale);
      worst = std::max(worst, std::fabs(static_cast<double>(b.velocity[k] - vb[k])) / scale);
      const double p0 = momentum(a0)[k] + momentum(b0)[k], p = momentum(a)[k] + momentum(b)[k];
      EXPECT_NEAR(p, p0, 1e-13 * (a.mass + b.mass) * scale);
    }
    if (e == 1) {
      const double before = kinetic_energy(a0) + kinetic_energy(b0);
      worst_energy = std::max(worst_energy, std::fabs(kinetic_energy(a) + kinetic_energy(b) - before) / before);
    }
  }
  EXPECT_GT(met, 8000);
  EXPECT_LT(worst, 1e-14);
  EXPECT_LT(worst_energy, 1e-13);
}

}  // namespace

TEST(Elastic, AgreesWithExactArithmetic) {
  check_elastic<2>(1);
  check_elastic<3>(2);
}

TEST(Elastic, HandCases) {
  // Equal masses swap, a heavy one goes on, a wall turns round
  Ball2 a, b;
  a.velocity = {1, 5};
  b.position = {2, 0};
  EXPECT_DOUBLE_EQ(collide(a, b), 1);
  EXPECT_EQ(a.velocity, (Vec2d{0, 5}));
  EXPECT_EQ(b.velocity, (Vec2d{1, 0}));
  Ball2 wall = b;
  wall.velocity = {-1, 0};
  wall.mass = sudar_test::kInf;
  a.velocity = {1, 5};
  collide(a, wall, 0.5);
  EXPECT_EQ(a.velocity, (Vec2d{-2, 5}));
  EXPECT_EQ(wall.velocity, (Vec2d{-1, 0}));
  EXPECT_EQ(reflected<3>({1, -2, 3}, {0, -4, 0}), (Vec3d{1, 2, 3}));
  EXPECT_EQ(reflected<3>({1, -2, 3}, {0, -1, 0}, 0.5, {0, 2, 0}), (Vec3d{1, 4, 3}));
  EXPECT_EQ(reflected<3>({1, 2, 3}, {0, -1, 0}), (Vec3d{1, 2, 3}));
  // Centres on one point part along the way they came; at rest nothing happens
  a = b = Ball2{};
  EXPECT_EQ(collide(a, b), 0);
  a.velocity = {3, 0};
  collide(a, b);
  EXPECT_EQ(b.velocity, (Vec2d{3, 0}));
}

TEST(Impulse, PartsWithRestitutionAndKeepsMomenta) {
  Random random(campaign_seed(3));
  int met = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto body = [&](RigidState3& s, RigidMass3& m) {
      s.position = sudar_test::random_point<3>(random, 2);
      s.rotation = sudar_test::random_rotation(random);
      s.momentum = sudar_test::random_point<3>(random, 3);
      s.angular_momentum = sudar_test::random_point<3>(random, 3);
      const Quatd axes = sudar_test::random_rotation(random);
      const Mat3d r = to_matrix(axes);
      const Mat3d inertia =
          r * Mat3d::diagonal({random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2)}) * transpose(r);
      m = *make_mass(mass_between(random, 0.1, 10), inertia);
    };
    RigidState3 a, b;
    RigidMass3 ma, mb;
    body(a, ma);
    body(b, mb);
    const bool standing = i % 4 == 3;
    if (standing) mb = RigidMass3{};
    const Vec3d point = sudar_test::random_point<3>(random, 2), normal = unit_vector<3>(random);
    const double e = i % 3 == 0 ? 1 : random.uniform();
    const auto speed = [&] { return dot(velocity_at(a, ma, point) - velocity_at(b, mb, point), normal); };
    const auto spin = [&] {
      return a.angular_momentum + b.angular_momentum + cross(a.position, a.momentum) + cross(b.position, b.momentum);
    };
    const double before = speed(), energy = kinetic_energy(a, ma) + kinetic_energy(b, mb);
    const Vec3d p = a.momentum + b.momentum, l = spin();
    const Strike impact = strike(a, ma, b, mb, point, normal, e);
    EXPECT_DOUBLE_EQ(impact.closing, before);
    if (before <= 0) {
      EXPECT_EQ(impact.impulse, 0);
      continue;
    }
    ++met;
    EXPECT_NEAR(speed(), -e * before, 1e-12 * (1 + before));
    EXPECT_LT(distance(a.momentum + b.momentum, p), 1e-13 * (1 + impact.impulse));
    EXPECT_LT(distance(spin(), l), 1e-12 * (1 + impact.impulse));
    // What is lost is (1 − e²) of the energy of the approach
    const double inverse = inverse_mass_at(a, ma, point, normal) + inverse_mass_at(b, mb, point, normal);
    const double lost = (1 - e * e) * before * before / (2 * inverse);
    EXPECT_NEAR(kinetic_energy(a, ma) + kinetic_energy(b, mb), energy - lost, 1e-11 * (1 + energy));
  }
  EXPECT_GT(met, 800);
}

TEST(Impulse, HandCases) {
  // A rod of length 2 and mass 3 (inertia 1) struck at its end by a point mass of 1 at rest: 1/m_eff = 1/3 + 1 + 1
  RigidState2 rod, point;
  const RigidMass2 rod_mass = *make_mass(3, 1.0), point_mass = *make_mass(1, 1.0);
  rod.momentum = {0, -3};
  point.position = {1, -1};
  const Strike impact = strike(rod, rod_mass, point, point_mass, {1, 0}, {0, -1}, 1);
  EXPECT_DOUBLE_EQ(impact.closing, 1);
  EXPECT_DOUBLE_EQ(impact.impulse, 2 / (1.0 / 3 + 1 + 1));
  EXPECT_DOUBLE_EQ(point.momentum.y, -impact.impulse);
  EXPECT_DOUBLE_EQ(rod.angular_momentum, impact.impulse);
  EXPECT_EQ(point.angular_momentum, 0);
  // Two that cannot be moved, and bodies that part
  RigidState2 still;
  const RigidState2 was = rod;
  EXPECT_EQ(strike(still, RigidMass2{}, still, RigidMass2{}, {}, {1, 0}, 1).impulse, 0);
  EXPECT_EQ(strike(rod, rod_mass, still, RigidMass2{}, {0, 0}, {0, 1}, 1).impulse, 0);
  EXPECT_EQ(rod, was);
}

TEST(Mtv, HalvesOrSharesByMass) {
  const Vec3d n{0, 0, 1};
  const MtvPush<3> half = mtv_push<3>(n, -0.5, 1, 0.1);
  EXPECT_EQ(half.a, (Vec3d{0, 0, -0.25}));
  EXPECT_EQ(half.b, (Vec3d{0, 0, 0.25}));
  const MtvPush<3> mass = mtv_push<3>(n, -0.5, 3, 1, MtvShare::by_mass);
  EXPECT_EQ(mass.a, (Vec3d{0, 0, -0.375}));
  EXPECT_EQ(mass.b, (Vec3d{0, 0, 0.125}));
  for (const MtvShare share : {MtvShare::half, MtvShare::by_mass}) {
    EXPECT_EQ(mtv_push<3>(n, -0.5, 0, 1, share).b, (Vec3d{0, 0, 0.5}));
    EXPECT_EQ(mtv_push<3>(n, -0.5, 2, 0, share).a, (Vec3d{0, 0, -0.5}));
    EXPECT_EQ(mtv_push<3>(n, -0.5, 0, 0, share).a, Vec3d{});
    EXPECT_EQ(mtv_push<3>(n, 0.5, 1, 1, share).a, Vec3d{});
  }
  Random random(campaign_seed(5));
  for (int i = 0; i < 1000; ++i) {
    Ball3 a, b;
    b.position = unit_vector<3>(random) * random.uniform(0, 3);
    b.mass = 4;
    a.velocity = sudar_test::random_point<3>(random);
    const Vec3d centre = a.position * a.mass + b.position * b.mass;
    const bool overlaps = length(b.position) < 2;
    EXPECT_EQ(push_apart(a, b, 1, MtvShare::by_mass), overlaps);
    EXPECT_LT(distance(a.position * a.mass + b.position * b.mass, centre), 1e-14);
    EXPECT_GE(distance(a.position, b.position), 2 - 1e-14);
    EXPECT_GE(!overlaps || dot(b.velocity - a.velocity, b.position - a.position) >= -1e-14, true);
  }
  Ball2 a, b;
  EXPECT_TRUE(push_apart(a, b));
  EXPECT_DOUBLE_EQ(distance(a.position, b.position), 2);
}

TEST(Spring, ContactsHaveTheirClosedForm) {
  // Oracle: the contact integrated in small steps, from touch until the force is zero
  for (const double e : {1.0, 0.9, 0.5, 0.2, 0.05}) {
    const double m = 0.7, k = 1e4, speed = 3;
    const auto law = make_spring(k, e, m);
    ASSERT_TRUE(law);
    const SpringContact contact = spring_contact(*law, m);
    EXPECT_NEAR(std::exp(-contact.loss), e, 1e-12);
    const double h = stable_step(*law, m) / 20000;
    double x = 0, v = speed, t = 0;  // x: depth
    do {
      // Midpoint rule
      const double force = spring_force(*law, -x, v), xm = x + v * h / 2, vm = v - force / m * h / 2;
      v -= spring_force(*law, -xm, vm) / m * h;
      x += vm * h;
      t += h;
    } while (x > 0 && spring_force(*law, -x, v) > 0 && t < 1);
    EXPECT_NEAR(-v / speed, e, 1e-3);
    EXPECT_NEAR(t, contact.duration, 1e-2 * contact.duration);
  }
  EXPECT_EQ(make_spring(100, 1, 1)->damping, 0);
  EXPECT_NEAR(spring_contact({4, 0}, 1).duration, kPi / 2, 1e-15);
  EXPECT_NEAR(spring_contact({1, 2}, 1).duration, 2, 1e-6);
  EXPECT_EQ(spring_force({100, 1}, 0.1, 5), 0);
  EXPECT_EQ(spring_force({100, 10}, -0.1, -5), 0);
}

TEST(Spring, StableStepIsTheLimit) {
  for (const SpringLaw law : {SpringLaw{100, 0}, SpringLaw{100, 5}, SpringLaw{100, 60}}) {
    const double m = 2, limit = stable_step(law, m);
    for (const double share : {0.99, 1.01}) {
      // The whole line is spring here: semi-implicit Euler of a damped oscillator
      double x = 1, v = 0;
      for (int i = 0; i < 5000 && std::fabs(x) < 1e6; ++i) {
        v += -(law.stiffness * x + law.damping * v) / m * limit * share;
        x += v * limit * share;
      }
      EXPECT_EQ(std::fabs(x) < 1e3, share < 1) << law.damping;
    }
  }
}

TEST(Spring, Doors) {
  EXPECT_EQ(make_spring(0, 1, 1).error().element, 0u);
  EXPECT_EQ(make_spring(1, 0, 1).error().element, 1u);
  EXPECT_EQ(make_spring(1, sudar_test::kNaN, 1).error().element, 1u);
  EXPECT_EQ(make_spring(1, 1, -1).error().element, 2u);
  EXPECT_TRUE(make_spring(1e12, 1e-300, 1e-9).ok());
  EXPECT_EQ(make_spring(1.7e308, 0.01, 1.7e308).error().code, ErrorCode::too_large);
  EXPECT_EQ(make_spring(1.7e308, 1, 1.7e308)->damping, 0);
}
