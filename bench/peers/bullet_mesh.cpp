// What:    The build of the quantised tree under Bullet's GImpact mesh shape.
#include "bench/peers/mesh_peer.hpp"

#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>

#include <vector>

namespace sudar_bench {

std::function<double()> gimpact_build(const sudar::Mesh& mesh) {
  struct Data {
    std::vector<btScalar> vertices;
    std::vector<int> indices;
  };
  auto data = std::make_shared<Data>();
  for (const sudar::Vec3d& v : mesh.vertices)
    for (int k = 0; k < 3; ++k) data->vertices.push_back(static_cast<btScalar>(v[k]));
  for (const auto& t : mesh.triangles)
    for (const std::uint32_t v : t) data->indices.push_back(static_cast<int>(v));
  return [data] {
    const int triangles = static_cast<int>(data->indices.size() / 3);
    btTriangleIndexVertexArray mesh_interface(triangles, data->indices.data(), 3 * sizeof(int),
                                              static_cast<int>(data->vertices.size() / 3), data->vertices.data(),
                                              3 * sizeof(btScalar));
    btGImpactMeshShape shape(&mesh_interface);
    shape.updateBound();
    return static_cast<double>(triangles);
  };
}

}  // namespace sudar_bench
