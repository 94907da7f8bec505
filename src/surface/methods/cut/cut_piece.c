#include "surface/methods/cut/cut_piece.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/random.h"
#include "geometry/mesh/mesh_access.h"

#include <string.h>

// --- Lists that contain faces of a piece
// -----------------------------------------------------------

typedef struct part_lists {
    const cut *k;
    const key_map *number;
    const uint8_t *wanted;
    cut_parts *parts;
} part_lists;

static const cut_labels *labels_of(const cut *k, int32_t list)
{
    return list < k->patches.count ? &k->patches.items[list].labels
                                   : &k->blocks[list - k->patches.count].labels;
}

// Counts the lists of each piece, then stores them.
static void visit_labels(const part_lists *l, bool storing)
{
    int32_t lists = l->k->patches.count + l->k->g->count, *start = l->parts->start;
    for (int32_t list = 0; list < lists; ++list) {
        const cut_labels *labels = labels_of(l->k, list);
        for (int32_t j = 0; j < labels->count; ++j) {
            sherd_fragment_id label = labels->label[j];
            int32_t n = label > 0 ? sherd_key_map_find(l->number, (uint64_t)label) : -1;
            if (n < 0 || !l->wanted[n]) continue;
            if (storing)
                l->parts->list[start[n + 1]++] = list;
            else
                start[n + 2]++;
        }
    }
}

// In blocks with many pieces, each would search all of the block's triangles for its few.
enum { MANY_PIECES = 4 };

static bool list_sides(const cut *k, const uint8_t *requested, cut_parts *parts)
{
    size_t blocks = (size_t)k->g->count;
    parts->front = sherd_alloc(blocks, sizeof *parts->front);
    parts->back = sherd_alloc(blocks, sizeof *parts->back);
    parts->block_count = k->g->count;
    bool ok = parts->front != NULL && parts->back != NULL;
    for (size_t n = 0; ok && n < blocks; ++n) {
        const crack_block *crack = &k->g->blocks[n];
        if (!requested[n]) continue;
        const cut_block *block = &k->blocks[n];
        int32_t parts_of = block->faces.count;
        size_t m = (size_t)parts_of + (size_t)crack->triangle_count;
        sherd_fragment_id *front = parts->front[n] = sherd_alloc(m, sizeof *front);
        sherd_fragment_id *back = parts->back[n] = sherd_alloc(m, sizeof *back);
        ok = front != NULL && back != NULL;
        for (int32_t s = 0; ok && s < (int32_t)m; ++s) {
            int32_t t = s < parts_of ? block->faces.items[s].parent : s - parts_of;
            if (s >= parts_of && !cut_block_has(block, crack, t)) continue;
            front[s] = crack->triangles[t].front;
            back[s] = crack->triangles[t].back;
        }
    }
    return ok;
}

// Blocks shared by many wanted pieces.
static bool find_sides(const cut *k, cut_parts *parts, int32_t piece_count)
{
    size_t blocks = (size_t)k->g->count;
    int32_t *pieces = sherd_alloc(blocks, sizeof *pieces);
    uint8_t *requested = sherd_alloc(blocks, 1);
    bool ok = pieces != NULL && requested != NULL;
    for (int32_t e = 0; ok && e < parts->start[piece_count]; ++e) {
        int32_t block = parts->list[e] - k->patches.count;
        if (block >= 0 && ++pieces[block] > MANY_PIECES) requested[block] = 1;
    }
    ok = ok && list_sides(k, requested, parts);
    sherd_free(pieces);
    sherd_free(requested);
    return ok;
}

