#include <sudar/math/infinity.hpp>
#include <sudar/narrowphase/depth_descent3.hpp>
#include <sudar/narrowphase/depth_proof3.hpp>
#include <sudar/narrowphase/epa3.hpp>
#include <sudar/narrowphase/epa_polytope3.hpp>
#include <sudar/narrowphase/fine_simplex3.hpp>
#include <sudar/narrowphase/simplex3.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace sudar {

namespace {

using namespace epa3_detail;

// How far beyond a face, relative to the sizes, a vertex found in float must be to be taken without a second look
constexpr double kRoughGap = 0x1p-12;
// Faces of curved bodies that are expanded wherever the origin is nearest, before the search settles for one place
constexpr int kGlobalFaces = 200;

// Make the simplex a tetrahedron with some volume, by support points where corners are missing
class Start {
 public:
  Start(const Difference3& difference, std::span<const DifferencePoint3> simplex) : difference_(difference) {
    for (const DifferencePoint3& p : simplex) p_[count_++] = p;
    if (count_ == 4) {
      double volume[4];
      double m = 0;
      for (const DifferencePoint3& p : p_) m = std::max(m, max_abs(p.w));
      tetrahedron_volumes(p_, 0, volume);
      const double whole = (volume[0] + volume[1]) + (volume[2] + volume[3]);
      if (std::fabs(whole) > 4 * difference.volume_error(m)) return;
      // Flat: keep the face that is nearest to the origin
      drop_to(closest_on_tetrahedron(p_, kInfinity));
    }
    if (count_ == 3 && !(height_over_line(p_[2]) > tolerance())) drop_to(closest_on_triangle(p_, 0, 1, 2));
    if (count_ == 2 && !(length(edge(p_[0], p_[1])) > tolerance())) count_ = 1;
    if (count_ == 1) grow_from_point();
    if (count_ == 2) grow_from_line();
    if (count_ == 3) grow_from_plane();
  }
  int count() const { return count_; }
  const DifferencePoint3* points() const { return p_; }
  // Across what there is
  Vec3d normal() const {
    if (count_ == 1) return {1, 0, 0};
    const Vec3d e = normalized(edge(p_[0], p_[1]));
    if (count_ == 2) {
      Vec3d u, v;
      make_frame(e, u, v);
      return u;
    }
    // The two shorter of three edges lose the least: those of one body are exact, sums of a long and a short one are not
    const Vec3d f = edge(p_[0], p_[2]), g = edge(p_[1], p_[2]);
    const double of_e = length(edge(p_[0], p_[1])), of_f = length(f), of_g = length(g);
    if (of_g >= of_e && of_g >= of_f) return normalized(cross(e, f));
    return of_f >= of_e ? normalized(cross(e, g)) : normalized(cross(normalized(f), g));
  }

 private:
  double tolerance() const { return 2 * kNoiseErrors * difference_.point_error; }
  double height_over_line(const DifferencePoint3& p) const {
    const Vec3d e = normalized(edge(p_[0], p_[1]));
    return length(cross(e, edge(p_[0], p)));
  }
  void drop_to(const SimplexPoint3& r) {
    int kept = 0;
    for (int i = 0; i < count_; ++i)
      if (r.weight[i] > 0) p_[kept++] = p_[i];
    count_ = kept;
  }
  void grow_from_point() {
    double best = tolerance();
    for (int i = 0; i < 6; ++i) {
      Vec3d d{};
      d[i / 2] = i % 2 == 0 ? 1 : -1;
      const DifferencePoint3 p = difference_.least(d);
      if (const double l = length(edge(p_[0], p)); l > best) {
        best = l;
        p_[1] = p;
        count_ = 2;
      }
    }
  }
  void grow_from_line() {
    Vec3d u, v;
    make_frame(normalized(edge(p_[0], p_[1])), u, v);
    double best = tolerance();
    for (const Vec3d& d : {u, v, -u, -v, u + v, -u - v}) {
      const DifferencePoint3 p = difference_.least(d);
      if (const double h = height_over_line(p); h > best) {
        best = h;
        p_[2] = p;
        count_ = 3;
      }
    }
  }
  void grow_from_plane() {
    const Vec3d n = normalized(cross(edge(p_[0], p_[1]), edge(p_[0], p_[2])));
    double best = tolerance();
    for (const Vec3d& d : {n, -n}) {
      const DifferencePoint3 p = difference_.least(d);
      if (const double h = std::fabs(dot(n, edge(p_[0], p))); h > best) {
        best = h;
        p_[3] = p;
        count_ = 4;
      }
    }
  }

