// What:    See recording.hpp.
#include <sudar/dynamics/recording.hpp>
#include <sudar/dynamics/world_doors.hpp>

#include <algorithm>
#include <array>
#include <bit>

namespace sudar {

namespace {

template <int D>
std::optional<BodyField> field_that_differs(const RecordedBody<D>& a, const RecordedBody<D>& b) {
  std::array<std::uint64_t, 16> bits{};
  std::size_t count = 0;
  for_each_number(b.state, [&](BodyField, double x) { bits[count++] = std::bit_cast<std::uint64_t>(x); });
  std::optional<BodyField> out;
  std::size_t k = 0;
  for_each_number(a.state, [&](BodyField field, double x) {
    if (std::bit_cast<std::uint64_t>(x) != bits[k++] && !out) out = field;
  });
  if (!out && a.asleep != b.asleep) out = BodyField::asleep;
  return out;
}

template <int D>
void append_bodies(const World<D>& world, std::vector<RecordedBody<D>>& out) {
  const std::span<const WorldBody<D>> bodies = world.bodies();
  for (std::uint32_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].used) out.push_back({i, bodies[i].asleep, bodies[i].state});
}

}  // namespace

template <int D>
std::vector<RecordedBody<D>> recorded_bodies(const World<D>& world) {
  std::vector<RecordedBody<D>> out;
  append_bodies(world, out);
  return out;
}

template <int D>
std::optional<Divergence> first_difference(std::size_t step, std::span<const RecordedBody<D>> a,
                                           std::span<const RecordedBody<D>> b) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    if (i >= a.size() || i >= b.size() || a[i].index != b[i].index) {
      const std::uint32_t first = i >= a.size()   ? b[i].index
                                  : i >= b.size() ? a[i].index
                                                  : std::min(a[i].index, b[i].index);
      return Divergence{step, first, BodyField::presence};
    }
    if (const auto field = field_that_differs<D>(a[i], b[i])) return Divergence{step, a[i].index, *field};
  }
  return std::nullopt;
}

std::string Divergence::message() const {
  std::string out = "first differs at step " + std::to_string(step);
  if (body) out += ", body " + std::to_string(*body) + ", " + std::string(to_string(field));
  return out;
}

template <int D>
void WorldRecording<D>::make_room() {
  world_doors::make_room(bodies, bodies.size() + 1);
  world_doors::make_room(joints, joints.size() + 1);
  world_doors::make_room(inputs, inputs.size() + 1);
}

template <int D>
void WorldRecording<D>::make_room_for_step(const World<D>& world) {
  world_doors::make_room(inputs, inputs.size() + 1);
  world_doors::make_room(hashes, hashes.size() + 1);
  if (!keep_states) return;
  // Nobody comes in a step
  world_doors::make_room(states, states.size() + world.bodies().size());
  world_doors::make_room(state_end, state_end.size() + 1);
}

template <int D>
void WorldRecording<D>::add_step(const World<D>& world) {
  hashes.push_back(world.state_hash());
  if (!keep_states) return;
  append_bodies(world, states);
  state_end.push_back(states.size());
}

template <int D>
std::optional<Divergence> first_difference(const WorldRecording<D>& a, const WorldRecording<D>& b) {
  for (std::size_t i = 0; i < std::min(a.hashes.size(), b.hashes.size()); ++i) {
    if (a.hashes[i] == b.hashes[i]) continue;
    if (!a.keep_states || !b.keep_states) return Divergence{i, std::nullopt, BodyField::presence};
    if (const auto found = first_difference<D>(i, a.states_of(i), b.states_of(i))) return found;
    return Divergence{i, std::nullopt, BodyField::presence};
  }
  return std::nullopt;
}

template <int D>
Result<ReplayReport> replay(const WorldRecording<D>& recording, World<D>& world) {
  return guarded([&]() -> Result<ReplayReport> {
    if (const Result<void> restored = world.restore(recording.start); !restored) return restored.error();
    ReplayReport report;
    for (std::size_t i = 0; i < recording.inputs.size(); ++i) {
      const WorldInput<D>& input = recording.inputs[i];
      if (input.kind == InputKind::add_body) {
        if (input.index >= recording.bodies.size()) return Error{ErrorCode::bad_format, i, "a body is missing"};
        if (const auto added = world.add_body(recording.bodies[input.index]); !added) return added.error();
      } else if (input.kind == InputKind::add_joint) {
        if (input.index >= recording.joints.size()) return Error{ErrorCode::bad_format, i, "a joint is missing"};
        const WorldJoint<D>& joint = recording.joints[input.index];
        if (const auto added = world.add_joint(joint.a, joint.b, joint.joint, joint.collide); !added)
          return added.error();
      } else if (input.kind != InputKind::step) {
        if (const Result<void> done = world.apply(input); !done) return done.error();
      } else {
        if (const auto done = world.step(input.value); !done) return done.error();
        const std::size_t step = report.steps++;
        if (step >= recording.hashes.size()) return Error{ErrorCode::bad_format, i, "a step has no hash"};
        if (world.state_hash() == recording.hashes[step]) continue;
        report.divergence = Divergence{step, std::nullopt, BodyField::presence};
        if (recording.keep_states)
          if (const auto found = first_difference<D>(step, recording.states_of(step), recorded_bodies(world)))
            report.divergence = found;
        return report;
      }
    }
    return report;
  });
}

template struct SUDAR_API WorldRecording<2>;
template struct SUDAR_API WorldRecording<3>;
template SUDAR_API std::vector<RecordedBody<2>> recorded_bodies(const World<2>&);
template SUDAR_API std::optional<Divergence> first_difference(std::size_t, std::span<const RecordedBody<2>>,
                                                              std::span<const RecordedBody<2>>);
template SUDAR_API std::optional<Divergence> first_difference(const WorldRecording<2>&, const WorldRecording<2>&);
template SUDAR_API std::vector<RecordedBody<3>> recorded_bodies(const World<3>&);
template SUDAR_API std::optional<Divergence> first_difference(std::size_t, std::span<const RecordedBody<3>>,
                                                              std::span<const RecordedBody<3>>);
template SUDAR_API std::optional<Divergence> first_difference(const WorldRecording<3>&, const WorldRecording<3>&);
template SUDAR_API Result<ReplayReport> replay(const WorldRecording<2>&, World<2>&);
template SUDAR_API Result<ReplayReport> replay(const WorldRecording<3>&, World<3>&);

}  // namespace sudar
