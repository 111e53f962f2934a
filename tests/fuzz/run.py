#!/usr/bin/env python3
"""The targets of the fuzzer, from their seeds, the packed corpora (tests/fuzz/corpus) and what was once found.

Usage: run.py PROGRAM TARGET            replays these, then goes on from there: SUDAR_FUZZ_SECONDS in all, 3 otherwise
       run.py PROGRAM --rotate MINUTES [TARGET...]
                                        all targets, or these, in turns of SUDAR_FUZZ_SECONDS (60), one for each processor at a
                                        time; it is always the turn of the one that had the least time since its last finding
       run.py PROGRAM --pack            picks few inputs that reach all that was reached, packs these into tests/fuzz/corpus,
                                        and adds what was run since to the table of docs/fuzzing.md
SUDAR_SEED for other random numbers. Rotating and packing need libFuzzer (preset fuzz).
What is found lies beside the program, in fuzz_work/found-TARGET-*; put it into tests/fuzz/found/TARGET when it is mended.
"""
import concurrent.futures
import fcntl
import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import threading
import time
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import make_seeds  # noqa: E402

LEDGER = HERE.parents[1] / "docs" / "fuzzing.md"
SEED = int(os.environ.get("SUDAR_SEED", "0"))
LONGEST = 4096      # bytes of an input
MOST_PACKED = 200000  # bytes of a packed corpus: where it is too many, inputs of every length are left out
# What reads so few bytes needs no more than these megabytes at once (SECURITY.md: memory is bounded by the input); the other targets
# are calls of the library, which have sizes of their own
READERS = set("aabbs baseline csv gltf lab_files npy obj off ply query recording robot rules scene_file stl".split())
MOST_OF_READERS, MOST_OF_CALLS = 64, 2000
# Formats with words: what the fuzzer should try
WORDS = {"query": "op dim a b shape type radius half pose position rotation intersects distance contacts toi ray inside margin "
                  "sphere box capsule hull points mesh vertices triangles solid compound children halfspace normal offset "
                  "height_field cone cylinder ellipsoid motion linear angular point origin direction".split(),
         "scene_file": "schema sudar/scene-1 dim dt gravity bodies joints shape pose kind fixed kinematic dynamic density "
                       "velocity angular_velocity friction restitution hinge slide lower upper motor_speed distance ball revolute "
                       "prismatic weld wheel anchor_a anchor_b substeps margin collide bullet sensor".split(),
         "gltf": "nodes meshes accessors bufferViews buffers primitives attributes POSITION indices mode count type VEC3 SCALAR "
                 "componentType byteOffset byteLength byteStride matrix translation rotation scale children sparse uri".split(),
         "robot": "robot link joint collision visual geometry box sphere cylinder mesh size radius length origin xyz rpy axis limit "
                  "lower upper mimic multiplier offset parent child name type revolute prismatic continuous fixed".split(),
         "lab_files": "sudar-lab-recording 1 scene dim dt options input hash steps pull carry let_go shoot resolution detection "
                      "sort_sweep adaptive none uniform tower n= seed= speed= sudar/lab-1 exhibit scale width on off suite build "
                      "tables bars workload contestant ms_min version what required seen passed true "
                      "dim a b shape type pose position rotation angle sphere box capsule hull points radius half "
                      "insert move teleport shift drift remove filter motion callback assign many clear parameter update build "
                      "events cast overlap nearest moving fixed inf nan".split(),
         "recording": "SUDARREC schema sudar/recording-1 scene file dt steps sudar/scene-1 bodies shape".split(),
         "rules": "robot disable_collisions link1 link2 reason".split(),
         "baseline": "sudar/bench-1 sudar/bench-part-1 measurements workload contestant version trouble ms_min passed what "
                     "verdict side rounds schema sudar/check-1 clashes id type hard touch clearance status resolved state direction point bounds "
                     "depth depth_lower depth_unknown distance".split(),
         "ply": "ply format ascii binary_little_endian binary_big_endian element vertex face property list uchar int float double "
                "vertex_indices vertex_index end_header comment 1.0".split(),
         "obj": ["v ", "f ", "o ", "g ", "vt ", "vn ", "usemtl ", "\\\\\\x0a", "1//1", "-1"],
         "stl": "solid facet normal outer loop vertex endloop endfacet endsolid".split(),
         "off": ["OFF", "COFF", "NOFF", "STOFF", "4OFF", "nOFF", "BINARY", "#"],
         "npy": ["descr", "fortran_order", "shape", "<f4", "<f8", "<u4", ">f4", "True", "False", "\\x93NUMPY"]}


