#!/usr/bin/env python3
"""Every writer of the command: a full disk, a closed pipe, a signal. No half-written file under the final name, no traceback."""
import functools
import itertools
import json
import math
import os
import pathlib
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

SUDAR = os.path.abspath(sys.argv.pop(1))
FULL = "/dev/full"
PAGE = 4096
LAB = ["lab", "--headless", "--exhibit", "shapes3", "--size", "320x240", "--frames"]
LIVE = ["lab", "--headless", "--scene", "uniform n=50", "--size", "320x240", "--frames", "2"]
# "cannot write NAME", or what the lab says of a file that it was asked to save
UNWRITTEN = "cannot (be written|write)"


def run(*arguments, **options):
    return subprocess.run([SUDAR, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)


def start(*arguments, **options):
    return subprocess.Popen([SUDAR, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


# Why nothing can be drawn here, or nothing
@functools.lru_cache
def no_pictures():
    done = run(*LAB, "1")
    if done.returncode == 0:
        return ""
    why = (done.stderr.strip().splitlines() or ["?"])[-1]
    print("no rows for pictures: " + why, file=sys.stderr)
    return why


# Runs in a user's own namespace of mounts: a file system of 16 pages at `place`, full but for `free` pages, and each command on it.
# What comes back of each: exit code, standard error, and what lies there
ON_A_FULL_DISK = """
import json, os, subprocess, sys
place, program, free, commands = sys.argv[1], sys.argv[2], int(sys.argv[3]), json.loads(sys.argv[4])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", place], check=True)
print("mounted", file=sys.stderr, flush=True)
told = {}
for name, command in commands.items():
    folder = os.path.join(place, "folder")
    os.mkdir(folder)
    out = os.path.join(folder, name)
    with open(out, "w") as file:
        file.write("old")
    filler = os.open(os.path.join(place, "filler"), os.O_CREAT | os.O_WRONLY)
    size = 0
    try:
        while True:
            size += os.write(filler, bytes(4096))
    except OSError:
        os.ftruncate(filler, size - 4096 * free)
    os.close(filler)
    done = subprocess.run([program] + [a[:-3] + out if a == "OUT" or a.endswith("=OUT") else folder if a == "FOLDER" else a
                                       for a in command],
                          capture_output=True, text=True, timeout=60)
    with open(out, errors="replace") as file:
        now = file.read(100)
    there = sorted(n for _, _, names in os.walk(folder) for n in names)
    told[name] = [done.returncode, done.stderr, now, there]
    os.remove(os.path.join(place, "filler"))
    subprocess.run(["rm", "-r", folder], check=True)
print(json.dumps(told))
"""


class Writers(unittest.TestCase):
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

    def cube(self, name, shift):
        corners = [(x + shift, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
        faces = [(1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)]
        text = "".join("v %g %g %g\n" % c for c in corners) + "".join("f %d %d %d %d\n" % f for f in faces)
        (self.root / name).write_text(text)

    # Balls that all clash with each other: seconds of work
    def many_balls(self):
        slices, count = 40, 120
        turns = [(math.pi * i / slices, 2 * math.pi * j / slices) for i in range(slices + 1) for j in range(slices)]
        points = [(math.sin(u) * math.cos(v), math.sin(u) * math.sin(v), math.cos(u)) for u, v in turns]
        faces = [(a, a + slices, b, b + slices) for i in range(slices) for j in range(slices)
                 for a, b in [(i * slices + j, i * slices + (j + 1) % slices)]]
        lines = []
        for part in range(count):
            lines.append(f"o ball{part}")
            lines += [f"v {x + 0.001 * part:.9g} {y:.9g} {z:.9g}" for x, y, z in points]
            base = part * len(points) + 1
            for i, (a, c, b, d) in enumerate(faces):
                if i >= slices:
                    lines.append(f"f {base + a} {base + c} {base + b}")
                if i < len(faces) - slices:
                    lines.append(f"f {base + b} {base + c} {base + d}")
        (self.root / "many.obj").write_text("\n".join(lines) + "\n")

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

    # Arguments with OUT where the name of the file goes
    def writers(self):
        root = self.root
        check = ["check", root / "a.obj", root / "b.obj", "--units", "m"]
        scene = ["sim", "pyramid rows=3", "--steps", "100"]
        self.robot(2)
        robot = ["check", root / "robot.urdf", "--joints", root / "states.csv", "--out", "OUT", "--format"]
        rows = {"robot.csv": [*robot, "csv"], "robot.json": [*robot, "json"], "robot.html": [*robot, "html"],
                "robot.txt": [*robot, "text"],
                "report.csv": [*check, "--format", "csv", "--out", "OUT"],
                "report.txt": [*check, "--out", "OUT"],
                "contacts.ply": [*check, "--export-contacts", "OUT"],
                "recording.rec": [*scene, "--record", "OUT"],
                "strip.svg": [*scene, "--strip", "OUT"],
                "results.md": ["bench", "--suite", "harness/repeats", "--quick", "--markdown", "OUT"]}
        if not no_pictures():
            rows |= {"picture.png": [*scene, "--screenshot", "OUT"],
                     "boxes.png": ["sim", "uniform n=50", "--steps", "2", "--screenshot", "OUT"],
                     "lab.png": [*LAB, "4", "--screenshot", "OUT"],
                     "lab.csv": [*LAB, "4", "--metrics", "OUT"],
                     "case.csv": [*LIVE, "--set", "case_path=OUT", "--set", "save_case="],
                     "case.npy": [*LIVE, "--set", "case_path=OUT", "--set", "save_case="],
                     "graphs.csv": [*LIVE, "--set", "csv_path=OUT", "--set", "save_csv="],
                     "lab.rec": [*LIVE, "--set", "recording_path=OUT", "--set", "record=on", "--set", "record=off"]}
        return rows | {"pairs.csv": ["pairs", root / "boxes.csv", "--out", "OUT"],
                "pairs.npy": ["pairs", root / "boxes.csv", "--out", "OUT"],
                "answers.jsonl": ["query", root / "lines.jsonl", "--out", "OUT"],
                "metrics.csv": [*scene, "--metrics", "OUT"],
                "metrics.json": [*scene, "--metrics", "OUT"],
                "state.npy": ["sim", "uniform n=500", "--steps", "2", "--state", "OUT"],
                "report.json": [*check, "--format", "json", "--out", "OUT"],
                "report.html": [*check, "--format", "html", "--out", "OUT"]}

    # With the name of the file in its place, alone or in a setting
    @staticmethod
    def into(arguments, out):
        return [str(a).replace("OUT", str(out)) if str(a) == "OUT" or str(a).endswith("=OUT") else a for a in arguments]

    # Those that fill a folder, with one of its files
    def folders(self):
        return {"tour.json": ["tour", "--quick", "-o", "FOLDER"],
                "results.json": ["bench", "--suite", "harness/repeats", "--quick", "-o", "FOLDER"],
                "repeats.csv": ["bench", "--suite", "harness/repeats", "--quick", "-o", "FOLDER"]}

    def test_a_full_disk_leaves_the_old_file_and_nothing_else(self):
        def small_disk():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

        for name, arguments in self.writers().items():
            with self.subTest(name):
                folder = self.root / ("full_" + name)
                folder.mkdir()
                out = folder / name
                out.write_text("old")
                line = self.into(arguments, out)
                result = run(*line, preexec_fn=small_disk)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertRegex(result.stderr.strip().splitlines()[-1], UNWRITTEN)
                self.assertEqual(out.read_text(), "old")
                self.assertEqual([p.name for p in folder.iterdir()], [name])
                # With room it is written whole
                self.assertIn(run(*line).returncode, (0, 1))
                self.assertGreater(out.stat().st_size, 100)
                self.assertEqual([p.name for p in folder.iterdir()], [name])
        for name, arguments in self.folders().items():
            with self.subTest("folder of " + name):
                folder = self.root / ("folder_" + name)
                folder.mkdir()
                (folder / name).write_text("old")
                result = run(*[folder if a == "FOLDER" else a for a in arguments], preexec_fn=small_disk)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("cannot write", result.stderr.strip().splitlines()[-1])
                self.assertEqual((folder / name).read_text(), "old")
                self.assertEqual([p.name for p in folder.rglob("*") if p.is_file()], [name])

    # What `commands` do on a file system that has no room but for a few pages
    def on_a_full_disk(self, commands, free):
        place = self.root / "disk"
        place.mkdir(exist_ok=True)
        text = json.dumps({name: [str(a) for a in arguments] for name, arguments in commands.items()})
        try:
            done = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", sys.executable, "-c", ON_A_FULL_DISK, place,
                                   SUDAR, str(free), text], capture_output=True, text=True, timeout=120)
        except FileNotFoundError:
            self.skipTest("there is no unshare")
        if "mounted" not in done.stderr:
            self.skipTest("no file system may be mounted here: " + (done.stderr.strip().splitlines() or ["?"])[-1])
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_a_real_disk_without_room_leaves_the_old_file_and_nothing_else(self):
        # Large ones also where a first part of them finds room
        large = {}
        for name, arguments in self.writers().items():
            out = self.root / name
            run(*self.into(arguments, out))
            if out.stat().st_size > 2 * PAGE:
                large[name] = arguments
        self.assertIn("recording.rec", large)
        for free, commands in ((0, self.writers()), (0, self.folders()), (1, large)):
            for name, (code, error, now, there) in self.on_a_full_disk(commands, free).items():
                with self.subTest(f"{name}, {free} pages free"):
                    self.assertEqual(code, 2, error)
                    self.assertRegex(error.strip().splitlines()[-1], UNWRITTEN)
                    self.assertEqual((now, there), ("old", [name]))

    @unittest.skipUnless(os.path.exists(FULL), "needs /dev/full")
    def test_a_full_device_is_told_and_stays(self):
        for name, arguments in self.writers().items():
            with self.subTest(name):
                folder = self.root / ("device_" + name)
                folder.mkdir()
                (folder / name).symlink_to(FULL)
                result = run(*self.into(arguments, folder / name))
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertRegex(result.stderr.strip().splitlines()[-1], UNWRITTEN)
                self.assertEqual([(p.name, os.readlink(p)) for p in folder.iterdir()], [(name, FULL)])
        # A log grows line by line, so that there is no other file to keep
        if not no_pictures():
            result = run(*LAB, "4", "--log", FULL)
            self.assertEqual((result.returncode, result.stderr), (2, f"sudar lab: cannot write {FULL}\n"))

    @unittest.skipUnless(os.path.exists(FULL), "needs /dev/full")
    def test_answers_that_do_not_arrive_are_errors(self):
        lines = self.root / "lines.jsonl"
        for arguments in (["info"], ["info", "--format", "json"], ["pairs", self.root / "boxes.csv"], ["query", lines],
                          ["sim", "pyramid rows=3", "--steps", "2"], ["manual"], ["completions", "bash"],
                          ["tour", "--quick", "-o", self.root / "tour"], ["bench", "--suite", "harness/repeats", "--quick"],
                          ["check", self.root / "a.obj", self.root / "b.obj", "--units", "m"]):
            with self.subTest(str(arguments[0])), open(FULL, "w") as full:
                result = subprocess.run([SUDAR, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("cannot write", result.stderr)

    # With a standard output that nobody reads, from the first byte on
    def unread(self, *arguments, ignore=False):
        reader, writer = os.pipe()
        os.close(reader)
        try:
            return subprocess.run([SUDAR, *map(str, arguments)], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60,
                                  preexec_fn=(lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN)) if ignore else None)
        finally:
            os.close(writer)

    def test_a_closed_pipe_ends_the_command_quietly(self):
        root = self.root
        check = ["check", root / "a.obj", root / "b.obj", "--units", "m"]
        bench = ["bench", "--suite", "harness/repeats", "--quick"]
        for arguments in (["info"], ["info", "--format", "json"], ["query", root / "lines.jsonl"], ["sim", "--list"],
                          ["sim", "pyramid rows=3", "--steps", "2"], ["manual"], ["completions", "bash"], ["--help"],
                          ["pairs", root / "boxes.csv"], ["pairs", "--list"], check, [*check, "--format", "json"],
                          [*check, "--format", "csv"], [*check, "--format", "html"], bench,
                          ["tour", "--quick", "-o", root / "tour"]):
            with self.subTest(" ".join(str(a) for a in arguments)):
                # By the signal, as other commands end, and without a word about it
                result = self.unread(*arguments)
                self.assertEqual(result.returncode, -signal.SIGPIPE, result.stderr)
                self.assertNotIn("write", result.stderr)
                # Where the signal is ignored, with the code for an answer that did not arrive, and one line
                result = self.unread(*arguments, ignore=True)
                self.assertEqual(result.returncode, 2, result.stderr)
                told = [line for line in result.stderr.splitlines() if "write" in line]
                self.assertEqual(told, ["sudar: cannot write to the standard output"])

    def test_a_closed_pipe_takes_no_file_along(self):
        for name, arguments in self.writers().items():
            with self.subTest(name):
                folder = self.root / ("unread_" + name)
                folder.mkdir()
                result = self.unread(*self.into(arguments, folder / name))
                self.assertIn(result.returncode, (0, 1, -signal.SIGPIPE), result.stderr)
                self.assertGreater((folder / name).stat().st_size, 100)
                self.assertEqual([p.name for p in folder.iterdir()], [name])
        for name, arguments in self.folders().items():
            with self.subTest("folder of " + name):
                folder = self.root / ("unread_folder_of_" + name)
                result = self.unread(*[folder if a == "FOLDER" else a for a in arguments])
                self.assertEqual(result.returncode, -signal.SIGPIPE, result.stderr)
                self.assertGreater((folder / name).stat().st_size, 100)
                self.assertTrue((folder / "report.html").read_text().rstrip().endswith("</html>"))

    # A name that leads into a pipe, whose reader takes one byte and goes, or takes all
    def test_a_named_pipe_is_written_and_stays(self):
        for name, arguments in self.writers().items():
            for takes_all in (False, True):
                with self.subTest(f"{name}, read {'to its end' if takes_all else 'a little'}"):
                    folder = self.root / f"pipe_{takes_all}_{name}"
                    folder.mkdir()
                    pipe = folder / name
                    os.mkfifo(pipe)
                    process = start(*self.into(arguments, pipe))
                    with open(pipe, "rb", buffering=0) as reader:
                        got = b"".join(iter(lambda: reader.read(1 << 16), b"")) if takes_all else reader.read(1)
                    try:
                        _, error = process.communicate(timeout=60)
                    finally:
                        process.kill()
                    if takes_all:
                        self.assertIn(process.returncode, (0, 1), error)
                        self.assertGreater(len(got), 100)
                    else:
                        # What fits into the pipe was written before the reader went
                        self.assertIn(process.returncode, (0, 1, 2, -signal.SIGPIPE), error)
                    self.assertEqual([(p.name, p.is_fifo()) for p in folder.iterdir()], [(name, True)])

    # Pictures and plots that are saved by a key, under the first name that is free
    def test_what_keys_save_in_the_lab_is_whole_or_not_there(self):
        if no_pictures():
            self.skipTest(no_pictures())

        def small_disk():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

        line = [*LAB, "40", "--keys", "f12,f9,space*5,f9"]
        folder = self.root / "keys"
        folder.mkdir()
        result = run(*line, cwd=folder, preexec_fn=small_disk)
        self.assertEqual((result.returncode, [p.name for p in folder.iterdir()]), (0, []), result.stderr)
        self.assertEqual(run(*line, cwd=folder).returncode, 0)
        self.assertEqual(sorted(p.suffix for p in folder.iterdir()), [".csv", ".png"])

    def test_a_reader_that_goes_away_ends_the_answers(self):
        line = (self.root / "lines.jsonl").read_text().splitlines()[0] + "\n"
        process = start("query", "-", stdin=subprocess.PIPE)
        process.stdin.write(line)
        process.stdin.flush()
        self.assertIn("separation", process.stdout.readline())
        process.stdout.close()
        process.stdin.write(line)
        process.stdin.flush()
        # While its standard input stays open
        self.assertEqual(process.wait(60), -signal.SIGPIPE)
        self.assertEqual(process.stderr.read(), "")
        process.stdin.close()
        process.stderr.close()

    def test_signals_in_long_commands(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            metrics = self.root / "m.csv"
            process = start("sim", "uniform n=2000", "--steps", "100000000", "--metrics", metrics)
            time.sleep(0.5)
            process.send_signal(number)
            out, error = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 3, error)
            answer = json.loads(out)
            self.assertTrue(answer["stopped"])
            self.assertGreater(answer["steps"], 0)
            self.assertEqual(len(metrics.read_text().splitlines()), answer["steps"] + 1)
            metrics.unlink()

            # Lines that come from a pipe which stays open
            process = start("query", "-", stdin=subprocess.PIPE)
            process.stdin.write((self.root / "lines.jsonl").read_text().splitlines()[0] + "\n")
            process.stdin.flush()
            self.assertIn("separation", process.stdout.readline())
            process.send_signal(number)
            process.stdin.close()
            process.wait(60)
            self.assertEqual(process.returncode, 3)
            process.stdout.close()
            process.stderr.close()

            # The same into a file: none is better than one with a part of the answers
            out = self.root / "answers.jsonl"
            out.write_text("old")
            process = start("query", "-", "--out", out, stdin=subprocess.PIPE)
            process.stdin.write((self.root / "lines.jsonl").read_text())
            process.stdin.flush()
            time.sleep(0.5)
            process.send_signal(number)
            self.assertEqual(process.wait(60), 3)
            self.assertIn("no file is written", process.stderr.read())
            self.assertEqual(out.read_text(), "old")
            for end in (process.stdin, process.stdout, process.stderr):
                end.close()

    def test_signals_while_a_run_is_recorded_and_drawn(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            folder = self.root / number.name
            folder.mkdir()
            files = {"--record": "r.rec", "--strip": "s.svg", "--state": "s.npy"}
            if not no_pictures():
                files["--screenshot"] = "p.png"
            process = start("sim", "pile n=300", "--steps", "100000000", *[a for f in files.items() for a in f], cwd=folder)
            time.sleep(0.5)
            process.send_signal(number)
            out, error = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 3, error)
            answer = json.loads(out)
            self.assertFalse(answer["complete"])
            self.assertEqual({p.name for p in folder.iterdir()}, set(files.values()))
            # Each to its end: the recording has the number of its steps there
            with open(folder / "r.rec", "rb") as file:
                file.seek(-9, os.SEEK_END)
                self.assertEqual(struct.unpack("<BQ", file.read()), (0, answer["steps"]))
            self.assertTrue((folder / "s.svg").read_text().endswith("</svg>\n"))
            if not no_pictures():
                self.assertIn(b"IEND", (folder / "p.png").read_bytes()[-8:])
            shutil.rmtree(folder)

    def test_signals_in_a_check(self):
        self.many_balls()
        self.robot()
        for number in (signal.SIGINT, signal.SIGTERM):
            for inputs in (["many.obj", "--per-part", "--units", "m"], ["robot.urdf", "--joints", "states.csv"]):
                with self.subTest(f"{inputs[0]}, {number.name}"):
                    (self.root / "contacts.ply").write_text("old")
                    process = start("check", *inputs, "--threads", "1", "--format", "json", "--out", "report.json",
                                    "--export-contacts", "contacts.ply", cwd=self.root)
                    time.sleep(0.7)
                    self.assertIsNone(process.poll())
                    process.send_signal(number)
                    out, error = process.communicate(timeout=60)
                    self.assertEqual((process.returncode, out), (3, ""), error)
                    self.assertFalse(json.loads((self.root / "report.json").read_text())["complete"])
                    # What meets is known of some only
                    self.assertIn("contacts.ply is not written: interrupted", error)
                    self.assertEqual((self.root / "contacts.ply").read_text(), "old")
                    self.assertEqual([p.name for p in self.root.iterdir() if ".part" in p.name], [])
                    (self.root / "report.json").unlink()

    @unittest.skipUnless(os.path.exists(FULL), "needs /dev/full")
    def test_a_check_that_is_left_and_cannot_tell_is_an_error(self):
        # Needles that all cross: one pair of parts, which does not end by itself after the signal
        for name, axis in (("x.stl", 0), ("y.stl", 1)):
            count = 20000
            data = [bytes(80) + struct.pack("<I", count)]
            for i in range(count):
                p = [0.0, 0.0, -1.0]
                p[1 - axis] = -1 + 2 * i / count
                q, r = list(p), list(p)
                p[axis], q[axis], r[axis] = -100, 100, 100
                q[2], r[2] = 1, 1.1
                data.append(struct.pack("<12f", 0, 0, 0, *p, *q, *r) + b"\0\0")
            (self.root / name).write_bytes(b"".join(data))
        with open(FULL, "w") as full:
            process = subprocess.Popen([SUDAR, "check", "x.stl", "y.stl", "--units", "m", "--threads", "1"], stdout=full,
                                       stderr=subprocess.PIPE, text=True, cwd=self.root)
            time.sleep(0.7)
            self.assertIsNone(process.poll())
            process.send_signal(signal.SIGTERM)
            _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 2, error)
        self.assertIn("cannot write to the standard output", error)

    def test_other_commands_end_by_the_signal_and_leave_the_old_file(self):
        commands = {"pairs.csv": ["pairs", self.root / "boxes.csv", "--repeat", "1000000", "--out", "OUT"],
                    "tour.json": ["tour", "-o", "FOLDER"]}
        if not no_pictures():
            endless = [*LAB, "100000000"]
            commands |= {"lab.png": [*endless, "--screenshot", "OUT"], "lab.csv": [*endless, "--metrics", "OUT"]}
        for number in (signal.SIGINT, signal.SIGTERM):
            running = {}
            for name, arguments in commands.items():
                folder = self.root / (number.name + name)
                folder.mkdir()
                (folder / name).write_text("old")
                running[name] = start(*[{"OUT": folder / name, "FOLDER": folder}.get(a, a) for a in arguments])
            time.sleep(0.7)
            for name, process in running.items():
                with self.subTest(f"{name}, {number.name}"):
                    self.assertIsNone(process.poll())
                    process.send_signal(number)
                    process.communicate(timeout=60)
                    self.assertEqual(process.returncode, -number)
                    folder = self.root / (number.name + name)
                    self.assertEqual([(p.name, p.read_text()) for p in folder.iterdir()], [(name, "old")])

    # What is read: a command in a folder of its own, the versions of each file that changes, and how much an answer that was given
    # while they did can be held to:
    #   whole   it is that of one version of each file
    #   lines   each line is; the last may be one that was cut
    #   any     a part of the file is a file too, so that only the form of what comes out is looked at
    # The two versions of a file differ in one byte. So a mixture of them, read while one is written over the other, is one of
    # them again, or a part of one from its beginning.
    def readers(self):
        self.robot(2)
        corner = struct.pack("<4f", 0, 0, 1.5, 1.5)
        rows = b"".join(struct.pack("<4f", x, y, x + 1.5, y + 1.5) for x in range(30) for y in range(30))
        header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (900, 4), }"
        header += b" " * (117 - len(header)) + b"\n"
        points = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
        corners = [c for a, b, d, e in [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
                   for c in (a, b, d, a, d, e)]
        binary = b"".join(struct.pack("<3f", *c) for c in points) + struct.pack("<36H", *corners)
        gltf = {"asset": {"version": "2.0"}, "buffers": [{"uri": "part.bin", "byteLength": len(binary)}],
                "bufferViews": [{"buffer": 0, "byteLength": 96}, {"buffer": 0, "byteOffset": 96, "byteLength": 72}],
                "accessors": [{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
                              {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}],
                "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
                "nodes": [{"mesh": 0, "translation": [0.2, 0, 0]}], "scenes": [{"nodes": [0]}]}
        body = {"shape": {"type": "sphere", "radius": 1}, "pose": {"position": [0, 0, 3]}}
        floor = {"shape": {"type": "box", "half": [5, 5, 1]}, "kind": "fixed"}
        scene = {"schema": "sudar/scene-1", "dim": 3, "bodies": [body, floor]}
        names = ("a.obj", "boxes.csv", "lines.jsonl", "robot.urdf", "states.csv")
        text = {name: (self.root / name).read_bytes() for name in names}
        parts = ["check", "a.obj", "b.obj", "--units", "m", "--format", "csv"]
        baseline = run(*parts[:-1], "json", cwd=self.root).stdout.encode()
        clash = json.loads(baseline)["clashes"][0]["id"].encode()
        other = clash[:-1] + (b"1" if clash[-1:] == b"0" else b"0")
        srdf = b'<robot name="rods"><disable_collisions link1="l0" link2="l2" reason="r"/></robot>'
        for rows_of in ("3", "2"):
            run("sim", "pyramid rows=" + rows_of, "--steps", "20", "--record", self.root / f"rows{rows_of}.rec")
        runs = [(self.root / f"rows{n}.rec").read_bytes() for n in "32"]

        def one_byte(whole, old, new):
            at = whole.index(old)
            self.assertEqual((len(old), sum(p != q for p, q in zip(old, new))), (len(new), 1))
            return [whole, whole[:at] + new + whole[at + len(old):]]

        npy = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + rows
        return {
            "mesh": (parts, {"a.obj": one_byte(text["a.obj"], b"v 1 1 1", b"v 1 1 2")}, "any"),
            "boxes": (["pairs", "boxes.csv"], {"boxes.csv": one_byte(text["boxes.csv"], b"0,0,1.5", b"0,0,2.5")}, "any"),
            "array": (["pairs", "boxes.npy"], {"boxes.npy": one_byte(npy, corner, corner[:10] + b"\x40" + corner[11:])}, "whole"),
            "questions": (["query", "lines.jsonl"], {"lines.jsonl": one_byte(text["lines.jsonl"], b"[3,", b"[4,")}, "lines"),
            # Of two lengths, and other bytes all over: an error where the size of one met the bytes of the other, and written over
            # by itself alone
            "recording": (["sim", "--replay", "run.rec"], {"run.rec": runs}, "whole"),
            "scene": (["sim", "scene.json", "--steps", "20"],
                      {"scene.json": one_byte(json.dumps(scene).encode(), b"[0, 0, 3]", b"[0, 0, 4]")}, "whole"),
            "parts": (["check", "part.gltf", "b.obj", "--units", "m", "--format", "csv"],
                      {"part.gltf": one_byte(json.dumps(gltf).encode(), b"[0.2,", b"[0.3,"),
                       "part.bin": one_byte(binary, struct.pack("<3f", 1, 1, 1), struct.pack("<3f", 1, 1, 1.25))}, "whole"),
            "robot": (["check", "robot.urdf", "--ignore-file", "rods.srdf", "--format", "csv"],
                      {"robot.urdf": one_byte(text["robot.urdf"], b'radius="0.1"', b'radius="0.2"'),
                       "rods.srdf": one_byte(srdf, b"l2", b"l3")}, "whole"),
            "states": (["check", "robot.urdf", "--joints", "states.csv", "--format", "csv"],
                       {"states.csv": one_byte(text["states.csv"], b"\n0.001,", b"\n0.002,")}, "any"),
            "rules": ([*parts, "--ignore-file", "rules.txt"], {"rules.txt": one_byte(b"a:b # one\n", b"a:b", b"a:c")}, "any"),
            "baseline": ([*parts, "--baseline", "old.json"], {"old.json": one_byte(baseline, clash, other)}, "whole"),
        }

    # Without what differs from run to run
    @staticmethod
    def answer_of(arguments, result):
        if arguments[0] not in ("pairs", "sim"):
            return result.returncode, result.stdout
        told = json.loads(result.stdout)
        keys = ("boxes", "pairs", "steps", "bodies", "complete", "differs", "hash")
        return result.returncode, json.dumps([told.get(key) for key in keys])

    def test_files_that_change_while_they_are_read(self):
        tries, varied, cut, uncut = 6, 0, 0, 0
        for name, (arguments, files, held_to) in self.readers().items():
            folder = self.root / ("read_" + name)
            folder.mkdir()
            for other in ("a.obj", "b.obj", "robot.urdf", "states.csv"):
                shutil.copy(self.root / other, folder)
            # Every version of each with every version of the others; an empty list of rules is one that leaves nothing out
            whole = {}
            choices = [[*versions, *([b""] if file.endswith(".srdf") else [])] for file, versions in files.items()]
            for chosen in itertools.product(*choices):
                for file, version in zip(files, chosen):
                    (folder / file).write_bytes(version)
                result = run(*arguments, cwd=folder)
                self.assertIn(result.returncode, (0, 1), result.stderr)
                whole[chosen] = self.answer_of(arguments, result)
            self.assertEqual(len(set(whole.values())), len(whole), name)
            full = {answer for chosen, answer in whole.items() if b"" not in chosen}

            # By a rename there is always one version or the other, and an answer
            def swap(file, turn):
                (folder / "next").write_bytes(files[file][turn % 2])
                os.replace(folder / "next", folder / file)
                time.sleep(0.0003)

            seen = set()
            for result in self.while_it_happens(swap, files, arguments, folder, tries):
                with self.subTest(f"{name}, renamed"):
                    if name == "recording" and result.returncode == 2:
                        self.assertRegex(result.stderr, "^sudar sim: ")
                        continue
                    self.assertIn(result.returncode, (0, 1), result.stderr)
                    answer = self.answer_of(arguments, result)
                    self.assertIn(answer, full)
                    seen.add(answer)
            varied += len(seen) > 1

            # In place: cut, written in pieces, with something more at the end
            def write_over(file, turn):
                version = files[file][turn % 2 if name != "recording" else 0]
                with open(folder / file, "wb", buffering=0) as out:
                    out.write(version[:turn * 97 % len(version)])
                    time.sleep(0.0005)
                    out.write(version[turn * 97 % len(version):] + b"x" * (turn % 3))
                time.sleep(0.001)

            for result in self.while_it_happens(write_over, files, arguments, folder, tries):
                with self.subTest(f"{name}, written over"):
                    self.assertIn(result.returncode, (0, 1, 2, 3), result.stderr)
                    if held_to == "lines":
                        lines = [answer[1].splitlines() for answer in full]
                        got = result.stdout.splitlines()
                        self.assertLessEqual(len(got), len(lines[0]) + 1)
                        for line, *expected in zip(got if result.returncode == 0 else got[:-1], *lines):
                            self.assertIn(line, expected)
                    elif result.returncode >= 2:
                        self.assertRegex(result.stderr, "^sudar (check|pairs|sim): ")
                    elif held_to == "whole":
                        self.assertIn(self.answer_of(arguments, result), set(whole.values()))
                    else:
                        # JSON, or a table under its titles
                        told = self.answer_of(arguments, result)
                        self.assertTrue(arguments[0] == "pairs" or told[1].startswith("id,") or told[1].startswith("state,"))
                    if held_to == "whole":
                        cut += result.returncode >= 2
                        uncut += result.returncode < 2
        # They did change while they were read
        self.assertGreater(varied, 3)
        self.assertGreater(cut, 0)
        self.assertGreater(uncut, 0)

    # The command, some times, while `change` goes through the files without an end
    def while_it_happens(self, change, files, arguments, folder, tries):
        stop = threading.Event()

        def meddle():
            turn = 0
            while not stop.is_set():
                for place, file in enumerate(files):
                    # Two files do not change together
                    change(file, turn >> place)
                turn += 1

        for file, versions in files.items():
            (folder / file).write_bytes(versions[0])
        meddler = threading.Thread(target=meddle)
        meddler.start()
        try:
            return [run(*arguments, cwd=folder) for _ in range(tries)]
        finally:
            stop.set()
            meddler.join()

    def test_a_million_brackets(self):
        deep = "[" * 1000000
        (self.root / "deep.jsonl").write_text('{"id":' + deep + "]" * 1000000 + ',"op":"inside"}\n')
        result = run("query", self.root / "deep.jsonl")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(json.loads(result.stdout)["error"]["code"], "too_large")
        for name in ("deep.json", "deep.gltf"):
            (self.root / name).write_text('{"schema":' + deep)
        self.assertEqual(run("sim", self.root / "deep.json").returncode, 2)
        self.assertEqual(run("check", self.root / "deep.gltf", "--units", "m").returncode, 2)
        # What a field holds is copied or printed by recursion: in results to compare, and in what a recording says of its run
        whole = deep + "]" * 1000000
        for field in ("suite", "bars"):
            results = '{"schema":"sudar/bench-1","measurements":[],"%s":%s}' % (field, whole)
            (self.root / "results.json").write_text(results)
            result = run("bench", "--compare", self.root / "results.json", "--with", self.root / "results.json")
            self.assertEqual(result.returncode, 2, field)
            self.assertIn("is no results.json of sudar bench", result.stderr + result.stdout)
        text = ('{"schema":"sudar/recording-1","scene":"tower n=3","dt":0.01,"steps":1,"file":%s}' % whole).encode()
        (self.root / "deep.rec").write_bytes(b"SUDARREC" + struct.pack("<IIQ", 1, 3, len(text)) + text + b"\0" + bytes(8))
        result = run("sim", "--replay", self.root / "deep.rec")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("nested too deeply", result.stderr)


if __name__ == "__main__":
    unittest.main()
