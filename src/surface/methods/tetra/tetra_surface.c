// Updates the pieces of one body of tetrahedra: decides which to retain and which to rebuild.
#include "surface/methods/tetra/tetra_surface.h"

#include "base/error.h"
#include "base/memory.h"
#include "surface/methods/tetra/tetra_piece.h"

#include <stdlib.h>
#include <string.h>

struct tetra_surface {
    tetra_surface_source source;
    sherd_tetra_topology topology;
    int64_t *face_bond;       // bond across each face, -1 none  (tetrahedra x 4)
    sherd_vec3 *outer_normal; // (vertices)
    tetra_faces faces;
};

// ---------------------------------------------------------------- life

// Finds the bonds between elements of this body, by face.
static void find_face_bonds(tetra_surface *s)
{
    const tetra_surface_source *from = &s->source;
    int32_t n = from->mesh->tetra_count;
    memset(s->face_bond, -1, 4 * (size_t)n * sizeof *s->face_bond);
    for (sherd_bond_index b = 0; b < from->bond_count; ++b) {
        int32_t end[2] = {from->bond_i[b] - from->first, from->bond_j[b] - from->first};
        for (int j = 0; j < 2; ++j) {
            if (end[j] < 0 || end[j] >= n) continue;
            for (int k = 0; k < 4; ++k) {
                size_t face = 4 * (size_t)end[j] + (size_t)k;
                if (s->topology.neighbor[face] == end[1 - j]) s->face_bond[face] = b;
            }
        }
    }
}

