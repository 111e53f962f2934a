// What:    The step of solver_step.hpp in space: how bodies become lines, contacts become lanes, and what moves a body.
#include <sudar/dynamics/contact_bundle3.hpp>
#include <sudar/dynamics/contact_solver3.hpp>
#include <sudar/dynamics/joint_rows3.hpp>
#include <sudar/dynamics/solver_step.hpp>
#include <sudar/dynamics/turn_series.hpp>

namespace sudar {

namespace {

// exp(ω h / 2) as a quaternion: by its series while it is short, which needs no root
Quatd turned_by(const Vec3d& half_turn) {
  const double x = dot(half_turn, half_turn);
  double c = cosine_series(x), s = sine_ratio_series(x);
  if (!is_small_turn(x)) {
    const double angle = std::sqrt(x);
    const SinCos sc = sin_cos(angle);
    c = sc.cos;
    s = sc.sin / angle;
  }
  return {c, half_turn.x * s, half_turn.y * s, half_turn.z * s};
}

}  // namespace

struct SolverSpace {
  static constexpr int D = 3;
  using Line = BodyLine3;
  using Lines = BodyLines3;
  using Bundle = ContactBundle3;
  using Input = BundleInput3;
  using Joint = Joint3;
  using JointRows = JointRows3;
  using JointBodies = JointBodies3;

  // Bodies
  static bool finite(const SolverBody3& b) {
    const Mat3d& i = b.inverse_inertia;
    return is_finite(b.position) && is_finite(Vec3d{b.rotation.x, b.rotation.y, b.rotation.z}) &&
           is_finite(b.velocity) && is_finite(b.angular_velocity) && is_finite(b.acceleration) &&
           is_finite(b.angular_acceleration) && is_finite(i.x) && is_finite(i.y) && is_finite(i.z) &&
           std::isfinite(b.rotation.w + b.inverse_mass) && std::isfinite(b.linear_damping) &&
           std::isfinite(b.angular_damping);
  }
  static Line line(const Vec3d& linear, const Vec3d& angular) {
    return {{linear.x, linear.y, linear.z, angular.x, angular.y, angular.z, 0, 0}};
  }
  static Line velocity_line(const SolverBody3& b) { return line(b.velocity, b.angular_velocity); }
  static Line place_line(const SolverBody3& b) { return line(b.position, {}); }
  static Line weight_line(const SolverBody3& b) {
    const Mat3d& i = b.inverse_inertia;
    return {{b.inverse_mass, i.x.x, i.y.y, i.z.z, i.x.y, i.x.z, i.y.z, 0}};
  }
  static Line sum(const Line& a, const Line& b) {
    Line out;
    for (int k = 0; k < 8; ++k) out.x[k] = a.x[k] + b.x[k];
    return out;
  }
  static Line difference(const Line& a, const Line& b) {
    Line out;
    for (int k = 0; k < 8; ++k) out.x[k] = a.x[k] - b.x[k];
    return out;
  }
  static Line pushed(const Line& v, const SolverBody3& b, double h) {
    const Line a = line(b.acceleration, b.angular_acceleration);
    Line out;
    for (int k = 0; k < 8; ++k) out.x[k] = v.x[k] + h * a.x[k];
    if (b.linear_damping > 0)
      for (int k = 0; k < 3; ++k) out.x[k] /= 1 + h * b.linear_damping;
    if (b.angular_damping > 0)
      for (int k = 3; k < 6; ++k) out.x[k] /= 1 + h * b.angular_damping;
    return out;
  }
  static void move(Line& change, const Line& v, Pose3d& pose, double h) {
    for (int k = 0; k < 8; ++k) change.x[k] += h * v.x[k];
    pose.rotation = turned_by(Vec3d{v.x[3], v.x[4], v.x[5]} * (h / 2)) * pose.rotation;
  }
  static Vec3d moved(const Line& place, const Line& change) {
    return {place.x[0] + change.x[0], place.x[1] + change.x[1], place.x[2] + change.x[2]};
  }
  static void store(SolverBody3& b, const Line& v, const Pose3d& pose) {
    b.velocity = {v.x[0], v.x[1], v.x[2]};
    b.angular_velocity = {v.x[3], v.x[4], v.x[5]};
    b.position = pose.position;
    b.rotation = normalized(pose.rotation);
  }

