// What:    How often a surface winds around every sample of a grid, from where it crosses the columns of samples along the
//          last axis.
// Source:  the ray along +z with symbolic perturbation of geom/point_in_mesh.hpp (Edelsbrunner and Mücke, "Simulation of
//          Simplicity", 1990); a scan conversion does for all samples of a column what a ray does for one.
// Differs: Samples are thought to be moved by (ε³, ε², ε), so no column meets a vertex or an edge and no sample lies on the
//          surface. Which samples a triangle is above is decided by exact predicates: every sign is right, also of samples
//          as near to the surface as doubles go. Memory grows with the columns and the crossings, not with the samples.
// Frame:   The grid's, with samples up to the end of its last brick.
// Fails:   build: too_large (more than kMaxColumns or kMaxCrossings); it throws bad_alloc, and those who build fields are
//          guarded. The surface must be closed for the numbers to mean something; surface_caps.hpp closes those that are not.
#pragma once

#include <sudar/core/parallel.hpp>
#include <sudar/geom/segment.hpp>
#include <sudar/geom/triangle.hpp>
#include <sudar/sdf/field_grid.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

// Two gigabytes of columns, and as much memory for crossings as the bricks of a field may take. Only grids in space that are
// flat along the last axis have more columns; where crossings are not within a cell of each other, those who have more of
// them have more than kMaxStoredBricks bricks around them, too.
inline constexpr std::size_t kMaxColumns = std::size_t{1} << 28, kMaxCrossings = std::size_t{1} << 29;

template <int D>
class SUDAR_API ColumnWinding {
 public:
  // An element of the surface: an edge with the inside on its left, a triangle that is counterclockwise from outside
  using Element = std::conditional_t<D == 2, Segment<2, double>, Triangle<3, double>>;
  static Result<ColumnWinding> build(const FieldGrid<D>& grid, std::span<const Element> elements, Executor& executor,
                                     std::size_t most_crossings = kMaxCrossings);

  // Of the samples of a brick, in its order
  void read(const GridIndex<D>& brick, std::int32_t (&winding)[kBrickSamples<D>]) const;
  // Of its first sample
  std::int32_t read_first(const GridIndex<D>& brick) const;
  // Somewhere along the columns the surface has an inside on both of its sides: parts that overlap, or a gap between parts
  // that is narrower than a cell. What lies between the columns is not seen.
  bool has_buried_parts() const;

 private:
  // The first `below` samples of the column are below an element
  struct Crossing {
    std::uint32_t below;
    std::int32_t change;
  };
  std::size_t column_of(const GridIndex<D>& sample) const {
    return D == 2 ? sample[0] : sample[0] + sample[1] * width_;
  }

  std::size_t width_ = 0;           // columns along the first axis
  std::vector<std::size_t> first_;  // crossings of column c: from first_[c] to first_[c + 1]
  std::vector<Crossing> crossings_;
};

extern template class SUDAR_API ColumnWinding<2>;
extern template class SUDAR_API ColumnWinding<3>;

}  // namespace sudar
