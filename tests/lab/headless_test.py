"""Runs `sudar lab` without a window: pictures, lists, keys, settings, refusals. Standard library only; skipped where nothing
can be drawn.

usage: headless_test.py PATH_OF_SUDAR
"""

import csv
import os
import struct
import subprocess
import sys
import tempfile
import time
import unittest

SUDAR = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "sudar"


def run(*arguments, **environment):
    done = subprocess.run([SUDAR, "lab", *arguments], capture_output=True, text=True, timeout=200,
                          env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


class Lab(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def refused(self, arguments, words, **environment):
        code, out, err = run(*arguments, **environment)
        self.assertEqual(code, 2, (arguments, out, err))
        self.assertEqual(err.count("\n"), 1, err)
        self.assertTrue(err.startswith("sudar lab: "), err)
        self.assertIn(words, err)

    def test_a_picture_has_the_size_that_was_asked_for(self):
        picture, metrics = self.path("a.png"), self.path("m.csv")
        begun = time.time()
        code, _, err = run("--headless", "--exhibit", "shapes3:opacity=0.5", "--set", "boxes=on", "--frames", "3", "--size",
                           "640x360", "--screenshot", picture, "--metrics", metrics)
        self.assertEqual(code, 0, err)
        self.assertLess(time.time() - begun, 100)
        with open(picture, "rb") as file:
            head = file.read(24)
        self.assertEqual(struct.unpack(">II", head[16:24]), (640, 360))
        with open(metrics) as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 3)
        self.assertGreater(int(rows[0]["drawn"]), 10)

    def test_metrics_tell_steps_from_what_the_lab_adds_and_swaps(self):
        metrics = self.path("m.csv")
        code, _, err = run("--headless", "--scene", "uniform n=300", "--frames", "12", "--size", "320x200", "--keys", "pagedown",
                           "--metrics", metrics, "--settings", self.path("s.json"))
        self.assertEqual(code, 0, err)
        with open(metrics) as file:
            rows = list(csv.DictReader(file))
        self.assertTrue(all(float(row["step_ms"]) > 0 and float(row["lab_ms"]) > 0 for row in rows), rows)
        self.assertEqual(sum(float(row["swap_ms"]) > 0 for row in rows), 1, rows)

    def test_sim_draws_its_end(self):
        for scene in ("pyramid rows=3", "chain n=5 dim=2", "uniform n=50"):
            picture = self.path("sim.png")
            done = subprocess.run([SUDAR, "sim", scene, "--steps", "3", "--screenshot", picture], capture_output=True,
                                  text=True, timeout=200)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(picture, "rb") as file:
                bytes_ = file.read()
            self.assertEqual(struct.unpack(">II", bytes_[16:24]), (1280, 720))
            # One colour alone would be smaller
            self.assertGreater(len(bytes_), 12000, scene)
            os.remove(picture)

    def test_the_list_has_scenes_and_exhibits(self):
        code, out, _ = run("--list")
        names = [line.split()[0] for line in out.splitlines()]
        self.assertEqual(code, 0)
        self.assertTrue({"shapes2", "shapes3", "pyramid", "cluster"} <= set(names))
        self.assertEqual(len(names), len(set(names)))

    def test_keys_open_another_exhibit(self):
        log = self.path("log")
        code, _, err = run("--headless", "--exhibit", "shapes3", "--size", "320x180", "--frames", "2", "--log", log, "--keys",
                           "ctrl+o,text=shapes2,enter,space,f1")
        self.assertEqual(code, 0, err)
        with open(log) as file:
            self.assertEqual(file.read().splitlines(), ["opened shapes3", "opened shapes2", "paused"])

    def test_files_of_cases_are_opened_and_leafed_through(self):
        cases, log, picture = self.path("my cases, found.jsonl"), self.path("log"), self.path("case.png")
        ball = '{"shape":{"type":"sphere","radius":0.5},"pose":{"position":[0,0,%s]}}'
        plane = '{"shape":{"type":"halfspace","normal":[0,0,1],"offset":0}}'
        with open(cases, "w") as file:
            file.write('{"op":"distance","dim":3,"a":%s,"b":%s}\n' % (plane, ball % "0.75"))
            file.write('{"op":"toi","dim":3,"a":%s,"b":%s,"motion_b":{"linear":[0,0,-4]},"t_max":1}\n' % (plane, ball % "2"))
            file.write('{"op":"inside","dim":3,"a":%s,"point":[0,0,1]}\n' % plane)
        code, _, err = run("--headless", "--exhibit", "@" + cases, "--size", "640x360", "--frames", "2", "--log", log, "--keys",
                           "n,n,n,shift+n", "--screenshot", picture)
        self.assertEqual(code, 0, err)
        self.assertTrue(os.path.exists(picture))
        with open(log) as file:
            self.assertEqual(file.read().splitlines(),
                             ["opened gjk3", "case line 2 of 3: toi in space, time_of_impact",
                              "case line 3 of 3: inside in space, not shown", "case line 1 of 3: distance in space, gjk3",
                              "case line 3 of 3: inside in space, not shown"])
        # The picker lists the lines of a file; commas separate keys, so this name has none
        plain = self.path("found.jsonl")
        os.rename(cases, plain)
        code, _, err = run("--headless", "--exhibit", "shapes3", "--size", "640x360", "--frames", "2", "--log", log, "--keys",
                           "ctrl+o,text=@" + plain + ",down,enter")
        self.assertEqual(code, 0, err)
        with open(log) as file:
            self.assertEqual(file.read().splitlines(), ["opened shapes3", "opened time_of_impact"])
        tail = ("--headless", "--frames", "1")
        self.refused(("--exhibit", "@" + plain + ":3", *tail), "no exhibit shows a line of 'inside'")
        self.refused(("--exhibit", "@" + self.path("nothing.jsonl"), *tail), "cannot read")

    def test_a_body_is_taken_turned_and_let_go_by_keys_alone(self):
        log = self.path("log")
        code, _, err = run("--headless", "--exhibit", "tower", "--size", "320x180", "--frames", "2", "--log", log, "--keys",
                           "t,shift+left*10,2,w*5,t,space")
        self.assertEqual(code, 0, err)
        with open(log) as file:
            lines = [line for line in file.read().splitlines() if not line.startswith("moved")]
        self.assertEqual(lines, ["opened tower", "grabbed", "camera walk", "let go", "paused"])

    def test_bad_input_is_one_line_and_writes_nothing(self):
        picture = self.path("no.png")
        tail = ("--headless", "--frames", "1", "--screenshot", picture)
        self.refused(("--exhibit", "no_such_thing", *tail), "no_such_thing")
        self.refused(("--scene", "pyramid rows=-3", *tail), "rows")
        self.refused(("--exhibit", "shapes3:opacity=9", *tail), "opacity")
        self.refused(("--exhibit", "shapes3", "--set", "nothing=1", *tail), "nothing")
        self.refused(("--exhibit", "shapes3", "--size", "huge", *tail), "--size")
        self.refused(("--exhibit", "shapes3", "--frames", "0"), "--frames")
        self.refused(("--exhibit", "shapes3", "--headless", "--keys", "ctrl+unheard"), "unheard")
        self.refused(("--exhibit", "shapes3", "--headless", "--screenshot", self.path("no/where.png")), "cannot write")
        self.assertFalse(os.path.exists(picture))

    def test_broken_settings_are_set_aside(self):
        settings = self.path("lab.conf")
        with open(settings, "w") as file:
            file.write("rubbish\n")
        self.refused(("--headless", "--exhibit", "shapes3", "--frames", "1", "--settings", settings), "set aside")
        self.assertEqual(os.listdir(self.folder.name), ["lab.conf.broken"])
        code, _, err = run("--headless", "--exhibit", "shapes3", "--frames", "1", "--settings", settings)
        self.assertEqual(code, 0, err)

    def test_without_display_or_opengl(self):
        environment = {"DISPLAY": "", "WAYLAND_DISPLAY": ""}
        self.refused(("--exhibit", "shapes3"), "display", **environment)
        self.refused(("--headless", "--exhibit", "shapes3"), "OpenGL 3.3", MESA_GL_VERSION_OVERRIDE="2.1")


if __name__ == "__main__":
    code, _, err = run("--headless", "--exhibit", "shapes3", "--frames", "1", "--size", "64x64")
    if code != 0:
        print("skipped: nothing can be drawn here: " + err.strip())
        sys.exit(77)
    unittest.main(verbosity=1)
