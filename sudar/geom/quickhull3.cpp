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
// Fails:   see hull3.hpp. Terminates because each round adds a vertex of the hull of the points so far. Time is about
//          n log n on spread points and n² at worst, memory linear.
#include <sudar/geom/hull3_cone.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace sudar {

using namespace hull3_detail;

namespace {

// One cache line. Half-edge 4f + i runs from corner i to corner i + 1 of face f.
struct alignas(64) Face {
  Vec3d normal;
  double offset;
  std::uint32_t corner[3];
  std::uint32_t twin[3];
  std::uint32_t outside;  // where the list of the points in front begins
  float bound;            // of the rounded height; negative: the face is gone

  double height(const Vec3d& p) const { return normal.x * p.x + normal.y * p.y + normal.z * p.z - offset; }
};

constexpr std::uint32_t next3(std::uint32_t e) { return (e & 3) == 2 ? e - 2 : e + 1; }

template <class Trace>
class Quickhull {
 public:
  Quickhull(std::span<const Vec3d> points, const HullSimplex& simplex, Trace trace) : points_(points), trace_(trace) {
    start(simplex);
  }

  HullSurface run() {
    // Long lists first come, first served: they shrink evenly, so that none is handed on again and again. Then the
    // short ones depth first: what was just made is in the cache.
    for (std::size_t head = 0; head < queue_.size() || !short_.empty();) {
      std::uint32_t f;
      if (head < queue_.size()) {
        f = queue_[head++];
      } else {
        f = short_.back();
        short_.pop_back();
      }
      if (faces_[f].bound >= 0 && faces_[f].outside != kNone) add_point(f);
    }
    return surface();
  }

 private:
  static constexpr std::uint32_t kShortList = 256;

  void start(const HullSimplex& simplex) {
    const std::size_t n = points_.size();
    positions_.reserve(n);
    for (const Vec3d& p : points_) positions_.push_back(simplex.frame(p));
    hits_.resize(n);

    const auto [a, b, c, d] = simplex.id;
    // d is behind (a, b, c)
    cone_ = {new_face(a, b, c), new_face(b, a, d), new_face(c, b, d), new_face(a, c, d)};
    const std::uint32_t twins[4][3] = {{4, 8, 12}, {0, 14, 9}, {1, 6, 13}, {2, 10, 5}};
    for (std::uint32_t f = 0; f < 4; ++f) std::copy_n(twins[f], 3, faces_[f].twin);
    if constexpr (Trace::kEnabled) trace_({.step = "initial tetrahedron", .ids = simplex.id});

    std::vector<std::uint32_t> everything(n);
    std::iota(everything.begin(), everything.end(), 0u);
    set_cone_planes();
    hand_on(find_in_front(planes_, positions_.data(), everything, hits_.data()));
  }

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
    const HullPlane plane(positions_[a], positions_[b], positions_[c]);
    face.normal = plane.normal;
    face.offset = plane.offset;
    // To float, away from zero: one part in 2^20 is more than the conversion loses
    face.bound = static_cast<float>(plane.bound * (1 + 0x1p-20));
    face.corner[0] = a;
    face.corner[1] = b;
    face.corner[2] = c;
    face.outside = kNone;
    return f;
  }

  // Sign of the exact height
  int exact_side(const Face& face, std::uint32_t i) const {
    const Vec3d &a = points_[face.corner[0]], &b = points_[face.corner[1]], &c = points_[face.corner[2]];
    const Vec3d& p = points_[i];
    const bool corner = p == a || p == b || p == c;  // NOLINT(misc-redundant-expression): three points
    return corner ? 0 : orient3d(a, b, c, p);
  }

