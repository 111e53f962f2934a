#include "lab/surface.hpp"

#include <sudar/math/scalar.hpp>

#include <algorithm>
#include <array>
#include <map>

namespace sudar::lab {

namespace {

using Vec3f = BasicVec3<float>;

std::uint32_t add_vertex(Surface& s, const Vec3d& p, const Vec3d& n) {
  s.vertices.push_back({vec_cast<float>(p), vec_cast<float>(n)});
  return static_cast<std::uint32_t>(s.vertices.size() - 1);
}

void add_triangle(Surface& s, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  s.triangles.insert(s.triangles.end(), {a, b, c});
}

Vec3d on_circle(double turn, double z = 0) {
  const SinCos sc = sin_cos(2 * kPi * turn);
  return {sc.cos, sc.sin, z};
}

// Rings of latitude from the angle `from` to `to` above the equator (quarter turns are the poles)
Surface round_surface(int around, int rings, double from, double to) {
  Surface s;
  for (int j = 0; j <= rings; ++j) {
    const SinCos latitude = sin_cos(from + (to - from) * j / rings);
    for (int i = 0; i <= around; ++i) {
      const Vec3d c = on_circle(static_cast<double>(i) / around);
      const Vec3d p{c.x * latitude.cos, c.y * latitude.cos, latitude.sin};
      add_vertex(s, p, p);
    }
  }
  const auto at = [&](int j, int i) { return static_cast<std::uint32_t>(j * (around + 1) + i); };
  for (int j = 0; j < rings; ++j)
    for (int i = 0; i < around; ++i) {
      add_triangle(s, at(j, i), at(j, i + 1), at(j + 1, i + 1));
      add_triangle(s, at(j, i), at(j + 1, i + 1), at(j + 1, i));
    }
  // A person draws three great circles: here the equator, or the lowest ring, and two meridians
  const int equator = from < 0 ? rings / 2 : 0;
  for (int i = 0; i < around; ++i) s.edges.insert(s.edges.end(), {at(equator, i), at(equator, i + 1)});
  for (int quarter = 0; quarter < 4; ++quarter)
    for (int j = 0; j < rings; ++j)
      s.edges.insert(s.edges.end(), {at(j, quarter * around / 4), at(j + 1, quarter * around / 4)});
  return s;
}

Surface ball(int around, int rings) { return round_surface(around, rings, -kPi / 2, kPi / 2); }
Surface hemisphere(int around, int rings) { return round_surface(around, rings, 0, kPi / 2); }

Surface cube() {
  Surface s;
  for (int axis = 0; axis < 3; ++axis)
    for (int side = -1; side <= 1; side += 2) {
      Vec3d n{}, u{}, v{};
      n[axis] = side;
      u[(axis + 1) % 3] = 1;
      v[(axis + 2) % 3] = side;
      const std::uint32_t a = add_vertex(s, n - u - v, n);
      add_vertex(s, n + u - v, n), add_vertex(s, n + u + v, n), add_vertex(s, n - u + v, n);
      add_triangle(s, a, a + 1, a + 2), add_triangle(s, a, a + 2, a + 3);
      // Each of the twelve edges once: both caps of z, and the uprights from one side of x
      if (axis == 2) s.edges.insert(s.edges.end(), {a, a + 1, a + 1, a + 2, a + 2, a + 3, a + 3, a});
      if (axis == 0) s.edges.insert(s.edges.end(), {a + 1, a + 2, a + 3, a});
    }
  return s;
}

// The side of a cylinder, or of a cone when the radius at the top is 0
void add_side(Surface& s, int around, double top_radius) {
  const std::uint32_t first = static_cast<std::uint32_t>(s.vertices.size());
  for (int i = 0; i <= around; ++i) {
    const Vec3d c = on_circle(static_cast<double>(i) / around);
    const Vec3d n = normalized(Vec3d{c.x, c.y, (1 - top_radius) / 2});
    add_vertex(s, {c.x, c.y, -1}, n);
    add_vertex(s, {c.x * top_radius, c.y * top_radius, 1}, n);
  }
  for (int i = 0; i < around; ++i) {
    const std::uint32_t a = first + 2 * static_cast<std::uint32_t>(i);
    add_triangle(s, a, a + 2, a + 3);
    if (top_radius > 0) add_triangle(s, a, a + 3, a + 1);
    s.edges.insert(s.edges.end(), {a, a + 2});
    if (top_radius > 0) s.edges.insert(s.edges.end(), {a + 1, a + 3});
    if (i % (around / 4) == 0) s.edges.insert(s.edges.end(), {a, a + 1});
  }
}

// From one angle to another, in turns
void add_disk(Surface& s, int around, double z, double up, double from = 0, double to = 1) {
  const Vec3d n{0, 0, up};
  const std::uint32_t center = add_vertex(s, {0, 0, z}, n);
  for (int i = 0; i <= around; ++i) add_vertex(s, on_circle(from + (to - from) * i / around, z), n);
  for (int i = 0; i < around; ++i) {
    const std::uint32_t a = center + 1 + static_cast<std::uint32_t>(i);
    if (up > 0)
      add_triangle(s, center, a, a + 1);
    else
      add_triangle(s, center, a + 1, a);
  }
}

// Fine, middle or coarse
Surface make_common(CommonSurface which, int level) {
  const int around = level == 0 ? 32 : level == 1 ? 16 : 8;
  Surface s;
  switch (which) {
    case CommonSurface::sphere:
      return ball(around, around / 2);
    case CommonSurface::box:
      return cube();
    case CommonSurface::tube:
      add_side(s, around, 1);
      return s;
    case CommonSurface::hemisphere:
      return hemisphere(around, around / 4);
    case CommonSurface::cylinder:
      add_side(s, around, 1);
      add_disk(s, around, -1, -1);
      add_disk(s, around, 1, 1);
      return s;
    case CommonSurface::cone:
      add_side(s, around, 0);
      add_disk(s, around, -1, -1);
      return s;
    case CommonSurface::disk:
    case CommonSurface::half_disk: {
      const bool half = which == CommonSurface::half_disk;
      const int segments = level > 0 ? around : half ? 32 : 64;
      add_disk(s, segments, 0, 1, half ? -0.25 : 0, half ? 0.25 : 1);
      for (int i = 0; i < segments; ++i) {
        const std::uint32_t a = 1 + static_cast<std::uint32_t>(i);
        s.edges.insert(s.edges.end(), {a, a + 1});
      }
      return s;
    }
    case CommonSurface::rectangle: {
      const Vec3d n{0, 0, 1};
      add_vertex(s, {-1, -1, 0}, n), add_vertex(s, {1, -1, 0}, n), add_vertex(s, {1, 1, 0}, n),
          add_vertex(s, {-1, 1, 0}, n);
      add_triangle(s, 0, 1, 2), add_triangle(s, 0, 2, 3);
      s.edges = {0, 1, 1, 2, 2, 3, 3, 0};
      return s;
    }
  }
  return s;
}

}  // namespace

const std::shared_ptr<const Surface>& common_surface(CommonSurface which) {
  static const std::array<std::shared_ptr<const Surface>, kCommonSurfaces> surfaces = [] {
    std::array<std::shared_ptr<const Surface>, kCommonSurfaces> made;
    for (int i = 0; i < kCommonSurfaces; ++i) {
      const CommonSurface each = static_cast<CommonSurface>(i);
      auto fine = std::make_shared<Surface>(make_common(each, 0));
      // Of the round ones in space, edges are an aid of wire frames only
      fine->faceted = each == CommonSurface::box || each >= CommonSurface::disk;
      if (each != CommonSurface::box && each != CommonSurface::rectangle) {
        auto middle = std::make_shared<Surface>(make_common(each, 1));
        middle->coarse = std::make_shared<const Surface>(make_common(each, 2));
        fine->coarse = std::move(middle);
      }
      made[static_cast<std::size_t>(i)] = std::move(fine);
    }
    return made;
  }();
  return surfaces[static_cast<std::size_t>(which)];
}

Surface surface_of(std::span<const Vec3d> vertices, std::span<const std::uint32_t> triangles, double smooth_degrees) {
  const std::size_t count = triangles.size() / 3;
  // Normals of faces, long as their area; a face without one has none
  std::vector<Vec3d> weighted(count), unit(count);
  for (std::size_t t = 0; t < count; ++t) {
    const Vec3d a = vertices[triangles[3 * t]], b = vertices[triangles[3 * t + 1]], c = vertices[triangles[3 * t + 2]];
    weighted[t] = cross(b - a, c - a);
    unit[t] = normalized(weighted[t]);
  }
  // The faces around each vertex
  std::vector<std::uint32_t> first(vertices.size() + 1, 0), around(3 * count);
  for (const std::uint32_t v : triangles) ++first[v + 1];
  for (std::size_t v = 0; v < vertices.size(); ++v) first[v + 1] += first[v];
  std::vector<std::uint32_t> fill(first.begin(), first.end() - 1);
  for (std::size_t i = 0; i < 3 * count; ++i) around[fill[triangles[i]]++] = static_cast<std::uint32_t>(i / 3);
  const double least = sin_cos(smooth_degrees * kPi / 180).cos;

  // Corners with the same normal share a vertex
  Surface s;
  std::vector<std::vector<std::uint32_t>> made(vertices.size());
  for (std::size_t i = 0; i < 3 * count; ++i) {
    const std::uint32_t v = triangles[i];
    const Vec3d& own = unit[i / 3];
    Vec3d sum{};
    for (std::uint32_t k = first[v]; k < first[v + 1]; ++k)
      if (dot(unit[around[k]], own) >= least) sum += weighted[around[k]];
    Vec3d n = normalized(sum);
    if (n == Vec3d{}) n = own;
    const Vec3f n_f = vec_cast<float>(n);
    const auto same = std::find_if(made[v].begin(), made[v].end(),
                                   [&](std::uint32_t index) { return s.vertices[index].normal == n_f; });
    if (same != made[v].end()) {
      s.triangles.push_back(*same);
      continue;
    }
    made[v].push_back(add_vertex(s, vertices[v], n));
    s.triangles.push_back(made[v].back());
  }

  // Edges: where one face only is, or two that are turned against each other
  struct Side {
    std::uint32_t face, a, b;
    bool plain;  // more than one face, none of them sharp
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Side> sides;
  const double sharp = std::min(least, sin_cos(kPi / 180).cos);
  for (std::size_t i = 0; i < 3 * count; ++i) {
    const std::size_t t = i / 3, next = 3 * t + (i + 1) % 3;
    const auto key = std::minmax(triangles[i], triangles[next]);
    const auto [found, inserted] =
        sides.try_emplace(key, Side{static_cast<std::uint32_t>(t), s.triangles[i], s.triangles[next], false});
    if (!inserted) found->second.plain = dot(unit[found->second.face], unit[t]) >= sharp;
  }
  for (const auto& [key, side] : sides)
    if (!side.plain) s.edges.insert(s.edges.end(), {side.a, side.b});
  return s;
}

}  // namespace sudar::lab
