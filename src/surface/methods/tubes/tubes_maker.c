// Surfaces of yarns.

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "math/quat.h"
#include "surface/methods/tubes/tube.h"
#include "surface/piece/piece.h"
#include "surface/surface_maker.h"

#include <math.h>
#include <stdlib.h>

static bool can_make(const sherd_surface_body *body)
{
    return body->kind == SHERD_SURFACE_YARNS;
}

// Texture coordinates of tubes along yarns, with round ends.
static double volume(const maker_source *source)
{
    const double pi = 3.14159265358979;
    const sherd_surface_def *d = source->def;
    const sherd_surface_body *body = source->body;
    double volume = 0.0;
    for (sherd_element_index e = body->first; e < body->first + body->count; ++e)
        volume += 4.0 / 3.0 * pi * d->radius[e] * d->radius[e] * d->radius[e];
    for (sherd_bond_index b = 0; b < d->bond_count; ++b) {
        sherd_element_index i = d->bond_i[b], j = d->bond_j[b];
        if (abs(i - j) != 1 || i < body->first || i >= body->first + body->count) continue;
        double x = d->rest_x[j] - d->rest_x[i], y = d->rest_y[j] - d->rest_y[i],
               z = d->rest_z[j] - d->rest_z[i], r = d->radius[i];
        volume += pi * r * r * (sqrt(x * x + y * y + z * z) - 4.0 / 3.0 * r);
    }
    return volume;
}

// A body of yarns: the runs that make up each fragment, and their tubes. Elements are numbered yarn
// by yarn, along each yarn: a bond between k and k + 1 belongs to the yarn, all others are glue.

// ---------------------------------------------------------------- undeformed yarns

// Bodies of fewer elements get tubes with more sides.
static int choose_sides(sherd_element_index count)
{
    if (count < 20000) return 10;
    return count < 100000 ? 8 : 6;
}

static sherd_vec3 tangent_at(const yarns *y, int32_t k)
{
    bool before = k > 0 && y->next[k - 1] >= 0, after = y->next[k] >= 0;
    sherd_vec3 from = y->point[before ? k - 1 : k], to = y->point[after ? k + 1 : k];
    sherd_vec3 step = vec3_sub(to, from);
    // An isolated element has no direction.
    return before || after ? vec3_normalize(step) : vec3(0, 0, 1);
}

static void find_frames(yarns *y)
{
    for (int32_t k = 0; k < y->count; ++k)
        y->tangent[k] = tangent_at(y, k);
    for (int32_t k = 0; k < y->count; ++k) {
        sherd_vec3 t = y->tangent[k];
        if (k == 0 || y->next[k - 1] < 0) {
            y->side[k] = vec3_perpendicular(t);
            y->along[k] = 0.0;
            continue;
        }
        sherd_vec3 side = quat_rotate(quat_between(y->tangent[k - 1], t), y->side[k - 1]);
        y->side[k] = vec3_normalize(vec3_add_scaled(side, -vec3_dot(side, t), t));
        y->along[k] = y->along[k - 1] + vec3_distance(y->point[k - 1], y->point[k]);
    }
}

// Returns false when out of memory; call release in any case.
static bool yarns_create(yarns *y, const maker_source *source)
{
    const sherd_surface_def *d = source->def;
    sherd_element_index first = source->body->first, count = source->body->count;
    size_t n = (size_t)count;
    *y = (yarns){.first = first,
                 .count = count,
                 .next = sherd_alloc(n, sizeof *y->next),
                 .point = sherd_alloc(n, sizeof *y->point),
                 .tangent = sherd_alloc(n, sizeof *y->tangent),
                 .side = sherd_alloc(n, sizeof *y->side),
                 .along = sherd_alloc(n, sizeof *y->along),
                 .radius = d->radius + first,
                 .sides = choose_sides(count)};
    if (y->next == NULL || y->point == NULL || y->tangent == NULL || y->side == NULL ||
        y->along == NULL)
        return false;
    for (size_t k = 0; k < n; ++k) {
        size_t e = (size_t)first + k;
        y->next[k] = -1;
        y->point[k] = vec3(d->rest_x[e], d->rest_y[e], d->rest_z[e]);
    }
    for (sherd_bond_index b = 0; b < d->bond_count; ++b) {
        sherd_element_index i = d->bond_i[b] - first;
        bool along = d->bond_j[b] == d->bond_i[b] + 1;
        if (along && i >= 0 && i + 1 < count) y->next[i] = b;
    }
    find_frames(y);
    return true;
}

static void yarns_release(yarns *y)
{
    sherd_free(y->next);
    sherd_free(y->point);
    sherd_free(y->tangent);
    sherd_free(y->side);
    sherd_free(y->along);
    *y = (yarns){0};
}

// ---------------------------------------------------------------- a frame

typedef struct tube_update {
    const yarns *y;
    const body_frame *frame;
    piece_list list;
    int32_t run_count;
    tube_run *runs;     // sorted by piece
    int32_t *run_start; // of each piece  (pieces + 1)
} tube_update;

static bool is_linked(const tube_update *u, int32_t k)
{
    return u->y->next[k] >= 0 && !u->frame->broken[u->y->next[k]];
}

// The run that begins at k.
static tube_run run_from(const tube_update *u, int32_t k)
{
    tube_run run = {.begin = k, .end = k + 1};
    while (run.end < u->y->count && is_linked(u, run.end - 1))
        ++run.end;
    run.broken_before = k > 0 && u->y->next[k - 1] >= 0;
    run.broken_after = u->y->next[run.end - 1] >= 0;
    return run;
}

