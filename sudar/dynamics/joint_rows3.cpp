#include <sudar/dynamics/joint_rows3.hpp>
#include <sudar/dynamics/solver_tolerance.hpp>
#include <sudar/math/unit_rotation.hpp>
#include <sudar/narrowphase/placement.hpp>

namespace sudar {

namespace {

struct JointTwist3 {
  Vec3d linear, angular;
};
JointTwist3 twist_of(const BodyLine3& line) {
  return {{line.x[0], line.x[1], line.x[2]}, {line.x[3], line.x[4], line.x[5]}};
}
void store_twist(BodyLine3& line, const JointTwist3& t) {
  line = {{t.linear.x, t.linear.y, t.linear.z, t.angular.x, t.angular.y, t.angular.z, 0, 0}};
}
Vec3d turn(const BodyLine3& w, const Vec3d& v) {
  return {w.x[1] * v.x + w.x[4] * v.y + w.x[5] * v.z, w.x[4] * v.x + w.x[2] * v.y + w.x[6] * v.z,
          w.x[5] * v.x + w.x[6] * v.y + w.x[3] * v.z};
}
Mat3d tensor(const BodyLine3& w) {
  return {{w.x[1], w.x[4], w.x[5]}, {w.x[4], w.x[2], w.x[6]}, {w.x[5], w.x[6], w.x[3]}};
}

struct Locks {
  bool linear[3], angular[3];
};
Locks locks_of(JointKind kind) {
  switch (kind) {
    case JointKind::distance:
      return {{false, false, false}, {false, false, false}};
    case JointKind::ball:
      return {{true, true, true}, {false, false, false}};
    case JointKind::revolute:
      return {{true, true, true}, {false, true, true}};
    case JointKind::prismatic:
      return {{false, true, true}, {true, true, true}};
    case JointKind::weld:
      return {{true, true, true}, {true, true, true}};
    case JointKind::wheel:
      return {{false, true, true}, {true, false, true}};
  }
  return {};
}

// The inverse of the rows and columns that are locked, zero elsewhere; zero when nothing there can move
Mat3d locked_inverse(Mat3d k, const bool (&locked)[3]) {
  for (int i = 0; i < 3; ++i) {
    if (locked[i]) continue;
    for (int j = 0; j < 3; ++j) k[i][j] = k[j][i] = 0;
    k[i][i] = 1;
  }
  if (!(determinant(k) > 0)) return Mat3d::diagonal({0, 0, 0});
  Mat3d out = inverse(k);
  for (int i = 0; i < 3; ++i)
    if (!locked[i]) out[i][i] = 0;
  return out;
}

// Frames may have any length but zero
Quatd unit_turn(const Quatd& q) { return std::fabs(squared_length(q) - 1) <= kJointUnit ? q : normalized(q); }

double row_mass(double response) { return response > 0 ? 1 / response : 0; }

// The two bodies of a joint while it is solved
struct JointPair {
  JointPair(const Joint3& joint, const JointRows3& r, const JointBodies3& lines)
      : ids{joint.a, joint.b},
        bodies(lines),
        rows(r),
        a(twist_of(lines.velocity[joint.a])),
        b(twist_of(lines.velocity[joint.b])) {}

  // Speed of B's anchor as A's frame sees it, and how fast B turns
  Vec3d speed() const { return b.linear - a.linear + cross(b.angular, rows.arm_b) - cross(a.angular, rows.arm_a); }
  Vec3d turning() const { return b.angular - a.angular; }
  void give(const Vec3d& impulse, const Vec3d& moment) {
    const BodyLine3 &wa = bodies.weight[ids[0]], &wb = bodies.weight[ids[1]];
    a.linear -= impulse * wa.x[0];
    a.angular -= turn(wa, cross(rows.arm_a, impulse) + moment);
    b.linear += impulse * wb.x[0];
    b.angular += turn(wb, cross(rows.arm_b, impulse) + moment);
  }
  void store() {
    if (bodies.movable[ids[0]] != 0) store_twist(bodies.velocity[ids[0]], a);
    if (bodies.movable[ids[1]] != 0) store_twist(bodies.velocity[ids[1]], b);
  }

