// Meshes between two frames against all pairs of primitives.
#include "tests/support/seed.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/continuous/mesh_frames.hpp>
#include <sudar/core/random.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/narrowphase/triangle_triangle.hpp>

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

#include <limits>
#include <set>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;

struct Frames {
  Mesh start, end;
  MovingMesh view() const { return {start.vertices, end.vertices, start.triangles}; }
};

Frames moved(Mesh mesh, const Vec3d& from, const Vec3d& to, double shake, Random& random) {
  Frames f{mesh, mesh};
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3d r{random.uniform(-shake, shake), random.uniform(-shake, shake), random.uniform(-shake, shake)};
    f.start.vertices[i] = mesh.vertices[i] + from;
    f.end.vertices[i] = mesh.vertices[i] + to + r;
  }
  return f;
}

using Key = std::tuple<FrameFeature, std::array<std::uint32_t, 2>, std::array<std::uint32_t, 2>>;

// Every vertex with every face and every edge with every edge, without boxes
std::set<Key> all_pairs(const MovingMesh& a, const MovingMesh& b, bool self, double separation, double& first) {
  std::set<Key> keys;
  first = 2;
  const ImpactOptions options{.min_separation = separation};
  const auto note = [&](const Result<PrimitiveImpact>& x, const Key& key) {
    ASSERT_TRUE(x.ok());
    if (!x->hit) return;
    keys.insert(key);
    first = std::min(first, x->t_lower);
  };
  const auto shares = [&](std::uint32_t v, const auto& list) {
    return self && std::find(list.begin(), list.end(), v) != list.end();
  };
  const auto vertices = [&](const MovingMesh& p, const MovingMesh& f, FrameFeature kind) {
    for (std::uint32_t v = 0; v < p.start.size(); ++v)
      for (std::uint32_t t = 0; t < f.triangles.size(); ++t) {
        const MeshTriangle& c = f.triangles[t];
        if (shares(v, c)) continue;
        const std::array<std::uint32_t, 2> i{v, kNoIndex}, j{t, kNoIndex};
        note(vertex_face_impact({p.start[v], f.start[c[0]], f.start[c[1]], f.start[c[2]]},
                                {p.end[v], f.end[c[0]], f.end[c[1]], f.end[c[2]]}, options),
             kind == FrameFeature::vertex_face ? Key{kind, i, j} : Key{kind, j, i});
      }
  };
  vertices(a, b, FrameFeature::vertex_face);
  if (!self) vertices(b, a, FrameFeature::face_vertex);
  const auto edges = [](const MovingMesh& m) {
    std::set<std::array<std::uint32_t, 2>> set;
    for (const MeshTriangle& t : m.triangles)
      for (std::size_t i = 0; i < 3; ++i) set.insert({std::min(t[i], t[(i + 1) % 3]), std::max(t[i], t[(i + 1) % 3])});
    return set;
  };
  for (const auto& e : edges(a))
    for (const auto& f : edges(b)) {
      if (self && (e >= f || shares(e[0], f) || shares(e[1], f))) continue;
      note(edge_edge_impact({a.start[e[0]], a.start[e[1]], b.start[f[0]], b.start[f[1]]},
                            {a.end[e[0]], a.end[e[1]], b.end[f[0]], b.end[f[1]]}, options),
           Key{FrameFeature::edge_edge, e, f});
    }
  const auto corners = [](const MovingMesh& m, std::uint32_t t) {
    const MeshTriangle& c = m.triangles[t];
    return Triangle<3, double>{m.start[c[0]], m.start[c[1]], m.start[c[2]]};
  };
  for (std::uint32_t s = 0; s < a.triangles.size(); ++s)
    for (std::uint32_t t = self ? s + 1 : 0; t < b.triangles.size(); ++t) {
      const MeshTriangle& c = a.triangles[s];
      if (shares(c[0], b.triangles[t]) || shares(c[1], b.triangles[t]) || shares(c[2], b.triangles[t])) continue;
      if (!intersects_exact(corners(a, s), corners(b, t))) continue;
      keys.insert(Key{FrameFeature::face_face, {s, kNoIndex}, {t, kNoIndex}});
      first = 0;
    }
  return keys;
}

