#include "surface/march.h"

#include "base/memory.h"
#include "math/vec3.h"

// One tetrahedron of a cell. Corners are offsets in the cell as bit masks (x, y, z = bits 0, 1, 2),
// each a superset of the one before.
typedef struct tetra {
    const grid *g;
    int32_t cell[3];          // corner coordinates of the cell's first corner
    int offset[4];            // 0, axis, two axes, 7
    sherd_fragment_id own[4]; // owners of the corners
} tetra;

// The six orders of axes; even ones first, whose tetrahedra are positively oriented.
static const int AXES[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};

static void sort_owners(shell_vertex *v, const tetra *t, unsigned corners)
{
    for (int c = 0; c < 4; ++c) {
        if ((corners >> c & 1) == 0) continue;
        int at = 0;
        while (at < v->owner_count && v->owners[at] < t->own[c])
            ++at;
        if (at < v->owner_count && v->owners[at] == t->own[c]) continue;
        for (int k = v->owner_count++; k > at; --k)
            v->owners[k] = v->owners[k - 1];
        v->owners[at] = t->own[c];
    }
}

// The vertex on the simplex spanned by a set of the tetrahedron's corners (a bit mask). -1 when
// memory is short. A simplex is named by its first corner and the offsets of the others from it.
static int32_t vertex_on(shell *s, const tetra *t, unsigned corners)
{
    int first = 0, code = 0, count = 0;
    double sum[3] = {0.0, 0.0, 0.0};
    for (int c = 0; c < 4; ++c) {
        if ((corners >> c & 1) == 0) continue;
        if (count == 0)
            first = t->offset[c];
        else if (count < 3)
            code |= (t->offset[c] ^ first) << (3 * (count - 1));
        else
            code |= 64;
        for (int d = 0; d < 3; ++d)
            sum[d] += t->cell[d] + (t->offset[c] >> d & 1);
        ++count;
    }
    uint64_t key = (uint64_t)code;
    for (int d = 0; d < 3; ++d)
        key = key << 18 | (uint64_t)(t->cell[d] + (first >> d & 1));
    int32_t k = sherd_key_map_insert(&s->index, key);
    if (k < s->vertex_count) return k;
    if (!sherd_grow((void **)&s->vertices, &s->vertex_capacity, (size_t)k + 1, sizeof *s->vertices))
        return -1;
    shell_vertex *v = &s->vertices[k];
    *v = (shell_vertex){.key = key};
    sort_owners(v, t, corners);
    double step = t->g->cell / count;
    v->base = vec3_add(t->g->origin, vec3(step * sum[0], step * sum[1], step * sum[2]));
    v->position = v->base;
    s->vertex_count = k + 1;
    return k;
}

// A triangle or quadrangle facing `other`. A quadrangle's diagonal starts at the vertex of smallest
// key, whichever side looks at it.
static bool emit(shell *s, const tetra *t, sherd_fragment_id other, int count,
                 const unsigned corners[])
{
    int32_t v[4];
    int first = 0;
    for (int k = 0; k < count; ++k) {
        v[k] = vertex_on(s, t, corners[k]);
        if (v[k] < 0) return false;
        if (s->vertices[v[k]].key < s->vertices[v[first]].key) first = k;
    }
    if (!sherd_grow((void **)&s->triangles, &s->triangle_capacity, (size_t)s->triangle_count + 2,
                    sizeof *s->triangles))
        return false;
    for (int k = 1; k + 1 < count; ++k)
        s->triangles[s->triangle_count++] =
            (shell_triangle){{v[first], v[(first + k) % count], v[(first + k + 1) % count]}, other};
    return true;
}

