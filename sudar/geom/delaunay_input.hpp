// What:    What the triangulations of both dimensions share: checks at the door, the points in their order of
//          insertion, duplicates, collinear input, and when a static error bound may be trusted. Internal.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/geom/spatial_order.hpp>
#include <sudar/math/tolerance.hpp>
#include <sudar/math/vec.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace sudar {

inline constexpr std::uint32_t kNoVertex = 0xffffffffu;

template <int D>
Result<void> check_points(std::span<const Vec<D, double>> points, std::size_t limit) {
  if (points.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "no points"};
  if (points.size() > limit) return Error{ErrorCode::too_large, Error::kNoElement, "more points than indices allow"};
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!is_finite(points[i])) return Error{ErrorCode::non_finite, i, "a coordinate is NaN or infinite"};
  return {};
}

// For collinear points
template <int D>
bool strictly_between(const Vec<D, double>& a, const Vec<D, double>& b, const Vec<D, double>& p) {
  return lexicographically_less(a, b) ? lexicographically_less(a, p) && lexicographically_less(p, b)
                                      : lexicographically_less(b, p) && lexicographically_less(p, a);
}

// Largest difference of two points along each axis, rounded like any difference of two of them
template <int D>
Vec<D, double> extent(std::span<const Vec<D, double>> points) {
  Vec<D, double> lo = points[0], hi = points[0];
  for (const auto& p : points) {
    lo = min(lo, p);
    hi = max(hi, p);
  }
  return hi - lo;
}
// In this range no product of the determinants over- or underflows in a way that the bounds do not cover
template <class V>
bool static_filter_holds(const V& extent) {
  for (int i = 0; i < V::kDim; ++i)
    if (!(extent[i] >= 0x1p-100 && extent[i] <= 0x1p100)) return false;
  return true;
}

// All points in the order of insertion. names[k] is the index in the input of the k-th.
template <int D>
struct InsertionOrder {
  std::vector<std::uint32_t> names;
  std::vector<Vec<D, double>> points;

  explicit InsertionOrder(std::span<const Vec<D, double>> input) : names(spatial_order<D>(input)) {
    points.reserve(names.size());
    for (const std::uint32_t name : names) points.push_back(input[name]);
    first_name_ = names;
  }

  // Move the first point from position k on that fits to position k; kNoVertex when there is none
  template <class F>
  std::uint32_t bring_forward(std::uint32_t k, F&& fits) {
    for (std::uint32_t i = k; i < points.size(); ++i) {
      if (!fits(points[i])) continue;
      std::swap(points[k], points[i]);
      std::swap(names[k], names[i]);
      std::swap(first_name_[k], first_name_[i]);
      return k;
    }
    return kNoVertex;
  }

  // Vertex p lies where `vertex` lies
  void merge(std::uint32_t p, std::uint32_t vertex) {
    duplicates_.push_back({p, vertex});
    first_name_[vertex] = std::min(first_name_[vertex], names[p]);
  }
  // For each vertex, the lowest index of the points at its place
  std::span<const std::uint32_t> first_names() const { return first_name_; }
  std::vector<std::uint32_t> first_of() const {
    std::vector<std::uint32_t> first(names.size());
    std::iota(first.begin(), first.end(), 0u);
    for (const Duplicate& d : duplicates_) {
      first[names[d.vertex]] = first_name_[d.vertex];
      first[names[d.point]] = first_name_[d.vertex];
    }
    return first;
  }

 private:
  struct Duplicate {
    std::uint32_t point, vertex;
  };
  std::vector<std::uint32_t> first_name_;
  std::vector<Duplicate> duplicates_;
};

// The first of equal points, in lexicographic order, which is the order along their line
template <int D>
std::vector<std::uint32_t> sorted_along_line(std::span<const Vec<D, double>> points,
                                             std::vector<std::uint32_t>& first_of) {
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return points[a] == points[b] ? a < b : lexicographically_less(points[a], points[b]);
  });
  first_of.resize(points.size());
  std::vector<std::uint32_t> chain;
  for (const std::uint32_t i : order) {
    if (chain.empty() || !(points[chain.back()] == points[i])) chain.push_back(i);
    first_of[i] = chain.back();
  }
  return chain;
}

}  // namespace sudar
