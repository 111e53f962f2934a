#!/usr/bin/env python3
"""The seed corpora of the fuzzer: small files of every format, written to FOLDER/TARGET/. Usage: make_seeds.py FOLDER"""
import json
import pathlib
import random
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cli"))
import hard_files  # noqa: E402

CUBE = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
FACES = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
TRIANGLES = [t for a, b, c, d in FACES for t in ((a, b, c), (a, c, d))]


def stl():
    corners = b"".join(struct.pack("<12fH", 0, 0, 0, *CUBE[a], *CUBE[b], *CUBE[c], 0) for a, b, c in TRIANGLES)
    yield b"binary".ljust(80, b"\0") + struct.pack("<I", len(TRIANGLES)) + corners
    text = "".join("facet normal 0 0 1\nouter loop\n" + "".join("vertex %g %g %g\n" % CUBE[k] for k in t) + "endloop\nendfacet\n"
                   for t in TRIANGLES[:4])
    yield f"solid one\n{text}endsolid one\nsolid two\n{text}endsolid two\n".encode()


def obj():
    vertices = "".join("v %g %g %g\n" % p for p in CUBE)
    faces = "".join("f " + " ".join(str(k + 1) for k in f) + "\n" for f in FACES)
    yield f"# cube\n{vertices}o one\n{faces}".encode()
    yield f"o a\ng b\n{vertices}f 1/1/1 2//2 4\nf -1 -2 -3\ng default\nusemtl m\nf 1 2 \\\n 3 4 8\n".encode()
    # A star: not convex
    star = "".join("v %d %d 0\n" % p for p in [(0, 3), (1, 1), (3, 0), (1, -1), (0, -3), (-1, -1), (-3, 0), (-1, 1)])
    yield f"{star}f 8 7 6 5 4 3 2 1\n".encode()


def off():
    vertices = "".join("%g %g %g\n" % p for p in CUBE)
    yield ("OFF\n8 6 12\n" + vertices + "".join("4 %d %d %d %d\n" % f for f in FACES)).encode()
    yield b"COFF 3 1 0 # comment\n0 0 0 255 0 0 1\n1 0 0 1 1 1 1\n0 1 0 1 1 1 1\n3 0 1 2 0.5 0.5 0.5\n"


def ply():
    for kind, order in (("ascii", None), ("binary_little_endian", "<"), ("binary_big_endian", ">")):
        head = (f"ply\nformat {kind} 1.0\ncomment c\nelement vertex 8\nproperty double x\nproperty float y\nproperty float z\n"
                "element face 6\nproperty list uchar int vertex_indices\nproperty uchar red\nend_header\n").encode()
        if order is None:
            yield head + "".join("%g %g %g\n" % p for p in CUBE).encode() + b"".join(b"4 %d %d %d %d 7\n" % f for f in FACES)
        else:
            yield head + b"".join(struct.pack(order + "dff", *p) for p in CUBE) + \
                b"".join(struct.pack(order + "B4iB", 4, *f, 7) for f in FACES)


def npy_bytes(descr, shape, data, version=1):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)
    head = head.ljust(117) + "\n"
    size = struct.pack("<H", len(head)) if version == 1 else struct.pack("<I", len(head))
    return b"\x93NUMPY" + bytes([version, 0]) + size + head.encode() + data


def npy():
    yield npy_bytes("<f4", "(2, 6)", struct.pack("<12f", *range(12)))
    yield npy_bytes("<f8", "(1, 2, 4)", struct.pack("<8d", *range(8)), 2)
    yield npy_bytes("<u4", "(3,)", struct.pack("<3I", 1, 2, 3), 3)


def csv():
    yield b"xmin,ymin,xmax,ymax\n0,0,1,1\n# comment\n0.5,0.5,2,2\n\n-1e3,-1,0,0\n"
    yield b"0 0 0 1 1 1\n0;0;0;1;1;1\n0,0,0,1,1,1\n"
    # Moving points, of which the same reader knows nothing: numerators, denominators, and whether they meet
    for numbers in (("1", "2", "-3", "1", "0", "1"), ("9007199254740993", str(2**60), "-" + str(2**1023), "1", "5", str(2**1000))):
        yield ("".join(",".join(numbers) + f",{hit}\n" for hit in (0, 1) for _ in range(8))).encode()