// Area-weighted over the body's boundary.
static void find_outer_normals(tetra_surface *s)
{
    const sherd_tetra_mesh *mesh = s->source.mesh;
    for (size_t f = 0; f < 4 * (size_t)mesh->tetra_count; ++f) {
        if (s->topology.neighbor[f] >= 0) continue;
        sherd_vec3 area = tetra_face_vector(mesh, (int32_t)(f / 4), (int)(f % 4));
        for (int j = 0; j < 3; ++j) {
            sherd_vec3 *n =
                &s->outer_normal[mesh->tetras[f / 4 * 4 + (size_t)sherd_tetra_face[f % 4][j]]];
            *n = vec3_add(*n, area);
        }
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        s->outer_normal[v] = vec3_normalize(s->outer_normal[v]);
}

tetra_surface *sherd_tetra_surface_create(const tetra_surface_source *source,
                                          const sherd_parallel *parallel, sherd_error *error)
{
    tetra_surface *s = sherd_alloc(1, sizeof *s);
    if (s == NULL) {
        sherd_fail_memory(error, "tetra surface");
        return NULL;
    }
    s->source = *source;
    size_t faces = 4 * (size_t)source->mesh->tetra_count;
    s->face_bond = sherd_alloc(faces, sizeof *s->face_bond);
    s->outer_normal = sherd_alloc((size_t)source->mesh->vertex_count, sizeof *s->outer_normal);
    s->faces = (tetra_faces){.mesh = source->mesh,
                             .topology = &s->topology,
                             .radius = source->radius,
                             .outer_normal = s->outer_normal,
                             .state = sherd_alloc(faces, sizeof *s->faces.state),
                             .face_index = sherd_alloc(faces, sizeof *s->faces.face_index)};
    if (s->face_bond == NULL || s->outer_normal == NULL || s->faces.state == NULL ||
        s->faces.face_index == NULL)
        sherd_fail_memory(error, "tetra surface");
    else if (sherd_tetra_topology_build(source->mesh, "surface.bodies", parallel, &s->topology,
                                        error) == SHERD_OK) {
        find_face_bonds(s);
        find_outer_normals(s);
        return s;
    }
    sherd_tetra_surface_destroy(s);
    return NULL;
}

void sherd_tetra_surface_destroy(tetra_surface *s)
{
    if (s == NULL) return;
    sherd_tetra_topology_release(&s->topology);
    sherd_free(s->face_bond);
    sherd_free(s->outer_normal);
    sherd_free(s->faces.state);
    sherd_free(s->faces.face_index);
    sherd_free(s);
}

// ---------------------------------------------------------------- a frame

typedef struct tetra_update {
    tetra_surface *s;
    const body_frame *frame;
    piece_array former; // sorted by id
    // The body's fragments, in the order of the view.
    int32_t count;
    int32_t *slot;   // in the view  (count)
    int32_t *number; // of the fragment in each of the view's slots, -1: not of this body
    int32_t *start;  // rows of `tetra`  (count + 1)
    int32_t *tetra;
    uint8_t *stale; // (count)
    piece *pieces;  // (count)
} tetra_update;

static void set_states(void *context, size_t begin, size_t end)
{
    const tetra_update *u = context;
    tetra_surface *s = u->s;
    const sherd_fragment_id *label = u->frame->label;
    for (size_t f = begin; f < end; ++f) {
        int32_t other = s->topology.neighbor[f];
        int64_t bond = s->face_bond[f];
        s->faces.state[f] = other < 0                               ? TETRA_OUTER
                            : label[other] != label[f / 4]          ? TETRA_INNER
                            : bond >= 0 && u->frame->internal[bond] ? TETRA_CRACK
                                                                    : TETRA_JOINED;
    }
}

static int32_t slot_of(const tetra_update *u, int32_t t)
{
    return u->frame->view->element_slot[u->s->source.first + t];
}

// Lists fragments of this body that are large enough, and their tetrahedra.
static bool list_fragments(tetra_update *u)
{
    const sherd_fragment_view *view = u->frame->view;
    int32_t n = u->s->source.mesh->tetra_count;
    u->number = sherd_alloc((size_t)view->count, sizeof *u->number);
    u->slot = sherd_alloc((size_t)view->count, sizeof *u->slot);
    u->tetra = sherd_alloc((size_t)n, sizeof *u->tetra);
    if (u->number == NULL || u->slot == NULL || u->tetra == NULL) return false;
    memset(u->number, -1, (size_t)view->count * sizeof *u->number);
    for (int32_t t = 0; t < n; ++t)
        u->number[slot_of(u, t)] = 0;
    for (int32_t k = 0; k < view->count; ++k) {
        bool ours = u->number[k] == 0 && view->fragments[k].count >= u->frame->smallest;
        u->number[k] = ours ? u->count : -1;
        if (ours) u->slot[u->count++] = k;
    }
    u->start = sherd_alloc((size_t)u->count + 2, sizeof *u->start);
    u->stale = sherd_alloc((size_t)u->count, 1);
    u->pieces = sherd_alloc((size_t)u->count, sizeof *u->pieces);
    if (u->start == NULL || u->stale == NULL || u->pieces == NULL) return false;
    for (int32_t t = 0; t < n; ++t)
        if (u->number[slot_of(u, t)] >= 0) u->start[u->number[slot_of(u, t)] + 2]++;
    for (int32_t k = 1; k <= u->count; ++k)
        u->start[k + 1] += u->start[k];
    for (int32_t t = 0; t < n; ++t)
        if (u->number[slot_of(u, t)] >= 0) u->tetra[u->start[u->number[slot_of(u, t)] + 1]++] = t;
    return true;
}

// The previous pieces are ordered by their first elements, not by id: they are sorted once and then
// found by binary search.
static int compare_ids(const void *a, const void *b)
{
    sherd_fragment_id i = ((const piece *)a)->fragment, j = ((const piece *)b)->fragment;
    return (i > j) - (i < j);
}

static piece *find_former(const tetra_update *u, sherd_fragment_id id)
{
    piece key = {.fragment = id};
    if (u->former.count == 0) return NULL;
    return bsearch(&key, u->former.items, (size_t)u->former.count, sizeof key, compare_ids);
}

// Returns whether a fragment's tetrahedra, or its internal cracks, changed since the previous
// frame. A fragment that lost tetrahedra has fewer than its previous piece.
static void mark_stale(tetra_update *u)
{
    const body_frame *f = u->frame;
    for (int32_t t = 0; t < u->s->source.mesh->tetra_count; ++t) {
        int32_t k = u->number[slot_of(u, t)];
        if (k >= 0 && (f->label[t] != f->former_label[t] || f->crack_changed[t])) u->stale[k] = 1;
    }
}

static void build_pieces(void *context, size_t begin, size_t end)
{
    tetra_update *u = context;
    for (size_t k = begin; k < end; ++k)
        if (u->stale[k] &&
            !sherd_tetra_piece_build(&u->pieces[k], &u->s->faces, u->tetra + u->start[k],
                                     u->start[k + 1] - u->start[k], u->s->source.first))
            u->stale[k] = 2; // out of memory
}

// Takes over what did not change.
static void keep_unchanged(tetra_update *u)
{
    for (int32_t k = 0; k < u->count; ++k) {
        const sherd_fragment *fragment = &u->frame->view->fragments[u->slot[k]];
        piece *p = &u->pieces[k], *former = find_former(u, fragment->id);
        bool whole = former != NULL && former->mesh != NULL &&
                     former->element_count == fragment->count && !u->stale[k];
        u->stale[k] = !whole;
        if (!whole) continue;
        *p = *former;
        former->mesh = NULL, former->bones = NULL, former->weights = NULL;
    }
}

static void describe(tetra_update *u)
{
    for (int32_t k = 0; k < u->count; ++k) {
        if (!u->stale[k]) continue;
        const sherd_fragment *fragment = &u->frame->view->fragments[u->slot[k]];
        const piece *former = find_former(u, fragment->id);
        piece *p = &u->pieces[k];
        bool same = former != NULL && former->fingerprint == p->fingerprint &&
                    former->element_count == fragment->count;
        p->fragment = fragment->id;
        p->body = u->s->source.body;
        p->element_count = fragment->count;
        p->version = same ? former->version : (*u->frame->next_version)++;
    }
}

static bool run_update(tetra_update *u, const sherd_parallel *parallel)
{
    size_t faces = 4 * (size_t)u->s->source.mesh->tetra_count;
    sherd_parallel_for(parallel, faces, 16384, set_states, u);
    if (!list_fragments(u)) return false;
    if (u->former.count > 0)
        qsort(u->former.items, (size_t)u->former.count, sizeof *u->former.items, compare_ids);
    mark_stale(u);
    keep_unchanged(u);
    sherd_parallel_for(parallel, (size_t)u->count, 1, build_pieces, u);
    for (int32_t k = 0; k < u->count; ++k)
        if (u->stale[k] == 2) return false;
    describe(u);
    return true;
}

sherd_status sherd_tetra_surface_update(tetra_surface *s, const body_frame *frame,
                                        piece_array *pieces, const sherd_parallel *parallel,
                                        sherd_error *error)
{
    tetra_update u = {.s = s, .frame = frame, .former = *pieces};
    bool ok = run_update(&u, parallel);
    piece_array made = {u.count, u.pieces};
    sherd_pieces_release(&u.former);
    if (!ok) sherd_pieces_release(&made);
    *pieces = made.items != NULL ? made : (piece_array){0};
    sherd_free(u.slot);
    sherd_free(u.number);
    sherd_free(u.start);
    sherd_free(u.tetra);
    sherd_free(u.stale);
    return ok ? SHERD_OK : sherd_fail_memory(error, "fragment surfaces");
}