void expect_all_pairs(const MovingMesh& a, const MovingMesh& b, bool self, double separation,
                      Broadphase<3>* broadphase) {
  const ImpactOptions options{.min_separation = separation};
  const auto x = self ? mesh_frames_self_impact(a, options, broadphase) : mesh_frames_impact(a, b, options, broadphase);
  ASSERT_TRUE(x.ok()) << x.error().message();
  std::set<Key> keys;
  for (const FrameContact& c : x->contacts) EXPECT_TRUE(keys.insert(Key{c.kind, c.a, c.b}).second);
  double first = 0;
  const std::set<Key> truth = all_pairs(a, b, self, separation, first);
  EXPECT_EQ(keys, truth);
  EXPECT_EQ(x->hit, !truth.empty());
  if (x->hit) {
    EXPECT_EQ(x->t_lower, first);
  }
}

TEST(MeshFrames, AgreesWithAllPairs) {
  Random random(campaign_seed(7));
  for (std::size_t i = 0; i < sudar_test::soak(6); ++i) {
    const Vec3d way{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(1, 3)};
    const Frames a = moved(*icosphere_mesh(1, 1), {}, {}, 0.05, random);
    const Frames b = moved(*box_mesh({0.5, 0.4, 0.3}), way * 2, way * -random.uniform(0, 1), 0.05, random);
    for (const double separation : {0.0, 0.125}) {
      expect_all_pairs(a.view(), b.view(), false, separation, nullptr);
      expect_all_pairs(b.view(), a.view(), false, separation, nullptr);
    }
    // One surface that is crumpled
    const Frames c = moved(*icosphere_mesh(1, 1), {}, {}, 0.8, random);
    expect_all_pairs(c.view(), c.view(), true, 0, nullptr);
  }
}

TEST(MeshFrames, AnyBroadPhaseGivesTheSame) {
  Random random(campaign_seed(8));
  const Frames a = moved(*icosphere_mesh(1, 1), {}, {}, 0.1, random);
  const Frames b = moved(*torus_mesh(1, 0.3, 8, 6), {0, 0, 2}, {0, 0, -0.5}, 0.1, random);
  for (const std::string_view name : {"brute_force", "dynamic_tree", "sap", "adaptive"}) {
    auto made = make_broadphase<3>(name);
    ASSERT_TRUE(made.ok()) << name;
    expect_all_pairs(a.view(), b.view(), false, 0, made->get());
  }
}

// A spike through the middle of a large face, and both move on together: no vertex meets a face and no edge an edge
TEST(MeshFrames, WhatCrossesAtTheStartIsHitAtTheStart) {
  const std::vector<Vec3d> face = {{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}}, spike = {{0, 0, -1}, {0.1, 0, 1}, {0, 0.1, 1}};
  const std::vector<MeshTriangle> one = {{0, 1, 2}};
  for (const double apart : {0.0, 20.0}) {
    std::vector<Vec3d> face_end = face, spike_start = spike, spike_end = spike;
    for (Vec3d& p : face_end) p += Vec3d{1, 2, 3};
    for (Vec3d& p : spike_start) p.x += apart;
    for (std::size_t i = 0; i < 3; ++i) spike_end[i] = spike_start[i] + Vec3d{1, 2, 3};
    const MovingMesh a{face, face_end, one}, b{spike_start, spike_end, one};
    for (const double separation : {0.0, 0.01}) {
      const auto x = mesh_frames_impact(a, b, {.min_separation = separation});
      ASSERT_TRUE(x.ok());
      EXPECT_EQ(x->hit, apart == 0);
      if (!x->hit) continue;
      EXPECT_EQ(x->t, 0);
      EXPECT_EQ(x->t_lower, 0);
      ASSERT_EQ(x->contacts.size(), 1u);
      EXPECT_EQ(x->contacts[0].kind, FrameFeature::face_face);
    }
    // The same as one mesh
    std::vector<Vec3d> start = face, end = face_end;
    start.insert(start.end(), spike_start.begin(), spike_start.end());
    end.insert(end.end(), spike_end.begin(), spike_end.end());
    const std::vector<MeshTriangle> two = {{0, 1, 2}, {3, 4, 5}};
    EXPECT_EQ(mesh_frames_self_impact({start, end, two})->hit, apart == 0);
  }
}