def aabbs():
    boxes = struct.pack("<8f", -5, -5, -5, 0, 5, 5, 5, 0) + struct.pack("<8f", 0, 0, 0, 0, 1, 1, 1, 0) * 4
    yield b"scene".ljust(128, b"\0") + b"cubes".ljust(128, b"\0") + struct.pack("<4i", 2, 2, 0, 0) + boxes
    yield b"scene".ljust(128, b"\0") + b"cubes".ljust(128, b"\0") + struct.pack("<4i", 2, 1, 0, 0) + boxes


SHAPES3 = [{"type": "sphere", "radius": 1}, {"type": "box", "half": [1, 2, 3]}, {"type": "capsule", "p": [0, 0, -1], "q": [0, 0, 1], "radius": 0.5},
           {"type": "cylinder", "half_height": 1, "radius": 0.5}, {"type": "cone", "half_height": 1, "radius": 0.5},
           {"type": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}, {"type": "point", "p": [0, 0, 0]},
           {"type": "triangle", "a": [0, 0, 0], "b": [1, 0, 0], "c": [0, 1, 0]}, {"type": "halfspace", "normal": [0, 0, 1], "offset": 0},
           {"type": "mesh", "vertices": CUBE, "triangles": TRIANGLES, "solid": True},
           {"type": "compound", "children": [{"shape": {"type": "sphere", "radius": 1}, "pose": {"position": [1, 0, 0]}}]}]


def query():
    cases = [line for line in (ROOT / "data/hard_cases.jsonl").read_text().splitlines() if len(line) < 700]
    cases += [line for line in (ROOT / "data/hard_rays.jsonl").read_text().splitlines() if len(line) < 500]
    for line in cases[::4]:
        yield line.encode()
    for i, a in enumerate(SHAPES3):
        b = SHAPES3[(i + 1) % len(SHAPES3)]
        for op in ("intersects", "distance", "contacts"):
            yield json.dumps({"id": i, "op": op, "dim": 3, "a": {"shape": a}, "margin": 0.1,
                              "b": {"shape": b, "pose": {"position": [0.5, 0.25, 1], "rotation": [0.5, 0.5, 0.5, 0.5]}}}).encode()
    yield b'{"op":"inside","dim":2,"a":{"shape":{"type":"circle","radius":1}},"point":[0,1]}'


def scene_file():
    floor = {"shape": {"type": "box", "half": [10, 10, 1]}, "pose": {"position": [0, 0, -1]}, "kind": "fixed"}
    ball = {"shape": {"type": "sphere", "radius": 0.5}, "pose": {"position": [0, 0, 1]}, "velocity": [0, 0, -1], "bullet": True}
    crate = {"shape": {"type": "box", "half": [0.5, 0.5, 0.5]}, "pose": {"position": [0, 1, 2]}, "friction": 0.3, "density": 10}
    joint = {"kind": "revolute", "a": 1, "b": 2, "pose": {"position": [0, 0.5, 1.5]}, "hinge": {"lower": -1, "upper": 1}}
    yield json.dumps({"schema": "sudar/scene-1", "dim": 3, "dt": 0.01, "gravity": [0, 0, -10], "bodies": [floor, ball, crate],
                      "joints": [joint], "substeps": 2}).encode()
    disc = {"shape": {"type": "circle", "radius": 0.5}, "pose": {"position": [0, 1], "angle": 0.5}, "angular_velocity": 1}
    yield json.dumps({"schema": "sudar/scene-1", "dim": 2, "bodies": [disc, {**disc, "pose": {"position": [0.25, 2]}}],
                      "joints": [{"kind": "distance", "a": 0, "b": 1, "anchor_a": [0, 1], "anchor_b": [0, 2]}]}).encode()
    yield b'{"schema":"sudar/scene-1","builtin":"pyramid rows=3"}'


def gltf():
    data = b"".join(struct.pack("<3f", *p) for p in CUBE) + b"".join(struct.pack("<3H", *t) for t in TRIANGLES)
    model = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
             "nodes": [{"name": "n", "mesh": 0, "translation": [1, 2, 3], "children": [1]}, {"mesh": 0, "scale": [1, -1, 1]}],
             "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
             "accessors": [{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
                           {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}],
             "bufferViews": [{"buffer": 0, "byteLength": 96}, {"buffer": 0, "byteOffset": 96, "byteLength": 72}],
             "buffers": [{"byteLength": len(data)}]}
    text = json.dumps(model).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(data), 0x004E4942) + data
    yield struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks
    import base64
    model["buffers"] = [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]
    yield json.dumps(model).encode()


