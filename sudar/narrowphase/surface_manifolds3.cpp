#include <sudar/geom/closest.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/internal_edges.hpp>
#include <sudar/narrowphase/manifold_clip3.hpp>
#include <sudar/narrowphase/manifold_ring3.hpp>
#include <sudar/narrowphase/part_placement.hpp>
#include <sudar/narrowphase/piece_pairs.hpp>
#include <sudar/narrowphase/surface_manifolds3.hpp>
#include <sudar/narrowphase/surface_patch3.hpp>
#include <sudar/narrowphase/surface_view.hpp>
#include <sudar/narrowphase/view_box.hpp>

#include <array>

namespace sudar {

namespace {

// The most corners of a face that the shape may turn to the surface; each side of a triangle adds one at most
constexpr std::size_t kMostCorners = 24;

// cut_ring without lists
std::size_t cut_few(const Vec3d* ring, std::size_t count, const Vec3d& normal, double offset, Vec3d* out) {
  std::size_t kept = 0;
  const double first = dot(normal, ring[0]) - offset;
  double f = first;
  for (std::size_t i = 0; i < count; ++i) {
    const bool last = i + 1 == count;
    const Vec3d &p = ring[i], &q = ring[last ? 0 : i + 1];
    const double g = last ? first : dot(normal, q) - offset;
    if (f <= 0) out[kept++] = p;
    if ((f <= 0) != (g <= 0) && (count > 2 || i == 0)) out[kept++] = lerp(p, q, f / (f - g));
    f = g;
  }
  return kept;
}

template <class Surface>
class SurfaceMaker {
 public:
  SurfaceMaker(const Surface& surface, PieceName3 name, bool solid, const Shape3& shape, const Placement3& place,
               double margin)
      : surface_(surface),
        name_(name),
        solid_(solid),
        shape_(shape),
        view_(make_view(shape)),
        place_(place),
        margin_(margin),
        center_(transform(place, view_.center()) + place.rest) {
    left_.separation = std::numeric_limits<double>::infinity();
  }

  void look_at_all() {
    surface_.overlapping(expand(view_box(view_, place_), margin_), [&](std::uint32_t t) {
      ++seen_;
      look_at(t);
      return true;
    });
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < count_; ++i) least = std::min(least, patches_[i].least);
    if (left_.separation < least - kContactMerge * view_.size) add_clipped(left_piece_, left_);
  }
  // Of heights over a plane
  double rounding() const {
    const double size = view_.size + view_.radius + max_abs(place_.translation) + max_abs(center_);
    return (view_.is_polytope() ? kPoseSlack<double> : 4 * kCurvedDepthGap) * size;
  }
  bool too_many() const { return too_many_; }
  bool seen_any() const { return seen_ > 0; }
  bool touching() const { return touching_; }
  std::span<SurfacePatch> patches() { return {patches_.data(), count_}; }
  Manifold3 manifold_of(SurfacePatch& patch) {
    for (SurfacePoint& point : patch.points) name(point);
    return patch.manifold();
  }

 private:
  struct Piece {
    std::uint32_t number;
    Triangle<3, double> corners;
    Vec3d face;  // unit, to the side that is touched
    bool turned;
  };

