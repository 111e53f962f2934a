"""Runs `sudar check` as a user does, on assemblies whose clashes are known. Standard library only.

usage: check_test.py PATH_OF_SUDAR
"""

import csv
import io
import json
import math
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

SUDAR = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "sudar"
CUBE = [(0, 2, 1), (0, 3, 2), (4, 5, 6), (4, 6, 7), (0, 1, 5), (0, 5, 4), (1, 2, 6), (1, 6, 5), (2, 3, 7), (2, 7, 6),
        (3, 0, 4), (3, 4, 7)]


def box(center, half):
    cx, cy, cz = center
    hx, hy, hz = half if isinstance(half, tuple) else (half,) * 3
    corners = [(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)]
    return [(cx + x * hx, cy + y * hy, cz + z * hz) for x, y, z in corners], list(CUBE)


def ball(center, radius, slices=12):
    points, faces = [], []
    for i in range(slices + 1):
        for j in range(slices):
            u, v = math.pi * i / slices, 2 * math.pi * j / slices
            points.append((center[0] + radius * math.sin(u) * math.cos(v), center[1] + radius * math.sin(u) * math.sin(v),
                           center[2] + radius * math.cos(u)))
    for j in range(slices):
        points[j] = points[0]
        points[slices * slices + j] = points[slices * slices]
    for i in range(slices):
        for j in range(slices):
            a, b = i * slices + j, i * slices + (j + 1) % slices
            c, d = a + slices, b + slices
            if i > 0:
                faces.append((a, c, b))
            if i < slices - 1:
                faces.append((b, c, d))
    return points, faces


def stl(mesh, scale=1.0):
    points, faces = mesh
    out = b"\0" * 80 + struct.pack("<I", len(faces))
    for face in faces:
        out += struct.pack("<3f", 0, 0, 0)
        for k in face:
            out += struct.pack("<3f", *(x * scale for x in points[k]))
        out += b"\0\0"
    return out


def obj(parts):
    lines, base = [], 1
    for name, (points, faces) in parts:
        lines.append("o " + name)
        lines += ["v %r %r %r" % p for p in points]
        lines += ["f %d %d %d" % tuple(base + k for k in f) for f in faces]
        base += len(points)
    return ("\n".join(lines) + "\n").encode()


def glb(parts, change=lambda gltf: None, binary=None):
    """A GLB of parts (name, mesh, node properties); `change` may spoil its JSON."""
    data, views, accessors, meshes, nodes = b"", [], [], [], []
    for name, (points, faces), properties in parts:
        for values, kind, type_name, count in ((points, 5126, "VEC3", len(points)), (faces, 5125, "SCALAR", 3 * len(faces))):
            packed = b"".join(struct.pack("<3f" if kind == 5126 else "<3I", *row) for row in values)
            accessors.append({"bufferView": len(views), "componentType": kind, "count": count, "type": type_name})
            views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(packed)})
            data += packed
        meshes.append({"primitives": [{"attributes": {"POSITION": len(accessors) - 2}, "indices": len(accessors) - 1}]})
        nodes.append({"name": name, "mesh": len(meshes) - 1, **properties})
    gltf = {"asset": {"version": "2.0"}, "buffers": [{"byteLength": len(data)}], "bufferViews": views,
            "accessors": accessors, "meshes": meshes, "nodes": nodes, "scenes": [{"nodes": list(range(len(nodes)))}]}
    change(gltf)
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    data = data if binary is None else binary
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(data), 0x004E4942) + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


