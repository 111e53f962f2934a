#!/usr/bin/env python3
"""Every case of data/hard_cases.json has its source and names tests that are there and name it ("run_by"), or says why it has
none ("not_run"), which docs/guarantees.md says, too. That a test which is named really puts the case, the test sees to itself
(tests/support/hard_case.hpp, tests/cli/hard_case_ids.py). Lines of data/hard_*.jsonl, the form of `sudar query`, are of a case.
"""
import json
import pathlib
import re
import sys

TEST = re.compile(r"\b(?:TEST|TEST_F|TEST_SIMD)\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)")


def tests_of(root):
    """The text of each test, up to the next one; those of tests/load run on demand only"""
    found = {}
    for path in sorted((root / "tests").rglob("*.cpp")):
        if path.relative_to(root).parts[1] == "load":
            continue
        text = path.read_text(encoding="utf-8")
        places = [*TEST.finditer(text)]
        for place, following in zip(places, [*places[1:], None]):
            found[".".join(place.groups())] = text[place.start():following.start() if following else len(text)]
    return found


def check(root):
    path = root / "data/hard_cases.json"
    text = path.read_text(encoding="utf-8")
    data = json.loads(text)
    cases = {case["id"]: case for case in data["cases"]}
    if len(cases) != len(data["cases"]) or len(cases) != data["meta"]["count"]:
        yield f"{len(cases)} ids, {len(data['cases'])} cases, and a count of {data['meta']['count']}"
    # As tests/support/hard_case.cpp reads it
    lines = [line for line in text.splitlines() if line.startswith('{"id": "')]
    if len(lines) != len(cases):
        yield f"{len(lines)} of {len(cases)} cases begin a line with their id"

    tests = tests_of(root)
    scripts = (root / "tests/cli/CMakeLists.txt").read_text(encoding="utf-8")
    promises = (root / "docs/guarantees.md").read_text(encoding="utf-8")
    for key, case in cases.items():
        if not case.get("source") or not case.get("why"):
            yield f"{key} says neither where it comes from nor why it is hard"
        if ("run_by" in case) == ("not_run" in case) or not (case.get("run_by") or case.get("not_run")):
            yield f"{key} needs tests that put it, or why there are none"
        if "not_run" in case and key not in promises:
            yield f"{key} is not run, and docs/guarantees.md does not say so"
        for name in case.get("run_by", []):
            if name.endswith(".py"):
                script = root / name
                if not script.is_file() or script.name not in scripts:
                    yield f"{key}: there is no script '{name}' among the tests of the command"
                elif "hard_case_ids.Ledger(__file__" not in script.read_text(encoding="utf-8"):
                    yield f"{key}: '{name}' does not say which cases it puts"
            elif name not in tests:
                yield f"{key}: there is no test '{name}'"
            elif f'"{key}"' not in tests[name] or "HardCases cases;" not in tests[name]:
                yield f"{key}: the test '{name}' does not put it"

    for path in sorted((root / "data").glob("hard_*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            case = json.loads(line)
            key = case["id"].split(".")[0]
            if key not in cases:
                yield f"{path.name}:{number}: {key} is no hard case"
            elif case["source"] != cases[key]["source"]:
                yield f"{path.name}:{number}: {key} has another source"


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = list(check(root))
    for line in found:
        print(line)
    print(f"hard cases: {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
