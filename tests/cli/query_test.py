"""`sudar query` on the hard cases, on its formats and on bad input. Standard library only.

usage: query_test.py PATH_OF_SUDAR PATH_OF_HARD_CASES
"""

import json
import math
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
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
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    done = subprocess.run([SUDAR, "query", "-", *arguments], input=text, capture_output=True, text=True, timeout=120)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def hard_cases(op=None):
    """The cases of an operation that moves or casts, or those of shapes at rest."""
    with open(CASES, encoding="utf-8") as file:
        return [case for case in map(json.loads, file) if case.get("op") == op]


def angle(u, v):
    length = math.sqrt(sum(x * x for x in u)) * math.sqrt(sum(x * x for x in v))
    cosine = sum(x * y for x, y in zip(u, v)) / length
    return math.acos(max(-1.0, min(1.0, cosine)))


def sphere(radius, *position):
    return {"shape": {"type": "sphere", "radius": radius}, "pose": {"position": list(position)}}


def box(half, *position):
    return {"shape": {"type": "box", "half": half}, "pose": {"position": list(position or (0, 0, 0))}}


class HardCases(unittest.TestCase):
    """The answers are exact or analytic (data/hard_cases.jsonl says which and where each case comes from)."""

    def line(self, case, op, swap=False):
        a, b = ("b", "a") if swap else ("a", "b")
        return {"id": case["id"], "op": op, "dim": case["dim"], "a": case[a], "b": case[b]}

    def test_intersects(self):
        cases = [case for case in hard_cases() if "hit" in case["expect"]]
        self.assertGreater(len(cases), 90)
        for swap in (False, True):
            code, answers, _ = query([self.line(case, "intersects", swap) for case in cases])
            self.assertEqual(code, 0)
            for case in cases:
                LEDGER.add(case["id"])
            wrong = [c["id"] for c, x in zip(cases, answers) if x["hit"] != c["expect"]["hit"]]
            self.assertEqual(wrong, [])

    def test_distance(self):
        cases = [case for case in hard_cases() if "separation" in case["expect"]]
        self.assertGreater(len(cases), 80)
        for swap in (False, True):
            code, answers, _ = query([self.line(case, "distance", swap) for case in cases])
            self.assertEqual(code, 0)
            for case, x in zip(cases, answers):
                LEDGER.add(case["id"])
                with self.subTest(case=case["id"], swap=swap):
                    expect = case["expect"]
                    tolerance = max(expect.get("distance_tolerance", 0), 4e-16 * abs(expect["separation"]))
                    self.assertLessEqual(abs(x["separation"] - expect["separation"]), tolerance)
                    self.assertLessEqual(x["lower"], expect["separation"] + tolerance)
                    self.assertGreaterEqual(x["upper"], expect["separation"] - tolerance)
                    self.assertAlmostEqual(math.hypot(*x["normal"]), 1, delta=1e-12)
                    gap = sum((q - p) * n for p, q, n in zip(x["point_a"], x["point_b"], x["normal"]))
                    size = max(1, *(abs(c) for c in x["point_a"] + x["point_b"]))
                    self.assertAlmostEqual(gap, x["separation"], delta=1e-9 * size)
                    if "normals" in expect:
                        sign = -1 if swap else 1
                        least = min(angle([sign * c for c in n], x["normal"]) for n in expect["normals"])
                        self.assertLessEqual(least, expect.get("angle_tolerance", 1e-4))

    def test_the_decision_is_the_same_in_every_answer(self):
        cases = hard_cases()
        hits = query([self.line(case, "intersects") for case in cases])[1]
        distances = query([self.line(case, "distance") for case in cases])[1]
        contacts = query([self.line(case, "contacts") for case in cases])[1]
        for case, hit, distance, contact in zip(cases, hits, distances, contacts):
            with self.subTest(case=case["id"]):
                self.assertEqual(hit["hit"], distance["separation"] <= 0)
                self.assertEqual(hit["hit"], contact["kind"] != "none")

    def test_what_the_cases_also_say_about_the_contacts(self):
        cases = [case for case in hard_cases() if "also" in case["expect"]]
        self.assertGreater(len(cases), 25)
        contacts = query([self.line(case, "contacts") for case in cases])[1]
        checked = 0
        for case, x in zip(cases, contacts):
            also, points = case["expect"]["also"], x.get("points", [])
            with self.subTest(case=case["id"], also=also):
                if "clipped_face_polygon_vertices" in also:
                    self.assertEqual(x["kind"], "polygon")
                    self.assertGreaterEqual(len(points), also["clipped_face_polygon_vertices"] or 4)
                    checked += 1
                if also.get("feature") == "edge-edge" and points:
                    self.assertEqual([(p["feature_a"]["kind"], p["feature_b"]["kind"]) for p in points], [("edge", "edge")])
                    checked += 1
                if "intersection" in also:
                    kind, _, rest = also["intersection"].partition(" ")
                    self.assertEqual(x["kind"], kind)
                    if rest:
                        self.assertEqual(len(points), int(rest.split()[1]))
                    checked += 1
                if "contact_region" in also:
                    deepest = min(p["separation"] for p in points)
                    places = [p["position"] for p in points if p["separation"] <= deepest + 1e-9]
                    self.assertAlmostEqual(max(p[1] for p in places), 0.5, delta=1e-9)
                    self.assertAlmostEqual(min(p[1] for p in places), -0.5, delta=1e-9)
                    whole = also["contact_region"].startswith("whole face")
                    self.assertEqual(len(places), 4 if whole else 2)
                    for p in places:
                        if whole:
                            self.assertEqual(p[0], 0.5)
                            self.assertEqual(abs(p[2]), 0.5)
                        else:
                            self.assertAlmostEqual(p[0], 0, delta=1e-9)
                            self.assertAlmostEqual(p[2], -math.sqrt(2) / 4, delta=1e-9)
                    checked += 1
                if also.get("coplanar") and case["expect"]["hit"]:
                    self.assertIn(x["kind"], ("point", "segment", "polygon"))
                    self.assertAlmostEqual(x["separation"], 0, delta=1e-12)
        self.assertGreaterEqual(checked, 10)


