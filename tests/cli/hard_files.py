"""The files of the hard cases of mesh loaders (LD-02 … LD-21 of data/hard_cases.json), in the small. The fuzzer begins from
them, too. Standard library only.

of() gives (id, name of the file, bytes, what is expected): a set of error codes, or the rays that hit it, as (origin, triangle)."""

import base64
import gzip
import io
import json
import struct
import zipfile

TRIANGLE = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
V = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
HIT = [((0.25, 0.25, 1), 0)]


def ply_head(kind, vertices, list_type="uchar int"):
    return (f"ply\nformat {kind} 1.0\nelement vertex {vertices}\nproperty float x\nproperty float y\nproperty float z\n"
            f"element face 1\nproperty list {list_type} vertex_indices\nend_header\n").encode()


def ply_files():
    text = "".join("%g %g %g\n" % p for p in TRIANGLE).encode()
    data = b"".join(struct.pack("<3f", *p) for p in TRIANGLE)
    little = "binary_little_endian"
    yield "LD-02", "negative.ply", ply_head("ascii", -1) + text + b"3 0 1 2\n", {"bad_format"}
    yield "LD-02", "negative_binary.ply", ply_head(little, -1) + data + struct.pack("<B3i", 3, 0, 1, 2), {"bad_format"}
    yield "LD-03", "cut_list.ply", ply_head(little, 3) + data + b"\xff", {"bad_format"}
    yield "LD-03", "cut_list_text.ply", ply_head("ascii", 3) + text + b"255", {"bad_format"}
    yield "LD-04", "ushort.ply", ply_head(little, 3, "ushort uint") + data + struct.pack("<H3I", 3, 0, 1, 2), HIT
    yield "LD-04", "ushort_text.ply", ply_head("ascii", 3, "ushort uint") + text + b"3 0 1 2\n", HIT


def facet(normal, corners):
    return struct.pack("<12fH", *normal, *(x for p in corners for x in p), 0)


def stl_files():
    nan, far = float("nan"), [(5, 0, 0), (6, 0, 0), (5, 1, 0)]
    yield "LD-05", "count.stl", bytes(80) + struct.pack("<I", 0xFFFFFFFF), {"bad_format"}
    yield "LD-06", "solid.stl", b"solid by an exporter".ljust(80, b" ") + struct.pack("<I", 1) + facet((0, 0, 1), TRIANGLE), HIT
    # Three corners in one place; no normal; a normal that is none. All are kept, and normals are those of the corners.
    facets = [((0, 0, 1), [(9, 9, 9)] * 3), ((0, 0, 0), TRIANGLE), ((nan, nan, nan), far)]
    rays = [((0.25, 0.25, 1), 1), ((5.25, 0.25, 1), 2)]
    yield "LD-21", "odd.stl", bytes(80) + struct.pack("<I", 3) + b"".join(facet(*f) for f in facets), rays
    text = "".join("facet normal %g %g %g\nouter loop\n%sendloop\nendfacet\n" % (
        *normal, "".join("vertex %g %g %g\n" % p for p in corners)) for normal, corners in facets)
    yield "LD-21", "odd_text.stl", f"solid odd\n{text}endsolid odd\n".encode(), rays


def obj_files():
    cases = all_contents()
    yield "LD-07", "past.obj", cases["LD-07"], {"index_out_of_range"}
    yield "LD-08", "zero.obj", cases["LD-08"], {"bad_format"}
    yield "LD-10", "relative.obj", cases["LD-10"], HIT
    yield "LD-11", "nan.obj", cases["LD-11"], {"non_finite"}
    for i, number in enumerate(("inf", "1e400", "-inf")):
        yield "LD-11", f"number{i}.obj", (V + f"v {number} 0 0\nf 1 2 4\n").encode(), {"non_finite"}
    yield "LD-12", "tokens.obj", cases["LD-12"], {"bad_format"}
    for i, token in enumerate(("1/2/3/4", "5//6", "7/8")):
        yield "LD-12", f"token{i}.obj", (V + f"f {token} 2 3\n").encode(), {"bad_format", "index_out_of_range"}


def all_contents():
    """What the file writes out in full"""
    import hard_case_ids
    return {key: case["content"].encode() for key, case in hard_case_ids.all_cases().items() if case.get("format") == "obj"}


def gltf_model(**changes):
    data = b"".join(struct.pack("<3f", *p) for p in TRIANGLE)
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    model = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
             "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
             "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
             "bufferViews": [{"buffer": 0, "byteLength": 36}], "buffers": [{"byteLength": 36, "uri": uri}]}
    return json.dumps(model | changes).encode()


def gltf_files():
    accessor = {"bufferView": 0, "componentType": 5126, "count": 4294967295, "type": "VEC3"}
    view = [{"buffer": 0, "byteLength": 12}]
    errors = {"bad_format", "index_out_of_range"}
    yield "LD-14", "count.gltf", gltf_model(accessors=[accessor], bufferViews=view), errors
    # Counts that wrap around to something small in 32 or 64 bits, times 12
    for i, count in enumerate((357913942, 1537228672809129302)):
        yield "LD-14", f"wrap{i}.gltf", gltf_model(accessors=[accessor | {"count": count}], bufferViews=view), errors
    for i, (offset, length) in enumerate(((12, 36), (2**32 - 4, 36), (2**64 - 12, 36), (0, 2**64 - 1))):
        yield "LD-15", f"view{i}.gltf", gltf_model(bufferViews=[{"buffer": 0, "byteOffset": offset, "byteLength": length}]), errors
    yield "LD-17", "cycle.gltf", gltf_model(nodes=[{"mesh": 0, "children": [0]}]), {"bad_format"}
    loop = [{"mesh": 0, "children": [1]}, {"children": [2]}, {"children": [0]}]
    yield "LD-17", "longer_cycle.gltf", gltf_model(nodes=loop), {"bad_format"}


def off_files():
    """The file of assimp's tests is not here; these claim as much"""
    for i, counts in enumerate(("4294967295 4294967295 0", "2000000000 1 0", "3 2000000000 0", "18446744073709551615 1 0")):
        yield "LD-20", f"memory{i}.off", f"OFF\n{counts}\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n".encode(), {"bad_format"}


def bombs():
    """A megabyte that would be a gigabyte. Compressed files are not read, under whatever name."""
    member = gzip.compress(bytes(1 << 20), mtime=0)
    packed = member * ((1 << 20) // len(member))
    folder = io.BytesIO()
    with zipfile.ZipFile(folder, "w", zipfile.ZIP_DEFLATED) as file:
        for i in range(64):
            file.writestr(f"{i}.obj", bytes(1 << 20))
    for name in ("bomb.gltf", "bomb.glb", "bomb.obj", "bomb.stl", "bomb.ply", "bomb.off", "bomb.obj.gz"):
        yield "LD-18", name, packed, {"unsupported", "bad_format"}
    for name in ("bomb.zip", "zip.gltf", "zip.stl"):
        yield "LD-18", name, folder.getvalue(), {"unsupported", "bad_format"}


def equal_faces(count):
    """LD-19"""
    return V.encode() + b"f 1 2 3\n" * count


def of(*formats):
    """All small files, or those of some formats"""
    makers = {"ply": ply_files, "stl": stl_files, "obj": obj_files, "gltf": gltf_files, "off": off_files}
    for name in formats or makers:
        yield from makers[name]()
