#include "render/corner_normals.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "math/smooth_normals.h"
#include "math/vec3.h"

#include <string.h>

// A vertex normal of the mesh is used if it deviates by less than this angle from the normals of
// all faces around the vertex. On a crease it is a mean over both sides, which may happen to be
// close to the side that has more triangles.
static const double GIVEN_COSINE = 0.90630778703665; // cos 25 deg
// Slivers are ignored in that test because their normals are unreliable: triangles whose ratio of
// height to longest edge is below this.
static const double SLIVER = 0.05;

enum { TRIANGLE_CHUNK = 4096 };

typedef struct job {
    const sherd_render_mesh *mesh;
    sherd_corner_fans fans;
    int32_t *place;   // index of each vertex' distinct position (n)
    sherd_vec3 *unit; // normals of the mesh, normalised (n)
    uint8_t *outer;   // whether a vertex has an outer face (n)
    uint8_t *creased; // whether a vertex is on a crease, so that its normal is not used (n)
    uint8_t *open;    // bit k: the triangle's corner k has no normal yet (m)
    float *normals;
} job;

static sherd_vec3 vertex_at(const sherd_render_mesh *mesh, int32_t v)
{
    const double *p = mesh->vertices + 3 * (size_t)v;
    return vec3(p[0], p[1], p[2]);
}

// Numbers the distinct positions of the vertices. Returns their number, or -1 when memory is short.
static int32_t find_places(const sherd_render_mesh *mesh, int32_t *place)
{
    size_t n = (size_t)mesh->vertex_count;
    sherd_sort_pair *pairs = sherd_alloc(n, sizeof *pairs);
    if (pairs == NULL) return -1;
    for (size_t v = 0; v < n; ++v) {
        sherd_vec3 p = vec3_add(vertex_at(mesh, (int32_t)v), vec3(0.0, 0.0, 0.0)); // -0 becomes 0
        pairs[v] = (sherd_sort_pair){sherd_hash_bytes(SHERD_HASH_START, &p, sizeof p), (uint32_t)v};
    }
    int32_t places = sherd_sort_pairs(pairs, n) ? 0 : -1;
    for (size_t k = 0; places >= 0 && k < n; ++k) {
        int32_t v = (int32_t)pairs[k].value;
        bool same = k > 0 && vec3_distance(vertex_at(mesh, v),
                                           vertex_at(mesh, (int32_t)pairs[k - 1].value)) == 0.0;
        if (!same) ++places;
        place[v] = places - 1;
    }
    sherd_free(pairs);
    return places;
}

static void set_normal(const job *j, size_t corner, sherd_vec3 n)
{
    float *out = j->normals + 3 * corner;
    out[0] = (float)n.x, out[1] = (float)n.y, out[2] = (float)n.z;
}

static void fill_normals(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t t = begin; t < end; ++t)
        for (int k = 0; k < 3; ++k)
            set_normal(j, 3 * t + (size_t)k, sherd_corner_normal(&j->fans, (int32_t)t, k));
}

// --- Normals of the mesh ------------------------------------------------------------------------

// Whether the corner belongs to a fracture face and its vertex also to an outer face. The mesh's
// normal is that of the outer surface there.
static bool is_at_rim(const job *j, size_t corner)
{
    const sherd_render_mesh *mesh = j->mesh;
    return mesh->face_kind != NULL && mesh->face_kind[corner / 3] != 0 &&
           j->outer[mesh->triangles[corner]];
}

static bool is_sliver(const sherd_render_mesh *mesh, int32_t t)
{
    sherd_vec3 p[3], longest = vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < 3; ++k)
        p[k] = vertex_at(mesh, mesh->triangles[3 * (int64_t)t + k]);
    for (int k = 0; k < 3; ++k) {
        sherd_vec3 edge = vec3_sub(p[(k + 1) % 3], p[k]);
        if (vec3_dot(edge, edge) > vec3_dot(longest, longest)) longest = edge;
    }
    double area = vec3_length(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])));
    return area < SLIVER * vec3_dot(longest, longest);
}

// Corners whose normal is turned away from their facet, as bits of `open`.
static void find_turned(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t t = begin; t < end; ++t) {
        unsigned turned = 0;
        for (size_t k = 0; k < 3; ++k) {
            size_t v = (size_t)j->mesh->triangles[3 * t + k];
            if (!is_at_rim(j, 3 * t + k) && vec3_dot(j->unit[v], j->fans.facet[t]) < GIVEN_COSINE)
                turned |= 1u << k;
        }
        if (turned != 0 && !is_sliver(j->mesh, (int32_t)t)) j->open[t] = (uint8_t)turned;
    }
}

static void mark_creased(job *j, const sherd_parallel *parallel)
{
    size_t count = (size_t)j->mesh->triangle_count;
    sherd_parallel_for(parallel, count, TRIANGLE_CHUNK, find_turned, j);
    for (size_t t = 0; t < count; ++t) {
        for (size_t k = 0; j->open[t] != 0 && k < 3; ++k)
            if (j->open[t] >> k & 1) j->creased[j->mesh->triangles[3 * t + k]] = 1;
        j->open[t] = 0;
    }
}

