#!/usr/bin/env python3
"""The checks of the house must fail when they should: each is run on a small tree with one fault planted."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
FAILED = []


def run(script: str, tree: pathlib.Path) -> subprocess.CompletedProcess:
    shutil.copytree(ROOT / "tools", tree / "tools", dirs_exist_ok=True)
    return subprocess.run([sys.executable, str(tree / "tools" / script)], capture_output=True, text=True)


def expect(name: str, script: str, prepare, code: int, says: str):
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        prepare(tree)
        result = run(script, tree)
        ok = result.returncode == code and says in result.stdout
        print(("ok      " if ok else "FAILED  ") + name)
        if not ok:
            print(result.stdout, result.stderr)
            FAILED.append(name)


def write(path: pathlib.Path, text: str):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def table(tree: pathlib.Path, replace=("", "")):
    text = (ROOT / "docs/coverage.md").read_text(encoding="utf-8")
    rows = []
    for line in text.splitlines():
        cells = line.split("|")
        if len(cells) == 7 and cells[1].strip()[1:].isdigit():
            line = f"|{cells[1]}|{cells[2]}|  |  |  |"
        rows.append(line)
    text = "\n".join(rows)
    assert replace[0] in text
    write(tree / "docs/coverage.md", text.replace(*replace, 1) if replace[0] else text)
    write(tree / "tests/a_test.cpp", "TEST(Suite, Name) {}\n")
    write(tree / "scenes/a.cpp", 'Entry{"uniform", f}\n')


def a1(tree: pathlib.Path, code: str, tests: str, scene: str):
    table(tree)
    path = tree / "docs/coverage.md"
    lines = path.read_text(encoding="utf-8").splitlines()
    lines = [f"| A1 | what | {code} | {tests} | {scene} |" if line.startswith("| A1 |") else line for line in lines]
    path.write_text("\n".join(lines), encoding="utf-8")


expect("an empty table is fine", "check_coverage.py", table, 0, "0 faults")
expect("what exists is fine", "check_coverage.py",
       lambda t: a1(t, "`tests/a_test.cpp`", "`Suite.Name`", "`uniform`"), 0, "0 faults")
expect("a file that is not there", "check_coverage.py", lambda t: a1(t, "`sudar/gone.cpp`", "", ""), 1, "no file")
expect("a test that is not there", "check_coverage.py", lambda t: a1(t, "", "`Suite.Gone`", ""), 1, "no test")
expect("a scene that is not there", "check_coverage.py", lambda t: a1(t, "", "", "`gone`"), 1, "no scene")
expect("a cell without a name", "check_coverage.py", lambda t: a1(t, "somewhere", "", ""), 1, "backticks")


def document(tree: pathlib.Path, name: str, says: str):
    table(tree)
    write(tree / name, f"| promise | {says} |\n")
    write(tree / "tests/fuzz/found/world/one", "")


for page in ("docs/guarantees.md", "docs/fuzzing.md", "docs/worlds.md", "SECURITY.md"):
    expect(f"what {page} names exists", "check_coverage.py",
           lambda t: document(t, page, "`Suite.Name`, `Suite.*`, `tests/a_test.cpp --seed 1`, `found/world/one`"), 0, "0 faults")
    expect(f"a test of {page} that is not there", "check_coverage.py", lambda t: document(t, page, "`Suite.Gone`"), 1, "no test")
    expect(f"a suite of {page} that is not there", "check_coverage.py", lambda t: document(t, page, "`Gone.*`"), 1, "no test")
    expect(f"a command of {page} that is not there", "check_coverage.py",
           lambda t: document(t, page, "`tests/gone.py --seed 1`"), 1, "no file")
    expect(f"what was found, in {page}, is not there", "check_coverage.py",
           lambda t: document(t, page, "`found/world/gone`"), 1, "no file")
expect("a missing row", "check_coverage.py", lambda t: table(t, ("| B7 |", "| x |")), 1, "no row for B7")
expect("a row twice", "check_coverage.py", lambda t: table(t, ("| B7 |", "| B6 |")), 1, "more than one row for B6")

expect("an architecture that names a file that is not there", "check_coverage.py",
       lambda t: (table(t), write(t / "ARCHITECTURE.md", "| sap | `sudar/gone.hpp` |\n")), 1, "ARCHITECTURE.md:1")

for promise, code, says in (("`Suite.Name` and `Suite.*`", 0, "0 faults"), ("`Suite.Gone`", 1, "guarantees.md:1"),
                            ("`Gone.*`", 1, "no test"), ("`tools/gone.py`", 1, "no file")):
    expect("a promise shown by " + promise, "check_coverage.py",
           lambda t: (table(t), write(t / "docs/guarantees.md", promise)), code, says)



def hard_case(tree: pathlib.Path, case: str, test: str = 'TEST(Suite, Name) { HardCases cases; cases.put("AB-01"); }', line: str = ""):
    write(tree / "data/hard_cases.json", '{"meta": {"count": 1}, "cases": [\n{"id": "AB-01", "why": "w", ' + case + "}\n]}\n")
    write(tree / "data/hard_cases.jsonl", line)
    write(tree / "tests/a_test.cpp", test)
    write(tree / "tests/cli/CMakeLists.txt", "a_test.py")
    write(tree / "tests/cli/a_test.py", "LEDGER = hard_case_ids.Ledger(__file__)\n")
    write(tree / "tests/cli/b_test.py", "LEDGER = hard_case_ids.Ledger(__file__)\n")
    write(tree / "docs/guarantees.md", "not run: AB-02\n")


good = '"source": "own", "run_by": ["Suite.Name", "tests/cli/a_test.py"]'
for name, fault, code, says in (
        ("a hard case with its tests", lambda t: hard_case(t, good), 0, "0 faults"),
        ("a hard case without a source", lambda t: hard_case(t, good.replace("own", "")), 1, "where it comes from"),
        ("a hard case without a test", lambda t: hard_case(t, '"source": "own"'), 1, "needs tests"),
        ("a hard case with an empty list of tests", lambda t: hard_case(t, '"source": "own", "run_by": []'), 1, "needs tests"),
        ("a hard case whose test is gone", lambda t: hard_case(t, good, "TEST(Suite, Other) {}"), 1, "no test 'Suite.Name'"),
        ("a hard case whose test puts others", lambda t: hard_case(t, good, "TEST(Suite, Name) {}"), 1, "does not put it"),
        ("a hard case whose script is not run", lambda t: hard_case(t, good.replace("a_test", "b_test")), 1, "no script"),
        ("a hard case that is not run in silence", lambda t: hard_case(t, '"source": "own", "not_run": "no"'), 1, "guarantees"),
        ("a line of no hard case", lambda t: hard_case(t, good, line='{"id": "AB-09", "source": "own"}'), 1, "AB-09 is no"),
        ("a line of another source", lambda t: hard_case(t, good, line='{"id": "AB-01.2", "source": "x"}'), 1, "another source")):
    expect(name, "check_hard_cases.py", fault, code, says)

header = "sudar/math/a.hpp"
expect("a lower room is fine", "check_layers.py",
       lambda t: write(t / header, "#include <sudar/core/b.hpp>\n#include <vector>\n"), 0, "0 violations")
expect("a higher room", "check_layers.py", lambda t: write(t / header, "#include <sudar/geom/b.hpp>\n"), 1, "may not")
expect("a front", "check_layers.py", lambda t: write(t / "sudar/io/a.cpp", '#include "cli/b.hpp"\n'), 1, "front")
expect("a foreign header", "check_layers.py", lambda t: write(t / header, "#include <hwy/highway.h>\n"), 1, "third-party")
expect("a foreign C header", "check_layers.py", lambda t: write(t / header, "#include <gmp.h>\n"), 1, "third-party")
expect("a default precision is fine", "check_layers.py",
       lambda t: write(t / header, "namespace sudar { template <class T = Real> struct A {}; }  // Real\n"), 0, "0 violations")
expect("Real without its namespace", "check_layers.py",
       lambda t: write(t / header, "namespace sudar { Real f(Vec3 v); }\n"), 1, "SUDAR_ABI")
expect("an unknown room", "check_layers.py", lambda t: write(t / "sudar/attic/a.hpp", "\n"), 1, "not a room")


def three_headers(tree: pathlib.Path, first="", second="", third=""):
    """c includes b, b includes a: one chain; d stands beside it"""
    write(tree / "sudar/math/a.hpp", f"#pragma once\n#include <cstdint>\n{first}\nstruct A {{ std::int32_t i; }};\n")
    write(tree / "sudar/math/b.hpp", f"#pragma once\n#include <sudar/math/a.hpp>\n{second}\nstruct B {{ A a; }};\n")
    write(tree / "sudar/math/c.hpp", "#pragma once\n#include <sudar/math/b.hpp>\nstruct C { B b; };\n")
    write(tree / "sudar/math/d.hpp", f"#pragma once\n#include <cstdint>\n{third}\nstruct D {{ std::int32_t i; }};\n")


expect("headers that compile alone", "check_headers.py", three_headers, 0, "4 in 2 chains, 0 faults")
expect("a header inside a chain that does not", "check_headers.py",
       lambda t: three_headers(t, second="inline std::vector<A> f();"), 1, "b.hpp does not compile alone")
expect("a header that lives on one that comes before it in the alphabet", "check_headers.py",
       lambda t: three_headers(t, third="inline A f() { return {}; }"), 1, "d.hpp does not compile alone")
expect("a header that lives on those that include it", "check_headers.py",
       lambda t: (three_headers(t, first="inline int f(B*);"), write(t / "sudar/math/b.hpp", "#pragma once\nstruct B;\n"
                  "#include <sudar/math/a.hpp>\n")), 1, "a.hpp does not compile alone")


def golden(tree: pathlib.Path, value: str, said: str):
    write(tree / "tests/golden/worlds.txt", f"# comment\n{value} 20 pyramid\n")
    write(tree / "CHANGELOG.md", f"- First. Golden values `tests/golden/worlds.txt`: `000000000000`\n- {said}\n")


expect("golden values with their line are fine", "check_golden.py",
       lambda t: golden(t, "fd34888ea7b6ac26", "Golden values `tests/golden/worlds.txt`: `ad8b8b62875b`"), 0, "0 faults")
expect("a golden value without its line", "check_golden.py",
       lambda t: golden(t, "fd34888ea7b6ac27", "Golden values `tests/golden/worlds.txt`: `ad8b8b62875b`"), 1, "write why")
expect("golden values that are not there", "check_golden.py",
       lambda t: (golden(t, "fd34888ea7b6ac26", "Golden values `tests/golden/worlds.txt`: `ad8b8b62875b`"),
                  (t / "tests/golden/worlds.txt").unlink()), 1, "there is no")

sys.exit(1 if FAILED else 0)
