#include <sudar/narrowphase/polytope_view3.hpp>

#include <algorithm>

namespace sudar {

namespace {

// Counterclockwise from outside: on the high side of axis i, the corners turn from axis i + 1 to axis i + 2
constexpr std::array<HalfEdge, 24> box_half_edges() {
  std::array<HalfEdge, 24> out{};
  for (std::uint32_t face = 0; face < 6; ++face) {
    const std::uint32_t i = face / 2, high = face % 2, first = 1u << (i + 1) % 3, second = 1u << (i + 2) % 3;
    const std::uint32_t ring[4] = {0, high ? first : second, first | second, high ? second : first};
    for (std::uint32_t k = 0; k < 4; ++k)
      out[4 * face + k] = {0, 4 * face + (k + 1) % 4, ring[k] | (high ? 1u << i : 0), face};
  }
  for (std::uint32_t e = 0; e < 24; ++e)
    for (std::uint32_t f = 0; f < 24; ++f)
      if (out[f].origin == out[out[e].next].origin && out[out[f].next].origin == out[e].origin) out[e].twin = f;
  return out;
}
constexpr std::array<HalfEdge, 24> kBoxEdges = box_half_edges();
constexpr std::array<std::uint32_t, 6> kBoxFaces = {0, 4, 8, 12, 16, 20};
constexpr std::array<HalfEdge, 6> kTriangleEdges = {
    {{5, 1, 0, 0}, {4, 2, 1, 0}, {3, 0, 2, 0}, {2, 4, 0, 1}, {1, 5, 2, 1}, {0, 3, 1, 1}}};
constexpr std::array<std::uint32_t, 2> kTriangleFaces = {0, 3};
constexpr std::array<HalfEdge, 2> kSegmentEdges = {
    {{1, 1, 0, PolytopeView3::kNoFace}, {0, 0, 1, PolytopeView3::kNoFace}}};

}  // namespace

bool is_polytope(const Shape3& shape) {
  switch (shape.kind()) {
    case ShapeKind3::point:
    case ShapeKind3::segment:
    case ShapeKind3::triangle:
    case ShapeKind3::sphere:
    case ShapeKind3::capsule:
    case ShapeKind3::box:
    case ShapeKind3::hull:
      return true;
    default:
      return false;
  }
}

PolytopeView3::PolytopeView3(const Shape3& shape) {
  const auto point = [this](const Vec3d& p) {
    own_vertices_[0] = p;
    vertices_ = {own_vertices_.data(), 1};
  };
  const auto segment = [&](const Vec3d& p, const Vec3d& q) {
    if (p == q) return point(p);
    own_vertices_[0] = p;
    own_vertices_[1] = q;
    vertices_ = {own_vertices_.data(), 2};
    edges_ = kSegmentEdges;
    dimension_ = 1;
  };
  switch (shape.kind()) {
    case ShapeKind3::point:
      point(shape.as<PointShape3>().p);
      break;
    case ShapeKind3::segment:
      segment(shape.as<SegmentShape3>().p, shape.as<SegmentShape3>().q);
      break;
    case ShapeKind3::sphere:
      point({});
      radius_ = shape.as<SphereShape3>().radius;
      break;
    case ShapeKind3::capsule:
      segment(shape.as<CapsuleShape3>().p, shape.as<CapsuleShape3>().q);
      radius_ = shape.as<CapsuleShape3>().radius;
      break;
    case ShapeKind3::triangle: {
      const auto& v = shape.as<TriangleShape3>().v;
      std::copy(v, v + 3, own_vertices_.begin());
      vertices_ = {own_vertices_.data(), 3};
      edges_ = kTriangleEdges;
      face_edge_ = kTriangleFaces;
      own_planes_[0].normal = normalized(cross(v[1] - v[0], v[2] - v[0]));
      own_planes_[0].offset = dot(own_planes_[0].normal, v[0]);
      own_planes_[1] = {-own_planes_[0].normal, -own_planes_[0].offset};
      planes_ = {own_planes_.data(), 2};
      dimension_ = 2;
      break;
    }
    case ShapeKind3::box: {
      const Vec3d& half = shape.as<BoxShape3>().half;
      for (int k = 0; k < 8; ++k)
        own_vertices_[k] = {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z};
      for (int f = 0; f < 6; ++f) {
        own_planes_[f].normal = {};
        own_planes_[f].normal[f / 2] = f % 2 ? 1 : -1;
        own_planes_[f].offset = half[f / 2];
      }
      vertices_ = own_vertices_;
      edges_ = kBoxEdges;
      face_edge_ = kBoxFaces;
      planes_ = own_planes_;
      dimension_ = 3;
      is_box_ = true;
      break;
    }
    case ShapeKind3::hull: {
      const HullShape3& rounded = shape.as<HullShape3>();
      const Hull3& hull = rounded.body->hull();
      body_ = rounded.body.get();
      radius_ = rounded.radius;
      vertices_ = hull.vertices;
      face_edge_ = hull.face_edge;
      planes_ = hull.planes;
      dimension_ = hull.dimension;
      edges_ = dimension_ == 1 ? std::span<const HalfEdge>(kSegmentEdges) : std::span<const HalfEdge>(hull.edges);
      size_ = body_->size();
      return;
    }
    default:
      SUDAR_ASSERT(false && "not a polytope");
      point({});
  }
  for (const Vec3d& v : vertices_) size_ = std::max(size_, max_abs(v));
}

std::uint32_t PolytopeView3::support(const Vec3d& d) const {
  if (body_ != nullptr) return body_->support(d);
  if (is_box_) return (d.x >= 0 ? 1u : 0u) | (d.y >= 0 ? 2u : 0u) | (d.z >= 0 ? 4u : 0u);
  std::uint32_t best = 0;
  for (std::uint32_t i = 1; i < vertices_.size(); ++i)
    if (dot(vertices_[i], d) > dot(vertices_[best], d)) best = i;
  return best;
}

}  // namespace sudar
