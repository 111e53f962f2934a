// What:    See rational_oracle.hpp.
#include "bench/rational_oracle.hpp"

#ifdef SUDAR_RATIONAL_ORACLE
#include "tests/narrowphase/triangle_oracle.hpp"
#endif

namespace sudar_bench {

using sudar::Vec2d;
using sudar::Vec3d;
using Tri = sudar::Triangle<3, double>;

#ifdef SUDAR_RATIONAL_ORACLE

bool has_rational_oracle() { return true; }
int rational_orientation(std::span<const Vec2d> p) { return sudar_test::exact_orient2d(p[0], p[1], p[2]); }
int rational_orientation(std::span<const Vec3d> p) { return sudar_test::exact_orient3d(p[0], p[1], p[2], p[3]); }
int rational_side_of_ball(std::span<const Vec2d> p) { return sudar_test::exact_incircle(p[0], p[1], p[2], p[3]); }
int rational_side_of_ball(std::span<const Vec3d> p) { return sudar_test::exact_insphere(p[0], p[1], p[2], p[3], p[4]); }
bool rational_triangles_meet(const Tri& a, const Tri& b) { return !sudar_test::common_set(a, b).empty(); }

#else

bool has_rational_oracle() { return false; }
int rational_orientation(std::span<const Vec2d>) { return 0; }
int rational_orientation(std::span<const Vec3d>) { return 0; }
int rational_side_of_ball(std::span<const Vec2d>) { return 0; }
int rational_side_of_ball(std::span<const Vec3d>) { return 0; }
bool rational_triangles_meet(const Tri&, const Tri&) { return false; }

#endif

}  // namespace sudar_bench
