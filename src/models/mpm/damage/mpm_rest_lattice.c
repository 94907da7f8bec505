#include "models/mpm/damage/mpm_rest_lattice.h"

#include "base/assertion.h"
#include "base/forest.h"
#include "base/memory.h"
#include "base/pages/pages.h"
#include "base/sort.h"
#include "math/nearest_rotation.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum { SIDES = 6, AXIS_BITS = 20 };

// ---------------------------------------------------------------- neighbours

static uint64_t key_at(const int64_t site[3])
{
    return (uint64_t)site[0] | (uint64_t)site[1] << AXIS_BITS | (uint64_t)site[2] << 2 * AXIS_BITS;
}

// Integer coordinates of an element on the lattice, from 1 on, so that those of neighbours are not
// negative.
static void site_of(const sherd_elements *e, sherd_element_index k, sherd_vec3 low, double spacing,
                    int64_t site[3])
{
    sherd_vec3 from = vec3_scale(1.0 / spacing, vec3_sub(sherd_element_rest(e, k), low));
    site[0] = 1 + llround(from.x), site[1] = 1 + llround(from.y), site[2] = 1 + llround(from.z);
}

static sherd_vec3 lowest(const sherd_elements *e, sherd_element_index first,
                         sherd_element_index end)
{
    sherd_vec3 low = {INFINITY, INFINITY, INFINITY};
    for (sherd_element_index k = first; k < end; ++k)
        low = vec3_min(low, sherd_element_rest(e, k));
    return low;
}

static bool make_room(sherd_mpm_lattice *l, size_t count)
{
    size_t neighbour_room = l->count * SIDES, element_room = l->count, flow_room = l->count;
    return sherd_grow((void **)&l->neighbours, &neighbour_room, count * SIDES,
                      sizeof *l->neighbours) &&
           sherd_grow((void **)&l->element, &element_room, count, sizeof *l->element) &&
           sherd_grow((void **)&l->flows, &flow_room, count, sizeof *l->flows);
}

static void join(sherd_mpm_lattice *l, const sherd_elements *e, sherd_vec3 low,
                 const sherd_sort_pair *pairs, size_t count, sherd_element_index k)
{
    int64_t site[3];
    site_of(e, k, low, l->spacing, site);
    for (int side = 0; side < SIDES; ++side) {
        int64_t other[3] = {site[0], site[1], site[2]};
        other[side / 2] += side % 2 == 0 ? -1 : 1;
        l->neighbours[l->count * SIDES + (size_t)side] =
            sherd_sort_find(pairs, count, key_at(other));
    }
    l->flows[l->count] = 0, l->element[l->count++] = k;
}

// ---------------------------------------------------------------- bridges

// A body being added: its connected parts, as a forest of elements.
typedef struct parts {
    sherd_mpm_lattice *lattice;
    const sherd_elements *elements;
    sherd_element_index first, end;
    sherd_vec3 low;
    const sherd_sort_pair *pairs;
    int32_t *root; // by element of the body
} parts;

static void join_neighbours(const parts *p)
{
    const sherd_mpm_lattice *l = p->lattice;
    size_t count = (size_t)(p->end - p->first), from = l->count - count;
    for (size_t k = 0; k < count; ++k)
        p->root[k] = (int32_t)k;
    for (size_t k = 0; k < count * SIDES; ++k)
        if (l->neighbours[from * SIDES + k] >= 0)
            sherd_join_roots(p->root, (int32_t)(k / SIDES),
                             l->neighbours[from * SIDES + k] - p->first);
}

static bool bridge(const parts *p, sherd_element_index from, sherd_element_index to)
{
    sherd_mpm_lattice *l = p->lattice;
    if (!sherd_grow((void **)&l->bridges, &l->bridge_room, l->bridge_count + 1, sizeof *l->bridges))
        return false;
    l->bridges[l->bridge_count++] = (sherd_mpm_bridge){from, to};
    sherd_join_roots(p->root, from - p->first, to - p->first);
    return true;
}

static bool are_joined(const parts *p, sherd_element_index a, sherd_element_index b)
{
    return sherd_find_root(p->root, a - p->first) == sherd_find_root(p->root, b - p->first);
}

