// What:    Times of impact of moving boxes by every method and the peers that have one: nanoseconds a query, and on the same
//          flights who misses a contact, reports one late, or invents one. Bullets aimed at thin turning targets count who
//          lets them through; swept volumes count their false alarms.
// Differs: Truth is the narrow phase at many times: a contact that is seen and not reported is a miss. What is free is proven
//          here, by plain steps of distance over the largest speed. Peers get the poses at both ends, so flights turn less
//          than half a turn, but for the table of full turns.
#include "bench/peers/flight_peer.hpp"
#include "bench/peers/pair_peer.hpp"
#include "bench/peers/tree_peer.hpp"
#include "bench/suites.hpp"
#include <sudar/continuous/conservative_advancement.hpp>
#include <sudar/continuous/interval_halving.hpp>
#include <sudar/continuous/substeps.hpp>
#include <sudar/continuous/swept_volume.hpp>
#include <sudar/continuous/time_of_impact.hpp>
#include <sudar/math/sampling.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

using namespace sudar;

// Late or early by more than this counts, seconds: the peers' own tolerances are of this size
constexpr double kTimeSlack = 5e-3;

Shape2 box_of(const Vec2d& half) { return *make_box2(half); }
Shape3 box_of(const Vec3d& half) { return *make_box3(half); }
double angular_of(Random& random, double rate, double*) { return (random.coin() ? 1 : -1) * rate; }
Vec3d angular_of(Random& random, double rate, Vec3d*) { return unit_vector<3>(random) * rate; }
Rot2d rotation_of(Random& random, Rot2d*) { return unit_rotation(random); }
Quatd rotation_of(Random& random, Quatd*) { return unit_quaternion(random); }

template <int D>
Vec<D, double> random_half(Random& random, double lo, double hi) {
  Vec<D, double> out;
  for (int i = 0; i < D; ++i) out[i] = std::exp(random.uniform(std::log(lo), std::log(hi)));
  return out;
}
// How far a flight goes: up to 25 m, or no more than 5 m, as in a step of a game
enum class Ways { long_ones, of_a_step };
// Two boxes whose ways cross; up to `turn` radians
template <int D>
std::vector<BoxFlight<D>> crossing(std::size_t count, double turn, std::uint64_t seed, Ways ways = Ways::long_ones) {
  Random random(seed);
  std::vector<BoxFlight<D>> out;
  while (out.size() < count) {
    BoxFlight<D> f;
    f.half_a = random_half<D>(random, 0.05, 1), f.half_b = random_half<D>(random, 0.05, 1);
    const auto body = [&](Pose<D, double>& pose, RigidMotion<D>& motion) {
      const bool step = ways == Ways::of_a_step;
      pose = {unit_vector<D>(random) * (step ? 1.5 : 4.0), rotation_of(random, static_cast<Rot<D, double>*>(nullptr))};
      motion.linear = (point_in_ball<D>(random) - pose.position) / random.uniform(step ? 0.5 : 0.2, 0.8);
      if (turn > 0)
        motion.angular = angular_of(random, random.uniform(0.2, 1) * turn, static_cast<Angular<D>*>(nullptr));
    };
    body(f.a, f.motion_a), body(f.b, f.motion_b);
    if (!intersects(box_of(f.half_a), f.a, box_of(f.half_b), f.b)) out.push_back(f);
  }
  return out;
}
// A small box that is inside of a thin turning one at some time, which is noted, at up to 10 km/s
template <int D>
std::vector<BoxFlight<D>> bullets(std::size_t count, double turn, std::uint64_t seed,
                                  std::vector<double>* times = nullptr) {
  Random random(seed);
  std::vector<BoxFlight<D>> out;
  while (out.size() < count) {
    BoxFlight<D> f;
    f.half_a = random_half<D>(random, 1e-3, 0.1), f.half_b = random_half<D>(random, 0.3, 2);
    f.half_b[0] = std::exp(random.uniform(-7, -2));
    f.b = {point_in_ball<D>(random), rotation_of(random, static_cast<Rot<D, double>*>(nullptr))};
    f.motion_b.linear = point_in_ball<D>(random);
    const double when = random.uniform(0.1, 0.9);
    if (turn > 0) {
      f.motion_a.angular = angular_of(random, random.uniform(0.2, 1) * turn, static_cast<Angular<D>*>(nullptr));
      f.motion_b.angular = angular_of(random, random.uniform(0.2, 1) * turn, static_cast<Angular<D>*>(nullptr));
    }
    Vec<D, double> in;
    for (int i = 0; i < D; ++i) in[i] = f.half_b[i] * random.uniform(-0.8, 0.8);
    f.motion_a.linear = unit_vector<D>(random) * std::exp(random.uniform(1, 9));
    f.a = {transform(pose_at(f.b, f.motion_b, when), in) - f.motion_a.linear * when,
           rotation_of(random, static_cast<Rot<D, double>*>(nullptr))};
    if (intersects(box_of(f.half_a), f.a, box_of(f.half_b), f.b)) continue;
    out.push_back(f);
    if (times != nullptr) times->push_back(when);
  }
  return out;
}

