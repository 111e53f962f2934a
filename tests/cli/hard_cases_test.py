"""The hard cases of files and boxes (LD-… and AB-… of data/hard_cases.json) as a user meets them: mesh files through
`sudar query`, which also says what memory and time they took, and boxes through `sudar pairs`. Standard library only.

SUDAR_SOAK multiplies the 400 000 equal faces of LD-19; 25 makes them the 10 million of the case.

usage: hard_cases_test.py PATH_OF_SUDAR
"""

import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

import hard_case_ids
import hard_files
from sanitizer import is_sanitized

SUDAR = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "sudar"
WHOLE = len(sys.argv) == 1  # no single tests were asked for
LEDGER = hard_case_ids.Ledger(__file__)
CASES = hard_case_ids.all_cases()
SANITIZED = is_sanitized(SUDAR)
SOAK = float(os.environ.get("SUDAR_SOAK", "1") or 1)


def tearDownModule():
    if WHOLE:
        LEDGER.check()


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name, data=None):
        path = os.path.join(self.folder.name, name)
        if data is not None:
            with open(path, "wb") as file:
                file.write(data)
        return path


class Files(Folder):
    def ask(self, path, rays, precision):
        """The answers, and what they took: bytes of memory at most, and seconds of processor time"""
        lines = "".join(json.dumps({"op": "ray", "a": {"shape": {"type": "mesh", "file": path, "solid": False}},
                                    "origin": list(origin), "direction": [0, 0, -1]}) + "\n" for origin in rays)
        with open(self.path("lines", lines.encode()), "rb") as source, open(self.path("out"), "w+b") as out:
            process = subprocess.Popen([SUDAR, "query", "-", "--precision", precision], stdin=source, stdout=out)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            answers = [json.loads(line) for line in out.read().splitlines()]
        return process.returncode, answers, usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime

    def put(self, key, name, data, expected):
        path = self.path(name, data)
        for precision in hard_case_ids.PRECISIONS:
            with self.subTest(case=key, name=name, precision=precision):
                refused = isinstance(expected, set)
                rays = [(0.25, 0.25, 1)] if refused else [origin for origin, _ in expected]
                code, answers, memory, seconds = self.ask(path, rays, precision)
                LEDGER.add(key, precision)
                self.assertEqual((code, len(answers)), (2 if refused else 0, len(rays)))
                # What the file itself asks of the refused holds for all
                if not SANITIZED:
                    self.assertLessEqual(memory, (64 << 20) + 16 * len(data))
                    self.assertLessEqual(seconds, 1)
                if refused:
                    self.assertIn(answers[0]["error"]["code"], expected)
                    self.assertIn(name, answers[0]["error"]["message"])
                    continue
                for (origin, triangle), x in zip(expected, answers):
                    self.assertEqual((x["hit"], x["t"], x["triangle"]), (True, 1, triangle))
                    self.assertEqual(x["normal"], [0, 0, 1])
                    # The corners in their order: where it is hit is u of the second and v of the third
                    self.assertEqual((x["u"], x["v"]), (origin[0] % 1, origin[1]))
        os.remove(path)

    def test_small_files(self):
        for file in hard_files.of():
            self.put(*file)

    def test_compressed_files_are_refused(self):
        for file in hard_files.bombs():
            self.put(*file)

    def test_equal_faces(self):
        most = max(20000, min(10_000_000, int(400_000 * SOAK)))
        took = {}
        for count in (most // 4, most):
            data = hard_files.equal_faces(count)
            path = self.path("equal.obj", data)
            for precision in hard_case_ids.PRECISIONS[:1 if count < most else 2]:
                code, (x,), memory, seconds = self.ask(path, [(0.25, 0.25, 1)], precision)
                LEDGER.add("LD-19", precision)
                self.assertEqual((code, x["hit"], x["t"], x["normal"]), (0, True, 1, [0, 0, 1]))
                self.assertLess(x["triangle"], count)
                took[count, precision] = seconds
        # Four times as many take four times as long, give or take; what grows with the square takes sixteen times as long
        self.assertLess(took[most, "f64"], 8 * took[most // 4, "f64"] + 0.1, took)


class Boxes(Folder):
    """Each through every broad phase; the answers are those of the doubles of the file"""

    @classmethod
    def setUpClass(cls):
        cls.algorithms = subprocess.run([SUDAR, "pairs", "--list"], capture_output=True, text=True, check=True).stdout.split()
        assert len(cls.algorithms) > 15

    def npy(self, frames, kind="d"):
        shape = (struct.calcsize(kind), len(frames), len(frames[0]))
        head = ("{'descr': '<f%d', 'fortran_order': False, 'shape': (%d, %d, 6), }" % shape).ljust(117) + "\n"
        data = b"".join(struct.pack("<6" + kind, *low, *high) for boxes in frames for low, high in boxes)
        return self.path("boxes.npy", b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode() + data)

    def put(self, cases, precision):
        """(id, boxes, number of pairs) of each; one after another, so that what is left of one would spoil the next"""
        path = self.npy([boxes for _, boxes, _ in cases], "d" if precision == "f64" else "f")
        hashes = set()
        for algorithm in self.algorithms:
            with self.subTest(algorithm=algorithm, precision=precision):
                done = subprocess.run([SUDAR, "pairs", path, "--algorithm", algorithm], capture_output=True, text=True, timeout=120)
                self.assertEqual(done.returncode, 0, done.stderr)
                answer = json.loads(done.stdout)
                hashes.add(answer["hash"])
                self.assertEqual(dict(zip((key for key, _, _ in cases), answer["pairs"])), {key: n for key, _, n in cases})
        self.assertEqual(len(hashes), 1)
        for key, _, _ in cases:
            LEDGER.add(key, precision)

    def test_two_boxes(self):
        keys = ("AB-01", "AB-02", "AB-03", "AB-04", "AB-05")
        cases = [(key, CASES[key]["boxes"], int(CASES[key]["expected"]["overlap"])) for key in keys]
        self.put(cases, "f64")
        # The two of AB-03 would touch as floats: the nearest one is 1. A unit of float apart they do not.
        (a, b), at = cases[2][1], 2
        cases[at] = ("AB-03", [a, [[1 + 2.0**-23, *b[0][1:]], b[1]]], 0)
        self.put(cases, "f32")

    def test_many_boxes(self):
        places = [(i % 10, i // 10 % 10, i // 100) for i in range(1000)]

        def cases(by):
            grids = [[(tuple(x + s for x in p), tuple(x + 1 - s for x in p)) for p in places] for s in (0, by)]
            row = [((i, 0, 0), (i + 1, 1, 1)) for i in range(1000)]
            return [(key, boxes, CASES[key]["expected"]["pairs"])
                    for key, boxes in zip(("AB-08", "AB-09", "AB-10"), [row, *grids])]

        self.put(cases(1e-9), "f64")
        # A float of up to 10 does not hold a billionth less: a millionth takes its place there
        self.put(cases(2.0**-20), "f32")

    def test_free_fall(self):
        # All places of the fall at once, each twice, and who meets whom by the doubles
        places = [-float("1e%d" % k) for k in range(301)]
        boxes = [((-0.5, y - 0.5, -0.5), (0.5, y + 0.5, 0.5)) for y in places] * 2
        expected = sum(all(a[0][k] <= b[1][k] and b[0][k] <= a[1][k] for k in range(3))
                       for i, a in enumerate(boxes) for b in boxes[:i])
        self.assertEqual(expected, 301)
        self.put([("AB-16", boxes, expected)], "f64")
        self.put([("AB-16", boxes[:39] + boxes[301:340], 39)], "f32")

    def test_what_is_no_box(self):
        good = ((0, 0, 0), (1, 1, 1))
        for key, bad in (("AB-12", ((float("nan"), 0, 0), (1, 1, 1))), ("AB-14", ((1, 1, 1), (-1, -1, -1)))):
            for precision, kind in (("f64", "d"), ("f32", "f")):
                path = self.npy([[good, good, bad, good]], kind)
                for algorithm in self.algorithms:
                    done = subprocess.run([SUDAR, "pairs", path, "--algorithm", algorithm], capture_output=True, text=True)
                    self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))
                    self.assertIn("row 2", done.stderr)
                LEDGER.add(key, precision)


if __name__ == "__main__":
    unittest.main()