class Check(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def put(self, name, data):
        path = os.path.join(self.folder.name, name)
        with open(path, "wb") as file:
            file.write(data if isinstance(data, bytes) else obj([(os.path.splitext(name)[0], data)]))
        return name

    def run_check(self, *arguments):
        done = subprocess.run([SUDAR, "check", *arguments], capture_output=True, text=True, timeout=120,
                              cwd=self.folder.name)
        return done.returncode, done.stdout, done.stderr

    def json(self, *arguments, code=None):
        got, out, err = self.run_check(*arguments, "--format", "json")
        result = json.loads(out)
        self.assertEqual(result["schema"], "sudar/check-1")
        # The contract: 1 exactly when there are clashes
        self.assertEqual(got, code if code is not None else (1 if result["clashes"] else 0), err)
        return result

    def types(self, result):
        return sorted((c["type"], c["a"], c["b"]) for c in result["clashes"])

    def test_hard_with_depth_direction_and_point(self):
        self.put("a.obj", box((0, 0, 0), 1))
        self.put("b.obj", box((1.75, 0.5, 0.25), 1))
        result = self.json("a.obj", "b.obj")
        self.assertEqual(self.types(result), [("hard", "a.obj", "b.obj")])
        clash = result["clashes"][0]
        self.assertAlmostEqual(clash["depth"], 0.25, 9)
        self.assertAlmostEqual(clash["depth_lower"], 0.25, 9)
        self.assertAlmostEqual(clash["direction"][0], 1, 9)
        self.assertAlmostEqual(clash["bounds"][0][0], 0.75, 9)
        self.assertAlmostEqual(clash["bounds"][1][0], 1, 9)
        # Boxes that have a corner of 0.25 x 1.5 x 1.75 in common cross in a hexagon with each edge twice
        self.assertAlmostEqual(clash["contact_length"], 2 * (0.25 + 1.5 + 1.75), 9)
        counts = result["counts"]
        self.assertEqual((counts["objects"], counts["pairs"], counts["candidate_pairs"], counts["tested_pairs"]), (2, 1, 1, 1))
        self.assertGreater(counts["triangle_tests"], 0)
        self.assertTrue(result["complete"])
        self.assertTrue(all(i["watertight"] for i in result["inputs"]))

    def test_tolerance_and_clearance_are_different_things(self):
        self.put("a.obj", box((0, 0, 0), 1))
        self.put("touch.obj", box((2, 0, 0), 1))
        self.put("deep.obj", box((0, 1.999, 0), 1))
        self.put("near.obj", box((0, 0, 1.52), 0.5))
        files = ("a.obj", "touch.obj", "deep.obj", "near.obj")
        self.assertEqual(self.types(self.json(*files)), [("hard", "a.obj", "deep.obj")])
        self.assertEqual(self.types(self.json(*files, "--tolerance", "2mm")), [])
        found = self.types(self.json(*files, "--mode", "hard,touch", "--tolerance", "2mm"))
        self.assertEqual(found, [("touch", "a.obj", "deep.obj"), ("touch", "a.obj", "touch.obj"),
                                 ("touch", "touch.obj", "deep.obj")])
        self.assertEqual(self.types(self.json(*files, "--clearance", "10mm", "--tolerance", "2mm")), [])
        result = self.json(*files, "--clearance", "30mm", "--tolerance", "2mm")
        self.assertEqual(self.types(result), [("clearance", "a.obj", "near.obj")])
        self.assertAlmostEqual(result["clashes"][0]["distance"], 0.02, 9)
        self.assertAlmostEqual(abs(result["clashes"][0]["direction"][2]), 1, 9)

    def test_bodies_that_share_faces_only_touch_and_flush_ones_clash(self):
        # A face on a face; a bar of the same section pushed half into another: no triangles cross there
        self.put("a.obj", box((0, 0, 0), (2, 1, 1)))
        self.put("on.obj", box((4, 0, 0), (2, 1, 1)))
        self.put("flush.obj", box((-3, 0, 0), (2, 1, 1)))
        result = self.json("a.obj", "on.obj", "flush.obj", "--mode", "hard,touch")
        self.assertEqual(self.types(result), [("hard", "a.obj", "flush.obj"), ("touch", "a.obj", "on.obj")])
        self.assertAlmostEqual(result["clashes"][1]["depth"], 1, 9)

    def test_containment_is_found_though_no_triangles_meet(self):
        self.put("shell.obj", ball((0, 0, 0), 2))
        self.put("core.obj", box((0.1, 0, 0), 0.2))
        result = self.json("shell.obj", "core.obj")
        self.assertEqual(self.types(result), [("contain", "shell.obj", "core.obj")])
        self.assertGreater(result["clashes"][0]["depth"], 1.5)
        self.assertEqual(self.types(self.json("shell.obj", "core.obj", "--mode", "hard")),
                         [("hard", "shell.obj", "core.obj")])
        # A box in the hollow of another body is outside of it
        outer, inner = box((0, 0, 0), 2), box((0, 0, 0), 1)
        hollow = (outer[0] + inner[0], outer[1] + [(8 + f[0], 8 + f[2], 8 + f[1]) for f in inner[1]])
        self.put("hollow.obj", hollow)
        self.assertEqual(self.types(self.json("hollow.obj", "core.obj", "--mode", "all", "--clearance", "1mm")), [])

    def test_duplicates_in_any_order_of_triangles(self):
        points, faces = ball((0.3, 0.1, 0), 1)
        random.Random(1).shuffle(faces)
        self.put("a.obj", ball((0.3, 0.1, 0), 1))
        self.put("b.obj", (points, [f[1:] + f[:1] for f in faces]))
        self.put("c.obj", ball((0.3, 0.1, 0.01), 1))
        result = self.json("a.obj", "b.obj", "c.obj", "--mode", "duplicate")
        self.assertEqual(self.types(result), [("duplicate", "a.obj", "b.obj")])

    def test_self_crossing_and_open_parts_say_why_there_is_no_depth(self):
        one, two = box((0, 0, 0), 1), box((0.5, 0.5, 0.5), 1)
        self.put("twice.obj", (one[0] + two[0], one[1] + [tuple(8 + k for k in f) for f in two[1]]))
        self.put("lid.obj", (one[0], one[1][:-2]))
        self.put("bar.obj", box((1.2, 0, 0), (0.6, 0.1, 0.1)))
        self.assertEqual(self.types(self.json("twice.obj", "bar.obj", "--mode", "self")), [("self", "twice.obj", "twice.obj")])
        clash = self.json("twice.obj", "bar.obj")["clashes"][0]
        self.assertIsNone(clash["depth"])
        self.assertIn("crosses itself", clash["depth_unknown"])
        clash = self.json("lid.obj", "bar.obj")["clashes"][0]
        self.assertIn("lid.obj is open", clash["depth_unknown"])
        self.assertIn("not watertight", self.run_check("lid.obj", "bar.obj")[1])

    def test_units_are_said_and_suspected(self):
        self.put("a.stl", stl(box((0, 0, 0), 1), 1000))
        self.put("b.stl", stl(box((1.75, 0, 0), 1)))
        result = self.json("a.stl@mm", "b.stl@m")
        self.assertEqual([i["units"] for i in result["inputs"]], ["mm", "m"])
        self.assertAlmostEqual(result["clashes"][0]["depth"], 0.25, 6)
        _, _, err = self.run_check("a.stl", "b.stl")
        self.assertIn("assumed to be metres", err)
        self.assertIn("1000", err)
        self.assertAlmostEqual(self.json("a.stl", "--units", "mm")["inputs"][0]["bounds"][1][0], 1, 6)

    def test_parts_rules_sets_and_baseline(self):
        parts = [("plate", box((0, 0, 0), (4, 4, 0.5))), ("bolt1", box((1, 1, 0.5), 0.3)), ("bolt2", box((-1, 1, 0.5), 0.3)),
                 ("pipe", box((0, 0, 0.7), (5, 0.4, 0.4)))]
        self.put("all.obj", obj(parts))
        self.assertEqual(self.json("all.obj")["counts"]["objects"], 1)
        result = self.json("all.obj", "--per-part")
        self.assertEqual(self.types(result), [("hard", "plate", "bolt1"), ("hard", "plate", "bolt2"), ("hard", "plate", "pipe")])
        with open(os.path.join(self.folder.name, "old.json"), "w") as file:
            json.dump(result, file)
        with open(os.path.join(self.folder.name, "rules.txt"), "w") as file:
            file.write("# what may be\nbolt*:plate   # pressed in on purpose\n\n")
        ruled = self.json("all.obj", "--per-part", "--ignore-file", "rules.txt")
        self.assertEqual(self.types(ruled), [("hard", "plate", "pipe")])
        self.assertEqual(ruled["counts"]["skipped_by_rule"], 2)
        self.assertEqual(ruled["options"]["ignore"], [{"rule": "bolt*:plate", "reason": "pressed in on purpose", "pairs": 2}])
        self.assertEqual(self.types(self.json("all.obj", "--per-part", "--ignore", "p*:b*")), [("hard", "plate", "pipe")])
        self.assertEqual(self.types(self.json("all.obj", "--per-part", "--set-a", "bolt?", "--set-b", "plate")),
                         [("hard", "plate", "bolt1"), ("hard", "plate", "bolt2")])
        self.assertEqual(self.types(self.json("all.obj", "--per-part", "--ignore-same-file")), [])
        parts[1] = ("bolt1", box((1, 1, 2), 0.3))
        parts.append(("bolt3", box((2, -1, 0.5), 0.3)))
        self.put("all.obj", obj(parts))
        now = self.json("all.obj", "--per-part", "--baseline", "old.json")
        self.assertEqual({(c["b"], c["status"]) for c in now["clashes"]},
                         {("bolt1", "resolved"), ("bolt2", "persistent"), ("pipe", "persistent"), ("bolt3", "new")})
        ids = {c["b"]: c["id"] for c in result["clashes"]}
        self.assertTrue(all(ids.get(c["b"], c["id"]) == c["id"] for c in now["clashes"]))

    def test_whole_files_match_with_and_without_their_ending(self):
        self.put("bolt_1.obj", box((0, 0, 0), 1))
        self.put("plate.obj", box((1, 0, 0), 1))
        for rule in ("bolt_1:plate", "bolt_1.obj:plate.obj", "plate:bolt*", "bolt*"):
            self.assertEqual(self.json("bolt_1.obj", "plate.obj", "--ignore", rule)["counts"]["skipped_by_rule"], 1, rule)

    def test_options_before_a_file_leave_it_alone(self):
        self.put("a.obj", box((0, 0, 0), 1))
        self.put("b.obj", box((1, 0, 0), 1))
        for option in (["--ignore", "x:y"], ["--mode", "hard"]):
            self.assertEqual(self.json("a.obj", *option, "b.obj")["counts"]["objects"], 2, option)

    def test_bodies_on_the_same_side_of_a_face_clash(self):
        # The same cube twice, and a cube with another that shares three of its faces, without any triangles that cross
        self.put("a.obj", box((0, 0, 0), 1))
        self.put("same.obj", box((0, 0, 0), 1))
        self.put("corner.obj", box((0.5, 0.5, 0.5), 0.5))
        found = self.types(self.json("a.obj", "same.obj", "corner.obj", "--mode", "hard"))
        self.assertEqual(len(found), 3)
        # A pin in a bore of the same facets touches: slanted faces on each other, facing each other
        n = 12
        ring = [(math.cos(2 * math.pi * i / n), math.sin(2 * math.pi * i / n)) for i in range(n)]
        pin = ([(x, y, z) for z in (0, 1) for x, y in ring] + [(0, 0, 0), (0, 0, 1)],
               [f for i in range(n) for f in ((i, (i + 1) % n, n + (i + 1) % n), (i, n + (i + 1) % n, n + i),
                                              (2 * n, (i + 1) % n, i), (2 * n + 1, n + i, n + (i + 1) % n))])
        wall = ([(r * x, r * y, z) for r in (1, 2) for z in (0, 1) for x, y in ring], [])
        for i in range(n):
            j = (i + 1) % n
            a, b, c, d = i, j, n + i, n + j  # the bore, below and above
            e, f, g, h = 2 * n + i, 2 * n + j, 3 * n + i, 3 * n + j  # the outside
            wall[1].extend([(a, d, b), (a, c, d), (e, f, h), (e, h, g), (a, b, f), (a, f, e), (c, h, d), (c, g, h)])
        self.put("pin.obj", pin)
        self.put("wall.obj", wall)
        self.assertEqual(self.types(self.json("pin.obj", "wall.obj", "--mode", "hard,touch,contain")),
                         [("touch", "pin.obj", "wall.obj")])

    def test_rules_know_the_second_of_a_name(self):
        parts = [("plate", box((0, 0, 0), (4, 4, 0.5))), ("bolt", box((1, 1, 0.5), 0.3)), ("bolt", box((-1, 1, 0.5), 0.3))]
        self.put("two.obj", obj(parts[:2]))
        self.put("three.obj", obj([parts[2]]))
        with open(os.path.join(self.folder.name, "rules.txt"), "w") as file:
            file.write("bolt#2:plate # the second one\n")
        result = self.json("two.obj", "three.obj", "--per-part", "--ignore-file", "rules.txt")
        self.assertEqual(result["counts"]["skipped_by_rule"], 1)
        self.assertEqual(result["options"]["ignore"][0]["reason"], "the second one")

    def test_shells_of_a_file_without_objects(self):
        one, two = box((0, 0, 0), 1), box((1.5, 0, 0), 1)
        self.put("two.stl", stl((one[0] + two[0], one[1] + [tuple(8 + k for k in f) for f in two[1]])))
        result = self.json("two.stl", "--per-part")
        self.assertEqual(self.types(result), [("hard", "two#1", "two#2")])
        self.assertAlmostEqual(result["clashes"][0]["depth"], 0.5, 6)

    def test_nodes_of_glb_keep_their_names_and_places(self):
        half = math.sqrt(0.5)
        parts = [("base", box((0, 0, 0), 1), {}),
                 # Turned by a quarter about z, its long side comes along y; scaled and moved
                 ("arm", box((0, 0, 0), (1, 0.1, 0.1)), {"rotation": [0, 0, half, half], "scale": [2, 1, 1],
                                                        "translation": [0.95, 0, 0]}),
                 ("mirror", ball((3, 0, 0), 0.5), {"scale": [-1, 1, 1]})]

        def nest(gltf):
            # base carries mirror, one to the right
            gltf["nodes"].append({"translation": [1, 0, 0], "children": [2]})
            gltf["scenes"] = [{"nodes": [0, 1, 3]}]

        self.put("robot.glb", glb(parts, nest))
        result = self.json("robot.glb", "--per-part", "--units", "mm")
        inputs = {i["name"]: i for i in result["inputs"]}
        self.assertEqual(self.types(result), [("hard", "base", "arm")])
        self.assertAlmostEqual(result["clashes"][0]["depth"], 0.15, 6)
        for got, expected in zip(inputs["arm"]["bounds"], ([0.85, -2, -0.1], [1.05, 2, 0.1])):
            for x, y in zip(got, expected):
                self.assertAlmostEqual(x, y, 6)
        self.assertAlmostEqual(inputs["mirror"]["bounds"][0][0], -2.5, 5)
        self.assertTrue(inputs["mirror"]["watertight"])
        self.assertEqual(inputs["base"]["units"], "m")

    def test_hostile_glb_is_refused(self):
        parts = [("a", box((0, 0, 0), 1), {})]

        def setter(*path, value):
            def change(gltf):
                at = gltf
                for key in path[:-1]:
                    at = at[key]
                at[path[-1]] = value
            return change

        changes = [setter("accessors", 0, "count", value=2 ** 62), setter("accessors", 0, "count", value=-1),
                   setter("accessors", 0, "bufferView", value=7), setter("accessors", 1, "componentType", value=1),
                   setter("accessors", 0, "byteOffset", value=2 ** 63), setter("bufferViews", 0, "byteLength", value=2 ** 40),
                   setter("bufferViews", 0, "byteStride", value=1), setter("bufferViews", 0, "buffer", value=9),
                   setter("buffers", 0, "byteLength", value=2 ** 50), setter("buffers", 0, "uri", value="../../etc/passwd"),
                   setter("buffers", 0, "uri", value="data:x;base64,@@@"), setter("nodes", 0, "children", value=[0]),
                   setter("nodes", 0, "mesh", value=3), setter("nodes", 0, "matrix", value=[1, 2]),
                   setter("nodes", 0, "scale", value=[1e300, 1e300, 1e300]), setter("scenes", value=[{"nodes": [5]}]),
                   setter("scenes", value={}), setter("asset", value={"version": "1.0"}), setter("nodes", value=[3]),
                   setter("extensionsRequired", value=["KHR_draco_mesh_compression"]), setter("meshes", value=[])]
        for number, change in enumerate(changes):
            self.put("bad.glb", glb(parts, change))
            code, out, err = self.run_check("bad.glb")
            self.assertEqual((code, out), (2, ""), "change %d: %s" % (number, err))
            self.assertIn("bad.glb", err)
        good = glb(parts)
        for cut in list(range(0, 40)) + list(range(40, len(good), 97)):
            self.put("bad.glb", good[:cut])
            self.assertEqual(self.run_check("bad.glb")[0], 2, cut)
        # A small file that asks for thousands of millions of triangles
        def bomb(gltf):
            gltf["nodes"] = [{"mesh": 0} for _ in range(100000)]
            gltf["scenes"] = [{"nodes": list(range(100000))}]
        self.put("bomb.glb", glb([("a", ball((0, 0, 0), 1, 40), {})], bomb))
        code, _, err = self.run_check("bomb.glb")
        self.assertEqual(code, 2)
        self.assertIn("more triangles", err)

    def test_a_broken_file_is_named_and_the_rest_is_checked(self):
        self.put("a.obj", box((0, 0, 0), 1))
        self.put("b.obj", box((1, 0, 0), 1))
        self.put("broken.stl", stl(box((0, 0, 0), 1))[:200])
        os.mkdir(os.path.join(self.folder.name, "folder.obj"))
        result = self.json("a.obj", "broken.stl", "b.obj", "folder.obj", "missing.ply", code=3)
        self.assertEqual(self.types(result), [("hard", "a.obj", "b.obj")])
        self.assertFalse(result["complete"])
        self.assertEqual(len(result["failures"]), 3)
        code, out, err = self.run_check("broken.stl", "missing.ply")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("broken.stl", err)

    def test_bad_usage_is_refused_in_one_line(self):
        self.put("a.obj", box((0, 0, 0), 1))
        for bad in (["--tolerance", "nan"], ["--tolerance", "-1mm"], ["--tolerance", "1furlong"], ["--clearance", "inf"],
                    ["--mode", "soft"], ["--mode", "clearance"], ["--units", "parsec"], ["--ignore", ":b"], ["--threads", "0"],
                    ["--baseline", "a.obj"], ["--ignore-file", "none.txt"], ["--colour"], ["--export-contacts", "x.txt"]):
            code, out, err = self.run_check("a.obj", *bad)
            self.assertEqual(code, 2, bad)
            self.assertTrue(err.splitlines()[-1].startswith("sudar check:"), err)
        self.assertEqual(self.run_check()[0], 2)

    def assembly(self, count, seed):
        """Cells of a lattice, each with one planted thing: (files' bytes, expected clashes)."""
        rng, parts, expected = random.Random(seed), [], []
        for i in range(count):
            x, y, z = 10.0 * (i % 10), 10.0 * (i // 10 % 10), 10.0 * (i // 100)
            kind = rng.choice(["hard", "touch", "clearance", "contain", "duplicate", "none", "self"])
            a, b = "a%04d" % i, "b%04d" % i
            at = (x, y, z)
            if kind == "hard":
                depth = 10 ** rng.uniform(-4, -0.5)
                parts += [(a, box(at, 1)), (b, box((x + 2 - depth, y + 0.3, z), 1))]
            elif kind == "touch":
                parts += [(a, box(at, 1)), (b, box((x + 2, y + 0.5, z + 0.25), 1))]
            elif kind == "clearance":
                parts += [(a, box(at, 1)), (b, box((x + 2 + 10 ** rng.uniform(-4, -2.1), y, z), 1))]
            elif kind == "contain":
                parts += [(a, ball(at, 2)), (b, box((x + 0.2, y, z), 0.3))]
            elif kind == "duplicate":
                parts += [(a, ball(at, 1)), (b, ball(at, 1))]
            elif kind == "self":
                one, two = box(at, 1), box((x + 0.5, y + 0.25, z + 0.125), 1)
                parts.append((a, (one[0] + two[0], one[1] + [tuple(8 + k for k in f) for f in two[1]])))
                expected.append(("self", a, a))
            else:
                parts += [(a, box(at, 1)), (b, box((x + 2.02, y, z), 1))]
            if kind not in ("none", "self"):
                expected.append((kind, a, b))
        return obj(parts), sorted(expected)

    def test_everything_planted_is_found_and_nothing_else(self):
        count = int(float(os.environ.get("SUDAR_SOAK", "1")) * 300)
        data, expected = self.assembly(max(count, 50), 7)
        self.put("assembly.obj", data)
        arguments = ("assembly.obj", "--per-part", "--mode", "all", "--clearance", "10mm")
        first = self.json(*arguments, "--threads", "1")
        self.assertEqual(self.types(first), expected)
        again = self.json(*arguments, "--threads", "3")
        self.assertEqual(again["clashes"], first["clashes"])

    def test_csv_html_and_contacts(self):
        self.put("a.obj", box((0, 0, 0), 1))
        self.put("b,c.obj", box((1.75, 0.5, 0.25), 1))
        code, out, _ = self.run_check("a.obj", "b,c.obj", "--format", "csv")
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual((code, len(rows), rows[0]["b"]), (1, 1, "b,c.obj"))
        self.assertAlmostEqual(float(rows[0]["depth"]), 0.25, 9)
        code, out, _ = self.run_check("a.obj", "b,c.obj", "--format", "html", "-o", "r.html", "--export-contacts", "c.ply")
        self.assertEqual((code, out), (1, ""))
        with open(os.path.join(self.folder.name, "r.html")) as file:
            page = file.read()
        self.assertIn("b,c.obj", page)
        self.assertNotIn("http", page.replace("http-equiv", ""))
        with open(os.path.join(self.folder.name, "c.ply")) as file:
            ply = file.read()
        self.assertIn("element edge", ply)
        self.assertEqual(self.run_check("c.ply")[0], 0)

    def test_interrupt_prints_what_is_known(self):
        parts = [("p%d" % i, ball((0.001 * i, 0, 0), 1, 60)) for i in range(120)]
        self.put("many.obj", obj(parts))
        process = subprocess.Popen([SUDAR, "check", "many.obj", "--per-part", "--format", "json", "--threads", "1"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder.name)
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        result = json.loads(out)
        self.assertEqual(process.returncode, 3)
        self.assertFalse(result["complete"])
        self.assertLess(result["counts"]["tested_pairs"], result["counts"]["candidate_pairs"])


if __name__ == "__main__":
    unittest.main()
