"""Whether a program was built with a sanitizer, which maps terabytes, takes memory of its own and answers crashes itself."""
import os
import re


def is_sanitized(program):
    if not os.path.isfile(program):
        return False
    with open(program, "rb") as file:
        return re.search(b"__[at]san_init", file.read()) is not None
