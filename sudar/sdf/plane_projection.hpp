// What:    The nearest point to a goal in what some half-spaces have in common.
// Source:  the dual active-set method (Goldfarb and Idnani, "A numerically stable dual method for solving strictly convex
//          quadratic programs", 1983), for three unknowns: at most three planes hold the answer.
// Differs: With three unknowns there are few sets of planes among four, so all are looked at instead of a factorisation
//          kept up to date.
// Frame:   Any.
// Fails:   found is false when rounding leaves no set of planes that will do (planes that are nearly parallel and opposed).
#pragma once

#include <sudar/math/vec.hpp>
#include <sudar/sdf/field_tolerance.hpp>

#include <array>
#include <cstdint>
#include <span>

namespace sudar {

// normal · x >= offset, unit normal
struct FreeHalfSpace {
  Vec3d normal;
  double offset;
};

struct PlaneProjection {
  Vec3d point{};
  std::array<std::uint32_t, 3> planes{};  // those that hold the point
  int count = 0;
  int rounds = 0;  // that it took
  bool found = true;
};

namespace detail {

// goal + Σ weight · normal on all of the chosen planes, with no weight below zero
inline bool project_on(const Vec3d& goal, std::span<const FreeHalfSpace> all, std::span<const std::uint32_t> chosen,
                       Vec3d& out) {
  const auto plane = [&](std::size_t i) -> const FreeHalfSpace& { return all[chosen[i]]; };
  double miss[3], weight[3];
  for (std::size_t i = 0; i < chosen.size(); ++i) miss[i] = plane(i).offset - dot(plane(i).normal, goal);
  if (chosen.size() == 1) {
    weight[0] = miss[0];
  } else if (chosen.size() == 2) {
    const double c = dot(plane(0).normal, plane(1).normal), d = 1 - c * c;
    if (!(d > kPlanesParallel)) return false;
    weight[0] = (miss[0] - c * miss[1]) / d;
    weight[1] = (miss[1] - c * miss[0]) / d;
  } else {
    const Vec3d &a = plane(0).normal, &b = plane(1).normal, &c = plane(2).normal;
    const Vec3d bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
    const double volume = dot(a, bc);
    if (!(volume * volume > kPlanesParallel)) return false;
    // The corner, and its direction from the goal in terms of the normals
    const Vec3d way = (bc * miss[0] + ca * miss[1] + ab * miss[2]) / volume;
    weight[0] = dot(way, bc) / volume;
    weight[1] = dot(way, ca) / volume;
    weight[2] = dot(way, ab) / volume;
  }
  out = goal;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!(weight[i] >= 0)) return false;
    out += plane(i).normal * weight[i];
  }
  return true;
}

}  // namespace detail

// `slack` is by how much a plane may be missed
inline PlaneProjection project(const Vec3d& goal, std::span<const FreeHalfSpace> planes, double slack) {
  constexpr int kRounds = 64;
  PlaneProjection best;
  best.point = goal;
  for (int round = 0; round < kRounds; ++round) {
    // The plane that is missed most
    double worst = -slack;
    std::uint32_t next = 0;
    bool missed = false;
    for (std::uint32_t i = 0; i < planes.size(); ++i)
      if (const double d = dot(planes[i].normal, best.point) - planes[i].offset; d < worst)
        worst = d, next = i, missed = true;
    best.rounds = round + 1;
    if (!missed) return best;
    // It holds the new point, alone or with some of those before
    std::uint32_t pool[4] = {next};
    int size = 1;
    for (int i = 0; i < best.count; ++i) pool[size++] = best.planes[static_cast<std::size_t>(i)];
    PlaneProjection choice;
    choice.found = false;
    double shortest = std::numeric_limits<double>::infinity();
    for (unsigned set = 1; set < 1u << size; set += 2) {
      std::uint32_t chosen[4];
      std::size_t count = 0;
      for (int i = 0; i < size; ++i)
        if ((set >> i & 1) != 0) chosen[count++] = pool[i];
      Vec3d point;
      if (count > 3 || !detail::project_on(goal, planes, {chosen, count}, point)) continue;
      bool all = true;
      for (int i = 0; i < size; ++i) all = all && dot(planes[pool[i]].normal, point) - planes[pool[i]].offset >= -slack;
      const double way = length_squared(point - goal);
      if (!all || !(way < shortest)) continue;
      shortest = way;
      choice.found = true;
      choice.point = point;
      choice.count = static_cast<int>(count);
      for (std::size_t i = 0; i < count; ++i) choice.planes[i] = chosen[i];
    }
    if (!choice.found) {
      best.found = false;
      return best;
    }
    best = choice;
  }
  best.found = false;
  return best;
}

}  // namespace sudar
