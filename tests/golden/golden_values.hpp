// What:    Golden values: lines of a hash, a number of steps, and what is hashed. That is a world by name (worlds.txt) or
//          one of pairs, contacts, events, distances and impacts, and a scene of boxes by name (scenes.txt). With them the
//          cells in which each value is to be the same: broad phases, numbers of threads, instruction sets.
#pragma once

#include "tests/golden/golden_scenes.hpp"
#include "tests/golden/golden_worlds.hpp"
#include "tests/support/threads.hpp"
#include <sudar/core/instruction_sets.hpp>

#include <array>
#include <fstream>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace sudar_test {

struct GoldenValue {
  std::uint64_t hash = 0;
  int steps = 0;
  std::string text;  // what is hashed
};

// Nothing when a line is not what it should be
inline std::vector<GoldenValue> read_golden(const std::string& path) {
  std::vector<GoldenValue> out;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    GoldenValue value;
    std::size_t digits = 0, more = 0;
    try {
      value.hash = std::stoull(line, &digits, 16);
      value.steps = std::stoi(line.substr(digits), &more);
      value.text = line.substr(digits + more + 1);
    } catch (const std::exception&) {
      return {};
    }
    out.push_back(value);
  }
  return out;
}

// Nothing when there is no such thing, or it cannot be run
inline std::optional<std::uint64_t> golden_hash(const GoldenValue& value, std::string_view broadphase,
                                                sudar::Executor* executor) {
  const std::string_view text = value.text;
  const std::string_view what = text.substr(0, text.find(' '));
  const auto world = sudar::scenes::parse(text);
  if (world) {
    return world->dim() == 2 ? world_hash<2>(*world, value.steps, broadphase, executor)
                             : world_hash<3>(*world, value.steps, broadphase, executor);
  }
  if (what.size() == text.size()) return std::nullopt;
  const auto boxes = sudar::scenes::parse(text.substr(what.size() + 1));
  if (!boxes) return std::nullopt;
  return boxes->dim() == 2 ? scene_hash<2>(what, *boxes, value.steps, broadphase, executor)
                           : scene_hash<3>(what, *boxes, value.steps, broadphase, executor);
}

struct GoldenCell {
  std::string_view broadphase;
  unsigned threads;
  std::size_t set;  // of instructions
};

// All cells, one after the other, in an order that soon has had each broad phase, number of threads and instruction set
class GoldenCells {
 public:
  GoldenCells() {
    stride_ = size() * 2 / 5 + 1;
    // Steps of a size that shares no factor with their number go round all of them
    while (std::gcd(stride_, size()) != 1) ++stride_;
    for (std::size_t i = 0; i < kThreads; ++i) executors_[i] = std::make_unique<Threads>(static_cast<unsigned>(i) + 1);
  }
  std::size_t size() const { return kThreads * searches_.size() * sets_.size(); }
  // How many of them for each of so many values, so that each cell comes up
  std::size_t once_round(std::size_t values) const { return (size() + values - 1) / values; }
  GoldenCell cell() const {
    return {searches_[at_ / kThreads % searches_.size()].name, static_cast<unsigned>(at_ % kThreads) + 1,
            at_ / kThreads / searches_.size()};
  }
  std::optional<std::uint64_t> hash_here(const GoldenValue& value) const {
    sudar::hold_to_instruction_set(cell().set);
    const auto hash = golden_hash(value, cell().broadphase, executors_[at_ % kThreads].get());
    sudar::hold_to_instruction_set(sets_.size());
    return hash;
  }
  void next() { at_ = (at_ + stride_) % size(); }
  std::string_view name_of_set() const { return sets_[cell().set]; }
  std::string names_of_sets() const {
    std::string out;
    for (const std::string_view name : sets_) out.append(out.empty() ? "" : " ").append(name);
    return out;
  }

 private:
  static constexpr std::size_t kThreads = 8;  // from one to so many

  std::span<const sudar::BroadphaseEntry> searches_ = sudar::broadphases();
  decltype(sudar::instruction_sets()) sets_ = sudar::instruction_sets();
  std::array<std::unique_ptr<Threads>, kThreads> executors_;
  std::size_t stride_ = 1, at_ = 0;
};

}  // namespace sudar_test
