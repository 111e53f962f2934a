"""Runs every example of `--help` and of the manual, and holds scene files against docs/scene.schema.json. Standard library only.

usage: examples_test.py PATH_OF_SUDAR
"""

import json
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
SUDAR = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "sudar"
from check_test import box, obj, stl  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
# What takes minutes, or writes into the sources
NOT_RUN = ("bench", "tour", "lab", "completions", "manual")


def faults(value, schema, root, where="scene"):
    """What JSON Schema would say, for the words that the schema uses; every other word is a fault of the test."""
    out = []
    known = {"$schema", "$id", "$defs", "title", "type", "required", "additionalProperties", "properties", "items", "oneOf", "anyOf",
             "$ref", "const", "enum", "minimum", "maximum", "exclusiveMinimum", "minItems", "maxItems", "minLength"}
    assert set(schema) <= known, set(schema) - known
    if "$ref" in schema:
        target = root
        for key in schema["$ref"].lstrip("#/").split("/"):
            target = target[key]
        out += faults(value, target, root, where)
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "number": (int, float), "integer": int}
    if "type" in schema:
        kind = schema["type"]
        if not isinstance(value, kinds[kind]) or (isinstance(value, bool) and kind != "boolean"):
            return out + ["%s is no %s" % (where, kind)]
    if "const" in schema and value != schema["const"]:
        out.append(where + " is another constant")
    if "enum" in schema and value not in schema["enum"]:
        out.append("%s is %r" % (where, value))
    for key, test in (("minimum", lambda a, b: a >= b), ("maximum", lambda a, b: a <= b), ("exclusiveMinimum", lambda a, b: a > b)):
        if key in schema and not test(value, schema[key]):
            out.append("%s is %r" % (where, value))
    for key, test in (("minItems", lambda a, b: a >= b), ("maxItems", lambda a, b: a <= b), ("minLength", lambda a, b: a >= b)):
        if key in schema and not test(len(value), schema[key]):
            out.append("%s has %d elements" % (where, len(value)))
    if isinstance(value, dict):
        out += ["%s has no %s" % (where, key) for key in schema.get("required", []) if key not in value]
        properties = schema.get("properties", {})
        for key, member in value.items():
            if key in properties:
                out += faults(member, properties[key], root, where + "." + key)
            elif schema.get("additionalProperties", True) is False:
                out.append("%s has an unknown %s" % (where, key))
    if isinstance(value, list) and "items" in schema:
        for i, member in enumerate(value):
            out += faults(member, schema["items"], root, "%s[%d]" % (where, i))
    for key, right in (("oneOf", lambda n: n == 1), ("anyOf", lambda n: n > 0)):
        if key in schema and not right(sum(not faults(value, option, root, where) for option in schema[key])):
            out.append("%s is none or several of %s" % (where, key))
    return out


