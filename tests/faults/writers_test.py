#!/usr/bin/env python3
"""Every writer of the command: a full disk, a closed pipe, a signal. No half-written file under the final name, no traceback."""
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

SUDAR = sys.argv.pop(1)
FULL = "/dev/full"


def run(*arguments, **options):
    return subprocess.run([SUDAR, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)


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

    # Arguments with OUT where the name of the file goes
    def writers(self):
        root = self.root
        return {"pairs.csv": ["pairs", root / "boxes.csv", "--out", "OUT"],
                "pairs.npy": ["pairs", root / "boxes.csv", "--out", "OUT"],
                "answers.jsonl": ["query", root / "lines.jsonl", "--out", "OUT"],
                "metrics.csv": ["sim", "pyramid rows=3", "--steps", "100", "--metrics", "OUT"],
                "metrics.json": ["sim", "pyramid rows=3", "--steps", "100", "--metrics", "OUT"],
                "state.npy": ["sim", "uniform n=500", "--steps", "2", "--state", "OUT"],
                "report.json": ["check", root / "a.obj", root / "b.obj", "--units", "m", "--format", "json", "--out", "OUT"],
                "report.html": ["check", root / "a.obj", root / "b.obj", "--units", "m", "--format", "html", "--out", "OUT"]}

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
                line = [out if a == "OUT" else a for a in arguments]
                result = run(*line, preexec_fn=small_disk)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("cannot write", result.stderr.strip().splitlines()[-1])
                self.assertEqual(out.read_text(), "old")
                self.assertEqual([p.name for p in folder.iterdir()], [name])
                # With room it is written whole
                self.assertIn(run(*line).returncode, (0, 1))
                self.assertGreater(out.stat().st_size, 100)
                self.assertEqual([p.name for p in folder.iterdir()], [name])

    @unittest.skipUnless(os.path.exists(FULL), "needs /dev/full")
    def test_answers_that_do_not_arrive_are_errors(self):
        lines = self.root / "lines.jsonl"
        for arguments in (["info"], ["info", "--format", "json"], ["pairs", self.root / "boxes.csv"], ["query", lines],
                          ["sim", "pyramid rows=3", "--steps", "2"], ["manual"], ["completions", "bash"],
                          ["check", self.root / "a.obj", self.root / "b.obj", "--units", "m"]):
            with self.subTest(str(arguments[0])), open(FULL, "w") as full:
                result = subprocess.run([SUDAR, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("cannot write", result.stderr)

    def test_a_closed_pipe_ends_the_command_quietly(self):
        for arguments in (["info"], ["query", self.root / "lines.jsonl"], ["sim", "--list"], ["manual"]):
            with self.subTest(str(arguments[0])):
                process = subprocess.Popen([SUDAR, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                process.stdout.close()
                error = process.stderr.read()
                process.stderr.close()
                # By the signal, as other commands end, or with the code for an answer that did not arrive
                self.assertIn(process.wait(60), (-signal.SIGPIPE, 2, 0))
                self.assertLessEqual(len(error.splitlines()), 1, error)

    def test_signals_in_long_commands(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            metrics = self.root / "m.csv"
            process = subprocess.Popen([SUDAR, "sim", "pyramid rows=5", "--steps", "100000000", "--metrics", metrics],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
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
            process = subprocess.Popen([SUDAR, "query", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
            process.stdin.write((self.root / "lines.jsonl").read_text().splitlines()[0] + "\n")
            process.stdin.flush()
            self.assertIn("separation", process.stdout.readline())
            process.send_signal(number)
            process.stdin.close()
            process.wait(60)
            self.assertEqual(process.returncode, 3)
            process.stdout.close()
            process.stderr.close()

    def test_files_that_change_while_they_are_read(self):
        whole = {name: (self.root / name).read_bytes() for name in ("a.obj", "boxes.csv", "lines.jsonl")}
        stop = threading.Event()

        # In place, not by a rename: cut, written in pieces, with something more at the end
        def meddle():
            turn = 0
            while not stop.is_set():
                for name, text in whole.items():
                    with open(self.root / name, "wb") as file:
                        file.write(text[:turn % len(text)])
                        file.flush()
                        file.write(text[turn % len(text):] + b"x" * (turn % 3))
                turn += 97

        meddler = threading.Thread(target=meddle)
        meddler.start()
        try:
            for _ in range(6):
                for arguments in (["check", self.root / "a.obj", self.root / "b.obj", "--units", "m"],
                                  ["pairs", self.root / "boxes.csv"], ["query", self.root / "lines.jsonl"]):
                    result = run(*arguments)
                    # An answer about what was there, which may have been nothing, or an error in words
                    self.assertIn(result.returncode, (0, 1, 2, 3), result.stderr)
                    self.assertTrue(result.returncode != 2 or result.stdout or result.stderr)
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


if __name__ == "__main__":
    unittest.main()