class MovingHardCases(unittest.TestCase):
    def ask(self, cases, **more):
        lines = [{k: v for k, v in case.items() if k not in ("expect", "why", "source")} | more for case in cases]
        code, answers, _ = query(lines)
        return code, answers

    def check(self, case, x, late=0.0):
        expect, tolerance = case["expect"], case["expect"].get("t_tolerance", 1e-6)
        self.assertEqual(x["hit"], expect["hit"])
        if "t" in expect:
            self.assertAlmostEqual(x["t"], expect["t"], delta=tolerance)
            self.assertLessEqual(x["t_lower"], expect["t"] + min(tolerance, 1e-5))
        if "t_upper" in expect:
            self.assertLessEqual(x["t"], expect["t_upper"])
        if "normal" in expect:
            self.assertLessEqual(angle(x["normal"], expect["normal"]), 1e-6)
        if "point" in expect:
            self.assertLessEqual(max(abs(p - q) for p, q in zip(x["point"], expect["point"])), 1e-6)

    def test_time_of_impact(self):
        cases = hard_cases("toi")
        self.assertGreater(len(cases), 20)
        code, answers = self.ask(cases)
        self.assertEqual(code, 0)
        for case, x in zip(cases, answers):
            LEDGER.add(case["id"])
            with self.subTest(case=case["id"]):
                self.check(case, x)
                self.assertEqual(x["status"], "converged")

    def test_how_near_it_comes(self):
        # 2D-04 misses, and is nearest at the end of its motion
        case, = (case for case in hard_cases("toi") if "min_distance_over_motion" in case["expect"])
        pose, motion = case["b"]["pose"], case["motion_b"]
        end = {"position": [p + v for p, v in zip(pose["position"], motion["linear"])], "angle": pose["angle"] + motion["angular"]}
        _, (x,), _ = query([{"op": "distance", "dim": 2, "a": case["a"], "b": {**case["b"], "pose": end}}])
        expect = case["expect"]
        self.assertAlmostEqual(x["separation"], expect["min_distance_over_motion"], delta=expect["distance_tolerance"])

    def test_the_other_methods(self):
        # Linear motion by separating axes; grazing contacts are beyond the methods that advance by the distance alone
        cases = [case for case in hard_cases("toi") if not any("angular" in case.get(m, {}) for m in ("motion_a", "motion_b"))]
        for case, x in zip(cases, self.ask(cases, method="moving_sat")[1]):
            if case["id"] not in ("TO-02", "TO-03"):
                with self.subTest(case=case["id"]):
                    self.check(case, x)
        cases = [case for case in hard_cases("toi") if case["id"] not in ("TO-01", "TO-02", "TO-03", "TO-27")]
        for method in ("conservative", "halving"):
            code, answers = self.ask(cases, method=method)
            self.assertEqual(code, 0)
            for case, x in zip(cases, answers):
                with self.subTest(case=case["id"], method=method):
                    self.check(case, x)

    def test_motions_that_have_no_answer(self):
        ball = {"shape": {"type": "sphere", "radius": 1}}
        bad = [{"t_max": -1}, {"motion_b": {"linear": [1e300, 0, 0]}}, {"motion_b": {"linear": [0, 0]}}, {"method": "guess"},
               {"method": "moving_sat", "motion_b": {"angular": [1, 0, 0]}}, {"motion_b": 5}]
        for more in bad:
            with self.subTest(more=more):
                code, (x,), _ = query([{"op": "toi", "dim": 3, "a": ball, "b": sphere(1, 9, 0, 0)} | more])
                self.assertEqual(code, 2)
                self.assertTrue(x["error"]["code"])
        code, (x,), _ = query([{"op": "toi", "dim": 3, "a": ball, "b": sphere(1, 9, 0, 0)}])
        self.assertEqual((code, x["hit"]), (0, False))


