#include <sudar/narrowphase/face_depth3.hpp>
#include <sudar/narrowphase/face_scan.hpp>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

namespace sudar {

namespace {

// Relative to the reach of the difference set. kFaceRounding: how much nearer than its rounded normal says a face may be,
// kEdgeRounding: a face of two edges, over their sine. That is for faces that are not chosen: the chosen one holds the foot
// of the origin, and there a tilt counts only by its square. kFaceDepthGap: what others may leave open. kFootTolerance: how
// far the foot may lie beside its face. kSureDepth: from where on a depth is the proof of a hit, far beyond all these.
constexpr double kFaceRounding = 2048 * kRoundoff, kEdgeRounding = 64 * kRoundoff, kFaceDepthGap = 16 * kRoundoff;
constexpr double kFootTolerance = 64 * kRoundoff, kSureDepth = 0x1p-30;
// Below this sine edges are parallel, and the faces at their ends speak for them
constexpr double kParallelArcs = 0x1p-48;
// Above this sine the axis of two edges of faces that lie on each other is looked at, below it is rounding
constexpr double kClearAngle = 0x1p-20;
// How much farther, relative to the reach, the next face must be for all between to be one axis with the chosen one
constexpr double kClearRise = 0x1p-14;
// Axes nearer than this are one: seen from the foot of the origin the second is as far as the first, up to the square
constexpr double kSameAxis = 0x1p-27;
// Of a sign: products of an edge with a unit normal, relative to the edge
constexpr double kSignRounding = 16 * kRoundoff;

// Of a face on which another lies
constexpr std::uint32_t kMostDepthCorners = 16;

enum class DepthKind : std::uint8_t { way, face_a, face_b, edges };

double one_norm(const Vec3d& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

// Left uninitialised, as most are not used
struct DepthCorners {
  static constexpr std::uint32_t kRoom = 2 * kMostDepthCorners;
  union {
    Vec3d at[kRoom];
  };
  std::uint32_t count = 0;
  DepthCorners() {}
};

// Faces of one hull under which the first deepest vertex of the other lies less deep than is known, and the vertices of the
// other that were deepest along some axis
struct DepthFaces {
  static constexpr int kMostKnown = 4;

  const Hull3& hull;
  std::uint32_t count = 0;
  int known_count = 0;
  Vec3d known[kMostKnown];
  std::uint32_t low[kMaxDepthFaces];
  double height[kMaxDepthFaces];

  explicit DepthFaces(const Hull3& h) : hull(h) {}
  void find(double depth) { count = find_low_planes(hull.planes, known[0], depth, height, low); }
  void add_known(const Vec3d& p) { known[known_count < kMostKnown ? known_count++ : kMostKnown - 1] = p; }
  double under(std::uint32_t f, const Vec3d& p) const { return hull.planes[f].offset - dot(hull.planes[f].normal, p); }
  bool may_be_nearest(std::uint32_t f, double depth) const {
    double deepest = height[f];
    for (int i = 1; i < known_count; ++i) deepest = std::max(deepest, under(f, known[i]));
    return deepest < depth;
  }
  // The low face with the least height; there must be one
  std::uint32_t least() const {
    std::uint32_t best = low[0];
    for (std::uint32_t i = 1; i < count; ++i) best = height[low[i]] < height[best] ? low[i] : best;
    return best;
  }
};

template <class Trace>
class FaceDepth {
 public:
  FaceDepth(const Difference3& difference, Trace trace)
      : trace_(trace),
        difference_(difference),
        place_(difference.a_from_b),
        offset_(place_.translation + place_.rest),
        rounding_(kFaceRounding * difference.reach),
        faces_a_(difference.a.body->hull()),
        faces_b_(difference.b.body->hull()) {}

  FaceDepthOutcome run(const Vec3d& start, Epa3& out) {
    const FaceDepthOutcome outcome = search(start, out);
    if constexpr (Trace::kEnabled) {
      if (outcome == FaceDepthOutcome::inside)
        trace_({.step = "done", .numbers = {&out.normal.x, 3}, .value = out.depth});
      else if (outcome == FaceDepthOutcome::apart)
        trace_({.step = "apart", .numbers = {&out.normal.x, 3}, .value = -out.least});
      else
        trace_({.step = "open"});
    }
    return outcome;
  }

 private:
  static constexpr double kLeastSquare = 0x1p-800;

  FaceDepthOutcome search(const Vec3d& start, Epa3& out) {
    const Vec3d way = start == Vec3d{} ? -difference_.center() : start;
    const double squared = dot(way, way);
    if (!(squared > kLeastSquare && squared < 1 / kLeastSquare)) return FaceDepthOutcome::open;
    look(way * (1 / std::sqrt(squared)), DepthKind::way, 0, 0);
    if (apart_) return separated(out);
    faces_a_.find(depth_ + rounding_);
    faces_b_.find(depth_ + rounding_);
    if constexpr (Trace::kEnabled) {
      trace_({.step = "faces of a left", .ids = {faces_a_.low, faces_a_.count}, .value = depth_});
      trace_({.step = "faces of b left", .ids = {faces_b_.low, faces_b_.count}, .value = depth_});
    }
    look_at_faces();
    if (apart_) return separated(out);
    if (depth_ - low_ > kFaceDepthGap * difference_.reach) return FaceDepthOutcome::open;
    const std::uint32_t own_a = kind_ == DepthKind::face_a || paired_ ? feature_a_ : kMaxDepthFaces;
    const std::uint32_t own_b = kind_ == DepthKind::face_b || paired_ ? feature_b_ : kMaxDepthFaces;
    if (!gather(faces_a_, deepest_.turned_b + offset_, own_a, arcs_a_, edges_a_) ||
        !gather(faces_b_, to_b(place_, deepest_.a - offset_), own_b, arcs_b_, edges_b_))
      return FaceDepthOutcome::open;
    turn_edges();
    ArcPair crossing[kMostCrossings];
    const std::uint32_t crossings = find_crossings(arcs_a_, arcs_b_, crossing);
    if (crossings > kMostCrossings) return FaceDepthOutcome::open;
    if constexpr (Trace::kEnabled) report_crossings({crossing, crossings});
    for (std::uint32_t i = 0; i < crossings; ++i)
      if (!look_at_edges(crossing[i].a, crossing[i].b)) return FaceDepthOutcome::open;
    if (apart_) return separated(out);
    return conclude(out);
  }

  void report_crossings(std::span<const ArcPair> crossing) {
    std::vector<std::uint32_t> ids;
    for (const ArcPair& pair : crossing) ids.insert(ids.end(), {edges_a_[pair.a], edges_b_[pair.b]});
    trace_({.step = "crossing edges", .ids = ids, .value = static_cast<double>(crossing.size())});
  }

  CorePoint3 a_of(const DifferencePoint3& p) const { return {p.a, p.ia}; }
  CorePoint3 b_of(const DifferencePoint3& p) const { return {faces_b_.hull.vertices[p.ib], p.ib}; }
  Vec3d turned(const Vec3d& v) const { return place_.turned ? place_.turn * v : v; }

  // The distance of an axis, and how much nearer its face may truly be
  void take(const Vec3d& n, const DifferencePoint3& p, double error, DepthKind kind, std::uint32_t of_a,
            std::uint32_t of_b) {
    const double h = dot(n, p.w);
    if constexpr (Trace::kEnabled) {
      static constexpr std::string_view kSteps[] = {"direction", "face of a", "face of b", "edges"};
      const bool edges = kind == DepthKind::edges;
      const std::uint32_t ids[] = {edges ? edges_a_[of_a] : of_a, edges ? edges_b_[of_b] : of_b};
      const Vec3d numbers[] = {n, p.w};
      trace_({.step = kSteps[static_cast<int>(kind)], .ids = ids, .numbers = {&numbers[0].x, 6}, .value = h});
    }
    const bool same = is_same_axis(n);
    const bool faces = same && ((kind == DepthKind::face_a && kind_ == DepthKind::face_b) ||
                                (kind == DepthKind::face_b && kind_ == DepthKind::face_a));
    if (faces) {
      // Face on face: the one that is chosen knows the other
      paired_ = true;
      (kind == DepthKind::face_a ? feature_a_ : feature_b_) = kind == DepthKind::face_a ? of_a : of_b;
      of_a = feature_a_;
      of_b = feature_b_;
    }
    // The first direction may be that of a face, which then takes its place
    const bool named = same && kind_ == DepthKind::way && h <= depth_ + rounding_;
    if (!(h < depth_) && !named) {
      if (same)
        error_ = std::max(error_, error);
      else
        low_ = std::min(low_, h - error);
      return;
    }
    if (!same) low_ = std::min(low_, depth_ - error_);
    error_ = same ? std::max(error_, error) : error;
    paired_ = faces;
    depth_ = h;
    normal_ = n;
    deepest_ = p;
    kind_ = kind;
    feature_a_ = of_a;
    feature_b_ = of_b;
    apart_ = h < -difference_.plane_slack(n);
  }
  bool is_same_axis(const Vec3d& n) const {
    const Vec3d d = n - normal_;
    return dot(d, d) <= kSameAxis * kSameAxis;
  }
  // Both bodies projected on a unit axis
  void look(const Vec3d& n, DepthKind kind, std::uint32_t of_a, std::uint32_t of_b) {
    const DifferencePoint3 p = difference_.least(-n);
    ++looks_;
    faces_a_.add_known(p.turned_b + offset_);
    faces_b_.add_known(to_b(place_, p.a - offset_));
    take(n, p, 0, kind, of_a, of_b);
  }
  // One of them is as wide as its face is far
  void look_at_face_a(std::uint32_t f) {
    const Hull3& hull = faces_a_.hull;
    const Vec3d& n = hull.planes[f].normal;
    const std::uint32_t corner = hull.face_vertex(f, 0);
    const DifferencePoint3 p =
        difference_.make({hull.vertices[corner], corner}, support(difference_.b, to_b(place_, -n)));
    ++looks_;
    faces_a_.add_known(p.turned_b + offset_);
    take(n, p, rounding_, DepthKind::face_a, f, 0);
  }
  void look_at_face_b(std::uint32_t f) {
    const Hull3& hull = faces_b_.hull;
    const Vec3d n = -turned(hull.planes[f].normal);
    const std::uint32_t corner = hull.face_vertex(f, 0);
    const DifferencePoint3 p = difference_.make(support(difference_.a, n), {hull.vertices[corner], corner});
    ++looks_;
    faces_b_.add_known(to_b(place_, p.a - offset_));
    take(n, p, rounding_, DepthKind::face_b, 0, f);
  }
  // What promises most, then all that still promises something
  void look_at_faces() {
    const std::uint32_t fa = faces_a_.count > 0 ? faces_a_.least() : kMaxDepthFaces;
    const std::uint32_t fb = faces_b_.count > 0 ? faces_b_.least() : kMaxDepthFaces;
    const bool from_a = faces_a_.count > 0 && (faces_b_.count == 0 || faces_a_.height[fa] < faces_b_.height[fb]);
    if (from_a)
      look_at_face_a(fa);
    else if (faces_b_.count > 0)
      look_at_face_b(fb);
    for (std::uint32_t i = 0; i < faces_a_.count && !apart_; ++i) {
      const std::uint32_t f = faces_a_.low[i];
      if (!(from_a && f == fa) && faces_a_.may_be_nearest(f, depth_ + rounding_)) look_at_face_a(f);
    }
    for (std::uint32_t i = 0; i < faces_b_.count && !apart_; ++i) {
      const std::uint32_t f = faces_b_.low[i];
      if ((from_a || f != fb) && faces_b_.may_be_nearest(f, depth_ + rounding_)) look_at_face_b(f);
    }
  }

  // Edges with a direction between their faces that may be nearer than what is known: by the first vertex, and by the one
  // that is deepest by now. From the chosen face on distances rise towards a face that is farther, and what is no farther
  // is one axis with it. Without a branch where the answer is a toss-up.
  bool gather(const DepthFaces& faces, const Vec3d& point, std::uint32_t own, ArcColumns& arcs,
              std::uint32_t* edges) const {
    const Hull3& hull = faces.hull;
    const double depth = depth_ + rounding_, clear = depth_ + kClearRise * difference_.reach;
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < faces.count; ++i) {
      const std::uint32_t f = faces.low[i];
      if (!(faces.height[f] < depth)) continue;
      const std::uint32_t begin = hull.face_edge[f], end = begin + hull.face_degree(f);
      const double here = faces.under(f, point);
      const bool chosen = f == own && here > depth_ - rounding_, low = here < depth && !chosen;
      const double least = chosen ? clear : depth;
      if (count + (end - begin) >= ArcColumns::kMost) return false;
      for (std::uint32_t e = begin; e < end; ++e) {
        const std::uint32_t twin = hull.edges[e].twin, g = hull.edges[twin].face;
        // There already from the other side
        const bool second = (e > twin) & (faces.height[g] < depth);
        edges[count] = e;
        count += (!second) & (low | (faces.under(g, point) < least)) ? 1 : 0;
      }
    }
    arcs.count = count;
    for (std::uint32_t i = 0; i < count; ++i) {
      const HalfEdge &edge = hull.edges[edges[i]], &twin = hull.edges[edge.twin];
      const Vec3d along = hull.vertices[twin.origin] - hull.vertices[edge.origin];
      arcs.set(i, along, hull.planes[edge.face].normal, hull.planes[twin.face].normal, kSignRounding * one_norm(along));
    }
    return true;
  }
  void turn_edges() {
    for (std::uint32_t j = 0; place_.turned && j < arcs_b_.count; ++j)
      arcs_b_.set(j, turned(arcs_b_.edge(j)), turned(arcs_b_.face(0, j)), turned(arcs_b_.face(1, j)),
                  2 * arcs_b_.tolerance[j]);
  }
  Vec3d origin_a(std::uint32_t i) const { return faces_a_.hull.vertices[faces_a_.hull.edges[edges_a_[i]].origin]; }
  Vec3d origin_b(std::uint32_t j) const {
    return turned(faces_b_.hull.vertices[faces_b_.hull.edges[edges_b_[j]].origin]) + offset_;
  }

  static bool is_at_face(const Hull3& hull, std::uint32_t edge, std::uint32_t face) {
    return hull.edges[edge].face == face || hull.edges[hull.edges[edge].twin].face == face;
  }

  // False when rounding hides on which side an edge is
  bool look_at_edges(std::uint32_t i, std::uint32_t j) {
    const Vec3d u = arcs_a_.edge(i), w = arcs_b_.edge(j);
    Vec3d n = cross(u, w);
    const double nn = dot(n, n), product = dot(u, u) * dot(w, w);
    if (nn <= kParallelArcs * kParallelArcs * product) return true;
    const double size = std::sqrt(nn);
    // Of two faces on each other the edges that are not nearly parallel meet in the axis that is known
    if (paired_ && nn > kClearAngle * kClearAngle * product && is_at_face(faces_a_.hull, edges_a_[i], feature_a_) &&
        is_at_face(faces_b_.hull, edges_b_[j], feature_b_) && (is_same_axis(n / size) || is_same_axis(n / -size)))
      return true;
    // Out of A and into B
    const double side = dot(n, arcs_a_.face(0, i) + arcs_a_.face(1, i));
    if (!(std::fabs(side) > kFaceRounding * size)) return false;
    n = n * ((side < 0 ? -1 : 1) / size);
    if (dot(n, arcs_b_.face(0, j) + arcs_b_.face(1, j)) > kFaceRounding) return true;
    const double error = kEdgeRounding * difference_.reach * std::sqrt(product) / size;
    if (dot(n, origin_a(i) - origin_b(j)) - error >= depth_) return true;
    if (kind_ != DepthKind::way && is_same_axis(n) && error < kSameAxis * difference_.reach) {
      error_ = std::max(error_, error);
      return true;
    }
    const DifferencePoint3 p = difference_.least(-n);
    ++looks_;
    take(n, p, error, DepthKind::edges, i, j);
    return true;
  }

  FaceDepthOutcome separated(Epa3& out) const {
    // A face was taken to be as far as one of its corners; along its rounded normal another may be farther
    const bool face = kind_ == DepthKind::face_a || kind_ == DepthKind::face_b;
    const double h = face ? dot(normal_, difference_.least(-normal_).w) : depth_,
                 slack = difference_.plane_slack(normal_);
    if (!(h < -slack)) return FaceDepthOutcome::open;
    out.normal = normal_;
    out.least = h + slack;
    out.iterations = looks_;
    return FaceDepthOutcome::apart;
  }
  FaceDepthOutcome conclude(Epa3& out) {
    if (kind_ == DepthKind::way || depth_ - low_ > kFaceDepthGap * difference_.reach) return FaceDepthOutcome::open;
    // A face was taken to be as far as one of its corners
    const double seen = depth_;
    if (kind_ == DepthKind::face_a)
      depth_ = std::max(depth_, dot(normal_, difference_.make(support(difference_.a, normal_), b_of(deepest_)).w));
    if (kind_ == DepthKind::face_b)
      depth_ = std::max(
          depth_, dot(normal_, difference_.make(a_of(deepest_), support(difference_.b, to_b(place_, -normal_))).w));
    double uneven = 0;
    if (depth_ - seen > rounding_ || !find_foot(out, uneven) || uneven > kFaceDepthGap * difference_.reach)
      return FaceDepthOutcome::open;
    const double slack = difference_.plane_slack(normal_);
    out.depth = out.least = depth_;
    out.lower = out.inner = std::min(seen - uneven, low_) - slack;
    out.upper = depth_ + slack;
    out.normal = normal_;
    out.near = distance(out.point_a, out.point_b);
    out.iterations = looks_;
    return out.lower > kSureDepth * difference_.reach ? FaceDepthOutcome::inside : FaceDepthOutcome::open;
  }
  // Where the two bodies are deepest in each other: the foot of the origin on the face of the difference set. `uneven` is
  // how much lower than the plane across the normal some corner of the face lies.
  bool find_foot(Epa3& out, double& uneven) const {
    if (kind_ == DepthKind::face_a) {
      const auto place = [&](std::uint32_t v) { return turned(faces_b_.hull.vertices[v]) + offset_; };
      if (!find_foot_on_face(faces_a_.hull, feature_a_, *difference_.b.body, deepest_.ib, feature_b_, place,
                             out.point_b, uneven))
        return false;
      out.point_a = out.point_b + normal_ * depth_;
      return true;
    }
    if (kind_ == DepthKind::face_b) {
      const auto place = [&](std::uint32_t v) { return to_b(place_, faces_a_.hull.vertices[v] - offset_); };
      Vec3d foot_b{};
      if (!find_foot_on_face(faces_b_.hull, feature_b_, *difference_.a.body, deepest_.ia, feature_a_, place, foot_b,
                             uneven))
        return false;
      out.point_a = turned(foot_b) + offset_;
      out.point_b = out.point_a - normal_ * depth_;
      return true;
    }
    // The lines of two edges are nearest where their difference is along the normal
    const Vec3d u = arcs_a_.edge(feature_a_), w = arcs_b_.edge(feature_b_);
    const Vec3d pa = origin_a(feature_a_), pb = origin_b(feature_b_), between = pb - pa, n = cross(u, w);
    const double nn = dot(n, n), s = dot(cross(between, w), n) / nn, t = dot(cross(between, u), n) / nn;
    const auto inside = [&](double x, const Vec3d& along) {
      const double tolerance = kFootTolerance * difference_.reach / one_norm(along);
      return x >= -tolerance && x <= 1 + tolerance;
    };
    if (!inside(s, u) || !inside(t, w)) return false;
    out.point_a = pa + u * s;
    out.point_b = pb + w * t;
    uneven = std::fabs(dot(normal_, u)) + std::fabs(dot(normal_, w));
    return true;
  }

  // A deepest vertex of the other body that lies under the face; where several are deepest together, a place of the edge or
  // face that they make. All in the frame of the face, `place` brings vertices of the other there.
  template <class Place>
  bool find_foot_on_face(const Hull3& hull, std::uint32_t f, const ConvexBody3& other, std::uint32_t vertex,
                         std::uint32_t other_face, const Place& place, Vec3d& foot, double& uneven) const {
    const Vec3d& n = hull.planes[f].normal;
    const Vec3d &first = hull.vertices[hull.face_vertex(f, 0)], deepest = place(vertex);
    for (std::uint32_t i = 1; i < hull.face_degree(f); ++i)
      uneven = std::max(uneven, std::fabs(dot(n, hull.vertices[hull.face_vertex(f, i)] - first)));
    foot = deepest;
    if (is_under(hull, f, deepest)) return true;
    DepthCorners corners;
    const double uneven_face = uneven;
    if (paired_) {
      const std::uint32_t count = other.hull().face_degree(other_face);
      if (count > kMostDepthCorners) return false;
      for (std::uint32_t i = 0; i < count; ++i) {
        corners.at[i] = place(other.hull().face_vertex(other_face, i));
        uneven = std::max(uneven, uneven_face + std::fabs(dot(n, corners.at[i] - deepest)));
      }
      corners.count = count;
      return mean_of_clipped(hull, f, corners, foot);
    }
    for (const std::uint32_t next : other.neighbours(vertex)) {
      corners.at[0] = deepest;
      corners.at[1] = place(next);
      corners.count = 2;
      const double rise = std::fabs(dot(n, corners.at[1] - deepest));
      if (!(rise <= kFootTolerance * difference_.reach) || !mean_of_clipped(hull, f, corners, foot)) continue;
      uneven = uneven_face + rise;
      return true;
    }
    return false;
  }
  // Visits the edges of a face with its inward normal and how far beside it a point may lie, while they say so
  template <class Visit>
  bool for_sides(const Hull3& hull, std::uint32_t f, const Visit& visit) const {
    for (std::uint32_t e = hull.face_edge[f]; e < hull.face_edge[f] + hull.face_degree(f); ++e) {
      const Vec3d& from = hull.vertices[hull.edges[e].origin];
      const Vec3d along = hull.vertices[hull.destination(e)] - from;
      if (!visit(from, cross(hull.planes[f].normal, along), kFootTolerance * difference_.reach * one_norm(along)))
        return false;
    }
    return true;
  }
  bool is_under(const Hull3& hull, std::uint32_t f, const Vec3d& p) const {
    return for_sides(hull, f, [&](const Vec3d& from, const Vec3d& inward, double tolerance) {
      return dot(inward, p - from) >= -tolerance;
    });
  }
  // The middle of what of a convex polygon lies under a face. False when that is nothing, or has too many corners.
  bool mean_of_clipped(const Hull3& hull, std::uint32_t f, DepthCorners& corners, Vec3d& mean) const {
    DepthCorners old;
    const bool some = for_sides(hull, f, [&](const Vec3d& from, const Vec3d& inward, double tolerance) {
      old.count = corners.count;
      std::copy(corners.at, corners.at + corners.count, old.at);
      corners.count = 0;
      for (std::uint32_t i = 0; i < old.count; ++i) {
        const Vec3d &p = old.at[i], &q = old.at[i + 1 < old.count ? i + 1 : 0];
        const double here = dot(inward, p - from), next = dot(inward, q - from);
        if (corners.count + 2 > DepthCorners::kRoom) return false;
        if (here >= -tolerance) corners.at[corners.count++] = p;
        if ((here >= -tolerance) != (next >= -tolerance))
          corners.at[corners.count++] = p + (q - p) * ((here + tolerance) / (here - next));
      }
      return corners.count > 0;
    });
    if (!some) return false;
    Vec3d sum{};
    for (std::uint32_t i = 0; i < corners.count; ++i) sum += corners.at[i];
    mean = sum * (1.0 / corners.count);
    return true;
  }

  Trace trace_;
  const Difference3& difference_;
  const Placement3& place_;
  const Vec3d offset_;
  const double rounding_;
  double depth_ = std::numeric_limits<double>::infinity(), low_ = depth_, error_ = 0;
  Vec3d normal_{};
  DifferencePoint3 deepest_{};
  DepthKind kind_ = DepthKind::way;
  bool apart_ = false, paired_ = false;  // paired: both features are faces
  std::uint32_t feature_a_ = 0, feature_b_ = 0;
  int looks_ = 0;
  std::uint32_t edges_a_[ArcColumns::kMost], edges_b_[ArcColumns::kMost];
  ArcColumns arcs_a_, arcs_b_;
  DepthFaces faces_a_, faces_b_;
};

bool has_depth_faces(const ConvexView3& view) {
  return view.kind == CoreKind3::body && view.body->hull().dimension == 3 &&
         view.body->hull().face_count() <= kMaxDepthFaces;
}

}  // namespace

template <class Trace>
FaceDepthOutcome face_depth3(const Difference3& difference, const Vec3d& start, Epa3& out, Trace trace) {
  if (!has_depth_faces(difference.a) || !has_depth_faces(difference.b)) return FaceDepthOutcome::open;
  return FaceDepth<Trace>(difference, trace).run(start, out);
}

template FaceDepthOutcome face_depth3<NoTrace>(const Difference3&, const Vec3d&, Epa3&, NoTrace);
template FaceDepthOutcome face_depth3<TraceTo>(const Difference3&, const Vec3d&, Epa3&, TraceTo);

}  // namespace sudar
