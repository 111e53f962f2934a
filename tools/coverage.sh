#!/usr/bin/env bash
# Line coverage of sudar/ by the tests (preset coverage; lcov): a table of the rooms, the files below 80 %, and an error when
# the whole is below SUDAR_COVERAGE_BAR (90 %). Usage: tools/coverage.sh [ROOM...]: only the tests of these rooms, no bar
set -euo pipefail
cd "$(dirname "$0")/.."
command -v lcov >/dev/null || { echo "lcov is not installed (sudo apt-get install lcov)" >&2; exit 2; }
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
lcov --quiet --capture --directory build/coverage --output-file build/coverage/all.info --ignore-errors source,gcov 2>/dev/null
lcov --quiet --extract build/coverage/all.info "$PWD/sudar/*" --output-file build/coverage/sudar.info
python3 - "$PWD/sudar/" "$bar" build/coverage/sudar.info <<'PYTHON'
import sys
root, bar, info = sys.argv[1], float(sys.argv[2]), sys.argv[3]
files, name = {}, ""
for line in open(info):
    if line.startswith("SF:"):
        name = line[3:].strip().removeprefix(root)
        files[name] = [0, 0]
    elif line.startswith("DA:"):
        files[name][0] += 1
        files[name][1] += int(line.split(",")[1]) > 0
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
