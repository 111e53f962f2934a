// What:    The polytope that EPA grows inside of the difference set: vertices, faces with their neighbours and distances from the
//          origin, and its expansion by a point through the horizon that the point sees.
// Source:  van den Bergen, "Proximity Queries and Penetration Depth Computation on 3D Game Objects", 2001.
// Differs: Planes come from the edges of the shapes, not from rounded differences; what a sliver's plane may be off is known
//          (surely, least_before_planes).
// Frame:   A's. Internal to epa3.
// Fails:   expand says false where rounding leaves no horizon; full() after kMaxVertices.
#pragma once

#include <sudar/math/infinity.hpp>
#include <sudar/narrowphase/simplex3.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace sudar::epa3_detail {

inline constexpr int kMaxVertices = 256, kMaxFaces = 2 * kMaxVertices, kMaxHorizon = 128;
// Sine of a corner and length of an edge, relative to the reach, from which rounded differences make a good normal
inline constexpr double kRoundSine = 0.1, kShortEdge = 0x1p-4;

// Left uninitialised: setting up the arrays would cost more than most queries
template <class T>
union Slot {
  T value;
  Slot() {}
};

constexpr double square(double x) { return x * x; }

struct Face {
  Vec3d normal;        // unit, outward; zero when the corners lie on a line
  double offset;       // of the plane
  std::uint16_t v[3];  // counterclockwise from outside
  // Across the edge from v[i] to v[i + 1]: four times the face, plus the number of the edge there
  std::uint16_t next[3];
  bool alive;
};

class Polytope {
 public:
  explicit Polytope(const Difference3& difference)
      // Polytopes join what is in a plane; the rim of a cap would be joined anew with every point of it
      : slack_((difference.polytopes ? kNoiseErrors : -kNoiseErrors) * difference.point_error),
        short_edges_(square(square(difference.reach * kShortEdge))) {}

  const DifferencePoint3& vertex(int i) const { return vertices_[i].value; }
  const Face& face(int f) const { return faces_[f].value; }
  double distance(int f) const { return distance_[f]; }
  int vertex_count() const { return vertex_count_; }
  bool full() const { return vertex_count_ == kMaxVertices; }

