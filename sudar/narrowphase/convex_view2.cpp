#include <sudar/narrowphase/convex_view2.hpp>

#include <algorithm>

namespace sudar {

namespace {

struct MakeView2 {
  static ConvexView2 points(const Vec2d& p, const Vec2d& q, std::uint32_t count, double radius) {
    ConvexView2 view;
    view.count = count;
    view.p[0] = p;
    view.p[1] = q;
    view.size = std::max(max_abs(p), max_abs(q));
    view.radius = radius;
    return view;
  }
  ConvexView2 operator()(const PointShape2& s) const { return points(s.p, s.p, 1, 0); }
  ConvexView2 operator()(const SegmentShape2& s) const { return points(s.p, s.q, 2, 0); }
  ConvexView2 operator()(const CircleShape2& s) const { return points({}, {}, 1, s.radius); }
  ConvexView2 operator()(const CapsuleShape2& s) const { return points(s.p, s.q, 2, s.radius); }
  ConvexView2 operator()(const BoxShape2& s) const {
    ConvexView2 view;
    view.kind = CoreKind2::box;
    view.count = 4;
    view.p[0] = s.half;
    view.size = max_abs(s.half);
    return view;
  }
  ConvexView2 operator()(const PolygonShape2& s) const {
    ConvexView2 view;
    view.kind = CoreKind2::body;
    view.body = s.body.get();
    view.count = static_cast<std::uint32_t>(s.body->vertices().size());
    view.size = s.body->size();
    view.radius = s.radius;
    return view;
  }
  ConvexView2 operator()(const CustomShape2& s) const {
    ConvexView2 view;
    view.kind = CoreKind2::custom;
    view.count = 0;
    view.function = s.function.get();
    // A size that bounds the coordinates along the axes
    for (const Vec2d& d : {Vec2d{1, 0}, Vec2d{-1, 0}, Vec2d{0, 1}, Vec2d{0, -1}})
      view.size = std::max(view.size, max_abs(detail::custom_support(view, d)));
    return view;
  }
  template <class S>
  ConvexView2 operator()(const S&) const {
    SUDAR_ASSERT(false && "not convex and bounded");
    return {};
  }
};

}  // namespace

ConvexView2 make_view(const Shape2& shape) { return std::visit(MakeView2{}, shape.any()); }

Vec2d detail::custom_support(const ConvexView2& view, const Vec2d& d) {
  const Vec2d q = view.function->support(d);
  return is_finite(q) ? q : Vec2d{};
}

}  // namespace sudar
