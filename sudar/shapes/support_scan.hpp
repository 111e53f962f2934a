// What:    The farthest of a list of vertices in a direction, by looking at all of them: SIMD, and its scalar twin.
// Differs: For the sizes a narrow phase meets this beats searches that look at few vertices (bench table a4_extremes).
//          Products and sums are rounded one by one in the order of dot(), so every instruction set gives the same
//          vertex: the one of lowest index among those with the largest rounded product.
// Frame:   Columns of coordinates, `padded` of each, a positive multiple of kVertexPadding, all but the first few
//          repeats of the last vertex.
// Fails:   never; a direction with a NaN gives some vertex.
#pragma once

#include <sudar/math/vec.hpp>

#include <cstdint>

namespace sudar {

inline constexpr std::uint32_t kVertexPadding = 16;

SUDAR_API std::uint32_t farthest_vertex(const double* xs, const double* ys, std::uint32_t padded,
                                        const Vec2d& d) noexcept;
SUDAR_API std::uint32_t farthest_vertex(const double* xs, const double* ys, const double* zs, std::uint32_t padded,
                                        const Vec3d& d) noexcept;
SUDAR_API std::uint32_t farthest_vertex(const float* xs, const float* ys, std::uint32_t padded,
                                        const BasicVec2<float>& d) noexcept;
SUDAR_API std::uint32_t farthest_vertex(const float* xs, const float* ys, const float* zs, std::uint32_t padded,
                                        const BasicVec3<float>& d) noexcept;

SUDAR_API std::uint32_t farthest_vertex_plain(const double* xs, const double* ys, std::uint32_t padded,
                                              const Vec2d& d) noexcept;
SUDAR_API std::uint32_t farthest_vertex_plain(const double* xs, const double* ys, const double* zs,
                                              std::uint32_t padded, const Vec3d& d) noexcept;
SUDAR_API std::uint32_t farthest_vertex_plain(const float* xs, const float* ys, std::uint32_t padded,
                                              const BasicVec2<float>& d) noexcept;
SUDAR_API std::uint32_t farthest_vertex_plain(const float* xs, const float* ys, const float* zs, std::uint32_t padded,
                                              const BasicVec3<float>& d) noexcept;

}  // namespace sudar