  int add_vertex(const DifferencePoint3& p) {
    vertices_[vertex_count_].value = p;
    return vertex_count_++;
  }
  // No face is nearer, whatever rounding has done to its corners
  double surely(const Difference3& difference) const {
    double least = kInfinity;
    for_each_face([&](int f) {
      const DifferencePoint3 &a = vertex(face(f).v[0]), &b = vertex(face(f).v[1]), &c = vertex(face(f).v[2]);
      const Vec3d ab = edge(a, b), bc = edge(b, c), ca = edge(c, a);
      const double longest = std::sqrt(std::max({dot(ab, ab), dot(bc, bc), dot(ca, ca)}));
      const double height = length(cross(ab, bc)) / longest;
      const double error = 4 * difference.point_error * (1 + longest / height);
      least = std::min(least, error < kInfinity ? distance(f) - error : -kInfinity);
    });
    return least;
  }
  // The least that a corner has along the normal of its face, of those that are more than noise before its plane: the normal of
  // a sharp corner with long edges is rounded, and the plane through one corner passes the others at a distance. A triangle is
  // no nearer to the origin than this, however its normal is off.
  double least_before_planes(double noise) const {
    double least = kInfinity;
    for_each_face([&](int f) {
      const Face& g = face(f);
      const double low =
          std::min({dot(g.normal, vertex(g.v[0]).w), dot(g.normal, vertex(g.v[1]).w), dot(g.normal, vertex(g.v[2]).w)});
      if (low < g.offset - noise) least = std::min(least, low);
    });
    return least;
  }
  bool has(const DifferencePoint3& p) const {
    for (int i = 0; i < vertex_count_; ++i)
      if (vertex(i).same_vertices(p)) return true;
    return false;
  }
  // Vertices 0 … 3, whichever way they are turned
  void make_tetrahedron() {
    const Vec3d e1 = edge(vertex(0), vertex(1)), e2 = edge(vertex(0), vertex(2)), e3 = edge(vertex(0), vertex(3));
    if (dot(cross(e1, e2), e3) > 0) std::swap(vertices_[1].value, vertices_[2].value);
    constexpr std::uint16_t kCorner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    for (const auto& c : kCorner) add_face(c[0], c[1], c[2]);
    link(0, 0, 1, 2);
    link(0, 1, 2, 2);
    link(0, 2, 3, 2);
    link(1, 0, 3, 1);
    link(1, 1, 2, 0);
    link(2, 1, 3, 0);
  }
  // Four at a time, which breaks the chain of comparisons
  int nearest() const {
    int best = 0, i = 0;
    double least = kInfinity;
    for (; i + 4 <= face_count_; i += 4) {
      const double a = std::min(distance_[i], distance_[i + 1]), b = std::min(distance_[i + 2], distance_[i + 3]);
      if (std::min(a, b) < least) {
        least = std::min(a, b);
        best = i;
      }
    }
    for (; i < face_count_; ++i)
      if (distance_[i] < least) {
        least = distance_[i];
        best = i;
      }
    while (distance_[best] != least && best + 1 < face_count_) ++best;
    return best;
  }
  // Near a direction: distances grow with the angle to it
  int nearest_about(const Vec3d& direction, double per_angle) const {
    int best = 0;
    double least = kInfinity;
    for (int f = 0; f < face_count_; ++f) {
      if (!(distance_[f] < kInfinity)) continue;
      const double key = distance_[f] + per_angle * (1 - dot(face(f).normal, direction));
      if (key < least) {
        least = key;
        best = f;
      }
    }
    return best;
  }
  // For an origin outside: the nearest place of the faces that see it, and its squared distance
  double foot(SimplexPoint3& best) const {
    best.vv = kInfinity;
    for (int f = 0; f < face_count_; ++f) {
      if (!(distance_[f] < 0)) continue;
      const DifferencePoint3 c[3] = {vertex(face(f).v[0]), vertex(face(f).v[1]), vertex(face(f).v[2])};
      const SimplexPoint3 r = closest_on_triangle(c, 0, 1, 2);
      if (r.vv < best.vv) best = r;
    }
    return best.vv;
  }
  // The face that a point is farthest in front of, and how far
  int farthest_behind(const Vec3d& p, double& ahead) const {
    int best = -1;
    ahead = -kInfinity;
    for (int f = 0; f < face_count_; ++f) {
      if (!(distance_[f] < kInfinity)) continue;
      const double height = dot(face(f).normal, p) - face(f).offset;
      if (height > ahead) {
        ahead = height;
        best = f;
      }
    }
    return best;
  }
  void give_up(int f) { distance_[f] = kInfinity; }

  // Replace what the new vertex sees by faces to it. False: rounding has spoiled the surface.
  bool expand(int from, int w) {
    horizon_count_ = 0;
    broken_ = false;
    const Vec3d p = vertex(w).w;
    remove(from);
    for (int i = 0; i < 3; ++i) cross_edge(face(from).next[i], p);
    if (broken_ || horizon_count_ < 3) return false;
    int first = -1, last = -1;
    for (int i = 0; i < horizon_count_; ++i) {
      const int beyond = horizon_[i] / 4, e = horizon_[i] % 4;
      const Face& g = face(beyond);
      const std::uint16_t a = g.v[(e + 1) % 3], b = g.v[e];
      // The loop must close: where this edge ends the next one begins
      const int after = horizon_[(i + 1) % horizon_count_];
      const Face& h = face(after / 4);
      if (h.v[(after % 4 + 1) % 3] != b) return false;
      const int f = add_face(a, b, static_cast<std::uint16_t>(w));
      if (f < 0) return false;
      link(f, 0, beyond, e);
      if (last >= 0) link(last, 1, f, 2);
      if (first < 0) first = f;
      last = f;
    }
    link(last, 1, first, 2);
    return true;
  }

