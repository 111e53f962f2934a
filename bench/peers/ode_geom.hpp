// What:    ODE's geoms, owned and put in their places.
#pragma once

#include <sudar/geom/hull3.hpp>
#include <sudar/math/pose.hpp>

#include <ode/ode.h>

#include <vector>

namespace sudar_bench {

inline dReal ode_real(double x) { return static_cast<dReal>(x); }

inline void start_ode() {
  struct Library {
    Library() { dInitODE2(0); }
  };
  static const Library library;
}

inline void place(dGeomID geom, const sudar::Pose3d& pose) {
  const sudar::Quatd& q = pose.rotation;
  const dQuaternion turn = {ode_real(q.w), ode_real(q.x), ode_real(q.y), ode_real(q.z)};
  dGeomSetPosition(geom, ode_real(pose.position.x), ode_real(pose.position.y), ode_real(pose.position.z));
  dGeomSetQuaternion(geom, turn);
}

struct OdeGeom {
  dGeomID id;
  explicit OdeGeom(dGeomID made) : id(made) {}
  ~OdeGeom() { dGeomDestroy(id); }
  OdeGeom(const OdeGeom&) = delete;
  OdeGeom& operator=(const OdeGeom&) = delete;
};

// What a convex geom keeps pointers to
struct OdeHull {
  std::vector<dReal> planes, points;
  std::vector<unsigned> polygons;
  unsigned faces = 0;

  explicit OdeHull(const sudar::Hull3& hull) {
    for (const sudar::Vec3d& p : hull.vertices)
      points.insert(points.end(), {ode_real(p.x), ode_real(p.y), ode_real(p.z)});
    faces = hull.face_count();
    for (std::uint32_t f = 0; f < faces; ++f) {
      const sudar::Vec3d& n = hull.planes[f].normal;
      planes.insert(planes.end(), {ode_real(n.x), ode_real(n.y), ode_real(n.z), ode_real(hull.planes[f].offset)});
      polygons.push_back(hull.face_degree(f));
      for (std::uint32_t i = 0; i < hull.face_degree(f); ++i) polygons.push_back(hull.face_vertex(f, i));
    }
  }
  dGeomID make() const {
    return dCreateConvex(nullptr, planes.data(), faces, points.data(), static_cast<unsigned>(points.size() / 3),
                         polygons.data());
  }
};

}  // namespace sudar_bench