class MovingVertices(unittest.TestCase):
    """Vertex–face, edge–edge and point–edge with linear motion."""

    def cases(self):
        return hard_cases("ccd_vertex_face") + hard_cases("ccd_edge_edge") + hard_cases("ccd_point_edge")

    def test_hits_and_times(self):
        cases = self.cases()
        self.assertGreater(len(cases), 30)
        # Neither the order of the corners nor a power of two changes the answer
        turn = {"ccd_vertex_face": [0, 2, 3, 1], "ccd_edge_edge": [3, 2, 0, 1], "ccd_point_edge": [0, 2, 1]}
        for power in (0, -20, 20):
            for turned in (False, True):
                lines = []
                for case in cases:
                    order = turn[case["op"]] if turned else sorted(turn[case["op"]])
                    points = {key: [[math.ldexp(x, power) for x in case[key][i]] for i in order] for key in ("t0", "t1")}
                    lines.append({"id": case["id"], "op": case["op"], "dim": case["dim"], **points})
                code, answers, _ = query(lines)
                self.assertEqual(code, 0)
                for case, x in zip(cases, answers):
                    LEDGER.add(case["id"])
                    with self.subTest(case=case["id"], power=power, turned=turned):
                        expect = case["expect"]
                        self.assertEqual(x["hit"], expect["hit"])
                        if x["hit"]:
                            self.assertAlmostEqual(x["t"], expect["t"], delta=expect["t_tolerance"])
                            self.assertAlmostEqual(x["t_lower"], expect["t"], delta=expect["t_tolerance"])
                            self.assertLessEqual(x["t_lower"], x["t"])
                        self.assertEqual(list(x), ["id", "hit", "t", "t_lower"])

    def test_a_minimum_separation(self):
        case = next(case for case in self.cases() if "min_distance" in case["expect"])
        for separation, hit in ((0, False), (4.3e-7, False), (4.5e-7, True)):
            _, (x,), _ = query([{"op": case["op"], "t0": case["t0"], "t1": case["t1"], "min_separation": separation}])
            self.assertEqual(x["hit"], hit, separation)

    def test_single_precision(self):
        case = {"op": "ccd_vertex_face", "t0": [[0.25, 0.25, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]],
                "t1": [[0.25, 0.25, -2], [0, 0, 0], [1, 0, 0], [0, 1, 0]]}
        _, (x,), _ = query([case], "--precision", "f32")
        self.assertLessEqual(x["t_lower"], 1 / 3)
        self.assertAlmostEqual(x["t"], 1 / 3, delta=1e-7)

    def test_bad_input_is_an_error(self):
        good = [[0, 0, 0]] * 4
        for line in ({"t0": good}, {"t0": good, "t1": good[:3]}, {"t0": good, "t1": [[0, 0]] * 4},
                     {"t0": good, "t1": good, "min_separation": -1}, {"t0": good, "t1": [["x", 0, 0]] * 4}):
            for op in ("ccd_vertex_face", "ccd_edge_edge"):
                code, (x,), _ = query([{"id": 1, "op": op, **line}])
                self.assertEqual((code, x["id"]), (2, 1))
                self.assertTrue(x["error"]["code"] and x["error"]["message"])