  // What the shape turns towards a plane, in the surface's frame; asked once for triangles of one plane
  void face_towards(const Vec3d& face) {
    if (face == towards_) return;
    towards_ = face;
    const Vec3d down = to_b(place_, -face), core = support(view_, down).p;
    facing_ = patch_towards(shape_, down, core + down * view_.radius, PatchWish::widest);
    for (Vec3d& p : facing_.points) p = transform(place_, p) + place_.rest;
    facing_.normal = turn(place_, facing_.normal);
    lowest_ = dot(face, transform(place_, core) + place_.rest) - view_.radius;
    facing_snap_ = snap_of(facing_);
    if (facing_.points.size() > kMostCorners) too_many_ = true;
  }
  void look_at(std::uint32_t t) {
    Piece piece{t, surface_.triangle(t), {}, false};
    piece.face = normalized(double_area(piece.corners));
    if (piece.face == Vec3d{}) return by_distance(piece);
    if (!solid_ && dot(piece.face, center_ - piece.corners.a) < 0) piece.face = -piece.face, piece.turned = true;
    face_towards(piece.face);
    if (too_many_) return;
    // The plane of the triangle, the face of the shape and the sides of the triangle may lie between them
    const double far = margin_ + rounding();
    if (lowest_ - dot(piece.face, piece.corners.a) > far) return;
    if (facing_.is_polygon()) {
      double gap = std::numeric_limits<double>::infinity();
      for (int k = 0; k < 3; ++k) gap = std::min(gap, dot(facing_.normal, piece.corners[k] - facing_.points[0]));
      if (gap - view_.radius > far) return;
    }
    bool calm = true;
    double beside = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k) {
      // How far the shape is beyond the side, times the length of the side
      const Vec3d &p = piece.corners[k], along = piece.corners[k == 2 ? 0 : k + 1] - p;
      const Vec3d out = cross(along, piece.turned ? -piece.face : piece.face);
      const Vec3d nearest = transform(place_, support(view_, to_b(place_, -out)).p) + place_.rest;
      const double core_gap = dot(out, nearest - p);
      const bool calm_edge = is_calm(piece, k);
      if (calm_edge && core_gap <= 0) continue;
      const double side = length(along), gap = core_gap - view_.radius * side;
      if (gap > far * side) return;
      if (calm_edge) continue;
      calm = false;
      beside = std::min(beside, -gap / side);
    }
    const double least = cut(piece);
    // Where the shape's lowest point is over the triangle, and the way out over a ridge or a border is longer, the face
    // is touched as well
    const double depth = view_.radius - least;
    const bool over = least - view_.radius <= lowest_ - dot(piece.face, piece.corners.a) + rounding();
    if (calm || (over && depth <= beside))
      add_cut(piece, least);
    else
      by_distance(piece);
  }

  // Edge k is flat or hollow, seen from the side of the face
  bool is_calm(const Piece& piece, int k) const {
    const std::optional<Vec3d> far = surface_.opposite(piece.number, k);
    if (!far) return false;
    const Vec3d to = *far - piece.corners[k];
    const double rise = dot(piece.face, to);
    return rise >= 0 || rise * rise <= kNormalLean * kNormalLean * length_squared(to);
  }

  // The shape's face over the triangle, along the normal of the triangle: the height of the lowest point of its core
  double cut(const Piece& piece) {
    const Vec3d outward = piece.turned ? -piece.face : piece.face;
    std::copy(facing_.points.begin(), facing_.points.end(), rings_[0].begin());
    std::size_t count = facing_.points.size(), from = 0;
    for (int k = 0; k < 3 && count > 0; ++k) {
      const Vec3d side = cross(piece.corners[k == 2 ? 0 : k + 1] - piece.corners[k], outward);
      count = cut_few(rings_[from].data(), count, side, dot(side, piece.corners[k]), rings_[1 - from].data());
      from = 1 - from;
    }
    ring_ = {rings_[from].data(), count};
    double least = std::numeric_limits<double>::infinity();
    for (const Vec3d& p : ring_) least = std::min(least, dot(piece.face, p - piece.corners.a));
    return least;
  }
  bool add_cut(const Piece& piece, double least) {
    if (!(least - view_.radius <= margin_)) return false;
    // Behind the triangle, or through it, or through a neighbour, as a spike that leans
    bool through = false;
    if (least - view_.radius < -rounding()) {
      through = std::fabs(least) <= view_.radius;
      for (const Vec3d& p : ring_) through = through || holds(p - piece.face * dot(piece.face, p - piece.corners.a));
    }
    SurfacePatch& patch = patch_of(piece.face, least - view_.radius);
    if (least - view_.radius <= 0 && !patch.proven)
      patch.proven = through || intersects(triangle_shape(piece), shape_, place_);
    touching_ = touching_ || patch.proven;
    for (const Vec3d& p : ring_) {
      const double height = dot(piece.face, p - piece.corners.a), separation = height - view_.radius;
      if (!(separation <= margin_)) continue;
      const Vec3d foot = p - piece.face * height;
      patch.add({{foot + piece.face * (0.5 * separation), separation, {}, {}}, foot, p, piece.face, piece.number});
    }
    return true;
  }
  // A point of the triangle that is in the shape, where that is seen at once
  bool holds(const Vec3d& foot) const {
    if (view_.kind != CoreKind3::box) return false;
    const Vec3d p = abs(to_b(place_, foot - (place_.translation + place_.rest)));
    return p.x <= view_.p[0].x && p.y <= view_.p[0].y && p.z <= view_.p[0].z;
  }

