// What:    The vertices of a convex body once more, coordinate by coordinate, in double and in float, padded and aligned
//          as support_scan.hpp wants them.
#pragma once

#include <sudar/math/vec.hpp>
#include <sudar/shapes/support_scan.hpp>

#include <span>
#include <vector>

namespace sudar {

template <int D>
class VertexColumns {
 public:
  // Throws bad_alloc like a vector. At least one vertex.
  void assign(std::span<const Vec<D, double>> vertices) {
    const std::size_t count = vertices.size();
    padded_ = static_cast<std::uint32_t>((count + kVertexPadding - 1) / kVertexPadding * kVertexPadding);
    // Two lines of doubles and one of floats for every sixteen vertices and axis
    lines_.resize(std::size_t{padded_} / kVertexPadding * 3 * D);
    doubles_ = lines_.front().doubles;
    floats_ = reinterpret_cast<float*>(lines_[lines_.size() / 3 * 2].doubles);
    for (int axis = 0; axis < D; ++axis)
      for (std::size_t i = 0; i < padded_; ++i) {
        const double value = vertices[i < count ? i : count - 1][axis];
        doubles_[std::size_t(axis) * padded_ + i] = value;
        floats_[std::size_t(axis) * padded_ + i] = static_cast<float>(value);
      }
  }
  std::uint32_t padded() const { return padded_; }
  const double* column(int axis) const { return doubles_ + std::size_t(axis) * padded_; }
  const float* column_f(int axis) const { return floats_ + std::size_t(axis) * padded_; }

 private:
  struct alignas(64) Line {
    double doubles[8];
  };
  std::vector<Line> lines_;
  double* doubles_ = nullptr;
  float* floats_ = nullptr;
  std::uint32_t padded_ = 0;
};

}  // namespace sudar