// Until when two boxes are surely apart: plain steps of distance over speed, until they are next to nothing
template <int D>
double plainly_free(const BoxFlight<D>& f, const AnyShape<D>& a, const AnyShape<D>& b) {
  const double speed = length(f.motion_b.linear - f.motion_a.linear) +
                       turn_rate(f.motion_a.angular) * length(f.half_a) +
                       turn_rate(f.motion_b.angular) * length(f.half_b);
  constexpr double kNear = 1e-7;
  constexpr int kSteps = 100000;
  double t = 0;
  for (int k = 0; k < kSteps; ++k) {
    const auto x = distance(a, b, make_placement<D>(pose_at(f.a, f.motion_a, t), pose_at(f.b, f.motion_b, t)));
    if (x.hit || x.lower < kNear) return t;
    t += 0.999 * (x.lower - 0.5 * kNear) / speed;
    if (t >= 1) return kNoImpact;
  }
  return t;
}

struct Truth {
  std::vector<double> first;     // a time of contact that is seen, or kNoImpact
  std::vector<double> earliest;  // proven free before; kNoImpact: proven free
};
template <int D>
Truth truth_of(const std::vector<BoxFlight<D>>& flights, int samples) {
  Truth out;
  for (const BoxFlight<D>& f : flights) {
    const AnyShape<D> a = box_of(f.half_a), b = box_of(f.half_b);
    const auto touch = [&](double t) {
      return intersects(a, pose_at(f.a, f.motion_a, t), b, pose_at(f.b, f.motion_b, t));
    };
    const double free = plainly_free(f, a, b);
    double seen = kNoImpact;
    // Evenly, and from where they are no longer surely apart
    for (int k = 0; k <= samples && seen == kNoImpact; ++k)
      if (touch(static_cast<double>(k) / samples)) seen = static_cast<double>(k) / samples;
    for (int k = 0; k <= 24 && free != kNoImpact; ++k)
      if (const double t = free + 1e-9 * std::exp2(k); t <= 1 && t < seen && touch(t)) {
        seen = t;
        break;
      }
    out.first.push_back(seen);
    out.earliest.push_back(free);
  }
  return out;
}

