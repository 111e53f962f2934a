// What:    Smallest sphere by Welzl's algorithm with move-to-front: the plain twin of smallest_sphere.
// Source:  Welzl, 1991; Gärtner, "Fast and robust smallest enclosing balls", 1999 (recursion on the support only).
// Differs: The list of points is a ring of links in an array, shuffled with a fixed seed. The source ignores a point
//          that lies outside of the ball but is dependent on its support, which rounding can bring about; we then put
//          the farthest point in front and run again while the ball grows (SmallestSphere.DegenerateInputs).
// Frame:   Invariant: points before `end` in the list are in the ball of the current support.
// Fails:   see sphere_fit.hpp. Recursion never goes deeper than D + 1.
#include <sudar/bounding/sphere_fit.hpp>
#include <sudar/bounding/sphere_support.hpp>
#include <sudar/core/random.hpp>

#include <numeric>
#include <vector>

namespace sudar {
namespace {

template <int D, class Trace>
class Welzl {
 public:
  using V = Vec<D, double>;
  Welzl(std::span<const V> points, Trace trace)
      : points_(points), trace_(trace), next_(points.size() + 1), previous_(points.size() + 1) {
    std::vector<std::uint32_t> order(points.size());
    std::iota(order.begin(), order.end(), 0u);
    Random random(0x5eed);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    std::uint32_t at = head();
    for (std::uint32_t i : order) {
      link(at, i);
      at = i;
    }
    link(at, head());
  }

  PickedCenter<D> run() {
    double reached = -1;
    while (true) {
      ball_.size = 0;
      empty_ = true;
      extend(head());
      const auto [far, id] = farthest();
      // Done when all are in, or when another round would bring nothing
      if (far <= ball_.radius2 * (1 + kSphereProgress) || !(ball_.radius2 > reached)) return {ball_.center, far};
      reached = ball_.radius2;
      move_to_front(id);
    }
  }

 private:
  std::uint32_t head() const { return static_cast<std::uint32_t>(points_.size()); }

  // The smallest ball around the points before `end`, with the current support on its boundary
  void extend(std::uint32_t end) {
    if (!set_ball()) return;
    if (ball_.size == D + 1) return;
    for (std::uint32_t i = next_[head()]; i != end;) {
      // Deeper calls reorder only what stands before i, so what follows i stays
      const std::uint32_t after = next_[i];
      const double out = empty_ ? 0 : length_squared(points_[i] - ball_.center) - ball_.radius2 * (1 + kSphereProgress);
      if (empty_ || out > 0) {
        if constexpr (Trace::kEnabled) trace_({.step = "outside", .ids = {&i, 1}, .value = out});
        ball_.points[ball_.size] = points_[i];
        ball_.ids[ball_.size++] = i;
        extend(i);
        --ball_.size;
        move_to_front(i);
      }
      i = after;
    }
  }

  // The ball through the current support. False, with the ball as it was, when the support is dependent.
  bool set_ball() {
    if (ball_.size == 0) return true;
    V c;
    if (!circumcenter<D>(ball_.points.data(), ball_.size, c)) return false;
    double radius2 = 0;
    for (int i = 0; i < ball_.size; ++i) radius2 = std::fmax(radius2, length_squared(ball_.points[i] - c));
    ball_.center = c;
    ball_.radius2 = radius2;
    empty_ = false;
    if constexpr (Trace::kEnabled) {
      std::array<double, D + 1> numbers;
      for (int i = 0; i < D; ++i) numbers[i] = c[i];
      numbers[D] = std::sqrt(radius2);
      trace_({.step = "ball",
              .ids = {ball_.ids.data(), static_cast<std::size_t>(ball_.size)},
              .numbers = numbers,
              .value = numbers[D]});
    }
    return true;
  }

  std::pair<double, std::uint32_t> farthest() const {
    std::pair<double, std::uint32_t> best{-1, 0};
    for (std::uint32_t i = 0; i < points_.size(); ++i)
      if (const double d = length_squared(points_[i] - ball_.center); d > best.first) best = {d, i};
    return best;
  }
  void move_to_front(std::uint32_t i) {
    link(previous_[i], next_[i]);
    const std::uint32_t first = next_[head()];
    link(head(), i);
    link(i, first);
  }
  void link(std::uint32_t a, std::uint32_t b) {
    next_[a] = b;
    previous_[b] = a;
  }

  std::span<const V> points_;
  Trace trace_;
  std::vector<std::uint32_t> next_, previous_;  // a ring through all points and the head
  SupportedBall<D> ball_;
  bool empty_ = true;  // no ball yet
};

}  // namespace

template <int D, class Trace>
Result<Sphere<D, double>> welzl_sphere(std::span<const Vec<D, double>> all, Trace trace) noexcept {
  return guarded([&] {
    return fit_sphere<D>(all, [&](std::span<const Vec<D, double>> points, const Aabb<D, double>&) {
      return Welzl<D, Trace>(points, trace).run();
    });
  });
}

template SUDAR_API Result<Sphere<2, double>> welzl_sphere<2, NoTrace>(std::span<const Vec2d>, NoTrace) noexcept;
template SUDAR_API Result<Sphere<3, double>> welzl_sphere<3, NoTrace>(std::span<const Vec3d>, NoTrace) noexcept;
template SUDAR_API Result<Sphere<2, double>> welzl_sphere<2, TraceTo>(std::span<const Vec2d>, TraceTo) noexcept;
template SUDAR_API Result<Sphere<3, double>> welzl_sphere<3, TraceTo>(std::span<const Vec3d>, TraceTo) noexcept;

}  // namespace sudar
