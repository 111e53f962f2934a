"""Runs the real command: formats, exit codes and refusals. Standard library only.

usage: cli_test.py PATH_OF_SUDAR
"""

import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import unittest

SUDAR = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "sudar"


def run(*arguments, cwd=None):
    done = subprocess.run([SUDAR, *arguments], capture_output=True, text=True, timeout=120, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


def npy(values, shape, kind="<f4", order="False"):
    """The bytes of an .npy file."""
    header = "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }" % (kind, order, "".join("%d," % n for n in shape))
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    letter = {"f4": "f", "f8": "d", "i4": "i"}[kind[1:]]
    endian = ">" if kind[0] == ">" else "<"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(
        "%s%d%s" % (endian, len(values), letter), *values)


def read_pairs(path, columns=2):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    header = eval(data[10:10 + length])
    assert header["descr"] == "<u4" and not header["fortran_order"] and header["shape"][1] == columns
    assert (10 + length) % 64 == 0
    words = struct.unpack("<%dI" % (header["shape"][0] * columns), data[10 + length:])
    return [words[i:i + columns] for i in range(0, len(words), columns)]


def plain_pairs(boxes, dim):
    """The oracle: closed boxes, every one against every other."""
    return [(a, b) for a in range(len(boxes)) for b in range(a + 1, len(boxes))
            if all(boxes[a][k] <= boxes[b][dim + k] and boxes[b][k] <= boxes[a][dim + k] for k in range(dim))]


def fnv1a(frames):
    value = 0xcbf29ce484222325
    for pairs in frames:
        for pair in pairs:
            for byte in struct.pack("<II", *pair):
                value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return "%016x" % value


def random_boxes(count, dim, seed):
    rng = random.Random(seed)
    boxes = []
    for _ in range(count):
        # Multiples of 1/64: exact in float, with many ties
        lo = [rng.randrange(0, 512) / 64 for _ in range(dim)]
        boxes.append(lo + [x + rng.randrange(0, 64) / 64 for x in lo])
    return boxes


def flat(frames):
    return [x for boxes in frames for box in boxes for x in box]


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def refused(self, *arguments, says=""):
        code, out, err = run(*arguments, cwd=self.folder.name)
        self.assertEqual(code, 2, (arguments, out, err))
        self.assertEqual(out, "", arguments)
        self.assertEqual(err.count("\n"), 1, err)
        self.assertTrue(err.startswith("sudar"), err)
        self.assertIn(says, err)


class Pairs(Case):
    def algorithms(self):
        code, out, err = run("pairs", "--list")
        self.assertEqual((code, err), (0, ""))
        names = out.split("\n")
        self.assertEqual(names.pop(), "")
        self.assertTrue({"brute_force", "sort_sweep", "grid"} <= set(names))
        return names

    def test_every_algorithm_gives_the_pairs_of_the_oracle(self):
        for dim in (2, 3):
            for kind in ("<f4", "<f8"):
                frames = [random_boxes(150, dim, seed) for seed in (1, 2, 3)]
                expected = [plain_pairs(boxes, dim) for boxes in frames]
                path = self.write("boxes.npy", npy(flat(frames), (3, 150, 2 * dim), kind))
                for name in self.algorithms():
                    code, out, err = run("pairs", path, "--algorithm", name, "--out", self.path("p.npy"), "--threads", "2")
                    self.assertEqual((code, err), (0, ""))
                    answer = json.loads(out)
                    self.assertEqual(answer["schema"], "sudar/pairs-1")
                    self.assertEqual(answer["algorithm"], name)
                    self.assertEqual((answer["dim"], answer["boxes"], answer["frames"]), (dim, 150, 3))
                    self.assertEqual(answer["pairs"], [len(pairs) for pairs in expected])
                    self.assertEqual(answer["hash"], fnv1a(expected))
                    self.assertEqual(answer["threads"], 2)
                    self.assertLessEqual(answer["ms"]["min"], answer["ms"]["median"])
                    self.assertLessEqual(answer["ms"]["median"], answer["ms"]["p95"])
                    self.assertGreater(answer["memory_bytes"], 0)
                    self.assertGreaterEqual(answer["ms"]["total"], answer["first_ms"])
                    self.assertIn("box_tests", answer["stats"])
                    self.assertEqual(read_pairs(self.path("p.npy")), expected[-1])

    def test_all_frames_and_csv(self):
        frames = [random_boxes(60, 2, seed) for seed in (5, 6)]
        expected = [plain_pairs(boxes, 2) for boxes in frames]
        path = self.write("boxes.npy", npy(flat(frames), (2, 60, 4)))
        self.assertEqual(run("pairs", path, "--all-frames", "--out", self.path("p.npy"))[0], 0)
        rows = [(frame, a, b) for frame, pairs in enumerate(expected) for a, b in pairs]
        self.assertEqual(read_pairs(self.path("p.npy"), 3), rows)
        self.assertEqual(run("pairs", path, "--repeat", "3", "--out", self.path("p.csv"))[0], 0)
        with open(self.path("p.csv")) as file:
            self.assertEqual([tuple(map(int, line.split(","))) for line in file], expected[-1])
        # The first frame as .csv
        text = "\n".join(",".join(map(repr, box)) for box in frames[0])
        path = self.write("boxes.csv", ("x0,y0,x1,y1\n" + text).encode())
        code, out, _ = run("pairs", path)
        self.assertEqual((code, json.loads(out)["pairs"]), (0, [len(expected[0])]))

    def test_doubles_are_compared_as_doubles(self):
        # Apart by less than a float can tell; touching exactly; overlapping by one unit in the last place
        boxes = [[0.1, 0, 0.2, 1], [0.2 + 1e-15, 0, 0.3, 1], [0.3, 0, 0.4, 1], [0.4 - 1e-16, 0, 0.5, 1]]
        path = self.write("boxes.npy", npy(flat([boxes]), (4, 4), "<f8"))
        for name in self.algorithms():
            answer = json.loads(run("pairs", path, "--algorithm", name, "--out", self.path("p.npy"))[1])
            self.assertEqual(read_pairs(self.path("p.npy")), plain_pairs(boxes, 2))
            self.assertEqual(answer["stats"]["rounded_away"], 1)

    def test_no_boxes(self):
        path = self.write("boxes.npy", npy([], (0, 6)))
        code, out, _ = run("pairs", path, "--out", self.path("p.npy"))
        self.assertEqual((code, json.loads(out)["pairs"]), (0, [0]))
        self.assertEqual(json.loads(out)["hash"], "cbf29ce484222325")
        self.assertEqual(read_pairs(self.path("p.npy")), [])

    def test_refusals_name_what_is_wrong(self):
        nan, inf = float("nan"), float("inf")
        good = [0, 0, 1, 1]
        for bad, what in (([0, nan, 1, 1], "NaN"), ([0, 0, inf, 1], "infinity"), ([2, 0, 1, 1], "lo > hi")):
            path = self.write("bad.npy", npy(flat([[good, good, bad]]), (3, 4)))
            self.refused("pairs", path, says="row 2")
            self.refused("pairs", path, says=what)
            path = self.write("bad.npy", npy(flat([[good, good], [good, bad]]), (2, 2, 4)))
            self.refused("pairs", path, says="frame 1, row 1")
        self.refused("pairs", self.write("bad.csv", b"0,0,1,1\n0,0,nan,1\n"), says="row 1")
        self.refused("pairs", self.write("bad.csv", b"0,0,1,1\n0,0,1\n"), says="row 1")
        self.refused("pairs", self.write("empty.csv", b""))
        self.refused("pairs", self.path("missing.npy"), says="missing.npy")
        self.refused("pairs", self.folder.name)
        # A pipe that nobody writes to would be waited for
        for name in ("pipe.npy", "pipe.csv", "pipe.aabbs"):
            os.mkfifo(self.path(name))
            self.refused("pairs", self.path(name), says=name + ": it is no regular file")
        self.refused("pairs", self.write("boxes.txt", b"0,0,1,1"))
        values = flat([[good, good]])
        self.refused("pairs", self.write("f.npy", npy(values, (2, 4), order="True")), says="Fortran")
        self.refused("pairs", self.write("f.npy", npy(values, (2, 4), ">f4")), says="big-endian")
        self.refused("pairs", self.write("f.npy", npy(values, (2, 4), "<i4")), says="float32")
        self.refused("pairs", self.write("f.npy", npy(values, (8,))))
        self.refused("pairs", self.write("f.npy", npy(values, (1, 8))))
        self.refused("pairs", self.write("f.npy", npy(values, (3, 4))), says="shorter")
        self.refused("pairs", self.write("f.npy", npy(values, (10**15, 4))))
        self.refused("pairs", self.write("f.npy", npy(values, (10**30, 4))))
        whole = npy(values, (2, 4))
        for cut in (0, 5, 9, 40, len(whole) - 1):
            self.refused("pairs", self.write("f.npy", whole[:cut]))
        path = self.write("good.npy", whole)
        self.refused("pairs", says="no file")
        self.refused("pairs", path, "--algorithm", "quantum", says="brute_force")
        self.refused("pairs", path, "--threads", "0")
        self.refused("pairs", path, "--threads", "nan")
        self.refused("pairs", path, "--threads", "99999999999999999999")
        self.refused("pairs", path, "--repeat", "-1")
        self.refused("pairs", path, "--repeat", "1.5")
        # A variable of a script that is not set
        self.refused("pairs", path, "--out", "", says="an empty value")
        self.refused("pairs", "", says="an empty value")
        self.refused("sim", "pyramid", "--steps", "1", "--validate-hash", "", says="an empty value")
        self.refused("bench", "--compare", "", says="an empty value")
        self.refused("check", path, "--baseline", "", says="an empty value")
        self.refused("bench", "--seed", "-1", says="below zero")
        self.refused("pairs", path, "--fast", says="--fast")
        self.refused("pairs", path, path)
        self.refused("pairs", path, "--out", self.path("pairs.txt"))
        self.refused("pairs", path, "--out", self.path("no/such/folder/pairs.npy"))


class Info(Case):
    def test_text_and_json(self):
        code, out, err = run("info")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("sort_sweep", out)
        code, out, err = run("info", "--format", "json")
        self.assertEqual((code, err), (0, ""))
        info = json.loads(out)
        self.assertEqual(info["schema"], "sudar/info-1")
        for key in ("version", "precision", "compiler", "instruction_set", "threads", "back_ends"):
            self.assertIn(key, info)
        self.assertIn("grid", [entry["name"] for entry in info["algorithms"]])
        self.assertIn("cluster", [entry["name"] for entry in info["scenes"]])
        self.refused("info", "--format", "yaml")


class Tour(Case):
    def test_quick_tour_writes_its_report(self):
        code, out, err = run("tour", "--quick", "-o", "here", cwd=self.folder.name)
        self.assertEqual((code, err), (0, ""), out)
        self.assertIn("found the same pairs", out)
        self.assertIn(os.path.join("here", "report.html"), out)
        with open(self.path("here/tour.json")) as file:
            tour = json.load(file)
        self.assertTrue(tour["agree"])
        for scene in tour["scenes"]:
            self.assertEqual(len({entry["hash"] for entry in scene["algorithms"]}), 1, scene)
        with open(self.path("here/tour.csv")) as file:
            rows = file.read().strip().split("\n")
        self.assertEqual(len(rows), 1 + sum(len(scene["algorithms"]) for scene in tour["scenes"]))
        with open(self.path("here/report.html")) as file:
            page = file.read()
        self.assertEqual(page.count("<article"), len(tour["scenes"]))
        # Self-contained: nothing is fetched
        for word in ("src=", "href=", "@import", "url(", "<script"):
            self.assertNotIn(word, page)

    def test_json_only(self):
        code, out, _ = run("tour", "--quick", "-o", "here", "--format", "json", cwd=self.folder.name)
        self.assertEqual((code, json.loads(out)["schema"]), (0, "sudar/tour-1"))

    def test_the_pairs_do_not_depend_on_the_run(self):
        hashes = []
        for _ in range(2):
            out = run("tour", "--quick", "-o", "here", "--format", "json", cwd=self.folder.name)[1]
            hashes.append([scene["algorithms"][0]["hash"] for scene in json.loads(out)["scenes"]])
        self.assertEqual(*hashes)

    def test_refusals(self):
        self.refused("tour", "--steps", "0")
        self.refused("tour", "--boxes", "nan")
        self.write("file", b"")
        self.refused("tour", "-o", "file/here")


class Usage(Case):
    def test_help_and_version(self):
        for command in ((), ("pairs",), ("info",), ("tour",), ("bench",)):
            code, out, err = run(*command, "--help")
            self.assertEqual((code, err), (0, ""))
            self.assertIn("Examples:", out)
        code, out, _ = run("--version")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"^\d+\.\d+\.\d+\n$")

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_an_answer_that_cannot_be_written_is_an_error(self):
        for command in (("info",), ("info", "--format", "json"), ("pairs", "--list"), ("--help",)):
            with open("/dev/full", "w") as full:
                done = subprocess.run([SUDAR, *command], stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
            self.assertEqual(done.returncode, 2, command)
            self.assertIn("standard output", done.stderr)

    def test_refusals(self):
        self.refused("dance", says="dance")
        self.refused("--dance", says="--dance")
        self.refused("bench", "--suite", "dance", says="dance")
        self.refused("info", "pairs")


class Shell(unittest.TestCase):
    def test_completions_know_every_command_and_option(self):
        for shell in ("bash", "zsh", "fish"):
            code, script, _ = run("completions", shell)
            self.assertEqual(code, 0)
            for word in ("check", "query", "pairs", "bench", "info", "clearance", "tolerance"):
                self.assertIn(word, script, shell)
        self.assertEqual(run("completions", "tcsh")[0], 2)

    def test_bash_completes(self):
        script = run("completions", "bash")[1]

        def complete(*words):
            line = "COMP_WORDS=(%s); COMP_CWORD=%d; _sudar; echo ${COMPREPLY[@]}" % (
                " ".join("'%s'" % w for w in words), len(words) - 1)
            return subprocess.run(["bash", "-c", script + line], capture_output=True, text=True).stdout.split()

        self.assertEqual(complete("sudar", "che"), ["check"])
        self.assertEqual(complete("sudar", "check", "--format", "j"), ["json"])
        self.assertIn("--ignore-file", complete("sudar", "check", "--ig"))

    def test_the_manual_has_a_section_for_every_command(self):
        code, page, _ = run("manual")
        self.assertEqual(code, 0)
        self.assertTrue(page.startswith(".TH SUDAR 1"))
        for command in ("check", "pairs", "query", "bench", "info"):
            self.assertIn(".SS sudar " + command, page)
        self.assertIn("\\-\\-clearance", page)


if __name__ == "__main__":
    unittest.main()
