// What:    The equations of contacts of the plane, lane by lane: prepare, warm start, solve, bounce.
// Source:  See contact_solver2.hpp.
// Differs: As contact_rows3-inl.hpp: a point at `along` the tangent from the middle has the normal speed v_n - along · w.
//          Included within a namespace after lanes_plain-inl.hpp or lanes_simd-inl.hpp, so it includes nothing itself.

struct W2 {
  W x, y;
};
SUDAR_LANES_INLINE W2 operator+(const W2& a, const W2& b) { return {a.x + b.x, a.y + b.y}; }
SUDAR_LANES_INLINE W2 operator-(const W2& a, const W2& b) { return {a.x - b.x, a.y - b.y}; }
SUDAR_LANES_INLINE W2 operator*(const W2& a, W s) { return {a.x * s, a.y * s}; }
SUDAR_LANES_INLINE W dot(const W2& a, const W2& b) { return a.x * b.x + a.y * b.y; }
SUDAR_LANES_INLINE W cross(const W2& a, const W2& b) { return a.x * b.y - a.y * b.x; }
SUDAR_LANES_INLINE W2 perp(const W2& a) { return {-a.y, a.x}; }
SUDAR_LANES_INLINE W2 load2(const Lanes8* from, std::size_t l) { return {load(from[0], l), load(from[1], l)}; }
SUDAR_LANES_INLINE void keep2(Lanes8* to, std::size_t l, const W2& v) {
  keep(to[0], l, v.x);
  keep(to[1], l, v.y);
}
SUDAR_LANES_INLINE W larger(W a, W b) { return if_greater(a, b, a, b); }
SUDAR_LANES_INLINE W smaller(W a, W b) { return if_greater(a, b, b, a); }

struct Twist2 {
  W2 linear;
  W angular;
};
template <class Line>
SUDAR_LANES_INLINE Twist2 gather_twist(const Line* lines, const std::uint32_t* ids) {
  W x[4];
  gather<2>(lines, ids, x);
  return {{x[0], x[1]}, x[2]};
}
template <class Line>
SUDAR_LANES_INLINE void scatter_twist(Line* lines, const std::uint32_t* ids, std::uint32_t moves, const Twist2& t) {
  const W x[4] = {t.linear.x, t.linear.y, t.angular, splat(0)};
  scatter<2>(lines, ids, moves, x);
}
// Velocity of B's point over the middle, as A's has it
SUDAR_LANES_INLINE W2 relative_speed(const Twist2& a, const Twist2& b, const W2& ra, const W2& rb) {
  return b.linear - a.linear + perp(rb) * b.angular - perp(ra) * a.angular;
}

// An impulse (on B) and a moment at the middle of the points, given to both bodies
SUDAR_LANES_INLINE void give(const ContactBundle2& c, std::size_t l, const W2& n, W normal, W tangent, W moment,
                             Twist2& a, Twist2& b) {
  const W2 p = n * normal + perp(n) * tangent;
  a.linear = a.linear - p * load(c.mass_a, l);
  a.angular = a.angular - load(c.inertia_a, l) * (cross(load2(c.arm_a, l), p) + moment);
  b.linear = b.linear + p * load(c.mass_b, l);
  b.angular = b.angular + load(c.inertia_b, l) * (cross(load2(c.arm_b, l), p) + moment);
}