  // By the distance of the triangle, with its normal put right
  void by_distance(const Piece& piece) {
    const DistanceAnswer3 x = distance(triangle_shape(piece), shape_, place_);
    if (!(x.separation <= margin_)) return;
    const TriangleFeature feature = closest_point(piece.corners, x.point_a).feature;
    Vec3d normal =
        corrected_normal(piece.corners, feature, x.normal, [&](int k) { return surface_.opposite(piece.number, k); });
    if (dot(x.normal, piece.face) < -kNormalLean && (solid_ || !at_border(piece, feature))) {
      // From behind, where the surface goes on: what is in front of the neighbour, or seen through the body
      if (!x.hit) return leave(piece, x);
      normal = piece.face;
    }
    // Its face, or that of a neighbour, which has the contact then. At corners nobody may have it.
    if (length_squared(normal - x.normal) > kNormalLean * kNormalLean) {
      const bool own = length_squared(normal - piece.face) <= kNormalLean * kNormalLean;
      if (own) add_cut(piece, cut(piece));
      return leave(piece, x);
    }
    add_clipped(piece, x);
  }
  void leave(const Piece& piece, const DistanceAnswer3& x) {
    if (!x.hit && x.separation < left_.separation) left_ = x, left_piece_ = piece;
  }
  bool at_border(const Piece& piece, TriangleFeature feature) const {
    const int number = static_cast<int>(feature);
    if (feature == TriangleFeature::face) return false;
    if (number >= 3) return !surface_.opposite(piece.number, number - 3);
    return !surface_.opposite(piece.number, number) || !surface_.opposite(piece.number, (number + 2) % 3);
  }
  void add_clipped(const Piece& piece, const DistanceAnswer3& x) {
    Manifold3 found;
    if (!clip_manifold3(triangle_shape(piece), shape_, place_, x, margin_, found)) return;
    touching_ = touching_ || x.hit;
    SurfacePatch& patch = patch_of(found.normal, x.separation);
    patch.proven = patch.proven || x.hit;
    PieceName3 name = name_;
    name.triangle = piece.number;
    for (int i = 0; i < found.count; ++i) {
      found.points[i].feature_a = name.of_whole(found.points[i].feature_a);
      patch.add({found.points[i], {}, {}, {}, piece.number, true});
    }
  }

