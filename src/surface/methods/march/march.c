// Vertices are numbered without searching: each belongs to the block of its simplex's first corner,
// which stores a bit for each simplex that has one. A first pass over the blocks sets the bits and
// counts; then every block creates its vertices and triangles, whose indices follow from the bits.
#include "surface/methods/march/march.h"

#include "base/memory.h"
#include "geometry/kuhn.h"
#include "math/vec3.h"

#include <string.h>

// Offsets of corners by number of the simplex.
static const struct {
    uint8_t count, offset[4];
} SIMPLEX[KUHN_SIMPLICES] = {
    {2, {0, 1}},       {2, {0, 2}},       {2, {0, 3}},       {2, {0, 4}},       {2, {0, 5}},
    {2, {0, 6}},       {2, {0, 7}},       {3, {0, 1, 3}},    {3, {0, 2, 3}},    {3, {0, 1, 5}},
    {3, {0, 4, 5}},    {3, {0, 2, 6}},    {3, {0, 4, 6}},    {3, {0, 1, 7}},    {3, {0, 2, 7}},
    {3, {0, 3, 7}},    {3, {0, 4, 7}},    {3, {0, 5, 7}},    {3, {0, 6, 7}},    {4, {0, 1, 3, 7}},
    {4, {0, 2, 3, 7}}, {4, {0, 1, 5, 7}}, {4, {0, 4, 5, 7}}, {4, {0, 2, 6, 7}}, {4, {0, 4, 6, 7}},
};

typedef struct march_block {
    const grid_block *block;
    int32_t upper[8]; // list indices of the blocks at +(x,y,z) bits of the index; -1 none
    int32_t first_vertex, vertex_count;
    int32_t first_triangle, triangle_count;
    size_t triangle_capacity;
    shell_triangle *triangles;
    uint32_t simplices[BLOCK_CORNERS]; // bits of those with a vertex, by first corner
    uint16_t before[BLOCK_CORNERS];    // vertices of earlier corners in the block
    bool failed;
} march_block;

typedef struct march_job {
    shell *s;
    const march_plan *plan;
    march_block *blocks;
} march_job;

// Owners of a block's corners, and the indices of the wanted pieces: -1 not wanted.
typedef struct patch {
    sherd_fragment_id owner[PATCH_CORNERS];
    int32_t piece[PATCH_CORNERS];
} patch;

typedef struct cell_corners {
    sherd_fragment_id owner[8];
    int32_t piece[8];
    unsigned wanted; // corners with a piece, as bits
} cell_corners;

static int patch_corner(int corner)
{
    return (corner / 64 * PATCH_EDGE + corner / 8 % 8) * PATCH_EDGE + corner % 8;
}

static const int OFFSET_IN_PATCH[8] = {
    0,
    1,
    PATCH_EDGE,
    PATCH_EDGE + 1,
    PATCH_EDGE *PATCH_EDGE,
    PATCH_EDGE *PATCH_EDGE + 1,
    PATCH_EDGE *PATCH_EDGE + PATCH_EDGE,
    PATCH_EDGE *PATCH_EDGE + PATCH_EDGE + 1,
};

// --- Vertices --------------------------------------------------------------------------------------

static int32_t wanted_piece(const march_plan *plan, sherd_fragment_id owner)
{
    int32_t k = owner > 0 ? sherd_key_map_find(plan->number, (uint64_t)owner) : -1;
    return k >= 0 && plan->wanted[k] ? k : -1;
}

static void fill_patch(const march_plan *plan, const grid_block *block, patch *p)
{
    sherd_grid_patch(plan->g, block, p->owner);
    for (int c = 0; c < PATCH_CORNERS; ++c)
        p->piece[c] = c > 0 && p->owner[c] == p->owner[c - 1] ? p->piece[c - 1]
                                                              : wanted_piece(plan, p->owner[c]);
}

// Returns false if a cell has one owner, or none of its pieces is wanted.
static bool load_cell(const patch *p, int corner, cell_corners *cell)
{
    int first = patch_corner(corner);
    bool mixed = false;
    cell->wanted = 0;
    for (int k = 0; k < 8; ++k) {
        int at = first + OFFSET_IN_PATCH[k];
        cell->owner[k] = p->owner[at];
        cell->piece[k] = p->piece[at];
        mixed |= cell->owner[k] != cell->owner[0];
        cell->wanted |= (unsigned)(cell->piece[k] >= 0) << k;
    }
    return mixed && cell->wanted != 0;
}

