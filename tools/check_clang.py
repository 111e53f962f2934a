#!/usr/bin/env python3
"""Clang's warnings, as errors, on the library, the scenes, the command line, the benchmarks and the lab: parsed, not compiled.

Usage: tools/check_clang.py [--jobs N]
The commands are those of a build by clang whose files are joined, a room in two (SUDAR_UNITY), with precompiled headers, which are
the only thing that is built: a minute of processor time in place of the quarter of an hour that compiling takes. What is left to
./test --soak clang, which compiles each file alone and runs the tests: kernels in vectors (Highway is most of what they read), and
names that hide others (files that are joined hide each other's; gcc looks at each alone).
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "clang-check"
OPTIONS = ["-DCMAKE_CXX_COMPILER=clang++", "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-DSUDAR_ASSERTS", "-DSUDAR_WERROR=ON",
           "-DSUDAR_PRECISIONS=f32", "-DSUDAR_BUILD_TESTS=OFF", "-DSUDAR_INSTALL=OFF", "-DSUDAR_PCH=ON", "-DSUDAR_UNITY=ON",
           "-DSUDAR_UNITY_FILES=1000", "-DSUDAR_USE_HIGHWAY=OFF", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
ROOMS = ("sudar", "scenes", "cli", "bench", "lab")


def parse(command):
    """What clang says; nothing when it is content"""
    words = shlex.split(command["command"])
    at = words.index("-o")
    words[at:at + 2] = ["-fsyntax-only", "-Wno-shadow"]
    done = subprocess.run(words, cwd=command["directory"], capture_output=True, text=True)
    return done.stderr if done.returncode != 0 or done.stderr.strip() else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    jobs = parser.parse_args().jobs
    subprocess.run(["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", *OPTIONS], check=True, stdout=subprocess.DEVNULL)
    commands, headers = [], []
    for command in json.loads((BUILD / "compile_commands.json").read_text()):
        place = pathlib.Path(command["directory"], shlex.split(command["command"])[-1]).resolve()
        room = (place.relative_to(BUILD) if BUILD in place.parents else place.relative_to(ROOT)).parts[0]
        # Files of the command once more
        if room in ROOMS and "sudar_lab_alone.dir" not in command["command"]:
            (headers if place.name == "cmake_pch.hxx.cxx" else commands).append(command)
    outputs = [shlex.split(command["command"])[shlex.split(command["command"]).index("-o") + 1] for command in headers]
    subprocess.run(["ninja", "-C", BUILD, f"-j{jobs}", *outputs], check=True, stdout=subprocess.DEVNULL)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        said = [text for text in pool.map(parse, commands) if text]
    print("".join(said), end="")
    print(f"clang: {len(commands)} joined files of {', '.join(ROOMS)}, {len(said)} with faults")
    return 1 if said or not commands else 0


if __name__ == "__main__":
    sys.exit(main())
