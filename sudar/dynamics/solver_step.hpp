// What:    The order of one step of the solver, the same in plane and space: check, colour, prepare, substeps, restitution,
//          answers. What differs (lines, kernels, rows of joints) comes with the Dim.
// Source:  See contact_solver3.hpp.
// Differs: Work is cut by grains alone, and colours follow each other, so threads do not change a bit.
#pragma once

#include <sudar/core/arena.hpp>
#include <sudar/core/result.hpp>
#include <sudar/dynamics/colouring.hpp>
#include <sudar/dynamics/contact_lanes.hpp>
#include <sudar/dynamics/joint_rows.hpp>
#include <sudar/dynamics/solver_body.hpp>
#include <sudar/dynamics/solver_input.hpp>
#include <sudar/dynamics/solver_tolerance.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace sudar {

// Kept between steps for its memory alone
template <class Dim>
struct StepScratch {
  Arena arena;
  Colouring colouring;
  std::vector<Pose<Dim::D, double>> poses;
  std::vector<typename Dim::JointRows> joint_rows;
};

template <class Dim>
class SolverStep {
 public:
  static constexpr int D = Dim::D;
  using Line = typename Dim::Line;
  using Bundle = typename Dim::Bundle;
  using Joint = typename Dim::Joint;

  SolverStep(StepScratch<Dim>& scratch, std::span<SolverBody<D>> bodies, std::span<const ContactInput<D>> contacts,
             std::span<const ContactPointInput<D>> points, std::span<PointImpulse<D>> impulses, std::span<Joint> joints,
             const SolverSettings& settings)
      : scratch_(scratch),
        bodies_(bodies),
        contacts_(contacts),
        points_(points),
        impulses_(impulses),
        joints_(joints),
        settings_(settings),
        executor_(settings.executor != nullptr ? *settings.executor : serial_executor()) {}

  Result<SolverStats> run() {
    if (Result<void> checked = check_all(); !checked) return checked.error();
    scratch_.arena.reset();
    load_bodies();
    colour_joints();
    colour_contacts();
    prepare_contacts();
    substeps();
    finish();
    return stats_;
  }

 private:
  static constexpr std::size_t kBodyGrain = 256, kBundleGrain = 8, kJointGrain = 32;
  static constexpr std::uint32_t kNobody = 0xffffffffu;
  static constexpr std::size_t kMostLinks = std::size_t{1} << 31;

  static Error fault(ErrorCode code, std::size_t element, const char* reason) { return {code, element, reason}; }

