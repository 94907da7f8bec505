#include "surface/methods/march/shell_piece.h"

#include "base/hash.h"
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "math/vec3.h"
#include "surface/methods/fluid/fluid_field.h"
#include "surface/piece/skin_piece.h"

#include <string.h>

// --- A shell's parts -------------------------------------------------------------------------------

// Counting sorts; start[k + 1] runs from the start to the end of row k while filling.
static bool divide_vertices(shell *s, int32_t piece_count, shell_parts *parts)
{
    int32_t *start = parts->vertex_start;
    for (int32_t k = 0; k < s->vertex_count; ++k)
        for (int j = 0; j < s->vertices[k].owner_count; ++j)
            if (s->vertices[k].piece[j] >= 0) start[s->vertices[k].piece[j] + 2]++;
    for (int32_t k = 1; k <= piece_count; ++k)
        start[k + 1] += start[k];
    parts->vertex = sherd_alloc((size_t)start[piece_count + 1], sizeof *parts->vertex);
    if (parts->vertex == NULL) return false;
    for (int32_t k = 0; k < s->vertex_count; ++k) {
        shell_vertex *v = &s->vertices[k];
        for (int j = 0; j < v->owner_count; ++j)
            if (v->piece[j] >= 0) {
                int32_t index = start[v->piece[j] + 1]++;
                parts->vertex[index] = k;
                v->local[j] = index;
            }
    }
    // Row starts are final only now: convert positions to indices within rows.
    for (int32_t k = 0; k < s->vertex_count; ++k)
        for (int j = 0; j < s->vertices[k].owner_count; ++j)
            if (s->vertices[k].piece[j] >= 0)
                s->vertices[k].local[j] -= start[s->vertices[k].piece[j]];
    return true;
}

static bool divide_triangles(const shell *s, int32_t piece_count, shell_parts *parts)
{
    int32_t *start = parts->triangle_start;
    for (int32_t t = 0; t < s->triangle_count; ++t)
        start[s->triangles[t].piece + 2]++;
    for (int32_t k = 1; k <= piece_count; ++k)
        start[k + 1] += start[k];
    parts->triangle = sherd_alloc((size_t)s->triangle_count, sizeof *parts->triangle);
    if (parts->triangle == NULL) return false;
    for (int32_t t = 0; t < s->triangle_count; ++t)
        parts->triangle[start[s->triangles[t].piece + 1]++] = t;
    return true;
}

bool sherd_shell_divide(shell *s, int32_t piece_count, shell_parts *parts)
{
    size_t rows = (size_t)piece_count + 2;
    *parts = (shell_parts){.vertex_start = sherd_alloc(rows, sizeof *parts->vertex_start),
                           .triangle_start = sherd_alloc(rows, sizeof *parts->triangle_start)};
    return parts->vertex_start != NULL && parts->triangle_start != NULL &&
           divide_vertices(s, piece_count, parts) && divide_triangles(s, piece_count, parts);
}

void sherd_shell_parts_release(shell_parts *parts)
{
    sherd_free(parts->vertex_start);
    sherd_free(parts->vertex);
    sherd_free(parts->triangle_start);
    sherd_free(parts->triangle);
    *parts = (shell_parts){0};
}

// --- A piece ---------------------------------------------------------------------------------------

typedef struct piece_job {
    piece *out;
    const piece_source *from;
    int32_t number, first;
    const int32_t *vertex, *triangle; // the piece's rows
} piece_job;

static const shell_vertex *vertex_of(const piece_job *job, size_t v)
{
    return &job->from->shell->vertices[job->vertex[v]];
}

static const shell_triangle *triangle_of(const piece_job *job, size_t t)
{
    return &job->from->shell->triangles[job->triangle[t]];
}

static int32_t local_number(const piece_job *job, int32_t vertex)
{
    const shell_vertex *v = &job->from->shell->vertices[vertex];
    int k = 0;
    while (v->piece[k] != job->number)
        ++k;
    return v->local[k];
}

static void copy_vertices(void *context, size_t begin, size_t end)
{
    const piece_job *job = context;
    for (size_t v = begin; v < end; ++v)
        mesh_set_vertex(job->out->mesh, (int32_t)v, vertex_of(job, v)->position);
}

static void copy_triangles(void *context, size_t begin, size_t end)
{
    const piece_job *job = context;
    sherd_mesh *mesh = job->out->mesh;
    for (size_t t = begin; t < end; ++t) {
        const shell_triangle *from = triangle_of(job, t);
        mesh_set_triangle(mesh, (int32_t)t, local_number(job, from->corner[0]),
                          local_number(job, from->corner[1]), local_number(job, from->corner[2]));
        mesh->face_kind[t] = from->other == OWNER_OUTSIDE ? SHERD_FACE_OUTER : SHERD_FACE_INNER;
    }
}

// A fluid's surface is a fracture surface where bonds were broken: against another fragment if
// bonds were lost nearby, against the outside if they were lost in that direction, within 60
// degrees.
static void find_lost(void *context, size_t begin, size_t end)
{
    const piece_job *job = context;
    sherd_mesh *mesh = job->out->mesh;
    for (size_t t = begin; t < end; ++t) {
        sherd_vec3 middle = vec3(0.0, 0.0, 0.0);
        for (int k = 0; k < 3; ++k)
            middle = vec3_add_scaled(middle, 1.0 / 3.0, mesh_corner(mesh, (int32_t)t, k));
        sherd_vec3 normal = vec3_normalize(mesh_area_vector(mesh, (int32_t)t));
        double lost =
            sherd_fluid_lost(job->from->fields->fluid, job->out->fragment, middle, normal);
        bool faces_outside = mesh->face_kind[t] == SHERD_FACE_OUTER;
        bool inner = faces_outside ? lost > 0.5 : lost != 0.0;
        mesh->face_kind[t] = inner ? SHERD_FACE_INNER : SHERD_FACE_OUTER;
    }
}