SUDAR_LANES_INLINE void prepare_lanes(ContactBundle2& c, const BundleInput2& in, const BodyLines2& lines, double warm,
                                      std::size_t l) {
  const W zero = splat(0), one = splat(1);
  const W2 n = load2(in.normal, l), t = perp(n);
  keep2(c.normal, l, n);

  // Bodies
  W weight_a[2], weight_b[2], place_a[2], place_b[2];
  gather<1>(lines.weight, c.a + l, weight_a);
  gather<1>(lines.weight, c.b + l, weight_b);
  gather<1>(lines.place, c.a + l, place_a);
  gather<1>(lines.place, c.b + l, place_b);
  const W2 xa{place_a[0], place_a[1]}, xb{place_b[0], place_b[1]};
  const W ia = weight_a[1], ib = weight_b[1];
  keep(c.mass_a, l, weight_a[0]);
  keep(c.mass_b, l, weight_b[0]);
  keep(c.inertia_a, l, ia);
  keep(c.inertia_b, l, ib);

  // The points, from their middle
  const W active[2] = {load(in.active[0], l), load(in.active[1], l)};
  const W2 point[2] = {load2(in.position[0], l) - xa, load2(in.position[1], l) - xa};
  const W2 ra = (point[0] * active[0] + point[1] * active[1]) * load(in.share, l), rb = ra + (xa - xb);
  keep2(c.arm_a, l, ra);
  keep2(c.arm_b, l, rb);
  W along[2];
  for (int i = 0; i < 2; ++i) {
    along[i] = dot(point[i] - ra, t) * active[i];
    keep(c.along[i], l, along[i]);
    keep(c.gap[i], l, load(in.gap[i], l));
  }

  // How the relative motion answers to impulses at the middle
  const W m = weight_a[0] + weight_b[0], na = cross(ra, n), nb = cross(rb, n), ta = cross(ra, t), tb = cross(rb, t);
  const W v_nn = m + ia * na * na + ib * nb * nb, v_tt = m + ia * ta * ta + ib * tb * tb;
  const W w_n = ia * na + ib * nb, w_w = ia + ib;
  keep(c.slip_mass, l, if_greater(v_tt, zero, one / v_tt, zero));
  keep(c.push[0], l, ia * na * ta + ib * nb * tb);
  keep(c.push[1], l, ia * ta + ib * tb);
  for (int i = 0; i < 2; ++i) {
    const W own = v_nn - (along[i] + along[i]) * w_n + along[i] * along[i] * w_w;
    keep(c.own[i], l, own);
    keep(c.mass[i], l, if_greater(own, zero, active[i] / own, zero));
  }
  keep(c.couple, l, v_nn - (along[0] + along[1]) * w_n + along[0] * along[1] * w_w);

  // Speed before the step, for restitution
  const Twist2 a = gather_twist(lines.velocity, c.a + l), b = gather_twist(lines.velocity, c.b + l);
  const W v_n = dot(n, relative_speed(a, b, ra, rb)), w = b.angular - a.angular;
  for (int i = 0; i < 2; ++i) {
    keep(c.approach[i], l, v_n - along[i] * w);
    keep(c.most[i], l, zero);
    keep(c.impulse[i], l, load(in.impulse[i], l) * splat(warm));
  }
  keep(c.slip, l, dot(load2(in.slip, l), t) * splat(warm));
  keep(c.friction, l, load(in.friction, l));
  keep(c.restitution, l, load(in.restitution, l));
  keep(c.stiff, l, load(in.stiff, l));
}

SUDAR_LANES_INLINE void warm_start_lanes(ContactBundle2& c, const BodyLines2& lines, std::size_t l) {
  Twist2 a = gather_twist(lines.velocity, c.a + l), b = gather_twist(lines.velocity, c.b + l);
  const W p0 = load(c.impulse[0], l), p1 = load(c.impulse[1], l);
  const W moment = -(load(c.along[0], l) * p0 + load(c.along[1], l) * p1);
  give(c, l, load2(c.normal, l), p0 + p1, load(c.slip, l), moment, a, b);
  scatter_twist(lines.velocity, c.a + l, c.moves_a >> l, a);
  scatter_twist(lines.velocity, c.b + l, c.moves_b >> l, b);
}

SUDAR_LANES_INLINE void solve_lanes(ContactBundle2& c, const BodyLines2& lines, const ContactPass& pass,
                                    std::size_t l) {
  const W zero = splat(0), one = splat(1);
  const W2 n = load2(c.normal, l), ra = load2(c.arm_a, l), rb = load2(c.arm_b, l);
  Twist2 a = gather_twist(lines.velocity, c.a + l), b = gather_twist(lines.velocity, c.b + l);

  // How far the bodies have gone, to first order
  const Twist2 da = gather_twist(lines.change, c.a + l), db = gather_twist(lines.change, c.b + l);
  const W gone = dot(n, relative_speed(da, db, ra, rb)), turned = db.angular - da.angular;

  // Friction, limited by the normal impulses so far
  const W2 v = relative_speed(a, b, ra, rb);
  W impulse[2] = {load(c.impulse[0], l), load(c.impulse[1], l)};
  const W limit = load(c.friction, l) * (impulse[0] + impulse[1]), old = load(c.slip, l);
  const W slip = larger(smaller(old - load(c.slip_mass, l) * dot(perp(n), v), limit), -limit), slip_step = slip - old;
  keep(c.slip, l, slip);
  const W v_n = dot(n, v) + load(c.push[0], l) * slip_step;
  const W w = b.angular - a.angular + load(c.push[1], l) * slip_step;

  // Normal directions. Apart: fast enough to touch at the end of the substep, and rigid; else the spring.
  const W half = splat(0.5), stiff = load(c.stiff, l);
  const W rate = if_greater(stiff, half, splat(pass.stiff.bias_rate), splat(pass.soft.bias_rate));
  const W mass_scale = if_greater(stiff, half, splat(pass.stiff.mass_scale), splat(pass.soft.mass_scale));
  const W impulse_scale = if_greater(stiff, half, splat(pass.stiff.impulse_scale), splat(pass.soft.impulse_scale));
  const W fastest = splat(-pass.push_speed), inverse_h = splat(pass.inverse_h), firm = splat(pass.inverse_firm);
  W along[2], speed[2], mass[2], keeps[2];
  for (int i = 0; i < 2; ++i) {
    along[i] = load(c.along[i], l);
    const W gap = load(c.gap[i], l) + gone - along[i] * turned;
    const W bias = if_greater(gap, zero, gap * inverse_h, larger(rate * gap, fastest)), own = load(c.mass[i], l);
    speed[i] = v_n - along[i] * w + bias;
    mass[i] = if_greater(gap, zero, own, own * mass_scale);
    const W yields = positive(smaller(splat(2) + gap * firm, one));
    keeps[i] = if_greater(gap, zero, one, one - impulse_scale * yields);
  }
  // Point by point, each after the other has spoken
  W push = zero, moment = zero;
  const W couple = load(c.couple, l);
  for (int sweep = 0; sweep < kContactSweeps; ++sweep)
    for (int i = 0; i < 2; ++i) {
      const W next = positive(keeps[i] * impulse[i] - mass[i] * speed[i]), step = next - impulse[i];
      speed[i] = speed[i] + load(c.own[i], l) * step;
      speed[1 - i] = speed[1 - i] + couple * step;
      push = push + step;
      moment = moment - along[i] * step;
      impulse[i] = next;
    }
  for (int i = 0; i < 2; ++i) keep(c.impulse[i], l, impulse[i]);
  if (c.bounces != 0)
    for (int i = 0; i < 2; ++i) keep(c.most[i], l, larger(load(c.most[i], l), impulse[i]));

  give(c, l, n, push, slip_step, moment, a, b);
  scatter_twist(lines.velocity, c.a + l, c.moves_a >> l, a);
  scatter_twist(lines.velocity, c.b + l, c.moves_b >> l, b);
}

