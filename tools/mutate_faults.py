"""The faults of tools/mutate.py: what is changed, which tests guard it, and what was looked at and changes no answer."""
import re

# Files
PREDICATES, FILTERS, SIDE = "sudar/math/predicates.cpp", "sudar/math/predicates.hpp", "sudar/math/line_side.hpp"
TOLERANCE = "sudar/math/tolerance.hpp"
SAT, GJK, EXACT = "sudar/narrowphase/sat3.cpp", "sudar/narrowphase/gjk3.cpp", "sudar/narrowphase/exact_gjk3.cpp"
DIFFERENCE, SIMPLEX = "sudar/narrowphase/difference3.hpp", "sudar/narrowphase/simplex3.hpp"
UNDERFLOW, SEARCH = "sudar/narrowphase/underflow.hpp", "sudar/narrowphase/exact_search.hpp"
BATCH, LANES = "sudar/narrowphase/hull_batch3.cpp", "sudar/narrowphase/hull_lanes3.cpp"
GROWN, REVOLVED = "sudar/narrowphase/epa_polytope3.hpp", "sudar/narrowphase/revolved3.hpp"
PROOF, RING, AXIS = "sudar/narrowphase/depth_proof3.cpp", "sudar/narrowphase/support_ring.hpp", "sudar/narrowphase/axis_bound3.cpp"
BOXES, AXES = "sudar/narrowphase/box_box3.cpp", "sudar/narrowphase/box_axes3.cpp"
SAT2, GJK2, EXACT2 = "sudar/narrowphase/sat2.cpp", "sudar/narrowphase/gjk2.cpp", "sudar/narrowphase/exact_gjk2.cpp"
DIFFERENCE2, BOXES2 = "sudar/narrowphase/difference2.hpp", "sudar/narrowphase/box_box2.cpp"
TRIANGLES, TRIANGLE_FILTER = "sudar/narrowphase/triangle_triangle.cpp", "sudar/narrowphase/triangle_triangle.hpp"
MEET, PLACED = "sudar/narrowphase/triangle_meet.hpp", "sudar/narrowphase/placed_triangles.cpp"
BOX_TRIANGLE, HALFSPACE = "sudar/narrowphase/box_triangle.cpp", "sudar/narrowphase/halfspace_sign.hpp"
FINE = "sudar/narrowphase/fine_simplex3.cpp"
DEPTH, DEPTH2, RODS_CORE2 = "sudar/narrowphase/epa3.cpp", "sudar/narrowphase/epa2.cpp", "sudar/narrowphase/core_gap2.cpp"
MOVING_AXES, MOTION, IMPACT = "sudar/continuous/moving_axes.hpp", "sudar/continuous/motion.hpp", "sudar/continuous/time_of_impact.cpp"
CONVEXITY, PIECES = "sudar/shapes/mesh_convexity.cpp", "sudar/narrowphase/piece_hull.hpp"
RODS2, RODS3 = "sudar/narrowphase/primitives2.cpp", "sudar/narrowphase/primitives3.cpp"

# The test program, its filter, and what is compiled anew when the fault is in a header
MATH = ("test_math", "Predicates*", ["tests/math/predicates_test.cpp"])
SATS = ("test_narrowphase", "Sat3*:VClip3*", [SAT])
DECISIONS = ("test_narrowphase", "Gjk3*:ExactGjk3*:HullBatch3*:ConvexExact*:Decision*:ConvexDistance3*:FaceDepth3*",
             [GJK, BATCH])
INTEGERS = (DECISIONS[0], DECISIONS[1], [EXACT])
HULLS = ("test_narrowphase", "HullBatch3*", [LANES])
BOX = ("test_narrowphase", "BoxBox3*:BoxAxes3*:BoxBatch3*", [BOXES, AXES, "sudar/narrowphase/box_batch3.cpp"])

DEPTHS = ("test_narrowphase", "DepthProof3*:AxisBound3*:ConvexDistance3*", [PROOF])
SLIVERS = ("test_narrowphase", "DepthProof3*", ["sudar/narrowphase/epa3.cpp"])
RINGS = ("test_narrowphase", "DepthProof3*:SupportRing*", [PROOF, "tests/narrowphase/depth_proof3_test.cpp"])

NEARLY = ("test_narrowphase", "MeshConvexity*", [CONVEXITY])
UNIONS = ("test_narrowphase", "UnionDepth*", ["sudar/narrowphase/union_depth.cpp", "tests/narrowphase/union_test.cpp"])

PLANE = ("test_narrowphase", "Sat2*:Gjk2*:ExactGjk2*:ConvexDistance2*:ConvexExact*:Decision*",
         [GJK2, "sudar/narrowphase/convex_distance2.cpp"])
INTEGERS2 = (PLANE[0], PLANE[1] + ":ExactGjk3*", [EXACT, EXACT2])
MEETINGS = ("test_narrowphase", "TriangleTriangle*:PlacedTriangles*:BoxTriangle*:SelfIntersection*",
            [TRIANGLES, PLACED, "tests/narrowphase/triangle_triangle_test.cpp", "tests/narrowphase/proofs3_test.cpp"])
IN_BOXES = (MEETINGS[0], MEETINGS[1], [BOX_TRIANGLE])
SIGNS = ("test_narrowphase", "ConvexExact*:Primitives*:Decision*:Collide*",
         ["sudar/narrowphase/collide2.cpp", "sudar/narrowphase/collide3.cpp"])
ROD2 = ("test_narrowphase", "Primitives2*:Decision*:ConvexExact*:Collide*", [])
ROD3 = ("test_narrowphase", "Primitives3*:Decision*:ConvexExact*:Collide*:SphereCapsule*", [])
FLAT_BOXES = ("test_narrowphase", "ConvexDistance2*:Collide*:Decision*:Primitives2*:PairCampaign*:ExactGjk2*:BoxBox2*", [])
FINES = ("test_narrowphase", "FineSimplex3*:ConvexDistance3.WitnessesOnSlivers", [])
MEASURED = ("test_narrowphase", "ExactCampaign*", [])
WAYS = ("test_continuous", "TimeOfImpact*:MovingSat*:ExactMotion*", ["sudar/continuous/moving_sat2.cpp", "sudar/continuous/moving_sat3.cpp"])
PAIRS_ON_THEIR_WAY = (WAYS[0], WAYS[1], [IMPACT])
PAIRS_AT_TOUCHES = ("test_narrowphase", "PairCampaign*", [IMPACT])