// One corner a ours; o1, o2, o3 counter-clockwise seen from outside.
static bool cut_off_one(shell *s, const tetra *t, int a, const int o[3])
{
    unsigned A = 1u << a;
    bool all_differ = t->own[o[0]] != t->own[o[1]] && t->own[o[1]] != t->own[o[2]] &&
                      t->own[o[2]] != t->own[o[0]];
    for (int k = 0; k < 3; ++k) {
        unsigned P = 1u << o[k], Q = 1u << o[(k + 1) % 3], R = 1u << o[(k + 2) % 3];
        sherd_fragment_id p = t->own[o[k]], q = t->own[o[(k + 1) % 3]], r = t->own[o[(k + 2) % 3]];
        if (all_differ) {
            if (!emit(s, t, p, 4, (unsigned[]){A | R | P, A | P, A | P | Q, A | P | Q | R}))
                return false;
        } else if (q == r && p != q) {
            return emit(s, t, p, 3, (unsigned[]){A | R | P, A | P, A | P | Q}) &&
                   emit(s, t, q, 4, (unsigned[]){A | P | Q, A | Q, A | R, A | R | P});
        } else if (p == q && q == r) {
            return emit(s, t, p, 3, (unsigned[]){A | P, A | Q, A | R});
        }
    }
    return true;
}

// Two corners a, b ours, p, q others; (a, b, p, q) positively oriented.
static bool cut_between(shell *s, const tetra *t, int a, int b, int p, int q)
{
    unsigned A = 1u << a, B = 1u << b, P = 1u << p, Q = 1u << q;
    if (t->own[p] == t->own[q])
        return emit(s, t, t->own[p], 4, (unsigned[]){A | P, A | Q, B | Q, B | P});
    return emit(s, t, t->own[p], 4, (unsigned[]){A | P | Q, B | P | Q, B | P, A | P}) &&
           emit(s, t, t->own[q], 4, (unsigned[]){A | Q, B | Q, B | P | Q, A | P | Q});
}

// Orders the corners, ours first, so that the tetrahedron they span stays positively oriented.
static bool cut_tetra(shell *s, const tetra *t, bool positive)
{
    int order[4], ours = 0, count = 0;
    for (int pass = 0; pass < 2; ++pass)
        for (int c = 0; c < 4; ++c)
            if ((t->own[c] == s->label) == (pass == 0)) {
                order[count++] = c;
                ours += pass == 0;
            }
    if (ours == 0 || ours == 4) return true;
    for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j)
            if (order[i] > order[j]) positive = !positive;
    if (!positive) {
        int k = ours == 3 ? 0 : 2; // a pair on one side
        int swap = order[k];
        order[k] = order[k + 1];
        order[k + 1] = swap;
    }
    if (ours == 1) return cut_off_one(s, t, order[0], order + 1);
    if (ours == 2) return cut_between(s, t, order[0], order[1], order[2], order[3]);
    unsigned O = 1u << order[3];
    return emit(s, t, t->own[order[3]], 3,
                (unsigned[]){1u << order[0] | O, 1u << order[1] | O, 1u << order[2] | O});
}

static bool march_cell(shell *s, const grid *g, const int32_t cell[3],
                       const sherd_fragment_id own[8])
{
    tetra t = {.g = g, .cell = {cell[0], cell[1], cell[2]}};
    for (int k = 0; k < 6; ++k) {
        t.offset[0] = 0;
        for (int c = 0; c < 3; ++c)
            t.offset[c + 1] = t.offset[c] | 1 << AXES[k][c];
        for (int c = 0; c < 4; ++c)
            t.own[c] = own[t.offset[c]];
        if (!cut_tetra(s, &t, k < 3)) return false;
    }
    return true;
}

bool sherd_march_block(shell *s, const grid *g, const grid_block *block,
                       const sherd_fragment_id owner[PATCH_CORNERS])
{
    for (int z = 0; z < BLOCK_EDGE; ++z)
        for (int y = 0; y < BLOCK_EDGE; ++y)
            for (int x = 0; x < BLOCK_EDGE; ++x) {
                sherd_fragment_id own[8];
                int ours = 0;
                for (int c = 0; c < 8; ++c) {
                    own[c] = owner[((z + (c >> 2)) * PATCH_EDGE + y + (c >> 1 & 1)) * PATCH_EDGE +
                                   x + (c & 1)];
                    ours += own[c] == s->label;
                }
                if (ours == 0 || ours == 8) continue;
                int32_t cell[3] = {BLOCK_EDGE * block->at[0] + x, BLOCK_EDGE * block->at[1] + y,
                                   BLOCK_EDGE * block->at[2] + z};
                if (!march_cell(s, g, cell, own)) return false;
            }
    return true;
}

void sherd_shell_release(shell *s)
{
    sherd_free(s->vertices);
    sherd_free(s->triangles);
    sherd_key_map_release(&s->index);
    *s = (shell){0};
}
