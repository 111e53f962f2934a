"""Writes a generated assembly for timings of `sudar check`: a lattice of bodies of many triangles, some of which clash.

usage: assembly.py FOLDER [PARTS [TRIANGLES_A_PART]]    one binary STL a part; prints what a check should find
"""

import math
import os
import random
import struct
import sys


def bumpy(slices, phase):
    """Points and triangles of a bumpy ball of 2 * slices * (slices - 1) triangles."""
    points = [(0.0, 0.0, 1.0)]
    for i in range(1, slices):
        for j in range(slices):
            u, v = math.pi * i / slices, 2 * math.pi * j / slices
            r = 1 + 0.06 * math.sin(5 * v + phase) * math.sin(u) ** 2
            points.append((r * math.sin(u) * math.cos(v), r * math.sin(u) * math.sin(v), r * math.cos(u)))
    points.append((0.0, 0.0, -1.0))
    faces, last = [], len(points) - 1
    for j in range(slices):
        k = (j + 1) % slices
        faces.append((0, 1 + j, 1 + k))
        faces.append((last, last - slices + k, last - slices + j))
        for i in range(slices - 2):
            a, b = 1 + i * slices + j, 1 + i * slices + k
            faces += [(a, a + slices, b), (b, a + slices, b + slices)]
    return points, faces


def main():
    folder = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    triangles = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    slices = max(4, round((1 + math.sqrt(1 + 2 * triangles)) / 2))
    rng = random.Random(11)
    side = math.ceil(count ** (1 / 3))
    os.makedirs(folder, exist_ok=True)
    shapes = [bumpy(slices, phase) for phase in range(4)]
    total = 0
    for n in range(count):
        points, faces = shapes[n % len(shapes)]
        # Radii of about one, a little less than two apart: boxes of neighbours overlap, some of the bodies do
        at = [1.93 * c + rng.uniform(-0.06, 0.06) for c in (n % side, n // side % side, n // side // side)]
        size = rng.uniform(0.9, 1.02)
        moved = [tuple(size * x + o for x, o in zip(p, at)) for p in points]
        out = bytearray(b"assembly".ljust(80) + struct.pack("<I", len(faces)))
        for f in faces:
            out += struct.pack("<12fH", 0, 0, 0, *moved[f[0]], *moved[f[1]], *moved[f[2]], 0)
        with open(os.path.join(folder, "part%05d.stl" % n), "wb") as file:
            file.write(out)
        total += len(faces)
    print("%d parts, %d triangles" % (count, total))


if __name__ == "__main__":
    main()
