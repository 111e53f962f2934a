#!/usr/bin/env python3
"""Seeded faults in the predicates, SAT and GJK: each must be caught by a test.

Usage: tools/mutate.py [--build build/dev] [--only TEXT] [--list] [--random COUNT [--seed N] [--seconds S]]
Every fault is put into the source, the tests of its room are built and run, and the source is put back. Exit code 1 when one
survives. Run it on a clean tree.
--random takes COUNT faults by chance instead of the list: one operator, sign or constant of one line is another. Some of them
change no answer (a filter that sends more to exact arithmetic, a tie that may be broken either way): what survives is to be
looked at. EQUIVALENT names what was looked at.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import time

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

# Lines of these files are changed by chance. What is cheap may be wrong: filters, warm starts, traces and reserves do not decide
CHANCE = [(PREDICATES, MATH), (SAT, NARROW), (GJK, NARROW), ("sudar/narrowphase/simplex3.hpp", NARROW)]
SWAPS = [(" < ", " > "), (" > ", " < "), (" <= ", " > "), (" >= ", " < "), (" == ", " != "), (" != ", " == "), (" && ", " || "),
         (" || ", " && "), (" + ", " - "), (" - ", " + "), (" * ", " + "), (" / ", " * "), ("true", "false"), ("false", "true"),
         (".x", ".y"), (".y", ".z"), (".z", ".x"), ("[0]", "[1]"), ("[1]", "[0]"), ("[2]", "[1]"), ("std::max(", "std::min("),
         ("std::min(", "std::max("), ("(-", "("), ("!(", "("), ("continue;", "break;"), ("return false;", "return true;")]
DOES_NOT_COUNT = re.compile(r"^\s*(//|#|static_assert|SUDAR_ASSERT|template|using|extern|inline constexpr|constexpr)|trace|report|Trace")
# (file, text of the line, what was put in its place, why no test can tell)
EQUIVALENT = []


def chance_faults(count: int, seed: int):
    places = []
    for file, tests in CHANCE:
        lines = (ROOT / file).read_text(encoding="utf-8").splitlines(keepends=True)
        for number, line in enumerate(lines):
            if DOES_NOT_COUNT.search(line):
                continue
            code = line.split("//")[0]
            for old, new in SWAPS:
                for match in re.finditer(re.escape(old), code):
                    changed = line[:match.start()] + new + line[match.end():]
                    if any(file == e[0] and line.strip() == e[1] and changed.strip() == e[2] for e in EQUIVALENT):
                        continue
                    text = "".join(lines[:number] + [changed] + lines[number + 1:])
                    places.append((f"{file}:{number + 1}: {line.strip()}  ->  {changed.strip()}", file, None, text, tests))
    random.Random(seed).shuffle(places)
    return places[:count]


def survives(build: pathlib.Path, fault) -> str:
    """Empty when a test fails, and otherwise what happened."""
    name, file, old, new, (program, tests) = fault
    path = ROOT / file
    text = path.read_text(encoding="utf-8")
    if old is not None and text.count(old) != 1:
        return f"the place is there {text.count(old)} times"
    try:
        path.write_text(new if old is None else text.replace(old, new), encoding="utf-8")
        built = subprocess.run(["ninja", "-C", str(build), program], capture_output=True, text=True)
        if built.returncode != 0:
            # By chance that may be: a compiler that refuses it catches it as well
            return "it does not compile: " + built.stdout[-500:] if old is not None else ""
        room = program.removeprefix("test_")
        try:
            run = subprocess.run([str(build / "tests" / room / program), f"--gtest_filter={tests}", "--gtest_brief=1"],
                                 capture_output=True, text=True, timeout=600 if old is not None else 120)
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
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=1e9)
    arguments = parser.parse_args()
    faults = chance_faults(arguments.random, arguments.seed) if arguments.random else FAULTS
    faults = [f for f in faults if arguments.only in f[0]]
    if arguments.list:
        print("\n".join(f"{f[1]}: {f[0]}" for f in faults))
        return 0
    left, done, end = 0, 0, time.monotonic() + arguments.seconds
    for fault in faults:
        if time.monotonic() > end:
            break
        done += 1
        why = survives(ROOT / arguments.build, fault)
        left += bool(why)
        print(("SURVIVED  " if why else "caught    ") + fault[0] + (f": {why}" if why else ""), flush=True)
    print(f"{done - left} of {done} faults are caught")
    # What the tree holds is what was built before
    for program in {fault[4][0] for fault in faults}:
        subprocess.run(["ninja", "-C", str(ROOT / arguments.build), program], capture_output=True)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
