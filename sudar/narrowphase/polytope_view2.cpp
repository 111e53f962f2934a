#include <sudar/narrowphase/polytope_view2.hpp>

#include <algorithm>

namespace sudar {

bool is_polytope(const Shape2& shape) {
  switch (shape.kind()) {
    case ShapeKind2::point:
    case ShapeKind2::segment:
    case ShapeKind2::circle:
    case ShapeKind2::capsule:
    case ShapeKind2::box:
    case ShapeKind2::polygon:
      return true;
    default:
      return false;
  }
}

PolytopeView2::PolytopeView2(const Shape2& shape) {
  const auto point = [this](const Vec2d& p) {
    own_vertices_[0] = p;
    vertices_ = {own_vertices_.data(), 1};
  };
  const auto segment = [&](const Vec2d& p, const Vec2d& q) {
    if (p == q) return point(p);
    own_vertices_[0] = p;
    own_vertices_[1] = q;
    vertices_ = {own_vertices_.data(), 2};
    own_normals_[0] = -perp(normalized(q - p));
    own_normals_[1] = -own_normals_[0];
    normals_ = {own_normals_.data(), 2};
  };
  switch (shape.kind()) {
    case ShapeKind2::point:
      point(shape.as<PointShape2>().p);
      break;
    case ShapeKind2::segment:
      segment(shape.as<SegmentShape2>().p, shape.as<SegmentShape2>().q);
      break;
    case ShapeKind2::circle:
      point({});
      radius_ = shape.as<CircleShape2>().radius;
      break;
    case ShapeKind2::capsule:
      segment(shape.as<CapsuleShape2>().p, shape.as<CapsuleShape2>().q);
      radius_ = shape.as<CapsuleShape2>().radius;
      break;
    case ShapeKind2::box: {
      const Vec2d& half = shape.as<BoxShape2>().half;
      own_vertices_ = {{{-half.x, -half.y}, {half.x, -half.y}, {half.x, half.y}, {-half.x, half.y}}};
      own_normals_ = {{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}};
      vertices_ = own_vertices_;
      normals_ = own_normals_;
      break;
    }
    case ShapeKind2::polygon:
      body_ = shape.as<PolygonShape2>().body.get();
      radius_ = shape.as<PolygonShape2>().radius;
      vertices_ = body_->vertices();
      normals_ = body_->normals();
      break;
    default:
      SUDAR_ASSERT(false && "not a polytope");
      point({});
  }
  if (body_ != nullptr) {
    size_ = body_->size();
    return;
  }
  for (const Vec2d& v : vertices_) size_ = std::max(size_, max_abs(v));
}

std::uint32_t PolytopeView2::support(const Vec2d& d) const {
  // Bisection starts to beat the scan between 128 and 256 vertices (table a4_extremes of the benchmarks)
  constexpr std::uint32_t kBisectFrom = 160;
  if (body_ != nullptr) return body_->vertex_count() >= kBisectFrom ? body_->support_bisect(d) : body_->support(d);
  return support_plain(d);
}

std::uint32_t PolytopeView2::support_plain(const Vec2d& d) const {
  std::uint32_t best = 0;
  for (std::uint32_t i = 1; i < vertices_.size(); ++i)
    if (dot(vertices_[i], d) > dot(vertices_[best], d)) best = i;
  return best;
}

}  // namespace sudar
