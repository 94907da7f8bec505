#include "surface/piece/skin_piece.h"

#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "math/vec3.h"
#include "surface/piece/skin.h"

enum { CHUNK = 512 };

typedef struct skin_job {
    piece *p;
    const skin_source *source;
    // By vertex: sum of inner faces' area vectors; NULL: no crack inside the fragment.
    sherd_vec3 *inner;
    uint8_t *failed; // by chunk: out of memory
} skin_job;

// The elements that carry a vertex on a crack lie behind its faces.
static sherd_vec3 behind(const skin_job *job, size_t v)
{
    static const double DEPTH_FRACTION = 0.25; // fraction of a spacing
    double distance = DEPTH_FRACTION * job->source->partition->links.spacing;
    return vec3_add_scaled(mesh_vertex(job->p->mesh, (int32_t)v), -distance,
                           vec3_normalize(job->inner[v]));
}

// Finds the elements on the vertex's own side of cracks.
static void find_visible(const skin_job *job, size_t v, visible_set *s, skin_search *search)
{
    const partition *p = job->source->partition;
    int32_t anchor = sherd_partition_anchor(p, job->source->label, behind(job, v));
    if (anchor < 0) return;
    if (anchor != s->from) sherd_visible_set_find(s, &p->links, &p->elements, p->label, anchor);
    if (!s->whole) search->seen = s;
}

static bool skin_vertex(const skin_job *job, size_t v, visible_set *seen, skin_search *search,
                        int32_t *bones, float *weights)
{
    sherd_vec3 x = mesh_vertex(job->p->mesh, (int32_t)v);
    search->seen = NULL;
    bool ok = sherd_skin_vertex(search, x, job->source->first, bones, weights);
    if (!ok || !search->near_cut) return ok;
    find_visible(job, v, seen, search);
    return search->seen == NULL || sherd_skin_vertex(search, x, job->source->first, bones, weights);
}

static bool sum_inner(skin_job *job)
{
    const sherd_mesh *mesh = job->p->mesh;
    if (!job->source->partition->links.any) return true;
    job->inner = sherd_alloc((size_t)mesh->vertex_count, sizeof *job->inner);
    for (int32_t t = 0; job->inner != NULL && t < mesh->triangle_count; ++t)
        for (int k = 0; k < 3 && mesh->face_kind[t] == SHERD_FACE_INNER; ++k) {
            sherd_vec3 *sum = &job->inner[mesh->triangles[3 * (size_t)t + (size_t)k]];
            *sum = vec3_add(*sum, mesh_area_vector(mesh, t));
        }
    return job->inner != NULL;
}

static void skin_vertices(void *context, size_t begin, size_t end)
{
    const skin_job *job = context;
    const skin_source *s = job->source;
    skin_search search = {.partition = s->partition, .label = s->label};
    visible_set seen = {.from = -1};
    bool ok = true;
    for (size_t v = begin; ok && v < end; ++v) {
        int32_t *bones = job->p->bones + SKIN_BONES * v;
        float *weights = job->p->weights + SKIN_BONES * v;
        if (s->count == 1)
            sherd_skin_to_one(s->first, bones, weights);
        else
            ok = skin_vertex(job, v, &seen, &search, bones, weights);
        for (int k = 0; k < SKIN_BONES; ++k)
            bones[k] += s->offset;
    }
    job->failed[begin / CHUNK] = !ok;
    sherd_skin_search_release(&search);
}

bool sherd_skin_piece(piece *p, const skin_source *source, const sherd_parallel *parallel)
{
    size_t n = (size_t)p->mesh->vertex_count, chunks = n / CHUNK + 1;
    if (p->bones == NULL) p->bones = sherd_alloc(SKIN_BONES * n, sizeof *p->bones);
    if (p->weights == NULL) p->weights = sherd_alloc(SKIN_BONES * n, sizeof *p->weights);
    skin_job job = {p, source, NULL, sherd_alloc(chunks, 1)};
    bool ok = p->bones != NULL && p->weights != NULL && job.failed != NULL && sum_inner(&job);
    if (ok) sherd_parallel_for(parallel, n, CHUNK, skin_vertices, &job);
    for (size_t k = 0; ok && k < chunks; ++k)
        ok = !job.failed[k];
    sherd_free(job.failed);
    sherd_free(job.inner);
    return ok;
}

// ---------------------------------------------------------------- a ball for a piece without a surface

// Icosahedron, counter-clockwise from outside.
static bool make_ball(piece *out, sherd_vec3 center, double radius, const texture_scale *texture)
{
    static const double G = 0.85065080835204, S = 0.525731112119134; // unit vectors (0, S, G)
    static const double corner[12][3] = {{-S, G, 0}, {S, G, 0}, {-S, -G, 0}, {S, -G, 0},
                                         {0, -S, G}, {0, S, G}, {0, -S, -G}, {0, S, -G},
                                         {G, 0, -S}, {G, 0, S}, {-G, 0, -S}, {-G, 0, S}};
    static const int8_t face[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                       {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                       {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                       {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    if (!sherd_piece_make_mesh(out, 12, 20)) return false;
    for (int32_t v = 0; v < 12; ++v) {
        sherd_vec3 n = vec3(corner[v][0], corner[v][1], corner[v][2]);
        mesh_set_vertex(out->mesh, v, vec3_add_scaled(center, radius, n));
        double *normal = out->mesh->normals + 3 * (size_t)v;
        normal[0] = n.x, normal[1] = n.y, normal[2] = n.z;
    }
    for (int32_t t = 0; t < 20; ++t) {
        mesh_set_triangle(out->mesh, t, face[t][0], face[t][1], face[t][2]);
        out->mesh->face_kind[t] = SHERD_FACE_INNER;
    }
    return sherd_texture_piece(out->mesh, texture);
}

bool sherd_piece_ball(piece *out, const partition *p, const texture_scale *texture, int32_t first,
                      int32_t offset)
{
    const skin_source source = {p, out->fragment, out->element_count, first, offset};
    const sherd_parallel serial = {1};
    for (int32_t k = 0; k < p->elements.count; ++k)
        if (p->elements.source[k] == first)
            return make_ball(out, p->elements.point[k], p->radius[first], texture) &&
                   sherd_skin_piece(out, &source, &serial);
    return false;
}
