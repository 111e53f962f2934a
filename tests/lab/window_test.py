"""Drives the lab in a real window, on a screen of its own (Xvfb), with keys and mouse (xdotool): walk, swap, race, microscope,
quit. Standard library only; skipped where these programs are missing.

usage: window_test.py PATH_OF_SUDAR [PICTURE.png]
"""

import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time

SUDAR = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "sudar"
PICTURE = sys.argv.pop(1) if len(sys.argv) > 1 else None
PATIENCE = 120  # seconds, for a machine that is busy


class Screen:
    """An X server without a screen"""

    def __enter__(self):
        reading, writing = os.pipe()
        self.process = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x720x24", "-nolisten", "tcp"],
                                        pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        assert number, "Xvfb did not start"
        self.environment = {**os.environ, "DISPLAY": ":" + number, "LIBGL_ALWAYS_SOFTWARE": "1"}
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def do(self, *arguments):
        subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, check=True, timeout=60,
                       stdout=subprocess.DEVNULL)


class Log:
    """The lines that the lab has written about what was done"""

    def __init__(self, path, process):
        self.path, self.process, self.seen = path, process, 0

    def wait_for(self, beginning):
        end = time.time() + PATIENCE
        while time.time() < end:
            lines = open(self.path).read().splitlines() if os.path.exists(self.path) else []
            for i in range(self.seen, len(lines)):
                if lines[i].startswith(beginning):
                    self.seen = i + 1
                    return lines[i]
            assert self.process.poll() is None, "the lab ended: " + self.process.stderr.read()
            time.sleep(0.05)
        raise AssertionError("never happened: %s; what did: %s" % (beginning, lines))


def drive(folder):
    log_path, picture = os.path.join(folder, "log"), PICTURE or os.path.join(folder, "window.png")
    settings = os.path.join(folder, "lab.conf")
    with Screen() as screen:
        process = subprocess.Popen(
            [SUDAR, "lab", "--exhibit", "uniform:n=200", "--size", "1280x720", "--log", log_path, "--screenshot", picture,
             "--settings", settings], env=screen.environment, stderr=subprocess.PIPE, text=True)
        try:
            log = Log(log_path, process)
            log.wait_for("opened uniform")
            screen.do("mousemove", 600, 300)
            time.sleep(1)
            # Walk
            screen.do("key", "2")
            log.wait_for("camera walk")
            screen.do("keydown", "w")
            time.sleep(1)
            screen.do("keyup", "w")
            before = log.wait_for("moved to").split()[2:]
            screen.do("keydown", "s")
            time.sleep(1)
            screen.do("keyup", "s")
            after = log.wait_for("moved to").split()[2:]
            assert before != after, (before, after)
            # Turn with the mouse
            screen.do("mousemove", 640, 320, "mousedown", 3)
            screen.do("mousemove", 700, 340)
            screen.do("mouseup", 3)
            # Swap the algorithm
            screen.do("key", "Next")
            first = log.wait_for("chose")
            screen.do("key", "Next")
            assert first != log.wait_for("chose")
            # Race, and the microscope, through the picker
            for typed in ("race", "gjk"):
                screen.do("key", "ctrl+o")
                time.sleep(1)
                screen.do("type", "--delay", "60", typed)
                time.sleep(1)
                screen.do("key", "Return")
                opened = log.wait_for("opened")
                assert typed in opened, opened
            screen.do("key", "Right")
            assert log.wait_for("position") == "position 1"
            time.sleep(1)
            screen.do("key", "ctrl+q")
            process.wait(timeout=PATIENCE)
            assert process.returncode == 0, process.stderr.read()
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
    with open(picture, "rb") as file:
        assert struct.unpack(">II", file.read(24)[16:24]) == (1280, 720)
    with open(settings) as file:
        assert "gjk" in file.read()


if __name__ == "__main__":
    missing = [name for name in ("Xvfb", "xdotool") if shutil.which(name) is None]
    if missing:
        print("skipped: not installed: " + ", ".join(missing))
        sys.exit(77)
    with tempfile.TemporaryDirectory() as temporary:
        drive(temporary)
    print("ok: walked, swapped, raced, looked into GJK, quit")