  // Contacts
  static void fill_empty(Input& in, std::size_t l) {
    for (int k = 0; k < 3; ++k) {
      in.normal[k].lane[l] = k == 2 ? 1 : 0;
      in.slip[k].lane[l] = 0;
    }
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 3; ++k) in.position[i][k].lane[l] = 0;
      in.active[i].lane[l] = in.gap[i].lane[l] = in.impulse[i].lane[l] = 0;
    }
    in.twist.lane[l] = in.friction.lane[l] = in.restitution.lane[l] = in.share.lane[l] = in.stiff.lane[l] = 0;
  }
  static void fill(Input& in, std::size_t l, const ContactInput3& c, const ContactPointInput3* points,
                   const PointImpulse3* impulses, bool stiff) {
    for (int k = 0; k < 3; ++k) in.normal[k].lane[l] = c.normal[k];
    Vec3d slip{};
    double twist = 0;
    for (std::uint32_t i = 0; i < 4; ++i) {
      const bool active = i < c.count;
      const ContactPointInput3& p = points[active ? i : 0];
      for (int k = 0; k < 3; ++k) in.position[i][k].lane[l] = p.position[k];
      in.active[i].lane[l] = active ? 1 : 0;
      in.gap[i].lane[l] = active ? p.separation : 0;
      in.impulse[i].lane[l] = active ? std::max(impulses[i].normal, 0.0) : 0;
      if (active) {
        slip += impulses[i].friction;
        twist += impulses[i].twist;
      }
    }
    for (int k = 0; k < 3; ++k) in.slip[k].lane[l] = slip[k];
    in.twist.lane[l] = twist;
    in.friction.lane[l] = std::min(c.friction, kMostFriction);
    in.restitution.lane[l] = c.restitution;
    in.share.lane[l] = 1.0 / c.count;
    in.stiff.lane[l] = stiff ? 1 : 0;
  }
  static void store_impulses(const Bundle& c, std::size_t l, std::uint32_t count, PointImpulse3* out) {
    const auto vec = [l](const Lanes8* v) { return Vec3d{v[0].lane[l], v[1].lane[l], v[2].lane[l]}; };
    const Vec3d slip = vec(c.tangent) * c.slip[0].lane[l] + vec(c.side) * c.slip[1].lane[l];
    double total = 0;
    for (std::uint32_t i = 0; i < count; ++i) total += c.impulse[i].lane[l];
    const double share = total > 0 ? 1 / total : 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const double normal = c.impulse[i].lane[l];
      out[i] = {normal, slip * (normal * share), c.twist.lane[l] * (normal * share)};
    }
  }
  static void prepare(Bundle* bundle, const Input& input, const Lines& lines, double warm, bool plain) {
    prepare_contacts3(bundle, input, lines, warm, plain);
  }
  static void warm_start(Bundle* begin, Bundle* end, const Lines& lines, bool plain) {
    warm_start_contacts3(begin, end, lines, plain);
  }
  static void solve(Bundle* begin, Bundle* end, const Lines& lines, const ContactPass& pass, bool plain) {
    solve_contacts3(begin, end, lines, pass, plain);
  }
  static void bounce(Bundle* begin, Bundle* end, const Lines& lines, double threshold, bool plain) {
    bounce_contacts3(begin, end, lines, threshold, plain);
  }

  // Joints
  static void scale_impulses(Joint3& j, double factor) {
    j.linear_impulse *= factor;
    j.angular_impulse *= factor;
    j.cone_impulse *= factor;
    sudar::scale_impulses(j.slide, factor);
    sudar::scale_impulses(j.hinge, factor);
  }
  static void prepare_joint(const Joint3& j, JointRows& rows, const JointBodies& bodies, const JointPass& pass) {
    prepare_joint3(j, rows, bodies, pass);
  }
  static void give_all(const Joint3& j, const JointRows& rows, const JointBodies& bodies, double sign) {
    give_all3(j, rows, bodies, sign);
  }
  static void solve_joint(Joint3& j, const JointRows& rows, const JointBodies& bodies, const JointPass& pass) {
    solve_joint3(j, rows, bodies, pass);
  }
};

struct ContactSolver3::Scratch : StepScratch<SolverSpace> {};

ContactSolver3::ContactSolver3() noexcept = default;
ContactSolver3::~ContactSolver3() = default;
ContactSolver3::ContactSolver3(ContactSolver3&&) noexcept = default;
ContactSolver3& ContactSolver3::operator=(ContactSolver3&&) noexcept = default;

Result<SolverStats> ContactSolver3::solve(std::span<SolverBody3> bodies, std::span<const ContactInput3> contacts,
                                          std::span<const ContactPointInput3> points, std::span<PointImpulse3> impulses,
                                          std::span<Joint3> joints, const SolverSettings& settings) {
  return guarded([&]() -> Result<SolverStats> {
    if (!scratch_) scratch_ = std::make_unique<Scratch>();
    return SolverStep<SolverSpace>(*scratch_, bodies, contacts, points, impulses, joints, settings).run();
  });
}

std::size_t ContactSolver3::bytes() const noexcept { return scratch_ ? scratch_->arena.capacity() : 0; }

}  // namespace sudar