  std::uint32_t ids[2];
  const JointBodies3& bodies;
  const JointRows3& rows;
  JointTwist3 a, b;
};

}  // namespace

void prepare_joint3(const Joint3& joint, JointRows3& rows, const JointBodies3& bodies, const JointPass& pass) {
  const Pose3d &pose_a = bodies.poses[joint.a], &pose_b = bodies.poses[joint.b];
  const BodyLine3 &wa = bodies.weight[joint.a], &wb = bodies.weight[joint.b];
  const Quatd frame_a = unit_turn(pose_a.rotation * joint.frame_a.rotation),
              frame_b = unit_turn(pose_b.rotation * joint.frame_b.rotation);
  const Vec3d anchor_a = rotate(pose_a.rotation, joint.frame_a.position);
  rows.arm_b = rotate(pose_b.rotation, joint.frame_b.position);
  const Vec3d d = (pose_b.position - pose_a.position) + (rows.arm_b - anchor_a);
  rows.arm_a = anchor_a + d;
  rows.axes = to_rotation_matrix(frame_a);
  const Mat3d axes_b = to_rotation_matrix(frame_b);
  rows.locked = joint.hertz > 0 ? make_soft(joint.hertz, joint.damping, pass.h) : pass.locked;

  // Blocks of what is locked
  const Locks locks = locks_of(joint.kind);
  const Mat3d ia = tensor(wa), ib = tensor(wb), sa = skew(rows.arm_a), sb = skew(rows.arm_b);
  const double m = wa.x[0] + wb.x[0];
  const Mat3d linear = Mat3d::diagonal({m, m, m}) - sa * ia * sa - sb * ib * sb, angular = ia + ib;
  rows.linear_mass = locked_inverse(transpose(rows.axes) * linear * rows.axes, locks.linear);
  rows.angular_mass = locked_inverse(transpose(rows.axes) * angular * rows.axes, locks.angular);
  rows.linear_error = transpose_mul(rows.axes, d);
  const Quatd q = conjugate(frame_a) * frame_b;
  const bool wheel = joint.kind == JointKind::wheel;
  if (wheel || joint.kind == JointKind::revolute) {
    // How far the axis of B has tilted from that of A
    rows.angular_error =
        transpose_mul(rows.axes, cross(wheel ? rows.axes.y : rows.axes.x, wheel ? axes_b.y : axes_b.x));
  } else {
    rows.angular_error = Vec3d{q.x, q.y, q.z} * (q.w < 0 ? -2.0 : 2.0);
  }
  for (int i = 0; i < 3; ++i) {
    if (!locks.linear[i]) rows.linear_error[i] = 0;
    if (!locks.angular[i]) rows.angular_error[i] = 0;
  }

  // Free axes
  rows.slide_axis = rows.axes.x;
  rows.slide = dot(rows.axes.x, d);
  if (joint.kind == JointKind::distance) {
    rows.slide = length(d);
    if (rows.slide > 0) rows.slide_axis = d / rows.slide;
  }
  const Vec3d ca = cross(rows.arm_a, rows.slide_axis), cb = cross(rows.arm_b, rows.slide_axis);
  rows.slide_mass = row_mass(m + dot(ca, ia * ca) + dot(cb, ib * cb));
  rows.hinge_axis = wheel ? rows.axes.y : rows.axes.x;
  rows.hinge_mass = row_mass(dot(rows.hinge_axis, angular * rows.hinge_axis));
  const double along = wheel ? q.y : q.x;
  rows.hinge = joint.hinge.idle() ? 0 : 2 * (q.w < 0 ? arc_tangent(-along, -q.w) : arc_tangent(along, q.w));
  rows.cone_axis = {};
  rows.cone_mass = rows.cone_room = 0;
  if (joint.kind == JointKind::ball && joint.cone < kPi) {
    rows.cone_axis = normalized(cross(rows.axes.x, axes_b.x));
    rows.cone_mass = row_mass(dot(rows.cone_axis, angular * rows.cone_axis));
    rows.cone_room = joint.cone - arc_cosine(dot(rows.axes.x, axes_b.x));
  }
}

void give_all3(const Joint3& joint, const JointRows3& rows, const JointBodies3& bodies, double sign) {
  JointPair pair(joint, rows, bodies);
  const bool slides =
      joint.kind == JointKind::distance || joint.kind == JointKind::prismatic || joint.kind == JointKind::wheel;
  Vec3d impulse{}, moment = rows.axes * joint.angular_impulse;
  if (joint.kind == JointKind::distance) {
    impulse = rows.slide_axis * joint.linear_impulse.x;
  } else {
    impulse = rows.axes * joint.linear_impulse;
  }
  if (slides) impulse += rows.slide_axis * total_impulse(joint.slide);
  moment += rows.hinge_axis * total_impulse(joint.hinge) - rows.cone_axis * joint.cone_impulse;
  pair.give(impulse * sign, moment * sign);
  pair.store();
}

void solve_joint3(Joint3& joint, const JointRows3& rows, const JointBodies3& bodies, const JointPass& pass) {
  JointPair pair(joint, rows, bodies);
  const Softness soft = pass.push ? rows.locked : kRigid;
  const bool distance = joint.kind == JointKind::distance;

  // Free axes first, what is locked has the last word
  if (distance || joint.kind == JointKind::prismatic || joint.kind == JointKind::wheel) {
    const double speed = dot(rows.slide_axis, pair.speed());
    double step = solve_drive(joint.slide, rows.slide, rows.slide_mass, speed, pass, rows.locked);
    if (distance && joint.slide.idle()) {
      step = -rows.slide_mass * soft.mass_scale * (speed + soft.bias_rate * (rows.slide - joint.length)) -
             soft.impulse_scale * joint.linear_impulse.x;
      joint.linear_impulse.x += step;
    }
    pair.give(rows.slide_axis * step, {});
  }
  if (distance) {
    pair.store();
    return;
  }
  if (!joint.hinge.idle() && joint.kind != JointKind::prismatic && joint.kind != JointKind::weld) {
    const double speed = dot(rows.hinge_axis, pair.turning());
    const double step = solve_drive(joint.hinge, rows.hinge, rows.hinge_mass, speed, pass, rows.locked);
    pair.give({}, rows.hinge_axis * step);
  }
  if (rows.cone_mass > 0) {
    const double speed = -dot(rows.cone_axis, pair.turning());
    const double step = limit_step(joint.cone_impulse, rows.cone_room, rows.cone_mass, speed, pass, rows.locked);
    pair.give({}, rows.cone_axis * -step);
  }
  if (joint.kind != JointKind::ball) {
    const Vec3d speed = transpose_mul(rows.axes, pair.turning()) + rows.angular_error * soft.bias_rate;
    const Vec3d step = rows.angular_mass * speed * -soft.mass_scale - joint.angular_impulse * soft.impulse_scale;
    joint.angular_impulse += step;
    pair.give({}, rows.axes * step);
  }
  const Vec3d speed = transpose_mul(rows.axes, pair.speed()) + rows.linear_error * soft.bias_rate;
  const Vec3d step = rows.linear_mass * speed * -soft.mass_scale - joint.linear_impulse * soft.impulse_scale;
  joint.linear_impulse += step;
  pair.give(rows.axes * step, {});
  pair.store();
}

}  // namespace sudar
