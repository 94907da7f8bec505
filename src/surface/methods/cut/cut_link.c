#include "surface/methods/cut/cut_link.h"

#include "base/forest.h"
#include "base/memory.h"
#include "surface/partition/key_map.h"

// All components of several lists, numbered one list after the other.
typedef struct linking {
    int32_t count;
    int32_t *start; // of each list's components  (lists + 1)
    int32_t *root;  // forest of components
    int32_t *value; // of roots
} linking;

// `start` has the lists' counts, from its second entry on.
static bool begin(linking *l, int32_t lists)
{
    for (int32_t k = 0; k < lists; ++k)
        l->start[k + 1] += l->start[k];
    l->count = l->start[lists];
    l->root = sherd_alloc((size_t)l->count, sizeof *l->root);
    l->value = sherd_alloc((size_t)l->count, sizeof *l->value);
    for (int32_t k = 0; l->root != NULL && k < l->count; ++k)
        l->root[k] = k;
    return l->root != NULL && l->value != NULL;
}

static void release(linking *l)
{
    sherd_free(l->start);
    sherd_free(l->root);
    sherd_free(l->value);
}

static bool set_value(linking *l, int32_t component, int32_t value)
{
    int32_t *known = &l->value[sherd_find_root(l->root, component)];
    if (value == CUT_UNKNOWN) return true;
    if (*known != CUT_UNKNOWN && *known != value) return false;
    *known = value;
    return true;
}

// --- Patches ---------------------------------------------------------------------------------------

// Joins components at the outline's vertices. `of` has a component of each of these afterwards.
static void join_patches(linking *l, const cut_patches *patches, const outline *o, int32_t *of)
{
    for (int32_t v = 0; v < o->vertex_count; ++v)
        of[v] = -1;
    for (int32_t k = 0; k < patches->count; ++k) {
        const cut_patch *p = &patches->items[k];
        for (int32_t v = 0; v < p->vertex_count; ++v) {
            int32_t component = l->start[k] + p->joined.of[v], *first = &of[p->vertex[v]];
            if (*first < 0)
                *first = component;
            else
                sherd_join_roots(l->root, *first, component);
        }
    }
}

// A count of votes after Boyer and Moore.
typedef struct votes {
    int32_t cast, balance;
} votes;

static bool vote_by_owners(linking *l, const outline *o, const partition *p, const int32_t *of)
{
    enum { MAX_VOTES = 31 };
    votes *all = sherd_alloc((size_t)l->count, sizeof *all);
    for (int32_t v = 0; all != NULL && v < o->vertex_count; ++v) {
        int32_t root = of[v] >= 0 ? sherd_find_root(l->root, of[v]) : -1;
        if (root < 0 || (l->value[root] != CUT_UNKNOWN && all[root].cast == 0) ||
            all[root].cast == MAX_VOTES)
            continue;
        strongest_list at = sherd_partition_strongest(p, o->position[v]);
        sherd_fragment_id owner =
            at.count > 0 ? at.label[0] : sherd_partition_nearest(p, o->position[v]);
        all[root].cast++;
        if (all[root].balance == 0) l->value[root] = owner;
        all[root].balance += owner == l->value[root] ? 1 : -1;
    }
    bool ok = all != NULL;
    sherd_free(all);
    return ok;
}

static void store_values(const linking *l, cut_patches *patches, uint8_t *changed)
{
    for (int32_t k = 0; k < patches->count; ++k) {
        cut_components *c = &patches->items[k].joined;
        for (int32_t j = 0; j < c->count; ++j) {
            int32_t value = l->value[sherd_find_root(l->root, l->start[k] + j)];
            changed[k] |= c->value[j] != value;
            c->value[j] = value;
        }
    }
}

static cut_result link_patches(linking *l, cut_patches *patches, const outline *o,
                               const partition *p, int32_t *of)
{
    for (int32_t k = 0; k < patches->count; ++k)
        l->start[k + 1] = patches->items[k].joined.count;
    if (!begin(l, patches->count)) return CUT_MEMORY;
    join_patches(l, patches, o, of);
    for (int32_t k = 0; k < patches->count; ++k)
        for (int32_t j = 0; j < patches->items[k].joined.count; ++j)
            if (!set_value(l, l->start[k] + j, patches->items[k].joined.known[j]))
                return CUT_INCONSISTENT;
    return vote_by_owners(l, o, p, of) ? CUT_OK : CUT_MEMORY;
}