template <int D>
FlightFill ours(const std::vector<BoxFlight<D>>& flights, ToiMethod method, bool loose) {
  auto shapes = std::make_shared<std::vector<AnyShape<D>>>();
  for (const BoxFlight<D>& f : flights) shapes->push_back(box_of(f.half_a)), shapes->push_back(box_of(f.half_b));
  return [&flights, shapes, method, loose](std::span<double> times) {
    const ToiOptions options{.method = method, .tolerance = loose ? 1e-4 : 0, .contacts = false, .last = false};
    for (std::size_t k = 0; k < flights.size(); ++k) {
      const BoxFlight<D>& f = flights[k];
      const auto x = time_of_impact((*shapes)[2 * k], f.a, f.motion_a, (*shapes)[2 * k + 1], f.b, f.motion_b, options);
      times[k] = x.ok() && x->hit ? x->t_lo : kNoImpact;
    }
  };
}
template <int D>
FlightFill at_substeps(const std::vector<BoxFlight<D>>& flights, int steps, SubstepKind kind) {
  return [&flights, steps, kind](std::span<double> times) {
    for (std::size_t k = 0; k < flights.size(); ++k) {
      const BoxFlight<D>& f = flights[k];
      const AnyShape<D> a = box_of(f.half_a), b = box_of(f.half_b);
      const Impact<D> x = substeps<D>(MovingPair<D>(f.a, f.motion_a, f.b, f.motion_b), a, b, 1, steps, kind);
      times[k] = x.hit ? x.t : kNoImpact;
    }
  };
}
template <int D>
FlightFill by_volumes(const std::vector<BoxFlight<D>>& flights, bool hulls) {
  return [&flights, hulls](std::span<double> times) {
    for (std::size_t k = 0; k < flights.size(); ++k) {
      const BoxFlight<D>& f = flights[k];
      const AnyShape<D> a = box_of(f.half_a), b = box_of(f.half_b);
      const bool meet =
          hulls ? intersects(*swept_hull(a, f.a, f.motion_a, 0, 1), {}, *swept_hull(b, f.b, f.motion_b, 0, 1), {})
                : overlap(swept_box<D>(a, f.a, f.motion_a, 0, 1), swept_box<D>(b, f.b, f.motion_b, 0, 1));
      times[k] = meet ? 0 : kNoImpact;
    }
  };
}

struct Entrant {
  std::string name, version;
  FlightFill fill;
  bool guaranteed;  // ours with a proof: misses and late answers have a bar
};

// A flight has at most one of them
struct FlightErrors {
  std::size_t missed = 0, late = 0, early = 0, invented = 0;
  std::size_t all() const { return missed + late + early + invented; }
};

// What is known of the wrong answers
std::string why_wrong(const Entrant& entrant) {
  if (entrant.name.find("substeps") != std::string::npos)
    return entrant.guaranteed ? "the time is the beginning of a substep, and a swept box is larger than its way"
                              : "nobody looks between two substeps";
  if (entrant.name.starts_with("swept")) return "a swept volume says nothing of when, and is larger than the way";
  if (entrant.name.starts_with("Box2D"))
    return "in float; it stops a slop before contact, gives up after twenty rounds, and is made for steps that turn "
           "little and go a few metres";
  if (entrant.name.starts_with("Bullet"))
    return "in float, made for steps of a few metres, and it gives up after 64 rounds";
  return "";
}

template <int D>
void race_flights(Session& session, Table& table, const std::string& what, const std::vector<BoxFlight<D>>& flights,
                  const Truth& truth, const std::vector<Entrant>& entrants) {
  std::vector<std::vector<double>> times(entrants.size(), std::vector<double>(flights.size()));
  std::vector<Contestant> contestants;
  const auto errors_of = [&](std::size_t k) {
    FlightErrors errors;
    for (std::size_t i = 0; i < flights.size(); ++i) {
      const double t = times[k][i];
      const double slack = entrants[k].guaranteed ? 0 : kTimeSlack;
      errors.missed += truth.first[i] != kNoImpact && t == kNoImpact;
      errors.late += truth.first[i] != kNoImpact && t != kNoImpact && t > truth.first[i] + slack;
      errors.early += truth.earliest[i] != kNoImpact && t != kNoImpact && t < truth.earliest[i] - kTimeSlack;
      errors.invented += truth.earliest[i] == kNoImpact && t != kNoImpact;
    }
    return errors;
  };
  for (std::size_t k = 0; k < entrants.size(); ++k)
    contestants.push_back({entrants[k].name, entrants[k].version,
                           [&, k] {
                             entrants[k].fill(times[k]);
                             return 0.0;
                           },
                           nullptr, [&, k] { return errors_of(k).all(); }, flights.size(), why_wrong(entrants[k])});
  const auto results = session.race("continuous_toi", what, session.options().quick ? 3 : 10, 0, contestants);
  for (std::size_t k = 0; k < entrants.size(); ++k) {
    const auto [missed, late, early, invented] = errors_of(k);
    char ns[32], ratio[32];
    std::snprintf(ns, sizeof ns, "%.0f", results[k].min_ms * 1e6 / static_cast<double>(flights.size()));
    std::snprintf(ratio, sizeof ratio, "%.3g", results[k].ratio_to_best);
    table.rows.push_back({what, entrants[k].name, entrants[k].version, ns, ratio,
                          std::to_string(results[k].disagreements), std::to_string(missed), std::to_string(late),
                          std::to_string(early), std::to_string(invented), std::to_string(flights.size())});
    if (!entrants[k].guaranteed) continue;
    session.bar_at_most(what + ", " + entrants[k].name + ": contacts missed", 0, static_cast<double>(missed));
    session.bar_at_most(what + ", " + entrants[k].name + ": lower time too late", 0, static_cast<double>(late));
  }
}