// A simplex has a vertex if all its corners' owners differ and one of them is wanted.
static uint32_t simplices_of(const cell_corners *cell)
{
    uint32_t bits = 0;
    const sherd_fragment_id *own = cell->owner;
    for (int k = 0; k < KUHN_SIMPLICES; ++k) {
        const uint8_t *o = SIMPLEX[k].offset;
        sherd_fragment_id a = own[o[0]], b = own[o[1]];
        bool has = a != b;
        unsigned corners = 1u | 1u << o[1];
        if (SIMPLEX[k].count > 2) {
            sherd_fragment_id c = own[o[2]];
            has = has && c != a && c != b;
            corners |= 1u << o[2];
            if (SIMPLEX[k].count > 3) {
                has = has && own[7] != a && own[7] != b && own[7] != c;
                corners |= 1u << 7;
            }
        }
        bits |= (uint32_t)(has && (corners & cell->wanted) != 0) << k;
    }
    return bits;
}

static void find_vertices(void *context, size_t begin, size_t end)
{
    const march_job *job = context;
    patch p;
    cell_corners cell;
    for (size_t k = begin; k < end; ++k) {
        march_block *b = &job->blocks[k];
        fill_patch(job->plan, b->block, &p);
        for (int c = 0; c < BLOCK_CORNERS; ++c) {
            b->before[c] = (uint16_t)b->vertex_count;
            b->simplices[c] = load_cell(&p, c, &cell) ? simplices_of(&cell) : 0;
            b->vertex_count += __builtin_popcount(b->simplices[c]);
        }
    }
}

static void add_owner(shell_vertex *v, sherd_fragment_id owner, int32_t number)
{
    int at = v->owner_count++;
    for (; at > 0 && v->owners[at - 1] > owner; --at) {
        v->owners[at] = v->owners[at - 1];
        v->piece[at] = v->piece[at - 1];
    }
    v->owners[at] = owner;
    v->piece[at] = number;
}

static shell_vertex make_vertex(const grid *g, const march_block *b, int corner, int simplex,
                                const cell_corners *cell)
{
    shell_vertex v = {.crack = -1};
    int count = SIMPLEX[simplex].count;
    int32_t first[3] = {corner % 8, corner / 8 % 8, corner / 64};
    double sum[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < count; ++k) {
        int offset = SIMPLEX[simplex].offset[k];
        add_owner(&v, cell->owner[offset], cell->piece[offset]);
        for (int d = 0; d < 3; ++d)
            sum[d] += BLOCK_EDGE * b->block->at[d] + first[d] + (offset >> d & 1);
    }
    double step = g->cell / count;
    v.base = vec3_add(g->origin, vec3(step * sum[0], step * sum[1], step * sum[2]));
    v.position = v.base;
    return v;
}

// --- Triangles -------------------------------------------------------------------------------------

// One tetrahedron of a cell.
typedef struct tetra {
    const march_job *job;
    march_block *block;
    int32_t cell[3];          // the cell's first corner, in the block
    int offset[4];            // 0, axis, two axes, 7
    sherd_fragment_id own[4]; // owners of the corners
    sherd_fragment_id label;  // fragment whose surface is marched
    int32_t piece;
} tetra;

// Returns the vertex on the simplex spanned by a set of the tetrahedron's corners (a bit mask).
// `key` orders the vertices of a cell in the same way for every fragment.
static int32_t vertex_on(const tetra *t, unsigned corners, int *key)
{
    int o[4], count = 0;
    for (int c = 0; c < 4; ++c)
        if (corners >> c & 1) o[count++] = t->offset[c];
    int simplex = kuhn_simplex(count, o);
    *key = simplex << 3 | o[0];
    int32_t first[3];
    int upper = 0;
    for (int d = 0; d < 3; ++d) {
        first[d] = t->cell[d] + (o[0] >> d & 1);
        upper |= (first[d] == BLOCK_EDGE) << d;
    }
    const march_block *b = &t->job->blocks[t->block->upper[upper]];
    int corner = ((first[2] % 8) * 8 + first[1] % 8) * 8 + first[0] % 8;
    uint32_t earlier = b->simplices[corner] & ((1u << simplex) - 1);
    return b->first_vertex + b->before[corner] + __builtin_popcount(earlier);
}

