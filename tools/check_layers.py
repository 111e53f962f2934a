#!/usr/bin/env python3
"""Dependencies run one way: a file may include its own room and the rooms before it, and nothing in sudar/ knows a front.
What speaks of Real lives in the inline namespace of its build."""
import pathlib
import re
import sys

ROOMS = ("core math geom bounding broadphase shapes narrowphase continuous sdf queries scene dynamics io").split()
# Third-party headers may appear in sources, never in public headers. The standard ones have no ending.
STANDARD = re.compile(r"<[a-z_]+>")
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"][^>"]+[>"])', re.M)

# Real and the names made of it; as the default of a template parameter it does no harm
REAL = re.compile(r"\b(?<!= )(Real|Vec[23]|Mat[23]|Rot2|Quat)\b")
COMMENT = re.compile(r"//.*|\"[^\"\n]*\"|#\s*include.*")


def violations(root: pathlib.Path):
    for path in sorted((root / "sudar").rglob("*")):
        if path.suffix not in (".hpp", ".cpp"):
            continue
        relative = path.relative_to(root)
        room = relative.parts[1]
        if room not in ROOMS:
            yield f"{relative}: '{room}' is not a room of the house"
            continue
        text = path.read_text(encoding="utf-8")
        speaks = REAL.search(COMMENT.sub("", text))
        if speaks and "SUDAR_ABI" not in text:
            yield f"{relative}: '{speaks.group()}' outside the inline namespace of its build (sudar::inline SUDAR_ABI)"
        for include in INCLUDE.findall(text):
            name = include[1:-1]
            parts = name.split("/")
            if parts[0] == "sudar":
                if parts[1] not in ROOMS:
                    yield f"{relative}: {include} names no room"
                elif ROOMS.index(parts[1]) > ROOMS.index(room):
                    yield f"{relative}: {room} may not depend on {parts[1]} ({include})"
            elif parts[0] in ("scenes", "cli", "bench", "lab", "python", "web", "cuda", "mpi", "examples", "tests"):
                yield f"{relative}: the library may not know a front ({include})"
            elif path.suffix == ".hpp" and not path.name.endswith("-inl.hpp") and not STANDARD.fullmatch(include):
                yield f"{relative}: third-party header in a public header ({include})"


def main() -> int:
    root = pathlib.Path(__file__).resolve().parent.parent
    found = list(violations(root))
    for line in found:
        print(line)
    count = len(list((root / "sudar").rglob("*.[ch]pp")))
    print(f"layers: {count} files, {len(found)} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
