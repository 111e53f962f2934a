// What:    Fields from fields: union, intersection and difference of bodies, and bodies grown or shrunk by a distance.
// Source:  Ricci, "A Constructive Geometry for Computer Graphics", 1973 (least and greatest of values); dilation and
//          erosion by a ball are shifts of the distance; seed B10.
// Differs: What the values are afterwards is said, not assumed. The least of two distances is the distance to the union
//          outside of it, and inside a bound on the depth: never too deep. For what is common to both it is the other way
//          round. So one side stays exact (facts()), and on the other signs are right and |value| is at most the distance.
//          A body grows by its distances outside and shrinks by those inside; where these are bounds only, its zero would
//          come to the wrong place, so that is refused (FieldCsg.OffsetsNeedDistances).
//          Grown by r, a field keeps the band less |r|.
// Frame:   The fields', which must have the same grid.
// Fails:   invalid_argument for different grids, an offset that leaves less than the diagonal of a cell of the band;
//          unsupported for an offset towards a side whose values are bounds; an offset that is non_finite, or too_large
//          (beyond kMaxShapeSize, which a field with an infinite band has room for); out_of_memory.
#pragma once

#include <sudar/sdf/distance_field.hpp>

namespace sudar {

template <int D>
SUDAR_API Result<DistanceField<D>> field_union(const DistanceField<D>& a, const DistanceField<D>& b) noexcept;
template <int D>
SUDAR_API Result<DistanceField<D>> field_intersection(const DistanceField<D>& a, const DistanceField<D>& b) noexcept;
// What is in a and not in b
template <int D>
SUDAR_API Result<DistanceField<D>> field_difference(const DistanceField<D>& a, const DistanceField<D>& b) noexcept;
// Grown by a positive distance, shrunk by a negative one
template <int D>
SUDAR_API Result<DistanceField<D>> field_offset(const DistanceField<D>& field, double distance) noexcept;

extern template SUDAR_API Result<DistanceField<2>> field_union(const DistanceField<2>&,
                                                               const DistanceField<2>&) noexcept;
extern template SUDAR_API Result<DistanceField<3>> field_union(const DistanceField<3>&,
                                                               const DistanceField<3>&) noexcept;
extern template SUDAR_API Result<DistanceField<2>> field_intersection(const DistanceField<2>&,
                                                                      const DistanceField<2>&) noexcept;
extern template SUDAR_API Result<DistanceField<3>> field_intersection(const DistanceField<3>&,
                                                                      const DistanceField<3>&) noexcept;
extern template SUDAR_API Result<DistanceField<2>> field_difference(const DistanceField<2>&,
                                                                    const DistanceField<2>&) noexcept;
extern template SUDAR_API Result<DistanceField<3>> field_difference(const DistanceField<3>&,
                                                                    const DistanceField<3>&) noexcept;
extern template SUDAR_API Result<DistanceField<2>> field_offset(const DistanceField<2>&, double) noexcept;
extern template SUDAR_API Result<DistanceField<3>> field_offset(const DistanceField<3>&, double) noexcept;

}  // namespace sudar
