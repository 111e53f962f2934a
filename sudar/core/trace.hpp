// What:    Watching an algorithm at work: it reports its steps to a sink that is passed as an argument.
// Differs: The default sink, NoTrace, is empty and costs nothing: the calls are compiled out by `if constexpr`. The
//          same code runs under the lab's microscope, the docs' pictures and the regression dumps.
// Fails:   a sink may throw bad_alloc, which the door turns into out_of_memory, and nothing else.
//
// An algorithm is a template that its .cpp instantiates for NoTrace and TraceTo:
//   template <class Trace = NoTrace> Result<Hull3> quickhull3(std::span<const Vec3d> points, Trace trace = {});
// and reports its steps with
//   if constexpr (Trace::kEnabled) trace({.step = "add point", .ids = {&i, 1}, .value = distance});
#pragma once

#include <sudar/core/config.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sudar {

// One step of an algorithm. The views are valid during the call only.
struct TraceEvent {
  std::string_view step;                    // what happened, a fixed phrase per algorithm
  std::span<const std::uint32_t> ids = {};  // indices into the caller's input
  std::span<const double> numbers = {};     // coordinates, planes … as the phrase says
  double value = 0;                         // the number that decided
};

class SUDAR_API TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual void on_event(const TraceEvent& event) = 0;
};

struct NoTrace {
  static constexpr bool kEnabled = false;
  void operator()(const TraceEvent&) const {}
};

struct TraceTo {
  static constexpr bool kEnabled = true;
  TraceSink* sink;
  void operator()(const TraceEvent& event) const { sink->on_event(event); }
};

// Keeps every event, for stepping forwards and backwards
class TraceLog final : public TraceSink {
 public:
  struct Entry {
    std::string step;
    std::vector<std::uint32_t> ids;
    std::vector<double> numbers;
    double value;
  };

  void on_event(const TraceEvent& event) override {
    entries_.push_back({std::string(event.step),
                        {event.ids.begin(), event.ids.end()},
                        {event.numbers.begin(), event.numbers.end()},
                        event.value});
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace sudar
