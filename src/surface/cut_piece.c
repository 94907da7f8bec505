#include "surface/cut_piece.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/random.h"
#include "geometry/mesh_access.h"
#include "surface/cut_slit.h"

#include <string.h>

// --- Who gets which faces --------------------------------------------------------------------------

// The fragment on a side of a face.
static sherd_fragment_id owner_of(const cut *k, int32_t side)
{
    int32_t face = side / 2;
    if (face < k->outer_count) return side % 2 == 0 ? k->outer[face].value : 0;
    const crack_triangle *t = &k->c.triangle[k->inner[face - k->outer_count].parent];
    return side % 2 == 0 ? t->back : t->front;
}

bool sherd_cut_divide(const cut *k, const key_map *number, int32_t piece_count, cut_parts *parts)
{
    int32_t sides = 2 * (k->outer_count + k->inner_count);
    *parts = (cut_parts){.start = sherd_alloc((size_t)piece_count + 2, sizeof *parts->start),
                         .side = sherd_alloc((size_t)sides, sizeof *parts->side)};
    int32_t *piece_of = sherd_alloc((size_t)sides, sizeof *piece_of);
    bool ok = parts->start != NULL && parts->side != NULL && piece_of != NULL;
    for (int32_t s = 0; ok && s < sides; ++s) {
        sherd_fragment_id owner = owner_of(k, s);
        piece_of[s] = owner > 0 ? sherd_key_map_find(number, (uint64_t)owner) : -1;
        if (piece_of[s] >= 0) parts->start[piece_of[s] + 2]++;
    }
    // start[k + 1] runs from the start to the end of row k while filling.
    for (int32_t n = 1; ok && n <= piece_count; ++n)
        parts->start[n + 1] += parts->start[n];
    for (int32_t s = 0; ok && s < sides; ++s)
        if (piece_of[s] >= 0) parts->side[parts->start[piece_of[s] + 1]++] = s;
    sherd_free(piece_of);
    return ok;
}

void sherd_cut_parts_release(cut_parts *parts)
{
    sherd_free(parts->start);
    sherd_free(parts->side);
    *parts = (cut_parts){0};
}

// --- A mesh ----------------------------------------------------------------------------------------

typedef struct mesh_job {
    piece *out;
    const cut *k;
    int32_t *side; // the piece's
    int32_t count;
    key_map vertices; // of the cut -> of the mesh
} mesh_job;

static const cut_face *face_of(const mesh_job *job, int32_t t, bool *inner)
{
    int32_t face = job->side[t] / 2;
    *inner = face >= job->k->outer_count;
    return *inner ? &job->k->inner[face - job->k->outer_count] : &job->k->outer[face];
}

// Corners in the order that faces outwards: which corner of the face is the mesh's k-th.
static int corner_of(const mesh_job *job, int32_t t, int k)
{
    return job->side[t] % 2 == 0 ? k : (3 - k) % 3;
}

static bool number_vertices(mesh_job *job)
{
    bool inner;
    for (int32_t t = 0; t < job->count; ++t) {
        const cut_face *face = face_of(job, t, &inner);
        for (int k = 0; k < 3; ++k)
            if (sherd_key_map_insert(&job->vertices, (uint64_t)face->corner[k]) < 0) return false;
    }
    return true;
}

static bool make_room(mesh_job *job)
{
    size_t n = job->vertices.count, m = (size_t)job->count;
    sherd_mesh *mesh = job->out->mesh = sherd_mesh_create((int32_t)n, job->count, NULL);
    if (mesh == NULL) return false;
    mesh->normals = sherd_alloc(3 * n, sizeof *mesh->normals);
    mesh->face_kind = sherd_alloc(m, sizeof *mesh->face_kind);
    bool has_uv = job->k->o->uv != NULL;
    if (has_uv) mesh->uv = sherd_alloc(6 * m, sizeof *mesh->uv);
    return mesh->normals != NULL && mesh->face_kind != NULL && (!has_uv || mesh->uv != NULL);
}

static void add_normal(sherd_mesh *mesh, int32_t v, sherd_vec3 n)
{
    double *to = mesh->normals + 3 * (size_t)v;
    to[0] += n.x, to[1] += n.y, to[2] += n.z;
}