  static Shape3 triangle_shape(const Piece& piece) {
    return Shape3(TriangleShape3{{piece.corners.a, piece.corners.b, piece.corners.c}});
  }
  void name(SurfacePoint& x) {
    if (x.named) return;
    face_towards(x.face);
    const Triangle<3, double> corners = surface_.triangle(x.triangle);
    double side = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k) side = std::min(side, length_squared(corners[k == 2 ? 0 : k + 1] - corners[k]));
    const double snap = std::min(kManifoldSnap * std::sqrt(side), facing_snap_);
    x.point.feature_b = part_at(facing_, x.core, snap);
    PieceName3 name = name_;
    name.triangle = x.triangle;
    Feature own{FeatureKind::face, 0};
    for (std::uint32_t k = 3; k-- > 0;) {
      const Segment<3, double> line{corners[static_cast<int>(k)], corners[k == 2 ? 0 : static_cast<int>(k) + 1]};
      if (own.kind == FeatureKind::face && closest_point(line, x.foot).distance_squared <= snap * snap)
        own = {FeatureKind::edge, k};
    }
    for (std::uint32_t k = 3; k-- > 0;)
      if (length_squared(corners[static_cast<int>(k)] - x.foot) <= snap * snap) own = {FeatureKind::vertex, k};
    x.point.feature_a = name.of_whole(own);
    x.named = true;
  }

  // The patch of a direction. When there are too many, the shallowest gives way.
  SurfacePatch& patch_of(const Vec3d& normal, double least) {
    std::size_t shallowest = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      SurfacePatch& patch = patches_[i];
      if (length_squared(patch.normal - normal) <= kManifoldSamePatch) {
        if (least < patch.least) patch.normal = normal;
        return patch;
      }
      if (patch.least > patches_[shallowest].least) shallowest = i;
    }
    SurfacePatch& fresh = count_ < kMostPatches                ? patches_[count_++]
                          : least < patches_[shallowest].least ? patches_[shallowest]
                                                               : spare_;
    fresh.start(normal);
    return fresh;
  }

  const Surface& surface_;
  PieceName3 name_;
  bool solid_, touching_ = false, too_many_ = false;
  const Shape3& shape_;
  ConvexView3 view_;
  const Placement3& place_;
  double margin_, lowest_ = 0, facing_snap_ = 0;
  Vec3d center_, towards_{};
  Patch3 facing_;
  DistanceAnswer3 left_;  // the nearest triangle that left its contact to a neighbour
  Piece left_piece_{};
  std::array<Vec3d, kMostCorners + 3> rings_[2];
  std::span<const Vec3d> ring_;
  std::size_t count_ = 0, seen_ = 0;
  std::array<SurfacePatch, kMostPatches> patches_;
  SurfacePatch spare_;
};

template <class Surface>
bool make_manifolds(const Surface& surface, const PieceName3& name, bool solid, const Shape3& shape_a,
                    const Shape3& convex, const Placement3& place, double margin, std::vector<PieceManifold<3>>& out) {
  SurfaceMaker<Surface> maker(surface, name, solid, convex, place, margin);
  maker.look_at_all();
  if (maker.too_many()) return false;
  const std::span<SurfacePatch> patches = maker.patches();
  // What nothing has shown to touch may still do so: by less than a rounding, or deep inside of a solid, or with a face
  // that faces no triangle
  if (!maker.touching() && (maker.seen_any() || solid) && intersects(shape_a, convex, place)) {
    const auto nearest = std::min_element(patches.begin(), patches.end(),
                                          [](const auto& p, const auto& q) { return p.least < q.least; });
    if (nearest == patches.end() || !(std::fabs(nearest->least) <= maker.rounding())) return false;
    nearest->press();
  }
  std::array<std::size_t, kMostPatches> order{};
  std::size_t count = 0;
  bool behind = false;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const bool open = patches[i].least <= 0 && !patches[i].proven, rounded = patches[i].least >= -maker.rounding();
    // Planes that are reached from behind only are not touched, and nor is what rounding alone lets touch
    behind = behind || (open && !rounded);
    if (patches[i].empty || (open && (!rounded || margin == 0))) continue;
    if (open) patches[i].lift();
    order[count++] = i;
  }
  if (behind && count == 0) return false;
  std::stable_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count),
                   [&](std::size_t p, std::size_t q) { return patches[p].least < patches[q].least; });
  for (std::size_t i = 0; i < count; ++i)
    out.push_back({static_cast<std::uint32_t>(i), maker.manifold_of(patches[order[i]])});
  return true;
}

}  // namespace

bool surface_manifolds3(const Shape3& surface, const Shape3& convex, const Placement3& surface_from_convex,
                        double margin, std::vector<PieceManifold<3>>& out) {
  SUDAR_ASSERT(convex.is_convex() && convex.is_bounded());
  if (surface.kind() == ShapeKind3::height_field) {
    const HeightField& field = *surface.as<HeightFieldShape3>().field;
    return make_manifolds(FieldSurface{field}, {0, nullptr, &field}, false, surface, convex, surface_from_convex,
                          margin, out);
  }
  const MeshShape3& shape = surface.as<MeshShape3>();
  const TriangleMesh& mesh = *shape.mesh;
  if (shape.solid && !mesh.is_oriented()) return false;
  return make_manifolds(MeshSurface{mesh}, {0, &mesh, nullptr}, shape.solid, surface, convex, surface_from_convex,
                        margin, out);
}

}  // namespace sudar