// Appends a triangle or quadrilateral facing `other`. Its diagonal starts at the vertex of smallest
// key, so both sides agree on it.
static void emit(const tetra *t, sherd_fragment_id other, int count, const unsigned corners[])
{
    march_block *b = t->block;
    int32_t v[4];
    int first = 0, key, first_key = INT32_MAX;
    for (int k = 0; k < count; ++k) {
        v[k] = vertex_on(t, corners[k], &key);
        if (key >= first_key) continue;
        first_key = key;
        first = k;
    }
    if (b->failed || !sherd_grow((void **)&b->triangles, &b->triangle_capacity,
                                 (size_t)b->triangle_count + 2, sizeof *b->triangles)) {
        b->failed = true;
        return;
    }
    for (int k = 1; k + 1 < count; ++k)
        b->triangles[b->triangle_count++] = (shell_triangle){
            {v[first], v[(first + k) % count], v[(first + k + 1) % count]}, t->piece, other};
}

// Corner a belongs to the fragment; o1, o2, o3 are counter-clockwise viewed from outside.
static void cut_off_one(const tetra *t, int a, const int o[3])
{
    unsigned A = 1u << a;
    bool all_differ = t->own[o[0]] != t->own[o[1]] && t->own[o[1]] != t->own[o[2]] &&
                      t->own[o[2]] != t->own[o[0]];
    for (int k = 0; k < 3; ++k) {
        unsigned P = 1u << o[k], Q = 1u << o[(k + 1) % 3], R = 1u << o[(k + 2) % 3];
        sherd_fragment_id p = t->own[o[k]], q = t->own[o[(k + 1) % 3]], r = t->own[o[(k + 2) % 3]];
        if (all_differ) {
            emit(t, p, 4, (unsigned[]){A | R | P, A | P, A | P | Q, A | P | Q | R});
        } else if (q == r && p != q) {
            emit(t, p, 3, (unsigned[]){A | R | P, A | P, A | P | Q});
            emit(t, q, 4, (unsigned[]){A | P | Q, A | Q, A | R, A | R | P});
            return;
        } else if (p == q && q == r) {
            emit(t, p, 3, (unsigned[]){A | P, A | Q, A | R});
            return;
        }
    }
}

// Corners a, b belong to the fragment, p, q to others; (a, b, p, q) is positively oriented.
static void cut_between(const tetra *t, int a, int b, int p, int q)
{
    unsigned A = 1u << a, B = 1u << b, P = 1u << p, Q = 1u << q;
    if (t->own[p] == t->own[q]) {
        emit(t, t->own[p], 4, (unsigned[]){A | P, A | Q, B | Q, B | P});
        return;
    }
    emit(t, t->own[p], 4, (unsigned[]){A | P | Q, B | P | Q, B | P, A | P});
    emit(t, t->own[q], 4, (unsigned[]){A | Q, B | Q, B | P | Q, A | P | Q});
}

// Orders the corners, the fragment's own first, so that their tetrahedron stays positively
// oriented.
static void cut_tetra(const tetra *t, bool positive)
{
    int order[4], ours = 0, count = 0;
    for (int pass = 0; pass < 2; ++pass)
        for (int c = 0; c < 4; ++c)
            if ((t->own[c] == t->label) == (pass == 0)) {
                order[count++] = c;
                ours += pass == 0;
            }
    if (ours == 0 || ours == 4) return;
    for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j)
            if (order[i] > order[j]) positive = !positive;
    if (!positive) {
        int k = ours == 3 ? 0 : 2; // a pair on one side
        int swap = order[k];
        order[k] = order[k + 1];
        order[k + 1] = swap;
    }
    unsigned O = 1u << order[3];
    if (ours == 1)
        cut_off_one(t, order[0], order + 1);
    else if (ours == 2)
        cut_between(t, order[0], order[1], order[2], order[3]);
    else
        emit(t, t->own[order[3]], 3,
             (unsigned[]){1u << order[0] | O, 1u << order[1] | O, 1u << order[2] | O});
}

// Appends the surfaces of all wanted pieces that own a corner.
static void march_tetra(tetra *t, const cell_corners *cell, bool positive)
{
    for (int c = 0; c < 4; ++c)
        t->own[c] = cell->owner[t->offset[c]];
    if (t->own[0] == t->own[1] && t->own[0] == t->own[2] && t->own[0] == t->own[3]) return;
    for (int c = 0; c < 4; ++c) {
        t->label = t->own[c];
        t->piece = cell->piece[t->offset[c]];
        bool done = false;
        for (int d = 0; d < c; ++d)
            done |= t->own[d] == t->label;
        if (t->piece >= 0 && !done) cut_tetra(t, positive);
    }
}

