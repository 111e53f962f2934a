#include <sudar/queries/free_space3.hpp>

#include <utility>

namespace sudar {

bool FreeSpace3::is_free(const Vec3d& place) const noexcept {
  if (!is_finite(place)) return false;
  for (const Hull3& obstacle : obstacles)
    if (contains(obstacle, place)) return false;
  return true;
}

Result<FreeSpace3> make_free_space3(std::span<const std::vector<Vec3d>> robot,
                                    std::span<const std::vector<Vec3d>> obstacles) noexcept {
  return guarded([&]() -> Result<FreeSpace3> {
    if (robot.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "the robot has no part"};
    FreeSpace3 out;
    for (std::size_t i = 0; i < obstacles.size(); ++i)
      for (const std::vector<Vec3d>& part : robot) {
        Result<MinkowskiBody> body = minkowski_difference(obstacles[i], part);
        if (!body) return Error{body.error().code, i, body.error().reason};
        out.obstacles.push_back(std::move(body->hull));
      }
    return out;
  });
}

}  // namespace sudar
