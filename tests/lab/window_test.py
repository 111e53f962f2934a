"""Drives the lab in a real window, on a screen of its own (Xvfb), with keys and mouse (xdotool): walk, turn, pause, swap, race,
microscope, quit. Standard library only; skipped where these programs are missing.

usage: window_test.py PATH_OF_SUDAR [FOLDER_FOR_PICTURES]
"""

import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time

from screen import PATIENCE, Screen, no_screen

SUDAR = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "sudar"
PICTURES = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else None
WIDTH, HEIGHT = 1280, 720
# A picture of nothing but the panels is smaller
LEAST_BYTES = 40000


class Lab:
    """The program, and the lines that it has written about what was done"""

    def __init__(self, screen, folder, *arguments):
        self.log, self.seen = os.path.join(folder, "log"), 0
        self.process = subprocess.Popen([SUDAR, "lab", "--log", self.log, *arguments], cwd=folder,
                                        env=screen.environment, stderr=subprocess.PIPE, text=True)

    def says(self, beginning):
        """The rest of the next line that begins so; lines before it are passed over"""
        end = time.time() + PATIENCE
        lines = []
        while time.time() < end:
            if os.path.exists(self.log):
                with open(self.log) as file:
                    # A line that is not whole yet is left for the next look
                    lines = file.read().split("\n")[:-1]
            for i in range(self.seen, len(lines)):
                if lines[i].startswith(beginning):
                    self.seen = i + 1
                    return lines[i][len(beginning):].strip()
            assert self.process.poll() is None, "the lab ended: " + self.process.stderr.read()
            time.sleep(0.02)
        raise AssertionError("never happened: %s; what did: %s" % (beginning, lines))

    def ends(self):
        assert self.process.wait(timeout=PATIENCE) == 0, self.process.stderr.read()


def check_picture(path):
    with open(path, "rb") as file:
        bytes_ = file.read()
    assert struct.unpack(">II", bytes_[16:24]) == (WIDTH, HEIGHT), path
    assert len(bytes_) > LEAST_BYTES, (path, len(bytes_))


def drive(folder):
    settings, last = os.path.join(folder, "lab.conf"), os.path.join(folder, "end.png")
    with Screen(WIDTH, HEIGHT) as screen:
        lab = Lab(screen, folder, "--exhibit", "uniform:n=120", "--size", "%dx%d" % (WIDTH, HEIGHT), "--screenshot", last,
                  "--settings", settings)
        try:
            lab.says("opened uniform")
            # Nobody manages windows here, so nobody else gives it the keyboard
            screen.do("search", "--sync", "--name", "Sudar: the lab", "windowfocus")
            screen.do("mousemove", 590, 340)

            # Walk there and back: keys that are held
            screen.do("key", "2")
            lab.says("camera walk")
            screen.hold("w", 0.4)
            there = lab.says("moved to")
            screen.hold("s", 0.4)
            assert lab.says("moved to") != there

            # Turn with the right button
            turned = []
            for x in (650, 560):
                screen.do("mousedown", 3, "mousemove", x, 350, "mouseup", 3)
                turned.append(lab.says("turned to"))
            assert turned[0] != turned[1], turned
            # A button of the panel below
            screen.do("mousemove", 44, HEIGHT - 20, "click", 1)
            lab.says("paused")
            screen.do("click", 1)
            lab.says("playing")

            # Swap: two presses between two frames are two swaps
            screen.do("key", "--delay", "1", "Next", "Next")
            first, second = lab.says("chose"), lab.says("chose")
            assert first != second
            time.sleep(0.3)
            screen.do("key", "F12")
            told = lab.says("picture sudar-lab-1.png; ").split("; ")
            assert told[0].startswith("0 missing, 0 extra"), told
            assert second.endswith(" " + told[1]), (second, told)

            # Race
            screen.pick("uniform:n=120,race=on")
            assert lab.says("opened") == "uniform"
            time.sleep(0.5)
            screen.do("key", "F12")
            told = lab.says("picture sudar-lab-2.png; ")
            assert "race: all agree" in told, told

            # The microscope, forwards and backwards
            screen.pick("gjk3")
            assert lab.says("opened") == "gjk3"
            screen.do("key", "--delay", "1", "Right", "Right", "Right", "Left", "Right")
            assert [lab.says("position") for _ in range(5)] == ["1", "2", "3", "2", "3"]
            screen.do("key", "ctrl+q")
            lab.ends()
        finally:
            if lab.process.poll() is None:
                lab.process.kill()
                lab.process.wait()
    for name in ("sudar-lab-1.png", "sudar-lab-2.png", "end.png"):
        check_picture(os.path.join(folder, name))
        if PICTURES:
            shutil.copy(os.path.join(folder, name), os.path.join(PICTURES, name))
    with open(settings) as file:
        assert "gjk3" in file.read()


if __name__ == "__main__":
    if no_screen():
        print("skipped: " + no_screen())
        sys.exit(77)
    with tempfile.TemporaryDirectory() as temporary:
        drive(temporary)
    print("ok: walked, turned, paused, swapped, raced, looked into GJK, quit")