class MeshFiles(unittest.TestCase):
    VERTICES = [[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]
    FACES = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    TRIANGLES = [t for f in FACES for t in ([f[0], f[1], f[2]], [f[0], f[2], f[3]])]

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        vertices = "".join("v %r %r %r\n" % tuple(v) for v in self.VERTICES)
        obj = "".join("o part%d\nf %s\n" % (i, " ".join(str(c + 1) for c in f)) for i, f in enumerate(self.FACES))
        self.write("cube.obj", (vertices + obj).encode())
        self.write("bad.obj", (vertices + "f 1 2 9\n").encode())
        corners = [struct.pack("<12fH", 0, 0, 0, *self.VERTICES[a], *self.VERTICES[b], *self.VERTICES[c], 0)
                   for a, b, c in self.TRIANGLES]
        self.write("cube.stl", bytes(80) + struct.pack("<I", 12) + b"".join(corners))
        self.write("open.stl", bytes(80) + struct.pack("<I", 11) + b"".join(corners[:11]))
        self.write("cut.stl", bytes(80) + struct.pack("<I", 12) + b"".join(corners[:11]))

    def write(self, name, data):
        with open(os.path.join(self.folder.name, name), "wb") as file:
            file.write(data)

    def ask(self, lines, *arguments):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        done = subprocess.run([SUDAR, "query", "-", *arguments], input=text, capture_output=True, text=True, timeout=120,
                              cwd=self.folder.name)
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]

    def test_a_file_is_the_mesh_written_out(self):
        inline = {"type": "mesh", "vertices": self.VERTICES, "triangles": self.TRIANGLES}
        shapes = [inline, {"type": "mesh", "file": "cube.obj"}, {"type": "mesh", "file": "cube.stl"},
                  {"type": "mesh", "file": os.path.join(self.folder.name, "cube.obj")}]
        for solid in (False, True):
            for x in (0.25, 1.5, 3.0):
                lines = [{"op": "distance", "a": {"shape": shape | {"solid": solid}}, "b": sphere(0.5, x, 0, 0)} for shape in shapes]
                code, answers = self.ask(lines)
                self.assertEqual(code, 0)
                for answer in answers:
                    self.assertAlmostEqual(answer["separation"], answers[0]["separation"], delta=1e-12)
            lines = [{"op": "inside", "a": {"shape": {"type": "mesh", "file": f, "solid": True}}, "point": [0.5, 0, 0]}
                     for f in ("cube.obj", "cube.stl")]
            self.assertEqual([x["inside"] for x in self.ask(lines)[1]], [True, True])
            self.assertEqual([x["inside"] for x in self.ask(lines, "--precision", "f32")[1]], [True, True])

    def test_a_watertight_file_is_a_body(self):
        lines = [{"op": "inside", "a": {"shape": {"type": "mesh", "file": f, **more}}, "point": [0.5, 0, 0]}
                 for f, more in (("cube.stl", {}), ("cube.stl", {"solid": False}), ("open.stl", {}))]
        self.assertEqual([x["inside"] for x in self.ask(lines)[1]], [True, False, False])

    def test_a_bad_file_is_one_clear_line(self):
        for name, code, place, solid in (("missing.stl", "io_failure", "", False), (".", "io_failure", "directory", False),
                                         ("bad.obj", "index_out_of_range", "line 9", False), ("cut.stl", "bad_format", "byte 634", False),
                                         ("open.stl", "not_closed", "", True), ("cube.step", "io_failure", "", False)):
            with self.subTest(name=name):
                lines = [{"id": 1, "op": "intersects", "a": {"shape": {"type": "mesh", "file": name, "solid": solid}},
                          "b": sphere(1, 0, 0, 0)}] * 2
                status, answers = self.ask(lines)
                self.assertEqual(status, 2)
                for x in answers:
                    self.assertEqual((x["id"], x["error"]["code"]), (1, code))
                    self.assertIn(name, x["error"]["message"])
                    self.assertIn(place, x["error"]["message"])
        status, (x,) = self.ask([{"op": "intersects", "a": {"shape": {"type": "mesh", "file": 7}}, "b": sphere(1, 0, 0, 0)}])
        self.assertEqual((status, x["error"]["code"]), (2, "bad_format"))

    def test_a_file_is_read_once(self):
        # It goes away after the first answer, and the others come all the same
        line = json.dumps({"op": "intersects", "a": {"shape": {"type": "mesh", "file": "cube.obj", "solid": True}},
                           "b": {"shape": {"type": "mesh", "file": "cube.stl"}}}) + "\n"
        with subprocess.Popen([SUDAR, "query", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                              cwd=self.folder.name) as process:
            process.stdin.write(line)
            process.stdin.flush()
            first = json.loads(process.stdout.readline())
            for name in ("cube.obj", "cube.stl"):
                os.remove(os.path.join(self.folder.name, name))
            rest, _ = process.communicate(line * 500, timeout=120)
        self.assertEqual(first, {"hit": True})
        self.assertEqual([json.loads(text) for text in rest.splitlines()], [first] * 500)


class Formats(unittest.TestCase):
    def test_answers_have_the_documented_members(self):
        code, (x,), _ = query([{"id": "k", "op": "distance", "dim": 3, "a": sphere(1, 0, 0, 0), "b": sphere(1, 3, 0, 0)}])
        self.assertEqual(code, 0)
        self.assertEqual(list(x)[:7], ["id", "separation", "point_a", "point_b", "normal", "status", "iterations"])
        self.assertEqual((x["separation"], x["point_a"], x["point_b"], x["normal"], x["status"]),
                         (1, [1, 0, 0], [2, 0, 0], [1, 0, 0], "converged"))
        code, (x,), _ = query([{"id": 2, "op": "contacts", "dim": 3, "a": box([1, 1, 1]), "b": box([1, 1, 1], 0, 0, 2)}])
        self.assertEqual((code, x["kind"], x["normal"], x["separation"], len(x["points"])), (0, "polygon", [0, 0, 1], 0, 4))
        for point in x["points"]:
            self.assertEqual(sorted(point), ["feature_a", "feature_b", "position", "separation"])
            self.assertIn(point["feature_a"]["kind"], ("vertex", "edge", "face"))
        code, (x,), _ = query([{"op": "inside", "dim": 3, "a": box([1, 2, 3]), "point": [0.5, 0, 0]}])
        self.assertEqual((code, x), (0, {"inside": True, "distance": -0.5}))

    def test_order_and_ids_are_kept(self):
        lines = [{"id": i, "op": "intersects", "a": sphere(1, 0, 0, 0), "b": sphere(1, i / 10, 0, 0)} for i in range(50)]
        code, answers, _ = query(lines)
        self.assertEqual(code, 0)
        self.assertEqual([x["id"] for x in answers], list(range(50)))
        self.assertEqual([x["hit"] for x in answers], [i <= 20 for i in range(50)])

    def test_single_precision_rounds_what_comes_in(self):
        line = {"op": "distance", "a": sphere(0.1, 0, 0, 0), "b": sphere(0.1, 1, 0, 0)}
        double, single = query([line])[1][0]["separation"], query([line], "--precision", "f32")[1][0]["separation"]
        self.assertAlmostEqual(double, 0.8, delta=1e-15)
        self.assertNotEqual(double, single)
        self.assertAlmostEqual(single, 0.8, delta=1e-7)

    def test_the_trace_shows_the_steps(self):
        line = {"op": "distance", "a": box([1, 1, 1]), "b": {"shape": {"type": "hull", "points": [
            [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}, "pose": {"position": [2, 1, 0.5]}}}
        self.assertGreater(len(query([line], "--trace")[1][0]["trace"]), 1)
        self.assertNotIn("trace", query([line])[1][0])

    def test_a_line_without_an_answer_is_an_error_and_the_rest_goes_on(self):
        good = {"id": "good", "op": "intersects", "a": sphere(1, 0, 0, 0), "b": sphere(1, 1, 0, 0)}
        bad = [
            "{not json",
            "[1, 2]",
            {"id": 1, "op": "fly", "a": sphere(1, 0, 0, 0), "b": sphere(1, 0, 0, 0)},
            {"id": 2, "op": "distance", "a": sphere(-1, 0, 0, 0), "b": sphere(1, 0, 0, 0)},
            {"id": 3, "op": "distance", "a": sphere(1, 0, 0), "b": sphere(1, 0, 0, 0)},
            {"id": 4, "op": "distance", "a": {"shape": {"type": "blob"}}, "b": sphere(1, 0, 0, 0)},
            {"id": 5, "op": "distance", "dim": 4, "a": sphere(1, 0, 0, 0), "b": sphere(1, 0, 0, 0)},
            {"id": 6, "op": "distance", "a": {"shape": {"type": "mesh", "vertices": [[0, 0, 0]], "triangles": [[0, 1, -2]]}},
             "b": sphere(1, 0, 0, 0)},
            '{"id": 7, "op": "distance", "a": {"shape": {"type": "sphere", "radius": 1e999}}, "b": {}}',
            {"id": 8, "op": "contacts", "margin": -1, "a": sphere(1, 0, 0, 0), "b": sphere(1, 0, 0, 0)},
            {"id": 9, "op": "intersects", "a": {"shape": {"type": "sphere", "radius": 1}, "pose": {"rotation": [0, 0, 0, 0]}},
             "b": sphere(1, 0, 0, 0)},
            {"id": 10, "op": "intersects", "a": sphere(1, 0, 0, 0)},
            # The end of the text, for some parsers
            json.dumps(good) + "\0 and more",
        ]
        for line in bad:
            with self.subTest(line=line):
                code, answers, _ = query([good, line, good])
                self.assertEqual(code, 2)
                self.assertEqual([x.get("hit") for x in answers], [True, None, True])
                self.assertEqual(answers[1]["error"]["line"], 2)
                self.assertTrue(answers[1]["error"]["code"] and answers[1]["error"]["message"])
                if isinstance(line, dict):
                    self.assertEqual(answers[1]["id"], line["id"])

    def test_a_number_that_is_none_is_refused_with_its_id(self):
        for value in (math.nan, math.inf, -math.inf):
            line = {"id": {"a": 1}, "op": "distance", "a": sphere(1, 0, 0, 0), "b": sphere(value, 3, 0, 0)}
            for known in ("seven", 7, None):
                code, (x,), _ = query([{**line, "id": known}])
                self.assertEqual((code, x["id"], x["error"]["code"]), (2, known, "non_finite"))
                self.assertEqual(list(x), ["id", "error"])
        self.assertEqual(query(['{"id": 3, "op": "distance", "a": 1e999}'])[1][0]["id"], 3)

    def test_an_inline_mesh_has_no_file(self):
        shape = {"type": "mesh", "file": "x.stl", "vertices": [[0, 0, 0]], "triangles": [[0, 0, 0]]}
        code, (x,), _ = query([{"op": "intersects", "a": {"shape": shape}, "b": sphere(1, 0, 0, 0)}])
        self.assertEqual((code, x["error"]["code"]), (2, "bad_format"))

    def test_a_block_of_lines_is_answered_as_one_after_another(self):
        lines = [{"id": i, "op": "distance", "a": sphere(1, 0, 0, 0), "b": sphere(1, i / 500, 0, 0)} for i in range(3000)]
        text = "".join(json.dumps(line) + "\n" + ("\n" if i % 7 == 0 else "") for i, line in enumerate(lines)) + "{\n"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cases.jsonl")
            with open(path, "w") as file:
                file.write(text)
            whole = subprocess.run([SUDAR, "query", path], capture_output=True, text=True, timeout=120)
        plain = subprocess.run([SUDAR, "query", "-"], input=text, capture_output=True, text=True, timeout=120)
        self.assertEqual((whole.returncode, plain.returncode), (2, 2))
        self.assertEqual(whole.stdout, plain.stdout)
        self.assertEqual([json.loads(line)["id"] for line in whole.stdout.splitlines()], [*range(3000), None])
        self.assertEqual(json.loads(whole.stdout.splitlines()[-1])["error"]["line"], text.count("\n"))

    def test_a_signal_ends_the_wait_for_a_line(self):
        for pause in (0, 0.3):
            self.interrupted_after(pause)

    def interrupted_after(self, pause):
        with subprocess.Popen([SUDAR, "query", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            process.stdin.write(json.dumps({"id": 1, "op": "inside", "a": sphere(1, 0, 0, 0), "point": [0, 0, 2]}) + "\n")
            process.stdin.flush()
            self.assertEqual(json.loads(process.stdout.readline())["id"], 1)
            # At once, and when it waits
            time.sleep(pause)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=60), 3)

    def test_files_that_cannot_be_read_or_written_are_refused(self):
        done = subprocess.run([SUDAR, "query", "/nonexistent/x.jsonl"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))
        done = subprocess.run([SUDAR, "query", "/"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))
        self.assertIn("directory", done.stderr)
        done = subprocess.run([SUDAR, "query", CASES, "--out", "/nonexistent/y"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))


if __name__ == "__main__":
    unittest.main()
