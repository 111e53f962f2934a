// What:    Convex hull in space by Quickhull: take the farthest point outside of a face, replace all faces it sees by a
//          cone from their rim, hand the points of the replaced faces on to the cone.
// Source:  Barber, Dobkin, Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", 1996; seed A15.
// Differs: The source works with thick facets and merges them. Here a face is seen when the point is strictly in front
//          of it by the exact orient3d. Points in the plane of a face do not see it; the cone then continues that plane
//          with more triangles, and finish_hull3 joins them. (The faces strictly seen are those seen from a point moved
//          slightly inward, so they form a disc, and no triangle of the cone is degenerate.)
//          Heights over a face come from its rounded plane; only a height within its error bound asks orient3d.
// Frame:   The unit cube of HullFrame for heights, the input's for exact tests.
//          Invariant: a point outside of the current hull is in the list of a face it is strictly in front of. (A point
//          in front of a replaced face that is outside of the new hull is in front of a face of the cone: the ray to it
//          from the replaced face leaves the new hull in front of that face's plane, where only the cone is.)
// Fails:   see hull3.hpp. Terminates because each round adds a vertex of the hull of the points so far.
#include <sudar/geom/hull3_build.hpp>

#include <algorithm>

namespace sudar::inline SUDAR_ABI {

using namespace hull3_detail;

namespace {

// One cache line. Half-edge 4f + i runs from corner i to corner i + 1 of face f.
struct alignas(64) Face {
  Vec3d normal;
  double offset;
  std::uint32_t corner[3];
  std::uint32_t twin[3];
  std::uint32_t outside;  // first of the points in front: the farthest
  float bound;            // of the rounded height; negative: the face is gone

  double height(const Vec3d& p) const { return normal.x * p.x + normal.y * p.y + normal.z * p.z - offset; }
};

// A point on the list of a face, in the frame of the heights
struct Outsider {
  Vec3d p;
  std::uint32_t next;
  std::uint32_t index;  // into the input
};

constexpr std::uint32_t next3(std::uint32_t e) { return (e & 3) == 2 ? e - 2 : e + 1; }

template <class Trace>
class Quickhull {
 public:
  Quickhull(std::span<const Vec3d> points, const HullSimplex& simplex, Trace trace)
      : points_(points), frame_(simplex.frame), trace_(trace) {
    start(simplex);
  }

  HullSurface run() {
    while (!queue_.empty()) {
      const std::uint32_t f = queue_.back();
      queue_.pop_back();
      if (faces_[f].bound >= 0 && faces_[f].outside != kNoIndex) add_point(f);
    }
    return surface();
  }

 private:
  std::uint32_t new_face(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    std::uint32_t f;
    if (free_.empty()) {
      f = static_cast<std::uint32_t>(faces_.size());
      faces_.emplace_back();
    } else {
      f = free_.back();
      free_.pop_back();
    }
    Face& face = faces_[f];
    const HullPlane plane(position(a), position(b), position(c));
    face.normal = plane.normal;
    face.offset = plane.offset;
    // To float, away from zero: one part in 2^20 is more than the conversion loses
    face.bound = static_cast<float>(plane.bound * (1 + 0x1p-20));
    face.corner[0] = a;
    face.corner[1] = b;
    face.corner[2] = c;
    face.outside = kNoIndex;
    return f;
  }

  // Corners are outsiders' numbers while the hull grows
  const Vec3d& position(std::uint32_t i) const { return all_[i].p; }

  // Sign of the exact height
  int exact_side(const Face& face, std::uint32_t i) {
    const auto at = [&](std::uint32_t k) -> const Vec3d& { return points_[all_[k].index]; };
    const Vec3d &a = at(face.corner[0]), &b = at(face.corner[1]), &c = at(face.corner[2]), &p = at(i);
    if (p == a || p == b || p == c) return 0;
    return orient3d(a, b, c, p);
  }

  bool in_front(const Face& face, std::uint32_t i, double height) {
    return height > face.bound || (height >= -face.bound && exact_side(face, i) > 0);
  }

