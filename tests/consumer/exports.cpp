// What:    One call into every room through the installed library: what is meant to be exported is. Templates are the
//          reason: one that is instantiated for a hidden type is hidden with it, and only a shared library shows that.
#include <sudar/bounding/kdop_fit.hpp>
#include <sudar/bounding/obb_fit.hpp>
#include <sudar/bounding/round_fit.hpp>
#include <sudar/bounding/sphere_fit.hpp>
#include <sudar/bounding/tightness.hpp>
#include <sudar/broadphase/box_store.hpp>
#include <sudar/broadphase/inspection.hpp>
#include <sudar/broadphase/registry.hpp>
#include <sudar/continuous/mesh_frames.hpp>
#include <sudar/continuous/time_of_impact.hpp>
#include <sudar/core/info.hpp>
#include <sudar/dynamics/contact_solver2.hpp>
#include <sudar/dynamics/contact_solver3.hpp>
#include <sudar/dynamics/event_balls_plain.hpp>
#include <sudar/dynamics/impulse_response.hpp>
#include <sudar/dynamics/recording.hpp>
#include <sudar/dynamics/stepped_balls.hpp>
#include <sudar/geom/closest.hpp>
#include <sudar/geom/delaunay2.hpp>
#include <sudar/geom/delaunay3.hpp>
#include <sudar/geom/hull2.hpp>
#include <sudar/geom/mass3.hpp>
#include <sudar/geom/mesh_from_hull.hpp>
#include <sudar/geom/mesh_weld.hpp>
#include <sudar/geom/minkowski3.hpp>
#include <sudar/geom/point_in_mesh.hpp>
#include <sudar/io/boxes_file.hpp>
#include <sudar/io/double_text.hpp>
#include <sudar/io/mesh_file.hpp>
#include <sudar/io/recording_file.hpp>
#include <sudar/narrowphase/manifold_pairs2.hpp>
#include <sudar/narrowphase/manifold_pairs3.hpp>
#include <sudar/queries/sampled_path3.hpp>
#include <sudar/queries/shape_set.hpp>
#include <sudar/queries/shortest_path2.hpp>
#include <sudar/scene/scene.hpp>
#include <sudar/sdf/field_contacts.hpp>
#include <sudar/sdf/field_csg.hpp>
#include <sudar/sdf/haptic_probe.hpp>
#include <sudar/sdf/mesh_field.hpp>

#include <cstdio>