  void add_point(std::uint32_t seen) {
    const std::uint32_t eye = lists_[faces_[seen].outside + 1];
    const Vec3d p = positions_[eye];
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

    // The lists of the visible faces, the eye being the first of its own
    set_cone_planes();
    std::size_t found = 0;
    for (const std::uint32_t f : visible_) {
      free_.push_back(f);
      if (faces_[f].outside == kNone) continue;
      std::span<const std::uint32_t> ids(lists_.data() + faces_[f].outside + 1, lists_[faces_[f].outside]);
      if (f == seen) ids = ids.subspan(1);
      found += find_in_front(planes_, positions_.data(), ids, hits_.data() + found);
    }
    hand_on(found);
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

  void set_cone_planes() {
    planes_.resize(cone_.size());
    for (std::size_t k = 0; k < cone_.size(); ++k) {
      const Face& face = faces_[cone_[k]];
      planes_.set(k, face.normal, face.offset, face.bound);
    }
  }

  // Give the points found in front of the cone to its faces: a list is its length, the farthest point, and the others
  void hand_on(std::size_t found) {
    if (found == 0) return;
    if (lists_.size() + found + 2 * cone_.size() > lists_limit_) tidy_lists(found);
    tallies_.assign(cone_.size(), {});
    for (std::size_t h = 0; h < found; ++h) {
      InFront& hit = hits_[h];
      if (hit.place == InFront::kUnsure && !settle(hit)) continue;
      Tally& tally = tallies_[hit.place];
      if (tally.count == 0 || hit.height > tally.farthest) {
        tally.farthest = hit.height;
        tally.first = hit.id;
      }
      ++tally.count;
    }
    auto end = static_cast<std::uint32_t>(lists_.size());
    for (std::size_t k = 0; k < cone_.size(); ++k) {
      Tally& tally = tallies_[k];
      if (tally.count == 0) continue;
      faces_[cone_[k]].outside = end;
      (tally.count > kShortList ? queue_ : short_).push_back(cone_[k]);
      tally.next = end + 2;
      end += tally.count + 1;
    }
    lists_.resize(end);
    for (std::size_t h = 0; h < found; ++h) {
      const InFront& hit = hits_[h];
      if (hit.place == InFront::kUnsure) continue;
      Tally& tally = tallies_[hit.place];
      if (hit.id != tally.first) lists_[tally.next++] = hit.id;
    }
    for (std::size_t k = 0; k < cone_.size(); ++k) {
      if (tallies_[k].count == 0) continue;
      lists_[faces_[cone_[k]].outside] = tallies_[k].count;
      lists_[faces_[cone_[k]].outside + 1] = tallies_[k].first;
    }
  }

  // A point that is near all planes it might be in front of: exactly
  bool settle(InFront& hit) const {
    for (std::size_t k = 0; k < cone_.size(); ++k) {
      const Face& face = faces_[cone_[k]];
      const double height = face.height(positions_[hit.id]);
      if (height < -face.bound || exact_side(face, hit.id) <= 0) continue;
      hit.place = static_cast<std::uint32_t>(k);
      hit.height = height;
      return true;
    }
    return false;
  }

  // Lists of faces that are gone stay behind until there are too many of them
  void tidy_lists(std::size_t room) {
    std::vector<std::uint32_t> kept;
    for (Face& face : faces_) {
      if (face.bound < 0 || face.outside == kNone) continue;
      const auto at = static_cast<std::uint32_t>(kept.size());
      const auto from = lists_.begin() + face.outside;
      kept.insert(kept.end(), from, from + 1 + *from);
      face.outside = at;
    }
    lists_ = std::move(kept);
    lists_limit_ = 4 * (lists_.size() + room + points_.size()) + 2 * cone_.size();
    lists_.reserve(lists_limit_);
  }

  // Number the live faces and write them
  HullSurface surface() const {
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
        result.corners.push_back(face.corner[i]);
        result.twins.push_back(3 * number[face.twin[i] >> 2] + (face.twin[i] & 3));
      }
    }
    return result;
  }

  void trace_chosen(std::uint32_t eye, double height) {
    trace_({.step = "chosen point", .ids = {&eye, 1}, .value = height});
    trace_faces("visible faces", visible_);
    std::vector<std::uint32_t> loop;
    for (const std::uint32_t rim : rim_) loop.push_back(faces_[rim >> 2].corner[next3(rim) & 3]);
    trace_({.step = "horizon", .ids = loop});
  }
  void trace_faces(std::string_view step, const std::vector<std::uint32_t>& list) {
    std::vector<std::uint32_t> ids;
    for (const std::uint32_t f : list) ids.insert(ids.end(), faces_[f].corner, faces_[f].corner + 3);
    trace_({.step = step, .ids = ids});
  }

  struct Tally {
    std::uint32_t count = 0;
    std::uint32_t first = 0, next = 0;
    double farthest = 0;
  };

  std::span<const Vec3d> points_;
  Trace trace_;
  std::vector<Vec3d> positions_;  // the points in the frame of the heights
  std::vector<Face> faces_;
  std::vector<std::uint32_t> free_, queue_, short_;
  std::vector<std::uint32_t> lists_;
  std::size_t lists_limit_ = 0;
  std::vector<std::uint32_t> visible_, rim_, cone_, stack_;
  HullCone planes_;
  std::vector<InFront> hits_;
  std::vector<Tally> tallies_;
  bool flat_ = false;  // some eye was in the plane of a face next to its rim
};

}  // namespace

template <class Trace>
Result<Hull3> quickhull3(std::span<const Vec3d> points, const HullOptions& options, Trace trace) {
  return build_hull3(points, options, trace,
                     [&](const HullSimplex& simplex) { return Quickhull<Trace>(points, simplex, trace).run(); });
}

template SUDAR_API Result<Hull3> quickhull3<NoTrace>(std::span<const Vec3d>, const HullOptions&, NoTrace);
template SUDAR_API Result<Hull3> quickhull3<TraceTo>(std::span<const Vec3d>, const HullOptions&, TraceTo);

}  // namespace sudar