# Name, file, what is there, what comes in its place, what guards it
FAULTS = [
    # Exact stages
    ("orient2d: a coordinate of the wrong point", PREDICATES, "by = diff(3, 5);", "by = diff(3, 4);", MATH),
    ("exact stage: a minor with the wrong product", PREDICATES, "return ax * by - ay * bx;", "return ax * by - ay * by;", MATH),
    ("exact stage: the lift forgets z", PREDICATES, "return (x * x + y * y) + z * z;", "return (x * x + y * y) + z * x;", MATH),
    ("integers: what does not fit the grid is taken", PREDICATES, "whole &= static_cast<double>(integer[i]) * unit == x[i];",
     "whole &= static_cast<double>(integer[i]) * unit <= x[i];", MATH),
    ("integers: two bits too many", PREDICATES, "constexpr int kBits = 60;", "constexpr int kBits = 62;", MATH),
    ("dot_sign: a coordinate that is no multiple of the unit", PREDICATES, "{a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y});\n  const auto difference",
     "{a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.x});\n  const auto difference", MATH),
    ("dot_sign: no rounding", PREDICATES, "kDotSignError * (std::fabs(x) + std::fabs(y));", "0 * (std::fabs(x) + std::fabs(y));", MATH),
    # Error bounds of the filters
    ("orient2d: no rounding", FILTERS, "kError = 5 * kRoundoff", "kError = 0 * kRoundoff", MATH),
    ("orient2d: a quarter of the rounding", FILTERS, "kError = 5 * kRoundoff", "kError = 1.25 * kRoundoff", MATH),
    ("orient2d: no underflow", FILTERS, "kTiny = 0x1p-1020;", "kTiny = 0;", MATH),
    ("orient3d: no rounding", FILTERS, "kError = 6 * 9 * kRoundoff", "kError = 0 * kRoundoff", MATH),
    ("orient3d: one rounding", FILTERS, "kError = 6 * 9 * kRoundoff", "kError = kRoundoff", MATH),
    ("orient3d: no underflow", FILTERS, "kTiny = 0x1p-900, kLarge = 0x1p150;", "kTiny = 0, kLarge = 0x1p150;", MATH),
    ("orient3d: any size", FILTERS, "kTiny = 0x1p-900, kLarge = 0x1p150;", "kTiny = 0x1p-900, kLarge = 0x1p1023;", MATH),
    ("incircle: no rounding", FILTERS, "kError = 12 * 12 * kRoundoff", "kError = 0 * kRoundoff", MATH),
    ("incircle: one rounding", FILTERS, "kError = 12 * 12 * kRoundoff", "kError = kRoundoff", MATH),
    ("incircle: no underflow", FILTERS, "kTiny = 0x1p-700,", "kTiny = 0,", MATH),
    ("insphere: no rounding", FILTERS, "kError = 72 * 17 * kRoundoff", "kError = 0 * kRoundoff", MATH),
    ("insphere: one rounding", FILTERS, "kError = 72 * 17 * kRoundoff", "kError = kRoundoff", MATH),
    ("insphere: no underflow", FILTERS, "kTiny = 0x1p-600,", "kTiny = 0,", MATH),
    ("insphere: any size", FILTERS, "kTiny = 0x1p-600, kLarge = 0x1p150", "kTiny = 0x1p-600, kLarge = 0x1p1023", MATH),
    ("filters: an axis is not looked at", FILTERS, "return ab < c ? c : ab;", "return ab;", MATH),
    ("line_side: no rounding", SIDE, "kError = 8 * kRoundoff", "kError = 0 * kRoundoff", MATH),
    ("line_side: no underflow", SIDE, "kTiny = 0x1p-900", "kTiny = 0", MATH),
    ("line_side: any size", SIDE, "kLarge = 0x1p150", "kLarge = 0x1p1023", MATH),
    # Proofs of depths
    ("depth proof: nothing dips between corners", PROOF, "out.below -= most * (1 / 3.0);", "", DEPTHS),
    ("depth proof: a corner's rise counts twice", PROOF, "share * edges.square[i] - rise", "share * edges.square[i] - 4 * rise", DEPTHS),
    ("depth proof: cosines between corners are those at them", PROOF, "(from < 0 ? from / shortest : from)", "from", DEPTHS),
    ("depth proof: the ball of a ring counts twice", PROOF, "game.constant[j] += line->at_zero - ball_of_[i];", "game.constant[j] += line->at_zero;", DEPTHS),
    ("depth proof: an apex is on the rim", PROOF, "|| along < 0;", "|| along < 1;", DEPTHS),
    ("depth proof: B's ring is turned about", PROOF, "(i == 0 ? from : -from)", "from", DEPTHS),
    ("depth proof: large triangles are judged", PROOF, "edges.square[edges.longest] <= 2 + 8 * kRoundoff &&", "edges.square[edges.longest] <= 4 &&", DEPTHS),
    ("depth proof: a triangle is forgotten", PROOF, "for (int i = 0; i < 8; ++i)", "for (int i = 0; i < 7; ++i)", DEPTHS),
    ("depth proof: half of a cut triangle is forgotten", PROOF, "triangle(p, middle, r, halvings + 1) && triangle(middle, q, r, halvings + 1)",
     "triangle(p, middle, r, halvings + 1)", DEPTHS),
    ("depth proof: the middle stays where a cut turns", PROOF, "std::fabs(plane.middle_v + slope * plane.axis_v)", "std::fabs(slope * plane.axis_v)", DEPTHS),
    ("depth proof: the axis stays where a cut turns", PROOF, "std::fabs(plane.middle_v + slope * plane.axis_v)", "std::fabs(plane.middle_v)", DEPTHS),
    ("depth proof: B's ring is A's", PROOF, "tilted_->center - difference_.point_b(p.turned_b) :", "difference_.point_b(p.turned_b) - tilted_->center :", DEPTHS),
    ("depth proof: ellipsoids are round about any axis", REVOLVED, "const double round = 0.5 *", "const double round = 0 *", DEPTHS),
    ("depth proof: the derivative is one beside a cut", PROOF, " + 0.5 * change_.second * half_ * half_", "", DEPTHS),
    ("depth proof: the middle is on the other side", PROOF, "offset_ = about_ == 0 ? -to : to", "offset_ = about_ == 0 ? to : -to", DEPTHS),
    ("depth proof: cuts do not change to second order", PROOF, "* (0.5 * half_ * half_);", "* 0.0;", DEPTHS),
    ("depth proof: nearly round is round", PROOF, "target() + tilted_->beyond + ", "target() + ", DEPTHS),
    ("depth proof: nearly round is round about its own axis", PROOF, "own_[about_] * half_ + ", "", DEPTHS),
    ("depth proof: cuts change little beside them", PROOF, "return target() + half_ * (", "return target() + 0.1 * half_ * (", DEPTHS),
    ("depth proof: a point near the axis is on it", AXIS, "return plane - p.along * cosine - p.off", "return plane - p.along * cosine - 0 * p.off", DEPTHS),
    ("EPA: slivers are believed", GROWN, "4 * difference.point_error * (1 + longest / height)", "4 * difference.point_error", SLIVERS),
    ("EPA: corners before their planes prove as much as the planes", "sudar/narrowphase/epa3.cpp", "less < proven) {",
     "less < proven && proven < -1) {", DEPTHS),
    ("ring: a chord where a tangent is below", RING, "if (k > 0) {", "if (k > 1) {", RINGS),
    ("ring: a tangent where a chord is below", RING, "if (k > 0) {", "if (k > -1) {", RINGS),
    # SAT
    ("SAT: arcs of the Gauss map that do not cross", SAT, "if (!(c * d < 0)) {", "if (!(c * d > 0)) {", SATS),
    ("SAT: the axis of two edges points into A", SAT, "if (dot(n, n0 + n1) < 0) n = -n;", "if (dot(n, n0 + n1) > 0) n = -n;", SATS),
    ("SAT: the better pair of edges is skipped", SAT, "if (quick <= search.best.separation + search.preference) {",
     "if (quick >= search.best.separation + search.preference) {", SATS),
    ("SAT: edges of B that are no edges of the hull", SAT, "if (!(e * f < 0 && c * f < 0)) {", "if (!(c * f < 0)) {", SATS),
    ("SAT: no axes of edges", SAT, "if (!done()) edge_axes(search, goal);", "", SATS),
    ("SAT: faces of B are left out", SAT, "for (std::uint32_t f = 0; f < b.face_count() && !done(); ++f) {",
     "for (std::uint32_t f = 1; f < b.face_count() && !done(); ++f) {", SATS),
    ("SAT: a gap is proven without its rounding", TOLERANCE, "kSatError = 64 * kRoundoff", "kSatError = 0 * kRoundoff", SATS),
    ("SAT: the error shrinks with the distance", SAT, "a.size() + b.size() + max_abs(place.translation);",
     "a.size() + b.size() - max_abs(place.translation);", SATS),
    ("SAT: edges count as parallel too soon", TOLERANCE, "kSatParallel = 0x1p-46", "kSatParallel = 0x1p-6", SATS),
    ("SAT: edges win ties against faces", TOLERANCE, "kSatFacePreference = 0x1p-44", "kSatFacePreference = -0x1p-44", SATS),
    ("SAT: edges must be much better than faces", TOLERANCE, "kSatFacePreference = 0x1p-44", "kSatFacePreference = 0x1p-4", SATS),
    ("SAT: a cached axis of edges looks the other way", SAT, "if (search.gap(-n) > search.gap(n)) n = -n;",
     "if (search.gap(-n) < search.gap(n)) n = -n;", SATS),
    # GJK
    ("GJK: apart though rounding may hide a touch", GJK,
     "    // The plane across v through w bounds the distance from below\n    if (vw > slack) {",
     "    // The plane across v through w bounds the distance from below\n    if (vw > -1e6 * slack) {", DECISIONS),
    ("GJK: stops far from the nearest point", GJK, "if (vv - vw <= gap) break;", "if (vv - vw <= 0.1 * vv) break;", DECISIONS),
    ("GJK: the cache forgets the vertices of B", GJK, "cache.b[i] = result.simplex[i].ib;", "cache.b[i] = result.simplex[i].ia;",
     DECISIONS),
    ("GJK: the bound is that of the longest axis", GJK, "if (ahead * ahead * lead_vv > lead * lead * axis_vv) {",
     "if (ahead * ahead * lead_vv < lead * lead * axis_vv || lead == 0) {", DECISIONS),
    ("GJK: a hit is called apart", GJK, "      keep(g, r, count);\n      vv = 0;\n      finish(GjkOutcome::hit);",
     "      keep(g, r, count);\n      vv = 0;\n      finish(GjkOutcome::apart);", DECISIONS),
    ("GJK: a warm plane without its slack", GJK,
     "    if (vw > slack) {\n      lead = vw - slack;", "    if (vw > 0) {\n      lead = vw;", DECISIONS),
    ("GJK: the second look without its slack", GJK, "dot(d, q.w) - difference.plane_slack(d), axis_vv", "dot(d, q.w), axis_vv",
     DECISIONS),
    ("GJK: a cache of other shapes is believed", GJK, "if (cache.a[i] >= difference.a.count || cache.b[i] >= difference.b.count) return false;",
     "if (cache.a[i] >= difference.a.count) return false;", DECISIONS),
    ("GJK: rounded bodies hit by v alone", GJK, "std::sqrt(vv) + noise < sure_hit && spot(g) + noise < sure_hit",
     "std::sqrt(vv) < radii * (1 + 64 * kRoundoff)", DECISIONS),
    ("GJK: radii are grown by no rounding", GJK, "radii + 4 * kRoundoff * (radii + std::sqrt(squared))", "radii - 1024 * kRoundoff * radii",
     DECISIONS),
    # Bounds of the difference
    ("bounds: a plane needs no slack", DIFFERENCE, "return plane_error * (std::fabs(d.x) + std::fabs(d.y) + std::fabs(d.z)) + kLeastProof;",
     "return kLeastProof;", DECISIONS),
    ("bounds: the slack of one coordinate", DIFFERENCE, "(std::fabs(d.x) + std::fabs(d.y) + std::fabs(d.z)) + kLeastProof", "std::fabs(d.x) + kLeastProof",
     DECISIONS),
    ("bounds: the centre is a vertex", DIFFERENCE, "return point_error + kRoundoff * (static_cast<double>(a.count) + b.count) * reach;",
     "return point_error;", DECISIONS),
    ("bounds: volumes have no error", DIFFERENCE, "return m * m * (18 * of_point + 48 * kRoundoff * m) + kLeastProof;", "return kLeastProof;",
     DECISIONS),
    ("bounds: volumes of exact corners", DIFFERENCE, "(18 * of_point + 48 * kRoundoff * m)", "(0 * of_point + 48 * kRoundoff * m)", DECISIONS),
    ("bounds: volumes without underflow", DIFFERENCE, "48 * kRoundoff * m) + kLeastProof;", "48 * kRoundoff * m);", DECISIONS),
    ("bounds: planes without underflow", DIFFERENCE, "std::fabs(d.z)) + kLeastProof;", "std::fabs(d.z));", DECISIONS),
    ("bounds: the least proof is nothing", UNDERFLOW, "kLeastProof = 0x1p-700", "kLeastProof = 0", DECISIONS),
    ("simplex: inside by three volumes", SIMPLEX, "volume[2] > error && volume[3] > error)", "volume[2] > error)", DECISIONS),
    ("simplex: inside by three volumes of the other side", SIMPLEX, "volume[2] < -error && volume[3] < -error)", "volume[2] < -error)", DECISIONS),
    ("simplex: inside without the error", SIMPLEX, "volume[2] < -error && volume[3] < -error);", "volume[2] < -error && volume[3] < 0);",
     DECISIONS),
    ("simplex: the centre is exact", SIMPLEX, "difference.volume_error(m, difference.center_error())", "0", DECISIONS),
    ("simplex: m forgets a corner", SIMPLEX, "for (const Vec3d& w : at) m = std::max(m, max_abs(w));", "m = max_abs(at[3]);", DECISIONS),
    # Exact decision
    ("integers of GJK: touching is apart", EXACT, "        if (side == 0) {", "        if (side == 7) {", INTEGERS),
    ("integers of GJK: a face on the wrong side", EXACT, "exact_dot(normal, e[3 - i - j]).sign() < 0) continue;",
     "exact_dot(normal, e[3 - i - j]).sign() > 0) continue;", INTEGERS),
    ("integers of GJK: an edge beyond its face", EXACT, "nearest = j == i || !within(i, j);", "nearest = j == i || within(i, j);", INTEGERS),
    # Lanes of hulls
    ("lanes: a plane of one rounding", LANES, "kPlaneError = 96 * kUnit<T>", "kPlaneError = 1 * kUnit<T>", HULLS),
    ("lanes: a corner without error, volumes of one rounding", LANES,
     "hn::MulAdd(hn::Set(d, T(18)), hn::Load(d, s.corner + l), hn::Mul(hn::Set(d, 96 * kUnit<T>), m));",
     "hn::Mul(hn::Set(d, kUnit<T>), m);", HULLS),
    ("lanes: corners without error", LANES, "kCornerError = 24 * kUnit<T>", "kCornerError = 0 * kUnit<T>", HULLS),
    ("lanes: the centre is a vertex", LANES, "(kCornerError<T> + static_cast<T>(kRoundoff * vertices))", "kCornerError<T>", HULLS),
    ("lanes: proofs at any reach", LANES, "const bool fits = reach > kLeastReach && reach < kMostReach && !(way == Vec3d{});",
     "const bool fits = !(way == Vec3d{});", HULLS),
    ("lanes: hits proven by three volumes", LANES, "hn::And(hn::Lt(volume[2], limit), hn::Lt(volume[3], limit))", "hn::Lt(volume[2], limit)", HULLS),
    ("lanes: no plane is proven", LANES, "hn::Store(hn::IfThenElse(proven, hn::Set(d, T(2)), seen), d, row.apart + l);",
     "hn::Store(hn::IfThenElse(proven, hn::Set(d, T(1)), seen), d, row.apart + l);", HULLS),
    ("lanes: no hit is proven", LANES, "hn::IfThenElse(beyond, hn::Set(d, T(2)),", "hn::IfThenElse(beyond, hn::Set(d, T(1)),", HULLS),
    ("lanes: what is seen is proven", LANES, "found[from + l].proven = r.apart[l] > 1;", "found[from + l].proven = true;", HULLS),
    ("lanes: what surrounds roughly is proven", LANES, "out.proven = inside[l] > 1;", "out.proven = true;", HULLS),
    ("lanes: the search is a proof", LANES, "      out.proven = false;\n", "      out.proven = true;\n", HULLS),
    ("batch: what lanes see is believed", BATCH, "int sign = !found.proven ? proven(a, b, at, found) :",
     "int sign = !found.proven && found.outcome == GjkOutcome::unclear ? proven(a, b, at, found) :", HULLS),
    ("batch: turns of any length are taken as they are", BATCH,
     "      if (!turn) return turn.error();\n      placed[i] = {poses[i].position, *turn};\n", "      placed[i] = poses[i];\n", HULLS),
    # Boxes
    ("boxes: the axis of a face is one of A's", BOXES, "const auto det = r[j][0] * c0 + r[j][1] * c1 + r[j][2] * c2;",
     "const auto det = r[j][0] * c0 + r[j][1] * c1 + r[j][2] * c1;", BOX),
    ("boxes: edges without a half of B", BOXES, "const auto reach_b = b[j1] * magnitude(cofactor(j2, i)) + b[j2] * magnitude(cofactor(j1, i));",
     "const auto reach_b = b[j1] * magnitude(cofactor(j2, i)) + b[j1] * magnitude(cofactor(j1, i));", BOX),
    ("boxes: boxes that touch are apart", BOXES, "if (exact && gap.hi > 0) return false;", "if (exact && gap.hi >= 0) return false;", BOX),
    # The plane: SAT
    ("SAT in the plane: an edge of B is left out", SAT2, "for (std::uint32_t i = 0; i < b.edge_count() && !done(); ++i) try_b(i);",
     "for (std::uint32_t i = 1; i < b.edge_count() && !done(); ++i) try_b(i);", PLANE),
    ("SAT in the plane: the last edge of A is left out", SAT2, "i < a.edge_count() && !done(); ++i) try_a(i);",
     "i + 1 < a.edge_count() && !done(); ++i) try_a(i);", PLANE),
    ("SAT in the plane: the far end of B", SAT2, "return across(n, a.vertices()[i], b.vertices()[b.support(-to_b(a_from_b, n))]);",
     "return across(n, a.vertices()[i], b.vertices()[b.support(to_b(a_from_b, n))]);", PLANE),
    ("SAT in the plane: normals of B look away from A", SAT2, "return -turn(a_from_b, b.normals()[i]);",
     "return turn(a_from_b, b.normals()[i]);", PLANE),
    ("SAT in the plane: thin sets have no ends", SAT2, "if (!done()) search.thin_axes();", "", PLANE),
    ("SAT in the plane: thin sets have one end", SAT2, "for (const Vec2d& m : {n, -n}) offer", "for (const Vec2d& m : {n}) offer", PLANE),
    ("SAT in the plane: a gap is proven without its rounding", SAT2, "best.error = kSatError *", "best.error = 0 * kSatError *", PLANE),
    ("SAT in the plane: the error of small coordinates", SAT2, "(a.size() + b.size() + max_abs(place.translation))", "1", PLANE),
    ("SAT in the plane: a cached edge that is not there", SAT2, "last.kind == SatKind::face_b && last.b < b.edge_count()",
     "last.kind == SatKind::face_b", PLANE),
    # The plane: GJK
    ("GJK in the plane: apart without the radii", GJK2, "if (goal == GjkGoal::decide && g.lower > grown(vv)) {",
     "if (goal == GjkGoal::decide && g.lower > 0) {", PLANE),
    ("GJK in the plane: stops far from the nearest point", GJK2, "if (vv - vw <= gap) break;", "if (vv - vw <= 0.1 * vv) break;", PLANE),
    ("GJK in the plane: the cache forgets the vertices of B", GJK2, "cache.b[i] = result.simplex[i].ib;",
     "cache.b[i] = result.simplex[i].ia;", PLANE),
    ("GJK in the plane: a hit is called apart", GJK2, "      keep(g, r, count);\n      vv = 0;\n      finish(GjkOutcome::hit);",
     "      keep(g, r, count);\n      vv = 0;\n      finish(GjkOutcome::apart);", PLANE),
    ("GJK in the plane: a warm line without its slack", GJK2, "    if (vw > slack) {\n      g.lower = (vw - slack) / length(g.v);",
     "    if (vw > 0) {\n      g.lower = vw / length(g.v);", PLANE),
    ("GJK in the plane: a bound without its slack", GJK2, "const double bound = (vw - slack) / length(g.v);",
     "const double bound = vw / length(g.v);", PLANE),
    ("GJK in the plane: a cache of other shapes is believed", GJK2,
     "if (cache.a[i] >= difference.a.count || cache.b[i] >= difference.b.count) return false;",
     "if (cache.a[i] >= difference.a.count) return false;", PLANE),
    ("GJK in the plane: a simplex of four corners", GJK2, "if (cache.count > 3) return false;", "", PLANE),
    ("GJK in the plane: rounded bodies hit by v alone", GJK2, "std::sqrt(vv) + noise < sure_hit && spot(g) + noise < sure_hit",
     "std::sqrt(vv) < radii * (1 + 64 * kRoundoff)", PLANE),
    ("GJK in the plane: radii are grown by no rounding", GJK2, "radii + 4 * kRoundoff * (radii + std::sqrt(squared))",
     "radii - 1024 * kRoundoff * radii", PLANE),
    ("GJK in the plane: inside by two areas", GJK2, "std::min(std::min(area[0] * side, area[1] * side), area[2] * side) > error",
     "std::min(area[0] * side, area[1] * side) > error", PLANE),
    ("GJK in the plane: inside without the error", GJK2, "area[2] * side) > error) {", "area[2] * side) > 0) {", PLANE),
    ("GJK in the plane: the edge that is seen is skipped", GJK2, "if (!flat && area[i] * side > error) continue;",
     "if (!flat && area[i] * side < -error) continue;", PLANE),
    ("GJK in the plane: the ends of an edge change places", GJK2, "    r.weight[i] = 1 - t;\n    r.weight[j] = t;",
     "    r.weight[i] = t;\n    r.weight[j] = 1 - t;", PLANE),
    ("bounds in the plane: a line needs no slack", DIFFERENCE2, "return plane_error * (std::fabs(d.x) + std::fabs(d.y)) + kLeastProof;",
     "return kLeastProof;", PLANE),
    ("bounds in the plane: the slack of one coordinate", DIFFERENCE2, "(std::fabs(d.x) + std::fabs(d.y)) + kLeastProof",
     "std::fabs(d.x) + kLeastProof", PLANE),
    ("bounds in the plane: areas have no error", DIFFERENCE2, "return m * (4 * point_error + 8 * kRoundoff * m) + kLeastProof;",
     "return kLeastProof;", PLANE),
    # The plane: integers
    ("integers in the plane: touching is apart", EXACT2, "      if (side == 0) {", "      if (side == 7) {", INTEGERS2),
    ("integers in the plane: an edge on the wrong side", EXACT2, "side * exact_dot(normal, e[1 - i]).sign() < 0) continue;",
     "side * exact_dot(normal, e[1 - i]).sign() > 0) continue;", INTEGERS2),
    ("integers in the plane: the normal looks away", EXACT2, "if (side < 0)\n", "if (side > 0)\n", INTEGERS2),
    ("integers: the radius of B is that of A", SEARCH, "+ to_dyadic<kPlainLimbs>(radii[1], unit);",
     "+ to_dyadic<kPlainLimbs>(radii[0], unit);", INTEGERS2),
    ("integers: the distance is not that of a unit normal", SEARCH, "(far * far - (near * near) * exact_dot(v, v)).sign()",
     "(far * far - (near * near)).sign()", INTEGERS2),
    ("half-spaces: what touches is apart", HALFSPACE, "if (gap.sign() <= 0) return -1;", "if (gap.sign() < 0) return -1;", SIGNS),
    ("half-spaces: the radius touches from afar", HALFSPACE, "(gap * gap - (reach * reach) * m_squared).sign() <= 0",
     "(gap * gap - (reach * reach) * m_squared).sign() < 0", SIGNS),
    ("half-spaces: rounding tells the lowest vertex", HALFSPACE, "least + 64 * kRoundoff * D", "least + 0 * kRoundoff * D", SIGNS),
    # The plane: boxes
    ("boxes in the plane: no rounding", BOXES2, "kBoxApart * gaps.size + kBoxUnderflow;", "0 * gaps.size;", FLAT_BOXES),
    ("boxes in the plane: boxes that touch along x are apart", BOXES2, "if ((magnitude(t(i)) * one - reach).sign() > 0) return false;",
     "if ((magnitude(t(i)) * one - reach).sign() >= 0) return false;", FLAT_BOXES),
    ("boxes in the plane: the axes of B with a half of the other side", BOXES2, "((along - reach) * one - det * b(1 - j)).sign() > 0",
     "((along - reach) * one - det * b(j)).sign() > 0", FLAT_BOXES),
    ("boxes in the plane: the gap across a side of B", BOXES2, "(std::fabs(r.y.y) * a.x + std::fabs(r.y.x) * a.y) - det * b.x",
     "(std::fabs(r.y.y) * a.x + std::fabs(r.y.x) * a.y) - det * b.y", FLAT_BOXES),
    # Triangles
    ("triangles: crossings that touch are apart", MEET, "return s_.side(a_[0], a_[1], b_[0], b_[1]) <= 0 &&",
     "return s_.side(a_[0], a_[1], b_[0], b_[1]) < 0 &&", MEETINGS),
    ("triangles: a is not turned over", MEET, "if (!a_up) std::swap(a_[1], a_[2]);", "", MEETINGS),
    ("triangles: in one plane, the lines of a alone", MEET, "!separated(axis, 0, turn_a, 3) && !separated(axis, 3, turn_b, 0)",
     "!separated(axis, 0, turn_a, 3)", MEETINGS),
    ("triangles: a segment that begins in the plane", MEET, "if (side_p * side_q > 0) return false;", "if (side_p * side_q >= 0) return false;",
     MEETINGS),
    ("triangles: segments on one line that share an end", MEET, "if (s_.order(ax, lo, to) > 0 ||", "if (s_.order(ax, lo, to) >= 0 ||", MEETINGS),
    ("triangles: a common point is a segment", MEET, "const bool point = upper == 0 || lower == 0 ||", "const bool point = lower == 0 ||", MEETINGS),
    ("triangles: filter without rounding", TRIANGLE_FILTER, "kError = 6 * 9 * kRoundoff, kTiny", "kError = 0 * kRoundoff, kTiny", MEETINGS),
    ("triangles: filter without underflow", TRIANGLE_FILTER, "kTiny = 0x1p-900, kLarge", "kTiny = 0, kLarge", MEETINGS),
    ("triangles: filter at any size", TRIANGLE_FILTER, "kLarge = 0x1p150;", "kLarge = 0x1p1023;", MEETINGS),
    ("triangles: the lone corner", TRIANGLE_FILTER, "kLoneCorner[8] = {0, 0, 1, 2, 2, 1, 0, 0}", "kLoneCorner[8] = {0, 0, 1, 0, 2, 1, 0, 0}",
     MEETINGS),
    ("triangles: what does not fit the grid is taken", TRIANGLES, "whole &= static_cast<double>(integer_[i][k]) * unit == p_[i][k];",
     "whole &= static_cast<double>(integer_[i][k]) * unit <= p_[i][k];", MEETINGS),
    ("triangles: integers too long for their words", TRIANGLES, "kNarrowBits = 40;", "kNarrowBits = 61;", MEETINGS),
    ("triangles: corners with one equal coordinate are one", TRIANGLES, "if (p_[i] == p_[j]) same_[i]", "if (p_[i].x == p_[j].x) same_[i]", MEETINGS),
    ("placed triangles: moved corners are exact", PLACED, "delta_ = 2 * b.error;", "delta_ = 0;", MEETINGS),
    ("placed triangles: the filter of unmoved ones", PLACED, "s.bound += 6.5 * delta *", "s.bound += 0 * delta *", MEETINGS),
    ("placed triangles: the rest is forgotten", PLACED, "visit(3 + i, k, placement_.rest[k], 1.0);", "", MEETINGS),
    ("box and triangle: axes of edges without rounding", TOLERANCE, "kBoxEdgeAxisError = 48 * kRoundoff", "kBoxEdgeAxisError = 0",
     IN_BOXES),
    ("box and triangle: the normal without rounding", TOLERANCE, "kBoxNormalAxisError = 96 * kRoundoff", "kBoxNormalAxisError = 0",
     IN_BOXES),
    ("box and triangle: half of a face", BOX_TRIANGLE, "Triangle<3, double>{c[0], c[1], c[2]}, t) ||",
     "Triangle<3, double>{c[0], c[2], c[3]}, t) ||", MEETINGS),
    # Pairs of primitives
    ("rods in the plane: the other side of a half-plane", RODS2, "gap.on_b = into_a(at, support_point(b, -to_b(at, a.normal)));",
     "gap.on_b = into_a(at, support_point(b, to_b(at, a.normal)));", ROD2),
    ("rods in the plane: half-planes that look the same way", RODS2, "max_abs(normal_b + a.normal) == 0", "max_abs(normal_b - a.normal) == 0",
     ROD2),
    ("rods: the quick way past the end", RODS3, "std::max(std::min(dot(center - p, pq) * inverse, one), zero)",
     "std::max(dot(center - p, pq) * inverse, zero)", ROD3),
    ("rods: the quick way decides what nearly touches", RODS3, "std::fabs(separation) < kSphereRecheck * (distance + radii)",
     "std::fabs(separation) < 0 * (distance + radii)", ROD3),
    # Witnesses on slivers
    ("fine weights: products in doubles", FINE, "return p.x * q.x + p.y * q.y + p.z * q.z; }",
     "return p.x * static_cast<double>(q.x) + p.y * static_cast<double>(q.y) + p.z * static_cast<double>(q.z); }", FINES),
    ("fine weights: a determinant in doubles", FINE, "whole = g11 * g22 - g12 * g12,",
     "whole = DoubleDouble(static_cast<double>(g11) * static_cast<double>(g22) - static_cast<double>(g12) * static_cast<double>(g12)),",
     FINES),
    ("fine weights: an edge is forgotten", FINE, "segment(1, 2, edge_[2] - edge_[1]);", "", FINES),
    ("fine weights: the ends of an edge change places", FINE, "quotient(whole - along, whole), quotient(along, whole)",
     "quotient(along, whole), quotient(whole - along, whole)", FINES),
    ("fine weights: corners of a triangle change places", FINE, "quotient(one, whole), quotient(two, whole)",
     "quotient(two, whole), quotient(one, whole)", FINES),
    ("fine weights: a triangle goes on beyond its third edge", FINE, "one.hi > 0 && two.hi > 0 && rest.hi > 0", "one.hi > 0 && two.hi > 0",
     FINES),
    # Motion
    ("moving axes: they meet after they part", MOVING_AXES, "std::max(first_lo_, std::min(first_, last_))", "std::max(first_lo_, first_)", WAYS),
    ("moving axes: they meet before it is possible", MOVING_AXES, "std::max(first_lo_, std::min(first_, last_))", "std::min(first_, last_)", WAYS),
    ("moving axes: the place in a turned frame is exact", MOVING_AXES, "place_error_ = kMovingTurnError * D * max_abs(place_.translation);",
     "place_error_ = 0;", WAYS),
    ("impact: all times are counted in seconds", IMPACT,
     "return t_max > kLongTime || t_max < 1 / kLongTime ? std::ilogb(t_max) : 0;", "return 0;", PAIRS_ON_THEIR_WAY),
    ("impact: no time at all is counted in seconds", IMPACT,
     "if (t_max == 0) return fastest > kMostSpeed ? -std::ilogb(fastest) : 0;", "if (t_max == 0) return 0;", PAIRS_ON_THEIR_WAY),
    ("impact: rounding of a place is coarser", IMPACT, "return kToleranceOfMotion * kMotionError * (size_",
     "return 0x1p20 * kToleranceOfMotion * kMotionError * (size_", PAIRS_ON_THEIR_WAY),
    ("impact: rounding of a time is coarser", IMPACT, "kToleranceOfTime * (pair_.speed() + turning_) * clock;",
     "0x1p20 * kToleranceOfTime * (pair_.speed() + turning_) * clock;", PAIRS_ON_THEIR_WAY),
    ("impact: rounding of a time is a little coarser", IMPACT, "kToleranceOfTime * (pair_.speed() + turning_) * clock;",
     "4 * kToleranceOfTime * (pair_.speed() + turning_) * clock;", PAIRS_ON_THEIR_WAY),
    ("impact: the clock has shown the whole time", IMPACT, "kToleranceOfTime * (pair_.speed() + turning_) * clock;",
     "kToleranceOfTime * (pair_.speed() + turning_) * options_.t_max;", PAIRS_ON_THEIR_WAY),
    ("impact: the clock stands still", IMPACT, "kToleranceOfTime * (pair_.speed() + turning_) * clock;", "0 * clock;", PAIRS_ON_THEIR_WAY),
    ("impact: the clock of the way back is that of the way", IMPACT, "is_last(t, options_.t_max)", "is_last(t, t)", PAIRS_ON_THEIR_WAY),
    ("impact: a last time that is told early is as good as any", IMPACT,
     "with_rounding(leave ? std::fabs(apart) : apart, t, clock), leave ? kRoundoff * pair_.speed() * t : 0",
     "with_rounding(apart, t, clock), leave ? 0.0 : 0", PAIRS_ON_THEIR_WAY),
    ("impact: all that rounding may be is told", IMPACT, "return 0.5 * (apart + kMotionError * (size_ + any_length(pair_.offset(t))));",
     "return rounding_at(t, clock);", PAIRS_AT_TOUCHES),
    ("impact: the last time has no tolerance", IMPACT, "out_.t_last ? std::max(out_.tolerance_last, out_.tolerance) : 0;", "0;", PAIRS_ON_THEIR_WAY),
    ("impact: steps are told in the unit of time", IMPACT, "if (exponent != 0 && options.trace != nullptr)", "if (exponent > 9999)",
     PAIRS_ON_THEIR_WAY),
    ("impact: steps of the plane are told as those of space", IMPACT, "count == kAdvanceNumbers<D>", "count == kAdvanceNumbers<3>",
     PAIRS_ON_THEIR_WAY),
    ("moving axes: the way in a turned frame is exact", MOVING_AXES, "velocity_error_ = kMovingTurnError * D * max_abs(v);",
     "velocity_error_ = 0;", WAYS),
    ("moving axes: the way is seen from the world", MOVING_AXES, "rotate(conjugate(pair.start_a()), pair.velocity())", "pair.velocity()", WAYS),
    ("motion: the way back begins where the way began", MOTION, "out.offset_[i] = offset(i, t), ", "", PAIRS_ON_THEIR_WAY),
    ("depth: weights of what is flat in doubles", DEPTH, "off > kNoiseErrors * difference.point_error", "off > kInfinity", MEASURED),
    ("depth: the foot on slivers in doubles", DEPTH, "    fine = true;", "    fine = false;", MEASURED),
    ("depth: weights of needles in doubles", DEPTH, "if (fine || (difference.polytopes && !(distance(weighed(c, r.weight), r.v) <= noise)))",
     "if (fine)", MEASURED),
    ("depth: across any two edges of what is flat", DEPTH, "if (of_g >= of_e && of_g >= of_f) return", "if (of_g >= 0) return", MEASURED),
    ("depth in the plane: points of whatever edge is as near", DEPTH2, "    chosen = ring.nearest_to(foot, chosen);\n", "", MEASURED),
    ("depth of boxes in the plane: plates lie any way", BOXES2, "if (j == upright || ", "if (upright < 0 || ", MEASURED),
    ("depth of boxes in the plane: the bound of the side that is preferred", BOXES2, "std::max(out.separation, widest) + rounding",
     "out.separation + rounding", MEASURED),
    ("depth of boxes: plates lie any way", BOXES, "if (j != upright && ", "if (upright >= 0 && ", MEASURED),
    ("depth of boxes: the middle of what is as thin as rounding", BOXES,
     "if (!middle || beside_face(base - on_a, axis) <= kBoxCertificate * size) return {on_a, base};", "if (size > 0) return {on_a, base};", MEASURED),
    ("depth of rods in the plane: the corner beside a side", RODS_CORE2, "if (!(on.t > 0 && on.t < 1)) gap.on_a", "if (on.t > 2) gap.on_a",
     MEASURED),
    # Which meshes are convex, how nearly, and the hulls of pieces
    ("convexity: a star is not asked for", CONVEXITY,
     "return is_convex_along_edges(mesh, twin) && is_star_about(mesh, mean_of_corners(mesh), NoArea::refused);",
     "return is_convex_along_edges(mesh, twin) && mean_of_corners(mesh).x < 1e300;", NEARLY),
    ("convexity: the surface may go round twice", CONVEXITY, "std::abs(winding_number(mesh, point)) == 1", "winding_number(mesh, point) != 0", NEARLY),
    ("convexity: triangles without area are passed over", CONVEXITY, "mean_of_corners(mesh), NoArea::refused)",
     "mean_of_corners(mesh), NoArea::passed_over)", NEARLY),
    ("excess: half of it", CONVEXITY, "return most * radius * (1 + 16 * kRoundoff);", "return most * radius * 0.25;", NEARLY),
    ("excess: no rounding", CONVEXITY, "hull.vertices()[far] - middle) + rounding - plane", "hull.vertices()[far] - middle) - rounding - plane", NEARLY),
    ("pieces: the radius is there twice", PIECES, "p += unit * (piece.view.radius - radius_);", "p += unit * piece.view.radius;", UNIONS),
    ("pieces: the radius of the last one", PIECES, "pieces_.size() > 1 ? std::min(radius_, view.radius) : view.radius;", "view.radius;", UNIONS),
]

