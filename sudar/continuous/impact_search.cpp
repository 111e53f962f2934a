// What:    See impact_search.hpp.
#include <sudar/continuous/impact_search.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>

#include <algorithm>

namespace sudar {

namespace {

// Cosine between the normals of two steps above which they are taken for one plane that turns
constexpr double kSamePlane = 0.9;

template <int D>
void report(TraceSink* trace, std::string_view step, const Vec<D, double>& n, double t) {
  if (trace != nullptr) trace->on_event({.step = step, .numbers = {&n.x, D}, .value = t});
}

template <int D>
Impact<D> search(const MovingPair<D>& pair, const MovingPiece<D>& a, const MovingPiece<D>& b, double t_begin,
                 double t_end, double tolerance, int& budget, TraceSink* trace) {
  const MovingConvex<D> body_a(a.shape, a.body_from_piece, pair.start_a(), pair.motion_a().angular, pair.turns());
  const MovingConvex<D> body_b(b.shape, b.body_from_piece, pair.start_b(), pair.motion_b().angular, pair.turns());
  std::conditional_t<D == 2, QueryCache2, QueryCache3> cache{};
  Impact<D> out;
  out.t = t_begin;
  Vec<D, double> last_normal{};
  double last_t = t_begin;
  for (;;) {
    if (budget <= 0) {
      out.open = true;
      return out;
    }
    --budget;
    ++out.iterations;
    const MovingInstant<D> at = pair.instant(out.t);
    const Placement<D> place = placed_pieces(pair, a, b, at);
    DistanceAnswer<D> x = distance(a.shape, b.shape, place, &cache);
    // A warm start may leave the bounds of curved shapes open: near contact they count
    if (!x.hit && !(x.lower > tolerance) && x.upper > 2 * tolerance) x = distance(a.shape, b.shape, place);
    out.normal = body_a.is_flat() ? rotate(at.rotation_a, body_a.flat_normal())
                                  : rotate(at.rotation_a, rotate(a.body_from_piece.rotation, x.normal));
    out.lower = x.lower;
    out.upper = x.upper;
    out.point = rotate(at.rotation_a, transform(a.body_from_piece, (x.point_a + x.point_b) * 0.5));
    if (x.hit) {
      out.hit = true;
      report<D>(trace, "impact", out.normal, out.t);
      return out;
    }
    report<D>(trace, "plane", out.normal, out.t);

    // As far as a plane carries; the one of the last step and this one may be the same, which turns
    Angular<D> spin{};
    const bool same = out.t > last_t && dot(out.normal, last_normal) > kSamePlane;
    if (same) spin = spin_of(out.normal, (out.normal - last_normal) / (out.t - last_t));
    double t = free_until(pair, body_a, body_b, at, out.normal, t_end, same ? &spin : nullptr);
    // The normal of edges that are nearly parallel may be that of no plane between them, though they are known to be apart
    if (!(t > out.t)) t = free_by_distance(pair, body_a, body_b, at, x.lower, t_end);
    last_normal = out.normal;
    last_t = out.t;
    if (t >= t_end) {
      out.t = t_end;
      report<D>(trace, "free", out.normal, t_end);
      return out;
    }
    // Near enough, or nothing more can be proven
    if (!(x.lower > tolerance) || !(t > out.t)) {
      out.hit = true;
      report<D>(trace, "impact", out.normal, out.t);
      return out;
    }
    out.t = t;
  }
}

}  // namespace

template <int D>
Impact<D> search_impact(const MovingPair<D>& pair, const MovingPiece<D>& a, const MovingPiece<D>& b, double t_begin,
                        double t_end, double tolerance, int& budget, TraceSink* trace) {
  if (b.shape.is_bounded()) return search(pair, a, b, t_begin, t_end, tolerance, budget, trace);
  // The plane of a half-space is A's
  Impact<D> out = search(pair.swapped(), b, a, t_begin, t_end, tolerance, budget, trace);
  out.normal = -out.normal;
  out.point += pair.offset(out.t);
  return out;
}

template Impact<2> search_impact<2>(const MovingPair<2>&, const MovingPiece<2>&, const MovingPiece<2>&, double, double,
                                    double, int&, TraceSink*);
template Impact<3> search_impact<3>(const MovingPair<3>&, const MovingPiece<3>&, const MovingPiece<3>&, double, double,
                                    double, int&, TraceSink*);

}  // namespace sudar
