#!/usr/bin/env python3
"""Every writer of the command: a full disk, a closed pipe, a signal. No half-written file under the final name, no traceback."""
import ctypes
import json
import math
import os
import pathlib
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time

from command_fixture import LAB, SUDAR, CommandTest, main, no_pictures, run, start

sys.path.append(str(pathlib.Path(__file__).parent.parent / "lab"))
from screen import PATIENCE, Screen, no_screen  # noqa: E402

FULL = "/dev/full"
PAGE = 4096
LIVE = ["lab", "--headless", "--scene", "uniform n=50", "--size", "320x240", "--frames", "2"]
RACE = [*LIVE, "--set", "race=on", "--set", "csv_path=graphs.csv", "--set", "save_csv="]
# "cannot write NAME", or what the lab says of a file that it was asked to save
UNWRITTEN = "cannot (be written|write)"


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


# What happens to the names in a folder while this is there: pairs of what and which
class Watched:
    KINDS = {0x2: "written", 0x8: "closed", 0x40: "moved away", 0x80: "moved here", 0x100: "made", 0x200: "removed"}

    def __init__(self, folder):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.queue = self.libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self.queue < 0 or self.libc.inotify_add_watch(self.queue, os.fsencode(folder), sum(self.KINDS)) < 0:
            raise OSError(ctypes.get_errno(), "cannot watch", str(folder))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.queue)

    def events(self):
        found = []
        try:
            while True:
                data = os.read(self.queue, 1 << 16)
                while data:
                    _, mask, _, length = struct.unpack("iIII", data[:16])
                    name = data[16:16 + length].rstrip(b"\0").decode()
                    found += [(kind, name) for bit, kind in self.KINDS.items() if mask & bit]
                    data = data[16 + length:]
        except BlockingIOError:
            return found


