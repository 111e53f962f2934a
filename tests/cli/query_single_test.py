"""The hard cases of `sudar query` (data/hard_cases.jsonl, data/hard_rays.jsonl) in single precision: numbers in and out are
rounded to float. Standard library only.

Each line is one of these, and every one is counted:
  exact    all its numbers are floats: the answer is the expected one, up to the rounding of what is written
  near     rounding the input moves both bodies by less than they are apart or overlap: the decision is the expected one, and the
           separation is off by no more than they were moved
  decided  rounding the input may decide (it moves the bodies by more), or no bound is known for it (moving, rays, half-spaces)
  refused  a number is beyond the range of float, or what was small is nothing: a typed error
Whatever the line, the answer is that of double precision to the rounded numbers, rounded; bounds outward; decisions agree.

usage: query_single_test.py PATH_OF_SUDAR
"""

import json
import math
import os
import struct
import subprocess
import sys
import unittest

import hard_case_ids

SUDAR = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "sudar"
WHOLE = len(sys.argv) == 1
LEDGER = hard_case_ids.Ledger(__file__, "f32")
U = 2.0**-24       # of a number, at most, by rounding it to float
TINY = 2.0**-150   # and this, where floats end
NORMAL = 2.0**-24  # of a unit vector, by rounding its three numbers: sqrt(3) / 2^25
TALLY = {}


def tearDownModule():
    if WHOLE:
        LEDGER.check()


def query(lines, precision):
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run([SUDAR, "query", "-", "--precision", precision], input=text, capture_output=True, text=True, timeout=120)
    return [json.loads(line) for line in done.stdout.splitlines()]