bool sherd_cut_list_parts(const cut *k, const key_map *number, const uint8_t *wanted,
                          int32_t piece_count, cut_parts *parts)
{
    *parts = (cut_parts){.start = sherd_alloc((size_t)piece_count + 2, sizeof *parts->start)};
    part_lists l = {k, number, wanted, parts};
    if (parts->start == NULL) return false;
    visit_labels(&l, false);
    // start[k + 1] runs from the start to the end of row k while filling.
    for (int32_t n = 1; n <= piece_count; ++n)
        parts->start[n + 1] += parts->start[n];
    size_t total = (size_t)parts->start[piece_count + 1];
    parts->list = sherd_alloc(total, sizeof *parts->list);
    if (parts->list == NULL) return false;
    visit_labels(&l, true);
    return find_sides(k, parts, piece_count);
}

void sherd_cut_parts_release(cut_parts *parts)
{
    sherd_free(parts->start);
    sherd_free(parts->list);
    for (int32_t n = 0; n < parts->block_count; ++n) {
        if (parts->front != NULL) sherd_free(parts->front[n]);
        if (parts->back != NULL) sherd_free(parts->back[n]);
    }
    sherd_free(parts->front);
    sherd_free(parts->back);
    *parts = (cut_parts){0};
}

// --- Faces of a piece ------------------------------------------------------------------------------

// A triangle of the piece's mesh: a part of a divided triangle, or an undivided one.
typedef struct piece_face {
    int32_t list;      // as in cut_parts
    int32_t number;    // index of the part or of the undivided triangle in that list
    int32_t corner[3]; // vertices of the mesh
    bool is_whole, is_back;
    bool is_slit;     // the piece lies on both sides
    uint8_t of_crack; // bit k: corner k is a vertex of the crack alone
} piece_face;

typedef struct mesh_job {
    piece *out;
    const cut *k;
    const cut_parts *parts;
    cut_piece_scratch *s;
    int32_t count; // faces
    // For the list being read:
    int32_t list;
    const cut_patch *patch; // or
    const cut_block *block;
    const crack_block *crack;
    const sherd_fragment_id *front, *back; // as in cut_parts
} mesh_job;

void sherd_cut_piece_scratch_release(cut_piece_scratch *s)
{
    sherd_key_map_release(&s->numbers);
    sherd_free(s->vertex);
    sherd_free(s->faces);
    sherd_free(s->local);
    *s = (cut_piece_scratch){0};
}

static bool open_list(mesh_job *job, int32_t list)
{
    const cut *k = job->k;
    int32_t block = list - k->patches.count;
    job->list = list;
    job->patch = block < 0 ? &k->patches.items[list] : NULL;
    job->block = block < 0 ? NULL : &k->blocks[block];
    job->crack = block < 0 ? NULL : &k->g->blocks[block];
    job->front = block < 0 ? NULL : job->parts->front[block];
    job->back = block < 0 ? NULL : job->parts->back[block];
    size_t n = block < 0 ? (size_t)(job->patch->vertex_count + job->patch->point_count)
                         : (size_t)(job->crack->vertex_count + job->block->x.point_count);
    if (!sherd_grow((void **)&job->s->local, &job->s->local_capacity, n, sizeof *job->s->local))
        return false;
    memset(job->s->local, -1, n * sizeof *job->s->local);
    return true;
}

static uint64_t vertex_of(const mesh_job *job, int32_t v, sherd_vec3 *position)
{
    int32_t count = job->patch != NULL ? job->patch->vertex_count : job->crack->vertex_count;
    if (v >= count) {
        const crossing_point *p =
            (job->patch != NULL ? job->patch->points : job->block->x.points) + (v - count);
        *position = p->position;
        return p->key;
    }
    if (job->patch != NULL) {
        *position = job->k->o->position[job->patch->vertex[v]];
        return outline_vertex_key(job->patch->vertex[v]);
    }
    *position = job->crack->vertices[v].position;
    return job->crack->vertices[v].key;
}