  void give(Face& face, std::uint32_t i, double height, double& farthest) {
    if (height > farthest) {
      farthest = height;
      all_[i].next = face.outside;
      face.outside = i;
    } else {
      all_[i].next = all_[face.outside].next;
      all_[face.outside].next = i;
    }
  }

  void start(const HullSimplex& simplex) {
    const auto n = static_cast<std::uint32_t>(points_.size());
    all_.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) all_[i] = {frame_(points_[i]), kNoIndex, i};
    const auto [a, b, c, d] = simplex.id;
    // d is behind (a, b, c)
    faces_.reserve(256);
    new_face(a, b, c);
    new_face(b, a, d);
    new_face(c, b, d);
    new_face(a, c, d);
    const std::uint32_t twins[4][3] = {{4, 8, 12}, {0, 14, 9}, {1, 6, 13}, {2, 10, 5}};
    for (std::uint32_t f = 0; f < 4; ++f) std::copy_n(twins[f], 3, faces_[f].twin);
    if constexpr (Trace::kEnabled) trace_({.step = "initial tetrahedron", .ids = simplex.id});

    cone_ = {0, 1, 2, 3};
    farthest_.assign(4, -1);
    for (std::uint32_t i = 0; i < n; ++i) hand_on(i);
    queue_ = cone_;
  }

  // Put a point on the list of a face of the cone that it is in front of, or forget it
  void hand_on(std::uint32_t i) {
    const Vec3d p = all_[i].p;
    const std::size_t count = cone_.size();
    for (std::size_t k = 0, at = last_; k < count; ++k, ++at) {
      if (at == count) at = 0;
      Face& face = faces_[cone_[at]];
      const double height = face.height(p);
      if (!in_front(face, i, height)) continue;
      last_ = at;
      return give(face, i, height, farthest_[at]);
    }
  }

  void add_point(std::uint32_t seen) {
    const std::uint32_t eye = faces_[seen].outside;
    const Vec3d p = all_[eye].p;
    find_visible(seen, eye, p);
    if constexpr (Trace::kEnabled) trace_chosen(eye, faces_[seen].height(p));

    // The cone: face k over rim edge k, whose half-edge on the far side is rim_[k]
    cone_.clear();
    for (const std::uint32_t rim : rim_) {
      const Face& outer = faces_[rim >> 2];
      const std::uint32_t a = outer.corner[next3(rim) & 3], b = outer.corner[rim & 3];
      cone_.push_back(new_face(a, b, eye));
    }
    const std::size_t count = rim_.size();
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t f = cone_[k];
      const std::uint32_t following = cone_[k + 1 == count ? 0 : k + 1], previous = cone_[k == 0 ? count - 1 : k - 1];
      Face& face = faces_[f];
      SUDAR_ASSERT(face.corner[1] == faces_[following].corner[0]);
      face.twin[0] = rim_[k];
      face.twin[1] = following * 4 + 2;
      face.twin[2] = previous * 4 + 1;
      faces_[rim_[k] >> 2].twin[rim_[k] & 3] = f * 4;
    }
    if constexpr (Trace::kEnabled) trace_faces("new faces", cone_);

    farthest_.assign(count, -1);
    last_ = 0;
    for (const std::uint32_t f : visible_) {
      for (std::uint32_t i = faces_[f].outside; i != kNoIndex;) {
        const std::uint32_t next = all_[i].next;
        if (i != eye) hand_on(i);
        i = next;
      }
      free_.push_back(f);
    }
    for (const std::uint32_t f : cone_)
      if (faces_[f].outside != kNoIndex) queue_.push_back(f);
  }

