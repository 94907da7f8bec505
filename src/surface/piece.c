#include "surface/piece.h"

#include "base/hash.h"
#include "base/memory.h"
#include "geometry/mesh_access.h"
#include "surface/fair.h"
#include "surface/skin.h"

#include <string.h>

typedef struct piece_job {
    piece *out;
    const shell *s;
    const placing *p;
    const uint8_t *crease;
    int32_t first, offset;
} piece_job;

static bool make_room(piece *out, int32_t vertices, int32_t triangles)
{
    size_t n = (size_t)vertices;
    out->mesh = sherd_mesh_create(vertices, triangles, NULL);
    out->bones = sherd_alloc(SKIN_BONES * n, sizeof *out->bones);
    out->weights = sherd_alloc(SKIN_BONES * n, sizeof *out->weights);
    if (out->mesh == NULL || out->bones == NULL || out->weights == NULL) return false;
    out->mesh->normals = sherd_alloc(3 * n, sizeof(double));
    out->mesh->face_kind = sherd_alloc((size_t)triangles, sizeof(uint8_t));
    return out->mesh->normals != NULL && out->mesh->face_kind != NULL;
}

static void copy_mesh(piece *out, const shell *s)
{
    for (int32_t k = 0; k < s->vertex_count; ++k)
        mesh_set_vertex(out->mesh, k, s->vertices[k].position);
    for (int32_t t = 0; t < s->triangle_count; ++t) {
        const shell_triangle *from = &s->triangles[t];
        mesh_set_triangle(out->mesh, t, from->corner[0], from->corner[1], from->corner[2]);
        out->mesh->face_kind[t] =
            from->other == OWNER_OUTSIDE ? SHERD_FACE_OUTER : SHERD_FACE_INNER;
    }
}

static void add_normal(sherd_mesh *mesh, int32_t v, sherd_vec3 n)
{
    double *to = mesh->normals + 3 * (size_t)v;
    to[0] += n.x, to[1] += n.y, to[2] += n.z;
}

// Area-weighted; on the rim of the outer surface only outer triangles count, so that the outside is
// shaded as if unbroken.
static void sum_triangle_normals(sherd_mesh *mesh, const shell *s)
{
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            int32_t v = mesh->triangles[3 * (size_t)t + (size_t)k];
            bool rim = sherd_vertex_has_owner(&s->vertices[v], OWNER_OUTSIDE);
            if (rim && mesh->face_kind[t] == SHERD_FACE_INNER) continue;
            add_normal(mesh, v, mesh_area_vector(mesh, t));
        }
}

// The field's own normal where it has one: of the shape, or across the crack between two fragments.
static bool field_normal(const piece_job *job, size_t v, sherd_vec3 *normal)
{
    const shell_vertex *from = &job->s->vertices[v];
    if (sherd_vertex_has_owner(from, OWNER_OUTSIDE)) {
        *normal = from->shape.gradient;
        return job->crease[v] == 0;
    }
    if (from->owner_count > 2 || from->owners[0] <= 0) return false;
    // The contrast grows towards the first owner.
    *normal = vec3_scale(from->owners[0] == job->s->label ? -1.0 : 1.0, from->crack.gradient);
    return true;
}

static void finish_vertices(void *context, size_t begin, size_t end)
{
    piece_job *job = context;
    sherd_mesh *mesh = job->out->mesh;
    for (size_t v = begin; v < end; ++v) {
        sherd_vec3 x = mesh_vertex(mesh, (int32_t)v);
        double *n = mesh->normals + 3 * v;
        sherd_vec3 mean = vec3(n[0], n[1], n[2]), normal;
        if (!field_normal(job, v, &normal) || !(vec3_length(normal) > 0.0)) normal = mean;
        normal = vec3_normalize(normal);
        if (!(vec3_length(normal) > 0.0)) normal = vec3(0.0, 0.0, 1.0);
        n[0] = normal.x, n[1] = normal.y, n[2] = normal.z;
        int32_t *bones = job->out->bones + SKIN_BONES * v;
        sherd_skin_vertex(job->p->partition, job->s->label, x, job->first, bones,
                          job->out->weights + SKIN_BONES * v);
        for (int k = 0; k < SKIN_BONES; ++k)
            bones[k] += job->offset;
    }
}