// Returns the mesh's index of a vertex of the list, -1 when out of memory.
static int32_t add_piece_vertex(mesh_job *job, int32_t v)
{
    if (job->s->local[v] >= 0) return job->s->local[v];
    sherd_vec3 position;
    uint64_t key = vertex_of(job, v, &position);
    size_t before = job->s->numbers.count;
    int32_t n = sherd_key_map_insert(&job->s->numbers, key);
    if (n < 0 || !sherd_grow((void **)&job->s->vertex, &job->s->vertex_capacity, (size_t)n + 1,
                             sizeof *job->s->vertex))
        return -1;
    if (job->s->numbers.count > before) job->s->vertex[n] = position;
    return job->s->local[v] = n;
}

// Returns the corner of the face that is corner k of the mesh's triangle, oriented outwards.
static int corner_of(const piece_face *face, int k)
{
    return face->is_back ? (3 - k) % 3 : k;
}

static bool add_face(mesh_job *job, piece_face face, const int32_t corner[3])
{
    if (!sherd_grow((void **)&job->s->faces, &job->s->face_capacity, (size_t)job->count + 1,
                    sizeof *job->s->faces))
        return false;
    face.list = job->list;
    for (int k = 0; k < 3; ++k) {
        int32_t v = corner[corner_of(&face, k)];
        face.corner[k] = add_piece_vertex(job, v);
        if (face.corner[k] < 0) return false;
        if (job->crack != NULL && v < job->crack->vertex_count)
            face.of_crack = (uint8_t)(face.of_crack | 1 << k);
    }
    job->s->faces[job->count++] = face;
    return true;
}

static bool add_patch(mesh_job *job)
{
    const cut_patch *p = job->patch;
    sherd_fragment_id label = job->out->fragment;
    bool ok = true;
    for (int32_t f = 0; ok && f < p->faces.count; ++f)
        if (p->faces.items[f].value == label)
            ok = add_face(job, (piece_face){.number = f}, p->faces.items[f].corner);
    for (int32_t t = 0; ok && t < p->triangle_count; ++t)
        if (!p->divided[t] && cut_patch_owner(p, t) == label)
            ok = add_face(job, (piece_face){.number = t, .is_whole = true}, p->corner + 3 * t);
    return ok;
}

// A crack triangle, viewed from its front, bounds the solid behind it.
static bool add_sides(mesh_job *job, piece_face face, int32_t t, const int32_t corner[3])
{
    const crack_triangle *c = &job->crack->triangles[t];
    sherd_fragment_id label = job->out->fragment;
    bool ok = true;
    face.is_slit = c->front == c->back;
    if (c->back == label) ok = add_face(job, face, corner);
    face.is_back = true;
    if (c->front == label) ok = ok && add_face(job, face, corner);
    return ok;
}

// Returns the next face of a listed block, from index `s` on, that bounds the fragment; `count` if
// there is none.
static int32_t next_side(const mesh_job *job, int32_t s, int32_t count)
{
    enum { STRIDE = 32 }; // as vectors compare them
    const sherd_fragment_id *front = job->front, *back = job->back, label = job->out->fragment;
    for (; s + STRIDE <= count; s += STRIDE) {
        int32_t found = 0;
        for (int32_t k = 0; k < STRIDE; ++k)
            found |= (front[s + k] == label) | (back[s + k] == label);
        if (found != 0) break;
    }
    while (s < count && front[s] != label && back[s] != label)
        ++s;
    return s;
}

// Parts of divided triangles come first, then undivided triangles.
static bool add_block_face(mesh_job *job, int32_t s)
{
    const cut_block *b = job->block;
    int32_t t = s - b->faces.count;
    if (t >= 0)
        return add_sides(job, (piece_face){.number = t, .is_whole = true}, t,
                         job->crack->triangles[t].corner);
    return add_sides(job, (piece_face){.number = s}, b->faces.items[s].parent,
                     b->faces.items[s].corner);
}