class Writers(CommandTest):
    def need_a_full_device(self):
        if not os.path.exists(FULL):
            self.leave_out("devices that are full", "there is no " + FULL)

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

    # Files may grow to a hundred bytes, or so many, and no further
    @staticmethod
    def small_disk(size=100):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    # The same, and who writes more is killed in the middle of it
    @staticmethod
    def deadly_disk():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    def test_a_full_disk_leaves_the_old_file_and_nothing_else(self):
        for name, arguments in self.writers().items():
            with self.subTest(name):
                folder = self.root / ("full_" + name)
                folder.mkdir()
                out = folder / name
                out.write_text("old")
                line = self.into(arguments, out)
                result = run(*line, preexec_fn=self.small_disk)
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
                result = run(*[folder if a == "FOLDER" else a for a in arguments], preexec_fn=self.small_disk)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("cannot write", result.stderr.strip().splitlines()[-1])
                self.assertEqual((folder / name).read_text(), "old")
                self.assertEqual([p.name for p in folder.rglob("*") if p.is_file()], [name])

    # Two files by one word: the first is written, the second has no room
    def test_the_second_of_two_files_that_finds_no_room_is_told(self):
        self.need_a_full_device()
        if no_pictures():
            self.skipTest(no_pictures())
        folder = self.root / "race"
        folder.mkdir()
        (folder / "graphs.csv.race.csv").symlink_to(FULL)
        result = run(*RACE, cwd=folder)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertRegex(result.stderr.strip().splitlines()[-1], UNWRITTEN)
        self.assertEqual(sorted(p.name for p in folder.iterdir()), ["graphs.csv", "graphs.csv.race.csv"])
        self.assertEqual(os.readlink(folder / "graphs.csv.race.csv"), FULL)
        # A file that has no room leaves the old one
        (folder / "graphs.csv.race.csv").unlink()
        (folder / "graphs.csv.race.csv").write_text("old")
        result = run(*RACE, cwd=folder, preexec_fn=self.small_disk)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual((folder / "graphs.csv.race.csv").read_text(), "old")
        self.assertEqual(run(*RACE, cwd=folder).returncode, 0)
        self.assertGreater((folder / "graphs.csv.race.csv").stat().st_size, 100)
        self.assertEqual(len(list(folder.iterdir())), 2)

    # A log grows line by line, as far as there is room
    def test_a_log_that_finds_no_more_room_is_told(self):
        if no_pictures():
            self.skipTest(no_pictures())
        line = [*LAB, "4", "--keys", "space,space,space,space", "--log", self.root / "log.txt"]
        self.assertEqual(run(*line).returncode, 0)
        whole = (self.root / "log.txt").read_text()
        self.assertGreater(whole.count("\n"), 3)
        for size in (0, 1, len(whole) // 2, len(whole) - 1):
            result = run(*line, preexec_fn=lambda: self.small_disk(size))
            self.assertEqual((result.returncode, result.stderr), (2, f"sudar lab: cannot write {self.root}/log.txt\n"))
            self.assertEqual((self.root / "log.txt").read_text(), whole[:size])

    # The parts of a run that nobody keeps lie in a folder for temporary files
    def test_parts_of_a_benchmark_that_find_no_room_are_told(self):
        folder = self.root / "temporary"
        folder.mkdir()
        line = ["bench", "--suite", "harness/repeats", "--quick"]
        here = {**os.environ, "TMPDIR": str(folder)}
        result = run(*line, env=here, preexec_fn=self.small_disk)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("FAILED  harness/repeats: ", result.stdout)
        self.assertEqual(list(folder.iterdir()), [])
        result = run(*line, env={**os.environ, "TMPDIR": str(folder / "none")})
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("no folder for the results of the parts can be made", result.stderr)
        self.assertEqual(run(*line, env=here).returncode, 0)
        self.assertEqual(list(folder.iterdir()), [])

    # What others have put there under a name that can be guessed stays what it is
    def test_the_folder_for_the_parts_of_a_benchmark_is_nobody_elses(self):
        folder, other = self.root / "temporary", self.root / "other"
        folder.mkdir()
        other.mkdir()

        def lay():
            os.symlink(other, folder / f"sudar-bench-{os.getpid()}")

        with Watched(other) as watched:
            result = run("bench", "--suite", "harness/repeats", "--quick", env={**os.environ, "TMPDIR": str(folder)}, preexec_fn=lay)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(watched.events(), [])
        self.assertEqual([p.is_symlink() for p in folder.iterdir()], [True])

    # A name that others look at holds nothing, or all of it: it is never made, and written then
    def test_a_name_is_given_to_what_is_whole(self):
        rows = {name: (self.into(arguments, self.root / "seen" / name)) for name, arguments in self.writers().items()}
        rows |= {name: [self.root / "seen" if a == "FOLDER" else a for a in arguments] for name, arguments in self.folders().items()}
        for name, arguments in rows.items():
            for old in (False, True):
                with self.subTest(name + (" over the old" if old else "")):
                    folder = self.root / "seen"
                    folder.mkdir()
                    if old:
                        (folder / name).write_text("old")
                    with Watched(folder) as watched:
                        self.assertIn(run(*arguments).returncode, (0, 1))
                        seen = watched.events()
                    self.assertIn(("made", name + ".part0"), seen)
                    self.assertEqual([kind for kind, which in seen if which == name], ["moved here"])
                    shutil.rmtree(folder)

    # In the middle of the bytes of a file, without a word
    def test_who_is_killed_while_it_writes_leaves_the_old_file(self):
        rows = self.writers()
        # Of this one the part would be the first to have no room, in another folder
        del rows["results.md"]
        for name, arguments in rows.items():
            with self.subTest(name):
                folder = self.root / ("killed_" + name)
                folder.mkdir()
                out = folder / name
                out.write_text("old")
                line = self.into(arguments, out)
                result = run(*line, preexec_fn=self.deadly_disk)
                self.assertEqual(result.returncode, -signal.SIGXFSZ, result.stderr)
                self.assertEqual(out.read_text(), "old")
                left = sorted(p.name for p in folder.iterdir())
                self.assertEqual(left, [name, name + ".part0"])
                # It was in the middle
                half = (folder / left[1]).read_bytes()
                self.assertEqual(len(half), 100)
                # What it left is in nobody's way
                self.assertIn(run(*line).returncode, (0, 1))
                self.assertGreater(out.stat().st_size, 100)
                self.assertEqual(sorted(p.name for p in folder.iterdir()), left)
                self.assertEqual((folder / left[1]).read_bytes(), half)

    def test_who_is_killed_while_it_records_leaves_the_old_file(self):
        out, part = self.root / "run.rec", self.root / "run.rec.part0"
        out.write_text("old")
        process = start("sim", "pile n=300", "--steps", "100000000", "--record", out)
        try:
            end = time.monotonic() + 60
            while (not part.exists() or part.stat().st_size < 100000) and time.monotonic() < end:
                time.sleep(0.01)
        finally:
            process.kill()
            process.communicate()
        self.assertEqual(process.returncode, -signal.SIGKILL)
        self.assertGreaterEqual(part.stat().st_size, 100000)
        self.assertEqual(out.read_text(), "old")

    # The first picture has no room, and then the second
    def test_pictures_of_a_benchmark_that_find_no_room_are_told(self):
        self.need_a_full_device()
        line = ["bench", "--suite", "continuous/sdf", "--quick", "-o"]
        folder = self.root / "field"
        folder.mkdir()
        (folder / "field.svg").write_text("old")
        result = run(*line, folder, timeout=1800, preexec_fn=lambda: self.small_disk(50000))
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn(f"FAILED  continuous/sdf: an exception: cannot write {folder}/field.svg", result.stdout)
        self.assertEqual((folder / "field.svg").read_text(), "old")
        self.assertEqual([p.name for p in folder.rglob("*") if ".part" in p.name], [])
        folder = self.root / "path"
        folder.mkdir()
        (folder / "path.svg").symlink_to(FULL)
        result = run(*line, folder, timeout=1800)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn(f"FAILED  continuous/sdf: an exception: cannot write {folder}/path.svg", result.stdout)
        self.assertEqual(os.readlink(folder / "path.svg"), FULL)

    # The picture that is written last: all that was measured is there, and the run is not one that came to its end
    def test_a_picture_of_a_benchmark_that_cannot_be_written_is_told(self):
        folder = self.root / "pictures"
        (folder / "path.svg").mkdir(parents=True)
        result = run("bench", "--suite", "continuous/sdf", "--quick", "-o", folder, timeout=1800)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn(f"FAILED  continuous/sdf: an exception: cannot write {folder}/path.svg", result.stdout)
        self.assertTrue((folder / "field.svg").read_text().endswith("</svg>\n"))
        self.assertIn("haptic probe", (folder / "results.json").read_text())

    # What `commands` do on a file system that has no room but for a few pages
    def on_a_full_disk(self, commands, free):
        place = self.root / "disk"
        place.mkdir(exist_ok=True)
        text = json.dumps({name: [str(a) for a in arguments] for name, arguments in commands.items()})
        try:
            done = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", sys.executable, "-c", ON_A_FULL_DISK, place,
                                   SUDAR, str(free), text], capture_output=True, text=True, timeout=120)
        except FileNotFoundError:
            self.leave_out("disks without room", "there is no unshare")
        if "mounted" not in done.stderr:
            why = (done.stderr.strip().splitlines() or ["?"])[-1]
            self.leave_out("disks without room", "no file system may be mounted here: " + why)
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

    def test_a_full_device_is_told_and_stays(self):
        self.need_a_full_device()
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

    def test_answers_that_do_not_arrive_are_errors(self):
        self.need_a_full_device()
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

        line = [*LAB, "40", "--keys", "f12,f9,space*5,f9"]
        folder = self.root / "keys"
        folder.mkdir()
        result = run(*line, cwd=folder, preexec_fn=self.small_disk)
        self.assertEqual((result.returncode, [p.name for p in folder.iterdir()]), (0, []), result.stderr)
        self.assertEqual(run(*line, cwd=folder).returncode, 0)
        self.assertEqual(sorted(p.suffix for p in folder.iterdir()), [".csv", ".png"])

    # The lab writes its settings when its window is left
    def test_settings_that_cannot_be_written_are_told_and_the_old_stay(self):
        why = no_pictures() or no_screen()
        if why:
            self.leave_out("settings of the lab", why)
        old = "sudar/lab-1\nscale=1\n"
        with Screen() as screen:
            for full in (True, False):
                folder = self.root / f"settings_{full}"
                folder.mkdir()
                (folder / "lab.conf").write_text(old)
                process = start("lab", "--exhibit", "shapes3", "--size", "320x240", "--settings", "lab.conf", cwd=folder,
                                env=screen.environment, preexec_fn=self.small_disk if full else None)
                try:
                    screen.do("search", "--sync", "--onlyvisible", "--name", "Sudar", "windowfocus", "--sync")
                    screen.do("key", "ctrl+q")
                    _, error = process.communicate(timeout=PATIENCE)
                finally:
                    process.kill()
                now = (folder / "lab.conf").read_text()
                self.assertEqual([p.name for p in folder.iterdir()], ["lab.conf"])
                if full:
                    self.assertEqual((process.returncode, error, now), (2, "sudar lab: cannot write lab.conf\n", old))
                else:
                    self.assertEqual(process.returncode, 0, error)
                    self.assertIn("exhibit=shapes3", now)

    # No settings are there to be written either, nor to be set aside as broken
    def test_settings_that_are_a_device_stay(self):
        if no_pictures():
            self.skipTest(no_pictures())
        (self.root / "lab.conf").symlink_to("/dev/null")
        result = run(*LAB, "1", "--settings", self.root / "lab.conf")
        self.assertEqual(result.returncode, 2)
        self.assertIn("it is no regular file", result.stderr)
        self.assertEqual(os.readlink(self.root / "lab.conf"), "/dev/null")

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

    # Ends within seconds of a signal, whatever it waits for
    def ended_by(self, process, number, pause=0.5):
        time.sleep(pause)
        self.assertIsNone(process.poll())
        process.send_signal(number)
        out, error = process.communicate(timeout=PATIENCE)
        return process.returncode, out, error

    def test_signals_end_commands_that_wait(self):
        pipe = self.root / "pipe"
        os.mkfifo(pipe)
        for number in (signal.SIGINT, signal.SIGTERM):
            # A pipe that nobody writes
            code, out, error = self.ended_by(start("query", pipe), number)
            self.assertEqual((code, out), (3, ""), error)
            # Half a line
            process = start("query", "-", stdin=subprocess.PIPE)
            process.stdin.write((self.root / "lines.jsonl").read_text().splitlines()[0] + '\n{"id":')
            process.stdin.flush()
            self.assertIn("separation", process.stdout.readline())
            time.sleep(0.2)
            process.send_signal(number)
            self.assertEqual(process.wait(PATIENCE), 3)
            self.assertIn("stopped after line 1\n", process.stderr.read())
            for end in (process.stdin, process.stdout, process.stderr):
                end.close()
            # A pipe that nobody reads, for the answers and for a report
            (self.root / "many.jsonl").write_text((self.root / "lines.jsonl").read_text() * 100)
            process = subprocess.Popen([SUDAR, "query", self.root / "many.jsonl"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(1)
            process.send_signal(number)
            self.assertEqual(process.wait(PATIENCE), 3)
            told = re.search(rb"stopped after line (\d+)\n", process.stderr.read())
            # What it tells is there
            self.assertGreaterEqual(process.stdout.read().count(b"\n"), int(told[1]))
            process.stdout.close()
            process.stderr.close()
            code, out, error = self.ended_by(
                start("check", self.root / "a.obj", self.root / "b.obj", "--units", "m", "-o", pipe), number)
            self.assertEqual(code, 2, error)
            self.assertIn("the result is on the standard output", error)
            self.assertIn("a.obj", out)

    def test_a_step_that_takes_long_is_left(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            metrics, state = self.root / "m.csv", self.root / "s.npy"
            process = start("sim", "uniform n=1000000", "--broadphase", "brute_force", "--metrics", metrics, "--state", state)
            code, out, error = self.ended_by(process, number, 2)
            self.assertEqual(code, 3, error)
            answer = json.loads(out)
            self.assertEqual((answer["steps"], answer["stopped"], answer["complete"]), (0, True, False))
            self.assertIn("s.npy is not written", error)
            self.assertEqual((metrics.exists(), state.exists()), (True, False))
            metrics.unlink()
        # A recording has the whole steps, and is closed
        record = self.root / "r.rec"
        process = start("sim", "pile n=100000", "--steps", "1000", "--record", record)
        code, out, error = self.ended_by(process, signal.SIGTERM, 3)
        self.assertEqual(code, 3, error)
        with open(record, "rb") as file:
            file.seek(-9, os.SEEK_END)
            self.assertEqual(struct.unpack("<BQ", file.read()), (0, json.loads(out)["steps"]))
        self.assertEqual([p.name for p in self.root.iterdir() if ".part" in p.name], [])

    def test_a_signal_that_comes_twice_at_once_is_one_wish(self):
        self.many_balls()
        process = start("check", "many.obj", "--per-part", "--units", "m", "--threads", "1", "--format", "json", cwd=self.root)
        time.sleep(0.7)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGTERM)
        out, error = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 3, error)
        self.assertFalse(json.loads(out)["complete"])

    def test_a_later_signal_of_either_kind_ends_a_command(self):
        pipe = self.root / "strip.svg"
        os.mkfifo(pipe)
        for first, later in ((signal.SIGINT, signal.SIGTERM), (signal.SIGTERM, signal.SIGINT), (signal.SIGINT, signal.SIGINT)):
            process = start("sim", "pyramid rows=3", "--steps", "3", "--strip", pipe)
            time.sleep(0.7)
            process.send_signal(first)
            time.sleep(0.7)
            self.assertIsNone(process.poll())
            process.send_signal(later)
            process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, -later)

    def test_a_signal_that_was_ignored_stays_ignored(self):
        process = subprocess.Popen([SUDAR, "sim", "uniform n=2000", "--steps", "200000"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 3)

    def test_places_are_looked_at_before_the_work(self):
        endless = ["sim", "pile n=5", "--steps", "1000000000"]
        (self.root / "old.csv").write_text("old")
        (self.root / "link.csv").symlink_to("old.csv")
        for name, arguments in {"no folder": [*endless, "--metrics", "nowhere/m.csv"],
                                "one place": [*endless, "--record", "x.npy", "--state", "./x.npy"],
                                "a link": [*endless, "--metrics", "old.csv", "--strip", "strip.svg", "--record", "link.csv"],
                                "a folder": [*endless, "--state", "folder.npy"],
                                "check": ["check", "a.obj", "b.obj", "-o", "x.ply", "--export-contacts", "x.ply"],
                                "query": ["query", "-", "--out", "nowhere/x"],
                                "pairs": ["pairs", "boxes.csv", "--repeat", "1000000", "--out", "nowhere/x.csv"]}.items():
            (self.root / "folder.npy").mkdir(exist_ok=True)
            with self.subTest(name):
                done = run(*arguments, cwd=self.root)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
                self.assertIn("cannot write", done.stderr)
        self.assertEqual([p.name for p in self.root.iterdir() if ".part" in p.name or p.name in ("x.npy", "x.ply")], [])
        self.assertEqual((self.root / "old.csv").read_text(), "old")

    def test_names_as_long_as_they_may_be(self):
        name = 251 * "n" + ".npy"
        self.assertEqual(run("sim", "uniform n=5", "--steps", "1", "--state", name, cwd=self.root).returncode, 0)
        self.assertEqual([p.name for p in self.root.iterdir() if p.name.startswith("nn")], [name])

    def test_a_check_that_is_left_and_cannot_tell_is_an_error(self):
        self.need_a_full_device()
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


if __name__ == "__main__":
    main()