// Joins an element to others across edges and corners of its lattice cell.
static bool bridge_corners(const parts *p, sherd_element_index k)
{
    enum { AROUND = 27, SELF = 13 };
    int64_t site[3];
    site_of(p->elements, k, p->low, p->lattice->spacing, site);
    for (int n = 0; n < AROUND; ++n) {
        int64_t other[3] = {site[0] + n % 3 - 1, site[1] + n / 3 % 3 - 1, site[2] + n / 9 - 1};
        sherd_element_index to =
            n == SELF ? -1 : sherd_sort_find(p->pairs, (size_t)(p->end - p->first), key_at(other));
        if (to >= 0 && !are_joined(p, k, to) && !bridge(p, k, to)) return false;
    }
    return true;
}

// Joins all parts of a body to its first one. Most bodies have one part.
static bool bridge_parts(const parts *p)
{
    join_neighbours(p);
    for (sherd_element_index k = p->first; k < p->end; ++k)
        if (!are_joined(p, k, p->first) && !bridge_corners(p, k)) return false;
    for (sherd_element_index k = p->first; k < p->end; ++k)
        if (!are_joined(p, k, p->first) && !bridge(p, p->first, k)) return false;
    return true;
}

static bool add_bridges(const parts *from)
{
    parts p = *from;
    p.root = sherd_alloc_pages((size_t)(p.end - p.first), sizeof *p.root);
    bool ok = p.root != NULL && bridge_parts(&p);
    sherd_free_pages(p.root);
    return ok;
}

// ---------------------------------------------------------------- bodies

bool sherd_mpm_lattice_add(sherd_mpm_lattice *l, const sherd_elements *e, sherd_element_index first,
                           sherd_element_index end)
{
    size_t count = (size_t)(end - first);
    SHERD_ASSERT(first >= 0 && first <= end && end <= e->count, "a lattice is of elements");
    SHERD_ASSERT(l->count == 0 || l->element[l->count - 1] < first, "elements are listed once");
    sherd_sort_pair *pairs = sherd_alloc_pages(count, sizeof *pairs);
    if (pairs == NULL || !make_room(l, l->count + count)) {
        sherd_free_pages(pairs);
        return false;
    }
    sherd_vec3 low = lowest(e, first, end);
    for (sherd_element_index k = first; k < end; ++k) {
        int64_t site[3];
        site_of(e, k, low, l->spacing, site);
        pairs[k - first] = (sherd_sort_pair){key_at(site), (uint32_t)k};
    }
    bool sorted = sherd_sort_pairs_once(pairs, count);
    for (sherd_element_index k = first; k < end && sorted; ++k)
        join(l, e, low, pairs, count, k);
    const parts p = {l, e, first, end, low, pairs, NULL};
    bool ok = sorted && add_bridges(&p);
    sherd_free_pages(pairs);
    return ok;
}

void sherd_mpm_lattice_let_flow(sherd_mpm_lattice *l, size_t from)
{
    memset(l->flows + from, 1, l->count - from);
}

