#!/usr/bin/env python3
"""Reads a .vtp file as VTK does and checks it.

    check_vtp.py FILE [ARRAY]   prints counts and, when asked, the first values of an array, or names of `group_names`
"""
import re
import struct
import sys
import xml.etree.ElementTree as tree
import zlib

FORMATS = {"Float64": "d", "Float32": "f", "Int32": "i", "UInt8": "B"}


def require(condition, message):
    if not condition:
        sys.exit("check_vtp: " + message)


def decode(appended, offset):
    blocks, size, last = struct.unpack_from("<QQQ", appended, offset)
    sizes = struct.unpack_from(f"<{blocks}Q", appended, offset + 24)
    at = offset + 24 + 8 * blocks
    out = b""
    for k, packed in enumerate(sizes):
        block = zlib.decompress(appended[at:at + packed])
        expected = last if k == blocks - 1 and last > 0 else size
        require(len(block) == expected, f"a block holds {len(block)} bytes, not {expected}")
        out += block
        at += packed
    return out


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    start = re.search(rb'<AppendedData encoding="raw">\s*_', data)
    require(start is not None, "no appended data")
    require(data.endswith(b"\n  </AppendedData>\n</VTKFile>\n"), "no end")
    root = tree.fromstring(data[:start.start()] + b"</VTKFile>")
    require(root.get("header_type") == "UInt64" and
            root.get("compressor") == "vtkZLibDataCompressor", "header or compressor")
    appended = data[start.end():]
    piece = root.find("PolyData/Piece")
    points, verts, lines, polys = (int(piece.get(name)) for name in
                                   ("NumberOfPoints", "NumberOfVerts", "NumberOfLines", "NumberOfPolys"))
    arrays = {}
    for section in piece:
        for array in section:
            raw = decode(appended, int(array.get("offset")))
            form = FORMATS[array.get("type")]
            width = struct.calcsize(form)
            require(len(raw) % width == 0, "half a number")
            values = struct.unpack(f"<{len(raw) // width}{form}", raw)
            components = int(array.get("NumberOfComponents"))
            expected = {"PointData": points, "Points": points,
                        "CellData": verts + lines + polys}.get(section.tag)
            if expected is not None:
                require(len(values) == expected * components, array.get("Name") + ": wrong size")
            arrays[array.get("Name") if expected is not None
                   else section.tag + "." + array.get("Name")] = values
    cells, corners, count = ("Polys", 3, polys) if polys > 0 else ("Lines", 2, lines) if lines > 0 else ("Verts", 1, verts)
    require(len(arrays[cells + ".connectivity"]) == corners * count, "connectivity")
    require(list(arrays[cells + ".offsets"]) == [corners * (k + 1) for k in range(count)], "offsets")
    require(all(0 <= k < points for k in arrays[cells + ".connectivity"]), "corner out of range")
    print(f"points {points} verts {verts} polys {polys}")
    names = root.find("PolyData/FieldData/Array[@Name='group_names']")
    if names is not None:
        told = bytes(int(code) for code in names.text.split()).split(b"\0")
        require(names.get("type") == "String" and told.pop() == b"" and len(told) == int(names.get("NumberOfTuples")), "names")
    if sys.argv[2:] == ["group_names"]:
        print(" ".join(name.decode() for name in told))
    elif len(sys.argv) > 2:
        print(" ".join(f"{value:g}" for value in arrays[sys.argv[2]][:32]))


main()
