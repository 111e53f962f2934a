"""A screen that nobody looks at, for tests of the lab in a window: an X server (Xvfb), keys and mouse (xdotool)."""
import os
import shutil
import subprocess
import time

PATIENCE = 60  # seconds, for a machine that is busy


# Why there can be none here, or nothing
def no_screen():
    missing = [name for name in ("Xvfb", "xdotool") if shutil.which(name) is None]
    return "a window needs " + " and ".join(missing) if missing else ""


class Screen:
    """An X server that nobody looks at"""

    def __init__(self, width=1280, height=720):
        self.size = "%dx%dx24" % (width, height)

    def __enter__(self):
        reading, writing = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", self.size, "-nolisten", "tcp"],
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
        subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, check=True, timeout=PATIENCE,
                       stdout=subprocess.DEVNULL)

    def hold(self, key, seconds):
        self.do("keydown", key)
        time.sleep(seconds)
        self.do("keyup", key)

    def pick(self, typed):
        """Through the picker, without waiting for anything between the keys"""
        self.do("key", "ctrl+o", "type", "--delay", "1", typed)
        self.do("key", "Return")