static bool is_wanted(const tube_update *u, int32_t k)
{
    int32_t slot = u->frame->view->element_slot[u->y->first + k];
    return u->frame->view->fragments[slot].count >= u->frame->smallest;
}

// Orders fragments by their first elements, as in the view.
static bool number_pieces(tube_update *u)
{
    u->run_count = 0;
    for (int32_t k = 0; k < u->y->count; k = run_from(u, k).end) {
        if (!is_wanted(u, k)) continue;
        if (sherd_key_map_insert(&u->list.number, (uint64_t)u->frame->label[k]) < 0) return false;
        ++u->run_count;
    }
    size_t pieces = u->list.number.count;
    u->runs = sherd_alloc((size_t)u->run_count, sizeof *u->runs);
    u->run_start = sherd_alloc(pieces + 2, sizeof *u->run_start);
    return u->runs != NULL && u->run_start != NULL && sherd_piece_list_allocate(&u->list);
}

// A counting sort: run_start[p + 1] runs from the start to the end of piece p.
static void sort_runs(tube_update *u)
{
    for (int32_t k = 0; k < u->y->count; k = run_from(u, k).end)
        if (is_wanted(u, k))
            ++u->run_start[sherd_key_map_find(&u->list.number, (uint64_t)u->frame->label[k]) + 2];
    for (size_t p = 1; p <= u->list.number.count; ++p)
        u->run_start[p + 1] += u->run_start[p];
    for (int32_t k = 0; k < u->y->count;) {
        tube_run run = run_from(u, k);
        if (is_wanted(u, k)) {
            int32_t p = sherd_key_map_find(&u->list.number, (uint64_t)u->frame->label[k]);
            u->runs[u->run_start[p + 1]++] = run;
        }
        k = run.end;
    }
}

// A mesh depends only on its elements and on where its runs end.
static void describe_piece(tube_update *u, int32_t p)
{
    const tube_run *first = &u->runs[u->run_start[p]];
    piece *out = &u->list.pieces[p];
    int32_t count = u->run_start[p + 1] - u->run_start[p];
    uint64_t hash = SHERD_HASH_START;
    for (const tube_run *run = first; run < first + count; ++run) {
        const int32_t words[4] = {run->begin, run->end, run->broken_before, run->broken_after};
        hash = sherd_hash_bytes(hash, words, sizeof words);
        out->element_count += run->end - run->begin;
    }
    out->fragment = u->frame->label[first->begin];
    out->body = u->frame->index;
    out->fingerprint = hash;
}

static void build_pieces(void *context, size_t begin, size_t end)
{
    tube_update *u = context;
    for (size_t p = begin; p < end; ++p) {
        if (!u->list.stale[p]) continue;
        int64_t vertices = 0, triangles = 0;
        for (int32_t k = u->run_start[p]; k < u->run_start[p + 1]; ++k) {
            tube_size size = sherd_tube_size(u->y, u->runs[k]);
            vertices += size.vertices, triangles += size.triangles;
        }
        piece *out = &u->list.pieces[p];
        bool good = sherd_piece_reserve(out, vertices, triangles);
        if (good) out->mesh->uv = sherd_alloc(6 * (size_t)triangles, sizeof *out->mesh->uv);
        if (!good || out->mesh->uv == NULL) {
            u->list.failed[p] = 1;
            continue;
        }
        tube_size at = {0};
        for (int32_t k = u->run_start[p]; k < u->run_start[p + 1]; ++k) {
            tube_size size = sherd_tube_size(u->y, u->runs[k]);
            sherd_tube_write(u->y, u->runs[k], at, out);
            at.vertices += size.vertices, at.triangles += size.triangles;
        }
    }
}

static bool run_update(tube_update *u, piece_array *former, const sherd_parallel *parallel)
{
    if (!number_pieces(u)) return false;
    sort_runs(u);
    for (size_t p = 0; p < u->list.number.count; ++p)
        describe_piece(u, (int32_t)p);
    sherd_piece_list_keep(&u->list, former);
    sherd_parallel_for(parallel, u->list.number.count, 2, build_pieces, u);
    return true;
}

// Builds the pieces in the order of the fragment view and takes over previous ones that did not
// change. Returns false when out of memory.
static bool yarns_update(const yarns *y, const body_frame *frame, piece_array *pieces,
                         const sherd_parallel *parallel)
{
    tube_update u = {.y = y, .frame = frame};
    bool good = run_update(&u, pieces, parallel);
    sherd_free(u.runs);
    sherd_free(u.run_start);
    return sherd_piece_list_finish(&u.list, good, frame->next_version, pieces);
}

static sherd_status create(void **state, const maker_source *source, const sherd_parallel *parallel,
                           sherd_error *error)
{
    (void)parallel;
    yarns *y = *state = sherd_alloc(1, sizeof *y);
    return y != NULL && yarns_create(y, source) ? SHERD_OK
                                                : sherd_fail_memory(error, "tubes of yarns");
}

static void destroy(void *state)
{
    if (state == NULL) return;
    yarns_release(state);
    sherd_free(state);
}

static sherd_status update(void *state, const body_frame *frame, piece_array *pieces,
                           const sherd_parallel *parallel, sherd_error *error)
{
    return yarns_update(state, frame, pieces, parallel)
               ? SHERD_OK
               : sherd_fail_memory(error, "tubes of yarns");
}

const surface_maker sherd_surface_maker_tubes = {
    .can_make = can_make, .volume = volume, .create = create, .destroy = destroy, .update = update};
