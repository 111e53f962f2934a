#include <sudar/broadphase/box_query.hpp>

#include <cmath>

namespace sudar {

template <int D>
Result<void> check_query(const Vec<D, double>& point) {
  if (!is_finite(point)) return Error{ErrorCode::non_finite, Error::kNoElement, "point has a NaN or an infinity"};
  return {};
}

template <int D>
Result<void> check_query(const Aabb<D, double>& box) {
  if (!is_finite(box.lo) || !is_finite(box.hi))
    return Error{ErrorCode::non_finite, Error::kNoElement, "box has a NaN or an infinity"};
  if (!is_valid(box)) return Error{ErrorCode::invalid_argument, Error::kNoElement, "box has lo > hi"};
  return {};
}

template <int D>
Result<void> check_query(const BoxCast<D>& cast) {
  if (const auto box = check_query(cast.box); !box) return box;
  if (!is_finite(cast.direction))
    return Error{ErrorCode::non_finite, Error::kNoElement, "direction has a NaN or an infinity"};
  if (std::isnan(cast.max_t)) return Error{ErrorCode::non_finite, Error::kNoElement, "max_t is NaN"};
  if (cast.max_t < 0) return Error{ErrorCode::invalid_argument, Error::kNoElement, "max_t is negative"};
  return {};
}

template SUDAR_API Result<void> check_query<2>(const Vec<2, double>&);
template SUDAR_API Result<void> check_query<3>(const Vec<3, double>&);
template SUDAR_API Result<void> check_query<2>(const Aabb<2, double>&);
template SUDAR_API Result<void> check_query<3>(const Aabb<3, double>&);
template SUDAR_API Result<void> check_query<2>(const BoxCast<2>&);
template SUDAR_API Result<void> check_query<3>(const BoxCast<3>&);

}  // namespace sudar
