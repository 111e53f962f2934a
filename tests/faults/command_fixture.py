"""What the tests of the command's files share: the command, a folder with things to read, and what a machine cannot have."""
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SUDAR = os.path.abspath(sys.argv.pop(1))
LAB = ["lab", "--headless", "--exhibit", "shapes3", "--size", "320x240", "--frames"]

# Rows that were left out, and why
left_out = {}


def run(*arguments, timeout=120, **options):
    return subprocess.run([SUDAR, *map(str, arguments)], capture_output=True, text=True, timeout=timeout, **options)


def start(*arguments, **options):
    return subprocess.Popen([SUDAR, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


# Why nothing can be drawn here, or nothing
@functools.lru_cache
def no_pictures():
    done = run(*LAB, "1")
    if done.returncode == 0:
        return ""
    left_out["pictures and what the lab saves"] = why = (done.stderr.strip().splitlines() or ["?"])[-1]
    return why


# Runs the tests; says in one line what was left out, which SUDAR_CI=strict does not allow
def main():
    passed = unittest.main(exit=False).result.wasSuccessful()
    if left_out:
        print("left out: " + "; ".join(f"{rows} ({why})" for rows, why in left_out.items()), file=sys.stderr)
        if os.environ.get("SUDAR_CI") == "strict":
            print("with SUDAR_CI=strict nothing may be left out", file=sys.stderr)
            passed = False
    sys.exit(not passed)


class CommandTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        boxes = "".join(f"{x},{y},{x + 1.5},{y + 1.5}\n" for x in range(30) for y in range(30))
        (self.root / "boxes.csv").write_text(boxes)
        self.cube("a.obj", 0)
        self.cube("b.obj", 0.5)
        shape = {"shape": {"type": "sphere", "radius": 1}}
        line = json.dumps({"op": "distance", "dim": 3, "a": shape, "b": {**shape, "pose": {"position": [3, 0, 0]}}})
        (self.root / "lines.jsonl").write_text((line + "\n") * 200)

    def tearDown(self):
        self.folder.cleanup()

    def leave_out(self, rows, why):
        left_out[rows] = why
        self.skipTest(why)

    def cube(self, name, shift):
        corners = [(x + shift, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
        faces = [(1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)]
        text = "".join("v %g %g %g\n" % c for c in corners) + "".join("f %d %d %d %d\n" % f for f in faces)
        (self.root / name).write_text(text)

    # Rods through each other that turn; the usual number of states is more than can be looked at in a moment
    def robot(self, states=4000):
        link = ('<link name="l%d"><collision><origin xyz="0.5 0 0"/><geometry><cylinder radius="0.1" length="0.8"/></geometry>'
                '</collision></link>')
        joint = ('<joint name="j%d" type="continuous"><parent link="l%d"/><child link="l%d"/><origin xyz="0.05 0 0"/>'
                 '<axis xyz="0 1 0"/></joint>')
        count = 12
        text = "".join(link % i for i in range(count)) + "".join(joint % (i, i - 1, i) for i in range(1, count))
        (self.root / "robot.urdf").write_text('<robot name="rods">' + text + "</robot>")
        rows = [",".join([f"{0.001 * (i % 500):g}"] * (count - 1)) for i in range(states)]
        (self.root / "states.csv").write_text("\n".join([",".join(f"j{i}" for i in range(1, count)), *rows]) + "\n")