def packed(inputs):
    """Inputs one after the other, each with its length before it, compressed"""
    return zlib.compress(b"".join(struct.pack("<H", len(one)) + one for one in inputs), 9)


def packed_within(most, inputs):
    """All of them, or as many of every length as fit"""
    inputs = kept = sorted(inputs, key=lambda x: (len(x), x))
    while len(data := packed(kept)) > most:
        count = min(len(kept) * most // len(data), len(kept) - 1)
        kept = [inputs[i * len(inputs) // count] for i in range(count)]
    return data


def unpack(path):
    data, at = zlib.decompress(path.read_bytes()) if path.is_file() else b"", 0
    while at < len(data):
        size, = struct.unpack_from("<H", data, at)
        yield data[at + 2:at + 2 + size]
        at += 2 + size


class Target:
    def __init__(self, program, name):
        self.program, self.name = pathlib.Path(program).resolve(), name
        self.work = self.program.parent / "fuzz_work"
        self.seeds, self.corpus = self.work / "seeds" / name, self.work / "corpus" / name
        self.packed, self.found, self.runs = HERE / "corpus" / name, HERE / "found" / name, self.work / f"{name}.runs"

    def call(self, *arguments, output=None):
        """The exit code and the processor time"""
        environment = {"UBSAN_OPTIONS": "print_stacktrace=1", **os.environ}
        if os.access("/dev/shm", os.W_OK):
            environment.setdefault("TMPDIR", "/dev/shm")
        # The target comes first: libFuzzer asks the program for it before it reads its own flags
        process = subprocess.Popen([self.program, f"--target={self.name}", *map(str, arguments)], env=environment, stdout=output,
                                   stderr=output)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, usage.ru_utime + usage.ru_stime

    def known(self):
        """The folders with what to begin from, written anew"""
        shutil.rmtree(self.seeds, ignore_errors=True)
        for folder in (self.seeds, self.corpus):
            folder.mkdir(parents=True, exist_ok=True)
        for i, seed in enumerate([*make_seeds.CORPORA[self.name](), *unpack(self.packed)]):
            (self.seeds / f"{i:05}").write_bytes(seed)
        return [self.seeds] + ([self.found] if self.found.is_dir() else [])

    def run(self, seconds, seed, quiet=False):
        """The exit code"""
        self.work.mkdir(exist_ok=True)
        # Two runs of one target do not write the seeds at once
        with open(self.work / f"{self.name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            known = self.known()
            if not is_libfuzzer(self.program):
                last = self.work / f"found-{self.name}-last"
                return self.call(f"--seconds={seconds}", f"--seed={seed}", f"--last={last}", *known)[0]
            # Its schedule by entropy takes most of the time where an input reaches many edges: 5 of 6 parts of that of `world`
            flags = [f"-max_total_time={max(int(seconds), 1)}", "-entropic=0", "-timeout=60", "-report_slow_units=2",
                     "-rss_limit_mb=3000", f"-malloc_limit_mb={MOST_OF_READERS if self.name in READERS else MOST_OF_CALLS}",
                     f"-max_len={LONGEST}", f"-seed={seed + 1}", "-print_final_stats=1",
                     f"-artifact_prefix={self.work}/found-{self.name}-"]
            if self.name in WORDS:
                words = self.work / f"{self.name}.dict"
                words.write_text("".join(f'"{word}"\n' for word in WORDS[self.name]))
                flags.append(f"-dict={words}")
            log = self.work / f"{self.name}.log"
            with open(log, "wb") as output:
                code, cpu = self.call(*flags, self.corpus, *known, output=output)
            text = log.read_text(errors="replace")
            runs, edges = (re.findall(what, text) for what in (r"number_of_executed_units: (\d+)", r" cov: (\d+)"))
            line = {"cpu": round(cpu, 1), "runs": int((runs or [0])[-1]), "edges": int((edges or [0])[-1]), "found": code != 0}
            with open(self.runs, "a") as file:
                file.write(json.dumps(line) + "\n")
            print(f"{self.name}: {line['runs']} runs, {line['edges']} edges, {cpu:.0f} s of processor time"
                  + (", SLOW" if "slow-unit" in text else "") + (", FOUND" if code else ""), flush=True)
            if code and not quiet:
                print(text[-20000:])
            return code

    def past(self):
        """What was run since the last packing"""
        return [json.loads(line) for line in self.runs.read_text().splitlines()] if self.runs.is_file() else []

    def pack(self):
        cover = self.work / "cover" / self.name
        shutil.rmtree(cover, ignore_errors=True)
        cover.mkdir(parents=True)
        with open(self.work / f"{self.name}.cover.log", "wb") as output:
            # Not -merge, which takes the shortest inputs first and needs many more of them
            folders = [cover, *self.known(), self.corpus]
            code, _ = self.call("-set_cover_merge=1", f"-max_len={LONGEST}", "-timeout=120", *folders, output=output)
        if code:
            raise SystemExit(f"{self.name}: cannot be merged, see {output.name}")
        self.packed.write_bytes(packed_within(MOST_PACKED, [path.read_bytes() for path in cover.iterdir()]))


def is_libfuzzer(program):
    told = subprocess.run([program, "--target=csv", "-help=1"], capture_output=True)
    return b"max_total_time" in told.stdout + told.stderr


def clean_after(seconds, runs):
    """The processor time since a run last ended with a finding"""
    for line in runs:
        seconds = 0 if line["found"] else seconds + line["cpu"]
    return seconds


def rotate(targets, minutes, turn):
    """Whether something was found"""
    end, lock, busy, ledger = time.time() + 60 * minutes, threading.Lock(), set(), read_ledger()
    spent = {t.name: clean_after(ledger.get(t.name, {"clean": 0})["clean"], t.past()) for t in targets}
    stop = targets[0].work / "stop"

    def work(_):
        bad = False
        while (left := end - time.time()) > 5 and not stop.exists():
            with lock:
                if not any(t.name not in busy for t in targets):
                    break
                target = min((t for t in targets if t.name not in busy), key=lambda t: spent[t.name])
                busy.add(target.name)
            found = target.run(min(turn, left), SEED or random.randrange(2**31), quiet=True) != 0
            bad |= found
            with lock:
                busy.remove(target.name)
                spent[target.name] += target.past()[-1]["cpu"]
                # Who finds something is left alone until it is mended
                if found:
                    targets.remove(target)
        return bad

    return any(at_once(work, range(processors())))


def processors():
    return len(os.sched_getaffinity(0))


def at_once(work, items):
    """One for each processor at a time"""
    with concurrent.futures.ThreadPoolExecutor(processors()) as pool:
        return list(pool.map(work, items))


ROW = "| `{}` | {cpu} | {clean} | {runs} | {edges} | {packed} | {found} |"
COLUMNS = ("cpu", "clean", "runs", "edges", "packed", "found")


def read_ledger():
    rows = re.findall(r"^\| `(\w+)` \|([ \d|]+)\|$", LEDGER.read_text(), re.M)
    return {name: dict(zip(COLUMNS, map(int, cells.split("|")))) for name, cells in rows}


def write_ledger(targets):
    ledger, lines = read_ledger(), LEDGER.read_text().splitlines()
    for target in targets:
        row = ledger.setdefault(target.name, dict.fromkeys(COLUMNS, 0))
        row["clean"] = round(clean_after(row["clean"], target.past()))
        row["cpu"] = round(row["cpu"] + sum(line["cpu"] for line in target.past()))
        for line in target.past():
            row["runs"] += line["runs"]
            row["edges"] = line["edges"]
        row["packed"] = len(list(unpack(target.packed)))
        row["found"] = len(list(target.found.iterdir())) if target.found.is_dir() else 0
        target.runs.unlink(missing_ok=True)
    first = next(i for i, line in enumerate(lines) if line.startswith("| target |")) + 2
    last = next((i for i in range(first, len(lines)) if not lines[i].startswith("|")), len(lines))
    lines[first:last] = [ROW.format(name, **row) for name, row in sorted(ledger.items())]
    LEDGER.write_text("\n".join(lines) + "\n")


def main():
    program, what = sys.argv[1:3]
    seconds = os.environ.get("SUDAR_FUZZ_SECONDS")
    if what in make_seeds.CORPORA:
        return Target(program, what).run(float(seconds or 3), SEED)
    targets = [Target(program, name) for name in sorted(make_seeds.CORPORA)]
    if not is_libfuzzer(program):
        raise SystemExit("this needs libFuzzer: build the preset fuzz")
    if what == "--rotate":
        if wrong := set(sys.argv[4:]) - set(make_seeds.CORPORA):
            raise SystemExit(f"no target {' '.join(sorted(wrong))}")
        chosen = [t for t in targets if t.name in sys.argv[4:] or not sys.argv[4:]]
        return int(rotate(chosen, float(sys.argv[3]), float(seconds or 60)))
    if what == "--pack":
        (HERE / "corpus").mkdir(exist_ok=True)
        at_once(Target.pack, targets)
        write_ledger(targets)
        return 0
    raise SystemExit(__doc__)


if __name__ == "__main__":
    sys.exit(main())