cut_result sherd_cut_link_patches(cut_patches *patches, const outline *o, const partition *p,
                                  uint8_t *changed)
{
    linking l = {.start = sherd_alloc((size_t)patches->count + 1, sizeof *l.start)};
    int32_t *of = sherd_alloc((size_t)o->vertex_count, sizeof *of);
    cut_result result = CUT_MEMORY;
    if (l.start != NULL && of != NULL) result = link_patches(&l, patches, o, p, of);
    if (result == CUT_OK) store_values(&l, patches, changed);
    sherd_free(of);
    release(&l);
    return result;
}

// --- Blocks ----------------------------------------------------------------------------------------

// Vertices that other blocks may have too lie in the block's first and last layers of nodes.
static bool is_shared(const crack_block *b, uint64_t key)
{
    bool shared = false;
    key >>= 5;
    for (int d = 0; d < 3; ++d, key >>= 19) {
        int32_t at = (int32_t)(key & ((1 << 19) - 1)) - CRACK_BLOCK * b->at[d];
        shared |= at == 0 || at == CRACK_BLOCK;
    }
    return shared;
}

static bool join_blocks(linking *l, const cut_block *blocks, const crack_grid *g,
                        const int32_t *list, int32_t count)
{
    key_map numbers = {0};
    int32_t *first = NULL;
    size_t capacity = 0;
    bool ok = true;
    for (int32_t k = 0; ok && k < count; ++k) {
        const crack_block *b = &g->blocks[list[k]];
        for (int32_t v = 0; ok && v < b->vertex_count; ++v) {
            if (!is_shared(b, b->vertices[v].key)) continue;
            int32_t component = l->start[k] + blocks[list[k]].joined.of[v];
            size_t before = numbers.count;
            int32_t n = sherd_key_map_insert(&numbers, b->vertices[v].key);
            ok = n >= 0 && sherd_grow((void **)&first, &capacity, (size_t)n + 1, sizeof *first);
            if (ok && numbers.count > before)
                first[n] = component;
            else if (ok)
                sherd_join_roots(l->root, first[n], component);
        }
    }
    sherd_key_map_release(&numbers);
    sherd_free(first);
    return ok;
}

// Components that meet no outer surface.
static void vote_by_insides(linking *l, const cut_block *blocks, const crack_grid *g,
                            const outline *o, const int32_t *list, int32_t count)
{
    for (int32_t k = 0; k < count; ++k) {
        const crack_block *b = &g->blocks[list[k]];
        for (int32_t t = 0; t < b->triangle_count; ++t) {
            int32_t v = b->triangles[t].corner[0];
            int32_t *value =
                &l->value[sherd_find_root(l->root, l->start[k] + blocks[list[k]].joined.of[v])];
            if (*value != CUT_UNKNOWN || blocks[list[k]].divided[t]) continue;
            bool inside = sherd_shape_distance(o->solid, b->vertices[v].position) < 0.0;
            *value = inside ? CUT_INSIDE : CUT_OUTSIDE;
        }
    }
}

static cut_result link_blocks(linking *l, cut_block *blocks, const crack_grid *g, const outline *o,
                              const int32_t *list, int32_t count, const uint8_t *made)
{
    for (int32_t k = 0; k < count; ++k)
        l->start[k + 1] = blocks[list[k]].joined.count;
    if (!begin(l, count) || !join_blocks(l, blocks, g, list, count)) return CUT_MEMORY;
    for (int32_t k = 0; k < count; ++k) {
        const cut_components *c = &blocks[list[k]].joined;
        const int32_t *known = made[list[k]] ? c->known : c->value;
        for (int32_t j = 0; j < c->count; ++j)
            if (!set_value(l, l->start[k] + j, known[j])) return CUT_INCONSISTENT;
    }
    vote_by_insides(l, blocks, g, o, list, count);
    for (int32_t k = 0; k < count; ++k)
        for (int32_t j = 0; j < blocks[list[k]].joined.count; ++j)
            blocks[list[k]].joined.value[j] = l->value[sherd_find_root(l->root, l->start[k] + j)];
    return CUT_OK;
}

cut_result sherd_cut_link_blocks(cut_block *blocks, const crack_grid *g, const outline *o,
                                 const int32_t *list, int32_t count, const uint8_t *made)
{
    linking l = {.start = sherd_alloc((size_t)count + 1, sizeof *l.start)};
    cut_result result =
        l.start != NULL ? link_blocks(&l, blocks, g, o, list, count, made) : CUT_MEMORY;
    release(&l);
    return result;
}
