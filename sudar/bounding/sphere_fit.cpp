// What:    The simple sphere fits and the brute-force reference, see the header.
#include <sudar/bounding/sphere_fit.hpp>
#include <sudar/bounding/sphere_support.hpp>

namespace sudar {

template <int D>
Result<Sphere<D, double>> mean_sphere(std::span<const Vec<D, double>> all) noexcept {
  return guarded([&] {
    return fit_sphere<D>(all, [](std::span<const Vec<D, double>> points, const Aabb<D, double>& box) {
      // Sum from the middle of the box, so that far-off points lose no digits
      const Vec<D, double> middle = center(box);
      Vec<D, double> sum{};
      for (const Vec<D, double>& p : points) sum += p - middle;
      return PickedCenter<D>{middle + sum / static_cast<double>(points.size())};
    });
  });
}

template <int D>
Result<Sphere<D, double>> box_sphere(std::span<const Vec<D, double>> all) noexcept {
  return guarded([&] {
    return fit_sphere<D>(
        all, [](std::span<const Vec<D, double>>, const Aabb<D, double>& box) { return PickedCenter<D>{center(box)}; });
  });
}

template <int D>
Result<Sphere<D, double>> ritter_sphere(std::span<const Vec<D, double>> all) noexcept {
  return guarded([&] {
    return fit_sphere<D>(all, [](std::span<const Vec<D, double>> points, const Aabb<D, double>&) {
      // The pair of points lowest and highest on an axis that lies farthest apart
      Vec<D, double> a = points[0], b = points[0];
      for (int axis = 0; axis < D; ++axis) {
        Vec<D, double> low = points[0], high = points[0];
        for (const Vec<D, double>& p : points) {
          if (p[axis] < low[axis]) low = p;
          if (p[axis] > high[axis]) high = p;
        }
        if (length_squared(high - low) > length_squared(b - a)) a = low, b = high;
      }
      // Grow just enough for each point outside: the far side of the sphere stays where it is
      Vec<D, double> c = a + (b - a) * 0.5;
      double radius = distance(a, b) / 2;
      for (const Vec<D, double>& p : points) {
        const double away = distance(p, c);
        if (!(away > radius)) continue;
        const double grown = (radius + away) / 2;
        c += (p - c) * ((grown - radius) / away);
        radius = grown;
      }
      return PickedCenter<D>{c};
    });
  });
}

template <int D>
Result<Sphere<D, double>> brute_force_sphere(std::span<const Vec<D, double>> all) noexcept {
  if (all.size() > kBruteForceSphereLimit)
    return Error{ErrorCode::too_large, Error::kNoElement, "too many points for the brute-force sphere"};
  return guarded([&] {
    return fit_sphere<D>(all, [](std::span<const Vec<D, double>> points, const Aabb<D, double>&) {
      PickedCenter<D> best{{}, std::numeric_limits<double>::infinity()};
      std::array<Vec<D, double>, D + 1> support;
      // Every set of up to D + 1 points in order of its indices; `first` is the next that may join
      const auto visit = [&](const auto& self, int size, std::size_t first) -> void {
        if (Vec<D, double> c; size > 0 && circumcenter<D>(support.data(), size, c)) {
          const double far = farthest_squared<D>(points, c);
          if (far < best.covered) best = {c, far};
        }
        if (size == D + 1) return;
        for (std::size_t i = first; i < points.size(); ++i) {
          support[static_cast<std::size_t>(size)] = points[i];
          self(self, size + 1, i + 1);
        }
      };
      visit(visit, 0, 0);
      return best;
    });
  });
}

template Result<Sphere<2, double>> mean_sphere<2>(std::span<const Vec2d>) noexcept;
template Result<Sphere<3, double>> mean_sphere<3>(std::span<const Vec3d>) noexcept;
template Result<Sphere<2, double>> box_sphere<2>(std::span<const Vec2d>) noexcept;
template Result<Sphere<3, double>> box_sphere<3>(std::span<const Vec3d>) noexcept;
template Result<Sphere<2, double>> ritter_sphere<2>(std::span<const Vec2d>) noexcept;
template Result<Sphere<3, double>> ritter_sphere<3>(std::span<const Vec3d>) noexcept;
template Result<Sphere<2, double>> brute_force_sphere<2>(std::span<const Vec2d>) noexcept;
template Result<Sphere<3, double>> brute_force_sphere<3>(std::span<const Vec3d>) noexcept;

}  // namespace sudar
