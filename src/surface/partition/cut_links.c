#include "surface/partition/cut_links.h"

#include "base/forest.h"
#include "base/memory.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AXIS_BITS = 20, AXES = 3 };

// Sites are counted from 1, so that those at the border have neighbours, too.
static void site_of(const cut_links *l, sherd_vec3 x, int64_t site[AXES])
{
    sherd_vec3 from = vec3_scale(1.0 / l->spacing, vec3_sub(x, l->low));
    site[0] = 1 + llround(from.x), site[1] = 1 + llround(from.y), site[2] = 1 + llround(from.z);
}

static uint64_t key_of(const int64_t site[AXES])
{
    return (uint64_t)site[0] | (uint64_t)site[1] << AXIS_BITS | (uint64_t)site[2] << 2 * AXIS_BITS;
}

// Returns the element at a site, or -1.
static int32_t find(const cut_links *l, const int64_t site[AXES])
{
    return sherd_sort_find(l->site, (size_t)l->count, key_of(site));
}

static bool make_room(cut_links *l)
{
    size_t n = (size_t)l->count;
    l->site = sherd_alloc(n, sizeof *l->site);
    l->near = sherd_alloc(2 * AXES * n, sizeof *l->near);
    l->piece = sherd_alloc(n, sizeof *l->piece);
    l->cut = sherd_alloc(n, sizeof *l->cut);
    return l->site != NULL && l->near != NULL && l->piece != NULL && l->cut != NULL;
}

static void find_neighbours(cut_links *l, const sherd_point_bins *elements)
{
    for (int32_t k = 0; k < l->count; ++k)
        for (int side = 0; side < 2 * AXES; ++side) {
            int64_t site[AXES];
            site_of(l, elements->point[k], site);
            site[side / 2] += side % 2 == 0 ? -1 : 1;
            l->near[2 * AXES * (size_t)k + (size_t)side] = find(l, site);
        }
}

bool sherd_cut_links_create(cut_links *l, const sherd_point_bins *elements, double spacing,
                            cut_links_parted *parted, const void *context)
{
    *l = (cut_links){
        .spacing = spacing, .low = {INFINITY, INFINITY, INFINITY}, .count = elements->count};
    if (!make_room(l)) return false;
    for (int32_t k = 0; k < l->count; ++k)
        l->low = vec3_min(l->low, elements->point[k]);
    for (int32_t k = 0; k < l->count; ++k) {
        int64_t site[AXES];
        site_of(l, elements->point[k], site);
        l->site[k] = (sherd_sort_pair){key_of(site), (uint32_t)k};
        l->piece[k] = k;
    }
    if (!sherd_sort_pairs(l->site, (size_t)l->count)) return false;
    find_neighbours(l, elements);
    for (int32_t k = 0; k < l->count; ++k)
        for (int axis = 0; axis < AXES; ++axis) {
            int32_t next = l->near[2 * AXES * (size_t)k + 2 * (size_t)axis + 1];
            if (next >= 0 && !parted(context, elements->point[k], elements->point[next]))
                sherd_join_roots(l->piece, k, next);
        }
    for (int32_t k = 0; k < l->count; ++k)
        l->piece[k] = sherd_find_root(l->piece, k);
    return true;
}

void sherd_cut_links_release(cut_links *l)
{
    sherd_free(l->site);
    sherd_free(l->near);
    sherd_free(l->piece);
    sherd_free(l->cut);
    *l = (cut_links){0};
}

void sherd_cut_links_clear(cut_links *l)
{
    if (l->any) memset(l->cut, 0, (size_t)l->count);
    l->any = false;
}

void sherd_cut_links_cut(cut_links *l, sherd_vec3 a, sherd_vec3 b)
{
    int64_t from[AXES], to[AXES], steps = 0;
    site_of(l, a, from), site_of(l, b, to);
    int axis = 0;
    for (int d = 0; d < AXES; ++d) {
        steps += llabs(to[d] - from[d]);
        if (to[d] != from[d]) axis = d;
    }
    int32_t i = find(l, from), j = find(l, to);
    if (steps != 1 || i < 0 || j < 0) return;
    bool up = to[axis] > from[axis];
    l->cut[i] |= (uint8_t)(1 << (2 * axis + up));
    l->cut[j] |= (uint8_t)(1 << (2 * axis + !up));
    l->any = true;
}

// ---------------------------------------------------------------- sight

static int index_of(const int offset[AXES])
{
    return (offset[0] + VISIBLE_REACH) +
           VISIBLE_EDGE *
               ((offset[1] + VISIBLE_REACH) + VISIBLE_EDGE * (offset[2] + VISIBLE_REACH));
}

typedef struct search {
    visible_set *s;
    const cut_links *links;
    const sherd_fragment_id *label;
} search;

// Returns the element reached by a step from a visible element nearer to the start; -1: none.
static int32_t reach(const search *x, const int offset[AXES])
{
    for (int axis = 0; axis < AXES; ++axis) {
        if (offset[axis] == 0) continue;
        bool up = offset[axis] > 0;
        int before[AXES] = {offset[0], offset[1], offset[2]}, side = 2 * axis + up;
        before[axis] += up ? -1 : 1;
        int32_t from = x->s->seen[index_of(before)];
        if (from < 0 || (x->links->cut[from] >> side & 1) != 0) continue;
        int32_t to = x->links->near[2 * AXES * (size_t)from + (size_t)side];
        if (to >= 0 && x->label[to] == x->label[x->s->from]) return to;
    }
    return -1;
}

static void look_at(const search *x, const int offset[AXES])
{
    visible_set *s = x->s;
    bool start = offset[0] == 0 && offset[1] == 0 && offset[2] == 0;
    int32_t element = start ? s->from : reach(x, offset);
    s->seen[index_of(offset)] = element;
    if (element >= 0) s->whole = s->whole && x->links->cut[element] == 0;
}

// Visits all sites at these distances from the start along the axes; nearer ones were visited
// before.
static void look_around(const search *x, const int distance[AXES])
{
    for (int signs = 0; signs < 8; ++signs) {
        int offset[AXES];
        bool twice = false;
        for (int d = 0; d < AXES; ++d) {
            bool down = signs >> d & 1;
            twice = twice || (down && distance[d] == 0);
            offset[d] = down ? -distance[d] : distance[d];
        }
        if (!twice) look_at(x, offset);
    }
}

void sherd_visible_set_find(visible_set *s, const cut_links *l, const sherd_point_bins *elements,
                            const sherd_fragment_id *label, int32_t from)
{
    *s = (visible_set){.from = from, .whole = true};
    site_of(l, elements->point[from], s->at);
    const search x = {s, l, label};
    for (int k = 0; k <= VISIBLE_REACH; ++k)
        for (int j = 0; j <= VISIBLE_REACH; ++j)
            for (int i = 0; i <= VISIBLE_REACH; ++i)
                look_around(&x, (const int[AXES]){i, j, k});
}

bool sherd_visible_set_has(const visible_set *s, const cut_links *l, sherd_vec3 element)
{
    if (s->whole) return true;
    int64_t site[AXES];
    int offset[AXES];
    site_of(l, element, site);
    for (int d = 0; d < AXES; ++d) {
        if (llabs(site[d] - s->at[d]) > VISIBLE_REACH) return false;
        offset[d] = (int)(site[d] - s->at[d]);
    }
    return s->seen[index_of(offset)] >= 0;
}