  template <class F>
  void for_each_face(const F& visit) const {
    for (int f = 0; f < face_count_; ++f)
      if (face(f).alive) visit(f);
  }

 private:
  int add_face(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
    int f;
    if (free_count_ > 0) {
      f = free_[--free_count_];
    } else if (face_count_ < kMaxFaces) {
      f = face_count_++;
    } else {
      return -1;
    }
    Face& face = faces_[f].value;
    face.v[0] = a;
    face.v[1] = b;
    face.v[2] = c;
    face.alive = true;
    const DifferencePoint3 &pa = vertex(a), &pb = vertex(b), &pc = vertex(c);
    const Vec3d ca = pa.w - pc.w, cb = pb.w - pc.w;
    Vec3d n = cross(ca, cb);
    double nn = dot(n, n);
    const double product = dot(ca, ca) * dot(cb, cb);
    // Short edges and sharp corners take more care
    if (!(nn > kRoundSine * kRoundSine * product && product > short_edges_)) nn = careful_normal(pa, pb, pc, n);
    if (nn > 0) {
      face.normal = n * (1 / std::sqrt(nn));
      distance_[f] = face.offset = dot(face.normal, pc.w);
    } else {
      // Seen from everywhere, chosen never
      face.normal = {};
      face.offset = -kInfinity;
      distance_[f] = kInfinity;
    }
    return f;
  }
  // From the two shorter edges, which come from the shapes' own vertices. The square of its length; 0 for corners in line.
  static double careful_normal(const DifferencePoint3& pa, const DifferencePoint3& pb, const DifferencePoint3& pc,
                               Vec3d& n) {
    const Vec3d ab = edge(pa, pb), ac = edge(pa, pc), bc = edge(pb, pc);
    const double lab = dot(ab, ab), lac = dot(ac, ac), lbc = dot(bc, bc);
    double product;
    if (lbc >= lab && lbc >= lac) {
      n = cross(ab, ac);
      product = lab * lac;
    } else if (lac >= lab) {
      n = cross(ab, bc);
      product = lab * lbc;
    } else {
      n = cross(ac, bc);
      product = lac * lbc;
    }
    const double nn = dot(n, n);
    return nn > kFlatSimplex * kFlatSimplex * product ? nn : 0;
  }
  void link(int f, int i, int g, int j) {
    faces_[f].value.next[i] = static_cast<std::uint16_t>(4 * g + j);
    faces_[g].value.next[j] = static_cast<std::uint16_t>(4 * f + i);
  }
  void remove(int f) {
    faces_[f].value.alive = false;
    distance_[f] = kInfinity;
    free_[free_count_++] = static_cast<std::uint16_t>(f);
  }
  // Enter a face through one of its edges; the horizon comes out in order
  void cross_edge(std::uint16_t entry, const Vec3d& p) {
    const int f = entry / 4, e = entry % 4;
    const Face& g = face(f);
    if (!g.alive) return;
    if (dot(g.normal, p) > g.offset - slack_) {
      remove(f);
      cross_edge(g.next[(e + 1) % 3], p);
      cross_edge(g.next[(e + 2) % 3], p);
    } else if (horizon_count_ < kMaxHorizon) {
      horizon_[horizon_count_++] = entry;
    } else {
      broken_ = true;
    }
  }

  const double slack_, short_edges_;
  Slot<DifferencePoint3> vertices_[kMaxVertices];
  Slot<Face> faces_[kMaxFaces];
  double distance_[kMaxFaces];  // of the face's plane from the origin, or infinity
  std::uint16_t free_[kMaxFaces], horizon_[kMaxHorizon];
  int vertex_count_ = 0, face_count_ = 0, free_count_ = 0, horizon_count_ = 0;
  bool broken_ = false;
};

}  // namespace sudar::epa3_detail
