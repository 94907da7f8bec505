"""Printers for gdb: vectors, quaternions, lanes of vectors, lists of pairs.

    (gdb) source scripts/gdb_printers.py
    (gdb) print world->system.contacts.list
    $1 = 2 pairs, 1 with a history, in 1 of 1 blocks = {[0] = "(4, 7)", [1] = "(4, 9) slot 0"}
"""
import gdb

AXES = "xyzw"


class Vector:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return "(" + ", ".join(str(self.value[field.name]) for field in self.value.type.fields()) + ")"


class Lanes:
    """lane3, lane4: a vector of each lane."""

    def __init__(self, value):
        self.parts = [value[field.name] for field in value.type.fields()]

    def count(self):
        kind = self.parts[0].type.strip_typedefs()
        return kind.range()[1] + 1 if kind.code == gdb.TYPE_CODE_ARRAY else 0

    def to_string(self):
        return f"{self.count() or 1} lanes"

    def children(self):
        if self.count() == 0:  # of scalar kernels
            yield "[0]", "(" + ", ".join(map(str, self.parts)) + ")"
        for k in range(self.count()):
            yield f"[{k}]", "(" + ", ".join(str(part[k]) for part in self.parts) + ")"

    def display_hint(self):
        return None


class PairBlock:
    """Elements i and j of each pair, and its slot where it remembers something."""

    def __init__(self, value):
        self.value = value

    def pairs(self):
        block = self.value
        for k in range(int(block["own_count"])):
            for at in range(int(block["start"][k]), int(block["start"][k + 1])):
                i, j = int(block["member"][k]), int(block["member"][int(block["partner"][at])])
                yield i, j, int(block["slot"][at])

    def to_string(self):
        return f"{int(self.value['pair_count'])} pairs of {int(self.value['own_count'])} elements"

    def children(self):
        return named(self.pairs())


class PairList:
    def __init__(self, value):
        self.blocks = [PairBlock(value["blocks"][k]) for k in range(int(value["block_count"]))]

    def pairs(self):
        for block in self.blocks:
            yield from block.pairs()

    def to_string(self):
        counts = [int(block.value["pair_count"]) for block in self.blocks]
        used = sum(int(block.value["slot_count"]) - int(block.value["free_count"]) for block in self.blocks)
        full = sum(count > 0 for count in counts)
        return f"{sum(counts)} pairs, {used} with a history, in {full} of {len(counts)} blocks"

    def children(self):
        return named(self.pairs())


def named(pairs):
    for number, (i, j, slot) in enumerate(pairs):
        yield f"[{number}]", f"({i}, {j})" + (f" slot {slot}" if slot >= 0 else "")


PRINTERS = {"sherd_vec2": Vector, "sherd_vec3": Vector, "sherd_quat": Vector, "lane3": Lanes, "lane4": Lanes,
            "sherd_pair_block": PairBlock, "sherd_pair_list": PairList}


def find(value):
    printer = PRINTERS.get(value.type.unqualified().strip_typedefs().tag or value.type.name)
    return printer(value) if printer else None


gdb.pretty_printers.append(find)
