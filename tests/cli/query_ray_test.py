"""The operations `ray` and `inside` of `sudar query`: the hard cases, the formats, bad input. Standard library only.

usage: query_ray_test.py PATH_OF_SUDAR PATH_OF_HARD_RAYS
"""

import json
import math
import os
import subprocess
import sys
import unittest

import hard_case_ids

SUDAR = os.path.abspath(sys.argv.pop(1))
CASES = os.path.abspath(sys.argv.pop(1))
WHOLE = len(sys.argv) == 1  # no single tests were asked for
LEDGER = hard_case_ids.Ledger(__file__, "f64")


def tearDownModule():
    if WHOLE:
        LEDGER.check()


def query(lines, *arguments):
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run([SUDAR, "query", "-", *arguments], input=text, capture_output=True, text=True, timeout=120)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def ray(shape, origin, direction, **more):
    return {"op": "ray", "dim": len(origin), "a": {"shape": shape}, "origin": origin, "direction": direction, **more}


SPHERE = {"type": "sphere", "radius": 1}
TRIANGLE = {"type": "mesh", "vertices": [[0, 0, 0], [4, 0, 0], [0, 4, 0]], "triangles": [[0, 1, 2]], "solid": False}


class HardCases(unittest.TestCase):
    """The answers are exact or analytic (data/hard_rays.jsonl says where each case comes from)."""

    def test_rays(self):
        with open(CASES, encoding="utf-8") as file:
            cases = [json.loads(line) for line in file]
        self.assertGreater(len(cases), 60)
        code, answers = query([{"op": "ray", **case} for case in cases])
        self.assertEqual(code, 0)
        for case, x in zip(cases, answers):
            LEDGER.add(case["id"])
            with self.subTest(case=case["id"]):
                expect = case["expect"]
                self.assertEqual(x["hit"], expect["hit"])
                if "t" in expect:
                    self.assertLessEqual(abs(x["t"] - expect["t"]), expect["tolerance"])
                for key in ("normal", "point"):
                    for value, wanted in zip(x.get(key, []), expect.get(key, [])):
                        self.assertAlmostEqual(value, wanted, delta=1e-9)
                if x["hit"]:
                    self.assertAlmostEqual(math.hypot(*x["normal"]), 1, delta=1e-12)
                    self.assertLessEqual(sum(n * d for n, d in zip(x["normal"], case["direction"])), 0)


    def test_crossings_through_corners_are_even(self):
        # RY-22: along the same lines a point is outside before and behind the cube, and not between
        with open(CASES, encoding="utf-8") as file:
            rays = [case for case in map(json.loads, file) if case["id"].startswith("RY-22.") and case["id"].endswith("s")]
        self.assertEqual(len(rays), 25)
        lines = [{"op": "inside", "dim": 3, "a": case["a"], "point": [x, *case["origin"][1:]]}
                 for case in rays for x in (5, 1 + 1e-15, 1, 0, -1, -1 - 1e-15, -5)]
        code, answers = query(lines)
        self.assertEqual(code, 0)
        self.assertEqual([x["inside"] for x in answers], [False, False, True, True, True, False, False] * 25)


class Formats(unittest.TestCase):
    def test_members(self):
        code, (hit, miss, mesh, inside, late) = query([
            ray(SPHERE, [3, 0, 0], [-2, 0, 0]), ray(SPHERE, [3, 0, 0], [0, 1, 0]),
            ray(TRIANGLE, [1, 2, 5], [0, 0, -1]), ray(SPHERE, [0.5, 0, 0], [1, 0, 0]),
            ray(SPHERE, [3, 0, 0], [-1, 0, 0], max=1.5)])
        self.assertEqual(code, 0)
        self.assertEqual(hit, {"hit": True, "t": 1, "point": [1, 0, 0], "normal": [1, 0, 0]})
        self.assertEqual((miss, late), ({"hit": False}, {"hit": False}))
        self.assertEqual(mesh, {"hit": True, "t": 5, "point": [1, 2, 0], "normal": [0, 0, 1], "u": 0.25, "v": 0.5,
                                "triangle": 0})
        self.assertEqual((inside["hit"], inside["t"], inside["inside"]), (True, 0, True))

    def test_in_the_plane(self):
        code, answers = query([
            ray({"type": "box", "half": [1, 2]}, [-3, 0], [1, 0]),
            ray({"type": "polygon", "points": [[0, 0], [4, 0], [4, 4], [2, 1], [0, 4]]}, [2, 5], [0, -1]),
            ray({"type": "circle", "radius": 1}, [0, -3], [0, 3])])
        self.assertEqual(code, 0)
        self.assertEqual([x["t"] for x in answers], [2, 4, 2 / 3])
        self.assertEqual([x["normal"] for x in answers][::2], [[-1, 0], [0, -1]])

    def test_poses_turn_and_move_the_shape(self):
        half = math.sqrt(0.5)
        line = ray({"type": "cylinder", "half_height": 2, "radius": 1}, [-5, 3, 0], [1, 0, 0])
        line["a"]["pose"] = {"position": [0, 3, 0], "rotation": [half, 0, half, 0]}
        (x,) = query([line])[1]
        self.assertAlmostEqual(x["t"], 3, delta=1e-12)
        self.assertAlmostEqual(x["normal"][0], -1, delta=1e-12)

    def test_inside(self):
        cube = {"type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
                "triangles": [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], "solid": True}
        lines = [{"op": "inside", "dim": 3, "a": {"shape": shape}, "point": point} for shape, point in (
            (cube, [0.125, 0.25, 0.25]), (cube, [0, 0.25, 0.25]), (cube, [-1, 0.25, 0.25]),
            (SPHERE, [0, 0, 0.5]), (TRIANGLE, [1, 1, 2]))]
        code, answers = query(lines)
        self.assertEqual(code, 0)
        self.assertEqual([x["inside"] for x in answers], [True, True, False, True, False])
        for x, wanted in zip(answers, (-0.125, 0, 1, -0.5, 2)):
            self.assertAlmostEqual(x["distance"], wanted, delta=1e-12)

    def test_what_has_no_answer_is_a_typed_error(self):
        open_solid = {**TRIANGLE, "solid": True}
        lines = [(ray(SPHERE, [3, 0, 0], [0, 0, 0]), "degenerate"),
                 (ray(SPHERE, [3, 0, 0], [1, 0, 0], max=-1), "invalid_argument"),
                 (ray(SPHERE, [1e300, 0, 0], [1, 0, 0]), "too_large"),
                 ({"op": "inside", "a": {"shape": open_solid}, "point": [0, 0, 0]}, "not_closed"),
                 ({"op": "ray", "a": {"shape": SPHERE}, "origin": [0, 0, 0]}, "bad_format")]
        code, answers = query([line for line, _ in lines])
        self.assertEqual(code, 2)
        self.assertEqual([x["error"]["code"] for x in answers], [wanted for _, wanted in lines])


if __name__ == "__main__":
    unittest.main()
