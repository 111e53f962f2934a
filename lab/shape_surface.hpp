// What:    Surfaces of shapes that are not only a scaled common one: hulls, rounded hulls, meshes, height fields, polygons.
// Frame:   The shape's own. Those of the plane lie in z = 0 with normals up.
#pragma once

#include "lab/surface.hpp"
#include <sudar/shapes/shape2.hpp>
#include <sudar/shapes/shape3.hpp>

#include <functional>

namespace sudar::lab {

// Flat faces; with a radius, the hull grown by it
Surface hull_surface(const ConvexBody3& body, double radius);
Surface mesh_surface(const TriangleMesh& mesh);
Surface height_surface(const HeightField& field);
// Any convex set by its farthest points in the directions of a ball
Surface support_surface3(const std::function<Vec3d(const Vec3d&)>& support);

// A convex polygon, its corners rounded when it has a radius
Surface polygon_surface(const ConvexBody2& body, double radius);
Surface support_surface2(const std::function<Vec2d(const Vec2d&)>& support);
// Inside and border of a simple polygon; of a chain the border alone
Surface polygon_set_surface(const PolygonSet& set);

}  // namespace sudar::lab
