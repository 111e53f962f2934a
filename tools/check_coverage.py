#!/usr/bin/env python3
"""docs/coverage.md has one row for every id of the seeds, and what a filled cell names exists; so do the tests that
docs/guarantees.md, docs/fuzzing.md, docs/worlds.md and SECURITY.md name.

Columns: id | what | code | tests | lab scene. Code cells name files, test cells name tests as Suite.Name, lab cells name
scenes and exhibits; several are separated by commas. Names stand in backticks. An empty cell means: not there yet.
"""
import pathlib
import re
import sys

IDS = [f"{letter}{n}" for letter, count in (("A", 22), ("B", 14), ("C", 8), ("D", 12), ("E", 15))
       for n in range(1, count + 1)]
TEST = re.compile(r"\b(?:TEST|TEST_F|TEST_P|TEST_SIMD|TYPED_TEST|RC_GTEST_PROP)\s*\(\s*(\w+)\s*,\s*(\w+)")
NAME = re.compile(r"`([^`]+)`")


def check(root: pathlib.Path):
    tests = set()
    for path in (root / "tests").rglob("*.cpp"):
        tests.update(".".join(pair) for pair in TEST.findall(path.read_text(encoding="utf-8")))
    for path in (root / "tests").rglob("*.sh"):
        tests.add(str(path.relative_to(root)))
    scenes = set()
    for path in [*(root / "scenes").rglob("*.cpp"), *(root / "lab").rglob("*.cpp")]:
        scenes.update(re.findall(r'"([a-z][a-z0-9_]*)"', path.read_text(encoding="utf-8")))

    # The table "where is" of the architecture names files too
    architecture = root / "ARCHITECTURE.md"
    if architecture.is_file():
        for number, line in enumerate(architecture.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("| ") and NAME.findall(line) and not (root / NAME.findall(line)[-1]).exists():
                yield f"ARCHITECTURE.md:{number}: there is no file '{NAME.findall(line)[-1]}'"

    # The tests that show what is promised; Suite.* stands for all of a suite
    suites = {name.split(".")[0] for name in tests}
    for document in ("docs/guarantees.md", "docs/fuzzing.md", "docs/worlds.md", "SECURITY.md"):
        path = root / document
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines() if path.is_file() else [], 1):
            for name in NAME.findall(line):
                if re.fullmatch(r"[A-Z]\w+\.([A-Z]\w+|\*)", name) and not name.endswith(".md"):
                    if name not in tests and not (name.endswith(".*") and name[:-2] in suites):
                        yield f"{document}:{number}: there is no test '{name}'"
                # A command's name comes first; files that were found lie with the targets
                file = re.sub(r"^found/", "tests/fuzz/found/", name.split()[0] if name.strip() else name)
                if file.startswith(("tests/", "tools/")) and not (root / file).exists():
                    yield f"{document}:{number}: there is no file '{file}'"

    seen = []
    for number, line in enumerate((root / "docs/coverage.md").read_text(encoding="utf-8").splitlines(), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|") or not re.fullmatch(r"[A-E]\d+", cells[0]):
            continue
        where = f"docs/coverage.md:{number}: {cells[0]}"
        seen.append(cells[0])
        if len(cells) != 5:
            yield f"{where} has {len(cells)} cells, not 5"
            continue
        for cell, exists, kind in ((cells[2], lambda n: (root / n).is_file(), "file"),
                                   (cells[3], lambda n: n in tests, "test"),
                                   (cells[4], lambda n: n in scenes, "scene")):
            if cell and not NAME.findall(cell):
                yield f"{where}: a filled cell must name something in backticks: {cell}"
            for name in NAME.findall(cell):
                if not exists(name):
                    yield f"{where}: there is no {kind} '{name}'"
    for missing in sorted(set(IDS) - set(seen)):
        yield f"docs/coverage.md has no row for {missing}"
    for name in sorted({name for name in seen if seen.count(name) > 1}):
        yield f"docs/coverage.md has more than one row for {name}"
    for unknown in sorted(set(seen) - set(IDS)):
        yield f"docs/coverage.md has a row for {unknown}, which is no id"


def main() -> int:
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = list(check(root))
    for line in found:
        print(line)
    print(f"coverage table: {len(IDS)} ids, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
