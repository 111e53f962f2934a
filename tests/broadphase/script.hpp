// What:    Random scripts of changes and questions to a broad phase, and shorter ones that fail alike.
#pragma once

#include "lab/box_script.hpp"
#include "tests/support/shrink.hpp"
#include <sudar/core/random.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace sudar_test {

// As the lab reads and shows them (lab/box_script.hpp)
using Action = sudar::lab::BoxAction;
template <int D>
using Line = sudar::lab::BoxLine<D>;
template <int D>
using Script = sudar::lab::BoxScript<D>;
using sudar::lab::print_script;

// Nothing when it is no script of this dimension
template <int D>
std::optional<Script<D>> parse_script(std::string_view text) {
  std::string why_not;
  return sudar::lab::parse_script<D>(text, why_not);
}

// The numbers of a line, for who wants to make them simpler
template <int D, class F>
void for_each_number(Line<D>& line, F&& visit) {
  const sudar::lab::BoxLineParts has = parts_of(line.action);
  const auto box = [&](sudar::Aabb<D, double>& b) {
    for (int k = 0; k < D; ++k) {
      visit(b.lo[k]);
      visit(b.hi[k]);
    }
  };
  if (has.box) box(line.box);
  if (has.direction)
    for (int k = 0; k < D; ++k) visit(line.direction[k]);
  if (has.amount) visit(line.amount);
  for (auto& b : line.boxes) box(b);
}

// Line i with a simpler member, if fails(script) still holds
template <int D, class T, class F>
void simplify(Script<D>& script, std::size_t i, T Line<D>::*member, const T& simple, F&& fails) {
  if (script[i].*member == simple) return;
  const T before = std::exchange(script[i].*member, simple);
  if (!fails(script)) script[i].*member = before;
}

// A shorter script with simpler lines for which fails(script) still holds
template <int D, class F>
Script<D> shrink(Script<D> script, F&& fails) {
  constexpr std::size_t kFewLines = 24;
  leave_out(script, fails);
  for (std::size_t i = 0; i < script.size(); ++i) {
    std::vector<sudar::Aabb<D, double>> boxes = script[i].boxes;
    leave_out(boxes, [&](const auto& fewer) {
      Script<D> other = script;
      other[i].boxes = fewer;
      return fails(other);
    });
    script[i].boxes = boxes;
    // From the most telling to the simplest: the last one that still fails stays
    for (const std::uint32_t which : {2u, 1u, 0u}) simplify(script, i, &Line<D>::which, which, fails);
    for (double fewer = script[i].amount; script[i].action == Action::many && fewer > 1; fewer = std::floor(fewer / 2))
      simplify(script, i, &Line<D>::amount, fewer, fails);
    simplify(script, i, &Line<D>::filter, sudar::Filter{}, fails);
    simplify(script, i, &Line<D>::motion, sudar::Motion::moving, fails);
    Line<D> line = script[i];
    for_each_number(line, [&](double& x) {
      simplify(x, [&] {
        Script<D> other = script;
        other[i] = line;
        return fails(other);
      });
    });
    script[i] = line;
  }
  leave_out(script, fails);
  if (script.size() <= kFewLines) leave_out_twos(script, fails);
  return script;
}