  const Difference3& difference_;
  DifferencePoint3 p_[4];
  int count_ = 0;
};

template <class Trace>
void report_polytope(Trace& trace, const Polytope& polytope) {
  if constexpr (Trace::kEnabled) {
    std::vector<std::uint32_t> ids;
    std::vector<double> numbers;
    polytope.for_each_face([&](int f) {
      for (const std::uint16_t v : polytope.face(f).v) {
        const DifferencePoint3& p = polytope.vertex(v);
        ids.insert(ids.end(), {p.ia, p.ib});
        numbers.insert(numbers.end(), {p.w.x, p.w.y, p.w.z});
      }
    });
    const std::size_t faces = ids.size() / 6;
    trace({.step = "polytope", .ids = ids, .numbers = numbers, .value = static_cast<double>(faces)});
  }
}
template <class Trace>
void report_face(Trace& trace, std::string_view step, const Polytope& polytope, int f, double value) {
  if constexpr (Trace::kEnabled) {
    std::uint32_t ids[6];
    for (int i = 0; i < 3; ++i) {
      const DifferencePoint3& p = polytope.vertex(polytope.face(f).v[i]);
      ids[2 * i] = p.ia;
      ids[2 * i + 1] = p.ib;
    }
    trace({.step = step, .ids = ids, .numbers = {&polytope.face(f).normal.x, 3}, .value = value});
  }
}

// Weights of a sliver that make a point nearer to the origin than this, in twice the precision, if there are any. Four corners lie
// in a plane: the origin is in one of the triangles that they make
void better_weights(std::span<const DifferencePoint3> simplex, double near, double (&weight)[4]) {
  const std::size_t count = simplex.size();
  for (std::size_t left_out = 0; left_out < (count == 4 ? 4 : 1); ++left_out) {
    DifferencePoint3 corner[3];
    std::size_t which[3], corners = 0;
    for (std::size_t i = 0; i < count; ++i)
      if (count < 4 || i != left_out) corner[corners] = simplex[i], which[corners++] = i;
    double fine[4];
    fine_weights3({corner, corners}, fine);
    const double off = length(weighed({corner, corners}, fine));
    if (!(off < near)) continue;
    near = off;
    std::fill_n(weight, 4, 0.0);
    for (std::size_t k = 0; k < corners; ++k) weight[which[k]] = fine[k];
  }
}

}  // namespace