# Lines of these files are changed by chance. What is cheap may be wrong: filters, warm starts, traces and reserves do not decide
CHANCE = [(PREDICATES, MATH), (FILTERS, MATH), (SAT, SATS), (GJK, DECISIONS), (SIMPLEX, DECISIONS), (DIFFERENCE, DECISIONS), (EXACT, INTEGERS),
          (SAT2, PLANE), (GJK2, PLANE), (DIFFERENCE2, PLANE), (EXACT2, INTEGERS2), (TRIANGLES, MEETINGS), (MEET, MEETINGS), (PLACED, MEETINGS)]
SWAPS = [(" < ", " > "), (" > ", " < "), (" <= ", " > "), (" >= ", " < "), (" == ", " != "), (" != ", " == "), (" && ", " || "),
         (" || ", " && "), (" + ", " - "), (" - ", " + "), (" * ", " + "), (" / ", " * "), ("true", "false"), ("false", "true"),
         (".x", ".y"), (".y", ".z"), (".z", ".x"), ("[0]", "[1]"), ("[1]", "[0]"), ("[2]", "[1]"), ("std::max(", "std::min("),
         ("std::min(", "std::max("), ("(-", "("), ("!(", "("), ("continue;", "break;"), ("return false;", "return true;")]
DOES_NOT_COUNT = re.compile(r"^\s*(//|#|static_assert|SUDAR_ASSERT|template|using|extern|inline constexpr|constexpr)|trace|report|Trace")
# (file, text of the line, what was put in its place or "*" for anything, why no test can tell)
EQUIVALENT = [
    (PREDICATES, "whole &= static_cast<double>(integer[i]) * unit == x[i];", "whole &= static_cast<double>(integer[i]) + unit == x[i];",
     "nothing fits the grid then, and integers of any length decide"),
    (SAT, "if (!(size > kSatParallel * length_u * length(w))) continue;", "if (!(size > kSatParallel * length_u * length(w))) break;",
     "arcs of parallel edges do not cross, so that only rounding comes so far"),
    (GJK, "(warm == nullptr || warm->axis == Vec3d{});", "(warm == nullptr || warm->axis != Vec3d{});",
     "with an axis the first iteration is spent on its plane, without one the second look is left out: only slower"),
    (GJK, "ids[2 * i + 1] = g.simplex[i].ib;", "*", "what a trace tells"),
    (DIFFERENCE, "plane_error(kSupportRounding * reach) {}", "plane_error(kSupportRounding / 16 * reach) {}",
     "the sum of all roundings is 17 units of the 32; the worst of thousands of pairs aimed at it (Gjk3.ProofsHoldWhereRoundingDecides)"
     " is off by half a unit, so that tests see no slack at all, not too little of it"),
    (SAT, "visit(u, 0u, false), visit(v, 0u, false);", "*", "tells what the axes of two rods are called, not what they show"),
    (GJK, "g.weight[0] = 1;", "*", "the point of a plane that decides: nobody asks a decision for points"),
    (UNDERFLOW, "inline constexpr double kLeastProof = 0x1p-700;", "inline constexpr double kLeastProof = 0x1p-1060;",
     "volumes underflow only where all coordinates are below 2^-340, by a few 2^-1074; directions are not below kLeastDirection. The"
     " larger one has room for bounds that are multiplied again"),
    (LANES, "const bool fits = reach > kLeastReach && reach < kMostReach && !(way == Vec3d{});",
     "const bool fits = reach > kLeastReach && reach < kMostReach;",
     "centres that are one are a common point, but for hulls thinner than the rounding of their centres, of which none was found that"
     " the error of a corner does not cover"),
    (DIFFERENCE, "reach(view_a.size + 2 * view_b.size + max_abs(placement.translation)),",
     "reach(view_a.size + 2 * view_b.size - max_abs(placement.translation)),",
     "sets that nearly touch are at most the sum of their sizes apart, so the bound halves, and half of it is what rounding reaches at"
     " the worst that can be derived; sets farther apart are proven so by any bound"),
    (SAT, "return dot(n, a_from_b.translation) + dot(n, a_from_b.rest) + (dot(n_b, q) - dot(n, p));",
     "return dot(n, a_from_b.translation) - dot(n, a_from_b.rest) + (dot(n_b, q) - dot(n, p));",
     "rest is below half a unit of the translation, which the error of a gap has 64 of: nearer to the truth with it, proven either way"),
    (FILTERS, "constexpr double kError = 12 * 12 * kRoundoff, kTiny = 0x1p-700, kLarge = 0x1p150;",
     "constexpr double kError = 12 * 12 * kRoundoff, kTiny = 0x1p-700, kLarge = 0x1p1023;",
     "in the plane one of mx, my is m; the other is zero, and then the determinant is, or 2^-1074 at least: from m = 2^150 on the"
     " bound on rounding, 144 u mx my m m, is beyond the 2^-1069 m m of underflow by itself"),
]
