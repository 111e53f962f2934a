// What:    The step of solver_step.hpp in the plane: how bodies become lines, contacts become lanes, and what moves a body.
#include <sudar/dynamics/contact_bundle2.hpp>
#include <sudar/dynamics/contact_solver2.hpp>
#include <sudar/dynamics/joint_rows2.hpp>
#include <sudar/dynamics/solver_step.hpp>
#include <sudar/dynamics/turn_series.hpp>

namespace sudar {

namespace {

// A rotation by an angle: by its series while it is short
Rot2d turned_by(double angle) {
  const double x = angle * angle;
  if (!is_small_turn(x)) return Rot2d::from_angle(angle);
  return {cosine_series(x), angle * sine_ratio_series(x)};
}

}  // namespace

struct SolverPlane {
  static constexpr int D = 2;
  using Line = BodyLine2;
  using Lines = BodyLines2;
  using Bundle = ContactBundle2;
  using Input = BundleInput2;
  using Joint = Joint2;
  using JointRows = JointRows2;
  using JointBodies = JointBodies2;

  // Bodies
  static bool finite(const SolverBody2& b) {
    return is_finite(b.position) && is_finite(b.velocity) && is_finite(b.acceleration) &&
           std::isfinite(b.rotation.c + b.rotation.s) && std::isfinite(b.angular_velocity) &&
           std::isfinite(b.angular_acceleration) && std::isfinite(b.inverse_inertia) && std::isfinite(b.inverse_mass) &&
           std::isfinite(b.linear_damping) && std::isfinite(b.angular_damping);
  }
  static Line line(const Vec2d& linear, double angular) { return {{linear.x, linear.y, angular, 0}}; }
  static Line velocity_line(const SolverBody2& b) { return line(b.velocity, b.angular_velocity); }
  static Line place_line(const SolverBody2& b) { return line(b.position, 0); }
  static Line weight_line(const SolverBody2& b) { return {{b.inverse_mass, b.inverse_inertia, 0, 0}}; }
  static Line sum(const Line& a, const Line& b) { return {{a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2], 0}}; }
  static Line difference(const Line& a, const Line& b) {
    return {{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2], 0}};
  }
  static Line pushed(const Line& v, const SolverBody2& b, double h) {
    Line out = sum(v, line(b.acceleration * h, b.angular_acceleration * h));
    if (b.linear_damping > 0)
      for (int k = 0; k < 2; ++k) out.x[k] /= 1 + h * b.linear_damping;
    if (b.angular_damping > 0) out.x[2] /= 1 + h * b.angular_damping;
    return out;
  }
  static void move(Line& change, const Line& v, Pose2d& pose, double h) {
    for (int k = 0; k < 4; ++k) change.x[k] += h * v.x[k];
    pose.rotation = turned_by(h * v.x[2]) * pose.rotation;
  }
  static Vec2d moved(const Line& place, const Line& change) {
    return {place.x[0] + change.x[0], place.x[1] + change.x[1]};
  }
  static void store(SolverBody2& b, const Line& v, const Pose2d& pose) {
    b.velocity = {v.x[0], v.x[1]};
    b.angular_velocity = v.x[2];
    b.position = pose.position;
    b.rotation = normalized(pose.rotation);
  }

  // Contacts
  static void fill_empty(Input& in, std::size_t l) {
    for (int k = 0; k < 2; ++k) {
      in.normal[k].lane[l] = k == 1 ? 1 : 0;
      in.slip[k].lane[l] = 0;
    }
    for (int i = 0; i < 2; ++i) {
      for (int k = 0; k < 2; ++k) in.position[i][k].lane[l] = 0;
      in.active[i].lane[l] = in.gap[i].lane[l] = in.impulse[i].lane[l] = 0;
    }
    in.friction.lane[l] = in.restitution.lane[l] = in.share.lane[l] = in.stiff.lane[l] = 0;
  }
  static void fill(Input& in, std::size_t l, const ContactInput2& c, const ContactPointInput2* points,
                   const PointImpulse2* impulses, bool stiff) {
    for (int k = 0; k < 2; ++k) in.normal[k].lane[l] = c.normal[k];
    Vec2d slip{};
    for (std::uint32_t i = 0; i < 2; ++i) {
      const bool active = i < c.count;
      const ContactPointInput2& p = points[active ? i : 0];
      for (int k = 0; k < 2; ++k) in.position[i][k].lane[l] = p.position[k];
      in.active[i].lane[l] = active ? 1 : 0;
      in.gap[i].lane[l] = active ? p.separation : 0;
      in.impulse[i].lane[l] = active ? std::max(impulses[i].normal, 0.0) : 0;
      if (active) slip += impulses[i].friction;
    }
    for (int k = 0; k < 2; ++k) in.slip[k].lane[l] = slip[k];
    in.friction.lane[l] = std::min(c.friction, kMostFriction);
    in.restitution.lane[l] = c.restitution;
    in.share.lane[l] = 1.0 / c.count;
    in.stiff.lane[l] = stiff ? 1 : 0;
  }
  static void store_impulses(const Bundle& c, std::size_t l, std::uint32_t count, PointImpulse2* out) {
    const Vec2d slip = perp(Vec2d{c.normal[0].lane[l], c.normal[1].lane[l]}) * c.slip.lane[l];
    double total = 0;
    for (std::uint32_t i = 0; i < count; ++i) total += c.impulse[i].lane[l];
    const double share = total > 0 ? 1 / total : 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const double normal = c.impulse[i].lane[l];
      out[i] = {normal, slip * (normal * share), 0};
    }
  }
  static void prepare(Bundle* bundle, const Input& input, const Lines& lines, double warm, bool plain) {
    prepare_contacts2(bundle, input, lines, warm, plain);
  }
  static void warm_start(Bundle* begin, Bundle* end, const Lines& lines, bool plain) {
    warm_start_contacts2(begin, end, lines, plain);
  }
  static void solve(Bundle* begin, Bundle* end, const Lines& lines, const ContactPass& pass, bool plain) {
    solve_contacts2(begin, end, lines, pass, plain);
  }
  static void bounce(Bundle* begin, Bundle* end, const Lines& lines, double threshold, bool plain) {
    bounce_contacts2(begin, end, lines, threshold, plain);
  }

  // Joints
  static void scale_impulses(Joint2& j, double factor) {
    j.linear_impulse *= factor;
    j.angular_impulse *= factor;
    sudar::scale_impulses(j.slide, factor);
    sudar::scale_impulses(j.hinge, factor);
  }
  static void prepare_joint(const Joint2& j, JointRows& rows, const JointBodies& bodies, const JointPass& pass) {
    prepare_joint2(j, rows, bodies, pass);
  }
  static void give_all(const Joint2& j, const JointRows& rows, const JointBodies& bodies, double sign) {
    give_all2(j, rows, bodies, sign);
  }
  static void solve_joint(Joint2& j, const JointRows& rows, const JointBodies& bodies, const JointPass& pass) {
    solve_joint2(j, rows, bodies, pass);
  }
};

struct ContactSolver2::Scratch : StepScratch<SolverPlane> {};

ContactSolver2::ContactSolver2() noexcept = default;
ContactSolver2::~ContactSolver2() = default;
ContactSolver2::ContactSolver2(ContactSolver2&&) noexcept = default;
ContactSolver2& ContactSolver2::operator=(ContactSolver2&&) noexcept = default;

Result<SolverStats> ContactSolver2::solve(std::span<SolverBody2> bodies, std::span<const ContactInput2> contacts,
                                          std::span<const ContactPointInput2> points, std::span<PointImpulse2> impulses,
                                          std::span<Joint2> joints, const SolverSettings& settings) {
  return guarded([&]() -> Result<SolverStats> {
    if (!scratch_) scratch_ = std::make_unique<Scratch>();
    return SolverStep<SolverPlane>(*scratch_, bodies, contacts, points, impulses, joints, settings).run();
  });
}

std::size_t ContactSolver2::bytes() const noexcept { return scratch_ ? scratch_->arena.capacity() : 0; }

}  // namespace sudar
