// The machinery of failures itself: a promise that is wrong on purpose is broken, the case is shrunk and written, and the file
// that is read back breaks it in the same way and is small. Oracle: the wrong promise, which is known.
#include "tests/regress/read_case.hpp"
#include "tests/support/random.hpp"
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/math/sampling.hpp>

#include <gtest/gtest.h>

#include <cstdio>

namespace {

using namespace sudar;
using namespace sudar_test;

// The case of the one line in the file that was written, and the line
template <class Case>
Case read_back(const std::string& said, const std::string& wrong, std::string& line) {
  EXPECT_EQ(said.rfind(wrong + ": ", 0), 0u) << said;
  const std::size_t begin = wrong.size() + 2;
  const std::string path = said.substr(begin, said.find(":\n") - begin);
  const std::vector<std::string> lines = lines_of_file(path);
  EXPECT_EQ(lines.size(), 1u) << said;
  std::remove(path.c_str());
  if (lines.empty()) throw std::runtime_error("nothing was written");
  line = lines[0];
  // None of these breaks a promise of the library
  EXPECT_EQ(broken_promise_of_line(line), "") << line;
  AnyCase any = read_case_line(line);
  EXPECT_TRUE(std::holds_alternative<Case>(any)) << line;
  return std::get<Case>(std::move(any));
}

TEST(CaseMachinery, NumbersBecomeSimple) {
  EXPECT_EQ(with_bits(0.7, 1), 0.5);
  EXPECT_EQ(with_bits(-0.7, 2), -0.5);
  EXPECT_EQ(with_bits(7.9, 3), 7);
  EXPECT_EQ(with_bits(1e-300, 53), 1e-300);
  EXPECT_EQ(with_bits(0, 4), 0);
  double x = 123.456789;
  EXPECT_TRUE(simplify(x, [&] { return x > 100; }));
  EXPECT_EQ(x, 123);
  EXPECT_FALSE(simplify(x, [&] { return x == 123; }));
  x = 1e-200 * 1.2345;
  EXPECT_TRUE(simplify(x, [&] { return x > 0 && x < 1e-199; }));
  EXPECT_EQ(x, with_bits(1.2345e-200, 1));
  x = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(simplify(x, [&] { return x > 0; }));
  EXPECT_EQ(x, 1);
  std::vector<double> list = {1, 2, 3, 4, 5, 6, 7};
  leave_out(list, [](const std::vector<double>& l) {
    return std::count(l.begin(), l.end(), 3.0) + std::count(l.begin(), l.end(), 6.0) == 2;
  });
  EXPECT_EQ(list, (std::vector<double>{3, 6}));
}

TEST(CaseMachinery, ImpactsAreShrunkWrittenAndReadBack) {
  Random random(1);
  for (const bool edges : {false, true}) {
    ImpactCase c{make_ccd_query(sudar_scenes::CcdKind::close, edges, random)};
    while (
        !broken_door(c).empty() ||
        !(edges ? edge_edge_impact(c.query.start, c.query.end) : vertex_face_impact(c.query.start, c.query.end))->hit)
      c.query = make_ccd_query(sudar_scenes::CcdKind::close, edges, random);
    // Wrong on purpose: nothing ever meets
    const auto wrong = [](const ImpactCase& other) -> std::string {
      const auto& q = other.query;
      return (q.edges ? edge_edge_impact(q.start, q.end) : vertex_face_impact(q.start, q.end))->hit ? "it meets" : "";
    };
    std::string line;
    const ImpactCase back = read_back<ImpactCase>(shrunk_impact(c, wrong), "it meets", line);
    EXPECT_EQ(wrong(back), "it meets");
    EXPECT_EQ(back.query.edges, edges);
    EXPECT_EQ(case_line(back), line);
    // All in one place meets: nothing is simpler
    EXPECT_EQ(back.query.start, sudar_scenes::MovingPoints{});
    EXPECT_EQ(back.query.end, sudar_scenes::MovingPoints{});
  }
  PointEdgeCase flat{{{{0.1, 0.2}, {0.3, -1.7}, {0.4, 1.9}}}, {{{0.9, 0.3}, {0.2, -1.6}, {0.3, 1.8}}}};
  const auto wrong = [](const PointEdgeCase& other) -> std::string {
    return point_edge_impact(other.start, other.end)->hit && other.end[2].y > 1.5 ? "it meets" : "";
  };
  std::string line;
  const PointEdgeCase back = read_back<PointEdgeCase>(shrunk_impact(flat, wrong), "it meets", line);
  EXPECT_EQ(wrong(back), "it meets");
  EXPECT_EQ(case_line(back), line);
  EXPECT_LT(line.size(), case_line(flat).size());
}

template <int D>
MotionCase<D> crossing_bodies(Random& random);
template <>
MotionCase<3> crossing_bodies<3>(Random& random) {
  std::vector<Vec3d> points;
  for (int i = 0; i < 20; ++i) points.push_back(point_in_ball<3>(random));
  MovingBody<3> a{*make_hull_shape3(points)}, b{*make_capsule3({0.1, 0.2, 0.3}, {-0.4, 0.1, 0.2}, 0.3)};
  aim(random, a, 3, 0.3), aim(random, b, 3, 0.3);
  b.motion.angular = {1.1, 2.2, 3.3};
  return motion_case(a, b);
}
template <>
MotionCase<2> crossing_bodies<2>(Random& random) {
  std::vector<Vec2d> points;
  for (int i = 0; i < 12; ++i) points.push_back(point_in_ball<2>(random));
  MovingBody<2> a{*make_polygon2(points)}, b{*make_box2({0.35, 0.21})};
  aim(random, a, 3, 0.3), aim(random, b, 3, 0.3);
  b.motion.angular = 1.3;
  return motion_case(a, b);
}

template <int D>
void impacts_of_bodies() {
  Random random(2);
  // Wrong on purpose: nothing is hit within the first tenth
  const auto wrong = [](const MotionCase<D>& c) -> std::string {
    const auto x = impact_time(c.body_a(), c.body_b(), c.t_max);
    return x.ok() && x->hit && x->t_lo > 0.1 ? "it is hit late" : "";
  };
  MotionCase<D> c = crossing_bodies<D>(random);
  while (wrong(c).empty()) c = crossing_bodies<D>(random);
  std::string line;
  const MotionCase<D> back = read_back<MotionCase<D>>(shrunk_case(c, "it is hit late", wrong), "it is hit late", line);
  EXPECT_EQ(wrong(back), "it is hit late");
  EXPECT_EQ(case_line(back), line);
  EXPECT_LT(line.size(), case_line(c).size() / 2) << line;
}
TEST(CaseMachinery, MovingBodiesAreShrunkWrittenAndReadBack3) { impacts_of_bodies<3>(); }
TEST(CaseMachinery, MovingBodiesAreShrunkWrittenAndReadBack2) { impacts_of_bodies<2>(); }

TEST(CaseMachinery, RaysAreShrunkWrittenAndReadBack) {
  Random random(3);
  const auto wrong3 = [](const RayCase<3>& c) -> std::string {
    const auto x = cast_ray(c.a.shape, c.a.pose(), c.ray, c.max_t);
    return x.ok() && x->hit && x->t > 0.25 ? "it is hit" : "";
  };
  const Mesh torus = *torus_mesh(0.7, 0.3, 24, 16);
  const std::vector<CompoundChild3> children = {{*make_sphere3(0.4), {{0.5, 0, 0}, {}}},
                                                {*make_box3({0.3, 0.2, 0.1}), {{-0.5, 0, 0}, {}}},
                                                {*make_cone3(0.3, 0.3), {{0, 0.5, 0}, {}}}};
  const Shape3 shapes[] = {*make_mesh_shape3(torus.vertices, torus.triangles, false), *make_cone3(0.6, 0.7),
                           *make_halfspace3({0.1, 0.2, 0.9}, 0.3), *make_compound3(children)};
  std::string line;
  for (const Shape3& shape : shapes) {
    const auto aimed = [&] {
      const Vec3d from = unit_vector<3>(random) * 3.1;
      return RayCase<3>{shape_case<3>(shape, {{}, random_rotation(random)}), {from, point_in_ball<3>(random) - from}};
    };
    RayCase<3> c = aimed();
    while (wrong3(c).empty()) c = aimed();
    const RayCase<3> back = read_back<RayCase<3>>(shrunk_case(c, "it is hit", wrong3), "it is hit", line);
    EXPECT_EQ(wrong3(back), "it is hit");
    EXPECT_EQ(case_line(back), line);
    // Of the mesh one triangle is left
    if (shape.kind() == ShapeKind3::mesh) {
      EXPECT_EQ(back.a.shape.as<MeshShape3>().mesh->mesh().triangles.size(), 1u) << line;
    }
    if (shape.kind() == ShapeKind3::compound) {
      EXPECT_EQ(children_of(back.a.shape).size(), 1u) << line;
    }
    EXPECT_EQ(back.a.shape.kind(), shape.kind());
  }
  const auto wrong2 = [](const RayCase<2>& c) -> std::string {
    const auto x = cast_ray(c.a.shape, c.a.pose(), c.ray, c.max_t);
    return x.ok() && x->hit && x->t > 0.25 ? "it is hit" : "";
  };
  const RayCase<2> flat{
      shape_case<2>(*make_capsule2({-0.5, 0.1}, {0.6, -0.2}, 0.3), {{0.1, 0}, Rot2d::from_angle(0.7)}),
      {{0.1, 3.3}, {0.01, -2.2}},
      7};
  const RayCase<2> back = read_back<RayCase<2>>(shrunk_case(flat, "it is hit", wrong2), "it is hit", line);
  EXPECT_EQ(wrong2(back), "it is hit");
  EXPECT_EQ(case_line(back), line);
}

TEST(CaseMachinery, PairsAreShrunkWrittenAndReadBack) {
  PairCase pair{{ShapeKind3::hull, {0}, {0.1, 0.2, 0.3}, {}}, {ShapeKind3::halfspace, {0.3, 0.1, 0.2, 0.9}, {}, {}}};
  Random random(4);
  for (int i = 0; i < 30; ++i) pair.a.numbers.push_back(random.uniform(-1, 1));
  // Wrong on purpose: nothing is deeper than a half
  const auto depth = [](const Shape3& a, const Pose3d& at_a, const Shape3& b, const Pose3d& at_b) {
    return -distance(a, at_a, b, at_b).separation;
  };
  const auto fails = [&](const PairCase& p) {
    return depth(*make_shape(p.a), {p.a.position, p.a.rotation}, *make_shape(p.b), {p.b.position, p.b.rotation}) > 0.5;
  };
  ASSERT_TRUE(fails(pair));
  const PairCase small = shrink(pair, fails);
  std::string line;
  const auto back = read_back<PlacedPair<3>>("deep: " + write_case_text(case_line(small)), "deep", line);
  EXPECT_GT(depth(back.a.shape, back.a.pose(), back.b.shape, back.b.pose()), 0.5);
  EXPECT_LT(line.size(), case_line(pair).size() / 2) << line;
}

// Bodies that only a campaign's own rotation breaks are written whole, and it is said
TEST(CaseMachinery, WhatReadingChangesIsSaid) {
  const MotionCase<3> c = motion_case(MovingBody<3>{*make_sphere3(0.5)}, MovingBody<3>{*make_sphere3(0.25)});
  const std::string said = shrunk_case(c, "seen once", [](const MotionCase<3>&) { return std::string(); });
  EXPECT_NE(said.find("not of the case as it is written"), std::string::npos);
  EXPECT_NE(said.find(case_line(c)), std::string::npos);
  const std::size_t begin = said.find("again: ") + 7;
  EXPECT_EQ(std::remove(said.substr(begin, said.find(":\n") - begin).c_str()), 0) << said;
}

}  // namespace
