// What:    Qhull (libqhull_r) as a contestant: the hull of points in space with its defaults, its fastest way.
#include "bench/peers/peers.hpp"

#include <cstdio>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace sudar_bench {

std::string qhull_version() {
  const std::string text = qh_version2;  // "qhull_r 8.0.2 (2020.2.r 2020/08/31)"
  const std::size_t first = text.find(' ') + 1;
  return text.substr(first, text.find(' ', first) - first);
}

double qhull_vertex_count(std::span<const sudar::Vec3d> points) {
  qhT state;
  qhT* qh = &state;
  QHULL_LIB_CHECK
  qh_zero(qh, stderr);
  char command[] = "qhull";
  // Qhull reads the coordinates where they are, and takes them as writable without writing
  auto* coordinates = const_cast<coordT*>(reinterpret_cast<const coordT*>(points.data()));
  const int failed = qh_new_qhull(qh, 3, static_cast<int>(points.size()), coordinates, False, command, nullptr, stderr);
  const double vertices = failed != 0 ? -1 : static_cast<double>(qh->num_vertices);
  qh_freeqhull(qh, !qh_ALL);
  int current = 0, total = 0;
  qh_memfreeshort(qh, &current, &total);
  return vertices;
}

}  // namespace sudar_bench
