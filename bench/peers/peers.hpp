// What:    What the adapters of the peers offer, one small file each. A peer that was not found when this was built is
//          named by its part with Session::missing_peer.
#pragma once

#include "bench/pair_search.hpp"
#include <sudar/math/vec.hpp>

#include <functional>
#include <span>
#include <string>

namespace sudar_bench {

// SUDAR_PEER_QHULL: number of hull vertices
std::string qhull_version();
double qhull_vertex_count(std::span<const sudar::Vec3d> points);

// SUDAR_PEER_CGAL_HULL: number of hull vertices; the points are converted beforehand
std::string cgal_version();
std::function<double()> cgal_hull_vertex_count(std::span<const sudar::Vec3d> points);

// SUDAR_PEER_CGAL_PREDICATES: sum of the signs of orientation or in-circle/in-sphere tests of consecutive points
std::string cgal_predicates_version();
std::function<double()> cgal_signs(std::span<const sudar::Vec2d> points, bool in_circle, int repeat);
std::function<double()> cgal_signs(std::span<const sudar::Vec3d> points, bool in_sphere, int repeat);

// SUDAR_PEER_CGAL_SPHERE: radius of the smallest sphere by each of its two classes; the points are converted beforehand
std::string cgal_sphere_version();
std::function<double()> cgal_sphere_of_spheres_radius(std::span<const sudar::Vec3d> points);
std::function<double()> cgal_sphere_radius(std::span<const sudar::Vec3d> points);

// SUDAR_PEER_CGAL_DELAUNAY: number of triangles; of tetrahedra or of vertices. The points are converted beforehand.
std::string cgal_delaunay_version();
std::function<double()> cgal_delaunay2_triangles(std::span<const sudar::Vec2d> points);
std::function<double()> cgal_delaunay3_tetrahedra(std::span<const sudar::Vec3d> points, bool count_tetrahedra);

// SUDAR_PEER_CGAL_BOXES: box_self_intersection_d on closed boxes, with the cutoff that is best for the first set of boxes
std::string cgal_boxes_version();
PairSearch cgal_box_pairs(int dim);

// SUDAR_PEER_EMBREE: rtcCollide on one thread; `refit` keeps the tree of the first call and fits it to the boxes
std::string embree_version();
PairSearch embree_pairs(int dim, bool refit);

}  // namespace sudar_bench