namespace {

using namespace sudar;

template <class Trace>
bool traced(std::span<const Vec2d> flat, std::span<const Vec3d> points, Trace trace) {
  return convex_hull2(flat, trace).ok() && delaunay2(flat, trace).ok() && smallest_rectangle(flat, trace).ok() &&
         welzl_sphere<2>(flat, trace).ok() && welzl_sphere<3>(points, trace).ok() &&
         quickhull3(points, {}, trace).ok() && incremental_hull3(points, {}, trace).ok() &&
         delaunay3(points, trace).ok();
}

bool balls_work() {
  std::vector<Ball2> balls(2);
  balls[0].position = {2, 2};
  balls[0].velocity = {1, 0};
  balls[1].position = {6, 2};
  const Aabb2d box{{0, 0}, {10, 4}};
  auto events = EventBalls<2>::make(balls, {.box = box});
  auto steps = SteppedBalls<2>::make(balls, {.box = box});
  if (!events || !steps || !events->run(3) || !steps->step(0.1)) return false;
  if (!run_events_plain<2>(balls, {.box = box}, 3, 10) || !(balls[1].velocity == events->ball(1).velocity))
    return false;
  RigidState3 a, b;
  b.momentum = {-1, 0, 0};
  const RigidMass3 mass = *make_mass(1, Mat3d{});
  strike(a, mass, b, mass, {}, {1, 0, 0}, 1);
  const auto still = [](double, const RigidState3&) { return Wrench3{}; };
  a = advance(Integrator::runge_kutta4, a, mass, 0, 1, still);
  return kinetic_energy(b, mass) == 0 && a.position.x == -1 && make_spring(100, 0.5, 1).ok();
}

bool works() {
  if (!balls_work()) return false;
  const Vec2d flat[] = {{0, 0}, {3, 0}, {3, 2}, {0, 1}, {1, 1}};
  const Vec3d points[] = {{0, 0, 0}, {3, 0, 0}, {0, 2, 0}, {0, 0, 1}, {1, 1, 1}};
  TraceLog log;
  if (!traced(flat, points, NoTrace{}) || !traced(flat, points, TraceTo{&log}) || log.entries().empty()) return false;

  const auto kdop = bounding_kdop<3, 14, double>(points);
  if (!kdop || !vertices(*kdop) || !smallest_sphere<3>(points) || !smallest_box(points) || !bounding_capsule<2>(flat) ||
      !bounding_cylinder(points) || !compare_volumes<3>(points))
    return false;

  const auto sum = minkowski_sum(points, points);
  const auto mesh = sum ? to_mesh(sum->hull) : Result<Mesh>(sum.error());
  if (!mesh || !weld(*mesh) || !mass_properties(*mesh) || locate(*mesh, {1, 1, 1}) != Containment::inside) return false;
  const Segment<3> a{{0, 0, 0}, {1, 0, 0}}, b{{0, 0, 1}, {0, 1, 1}};
  if (closest_points(a, b).distance_squared != 1) return false;

  const Shape3 ball = *make_sphere3(1);
  const auto impact = time_of_impact(ball, {}, {}, ball, {{4, 0, 0}, {}}, {{-4, 0, 0}, {}});
  if (!impact || !impact->hit) return false;

  std::vector<PieceManifold<2>> manifolds2;
  std::vector<PieceManifold<3>> manifolds3;
  append_manifolds(*make_circle2(1), *make_box2({1, 1}), Placement2{}, 0, nullptr, manifolds2);
  append_manifolds(ball, *make_box3({1, 1, 1}), Placement3{}, 0, nullptr, manifolds3);
  if (manifolds2.size() != 1 || manifolds3.size() != 1) return false;

  const auto file = parse_boxes_csv("0,0,1,1\n1,1,2,2\n");
  if (!file) return false;
  for (const BroadphaseEntry& entry : broadphases()) {
    BoxStore<2> store;
    const auto algorithm = make_broadphase<2>(entry.name);
    if (!store.assign(std::span<const double>(std::get<1>(file->values))) || !algorithm) return false;
    if (!(*algorithm)->update(store)) return false;
    const auto pairs = (*algorithm)->pairs(store);
    if (!pairs || pairs->size() != 1) return false;
    InsideVisitor<2> nobody;
    if (look_inside(**algorithm, store, nobody) == InsideKind::nothing && entry.name == "grid") return false;
  }

  double quarter = 0, plain = 0;
  read_double("0.25", quarter);
  read_double_plainly("0.25", plain);
  if (quarter != 0.25 || plain != 0.25) return false;

  const std::string_view off = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  const auto read = parse_mesh_file(std::as_bytes(std::span(off)), "a.off");
  if (!read || !join_parts(read->parts) || save_mesh_file("/no/such/folder/a.ply", read->parts)) return false;

  const auto grid = fit_grid(Aabb3d{{-1, -1, -1}, {3, 2, 2}}, 20);
  const auto field = grid ? make_mesh_field(*mesh, *grid) : Result<DistanceField3>(grid.error());
  const auto grown = field ? field_offset(*field, 0.1 * grid->cell) : field;
  const Shape3 small_ball(SphereShape3{0.5});
  const auto in_field =
      grown ? field_distance(*grown, small_ball, Pose3d{{1, 1, 1}, {}}) : Result<DistanceAnswer3>(grown.error());
  if (!in_field || !in_field->hit || !field_contact_patches(*grown, small_ball, Pose3d{{1, 1, 1}, {}})) return false;
  const auto body = make_triangle_mesh(mesh->vertices, mesh->triangles);
  HapticOptions options;
  options.radius = 0.1;
  auto probe = body ? HapticProbe::make(*body, options, {9, 9, 9}) : Result<HapticProbe>(body.error());
  if (!probe || probe->update({9, 9, 8.9}).touching) return false;

  const auto frames = mesh_frames_self_impact({points, points, {}});
  const auto met =
      vertex_face_impact({points[4], points[0], points[1], points[2]}, {points[3], points[0], points[1], points[2]});
  if (!frames || frames->hit || !met || met->hit) return false;

  const std::vector<ConvexPart2> robot = {{{0, 0}, {1, 0}, {0, 1}}}, blocks = {{{2, 2}, {4, 2}, {3, 4}}};
  const auto space = make_free_space2(robot, blocks);
  const auto way = space ? shortest_path2(*space, {0, 3}, {6, 3}) : Result<Path2>(space.error());
  if (!way || !way->found || way->points.size() < 3) return false;
  if (!straight_way_is_free(small_ball, {}, {}, {0, 0, 0}, {1, 0, 0}, 0.1)) return false;

  const auto solid = make_mesh_shape3(mesh->vertices, mesh->triangles, true);
  if (!solid) return false;
  auto set = ShapeSet<3>::make(std::vector<PlacedShape<3>>{{*solid, {}, {}}, {*make_sphere3(1), {{9, 0, 0}, {}}, {}}});
  const auto hit = set ? set->cast_ray({{-9, 0.5, 0.5}, {1, 0, 0}}, kEndless) : Result<SetRayHit<3>>(set.error());
  if (!hit || hit->id != 0 || !cast_ray(*make_circle2(1), Ray<2, double>{{3, 0}, {-1, 0}})->hit) return false;
  auto scene = Scene<2>::make();
  if (!scene || !scene->add({*make_circle2(1)}) || !scene->add({*make_circle2(1)}) || !scene->update()) return false;
  SceneSnapshot<2> snapshot;
  if (scene->contacts().size() != 1 || !scene->save(snapshot) || !scene->restore(snapshot)) return false;
  std::vector<SolverBody3> bodies(2);
  std::vector<Joint3> joints = {make_joint3(JointKind::ball, 0, {}, 1, {}, {})};
  if (!check(joints[0]) || !ContactSolver3().solve(bodies, {}, {}, {}, joints, {}) || hinge_of(joints[0], {}, {}) != 0)
    return false;
  if (!ContactSolver2().solve({}, {}, {}, {}, {}, {}) || !check(make_joint2(JointKind::weld, 0, {}, 1, {}, {})))
    return false;

  auto world = World<3>::make();
  if (!world || !world->add_body({.shape = *make_sphere3(1)}) || !world->step(0.01)) return false;
  WorldRecording<3> recording;
  if (!world->record(&recording) || !world->step(0.01) || !replay(recording, *world)) return false;
  if (RecordingReader::make("/nowhere").ok() || RecordingWriter<3>::make("/nowhere/r", "").ok()) return false;
  if (PartFile::make("/nowhere/p").ok() || open_file("/nowhere").ok()) return false;
  return locate_point<2>(*make_circle2(1), {}, {0, 0}).ok();
}

}  // namespace

int main() {
  const BuildInfo info = build_info();
  std::printf("sudar %s %.*s\n", works() ? "exports" : "FAILS", int(info.precision.size()), info.precision.data());
  return works() ? 0 : 1;
}
