#!/usr/bin/env bash
# Line coverage of sudar/ by the tests (preset coverage; gcov): a table of the rooms, the files below 80 %, and an error when
# the whole is below SUDAR_COVERAGE_BAR (90 %). Usage: tools/coverage.sh [ROOM...]: only the tests of these rooms, no bar
set -euo pipefail
cd "$(dirname "$0")/.."
bar=${SUDAR_COVERAGE_BAR:-90}
cmake --preset coverage >/dev/null
if [ $# -gt 0 ]; then
  cmake --build --preset coverage -- "${@/#/test_}"
  labels=(-L "^($(IFS='|'; echo "$*"))\$")
  bar=0
else
  cmake --build --preset coverage
  labels=()
fi
find build/coverage -name '*.gcda' -delete
SUDAR_SOAK=${SUDAR_SOAK:-0.1} ctest --test-dir build/coverage -j "$(nproc)" --no-tests=error "${labels[@]}" --output-on-failure
python3 - "$PWD" "$bar" <<'PYTHON'
import json, os, pathlib, subprocess, sys
root, bar = pathlib.Path(sys.argv[1]), float(sys.argv[2])
build, library = root / "build/coverage", str(root / "sudar") + "/"
seen = {}  # file: line: whether it was run, in any object
for counts in build.glob("sudar/**/*.gcno"):
    told = subprocess.run(["gcov", "--json-format", "--stdout", str(counts)], cwd=build, check=True, capture_output=True)
    for line in told.stdout.splitlines():
        report = json.loads(line)
        for file in report["files"]:
            name = os.path.realpath(os.path.join(report["current_working_directory"], file["file"]))
            if name.startswith(library) and file["lines"]:
                lines = seen.setdefault(name.removeprefix(library), {})
                for each in file["lines"]:
                    lines[each["line_number"]] = lines.get(each["line_number"], False) or each["count"] > 0
files = {name: (len(lines), sum(lines.values())) for name, lines in seen.items()}
rooms = {}
for name, (lines, hit) in files.items():
    room = rooms.setdefault(name.split("/")[0], [0, 0])
    room[0] += lines
    room[1] += hit
share = lambda lines, hit: 100 * hit / max(lines, 1)
print("| room | lines | covered |\n|---|---|---|")
for room, counts in sorted(rooms.items()):
    print(f"| `{room}` | {counts[0]} | {share(*counts):.1f} % |")
total = [sum(counts[k] for counts in rooms.values()) for k in (0, 1)]
print(f"| all | {total[0]} | {share(*total):.1f} % |")
for name, counts in sorted(files.items(), key=lambda each: share(*each[1])):
    if share(*counts) < 80:
        print(f"below 80 %: {name} {share(*counts):.1f} % of {counts[0]}")
if not files or share(*total) < bar:
    sys.exit(f"line coverage is below {bar:g} %")
PYTHON
