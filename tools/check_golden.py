#!/usr/bin/env python3
"""Golden values change only together with a line in CHANGELOG.md that names the new ones.

The values are the hashes of worlds and scenes in tests/golden and the whole words (64 bits) in the tests of core and math.
The changelog has a line "Golden values NAME: DIGEST" for each of these files, and why it is there; the last one counts. What
has changed without a line is told together with the line to write.
"""
import hashlib
import pathlib
import re
import sys

BITS = re.compile(r"\b(?:0x[0-9a-fA-F]{16}|\d{18,20})u\b")
LINE = re.compile(r"Golden values `([^`]+)`: `([0-9a-f]{12})`")


def values(path: pathlib.Path) -> list:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".txt":
        return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return BITS.findall(text)


def digest(path: pathlib.Path) -> str:
    return hashlib.sha256("\n".join(values(path)).encode()).hexdigest()[:12]


def faults(root: pathlib.Path):
    said = dict(LINE.findall((root / "CHANGELOG.md").read_text(encoding="utf-8")))
    paths = [p for p in sorted((root / "tests" / "golden").glob("*.txt")) if p.name != "CMakeLists.txt"]
    for room in ("core", "math"):
        paths += [p for p in sorted((root / "tests" / room).glob("*_test.cpp")) if values(p)]
    for path in paths:
        name = str(path.relative_to(root))
        if said.get(name) != digest(path):
            yield f"{name}: golden values are not those of the changelog; write why, with: Golden values `{name}`: `{digest(path)}`"
    for name in said:
        if not (root / name).exists():
            yield f"CHANGELOG.md: there is no '{name}'"


def main() -> int:
    found = list(faults(pathlib.Path(__file__).resolve().parent.parent))
    for line in found:
        print(line)
    print(f"golden values: {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
