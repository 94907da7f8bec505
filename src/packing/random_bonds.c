#include "packing/random_bonds.h"

#include "base/memory.h"
#include "base/sort.h"
#include "math/vec3.h"
#include "packing/room.h"

// Pairs of elements as one number each, i above j: sorted, they come in order of (i, j).
typedef struct pair_set {
    sherd_sort_pair *pair;
    size_t count, capacity;
} pair_set;

static bool add_pair(pair_set *set, uint64_t key, uint32_t value)
{
    if (!sherd_grow((void **)&set->pair, &set->capacity, set->count + 1, sizeof *set->pair))
        return false;
    set->pair[set->count++] = (sherd_sort_pair){key, value};
    return true;
}

typedef struct bonding {
    const sherd_rcp *rcp;
    double range;
    const uint32_t *element; // of each ball
    uint32_t *parent;        // of elements, towards the first of their part
    pair_set bonds;          // key (i, j)
    pair_set gaps;           // key: gap, in units of 2^-40 mean radii; value: number in `wide`
    pair_set wide;           // key (i, j): pairs out of range
    size_t bridges;
} bonding;

static uint64_t key_of(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static uint32_t part_of(bonding *b, uint32_t element)
{
    while (b->parent[element] != element) {
        b->parent[element] = b->parent[b->parent[element]];
        element = b->parent[element];
    }
    return element;
}

// Joins the parts of a pair: false if it is within one already.
static bool join(bonding *b, uint64_t key)
{
    uint32_t i = part_of(b, (uint32_t)(key >> 32)), j = part_of(b, (uint32_t)key);
    if (i == j) return false;
    b->parent[i > j ? i : j] = i < j ? i : j;
    return true;
}

static bool take_pair(bonding *b, size_t n, size_t m)
{
    const sherd_rcp_ball *p = &b->rcp->ball[n], *q = &b->rcp->ball[m];
    double touch = b->rcp->scale * (p->r + q->r);
    double gap = vec3_distance(sherd_rcp_centre(p), sherd_rcp_centre(q)) - touch;
    uint64_t key = key_of(b->element[n], b->element[m]);
    if (gap <= (b->range - 1.0) * touch) return add_pair(&b->bonds, key, 0);
    double units = fmin(fmax(gap / b->rcp->mean_radius, 0.0), 1e6) * 0x1p40;
    return add_pair(&b->gaps, (uint64_t)units, (uint32_t)b->wide.count) &&
           add_pair(&b->wide, key, 0);
}

static bool take_pairs(bonding *b)
{
    const sherd_rcp_list *list = &b->rcp->list;
    for (size_t n = 0; n < b->rcp->count; ++n) {
        const int32_t *number = list->chunks[n / SHERD_RCP_CHUNK].number;
        for (uint32_t k = list->start[n]; k < list->end[n]; ++k)
            if ((size_t)number[k] > n && !take_pair(b, n, (size_t)number[k])) return false;
    }
    return sherd_sort_pairs(b->bonds.pair, b->bonds.count) &&
           sherd_sort_pairs(b->gaps.pair, b->gaps.count);
}

// Kruskal's algorithm: parts are joined across the shortest gaps.
static bool bridge_parts(bonding *b)
{
    for (size_t k = 0; k < b->bonds.count; ++k)
        join(b, b->bonds.pair[k].key);
    for (size_t k = 0; k < b->gaps.count; ++k) {
        uint64_t key = b->wide.pair[b->gaps.pair[k].value].key;
        if (!join(b, key)) continue;
        if (!add_pair(&b->bonds, key, 0)) return false;
        ++b->bridges;
    }
    return b->bridges == 0 || sherd_sort_pairs(b->bonds.pair, b->bonds.count);
}

static bool store(bonding *b, sherd_packing *packing)
{
    size_t m = b->bonds.count;
    packing->bond_count = (sherd_bond_index)m;
    if (!sherd_packing_bond_room(packing, m)) return false;
    for (size_t k = 0; k < m; ++k) {
        packing->bond_i[k] = (sherd_element_index)(b->bonds.pair[k].key >> 32);
        packing->bond_j[k] = (sherd_element_index)(uint32_t)b->bonds.pair[k].key;
    }
    packing->bonds_per_element = 2.0 * (double)m / packing->count;
    packing->bridges = (int32_t)b->bridges;
    for (uint32_t k = 0; k < (uint32_t)packing->count; ++k)
        packing->parts += b->parent[k] == k;
    return true;
}

bool sherd_rcp_bond(sherd_rcp *rcp, double range, const uint32_t *order, sherd_packing *packing)
{
    uint32_t *element = sherd_alloc(rcp->count, sizeof *element);
    bonding b = {.rcp = rcp, .range = range, .element = element};
    b.parent = sherd_alloc(rcp->count, sizeof *b.parent);
    bool done = element != NULL && b.parent != NULL;
    for (uint32_t k = 0; done && k < rcp->count; ++k) {
        element[order[k]] = k;
        b.parent[k] = k;
    }
    done = done && take_pairs(&b) && bridge_parts(&b) && store(&b, packing);
    sherd_free(element);
    sherd_free(b.parent);
    sherd_free(b.bonds.pair);
    sherd_free(b.gaps.pair);
    sherd_free(b.wide.pair);
    return done;
}