class Examples(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def put(self, name, data):
        with open(os.path.join(self.folder.name, name), "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())

    def npy(self, name, rows, shape):
        header = "{'descr': '<f8', 'fortran_order': False, 'shape': %r, }" % (shape,)
        header += " " * (-(len(header) + 11) % 64) + "\n"
        self.put(name, b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                 struct.pack("<%dd" % len(rows), *rows))

    def fill(self):
        """Every file that an example names."""
        boxes = [0, 0, 0, 1, 1, 1, 0.5, 0.5, 0.5, 2, 2, 2]
        self.npy("boxes.npy", boxes, (2, 6))
        self.npy("frames.npy", boxes * 2, (2, 2, 6))
        self.put("boxes.csv", "0,0,0,1,1,1\n0.5,0.5,0.5,2,2,2\n")
        self.put("cases.jsonl", '{"id":1,"op":"intersects","dim":3,"a":{"shape":{"type":"sphere","radius":1}},'
                                '"b":{"shape":{"type":"point","p":[0,0,0]}}}\n')
        for name, at in (("housing.stl", 0), ("shaft.stl", 1.5), ("a.stl", 0), ("b.stl", 1.5)):
            self.put(name, stl(box((at, 0, 0), 1)))
        self.put("assembly.obj", obj([("plate", box((0, 0, 0), 1)), ("bolt1", box((1, 0, 0), 1)), ("cap", box((0, 1, 0), 1))]))
        self.put("b.obj", obj([("b", box((1, 0, 0), 1))]))
        self.put("old.json", subprocess.run([SUDAR, "check", "assembly.obj", "--per-part", "--format", "json"],
                                            capture_output=True, cwd=self.folder.name).stdout)
        data = os.path.join(ROOT, "data", "robot")
        for name, other in (("arm.urdf", "robot.urdf"), ("arm.srdf", "robot.srdf"), ("states.csv",) * 2, ("hand.stl",) * 2,
                            ("table.stl",) * 2):
            shutil.copy(os.path.join(data, name), os.path.join(self.folder.name, other))
        self.put("scene.json", '{"schema":"sudar/scene-1","builtin":"pyramid rows=2"}')

    def test_every_example_runs(self):
        self.fill()
        text = subprocess.run([SUDAR, "manual"], capture_output=True, text=True).stdout
        commands = re.findall(r"^\.SS sudar (\S+)", text, re.M)
        self.assertIn("check", commands)
        seen = 0
        for command in commands:
            page = subprocess.run([SUDAR, command, "--help"], capture_output=True, text=True).stdout
            examples = [line.strip() for line in page.split("Example", 1)[1].splitlines()[1:] if "sudar" in line]
            self.assertTrue(examples, command)
            if command in NOT_RUN:
                continue
            for example in examples:
                if "recording.aabbs" in example:
                    continue  # no such file is made by hand
                # Shorter, and as a shell reads it
                line = example.replace("n=1000'", "n=20'").replace("n=10000 ", "n=100 ").replace("--steps 600", "--steps 5")
                line = re.sub(r"(^|\| |&& )sudar ", lambda m: m.group(1) + shlex.quote(SUDAR) + " ", line)
                if command == "sim" and "--steps" not in line:
                    line += " --steps 5"
                done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, cwd=self.folder.name, timeout=120)
                # The hash of that example is none of this scene
                expected = (1,) if "validate-hash" in line else (0, 1)
                self.assertIn(done.returncode, expected, example + "\n" + done.stderr)
                seen += 1
        self.assertGreater(seen, 12)

    def test_the_manual_is_readable(self):
        if shutil.which("man") is None:
            self.skipTest("there is no man")
        page = subprocess.run([SUDAR, "manual"], capture_output=True).stdout
        self.put("sudar.1", page)
        done = subprocess.run(["man", "--warnings", "-l", "sudar.1"], capture_output=True, text=True, cwd=self.folder.name,
                              env={**os.environ, "MANPAGER": "cat", "MANWIDTH": "100", "LC_ALL": "C.UTF-8"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("--clearance", done.stdout)

    def test_scene_files_follow_the_schema(self):
        with open(os.path.join(ROOT, "docs", "scene.schema.json")) as file:
            schema = json.load(file)
        with open(os.path.join(ROOT, "docs", "scene_file.md")) as file:
            example = json.loads(re.search(r"```json\n(.*?)```", file.read(), re.S).group(1))
        self.assertEqual(faults(example, schema, schema), [])
        # Every scene by name, as a file
        names = [line.split()[0] for line in subprocess.run([SUDAR, "sim", "--list"], capture_output=True, text=True).stdout.splitlines()]
        self.assertGreater(len(names), 20)
        for name in names:
            scene = {"schema": "sudar/scene-1", "builtin": name, "dt": 0.01}
            self.assertEqual(faults(scene, schema, schema), [], name)
        # What the command refuses is refused by the schema, and the other way round
        body = {"shape": {"type": "sphere", "radius": 1}}
        good = {"schema": "sudar/scene-1", "dim": 3, "bodies": [body, dict(body, kind="fixed")]}
        changes = [{}, {"dim": 4}, {"schema": "other"}, {"bodies": 3}, {"colour": "red"}, {"builtin": "pile"}, {"sleeping": 1},
                   {"bodies": [dict(body, kind="ghost")]}, {"bodies": [{}]}, {"bodies": [dict(body, mask=-1)]},
                   {"joints": [{"kind": "rope", "a": 0, "b": 1}]}, {"joints": [{"a": 0}]}, {"joints": [{"a": 0, "b": 1}]},
                   {"bodies": [dict(body, pose={"position": [0, 0, 1]})]}]
        for change in changes:
            scene = {**good, **change}
            self.put("scene.json", json.dumps(scene))
            done = subprocess.run([SUDAR, "sim", "scene.json", "--steps", "1"], capture_output=True, text=True, cwd=self.folder.name)
            self.assertEqual(done.returncode == 0, faults(scene, schema, schema) == [], (change, done.stderr))


if __name__ == "__main__":
    unittest.main()