static void march_cell(const march_job *job, march_block *b, int corner, const cell_corners *cell)
{
    tetra t = {.job = job, .block = b, .cell = {corner % 8, corner / 8 % 8, corner / 64}};
    for (int k = 0; k < 6; ++k) {
        kuhn_corners(k, t.offset);
        march_tetra(&t, cell, kuhn_is_positive(k));
    }
}

static void march_blocks(void *context, size_t begin, size_t end)
{
    const march_job *job = context;
    patch p;
    cell_corners cell;
    for (size_t k = begin; k < end; ++k) {
        march_block *b = &job->blocks[k];
        fill_patch(job->plan, b->block, &p);
        int32_t next = b->first_vertex;
        for (int c = 0; c < BLOCK_CORNERS; ++c) {
            if (!load_cell(&p, c, &cell)) continue;
            for (uint32_t bits = b->simplices[c]; bits != 0; bits &= bits - 1)
                job->s->vertices[next++] =
                    make_vertex(job->plan->g, b, c, __builtin_ctz(bits), &cell);
            march_cell(job, b, c, &cell);
        }
    }
}

// --- Blocks ----------------------------------------------------------------------------------------

static bool open_blocks(march_job *job)
{
    const march_plan *plan = job->plan;
    int32_t *block_number = sherd_alloc((size_t)plan->g->count, sizeof *block_number);
    if (block_number == NULL) return false;
    for (int32_t k = 0; k < plan->block_count; ++k)
        block_number[plan->blocks[k]] = k + 1;
    for (int32_t k = 0; k < plan->block_count; ++k) {
        march_block *b = &job->blocks[k];
        b->block = &plan->g->blocks[plan->blocks[k]];
        for (int n = 0; n < 8; ++n)
            b->upper[n] = b->block->upper[n] < 0 ? -1 : block_number[b->block->upper[n]] - 1;
    }
    sherd_free(block_number);
    return true;
}

static bool gather_triangles(march_job *job, int32_t count)
{
    shell *s = job->s;
    for (int32_t k = 0; k < count; ++k) {
        if (job->blocks[k].failed) return false;
        s->triangle_count += job->blocks[k].triangle_count;
    }
    s->triangles = sherd_alloc((size_t)s->triangle_count, sizeof *s->triangles);
    if (s->triangles == NULL) return false;
    shell_triangle *to = s->triangles;
    for (int32_t k = 0; k < count; ++k) {
        const march_block *b = &job->blocks[k];
        if (b->triangle_count > 0) memcpy(to, b->triangles, (size_t)b->triangle_count * sizeof *to);
        to += b->triangle_count;
    }
    return true;
}

// Cracks are a small part of most surfaces: their models are stored separately.
static bool number_cracks(shell *s, bool all)
{
    for (int32_t k = 0; k < s->vertex_count; ++k) {
        shell_vertex *v = &s->vertices[k];
        if (all || v->owner_count > 2 || v->owners[0] != OWNER_OUTSIDE) v->crack = s->crack_count++;
    }
    s->cracks = sherd_alloc((size_t)s->crack_count, sizeof *s->cracks);
    return s->cracks != NULL;
}

bool sherd_shell_march(shell *s, const march_plan *plan, const sherd_parallel *parallel)
{
    size_t n = (size_t)plan->block_count;
    *s = (shell){0};
    march_job job = {s, plan, sherd_alloc(n, sizeof *job.blocks)};
    if (job.blocks == NULL) return false;
    bool ok = open_blocks(&job);
    if (ok) sherd_parallel_for(parallel, n, 8, find_vertices, &job);
    for (size_t k = 0; k < n; ++k) {
        job.blocks[k].first_vertex = s->vertex_count;
        s->vertex_count += job.blocks[k].vertex_count;
    }
    s->vertices = sherd_alloc((size_t)s->vertex_count, sizeof *s->vertices);
    ok = ok && s->vertices != NULL;
    if (ok) sherd_parallel_for(parallel, n, 8, march_blocks, &job);
    ok = ok && gather_triangles(&job, plan->block_count) && number_cracks(s, plan->all_models);
    for (size_t k = 0; k < n; ++k)
        sherd_free(job.blocks[k].triangles);
    sherd_free(job.blocks);
    return ok;
}

void sherd_shell_release(shell *s)
{
    sherd_free(s->vertices);
    sherd_free(s->triangles);
    sherd_free(s->cracks);
    *s = (shell){0};
}
