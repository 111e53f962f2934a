#!/usr/bin/env python3
"""Seeded faults in the predicates, SAT, GJK, times of impact and the bounds they prove with: each must be caught by a test.

Usage: tools/mutate.py [--build build/dev] [--only TEXT] [--skip N] [--list] [--random COUNT [--seed N] [--seconds S]]
The tree is not touched: a faulty copy of the file is compiled in a temporary folder, with the commands of the build folder
(files not joined), and linked in front of the library; of a header, what includes it and is named here is compiled against the
faulty copy. The tests that guard the code then run. Exit code 1 when a fault survives.
A file's copy without a fault comes first, made and linked in the same way: the tests must pass with it, so that what is caught
is the fault. Where they do not, the exit code is 2.
--random takes COUNT faults by chance instead of the list: one operator, sign or constant of one line is another. Some of them
change no answer (a filter that sends more to exact arithmetic, a tie that may be broken either way): what survives is to be
looked at. EQUIVALENT names what was looked at.
"""
import argparse
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

from mutate_faults import CHANCE, DOES_NOT_COUNT, EQUIVALENT, FAULTS, SWAPS

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Values of SUDAR_SOAK: most faults show in a short campaign already
CAMPAIGNS = ("0.1", "1")


def chance_faults(count: int, seed: int):
    places = []
    for file, guard in CHANCE:
        lines = (ROOT / file).read_text(encoding="utf-8").splitlines(keepends=True)
        for number, line in enumerate(lines):
            if DOES_NOT_COUNT.search(line):
                continue
            code = line.split("//")[0]
            for old, new in SWAPS:
                for match in re.finditer(re.escape(old), code):
                    changed = line[:match.start()] + new + line[match.end():]
                    if any(file == e[0] and line.strip() == e[1] and e[2] in ("*", changed.strip()) for e in EQUIVALENT):
                        continue
                    text = "".join(lines[:number] + [changed] + lines[number + 1:])
                    places.append((f"{file}:{number + 1}: {line.strip()}  ->  {changed.strip()}", file, None, text, guard))
    random.Random(seed).shuffle(places)
    return places[:count]


