"""Runs `sudar check` as a user does, on assemblies whose clashes are known. Standard library only.

usage: check_test.py PATH_OF_SUDAR
"""

import csv
import io
import json
import math
import os
import random
import resource
import select
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from sanitizer import is_sanitized

SUDAR = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "sudar"
# A sanitizer maps terabytes: no limits on the space of addresses there
SANITIZED = is_sanitized(SUDAR)
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
        # Of a map, with coordinates of thousands of kilometres
        self.put("d.obj", box((5e6, 5e6, 0), 0.25))
        self.put("e.obj", box((5e6 + 0.75, 5e6, 0), 0.25))
        self.put("f.obj", box((5e6 + 0.25, 5e6, 0), 0.25))
        self.assertEqual(self.types(self.json("d.obj", "e.obj")), [])
        self.assertEqual(self.types(self.json("d.obj", "f.obj")), [("hard", "d.obj", "f.obj")])
        self.assertEqual(self.types(self.json("d.obj", "./d.obj")), [("duplicate", "d.obj", "d.obj#2")])

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
        # Editors put a mark in front
        self.put("marked.txt", "\ufeffbolt*:plate\n".encode())
        self.assertEqual(self.json("all.obj", "--per-part", "--ignore-file", "marked.txt")["clashes"], ruled["clashes"])
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

        whole = glb(parts, nest)
        self.put("robot.glb", whole)
        result = self.json("robot.glb", "--per-part", "--units", "mm")
        # Its JSON filled up with zeros is as good; with more behind these it is none
        length, = struct.unpack_from("<I", whole, 12)
        for filling, code in ((b"\0\0\0\0", 1), (b"\0 \0 ", 2), (b"\0}}}", 2)):
            head = struct.pack("<4sIIII", b"glTF", 2, len(whole) + 4, length + 4, 0x4E4F534A)
            self.put("filled.glb", head + whole[20:20 + length] + filling + whole[20 + length:])
            got, _, err = self.run_check("filled.glb", "--per-part", "--units", "mm")
            self.assertEqual(got, code, err)
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
        """Cells of a lattice, each with one planted thing, half of them turned: (files' bytes, expected clashes)."""
        rng, parts, expected = random.Random(seed), [], []
        kinds = ["hard", "touch", "clearance", "contain", "duplicate", "none", "self", "flush", "hollow", "crossing"]

        def together(one, two):
            return one[0] + two[0], one[1] + [tuple(8 + k for k in f) for f in two[1]]

        def inward(mesh):
            return mesh[0], [(f[0], f[2], f[1]) for f in mesh[1]]

        for i in range(count):
            at = (12.0 * (i % 10), 12.0 * (i // 10 % 10), 12.0 * (i // 100))
            kind = kinds[i] if i < len(kinds) else rng.choice(kinds)
            a, b, pair, found = "a%05d" % i, "b%05d" % i, None, kind
            if kind == "hard":
                depth = 10 ** rng.uniform(-4, -0.5)
                pair = box((0, 0, 0), 1), box((2 - depth, 0.3, 0), 1)
            elif kind == "touch":
                pair = box((0, 0, 0), 1), box((2, 0.5, 0.25), 1)
            elif kind == "clearance":
                pair = box((0, 0, 0), 1), box((2 + 10 ** rng.uniform(-4, -2.1), 0, 0), 1)
            elif kind == "contain":
                pair = ball((0, 0, 0), 2), box((0.2, 0, 0), 0.3)
            elif kind == "duplicate":
                pair = ball((0, 0, 0), 1), ball((0, 0, 0), 1)
            elif kind == "self":
                pair = (together(box((0, 0, 0), 1), box((0.5, 0.25, 0.125), 1)),)
            elif kind == "flush":
                # Bars of one section: no face of one goes through a face of the other at an angle
                pair, found = (box((0, 0, 0), (2, 1, 1)), box((2.5, 0, 0), (2, 1, 1))), "hard"
            elif kind == "hollow":
                # In the hollow of a body is outside of it
                pair, found = (together(box((0, 0, 0), 2), inward(box((0, 0, 0), 1))), box((0.1, 0, 0), 0.5)), "none"
            elif kind == "crossing":
                # Bars through each other: no corner of one is inside of the other
                pair, found = (box((0, 0, 0), (3, 0.2, 0.2)), box((0.1, 0.05, 0.03), (0.3, 3, 0.1))), "hard"
            else:
                pair = box((0, 0, 0), 1), box((2.02, 0, 0), 1)
            turn, lift = (rng.uniform(0, 6.28), rng.uniform(0, 6.28)) if rng.random() < 0.5 else (0, 0)
            for name, (points, faces) in zip((a, b), pair):
                moved = []
                for x, y, z in points:
                    x, y = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
                    y, z = y * math.cos(lift) - z * math.sin(lift), y * math.sin(lift) + z * math.cos(lift)
                    moved.append((x + at[0], y + at[1], z + at[2]))
                parts.append((name, (moved, faces)))
            if found != "none":
                expected.append((found, a, a if kind == "self" else b))
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

    def test_what_an_open_mesh_holds_is_told_or_unknown(self):
        points, faces = ball((0, 0, 0), 2, 24)
        self.put("crack.obj", (points, faces[:-1]))
        self.put("core.obj", box((0.1, 0, 0), 0.2))
        result = self.json("crack.obj", "core.obj")
        self.assertEqual(self.types(result), [("contain", "crack.obj", "core.obj")])
        self.assertEqual(result["clashes"][0]["inner"], "b")
        self.assertIn("crack.obj is open", result["clashes"][0]["depth_unknown"])
        # Half of the lid is missing: nobody can say, so nobody does
        self.put("lid.obj", (box((0, 0, 0), 1)[0], CUBE[:-1]))
        for form in ("json", "text", "html"):
            code, out, _ = self.run_check("lid.obj", "core.obj", "--format", form)
            self.assertEqual(code, 0)
            self.assertIn("is unknown", out, form)
            self.assertNotIn("clean", out, form)
        result = self.json("lid.obj", "core.obj")
        self.assertEqual([(x["a"], x["b"]) for x in result["undecided"]], [("lid.obj", "core.obj")])
        # What is unknown is not resolved either
        self.put("old.json", json.dumps({**result, "clashes": [
            {"id": "0", "type": "contain", "a": "lid.obj", "b": "core.obj"}]}).encode())
        self.assertEqual(self.json("lid.obj", "core.obj", "--baseline", "old.json")["clashes"], [])
        # What lies on a flat sheet is not in it
        for name, size in (("sheet.obj", 1), ("spot.obj", 0.3)):
            self.put(name, ([(0, 0, 0), (size, 0, 0), (0, size, 0)], [(0, 1, 2)]))
        self.assertEqual(self.json("sheet.obj", "spot.obj")["warnings"], [])
        # Beside it there is nothing to ask
        self.put("far.obj", box((5, 0, 0), 0.2))
        self.assertEqual(self.json("lid.obj", "far.obj")["warnings"], [])

    def test_a_fit_is_taken_out_by_the_tolerance(self):
        # A shaft in its bore, both of one radius, facets turned against each other: they cut into each other by the chords
        def ring(n, radius, turn):
            return [(radius * math.cos(2 * math.pi * (i + turn) / n), radius * math.sin(2 * math.pi * (i + turn) / n)) for i in range(n)]

        n = 48
        inner, outer = ring(n, 0.01, 0.5), ring(n, 0.03, 0.5)
        wall = ([(x, y, z) for r in (inner, outer) for z in (0, 0.05) for x, y in r], [])
        for i in range(n):
            j = (i + 1) % n
            a, b, c, d = i, j, n + i, n + j
            e, f, g, h = 2 * n + i, 2 * n + j, 3 * n + i, 3 * n + j
            wall[1].extend([(a, d, b), (a, c, d), (e, f, h), (e, h, g), (a, b, f), (a, f, e), (c, h, d), (c, g, h)])
        pin = ring(n, 0.01, 0)
        shaft = ([(x, y, z) for z in (-0.02, 0.07) for x, y in pin] + [(0, 0, -0.02), (0, 0, 0.07)],
                 [f for i in range(n) for f in ((i, (i + 1) % n, n + (i + 1) % n), (i, n + (i + 1) % n, n + i),
                                                (2 * n, (i + 1) % n, i), (2 * n + 1, n + i, n + (i + 1) % n))])
        self.put("wall.obj", wall)
        self.put("shaft.obj", shaft)
        chord = 0.01 * (1 - math.cos(math.pi / n))
        self.assertEqual(self.types(self.json("wall.obj", "shaft.obj")), [("hard", "wall.obj", "shaft.obj")])
        self.assertEqual(self.types(self.json("wall.obj", "shaft.obj", "--tolerance", "0.05mm")), [])
        touch = self.json("wall.obj", "shaft.obj", "--tolerance", "0.05mm", "--mode", "hard,touch")
        self.assertEqual(self.types(touch), [("touch", "wall.obj", "shaft.obj")])
        self.assertLessEqual(abs(touch["clashes"][0]["distance"]), 1.01 * chord)
        self.assertEqual(self.types(self.json("wall.obj", "shaft.obj", "--tolerance", "0.01mm")),
                         [("hard", "wall.obj", "shaft.obj")])
        # Sheets as thin as the tolerance that go through each other are no fit
        self.put("sheet.obj", box((0, 0, 0), (0.5, 0.5, 0.0004)))
        self.put("across.obj", box((0, 0, 0), (0.0004, 0.4, 0.4)))
        self.assertEqual(self.types(self.json("sheet.obj", "across.obj", "--tolerance", "1mm")),
                         [("hard", "sheet.obj", "across.obj")])

    def turned(self, mesh, turn):
        """About an axis aslant, and moved"""
        axis = [x / math.sqrt(14) for x in (1, 2, 3)]
        c, s = math.cos(turn), math.sin(turn)

        def moved(p):
            along = sum(a * x for a, x in zip(axis, p))
            across = (axis[1] * p[2] - axis[2] * p[1], axis[2] * p[0] - axis[0] * p[2], axis[0] * p[1] - axis[1] * p[0])
            return tuple(x * c + y * s + a * along * (1 - c) + turn for x, y, a in zip(p, across, axis))

        return [moved(p) for p in mesh[0]], mesh[1]

    def test_what_a_file_rounds_only_touches(self):
        # Floats move the corners of what fits exactly by some 1e-7: a pin in its bore, a block on the floor of a hollow one
        n = 12

        def ring(radius, z):
            return [(radius * math.cos(2 * math.pi * i / n), radius * math.sin(2 * math.pi * i / n), z) for i in range(n)]

        pin = (ring(1, -2) + ring(1, 2), [f for i in range(n) for f in ((i, (i + 1) % n, n + (i + 1) % n), (i, n + (i + 1) % n, n + i))] +
               [f for i in range(1, n - 1) for f in ((0, i + 1, i), (n, n + i, n + i + 1))])
        wall = (ring(1, -1) + ring(1, 1) + ring(3, -1) + ring(3, 1), [])
        for i in range(n):
            j = (i + 1) % n
            a, b, c, d, e, f, g, h = (k * n + m for k in range(4) for m in (i, j))
            wall[1].extend([(a, d, b), (a, c, d), (e, f, h), (e, h, g), (a, b, f), (a, f, e), (c, h, d), (c, g, h)])
        outer, inner = box((0, 0, 0), 2), box((0, 0, 0), 1.5)
        hollow = (outer[0] + inner[0], outer[1] + [tuple(8 + k for k in reversed(f)) for f in inner[1]])
        block = box((0, 0, -0.5), 1)
        for turn in (0.0, 0.7, 2.0, 3.3, 5.1):
            for one, two in ((pin, wall), (hollow, block)):
                self.put("one.stl", stl(self.turned(one, turn)))
                self.put("two.stl", stl(self.turned(two, turn)))
                self.assertEqual(self.types(self.json("one.stl", "two.stl")), [], turn)
            # A tenth of a millimetre too low is too low
            self.put("two.stl", stl(self.turned(box((0, 0, -0.5001), 1), turn)))
            self.assertEqual(self.types(self.json("one.stl", "two.stl")), [("hard", "one.stl", "two.stl")], turn)

    def test_a_label_on_a_slanted_face_touches_it(self):
        for turn in (0.4, 1.1, 2.6):
            self.put("case.obj", self.turned(box((0, 0, 0), 1), turn))
            for depth, modes, expected in ((0, "hard,contain", []), (0, "hard,touch", ["touch"]), (1e-3, "hard,touch", ["hard"]),
                                           (1e-3, "hard,contain", ["contain"])):
                label = [(1 - depth, y, z) for y, z in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))]
                self.put("label.obj", self.turned((label, [(0, 1, 2), (0, 2, 3)]), turn))
                found = self.types(self.json("case.obj", "label.obj", "--mode", modes))
                self.assertEqual([x[0] for x in found], expected, (turn, depth, modes))
            # A box with a triangle missing is no label, though it lies below the other's faces by less than the tolerance
            self.put("twin.obj", self.turned((box((0, 0, 0), 0.9995)[0], CUBE[:-1]), turn))
            self.assertEqual(self.types(self.json("case.obj", "twin.obj", "--tolerance", "1mm")), [("contain", "case.obj", "twin.obj")])

    def test_an_unknown_depth_is_not_always_hard(self):
        # Open boxes stacked with an overlap of a nanometre
        open_box = (box((0, 0, 0), 1)[0], CUBE[:-2])
        self.put("a.obj", open_box)
        self.put("b.obj", ([(x / 2, y / 2, z + 2 - 1e-9) for x, y, z in open_box[0]], open_box[1]))
        self.assertEqual(self.types(self.json("a.obj", "b.obj", "--tolerance", "1mm")), [])
        self.assertEqual(self.types(self.json("a.obj", "b.obj", "--tolerance", "0")), [("hard", "a.obj", "b.obj")])

    def test_sets_and_rules_that_match_nothing_are_told(self):
        self.put("all.obj", obj([("plate", box((0, 0, 0), 1)), ("bolt", box((1, 0, 0), 1))]))
        code, out, err = self.run_check("all.obj", "--per-part", "--set-a", "blot*")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("blot*", err)
        result = self.json("all.obj", "--per-part", "--ignore", "blot*:plate")
        self.assertIn("blot*:plate", result["warnings"][0])
        # Nothing looked at is not clean
        for arguments in (("all.obj",), ("all.obj", "--per-part", "--ignore", "*")):
            out = self.run_check(*arguments)[1]
            self.assertNotIn("clean", out)
            self.assertIn("nothing was looked at", out)

    def test_colons_and_hashes_of_names_in_rules(self):
        self.put("all.obj", obj([("ns:plate", box((0, 0, 0), 1)), ("bolt:1", box((1, 0, 0), 1))]))
        result = self.json("all.obj", "--per-part", "--ignore", r"bolt\:1:ns\:plate")
        self.assertEqual(result["counts"]["skipped_by_rule"], 1)
        code, _, err = self.run_check("all.obj", "--per-part", "--ignore", "bolt:1:plate")
        self.assertEqual(code, 2)
        self.assertIn("two colons", err)

    def test_a_hollow_stays_with_its_body(self):
        outer, inner, core = box((0, 0, 0), 2), box((0, 0, 0), 1), box((0, 0, 0), 0.5)
        points = outer[0] + inner[0] + core[0]
        faces = outer[1] + [(8 + f[0], 8 + f[2], 8 + f[1]) for f in inner[1]] + [tuple(16 + k for k in f) for f in core[1]]
        self.put("casting.stl", stl((points, faces)))
        result = self.json("casting.stl", "--per-part", "--mode", "all")
        self.assertEqual([i["name"] for i in result["inputs"]], ["casting#1", "casting#2"])
        self.assertEqual(self.types(result), [])

    def test_self_is_crossing_and_knows_rules_and_sets(self):
        one, two = box((0, 0, 0), 1), box((0, 0, 2), 1)
        stacked = (one[0] + two[0], one[1] + [tuple(8 + k for k in f) for f in two[1]])
        self.put("stacked.obj", stacked)
        self.put("bar.obj", box((0.9, 0, 0), (0.3, 0.1, 0.1)))
        result = self.json("stacked.obj", "bar.obj", "--mode", "all")
        self.assertEqual(self.types(result), [("hard", "stacked.obj", "bar.obj")])
        self.assertAlmostEqual(result["clashes"][0]["depth"], 0.4, 9)
        cross = box((0.5, 0.5, 0.5), 1)
        self.put("scan.obj", (one[0] + cross[0], one[1] + [tuple(8 + k for k in f) for f in cross[1]]))
        arguments = ("scan.obj", "bar.obj", "--mode", "self")
        result = self.json(*arguments)
        self.assertEqual(self.types(result), [("self", "scan.obj", "scan.obj")])
        self.assertIsNone(result["clashes"][0]["depth"])
        self.assertEqual(self.types(self.json(*arguments, "--ignore", "scan*")), [])
        self.assertEqual(self.types(self.json(*arguments, "--set-a", "scan", "--set-b", "bar")), [])
        # Along the edges of the mesh, where no triangle is on both sides of another
        loop, faces = box((0, 0, 0), 1), []
        middle = [(x, y, 0) for x, y, z in loop[0][:4]]
        for i in range(4):
            j = (i + 1) % 4
            for low, high in ((0, 8), (8, 4)):
                faces += [(low + i, low + j, high + j), (low + i, high + j, high + i)]
        faces += [(0, 2, 1), (0, 3, 2), (4, 5, 6), (4, 6, 7)]
        self.put("loop.obj", (loop[0] + middle, faces))
        self.put("sheet.obj", ([(-10, -10, 0), (20, -10, 0), (20, 20, 0), (-10, 20, 0)], [(0, 1, 2), (0, 2, 3)]))
        self.assertEqual(self.types(self.json("loop.obj", "sheet.obj")), [("hard", "loop.obj", "sheet.obj")])

    def test_what_lies_on_the_surface_from_inside_is_contained(self):
        # Corners of boxes in a case of 2 m: flush with one face, with two, with three, from side to side, half of it; not at all
        self.put("case.obj", box((1, 1, 1), 1))
        inside = [((0.5, 0.5, low), (1, 1, 1)) for low in (0, 1e-17, 1e-12, 1e-9, 1e-4)]
        inside += [((0, 0.5, 0), (1, 1, 1)), ((0, 0, 0), (1, 1, 1)), ((0.5, 0.5, 0), (1, 1, 2)), ((0, 0, 0), (2, 2, 1)),
                   ((0, 0, 0), (2, 2, 3))]
        beside = [((1, 0, 0), (3, 2, 2)), ((0.5, 0.5, -1e-3), (1, 1, 1)), ((0, 0, 0), (2, 2, 2))]
        for corners, expected in [(c, "contain") for c in inside] + [(c, "hard") for c in beside]:
            low, high = corners
            self.put("part.obj", box(tuple((l + h) / 2 for l, h in zip(low, high)), tuple((h - l) / 2 for l, h in zip(low, high))))
            with self.subTest(corners=corners):
                found = self.json("case.obj", "part.obj", "--mode", "hard,contain", "--tolerance", "1e-5m")
                self.assertEqual([c["type"] for c in found["clashes"]], [expected])
                alone = self.json("case.obj", "part.obj", "--mode", "contain", "--tolerance", "1e-5m")
                self.assertEqual([c["type"] for c in alone["clashes"]], ["contain"] * (expected == "contain"))

    def test_nested_parts_are_all_contained(self):
        case, core = box((0, 0, 0), 3), box((0, 0, 0), 0.5)
        case[1].reverse()
        hollow = box((0, 0, 0), 1)
        shell = (box((0, 0, 0), 2)[0] + hollow[0], CUBE + [(8 + f[0], 8 + f[2], 8 + f[1]) for f in CUBE])
        self.put("both.obj", (case[0] + core[0], case[1] + [tuple(8 + k for k in f) for f in core[1]]))
        self.put("shell.obj", shell)
        self.assertEqual(self.types(self.json("both.obj", "shell.obj", "--mode", "contain")),
                         [("contain", "both.obj", "shell.obj")])

    def test_every_clash_has_the_fields_of_the_contract(self):
        data, expected = self.assembly(40, 3)
        self.put("a.obj", data)
        result = self.json("a.obj", "--per-part", "--mode", "all", "--clearance", "10mm")
        self.assertEqual({c["type"] for c in result["clashes"]}, {"hard", "touch", "clearance", "contain", "duplicate", "self"})
        for clash in result["clashes"]:
            for key in ("id", "type", "a", "b", "direction", "point", "bounds"):
                self.assertIn(key, clash)
            self.assertTrue(("depth" in clash) != ("distance" in clash), clash)
            self.assertEqual([len(v) for v in clash["bounds"]], [3, 3])
        self.assertEqual(len({c["id"] for c in result["clashes"]}), len(result["clashes"]))
        for key in ("schema", "version", "options", "inputs", "counts", "ms", "clashes", "complete"):
            self.assertIn(key, result)
        # Without a clearance nothing is called one, and it is not said to be looked for
        plain = self.json("a.obj", "--per-part", "--mode", "all")
        self.assertNotIn("clearance", plain["options"]["types"])
        # What is gone keeps what the baseline knew of it
        self.put("old.json", json.dumps(result).encode())
        self.put("a.obj", obj([(n, box((100.0 * i, 0, 0), 1)) for i, n in enumerate(i["name"] for i in result["inputs"])]))
        gone = self.json("a.obj", "--per-part", "--mode", "all", "--clearance", "10mm", "--baseline", "old.json")
        self.assertEqual({c["status"] for c in gone["clashes"]}, {"resolved"})
        before = {c["id"]: c for c in result["clashes"]}
        for clash in gone["clashes"]:
            self.assertEqual(clash["bounds"], before[clash["id"]]["bounds"])
        out = self.run_check("a.obj", "--per-part", "--mode", "all", "--baseline", "old.json")[1]
        self.assertIn("nothing found now", out)
        self.assertNotIn("clean", out)

    def test_what_the_baseline_does_not_know_is_not_resolved(self):
        self.put("all.obj", obj([("plate", box((0, 0, 0), 1)), ("bolt", box((1, 0, 0), 1))]))
        self.put("old.json", json.dumps(self.json("all.obj", "--per-part")).encode())
        ruled = self.json("all.obj", "--per-part", "--baseline", "old.json", "--ignore", "bolt:plate")
        self.assertEqual(ruled["clashes"], [])
        self.assertTrue(any("baseline was not looked at" in line for line in ruled["warnings"]), ruled["warnings"])
        for bad in (b'{"schema": 5, "clashes": []}', b'{"schema": "sudar/check-1", "clashes": [{"id": 1}]}', b"[[[[",
                    b'{"schema": "sudar/check-1", "clashes": [{"id": "1", "a": "x", "b": "y", "type": "hard", "direction": ' +
                    b"[" * 300000 + b"]" * 300000 + b"}]}"):
            self.put("bad.json", bad)
            code, _, err = self.run_check("all.obj", "--baseline", "bad.json")
            self.assertEqual(code, 2)
            self.assertIn("bad.json", err)

    def test_names_are_told_apart_by_their_folders(self):
        for folder in ("left", "right"):
            os.mkdir(os.path.join(self.folder.name, folder))
        self.put("left/x.obj", obj([("o", box((0, 0, 0), 1))]))
        self.put("right/x.obj", obj([("o", box((1, 0, 0), 1))]))
        first = self.json("left/x.obj", "right/x.obj")
        self.assertEqual(self.types(first), [("hard", "left/x.obj", "right/x.obj")])
        again = self.json("right/x.obj", "left/x.obj")
        self.assertEqual(first["clashes"][0]["id"], again["clashes"][0]["id"])
        # A missing file with an @ in its place is a missing file; the others are checked
        result = self.json("left/x.obj", "node@2/x.stl", "right/x.obj", code=3)
        self.assertIn("node@2/x.stl", result["failures"][0])
        self.assertEqual(len(result["clashes"]), 1)

    def test_names_cannot_forge_the_report(self):
        evil = "x\n\nclean: nothing found\u001b[8m\u202e"
        self.put("evil.glb", glb([(evil, box((0, 0, 0), 1), {}), ("=HYPERLINK(1)", box((1, 0, 0), 1), {})]))
        out = self.run_check("evil.glb", "--per-part")[1]
        self.assertNotIn("\x1b", out)
        self.assertNotIn("\u202e", out)
        self.assertEqual([line for line in out.splitlines() if line.startswith("clean")], [])
        rows = list(csv.DictReader(io.StringIO(self.run_check("evil.glb", "--per-part", "--format", "csv")[1])))
        self.assertEqual(rows[0]["b"], "'=HYPERLINK(1)")
        self.assertEqual(self.json("evil.glb", "--per-part")["clashes"][0]["a"], evil)

    def limited(self, *arguments, megabytes):
        """Runs within so much memory: more of it is a failure to allocate."""
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        # Every thread takes some of the space of addresses
        done = subprocess.run([SUDAR, "check", *arguments, "--threads", "1"], capture_output=True, text=True, timeout=120,
                              cwd=self.folder.name, preexec_fn=None if SANITIZED else limit)
        return done.returncode, done.stdout, done.stderr

    def test_hostile_files_are_bounded(self):
        # A view of a neighbour that every one of many buffers names
        self.put("neighbour.bin", b"x" * (4 << 20))
        gltf = {"asset": {"version": "2.0"}, "buffers": [{"uri": "neighbour.bin", "byteLength": 1}] * 2000}
        self.put("many.gltf", json.dumps(gltf).encode())
        # Nothing but brackets; nothing but zeros; a line of nothing
        self.put("deep.gltf", b"[" * (8 << 20))
        self.put("wide.gltf", b"[" + b"0," * (9 << 20) + b"0]")
        self.put("line.obj", b"v 0 0 0 # " + b"x" * (100 << 20))
        self.put("line.stl", b"solid " + b"x" * (100 << 20))
        # A mesh used again and again
        def bomb(gltf):
            gltf["nodes"] = [{"mesh": 0} for _ in range(60000)]
            gltf["scenes"] = [{"nodes": list(range(60000))}]
        self.put("bomb.glb", glb([("a", ball((0, 0, 0), 1, 20), {})], bomb))
        for name in ("many.gltf", "deep.gltf", "wide.gltf", "line.obj", "line.stl", "bomb.glb"):
            code, out, err = self.limited(name, megabytes=900)
            self.assertEqual((code, out), (2, ""), (name, err))
            self.assertIn(name, err.splitlines()[0])
            self.assertNotIn("memory", err, name)
        # Of primitives that share a list of points, only what they name is copied
        points = [(float(i), 0.0, 0.0) for i in range(30000)] + [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]
        def share(gltf):
            gltf["meshes"][0]["primitives"] *= 2000
        self.put("shared.glb", glb([("a", (points, [(30000, 30001, 30002)]), {})], share))
        code, out, _ = self.limited("shared.glb", "--format", "json", megabytes=700)
        self.assertEqual(json.loads(out)["inputs"][0]["vertices"], 3)

    def test_a_crowd_of_shells_meets_a_limit(self):
        # Triangles within one box: 18 million pairs
        rng = random.Random(5)
        count = 6000
        data = b"\0" * 80 + struct.pack("<I", count)
        for _ in range(count):
            c = [rng.uniform(-1e-3, 1e-3) for _ in range(3)]
            data += struct.pack("<12f", 0, 0, 0, c[0] - 1, c[1] - 1, c[2] - 1, c[0] + 1, c[1] + 1, c[2] + 1, *c) + b"\0\0"
        self.put("crowd.stl", data)
        process = subprocess.Popen([SUDAR, "check", "crowd.stl", "--per-part", "--format", "json", "--threads", "1"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder.name,
                                   preexec_fn=None if SANITIZED else
                                   lambda: resource.setrlimit(resource.RLIMIT_AS, (900 << 20, 900 << 20)))
        # Where that takes long, what is known so far is enough
        patience = threading.Timer(20, process.send_signal, [signal.SIGINT])
        patience.start()
        out, err = process.communicate(timeout=60)
        patience.cancel()
        result = json.loads(out)
        self.assertEqual(process.returncode, 3, err)
        self.assertFalse(result["complete"])
        self.assertLessEqual(result["counts"]["candidate_pairs"], (1 << 22) + count)

    def test_glb_by_its_bytes_and_harmless_extensions(self):
        parts = [("a", box((0, 0, 0), 1), {})]
        def need(gltf):
            gltf["extensionsRequired"] = ["KHR_texture_transform", "KHR_materials_unlit"]
        self.put("no_ending", glb(parts, need))
        self.assertEqual(self.json("no_ending")["counts"]["objects"], 1)
        def instances(gltf):
            gltf["nodes"][0]["extensions"] = {"EXT_mesh_gpu_instancing": {}}
        self.put("many.glb", glb(parts, instances))
        self.assertEqual(self.run_check("many.glb")[0], 2)
        def beside(gltf):
            gltf["buffers"][0]["uri"] = "my%20part.bin"
        whole = glb(parts)
        length = struct.unpack("<I", whole[12:16])[0]
        self.put("my part.bin", whole[20 + length + 8:])
        text = json.loads(whole[20:20 + length])
        beside(text)
        self.put("beside.gltf", json.dumps(text).encode())
        self.assertEqual(self.json("beside.gltf")["inputs"][0]["triangles"], 12)

    def test_places_are_tried_before_the_work(self):
        self.put("a.obj", box((0, 0, 0), 1))
        for option in (["-o", "none/r.json"], ["--export-contacts", "none/c.ply"]):
            code, out, err = self.run_check("a.obj", *option)
            self.assertEqual((code, out), (2, ""))
            self.assertIn("none", err)
        code, _, err = self.run_check("a.obj", "--format", "csv", "-o", "r.csv")
        self.assertEqual(code, 0)
        self.assertIn("1 part", err)

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

    def interrupt(self, *arguments, after):
        process = subprocess.Popen([SUDAR, "check", *arguments, "--format", "json", "--threads", "1"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder.name)
        time.sleep(after)
        # Slow machines: only a command that still runs is asked to stop
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        asked = time.time()
        out, err = process.communicate(timeout=60)
        took = time.time() - asked
        self.assertEqual(process.returncode, 3, err)
        result = json.loads(out)
        self.assertFalse(result["complete"])
        # The bar is half a second; a machine that does other things gets more
        self.assertLess(took, 0.5 if os.getloadavg()[0] < os.cpu_count() else 5)
        return result

    def test_interrupt_prints_what_is_known(self):
        parts = [("p%d" % i, ball((0.001 * i, 0, 0), 1, 60)) for i in range(120)]
        self.put("many.obj", obj(parts))
        result = self.interrupt("many.obj", "--per-part", after=1.5)
        self.assertLess(result["counts"]["tested_pairs"], max(result["counts"]["candidate_pairs"], 1))

    def test_interrupt_inside_of_one_pair_and_while_reading(self):
        # Needles that all cross: one pair of parts, hundreds of millions of pairs of triangles
        rng = random.Random(3)
        def needles(axis):
            count = 30000
            data = [b"\0" * 80 + struct.pack("<I", count)]
            for _ in range(count):
                p = [rng.uniform(-1, 1) for _ in range(3)]
                q, r = list(p), list(p)
                p[axis], q[axis], r[axis] = -100, 100, 100
                p[2], q[2], r[2] = -1, 1, 1.1
                data.append(struct.pack("<12f", 0, 0, 0, *p, *q, *r) + b"\0\0")
            return b"".join(data)
        self.put("x.stl", needles(0))
        self.put("y.stl", needles(1))
        result = self.interrupt("x.stl", "y.stl", after=10 if SANITIZED else 2)
        self.assertEqual(result["counts"]["objects"], 2)
        # A file of many megabytes of text
        block = "".join("v %d.5 0 0\nv 0 %d.25 0\nv 0 0 %d.125\nf -1 -2 -3\n" % (i, i, i) for i in range(20000))
        self.put("large.obj", block.encode() * 60)
        result = self.interrupt("large.obj", "--mode", "self", after=0.4)
        self.assertLessEqual(len(result["inputs"]), 1)

    def test_progress_on_a_terminal(self):
        parts = [("p%d" % i, ball((0.001 * i, 0, 0), 1, 60)) for i in range(60)]
        self.put("many.obj", obj(parts))
        master, slave = os.openpty()
        process = subprocess.Popen([SUDAR, "check", "many.obj", "--per-part", "--threads", "1"], stdout=subprocess.DEVNULL,
                                   stderr=slave, cwd=self.folder.name)
        os.close(slave)
        started, times, text = time.time(), [], b""
        while time.time() - started < 2 and process.poll() is None:
            if select.select([master], [], [], 0.05)[0]:
                text += os.read(master, 4096)
                times.append(time.time() - started)
        process.kill()
        process.wait()
        os.close(master)
        self.assertTrue(times)
        self.assertIn(b"files", text)
        if os.getloadavg()[0] < os.cpu_count():
            self.assertLess(times[0], 0.2 + 0.1)  # with the start of the process
            self.assertLess(max(b - a for a, b in zip(times, times[1:])), 0.5)


if __name__ == "__main__":
    unittest.main()