def robot():
    body = '<collision><origin xyz="0 0 0.5" rpy="0 1.5 0"/><geometry><%s/></geometry></collision>'
    links = "".join('<link name="%s">%s</link>' % (name, body % shape) for name, shape in
                    (("a", 'box size="1 1 1"'), ("b", 'sphere radius="0.5"'), ("c", 'cylinder radius="0.5" length="2"')))
    joint = '<joint name="%s" type="%s"><parent link="%s"/><child link="%s"/><origin xyz="0 0 2"/><axis xyz="0 0 1"/>%s</joint>'
    joints = joint % ("j", "revolute", "a", "b", '<limit lower="-1" upper="1"/>') + joint % ("k", "prismatic", "b", "c", "")
    yield f'<?xml version="1.0"?><!-- robot --><robot name="r">{links}{joints}</robot>\0name,j,k\nfirst,0,0\n"a,b",0.5,-1e3\n'.encode()
    mimic = joint % ("j", "continuous", "a", "b", "") + joint % ("k", "fixed", "b", "c", '<mimic joint="j" multiplier="2" offset="1"/>')
    yield f'<robot name="&lt;&#65;">{links}{mimic}</robot>\0j\n1\n'.encode()


def rules():
    yield b"# rules\nbolt*:plate* # they fit\nwasher\na\\:b:c?\n*:*\n"
    yield b'<robot name="r"><disable_collisions link1="a" link2="b" reason="Adjacent"/><disable_collisions link1="a" link2="c"/></robot>'


def baseline():
    clash = {"id": "1", "a": "x", "b": "y", "type": "hard", "depth": 0.5, "depth_lower": 0.4, "direction": [0, 0, 1], "point": [1, 2, 3],
             "bounds": [[0, 0, 0], [1, 1, 1]], "state": 3, "status": "new"}
    yield json.dumps({"schema": "sudar/check-1", "clashes": [clash, {**clash, "type": "touch", "status": "resolved"}]}).encode()
    # What `sudar bench` compares, and what it goes on with
    def run(ms, **more):
        rows = [{"table": "t", "workload": w, "contestant": c, "version": v, "ms_min": ms * n, "spread": 0.02, "ratio_p10": 1,
                 "ratio_p90": 1 + n / 8, "trouble": trouble} for w in ("a", "b") for n, (c, v, trouble) in
                enumerate((("ours", "", ""), ("peer", "1", ""), ("other", "2", "crashed")), 1)]
        return json.dumps({"schema": "sudar/bench-1", "suite": "s", "quick": True, "peers_asked": True, "measurements": rows,
                           "bars": [{"what": "bar", "passed": ms < 2}], "build": {"compiler": "c"}, **more}).encode()
    yield run(1)
    yield run(1) + b"\0" + run(3, machine={"processor": "p"})
    yield run(1e-300) + b"\0" + run(1e300, suite=["t"])
    row = dict.fromkeys("min_ms median_ms spread ratio_to_best ratio_low ratio_median ratio_high answer".split(), 1.5)
    row |= dict.fromkeys("rounds calls disturbed repeated disagreements of".split(), 3)
    row |= dict.fromkeys("table workload contestant version why trouble".split(), "t")
    chart = dict.fromkeys("name title table kind x y series".split(), "c")
    part = {"schema": "sudar/bench-part-1", "key": {"program": "1-2"}, "suite": "s", "part": "p", "seconds": 1, "megabytes": 2.5,
            "trouble": "", "measurements": [row, {**row, "min_ms": None}],
            "bars": [{"what": "b", "required": 1, "seen": 2, "passed": True, "measured": True, "seen_by_rounds": 0, "side": 2}],
            "tables": [{"name": "t", "columns": ["a", "b"], "rows": [["1", "2"]]}],
            "charts": [{**chart, "log_x": True, "log_y": False, "choices": ["d"], "levels": [{"y": 1, "label": "one"}]}],
            "findings": [{"id": "E1", "claim": "c", "verdict": 1, "ours": "o", "chart": "c"}],
            "missing": ["m"], "missing_inputs": [], "notes": ["n"]}
    yield json.dumps(part).encode()
    yield json.dumps({**part, "measurements": [], "bars": [], "charts": [], "trouble": "none"}).encode()


