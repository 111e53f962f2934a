"""The hard cases that a script puts. data/hard_cases.json says of each case which tests put it ("run_by"); a script that does
not put all that name it, in each of its precisions, or puts another, fails. Standard library only."""

import json
import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PRECISIONS = ("f64", "f32")


def all_cases():
    with open(os.path.join(ROOT, "data", "hard_cases.json"), encoding="utf-8") as file:
        return {case["id"]: case for case in json.load(file)["cases"]}


class Ledger:
    """What was put, by precision"""

    def __init__(self, script, *precisions):
        name = os.path.relpath(os.path.abspath(script), ROOT).replace(os.sep, "/")
        self.named = {key for key, case in all_cases().items() if name in case.get("run_by", [])}
        self.put = {precision: set() for precision in precisions or PRECISIONS}

    def add(self, key, *precisions):
        """A line's id may go on after a point: RY-22.1,1 is of RY-22"""
        for precision in precisions or self.put:
            self.put[precision].add(key.split(".")[0])

    def check(self):
        assert self.named, "no hard case names this script"
        for precision, put in self.put.items():
            assert put == self.named, f"{precision}: not put: {sorted(self.named - put)}; put and not named: {sorted(put - self.named)}"
