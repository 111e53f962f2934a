// What:    CGAL's box_self_intersection_d (hybrid of streaming and segment trees, Zomorodian and Edelsbrunner 2002) as
//          a contestant: closed boxes, in floats, by value.
#include "bench/peers/peers.hpp"

#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

#include <chrono>
#include <limits>
#include <memory>

namespace sudar_bench {

namespace {

template <int D>
struct Box {
  float lo[D], hi[D];
  std::uint32_t id;
};

template <int D>
struct Traits {
  using NT = float;
  using ID = std::uint32_t;
  using Box_parameter = const Box<D>&;
  static NT min_coord(Box_parameter box, int axis) { return box.lo[axis]; }
  static NT max_coord(Box_parameter box, int axis) { return box.hi[axis]; }
  static ID id(Box_parameter box) { return box.id; }
  static int dimension() { return D; }
};

template <int D>
class Search {
 public:
  std::span<const sudar::IdPair> operator()(std::span<const float> rows) {
    // Tried out once for a number of boxes, in the round that is not counted
    if (rows.size() != tuned_for_) {
      double best = std::numeric_limits<double>::max();
      for (const std::ptrdiff_t cutoff : {10, 30, 100, 300}) {
        const auto start = std::chrono::steady_clock::now();
        run(rows, cutoff);
        const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (took < best) {
          best = took;
          cutoff_ = cutoff;
        }
      }
      tuned_for_ = rows.size();
    }
    run(rows, cutoff_);
    return pairs_;
  }

 private:
  void run(std::span<const float> rows, std::ptrdiff_t cutoff) {
    boxes_.resize(rows.size() / (2 * D));
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      for (std::size_t k = 0; k < D; ++k) {
        boxes_[i].lo[k] = rows[i * 2 * D + k];
        boxes_[i].hi[k] = rows[i * 2 * D + D + k];
      }
      boxes_[i].id = static_cast<std::uint32_t>(i);
    }
    pairs_.clear();
    CGAL::box_self_intersection_d(
        boxes_.begin(), boxes_.end(),
        [this](const Box<D>& a, const Box<D>& b) { pairs_.push_back(sudar::make_pair_of(a.id, b.id)); }, Traits<D>(),
        cutoff, CGAL::Box_intersection_d::CLOSED);
  }

  std::vector<Box<D>> boxes_;
  std::vector<sudar::IdPair> pairs_;
  std::ptrdiff_t cutoff_ = 10;
  std::size_t tuned_for_ = 0;
};

template <int D>
PairSearch make() {
  return [search = std::make_shared<Search<D>>()](std::span<const float> rows) { return (*search)(rows); };
}

}  // namespace

std::string cgal_boxes_version() { return CGAL_VERSION_STR; }

PairSearch cgal_box_pairs(int dim) { return dim == 2 ? make<2>() : make<3>(); }

}  // namespace sudar_bench
