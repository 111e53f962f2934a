// What:    Meshes between two frames: every vertex moves along a straight line from where it is to where it will be. When
//          and where do two meshes meet, or one meet itself?
// Source:  Provot, "Collision and self-collision handling in cloth model dedicated to design garments", 1997: surfaces
//          that were apart meet first where a vertex meets a face or an edge meets an edge.
// Differs: The pairs come from a broad phase over the swept boxes of vertices, edges and faces, and each is decided by
//          primitive_impact.hpp, so that nothing is missed and, without a minimum separation, nothing invented.
//          Surfaces that cut through each other already need not have such a pair: faces that meet at t = 0 are contacts
//          as well (exact, triangle_triangle.hpp).
// Frame:   Any; all vertices in one. This is about surfaces in motion, not about volumes: what is inside of the other and
//          does not touch it is no contact.
// Fails:   different numbers of vertices in the two frames: invalid_argument. Errors of check_mesh for either frame (those
//          of `b` count their elements after those of `a`), and of primitive_impact.hpp for the options.
#pragma once

#include <sudar/broadphase/broadphase.hpp>
#include <sudar/continuous/primitive_impact.hpp>
#include <sudar/core/parallel.hpp>
#include <sudar/geom/mesh.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

// Not owned
struct MovingMesh {
  std::span<const Vec3d> start, end;
  std::span<const MeshTriangle> triangles;
};

// face_face: two triangles that meet at the start, at t = 0
enum class FrameFeature : std::uint8_t { vertex_face, face_vertex, edge_edge, face_face };

// The two features, the one of mesh `a` first. An edge is given by the lower and the upper index of its ends.
struct FrameContact {
  FrameFeature kind = FrameFeature::vertex_face;
  std::array<std::uint32_t, 2> a{}, b{};  // vertex or triangle: the second number is kNoIndex
  double t = 0, t_lower = 0;
};

struct FramesImpact {
  bool hit = false;
  double t = 0, t_lower = 0;           // of the earliest contact; t_lower is never after any
  std::vector<FrameContact> contacts;  // all pairs that meet, by kind, then by index
  std::uint64_t candidates = 0;        // pairs of swept boxes that were looked at
};

// The broad phase may be any; without one, `columns`. The executor, serial without one, serves the primitives, and the search
// for pairs where that is `columns`; a broad phase that is given has its own. The answer does not depend on either.
SUDAR_API Result<FramesImpact> mesh_frames_impact(const MovingMesh& a, const MovingMesh& b,
                                                  const ImpactOptions& options = {},
                                                  Broadphase<3>* broadphase = nullptr,
                                                  Executor* executor = nullptr) noexcept;
// A mesh against itself: features that share a vertex are not compared
SUDAR_API Result<FramesImpact> mesh_frames_self_impact(const MovingMesh& mesh, const ImpactOptions& options = {},
                                                       Broadphase<3>* broadphase = nullptr,
                                                       Executor* executor = nullptr) noexcept;

}  // namespace sudar