  Result<void> check_all() const {
    const SolverSettings& s = settings_;
    if (!(s.dt > 0) || !std::isfinite(s.dt) || s.substeps < 1 || s.relax < 0 || !(s.contact_hertz > 0) ||
        !(s.joint_hertz > 0) || !(s.contact_damping >= 0) || !(s.joint_damping >= 0) || !(s.push_speed >= 0) ||
        !(s.firm_depth >= 0) || !(s.restitution_threshold >= 0) || !(s.warm_start >= 0) ||
        !std::isfinite(s.contact_hertz + s.contact_damping + s.joint_hertz + s.joint_damping + s.warm_start))
      return fault(ErrorCode::invalid_argument, Error::kNoElement, "settings of the solver are out of range");
    if (contacts_.size() > kMostLinks || joints_.size() > kMostLinks || bodies_.size() > kMostLinks)
      return fault(ErrorCode::too_large, Error::kNoElement, "more than 2^31 bodies, contacts or joints");
    if (impulses_.size() != points_.size())
      return fault(ErrorCode::invalid_argument, Error::kNoElement, "each point of a contact needs an impulse");
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const SolverBody<D>& b = bodies_[i];
      if (!Dim::finite(b)) return fault(ErrorCode::non_finite, i, "state of a body is NaN or infinite");
      if (!(b.inverse_mass >= 0) || !(b.linear_damping >= 0) || !(b.angular_damping >= 0))
        return fault(ErrorCode::invalid_argument, i, "inverse mass or damping of a body is negative");
    }
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const ContactInput<D>& c = contacts_[i];
      if (c.a >= bodies_.size() || c.b >= bodies_.size())
        return fault(ErrorCode::index_out_of_range, i, "a contact refers to a body that is not there");
      if (c.a == c.b) return fault(ErrorCode::invalid_argument, i, "a contact of a body with itself");
      if (c.count > kMaxContactPoints<D> || c.first > points_.size() || c.count > points_.size() - c.first)
        return fault(ErrorCode::index_out_of_range, i, "a contact refers to points that are not there, or too many");
      if (!is_finite(c.normal)) return fault(ErrorCode::non_finite, i, "normal of a contact is NaN or infinite");
      if (!(c.friction >= 0) || !(c.restitution >= 0) || !std::isfinite(c.friction) || !std::isfinite(c.restitution))
        return fault(ErrorCode::invalid_argument, i, "friction or restitution of a contact is negative or NaN");
      // Zero, unless something is NaN or infinite
      double nothing = 0;
      for (std::uint32_t k = c.first; k < c.first + c.count; ++k) {
        const PointImpulse<D>& p = impulses_[k];
        nothing += points_[k].separation * 0 + p.normal * 0 + p.twist * 0;
        for (int axis = 0; axis < D; ++axis) nothing += points_[k].position[axis] * 0 + p.friction[axis] * 0;
      }
      if (!(nothing == 0)) return fault(ErrorCode::non_finite, i, "a point of a contact is NaN or infinite");
    }
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      const Joint& j = joints_[i];
      if (j.a >= bodies_.size() || j.b >= bodies_.size())
        return fault(ErrorCode::index_out_of_range, i, "a joint refers to a body that is not there");
      if (j.a == j.b) return fault(ErrorCode::invalid_argument, i, "a joint of a body with itself");
      if (Result<void> checked = check(j); !checked) return fault(checked.error().code, i, checked.error().reason);
    }
    return {};
  }

  void load_bodies() {
    const std::size_t count = bodies_.size() + 1;  // and the spare one
    for (std::span<Line>* lines : {&velocity_, &change_, &weight_, &place_, &base_, &carry_})
      *lines = scratch_.arena.template allocate<Line>(count);
    scratch_.poses.resize(count);
    poses_ = scratch_.poses;
    movable_ = scratch_.arena.template allocate<std::uint8_t>(count);
    parallel_for(executor_, count, kBodyGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const SolverBody<D> spare{};
        const SolverBody<D>& body = i < bodies_.size() ? bodies_[i] : spare;
        velocity_[i] = Dim::velocity_line(body);
        weight_[i] = Dim::weight_line(body);
        place_[i] = Dim::place_line(body);
        change_[i] = base_[i] = carry_[i] = Line{};
        poses_[i] = {body.position, body.rotation};
        movable_[i] = body.movable() ? 1 : 0;
      }
    });
  }

  // Joints by colour, in order within
  void colour_joints() {
    const std::size_t count = joints_.size();
    stats_.joints = static_cast<std::uint32_t>(count);
    joint_links_ = scratch_.arena.template allocate<Link>(count);
    const auto colours = scratch_.arena.template allocate<std::uint32_t>(count);
    for (std::size_t i = 0; i < count; ++i) joint_links_[i] = {joints_[i].a, joints_[i].b};
    stats_.joint_colours = scratch_.colouring.colour(joint_links_, movable_, colours);
    const std::size_t n = stats_.joint_colours;
    joint_ends_ = scratch_.arena.template allocate<std::uint32_t>(n + 1);
    std::fill(joint_ends_.begin(), joint_ends_.end(), 0u);
    for (const std::uint32_t c : colours)
      if (c != kNoColour) ++joint_ends_[c + 1];
    for (std::size_t c = 0; c < n; ++c) joint_ends_[c + 1] += joint_ends_[c];
    joint_order_ = scratch_.arena.template allocate<std::uint32_t>(joint_ends_[n]);
    const auto next = scratch_.arena.template allocate<std::uint32_t>(n + 1);
    std::copy(joint_ends_.begin(), joint_ends_.end(), next.begin());
    for (std::uint32_t i = 0; i < count; ++i)
      if (colours[i] != kNoColour) joint_order_[next[colours[i]]++] = i;
    scratch_.joint_rows.resize(count);
    joint_rows_ = scratch_.joint_rows;
    for (Joint& joint : joints_) Dim::scale_impulses(joint, settings_.warm_start);
  }

  // Contacts by colour, those with many points first, eight to a bundle
  void colour_contacts() {
    const std::size_t count = contacts_.size();
    const auto links = scratch_.arena.template allocate<Link>(count);
    const auto colours = scratch_.arena.template allocate<std::uint32_t>(count);
    const auto used_ids = scratch_.arena.template allocate<std::uint32_t>(count);
    // What stands on a body that cannot move comes last in every pass: its word is the last one
    std::size_t used = 0, between = 0;
    for (const bool held : {false, true}) {
      for (std::uint32_t i = 0; i < count; ++i) {
        const ContactInput<D>& c = contacts_[i];
        if (c.count == 0 || (movable_[c.a] != 0 && movable_[c.b] != 0) == held) continue;
        stats_.points += c.count;
        used_ids[used] = i;
        links[used++] = {c.a, c.b};
      }
      if (!held) between = used;
    }
    stats_.contacts = static_cast<std::uint32_t>(used);
    const std::uint32_t first_held = scratch_.colouring.colour(links.first(between), movable_, colours.first(between));
    stats_.contact_colours = first_held + scratch_.colouring.colour(links.subspan(between, used - between), movable_,
                                                                    colours.subspan(between, used - between));
    for (std::size_t k = between; k < used; ++k)
      if (colours[k] != kNoColour) colours[k] += first_held;
    const std::size_t n = stats_.contact_colours;
    constexpr std::size_t kMost = kMaxContactPoints<D>;
    const auto ends = scratch_.arena.template allocate<std::uint32_t>(n * kMost + 1);
    std::fill(ends.begin(), ends.end(), 0u);
    const auto key = [&](std::size_t k) { return colours[k] * kMost + (kMost - contacts_[used_ids[k]].count); };
    for (std::size_t k = 0; k < used; ++k)
      if (colours[k] != kNoColour) ++ends[key(k) + 1];
    for (std::size_t k = 0; k < n * kMost; ++k) ends[k + 1] += ends[k];
    bundle_ends_ = scratch_.arena.template allocate<std::uint32_t>(n + 1);
    constexpr std::uint32_t kFull = kBundle;
    bundle_ends_[0] = 0;
    for (std::size_t c = 0; c < n; ++c)
      bundle_ends_[c + 1] = bundle_ends_[c] + (ends[(c + 1) * kMost] - ends[c * kMost] + kFull - 1) / kFull;
    stats_.bundles = bundle_ends_[n];
    lanes_ = scratch_.arena.template allocate<std::uint32_t>(std::size_t{stats_.bundles} * kBundle);
    std::fill(lanes_.begin(), lanes_.end(), kNobody);
    const auto first = scratch_.arena.template allocate<std::uint32_t>(n);
    for (std::size_t c = 0; c < n; ++c) first[c] = ends[c * kMost];
    for (std::size_t k = 0; k < used; ++k) {
      if (colours[k] == kNoColour) {
        clear_impulses(contacts_[used_ids[k]]);
        continue;
      }
      const std::uint32_t c = colours[k], at = ends[key(k)]++ - first[c];
      lanes_[std::size_t{bundle_ends_[c]} * kBundle + at] = used_ids[k];
    }
    bundles_ = scratch_.arena.template allocate<Bundle>(stats_.bundles);
  }

  void clear_impulses(const ContactInput<D>& c) {
    for (std::uint32_t k = c.first; k < c.first + c.count; ++k) impulses_[k] = {};
  }

  void prepare_contacts() {
    const auto lines = kernel_lines();
    parallel_for(executor_, bundles_.size(), kBundleGrain, [&](std::size_t begin, std::size_t end) {
      typename Dim::Input input;
      for (std::size_t k = begin; k < end; ++k) {
        Bundle& bundle = bundles_[k];
        bundle.points = bundle.moves_a = bundle.moves_b = bundle.bounces = 0;
        for (std::size_t l = 0; l < kBundle; ++l) {
          const std::uint32_t id = lanes_[k * kBundle + l];
          if (id == kNobody) {
            bundle.a[l] = bundle.b[l] = static_cast<std::uint32_t>(bodies_.size());
            Dim::fill_empty(input, l);
            continue;
          }
          const ContactInput<D>& c = contacts_[id];
          const bool moves_a = movable_[c.a] != 0, moves_b = movable_[c.b] != 0;
          bundle.a[l] = c.a;
          bundle.b[l] = c.b;
          bundle.points = std::max(bundle.points, c.count);
          bundle.moves_a |= static_cast<std::uint32_t>(moves_a) << l;
          bundle.moves_b |= static_cast<std::uint32_t>(moves_b) << l;
          if (c.restitution > 0) bundle.bounces = 1;
          Dim::fill(input, l, c, points_.data() + c.first, impulses_.data() + c.first, !(moves_a && moves_b));
        }
        Dim::prepare(&bundle, input, lines, settings_.warm_start, settings_.plain);
      }
    });
  }

  typename Dim::Lines kernel_lines() { return {velocity_.data(), change_.data(), weight_.data(), place_.data()}; }
  typename Dim::JointBodies joint_bodies(std::span<Line> velocity) {
    return {velocity.data(), weight_.data(), poses_.data(), movable_.data()};
  }

  template <class F>
  void each_bundle_colour(F&& body) {
    for (std::size_t c = 0; c < stats_.contact_colours; ++c) {
      Bundle* from = bundles_.data() + bundle_ends_[c];
      parallel_for(executor_, bundle_ends_[c + 1] - bundle_ends_[c], kBundleGrain,
                   [&](std::size_t begin, std::size_t end) { body(from + begin, from + end); });
    }
  }
  template <class F>
  void each_joint_colour(F&& body) {
    for (std::size_t c = 0; c < stats_.joint_colours; ++c) {
      const std::uint32_t from = joint_ends_[c];
      parallel_for(executor_, joint_ends_[c + 1] - from, kJointGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
          body(joints_[joint_order_[from + k]], joint_rows_[joint_order_[from + k]]);
      });
    }
  }
  template <class F>
  void each_body(F&& body) {
    parallel_for(executor_, bodies_.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) body(i);
    });
  }

  void substeps() {
    const double h = settings_.dt / settings_.substeps;
    // Not stiffer than the substeps can follow
    const double most = kStiffestContact / h, hertz = std::min(settings_.contact_hertz, most);
    const double firm = settings_.firm_depth > 0 ? 1 / settings_.firm_depth : 0;
    const ContactPass push{1 / h, settings_.push_speed, firm, make_soft(hertz, settings_.contact_damping, h),
                           make_soft(std::min(2 * hertz, most), settings_.contact_damping, h)};
    const ContactPass relax{1 / h, settings_.push_speed, 0, {}, {}};
    JointPass joint_pass{
        h, 1 / h, make_soft(std::min(settings_.joint_hertz, kStiffestJoint / h), settings_.joint_damping, h), true};
    const auto lines = kernel_lines();
    const auto joint_lines = joint_bodies(velocity_), carried = joint_bodies(carry_);
    const bool plain = settings_.plain;

    for (int substep = 0; substep < settings_.substeps; ++substep) {
      // Forces, and what the contacts gave in the last substep
      each_body([&](std::size_t i) {
        base_[i] = Dim::pushed(velocity_[i], bodies_[i], h);
        velocity_[i] = Dim::sum(base_[i], carry_[i]);
      });
      if (substep == 0)
        each_bundle_colour([&](Bundle* begin, Bundle* end) { Dim::warm_start(begin, end, lines, plain); });
      each_joint_colour([&](Joint& joint, typename Dim::JointRows& rows) {
        Dim::prepare_joint(joint, rows, joint_lines, joint_pass);
        Dim::give_all(joint, rows, joint_lines, 1);
      });

      joint_pass.push = true;
      solve_joints(joint_lines, joint_pass);
      each_bundle_colour([&](Bundle* begin, Bundle* end) { Dim::solve(begin, end, lines, push, plain); });
      each_body([&](std::size_t i) {
        Dim::move(change_[i], velocity_[i], poses_[i], h);
        poses_[i].position = Dim::moved(place_[i], change_[i]);
      });
      joint_pass.push = false;
      for (int k = 0; k < settings_.relax; ++k) {
        solve_joints(joint_lines, joint_pass);
        each_bundle_colour([&](Bundle* begin, Bundle* end) { Dim::solve(begin, end, lines, relax, plain); });
      }
      if (substep + 1 == settings_.substeps) break;

      // What changed since the forces is what contacts and joints gave. Joints turn with their bodies and warm start by
      // themselves.
      each_body([&](std::size_t i) { carry_[i] = Dim::difference(velocity_[i], base_[i]); });
      each_joint_colour([&](Joint& joint, typename Dim::JointRows& rows) { Dim::give_all(joint, rows, carried, -1); });
    }
    each_bundle_colour(
        [&](Bundle* begin, Bundle* end) { Dim::bounce(begin, end, lines, settings_.restitution_threshold, plain); });
  }

  void solve_joints(const typename Dim::JointBodies& lines, const JointPass& pass) {
    each_joint_colour([&](Joint& joint, typename Dim::JointRows& rows) { Dim::solve_joint(joint, rows, lines, pass); });
  }

  void finish() {
    each_body([&](std::size_t i) { Dim::store(bodies_[i], velocity_[i], poses_[i]); });
    parallel_for(executor_, bundles_.size(), kBundleGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k)
        for (std::size_t l = 0; l < kBundle; ++l)
          if (const std::uint32_t id = lanes_[k * kBundle + l]; id != kNobody)
            Dim::store_impulses(bundles_[k], l, contacts_[id].count, impulses_.data() + contacts_[id].first);
    });
  }

  StepScratch<Dim>& scratch_;
  std::span<SolverBody<D>> bodies_;
  std::span<const ContactInput<D>> contacts_;
  std::span<const ContactPointInput<D>> points_;
  std::span<PointImpulse<D>> impulses_;
  std::span<Joint> joints_;
  const SolverSettings& settings_;
  Executor& executor_;
  SolverStats stats_{};

  std::span<Line> velocity_, change_, weight_, place_, base_, carry_;
  std::span<Pose<D, double>> poses_;
  std::span<std::uint8_t> movable_;
  std::span<Link> joint_links_;
  std::span<std::uint32_t> joint_ends_, joint_order_, bundle_ends_, lanes_;
  std::span<typename Dim::JointRows> joint_rows_;
  std::span<Bundle> bundles_;
};

}  // namespace sudar
