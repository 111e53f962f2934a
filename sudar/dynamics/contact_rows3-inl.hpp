// What:    The equations of contacts of space, lane by lane: prepare, warm start, solve, bounce.
// Source:  See contact_solver3.hpp.
// Differs: All rows of a contact are functions of the relative twist at the middle of its points: speed along the normal n
//          and the tangents t, s, and turning about them. A point at (along, across) from the middle has the normal speed
//          v_n + across · w_t - along · w_s. So the passes look at the bodies once and work in this frame.
//          Included within a namespace after lanes_plain-inl.hpp or lanes_simd-inl.hpp, so it includes nothing itself.

struct W3 {
  W x, y, z;
};
SUDAR_LANES_INLINE W3 operator+(const W3& a, const W3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
SUDAR_LANES_INLINE W3 operator-(const W3& a, const W3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
SUDAR_LANES_INLINE W3 operator*(const W3& a, W s) { return {a.x * s, a.y * s, a.z * s}; }
SUDAR_LANES_INLINE W dot(const W3& a, const W3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SUDAR_LANES_INLINE W3 cross(const W3& a, const W3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
SUDAR_LANES_INLINE W3 load3(const Lanes8* from, std::size_t l) {
  return {load(from[0], l), load(from[1], l), load(from[2], l)};
}
SUDAR_LANES_INLINE void keep3(Lanes8* to, std::size_t l, const W3& v) {
  keep(to[0], l, v.x);
  keep(to[1], l, v.y);
  keep(to[2], l, v.z);
}
// xx, yy, zz, xy, xz, yz
struct Symmetric3 {
  W xx, yy, zz, xy, xz, yz;
};
SUDAR_LANES_INLINE Symmetric3 load6(const Lanes8* from, std::size_t l) {
  return {load(from[0], l), load(from[1], l), load(from[2], l), load(from[3], l), load(from[4], l), load(from[5], l)};
}
SUDAR_LANES_INLINE W3 operator*(const Symmetric3& m, const W3& v) {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
          m.xz * v.x + m.yz * v.y + m.zz * v.z};
}
SUDAR_LANES_INLINE W larger(W a, W b) { return if_greater(a, b, a, b); }
SUDAR_LANES_INLINE W smaller(W a, W b) { return if_greater(a, b, b, a); }

struct Twist3 {
  W3 linear, angular;
};
template <class Line>
SUDAR_LANES_INLINE Twist3 gather_twist(const Line* lines, const std::uint32_t* ids) {
  W x[6];
  gather<3>(lines, ids, x);
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}
template <class Line>
SUDAR_LANES_INLINE void scatter_twist(Line* lines, const std::uint32_t* ids, std::uint32_t moves, const Twist3& t) {
  const W x[6] = {t.linear.x, t.linear.y, t.linear.z, t.angular.x, t.angular.y, t.angular.z};
  scatter<3>(lines, ids, moves, x);
}

// An impulse (on B) and a moment at the middle of the points, in the contact's frame, given to both bodies
SUDAR_LANES_INLINE void give(const ContactBundle3& c, std::size_t l, const W3& n, const W3& t, const W3& s,
                             const W3& impulse, const W3& moment, Twist3& a, Twist3& b) {
  const W3 p = n * impulse.x + t * impulse.y + s * impulse.z;
  const W3 m = n * moment.x + t * moment.y + s * moment.z;
  a.linear = a.linear - p * load(c.mass_a, l);
  a.angular = a.angular - load6(c.inertia_a, l) * (cross(load3(c.arm_a, l), p) + m);
  b.linear = b.linear + p * load(c.mass_b, l);
  b.angular = b.angular + load6(c.inertia_b, l) * (cross(load3(c.arm_b, l), p) + m);
}

// What a unit of impulse along the normal at one point gives to the normal speed at another:
// (1, across, -along) · response · (1, across, -along)
struct PointResponse {
  W v_n, w_tn, w_sn, w_tt, w_ts, w_ss;
  SUDAR_LANES_INLINE W of(W along_i, W across_i, W along_j, W across_j) const {
    return v_n + (across_i + across_j) * w_tn - (along_i + along_j) * w_sn + across_i * across_j * w_tt -
           (across_i * along_j + along_i * across_j) * w_ts + along_i * along_j * w_ss;
  }
};

SUDAR_LANES_INLINE void prepare_lanes(ContactBundle3& c, const BundleInput3& in, const BodyLines3& lines, double warm,
                                      std::size_t l) {
  const W zero = splat(0), one = splat(1);
  // A frame around the normal: Duff et al., "Building an Orthonormal Basis, Revisited", JCGT 2017
  const W3 n = load3(in.normal, l);
  const W sign = if_greater(zero, n.z, -one, one), f = -(one / (sign + n.z)), g = n.x * n.y * f;
  const W3 t{one + sign * n.x * n.x * f, sign * g, -(sign * n.x)}, s{g, sign + n.y * n.y * f, -n.y};
  keep3(c.normal, l, n);
  keep3(c.tangent, l, t);
  keep3(c.side, l, s);

  // Bodies
  W weight_a[8], weight_b[8], place_a[4], place_b[4];
  gather<4>(lines.weight, c.a + l, weight_a);
  gather<4>(lines.weight, c.b + l, weight_b);
  gather<2>(lines.place, c.a + l, place_a);
  gather<2>(lines.place, c.b + l, place_b);
  const W3 xa{place_a[0], place_a[1], place_a[2]}, xb{place_b[0], place_b[1], place_b[2]};
  const Symmetric3 ia{weight_a[1], weight_a[2], weight_a[3], weight_a[4], weight_a[5], weight_a[6]};
  const Symmetric3 ib{weight_b[1], weight_b[2], weight_b[3], weight_b[4], weight_b[5], weight_b[6]};
  keep(c.mass_a, l, weight_a[0]);
  keep(c.mass_b, l, weight_b[0]);
  for (int k = 0; k < 6; ++k) {
    keep(c.inertia_a[k], l, weight_a[k + 1]);
    keep(c.inertia_b[k], l, weight_b[k + 1]);
  }

  // The points, from their middle
  const W share = load(in.share, l);
  W3 point[4], sum{zero, zero, zero};
  for (int i = 0; i < 4; ++i) {
    point[i] = load3(in.position[i], l) - xa;
    sum = sum + point[i] * load(in.active[i], l);
  }
  const W3 ra = sum * share, rb = ra + (xa - xb);
  keep3(c.arm_a, l, ra);
  keep3(c.arm_b, l, rb);
  W along[4], across[4], radius = zero;
  for (int i = 0; i < 4; ++i) {
    const W3 q = (point[i] - ra) * load(in.active[i], l);
    along[i] = dot(q, t);
    across[i] = dot(q, s);
    radius = radius + square_root(along[i] * along[i] + across[i] * across[i]);
    keep(c.along[i], l, along[i]);
    keep(c.across[i], l, across[i]);
    keep(c.gap[i], l, load(in.gap[i], l));
  }
  keep(c.radius, l, radius * share);

  // How the relative twist answers to impulses at the middle, in the frame
  const W m = weight_a[0] + weight_b[0];
  const W3 na = cross(ra, n), ta = cross(ra, t), sa = cross(ra, s), nb = cross(rb, n), tb = cross(rb, t),
           sb = cross(rb, s);
  const W3 ina = ia * na, ita = ia * ta, isa = ia * sa, inb = ib * nb, itb = ib * tb, isb = ib * sb;
  const W3 turn_n = ina + inb, turn_t = ita + itb, turn_s = isa + isb;
  const Symmetric3 sum_i{ia.xx + ib.xx, ia.yy + ib.yy, ia.zz + ib.zz, ia.xy + ib.xy, ia.xz + ib.xz, ia.yz + ib.yz};
  const W3 about_n = sum_i * n, about_t = sum_i * t, about_s = sum_i * s;
  const W v_nn = m + dot(na, ina) + dot(nb, inb), w_tn = dot(t, turn_n), w_sn = dot(s, turn_n);
  const W w_tt = dot(t, about_t), w_ts = dot(t, about_s), w_ss = dot(s, about_s);
  const W k11 = m + dot(ta, ita) + dot(tb, itb), k12 = dot(ta, isa) + dot(tb, isb),
          k22 = m + dot(sa, isa) + dot(sb, isb);
  const W det = k11 * k22 - k12 * k12, inverse = if_greater(det, zero, one / det, zero);
  keep(c.slip_mass[0], l, k22 * inverse);
  keep(c.slip_mass[1], l, -(k12 * inverse));
  keep(c.slip_mass[2], l, k11 * inverse);
  const W w_nn = dot(n, about_n);
  keep(c.twist_mass, l, if_greater(w_nn, zero, one / w_nn, zero));
  keep(c.twist_slip[0], l, dot(n, turn_t));
  keep(c.twist_slip[1], l, dot(n, turn_s));
  keep(c.push[0], l, dot(na, ita) + dot(nb, itb));
  keep(c.push[1], l, dot(na, isa) + dot(nb, isb));
  keep(c.push[2], l, dot(n, turn_n));
  keep(c.push[3], l, dot(t, turn_t));
  keep(c.push[4], l, dot(t, turn_s));
  keep(c.push[5], l, dot(t, about_n));
  keep(c.push[6], l, dot(s, turn_t));
  keep(c.push[7], l, dot(s, turn_s));
  keep(c.push[8], l, dot(s, about_n));
  const PointResponse response{v_nn, w_tn, w_sn, w_tt, w_ts, w_ss};
  for (int i = 0, k = 0; i < 4; ++i) {
    const W own = response.of(along[i], across[i], along[i], across[i]);
    keep(c.own[i], l, own);
    keep(c.mass[i], l, if_greater(own, zero, load(in.active[i], l) / own, zero));
    for (int j = i + 1; j < 4; ++j) keep(c.couple[k++], l, response.of(along[i], across[i], along[j], across[j]));
  }

  // Speed before the step, for restitution
  const Twist3 a = gather_twist(lines.velocity, c.a + l), b = gather_twist(lines.velocity, c.b + l);
  const W3 v = b.linear - a.linear + cross(b.angular, rb) - cross(a.angular, ra), w = b.angular - a.angular;
  const W vn = dot(n, v), wt = dot(t, w), ws = dot(s, w);
  for (int i = 0; i < 4; ++i) {
    keep(c.approach[i], l, vn + across[i] * wt - along[i] * ws);
    keep(c.most[i], l, zero);
    keep(c.impulse[i], l, load(in.impulse[i], l) * splat(warm));
  }
  const W3 slip = load3(in.slip, l);
  keep(c.slip[0], l, dot(slip, t) * splat(warm));
  keep(c.slip[1], l, dot(slip, s) * splat(warm));
  keep(c.twist, l, load(in.twist, l) * splat(warm));
  keep(c.friction, l, load(in.friction, l));
  keep(c.restitution, l, load(in.restitution, l));
  keep(c.stiff, l, load(in.stiff, l));
}

SUDAR_LANES_INLINE void warm_start_lanes(ContactBundle3& c, const BodyLines3& lines, std::size_t l) {
  const W3 n = load3(c.normal, l), t = load3(c.tangent, l), s = load3(c.side, l);
  Twist3 a = gather_twist(lines.velocity, c.a + l), b = gather_twist(lines.velocity, c.b + l);
  W push = splat(0), mt = push, ms = push;
  for (int i = 0; i < 4; ++i) {
    const W p = load(c.impulse[i], l);
    push = push + p;
    mt = mt + load(c.across[i], l) * p;
    ms = ms - load(c.along[i], l) * p;
  }
  give(c, l, n, t, s, {push, load(c.slip[0], l), load(c.slip[1], l)}, {load(c.twist, l), mt, ms}, a, b);
  scatter_twist(lines.velocity, c.a + l, c.moves_a >> l, a);
  scatter_twist(lines.velocity, c.b + l, c.moves_b >> l, b);
}

// Where the coupling of points i and j stands
constexpr int pair_at(int i, int j) { return i > j ? pair_at(j, i) : i == 0 ? j - 1 : i == 1 ? j + 1 : 5; }

// One point: its impulse, what it does to the speeds of all, and the sums of push and moments about the tangents. Written
// out for each number of a point, because compilers keep arrays of vectors in registers only where they see the indices.
template <int kFrom, int kTo, int kPoints>
SUDAR_LANES_INLINE void tell_point(const ContactBundle3& c, std::size_t l, W step, W* speed) {
  if constexpr (kTo < kPoints)
    speed[kTo] = speed[kTo] + load(kFrom == kTo ? c.own[kFrom] : c.couple[pair_at(kFrom, kTo)], l) * step;
}
template <int kPoint, int kPoints>
SUDAR_LANES_INLINE void push_point(const ContactBundle3& c, std::size_t l, W* impulse, W* speed, const W* mass,
                                   const W* keeps, const W* along, const W* across, W3& moved) {
  if constexpr (kPoint < kPoints) {
    const W next = positive(keeps[kPoint] * impulse[kPoint] - mass[kPoint] * speed[kPoint]);
    const W step = next - impulse[kPoint];
    tell_point<kPoint, 0, kPoints>(c, l, step, speed);
    tell_point<kPoint, 1, kPoints>(c, l, step, speed);
    tell_point<kPoint, 2, kPoints>(c, l, step, speed);
    tell_point<kPoint, 3, kPoints>(c, l, step, speed);
    moved = {moved.x + step, moved.y + across[kPoint] * step, moved.z - along[kPoint] * step};
    impulse[kPoint] = next;
  }
}

template <int kPoints>
SUDAR_LANES_INLINE void solve_lanes(ContactBundle3& c, const BodyLines3& lines, const ContactPass& pass,
                                    std::size_t l) {
  const W zero = splat(0), one = splat(1);
  const W3 n = load3(c.normal, l), t = load3(c.tangent, l), s = load3(c.side, l);
  const W3 ra = load3(c.arm_a, l), rb = load3(c.arm_b, l);
  Twist3 a = gather_twist(lines.velocity, c.a + l), b = gather_twist(lines.velocity, c.b + l);

  // How far the bodies have gone, to first order
  const Twist3 da = gather_twist(lines.change, c.a + l), db = gather_twist(lines.change, c.b + l);
  const W3 gone = db.linear - da.linear + cross(db.angular, rb) - cross(da.angular, ra);
  const W3 turned = db.angular - da.angular;
  const W gone_n = dot(n, gone), turned_t = dot(t, turned), turned_s = dot(s, turned);

  // The relative twist
  const W3 v = b.linear - a.linear + cross(b.angular, rb) - cross(a.angular, ra), w = b.angular - a.angular;
  W v_n = dot(n, v), v_t = dot(t, v), v_s = dot(s, v), w_n = dot(n, w), w_t = dot(t, w), w_s = dot(s, w);

  // Friction, limited by the normal impulses so far
  W impulse[kPoints], total = zero;
  for (int i = 0; i < kPoints; ++i) {
    impulse[i] = load(c.impulse[i], l);
    total = total + impulse[i];
  }
  const W limit = load(c.friction, l) * total;
  const W old_twist = load(c.twist, l), twist_limit = limit * load(c.radius, l);
  const W new_twist = larger(smaller(old_twist - load(c.twist_mass, l) * w_n, twist_limit), -twist_limit);
  const W twist = new_twist - old_twist;
  keep(c.twist, l, new_twist);
  v_t = v_t + load(c.twist_slip[0], l) * twist;
  v_s = v_s + load(c.twist_slip[1], l) * twist;
  const W old_t = load(c.slip[0], l), old_s = load(c.slip[1], l);
  const W m12 = load(c.slip_mass[1], l);
  const W want_t = old_t - (load(c.slip_mass[0], l) * v_t + m12 * v_s);
  const W want_s = old_s - (m12 * v_t + load(c.slip_mass[2], l) * v_s);
  const W square = want_t * want_t + want_s * want_s;
  const W scale = if_greater(square, limit * limit, limit / square_root(square), one);
  const W new_t = want_t * scale, new_s = want_s * scale;
  keep(c.slip[0], l, new_t);
  keep(c.slip[1], l, new_s);
  const W slip_t = new_t - old_t, slip_s = new_s - old_s;
  v_n = v_n + (load(c.push[0], l) * slip_t + load(c.push[1], l) * slip_s + load(c.push[2], l) * twist);
  w_t = w_t + (load(c.push[3], l) * slip_t + load(c.push[4], l) * slip_s + load(c.push[5], l) * twist);
  w_s = w_s + (load(c.push[6], l) * slip_t + load(c.push[7], l) * slip_s + load(c.push[8], l) * twist);

  // Normal directions. Apart: fast enough to touch at the end of the substep, and rigid; else the spring.
  const W half = splat(0.5), stiff = load(c.stiff, l);
  const W rate = if_greater(stiff, half, splat(pass.stiff.bias_rate), splat(pass.soft.bias_rate));
  const W mass_scale = if_greater(stiff, half, splat(pass.stiff.mass_scale), splat(pass.soft.mass_scale));
  const W impulse_scale = if_greater(stiff, half, splat(pass.stiff.impulse_scale), splat(pass.soft.impulse_scale));
  const W fastest = splat(-pass.push_speed), inverse_h = splat(pass.inverse_h), firm = splat(pass.inverse_firm);
  W along[kPoints], across[kPoints], speed[kPoints], mass[kPoints], keeps[kPoints];
  for (int i = 0; i < kPoints; ++i) {
    along[i] = load(c.along[i], l);
    across[i] = load(c.across[i], l);
    const W gap = load(c.gap[i], l) + gone_n + across[i] * turned_t - along[i] * turned_s;
    const W bias = if_greater(gap, zero, gap * inverse_h, larger(rate * gap, fastest)), own = load(c.mass[i], l);
    speed[i] = v_n + across[i] * w_t - along[i] * w_s + bias;
    mass[i] = if_greater(gap, zero, own, own * mass_scale);
    const W yields = positive(smaller(splat(2) + gap * firm, one));
    keeps[i] = if_greater(gap, zero, one, one - impulse_scale * yields);
  }
  // Point by point, each after the others have spoken; a few times, which costs little here and keeps towers upright
  W3 moved{zero, zero, zero};
  for (int sweep = 0; sweep < kContactSweeps; ++sweep) {
    push_point<0, kPoints>(c, l, impulse, speed, mass, keeps, along, across, moved);
    push_point<1, kPoints>(c, l, impulse, speed, mass, keeps, along, across, moved);
    push_point<2, kPoints>(c, l, impulse, speed, mass, keeps, along, across, moved);
    push_point<3, kPoints>(c, l, impulse, speed, mass, keeps, along, across, moved);
  }
  for (int i = 0; i < kPoints; ++i) keep(c.impulse[i], l, impulse[i]);
  if (c.bounces != 0)
    for (int i = 0; i < kPoints; ++i) keep(c.most[i], l, larger(load(c.most[i], l), impulse[i]));

  give(c, l, n, t, s, {moved.x, slip_t, slip_s}, {twist, moved.y, moved.z}, a, b);
  scatter_twist(lines.velocity, c.a + l, c.moves_a >> l, a);
  scatter_twist(lines.velocity, c.b + l, c.moves_b >> l, b);
}

// Points that came fast enough and were pushed leave with the speed that restitution asks for
SUDAR_LANES_INLINE void bounce_lanes(ContactBundle3& c, const BodyLines3& lines, double threshold, std::size_t l) {
  const W zero = splat(0), least = splat(-threshold), restitution = load(c.restitution, l);
  const W3 n = load3(c.normal, l), t = load3(c.tangent, l), s = load3(c.side, l);
  const W3 ra = load3(c.arm_a, l), rb = load3(c.arm_b, l);
  Twist3 a = gather_twist(lines.velocity, c.a + l), b = gather_twist(lines.velocity, c.b + l);
  const W3 v = b.linear - a.linear + cross(b.angular, rb) - cross(a.angular, ra), w = b.angular - a.angular;
  const W v_n = dot(n, v), w_t = dot(t, w), w_s = dot(s, w);
  W speed[4], push = zero, moment_t = zero, moment_s = zero;
  for (int i = 0; i < 4; ++i) speed[i] = v_n + load(c.across[i], l) * w_t - load(c.along[i], l) * w_s;
  for (int i = 0; i < 4; ++i) {
    const W approach = load(c.approach[i], l), old = load(c.impulse[i], l);
    const W wanted = positive(old - load(c.mass[i], l) * (speed[i] + restitution * approach));
    const W came = if_greater(least, approach, wanted, old), pushed = if_greater(load(c.most[i], l), zero, came, old);
    const W next = if_greater(restitution, zero, pushed, old), step = next - old;
    keep(c.impulse[i], l, next);
    for (int j = i + 1; j < 4; ++j) speed[j] = speed[j] + load(c.couple[pair_at(i, j)], l) * step;
    push = push + step;
    moment_t = moment_t + load(c.across[i], l) * step;
    moment_s = moment_s - load(c.along[i], l) * step;
  }
  give(c, l, n, t, s, {push, zero, zero}, {zero, moment_t, moment_s}, a, b);
  scatter_twist(lines.velocity, c.a + l, c.moves_a >> l, a);
  scatter_twist(lines.velocity, c.b + l, c.moves_b >> l, b);
}

// Bundle by bundle
void Prepare(ContactBundle3* bundle, const BundleInput3* input, const BodyLines3* lines, double warm) {
  for (std::size_t l = 0; l < kBundle; l += kLanes) prepare_lanes(*bundle, *input, *lines, warm, l);
}
void WarmStart(ContactBundle3* begin, ContactBundle3* end, const BodyLines3* lines) {
  for (ContactBundle3* c = begin; c != end; ++c)
    for (std::size_t l = 0; l < kBundle; l += kLanes) warm_start_lanes(*c, *lines, l);
}
void Solve(ContactBundle3* begin, ContactBundle3* end, const BodyLines3* lines, const ContactPass* pass) {
  for (ContactBundle3* c = begin; c != end; ++c) {
    if (c->points > 2) {
      for (std::size_t l = 0; l < kBundle; l += kLanes) solve_lanes<4>(*c, *lines, *pass, l);
    } else if (c->points == 2) {
      for (std::size_t l = 0; l < kBundle; l += kLanes) solve_lanes<2>(*c, *lines, *pass, l);
    } else {
      for (std::size_t l = 0; l < kBundle; l += kLanes) solve_lanes<1>(*c, *lines, *pass, l);
    }
  }
}
void Bounce(ContactBundle3* begin, ContactBundle3* end, const BodyLines3* lines, double threshold) {
  for (ContactBundle3* c = begin; c != end; ++c)
    if (c->bounces != 0)
      for (std::size_t l = 0; l < kBundle; l += kLanes) bounce_lanes(*c, *lines, threshold, l);
}
