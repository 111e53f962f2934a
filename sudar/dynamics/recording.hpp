// What:    A recording of a world: how it was, every input since, and a hash of its state after every step; a replay that
//          says where it first differs.
// Source:  the divergence check of Box2D's and Box3D's replays.
// Differs: With the states kept, the report names step, body and field: "first differs at step 12, body 3, momentum".
// Frame:   Steps count from the beginning of the recording: 0 is its first step.
// Fails:   replay: what the world's doors say, and bad_format for an input that names a body or joint that the recording
//          does not have.
#pragma once

#include <sudar/dynamics/world.hpp>

#include <optional>
#include <string>

namespace sudar {

template <int D>
struct RecordedBody {
  std::uint32_t index = 0;
  bool asleep = false;
  RigidState<D> state{};
};

template <int D>
struct WorldRecording {
  WorldOptions<D> options{};  // of the world that was recorded, without its executor
  WorldSnapshot<D> start;
  std::vector<WorldInput<D>> inputs;
  std::vector<BodySpec<D>> bodies;    // that were added
  std::vector<WorldJoint<D>> joints;  // that were added
  std::vector<std::uint64_t> hashes;  // after each step
  // After each step, when they are kept: 14 numbers a body and step in space
  bool keep_states = true;
  std::vector<RecordedBody<D>> states;
  std::vector<std::size_t> state_end;  // of each step

  // For one more body, joint and input: what is then put in cannot fail. May throw bad_alloc.
  SUDAR_API void make_room();
  // The same for a step of this world and what add_step() then puts in
  SUDAR_API void make_room_for_step(const World<D>& world);
  SUDAR_API void add_step(const World<D>& world);
  std::span<const RecordedBody<D>> states_of(std::size_t step) const {
    if (step >= state_end.size()) return {};
    const std::size_t begin = step == 0 ? 0 : state_end[step - 1];
    return std::span<const RecordedBody<D>>(states).subspan(begin, state_end[step] - begin);
  }
};

struct Divergence {
  std::size_t step = 0;
  // Nothing when no states were kept: then only the hashes are known to differ
  std::optional<std::uint32_t> body;
  BodyField field = BodyField::presence;

  // "first differs at step 12, body 3, momentum"
  SUDAR_API std::string message() const;
  friend bool operator==(const Divergence&, const Divergence&) = default;
};

// The bodies of a world as they are, in rising order of their indices
template <int D>
SUDAR_API std::vector<RecordedBody<D>> recorded_bodies(const World<D>& world);
// Where two states of that order first differ, after that step
template <int D>
SUDAR_API std::optional<Divergence> first_difference(std::size_t step, std::span<const RecordedBody<D>> a,
                                                     std::span<const RecordedBody<D>> b);
// Where two recordings first differ, step by step; a shorter one is compared as far as it goes
template <int D>
SUDAR_API std::optional<Divergence> first_difference(const WorldRecording<D>& a, const WorldRecording<D>& b);

struct ReplayReport {
  std::size_t steps = 0;  // that were taken, the one that differs included
  std::optional<Divergence> divergence;
};

// Restores the world to the recording's start, gives it all inputs again, and stops at the first step that differs. The
// world may have another broad phase or executor; with other options it differs, and the report says where.
template <int D>
SUDAR_API Result<ReplayReport> replay(const WorldRecording<D>& recording, World<D>& world);

extern template struct SUDAR_API WorldRecording<2>;
extern template struct SUDAR_API WorldRecording<3>;

}  // namespace sudar