// Points that came fast enough and were pushed leave with the speed that restitution asks for
SUDAR_LANES_INLINE void bounce_lanes(ContactBundle2& c, const BodyLines2& lines, double threshold, std::size_t l) {
  const W zero = splat(0), least = splat(-threshold), restitution = load(c.restitution, l);
  const W2 n = load2(c.normal, l);
  Twist2 a = gather_twist(lines.velocity, c.a + l), b = gather_twist(lines.velocity, c.b + l);
  const W v_n = dot(n, relative_speed(a, b, load2(c.arm_a, l), load2(c.arm_b, l))), w = b.angular - a.angular;
  W speed[2] = {v_n - load(c.along[0], l) * w, v_n - load(c.along[1], l) * w}, push = zero, moment = zero;
  for (int i = 0; i < 2; ++i) {
    const W approach = load(c.approach[i], l), old = load(c.impulse[i], l);
    const W wanted = positive(old - load(c.mass[i], l) * (speed[i] + restitution * approach));
    const W came = if_greater(least, approach, wanted, old), pushed = if_greater(load(c.most[i], l), zero, came, old);
    const W next = if_greater(restitution, zero, pushed, old), step = next - old;
    keep(c.impulse[i], l, next);
    speed[1 - i] = speed[1 - i] + load(c.couple, l) * step;
    push = push + step;
    moment = moment - load(c.along[i], l) * step;
  }
  give(c, l, n, push, zero, moment, a, b);
  scatter_twist(lines.velocity, c.a + l, c.moves_a >> l, a);
  scatter_twist(lines.velocity, c.b + l, c.moves_b >> l, b);
}

// Bundle by bundle
void Prepare(ContactBundle2* bundle, const BundleInput2* input, const BodyLines2* lines, double warm) {
  for (std::size_t l = 0; l < kBundle; l += kLanes) prepare_lanes(*bundle, *input, *lines, warm, l);
}
void WarmStart(ContactBundle2* begin, ContactBundle2* end, const BodyLines2* lines) {
  for (ContactBundle2* c = begin; c != end; ++c)
    for (std::size_t l = 0; l < kBundle; l += kLanes) warm_start_lanes(*c, *lines, l);
}
void Solve(ContactBundle2* begin, ContactBundle2* end, const BodyLines2* lines, const ContactPass* pass) {
  for (ContactBundle2* c = begin; c != end; ++c)
    for (std::size_t l = 0; l < kBundle; l += kLanes) solve_lanes(*c, *lines, *pass, l);
}
void Bounce(ContactBundle2* begin, ContactBundle2* end, const BodyLines2* lines, double threshold) {
  for (ContactBundle2* c = begin; c != end; ++c)
    if (c->bounces != 0)
      for (std::size_t l = 0; l < kBundle; l += kLanes) bounce_lanes(*c, *lines, threshold, l);
}
