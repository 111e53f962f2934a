// The guaranteed primitives against rational arithmetic: yes or no, and the first time. What fails is shrunk and written as a
// case.
#include "tests/continuous/impact_promise.hpp"
#include "tests/support/counts.hpp"
#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sudar;
using sudar_scenes::CcdKind;
using sudar_scenes::CcdQuery;
using sudar_test::campaign_seed;
using sudar_test::ImpactCase;
using sudar_test::Rational;

PrimitiveImpact impact_of(const CcdQuery& q) {
  const auto x = q.edges ? edge_edge_impact(q.start, q.end) : vertex_face_impact(q.start, q.end);
  EXPECT_TRUE(x.ok());
  return x.ok() ? *x : PrimitiveImpact{};
}

// Two queries that should have one answer: the one that the integers do not agree with, or a file of both
std::string both_lines(const CcdQuery& q, const CcdQuery& copy) {
  for (const CcdQuery& one : {q, copy})
    if (!sudar_test::broken_door({one}).empty()) return shrunk_impact(ImpactCase{one}, sudar_test::broken_door);
  return sudar_test::write_case_text(case_line(ImpactCase{q}) + '\n' + case_line(ImpactCase{copy}));
}

using Tally = sudar_test::ImpactTally;

// One query: the door, the filter and the integers against the oracle
void expect_truth(const CcdQuery& q, Tally& tally, bool well_conditioned = true) {
  const ImpactCase c{q, !well_conditioned};
  if (sudar_test::broken_promise(c, tally).empty()) return;
  Tally unheard;
  FAIL() << shrunk_impact(c, [&](const ImpactCase& other) { return sudar_test::broken_promise(other, unheard); });
}

TEST(ImpactExact, AgreesWithRationalArithmetic) {
  Random random(campaign_seed(1));
  Tally tally;
  for (const CcdKind kind : sudar_scenes::kAllCcdKinds)
    for (const bool edges : {false, true})
      for (std::size_t i = 0; i < sudar_test::soak(kind == CcdKind::flat || kind == CcdKind::line ? 40 : 120); ++i) {
        expect_truth(make_ccd_query(kind, edges, random), tally);
        if (HasFatalFailure()) return;
      }
  EXPECT_GT(tally.hits, tally.queries / 20);
  EXPECT_GT(tally.unsure, tally.queries / 20);
}

TEST(ImpactExact, HoldsAtAnyScaleAndFarFromTheOrigin) {
  Random random(campaign_seed(2));
  Tally tally;
  for (const CcdKind kind : {CcdKind::random, CcdKind::close, CcdKind::lattice, CcdKind::nudged, CcdKind::flat})
    for (const bool edges : {false, true})
      for (std::size_t i = 0; i < sudar_test::soak(15); ++i) {
        const CcdQuery q = make_ccd_query(kind, edges, random);
        // A power of two changes no answer
        const PrimitiveImpact x = impact_of(q);
        for (const int e : {-900, -200, -20, -7, 13, 20, 200, 900}) {
          const CcdQuery other = scaled(q, e);
          if (scaled(other, -e).start != q.start || scaled(other, -e).end != q.end) continue;
          const PrimitiveImpact y = impact_of(other);
          ASSERT_EQ(x.hit, y.hit) << e << ' ' << both_lines(q, other);
          ASSERT_NEAR(x.t, y.t, 1e-9) << e << ' ' << both_lines(q, other);
        }
        // A motion of a millionth at coordinates of a million, and other mixes that round: a new question each
        expect_truth(translated(scaled(q, -20), {0x1p20, -0x1p20, 3}), tally);
        expect_truth(translated(scaled(q, -30), {1, 0x1p20, 0x1p-10}), tally);
        expect_truth(translated(q, {1e6, 1e6, 1e6}), tally);
        if (HasFatalFailure()) return;
      }
}

