#include <sudar/dynamics/joint_rows2.hpp>

namespace sudar {

namespace {

struct JointTwist2 {
  Vec2d linear;
  double angular;
};
JointTwist2 twist_of(const BodyLine2& line) { return {{line.x[0], line.x[1]}, line.x[2]}; }
void store_twist(BodyLine2& line, const JointTwist2& t) { line = {{t.linear.x, t.linear.y, t.angular, 0}}; }

bool slides(JointKind kind) { return kind == JointKind::prismatic || kind == JointKind::wheel; }
bool turns(JointKind kind) {
  return kind == JointKind::ball || kind == JointKind::revolute || kind == JointKind::wheel;
}
double row_mass(double response) { return response > 0 ? 1 / response : 0; }

// The two bodies of a joint while it is solved
struct JointPair {
  JointPair(const Joint2& joint, const JointRows2& r, const JointBodies2& lines)
      : ids{joint.a, joint.b},
        bodies(lines),
        rows(r),
        a(twist_of(lines.velocity[joint.a])),
        b(twist_of(lines.velocity[joint.b])) {}

  // Speed of B's anchor as A's frame sees it, and how fast B turns
  Vec2d speed() const { return b.linear - a.linear + perp(rows.arm_b) * b.angular - perp(rows.arm_a) * a.angular; }
  double turning() const { return b.angular - a.angular; }
  void give(const Vec2d& impulse, double moment) {
    const BodyLine2 &wa = bodies.weight[ids[0]], &wb = bodies.weight[ids[1]];
    a.linear -= impulse * wa.x[0];
    a.angular -= wa.x[1] * (cross(rows.arm_a, impulse) + moment);
    b.linear += impulse * wb.x[0];
    b.angular += wb.x[1] * (cross(rows.arm_b, impulse) + moment);
  }
  void store() {
    if (bodies.movable[ids[0]] != 0) store_twist(bodies.velocity[ids[0]], a);
    if (bodies.movable[ids[1]] != 0) store_twist(bodies.velocity[ids[1]], b);
  }

  std::uint32_t ids[2];
  const JointBodies2& bodies;
  const JointRows2& rows;
  JointTwist2 a, b;
};

}  // namespace

void prepare_joint2(const Joint2& joint, JointRows2& rows, const JointBodies2& bodies, const JointPass& pass) {
  const Pose2d &pose_a = bodies.poses[joint.a], &pose_b = bodies.poses[joint.b];
  const BodyLine2 &wa = bodies.weight[joint.a], &wb = bodies.weight[joint.b];
  const Rot2d frame_a = pose_a.rotation * joint.frame_a.rotation, frame_b = pose_b.rotation * joint.frame_b.rotation;
  const Vec2d anchor_a = rotate(pose_a.rotation, joint.frame_a.position);
  rows.arm_b = rotate(pose_b.rotation, joint.frame_b.position);
  const Vec2d d = (pose_b.position - pose_a.position) + (rows.arm_b - anchor_a);
  rows.arm_a = anchor_a + d;
  rows.axes = to_matrix(normalized(frame_a));
  rows.locked = joint.hertz > 0 ? make_soft(joint.hertz, joint.damping, pass.h) : pass.locked;
  const Rot2d r = conjugate(frame_a) * frame_b;
  rows.hinge = arc_tangent(r.s, r.c);
  rows.hinge_mass = row_mass(wa.x[1] + wb.x[1]);
  rows.angular_mass = turns(joint.kind) || joint.kind == JointKind::distance ? 0 : rows.hinge_mass;
  rows.angular_error = rows.hinge;

  // What is locked along the two axes
  const double m = wa.x[0] + wb.x[0];
  const auto response = [&](const Vec2d& e, const Vec2d& f) {
    return m * dot(e, f) + wa.x[1] * cross(rows.arm_a, e) * cross(rows.arm_a, f) +
           wb.x[1] * cross(rows.arm_b, e) * cross(rows.arm_b, f);
  };
  const double kxx = response(rows.axes.x, rows.axes.x), kxy = response(rows.axes.x, rows.axes.y),
               kyy = response(rows.axes.y, rows.axes.y);
  rows.linear_mass = {{0, 0}, {0, 0}};
  rows.linear_error = transpose_mul(rows.axes, d);
  if (joint.kind == JointKind::distance) {
    rows.linear_error = {};
  } else if (slides(joint.kind)) {
    rows.linear_mass.y.y = row_mass(kyy);
    rows.linear_error.x = 0;
  } else if (const double det = kxx * kyy - kxy * kxy; det > 0) {
    rows.linear_mass = {{kyy / det, -kxy / det}, {-kxy / det, kxx / det}};
  }

  // Free axes
  rows.slide_axis = rows.axes.x;
  rows.slide = dot(rows.axes.x, d);
  if (joint.kind == JointKind::distance) {
    rows.slide = length(d);
    if (rows.slide > 0) rows.slide_axis = d / rows.slide;
  }
  rows.slide_mass = row_mass(response(rows.slide_axis, rows.slide_axis));
}

void give_all2(const Joint2& joint, const JointRows2& rows, const JointBodies2& bodies, double sign) {
  JointPair pair(joint, rows, bodies);
  const bool distance = joint.kind == JointKind::distance;
  Vec2d impulse = distance ? rows.slide_axis * joint.linear_impulse.x : rows.axes * joint.linear_impulse;
  if (distance || slides(joint.kind)) impulse += rows.slide_axis * total_impulse(joint.slide);
  double moment = joint.angular_impulse;
  if (turns(joint.kind)) moment += total_impulse(joint.hinge);
  pair.give(impulse * sign, moment * sign);
  pair.store();
}

void solve_joint2(Joint2& joint, const JointRows2& rows, const JointBodies2& bodies, const JointPass& pass) {
  JointPair pair(joint, rows, bodies);
  const Softness soft = pass.push ? rows.locked : kRigid;

  // Free axes first, what is locked has the last word
  if (joint.kind == JointKind::distance) {
    const double speed = dot(rows.slide_axis, pair.speed());
    double step = solve_drive(joint.slide, rows.slide, rows.slide_mass, speed, pass, rows.locked);
    if (joint.slide.idle()) {
      step = -rows.slide_mass * soft.mass_scale * (speed + soft.bias_rate * (rows.slide - joint.length)) -
             soft.impulse_scale * joint.linear_impulse.x;
      joint.linear_impulse.x += step;
    }
    pair.give(rows.slide_axis * step, 0);
    pair.store();
    return;
  }
  if (slides(joint.kind)) {
    const double speed = dot(rows.slide_axis, pair.speed());
    pair.give(rows.slide_axis * solve_drive(joint.slide, rows.slide, rows.slide_mass, speed, pass, rows.locked), 0);
  }
  if (turns(joint.kind))
    pair.give({}, solve_drive(joint.hinge, rows.hinge, rows.hinge_mass, pair.turning(), pass, rows.locked));
  if (rows.angular_mass > 0) {
    const double step = -rows.angular_mass * soft.mass_scale * (pair.turning() + soft.bias_rate * rows.angular_error) -
                        soft.impulse_scale * joint.angular_impulse;
    joint.angular_impulse += step;
    pair.give({}, step);
  }
  const Vec2d speed = transpose_mul(rows.axes, pair.speed()) + rows.linear_error * soft.bias_rate;
  const Vec2d step = rows.linear_mass * speed * -soft.mass_scale - joint.linear_impulse * soft.impulse_scale;
  joint.linear_impulse += step;
  pair.give(rows.axes * step, 0);
  pair.store();
}

}  // namespace sudar