def recording():
    for dim, numbers in ((2, 7), (3, 13)):
        body = b"".join(struct.pack("<IB", i, i % 2) + struct.pack(f"<{numbers}d", *range(numbers)) for i in range(3))
        step = b"\1" + struct.pack("<QI", 12345, 3) + body
        yield b"SUDARREC" + struct.pack("<IIQ", 1, dim, 5) + b"tower" + step * 2 + b"\0" + struct.pack("<Q", 2)
        shape = {"type": "circle", "radius": 0.5} if dim == 2 else {"type": "sphere", "radius": 0.5}
        scene = json.dumps({"schema": "sudar/scene-1", "dim": dim, "bodies": [{"shape": shape}] * 3})
        for file in ({}, {"file": scene}, {"file": "[" * 300}):
            text = json.dumps({"schema": "sudar/recording-1", "scene": "tower n=3", "dt": 0.01, "steps": 2} | file).encode()
            yield b"SUDARREC" + struct.pack("<IIQ", 1, dim, len(text)) + text + step * 2 + b"\0" + struct.pack("<Q", 2)


def lab_files():
    scenes = (("uniform n=10 dim=3", 3), ("tower n=3 dim=2", 2), ("chain n=4 dim=3", 3), ("free_fall n=5 dim=2", 2),
              ("characters", 2))
    for scene, dim in scenes:
        head = f"sudar-lab-recording 1\nscene {scene}\ndim {dim}\ndt 0.016666666666666666\noptions sort_sweep 2 0.02 0 1\n"
        kinds = ("pull", "carry", "let_go", "shoot", "resolution", "detection", "resolution", "detection")
        inputs = "".join(f"input {i // 2} {kind} {i % 3}{' 0.5' * dim}{' 1' * dim} {i % 2}\n" for i, kind in enumerate(kinds))
        yield f"{head}{inputs}hash 2 9e3779b97f4a7c15\nsteps 4\n".encode()
    yield (b"sudar/lab-1\nexhibit=uniform n=100\nscale=1.5\nspeed=0.5\nwidth=800\nheight=600\npanels=on\nshadows=off\n"
           b"grid=on\nlater=1\n")
    race = [{"workload": "w", "contestant": c, "version": v, "n": n, "ms_min": n / 8}
            for c, v in (("a", ""), ("b", "1.0")) for n in (1, 10, 100)]
    curve = [{"n": 1, "ms": 2}, {"n": 50, "ms": 70}]
    yield json.dumps({"suite": "s", "build": {"compiler": "c"}, "tables": {"race": race, "curve": curve},
                      "bars": [{"what": "w", "required": 1, "seen": 2, "passed": True}]}).encode()
    # Pairs that were copied
    for i, a in enumerate(SHAPES3):
        pose = {"position": [0.5, 0.25, 1], "rotation": [0.5, 0.5, 0.5, 0.5]}
        yield json.dumps({"op": "distance", "dim": 3, "a": {"shape": a}, "b": {"shape": SHAPES3[i - 1], "pose": pose}}).encode()
    flat = ({"type": "circle", "radius": 1}, {"type": "box", "half": [1, 2]}, {"type": "polygon", "points": [[0, 0], [1, 0], [0, 1]]})
    for i, a in enumerate(flat):
        yield json.dumps({"op": "distance", "dim": 2, "a": {"shape": a},
                          "b": {"shape": flat[i - 1], "pose": {"position": [1, 2], "angle": 0.5}}}).encode()
    # Scripts of boxes
    for dim in (2, 3):
        box, far = " 0" * dim + " 1" * dim, " 0.5" * dim + " 2e30" * dim
        lines = [f"insert{box} 1 7 0 moving", f"insert{far} 1 1 2 fixed", f"move 1{box}", f"teleport 0{far}", "remove 1",
                 f"shift 0{' -1' * dim}", "drift 5 0.25", "filter 0 1 2 3", "motion 0 fixed", "callback 1", f"assign 2{box}{far}",
                 f"many 3{box}{' 0.5' * dim} 9 moving", "update", "events", "parameter 1 0.5", "build",
                 f"cast{box}{' 1' * dim} inf 1 1 0", f"overlap{far} 1 1 0", f"nearest 2{box} 1 1 0", "clear"]
        yield "\n".join([f"dim {dim}", *lines]).encode()


