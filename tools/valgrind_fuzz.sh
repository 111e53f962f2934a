#!/usr/bin/env bash
# Valgrind on the fuzzer's corpora of the targets that read text through streams, paths and JSON: the memory sanitizer gives false
# alarms there, because the standard library is not instrumented (tests/fuzz/CMakeLists.txt takes them out of its build), and
# valgrind needs no instrumentation. Seeds, packed corpora and what was once found, each input once; SUDAR_VALGRIND_INPUTS takes
# so many of each target, spread over all. Usage: tools/valgrind_fuzz.sh FUZZ-PROGRAM [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:?usage: tools/valgrind_fuzz.sh FUZZ-PROGRAM [TARGET...]}
shift
command -v valgrind >/dev/null || { echo "valgrind is not installed (sudo apt-get install valgrind)" >&2; exit 2; }
if [ $# -gt 0 ]; then
  targets=("$@")
else
  read -ra targets < <(sed -n 's/.*list(REMOVE_ITEM targets \(.*\))/\1/p' tests/fuzz/CMakeLists.txt)
  [ ${#targets[@]} -gt 0 ] || { echo "tests/fuzz/CMakeLists.txt leaves no target out" >&2; exit 2; }
fi
inputs=$(mktemp -d)
trap 'rm -rf "$inputs"' EXIT

for target in "${targets[@]}"; do
  rm -rf "${inputs:?}"/*
  count=$(PYTHONPATH=tests/fuzz python3 - "$program" "$target" "$inputs" "${SUDAR_VALGRIND_INPUTS:-0}" <<'PYTHON'
import pathlib, sys
import run
folders = run.Target(sys.argv[1], sys.argv[2]).known()
files = sorted(path for folder in folders for path in folder.iterdir())
most = int(sys.argv[4]) or len(files)
chosen = files if len(files) <= most else [files[i * len(files) // most] for i in range(most)]
for i, path in enumerate(chosen):
    (pathlib.Path(sys.argv[3]) / f"{i:05}").write_bytes(path.read_bytes())
print(f"{len(chosen)} of {len(files)}")
PYTHON
  )
  valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
    "$program" "--target=$target" "$inputs" >/dev/null || { echo "$target: not clean" >&2; exit 1; }
  echo "$target: $count inputs"
done
echo "valgrind: clean"
