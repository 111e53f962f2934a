"""Runs `sudar check` on robots whose places are known in closed form. Standard library only.

usage: robot_test.py PATH_OF_SUDAR
"""

import csv
import io
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest

SUDAR = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "sudar"
HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "..", "data", "robot")
DOCS = os.path.join(HERE, "..", "..", "docs", "robots.md")


def ball(name, radius=0.1, at="0 0 0"):
    return ('<link name="%s"><collision><origin xyz="%s"/><geometry><sphere radius="%r"/></geometry></collision></link>'
            % (name, at, radius))


def joint(name, kind, parent, child, at="0 0 0", axis="0 0 1", more=""):
    return ('<joint name="%s" type="%s"><parent link="%s"/><child link="%s"/><origin xyz="%s"/><axis xyz="%s"/>%s</joint>'
            % (name, kind, parent, child, at, axis, more))


# Three balls: two arms of one metre that turn about z, one after another
PLANAR = ('<robot name="planar">' + ball("root") + ball("first", at="1 0 0") + ball("second", at="1 0 0") +
          joint("j1", "continuous", "root", "first") + joint("j2", "revolute", "first", "second", "1 0 0") + "</robot>")


class Robot(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def put(self, name, text):
        with open(os.path.join(self.folder.name, name), "w") as file:
            file.write(text)
        return name

    def run_check(self, *arguments, cwd=None):
        done = subprocess.run([SUDAR, "check", *arguments], capture_output=True, text=True, timeout=120,
                              cwd=cwd or self.folder.name)
        return done.returncode, done.stdout, done.stderr

    def json(self, *arguments, code=None, cwd=None):
        got, out, err = self.run_check(*arguments, "--format", "json", cwd=cwd)
        result = json.loads(out)
        self.assertEqual(got, code if code is not None else (1 if result["clashes"] else 0), err)
        self.assertEqual(result["schema"], "sudar/check-1")
        return result

    def test_places_follow_the_joints(self):
        self.put("r.urdf", PLANAR)
        angles = [(0.0, 0.0), (0.3, 1.0), (-2.0, 2.5), (1.0, math.pi), (0.5, 3.0), (0.0, -3.1)]
        self.put("s.csv", "j1,j2\n" + "".join("%r,%r\n" % a for a in angles))
        result = self.json("r.urdf", "--joints", "s.csv", "--threads", "1")
        self.assertEqual(self.json("r.urdf", "--joints", "s.csv", "--threads", "3")["states"], result["states"])
        # The only pair that no joint joins: root and second, at a distance of |1 + exp(i j2)|
        for (_, j2), state in zip(angles, result["states"]):
            expected = abs(complex(1 + math.cos(j2), math.sin(j2))) - 0.2
            self.assertEqual((state["nearest"]["a"], state["nearest"]["b"]), ("root", "second"))
            self.assertAlmostEqual(state["nearest"]["distance"], expected, 6)
            self.assertEqual(state["clashes"], int(expected < 0))
        self.assertEqual({c["state"] for c in result["clashes"]}, {3, 4, 5})
        self.assertEqual([s["reason"] for s in result["skipped"]], ["adjacent: joined by j1", "adjacent: joined by j2"])
        self.assertEqual(len({c["id"] for c in result["clashes"]}), 3)
        near = self.json("r.urdf", "--joints", "s.csv", "--clearance", "900mm")
        self.assertEqual([(c["state"], c["type"]) for c in near["clashes"] if c["type"] == "clearance"], [(2, "clearance")])

    def test_prismatic_fixed_mimic_and_links_without_geometry(self):
        text = ('<robot name="slider">' + ball("a") + '<link name="frame"/>' + ball("b") + ball("c") + ball("d") +
                joint("slide", "prismatic", "a", "frame", "1 0 0", "1 0 0") + joint("mount", "fixed", "frame", "b") +
                joint("follow", "prismatic", "a", "c", "0 1 0", "0 1 0", '<mimic joint="slide" multiplier="2" offset="0.5"/>') +
                joint("weld", "fixed", "b", "d", "0 0 1") + "</robot>")
        self.put("r.urdf", text)
        # With the mark that editors put in front
        self.put("s.csv", "\ufeffname,slide\nhome,0\nout,0.25\n")
        result = self.json("r.urdf", "--joints", "s.csv")
        self.assertEqual([s["name"] for s in result["states"]], ["home", "out"])
        reasons = {(s["a"], s["b"]): s["reason"] for s in result["skipped"]}
        self.assertIn("through frame", reasons[("a", "b")])
        self.assertIn("weld", reasons[("b", "d")])
        # c is at (0, 1 + 2 slide + 0.5, 0), b at (1 + slide, 0, 0), d a metre above b; a and d are nearest
        self.assertAlmostEqual(result["states"][0]["nearest"]["distance"], math.sqrt(2) - 0.2, 6)
        self.assertAlmostEqual(result["states"][1]["nearest"]["distance"], math.hypot(1.25, 1) - 0.2, 6)
        one = self.json("r.urdf", "--joints", "s.csv", "--set-a", "b", "--set-b", "c")
        self.assertAlmostEqual(one["states"][1]["nearest"]["distance"], math.hypot(1.25, 2) - 0.2, 6)

    def test_the_example_of_the_docs(self):
        with open(DOCS) as file:
            command = re.search(r"^sudar check (.*)$", file.read(), re.M).group(1).split()
        result = self.json(*command, cwd=DATA)
        found = {(c["state"], c["a"], c["b"]) for c in result["clashes"]}
        self.assertTrue(result["complete"])
        self.assertEqual({s for s, _, _ in found}, {2, 3}, found)
        self.assertTrue(all("table" in b for s, _, b in found if s == 2), found)
        self.assertTrue(any(b in ("hand", "finger") for s, _, b in found if s == 3), found)
        self.assertIn({"a": "forearm", "b": "finger", "reason": "rule forearm:finger: Never"}, result["skipped"])
        code, text, _ = self.run_check(*command, cwd=DATA)
        self.assertEqual(code, 1)
        self.assertIn("adjacent: joined by lift", text)
        self.assertIn("folded on itself", text)
        code, table, _ = self.run_check(*command, "--format", "csv", cwd=DATA)
        rows = list(csv.DictReader(io.StringIO(table)))
        self.assertEqual(sum(r["type"] == "nearest" for r in rows), 4)
        self.assertEqual(len(rows) - 4, len(result["clashes"]))
        code, page, _ = self.run_check(*command, "--format", "html", cwd=DATA)
        self.assertEqual(code, 1)
        data = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.S).group(1))
        self.assertEqual(data["views"], len(result["clashes"]))

    def test_baseline_and_contacts(self):
        self.put("r.urdf", PLANAR)
        self.put("s.csv", 'name,j1,j2\n"home, open",0,0\nfolded,0,3.1\nback,0,3\n')
        first = self.json("r.urdf", "--joints", "s.csv")
        self.assertEqual([s["name"] for s in first["states"]], ["home, open", "folded", "back"])
        self.assertEqual([c["state"] for c in first["clashes"]], [1, 2])
        self.put("old.json", json.dumps(first))
        self.put("s.csv", "j1,j2\n0,3.1\n0,3.1\n0,0\n")
        compared = self.json("r.urdf", "--joints", "s.csv", "--baseline", "old.json")
        self.assertEqual([(c["state"], c["status"]) for c in compared["clashes"]],
                         [(0, "new"), (1, "persistent"), (2, "resolved")])
        self.assertEqual([c["id"] for c in compared["clashes"]][1:], [c["id"] for c in first["clashes"]])
        for form in ("text", "csv", "html"):
            code, out, _ = self.run_check("r.urdf", "--joints", "s.csv", "--baseline", "old.json", "--format", form)
            self.assertEqual((code, "resolved" in out), (1, True), form)
        # A pair that is not looked at, or a state that is not there, is not known to be gone
        self.put("s.csv", "j1,j2\n0,0\n0,0\n")
        rest = self.json("r.urdf", "--joints", "s.csv", "--baseline", "old.json")
        self.assertEqual([(c["state"], c["status"]) for c in rest["clashes"]], [(1, "resolved")])
        self.assertIn("not looked at", " ".join(rest["warnings"]))
        rest = self.json("r.urdf", "--joints", "s.csv", "--baseline", "old.json", "--ignore", "root:second")
        self.assertEqual(rest["clashes"], [])
        self.put("s.csv", "j1,j2\n0,0\n0,3.1\n")
        self.json("r.urdf", "--joints", "s.csv", "--export-contacts", "c.ply")
        with open(os.path.join(self.folder.name, "c.ply")) as file:
            ply = file.read()
        self.assertGreater(int(re.search("element edge ([0-9]+)", ply).group(1)), 10)
        self.assertEqual(self.run_check("r.urdf", "-o", "no/such/x.json")[:2], (2, ""))

    def test_units_of_the_surroundings_are_told(self):
        self.put("r.urdf", PLANAR)
        self.put("block.obj", "v 0 0 300\nv 100 0 300\nv 0 100 300\nv 0 0 400\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
        result = self.json("r.urdf", "block.obj@mm")
        self.assertEqual([x["units"] for x in result["inputs"]], ["m", "m", "m", "mm"])
        self.assertAlmostEqual(result["inputs"][3]["bounds"][1][2], 0.4)
        self.assertIn("assumed", self.run_check("r.urdf", "block.obj")[2])

    def test_what_is_wrong_is_named(self):
        self.put("good.urdf", PLANAR)
        self.put("s.csv", "j1,j2\n0,0\n")
        self.put("slides.urdf", "<robot>" + ball("a") + ball("b") + joint("slide", "prismatic", "a", "b") + "</robot>")
        bad = {
            "floating": (PLANAR.replace("continuous", "floating"), "floating"),
            "planar": (PLANAR.replace("continuous", "planar"), "planar"),
            "circle": (PLANAR.replace('<parent link="root"/>', '<parent link="second"/>'), "circle"),
            "roots": (PLANAR.replace("</robot>", ball("alone") + "</robot>"), "more than one root"),
            "nan": (PLANAR.replace('xyz="1 0 0"', 'xyz="1 nan 0"', 1), "finite"),
            "cut": (PLANAR[:200], "line 1"),
            "negative": (PLANAR.replace("0.1", "-0.1", 1), "line 1"),
            "mesh": (PLANAR.replace('<sphere radius="0.1"/>', '<mesh filename="package://none/x.stl"/>', 1), "x.stl"),
            "outside": (PLANAR.replace('<sphere radius="0.1"/>', '<mesh filename="http://x/y.stl"/>', 1), "no place"),
            "bomb": ('<!DOCTYPE r [<!ENTITY a "aaaa">]><robot name="&a;"/>', "document types"),
            "deep": ("<robot>" + "<a>" * 200000, "too deep"),
            "entity": ('<robot name="&lol;"/>', "lol"),
            "empty": ("", "no element"),
            "far": (PLANAR.replace(joint("j1", "continuous", "root", "first"),
                                   joint("j1", "continuous", "root", "first", "1e300 0 0")), "too far"),
            "far_shape": (PLANAR.replace('xyz="1 0 0"', 'xyz="1 1e300 0"', 1), "too far"),
            "crowd": ("<robot>" + "".join(ball("l%d" % i) for i in range(1001)) + "</robot>", "too many links"),
        }
        for name, (text, says) in bad.items():
            self.put(name + ".urdf", text)
            code, out, err = self.run_check(name + ".urdf")
            self.assertEqual((code, out), (2, ""), name)
            self.assertIn(says, err, name)
            self.assertEqual(len(err.splitlines()), 1, err)
        for text, says in (("j1,j3\n0,0\n", "j3"), ("j1\nnan\n", "line 2"), ("j1,j2\n1\n", "line 2"), ("j1\n", "no state"),
                           ("j1,j1\n0,0\n", "twice"), ("slide\n1\n-1e300\n", "line 3")):
            self.put("bad.csv", text)
            robot = "slides.urdf" if text.startswith("slide") else "good.urdf"
            code, out, err = self.run_check(robot, "--joints", "bad.csv")
            self.assertEqual((code, out), (2, ""), text)
            self.assertIn(says, err)
        self.assertEqual(self.run_check("good.urdf", "--joints", "s.csv", "--baseline", "x.json")[0], 2)
        self.assertEqual(self.run_check("good.urdf", "--mode", "self")[0], 2)
        self.assertEqual(self.json("good.urdf", "--mode", "all")["options"]["types"], ["hard", "touch"])
        self.put("bad.srdf", "<robot><disable_collisions link1='a'/></robot>")
        self.assertEqual(self.run_check("good.urdf", "--ignore-file", "bad.srdf")[0], 2)
        # The surroundings are read as parts are: a broken file is told, the rest is checked
        self.put("broken.stl", "solid x")
        result = self.json("good.urdf", "broken.stl", code=3)
        self.assertFalse(result["complete"])
        self.assertEqual(self.run_check("s.csv", "--joints", "s.csv")[0], 2)


if __name__ == "__main__":
    unittest.main()
