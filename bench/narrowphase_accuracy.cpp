// What:    The accuracy matrix: for every pair of shapes and every method that answers for it, the largest and the 99.9th
//          percentile error of distance, depth, normal and witness points.
// Differs: The truth does not come from the methods. A distance is made, not searched: B is put at a gap s along a random
//          direction from the support point of A, so the answer is s, up to the rounding of the pose, which is measured in
//          80 bits. A depth is the least width of the overlap over all directions: the width along the normal of the answer,
//          and that of the best direction of a search of its own, both in 80 bits.
// Frame:   A's. Errors are relative to the larger of the two shapes, about a metre.
#include "bench/accuracy_bodies.hpp"
#include "bench/suites.hpp"
#include <sudar/math/sampling.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/convex_distance2.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/sat3.hpp>
#include <sudar/narrowphase/vclip3.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iomanip>
#include <optional>
#include <sstream>

namespace sudar_bench {

namespace {

// Two bodies, B seen from A. What the numbers of the placement say is what is true.
template <int D>
struct Pair {
  const Body<D>& a;
  const Body<D>& b;
  sudar::Placement<D> a_from_b;

  LongVec<D> turn(const LongVec<D>& v) const {
    if (!a_from_b.turned) return v;
    LongVec<D> out{};
    for (int i = 0; i < D; ++i) {
      DoubleVec<D> unit{};
      unit[i] = 1;
      out = out + widen<D>(a_from_b.turn * unit) * v[i];
    }
    return out;
  }
  LongVec<D> turn_back(const LongVec<D>& v) const {
    if (!a_from_b.turned) return v;
    LongVec<D> out{};
    for (int i = 0; i < D; ++i) {
      DoubleVec<D> unit{};
      unit[i] = 1;
      out[i] = dot(widen<D>(a_from_b.turn * unit), v);
    }
    return out;
  }
  LongVec<D> lowest_of_b(const LongVec<D>& n) const {
    return turn(b.support(-turn_back(n))) + widen<D>(a_from_b.translation) + widen<D>(a_from_b.rest);
  }
  // How far the two reach over each other along a unit direction: minus the gap
  Long width(const LongVec<D>& n) const { return dot(a.support(n) - lowest_of_b(n), n); }
};

template <int D>
LongVec<D> tangent_move(const LongVec<D>& n, const LongVec<D>& to, Long step) {
  return normalized(n + (to - n * dot(to, n)) * step);
}

// The least width that a search of its own finds, beginning at many directions and at a guess
template <int D>
Long least_width(const Pair<D>& pair, const LongVec<D>& guess, Random& random) {
  constexpr int kDirections = D == 2 ? 256 : 600, kStarts = 3, kRounds = 40, kTries = 8;
  std::vector<std::pair<Long, LongVec<D>>> starts;
  for (int i = 0; i < kDirections; ++i) {
    const LongVec<D> n = widen<D>(sudar::unit_vector<D>(random));
    starts.emplace_back(pair.width(n), n);
  }
  std::partial_sort(starts.begin(), starts.begin() + kStarts, starts.end(),
                    [](const auto& x, const auto& y) { return x.first < y.first; });
  starts.resize(kStarts);
  starts.emplace_back(pair.width(guess), guess);
  Long best = starts[0].first;
  for (auto [width, n] : starts) {
    Long step = 0.1L;
    for (int round = 0; round < kRounds; ++round) {
      bool moved = false;
      for (int t = 0; t < kTries; ++t) {
        const LongVec<D> to = tangent_move<D>(n, widen<D>(sudar::unit_vector<D>(random)), step);
        if (const Long w = pair.width(to); w < width) width = w, n = to, moved = true;
      }
      if (!moved) step *= 0.5L;
    }
    best = std::min(best, width);
  }
  return best;
}

// The errors of one cell of the matrix
struct Errors {
  std::vector<double> distance, depth, normal, witness;
  std::size_t wrong = 0;  // yes said for a gap above rounding, or no for an overlap
  std::size_t asked = 0;
};

constexpr std::array<std::string_view, 4> kClasses = {"random", "near", "deep", "ratio"};

template <int D>
struct Answer {
  bool hit;
  double separation;
  bool has_normal, has_points;
  DoubleVec<D> normal, point_a, point_b;
};

template <int D>
Answer<D> from(const sudar::DistanceAnswer<D>& x) {
  return {x.hit, x.separation, true, true, x.normal, x.point_a, x.point_b};
}

// Over the larger shape: what the pose of a made gap may be off; and below which a yes or no of curved shapes, whose
// distance is a limit, is not called wrong
constexpr double kRounding = 1e-15, kCurvedRounding = 1e-9;

template <int D>
double unclear(const Pair<D>& pair) {
  return pair.a.polytope && pair.b.polytope ? kRounding : kCurvedRounding;
}

// How far the witness points are from where they have to be: on the supporting planes, and apart by the separation
template <int D>
double witness_error(const Pair<D>& pair, const Answer<D>& answer) {
  const LongVec<D> n = widen<D>(answer.normal), p = widen<D>(answer.point_a), q = widen<D>(answer.point_b);
  Long worst = std::abs(dot(pair.a.support(n) - p, n));
  worst = std::max(worst, std::abs(dot(pair.lowest_of_b(n) - q, n)));
  worst = std::max(worst, sudar::length(q - p - n * static_cast<Long>(answer.separation)));
  return static_cast<double>(worst);
}

template <int D>
void judge_gap(const Pair<D>& pair, const LongVec<D>& n, Long gap, const Answer<D>& answer, double scale,
               Errors& errors) {
  ++errors.asked;
  const bool clear = gap > unclear(pair) * scale;
  errors.wrong += clear && answer.hit ? 1 : 0;
  errors.distance.push_back(static_cast<double>(std::abs(static_cast<Long>(answer.separation) - gap)) / scale);
  if (!clear) return;
  // A direction between points is as sure as their places are, over how far apart they are
  if (answer.has_normal)
    errors.normal.push_back(
        static_cast<double>(sudar::length(widen<D>(answer.normal) - n) * std::min<Long>(1, gap / scale)));
  if (answer.has_points) errors.witness.push_back(witness_error(pair, answer) / scale);
}

template <int D>
void judge_overlap(const Pair<D>& pair, Long least, const Answer<D>& answer, double scale, Errors& errors) {
  ++errors.asked;
  const LongVec<D> n = widen<D>(answer.normal);
  if (!answer.hit) {
    // A made overlap reaches over along one direction; the two may yet be apart, and then the normal proves it
    const Long own = answer.has_normal ? -pair.width(normalized(n)) : 0;
    errors.wrong += answer.has_normal && own < -unclear(pair) * scale ? 1 : 0;
    if (answer.has_points) {
      errors.distance.push_back(static_cast<double>(std::abs(static_cast<Long>(answer.separation) - own)) / scale);
      errors.witness.push_back(witness_error(pair, answer) / scale);
    }
    return;
  }
  errors.wrong += least < -unclear(pair) * scale ? 1 : 0;
  // Along the normal it must be what it says, and no direction may be shorter
  const Long depth = -static_cast<Long>(answer.separation);
  const Long own = answer.has_normal ? pair.width(normalized(n)) : depth;
  errors.depth.push_back(static_cast<double>(std::max(std::abs(depth - own), own - least)) / scale);
  if (answer.has_points) errors.witness.push_back(witness_error(pair, answer) / scale);
}

template <int D>
using Method = std::function<std::optional<Answer<D>>(const Body<D>&, const Body<D>&, const sudar::Placement<D>&)>;
template <int D>
using Methods = std::vector<std::pair<std::string, Method<D>>>;

template <int D>
bool is_plain_convex(const Body<D>& body) {
  return body.shape.is_convex() && body.shape.is_bounded();
}

Methods<2> methods2() {
  return {{"table",
           [](const Body<2>& a, const Body<2>& b, const sudar::Placement2& p) {
             return std::optional(from<2>(sudar::distance(a.shape, b.shape, p)));
           }},
          {"convex", [](const Body<2>& a, const Body<2>& b, const sudar::Placement2& p) -> std::optional<Answer<2>> {
             if (!is_plain_convex(a) || !is_plain_convex(b)) return std::nullopt;
             return from<2>(sudar::convex_distance2(a.shape, b.shape, p));
           }}};
}

Methods<3> methods3() {
  const auto plain = [](const Body<3>& a, const Body<3>& b) { return is_plain_convex(a) && is_plain_convex(b); };
  const auto both_polytopes = [](const Body<3>& a, const Body<3>& b) {
    return a.polytope && b.polytope && a.shape.is_bounded() && b.shape.is_bounded();
  };
  return {{"table",
           [](const Body<3>& a, const Body<3>& b, const sudar::Placement3& p) {
             return std::optional(from<3>(sudar::distance(a.shape, b.shape, p)));
           }},
          {"convex",
           [=](const Body<3>& a, const Body<3>& b, const sudar::Placement3& p) -> std::optional<Answer<3>> {
             if (!plain(a, b)) return std::nullopt;
             return from<3>(sudar::convex_distance3(a.shape, b.shape, p));
           }},
          {"sat",
           [=](const Body<3>& a, const Body<3>& b, const sudar::Placement3& p) -> std::optional<Answer<3>> {
             if (!both_polytopes(a, b)) return std::nullopt;
             const auto x = sudar::sat3(sudar::PolytopeView3(a.shape), sudar::PolytopeView3(b.shape), p);
             if (x.separation > 0) return std::nullopt;  // a gap along an axis is not the distance
             return Answer<3>{true, x.separation, true, false, x.normal, {}, {}};
           }},
          {"v-clip", [=](const Body<3>& a, const Body<3>& b, const sudar::Placement3& p) -> std::optional<Answer<3>> {
             if (!both_polytopes(a, b)) return std::nullopt;
             const auto x = sudar::vclip3(sudar::VClipBody3(a.shape), sudar::VClipBody3(b.shape), p);
             if (x.outcome != sudar::VClipOutcome::apart) return std::nullopt;
             return Answer<3>{false, x.distance, false, false, {}, {}, {}};
           }}};
}

template <int D>
auto random_rotation(Random& random) {
  if constexpr (D == 2)
    return sudar::unit_rotation(random);
  else
    return sudar::unit_quaternion(random);
}

double percentile(std::vector<double>& values, double share) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

std::string cell(std::vector<double>& values) {
  if (values.empty()) return "";
  std::ostringstream text;
  text << std::setprecision(1) << std::scientific << *std::max_element(values.begin(), values.end()) << " / "
       << percentile(values, 0.999);
  return text.str();
}

struct Cells {
  Table table;
  double of_polytopes = 0, of_others = 0;  // worst distance or depth
  std::size_t wrong = 0;
};

// One pose of a class, judged for all methods
template <int D>
void ask(const Pair<D>& pair, const Methods<D>& methods, const std::optional<LongVec<D>>& made, double scale,
         Random& random, std::vector<Errors>& errors) {
  std::optional<Long> least;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    const auto answer = methods[m].second(pair.a, pair.b, pair.a_from_b);
    if (!answer) continue;
    if (made && -pair.width(*made) > 0) {
      judge_gap<D>(pair, *made, -pair.width(*made), *answer, scale, errors[m]);
      continue;
    }
    if (!least) {
      if (pair.a.plane) {
        least = pair.width(widen<D>(*pair.a.plane));
      } else if (pair.b.plane) {
        least = pair.width(-pair.turn(widen<D>(*pair.b.plane)));
      } else {
        least = least_width<D>(pair, answer->hit && answer->has_normal ? normalized(widen<D>(answer->normal)) : *made,
                               random);
      }
    }
    judge_overlap<D>(pair, *least, *answer, scale, errors[m]);
  }
}

template <int D>
void run_pair(const BodyMaker<D>& make_a, const BodyMaker<D>& make_b, const Methods<D>& methods, std::size_t poses,
              std::uint64_t seed, Cells& cells) {
  Random random(seed);
  std::string names;
  bool polytopes = false;
  std::vector<std::array<Errors, kClasses.size()>> all(methods.size());
  for (std::size_t c = 0; c < kClasses.size(); ++c)
    for (std::size_t k = 0; k < poses; ++k) {
      const double ratio = kClasses[c] == "ratio" ? std::pow(10.0, random.uniform(2, 6)) : 1;
      const bool a_is_large = random.uniform() < 0.5;
      const Body<D> a = make_a(random, a_is_large ? 1 : 1 / ratio), b = make_b(random, a_is_large ? 1 / ratio : 1);
      if (a.plane && b.plane) return;  // always meet, or never
      names = a.name + " – " + b.name;
      polytopes = a.polytope && b.polytope;
      Pair<D> pair{a, b, sudar::make_placement<D>(sudar::Pose<D, double>{{}, random_rotation<D>(random)})};
      const double small = std::min(a.size, b.size);
      std::optional<LongVec<D>> n = widen<D>(sudar::unit_vector<D>(random));
      if (a.plane) n = widen<D>(*a.plane);
      if (b.plane) n = -pair.turn(widen<D>(*b.plane));
      double gap = 0;
      if (kClasses[c] == "random") gap = small * random.uniform(-0.3, 1);
      if (kClasses[c] == "near")
        gap = small * std::pow(10.0, random.uniform(-12, -3)) * (random.uniform() < 0.5 ? -1 : 1);
      if (kClasses[c] == "ratio") gap = small * random.uniform(-0.3, 1);
      if (kClasses[c] == "deep") gap = -small * random.uniform(0.3, 1);
      const LongVec<D> to = a.support(*n) + *n * static_cast<Long>(gap) - pair.lowest_of_b(*n);
      pair.a_from_b.translation = sudar::vec_cast<double>(to);
      std::vector<Errors> errors(methods.size());
      ask<D>(pair, methods, n, std::max(a.size, b.size), random, errors);
      for (std::size_t m = 0; m < methods.size(); ++m) {
        Errors& sum = all[m][c];
        const auto append = [](std::vector<double>& x, const std::vector<double>& y) {
          x.insert(x.end(), y.begin(), y.end());
        };
        append(sum.distance, errors[m].distance);
        append(sum.depth, errors[m].depth);
        append(sum.normal, errors[m].normal);
        append(sum.witness, errors[m].witness);
        sum.wrong += errors[m].wrong;
        sum.asked += errors[m].asked;
      }
    }
  for (std::size_t m = 0; m < methods.size(); ++m)
    for (std::size_t c = 0; c < kClasses.size(); ++c) {
      Errors& e = all[m][c];
      if (e.asked == 0) continue;
      double& worst = polytopes ? cells.of_polytopes : cells.of_others;
      for (const std::vector<double>* values : {&e.distance, &e.depth})
        if (!values->empty()) worst = std::max(worst, *std::max_element(values->begin(), values->end()));
      cells.wrong += e.wrong;
      cells.table.rows.push_back({names, methods[m].first, std::string(kClasses[c]), std::to_string(e.asked),
                                  std::to_string(e.wrong), cell(e.distance), cell(e.depth), cell(e.normal),
                                  cell(e.witness)});
    }
}

template <int D, class Makers>
Cells run_all(Session& session, const Makers& makers, const Methods<D>& methods, const std::string& name) {
  const std::size_t poses = session.options().quick ? 40 : 1000;
  Cells cells{{name, {"pair", "method", "poses", "asked", "wrong", "distance", "depth", "normal", "witness"}, {}}};
  for (std::size_t i = 0; i < makers.size(); ++i)
    for (std::size_t j = i; j < makers.size(); ++j) {
      Random random(1);
      session.progress(name + ": " + makers[i](random, 1).name + " – " + makers[j](random, 1).name);
      run_pair<D>(makers[i], makers[j], methods, poses, session.options().seed + 1000 * i + j, cells);
    }
  return cells;
}

// Times the larger shape. What Drake publishes of FCL, in metres: 2e-3 for two cylinders, 1e-3 for a box and a cylinder,
// 5e-4 for ellipsoids.
constexpr double kWorstPolytopes = 1e-9, kWorstOthers = 1e-7;

}  // namespace

void bench_accuracy(Session& session) {
  Cells plane = run_all<2>(session, body_makers2(), methods2(), "accuracy2");
  Cells space = run_all<3>(session, body_makers3(), methods3(), "accuracy3");
  session.note(
      "Accuracy: each cell is the largest error / the 99.9th percentile, over the size of the larger shape (about a "
      "metre); the error of a normal is weighed by the gap over the size. Poses: random (gaps and overlaps up to the "
      "smaller shape), near (1e-12 to 1e-3 of it), deep, ratio (sizes apart by 1e2 to 1e6). Shapes and the narrow "
      "phase are double in both builds of the library, so one table holds for both.");
  session.bar_at_most("accuracy: worst distance or depth of polytopes", kWorstPolytopes,
                      std::max(plane.of_polytopes, space.of_polytopes));
  session.bar_at_most("accuracy: worst distance or depth of other pairs", kWorstOthers,
                      std::max(plane.of_others, space.of_others));
  session.bar_at_most("accuracy: wrong yes or no", 0, static_cast<double>(plane.wrong + space.wrong));
  session.add_table(std::move(plane.table));
  session.add_table(std::move(space.table));
}

}  // namespace sudar_bench