// The outer surface's own normal and texture coordinates, wherever it was cut.
static void take_outer(mesh_job *job, int32_t t, const cut_face *face)
{
    const outline *o = job->k->o;
    sherd_mesh *mesh = job->out->mesh;
    for (int k = 0; k < 3; ++k) {
        double weight[3];
        sherd_cut_weights(job->k, face, k, weight);
        sherd_vec3 n = vec3(0.0, 0.0, 0.0);
        for (int j = 0; j < 3; ++j)
            n = vec3_add_scaled(n, weight[j], o->normal[3 * (size_t)face->parent + (size_t)j]);
        add_normal(mesh, mesh->triangles[3 * (size_t)t + (size_t)k], vec3_normalize(n));
        for (int a = 0; a < 2 && o->uv != NULL; ++a) {
            const float *uv = o->uv + 6 * (size_t)face->parent + a;
            mesh->uv[6 * (size_t)t + 2 * (size_t)k + (size_t)a] =
                (float)(weight[0] * (double)uv[0] + weight[1] * (double)uv[2] +
                        weight[2] * (double)uv[4]);
        }
    }
}

static void fill_triangles(mesh_job *job)
{
    sherd_mesh *mesh = job->out->mesh;
    for (int32_t t = 0; t < job->count; ++t) {
        bool inner;
        const cut_face *face = face_of(job, t, &inner);
        int32_t v[3];
        for (int k = 0; k < 3; ++k) {
            int32_t from = face->corner[corner_of(job, t, k)];
            v[k] = sherd_key_map_find(&job->vertices, (uint64_t)from);
            mesh_set_vertex(mesh, v[k], cut_position(job->k, from));
        }
        mesh_set_triangle(mesh, t, v[0], v[1], v[2]);
        mesh->face_kind[t] = inner ? SHERD_FACE_INNER : SHERD_FACE_OUTER;
    }
}

// Whether a face has the piece on both sides.
static bool is_slit(const mesh_job *job, int32_t t)
{
    bool inner;
    const cut_face *face = face_of(job, t, &inner);
    const crack_triangle *c = &job->k->c.triangle[face->parent];
    return inner && c->front == c->back;
}

static bool open_slits(mesh_job *job, double half_gap)
{
    uint8_t *slit = sherd_alloc((size_t)job->count, 1);
    bool any = false;
    for (int32_t t = 0; slit != NULL && t < job->count; ++t)
        any |= slit[t] = is_slit(job, t);
    bool ok =
        slit != NULL && (!any || sherd_cut_open_slits(job->out->mesh, slit, job->side, half_gap));
    job->count = job->out->mesh->triangle_count;
    sherd_free(slit);
    return ok;
}

// Vertices of the crack alone have the mean normal of its faces, by area; on the rim the outer
// surface's normal stays.
static void fill_normals(mesh_job *job)
{
    sherd_mesh *mesh = job->out->mesh;
    bool inner;
    for (int32_t t = 0; t < job->count; ++t) {
        const cut_face *face = face_of(job, t, &inner);
        if (!inner) take_outer(job, t, face);
        sherd_vec3 area = mesh_area_vector(mesh, t);
        int32_t first_of_crack = job->k->o->vertex_count + job->k->x.point_count;
        for (int k = 0; inner && k < 3; ++k)
            if (face->corner[corner_of(job, t, k)] >= first_of_crack)
                add_normal(mesh, mesh->triangles[3 * (size_t)t + (size_t)k], area);
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        double *n = mesh->normals + 3 * (size_t)v;
        sherd_vec3 unit = vec3_normalize(vec3(n[0], n[1], n[2]));
        if (!(vec3_length(unit) > 0.0)) unit = vec3(0.0, 0.0, 1.0);
        n[0] = unit.x, n[1] = unit.y, n[2] = unit.z;
    }
}

// Every edge is used as often one way as the other: the signed sum of random numbers that the edges
// have is zero (a wrong zero has a chance of 2^-64).
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
                                      int32_t number, double half_gap)
{
    int32_t first = parts->start[number], count = parts->start[number + 1] - first;
    if (count == 0) return CUT_PIECE_EMPTY;
    mesh_job job = {.out = out, .k = k, .side = parts->side + first, .count = count};
    bool ok = number_vertices(&job) && make_room(&job);
    if (ok) {
        fill_triangles(&job);
        ok = open_slits(&job, half_gap);
    }
    if (ok) {
        fill_normals(&job);
        out->fingerprint = fingerprint_of(out->mesh);
    }
    sherd_key_map_release(&job.vertices);
    if (!ok) return CUT_PIECE_MEMORY;
    bool right = is_closed(out->mesh) && sherd_mesh_volume(out->mesh) > 0.0;
    return right ? CUT_PIECE_OK : CUT_PIECE_WRONG;
}