static bool add_block(mesh_job *job)
{
    const cut_block *b = job->block;
    int32_t parts = b->faces.count, count = parts + job->crack->triangle_count;
    bool ok = true, listed = job->front != NULL;
    for (int32_t s = listed ? next_side(job, 0, count) : 0; ok && s < count;
         s = listed ? next_side(job, s + 1, count) : s + 1)
        if (listed || s < parts || cut_block_has(b, job->crack, s - parts))
            ok = add_block_face(job, s);
    return ok;
}

static bool add_faces(mesh_job *job, const int32_t *lists, int32_t count)
{
    bool ok = true;
    for (int32_t k = 0; ok && k < count; ++k)
        ok = open_list(job, lists[k]) && (job->patch != NULL ? add_patch(job) : add_block(job));
    return ok;
}

enum { LARGE_MAP = 1 << 14 };

// --- A mesh ----------------------------------------------------------------------------------------

static bool make_mesh(mesh_job *job)
{
    size_t n = job->s->numbers.count, m = (size_t)job->count;
    sherd_mesh *mesh = job->out->mesh = sherd_mesh_create((int32_t)n, job->count, NULL);
    if (mesh == NULL) return false;
    mesh->normals = sherd_alloc(3 * n, sizeof *mesh->normals);
    mesh->face_kind = sherd_alloc(m, sizeof *mesh->face_kind);
    bool has_uv = job->k->o->uv != NULL;
    if (has_uv) mesh->uv = sherd_alloc(6 * m, sizeof *mesh->uv);
    if (mesh->normals == NULL || mesh->face_kind == NULL || (has_uv && mesh->uv == NULL))
        return false;
    for (size_t v = 0; v < n; ++v)
        mesh_set_vertex(mesh, (int32_t)v, job->s->vertex[v]);
    for (int32_t t = 0; t < job->count; ++t) {
        const piece_face *f = &job->s->faces[t];
        mesh_set_triangle(mesh, t, f->corner[0], f->corner[1], f->corner[2]);
        mesh->face_kind[t] = f->list < job->k->patches.count ? SHERD_FACE_OUTER : SHERD_FACE_INNER;
    }
    return true;
}

static bool open_slits(mesh_job *job, const slit_drawing *how)
{
    size_t m = (size_t)job->count;
    uint8_t *slit = sherd_alloc(m, 1);
    int32_t *from = sherd_alloc(m, sizeof *from);
    bool any = false, ok = slit != NULL && from != NULL;
    for (int32_t t = 0; ok && t < job->count; ++t) {
        any |= slit[t] = job->s->faces[t].is_slit;
        from[t] = t;
    }
    if (any) ok = sherd_crack_open(job->out->mesh, slit, from, how);
    if (ok) job->count = job->out->mesh->triangle_count;
    // Triangles retain their order, so none is overwritten before it was moved.
    for (int32_t t = 0; ok && t < job->count; ++t)
        job->s->faces[t] = job->s->faces[from[t]];
    sherd_free(slit);
    sherd_free(from);
    return ok;
}

static void add_normal(sherd_mesh *mesh, int32_t v, sherd_vec3 n)
{
    double *to = mesh->normals + 3 * (size_t)v;
    to[0] += n.x, to[1] += n.y, to[2] += n.z;
}

// Interpolates the outer surface's own normal and texture coordinates at the cut.
static void add_outer(mesh_job *job, int32_t t, const piece_face *face)
{
    const outline *o = job->k->o;
    const cut_patch *patch = &job->k->patches.items[face->list];
    const cut_face *part = face->is_whole ? NULL : &patch->faces.items[face->number];
    size_t parent = (size_t)(part != NULL ? part->parent : patch->triangle[face->number]);
    sherd_mesh *mesh = job->out->mesh;
    for (int k = 0; k < 3; ++k) {
        double weight[3] = {k == 0, k == 1, k == 2};
        if (part != NULL) sherd_cut_patch_weights(patch, o, part, k, weight);
        sherd_vec3 n = vec3(0.0, 0.0, 0.0);
        for (int j = 0; j < 3; ++j)
            n = vec3_add_scaled(n, weight[j], o->normal[3 * parent + (size_t)j]);
        add_normal(mesh, mesh->triangles[3 * (size_t)t + (size_t)k], vec3_normalize(n));
        for (int a = 0; a < 2 && o->uv != NULL; ++a) {
            const float *uv = o->uv + 6 * parent + a;
            mesh->uv[6 * (size_t)t + 2 * (size_t)k + (size_t)a] =
                (float)(weight[0] * (double)uv[0] + weight[1] * (double)uv[2] +
                        weight[2] * (double)uv[4]);
        }
    }
}

