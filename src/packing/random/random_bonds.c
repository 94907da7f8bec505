#include "packing/random/random_bonds.h"

#include "base/forest.h"
#include "base/memory.h"
#include "base/sort.h"
#include "math/vec3.h"
#include "packing/packing_alloc.h"
#include "packing/random/random_join.h"

// Segments between balls are sampled at every STEP, and may leave the shape by up to TOUCHING:
// walls that touch are connected [mean radii].
static const double STEP = 0.02, TOUCHING = 1e-3;

// A part with less than the fraction SMALL of all elements is omitted if its gap is longer than FAR
// [mean radii].
static const double SMALL = 0.01, FAR = 2.0;

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
    int32_t *root;           // forest of elements: the first of each part (forest.h)
    pair_set bonds;          // key (i, j)
    pair_set gaps;           // key: gap, in units of 2^-40 mean radii; value: number in `wide`
    pair_set wide;           // key (i, j): pairs out of range
    size_t bridges;
} bonding;

static uint64_t key_of(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

// Joins the parts of a pair: returns false if they are one already.
static bool join(bonding *b, uint64_t key)
{
    int32_t i = (int32_t)(key >> 32), j = (int32_t)(uint32_t)key;
    if (sherd_find_root(b->root, i) == sherd_find_root(b->root, j)) return false;
    sherd_join_roots(b->root, i, j);
    return true;
}

static double gap_of(const sherd_rcp *rcp, size_t n, size_t m)
{
    const sherd_rcp_ball *p = &rcp->ball[n], *q = &rcp->ball[m];
    return vec3_distance(sherd_rcp_centre(p), sherd_rcp_centre(q)) - rcp->scale * (p->r + q->r);
}

// Whether the segment between two balls is inside the shape, so that no slit separates them. No
// query is needed where the known depths suffice.
static bool is_solid_between(const sherd_rcp *rcp, size_t n, size_t m, double gap)
{
    const sherd_rcp_ball *p = &rcp->ball[n], *q = &rcp->ball[m];
    double r = rcp->scale * p->r, o = rcp->scale * q->r, unit = rcp->scale * rcp->mean_radius;
    if (fmax(rcp->deep[n], r) + fmax(rcp->deep[m], o) >= r + o + gap) return true;
    sherd_vec3 from = sherd_rcp_centre(p), to = sherd_rcp_centre(q);
    sherd_vec3 way = vec3_normalize(vec3_sub(to, from));
    return sherd_rcp_is_passage(rcp->shape, vec3_add_scaled(from, r, way),
                                vec3_add_scaled(to, -o, way), STEP * unit, TOUCHING * unit);
}

static bool take_pair(bonding *b, size_t n, size_t m)
{
    const sherd_rcp_ball *p = &b->rcp->ball[n], *q = &b->rcp->ball[m];
    double touch = b->rcp->scale * (p->r + q->r), gap = gap_of(b->rcp, n, m);
    uint64_t key = key_of(b->element[n], b->element[m]);
    if (!is_solid_between(b->rcp, n, m, gap)) return true;
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

// ---------------------------------------------------------------- parts far apart

typedef struct part_list {
    uint32_t *of;   // the part of each ball, named by one of its elements, or SHERD_RCP_NO_PART (n)
    uint32_t *size; // size of the part with this name, 0 if it needs no more links (n)
    size_t left;    // balls that are omitted
} part_list;

static void find_parts(bonding *b, part_list *parts)
{
    for (size_t n = 0; n < b->rcp->count; ++n) {
        if (parts->of[n] != SHERD_RCP_NO_PART)
            parts->of[n] = (uint32_t)sherd_find_root(b->root, (int32_t)b->element[n]);
        parts->size[n] = 0;
    }
    for (size_t n = 0; n < b->rcp->count; ++n)
        if (parts->of[n] != SHERD_RCP_NO_PART) ++parts->size[parts->of[n]];
}

// The smallest part that may be linked to another one, or the number of balls.
static size_t smallest(const part_list *parts, const uint8_t *alone, size_t count)
{
    size_t best = count, open = 0;
    for (size_t k = 0; k < count; ++k) {
        if (parts->size[k] == 0 || alone[k]) continue;
        ++open;
        if (best == count || parts->size[k] < parts->size[best]) best = k;
    }
    return open > 1 ? best : count;
}

static void leave_out(const bonding *b, part_list *parts, uint32_t part)
{
    for (size_t n = 0; n < b->rcp->count; ++n) {
        if (parts->of[n] != part) continue;
        parts->of[n] = SHERD_RCP_NO_PART;
        ++parts->left;
    }
}

static bool link_part(bonding *b, part_list *parts, uint32_t part, uint8_t *alone)
{
    sherd_rcp_link link;
    if (!sherd_rcp_find_link(b->rcp, parts->of, part, &link)) return false;
    if (!link.found) {
        alone[part] = 1;
        return true;
    }
    double far = FAR * b->rcp->scale * b->rcp->mean_radius;
    if (gap_of(b->rcp, link.from, link.to) > far && parts->size[part] < SMALL * b->rcp->count) {
        leave_out(b, parts, part);
        return true;
    }
    uint64_t key = key_of(b->element[link.from], b->element[link.to]);
    join(b, key);
    alone[sherd_find_root(b->root, (int32_t)b->element[link.from])] = 0;
    ++b->bridges;
    return add_pair(&b->bonds, key, 0);
}

// Links parts that are connected through the shape, the smallest first.
static bool link_parts(bonding *b, part_list *parts)
{
    size_t count = b->rcp->count;
    uint8_t *alone = sherd_alloc(count, 1);
    parts->of = sherd_alloc(count, sizeof *parts->of);
    parts->size = sherd_alloc(count, sizeof *parts->size);
    bool done = alone != NULL && parts->of != NULL && parts->size != NULL;
    while (done) {
        find_parts(b, parts);
        size_t part = smallest(parts, alone, count);
        if (part == count) break;
        done = link_part(b, parts, (uint32_t)part, alone);
    }
    sherd_free(alone);
    sherd_free(parts->size);
    return done && sherd_sort_pairs(b->bonds.pair, b->bonds.count);
}

static size_t take_out(sherd_rcp *rcp, const part_list *parts)
{
    size_t kept = 0;
    for (size_t n = 0; n < rcp->count; ++n)
        if (parts->of[n] != SHERD_RCP_NO_PART) rcp->ball[kept++] = rcp->ball[n];
    rcp->count = kept;
    return parts->left;
}

static bool store(bonding *b, sherd_packing *packing)
{
    size_t m = b->bonds.count;
    packing->bond_count = (sherd_bond_index)m;
    if (!sherd_packing_alloc_bonds(packing, m)) return false;
    for (size_t k = 0; k < m; ++k) {
        packing->bond_i[k] = (sherd_element_index)(b->bonds.pair[k].key >> 32);
        packing->bond_j[k] = (sherd_element_index)(uint32_t)b->bonds.pair[k].key;
    }
    packing->bonds_per_element = 2.0 * (double)m / (double)b->rcp->count;
    packing->bridges = (int32_t)b->bridges;
    for (uint32_t k = 0; k < (uint32_t)b->rcp->count; ++k)
        packing->parts += b->root[k] == (int32_t)k;
    return true;
}

bool sherd_rcp_bond(sherd_rcp *rcp, double range, const uint32_t *order, sherd_packing *packing,
                    size_t *left_out)
{
    uint32_t *element = sherd_alloc(rcp->count, sizeof *element);
    bonding b = {.rcp = rcp, .range = range, .element = element};
    part_list parts = {.left = 0};
    b.root = sherd_alloc(rcp->count, sizeof *b.root);
    bool done = element != NULL && b.root != NULL;
    for (uint32_t k = 0; done && k < rcp->count; ++k) {
        element[order[k]] = k;
        b.root[k] = (int32_t)k;
    }
    done = done && take_pairs(&b) && bridge_parts(&b) && link_parts(&b, &parts);
    if (done && parts.left == 0) done = store(&b, packing);
    *left_out = done ? take_out(rcp, &parts) : 0;
    sherd_free(element);
    sherd_free(b.root);
    sherd_free(b.bonds.pair);
    sherd_free(b.gaps.pair);
    sherd_free(b.wide.pair);
    sherd_free(parts.of);
    return done;
}