static bool given_normal(const job *j, size_t corner, sherd_vec3 *n)
{
    const sherd_render_mesh *mesh = j->mesh;
    size_t v = (size_t)mesh->triangles[corner];
    *n = j->unit[v];
    if (j->creased[v] || is_at_rim(j, corner)) return false;
    return vec3_dot(*n, j->fans.facet[corner / 3]) >= GIVEN_COSINE;
}

static void find_units(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t v = begin; v < end; ++v) {
        const double *given = j->mesh->normals + 3 * v;
        j->unit[v] = vec3_normalize(vec3(given[0], given[1], given[2]));
    }
}

static void take_given(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t t = begin; t < end; ++t)
        for (size_t k = 0; k < 3; ++k) {
            sherd_vec3 n;
            if (given_normal(j, 3 * t + k, &n))
                set_normal(j, 3 * t + k, n);
            else
                j->open[t] = (uint8_t)(j->open[t] | 1 << k);
        }
}

static void fill_open(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t t = begin; t < end; ++t)
        for (int k = 0; j->open[t] && k < 3; ++k)
            if (j->open[t] >> k & 1)
                set_normal(j, 3 * t + (size_t)k, sherd_corner_normal(&j->fans, (int32_t)t, k));
}

static void mark_outer(const sherd_render_mesh *mesh, uint8_t *outer)
{
    for (int32_t t = 0; mesh->face_kind != NULL && t < mesh->triangle_count; ++t)
        for (int64_t c = 3 * (int64_t)t; c < 3 * ((int64_t)t + 1); ++c)
            if (mesh->face_kind[t] == 0) outer[mesh->triangles[c]] = 1;
}

// Gathers the faces around the vertices of those corners that have no normal yet.
static bool open_fans(job *j)
{
    const sherd_render_mesh *mesh = j->mesh;
    int32_t places = 0;
    memset(j->place, 0xff, (size_t)mesh->vertex_count * sizeof *j->place);
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int k = 0; j->open[t] && k < 3; ++k) {
            int32_t *place = &j->place[mesh->triangles[3 * (int64_t)t + k]];
            if ((j->open[t] >> k & 1) && *place < 0) *place = places++;
        }
    return sherd_corner_fans_gather(&j->fans, j->place, places);
}

static bool from_given(job *j, const sherd_parallel *parallel)
{
    size_t n = (size_t)j->mesh->vertex_count, m = (size_t)j->mesh->triangle_count;
    j->unit = sherd_alloc(n, sizeof *j->unit);
    j->outer = sherd_alloc(n, 1);
    j->creased = sherd_alloc(n, 1);
    j->open = sherd_alloc(m, 1);
    bool ok = j->unit != NULL && j->outer != NULL && j->creased != NULL && j->open != NULL;
    if (ok) {
        sherd_parallel_for(parallel, n, TRIANGLE_CHUNK, find_units, j);
        mark_outer(j->mesh, j->outer);
        mark_creased(j, parallel);
        sherd_parallel_for(parallel, m, TRIANGLE_CHUNK, take_given, j);
        ok = open_fans(j);
    }
    if (ok) sherd_parallel_for(parallel, m, TRIANGLE_CHUNK, fill_open, j);
    sherd_free(j->unit);
    sherd_free(j->outer);
    sherd_free(j->creased);
    sherd_free(j->open);
    return ok;
}

static bool from_faces(job *j, const sherd_parallel *parallel)
{
    int32_t places = find_places(j->mesh, j->place);
    if (places < 0 || !sherd_corner_fans_gather(&j->fans, j->place, places)) return false;
    sherd_parallel_for(parallel, (size_t)j->mesh->triangle_count, TRIANGLE_CHUNK, fill_normals, j);
    return true;
}

float *sherd_corner_normals(const sherd_render_mesh *mesh, const sherd_parallel *parallel)
{
    size_t m = (size_t)mesh->triangle_count;
    const sherd_fan_mesh fan_mesh = {mesh->vertex_count, mesh->vertices, mesh->triangle_count,
                                     mesh->triangles, mesh->face_kind};
    job j = {.mesh = mesh,
             .place = sherd_alloc((size_t)mesh->vertex_count, sizeof *j.place),
             .normals = sherd_alloc(m, 9 * sizeof(float))};
    bool ready = sherd_corner_fans_init(&j.fans, &fan_mesh, SHERD_FAN_BY_ANGLE, parallel) &&
                 j.place != NULL && j.normals != NULL;
    if (ready) ready = mesh->normals != NULL ? from_given(&j, parallel) : from_faces(&j, parallel);
    if (!ready) {
        sherd_free(j.normals);
        j.normals = NULL;
    }
    sherd_corner_fans_release(&j.fans);
    sherd_free(j.place);
    return j.normals;
}