# Numbers as bytes.hpp reads them: a multiple of 1/8, its neighbours, and the same with a bit far behind the point
def eighth(x):
    return bytes([int(8 * x) + 80])


def above(x):
    return bytes([160, int(16 * x) + 128])


def below(x):
    return bytes([176, int(16 * x) + 128])


def with_bit(x, k):
    return bytes([192 + k, int(16 * x) + 128])


def numbers(*values):
    return b"".join(eighth(x) for x in values)


# Bodies that reach from -1 to 1 along every axis that they have: a ball, a capsule, a box, a cylinder, a cone, a triangle, a
# segment, a half-space; hulls: a cube, a square, an octahedron, and a tetrahedron with a rounding
EVEN = [bytes([0]) + numbers(1), bytes([1]) + numbers(-0.5, 0, 0, 0.5, 0, 0, 0.5), bytes([2]) + numbers(1, 1, 1),
        bytes([4]) + numbers(1, 1), bytes([5]) + numbers(1, 1), bytes([6]) + numbers(-1, -1, 0, 1, -1, 0, 0, 1, 0),
        bytes([7]) + numbers(-1, 0, 0, 1, 0, 0), bytes([8]) + numbers(1, 0, 0, 1),
        bytes([9, 7]) + numbers(*(2 * x - 1 for p in CUBE for x in p)) + b"\1",
        bytes([9, 3]) + numbers(-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0) + b"\1",
        bytes([9, 5]) + numbers(-1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1) + b"\1",
        bytes([9, 3]) + numbers(-1, -1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1) + b"\0" + numbers(0.125)]
