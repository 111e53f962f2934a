#!/usr/bin/env python3
"""One target of the fuzzer: what was once found and the seeds are replayed, then it goes on from there for some seconds.

Usage: run.py PROGRAM TARGET        SUDAR_FUZZ_SECONDS in the environment, 3 otherwise; SUDAR_SEED for other random numbers.
What is found lies beside the program, in fuzz_work/found-TARGET-*; put it into tests/fuzz/found/TARGET when it is mended.
"""
import fcntl
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import make_seeds  # noqa: E402

PROGRAM, TARGET = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
SECONDS = int(float(os.environ.get("SUDAR_FUZZ_SECONDS", "3")))
SEED = os.environ.get("SUDAR_SEED", "0")
# Formats with words: what the fuzzer should try
WORDS = {"query": "op dim a b shape type radius half pose position rotation intersects distance contacts toi ray inside margin "
                  "sphere box capsule hull points mesh vertices triangles solid compound children halfspace normal offset "
                  "height_field cone cylinder ellipsoid motion linear angular point origin direction".split(),
         "scene_file": "schema sudar/scene-1 dim dt gravity bodies joints shape pose kind fixed kinematic dynamic density velocity "
                       "angular_velocity friction restitution hinge slide lower upper motor_speed distance ball revolute "
                       "prismatic weld wheel anchor_a anchor_b substeps margin collide bullet sensor".split(),
         "gltf": "nodes meshes accessors bufferViews buffers primitives attributes POSITION indices mode count type VEC3 SCALAR "
                 "componentType byteOffset byteLength byteStride matrix translation rotation scale children sparse uri".split(),
         "robot": "robot link joint collision visual geometry box sphere cylinder mesh size radius length origin xyz rpy axis limit "
                  "lower upper mimic multiplier offset parent child name type revolute prismatic continuous fixed".split(),
         "rules": "robot disable_collisions link1 link2 reason".split(),
         "baseline": "schema sudar/check-1 clashes id type hard touch clearance status resolved state direction point bounds "
                     "depth depth_lower depth_unknown distance".split(),
         "ply": "ply format ascii binary_little_endian binary_big_endian element vertex face property list uchar int float double "
                "vertex_indices vertex_index end_header comment 1.0".split(),
         "obj": ["v ", "f ", "o ", "g ", "vt ", "vn ", "usemtl ", "\\\\\\x0a", "1//1", "-1"],
         "stl": "solid facet normal outer loop vertex endloop endfacet endsolid".split(),
         "off": ["OFF", "COFF", "NOFF", "STOFF", "4OFF", "nOFF", "BINARY", "#"],
         "npy": ["descr", "fortran_order", "shape", "<f4", "<f8", "<u4", ">f4", "True", "False", "\\x93NUMPY"]}

work = PROGRAM.parent / "fuzz_work"
seeds, corpus = work / "seeds" / TARGET, work / "corpus" / TARGET
for folder in (seeds, corpus):
    folder.mkdir(parents=True, exist_ok=True)
# Two runs of one target do not write the seeds at once
with open(work / f"{TARGET}.lock", "w") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    for i, seed in enumerate(make_seeds.CORPORA[TARGET]()):
        (seeds / f"seed{i:03}").write_bytes(seed)
    known = [str(seeds)]
    if (HERE / "found" / TARGET).is_dir():
        known.append(str(HERE / "found" / TARGET))
    environment = dict(os.environ)
    environment.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")
    # The target comes first: libFuzzer asks the program for it before it reads its own flags
    listing = subprocess.run([str(PROGRAM), f"--target={TARGET}", "-help=1"], capture_output=True, text=True)
    if "libFuzzer" in listing.stdout + listing.stderr or "max_total_time" in listing.stdout + listing.stderr:
        words = work / f"{TARGET}.dict"
        words.write_text("".join(f'"{word}"\n' for word in WORDS.get(TARGET, [])))
        command = [str(PROGRAM), f"--target={TARGET}", f"-max_total_time={max(SECONDS, 1)}", "-timeout=20", "-rss_limit_mb=3000",
                   "-malloc_limit_mb=2000", "-max_len=4096", f"-seed={int(SEED) + 1}", "-print_final_stats=1", "-verbosity=0",
                   f"-artifact_prefix={work}/found-{TARGET}-"]
        if WORDS.get(TARGET):
            command.append(f"-dict={words}")
        command += [str(corpus)] + known
    else:
        command = [str(PROGRAM), f"--target={TARGET}", f"--seconds={SECONDS}", f"--seed={SEED}", f"--last={work}/found-{TARGET}-last"] + known
    sys.exit(subprocess.run(command, env=environment).returncode)
