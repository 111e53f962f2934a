// What:    Bodies and contacts made by hand for the tests of the solvers: cubes (squares) of edge 1 on the ground and on each
//          other, so that nothing but the solver is under test.
#pragma once

#include <sudar/dynamics/contact_solver2.hpp>
#include <sudar/dynamics/contact_solver3.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace sudar_test {

// A cube or square of edge 1 and of this mass
template <int D>
sudar::SolverBody<D> unit_cube(double mass, const sudar::Vec<D, double>& position) {
  sudar::SolverBody<D> b;
  b.position = position;
  b.inverse_mass = 1 / mass;
  if constexpr (D == 2) {
    b.inverse_inertia = 6 / mass;
  } else {
    b.inverse_inertia = sudar::Mat3d::diagonal({6 / mass, 6 / mass, 6 / mass});
  }
  return b;
}

template <int D>
struct HandMade {
  using Solver = std::conditional_t<D == 2, sudar::ContactSolver2, sudar::ContactSolver3>;
  using Joint = std::conditional_t<D == 2, sudar::Joint2, sudar::Joint3>;
  static constexpr int kUp = D - 1;

  std::vector<sudar::SolverBody<D>> bodies;
  std::vector<sudar::ContactInput<D>> contacts;
  std::vector<sudar::ContactPointInput<D>> points;
  std::vector<sudar::PointImpulse<D>> impulses;
  std::vector<Joint> joints;
  sudar::SolverSettings settings;
  Solver solver;

  void clear_contacts() {
    contacts.clear();
    points.clear();
  }
  // The lower corners of a unit cube over the upper face of another one
  void rest_on(std::uint32_t lower, std::uint32_t upper, double friction) {
    using Vec = sudar::Vec<D, double>;
    Vec up{};
    up[kUp] = 1;
    sudar::ContactInput<D> c;
    c.a = lower;
    c.b = upper;
    c.friction = friction;
    c.normal = rotate(bodies[lower].rotation, up);
    c.first = static_cast<std::uint32_t>(points.size());
    c.count = D == 2 ? 2 : 4;
    for (unsigned k = 0; k < c.count; ++k) {
      Vec corner{};
      for (unsigned axis = 0; axis < D; ++axis) corner[static_cast<int>(axis)] = (k >> axis & 1) != 0 ? 0.5 : -0.5;
      corner[kUp] = -0.5;
      const Vec p = bodies[upper].position + rotate(bodies[upper].rotation, corner);
      const double separation = dot(c.normal, p - bodies[lower].position) - 0.5;
      points.push_back({p - c.normal * (separation / 2), separation});
    }
    contacts.push_back(c);
  }
  // One point
  void touch(std::uint32_t a, std::uint32_t b, const sudar::Vec<D, double>& normal,
             const sudar::Vec<D, double>& position, double separation, double friction, double restitution) {
    contacts.push_back({a, b, static_cast<std::uint32_t>(points.size()), 1, normal, friction, restitution});
    points.push_back({position, separation});
  }
  sudar::SolverStats step() {
    impulses.resize(points.size());
    const auto done = solver.solve(bodies, contacts, points, impulses, joints, settings);
    EXPECT_TRUE(done.ok()) << (done ? "" : done.error().message());
    return done ? *done : sudar::SolverStats{};
  }
};

// Body 0 is the ground, whose upper face is at 0; cubes 1 … count stand on each other
template <int D>
HandMade<D> tower(std::uint32_t count, double gravity) {
  HandMade<D> out;
  sudar::Vec<D, double> x{}, down{};
  down[D - 1] = -gravity;
  x[D - 1] = -0.5;
  out.bodies.resize(1);
  out.bodies[0].position = x;
  for (std::uint32_t i = 1; i <= count; ++i) {
    x[D - 1] = i - 0.5;
    out.bodies.push_back(unit_cube<D>(1000, x));
    out.bodies.back().acceleration = down;
  }
  return out;
}
template <int D>
void step_tower(HandMade<D>& t, double friction) {
  t.clear_contacts();
  for (std::uint32_t i = 1; i < t.bodies.size(); ++i) t.rest_on(i - 1, i, friction);
  t.step();
}
template <int D>
double fastest(const HandMade<D>& scene) {
  double out = 0;
  for (const sudar::SolverBody<D>& b : scene.bodies)
    out = std::max({out, length(b.velocity), sudar::turn_rate(b.angular_velocity)});
  return out;
}

}  // namespace sudar_test