// Fairing may invert a body thinner than a cell; grid simplices never are inverted.
static void undo_inversion(const piece_job *job)
{
    sherd_mesh *mesh = job->out->mesh;
    if (sherd_mesh_volume(mesh) > 0.0) return;
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        mesh_set_vertex(mesh, v, vertex_of(job, (size_t)v)->base);
}

static void add_normal(sherd_mesh *mesh, int32_t v, sherd_vec3 n)
{
    double *to = mesh->normals + 3 * (size_t)v;
    to[0] += n.x, to[1] += n.y, to[2] += n.z;
}

// Area-weighted normals; on the rim of the outer surface only outer triangles count, so that the
// outside is shaded as if unbroken. Only vertices without a normal from a field need them.
static void sum_triangle_normals(const piece_job *job)
{
    sherd_mesh *mesh = job->out->mesh;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            int32_t v = mesh->triangles[3 * (size_t)t + (size_t)k];
            const shell_vertex *from = vertex_of(job, (size_t)v);
            bool rim = sherd_vertex_has_owner(from, OWNER_OUTSIDE);
            if (rim && mesh->face_kind[t] == SHERD_FACE_INNER) continue;
            add_normal(mesh, v, mesh_area_vector(mesh, t));
        }
}

// Returns the field's own normal if it has one: of the shape, or across the crack between two
// fragments.
static bool field_normal(const piece_job *job, size_t v, sherd_vec3 *normal)
{
    const shell_vertex *from = vertex_of(job, v);
    bool is_fluid = job->from->fields->fluid != NULL;
    if (!is_fluid && sherd_vertex_has_owner(from, OWNER_OUTSIDE)) {
        *normal = from->normal;
        return job->from->crease[job->vertex[v]] == 0;
    }
    if (from->owner_count > 2 || from->owners[0] < (is_fluid ? OWNER_OUTSIDE : 1)) return false;
    // from the fragment's density to the other fragment's
    const crack_model *m = &job->from->shell->cracks[from->crack];
    int ours = from->piece[0] == job->number ? 0 : 1;
    *normal = vec3_sub(m->gradient[1 - ours], m->gradient[ours]);
    return true;
}

static void finish_normals(void *context, size_t begin, size_t end)
{
    const piece_job *job = context;
    sherd_mesh *mesh = job->out->mesh;
    for (size_t v = begin; v < end; ++v) {
        double *n = mesh->normals + 3 * v;
        sherd_vec3 mean = vec3(n[0], n[1], n[2]), normal;
        if (!field_normal(job, v, &normal) || !(vec3_length(normal) > 0.0)) normal = mean;
        normal = vec3_normalize(normal);
        if (!(vec3_length(normal) > 0.0)) normal = vec3(0.0, 0.0, 1.0);
        n[0] = normal.x, n[1] = normal.y, n[2] = normal.z;
    }
}

static bool skin(const piece_job *job, const sherd_parallel *parallel)
{
    const piece *p = job->out;
    const skin_source source = {job->from->fields->partition, p->fragment, p->element_count,
                                job->first, job->from->offset};
    return sherd_skin_piece(job->out, &source, parallel);
}

static bool from_shell(piece_job *job, int32_t vertices, int32_t triangles,
                       const sherd_parallel *parallel)
{
    if (!sherd_piece_make_mesh(job->out, vertices, triangles)) return false;
    sherd_parallel_for(parallel, (size_t)vertices, 4096, copy_vertices, job);
    sherd_parallel_for(parallel, (size_t)triangles, 4096, copy_triangles, job);
    undo_inversion(job);
    if (job->from->fields->fluid != NULL)
        sherd_parallel_for(parallel, (size_t)triangles, 4096, find_lost, job);
    sum_triangle_normals(job);
    sherd_parallel_for(parallel, (size_t)vertices, 4096, finish_normals, job);
    return sherd_piece_attributes_add(job->out->mesh, job->from->decoration) && skin(job, parallel);
}

bool sherd_piece_build(piece *out, const piece_source *from, int32_t number, int32_t first,
                       const sherd_parallel *parallel)
{
    const shell_parts *parts = from->parts;
    int32_t v = parts->vertex_start[number], t = parts->triangle_start[number];
    int32_t vertices = parts->vertex_start[number + 1] - v;
    int32_t triangles = parts->triangle_start[number + 1] - t;
    piece_job job = {out, from, number, first, parts->vertex + v, parts->triangle + t};
    bool ok = triangles > 0 ? from_shell(&job, vertices, triangles, parallel)
                            : sherd_piece_ball(out, from->fields->partition,
                                               &from->decoration->texture, first, from->offset);
    if (!ok) return false;
    const sherd_mesh *m = out->mesh;
    uint64_t h = sherd_hash_bytes(SHERD_HASH_START, m->vertices,
                                  3 * (size_t)m->vertex_count * sizeof *m->vertices);
    h = sherd_hash_bytes(h, m->triangles, 3 * (size_t)m->triangle_count * sizeof *m->triangles);
    h = sherd_hash_bytes(h, m->face_kind, (size_t)m->triangle_count);
    out->fingerprint = h;
    return true;
}