void add_peers(Session& session, std::vector<Entrant>& entrants, const std::vector<BoxFlight<3>>& flights,
               bool turning) {
  if (!session.options().peers) return;
#ifdef SUDAR_PEER_FCL
  entrants.push_back({"FCL continuousCollide, own GJK", fcl_pairs_version(), fcl_flights(flights), false});
#else
  session.missing_peer("continuous_toi", "FCL");
#endif
#ifdef SUDAR_PEER_BULLET
  entrants.push_back({"Bullet btContinuousConvexCollision", bullet_version(), bullet_flights(flights, true), false});
  if (!turning) entrants.push_back({"Bullet btGjkConvexCast", bullet_version(), bullet_flights(flights, false), false});
#else
  session.missing_peer("continuous_toi", "Bullet");
#endif
  (void)turning, (void)entrants, (void)flights;
}
void add_peers(Session& session, std::vector<Entrant>& entrants, const std::vector<BoxFlight<2>>& flights, bool) {
  if (!session.options().peers) return;
#ifdef SUDAR_PEER_BOX2D
  entrants.push_back({"Box2D b2TimeOfImpact", box2d_version(), box2d_flights(flights), false});
#else
  session.missing_peer("continuous_toi", "Box2D");
#endif
  (void)entrants, (void)flights;
}

template <int D>
void race_all(Session& session, Table& table, const std::string& what, const std::vector<BoxFlight<D>>& flights,
              bool turning, bool peers) {
  const Truth truth = truth_of(flights, 200);
  std::vector<Entrant> entrants = {{"auto", "", ours(flights, ToiMethod::automatic, false), true},
                                   {"auto, 0.1 mm", "", ours(flights, ToiMethod::automatic, true), true}};
  if (!turning) entrants.push_back({"moving_sat", "", ours(flights, ToiMethod::moving_sat, false), true});
  entrants.push_back({"conservative, 0.1 mm", "", ours(flights, ToiMethod::conservative, true), true});
  entrants.push_back({"halving, 0.1 mm", "", ours(flights, ToiMethod::halving, true), true});
  entrants.push_back({"16 substeps", "", at_substeps(flights, 16, SubstepKind::discrete), false});
  entrants.push_back({"16 swept substeps", "", at_substeps(flights, 16, SubstepKind::swept), true});
  entrants.push_back({"swept boxes", "", by_volumes(flights, false), true});
  entrants.push_back({"swept hulls", "", by_volumes(flights, true), true});
  if (peers) add_peers(session, entrants, flights, turning);
  race_flights(session, table, what, flights, truth, entrants);
}