// Some coordinates moved by amounts far below and above the others
TEST(ImpactExact, HoldsForNumbersOfVeryDifferentSize) {
  Random random(campaign_seed(5));
  Tally tally;
  for (const CcdKind kind : {CcdKind::close, CcdKind::lattice, CcdKind::nudged, CcdKind::translating})
    for (const int span : {60, 300})
      for (std::size_t i = 0; i < sudar_test::soak(15); ++i) {
        CcdQuery q = make_ccd_query(kind, random.coin(), random);
        for (auto* set : {&q.start, &q.end})
          for (Vec3d& p : *set)
            if (random.below(3) == 0)
              p[static_cast<int>(random.below(3))] += std::ldexp(
                  random.uniform(-1, 1), static_cast<int>(random.below(static_cast<std::uint64_t>(span))) - span / 2);
        expect_truth(q, tally, false);
        if (HasFatalFailure()) return;
      }
  EXPECT_LE(tally.rough, 1 + tally.hits / 10);
}

// Exponents far apart: roots that a thousand bits tell from each other, or from zero
TEST(ImpactExact, HoldsForExponentsFarApart) {
  Random random(campaign_seed(6));
  Tally tally;
  // Few: halving takes the oracle seconds
  for (std::size_t i = 0; i < sudar_test::soak(6); ++i) {
    expect_truth(make_ccd_query(CcdKind::wide, i % 2 == 0, random), tally, false);
    if (HasFatalFailure()) return;
  }
  EXPECT_LE(tally.rough, 1 + tally.hits / 10);
  // (3 t - 1)² = 10^-600, the vertex on an edge of the face
  const double tiny = 1e-300;
  const CcdQuery close{false,
                       {{{0, 0, 0}, {-1, tiny, 0}, {tiny, -1, 0}, {0, 0, 1}}},
                       {{{0, 0, 0}, {2, tiny, 0}, {tiny, 2, 0}, {0, 0, 1}}},
                       true};
  const ExactImpact x = exact_vertex_face(close.start, close.end);
  EXPECT_TRUE(x.hit);
  EXPECT_NEAR(x.lo, 1.0 / 3, 1e-16);
  EXPECT_TRUE(impact_of(close).hit);
  // The ends of what holds one root and not the other are no doubles; times are neighbours all the same
  for (const double apart : {1e-300, 1e-100, 1e-40, 1e-20, 1e-10}) {
    CcdQuery q = close;
    for (auto* set : {&q.start, &q.end}) (*set)[1].y = (*set)[2].x = apart;
    expect_truth(q, tally, false);
    if (HasFatalFailure()) return;
  }
}

TEST(ImpactExact, PointAgainstEdgeInThePlane) {
  Random random(campaign_seed(3));
  Tally tally, unheard;
  const auto wrong = [&](const sudar_test::PointEdgeCase& other) { return sudar_test::broken_promise(other, unheard); };
  for (const CcdKind kind : {CcdKind::random, CcdKind::lattice, CcdKind::line, CcdKind::nudged})
    for (std::size_t i = 0; i < sudar_test::soak(150); ++i) {
      const CcdQuery q = make_ccd_query(kind, false, random);
      sudar_test::PointEdgeCase c;
      for (std::size_t j = 0; j < 3; ++j) {
        c.start[j] = {q.start[j].x, q.start[j].y};
        c.end[j] = {q.end[j].x, q.end[j].y};
      }
      ASSERT_EQ(sudar_test::broken_promise(c, tally), "") << shrunk_impact(c, wrong);
    }
  EXPECT_GT(tally.hits, sudar_test::soak(150) / 4);
}

