#!/usr/bin/env python3
"""Every public header compiles alone in float, and all of them together in double.

Headers that include each other, one the next, are compiled in one go, the innermost first: A, then B that includes A, then C
that includes B. B sees nothing before its own text that it does not include itself, so it compiles there when it compiles alone.
The least number of such chains that hold every header is half of their number."""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
INCLUDE = re.compile(r"^\s*#\s*include\s+[<\"]([^>\"]+)[>\"]", re.M)
CODE = re.compile(r"^\s*(?!//|#|/\*|\*)\S", re.M)


def compiles(headers, *flags):
    """What the compiler says of these headers, one after the other: nothing when they compile"""
    told = subprocess.run([os.environ.get("CXX", "g++"), "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", *flags, "-I.",
                           "-x", "c++", "-"], input="".join(f"#include <{name}>\n" for name in headers), cwd=ROOT, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return told.stdout if told.returncode else ""


def chains(headers):
    """These headers in as few chains as there can be: each includes the one before it, itself or through others"""
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in (ROOT / "sudar").rglob("*.hpp")}
    includes = {name: INCLUDE.findall(text) for name, text in texts.items()}
    holds = {}

    def closure(name):
        if name not in holds:
            holds[name] = set()
            holds[name] = {inner for direct in includes.get(name, ()) for inner in {direct, *closure(direct)}}
        return holds[name]

    def first_is_code(name):
        """Something comes before its last include: such a header is looked at alone"""
        code = CODE.search(texts[name])
        return code and any(match.start() > code.start() for match in INCLUDE.finditer(texts[name]))

    # A chain goes on from one header to one other: a greatest matching (by paths that change one pair for another)
    after = {name: [] if first_is_code(name) else [outer for outer in headers if name in closure(outer) and not first_is_code(outer)]
             for name in headers}
    before = {}

    def match(name, seen):
        for outer in after[name]:
            if outer not in seen:
                seen.add(outer)
                if outer not in before or match(before[outer], seen):
                    before[outer] = name
                    return True
        return False

    for name in headers:
        match(name, set())
    following = {inner: outer for outer, inner in before.items()}
    for name in headers:
        if name not in before:
            chain = [name]
            while chain[-1] in following:
                chain.append(following[chain[-1]])
            yield chain


def main():
    sys.setrecursionlimit(10000)
    headers = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "sudar").rglob("*.hpp") if not path.name.endswith("-inl.hpp"))
    found = list(chains(headers))
    assert sorted(name for chain in found for name in chain) == headers
    faults = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for chain, said in zip(found, pool.map(compiles, found)):
            if said:
                alone = [(name, compiles([name])) for name in chain]
                for name, why in [pair for pair in alone if pair[1]] or [(" ".join(chain), said)]:
                    print(f"{name} does not compile alone:\n{why}")
                    faults += 1
    if said := compiles(headers, "-DSUDAR_DOUBLE=1"):
        print(f"do not compile together in double:\n{said}")
        faults += 1
    print(f"headers: {len(headers)} in {len(found)} chains, {faults} faults")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
