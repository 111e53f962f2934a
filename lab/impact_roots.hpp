// What:    What is told of a root at which points that move come into one line or plane, where the exact answer of the library is
//          known: apart before the first contact, contact at it, and nothing of what comes later.
// Differs: The lab decides nothing. Its roots and distances are rounded, and what they seem to say of a contact may be wrong: a
//          distance that looks small beside large coordinates is still one.
#pragma once

#include <sudar/continuous/primitive_impact.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace sudar::lab {

enum class RootIs { apart, contact, later };

inline const char* word_of(RootIs x) {
  return x == RootIs::apart ? "apart" : x == RootIs::contact ? "first contact" : "after the contact";
}

// Seconds: a root so near the time of the answer is that time, rounded elsewhere; one of three that fall together is off by the
// third root of a rounding
inline constexpr double kSameTime = 1e-5;

// One of these roots: the nearest to the time of the answer is the contact, if any is
inline RootIs told_root(double root, std::span<const double> roots, const PrimitiveImpact& answer) {
  if (!answer.hit) return RootIs::apart;
  const double off = std::fabs(root - answer.t);
  const bool is_nearest =
      std::none_of(roots.begin(), roots.end(), [&](double other) { return std::fabs(other - answer.t) < off; });
  if (is_nearest && off <= kSameTime) return RootIs::contact;
  return root < answer.t ? RootIs::apart : RootIs::later;
}
// There is a contact, and no rounded root where it is
inline bool is_lost(std::span<const double> roots, const PrimitiveImpact& answer) {
  return answer.hit &&
         std::none_of(roots.begin(), roots.end(), [&](double root) { return std::fabs(root - answer.t) <= kSameTime; });
}

// Metres: products of coordinates in this unit stay within the doubles. One metre where those in metres do; else a power of two.
inline double unit_for(double most) {
  constexpr double kFew = 0x1p-200, kMany = 0x1p200;
  if (!(most > 0) || (most >= kFew && most <= kMany)) return 1;
  return std::ldexp(1.0, std::clamp(std::ilogb(most), -1000, 1000));
}

}  // namespace sudar::lab