# What came later: ellipsoids, a cone, the surface of a tetrahedron and one triangle of it, heights, a compound, a rounded hull
CORNERS = numbers(-1, -1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
MORE3 = [bytes([196]) + numbers(1, 1, 1), bytes([197]) + numbers(1, 0.5, 2), bytes([198]) + numbers(1, 1),
         bytes([199, 1, 0]) + CORNERS + b"\1", bytes([199, 0, 0]) + CORNERS + bytes([0, 0, 1, 2]),
         bytes([200, 0, 0]) + numbers(0, 1, 0, -1) + numbers(1, 1), bytes([201, 1, 0]) + numbers(1, 0, 0, 0) + b"\4"
         + numbers(1, 1, 1, 1, 0, 0, 1, 0, 0, 1), bytes([195, 3]) + CORNERS + numbers(0.5)]
# In the plane: a circle, a rod, a box, a half-plane, a point, a triangle; a compound, a chain, an arrow, a segment, a rounded triangle
FLAT = [b"\0" + numbers(1), b"\1" + numbers(-0.5, 0, 0.5, 0, 0.5), b"\2" + numbers(1, 1), b"\3" + numbers(1, 0, 1), b"\4" + numbers(0, 0),
        b"\5\2" + numbers(-1, -1, 1, -1, 0, 1), bytes([195, 1, 0]) + numbers(1, 0, 0) + b"\4" + numbers(1, 1, 1, 0, 1),
        bytes([196, 2]) + numbers(-1, 0, 0, 1, 1, 0, 2, 0) + b"\1", bytes([192, 1]) + numbers(-1, -1, 1, 0, -1, 1, 0, 0),
        bytes([193]) + numbers(-1, 0, 1, 0), bytes([194, 2]) + numbers(-1, -1, 1, -1, 0, 1) + numbers(0.25)]
# None, half a turn, quarter turns about two axes, a small one, any
TURNS = [b"\1"] + [b"\0" + numbers(*q) for q in ((0, 0, 0, 1), (1, 0, 0, 1), (1, 0, 1, 0), (1, 0, 0, 0.125), (5, 1, 1, 1))]


# Every two of them side by side, edge to edge, corner to corner, in one place and in one plane: touching, and a step of the last
# digit or of a bit more to both sides of it
def bodies():
    steps = [eighth(2), above(2), below(2), with_bit(2, 11), with_bit(2, 8), with_bit(2, 4), with_bit(2, 12), eighth(0), above(0),
             with_bit(0, 20)]
    places = [numbers(0, 0), numbers(1, 0), numbers(2, 0), numbers(2, 2), numbers(0.125, 0), above(2) + below(0),
              above(0) + eighth(0)]
    count = 0
    for i, a in enumerate(EVEN):
        for b in EVEN[i:]:
            for k in range(4):
                x, yz = steps[(count * 3 + k) % len(steps)], places[(count + 2 * k) % len(places)]
                # Any axis may be the one in which they meet
                place = (x + yz, yz + x)[count % 2]
                yield a + b + numbers(0, 0, 0) + TURNS[count % 2] + place + TURNS[(count // 3) % len(TURNS)] + bytes([k])
                count += 1
    for i, a in enumerate(MORE3):
        for b in (EVEN + MORE3)[i:]:
            x, yz = steps[count % len(steps)], places[count % len(places)]
            yield a + b + numbers(0, 0, 0) + TURNS[count % 2] + x + yz + TURNS[(count // 3) % len(TURNS)] + b"\1"
            count += 1
    # The same in the plane
    for i, a in enumerate(FLAT):
        for b in FLAT[i:]:
            for k in range(2):
                x, turned = steps[(count + k) % len(steps)], (b"\1", b"\0" + eighth(0.75))[(count + k) // 2 % 2]
                yield b"\xff" + a + b + numbers(0, 0) + b"\1" + x + numbers(0) + turned + bytes([k])
                count += 1
    yield from anything(24, 120)


# Points of a lattice, some of them off by the last digit: faces of many points, points in line, points twice
def hull():
    grid = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)]
    plane, line = [p for p in grid if p[2] == 0], [p for p in grid if p[1] == p[2] == 0]
    for i, points in enumerate((grid, plane, line, grid[::2] + grid[:4], CUBE, CUBE + CUBE)):
        yield bytes([i, 0, 1]) + b"".join(numbers(*p) for p in points)
        yield bytes([i + 1, 3, 1]) + b"".join((eighth, above, below)[j % 3](x) for j, p in enumerate(points) for x in p)
    yield from anything(8, 200)


def polygon():
    square = [(-1, -1), (0, -1), (1, -1), (1, 1), (0, 1), (-1, 1)]
    for points in (square, square + square, [(0, 3), (1, 1), (3, 0), (1, -1), (0, -3), (-1, -1), (-3, 0), (-1, 1)][::-1],
                   [(-1, -1), (1, 1), (1, -1), (-1, 1)], [(x / 4, 0) for x in range(8)] + [(0, 1)]):
        yield b"\1" + b"".join(numbers(*p) for p in points)
        yield b"\1" + b"".join((eighth, above, below)[j % 3](x) for j, p in enumerate(points) for x in p)
    yield from anything(8, 120)


def mesh_check():
    for triangles in (TRIANGLES, TRIANGLES[:-1], TRIANGLES + TRIANGLES[:1], [t[::-1] for t in TRIANGLES]):
        yield bytes([8, 1]) + b"".join(numbers(*p) for p in CUBE) + bytes(k for t in triangles for k in t)
    # Every corner of every triangle by itself: to be welded
    corners = [CUBE[k] for t in TRIANGLES[:7] for k in t]
    yield bytes([21, 1]) + b"".join(numbers(*p) for p in corners) + bytes(range(21))
    yield from anything(8, 300)


def batch():
    steps = [eighth(2), above(2), below(2), with_bit(2, 11), eighth(0)]
    turns = [b"\2", b"\11" + numbers(1, 0, 0, 1), b"\11" + numbers(5, 1, 1, 1)]
    for step in steps:
        for turn in turns:
            pose = turn[:1] + step + numbers(0, 0) + turn[1:]
            still = b"\2" + numbers(0, 0, 0)
            yield b"\0\0" + b"\0" + numbers(1, 1, 1) + still + b"\0" + numbers(1, 1, 1) + pose
            rod = numbers(1) + numbers(-1, 0, 0) + numbers(1, 0, 0) + numbers(1)
            yield b"\1\1" + b"\0" + rod + numbers(0, 0, 0) + still + b"\0" + rod + step + numbers(0, 0) + pose
            cube = b"\7\0" + b"".join(numbers(*(2 * x - 1 for x in p)) for p in CUBE)
            for family in range(3):
                yield (bytes([2 + 4 * family, 1]) + cube + still + cube + pose + b"\3\0"
                       + numbers(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1) + pose)
    yield from anything(24, 400)


# A floor, a tower that falls on it, something fast, something that is joined, pushed, saved and restored
def world():
    for dim, box in ((2, 4), (3, 5)):
        def at(x, height):
            return numbers(x, *[0] * (dim - 2), height)

        def crate(height):
            return bytes([0, box]) + numbers(*[0.5] * dim) + at(0, height) + b"\0\0"

        def joint(a, b, kind):
            return bytes([2, a, b, kind]) + at(0, 1) + b"\0\1"

        def push(kind, body):
            turn = numbers(*[1] * (1 if dim == 2 else 3))
            return bytes([3, kind, body]) + at(1, 2) + at(0, 1) + turn + at(0, 2) + numbers(1) + b"\1\1"

        start, step, save = bytes([3 - dim, 1, 1]), b"\6\1", b"\5"
        floor = bytes([0, box]) + numbers(*[8] * (dim - 1), 1) + at(0, -1) + bytes([4, 0, 0])
        fast = b"\1\0" + numbers(0.125) + at(-4, 1.5) + b"\0\5" + at(9, 0)
        yield start + floor + crate(0.5) + crate(1.5) + crate(2.5) + step * 12 + save + fast + step * 10
        for kind in range(6):
            yield (start + floor + crate(2) + crate(3) + joint(1, 2, kind) + step * 4 + push(kind, 1) + step + save
                   + push(kind + 6, 2) + step * 3 + fast + step * 2)
            yield start + floor + crate(0.375) + crate(1) + push(kind + 12, 1) + step * 8 + push(kind + 3, 0) + step * 8
        # Every other broad phase, recorded, with rays and a change of it; joints that are driven and removed; other shapes, turned
        turn = numbers(0.75) if dim == 2 else numbers(5, 1, 1, 1)
        ray, change = b"\xf0" + at(0, 8) + at(0, -1) + numbers(9), b"\xf1\5"
        for other in range(16):
            begin = bytes([3 - dim, (1, 19, 22, 4)[other % 4], 1 + 4 * other])
            drive = bytes([3, 23 + other % 2, 0]) + at(1, 2) + at(0, 1) + turn[:1 if dim == 2 else 3] + at(0, 2) + numbers(1) + b"\1\1"
            remove = drive[:1] + b"\4" + drive[2:]
            yield (begin + floor + crate(2) + crate(3.5) + joint(1, 2, 2 + other % 4) + step * 3 + drive + step * 3 + ray + change
                   + step * 3 + save + remove + step * 3)
        for shape in (FLAT if dim == 2 else MORE3):
            if shape[0] >= 192:
                body = bytes([0]) + shape + at(0, 2) + bytes([128]) + turn + b"\0"
                yield start + floor + body + crate(4) + step * 12 + ray
                yield start + bytes([0]) + shape + at(0, 0) + bytes([130, 0]) + turn + b"\0" + crate(2) + step * 12 + save + ray
    yield from anything(12, 600)


# For each broad phase, which the first byte says: many boxes that drift, come and go, and every question
def broadphase():
    many, drift, update, build, events, cast, overlap, nearest = 10, 4, 13, 14, 15, 16, 17, 18
    for first in range(72):
        dim = 2 if first % 2 else 3
        box = b"\1" + numbers(-4, 8) * dim
        small = b"\1" + numbers(0.5, 0.25) * dim
        everyone = b"\7\7\0"
        ask = bytes([cast]) + small + numbers(*[1] * dim) + numbers(4) + everyone + bytes([overlap]) + box + everyone \
            + bytes([nearest, 5]) + small + everyone + bytes([events])
        start = bytes([many, first]) + box + numbers(*[1] * dim) + bytes([20 + 20 * (first // 36), first // 36 % 2])
        yield (bytes([first]) + start + bytes([update]) + ask + bytes([drift, 1]) + numbers(0.5) + bytes([update]) + ask
               + bytes([5, 3, 5, 7, 0]) + small + everyone + b"\0" + bytes([update]) + ask + bytes([12, first // 36]) + numbers(0.5)
               + bytes([1, 2]) + small + bytes([build]) + ask)
    yield from anything(8, 600)


# Numbers where any may be
def open_numbers(*values):
    return b"".join(b"\0" + eighth(x) for x in values)


# What bodies are asked, one question after the other
def questions():
    for dim, bodies in ((3, EVEN + MORE3), (2, FLAT)):
        begin, still, turns = (b"\xff" if dim == 2 else b""), b"\1" + numbers(*[0] * dim) + b"\1", [1] if dim == 2 else [1, 0, 0]
        for i, body in enumerate(bodies):
            far, up = open_numbers(4, *[0.25] * (dim - 1)), open_numbers(-1, *[0] * (dim - 1))
            other = bodies[(i + 1) % len(bodies)] + b"\1" + numbers(4, *[0] * (dim - 1)) + b"\1"
            yield (begin + body + still + b"\0" + far + b"\0" + open_numbers(*[0] * dim) + b"\2" + far + up + b"\1" + b"\1" + other
                   + open_numbers(-6, *[0] * (dim - 1)) + b"\1" + open_numbers(*turns) + open_numbers(0, 1))
    yield from anything(16, 200)


# A robot, what stands about, and a way between them
def ways():
    for i, body in enumerate(FLAT):
        place = [b"\1" + numbers(x, 0) + b"\1" for x in (0, -3, 3)]
        yield (b"\xff" + FLAT[(i + 1) % len(FLAT)] + place[0] + b"\2" + body + place[1] + FLAT[0] + place[2] + bytes([i % 2])
               + open_numbers(-6, 0, 6, 0))
    for i, body in enumerate(EVEN + MORE3):
        place = [b"\1" + numbers(x, 0, 0) + b"\1" for x in (0, -3, 3)]
        yield (EVEN[i % len(EVEN)] + place[0] + b"\2" + body + place[1] + EVEN[2] + place[2] + b"\1\1\1" + bytes([20, 5, i])
               + open_numbers(-6, 0, 0, 6, 0, 0))
    yield from anything(16, 300)


# A grid, what lies in it, and what is done with the field
def fields():
    for dim, bodies in ((3, EVEN + MORE3), (2, FLAT)):
        begin, still = (b"\xff" if dim == 2 else b""), b"\1" + numbers(*[0] * dim) + b"\1"
        grid = b"\1" + b"".join(bytes([128 - 32, 10]) for _ in range(dim)) + b"\1"
        for i, body in enumerate(bodies):
            field = grid + bytes([0, i % 2, i % 3]) + b"\1" + body
            yield (begin + field + b"\4" + open_numbers(*[0.5] * dim) + b"\3" + bodies[0] + still + bytes([i % 2]) + b"\1" + b"\1" + open_numbers(0.25)
                   + b"\0" + field + bytes([i % 2, i % 3]) + b"\2" + bytes([1] * 7) + open_numbers(2, 0, 0) + b"\0"
                   + open_numbers(*[1, 0.5, 0] * 4))
        triangles = bytes([4]) + bytes(k for t in TRIANGLES[:5] for k in t)
        yield begin + grid + b"\0\1\0\0" + bytes([5]) + b"".join(numbers(*p) for p in CUBE) + triangles + b"\4" + open_numbers(1, 1, 1)
    yield from anything(16, 400)


def balls():
    for begin in (b"", b"\xff"):
        for i in range(6):
            yield begin + bytes([i]) + bytes((37 * k + 11 * i) % 199 for k in range(60 + 20 * i))
    yield from anything(24, 300)


def anything(count, size):
    for seed in range(count):
        yield random.Random(seed).randbytes(size * (seed + 1) // count)


CORPORA = {"stl": stl, "obj": obj, "off": off, "ply": ply, "npy": npy, "csv": csv, "aabbs": aabbs, "query": query,
           "scene_file": scene_file, "gltf": gltf, "robot": robot, "rules": rules, "baseline": baseline, "recording": recording,
           "lab_files": lab_files, "bodies": bodies, "hull": hull, "polygon": polygon, "mesh_check": mesh_check, "batch": batch,
           "questions": questions, "ways": ways, "fields": fields, "balls": balls, "world": world, "broadphase": broadphase, "snapshot": lambda: anything(6, 30)}
# And the hard cases of mesh loaders
for target in ("stl", "obj", "ply", "off", "gltf"):
    CORPORA[target] = lambda make=CORPORA[target], format=target: [*make(), *(data for _, _, data, _ in hard_files.of(format))]

if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    for name, make in CORPORA.items():
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        for i, seed in enumerate(make()):
            (place / f"seed{i:03}").write_bytes(seed)
