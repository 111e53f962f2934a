// What:    Levels of detail: one body as a sphere, an oriented box, its hull, spheres over its surface, simplified meshes and
//          the mesh itself. A query may stop at any level and says between which bounds the full answer lies.
// Source:  seed B4; Hubbard, "Approximating Polyhedra with Spheres for Time-Critical Collision Detection", 1996 (stopping
//          at a level of spheres); the simplified meshes: geom/mesh_simplify.hpp.
// Differs: Every level L of a body K knows two lengths, both proven: K is in L grown by `missing`, and L is in K grown by
//          `excess` (level_error.hpp). So the distance of the bodies is no less than that of the levels minus what both
//          miss, and no more than it plus what both have in excess. Spheres over the surface and simplified meshes stand
//          for the surface of a solid: what lies wholly inside is found by one point of it, in the full mesh.
// Frame:   A's. Lengths in metres.
// Fails:   make: what make_mesh_shape3 says. A mesh that is not closed has no simplified levels. Queries throw bad_alloc
//          as distance() does.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/geom/mesh.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/shapes/shape3.hpp>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace sudar {

enum class DetailKind : std::uint8_t { spheres, oriented_box, hull, simplified, full };
SUDAR_API std::string_view to_string(DetailKind kind) noexcept;

struct DetailLevel {
  DetailKind kind;
  Shape3 shape;                                 // spheres: a compound, or one sphere as a compound of one
  double missing = 0, excess = 0;               // K ⊆ L ⊕ missing, L ⊆ K ⊕ excess
  bool surface = false;                         // of the body's surface instead of the body
  std::size_t parts = 1;                        // spheres, faces of the hull, triangles
  std::vector<double> x{}, y{}, z{}, radius{};  // of the spheres
};

// What a level says about two bodies: apart and meet are proven
enum class LevelVerdict : std::uint8_t { apart, meet, unsure };
struct LevelAnswer {
  LevelVerdict verdict = LevelVerdict::unsure;
  double lower = 0, upper = 0;  // of the distance of the bodies, which is 0 when they meet
  std::size_t level_a = 0, level_b = 0;
};

class SUDAR_API DetailLevels {
 public:
  // Coarse to fine; the last level is the mesh
  static Result<std::shared_ptr<const DetailLevels>> make(std::span<const Vec3d> vertices,
                                                          std::span<const MeshTriangle> triangles, bool solid) noexcept;

  std::span<const DetailLevel> levels() const { return levels_; }
  const MeshShape3& body() const { return levels_.back().shape.as<MeshShape3>(); }

  DetailLevels(const DetailLevels&) = delete;
  DetailLevels& operator=(const DetailLevels&) = delete;

 private:
  DetailLevels() = default;
  std::vector<DetailLevel> levels_;
};

// One level of each
SUDAR_API LevelAnswer level_distance(const DetailLevels& a, std::size_t level_a, const DetailLevels& b,
                                     std::size_t level_b, const Placement3& a_from_b);
// From coarse to fine until the bounds are no farther apart than `tolerance`; with 0, to the end
SUDAR_API LevelAnswer distance_within(const DetailLevels& a, const DetailLevels& b, const Placement3& a_from_b,
                                      double tolerance);
// From coarse to fine until it is known whether they meet, or until both are at the last level that is allowed
SUDAR_API LevelAnswer decide_by_level(const DetailLevels& a, const DetailLevels& b, const Placement3& a_from_b,
                                      std::size_t last_level = static_cast<std::size_t>(-1));

}  // namespace sudar
