#include "bench/box_workloads.hpp"

#include <sudar/core/random.hpp>

#include <array>
#include <cmath>

namespace sudar_bench {

namespace {

using sudar::Random;

template <int D>
struct Body {
  std::array<double, D> center, edge;
};

template <int D>
std::array<double, D> point_in(Random& random, double width) {
  std::array<double, D> p;
  for (double& x : p) x = random.uniform(0, width);
  return p;
}

template <int D>
std::array<double, D> edges(Random& random, double scale = 1) {
  std::array<double, D> e;
  for (double& x : e) x = scale * random.uniform(0.5, 1.5);
  return e;
}

template <int D>
void put(BoxRows& rows, std::size_t i, const Body<D>& body) {
  for (std::size_t k = 0; k < D; ++k) {
    rows[i * 2 * D + k] = static_cast<float>(body.center[k] - 0.5 * body.edge[k]);
    rows[i * 2 * D + D + k] = static_cast<float>(body.center[k] + 0.5 * body.edge[k]);
  }
}

template <int D, class F>
BoxRows fill(std::size_t n, std::uint64_t seed, F&& body) {
  Random random(seed);
  BoxRows rows(n * 2 * D);
  for (std::size_t i = 0; i < n; ++i) put<D>(rows, i, body(random, i));
  return rows;
}

// Sum of twelve: close to a normal distribution of variance 1, and the same on every platform
double normal(Random& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += random.uniform();
  return sum;
}

}  // namespace

template <int D>
double world_width(std::size_t n) {
  return 2 * std::pow(static_cast<double>(n), 1.0 / D);
}

template <int D>
BoxRows uniform_boxes(std::size_t n, std::uint64_t seed, double scale) {
  const double width = world_width<D>(n);
  return fill<D>(n, seed, [&](Random& random, std::size_t) {
    return Body<D>{point_in<D>(random, width), edges<D>(random, scale)};
  });
}

template <int D>
BoxRows mixed_boxes(std::size_t n, std::uint64_t seed) {
  const double width = world_width<D>(n);
  return fill<D>(n, seed, [&](Random& random, std::size_t i) {
    return Body<D>{point_in<D>(random, width), edges<D>(random, i % 100 == 0 ? 20 : 1)};
  });
}

template <int D>
BoxRows clustered_boxes(std::size_t n, std::uint64_t seed) {
  const double width = world_width<D>(n);
  Random places(seed + 1);
  std::vector<std::array<double, D>> middles(100);
  for (auto& middle : middles) middle = point_in<D>(places, 0.9 * width);
  return fill<D>(n, seed, [&](Random& random, std::size_t) {
    Body<D> body{point_in<D>(random, 0.1 * width), edges<D>(random)};
    const auto& middle = middles[random.below(middles.size())];
    for (std::size_t k = 0; k < D; ++k) body.center[k] += middle[k];
    return body;
  });
}

template <int D>
BoxRows blob_boxes(std::size_t n, std::uint64_t seed) {
  const double width = world_width<D>(n);
  return fill<D>(n, seed, [&](Random& random, std::size_t) {
    Body<D> body{{}, edges<D>(random)};
    for (double& x : body.center) x = width * (0.5 + 0.125 * normal(random));
    return body;
  });
}

template <int D>
BoxRows crowd_boxes(std::size_t n, std::uint64_t seed) {
  // Small numbers at the far end of a huge world would lose their digits: the crowd sits at the origin
  const double width = world_width<D>(n);
  return fill<D>(n, seed, [&](Random& random, std::size_t i) {
    return Body<D>{point_in<D>(random, i < 10 ? 1e6 * width : width), edges<D>(random)};
  });
}

template <int D>
std::vector<BoxRows> moving_boxes(std::size_t n, double step, std::size_t frames, std::uint64_t seed) {
  const double width = world_width<D>(n);
  Random random(seed);
  std::vector<Body<D>> bodies(n);
  std::vector<std::array<double, D>> velocities(n);
  for (std::size_t i = 0; i < n; ++i) {
    bodies[i] = {point_in<D>(random, width), edges<D>(random)};
    double square = 0;
    do {
      square = 0;
      for (double& v : velocities[i]) {
        v = random.uniform(-1, 1);
        square += v * v;
      }
    } while (square > 1 || square == 0);
    for (double& v : velocities[i]) v *= step * width / std::sqrt(square);
  }
  std::vector<BoxRows> all(frames, BoxRows(n * 2 * D));
  for (BoxRows& rows : all)
    for (std::size_t i = 0; i < n; ++i) {
      put<D>(rows, i, bodies[i]);
      for (std::size_t k = 0; k < D; ++k) {
        double& x = bodies[i].center[k];
        x += velocities[i][k];
        if (x >= 0 && x <= width) continue;
        x = x < 0 ? -x : 2 * width - x;
        velocities[i][k] = -velocities[i][k];
      }
    }
  return all;
}

template <int D>
std::vector<BoxRows> converging_boxes(std::size_t n, std::size_t frames, std::uint64_t seed) {
  const double width = world_width<D>(n), last = std::pow(23.0, -1.0 / D);
  Random random(seed);
  std::vector<Body<D>> bodies(n);
  for (Body<D>& body : bodies) body = {point_in<D>(random, width), edges<D>(random)};
  std::vector<BoxRows> all(frames, BoxRows(n * 2 * D));
  for (std::size_t f = 0; f < frames; ++f) {
    const double t = frames > 1 ? static_cast<double>(f) / static_cast<double>(frames - 1) : 0;
    const double scale = 1 + t * (last - 1);
    for (std::size_t i = 0; i < n; ++i) {
      Body<D> body = bodies[i];
      for (double& x : body.center) x = 0.5 * width + (x - 0.5 * width) * scale;
      put<D>(all[f], i, body);
    }
  }
  return all;
}

// clang-format off
template double world_width<2>(std::size_t);
template double world_width<3>(std::size_t);
template BoxRows uniform_boxes<2>(std::size_t, std::uint64_t, double);
template BoxRows uniform_boxes<3>(std::size_t, std::uint64_t, double);
template BoxRows mixed_boxes<2>(std::size_t, std::uint64_t);
template BoxRows mixed_boxes<3>(std::size_t, std::uint64_t);
template BoxRows clustered_boxes<2>(std::size_t, std::uint64_t);
template BoxRows clustered_boxes<3>(std::size_t, std::uint64_t);
template BoxRows blob_boxes<2>(std::size_t, std::uint64_t);
template BoxRows blob_boxes<3>(std::size_t, std::uint64_t);
template BoxRows crowd_boxes<2>(std::size_t, std::uint64_t);
template BoxRows crowd_boxes<3>(std::size_t, std::uint64_t);
template std::vector<BoxRows> moving_boxes<2>(std::size_t, double, std::size_t, std::uint64_t);
template std::vector<BoxRows> moving_boxes<3>(std::size_t, double, std::size_t, std::uint64_t);
template std::vector<BoxRows> converging_boxes<2>(std::size_t, std::size_t, std::uint64_t);
template std::vector<BoxRows> converging_boxes<3>(std::size_t, std::size_t, std::uint64_t);
// clang-format on

}  // namespace sudar_bench
