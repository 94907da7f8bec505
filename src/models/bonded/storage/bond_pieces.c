#include "models/bonded/storage/bond_pieces.h"

#include "base/forest.h"
#include "base/memory.h"

// By local number: the first element of its piece, and the number of elements of the piece (while
// choosing: that are still to come).
typedef struct pieces {
    int32_t count;
    int32_t *root, *remaining;
} pieces;

static void join_all(const pieces *p, const sherd_bond_block *block, const sherd_bonds *bonds)
{
    for (int32_t k = 0; k < p->count; ++k)
        p->root[k] = k;
    for (int64_t b = block->bond_begin; b < block->bond_end; ++b)
        if (!bonds->broken[b])
            sherd_join_roots(p->root, sherd_bond_block_local(block, bonds->i[b]),
                             sherd_bond_block_local(block, bonds->j[b]));
    for (int32_t k = 0; k < p->count; ++k)
        p->root[k] = sherd_find_root(p->root, k);
}

// Whether the frame of the block's middle element suffices, because all bonds join one piece.
static bool are_one(const pieces *p, const sherd_bond_block *block)
{
    int32_t joined = 0, middle = (block->end - block->begin) / 2;
    for (int32_t k = 0; k < p->count; ++k)
        ++p->remaining[p->root[k]];
    for (int32_t k = 0; k < p->count; ++k)
        joined += p->remaining[k] > 1;
    return joined == 0 || (joined == 1 && p->remaining[p->root[middle]] > 1);
}

static sherd_element_index element_of(const sherd_bond_block *block, int32_t local)
{
    int32_t own = block->end - block->begin;
    return local < own ? block->begin + local : block->halo[local - own];
}

// Elements are numbered along the packing's rows, so the middle one of a piece is roughly inside
// it. Elements without bonds need no frame: they get that of the element before, as vectors with
// one frame are faster.
static void choose_carriers(const pieces *p, sherd_bond_block *block)
{
    enum { ALONE = -1 };
    for (int32_t k = 0; k < p->count; ++k)
        if (p->root[k] == k)
            p->remaining[k] = p->remaining[k] > 1 ? p->remaining[k] / 2 + 1 : ALONE;
    for (int32_t k = 0; k < p->count; ++k) {
        int32_t *remaining = &p->remaining[p->root[k]];
        if (*remaining > 0 && --*remaining == 0) block->carrier[p->root[k]] = element_of(block, k);
    }
    for (int32_t k = 0; k < p->count; ++k) {
        if (p->remaining[p->root[k]] != ALONE)
            block->carrier[k] = block->carrier[p->root[k]];
        else
            block->carrier[k] = k > 0 ? block->carrier[k - 1] : block->begin;
    }
}

static bool carry(const pieces *p, sherd_bond_block *block)
{
    if (are_one(p, block)) {
        sherd_free(block->carrier);
        block->carrier = NULL;
        return true;
    }
    if (block->carrier == NULL)
        block->carrier = sherd_alloc((size_t)p->count, sizeof *block->carrier);
    if (block->carrier != NULL) choose_carriers(p, block);
    return block->carrier != NULL;
}

bool sherd_bond_block_find_pieces(sherd_bond_block *block, const sherd_bonds *bonds)
{
    int32_t count = block->end - block->begin + block->halo_count;
    pieces p = {count, sherd_alloc((size_t)count, sizeof *p.root),
                sherd_alloc((size_t)count, sizeof *p.remaining)};
    bool done = p.root != NULL && p.remaining != NULL;
    if (done) {
        join_all(&p, block, bonds);
        done = carry(&p, block);
    }
    sherd_free(p.root);
    sherd_free(p.remaining);
    return done;
}

bool sherd_bond_blocks_find_pieces(sherd_bond_blocks *blocks, const sherd_bonds *bonds)
{
    for (int b = 0; b < blocks->count; ++b)
        if (!sherd_bond_block_find_pieces(&blocks->blocks[b], bonds)) return false;
    return true;
}

// ---------------------------------------------------------------- ends of a bond

typedef struct neighbourhood {
    const sherd_bond_block *block;
    const sherd_bonds *bonds;
    const sherd_adjacency *adjacency;
} neighbourhood;

// A search by at most `max_bonds` bonds.
static bool reaches(const neighbourhood *in, sherd_element_index from, sherd_element_index to,
                    int max_bonds)
{
    const sherd_adjacency *a = in->adjacency;
    for (uint32_t at = a->start[from]; at < a->start[from + 1]; ++at) {
        int64_t bond = a->bond[at];
        if (bond < in->block->bond_begin || bond >= in->block->bond_end || in->bonds->broken[bond])
            continue;
        sherd_element_index next = sherd_bond_partner(in->bonds, bond, from);
        if (next == to || (max_bonds > 1 && reaches(in, next, to, max_bonds - 1))) return true;
    }
    return false;
}

bool sherd_bond_ends_joined(const sherd_bond_block *block, const sherd_bonds *bonds,
                            const sherd_adjacency *adjacency, int64_t bond)
{
    neighbourhood in = {block, bonds, adjacency};
    return reaches(&in, bonds->i[bond], bonds->j[bond], 3);
}
