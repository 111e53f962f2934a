"""How many instructions a dozen kernels take, against what they took when that was last written down: a guard against slowness that
no noise of the machine disturbs. Skipped (77) without valgrind, or for a build of which nothing was written down.

usage: instruction_counts.py PATH_OF_SUDAR_KERNELS COUNTS.json [--update]
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOLERANCE = 0.05  # of a kernel; what gets cheaper by more asks to be written down


def count(program):
    """Compiler with flags, and instructions a call by kernel."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + os.path.join(folder, "out"), program],
                              capture_output=True, text=True, timeout=300)
        if done.returncode == 77:
            return None, {}
        if done.returncode != 0:
            sys.exit("the kernels ended with %d:\n%s" % (done.returncode, done.stderr[-2000:]))
        totals = {}
        for path in glob.glob(os.path.join(folder, "out*")):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            name = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.M)
            total = re.search(r"^(?:totals|summary): (\d+)", text, re.M)
            if name and total:
                totals[name.group(1).strip()] = int(total.group(1))
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    build = ", ".join(line[1] for line in lines if line[0] in ("compiler", "flags"))
    return build, {line[2]: totals[line[2]] / int(line[1]) for line in lines if line[0] == "kernel"}


def main():
    program, stored_path = sys.argv[1:3]
    if not shutil.which("valgrind"):
        print("no valgrind: nothing was counted")
        return 77
    build, counts = count(program)
    if not counts:
        print("built without valgrind's headers: nothing was counted")
        return 77
    stored = {}
    if os.path.exists(stored_path):
        with open(stored_path, encoding="utf-8") as file:
            stored = json.load(file)
    if "--update" in sys.argv:
        stored[build] = {name: round(value) for name, value in counts.items()}
        with open(stored_path, "w", encoding="utf-8") as file:
            json.dump(stored, file, indent=1, ensure_ascii=False)
            file.write("\n")
        print("written down for", build)
        return 0
    if build not in stored:
        print("nothing is written down for this build (%s); --update does it. Counts now:" % build)
        for name, value in counts.items():
            print("  %12.0f  %s" % (value, name))
        return 77
    worse = 0
    for name, value in counts.items():
        before = stored[build].get(name)
        if before is None:
            print("  %12.0f  %s: not written down" % (value, name))
            worse += 1
            continue
        change = value / before - 1
        word = "MORE" if change > TOLERANCE else "less" if change < -TOLERANCE else ""
        worse += change > TOLERANCE
        print("  %12.0f  %+6.1f %%  %-4s  %s" % (value, 100 * change, word, name))
    print("%d kernels, %d take more instructions than before by over %d %%" % (len(counts), worse, 100 * TOLERANCE))
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