  // Flood the faces the eye is in front of. Depth first with edges in order, so that the rim comes out as a loop.
  void find_visible(std::uint32_t seen, std::uint32_t eye, const Vec3d& p) {
    visible_.assign(1, seen);
    rim_.clear();
    faces_[seen].bound = -1;
    stack_.assign({faces_[seen].twin[2], faces_[seen].twin[1], faces_[seen].twin[0]});
    while (!stack_.empty()) {
      const std::uint32_t e = stack_.back(), f = e >> 2;
      stack_.pop_back();
      Face& face = faces_[f];
      if (face.bound < 0) continue;
      const double height = face.height(p);
      int side = height > face.bound ? 1 : -1;
      if (height <= face.bound && height >= -face.bound) {
        side = exact_side(face, eye);
        flat_ |= side == 0;
      }
      if (side > 0) {
        face.bound = -1;
        visible_.push_back(f);
        const std::uint32_t e1 = next3(e), e2 = next3(e1);
        stack_.push_back(face.twin[e2 & 3]);
        stack_.push_back(face.twin[e1 & 3]);
      } else {
        rim_.push_back(e);
      }
    }
  }

  // Number the live faces and write them with input indices
  HullSurface surface() {
    HullSurface result;
    result.may_be_flat = flat_;
    std::vector<std::uint32_t> number(faces_.size());
    std::uint32_t live = 0;
    for (std::size_t f = 0; f < faces_.size(); ++f)
      if (faces_[f].bound >= 0) number[f] = live++;
    result.corners.reserve(std::size_t{3} * live);
    result.twins.reserve(std::size_t{3} * live);
    for (const Face& face : faces_) {
      if (face.bound < 0) continue;
      for (int i = 0; i < 3; ++i) {
        result.corners.push_back(all_[face.corner[i]].index);
        result.twins.push_back(3 * number[face.twin[i] >> 2] + (face.twin[i] & 3));
      }
    }
    return result;
  }

  void trace_chosen(std::uint32_t eye, double height) {
    trace_({.step = "chosen point", .ids = {&all_[eye].index, 1}, .value = height});
    trace_faces("visible faces", visible_);
    std::vector<std::uint32_t> loop;
    for (const std::uint32_t rim : rim_) loop.push_back(all_[faces_[rim >> 2].corner[next3(rim) & 3]].index);
    trace_({.step = "horizon", .ids = loop});
  }
  void trace_faces(std::string_view step, const std::vector<std::uint32_t>& list) {
    std::vector<std::uint32_t> ids;
    for (const std::uint32_t f : list)
      for (const std::uint32_t i : faces_[f].corner) ids.push_back(all_[i].index);
    trace_({.step = step, .ids = ids});
  }

  std::span<const Vec3d> points_;
  HullFrame frame_;
  Trace trace_;
  std::vector<Outsider> all_;
  std::vector<Face> faces_;
  std::vector<std::uint32_t> free_, queue_;
  std::vector<std::uint32_t> visible_, rim_, cone_, stack_;
  std::vector<double> farthest_;  // greatest height over each face of the cone
  std::size_t last_ = 0;          // the face of the cone that took the last point: the next one is often near
  bool flat_ = false;             // some eye was in the plane of a face next to its rim
};

}  // namespace

template <class Trace>
Result<Hull3> quickhull3(std::span<const Vec3d> points, const HullOptions& options, Trace trace) {
  return guarded([&]() -> Result<Hull3> {
    if (const auto checked = check_hull_input(points); !checked) return checked.error();
    const HullSimplex simplex = find_simplex(points);
    if (simplex.dimension < 3) {
      auto flat = flat_hull3(points, simplex);
      if constexpr (Trace::kEnabled)
        if (flat) trace({.step = "flat hull", .ids = flat->source});
      return flat;
    }
    const HullSurface surface = Quickhull<Trace>(points, simplex, trace).run();
    return finish_hull3(points, surface, options);
  });
}

template SUDAR_API Result<Hull3> quickhull3<NoTrace>(std::span<const Vec3d>, const HullOptions&, NoTrace);
template SUDAR_API Result<Hull3> quickhull3<TraceTo>(std::span<const Vec3d>, const HullOptions&, TraceTo);

}  // namespace sudar::inline SUDAR_ABI
