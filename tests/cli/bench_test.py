"""The race track of `sudar bench` as a user meets it: rows of contestants that crash, hang or are missing, resuming, comparing with
an earlier run, and the report in a real browser where there is one. Standard library only.

usage: bench_test.py PATH_OF_SUDAR [PICTURE.png]
"""

import base64
import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
SUDAR = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "sudar"
PICTURE = sys.argv.pop(2) if len(sys.argv) > 2 else None
from report_test import BROWSER, Page  # noqa: E402  (takes the command from the arguments, as this does)
from sanitizer import is_sanitized  # noqa: E402

if is_sanitized(SUDAR):
    # What crashes ends by its signal, as it does without
    os.environ["ASAN_OPTIONS"] = "handle_segv=0:" + os.environ.get("ASAN_OPTIONS", "")
    os.environ["TSAN_OPTIONS"] = "handle_segv=0:" + os.environ.get("TSAN_OPTIONS", "")


def bench(*arguments, cwd):
    done = subprocess.run([SUDAR, "bench", *arguments], capture_output=True, text=True, timeout=120, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


def rows(folder, table):
    with open(os.path.join(folder, table + ".csv"), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def results(folder):
    with open(os.path.join(folder, "results.json"), encoding="utf-8") as file:
        return json.load(file)


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.token = os.environ["SUDAR_TEST_TOKEN"] = os.path.basename(cls.folder.name)
        cls.addClassCleanup(os.environ.pop, "SUDAR_TEST_TOKEN")
        cls.code, cls.out, cls.err = bench("--suite", "harness/faults", "--patience", "2", "-o", "out", "--markdown", "out.md",
                                           cwd=cls.folder.name)
        cls.dir = os.path.join(cls.folder.name, "out")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_a_run_with_failures_is_partial(self):
        self.assertEqual(self.code, 3, self.err)
        self.assertFalse(results(self.dir)["complete"])
        # A bar that was announced and never measured is not met, and is told
        self.assertTrue(self.out.rstrip().endswith("1 of 2 bars met, 1 not measured"))
        self.assertEqual([(bar["passed"], bar["measured"], bar["seen"]) for bar in results(self.dir)["bars"]],
                         [(True, True, 2.0), (False, False, None)])
        self.assertEqual(results(self.dir)["bars_by_capability"],
                         [{"capability": "evaluation", "bars": 2, "met": 1, "missed": 0, "not_measured": 1, "failed_parts": 0}])
        self.assertEqual(results(self.dir)["bars"][0]["capability"], "evaluation")
        self.assertEqual(results(self.dir)["bar_count"], {"bars": 2, "met": 1, "missed": 0, "not_measured": 1})
        self.assertGreater(results(self.dir)["rounds"]["timed"], 0)
        self.assertIn("FAILED  harness/faults: input not found: a file that nobody has", self.out)
        self.assertIn("FAILED  harness/faults: bar not measured: faults: a bar that nobody measures", self.out)

    def test_who_fails_has_a_row_that_says_so_and_the_rest_goes_on(self):
        race = {row["contestant"]: row for row in rows(self.dir, "faults") if row["workload"] == "made-up contestants"}
        self.assertIn("Segmentation fault", race["crashes"]["trouble"])
        self.assertIn("code 7", race["leaves"]["trouble"])
        self.assertIn("timed out", race["hangs"]["trouble"])
        self.assertEqual(race["throws"]["trouble"], "threw: too much to ask")
        self.assertIn("threw", race["throws a number"]["trouble"])
        for name in ("crashes", "leaves", "hangs", "throws", "throws a number"):
            self.assertEqual((race[name]["ms_min"], race[name]["rounds"]), ("", "0"))
        self.assertEqual(race["steady"]["trouble"], "")
        self.assertEqual(int(race["steady"]["rounds"]), 3)
        self.assertTrue(0 < float(race["steady"]["ms_min"]) <= float(race["steady"]["ms_median"]))
        self.assertEqual([row["contestant"] for row in rows(self.dir, "faults") if row["workload"] == "after them"],
                         ["steady", "is made"])
        made = {row["contestant"]: row["trouble"] for row in rows(self.dir, "faults") if row["workload"] == "before the race"}
        self.assertEqual(made, {"cannot be made": "crashed: Segmentation fault", "will not be made": "threw: not today"})

    def test_who_fails_in_its_turn_has_a_row_and_the_rest_goes_on(self):
        race = {row["contestant"]: row for row in rows(self.dir, "faults") if row["workload"] == "in turns"}
        self.assertEqual({name: row["trouble"] for name, row in race.items()},
                         {"steady": "", "half as fast": "", "cannot begin": "crashed: Segmentation fault",
                          "will not begin": "threw: not today", "crashes in a turn": "crashed: Segmentation fault",
                          "throws in a turn": "threw: no more", "throws when judged": "threw: no more"})
        self.assertEqual((race["steady"]["rounds"], race["half as fast"]["rounds"]), ("3", "3"))
        self.assertGreater(float(race["half as fast"]["ms_min"]), float(race["steady"]["ms_min"]))
        for name in ("cannot begin", "throws in a turn"):
            self.assertEqual((race[name]["rounds"], race[name]["ms_min"]), ("0", ""))

    def test_nothing_outlives_the_run(self):
        # One that hangs had started a process of its own; who is killed may take a moment
        def left():
            for process in (name for name in os.listdir("/proc") if name.isdigit()):
                try:
                    with open("/proc/%s/environ" % process, "rb") as file:
                        if int(process) != os.getpid() and self.token.encode() in file.read():
                            return process
                except OSError:
                    pass
            return None
        end = time.monotonic() + 10
        while left() is not None and time.monotonic() < end:
            time.sleep(0.1)
        self.assertIsNone(left())
        self.assertEqual(os.listdir(os.path.join(self.dir, "parts")), ["harness.faults.json"])

    def test_answers_are_compared_with_the_first(self):
        race = {row["contestant"]: row for row in rows(self.dir, "faults")}
        self.assertEqual(race["steady"]["disagreements"], "0")
        self.assertEqual(race["wrong"]["disagreements"], "4")  # the warm-up round is compared, too
        self.assertEqual((race["judged"]["disagreements"], race["judged"]["of"]), ("2", "5"))
        self.assertEqual([m["why"] for m in results(self.dir)["measurements"] if m["contestant"] == "judged"], ["made up"])

    def test_a_missing_peer_is_listed(self):
        self.assertEqual(results(self.dir)["missing_peers"], ["faults: a peer that nobody has"])
        self.assertIn("peer not found: faults: a peer that nobody has", self.out)

    def test_the_result_says_where_and_how_it_was_measured(self):
        facts = results(self.dir)
        for field in ("version", "compiler", "flags", "instruction_set", "commit"):
            self.assertTrue(facts["build"][field], field)
        for field in ("processor", "cores", "date"):
            self.assertTrue(facts["machine"][field], field)
        self.assertEqual(facts["peers"]["wrong"], "1.0")
        with open(os.path.join(self.folder.name, "out.md"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("## What failed", text)
        self.assertIn("crashed: Segmentation fault", text)


class Repeats(unittest.TestCase):
    def test_an_interrupted_run_goes_on_and_another_is_compared(self):
        with tempfile.TemporaryDirectory() as folder:
            suite = ("--suite", "harness/repeats", "--quick")
            code, _, err = bench(*suite, "-o", "a", cwd=folder)
            self.assertEqual(code, 0, err)
            self.assertNotIn("already there", err)
            first = results(os.path.join(folder, "a"))["measurements"]
            # The part is there, so that nothing is measured again; with other options it is not
            code, _, err = bench(*suite, "-o", "a", "--resume", cwd=folder)
            self.assertEqual(code, 0, err)
            self.assertIn("already there", err)
            again = results(os.path.join(folder, "a"))
            self.assertEqual(again["measurements"], first)
            self.assertTrue(again["parts"][0]["resumed"])
            _, _, err = bench(*suite, "--seed", "2", "-o", "a", "--resume", cwd=folder)
            self.assertNotIn("already there", err)
            # A half-written part is none
            part = os.path.join(folder, "a", "parts", "harness.repeats.json")
            with open(part, encoding="utf-8") as file:
                text = file.read()
            with open(part, "w", encoding="utf-8") as file:
                file.write(text[:len(text) // 2])
            code, _, err = bench(*suite, "--seed", "2", "-o", "a", "--resume", cwd=folder)
            self.assertEqual(code, 0, err)
            self.assertNotIn("already there", err)

    def test_results_are_not_compared_with_themselves_and_leave_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            suite = ("--suite", "harness/repeats", "--quick", "-o", "a")
            self.assertEqual(bench(*suite, cwd=folder)[0], 0)
            code, out, err = bench(*suite, "--compare", "./a/results.json", cwd=folder)
            self.assertEqual((code, out, err.count("\n")), (2, "", 1), err)
            self.assertIn("would be replaced", err)
            with open(os.path.join(folder, "other.json"), "w") as file:
                file.write("{}")
            code, out, err = bench(*suite, "--compare", "other.json", cwd=folder)
            self.assertEqual((code, out, err.count("\n")), (2, "", 1), err)
            # The results of the parts lie in a folder of their own, also when nobody reads what is printed
            scratch = os.path.join(folder, "scratch")
            os.mkdir(scratch)
            read, write = os.pipe()
            os.close(read)
            done = subprocess.run([SUDAR, "bench", "--suite", "geometry/predicates", "--quick"], stdout=write,
                                  stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": scratch})
            os.close(write)
            self.assertEqual((done.returncode, os.listdir(scratch)), (-signal.SIGPIPE, []))

    def test_ctrl_c_ends_it_with_what_is_known(self):
        self.ended_by(signal.SIGINT)

    def test_sigterm_ends_it_as_ctrl_c_does(self):
        self.ended_by(signal.SIGTERM)

    def ended_by(self, number):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.Popen([SUDAR, "bench", "--suite", "harness", "--quick", "--patience", "60", "-o", "a"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)
            said = ""
            while "harness/faults" not in said:
                line = run.stderr.readline()
                self.assertTrue(line, said)
                said += line
            time.sleep(0.3)
            begin = time.monotonic()
            run.send_signal(number)
            out, err = run.communicate(timeout=30)
            self.assertLess(time.monotonic() - begin, 5)
            self.assertEqual(run.returncode, 3, err)
            self.assertIn("interrupted", err)
            known = results(os.path.join(folder, "a"))
            self.assertFalse(known["complete"])
            self.assertEqual([m["contestant"] for m in known["measurements"] if m["table"] == "repeats"], ["one", "two"])
            troubles = [part["trouble"] for part in known["parts"]]
            self.assertEqual(troubles[0], "")
            self.assertIn("interrupted", troubles[1])
            self.assertEqual(troubles[2], "not run: the run was interrupted")
            self.assertIn("FAILED  harness/lasting: not run", out)
            self.assertTrue(os.path.exists(os.path.join(folder, "a", "report.html")))
            self.assertEqual([n for _, _, names in os.walk(folder) for n in names if ".part" in n], [])
            # What was finished is kept, with its time
            code, _, err = bench("--suite", "harness/repeats", "--quick", "--patience", "60", "-o", "a", "--resume", cwd=folder)
            self.assertEqual(code, 0, err)
            self.assertIn("already there", err)
            again = results(os.path.join(folder, "a"))
            self.assertEqual(again["seconds"], again["parts"][0]["seconds"])
            self.assertGreater(again["seconds"], 0.01)

    def test_a_part_that_takes_too_long_blames_nobody_and_is_not_begun_again(self):
        with tempfile.TemporaryDirectory() as folder:
            begin = time.monotonic()
            code, out, err = bench("--suite", "harness/lasting", "--part-limit", "1", "-o", "a", cwd=folder)
            self.assertLess(time.monotonic() - begin, 10)
            self.assertEqual(code, 3, err)
            self.assertNotIn("anew", err)
            self.assertIn("FAILED  harness/lasting: the part timed out after 1 s", out)
            known = results(os.path.join(folder, "a"))
            self.assertTrue(all(m["trouble"] == "" for m in known["measurements"]))

    def test_hard_cases_are_found_from_everywhere(self):
        with tempfile.TemporaryDirectory() as folder:
            code, out, err = bench("--suite", "narrowphase/hard_cases", "--quick", cwd=folder)
            self.assertEqual(code, 0, err)
            self.assertIn("pass    hard_cases: wrong decisions of sudar", out)
            code, out, err = bench("--suite", "continuous/hard_cases", "--quick", cwd=folder)
            self.assertEqual(code, 0, out + err)
            for what in ("what moves or lies in the plane", "rays"):
                self.assertIn("pass    hard_cases: wrong answers on " + what, out)

    def compare(self, change, peer_change=1.0, spread=0.02):
        """The report on ours taking `change` times as long while the machine takes `peer_change` times as long."""
        def of(ours, peer):
            row = {"table": "t", "workload": "w", "rounds": 5, "spread": spread, "ratio_p10": 1, "ratio_p90": 1 + spread,
                   "answer": 0, "disagreements": 0, "trouble": ""}
            return {"schema": "sudar/bench-1", "measurements": [
                dict(row, contestant="ours", version="", ms_min=ours, ms_median=ours, ratio_to_best=1),
                dict(row, contestant="peer", version="1", ms_min=peer, ms_median=peer, ratio_to_best=peer / ours)]}
        with tempfile.TemporaryDirectory() as folder:
            for name, data in (("old", of(10, 20)), ("new", of(10 * change, 20 * peer_change))):
                with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
                    json.dump(data, file)
            return bench("--compare", "old.json", "--with", "new.json", cwd=folder)

    def test_slower_is_beyond_the_noise_and_beyond_the_machine(self):
        code, out, _ = self.compare(1.5)
        self.assertEqual(code, 1)
        self.assertIn("slower  t, w: ours: +50 %", out)
        self.assertEqual(self.compare(1.05)[0], 0)
        # Of a row that scatters it is told, and not believed before it is more
        code, out, _ = self.compare(1.4, spread=1.2)
        self.assertEqual(code, 0)
        self.assertIn("unsure  t, w: ours: +40 % (noise 50 %)", out)
        self.assertEqual(self.compare(2, spread=1.2)[0], 1)
        self.assertEqual(self.compare(1.5, peer_change=1.5)[0], 0)
        self.assertEqual(self.compare(1.0, peer_change=0.5)[0], 1)
        code, out, _ = self.compare(0.5)
        self.assertEqual(code, 0)
        self.assertIn("faster  t, w: ours: -50 %", out)
        self.assertIn("1 compared, 0 within 15 % of those before, 1 changed beyond the noise", out)
        self.assertIn("the worst is t, w: peer: +100 %", out)

    def compared(self, older, newer):
        with tempfile.TemporaryDirectory() as folder:
            for name, data in (("old", older), ("new", newer)):
                with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
                    json.dump(data, file)
            return bench("--compare", "old.json", "--with", "new.json", cwd=folder)

    def test_what_is_gone_or_missed_or_of_another_run_is_told(self):
        def run(*names, **more):
            row = {"table": "t", "workload": "w", "version": "", "ms_min": 1, "ms_median": 1, "spread": 0, "ratio_to_best": 1,
                   "trouble": ""}
            return dict({"schema": "sudar/bench-1", "suite": "s", "quick": True, "seed": 1,
                         "measurements": [dict(row, contestant=name) for name in names]}, **more)
        code, _, err = self.compared(run("a"), run("b"))
        self.assertEqual(code, 2)
        self.assertIn("no row in common", err)
        code, out, _ = self.compared(run("a", "b"), run("a"))
        self.assertEqual(code, 1)
        self.assertIn("gone    t, w: b", out)
        # A part of it was run: what it lacks is no fault
        code, out, _ = self.compared(run("a", "b"), run("a", suite="s/t"))
        self.assertEqual(code, 0)
        self.assertIn("1 rows and bars are not in the newer results", out)
        code, out, _ = self.compared(run("a"), run("a", seed=2, machine={"processor": "other"}))
        self.assertEqual(code, 0)
        self.assertIn("warning: another seed: '1' then, '2' now", out)
        self.assertIn("warning: another processor", out)
        bar = {"what": "steps a second", "passed": True}
        code, out, _ = self.compared(run("a", bars=[bar]), run("a", bars=[dict(bar, passed=False)]))
        self.assertEqual(code, 1)
        self.assertIn("missed  steps a second", out)
        # Two rows of one name are two
        slow = run("a", "a")
        slow["measurements"][0]["ms_min"] = 2
        self.assertEqual(self.compared(run("a", "a"), slow)[0], 1)

    def test_bad_usage(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "no.json"), "w", encoding="utf-8") as file:
                file.write("{}")
            for arguments in (("--compare", "none.json", "--with", "none.json"), ("--compare", "no.json", "--with", "no.json"),
                              ("--resume", "--suite", "harness/repeats"), ("--with", "no.json"), ("--patience", "nan"),
                              ("--suite", "harness/none"), ("--seed", "-1", "--suite", "harness/repeats"),
                              ("--part-limit", "-1"), ("--suite", "harness/repeats", "--markdown", "none/x.md")):
                code, _, err = bench(*arguments, cwd=folder)
                self.assertEqual(code, 2, arguments)
                self.assertTrue(err)
                self.assertNotIn("==", err, "it measured first")


@unittest.skipIf(BROWSER is None, "there is no Chromium")
class Browser(unittest.TestCase):
    def test_charts_and_tables_of_the_report(self):
        # The browser may still write into its profile
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            code, _, err = bench("--suite", "seeds/capacity", "--quick", "-o", "out", cwd=folder)
            self.assertIn(code, (0, 1), err)
            page = Page("file://" + os.path.join(folder, "out", "report.html"), os.path.join(folder, "profile"))
            try:
                self.look_at(page)
            finally:
                page.close()

    def look_at(self, page):
        for _ in range(1200):
            if page.value("document.querySelectorAll('figure svg polyline').length") >= 10:
                break
            time.sleep(0.05)
        self.assertEqual(page.value("document.querySelectorAll('figure').length"), 2)
        self.assertEqual(page.value("document.querySelectorAll('figure svg polyline').length"), 10)
        # A series can be switched off, an axis be linear
        first = "document.querySelector('figure')"
        before = page.value(first + ".querySelector('polyline').getAttribute('points')")
        page.value(first + ".querySelector('.legend button').click()")
        self.assertEqual(page.value(first + ".querySelectorAll('polyline').length"), 4)
        page.value(first + ".querySelector('.legend button').click()")
        page.value("[..." + first + ".querySelectorAll('.tools input')].at(-1).click()")
        self.assertNotEqual(page.value(first + ".querySelector('polyline').getAttribute('points')"), before)
        # Hovering tells the row
        page.value("(()=>{const s=%s.querySelector('svg'),c=s.querySelector('circle').getBoundingClientRect();"
                   "s.dispatchEvent(new PointerEvent('pointermove',{clientX:c.x+3,clientY:c.y+3}))})()" % first)
        self.assertIn("capacity:", page.value(first + ".querySelector('.tip').textContent"))
        # Tables open and sort
        page.value("document.querySelector('details[data-table]').open=true")
        time.sleep(0.2)
        page.value("document.querySelectorAll('details[data-table] th')[2].click()")
        times = page.value("[...document.querySelectorAll('details[data-table] tbody tr')].map(r=>+r.children[2].textContent)")
        self.assertEqual(times, sorted(times))
        self.assertGreater(len(times), 50)
        # Nothing sticks out on a phone, and nothing comes from the network
        page.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=True)
        self.assertLessEqual(page.value("document.documentElement.scrollWidth"), 390)
        self.assertEqual(page.value("performance.getEntriesByType('resource').length"), 0)
        self.assertEqual(page.errors, [])
        if PICTURE:
            page.call("Emulation.setDeviceMetricsOverride", width=1100, height=1500, deviceScaleFactor=1, mobile=False)
            page.value("scrollTo(0,0)")
            time.sleep(0.5)
            with open(PICTURE, "wb") as file:
                file.write(base64.b64decode(page.call("Page.captureScreenshot")["data"]))


if __name__ == "__main__":
    unittest.main()