class Builder:
    """A build folder's commands, and the tests as they are without a fault."""

    def __init__(self, build: pathlib.Path):
        self.build = build
        self.compile, self.link, self.limit = {}, {}, {}
        told = subprocess.run(["ninja", "-C", str(build), "-t", "targets", "all"], capture_output=True, text=True, check=True)
        # A build that tests double only will do
        self.suffix = "" if "\ntest_math:" in told.stdout else "_f64"

    def prepare(self, program: str) -> str:
        if program not in self.link:
            made = subprocess.run(["ninja", "-C", str(self.build), "-j1", program], capture_output=True, text=True)
            if made.returncode != 0:
                return "the tests do not build:\n" + made.stdout[-2000:]
            commands = subprocess.run(["ninja", "-C", str(self.build), "-t", "commands", program], capture_output=True, text=True)
            for command in commands.stdout.splitlines():
                words = shlex.split(command)
                if "-c" in words:
                    self.compile[str(pathlib.Path(words[words.index("-c") + 1]).resolve().relative_to(ROOT))] = words
            self.link[program] = [w for w in shlex.split(commands.stdout.splitlines()[-1]) if w not in (":", "&&")]
        return ""

    @staticmethod
    def run(binary: pathlib.Path, tests: str, limit: float, soak: str):
        return subprocess.run([str(binary), f"--gtest_filter={tests}", "--gtest_brief=1", "--gtest_fail_fast"],
                              capture_output=True, text=True, errors="replace", timeout=limit,
                              env={**os.environ, "SUDAR_SOAK": soak, "SUDAR_CASES": str(binary.parent)})

    def linked(self, folder: pathlib.Path, file: str, text: str, program: str, through):
        """The tests with `text` in place of the file; or None, and why not, and whether it is the text that does not compile."""
        copy = folder / file
        copy.parent.mkdir(parents=True)
        copy.write_text(text, encoding="utf-8")
        words = list(self.link[program])
        for source in (through if file.endswith(".hpp") else [file]):
            command = list(self.compile[source])
            made = str(folder / (source.replace("/", "_") + ".o"))
            plain = command[command.index("-o") + 1]
            command[command.index("-o") + 1] = made
            if source == file:
                command[command.index("-c") + 1] = str(copy)
            for flag in ("-MF", "-MT"):
                if flag in command:
                    command[command.index(flag) + 1] = made + ".d"
            at = 2 if command[0].endswith("ccache") else 1
            command[at:at] = [f"-I{folder}", "-w"]
            command = ["-O1" if word == "-O3" else word for word in command]
            built = subprocess.run(command, cwd=self.build, capture_output=True, text=True)
            if built.returncode != 0:
                return None, "it does not compile: " + built.stderr[-500:], True
            words = [w for w in words if w != plain]
            words.insert(next(i for i, w in enumerate(words) if w.endswith((".o", ".a"))), made)
        binary = folder / program
        words[words.index("-o") + 1] = str(binary)
        linked = subprocess.run(words, cwd=self.build, capture_output=True, text=True)
        if linked.returncode != 0:
            return None, "it does not link: " + linked.stderr[-500:], False
        return binary, "", False

    def control(self, file: str, program: str, tests: str, through) -> str:
        """Empty when the tests pass with a copy of the file that has no fault; how long they took is the measure of the others."""
        with tempfile.TemporaryDirectory() as folder:
            text = (ROOT / file).read_text(encoding="utf-8")
            binary, why, _ = self.linked(pathlib.Path(folder), file, text, program, through)
            if binary is None:
                return why
            for pattern in tests.split("-")[0].split(":"):
                listed = subprocess.run([str(binary), f"--gtest_filter={pattern}", "--gtest_list_tests"], capture_output=True,
                                        text=True)
                if "\n  " not in listed.stdout:
                    return f"there are no tests {pattern}"
            start = time.monotonic()
            for soak in CAMPAIGNS:
                try:
                    run = self.run(binary, tests, 3600, soak)
                except subprocess.TimeoutExpired:
                    return "the tests take more than an hour without a fault"
                if run.returncode != 0:
                    return f"the tests end with {run.returncode}:\n{run.stdout[-2000:]}{run.stderr[-500:]}"
            self.limit[file, program, tests, tuple(through)] = 30 + 8 * (time.monotonic() - start)
        return ""

    def survives(self, fault) -> str:
        """Empty when a test fails, and otherwise what happened."""
        _, file, old, new, guard = fault
        program, tests, through = guard
        program += self.suffix
        text = (ROOT / file).read_text(encoding="utf-8")
        if old is not None and text.count(old) != 1:
            return f"the place is there {text.count(old)} times"
        if why := self.prepare(program):
            give_up(why)
        guarded = (file, program, tests, tuple(through))
        if guarded not in self.limit:
            if why := self.control(*guarded):
                give_up(f"{file} without a fault, {program} --gtest_filter={tests}: {why}")
        with tempfile.TemporaryDirectory() as folder:
            binary, why, is_text = self.linked(pathlib.Path(folder), file, new if old is None else text.replace(old, new), program,
                                               through)
            if binary is None:
                # By chance it may not compile: a compiler that refuses it catches it as well
                return "" if old is None and is_text else why
            for soak in CAMPAIGNS:
                try:
                    if self.run(binary, tests, self.limit[guarded], soak).returncode != 0:
                        return ""
                except subprocess.TimeoutExpired:
                    return ""
            return "all tests pass"


def give_up(why: str):
    print(f"tools/mutate.py: {why}", file=sys.stderr)
    sys.exit(2)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/dev")
    parser.add_argument("--only", default="")
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=1e9)
    arguments = parser.parse_args()
    faults = chance_faults(arguments.random, arguments.seed) if arguments.random else FAULTS
    faults = [f for f in faults if arguments.only in f[0]][arguments.skip:]
    if arguments.list:
        print("\n".join(f"{f[1]}: {f[0]}" for f in faults))
        return 0
    builder = Builder(ROOT / arguments.build)
    left, done, end = 0, 0, time.monotonic() + arguments.seconds
    for fault in faults:
        if time.monotonic() > end:
            break
        done += 1
        why = builder.survives(fault)
        left += bool(why)
        print(("SURVIVED  " if why else "caught    ") + fault[0] + (f": {why}" if why else ""), flush=True)
    print(f"{done - left} of {done} faults are caught")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
