"""Runs `sudar sim`: scenes by name and from files, hashes, metrics, states, refusals. Standard library only.

usage: sim_test.py PATH_OF_SUDAR
"""

import csv
import json
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

SUDAR = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "sudar"
DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "scene_file.md")


def run(*arguments, cwd=None):
    done = subprocess.run([SUDAR, "sim", *arguments], capture_output=True, text=True, timeout=120, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


def read_state(path):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    header = eval(data[10:10 + length])
    rows, columns = header["shape"]
    values = struct.unpack("<%dd" % (rows * columns), data[10 + length:])
    return [values[i * columns:(i + 1) * columns] for i in range(rows)]


class Sim(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def scene(self, scene, name="scene.json"):
        with open(self.path(name), "w") as file:
            json.dump(scene, file)
        return self.path(name)

    def answer(self, *arguments):
        code, out, err = run(*arguments)
        self.assertEqual(code, 0, err)
        self.assertEqual(out.count("\n"), 1)
        return json.loads(out)

    def test_hash_is_the_same_for_broad_phases_and_threads(self):
        first = self.answer("pyramid rows=4", "--steps", "30")
        self.assertEqual(first["schema"], "sudar/sim-1")
        self.assertEqual((first["dim"], first["steps"], first["bodies"]), (3, 30, 11))
        self.assertRegex(first["hash"], "^[0-9a-f]{16}$")
        other = self.answer("pyramid rows=4", "--steps", "30", "--broadphase", "grid", "--threads", "2")
        self.assertEqual(other["hash"], first["hash"])
        code, out, err = run("pyramid rows=4", "--steps", "30", "--validate-hash", first["hash"])
        self.assertEqual((code, json.loads(out)["valid"]), (0, True))
        code, out, err = run("pyramid rows=4", "--steps", "31", "--validate-hash", first["hash"])
        self.assertEqual((code, json.loads(out)["valid"]), (1, False))
        self.assertEqual(len(err.splitlines()), 1)

    def test_boxes_run_too(self):
        first = self.answer("cluster n=200 speed=0.2 seed=7", "--steps", "10", "--state", self.path("s.npy"))
        other = self.answer("cluster n=200 speed=0.2 seed=7", "--steps", "10", "--broadphase", "sap")
        self.assertEqual(first["hash"], other["hash"])
        self.assertEqual(len(read_state(self.path("s.npy"))), 200)
        self.assertEqual(len(read_state(self.path("s.npy"))[0]), 9)

    def test_metrics_have_a_row_a_step(self):
        self.answer("balls n=20 dim=2", "--steps", "12", "--hash", "--metrics", self.path("m.csv"))
        with open(self.path("m.csv")) as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([int(row["step"]) for row in rows], list(range(12)))
        for key in ("boxes_ms", "pairs_ms", "manifolds_ms", "solve_ms", "pairs", "contacts", "algorithm", "box_tests"):
            self.assertIn(key, rows[0])
        self.assertEqual(len({row["hash"] for row in rows}), 12)
        self.answer("bullet n=3", "--steps", "5", "--metrics", self.path("m.json"))
        with open(self.path("m.json")) as file:
            metrics = json.load(file)
        self.assertEqual((metrics["schema"], len(metrics["rows"])), ("sudar/metrics-1", 5))
        self.assertIn("through", metrics["rows"][0])

    def test_a_file_falls_as_it_should(self):
        # Semi-implicit: z = z0 - g h² n (n + 1) / 2 with the substeps' h
        ball = {"shape": {"type": "sphere", "radius": 0.5}, "pose": {"position": [1, 2, 3]}, "velocity": [1, 0, 0]}
        path = self.scene({"schema": "sudar/scene-1", "dim": 3, "gravity": [0, 0, -10], "dt": 0.01, "bodies": [ball]})
        answer = self.answer(path, "--steps", "100", "--state", self.path("s.npy"))
        self.assertEqual((answer["dt"], answer["bodies"]), (0.01, 1))
        row = read_state(self.path("s.npy"))[0]
        self.assertEqual(len(row), 13)
        self.assertAlmostEqual(row[0], 2, 12)
        n = 100 * 5
        self.assertAlmostEqual(row[2], 3 - 10 * (1 / n) ** 2 * n * (n + 1) / 2, 10)
        self.assertAlmostEqual(row[9], -10, 10)
        disc = {"shape": {"type": "circle", "radius": 0.5}, "pose": {"angle": 0.5}, "angular_velocity": 1}
        path = self.scene({"schema": "sudar/scene-1", "dim": 2, "gravity": [0, 0], "bodies": [disc]})
        self.answer(path, "--steps", "60", "--state", self.path("t.npy"))
        self.assertAlmostEqual(read_state(self.path("t.npy"))[0][2], 1.5, 4)

    def test_the_example_of_the_docs_runs(self):
        with open(DOCS) as file:
            example = re.search("```json\n(.*?)```", file.read(), re.S).group(1)
        answer = self.answer(self.scene(json.loads(example)), "--steps", "60", "--state", self.path("s.npy"))
        self.assertEqual(answer["bodies"], 3)
        # The plank turns about its pin and stays on it
        plank = read_state(self.path("s.npy"))[1]
        self.assertLess(max(abs(plank[0]), abs(plank[1]), abs(plank[2] - 1)), 0.05)
        builtin = self.scene({"schema": "sudar/scene-1", "builtin": "tower n=3"}, "b.json")
        self.assertEqual(self.answer(builtin, "--steps", "5")["hash"], self.answer("tower n=3", "--steps", "5")["hash"])

    def test_records_and_replays(self):
        record = self.path("run.rec")
        first = self.answer("domino n=5", "--steps", "20", "--record", record)
        again = self.answer("--replay", record, "--broadphase", "grid", "--threads", "2")
        self.assertEqual((again["hash"], again["steps"], again["differs"]), (first["hash"], 20, None))
        # One bit of a state after the eleventh step: the last byte of what was recorded of its last body
        with open(record, "rb") as file:
            whole = file.read()
        data = bytearray(whole)
        bodies, each, head = 6, 5 + 13 * 8, 1 + 8 + 4
        steps = 20 * (head + bodies * each)
        start = len(data) - 9 - steps
        at = start + 10 * (head + bodies * each)
        data[at + 1] ^= 1
        data[at + head + 3 * each + 5 + 7 * 8] ^= 1
        with open(record, "wb") as file:
            file.write(data)
        code, out, err = run("--replay", record)
        self.assertEqual((code, json.loads(out)["differs"]), (1, "first differs at step 10, body 3, momentum"))
        self.assertIn("first differs at step 10, body 3, momentum", err)
        self.assertEqual(json.loads(out)["steps"], 11)
        # What was changed in the file after the run is told, wherever it is: a state, who sleeps, a hash, and who is there
        at = start + 10 * (head + bodies * each)
        body = at + head + 3 * each
        for place, bit, word in [(body + 5 + 7 * 8, 1, ", body 3, momentum"), (body + 5, 128, ", body 3, position"),
                                 (body + 5 + 6 * 8, 2, ", body 3, rotation"), (body + 4, 1, ", body 3, asleep"),
                                 (body + each - 1, 64, ", body 3, angular momentum"), (at + 1, 1, ", hash"),
                                 (at + head + 5 * each, 8, ", body 5, presence")]:
            data = bytearray(whole)
            data[place] ^= bit
            with open(record, "wb") as file:
                file.write(data)
            code, out, err = run("--replay", record)
            self.assertEqual((code, out and json.loads(out)["differs"]), (1, "first differs at step 10" + word), err)
        # A scene file goes into the recording
        ball = {"shape": {"type": "circle", "radius": 0.5}, "mass": 3, "velocity": [1, 0]}
        path = self.scene({"schema": "sudar/scene-1", "dim": 2, "bodies": [ball]})
        self.answer(path, "--steps", "5", "--record", record)
        os.remove(path)
        self.assertIsNone(self.answer("--replay", record)["differs"])
        for change, word in [(lambda d: d[:-3], "breaks off"), (lambda d: b"x" + d, "recording"), (lambda d: d + b"0", "end")]:
            with open(record, "rb") as file:
                data = file.read()
            with open(self.path("bad.rec"), "wb") as file:
                file.write(change(data))
            code, out, err = run("--replay", self.path("bad.rec"))
            self.assertEqual((code, out), (2, ""), err)
        # A path is any bytes, also where it is not text
        odd = os.path.join(os.path.dirname(os.fsencode(path)), b"\xff.json")
        with open(odd, "w") as file:
            json.dump({"schema": "sudar/scene-1", "dim": 2, "bodies": [ball]}, file)
        self.answer(os.fsdecode(odd), "--steps", "5", "--record", record, "--metrics", self.path("m.json"))
        self.assertIsNone(self.answer("--replay", record)["differs"])
        # Numbers of steps that are none: a conversion would make some of them
        for steps in ("-1", "1e300", "2.5", '"2"', "null"):
            text = ('{"schema":"sudar/recording-1","scene":"tower n=3","dt":0.01,"steps":%s}' % steps).encode()
            with open(self.path("bad.rec"), "wb") as file:
                file.write(b"SUDARREC" + struct.pack("<IIQ", 1, 3, len(text)) + text + bytes(9))
            code, out, err = run("--replay", self.path("bad.rec"))
            self.assertEqual((code, out), (2, ""), steps)
            self.assertIn("no number of steps", err)
        self.assertEqual(run("cluster n=9", "--steps", "1", "--record", record)[0], 2)
        self.assertEqual(run("pyramid", "--replay", record)[0], 2)
        self.assertEqual(run("--replay", self.path("none.rec"))[0], 2)
        self.assertFalse(os.path.exists(record + ".part0"))

    def test_options_of_a_file_hold_for_scenes_by_name(self):
        floats = self.scene({"schema": "sudar/scene-1", "builtin": "tower n=3", "gravity": [0, 0, 0]}, "f.json")
        self.answer(floats, "--steps", "5", "--state", self.path("s.npy"))
        self.assertEqual(read_state(self.path("s.npy"))[1][9], 0)
        for change, word in [({"builtin": "gather n=5", "gravity": [0, 0, -1]}, "gravity"),
                             ({"builtin": "bullet n=5", "continuous": False}, "continuous"),
                             ({"builtin": "uniform n=5", "margin": 1}, "margin"),
                             ({"builtin": "tower n=5", "dim": 2}, "dim")]:
            code, out, err = run(self.scene({"schema": "sudar/scene-1", **change}, "g.json"), "--steps", "1")
            self.assertEqual((code, out), (2, ""), change)
            self.assertIn(word, err)

    def test_strips_of_pictures(self):
        for scene in ("breaking pieces=5 height=2", "characters", "vehicle", "simple_shapes n=9"):
            self.answer(scene, "--steps", "30", "--strip", self.path("s.svg"))
            with open(self.path("s.svg")) as file:
                text = file.read()
            self.assertEqual((text.count("<text"), text.count("nan")), (4, 0), scene)
            self.assertGreater(text.count("<path"), 20)
        self.assertEqual(run("tower", "--strip", "s.png")[0], 2)

    def test_what_is_taken_out_is_told(self):
        ball = {"shape": {"type": "sphere", "radius": 0.5}}
        path = self.scene({"schema": "sudar/scene-1", "dim": 3, "bodies": [
            {**ball, "pose": {"position": [9, 0, 0]}}, {**ball, "velocity": [1e300, 0, 0]}]})
        code, out, err = run(path, "--steps", "5")
        answer = json.loads(out)
        self.assertEqual((code, answer["taken_out"], answer["taken_out_bodies"]), (3, 1, [1]))
        self.assertEqual((answer["complete"], answer["bodies"], len(err.splitlines())), (False, 1, 1))

    def test_refusals_are_one_line(self):
        good = {"shape": {"type": "sphere", "radius": 1}}
        def world(**change):
            return self.scene({"schema": "sudar/scene-1", "dim": 3, "bodies": [good], **change}, "bad.json")
        with open(self.path("no.json"), "w") as file:
            file.write("{")
        with open(self.path("empty.json"), "w") as file:
            file.write("")
        os.mkfifo(self.path("pipe.json"))
        bad = [
            ((), "no scene"),
            (("pyramids",), "unknown scene"),
            (("pyramid rows=0",), "rows"),
            (("pyramid rows=nan",), "rows"),
            (("pyramid", "--dt", "nan"), "dt"),
            (("pyramid", "--dt", "-1"), "dt"),
            (("pyramid", "--steps", "-1"), "steps"),
            (("pyramid", "--steps", "1e30"), "steps"),
            (("pyramid", "--broadphase", "none"), "none"),
            (("pyramid", "--metrics", "m.txt"), "metrics"),
            (("pyramid", "--state", "s.csv"), "state"),
            (("pyramid", "--validate-hash", "xyz"), "xyz"),
            (("pyramid", "--screenshot", "x.jpg"), "screenshot"),
            (("pyramid", "--nothing"), "nothing"),
            (("pyramid", "--steps", "1", "--state", "/no/such/folder/s.npy"), "cannot write"),
            (("pyramid", "--dt", "0"), "'0' is no number of seconds"),
            ((self.path("no.json"),), "no.json: not JSON"),
            ((self.path("empty.json"),), "empty.json: the file is empty"),
            ((self.path("pipe.json"),), "pipe.json: it is no regular file"),
            ((self.path("missing.json"),), "missing.json"),
            ((world(schema="sudar/scene-2"),), "schema"),
        ]
        for arguments, word in bad:
            code, out, err = run(*arguments, cwd=self.folder.name)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertEqual(len(err.splitlines()), 1, err)
            self.assertIn(word, err)
        for change, word in [({"dim": 4}, "dim"), ({"bodies": [{}]}, "bodies[0]"), ({"speed": 1}, "speed"),
                             ({"bodies": [{**good, "densty": 1}]}, "densty"),
                             ({"bodies": [{**good, "density": -1}]}, "bodies[0]"),
                             ({"bodies": [good], "joints": [{"a": 0, "b": 7}]}, "joints[0]"),
                             ({"bodies": [good], "joints": [{"a": 0, "b": 0}]}, "joints[0]"),
                             ({"bodies": [good, good], "joints": [{"a": 0, "b": 1, "slide": {}}]}, "slide"),
                             ({"bodies": [good, good], "joints": [{"a": 0, "b": 1, "anchor_a": [0, 0, 0]}]}, "anchor_a"),
                             ({"bodies": [{**good, "mass": 1, "density": 1}]}, "mass"),
                             ({"gravity": [0, 0]}, "gravity"), ({"dt": 0}, "dt"), ({"builtin": "tower"}, "builtin")]:
            code, out, err = run(world(**change))
            self.assertEqual((code, out), (2, ""), change)
            self.assertEqual(len(err.splitlines()), 1, err)
            self.assertIn(word, err)
        self.assertIn("bad.json: bodies[0]", run(world(bodies=[{}]))[2])

    def test_a_run_that_is_stopped_is_not_complete(self):
        record, strip = self.path("stopped.rec"), self.path("stopped.svg")
        answer = self.stopped("tower n=3", "--steps", "1000000000", "--strip", strip, "--record", record)
        self.assertGreater(answer["steps"], 0)
        # Its strip shows how it began and where it ended
        with open(strip) as file:
            times = re.findall(r">([^<]*) s</text>", file.read())
        self.assertEqual((len(times), times[0][:6], times[0][-3:]), (2, "tower ", ", 0"))
        self.assertAlmostEqual(float(times[1]), answer["time"], delta=0.006)
        # Its recording is replayed as far as it went, and a replay can be stopped as well
        again = self.answer("--replay", record)
        self.assertEqual((again["hash"], again["steps"], again["differs"]), (answer["hash"], answer["steps"], None))
        self.assertTrue(again["recording_stopped"])
        self.answer("ragdolls n=20", "--steps", "250", "--record", record)
        self.assertLess(self.stopped("--replay", record)["steps"], 250)

    def stopped(self, *arguments):
        process = subprocess.Popen([SUDAR, "sim", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # Soon after it listens, and when it has something to show
        for _ in range(6000):
            with open(f"/proc/{process.pid}/status") as file:
                caught = int(re.search(r"^SigCgt:\s*(\w+)", file.read(), re.M).group(1), 16)
            part = arguments[-1] + ".part0"
            if caught >> (signal.SIGINT - 1) & 1 and (not os.path.exists(part) or os.path.getsize(part) > 100000):
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        answer = json.loads(out)
        self.assertEqual((process.returncode, answer["stopped"], answer["complete"]), (3, True, False))
        return answer

    def test_lists_the_scenes(self):
        code, out, _ = run("--list")
        names = [line.split()[0] for line in out.splitlines()]
        self.assertEqual(code, 0)
        for name in ("cluster", "pyramid", "pile", "card_house", "ragdolls", "vehicle", "breaking", "doors"):
            self.assertIn(name, names)


if __name__ == "__main__":
    unittest.main()