// Position of element k in the list, which is sorted, or where it would be.
static size_t listed(const sherd_mpm_lattice *l, sherd_element_index k)
{
    size_t low = 0, high = l->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (l->element[middle] < k)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void cross_glue(sherd_mpm_lattice *l, sherd_element_index from, sherd_element_index to,
                       size_t glue)
{
    size_t at = listed(l, from);
    for (size_t k = at * SIDES; at < l->count && k < (at + 1) * SIDES; ++k)
        if (l->neighbours[k] == to && l->element[at] == from)
            l->neighbours[k] = -2 - (sherd_element_index)glue;
}

void sherd_mpm_lattice_divide(sherd_mpm_lattice *l, const uint32_t *piece,
                              const sherd_mpm_glues *glue)
{
    for (size_t k = 0; k < glue->count; ++k) {
        const sherd_mpm_glue *g = &glue->items[k];
        cross_glue(l, g->low, g->high, k), cross_glue(l, g->high, g->low, k);
    }
    for (size_t k = 0; k < l->count * SIDES; ++k)
        if (l->neighbours[k] >= 0 && piece[l->neighbours[k]] != piece[l->element[k / SIDES]])
            l->neighbours[k] = -1;
    size_t kept = 0;
    for (size_t k = 0; k < l->bridge_count; ++k)
        if (piece[l->bridges[k].from] == piece[l->bridges[k].to])
            l->bridges[kept++] = l->bridges[k];
    l->bridge_count = kept;
}

void sherd_mpm_lattice_free(sherd_mpm_lattice *l)
{
    sherd_free(l->neighbours), sherd_free(l->element), sherd_free(l->bridges);
    sherd_free(l->flows);
    *l = (sherd_mpm_lattice){.spacing = l->spacing};
}

// ---------------------------------------------------------------- rotations

typedef struct job {
    const sherd_mpm_lattice *lattice;
    const sherd_mpm_glue *glue;
    sherd_elements *elements;
} job;

// The neighbour on a side of the element listed at `at`, or -1.
static sherd_element_index neighbour(const job *j, size_t at, int side)
{
    sherd_element_index near = j->lattice->neighbours[at * SIDES + (size_t)side];
    if (near >= -1) return near;
    const sherd_mpm_glue *g = &j->glue[-2 - near];
    if (g->damage >= 1.0) return -1;
    return g->low == j->lattice->element[at] ? g->high : g->low;
}

// dx / dX along an axis by differences between neighbours, one-sided if there is only one; false
// without neighbours.
static bool own_slope(const job *j, size_t at, int axis, sherd_vec3 *slope)
{
    sherd_element_index own = j->lattice->element[at], behind = neighbour(j, at, 2 * axis),
                        before = neighbour(j, at, 2 * axis + 1);
    int sides = (behind >= 0) + (before >= 0);
    if (sides == 0) return false;
    sherd_vec3 d = vec3_sub(sherd_element_position(j->elements, before >= 0 ? before : own),
                            sherd_element_position(j->elements, behind >= 0 ? behind : own));
    *slope = vec3_scale(1.0 / (sides * j->lattice->spacing), d);
    return true;
}

// dx / dX along an axis; where an element has no neighbour along it, as at corners of pieces, the
// mean over the other neighbours, up to `rings` steps away.
static bool slope_along(const job *j, size_t at, int axis, int rings, sherd_vec3 *slope)
{
    if (own_slope(j, at, axis, slope)) return true;
    if (rings == 0) return false;
    sherd_vec3 sum = {0.0, 0.0, 0.0};
    int count = 0;
    for (int side = 0; side < SIDES; ++side) {
        sherd_element_index n = neighbour(j, at, side);
        sherd_vec3 theirs;
        if (n < 0) continue;
        // Index in the list, which is contiguous for a body
        size_t there = at + (size_t)n - (size_t)j->lattice->element[at];
        if (!slope_along(j, there, axis, rings - 1, &theirs)) continue;
        sum = vec3_add(sum, theirs), ++count;
    }
    *slope = vec3_scale(count > 0 ? 1.0 / count : 0.0, sum);
    return count > 0;
}

// Deformation gradient f[i][j] = dx_i / dX_j. A direction that no neighbour provides gets a small
// value, so that the rotation follows the other directions.
static void gradient(const job *j, size_t at, double f[3][3])
{
    enum { RINGS = 3 };
    static const double LITTLE = 1e-6;
    for (int axis = 0; axis < 3; ++axis) {
        sherd_vec3 d = {0.0, 0.0, 0.0};
        bool found = slope_along(j, at, axis, RINGS, &d);
        f[0][axis] = d.x, f[1][axis] = d.y, f[2][axis] = d.z;
        if (!found) f[axis][axis] = LITTLE;
    }
}

// ---------------------------------------------------------------- rotations

static void turn_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    sherd_elements *e = j->elements;
    for (size_t at = begin; at < end; ++at) {
        sherd_element_index k = j->lattice->element[at];
        double f[3][3];
        gradient(j, at, f);
        sherd_quat q = sherd_nearest_rotation(f);
        e->qx[k] = q.x, e->qy[k] = q.y, e->qz[k] = q.z, e->qw[k] = q.w;
    }
}

void sherd_mpm_lattice_find_rotations(const sherd_mpm_lattice *l, const sherd_mpm_glues *glue,
                                      sherd_elements *e, const sherd_parallel *parallel)
{
    enum { CHUNK = 256 };
    job j = {l, glue->items, e};
    sherd_parallel_for(parallel, l->count, CHUNK, turn_range, &j);
}
