#!/usr/bin/env python3
"""Every reader of the command: files that others write and rename while it reads, and brackets without an end."""
import itertools
import json
import os
import shutil
import struct
import threading
import time

from command_fixture import CommandTest, main, run


class Readers(CommandTest):
    # What is read: a command in a folder of its own; of each file that changes the versions that are written one over the other and
    # those that are renamed; and how much an answer that was given while a file was written over can be held to:
    #   whole   it is that of one version of each file
    #   lines   each line is; the last may be one that was cut
    #   part    a part of a file is a file too: no more than the whole one has
    # What is written over differs in one byte. So a mixture of two versions is one of them again, or a part of one from its
    # beginning. What is renamed has two lengths.
    def readers(self):
        self.robot(2)
        corner = struct.pack("<4f", 0, 0, 1.5, 1.5)
        points = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
        corners = [c for a, b, d, e in [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
                   for c in (a, b, d, a, d, e)]
        binary = b"".join(struct.pack("<3f", *c) for c in points) + struct.pack("<36H", *corners)
        gltf = {"asset": {"version": "2.0"}, "buffers": [{"uri": "part.bin", "byteLength": len(binary)}],
                "bufferViews": [{"buffer": 0, "byteLength": 96}, {"buffer": 0, "byteOffset": 96, "byteLength": 72}],
                "accessors": [{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
                              {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}],
                "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
                "nodes": [{"mesh": 0, "translation": [0.2, 0, 0]}], "scenes": [{"nodes": [0]}]}
        body = {"shape": {"type": "sphere", "radius": 1}, "pose": {"position": [0, 0, 3]}}
        floor = {"shape": {"type": "box", "half": [5, 5, 1]}, "kind": "fixed"}
        scene = {"schema": "sudar/scene-1", "dim": 3, "bodies": [body, floor]}
        names = ("a.obj", "boxes.csv", "lines.jsonl", "robot.urdf", "states.csv")
        text = {name: (self.root / name).read_bytes() for name in names}
        parts = ["check", "a.obj", "b.obj", "--units", "m", "--format", "csv"]
        baseline = run(*parts[:-1], "json", cwd=self.root).stdout.encode()
        clash = json.loads(baseline)["clashes"][0]["id"].encode()
        other = clash[:-1] + (b"1" if clash[-1:] == b"0" else b"0")
        srdf = b'<robot name="rods"><disable_collisions link1="l0" link2="l2" reason="r"/></robot>'
        for rows in ("3", "2"):
            run("sim", "pyramid rows=" + rows, "--steps", "20", "--record", self.root / f"rows{rows}.rec")
        runs = [(self.root / f"rows{n}.rec").read_bytes() for n in "32"]

        def one_byte(whole, old, new):
            at = whole.index(old)
            self.assertEqual((len(old), sum(p != q for p, q in zip(old, new))), (len(new), 1))
            return [whole, whole.replace(old, new, 1)]

        def versions(whole, old, new, longer):
            return one_byte(whole, old, new), [whole, whole.replace(old, longer, 1)]

        def array(count):
            header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 4), }" % count
            header += b" " * (117 - len(header)) + b"\n"
            rows = b"".join(struct.pack("<4f", i // 30, i % 30, i // 30 + 1.5, i % 30 + 1.5) for i in range(count))
            return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + rows

        def glb(chunk):
            told = json.dumps({**gltf, "buffers": [{"byteLength": len(chunk)}]}).encode()
            told += b" " * (-len(told) % 4)
            return (struct.pack("<4sIIII", b"glTF", 2, 28 + len(told) + len(chunk), len(told), 0x4E4F534A) + told +
                    struct.pack("<II", len(chunk), 0x004E4942) + chunk)

        def corner_at(z):
            return struct.pack("<3f", 1, 1, z)

        return {
            "mesh": (parts, {"a.obj": versions(text["a.obj"], b"v 1 1 1", b"v 1 1 2", b"v 1 1 1.25")}, "part"),
            # Renamed alone: of another format, whatever its name says
            "format": (parts, {"a.obj": ([], [text["a.obj"], glb(binary)])}, "part"),
            "boxes": (["pairs", "boxes.csv"],
                      {"boxes.csv": versions(text["boxes.csv"], b"0,0,1.5", b"0,0,2.5", b"3,3,4,4\n0,0,1.5")}, "part"),
            "array": (["pairs", "boxes.npy"],
                      {"boxes.npy": (one_byte(array(900), corner, corner[:10] + b"\x40" + corner[11:]),
                                     [array(900), array(1800)])}, "whole"),
            "questions": (["query", "lines.jsonl"],
                          {"lines.jsonl": versions(text["lines.jsonl"], b"[3,", b"[4,", b"[3.5,")}, "lines"),
            # Other bytes all over: written over by itself alone
            "recording": (["sim", "--replay", "run.rec"], {"run.rec": (runs[:1], runs)}, "whole"),
            "scene": (["sim", "scene.json", "--steps", "20"],
                      {"scene.json": versions(json.dumps(scene).encode(), b"[0, 0, 3]", b"[0, 0, 4]", b"[0, 0, 3.5]")}, "whole"),
            "parts": (["check", "part.gltf", "b.obj", "--units", "m", "--format", "csv"],
                      {"part.gltf": versions(json.dumps(gltf).encode(), b"[0.2,", b"[0.3,", b"[0.25,"),
                       "part.bin": (one_byte(binary, corner_at(1), corner_at(1.25)),
                                    [binary, binary.replace(corner_at(1), corner_at(1.5)) + b"more"])}, "whole"),
            "robot": (["check", "robot.urdf", "--ignore-file", "rods.srdf", "--format", "csv"],
                      {"robot.urdf": versions(text["robot.urdf"], b'radius="0.1"', b'radius="0.2"', b'radius="0.15"'),
                       "rods.srdf": versions(srdf, b"l2", b"l3", b"l10")}, "whole"),
            "states": (["check", "robot.urdf", "--joints", "states.csv", "--format", "csv"],
                       {"states.csv": versions(text["states.csv"], b"\n0.001,", b"\n0.002,", b"\n0.0015,")}, "part"),
            "rules": ([*parts, "--ignore-file", "rules.txt"],
                      {"rules.txt": versions(b"a:b # one\n", b"a:b", b"a:c", b"a:b2")}, "whole"),
            "baseline": ([*parts, "--baseline", "old.json"],
                         {"old.json": versions(baseline, clash, other, clash + b"0")}, "whole"),
        }

    # Without what differs from run to run
    @staticmethod
    def answer_of(arguments, result):
        if arguments[0] not in ("pairs", "sim"):
            return result.returncode, result.stdout
        told = json.loads(result.stdout)
        keys = ("boxes", "pairs", "steps", "bodies", "complete", "differs", "hash")
        return result.returncode, json.dumps({key: told.get(key) for key in keys})

    # What is answered to every version of each file with every version of the others, in the folder of a reader
    def answers(self, folder, arguments, files):
        folder.mkdir(exist_ok=True)
        for other in ("a.obj", "b.obj", "robot.urdf", "states.csv"):
            shutil.copy(self.root / other, folder)
        told = []
        for chosen in itertools.product(*files.values()):
            for file, version in zip(files, chosen):
                (folder / file).write_bytes(version)
            result = run(*arguments, cwd=folder)
            self.assertIn(result.returncode, (0, 1), result.stderr)
            told.append(self.answer_of(arguments, result))
        self.assertEqual(len(set(told)), len(told), folder.name)
        return told

    # The command, some times, while `change` goes through the files without an end
    def while_it_happens(self, change, files, arguments, folder, tries):
        stop = threading.Event()

        def meddle():
            turn = 0
            while not stop.is_set():
                for place, (file, versions) in enumerate(files.items()):
                    # Two files do not change together
                    change(folder / file, versions[(turn >> place) % len(versions)], turn >> place)
                turn += 1

        for file, versions in files.items():
            (folder / file).write_bytes(versions[0])
        meddler = threading.Thread(target=meddle)
        meddler.start()
        try:
            return [run(*arguments, cwd=folder) for _ in range(tries)]
        finally:
            stop.set()
            meddler.join()

    # There is always one version or the other, and an answer
    def test_files_that_are_renamed_while_they_are_read(self):
        def rename(path, version, turn):
            (path.parent / "next").write_bytes(version)
            os.replace(path.parent / "next", path)
            time.sleep(0.0001 * (turn % 4))

        varied = 0
        for name, (arguments, files, _) in self.readers().items():
            files = {file: renamed for file, (_, renamed) in files.items()}
            folder = self.root / ("renamed_" + name)
            expected = self.answers(folder, arguments, files)
            seen = set()
            # A file that is opened twice has two versions only now and then
            for result in self.while_it_happens(rename, files, arguments, folder, 100 if name == "format" else 10):
                with self.subTest(name):
                    self.assertIn(result.returncode, (0, 1), result.stderr)
                    answer = self.answer_of(arguments, result)
                    self.assertIn(answer, expected)
                    seen.add(answer)
            varied += len(seen) > 1
        # They did change
        self.assertGreater(varied, 3)

    # In place: cut, written in pieces, with something more at the end
    def test_files_that_are_written_over_while_they_are_read(self):
        def write_over(path, version, turn):
            at = turn * 97 % len(version)
            # Whole lines too, so that a part is a file
            at = version.rfind(b"\n", 0, at) + 1 if turn % 2 else at
            with open(path, "wb", buffering=0) as out:
                out.write(version[:at])
                time.sleep(0.0005)
                out.write(version[at:] + b"x" * (turn % 3))
            time.sleep(0.001)

        cut, uncut = 0, 0
        for name, (arguments, files, held_to) in self.readers().items():
            files = {file: over for file, (over, _) in files.items() if over}
            if not files:
                continue
            folder = self.root / ("over_" + name)
            expected = self.answers(folder, arguments, files)
            # A file of rules that was cut to nothing is one that leaves nothing out, as another version of rules.txt does
            if "rods.srdf" in files:
                expected = self.answers(folder, arguments, {**files, "rods.srdf": [*files["rods.srdf"], b""]})
            # Few of the parts of a file are files themselves
            for result in self.while_it_happens(write_over, files, arguments, folder, 30 if held_to == "part" else 6):
                with self.subTest(name):
                    self.assertIn(result.returncode, (0, 1, 2, 3), result.stderr)
                    if held_to == "lines":
                        self.check_lines(result, [answer[1].splitlines() for answer in expected])
                    elif result.returncode >= 2:
                        self.assertRegex(result.stderr, "^sudar (check|pairs|sim): ")
                    elif held_to == "whole":
                        self.assertIn(self.answer_of(arguments, result), expected)
                    else:
                        self.check_part(self.answer_of(arguments, result)[1], [answer[1] for answer in expected])
                    if held_to == "whole":
                        cut += result.returncode >= 2
                        uncut += result.returncode < 2
        # They did change while they were read
        self.assertGreater(cut, 0)
        self.assertGreater(uncut, 0)

    # JSON, or a table under its titles
    def check_part(self, answer, expected):
        if answer.startswith("{"):
            got, whole = json.loads(answer), [json.loads(text) for text in expected]
            self.assertLessEqual(got["boxes"], max(told["boxes"] for told in whole))
            self.assertLessEqual(got["pairs"], max(told["pairs"] for told in whole))
        else:
            self.assertEqual(answer.split("\n")[0], expected[0].split("\n")[0])
            self.assertLessEqual(answer.count("\n"), max(text.count("\n") for text in expected))

    def check_lines(self, result, expected):
        got = result.stdout.splitlines()
        self.assertLessEqual(len(got), len(expected[0]) + 1)
        for line, *answers in zip(got if result.returncode == 0 else got[:-1], *expected):
            self.assertIn(line, answers)

    def test_a_million_brackets(self):
        deep = "[" * 1000000
        (self.root / "deep.jsonl").write_text('{"id":' + deep + "]" * 1000000 + ',"op":"inside"}\n')
        result = run("query", self.root / "deep.jsonl")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(json.loads(result.stdout)["error"]["code"], "too_large")
        for name in ("deep.json", "deep.gltf"):
            (self.root / name).write_text('{"schema":' + deep)
        self.assertEqual(run("sim", self.root / "deep.json").returncode, 2)
        self.assertEqual(run("check", self.root / "deep.gltf", "--units", "m").returncode, 2)
        # What a field holds is copied or printed by recursion: in results to compare, and in what a recording says of its run
        whole = deep + "]" * 1000000
        for field in ("suite", "bars"):
            results = '{"schema":"sudar/bench-1","measurements":[],"%s":%s}' % (field, whole)
            (self.root / "results.json").write_text(results)
            result = run("bench", "--compare", self.root / "results.json", "--with", self.root / "results.json")
            self.assertEqual(result.returncode, 2, field)
            self.assertIn("is no results.json of sudar bench", result.stderr + result.stdout)
        text = ('{"schema":"sudar/recording-1","scene":"tower n=3","dt":0.01,"steps":1,"file":%s}' % whole).encode()
        (self.root / "deep.rec").write_bytes(b"SUDARREC" + struct.pack("<IIQ", 1, 3, len(text)) + text + b"\0" + bytes(8))
        result = run("sim", "--replay", self.root / "deep.rec")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("nested too deeply", result.stderr)


if __name__ == "__main__":
    main()