// Batches of changes, a look after each, and questions
template <int D>
Script<D> random_script(sudar::Random& random) {
  Script<D> script;
  const std::uint64_t style = random.below(4);
  const auto number = [&]() -> double {
    constexpr double kEnds[] = {-1e300, -3.4028234663852886e38, -1e30, -1, -1e-45, -0.0, 0, 1e-45, 1e-38, 0.1, 1,
                                1e30,   3.4028234663852886e38,  1e300};
    switch (style) {
      case 0:
        return static_cast<double>(random.below(12));  // ties
      case 1:
        return random.uniform(-10, 10);
      case 2:
        return static_cast<float>(random.uniform(-10, 10));
      default:
        return random.coin() ? kEnds[random.below(14)] : static_cast<double>(random.below(5));
    }
  };
  // One in `bad` is no box
  const auto box = [&](std::uint64_t bad = 60) {
    sudar::Aabb<D, double> b;
    for (int k = 0; k < D; ++k) {
      b.lo[k] = number();
      if (style == 3) {
        b.hi[k] = number();
        if (b.hi[k] < b.lo[k]) std::swap(b.lo[k], b.hi[k]);
      } else {
        const double edge = random.below(30) == 0 ? 30
                            : style == 0          ? static_cast<double>(random.below(4))
                                                  : random.uniform(0, 3);
        b.hi[k] = random.below(6) == 0 ? b.lo[k] : b.lo[k] + edge;
      }
    }
    if (random.below(bad) == 0) b.lo[0] = random.coin() ? std::numeric_limits<double>::quiet_NaN() : b.hi[0] + 1;
    return b;
  };
  const auto filter = [&]() -> sudar::Filter {
    if (random.coin()) return {};
    return {1u << random.below(3), static_cast<std::uint32_t>(1 + random.below(7)),
            static_cast<std::uint32_t>(random.below(3))};
  };
  const auto add = [&](Action action) {
    Line<D> line;
    line.action = action;
    line.which = static_cast<std::uint32_t>(random.below(1000));
    line.box = box();
    for (int k = 0; k < D; ++k)
      line.direction[k] = random.below(4) == 0 ? 0
                          : style == 0         ? static_cast<double>(random.below(5)) - 2.0
                                               : random.uniform(-1, 1);
    line.amount = random.uniform();
    line.filter = filter();
    line.motion = random.below(3) == 0 ? sudar::Motion::fixed : sudar::Motion::moving;
    switch (action) {
      case Action::callback:
        line.which = random.coin() ? 1 : 0;
        break;
      case Action::drift:
        line.amount *= style == 0 ? 2 : 0.3;
        break;
      case Action::cast:
        line.amount = random.coin() ? std::numeric_limits<double>::infinity() : 20 * line.amount;
        break;
      case Action::nearest:
        line.which = static_cast<std::uint32_t>(random.below(8));
        break;
      case Action::many: {
        // So many that cells, columns and trees have several levels; now and then flat, or a crowd
        line.amount = static_cast<double>(50 + random.below(random.below(3) == 0 ? 1200 : 400));
        const double half = random.below(4) == 0 ? 2 : 15;
        for (int k = 0; k < D; ++k) {
          line.box.lo[k] = random.uniform(-half, half) - (random.below(6) == 0 ? 0 : half);
          line.box.hi[k] = line.box.lo[k] + (random.below(6) == 0 ? 0.1 : 2 * half);
          line.direction[k] = random.below(8) == 0 ? half : random.uniform(0.1, 1.5);
        }
        // A few that reach over the others
        if (!script.empty() && script.back().action == Action::many && random.coin()) {
          line.box = script.back().box;
          line.amount = static_cast<double>(1 + random.below(4));
          for (int k = 0; k < D; ++k) line.direction[k] = 40;
        }
        break;
      }
      case Action::assign: {
        constexpr std::uint64_t kCounts[] = {0, 1, 2, 10, 30, 30, 80};
        for (std::uint64_t count = kCounts[random.below(7)]; count > 0; --count) line.boxes.push_back(box(500));
        break;
      }
      default:
        break;
    }
    script.push_back(std::move(line));
  };
  // Few of what makes everything new
  constexpr Action kChanges[] = {Action::insert,   Action::insert, Action::insert, Action::insert, Action::insert,
                                 Action::move,     Action::move,   Action::shift,  Action::shift,  Action::shift,
                                 Action::teleport, Action::remove, Action::remove, Action::filter, Action::motion};
  constexpr Action kRare[] = {Action::callback, Action::assign, Action::clear, Action::parameter, Action::parameter};
  constexpr Action kQuestions[] = {Action::cast, Action::overlap, Action::nearest};
  for (std::uint64_t first = random.below(40); first > 0; --first) add(Action::insert);
  for (std::uint64_t crowds = random.below(10) == 0 ? 1 + random.below(3) : 0; crowds > 0; --crowds) add(Action::many);
  for (std::uint64_t batch = 2 + random.below(8); batch > 0; --batch) {
    if (random.below(3) == 0) add(Action::drift);
    for (std::uint64_t changes = random.below(random.below(4) == 0 ? 30 : 6); changes > 0; --changes)
      add(kChanges[random.below(std::size(kChanges))]);
    if (random.below(5) == 0) add(kRare[random.below(std::size(kRare))]);
    // Now and then without an update, which everybody must notice
    if (random.below(20) != 0) add(random.below(12) == 0 ? Action::build : Action::update);
    if (random.coin()) add(Action::events);
    for (std::uint64_t questions = random.below(4); questions > 0; --questions) add(kQuestions[random.below(3)]);
  }
  return script;
}

}  // namespace sudar_test