// Vertices of the crack alone get the area-weighted mean normal of its faces; vertices on the rim
// retain the outer surface's normal.
static void fill_normals(mesh_job *job)
{
    sherd_mesh *mesh = job->out->mesh;
    for (int32_t t = 0; t < job->count; ++t) {
        const piece_face *face = &job->s->faces[t];
        if (mesh->face_kind[t] == SHERD_FACE_OUTER) add_outer(job, t, face);
        sherd_vec3 area = mesh_area_vector(mesh, t);
        for (int k = 0; k < 3; ++k)
            if (face->of_crack >> k & 1)
                add_normal(mesh, mesh->triangles[3 * (size_t)t + (size_t)k], area);
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        double *n = mesh->normals + 3 * (size_t)v;
        sherd_vec3 unit = vec3_normalize(vec3(n[0], n[1], n[2]));
        if (!(vec3_length(unit) > 0.0)) unit = vec3(0.0, 0.0, 1.0);
        n[0] = unit.x, n[1] = unit.y, n[2] = unit.z;
    }
}

// In a closed mesh each edge occurs equally often in both directions: the signed sum of random
// numbers assigned to the edges is zero (a false zero has probability 2^-64).
static bool is_closed(const sherd_mesh *mesh)
{
    uint64_t sum = 0;
    for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
        int32_t a = mesh->triangles[c], b = mesh->triangles[c % 3 == 2 ? c - 2 : c + 1];
        uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
        uint64_t number = sherd_random_bits(0, low, high);
        sum += a < b ? number : 0 - number;
    }
    return sum == 0;
}

static uint64_t fingerprint_of(const sherd_mesh *m)
{
    uint64_t h = sherd_hash_bytes(SHERD_HASH_START, m->vertices,
                                  3 * (size_t)m->vertex_count * sizeof *m->vertices);
    h = sherd_hash_bytes(h, m->triangles, 3 * (size_t)m->triangle_count * sizeof *m->triangles);
    return sherd_hash_bytes(h, m->face_kind, (size_t)m->triangle_count);
}

cut_piece_result sherd_cut_piece_mesh(piece *out, const cut *k, const cut_parts *parts,
                                      int32_t number, const slit_drawing *how,
                                      cut_piece_scratch *scratch)
{
    int32_t first = parts->start[number], count = parts->start[number + 1] - first;
    if (count == 0) return CUT_PIECE_EMPTY;
    mesh_job job = {.out = out, .k = k, .parts = parts, .s = scratch};
    // Clearing the memory of a large piece would take longer than building a small one.
    if (scratch->numbers.capacity > LARGE_MAP)
        sherd_key_map_release(&scratch->numbers);
    else
        sherd_key_map_clear(&scratch->numbers);
    bool ok =
        add_faces(&job, parts->list + first, count) && make_mesh(&job) && open_slits(&job, how);
    if (ok) {
        fill_normals(&job);
        out->fingerprint = fingerprint_of(out->mesh);
    }
    if (!ok) return CUT_PIECE_MEMORY;
    bool right = is_closed(out->mesh) && sherd_mesh_volume(out->mesh) > 0.0;
    return right ? CUT_PIECE_OK : CUT_PIECE_WRONG;
}