def to_float(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def rounded(value):
    """The same with every number rounded to float; OverflowError where there is none"""
    if isinstance(value, dict):
        return {key: rounded(x) for key, x in value.items()}
    if isinstance(value, list):
        return [rounded(x) for x in value]
    return to_float(value) if isinstance(value, float) else value


def whole_as_float(value):
    if isinstance(value, dict):
        return {key: x if key in ("triangles", "id", "dim") else whole_as_float(x) for key, x in value.items()}
    if isinstance(value, list):
        return [whole_as_float(x) for x in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def cases(name):
    with open(os.path.join(hard_case_ids.ROOT, "data", name), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def line_of(case, op):
    return whole_as_float({k: v for k, v in case.items() if k not in ("expect", "why", "source")}) | {"op": op}


def norm(v):
    return math.sqrt(sum(x * x for x in v))


def reach(shape):
    """No point of the shape is farther from its origin; None: no bound"""
    kind = shape["type"]
    if kind in ("sphere", "circle"):
        return shape["radius"]
    if kind == "box":
        return norm(shape["half"])
    if kind in ("cylinder", "cone"):
        return math.hypot(shape["half_height"], shape["radius"])
    if kind == "ellipsoid":
        return max(shape["radii"])
    if kind in ("point", "segment", "capsule"):
        return max(norm(shape[key]) for key in ("p", "q") if key in shape) + shape.get("radius", 0)
    if kind in ("hull", "triangle", "polygon"):
        return max(map(norm, shape["points"])) + shape.get("radius", 0)
    return None


def moved(body):
    """What rounding the numbers of a body moves any point of it by, at most: its sizes by U of themselves, its position by U of
    itself, its rotation by twice the error of the quaternion, or by that of the angle. None: no bound."""
    size, pose = reach(body["shape"]), body.get("pose", {})
    if size is None:
        return None
    turn = U * abs(pose["angle"]) if "angle" in pose else 2 * U if "rotation" in pose else 0
    # The second-order terms, and numbers that are less than the smallest float
    return (U * size + U * norm(pose.get("position", [0])) + turn * size) * (1 + 1e-6) + 8 * TINY


def angle(u, v):
    cosine = sum(x * y for x, y in zip(u, v)) / (norm(u) * norm(v))
    return math.acos(max(-1.0, min(1.0, cosine)))


class Single(unittest.TestCase):
    def put(self, lines):
        """Answers and their classes, after what holds for every line: the answer is that of the rounded line"""
        answers, rounds, kinds = query(lines, "f32"), [], []
        self.assertEqual(len(answers), len(lines))
        for line in lines:
            try:
                rounds.append(rounded(line))
            except OverflowError:
                rounds.append(None)
        twins = iter(query([line for line in rounds if line is not None], "f64"))
        for line, near, x in zip(lines, rounds, answers):
            with self.subTest(case=line["id"], op=line["op"]):
                LEDGER.add(line["id"])
                twin = next(twins) if near is not None else {"id": line["id"], "error": {"code": "too_large"}}
                if "error" in twin:
                    self.assertEqual(x["error"]["code"], twin["error"]["code"])
                    kinds.append("refused")
                else:
                    self.same(x, twin, line["id"])
                    kinds.append("exact" if near == line else "rounded")
        self.assertEqual(len(kinds), len(lines), "a line above failed")
        return answers, kinds

    def same(self, x, twin, where):
        """Numbers rounded, bounds outward, all else equal"""
        if isinstance(twin, dict):
            self.assertEqual(list(x), list(twin), where)
            for key, value in twin.items():
                if key in ("lower", "t_lower"):
                    self.bound(value, x[key], 1, where)
                elif key in ("upper", "t_upper", "tolerance"):
                    self.bound(value, x[key], -1, where)
                else:
                    self.same(x[key], value, f"{where} {key}")
        elif isinstance(twin, list):
            self.assertEqual(len(x), len(twin), where)
            for a, b in zip(x, twin):
                self.same(a, b, where)
        elif isinstance(twin, float):
            self.assertTrue(math.isfinite(x), where)
            self.assertEqual(x, to_float(twin), where)
        else:
            self.assertEqual(x, twin, where)

    def bound(self, value, said, sign, where):
        if value is None:
            return self.assertIsNone(said, where)
        self.assertLessEqual(sign * said, sign * value, where)
        self.assertLessEqual(sign * (value - said), 2 * U * abs(value) + 2 * TINY, where)

    def unit(self, x):
        self.assertAlmostEqual(norm(x["normal"]), 1, delta=NORMAL + 1e-12)

    def count(self, what, kinds, expected):
        """How many there are of each, so that none of the classes becomes empty unseen"""
        TALLY[what] = {kind: kinds.count(kind) for kind in ("exact", "near", "decided", "refused") if kind in kinds}
        self.assertEqual(TALLY[what], expected, what)

    def test_shapes_at_rest(self):
        at_rest = [case for case in cases("hard_cases.jsonl") if "op" not in case]
        hits, kinds = self.put([line_of(case, "intersects") for case in at_rest])
        distances, _ = self.put([line_of(case, "distance") for case in at_rest])
        contacts, _ = self.put([line_of(case, "contacts") for case in at_rest])
        doubles = query([line_of(case, "distance") for case in at_rest], "f64")
        for i, (case, hit, x, contact, double) in enumerate(zip(at_rest, hits, distances, contacts, doubles)):
            expect = case["expect"]
            with self.subTest(case=case["id"]):
                if kinds[i] == "refused":
                    continue
                # Decisions agree, bounds hold, normals are unit vectors
                self.assertEqual(hit["hit"], contact["kind"] != "none")
                self.assertEqual(hit["hit"], x["separation"] <= 0)
                self.assertLessEqual(x["lower"], x["separation"])
                self.assertGreaterEqual(x["upper"], x["separation"])
                self.unit(x)
                # Where the file has a yes or no alone, how far the two are from the other comes from double, which proves it
                wanted, tolerance = expect.get("separation"), expect.get("distance_tolerance", 0)
                if wanted is None:
                    wanted, tolerance = double["separation"], double["upper"] - double["lower"]
                tolerance = max(tolerance, 4e-16 * abs(wanted))
                by = 0.0
                if kinds[i] == "rounded":
                    parts = [moved(whole_as_float(case[name])) for name in ("a", "b")]
                    by = None if None in parts else sum(parts)
                    kinds[i] = "decided" if by is None or abs(wanted) <= by + tolerance else "near"
                if by is not None:
                    allowed = tolerance + by
                    allowed += U * (abs(wanted) + allowed) + TINY
                    self.assertLessEqual(abs(x["separation"] - wanted), allowed)
                    self.assertLessEqual(x["lower"], wanted + allowed)
                    self.assertGreaterEqual(x["upper"], wanted - allowed)
                if kinds[i] != "decided" and "hit" in expect:
                    self.assertEqual(hit["hit"], expect["hit"])
                if kinds[i] == "exact" and "normals" in expect:
                    least = min(angle(n, x["normal"]) for n in expect["normals"])
                    self.assertLessEqual(least, expect.get("angle_tolerance", 1e-4) + NORMAL)
        self.count("at rest", kinds, {"exact": 24, "near": 53, "decided": 26})

    def test_moving_bodies(self):
        moving = [case for case in cases("hard_cases.jsonl") if case.get("op") == "toi"]
        answers, kinds = self.put([line_of(case, "toi") for case in moving])
        for i, (case, x) in enumerate(zip(moving, answers)):
            with self.subTest(case=case["id"]):
                if kinds[i] == "refused":
                    continue
                expect, tolerance = case["expect"], case["expect"].get("t_tolerance", 1e-6)
                if x["hit"]:
                    self.unit(x)
                    self.assertLessEqual(0, x["t_lower"])
                    self.assertLessEqual(x["t_lower"], x["t"])
                    self.assertLessEqual(x["t"], case.get("t_max", 1))
                if kinds[i] != "exact":
                    kinds[i] = "decided"
                    continue
                self.assertEqual(x["hit"], expect["hit"])
                if "t" in expect:
                    self.assertLessEqual(abs(x["t"] - expect["t"]), tolerance + U * (expect["t"] + tolerance))
                if "t_upper" in expect:
                    self.assertLessEqual(x["t"], expect["t_upper"] * (1 + U))
                if "normal" in expect:
                    self.assertLessEqual(angle(x["normal"], expect["normal"]), 1e-6 + NORMAL)
        self.count("moving", kinds, {"exact": 6, "decided": 15})

    def test_moving_vertices(self):
        moving = [case for case in cases("hard_cases.jsonl") if case.get("op", "").startswith("ccd_")]
        answers, kinds = self.put([line_of(case, case["op"]) for case in moving])
        for i, (case, x) in enumerate(zip(moving, answers)):
            with self.subTest(case=case["id"]):
                if kinds[i] == "refused":
                    continue
                if x["hit"]:
                    self.assertTrue(0 <= x["t_lower"] <= x["t"] <= 1)
                if kinds[i] != "exact":
                    kinds[i] = "decided"
                    continue
                expect = case["expect"]
                self.assertEqual(x["hit"], expect["hit"])
                if x["hit"]:
                    tolerance = expect["t_tolerance"]
                    self.assertLessEqual(abs(x["t"] - expect["t"]), tolerance + U * (expect["t"] + tolerance))
        self.count("vertices", kinds, {"exact": 22, "decided": 11})

    def test_rays(self):
        rays = cases("hard_rays.jsonl")
        answers, kinds = self.put([line_of(case, "ray") for case in rays])
        for i, (case, x) in enumerate(zip(rays, answers)):
            with self.subTest(case=case["id"]):
                if kinds[i] == "refused":
                    continue
                expect = case["expect"]
                if x["hit"]:
                    self.unit(x)
                    self.assertGreaterEqual(x["t"], 0)
                    # Against the ray, up to the rounding of both
                    size = norm(case["direction"])
                    self.assertLessEqual(sum(n * d for n, d in zip(x["normal"], case["direction"])), 3 * U * size)
                if kinds[i] != "exact":
                    kinds[i] = "decided"
                    continue
                self.assertEqual(x["hit"], expect["hit"])
                if "t" in expect:
                    allowed = expect["tolerance"] + U * (abs(expect["t"]) + expect["tolerance"])
                    self.assertLessEqual(abs(x["t"] - expect["t"]), allowed)
                for key in ("normal", "point"):
                    for value, wanted in zip(x.get(key, []), expect.get(key, [])):
                        self.assertAlmostEqual(value, wanted, delta=1e-9 + U * abs(wanted))
        self.count("rays", kinds, {"exact": 62, "decided": 5})

    @classmethod
    def tearDownClass(cls):
        for what, kinds in TALLY.items():
            print(f"{what}: " + ", ".join(f"{number} {kind}" for kind, number in kinds.items()), file=sys.stderr)


if __name__ == "__main__":
    unittest.main()