// Many bullets, none of which may get through, and many turning pairs, none of whose contacts may be missed. An answer for
// want of work is no answer.
void campaigns(Session& session, Table& table) {
  const std::size_t count = session.options().quick ? 20000 : 1000000;
  std::size_t through = 0, missed = 0, hits = 0, open = 0;
  constexpr std::size_t kBatch = 10000;
  const auto ask = [&](const BoxFlight<3>& f, const Shape3& a, const Shape3& b) {
    const auto x = time_of_impact(a, f.a, f.motion_a, b, f.b, f.motion_b, {.contacts = false, .last = false});
    open += !x.ok() || x->status != QueryStatus::converged;
    return x.ok() && x->hit ? x->t_lo : kNoImpact;
  };
  for (std::size_t done = 0; done < count; done += kBatch) {
    session.progress("continuous_toi: campaigns, " + std::to_string(done) + " of " + std::to_string(count));
    std::vector<double> when;
    const auto shots = bullets<3>(kBatch, 30, session.options().seed + 1000 + done, &when);
    for (std::size_t i = 0; i < kBatch; ++i)
      through += ask(shots[i], box_of(shots[i].half_a), box_of(shots[i].half_b)) > when[i];
    const auto pairs = crossing<3>(kBatch, 30, session.options().seed + 2000 + done);
    for (const BoxFlight<3>& f : pairs) {
      const Shape3 a = box_of(f.half_a), b = box_of(f.half_b);
      const double t_lo = ask(f, a, b), until = std::min(t_lo, 1.0);
      hits += t_lo != kNoImpact;
      for (int k = 0; k < 64; ++k) {
        const double t = until * (k + 0.5) / 64;
        if (intersects(a, pose_at(f.a, f.motion_a, t), b, pose_at(f.b, f.motion_b, t))) {
          ++missed;
          break;
        }
      }
    }
  }
  table.rows.push_back({"bullets at turning targets, through or late", std::to_string(count), std::to_string(through)});
  table.rows.push_back({"turning pairs, " + std::to_string(hits) + " hits, contacts before t_lo", std::to_string(count),
                        std::to_string(missed)});
  table.rows.push_back({"answers for want of work", std::to_string(2 * count), std::to_string(open)});
  session.bar_at_most("bullets that tunnel", 0, static_cast<double>(through));
  session.bar_at_most("turning pairs: misses against sampling", 0, static_cast<double>(missed));
  session.bar_at_most("bullets and turning pairs: answers for want of work", 0, static_cast<double>(open));
}

}  // namespace

void bench_toi(Session& session) {
  const std::size_t count = session.options().quick ? 300 : 2000;
  const std::uint64_t seed = session.options().seed;
  Table table{"continuous_toi_ns",
              {"flights", "contestant", "version", "ns", "ratio_to_best", "disagreements", "missed", "late", "early",
               "invented", "of"},
              {}};
  race_all<3>(session, table, "boxes, a step of 5 m and half a radian at most",
              crossing<3>(count, 0.5, seed + 8, Ways::of_a_step), true, true);
  race_all<3>(session, table, "boxes, moving", crossing<3>(count, 0, seed), false, true);
  race_all<3>(session, table, "boxes, turning up to a third of a turn", crossing<3>(count, 2, seed + 1), true, true);
  race_all<3>(session, table, "bullets at moving plates", bullets<3>(count, 0, seed + 2), false, true);
  race_all<3>(session, table, "bullets at turning plates", bullets<3>(count, 2, seed + 3), true, true);
  race_all<3>(session, table, "boxes, five turns", crossing<3>(count, 30, seed + 4), true, false);
  race_all<2>(session, table, "2D boxes, a step of 5 m and half a radian at most",
              crossing<2>(count, 0.5, seed + 9, Ways::of_a_step), true, true);
  race_all<2>(session, table, "2D boxes, turning up to a third of a turn", crossing<2>(count, 2, seed + 5), true, true);
  race_all<2>(session, table, "2D bullets at turning plates", bullets<2>(count, 2, seed + 6), true, true);
  race_all<2>(session, table, "2D boxes, five turns", crossing<2>(count, 30, seed + 7), true, true);
  session.add_table(std::move(table));
  Table campaign{"continuous_campaigns", {"what", "cases", "failures"}, {}};
  campaigns(session, campaign);
  session.add_table(std::move(campaign));
  session.note(
      "Peers answer from the poses at both ends; late and early count beyond 5 ms of a step of one second, and what "
      "is proven (auto, moving_sat, conservative, halving, swept) is held to no lateness at all.");
}

}  // namespace sudar_bench