// The same question put differently: no number is rounded, so the answer is the same
std::vector<CcdQuery> moved_copies(const CcdQuery& q) {
  std::vector<CcdQuery> out;
  const auto add = [&](auto&& change) {
    CcdQuery other = q;
    change(other);
    out.push_back(other);
  };
  const auto each = [](CcdQuery& x, auto&& move) {
    for (auto* set : {&x.start, &x.end})
      for (Vec3d& p : *set) p = move(p);
  };
  add([&](CcdQuery& x) { each(x, [](const Vec3d& p) { return Vec3d{p.y, p.z, p.x}; }); });
  add([&](CcdQuery& x) { each(x, [](const Vec3d& p) { return Vec3d{-p.y, p.x, p.z}; }); });
  add([&](CcdQuery& x) { each(x, [](const Vec3d& p) { return Vec3d{p.x, p.y, -p.z}; }); });
  add([](CcdQuery& x) { std::swap(x.start, x.end); });  // backwards in time
  add([](CcdQuery& x) {                                 // other names for the corners
    for (auto* set : {&x.start, &x.end}) {
      if (x.edges) std::swap((*set)[0], (*set)[2]), std::swap((*set)[1], (*set)[3]);
      std::swap((*set)[2], (*set)[3]);
    }
  });
  // To the origin, where no difference is rounded
  const Vec3d to = q.start[0];
  bool rounded = false;
  CcdQuery near = q;
  each(near, [&](const Vec3d& p) {
    const Vec3d d = p - to;
    for (int k = 0; k < 3; ++k) rounded |= Rational(p[k]) - Rational(to[k]) != Rational(d[k]);
    return d;
  });
  if (!rounded) out.push_back(near);
  return out;
}

// The public queries, when they lie beside the checkout: each as it is, 2^20 times smaller and larger, and moved
TEST(ImpactExact, PublicQueries) {
  const auto files = sudar_scenes::read_ccd_folder(SUDAR_CCD_QUERIES);
  if (files.empty()) GTEST_SKIP() << "no public queries at " << SUDAR_CCD_QUERIES;
  constexpr std::size_t kMostWritten = 5;
  std::size_t queries = 0, missed = 0, invented = 0;
  Random random(campaign_seed(4));
  Tally tally;
  for (const auto& file : files) {
    ASSERT_FALSE(file.bad) << file.name;
    for (const CcdQuery& q : file.queries) {
      std::vector<CcdQuery> copies = moved_copies(q);
      for (const int e : {0, -20, 20}) copies.push_back(scaled(q, e));
      for (const CcdQuery& copy : copies) {
        const bool hit = impact_of(copy).hit;
        ++queries;
        missed += q.hit && !hit;
        invented += !q.hit && hit;
        if (hit != q.hit && missed + invented <= kMostWritten)
          ADD_FAILURE() << file.name << ": " << both_lines(q, copy);
      }
    }
    // Times, and copies so far away that they are new questions, for a few of each file
    for (std::size_t i = 0; i < sudar_test::soak(4); ++i) {
      const CcdQuery& q = file.queries[random.below(file.queries.size())];
      expect_truth(q, tally);
      expect_truth(translated(q, {0x1p20, 0x1p-3, -1000}), tally);
      if (HasFatalFailure()) return;
    }
  }
  sudar_test::count_cases("public_queries", queries);
  EXPECT_GT(queries, 8 * 4000u);
  EXPECT_EQ(missed, 0u);
  EXPECT_EQ(invented, 0u);
}

// Many: what the door says, and of the moved copies, against the integers alone, which the tests above hold to rational numbers
TEST(ImpactExact, TheDoorAgreesWithTheIntegers) {
  Random random(campaign_seed(7));
  std::size_t hits = 0, queries = 0;
  for (const CcdKind kind : sudar_scenes::kAllCcdKinds)
    for (const bool edges : {false, true})
      for (std::size_t i = 0; i < sudar_test::soak(2000); ++i) {
        const CcdQuery q = make_ccd_query(kind, edges, random);
        const std::string wrong = sudar_test::broken_door({q});
        ASSERT_EQ(wrong, "") << shrunk_impact(ImpactCase{q}, sudar_test::broken_door);
        const bool hit = impact_of(q).hit;
        ++queries;
        hits += hit;
        if (i % 16 != 0) continue;
        for (const CcdQuery& copy : moved_copies(q)) ASSERT_EQ(impact_of(copy).hit, hit) << both_lines(q, copy);
      }
  EXPECT_GT(hits, queries / 20);
  sudar_test::count_cases("impacts", queries);
}

}  // namespace