TEST(MeshFrames, AnyExecutorGivesTheSame) {
  Random random(campaign_seed(11));
  const Frames a = moved(*icosphere_mesh(1, 2), {}, {}, 0.3, random);
  const Frames b = moved(*torus_mesh(1, 0.3, 16, 12), {0, 0, 0.9}, {0, 0, -0.5}, 0.1, random);
  for (const bool self : {false, true}) {
    const auto with = [&](Executor* executor) {
      auto x = self ? mesh_frames_self_impact(a.view(), {}, nullptr, executor)
                    : mesh_frames_impact(a.view(), b.view(), {}, nullptr, executor);
      EXPECT_TRUE(x.ok());
      return *x;
    };
    const FramesImpact plain = with(nullptr);
    EXPECT_GT(plain.candidates, 2000u);
    EXPECT_GT(plain.contacts.size(), 20u);
    for (const unsigned threads : {1u, 2u, 4u}) {
      const auto executor = make_executor(threads);
      const FramesImpact x = with(executor.get());
      EXPECT_EQ(x.hit, plain.hit);
      EXPECT_EQ(x.t_lower, plain.t_lower);
      EXPECT_EQ(x.candidates, plain.candidates);
      ASSERT_EQ(x.contacts.size(), plain.contacts.size());
      for (std::size_t i = 0; i < x.contacts.size(); ++i) {
        const FrameContact &p = x.contacts[i], &q = plain.contacts[i];
        EXPECT_TRUE(p.kind == q.kind && p.a == q.a && p.b == q.b && p.t == q.t && p.t_lower == q.t_lower) << i;
      }
    }
  }
}

TEST(MeshFrames, ABallFallsOnATableAtAKnownTime) {
  Random random(campaign_seed(9));
  const Frames table = moved(*box_mesh({10, 10, 1}), {0, 0, -1}, {0, 0, -1}, 0, random);
  // The octahedron's lowest corner goes from 3 to -1: it is at 0 at t = 3/4
  const Frames ball = moved(*octahedron_mesh(1), {0.3, 0.2, 4}, {0.3, 0.2, 0}, 0, random);
  const auto x = mesh_frames_impact(ball.view(), table.view());
  ASSERT_TRUE(x.ok());
  EXPECT_TRUE(x->hit);
  EXPECT_NEAR(x->t, 0.75, 1e-12);
  EXPECT_LE(x->t_lower, 0.75);
  const auto near = mesh_frames_impact(ball.view(), table.view(), {.min_separation = 1});
  ASSERT_TRUE(near.ok());
  EXPECT_NEAR(near->t_lower, 0.5, 1e-4);
  EXPECT_LE(near->t_lower, 0.5);
}

TEST(MeshFrames, BadInputIsATypedError) {
  Random random(campaign_seed(10));
  const Frames good = moved(*box_mesh({1, 1, 1}), {}, {0, 0, 1}, 0, random);
  const MovingMesh empty{};
  EXPECT_FALSE(mesh_frames_impact(empty, good.view())->hit);
  EXPECT_FALSE(mesh_frames_impact(good.view(), empty)->hit);
  EXPECT_FALSE(mesh_frames_self_impact(empty)->hit);
  Frames bad = good;
  bad.end.vertices[3].z = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(mesh_frames_impact(good.view(), bad.view()).error(), (Error{ErrorCode::non_finite, 8 + 3}));
  bad = good;
  bad.start.triangles[5][1] = 8;
  EXPECT_EQ(mesh_frames_self_impact(bad.view()).error(), (Error{ErrorCode::index_out_of_range, 5}));
  bad = good;
  bad.end.vertices.pop_back();
  EXPECT_EQ(mesh_frames_impact(bad.view(), good.view()).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(mesh_frames_impact(good.view(), good.view(), {.min_separation = -1}).error().code,
            ErrorCode::invalid_argument);
}

}  // namespace