// Icosahedron, counter-clockwise from outside.
static bool make_ball(piece *out, sherd_vec3 center, double radius, sherd_element_index element)
{
    static const double G = 0.85065080835204, S = 0.525731112119134; // unit vectors (0, S, G)
    static const double corner[12][3] = {{-S, G, 0}, {S, G, 0}, {-S, -G, 0}, {S, -G, 0},
                                         {0, -S, G}, {0, S, G}, {0, -S, -G}, {0, S, -G},
                                         {G, 0, -S}, {G, 0, S}, {-G, 0, -S}, {-G, 0, S}};
    static const int8_t face[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                       {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                       {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                       {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    if (!make_room(out, 12, 20)) return false;
    for (int32_t v = 0; v < 12; ++v) {
        sherd_vec3 n = vec3(corner[v][0], corner[v][1], corner[v][2]);
        mesh_set_vertex(out->mesh, v, vec3_add_scaled(center, radius, n));
        add_normal(out->mesh, v, n);
        for (int k = 0; k < SKIN_BONES; ++k)
            out->bones[SKIN_BONES * v + k] = element;
        out->weights[SKIN_BONES * v] = 1.0f;
    }
    for (int32_t t = 0; t < 20; ++t) {
        mesh_set_triangle(out->mesh, t, face[t][0], face[t][1], face[t][2]);
        out->mesh->face_kind[t] = SHERD_FACE_INNER;
    }
    return true;
}

static bool ball_of_element(piece *out, const placing *p, int32_t first, int32_t offset)
{
    const partition *part = p->partition;
    for (int32_t k = 0; k < part->elements.count; ++k)
        if (part->elements.source[k] == first)
            return make_ball(out, part->elements.point[k], part->radius[first], first + offset);
    return false;
}

static bool from_shell(piece *out, shell *s, const placing *p, int32_t first, int32_t offset,
                       const sherd_parallel *parallel)
{
    uint8_t *crease = sherd_alloc((size_t)s->vertex_count, 1);
    bool ok = crease != NULL && make_room(out, s->vertex_count, s->triangle_count) &&
              sherd_shell_fair(s, p, crease, parallel);
    if (ok) {
        copy_mesh(out, s);
        // Fairing a body thinner than a cell may turn it inside out; grid simplices never do.
        if (!(sherd_mesh_volume(out->mesh) > 0.0)) {
            for (int32_t k = 0; k < s->vertex_count; ++k)
                s->vertices[k].position = s->vertices[k].base;
            copy_mesh(out, s);
        }
        sum_triangle_normals(out->mesh, s);
        piece_job job = {out, s, p, crease, first, offset};
        sherd_parallel_for(parallel, (size_t)s->vertex_count, 512, finish_vertices, &job);
    }
    sherd_free(crease);
    return ok;
}

bool sherd_piece_build(piece *out, shell *s, const placing *p, int32_t first, int32_t offset,
                       const sherd_parallel *parallel)
{
    bool ok = s->triangle_count > 0 ? from_shell(out, s, p, first, offset, parallel)
                                    : ball_of_element(out, p, first, offset);
    if (!ok) return false;
    const sherd_mesh *m = out->mesh;
    uint64_t h = sherd_hash_bytes(SHERD_HASH_START, m->vertices,
                                  3 * (size_t)m->vertex_count * sizeof *m->vertices);
    h = sherd_hash_bytes(h, m->triangles, 3 * (size_t)m->triangle_count * sizeof *m->triangles);
    h = sherd_hash_bytes(h, m->face_kind, (size_t)m->triangle_count);
    out->fingerprint = h;
    return true;
}

void sherd_piece_release(piece *p)
{
    sherd_mesh_destroy(p->mesh);
    sherd_free(p->bones);
    sherd_free(p->weights);
    *p = (piece){0};
}
