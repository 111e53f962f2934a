// What:    What must hold of every answer about a vertex and a face, or two edges, that move linearly: the door, the filter and
//          the integers against rational arithmetic. And such a query as a line of `sudar query`, shrunk and written.
// Differs: Where numbers of very different size meet (`loose`), the filter's time may be known to no more than what it proves.
#pragma once

#include "lab/query_line.hpp"
#include "tests/continuous/impact_oracle.hpp"
#include "tests/support/shrink.hpp"
#include "tests/support/written_case.hpp"
#include <sudar/continuous/exact_impact.hpp>
#include <sudar/continuous/impact_filter.hpp>
#include <sudar/continuous/primitive_impact.hpp>

#include <scenes/ccd_queries.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace sudar_test {

struct ImpactCase {
  sudar_scenes::CcdQuery query;
  bool loose = false;

  std::vector<double*> numbers() {
    std::vector<double*> all;
    for (auto* set : {&query.start, &query.end})
      for (sudar::Vec3d& p : *set)
        for (int k = 0; k < 3; ++k) all.push_back(&p[k]);
    return all;
  }
};

// A point and an edge in the plane
struct PointEdgeCase {
  std::array<sudar::Vec2d, 3> start{}, end{};

  std::vector<double*> numbers() {
    std::vector<double*> all;
    for (auto* set : {&start, &end})
      for (sudar::Vec2d& p : *set)
        for (int k = 0; k < 2; ++k) all.push_back(&p[k]);
    return all;
  }
};

struct ImpactTally {
  std::size_t queries = 0, hits = 0, unsure = 0, rough = 0;
};

// Empty when all promises hold. What is said has no numbers: shrinking goes on as long as the same is said.
inline std::string broken_promise(const ImpactCase& c, ImpactTally& tally) {
  using namespace sudar;
  const auto& q = c.query;
  const OracleImpact truth = oracle_impact(q.edges, q.start, q.end);
  const FilteredImpact quick = q.edges ? filter_edge_edge(q.start, q.end) : filter_vertex_face(q.start, q.end);
  const ExactImpact sure = q.edges ? exact_edge_edge(q.start, q.end) : exact_vertex_face(q.start, q.end);
  const auto door = q.edges ? edge_edge_impact(q.start, q.end) : vertex_face_impact(q.start, q.end);
  if (!door) return "the door refuses it";
  const PrimitiveImpact& x = *door;
  ++tally.queries;
  tally.hits += truth.hit;
  tally.unsure += quick.verdict == FilterVerdict::unsure;

  if (sure.hit != truth.hit) return "the integers are wrong";
  if (x.hit != truth.hit) return "the door is wrong";
  if (quick.verdict != FilterVerdict::unsure && (quick.verdict == FilterVerdict::hit) != truth.hit)
    return "the filter is wrong";
  if (!truth.hit) return "";
  Algebraic time = truth.time;
  if (!time.not_before(Rational(sure.lo))) return "the time of the integers is late";
  if (!time.not_before(Rational(x.t_lower))) return "the lower bound of the door is late";
  if (quick.verdict == FilterVerdict::hit && !time.not_before(Rational(quick.lower)))
    return "the lower bound of the filter is late";
  if (time.not_before(Rational(std::nextafter(sure.hi, 2)))) return "the time of the integers is early";
  if (sure.hi > std::nextafter(sure.lo, 2)) return "the integers do not give neighbouring doubles";
  for (int i = 0; i < 60; ++i) time.refine();
  const double t = time.lo.convert_to<double>();
  const double near = 1e-6, reach = c.loose ? std::clamp(64 * (x.t - x.t_lower), near, 1e-2) : near;
  tally.rough += std::fabs(x.t - t) > near || std::fabs(x.t_lower - t) > near;
  if (!(std::fabs(x.t - t) <= reach)) return "the time of the door is off";
  if (!(std::fabs(x.t_lower - t) <= reach)) return "the lower bound of the door is off";
  return "";
}

// The same of a point and an edge, which are a vertex and a face of no area in space
inline std::string broken_promise(const PointEdgeCase& c, ImpactTally& tally) {
  using namespace sudar;
  sudar_scenes::MovingPoints start, end;
  for (std::size_t j = 0; j < 4; ++j) {
    const std::size_t i = std::min<std::size_t>(j, 2);
    start[j] = {c.start[i].x, c.start[i].y, 0}, end[j] = {c.end[i].x, c.end[i].y, 0};
  }
  OracleImpact truth = oracle_impact(false, start, end);
  const auto x = point_edge_impact(c.start, c.end);
  if (!x) return "the door refuses it";
  ++tally.queries;
  tally.hits += truth.hit;
  if (x->hit != truth.hit) return "the door is wrong";
  if (exact_point_edge(c.start, c.end).hit != truth.hit) return "the integers are wrong";
  if (!truth.hit) return "";
  if (!truth.time.not_before(Rational(x->t_lower))) return "the lower bound of the door is late";
  for (int i = 0; i < 60; ++i) truth.time.refine();
  return std::fabs(x->t - truth.time.lo.convert_to<double>()) <= 1e-6 ? "" : "the time of the door is off";
}

// The door against the integers alone, which the promises above hold to rational numbers: for many
inline std::string broken_door(const ImpactCase& c) {
  using namespace sudar;
  const auto& q = c.query;
  const ExactImpact sure = q.edges ? exact_edge_edge(q.start, q.end) : exact_vertex_face(q.start, q.end);
  const auto x = q.edges ? edge_edge_impact(q.start, q.end) : vertex_face_impact(q.start, q.end);
  if (!x) return "the door refuses it";
  if (x->hit != sure.hit) return "the door and the integers are not of one mind";
  return x->hit && x->t_lower > sure.lo ? "the lower bound of the door is after the time of the integers" : "";
}

inline std::string case_line(const ImpactCase& c) {
  using sudar::lab::json_text;
  return sudar::lab::query_line(c.query.edges ? "ccd_edge_edge" : "ccd_vertex_face", 3,
                                "\"t0\":" + json_text(std::span<const sudar::Vec3d>(c.query.start)) +
                                    ",\"t1\":" + json_text(std::span<const sudar::Vec3d>(c.query.end)) +
                                    (c.loose ? ",\"loose\":true" : ""));
}

inline std::string case_line(const PointEdgeCase& c) {
  using sudar::lab::json_text;
  return sudar::lab::query_line("ccd_point_edge", 2,
                                "\"t0\":" + json_text(std::span<const sudar::Vec2d>(c.start)) +
                                    ",\"t1\":" + json_text(std::span<const sudar::Vec2d>(c.end)));
}

// What to say of a query of which wrong(case) says something
template <class Case, class Wrong>
std::string shrunk_impact(Case c, const Wrong& wrong) {
  const std::string first = wrong(c);
  simplify_numbers(
      c, [](Case& made) { return made.numbers(); }, [&](const Case& other) { return wrong(other) == first; });
  return first + ": " + write_case_text(case_line(c));
}

}  // namespace sudar_test
