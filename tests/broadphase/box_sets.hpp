// What:    Sets of boxes that have broken broad phases, and the plain double loop that says what the pairs are.
#pragma once

#include <sudar/broadphase/box_store.hpp>
#include <sudar/core/pair_set.hpp>
#include <sudar/core/random.hpp>

#include <string>
#include <vector>

namespace sudar_test {

template <int D>
using Boxes = std::vector<sudar::Aabb<D, float>>;

template <int D>
struct BoxSet {
  std::string name;
  Boxes<D> boxes;
};

template <int D>
sudar::Aabb<D, float> random_box(sudar::Random& random, double world, double size) {
  sudar::Aabb<D, float> box;
  for (int k = 0; k < D; ++k) {
    box.lo[k] = static_cast<float>(random.uniform(-world, world));
    box.hi[k] = box.lo[k] + static_cast<float>(random.uniform(0, size));
  }
  return box;
}

template <int D>
std::vector<BoxSet<D>> hard_box_sets(std::uint64_t seed) {
  sudar::Random random(seed);
  std::vector<BoxSet<D>> sets;
  const auto add = [&](const char* name, std::size_t count, auto&& make) {
    BoxSet<D> set{name, {}};
    for (std::size_t i = 0; i < count; ++i) set.boxes.push_back(make(i));
    sets.push_back(std::move(set));
  };
  using Box = sudar::Aabb<D, float>;
  add("none", 0, [&](std::size_t) { return Box{}; });
  add("one", 1, [&](std::size_t) { return random_box<D>(random, 1, 1); });
  add("two equal", 2, [&](std::size_t) { return Box{}; });
  add("sparse", 700, [&](std::size_t) { return random_box<D>(random, 100, 1); });
  add("dense", 700, [&](std::size_t) { return random_box<D>(random, 1, 0.6); });
  add("points", 500, [&](std::size_t) {
    Box box;
    for (int k = 0; k < D; ++k) box.lo[k] = box.hi[k] = static_cast<float>(random.below(5));
    return box;
  });
  add("all in one point", 300, [&](std::size_t) { return Box{}; });
  add("touching lattice", 729, [&](std::size_t i) {
    Box box;
    for (int k = 0; k < D; ++k, i /= 9) {
      box.lo[k] = static_cast<float>(i % 9);
      box.hi[k] = box.lo[k] + 1;
    }
    return box;
  });
  add("one giant", 600, [&](std::size_t i) { return random_box<D>(random, i == 77 ? 0.1 : 50, i == 77 ? 60 : 1); });
  add("many giants", 600, [&](std::size_t i) { return random_box<D>(random, 50, i % 4 == 0 ? 60 : 0.5); });
  add("power law sizes", 600, [&](std::size_t) {
    const double u = random.uniform(0.01, 1);
    return random_box<D>(random, 50, 0.2 / (u * u));
  });
  add("crowd and an outlier", 600, [&](std::size_t i) { return random_box<D>(random, i == 0 ? 1e30 : 1e-3, 1e-4); });
  add("line", 600, [&](std::size_t i) {
    Box box = random_box<D>(random, 1e-3, 1e-3);
    box.lo[D - 1] = static_cast<float>(i) * 0.5f;
    box.hi[D - 1] = box.lo[D - 1] + 0.6f;
    return box;
  });
  add("far from the origin", 600, [&](std::size_t) {
    Box box = random_box<D>(random, 1, 0.3);
    for (int k = 0; k < D; ++k) {
      box.lo[k] += 1e6f;
      box.hi[k] += 1e6f;
    }
    return box;
  });
  add("extreme floats", 400, [&](std::size_t) {
    const float ends[] = {-3.4028235e38f, -1e30f, -1, -1e-45f, -0.0f, 0, 1e-45f, 1e-38f, 1, 1e30f, 3.4028235e38f};
    Box box;
    for (int k = 0; k < D; ++k) {
      const float a = ends[random.below(11)], b = ends[random.below(11)];
      box.lo[k] = a < b ? a : b;
      box.hi[k] = a < b ? b : a;
    }
    return box;
  });
  add("denormal", 400, [&](std::size_t) { return random_box<D>(random, 1e-42, 1e-43); });
  add("whole float range", 400, [&](std::size_t) { return random_box<D>(random, 1.6e38, 1e37); });
  return sets;
}

// By id; the filters are those of the store
template <int D>
std::vector<sudar::IdPair> plain_pairs(const sudar::BoxStore<D>& store) {
  std::vector<sudar::IdPair> pairs;
  for (std::uint32_t a = 0; a < store.size(); ++a)
    for (std::uint32_t b = a + 1; b < store.size(); ++b)
      if (overlap(store.box(a), store.box(b)) && store.rows_may_pair(a, b))
        pairs.push_back(sudar::make_pair_of(store.ids()[a], store.ids()[b]));
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace sudar_test
