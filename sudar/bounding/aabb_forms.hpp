// What:    The two other forms of an axis-aligned box, min–width and centre–radius, with conversions among all three.
// Source:  Ericson, "Real-Time Collision Detection", 2005, 4.2; seeds C1, C2.
// Differs: A form stands for the exact set {lo <= x <= lo + width} or {|x - centre| <= radius}. Conversions and
//          merges round outward, so the new box contains the old ones. Overlap rounds to nearest, which is monotone:
//          boxes that touch or overlap are always reported; a gap below one rounding of the coordinates may be
//          reported too.
// Fails:   NaN overlaps nothing. A width past the largest number becomes infinity, which still contains the box.
#pragma once

#include <sudar/bounding/aabb.hpp>

namespace sudar {

template <int D, class T = Real>
struct AabbMinWidth {
  Vec<D, T> lo{}, width{};

  friend constexpr bool operator==(const AabbMinWidth&, const AabbMinWidth&) = default;
};

template <int D, class T = Real>
struct AabbCenterRadius {
  Vec<D, T> center{}, radius{};  // radius: half the width on each axis

  friend constexpr bool operator==(const AabbCenterRadius&, const AabbCenterRadius&) = default;
};

// Conversions: to_… from each of the two others
template <int D, class T>
constexpr Aabb<D, T> to_min_max(const AabbMinWidth<D, T>& a) {
  Aabb<D, T> out{a.lo, {}};
  for (int i = 0; i < D; ++i) out.hi[i] = add_up(a.lo[i], a.width[i]);
  return out;
}
template <int D, class T>
constexpr Aabb<D, T> to_min_max(const AabbCenterRadius<D, T>& a) {
  Aabb<D, T> out;
  for (int i = 0; i < D; ++i) {
    out.lo[i] = sub_down(a.center[i], a.radius[i]);
    out.hi[i] = add_up(a.center[i], a.radius[i]);
  }
  return out;
}
template <int D, class T>
constexpr AabbMinWidth<D, T> to_min_width(const Aabb<D, T>& a) {
  AabbMinWidth<D, T> out{a.lo, {}};
  for (int i = 0; i < D; ++i) out.width[i] = sub_up(a.hi[i], a.lo[i]);
  return out;
}
template <int D, class T>
constexpr AabbMinWidth<D, T> to_min_width(const AabbCenterRadius<D, T>& a) {
  return to_min_width(to_min_max(a));
}
template <int D, class T>
constexpr AabbCenterRadius<D, T> to_center_radius(const Aabb<D, T>& a) {
  AabbCenterRadius<D, T> out{center(a), {}};
  for (int i = 0; i < D; ++i) {
    const T above = sub_up(a.hi[i], out.center[i]), below = sub_up(out.center[i], a.lo[i]);
    out.radius[i] = above > below ? above : below;
  }
  return out;
}
template <int D, class T>
constexpr AabbCenterRadius<D, T> to_center_radius(const AabbMinWidth<D, T>& a) {
  return to_center_radius(to_min_max(a));
}

// Overlap: a difference of positions against a sum of sizes
template <int D, class T>
constexpr bool overlap(const AabbMinWidth<D, T>& a, const AabbMinWidth<D, T>& b) {
  for (int i = 0; i < D; ++i) {
    const T b_after_a = b.lo[i] - a.lo[i];
    if (!(b_after_a <= a.width[i] && -b_after_a <= b.width[i])) return false;
  }
  return true;
}
template <int D, class T>
constexpr bool overlap(const AabbCenterRadius<D, T>& a, const AabbCenterRadius<D, T>& b) {
  for (int i = 0; i < D; ++i) {
    const T apart = a.center[i] - b.center[i];
    if (!((apart < 0 ? -apart : apart) <= a.radius[i] + b.radius[i])) return false;
  }
  return true;
}
template <int D, class T>
constexpr bool contains(const AabbMinWidth<D, T>& a, const Vec<D, T>& p) {
  for (int i = 0; i < D; ++i)
    if (!(a.lo[i] <= p[i] && p[i] - a.lo[i] <= a.width[i])) return false;
  return true;
}
template <int D, class T>
constexpr bool contains(const AabbCenterRadius<D, T>& a, const Vec<D, T>& p) {
  for (int i = 0; i < D; ++i) {
    const T apart = p[i] - a.center[i];
    if (!((apart < 0 ? -apart : apart) <= a.radius[i])) return false;
  }
  return true;
}

// Smallest box around both, up to one rounding outward
template <int D, class T>
constexpr AabbMinWidth<D, T> merge(const AabbMinWidth<D, T>& a, const AabbMinWidth<D, T>& b) {
  AabbMinWidth<D, T> out{min(a.lo, b.lo), {}};
  for (int i = 0; i < D; ++i) {
    const T to_a = add_up(sub_up(a.lo[i], out.lo[i]), a.width[i]);
    const T to_b = add_up(sub_up(b.lo[i], out.lo[i]), b.width[i]);
    out.width[i] = to_a < to_b ? to_b : to_a;
  }
  return out;
}
template <int D, class T>
constexpr AabbCenterRadius<D, T> merge(const AabbCenterRadius<D, T>& a, const AabbCenterRadius<D, T>& b) {
  const auto reach = [](T from, T to, T radius) {
    return add_up(to < from ? sub_up(from, to) : sub_up(to, from), radius);
  };
  AabbCenterRadius<D, T> out = to_center_radius(merge(to_min_max(a), to_min_max(b)));
  for (int i = 0; i < D; ++i) {
    // Keep an interval that contains the other as it is, so that merging again changes nothing
    if (reach(a.center[i], b.center[i], b.radius[i]) <= a.radius[i]) {
      out.center[i] = a.center[i], out.radius[i] = a.radius[i];
    } else if (reach(b.center[i], a.center[i], a.radius[i]) <= b.radius[i]) {
      out.center[i] = b.center[i], out.radius[i] = b.radius[i];
    } else {
      const T to_a = reach(out.center[i], a.center[i], a.radius[i]),
              to_b = reach(out.center[i], b.center[i], b.radius[i]);
      out.radius[i] = to_a < to_b ? to_b : to_a;
    }
  }
  return out;
}

}  // namespace sudar
