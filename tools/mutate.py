#!/usr/bin/env python3
"""Seeded faults in the predicates, SAT and GJK: each must be caught by a test.

Usage: tools/mutate.py [--build build/dev] [--only TEXT] [--list]
Every fault is put into the source, the tests of its room are built and run, and the source is put back. Exit code 1 when one
survives. Run it on a clean tree.
"""
import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PREDICATES, SAT, GJK = "sudar/math/predicates.cpp", "sudar/narrowphase/sat3.cpp", "sudar/narrowphase/gjk3.cpp"
MATH = ("test_math", "Predicates*:Orient*:Incircle*:Insphere*:*Exact*")
NARROW = ("test_narrowphase", "Sat3*:Gjk3*:ConvexDistance3*:ConvexExact*:Decision*:Vclip3*")

# Name, file, what is there, what comes in its place, the test program and its filter
FAULTS = [
    ("orient2d: a coordinate of the wrong point", PREDICATES, "by = diff(3, 5);", "by = diff(3, 4);", MATH),
    ("exact stage: a minor with the wrong product", PREDICATES, "return ax * by - ay * bx;", "return ax * by - ay * by;", MATH),
    ("exact stage: the lift forgets z", PREDICATES, "return (x * x + y * y) + z * z;", "return (x * x + y * y) + z * x;", MATH),
    ("integers: what does not fit the grid is taken", PREDICATES, "whole &= static_cast<double>(integer[i]) * unit == x[i];",
     "whole &= static_cast<double>(integer[i]) * unit <= x[i];", MATH),
    ("integers: two bits too many", PREDICATES, "constexpr int kBits = 60;", "constexpr int kBits = 62;", MATH),
    ("SAT: arcs of the Gauss map that do not cross", SAT, "if (!(c * d < 0)) continue;", "if (!(c * d > 0)) continue;", NARROW),
    ("SAT: the axis of two edges points into A", SAT, "if (dot(n, n0 + n1) < 0) n = -n;", "if (dot(n, n0 + n1) > 0) n = -n;", NARROW),
    ("SAT: the better pair of edges is skipped", SAT, "if (quick <= search.best.separation + search.preference) {",
     "if (quick >= search.best.separation + search.preference) {", NARROW),
    ("SAT: edges of B that are no edges of the hull", SAT, "if (!(e * f < 0 && c * f < 0)) continue;", "if (!(c * f < 0)) continue;",
     NARROW),
    ("GJK: apart though rounding may hide a touch", GJK, "    // The plane across v through w bounds the distance from below\n    if (vw > slack) {",
     "    // The plane across v through w bounds the distance from below\n    if (vw > -1e6 * slack) {", NARROW),
    ("GJK: stops far from the nearest point", GJK, "if (vv - vw <= gap) break;", "if (vv - vw <= 0.1 * vv) break;", NARROW),
    ("GJK: the cache forgets the vertices of B", GJK, "cache.b[i] = result.simplex[i].ib;", "cache.b[i] = result.simplex[i].ia;", NARROW),
    ("GJK: the bound is that of the longest axis", GJK, "if (ahead * ahead * lead_vv > lead * lead * axis_vv) {",
     "if (ahead * ahead * lead_vv < lead * lead * axis_vv || lead == 0) {", NARROW),
    ("GJK: a hit is called apart", GJK, "      keep(g, r, count);\n      vv = 0;\n      finish(GjkOutcome::hit);",
     "      keep(g, r, count);\n      vv = 0;\n      finish(GjkOutcome::apart);", NARROW),
]


def survives(build: pathlib.Path, fault) -> str:
    """Empty when a test fails, and otherwise what happened."""
    name, file, old, new, (program, tests) = fault
    path = ROOT / file
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        return f"the place is there {text.count(old)} times"
    try:
        path.write_text(text.replace(old, new), encoding="utf-8")
        built = subprocess.run(["ninja", "-C", str(build), program], capture_output=True, text=True)
        if built.returncode != 0:
            return "it does not compile: " + built.stdout[-500:]
        room = program.removeprefix("test_")
        try:
            run = subprocess.run([str(build / "tests" / room / program), f"--gtest_filter={tests}", "--gtest_brief=1"],
                                 capture_output=True, text=True, timeout=600)
        except subprocess.TimeoutExpired:
            return ""
        return "" if run.returncode != 0 else "all tests pass"
    finally:
        path.write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/dev")
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    faults = [f for f in FAULTS if arguments.only in f[0]]
    if arguments.list:
        print("\n".join(f"{f[1]}: {f[0]}" for f in faults))
        return 0
    left = 0
    for fault in faults:
        why = survives(ROOT / arguments.build, fault)
        left += bool(why)
        print(("SURVIVED  " if why else "caught    ") + fault[0] + (f": {why}" if why else ""), flush=True)
    print(f"{len(faults) - left} of {len(faults)} faults are caught")
    # What the tree holds is what was built before
    for program in {fault[4][0] for fault in faults}:
        subprocess.run(["ninja", "-C", str(ROOT / arguments.build), program], capture_output=True)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