template <class Trace>
Epa3 epa3(const Difference3& difference, std::span<const DifferencePoint3> simplex, Trace trace) {
  Epa3 out;
  const auto slack = [&](const Vec3d& unit) { return difference.plane_slack(unit); };
  const Start start(difference, simplex);
  if (start.count() < 4) {
    // No inside: moving across costs nothing
    out.flat = true;
    out.normal = start.normal();
    const DifferencePoint3 front = difference.least(-out.normal), back = difference.least(out.normal);
    if (-dot(back.w, out.normal) < dot(front.w, out.normal)) out.normal = -out.normal;
    out.upper = std::max(0.0, std::min(dot(front.w, start.normal()), -dot(back.w, start.normal()))) + slack(out.normal);
    const SimplexPoint3 r = simplex.size() == 1   ? SimplexPoint3{.vv = dot(simplex[0].w, simplex[0].w), .weight = {1}}
                            : simplex.size() == 2 ? closest_on_edge(simplex.data(), 0, 1)
                            : simplex.size() == 3 ? closest_on_triangle(simplex.data(), 0, 1, 2)
                                                  : closest_on_tetrahedron(simplex.data(), kInfinity);
    double weight[4];
    std::copy_n(r.weight, 4, weight);
    out.near = std::sqrt(r.vv);
    if (const double off = length(weighed(simplex, weight)); off > kNoiseErrors * difference.point_error) {
      better_weights(simplex, off, weight);
      out.near = length(weighed(simplex, weight));
    }
    Vec3d turned_b{};
    for (std::size_t i = 0; i < simplex.size(); ++i) {
      out.point_a += simplex[i].a * weight[i];
      turned_b += simplex[i].turned_b * weight[i];
    }
    out.point_b = difference.point_b(turned_b);
    out.least = std::min(dot(front.w, start.normal()), -dot(back.w, start.normal()));
    out.inner = -kInfinity;
    return out;
  }

  Polytope polytope(difference);
  for (int i = 0; i < 4; ++i) polytope.add_vertex(start.points()[i]);
  polytope.make_tetrahedron();
  const double scale = difference.a.size + difference.b.size;
  const double noise = kNoiseErrors * difference.point_error;
  const double tolerance = std::max(noise, difference.polytopes ? 0.0 : kCurvedDepthGap * scale);
  const bool rough = difference.polytopes && difference.has_rough();
  double best = kInfinity, skipped = kInfinity, proven = -kInfinity;
  int chosen = -1;
  bool descended = false, tried = false;
  // Where the polytope stays behind, triangles of directions prove the bound, and may find a shorter way out. True: they did.
  const auto prove = [&] {
    if (difference.polytopes || !(best > tolerance) || tried) return false;
    tried = true;
    const DepthProof3 proof = prove_depth3(difference, out.normal, best, tolerance);
    out.iterations += proof.asked;
    if (proof.proven) proven = proof.depth - tolerance;
    out.exhausted = !proof.proven;
    if (!(proof.depth < best)) return false;
    out.normal = proof.normal;
    best = proof.depth;
    out.iterations += descend3(difference, noise, out.normal, best);
    return true;
  };
  for (;;) {
    int f = polytope.nearest();
    SimplexPoint3 foot;
    // Once inside, always inside: a face turned inwards later is a sliver that rounding has turned
    const bool outside =
        !difference.polytopes && !(proven >= 0) && polytope.distance(f) < 0 && polytope.foot(foot) > noise * noise;
    const bool local = !difference.polytopes && !outside && out.iterations >= kGlobalFaces;
    // Round bodies in line have a ring of directions that are all nearly the best, and too many faces along it: then one
    // of them is found to the end, and what is proven stays behind
    if (local) {
      if (!descended) {
        descended = true;
        // Down from the best plane so far, and from the face that promises most
        Vec3d other = polytope.face(f).normal;
        double other_depth = kInfinity;
        out.iterations += descend3(difference, noise, out.normal, best);
        out.iterations += descend3(difference, noise, other, other_depth);
        if (other_depth < best) {
          best = other_depth;
          out.normal = other;
        }
      }
      f = polytope.nearest_about(out.normal, scale);
    }
    const double d = polytope.distance(f);
    if (!local && d < kInfinity) proven = difference.polytopes ? d : std::max(proven, d);
    if (!(d < kInfinity)) {
      out.exhausted = chosen < 0;
      break;
    }
    const Vec3d n = polytope.face(f).normal;
    report_polytope(trace, polytope);
    report_face(trace, "nearest face", polytope, f, d);
    ++out.iterations;
    // The origin is not inside yet, and perhaps never will be. That is worth every digit: as GJK, but with all points so
    // far in place of a simplex, go on until it is inside, or the plane that separates best and the nearest place of
    // the polytope are as close as rounding allows.
    if (outside) {
      const double near = std::sqrt(foot.vv);
      DifferencePoint3 step{};
      double gain = -kInfinity;
      int from = -1;
      const auto look = [&](const Vec3d& direction) {
        const DifferencePoint3 p = difference.least(-direction);
        const double h = dot(direction, p.w);
        if (h < best) {
          best = h;
          out.normal = direction;
        }
        double ahead;
        const int seen = polytope.farthest_behind(p.w, ahead);
        if (ahead > gain) {
          gain = ahead;
          from = seen;
          step = p;
        }
      };
      // A short foot is noise along all but what it is square to, so the face has its word as well
      look(foot.v * (-1 / near));
      look(n);
      if constexpr (Trace::kEnabled) {
        const std::uint32_t ids[] = {step.ia, step.ib};
        trace({.step = "expand", .ids = ids, .numbers = {&step.w.x, 3}, .value = best});
      }
      if (near + best <= noise) break;
      out.exhausted = !(gain > noise) || polytope.full() || !polytope.expand(from, polytope.add_vertex(step));
      if (out.exhausted) break;
      continue;
    }
    // Far from the end any vertex well beyond the face will do
    if (rough) {
      const DifferencePoint3 step = difference.least_rough(-n);
      const double beyond = dot(n, step.w) - d;
      if (beyond > kRoughGap * scale && !polytope.full() && (beyond > kShortEdge * scale || !polytope.has(step))) {
        if constexpr (Trace::kEnabled) {
          const std::uint32_t ids[] = {step.ia, step.ib};
          trace({.step = "expand", .ids = ids, .numbers = {&step.w.x, 3}, .value = d + beyond});
        }
        if (polytope.expand(f, polytope.add_vertex(step))) continue;
        out.exhausted = true;
        best = dot(n, difference.least(-n).w);
        out.normal = n;
        break;
      }
    }
    const DifferencePoint3 p = difference.least(-n);
    const double h = dot(n, p.w);
    if (h < best) {
      best = h;
      out.normal = n;
    }
    if constexpr (Trace::kEnabled) {
      const std::uint32_t ids[] = {p.ia, p.ib};
      trace({.step = "expand", .ids = ids, .numbers = {&p.w.x, 3}, .value = h});
    }
    if (best - d <= tolerance) {
      chosen = f;
      // A sliver's plane is known by its corners no better than its height allows
      if (!difference.polytopes && !tried) proven = std::min(proven, polytope.surely(difference));
      out.exhausted = best > tolerance && best - proven > tolerance;
      if (out.exhausted && prove()) {
        chosen = -1;
        continue;
      }
      break;
    }
    // A vertex well beyond the face is new
    if (difference.polytopes && h - d < kShortEdge * scale && polytope.has(p)) {
      // Nothing beyond this face, though its plane is off: the corners are nearly in line
      skipped = std::min(skipped, d);
      polytope.give_up(f);
      continue;
    }
    if (polytope.full()) {
      chosen = f;
      out.exhausted = true;
      break;
    }
    if (!polytope.expand(f, polytope.add_vertex(p))) {
      out.exhausted = true;
      break;
    }
  }

  // What rounding or the number of faces ended may be proven nonetheless
  if (out.exhausted) prove();
  if (tried && best - proven <= 2 * tolerance) out.exhausted = false;

  // Faces with sharp corners prove less than their planes say
  if (difference.polytopes)
    if (const double less = polytope.least_before_planes(noise); less < proven) {
      proven = less;
      out.exhausted = out.exhausted || best - proven > tolerance;
    }

  // The foot of the origin on the surface: of all faces as near as this one the one that holds it
  out.least = best;
  out.inner = std::min(skipped, proven);
  out.depth = std::max(0.0, best);
  out.upper = std::max(0.0, best) + slack(out.normal);
  out.lower = std::max(0.0, std::min(skipped, proven) - slack(out.normal));
  SimplexPoint3 foot;
  DifferencePoint3 corner[3];
  double foot_error = kInfinity;
  bool fine = false;
  const auto consider = [&](int f) {
    DifferencePoint3 c[3];
    for (int i = 0; i < 3; ++i) c[i] = polytope.vertex(polytope.face(f).v[i]);
    SimplexPoint3 r = closest_on_triangle(c, 0, 1, 2);
    // Of a needle the foot on its plane may be known, and not the weights that are to make it
    if (fine || (difference.polytopes && !(distance(weighed(c, r.weight), r.v) <= noise))) {
      fine_weights3(c, r.weight);
      r.v = weighed(c, r.weight);
      r.vv = dot(r.v, r.v);
    }
    const Vec3d off = r.v - out.normal * out.depth;
    if (const double error = dot(off, off); error < foot_error) {
      foot_error = error;
      foot = r;
      std::copy(c, c + 3, corner);
    }
  };
  if (chosen >= 0) consider(chosen);
  if (!(foot_error <= tolerance * tolerance))
    polytope.for_each_face([&](int f) {
      if (!(polytope.distance(f) > best + tolerance) || chosen < 0) consider(f);
    });
  // The planes of slivers are known badly, and so is where they end. The foot is within all planes: one of the faces has it.
  if (difference.polytopes && chosen >= 0 && !(foot_error <= tolerance * tolerance)) {
    fine = true;
    polytope.for_each_face(consider);
  }
  if (!difference.polytopes && !(distance(weighed(corner, foot.weight), foot.v) <= open_gap(difference)))
    fine_weights3(corner, foot.weight);
  Vec3d turned_b{};
  for (int i = 0; i < 3; ++i) {
    out.point_a += corner[i].a * foot.weight[i];
    turned_b += corner[i].turned_b * foot.weight[i];
  }
  out.point_b = difference.point_b(turned_b);
  out.near = std::sqrt(foot.vv);
  if constexpr (Trace::kEnabled) trace({.step = "done", .numbers = {&out.normal.x, 3}, .value = out.depth});
  return out;
}

template Epa3 epa3<NoTrace>(const Difference3&, std::span<const DifferencePoint3>, NoTrace);
template Epa3 epa3<TraceTo>(const Difference3&, std::span<const DifferencePoint3>, TraceTo);

}  // namespace sudar
